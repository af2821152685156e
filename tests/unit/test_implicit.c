/* Implicit Euler and BDF2: order, damping, agreement with explicit schemes, exact pins, long time steps,
 * preconditioners. */
#include "support.h"

#include "weft/vec.h"

enum { SIDE = 6, COUNT = (SIDE + 1) * (SIDE + 1) };

static const weft_select TOP = {.kind = WEFT_SELECT_SIDE, .name = "top"};

/* A sheet of soft springs that swings from its upper side, started by a smooth velocity field. Optionally a second,
 * falling cloth of finite elements. */
static test_sim make_swinging_beside(const char *integrator, int elements) {
    test_sim made = make_sheet(SIDE, SIDE, 1, 1, integrator);
    set(made, "cloth.fabric.density", "0.5");
    set(made, "cloth.model.structural_stiffness", "200");
    set(made, "cloth.model.shear_stiffness", "50");
    set(made, "cloth.model.flexion_stiffness", "5");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    if (elements) {
        weft_grid grid = weft_grid_default();
        weft_mesh *mesh;
        grid.cells[0] = grid.cells[1] = 4;
        must(weft_mesh_create_grid(&grid, &mesh));
        must(weft_sim_add_cloth(made.sim, "elements", mesh, &weft_fabric_preset_find("cotton")->fabric, "corotational",
                                NULL));
    }
    must(weft_sim_prepare(made.sim));
    for (int32_t i = 0; i < COUNT; i++) {
        weft_vec3 x = weft_sim_positions(made.sim, 0)[i];
        must(weft_sim_place(made.sim, 0, i, x, weft_vec3_make(0.3 * x.y, 0, -1.5 * x.y)));
    }
    pin(made, &TOP);
    return made;
}

static test_sim make_swinging(const char *integrator) { return make_swinging_beside(integrator, 0); }

static void solve_exactly(test_sim made) {
    set(made, "integrator.tolerance", "1e-9");
    set(made, "integrator.newton", "20");
    set(made, "integrator.newton_tolerance", "1e-10");
}

static void run(test_sim made, double seconds, int steps, weft_vec3 *x) {
    for (int i = 0; i < steps; i++)
        step(made, seconds / steps);
    memcpy(x, weft_sim_positions(made.sim, 0), COUNT * sizeof *x);
}

static double distance(const weft_vec3 *a, const weft_vec3 *b) {
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += weft_dot(weft_sub(a[i], b[i]), weft_sub(a[i], b[i]));
    return sqrt(sum / COUNT);
}

/* Equal steps, or alternating steps of 0.4 and 0.6 of a pair. */
static double observed_order(const char *integrator, const char *damping, int uneven) {
    weft_vec3 x[3][COUNT];
    for (int level = 0; level < 3; level++) {
        test_sim made = make_swinging(integrator);
        /* soft enough for the time steps to resolve the fastest mode; otherwise the order is not visible */
        set(made, "cloth.model.structural_stiffness", "10");
        set(made, "cloth.model.shear_stiffness", "5");
        set(made, "cloth.model.flexion_stiffness", "1");
        set(made, "cloth.model.damping", damping);
        solve_exactly(made);
        int pairs = 100 << level;
        for (int i = 0; i < pairs; i++) {
            step(made, 0.2 / pairs * (uneven ? 0.4 : 0.5));
            step(made, 0.2 / pairs * (uneven ? 0.6 : 0.5));
        }
        memcpy(x[level], weft_sim_positions(made.sim, 0), sizeof x[level]);
        destroy(made);
    }
    return log2(distance(x[0], x[1]) / distance(x[1], x[2]));
}

static void implicit_euler_is_first_order_and_bdf2_second(void **state) {
    (void)state;
    assert_near(observed_order("implicit-euler", "0", 0), 1, 0.1);
    assert_near(observed_order("bdf2", "0", 0), 2, 0.15);
    assert_near(observed_order("bdf2", "0", 1), 2, 0.15);
    /* damping is not part of the energy in the line search, and must not prevent Newton's method from converging */
    assert_near(observed_order("bdf2", "0.1", 0), 2, 0.15);
}

/* The same springs with verlet at a tiny step, and with implicit Euler at decreasing steps. */
static void explicit_and_implicit_schemes_converge_to_same_motion(void **state) {
    (void)state;
    weft_vec3 fine[COUNT], x[COUNT];
    test_sim made = make_swinging("verlet");
    run(made, 0.2, 8000, fine);
    destroy(made);
    double last = INFINITY;
    for (int steps = 50; steps <= 400; steps *= 2) {
        made = make_swinging("implicit-euler");
        solve_exactly(made);
        run(made, 0.2, steps, x);
        destroy(made);
        double error = distance(x, fine);
        assert_true(error < 0.6 * last);
        last = error;
    }
    made = make_swinging("bdf2");
    solve_exactly(made);
    run(made, 0.2, 400, x);
    destroy(made);
    assert_true(distance(x, fine) < 0.1 * last);
    assert_true(distance(x, fine) < 2e-4); /* for a sheet of 1 m that has moved by about 0.3 m */
}

static double energy(test_sim made, double at_rest) {
    weft_measures m = measure(made);
    return m.kinetic + m.elastic + m.potential - at_rest;
}

/* The fraction of the energy that a swinging sheet keeps after 5 s, relative to hanging at rest. */
static double energy_kept(const char *integrator) {
    test_sim made = make_swinging(integrator);
    must(weft_sim_prepare(made.sim));
    double at_rest = measure(made).potential;
    double before = energy(made, at_rest);
    for (int i = 0; i < 450; i++)
        step(made, 1.0 / 90);
    double after = energy(made, at_rest);
    destroy(made);
    return after / before;
}

static void bdf2_keeps_more_energy_than_implicit_euler(void **state) {
    (void)state;
    double euler = energy_kept("implicit-euler"), bdf2 = energy_kept("bdf2");
    print_message("energy of a swinging sheet after 5 s: implicit Euler %.3f, BDF2 %.3f\n", euler, bdf2);
    assert_true(bdf2 > euler + 0.1);
}

static void pins_are_exact_and_carry_weight(void **state) {
    (void)state;
    static const char *const NAMES[] = {"implicit-euler", "bdf2"};
    for (int k = 0; k < 2; k++) {
        test_sim made = make_swinging(NAMES[k]);
        must(weft_sim_add_force(made.sim, "air-damping", NULL));
        set(made, "forces.air-damping.coefficient", "0.05");
        set(made, "integrator.tolerance", "1e-6");
        for (int i = 0; i < 600; i++)
            step(made, 0.02);
        weft_vec3 reaction[COUNT], sum = {0, 0, 0};
        must(weft_sim_reactions(made.sim, 0, reaction));
        for (int i = 0; i < COUNT; i++)
            sum = weft_add(sum, reaction[i]);
        for (int i = 0; i <= SIDE; i++) {
            weft_vec3 at = weft_sim_positions(made.sim, 0)[i];
            weft_vec3 start = weft_sim_cloth(made.sim, 0)->mesh->position[i];
            assert_memory_equal(&at, &start, sizeof at);
        }
        assert_near(sum.y, 9.81 * measure(made).mass, 1e-4);
        assert_near(sum.x, 0, 1e-4);
        destroy(made);
    }
}

/* A vertex without springs that is dragged along x = a t^2 / 2 needs the force m a. */
static void moving_pins_report_inertia(void **state) {
    (void)state;
    static const char *const NAMES[] = {"implicit-euler", "bdf2", "symplectic-euler", "verlet"};
    for (int k = 0; k < 4; k++) {
        test_sim made = make_sheet(1, 1, 1, 1, NAMES[k]);
        set(made, "cloth.model.structural", "false");
        set(made, "cloth.model.shear", "false");
        const double dt = 0.01, a = 3;
        for (int i = 1; i <= 10; i++) {
            must(weft_sim_drag(made.sim, 0, 0, weft_vec3_make(0.5 * a * (i * dt) * (i * dt), 0, 0)));
            step(made, dt);
        }
        weft_vec3 reaction[4];
        must(weft_sim_reactions(made.sim, 0, reaction));
        assert_near(reaction[0].x, a * weft_sim_cloth(made.sim, 0)->mass[0], 1e-9);
        assert_near(weft_length(reaction[1]), 0, 0);
        destroy(made);
    }
}

static void dragged_vertices_reach_targets_exactly(void **state) {
    (void)state;
    test_sim made = make_swinging("bdf2");
    for (int i = 1; i <= 20; i++) {
        weft_vec3 to = {0.5 + 0.02 * i, -1, 0.03 * i};
        must(weft_sim_drag(made.sim, 0, COUNT - 1 - SIDE / 2, to));
        step(made, 0.01);
        weft_vec3 at = weft_sim_positions(made.sim, 0)[COUNT - 1 - SIDE / 2];
        assert_memory_equal(&at, &to, sizeof at);
    }
    destroy(made);
}

/* Strong wind with a long time step. Explicit drag would overshoot. The soft sheet whips: steps of 1 ms, which resolve
 * the motion, reach 104 m/s with bdf2. The Jacobian of the drag keeps the speed below that. */
static void strong_wind_stays_stable(void **state) {
    (void)state;
    test_sim made = make_swinging("implicit-euler");
    set(made, "cloth.fabric.density", "0.03");
    set(made, "cloth.fabric.drag", "1.2");
    must(weft_sim_add_force(made.sim, "wind", NULL));
    set(made, "forces.wind.speed", "60");
    set(made, "forces.wind.direction", "[0.1, 0, 1]");
    for (int i = 0; i < 200; i++) {
        weft_report report;
        must(weft_sim_step(made.sim, 1.0 / 30, &report));
        assert_int_equal(report.status, WEFT_STATUS_OK);
        assert_int_equal(report.halvings, 0);
        for (int k = 0; k < COUNT; k++)
            assert_true(weft_length(weft_sim_velocities(made.sim, 0)[k]) < 104);
    }
    destroy(made);
}

static void direct_and_iterative_solvers_agree(void **state) {
    (void)state;
    static const char *const CHOICES[] = {"none", "diagonal", "block", "two-level", "cholesky"};
    weft_vec3 direct[COUNT], x[COUNT];
    test_sim made = make_swinging("implicit-euler");
    set(made, "integrator.solver", "direct");
    run(made, 0.2, 20, direct);
    destroy(made);
    for (int i = 0; i < 5; i++) {
        made = make_swinging("implicit-euler");
        set(made, "integrator.precondition", CHOICES[i]);
        set(made, "integrator.tolerance", "1e-8");
        run(made, 0.2, 20, x);
        assert_true(distance(x, direct) < 1e-6);
        destroy(made);
    }
}

/* The outdated factor of another matrix is replaced. Keeping it would take 50 to 65 iterations per solve. */
static void outdated_cholesky_factor_is_replaced(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        weft_report report;
        test_sim made = make_swinging("implicit-euler");
        set(made, "integrator.precondition", "cholesky");
        set(made, "integrator.tolerance", "1e-8");
        if (i == 1)
            step(made, 1e-5);
        must(weft_sim_step(made.sim, 0.3, &report));
        assert_in_range(report.solve.iterations, 1, 20 * report.solve.newton);
        destroy(made);
    }
}

/* Springs alone have a matrix with four floats per block. With finite elements in the same scene it has nine. */
static void springs_move_equally_beside_finite_elements(void **state) {
    (void)state;
    weft_vec3 x[2][COUNT];
    for (int mixed = 0; mixed < 2; mixed++) {
        test_sim made = make_swinging_beside("bdf2", mixed);
        set(made, "integrator.tolerance", "1e-10");
        set(made, "integrator.newton", "1"); /* how many a step takes depends on all cloths */
        run(made, 0.4, 40, x[mixed]);
        destroy(made);
    }
    assert_true(distance(x[0], x[1]) < 1e-7);
    assert_true(memcmp(x[0], x[1], sizeof x[0]) != 0); /* blocks are rounded differently */
}

/* Choi and Ko (2002) claim steps of up to 100 s. This is a small version: a square held at its centre. */
static test_sim make_draped(const char *integrator) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 20;
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &fabric, "buckling", NULL));
    plain_model(made.sim);
    must(weft_sim_set_integrator(made.sim, integrator));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "air-damping", NULL)); /* so that short steps also settle within a few seconds */
    set(made, "forces.air-damping.per", "area");
    set(made, "forces.air-damping.coefficient", "0.5");
    weft_sim_set_threads(made.sim, 1);
    pin(made, &(weft_select){.kind = WEFT_SELECT_BOX, .a = {0.39, -1, 0.39}, .b = {0.61, 1, 0.61}});
    return made;
}

static void buckling_accepts_time_steps_of_any_length(void **state) {
    (void)state;
    static const double STEPS[] = {0.01, 0.2, 2, 100};
    double lowest[4];
    for (int k = 0; k < 4; k++) {
        test_sim made = make_draped("bdf2");
        for (int i = 0; i < (k == 0 ? 600 : 150); i++)
            step(made, STEPS[k]);
        lowest[k] = 0;
        for (int32_t i = 0; i < 441; i++)
            lowest[k] = fmin(lowest[k], weft_sim_positions(made.sim, 0)[i].y);
        assert_true(measure(made).kinetic < 1e-4);
        destroy(made);
    }
    for (int k = 1; k < 4; k++)
        assert_near(lowest[k], lowest[0], 0.002); /* m */
}

/* A strip of cotton that is held at one end falls from the horizontal, 5 ms a step. In 0.2 s it falls almost freely:
 * what it loses of the energy that gravity releases is lost by the solve. A single linearisation takes 66 % with bdf2.
 * The bounds are twice what the schemes themselves lose, 1.4 % and 11.7 %, and for bdf2 what three iterations leave. */
static void swinging_strips_keep_their_energy(void **state) {
    (void)state;
    static const struct {
        const char *integrator;
        double most;
    } CASES[] = {{"bdf2", 0.1}, {"implicit-euler", 0.2}};
    static const int32_t HELD[] = {0, 13, 26};
    for (int k = 0; k < 2; k++) {
        weft_grid grid = weft_grid_default();
        weft_mesh *mesh;
        weft_pin still = weft_pin_default();
        grid.cells[0] = 12;
        grid.cells[1] = 2;
        grid.size[0] = 0.24;
        grid.size[1] = 0.04;
        grid.axis[1] = weft_vec3_make(0, 0, 1);
        test_sim made = start_with(CASES[k].integrator);
        set(made, "contact.self", "false");
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        must(weft_mesh_create_grid(&grid, &mesh));
        must(weft_sim_add_cloth(made.sim, "strip", mesh, &weft_fabric_preset_find("cotton")->fabric, "corotational",
                                NULL));
        must(weft_sim_add_pin(made.sim, 0, &still, HELD, 3));
        weft_measures before = measure(made);
        for (int i = 0; i < 40; i++)
            step(made, 0.005);
        weft_measures after = measure(made);
        double released = before.potential - after.potential;
        assert_true(released > 1e-4);
        assert_below(1 - (after.kinetic + after.elastic) / released, CASES[k].most);
        destroy(made);
    }
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    test_sim made = make_swinging("bdf2");
    assert_says(weft_sim_set(made.sim, "integrator.newton", "0"), "0 is below 1");
    assert_says(weft_sim_set(made.sim, "integrator.precondition", "magic"),
                "not one of auto, none, diagonal, block, two-level");
    assert_says(weft_sim_set(made.sim, "integrator.tolerance", "-1"), "below");
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(implicit_euler_is_first_order_and_bdf2_second),
        cmocka_unit_test(explicit_and_implicit_schemes_converge_to_same_motion),
        cmocka_unit_test(bdf2_keeps_more_energy_than_implicit_euler),
        cmocka_unit_test(pins_are_exact_and_carry_weight),
        cmocka_unit_test(moving_pins_report_inertia),
        cmocka_unit_test(dragged_vertices_reach_targets_exactly),
        cmocka_unit_test(strong_wind_stays_stable),
        cmocka_unit_test(direct_and_iterative_solvers_agree),
        cmocka_unit_test(outdated_cholesky_factor_is_replaced),
        cmocka_unit_test(springs_move_equally_beside_finite_elements),
        cmocka_unit_test(buckling_accepts_time_steps_of_any_length),
        cmocka_unit_test(swinging_strips_keep_their_energy),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
