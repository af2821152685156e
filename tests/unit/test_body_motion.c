/* Bodies that are animated by frames, moved interactively, or appear and vanish. */
#include "support.h"

static const weft_vec3 X = {1, 0, 0}, Z = {0, 0, 1};

static test_sim start(void) { return start_with("implicit-euler"); }

static weft_mesh *sheet(int cells, double size, double height) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = cells;
    grid.size[0] = grid.size[1] = size;
    grid.origin = weft_vec3_make(-size / 2, height, -size / 2);
    grid.axis[0] = X;
    grid.axis[1] = Z;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    return mesh;
}

static void add_cloth(test_sim made, double height) {
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_sim_add_cloth(made.sim, "sheet", sheet(12, 0.3, height), &fabric, "springs", NULL));
    plain_model(made.sim);
}

static int64_t crossings(test_sim made) {
    weft_intersections found;
    must(weft_sim_intersections(made.sim, &found));
    return found.self + found.cloths + found.bodies;
}

static weft_vec3 corner_of(test_sim made, int32_t body) {
    weft_body_surface surface;
    must(weft_sim_body_surface(made.sim, body, &surface));
    weft_vec3 corner = surface.position[0];
    free(surface.triangle);
    free(surface.position);
    return corner;
}

/* A board of 4 triangles that moves along x. It is at 0, 0.1, 0.4 m at 0.5, 0.6, 0.7 s. */
static void add_board(test_sim made) {
    weft_mesh *mesh = sheet(1, 2, 0);
    weft_vec3 position[12];
    const double way[3] = {0, 0.1, 0.4};
    for (int f = 0; f < 3; f++)
        for (int i = 0; i < 4; i++)
            position[4 * f + i] = weft_add(mesh->position[i], weft_vec3_make(way[f], 0, 0));
    weft_body_frames frames = {.position = position, .vertex_count = 4, .frame_count = 3, .rate = 10, .start = 0.5};
    must(weft_sim_add_body(made.sim, "mesh", mesh, NULL));
    must(weft_sim_set_body_frames(made.sim, 0, &frames));
}

static void frames_are_interpolated_linearly(void **state) {
    (void)state;
    test_sim made = start();
    add_cloth(made, 1);
    add_board(made);
    assert_true(weft_sim_body_moves(made.sim, 0));
    for (int i = 0; i < 80; i++) {
        double time = weft_sim_time(made.sim);
        double way = time < 0.5 ? 0 : time < 0.6 ? time - 0.5 : time < 0.7 ? 0.1 + 3 * (time - 0.6) : 0.4;
        assert_near(corner_of(made, 0).x, -1 + way, 1e-12);
        step(made, 0.01);
    }
    destroy(made);
}

/* Cloth on a moving board reaches the speed of the board, not the speed of a jump from frame to frame. */
static void friction_carries_cloth_on_animated_mesh(void **state) {
    (void)state;
    test_sim made = start();
    add_cloth(made, 0.002);
    weft_mesh *mesh = sheet(1, 4, 0);
    weft_vec3 position[8];
    for (int i = 0; i < 8; i++)
        position[i] = weft_add(mesh->position[i % 4], weft_vec3_make(i < 4 ? 0 : 1, 0, 0));
    weft_body_frames frames = {.position = position, .vertex_count = 4, .frame_count = 2, .rate = 0.5, .start = 0};
    must(weft_sim_add_body(made.sim, "mesh", mesh, NULL));
    must(weft_sim_set_body_frames(made.sim, 0, &frames));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    set(made, "bodies.mesh.friction", "0.5");
    for (int i = 0; i < 200; i++)
        step(made, 0.005);
    weft_measures now = measure(made);
    assert_near(now.momentum.x / now.mass, 0.5, 0.005);
    assert_int_equal(crossings(made), 0);
    destroy(made);
}

/* Without impulse iterations every collision becomes an impact zone that the animated mesh drives. A board rises under
 * a sheet at rest, and in the second case also bulges. */
static void animated_mesh_drives_impact_zones(void **state) {
    (void)state;
    for (int bulges = 0; bulges < 2; bulges++) {
        test_sim made = start();
        add_cloth(made, 0.01);
        weft_mesh *mesh = sheet(2, 0.6, 0);
        weft_vec3 position[18];
        for (int i = 0; i < 18; i++) {
            double rise = i < 9 ? 0 : i == 9 + 4 && bulges ? 0.3 : 0.2;
            position[i] = weft_add(mesh->position[i % 9], weft_vec3_make(0, rise, 0));
        }
        weft_body_frames frames = {.position = position, .vertex_count = 9, .frame_count = 2, .rate = 10};
        must(weft_sim_add_body(made.sim, "mesh", mesh, NULL));
        must(weft_sim_set_body_frames(made.sim, 0, &frames));
        set(made, "contact.method", "constraints");
        set(made, "contact.impulses.iterations", "0");
        set(made, "contact.impulses.halvings", "0");
        int32_t zones = 0;
        for (int i = 0; i < 20; i++) {
            weft_report report;
            must(weft_sim_step(made.sim, 0.01, &report));
            assert_int_equal(report.status, WEFT_STATUS_OK);
            assert_int_equal(report.contact.unresolved, 0);
            assert_int_equal(crossings(made), 0);
            zones += report.contact.zones;
        }
        assert_true(zones > 0);
        assert_true(measure(made).centre.y > 0.2);
        destroy(made);
    }
}

static void bad_times_and_axes_are_refused(void **state) {
    (void)state;
    test_sim made = start();
    add_cloth(made, 0.5);
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.vanishes", "0.5 s");
    set(made, "bodies.sphere.appears", "0.5 s");
    assert_says(weft_sim_prepare(made.sim), "bodies.0.vanishes: 0.5 s is not after it appears, at 0.5 s");
    set(made, "bodies.sphere.vanishes", "1 s");
    set(made, "bodies.sphere.axis", "[0, 0, 0]");
    assert_says(weft_sim_prepare(made.sim), "bodies.0.axis: a direction of length 0");
    set(made, "bodies.sphere.axis", "[0, 1, 0]");
    set(made, "bodies.sphere.vanishes", "1 s");
    must(weft_sim_prepare(made.sim));
    assert_says(weft_sim_set(made.sim, "bodies.sphere.vanishes", "0.2"), "0.2 s is not after it appears");
    char value[32];
    must(weft_sim_get(made.sim, "bodies.sphere.vanishes", value, sizeof value));
    assert_near(strtod(value, NULL), 1, 0);
    destroy(made);
}

static void bad_frames_are_refused(void **state) {
    (void)state;
    test_sim made = start();
    add_cloth(made, 1);
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    must(weft_sim_add_body(made.sim, "mesh", sheet(1, 1, 0), NULL));
    weft_vec3 position[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {NAN, 0, 0}};
    weft_body_frames frames = {.position = position, .vertex_count = 4, .frame_count = 1, .rate = 1, .start = 0};
    assert_says(weft_sim_set_body_frames(made.sim, 7, &frames), "there are 2 bodies");
    assert_says(weft_sim_set_body_frames(made.sim, 0, &frames), "only a body made from a mesh");
    assert_says(weft_sim_set_body_frames(made.sim, 1, &frames), "frame 0: vertex 3 is not finite");
    frames.vertex_count = 3;
    assert_says(weft_sim_set_body_frames(made.sim, 1, &frames), "frames of 3 vertices, its mesh has 4");
    frames.vertex_count = 4;
    frames.rate = 0;
    assert_says(weft_sim_set_body_frames(made.sim, 1, &frames), "make no sense");
    frames.frame_count = 0;
    assert_says(weft_sim_set_body_frames(made.sim, 1, &frames), "at least 1 is needed");
    destroy(made);
}

static test_sim make_ball(void) {
    test_sim made = start();
    add_cloth(made, 0);
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.08");
    set(made, "bodies.sphere.at", "[0.01, -0.2, 0.013]");
    set(made, "contact.self", "true");
    return made;
}

/* The ball moves half a metre in one step, through the sheet. It must take the sheet along instead of passing
 * through. */
static void moved_body_takes_cloth_along(void **state) {
    (void)state;
    test_sim made = make_ball();
    set(made, "contact.impulses.stretch", "0"); /* keeps a single step; in halved steps the cloth would have time to
                                                 * slip off the top */
    step(made, 0.004);
    must(weft_sim_move_body(made.sim, 0, weft_vec3_make(0.01, 0.3, 0.013), weft_vec3_make(0.3, 0, 1)));
    assert_near(corner_of(made, 0).y, -0.28, 1e-12); /* until the next step the ball stays where it was */
    step(made, 0.004);
    assert_int_equal(crossings(made), 0);
    assert_near(weft_distance(corner_of(made, 0), weft_vec3_make(0.01, 0.3, 0.013)), 0.08, 1e-12);
    /* the ball also turns by one radian, and friction drags the sheet sideways */
    weft_vec3 middle = weft_sim_positions(made.sim, 0)[6 * 13 + 6];
    assert_true(middle.y > 0.3 && weft_distance(middle, weft_vec3_make(0.01, 0.3, 0.013)) > 0.08);
    for (int i = 0; i < 20; i++)
        step(made, 0.004);
    assert_int_equal(crossings(made), 0);
    assert_near(weft_distance(corner_of(made, 0), weft_vec3_make(0.01, 0.3, 0.013)), 0.08, 1e-12);
    assert_says(weft_sim_move_body(made.sim, 1, X, Z), "there are 1 bodies");
    assert_says(weft_sim_move_body(made.sim, 0, weft_vec3_make(NAN, 0, 0), Z), "not finite");
    destroy(made);
}

/* A step cannot carry cloth by more than its size: a move over 100 m stretched it 969-fold. Without cloth in its way a
 * body goes anywhere, and a body that is placed leaves the cloth behind. */
static void long_moves_through_cloth_are_refused(void **state) {
    (void)state;
    const weft_vec3 NONE = {0, 0, 0};
    test_sim made = make_ball(), same = make_ball();
    step(made, 0.004);
    step(same, 0.004);
    uint64_t hash = weft_sim_hash(made.sim);
    weft_vec3 far = weft_vec3_make(0.01, 100, 0.013), beside = weft_vec3_make(0.01, -100, 0.013);
    assert_says(weft_sim_move_body(made.sim, 0, far, NONE),
                "'sphere': a move by 100 m in one step, with cloth in its way");
    assert_says(weft_sim_move_body(made.sim, 0, far, NONE), "weft_sim_place_body");
    assert_says(weft_sim_set(made.sim, "bodies.sphere.at", "[0.01, 100, 0.013]"), "a move by 100 m");
    char value[64];
    must(weft_sim_get(made.sim, "bodies.sphere.at", value, sizeof value));
    assert_string_equal(value, "[0.01, -0.2, 0.013]");
    assert_true(weft_sim_hash(made.sim) == hash);

    must(weft_sim_place_body(made.sim, 0, far, NONE));
    must(weft_sim_move_body(same.sim, 0, beside, NONE)); /* away from the cloth */
    assert_near(corner_of(made, 0).y, 99.92, 1e-12);
    for (int i = 0; i < 5; i++) {
        step(made, 0.004);
        step(same, 0.004);
    }
    assert_near(corner_of(made, 0).y, 99.92, 1e-12);
    assert_near(corner_of(same, 0).y, -100.08, 1e-12);
    assert_below(measure(made).stretch_max, 0.1);
    assert_near(measure(made).centre.y, measure(same).centre.y, 1e-9);

    weft_vec3 middle = weft_add(weft_sim_positions(made.sim, 0)[6 * 13 + 6], weft_vec3_make(0.001, 0.003, 0.002));
    assert_says(weft_sim_place_body(made.sim, 0, middle, NONE), "it would cut cloth");
    assert_near(corner_of(made, 0).y, 99.92, 1e-12);
    assert_says(weft_sim_place_body(made.sim, 1, far, NONE), "there are 1 bodies");
    assert_says(weft_sim_place_body(made.sim, 0, weft_vec3_make(0, NAN, 0), NONE), "not finite");
    destroy(same);
    destroy(made);
}

static void setting_position_moves_body(void **state) {
    (void)state;
    test_sim made = make_ball(), same = make_ball();
    step(made, 0.004);
    step(same, 0.004);
    set(made, "bodies.sphere.at", "[0.01, 0.1, 0.013]");
    char value[64];
    must(weft_sim_get(made.sim, "bodies.sphere.at", value, sizeof value));
    assert_string_equal(value, "[0.01, 0.1, 0.013]");
    must(weft_sim_move_body(same.sim, 0, weft_vec3_make(0.01, 0.1, 0.013), weft_vec3_make(0, 0, 0)));
    for (int i = 0; i < 3; i++) {
        step(made, 0.004);
        step(same, 0.004);
    }
    assert_true(weft_sim_hash(made.sim) == weft_sim_hash(same.sim));
    assert_int_equal(crossings(made), 0);
    destroy(same);
    destroy(made);
}

/* A new body has no place to come from, so it must not sweep through the cloth from the origin. */
static void added_body_appears_where_it_is_set(void **state) {
    (void)state;
    test_sim made = start(), same = start();
    test_sim *both[2] = {&made, &same};
    for (int i = 0; i < 2; i++) {
        add_cloth(*both[i], 0.3);
        step(*both[i], 0.004);
    }
    int32_t body;
    must(weft_sim_add_body(made.sim, "sphere", NULL, &body));
    set(made, "bodies.sphere.radius", "0.05");
    set(made, "bodies.sphere.at", "[0, 3, 0]");
    assert_near(weft_distance(corner_of(made, body), weft_vec3_make(0, 3, 0)), 0.05, 1e-12);
    for (int i = 0; i < 3; i++) {
        weft_report report = {0};
        must(weft_sim_step(made.sim, 0.004, &report));
        assert_int_equal(report.contact.contacts, 0);
        step(same, 0.004);
    }
    assert_near(measure(made).centre.y, measure(same).centre.y, 1e-12);
    set(made, "bodies.sphere.at", "[0, 2, 0]"); /* from now on it moves */
    assert_near(weft_distance(corner_of(made, body), weft_vec3_make(0, 3, 0)), 0.05, 1e-12);
    destroy(same);
    destroy(made);
}

/* The snapshot contains a pending move, and is restored in another simulation. */
static void snapshots_contain_pending_moves(void **state) {
    (void)state;
    test_sim made = make_ball(), other = make_ball();
    size_t early_size = (must(weft_sim_prepare(made.sim)), weft_sim_snapshot_size(made.sim));
    void *early = malloc(early_size);
    weft_sim_snapshot(made.sim, early);
    step(made, 0.004);
    must(weft_sim_move_body(made.sim, 0, weft_vec3_make(0, -0.1, 0), weft_vec3_make(0, 0, 0)));
    step(made, 0.004);
    must(weft_sim_move_body(made.sim, 0, weft_vec3_make(0, 0.1, 0), weft_vec3_make(1, 2, 3)));
    size_t size = weft_sim_snapshot_size(made.sim);
    void *late = malloc(size);
    weft_sim_snapshot(made.sim, late);
    must(weft_sim_restore(other.sim, late, size));
    for (int i = 0; i < 5; i++) {
        step(made, 0.004);
        step(other, 0.004);
    }
    assert_true(weft_sim_hash(made.sim) == weft_sim_hash(other.sim));
    assert_near(weft_distance(corner_of(made, 0), corner_of(other, 0)), 0, 0);

    must(weft_sim_restore(made.sim, early, early_size)); /* before the move: the ball goes back */
    assert_near(corner_of(made, 0).y, -0.28, 1e-12);
    double bad = NAN;
    memcpy((char *)late + size - early_size + early_size / 2, &bad, sizeof bad);
    assert_true(weft_sim_restore(other.sim, late, size - 1).code != WEFT_OK);
    free(late);
    free(early);
    destroy(other);
    destroy(made);
}

static void bodies_appear_and_vanish(void **state) {
    (void)state;
    test_sim made = start();
    add_cloth(made, 0);
    must(weft_sim_add_body(made.sim, "box", NULL, NULL));
    set(made, "bodies.box.size", "[1, 0.1, 1]");
    set(made, "bodies.box.at", "[0, -0.06, 0]");
    set(made, "bodies.box.appears", "0.1 s");
    set(made, "bodies.box.vanishes", "0.3 s");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_pin(made.sim, 0, &(weft_pin){.release = 0.1, .axis = X}, (int32_t[]){0, 12, 156, 168}, 4));
    assert_true(weft_sim_body_moves(made.sim, 0));
    assert_near(weft_distance(corner_of(made, 0), weft_vec3_make(-0.5, -0.11, -0.5)), 0, 1e-12);
    for (int i = 0; i < 70; i++)
        step(made, 0.004);
    assert_true(measure(made).centre.y > -0.02); /* it lies on the box */
    for (int i = 0; i < 50; i++)
        step(made, 0.004);
    assert_true(measure(made).centre.y < -0.1); /* it fell after the box vanished */
    destroy(made);
}

/* Three walls that meet in one edge, one of them with opposite winding. */
static void non_manifold_mesh_holds_cloth(void **state) {
    (void)state;
    const weft_vec3 position[] = {{-0.5, -0.05, 0},  {0.5, -0.05, 0},  {-0.5, -0.4, 0},    {0.5, -0.4, 0},
                                  {-0.5, -0.1, 0.4}, {0.5, -0.1, 0.4}, {-0.5, -0.1, -0.4}, {0.5, -0.1, -0.4}};
    const int32_t corner[] = {0, 1, 3, 2, 0, 1, 5, 4, 0, 6, 7, 1, 0, 0, 1, 2, 2, 3, 2};
    const int32_t size[] = {4, 4, 4, 4, 3};
    weft_polygons polygons = {.position = position,
                              .vertex_count = 8,
                              .corner = corner,
                              .corner_count = 19,
                              .face_size = size,
                              .face_count = 5};
    weft_mesh *mesh;
    weft_soup soup;
    assert_true(weft_mesh_create(&polygons, &mesh).code != WEFT_OK);
    must(weft_mesh_create_soup(&polygons, &mesh, &soup));
    assert_int_equal(soup.edges, 1);
    assert_int_equal(soup.faces, 2);
    assert_null(weft_mesh_flaw(mesh));
    assert_int_equal(mesh->triangle_count, 6);
    test_sim made = start();
    add_cloth(made, 0);
    must(weft_sim_add_body(made.sim, "mesh", mesh, NULL));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    for (int i = 0; i < 100; i++) {
        step(made, 0.004);
        assert_int_equal(crossings(made), 0);
    }
    assert_true(measure(made).centre.y > -0.11);
    polygons.corner_count = 18; /* fewer than the sum of the face sizes */
    assert_true(weft_mesh_create_soup(&polygons, &mesh, &soup).code != WEFT_OK);
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_interpolated_linearly),
        cmocka_unit_test(friction_carries_cloth_on_animated_mesh),
        cmocka_unit_test(animated_mesh_drives_impact_zones),
        cmocka_unit_test(bad_times_and_axes_are_refused),
        cmocka_unit_test(bad_frames_are_refused),
        cmocka_unit_test(moved_body_takes_cloth_along),
        cmocka_unit_test(long_moves_through_cloth_are_refused),
        cmocka_unit_test(setting_position_moves_body),
        cmocka_unit_test(added_body_appears_where_it_is_set),
        cmocka_unit_test(snapshots_contain_pending_moves),
        cmocka_unit_test(bodies_appear_and_vanish),
        cmocka_unit_test(non_manifold_mesh_holds_cloth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
