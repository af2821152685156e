/* Cloth at rest falls asleep, wakes on any change, and is where it would be had it not slept. */
#include "unit/contact_support.h"

/* Two layers on the ground. */
static test_sim make_layers(void) {
    test_sim made = start_with("implicit-euler");
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    set(made, "contact.self", "true");
    set(made, "contact.thickness", "2 mm");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_cloth(made.sim, "one", make_square(6, 0.15, weft_vec3_make(0, 0.003, 0), X, Z), &fabric,
                            "corotational", NULL));
    must(weft_sim_add_cloth(made.sim, "two", make_square(5, 0.14, weft_vec3_make(0.004, 0.006, 0.005), X, Z), &fabric,
                            "corotational", NULL));
    must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.at", "[0.5, 0.1, 0]");
    set(made, "bodies.sphere.radius", "0.05");
    return made;
}

/* Steps of 10 ms until the simulation sleeps, at most 4 s. Returns the number of steps. */
static int run_to_sleep(test_sim made) {
    for (int i = 0; i < 400; i++) {
        weft_report report;
        must(weft_sim_step(made.sim, 0.01, &report));
        if (report.asleep)
            return i + 1;
    }
    fail_msg("still awake after 4 s");
    return 0;
}

static int sleeps(test_sim made) {
    weft_report report;
    must(weft_sim_step(made.sim, 0.01, &report));
    return report.asleep;
}

static void resting_cloth_sleeps(void **state) {
    (void)state;
    test_sim made = make_layers();
    int steps = run_to_sleep(made);
    assert_true(steps > 50); /* half a second, and the time to come to rest */
    uint64_t hash = weft_sim_hash(made.sim);
    for (int i = 0; i < 20; i++)
        assert_true(sleeps(made));
    assert_int_equal(weft_sim_hash(made.sim), hash);
    assert_true(measure(made).kinetic == 0);
    assert_near(weft_sim_time(made.sim), 0.01 * (steps + 20), 1e-9);
    destroy(made);
}

/* It stops when everything is slower than 0.5 mm/s. What it would still move is less than a tenth of a millimetre. */
static void sleep_changes_little(void **state) {
    (void)state;
    test_sim asleep = make_layers(), awake = make_layers();
    set(awake, "contact.barrier.sleep", "0");
    for (int i = 0; i < 400; i++) {
        step(asleep, 0.01);
        assert_false(sleeps(awake));
    }
    assert_true(sleeps(asleep));
    for (int32_t c = 0; c < 2; c++)
        for (int32_t i = 0; i < weft_sim_cloth(awake.sim, c)->mesh->vertex_count; i++)
            assert_near(weft_distance(weft_sim_positions(asleep.sim, c)[i], weft_sim_positions(awake.sim, c)[i]), 0,
                        1e-4);
    destroy(asleep);
    destroy(awake);
}

static void change_gravity(test_sim made) { set(made, "forces.gravity.acceleration", "[0, -5, 0]"); }
static void change_fabric(test_sim made) { set(made, "cloth.one.fabric.bend_weft", "1e-3"); }
static void change_contact(test_sim made) { set(made, "contact.friction", "0.5"); }
static void change_integrator(test_sim made) { must(weft_sim_set_integrator(made.sim, "bdf2")); }
static void move_body(test_sim made) { set(made, "bodies.sphere.at", "[0.3, 0.1, 0]"); }
static void move_vertex(test_sim made) {
    weft_vec3 p = weft_add(weft_sim_positions(made.sim, 0)[3], weft_vec3_make(0, 0.01, 0));
    must(weft_sim_drag(made.sim, 0, 3, p));
}
static void add_wind(test_sim made) { must(weft_sim_add_force(made.sim, "wind", NULL)); }

static void changes_wake(void **state) {
    (void)state;
    void (*const CHANGES[])(test_sim) = {change_gravity, change_fabric, change_contact, change_integrator,
                                         move_body,      move_vertex,   add_wind};
    test_sim made = make_layers();
    run_to_sleep(made);
    size_t size = weft_sim_snapshot_size(made.sim);
    void *snapshot = malloc(size);
    weft_sim_snapshot(made.sim, snapshot);
    destroy(made);
    for (size_t i = 0; i < sizeof CHANGES / sizeof CHANGES[0]; i++) {
        made = make_layers();
        must(weft_sim_restore(made.sim, snapshot, size));
        assert_true(sleeps(made));
        CHANGES[i](made);
        assert_false(sleeps(made));
        destroy(made);
    }
    free(snapshot);
}

/* A body that comes by its keys wakes the cloth before it arrives. */
static void moving_bodies_wake(void **state) {
    (void)state;
    test_sim made = make_layers();
    const weft_body_key key[2] = {{.time = 4, .scale = 1}, {.time = 4.5, .scale = 1, .offset = {-0.45, 0, 0}}};
    must(weft_sim_set_body_keys(made.sim, 1, key, 2));
    int steps = run_to_sleep(made);
    for (; steps < 399; steps++)
        assert_true(sleeps(made));
    step(made, 0.01);
    for (int i = 0; i < 50; i++)
        assert_int_equal(checked_step(made, 0.01).asleep, 0);
    destroy(made);
}

static void sleep_survives_snapshots(void **state) {
    (void)state;
    test_sim made = make_layers(), other = make_layers();
    run_to_sleep(made);
    size_t size = weft_sim_snapshot_size(made.sim);
    void *snapshot = malloc(size);
    weft_sim_snapshot(made.sim, snapshot);
    must(weft_sim_restore(other.sim, snapshot, size));
    free(snapshot);
    assert_true(sleeps(made) && sleeps(other));
    change_gravity(made);
    change_gravity(other);
    for (int i = 0; i < 10; i++) {
        step(made, 0.01);
        step(other, 0.01);
    }
    assert_int_equal(weft_sim_hash(made.sim), weft_sim_hash(other.sim));
    destroy(made);
    destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resting_cloth_sleeps),
        cmocka_unit_test(sleep_changes_little),
        cmocka_unit_test(changes_wake),
        cmocka_unit_test(moving_bodies_wake),
        cmocka_unit_test(sleep_survives_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
