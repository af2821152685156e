/* Makes every allocation of the `buckling` model fail once. */
#include "buckling_support.h"
#include "failing_malloc.h"

/* Shrinking a list may fail without harm. Every other failure is reported. */
static void reports_failure_of_every_allocation(void **state) {
    (void)state;
    cloth_of c = make_cloth(grid_mesh(6, 5, 0.1, 0.1));
    c.cloth = (weft_cloth){.name = "sheet", .mesh = c.mesh, .fabric = &c.fabric};
    int refused = 0, made = 0;
    do {
        allocations = 0;
        weft_result result = functions()->create(&c.settings, &c.cloth, &c.self);
        refused += result.code == WEFT_NO_MEMORY;
        made += result.code == WEFT_OK;
        assert_int_equal(result.code == WEFT_OK, c.self != NULL);
        functions()->destroy(c.self);
        c.self = NULL;
    } while (failing++ < allocations);
    failing = -1;
    assert_true(refused > 35);
    assert_int_equal(refused + made, allocations + 2);
    weft_mesh_destroy(c.mesh);
}

/* Retuning, forces and energies allocate nothing. */
static void steady_calls_allocate_nothing(void **state) {
    (void)state;
    cloth_of c = make_cloth(grid_mesh(6, 5, 0.1, 0.1));
    create(&c);
    weft_vec3 v[42] = {{0, 0, 0}}, f[42];
    allocations = 0;
    must(functions()->retune(c.self, &c.settings, &c.cloth));
    force(&c, c.mesh->position, v, f);
    energy(&c, c.mesh->position);
    assert_int_equal(allocations, 0);
    destroy_cloth(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_failure_of_every_allocation),
        cmocka_unit_test(steady_calls_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
