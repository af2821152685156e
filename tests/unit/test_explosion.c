/* Explosions end a simulation; motion with much energy does not. */
#include "support.h"

static const weft_vec3 X = {1, 0, 0}, Z = {0, 0, 1};

static void add_sheet(test_sim made, const char *model, int cells, double size, double height, double speed) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = grid.cells[1] = cells;
    grid.size[0] = grid.size[1] = size;
    grid.origin = weft_vec3_make(-0.5 * size, height, -0.5 * size);
    grid.axis[0] = X;
    grid.axis[1] = Z;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, model, NULL));
    must(weft_sim_set_velocity(made.sim, 0, weft_vec3_make(0, speed, 0)));
}

static test_sim start(const char *integrator) {
    test_sim made = start_with(integrator);
    set(made, "contact.self", "false");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    return made;
}

static void hold_corners(test_sim made, int cells, const weft_key *key, int32_t keys) {
    const int32_t corner[2] = {0, cells};
    weft_pin held = weft_pin_default();
    held.key = key;
    held.key_count = keys;
    must(weft_sim_add_pin(made.sim, 0, &held, corner, 2));
}

/* Takes steps until one fails, `most` at the most. Returns the message, or null. */
static const char *run(test_sim made, double dt, int most) {
    weft_report report;
    for (int i = 0; i < most; i++) {
        weft_result result = weft_sim_step(made.sim, dt, &report);
        if (result.code != WEFT_OK) {
            static char message[508];
            assert_int_equal(result.code, WEFT_DIVERGED);
            assert_int_equal(report.status, WEFT_STATUS_DIVERGED);
            snprintf(message, sizeof message, "%s", result.message);
            return message;
        }
    }
    return NULL;
}

/* weft_sim_stable_step is a lower bound: cotton explodes from some three times that step on. Halved steps are stable
 * and would go on with what the long ones have made. */
static void unstable_steps_are_reported(void **state) {
    (void)state;
    static const char *const INTEGRATORS[] = {"symplectic-euler", "verlet"};
    for (int k = 0; k < 2; k++) {
        test_sim made = start(INTEGRATORS[k]);
        add_sheet(made, "corotational", 8, 0.5, 0, 0);
        hold_corners(made, 8, NULL, 0);
        double dt = 5 * weft_sim_stable_step(made.sim);
        const char *message = run(made, dt, 2000);
        assert_non_null(message);
        assert_non_null(strstr(message, "of which gravity and its start explain"));
        assert_non_null(strstr(message, "the largest stable step of"));
        assert_non_null(strstr(message, "use an implicit integrator"));
        assert_non_null(weft_sim_reason(made.sim));
        assert_below(measure(made).kinetic, 10); /* the state is the last one before */
        must(weft_sim_set_integrator(made.sim, "bdf2"));
        assert_null(run(made, 0.005, 3));
        assert_null(weft_sim_reason(made.sim));
        destroy(made);
    }
}

/* Wind may do any work. Edges that are ten times as long as at rest are no motion of cloth. */
static void unstable_steps_in_wind_are_reported(void **state) {
    (void)state;
    test_sim made = start("symplectic-euler");
    must(weft_sim_add_force(made.sim, "wind", NULL));
    add_sheet(made, "corotational", 8, 0.5, 0, 0);
    hold_corners(made, 8, NULL, 0);
    const char *message = run(made, 5 * weft_sim_stable_step(made.sim), 2000);
    assert_non_null(message);
    assert_non_null(strstr(message, "times as long as at rest"));
    destroy(made);
}

/* A few iterations without the memory of earlier steps do not solve a sheet that folds over a ball. */
static void unstable_projections_are_reported(void **state) {
    (void)state;
    test_sim made = start("projective");
    set(made, "integrator.memory", "0");
    set(made, "integrator.iterations", "4");
    set(made, "contact.mode", "fast");
    set(made, "contact.self", "true");
    set(made, "contact.thickness", "4 mm");
    must(weft_sim_add_force(made.sim, "air-damping", NULL));
    add_sheet(made, "springs", 20, 1, 0.75, 0);
    must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
    set(made, "bodies.plane.friction", "0.4");
    set(made, "cloth.model.stiffness", "fabric");
    set(made, "forces.air-damping.coefficient", "0.05");
    set(made, "forces.air-damping.per", "area");
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.25");
    set(made, "bodies.sphere.at", "[0, 0.4, 0]");
    set(made, "bodies.sphere.friction", "0.3");
    const char *message = run(made, 0.04, 20);
    assert_non_null(message);
    assert_non_null(strstr(message, "the cloth moves with"));
    destroy(made);
}

/* Fast motion that something explains: falls, drops at 20 m/s, a ball at 20 m/s, storms, shaken pins, cloth that was
 * stretched to twice its size and is let go. */
static void fast_motion_goes_on(void **state) {
    (void)state;
    static const char *const INTEGRATORS[] = {"bdf2", "symplectic-euler", "projective"};
    static const weft_body_key BALL[] = {{.time = 0, .scale = 1}, {.time = 0.1, .offset = {0, 2, 0}, .scale = 1}};
    static const weft_key SHAKEN[] = {{.time = 0}, {.time = 0.02, .offset = {0.3, 0, 0}}, {.time = 0.04}};
    for (int i = 0; i < 18; i++) {
        const char *integrator = INTEGRATORS[i % 3];
        int what = i / 3;
        if (what == 2 && i % 3 == 2)
            continue; /* impulses need seconds to carry cloth along so fast */
        test_sim made = start(integrator);
        add_sheet(made, "corotational", 8, 0.5, 0.3, what == 1 ? -20 : 0);
        if (what == 1)
            must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
        if (what == 2) {
            must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
            set(made, "bodies.sphere.radius", "0.1");
            must(weft_sim_set_body_keys(made.sim, 0, BALL, 2));
        }
        if (what == 3) {
            must(weft_sim_add_force(made.sim, "wind", NULL));
            set(made, "forces.wind.speed", "40");
        }
        if (what == 3 || what == 4)
            hold_corners(made, 8, SHAKEN, what == 4 ? 3 : 0);
        must(weft_sim_prepare(made.sim));
        for (int32_t v = 0; v < 81 && what == 5; v++)
            must(weft_sim_place(made.sim, 0, v, weft_scale(2, weft_sim_positions(made.sim, 0)[v]),
                                weft_vec3_make(0, 0, 0)));
        int is_explicit = strcmp(integrator, "symplectic-euler") == 0;
        double dt = is_explicit ? weft_sim_stable_step(made.sim) : 0.004;
        const char *message = run(made, dt, (int)((is_explicit ? 0.03 : 0.15) / dt));
        if (message)
            fail_msg("%s, case %d: %s", integrator, what, message);
        destroy(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unstable_steps_are_reported),
        cmocka_unit_test(unstable_steps_in_wind_are_reported),
        cmocka_unit_test(unstable_projections_are_reported),
        cmocka_unit_test(fast_motion_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
