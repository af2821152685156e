/* Held vertices that are pulled into a body or another cloth. Contact cannot stop them, but it detects and reports when
 * this happens and between which objects. */
#include "support.h"

static const weft_vec3 X = {1, 0, 0}, Z = {0, 0, 1};

static test_sim start(const char *mode) {
    test_sim made = start_with("implicit-euler");
    set(made, "contact.self", "true");
    set(made, "contact.mode", mode);
    return made;
}

static weft_mesh *sheet(double size, double height) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 6;
    grid.size[0] = grid.size[1] = size;
    grid.origin = weft_vec3_make(-0.47 * size, height, -0.53 * size);
    grid.axis[0] = X;
    grid.axis[1] = Z;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    return mesh;
}

static void add_cloth(test_sim made, const char *name, double height) {
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_sim_add_cloth(made.sim, name, sheet(0.3, height), &fabric, "springs", NULL));
    plain_model(made.sim);
}

/* Holds all vertices and moves them downwards. */
static void hold(test_sim made, int32_t cloth, double speed) {
    int32_t all[49];
    for (int32_t i = 0; i < 49; i++)
        all[i] = i;
    weft_key keys[] = {{.time = 0}, {.time = 1, .offset = {0, -speed, 0}}};
    weft_pin pin = weft_pin_default();
    pin.key = keys;
    pin.key_count = 2;
    must(weft_sim_add_pin(made.sim, cloth, &pin, all, 49));
}

/* Takes steps of 10 ms until the run stops. Returns the number of steps. */
static int run(test_sim made, int steps) {
    weft_report report = {0};
    int done = 0;
    while (done < steps && report.status == WEFT_STATUS_OK) {
        try_step(made, 0.01, &report);
        done++;
    }
    return done;
}

static void add_target(test_sim made, int kind) {
    if (kind == 0) {
        must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
        set(made, "bodies.sphere.radius", "0.1");
    } else if (kind == 1) {
        must(weft_sim_add_body(made.sim, "box", NULL, NULL));
        set(made, "bodies.box.size", "[0.2, 0.2, 0.2]");
    } else {
        must(weft_sim_add_body(made.sim, "mesh", sheet(0.2, 0), NULL));
        set(made, "bodies.mesh.at", "[0, 0, 0]");
        set(made, "bodies.mesh.rotate", "[0, 0, 1.2]"); /* its upper side is at 0.2 * 0.53 * sin(1.2) */
    }
}

/* The sheet starts at 0.145 m. The fifth step takes it 5 mm below the height of 0.1 m. */
static void pulling_cloth_into_body_is_reported(void **state) {
    (void)state;
    for (int k = 0; k < 12; k++) {
        int stop = k % 2, kind = k / 4;
        test_sim made = start(k / 2 % 2 ? "fast" : "exact");
        add_cloth(made, "held", 0.145);
        add_target(made, kind);
        hold(made, 0, 1);
        set(made, "contact.on_intersection", stop ? "stop" : "go-on");
        int steps = run(made, 20);
        assert_int_equal(steps, stop ? 5 : 20);
        assert_int_equal(weft_sim_event_count(made.sim), 1);
        const weft_sim_event *event = weft_sim_event_at(made.sim, 0);
        assert_near(event->time, 0.05, 1e-12);
        assert_true(event->cloth == 0 && event->body == 0 && event->other == WEFT_NONE && event->crossings > 0);
        destroy(made);
    }
}

/* After parallel sheets have passed through each other they no longer touch. */
static void pulling_cloth_through_cloth_is_reported(void **state) {
    (void)state;
    test_sim made = start("exact");
    add_cloth(made, "one", 0);
    add_cloth(made, "two", 0.045);
    hold(made, 0, 0);
    hold(made, 1, 1);
    set(made, "contact.on_intersection", "stop");
    assert_int_equal(run(made, 20), 5);
    const weft_sim_event *event = weft_sim_event_at(made.sim, 0);
    assert_near(event->time, 0.05, 1e-12);
    assert_true(event->cloth == 0 && event->other == 1 && event->body == WEFT_NONE);
    assert_true(event->left > 0 && event->crossings == 0);
    destroy(made);
}

/* The cloth is fixed to a moving body, at a small distance or none. */
static void cloth_fixed_to_moving_body_is_not_reported(void **state) {
    (void)state;
    static const weft_body_key KEYS[] = {{.time = 0, .scale = 1}, {.time = 1, .offset = {0, -1, 0}, .scale = 1}};
    for (int k = 0; k < 12; k++) {
        test_sim made = start(k % 2 ? "fast" : "exact");
        add_cloth(made, "held", 0.1 + (k / 2 % 2 ? 1e-5 : 0));
        add_target(made, k / 4);
        hold(made, 0, 1);
        must(weft_sim_set_body_keys(made.sim, 0, KEYS, 2));
        for (int i = 0; i < 20; i++) {
            weft_report report;
            must(weft_sim_step(made.sim, 0.01, &report));
            assert_int_equal(report.contact.unresolved, 0);
        }
        destroy(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulling_cloth_into_body_is_reported),
        cmocka_unit_test(pulling_cloth_through_cloth_is_reported),
        cmocka_unit_test(cloth_fixed_to_moving_body_is_not_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
