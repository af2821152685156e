/* The explicit schemes against closed forms, each other, and their orders of accuracy. */
#include "support.h"

#include "weft/vec.h"

static const double GRAVITY = 9.81;

/* Without internal forces a vertex flies on a parabola. The Verlet schemes, started to second order, are exact. The
 * Euler schemes have a known error per step. */
static void check_flight(const char *integrator, double error_per_step) {
    test_sim made = make_sheet(2, 2, 1, 1, integrator);
    set(made, "cloth.model.structural", "false");
    set(made, "cloth.model.shear", "false");
    set(made, "cloth.model.flexion", "false");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_prepare(made.sim));
    weft_vec3 start = weft_sim_positions(made.sim, 0)[0], v = {1, 5, -2};
    must(weft_sim_place(made.sim, 0, 0, start, v));
    const double dt = 0.01;
    const int steps = 150;
    for (int i = 0; i < steps; i++)
        step(made, dt);
    double t = steps * dt;
    weft_vec3 exact = {start.x + v.x * t, start.y + v.y * t - GRAVITY * t * t / 2, start.z + v.z * t};
    weft_vec3 x = weft_sim_positions(made.sim, 0)[0];
    assert_near(x.x, exact.x, 1e-11);
    assert_near(x.z, exact.z, 1e-11);
    assert_near(x.y - exact.y, steps * error_per_step * GRAVITY * dt * dt, 1e-11);
    destroy(made);
}

static void free_flight_matches_parabola(void **state) {
    (void)state;
    check_flight("verlet", 0);
    check_flight("verlet-timecorrected", 0);
    check_flight("verlet-taylor", 0);
    check_flight("symplectic-euler", -0.5);
    check_flight("forward-euler", 0.5);
}

/* A sheet started by a smooth velocity field. The time steps resolve its springs well. */
static test_sim make_swinging(const char *integrator, const char *air_damping) {
    test_sim made = make_sheet(3, 3, 1, 1, integrator);
    set(made, "cloth.fabric.density", "0.5");
    set(made, "cloth.model.structural_stiffness", "20");
    set(made, "cloth.model.shear_stiffness", "10");
    set(made, "cloth.model.flexion_stiffness", "5");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "air-damping", NULL));
    set(made, "forces.air-damping.coefficient", air_damping);
    must(weft_sim_prepare(made.sim));
    for (int32_t i = 0; i < 16; i++) {
        weft_vec3 x = weft_sim_positions(made.sim, 0)[i];
        must(weft_sim_place(made.sim, 0, i, x, weft_vec3_make(0.3 * x.y, 0.2 * x.x, 0.5 * x.y * x.x)));
    }
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    return made;
}

static void run(test_sim made, double seconds, int steps, weft_vec3 *x) {
    for (int i = 0; i < steps; i++)
        step(made, seconds / steps);
    memcpy(x, weft_sim_positions(made.sim, 0), 16 * sizeof *x);
}

static double distance(const weft_vec3 *a, const weft_vec3 *b, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weft_dot(weft_sub(a[i], b[i]), weft_sub(a[i], b[i]));
    return sqrt(sum);
}

/* The observed order from three step sizes by Richardson differences, which need no reference solution. */
static double observed_order(const char *integrator, const char *air_damping) {
    weft_vec3 x[3][16];
    for (int level = 0; level < 3; level++) {
        test_sim made = make_swinging(integrator, air_damping);
        run(made, 0.4, 200 << level, x[level]);
        destroy(made);
    }
    return log2(distance(x[0], x[1], 16) / distance(x[1], x[2], 16));
}

static void schemes_have_published_orders(void **state) {
    (void)state;
    assert_near(observed_order("forward-euler", "0"), 1, 0.1);
    assert_near(observed_order("symplectic-euler", "0"), 1, 0.1);
    assert_near(observed_order("verlet", "0"), 2, 0.1);
    /* the backward-difference velocity costs Verlet one order if there is damping */
    assert_near(observed_order("verlet", "0.05"), 1, 0.1);
}

static void verlet_schemes_agree_at_constant_time_step(void **state) {
    (void)state;
    static const char *const NAMES[] = {"verlet", "verlet-timecorrected", "verlet-taylor"};
    weft_vec3 x[3][16];
    for (int i = 0; i < 3; i++) {
        test_sim made = make_swinging(NAMES[i], "0.01");
        /* equal steps: a ratio of exactly 1 must have no effect, so the results are bit-identical */
        for (int k = 0; k < 500; k++)
            step(made, 0.002);
        memcpy(x[i], weft_sim_positions(made.sim, 0), sizeof x[i]);
        destroy(made);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(x[0], x[2], sizeof x[0]);
}

/* With changing steps only the Taylor scheme converges to the motion. The plain scheme ignores the change. The
 * time-corrected scheme corrects the inertia but not the acceleration. */
static double error_with_changing_steps(const char *integrator, int pairs) {
    weft_vec3 exact[16], x[16];
    test_sim made = make_swinging("verlet", "0");
    run(made, 0.4, 6400, exact);
    destroy(made);
    made = make_swinging(integrator, "0");
    for (int i = 0; i < pairs; i++) {
        step(made, 0.4 / pairs * 0.3);
        step(made, 0.4 / pairs * 0.7);
    }
    memcpy(x, weft_sim_positions(made.sim, 0), sizeof x);
    destroy(made);
    return distance(x, exact, 16);
}

static void only_taylor_verlet_converges_with_variable_time_steps(void **state) {
    (void)state;
    double plain = error_with_changing_steps("verlet", 400);
    double taylor = error_with_changing_steps("verlet-taylor", 400);
    double corrected = error_with_changing_steps("verlet-timecorrected", 400);
    assert_true(taylor < 1e-3);
    assert_true(plain > 20 * taylor);
    /* dt_i^2 instead of dt_i (dt_i + dt_{i-1}) / 2: with two alternating steps its mean acceleration is wrong */
    assert_true(corrected > 20 * taylor);
    assert_true(error_with_changing_steps("verlet-taylor", 800) < 0.6 * taylor);
}

/* A free sheet without damping: the total energy of symplectic schemes stays within a band over 1e5 steps. */
static double energy_spread(const char *integrator) {
    test_sim made = make_sheet(3, 3, 1, 1, integrator);
    set(made, "cloth.model.structural_stiffness", "50");
    must(weft_sim_prepare(made.sim));
    for (int32_t i = 0; i < 16; i++) {
        weft_vec3 kick = {weft_random(7, (uint64_t)i) - 0.5, weft_random(8, (uint64_t)i) - 0.5,
                          weft_random(9, (uint64_t)i) - 0.5};
        must(weft_sim_place(made.sim, 0, i, weft_sim_positions(made.sim, 0)[i], kick));
    }
    double dt = 0.05 * weft_sim_stable_step(made.sim), first = 0, least = INFINITY, most = 0;
    for (int i = 0; i < 100000; i++) {
        step(made, dt);
        if (i % 500 != 0)
            continue;
        weft_measures m = measure(made);
        double energy = m.kinetic + m.elastic;
        first = i == 0 ? energy : first;
        least = energy < least ? energy : least;
        most = energy > most ? energy : most;
    }
    destroy(made);
    return (most - least) / first;
}

/* Two vertices on upright springs oscillate with cos(w t). Verlet with a fixed step only runs ahead, by the phase
 * w t (w dt)^2 / 24, whatever the number of frames: 0.1 ms does not divide a 30th of a second. */
static void verlet_in_frames_matches_oscillator(void **state) {
    (void)state;
    test_sim made = make_sheet(1, 1, 1, 1, "verlet");
    set(made, "cloth.model.shear", "false");
    set(made, "cloth.model.flexion", "false");
    set(made, "cloth.fabric.density", "0.4");
    set(made, "time.rate", "30");
    set(made, "time.step", "0.1 ms");
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    const double amplitude = 0.1, w = sqrt(100 / (0.4 / 4)), dt = 1.0 / 30 / 334;
    int32_t low = 0;
    for (int32_t i = 0; i < 4; i++) {
        weft_vec3 x = weft_sim_positions(made.sim, 0)[i];
        if (x.y > -0.5)
            continue;
        low = i;
        must(weft_sim_place(made.sim, 0, i, weft_vec3_make(x.x, x.y - amplitude, x.z), (weft_vec3){0, 0, 0}));
    }
    double most = 0;
    for (int frame = 1; frame <= 30; frame++) {
        must(weft_sim_advance_frame(made.sim, NULL, NULL));
        double exact = -1 - amplitude * cos(w * frame / 30);
        most = fmax(most, fabs(weft_sim_positions(made.sim, 0)[low].y - exact));
    }
    assert_below(most, 1.01 * amplitude * w * (w * dt) * (w * dt) / 24);
    destroy(made);
}

static void symplectic_schemes_keep_energy_bounded(void **state) {
    (void)state;
    /* the fluctuation is of the order of omega dt (Euler, and Verlet with backward velocities), here 0.05 x 2 */
    assert_below(energy_spread("symplectic-euler"), 0.1);
    assert_below(energy_spread("verlet"), 0.1);
}

/* Returns the change of linear and angular momentum in two seconds of violent motion. */
static void momentum_changes(const char *limit, double *linear, double *turning) {
    test_sim made = make_sheet(6, 5, 1, 1, "symplectic-euler");
    set(made, "cloth.model.damping", "0.05");
    set(made, "cloth.model.limit", limit);
    must(weft_sim_prepare(made.sim));
    weft_vec3 angular = {0, 0, 0};
    const weft_cloth *cloth = weft_sim_cloth(made.sim, 0);
    for (int32_t i = 0; i < cloth->mesh->vertex_count; i++) {
        weft_vec3 x = weft_sim_positions(made.sim, 0)[i];
        weft_vec3 kick = {weft_random(1, (uint64_t)i), weft_random(2, (uint64_t)i), weft_random(3, (uint64_t)i)};
        must(weft_sim_place(made.sim, 0, i, x, kick));
        angular = weft_add_scaled(angular, cloth->mass[i], weft_cross(x, kick));
    }
    weft_vec3 before = measure(made).momentum;
    for (int i = 0; i < 2000; i++)
        step(made, 0.001);
    weft_vec3 after = measure(made).momentum;
    *linear = weft_distance(before, after);
    weft_vec3 turned = {0, 0, 0};
    for (int32_t i = 0; i < cloth->mesh->vertex_count; i++)
        turned = weft_add_scaled(turned, cloth->mass[i],
                                 weft_cross(weft_sim_positions(made.sim, 0)[i], weft_sim_velocities(made.sim, 0)[i]));
    *turning = weft_distance(angular, turned);
    destroy(made);
}

static void symplectic_euler_conserves_momentum(void **state) {
    (void)state;
    double linear, turning;
    momentum_changes("0", &linear, &turning);
    assert_below(linear, 1e-12);
    assert_below(turning, 1e-11);
    momentum_changes("0.02", &linear, &turning); /* the strain limit moves vertices, so angular momentum is not
                                                  * conserved */
    assert_below(linear, 1e-11);
}

/* The comparison in sections 4.1 and 4.2 of Assunção (2020): the same stiff sheet with both Euler schemes. */
static weft_status run_stiff(const char *integrator, double *kinetic) {
    test_sim made = make_sheet(24, 24, 2.4, 2.4, integrator);
    set(made, "cloth.fabric.density", "0.3");
    set(made, "cloth.model.structural_stiffness", "400");
    set(made, "cloth.model.shear_stiffness", "400");
    set(made, "cloth.model.flexion_stiffness", "400");
    set(made, "cloth.model.damping", "0.002");
    set(made, "time.halvings", "0");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    pin(made, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
    weft_report report = {0};
    for (int i = 0; i < 2000 && report.status == WEFT_STATUS_OK; i++)
        try_step(made, 0.001, &report);
    *kinetic = measure(made).kinetic;
    destroy(made);
    return report.status;
}

static void forward_euler_diverges_where_symplectic_euler_is_stable(void **state) {
    (void)state;
    double calm, wild;
    assert_int_equal(run_stiff("symplectic-euler", &calm), WEFT_STATUS_OK);
    assert_below(calm, 100); /* 1.7 kg falling less than 3 m cannot have more than 51 J */
    assert_int_equal(run_stiff("forward-euler", &wild), WEFT_STATUS_DIVERGED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_matches_parabola),
        cmocka_unit_test(schemes_have_published_orders),
        cmocka_unit_test(verlet_schemes_agree_at_constant_time_step),
        cmocka_unit_test(only_taylor_verlet_converges_with_variable_time_steps),
        cmocka_unit_test(verlet_in_frames_matches_oscillator),
        cmocka_unit_test(symplectic_schemes_keep_energy_bounded),
        cmocka_unit_test(symplectic_euler_conserves_momentum),
        cmocka_unit_test(forward_euler_diverges_where_symplectic_euler_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
