/* Interaction between steps: single steps of a frame, freeing and placing pins, removing forces, cutting. */
#include "support.h"

/* A frame advanced step by step equals a frame advanced at once, in both modes of the clock. */
static void single_steps_equal_whole_frame(void **state) {
    (void)state;
    for (int variable = 0; variable < 2; variable++) {
        test_sim whole = make_sheet(5, 5, 1, 1, "symplectic-euler"),
                 stepped = make_sheet(5, 5, 1, 1, "symplectic-euler");
        test_sim both[] = {whole, stepped};
        for (int i = 0; i < 2; i++) {
            must(weft_sim_add_force(both[i].sim, "gravity", NULL));
            set(both[i], "time.step", "3 ms"); /* 16.7 ms are 6 steps */
            set(both[i], "time.mode", variable ? "variable" : "fixed");
            set(both[i], "time.jitter", "0.5");
            pin(both[i], &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
        }
        for (int frame = 0; frame < 5; frame++) {
            weft_report report;
            int32_t steps, done = 0, count = 0;
            must(weft_sim_advance_frame(whole.sim, &report, &steps));
            while (!done) {
                must(weft_sim_advance_step(stepped.sim, &report, &done));
                assert_int_equal(weft_sim_frame(stepped.sim), frame + done);
                count++;
            }
            assert_int_equal(count, steps);
            assert_true(weft_sim_hash(whole.sim) == weft_sim_hash(stepped.sim));
            assert_true(weft_sim_time(whole.sim) == weft_sim_time(stepped.sim));
            assert_near(weft_sim_time(stepped.sim), (frame + 1) / 60.0, 1e-15);
        }
        destroy(stepped);
        destroy(whole);
    }
}

/* A hand at 2 m/s reports its position every third step. A vertex released between two reports keeps this speed, unless
 * the hand has come to rest. */
static void released_vertex_keeps_hand_velocity(void **state) {
    (void)state;
    const double dt = 0.005;
    for (int late = 1; late <= 8; late++) {
        test_sim made = make_sheet(1, 1, 1, 1, "symplectic-euler");
        set(made, "cloth.model.structural", "false");
        set(made, "cloth.model.shear", "false");
        for (int i = 0; i < 15; i++) {
            must(weft_sim_drag(made.sim, 0, 0, weft_vec3_make(0.03 * i, 0, 0)));
            for (int k = 0; k < (i < 14 ? 3 : late); k++)
                step(made, dt);
        }
        must(weft_sim_release(made.sim, 0, 0));
        assert_near(weft_sim_velocities(made.sim, 0)[0].x, late <= 3 ? 2 : 0, 1e-9);
        destroy(made);
    }
}

static void freed_pins_release_vertices(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "symplectic-euler");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    pin(made, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"}); /* held twice */
    const uint8_t *held = weft_sim_held(made.sim, 0);
    size_t size = weft_sim_snapshot_size(made.sim);
    void *snapshot = malloc(size);
    assert_non_null(snapshot);
    weft_sim_snapshot(made.sim, snapshot);
    must(weft_sim_unpin(made.sim, 0, (const int32_t[]){0, 2, 20}, 3));
    /* restoring an earlier snapshot brings back the state, but not the pins */
    must(weft_sim_restore(made.sim, snapshot, size));
    for (int i = 0; i < 25; i++)
        assert_int_equal(held[i], i == 1 || i == 3 || i == 4);
    weft_vec3 before = weft_sim_positions(made.sim, 0)[0];
    for (int i = 0; i < 10; i++)
        step(made, 1e-3);
    assert_true(weft_sim_positions(made.sim, 0)[0].y < before.y);
    assert_true(weft_sim_positions(made.sim, 0)[4].y == before.y);
    /* a snapshot contains the freed pins */
    assert_int_equal(weft_sim_snapshot_size(made.sim), size);
    weft_sim_snapshot(made.sim, snapshot);
    must(weft_sim_restore(made.sim, snapshot, size));
    free(snapshot);
    for (int i = 0; i < 25; i++)
        assert_int_equal(held[i], i == 1 || i == 3 || i == 4);
    assert_says(weft_sim_unpin(made.sim, 0, (const int32_t[]){25}, 1), "vertex 25");
    assert_says(weft_sim_unpin(made.sim, 1, (const int32_t[]){0}, 1), "cloth 1");
    destroy(made);
}

/* A freed vertex that is also dragged stays held by the drag. */
static void freed_vertex_stays_dragged(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "symplectic-euler");
    pin(made, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
    must(weft_sim_drag(made.sim, 0, 0, (weft_vec3){0, 0.1, 0}));
    step(made, 1e-3);
    must(weft_sim_unpin(made.sim, 0, (const int32_t[]){0}, 1));
    assert_int_equal(weft_sim_held(made.sim, 0)[0], 1);
    must(weft_sim_release(made.sim, 0, 0));
    assert_int_equal(weft_sim_held(made.sim, 0)[0], 0);
    destroy(made);
}

static void pins_start_at_given_positions(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "symplectic-euler");
    weft_pin placed = weft_pin_default();
    const weft_vec3 there[] = {{0.1, 0.2, 0.3}, {1.1, 0.2, 0.3}};
    placed.start = there;
    must(weft_sim_add_pin(made.sim, 0, &placed, (const int32_t[]){0, 4}, 2));
    step(made, 1e-3);
    for (int k = 0; k < 2; k++) {
        weft_vec3 x = weft_sim_positions(made.sim, 0)[4 * k];
        assert_true(x.x == there[k].x && x.y == there[k].y && x.z == there[k].z);
    }
    const weft_vec3 nowhere[] = {{NAN, 0, 0}};
    placed.start = nowhere;
    assert_says(weft_sim_add_pin(made.sim, 0, &placed, (const int32_t[]){1}, 1), "not finite");
    destroy(made);
}

static void removed_force_no_longer_acts(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "symplectic-euler");
    int32_t index;
    must(weft_sim_add_force(made.sim, "wind", &index));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "wind", NULL));
    assert_int_equal(weft_sim_force_count(made.sim), 3);
    set(made, "forces.2.speed", "3");
    must(weft_sim_remove_force(made.sim, index));
    assert_int_equal(weft_sim_force_count(made.sim), 2);
    assert_string_equal(weft_sim_force_name(made.sim, 0), "gravity");
    assert_string_equal(weft_sim_force_name(made.sim, 1), "wind");
    char speed[32];
    must(weft_sim_get(made.sim, "forces.wind.speed", speed, sizeof speed));
    assert_string_equal(speed, "3");
    assert_says(weft_sim_remove_force(made.sim, 2), "there are 2 forces");
    must(weft_sim_remove_force(made.sim, 1));
    for (int i = 0; i < 10; i++)
        step(made, 1e-3);
    /* gravity alone: free fall, v = g t */
    assert_near(weft_sim_velocities(made.sim, 0)[7].y, -9.81 * 0.01, 1e-3);
    assert_near(weft_sim_velocities(made.sim, 0)[7].x, 0, 1e-9);
    destroy(made);
}

/* Returns whether a path of unbroken links leads from one vertex to another. */
static int is_connected(const weft_sim *sim, int32_t from, int32_t to) {
    int32_t count = weft_sim_cloth(sim, 0)->mesh->vertex_count, links = weft_sim_link_count(sim, 0);
    uint8_t seen[256] = {0};
    assert_true(count <= 256);
    seen[from] = 1;
    for (int grew = 1; grew;) {
        grew = 0;
        for (int32_t i = 0; i < links; i++) {
            weft_link link = weft_sim_link(sim, 0, i);
            if (link.stiffness > 0 && seen[link.a] != seen[link.b])
                seen[link.a] = seen[link.b] = 1, grew = 1;
        }
    }
    return seen[to];
}

/* A stroke across the whole sheet separates it, half a stroke does not. The grid is in z = 0, with x from 0 to 1 and y
 * downwards. */
static void cut_across_sheet_separates_it(void **state) {
    (void)state;
    weft_vec3 eye = {0.45, -0.5, 3};
    const weft_vec3 half[] = {{0, 1, -3}, {0, 0, -3}}, whole[] = {{0, 1, -3}, {0.01, 0.2, -3}, {0, -1, -3}};
    test_sim made = make_sheet(10, 10, 1, 1, "symplectic-euler");
    must(weft_sim_prepare(made.sim));
    int32_t cut = 0;
    assert_true(is_connected(made.sim, 0, 10));
    must(weft_sim_cut(made.sim, 0, eye, half, 2, &cut));
    assert_true(cut > 0);
    assert_true(is_connected(made.sim, 0, 10));
    int32_t first = cut;
    must(weft_sim_cut(made.sim, 0, eye, whole, 3, &cut));
    assert_true(cut > 0);
    assert_false(is_connected(made.sim, 0, 10));
    assert_true(is_connected(made.sim, 0, 110) && is_connected(made.sim, 10, 120)); /* each side is connected */
    const uint8_t *open = weft_sim_open_faces(made.sim, 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(open[i], 0);
    assert_int_equal(measure(made).links_broken, first + cut);
    must(weft_sim_cut(made.sim, 0, eye, whole, 3, &cut));
    assert_int_equal(cut, 0); /* there is nothing left to cut */
    /* beside the sheet, and behind the eye */
    const weft_vec3 beside[] = {{2, 1, -3}, {2, -1, -3}}, away[] = {{0.3, 1, 3}, {0.3, -1, 3}};
    must(weft_sim_cut(made.sim, 0, eye, beside, 2, &cut));
    assert_int_equal(cut, 0);
    must(weft_sim_cut(made.sim, 0, eye, away, 2, &cut));
    assert_int_equal(cut, 0);
    step(made, 1e-4);
    destroy(made);
}

static void bad_cuts_are_refused(void **state) {
    (void)state;
    test_sim made = make_sheet(3, 3, 1, 1, "symplectic-euler");
    const weft_vec3 rays[] = {{0, 1, -3}, {0, 0, 0}}, endless[] = {{0, 1, -3}, {0, INFINITY, 0}};
    weft_vec3 eye = {0, 0, 3};
    assert_says(weft_sim_cut(made.sim, 0, eye, rays, 1, NULL), "at least 2");
    assert_says(weft_sim_cut(made.sim, 0, eye, rays, 2, NULL), "ray 1");
    assert_says(weft_sim_cut(made.sim, 0, eye, endless, 2, NULL), "ray 1");
    assert_says(weft_sim_cut(made.sim, 0, (weft_vec3){NAN, 0, 0}, rays, 2, NULL), "eye");
    assert_says(weft_sim_cut(made.sim, 1, eye, rays, 2, NULL), "cloth 1");
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_steps_equal_whole_frame), cmocka_unit_test(released_vertex_keeps_hand_velocity),
        cmocka_unit_test(freed_pins_release_vertices),    cmocka_unit_test(freed_vertex_stays_dragged),
        cmocka_unit_test(pins_start_at_given_positions),  cmocka_unit_test(removed_force_no_longer_acts),
        cmocka_unit_test(cut_across_sheet_separates_it),  cmocka_unit_test(bad_cuts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
