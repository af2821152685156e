/* Null pointers where the API does not allow them: an error in a release build, an assertion in a debug build. */
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

/* Whether the library stops at an assertion. A child process tries it. */
static int library_asserts(void) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        _exit(weft_sim_prepare(NULL).code == WEFT_BAD_INPUT ? 0 : 2);
    }
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return WIFSIGNALED(status);
}

static weft_mesh *make_mesh(void) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    return mesh;
}

static void test_building_refuses_null(void **state) {
    (void)state;
    weft_sim *sim = (weft_sim *)8;
    weft_mesh *mesh = (weft_mesh *)8;
    weft_registry *registry;
    weft_fabric fabric;
    weft_grid grid = weft_grid_default();
    weft_params_default(weft_fabric_params(), &fabric);
    assert_says(weft_registry_create(NULL), "weft_registry_create: 'registry' is null");
    assert_says(weft_mesh_create_grid(NULL, &mesh), "'grid' is null");
    assert_null(mesh);
    assert_says(weft_mesh_create_grid(&grid, NULL), "'mesh' is null");
    assert_says(weft_mesh_create(NULL, &mesh), "'polygons' is null");
    assert_says(weft_mesh_triangulate(NULL, &mesh), "'mesh' is null");
    must(weft_registry_create(&registry));
    assert_says(weft_sim_create(registry, NULL), "weft_sim_create: 'sim' is null");
    assert_says(weft_scene_read(registry, NULL, NULL, &sim), "'tree' is null");
    assert_says(weft_registry_add(registry, NULL), "'component' is null");
    must(weft_sim_create(registry, &sim));
    assert_says(weft_sim_add_cloth(NULL, "a", make_mesh(), &fabric, "springs", NULL),
                "weft_sim_add_cloth: 'sim' is null");
    assert_says(weft_sim_add_cloth(sim, NULL, make_mesh(), &fabric, "springs", NULL), "'name' is null");
    assert_says(weft_sim_add_cloth(sim, "a", NULL, &fabric, "springs", NULL), "'mesh' is null");
    assert_says(weft_sim_add_cloth(sim, "a", make_mesh(), NULL, "springs", NULL), "'fabric' is null");
    assert_says(weft_sim_add_body(NULL, "sphere", make_mesh(), NULL), "weft_sim_add_body: 'sim' is null");
    assert_says(weft_sim_add_force(sim, NULL, NULL), "'name' is null");
    assert_says(weft_sim_set_integrator(sim, NULL), "'name' is null");
    assert_says(weft_sim_set(sim, "time.step", NULL), "'value' is null");
    assert_says(weft_fabric_by_name(NULL, &fabric), "weft_fabric_by_name: 'name' is null");
    assert_says(weft_fabric_by_name("wool", NULL), "'fabric' is null");
    assert_says(weft_sim_add_sheet(NULL, "a", NULL, NULL, NULL), "weft_sim_add_sheet: 'sim' is null");
    assert_says(weft_sim_add_sheet(sim, NULL, NULL, NULL, NULL), "'name' is null");
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

static void test_use_refuses_null(void **state) {
    (void)state;
    test_sim made = make_sheet(2, 2, 1, 1, "symplectic-euler");
    weft_intersections found;
    weft_measures measures;
    int32_t count;
    must(weft_sim_prepare(made.sim));
    assert_says(weft_sim_step(NULL, 0.001, NULL), "weft_sim_step: 'sim' is null");
    assert_says(weft_sim_advance_frame(NULL, NULL, NULL), "'sim' is null");
    assert_says(weft_sim_advance_step(made.sim, NULL, NULL), "'done' is null");
    assert_says(weft_sim_measure(made.sim, NULL), "'measures' is null");
    assert_says(weft_sim_run(NULL, 1), "weft_sim_run: 'sim' is null");
    assert_says(weft_sim_pin_side(NULL, 0, "top"), "weft_sim_pin_side: 'sim' is null");
    assert_says(weft_sim_pin_side(made.sim, 0, NULL), "'side' is null");
    assert_says(weft_sim_pin_corner(NULL, 0, "top-left"), "weft_sim_pin_corner: 'sim' is null");
    assert_says(weft_sim_pin_corner(made.sim, 0, NULL), "'corner' is null");
    weft_select side = {.kind = WEFT_SELECT_SIDE};
    assert_says(weft_sim_select(made.sim, 0, &side, &count, &count), "'select->name' is null");
    assert_says(weft_sim_measure(NULL, &measures), "'sim' is null");
    assert_says(weft_sim_get(made.sim, NULL, NULL, 0), "'path' is null");
    assert_says(weft_sim_crossings(made.sim, NULL, 1, &count, &found), "'crossing' is null");
    must(weft_sim_crossings(made.sim, NULL, 0, &count, &found));
    assert_says(weft_sim_add_pin(made.sim, 0, NULL, &count, 1), "'pin' is null");
    assert_says(weft_sim_unpin(made.sim, 0, NULL, 1), "'vertices' is null");
    assert_says(weft_sim_restore(made.sim, NULL, 10), "'buffer' is null");
    assert_says(weft_sim_body_surface(made.sim, 0, NULL), "'surface' is null");
    assert_says(weft_number_read(NULL, "m", &measures.mass), "'text' is null");
    assert_says(weft_tree_create(NULL), "'tree' is null");
    destroy(made);
}

int main(void) {
    if (library_asserts()) {
        print_message("the library asserts: a null pointer stops the program, as it should in a debug build\n");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_building_refuses_null),
        cmocka_unit_test(test_use_refuses_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
