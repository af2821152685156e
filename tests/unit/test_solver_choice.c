/* `solver: auto`, `precondition: auto` and the default tolerance. */
#include "support.h"

#include "solve/solver_choice.h"
#include "weft/vec.h"

/* A horizontal cotton sheet of finite elements, held at one side, that swings down. */
static test_sim make_swing(const char *integrator, int64_t cells_x, int64_t cells_z, double size_z) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    weft_grid grid = weft_grid_default();
    grid.cells[0] = cells_x;
    grid.cells[1] = cells_z;
    grid.size[0] = 1;
    grid.size[1] = size_z;
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &fabric, "corotational", NULL));
    must(weft_sim_set_integrator(made.sim, integrator));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    weft_sim_set_threads(made.sim, 1);
    must(weft_sim_prepare(made.sim));
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "left"});
    return made;
}

/* Positions after 0.5 s in steps of 4 ms. */
static void swing_to(const char *tolerance, const char *precondition, weft_vec3 *x) {
    test_sim made = make_swing("bdf2", 20, 20, 1);
    set(made, "integrator.precondition", precondition);
    set(made, "integrator.newton", "20"); /* the sheet whips: what is left of a step that ends earlier would differ */
    set(made, "integrator.newton_tolerance", "1e-4");
    if (tolerance) {
        set(made, "integrator.tolerance", tolerance);
        set(made, "integrator.iterations", "5000");
        set(made, "integrator.warm_start", "false");
    }
    for (int i = 0; i < 125; i++)
        step(made, 0.004);
    memcpy(x, weft_sim_positions(made.sim, 0), 441 * sizeof *x);
    destroy(made);
}

/* The default tolerance is loose, but smooth motion does not show it: a thousandth of the size after half a second. */
static void default_tolerance_does_not_show_in_smooth_motion(void **state) {
    (void)state;
    static const char *const CHOICES[] = {"auto", "block", "two-level"};
    weft_vec3 loose[441], tight[441];
    swing_to("1e-8", "block", tight);
    for (int k = 0; k < 3; k++) {
        double most = 0;
        swing_to(NULL, CHOICES[k], loose);
        for (int i = 0; i < 441; i++)
            most = fmax(most, weft_distance(loose[i], tight[i]));
        print_message("%s: %.3f mm after a swing\n", CHOICES[k], 1e3 * most);
        assert_true(most < 1e-3);
    }
    assert_true(tight[440].y < -0.2); /* it has swung */
}

static weft_solve solve_strip(const char *solver) {
    test_sim made = make_swing("implicit-euler", 32, 2, 0.06);
    weft_solve sum = {0};
    set(made, "cloth.fabric.density", "2");
    set(made, "integrator.solver", solver);
    set(made, "integrator.tolerance", "1e-8");
    set(made, "integrator.newton", "20");
    for (int i = 0; i < 20; i++) {
        weft_report report;
        must(weft_sim_step(made.sim, 0.03, &report));
        sum.newton += report.solve.newton;
        sum.iterations += report.solve.iterations;
        sum.not_converged += report.solve.not_converged;
    }
    destroy(made);
    return sum;
}

/* PCG takes hundreds of iterations per solve on a stiff strip. */
static void badly_conditioned_systems_are_solved_directly(void **state) {
    (void)state;
    weft_solve pcg = solve_strip("pcg"), chosen = solve_strip("auto");
    assert_true(pcg.iterations > 100 * pcg.newton);
    assert_int_equal(chosen.not_converged, 0);
    assert_true(chosen.iterations < pcg.iterations / 10);
}

/* Restores after steps in which the choice has changed. */
static void choice_continues_from_snapshot(void **state) {
    (void)state;
    test_sim one = make_swing("bdf2", 32, 32, 1), other = make_swing("bdf2", 32, 32, 1);
    set(one, "integrator.tolerance", "1e-4");
    set(other, "integrator.tolerance", "1e-4");
    for (int i = 0; i < 12; i++)
        step(one, 0.01);
    size_t size = weft_sim_snapshot_size(one.sim);
    char *snapshot = malloc(size);
    weft_sim_snapshot(one.sim, snapshot);
    must(weft_sim_restore(other.sim, snapshot, size));
    for (int i = 0; i < 12; i++) {
        step(one, 0.01);
        step(other, 0.01);
        assert_int_equal(weft_sim_hash(one.sim), weft_sim_hash(other.sim));
    }
    free(snapshot);
    destroy(other);
    destroy(one);
}

static void two_levels_follow_many_iterations(void **state) {
    (void)state;
    const weft_bsr small = {.rows = 100}, middle = {.rows = 1000};
    const weft_implicit_settings settings = {.precondition = WEFT_PRECONDITION_AUTO};
    weft_solver_memory m = weft_solver_memory_new(1000);
    assert_true(weft_solver_memory_is_valid(&m));
    assert_int_equal(weft_solver_precond(&m, &settings), WEFT_PRECOND_BLOCK);
    weft_solver_record(&m, &small, WEFT_PRECOND_BLOCK, 500);
    assert_int_equal(weft_solver_precond(&m, &settings), WEFT_PRECOND_BLOCK);
    weft_solver_record(&m, &middle, WEFT_PRECOND_BLOCK, 100);
    assert_int_equal(weft_solver_precond(&m, &settings), WEFT_PRECOND_TWO_LEVEL);
    weft_solver_record(&m, &middle, WEFT_PRECOND_TWO_LEVEL, 40); /* cheaper than 100 */
    assert_int_equal(weft_solver_precond(&m, &settings), WEFT_PRECOND_TWO_LEVEL);
    weft_solver_record(&m, &middle, WEFT_PRECOND_TWO_LEVEL, 90); /* not cheaper */
    assert_int_equal(weft_solver_precond(&m, &settings), WEFT_PRECOND_BLOCK);
    for (int i = 0; i < 8; i++) { /* a pause before the next attempt */
        weft_solver_record(&m, &middle, WEFT_PRECOND_BLOCK, 100);
        assert_int_equal(weft_solver_precond(&m, &settings), WEFT_PRECOND_BLOCK);
    }
    weft_solver_record(&m, &middle, WEFT_PRECOND_BLOCK, 100);
    assert_int_equal(weft_solver_precond(&m, &settings), WEFT_PRECOND_TWO_LEVEL);
    m = weft_solver_memory_new(100000);
    assert_int_equal(weft_solver_precond(&m, &settings), WEFT_PRECOND_TWO_LEVEL);
    m.pause = -1;
    assert_false(weft_solver_memory_is_valid(&m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_tolerance_does_not_show_in_smooth_motion),
        cmocka_unit_test(badly_conditioned_systems_are_solved_directly),
        cmocka_unit_test(choice_continues_from_snapshot),
        cmocka_unit_test(two_levels_follow_many_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
