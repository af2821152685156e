/* Makes every allocation of the GLB and USDA writers and of proxies fail once. If a failure at the end of a run leaves
 * a partial file, the run can be resumed. */
#include "io_stage.h"

#include "failing_malloc.h"
#include "io/proxy.h"
#include "io/store.h"

static const weft_store_settings PLAIN = {.options = {.scale = 1}, .every = 1, .normals = 1};

/* Lets each allocation fail in turn until a run succeeds. */
static void sweep_writer(const weft_component *writer, const char *folder) {
    stage s;
    char file[64], partial[96];
    snprintf(file, sizeof file, "%s/scene.%s", folder, writer->name);
    snprintf(partial, sizeof partial, "%s.frames.part", file);
    build(&s);
    assert_ok(run(writer, &PLAIN, &s, "whole", FRAMES, 0, FRAMES, 1));
    char whole[64];
    snprintf(whole, sizeof whole, "whole/scene.%s", writer->name);
    long count = 0;
    for (;; count++) {
        allocations = 0;
        failing = count;
        weft_result result = run(writer, &PLAIN, &s, folder, FRAMES, 0, FRAMES, 1);
        failing = -1;
        if (result.code == WEFT_OK)
            break;
        assert_int_equal(result.code, WEFT_NO_MEMORY);
        assert_false(exists(in_folder(file)));
        if (exists(in_folder(partial))) {
            assert_ok(run(writer, &PLAIN, &s, folder, FRAMES, FRAMES, FRAMES, 1));
            assert_same_file(whole, file);
            assert_int_equal(unlink(in_folder(file)), 0);
        }
    }
    assert_true(count > 20);
    clear(&s);
}

static void glb_writer_reports_failure_of_every_allocation(void **state) {
    (void)state;
    sweep_writer(&WEFT_GLB_WRITER, "glb");
}

static void usda_writer_reports_failure_of_every_allocation(void **state) {
    (void)state;
    sweep_writer(&WEFT_USDA_WRITER, "usda");
}

static void proxy_reports_failure_of_every_allocation(void **state) {
    (void)state;
    weft_grid grid = weft_grid_default();
    weft_mesh *cloth, *fine;
    assert_ok(weft_mesh_create_grid(&grid, &cloth));
    grid.cells[0] = 30;
    long count = 0;
    for (;; count++) {
        weft_proxy *made;
        assert_ok(weft_mesh_create_grid(&grid, &fine));
        allocations = 0;
        failing = count;
        weft_result result = weft_proxy_bind(cloth, fine, 2, &made);
        failing = -1;
        if (result.code == WEFT_OK) {
            weft_proxy_destroy(made);
            break;
        }
        assert_int_equal(result.code, WEFT_NO_MEMORY);
        assert_null(made);
    }
    assert_true(count >= 9);
    weft_mesh_destroy(cloth);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(glb_writer_reports_failure_of_every_allocation),
                                       cmocka_unit_test(usda_writer_reports_failure_of_every_allocation),
                                       cmocka_unit_test(proxy_reports_failure_of_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
