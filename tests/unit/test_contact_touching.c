/* Initial states in which surfaces touch at distance 0. There the closest points do not determine on which side a layer
 * is. */
#include "support.h"

static const weft_vec3 X = {1, 0, 0}, Z = {0, 0, 1}, STILL = {0, 0, 0};

static test_sim start(void) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    must(weft_sim_set_integrator(made.sim, "implicit-euler"));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    set(made, "contact.self", "true");
    weft_sim_set_threads(made.sim, 1);
    return made;
}

/* A square with its centre at `middle`. */
static int32_t add_sheet(test_sim made, const char *name, int cells, double size, weft_vec3 middle, weft_vec3 u,
                         weft_vec3 v) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = cells;
    grid.size[0] = grid.size[1] = size;
    grid.origin = weft_add_scaled(weft_add_scaled(middle, -0.5 * size, u), -0.5 * size, v);
    grid.axis[0] = u;
    grid.axis[1] = v;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    int32_t index;
    must(weft_sim_add_cloth(made.sim, name, mesh, &fabric, "springs", &index));
    plain_model(made.sim);
    return index;
}

/* A box around the origin as a mesh. `turned` turns it inside out. */
static weft_mesh *box_mesh(double width, double height, int turned) {
    static const int32_t QUADS[24] = {0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3};
    weft_vec3 position[8];
    int32_t corner[24], size[6] = {4, 4, 4, 4, 4, 4};
    for (int i = 0; i < 8; i++)
        position[i] = weft_vec3_make(width * ((i >> 2) - 0.5), height * ((i >> 1 & 1) - 0.5), width * ((i & 1) - 0.5));
    for (int i = 0; i < 24; i++)
        corner[i] = QUADS[turned ? i / 4 * 4 + 3 - i % 4 : i];
    weft_polygons polygons = {.position = position,
                              .vertex_count = 8,
                              .corner = corner,
                              .corner_count = 24,
                              .face_size = size,
                              .face_count = 6};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static int64_t crossings(test_sim made) {
    weft_intersections found;
    must(weft_sim_intersections(made.sim, &found));
    return found.self + found.cloths + found.bodies;
}

static int64_t run(test_sim made, int steps) {
    int64_t contacts = 0;
    for (int i = 0; i < steps; i++) {
        weft_report report;
        must(weft_sim_step(made.sim, 0.005, &report));
        assert_int_equal(report.status, WEFT_STATUS_OK);
        assert_int_equal(report.contact.unresolved, 0);
        assert_int_equal(crossings(made), 0);
        contacts += report.contact.contacts;
    }
    assert_int_equal(weft_sim_event_count(made.sim), 0);
    return contacts;
}

/* The range of heights above the plane y = height, over the vertices of a cloth with |x|, |z| < half. */
static void heights(test_sim made, int32_t cloth, double half, double height, double *least, double *most) {
    const weft_vec3 *x = weft_sim_positions(made.sim, cloth);
    *least = HUGE_VAL;
    *most = -HUGE_VAL;
    for (int32_t i = 0; i < weft_sim_cloth(made.sim, cloth)->mesh->vertex_count; i++)
        if (fabs(x[i].x) < half && fabs(x[i].z) < half) {
            *least = fmin(*least, x[i].y - height);
            *most = fmax(*most, x[i].y - height);
        }
}

/* The mean height of the vertices with |x|, |z| < half. */
static double mean_height(test_sim made, int32_t cloth, double half) {
    const weft_vec3 *x = weft_sim_positions(made.sim, cloth);
    double sum = 0;
    int count = 0;
    for (int32_t i = 0; i < weft_sim_cloth(made.sim, cloth)->mesh->vertex_count; i++)
        if (fabs(x[i].x) < half && fabs(x[i].z) < half) {
            sum += x[i].y;
            count++;
        }
    assert_true(count > 0);
    return sum / count;
}

static void stays_above(test_sim made, int32_t cloth, double half, double height) {
    double least, most;
    heights(made, cloth, half, height, &least, &most);
    assert_true(least > 0 && most < 0.02);
}

/* The lines of the grid coincide with the edges of the box or pass beside them, or the box is smaller than a cell. */
static void sheet_stays_on_box(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        int cells = i % 4 == 1 ? 11 : i % 4 == 2 ? 2 : 10;
        test_sim made = start();
        add_sheet(made, "sheet", cells, 0.4, weft_vec3_make(0, 0.1, 0), X, i < 4 ? Z : weft_scale(-1, Z));
        if (i % 4 < 3)
            must(weft_sim_add_body(made.sim, "mesh", box_mesh(0.24, 0.2, i % 2), NULL));
        else
            must(weft_sim_add_body(made.sim, "box", NULL, NULL));
        if (i % 4 == 3)
            set(made, "bodies.box.size", "[0.24, 0.2, 0.24]");
        assert_true(run(made, 60) > 100);
        stays_above(made, 0, 0.1, 0.1);
        assert_true(weft_sim_separated(made.sim).vertices > 0);
        assert_near(weft_sim_separated(made.sim).farthest, 2e-5, 1e-9); /* a hundredth of the thickness of 2 mm */
        destroy(made);
    }
}

/* With a rotation the two planes coincide only up to rounding, with deviations to both sides. */
static void sheet_stays_on_rotated_box(void **state) {
    (void)state;
    const double angle = 0.3;
    weft_vec3 along = {cos(angle), sin(angle), 0}, up = {-sin(angle), cos(angle), 0};
    test_sim made = start();
    add_sheet(made, "sheet", 10, 0.2, weft_scale(0.1, up), along, Z);
    must(weft_sim_add_body(made.sim, "mesh", box_mesh(0.4, 0.2, 0), NULL));
    set(made, "bodies.mesh.rotate", "[0, 0, 0.3]");
    set(made, "bodies.mesh.friction", "2");
    run(made, 60);
    const weft_vec3 *x = weft_sim_positions(made.sim, 0);
    for (int32_t i = 0; i < 121; i++)
        assert_true(weft_dot(x[i], up) > 0.1);
    destroy(made);
}

/* The floor is not a solid. The cloth stays above it for either direction of its normals. */
static void sheet_stays_on_open_floor(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        const weft_vec3 position[] = {{-1, 0.5, -1}, {1, 0.5, -1}, {1, 0.5, 1}, {-1, 0.5, 1}};
        const int32_t up[] = {3, 2, 1, 0}, down[] = {0, 1, 2, 3}, size[] = {4};
        weft_polygons polygons = {.position = position,
                                  .vertex_count = 4,
                                  .corner = turned ? down : up,
                                  .corner_count = 4,
                                  .face_size = size,
                                  .face_count = 1};
        weft_mesh *mesh;
        must(weft_mesh_create(&polygons, &mesh));
        test_sim made = start();
        add_sheet(made, "sheet", 9, 0.4, weft_vec3_make(0, 0.5, 0), X, Z);
        must(weft_sim_add_body(made.sim, "mesh", mesh, NULL));
        run(made, 60);
        stays_above(made, 0, 0.3, 0.5);
        destroy(made);
    }
}

/* Holds two sides of the first cloth. */
static void hold_sides(test_sim made) {
    for (int i = 0; i < 2; i++) {
        weft_select side = {.kind = WEFT_SELECT_SIDE, .name = i == 0 ? "left" : "right"};
        pin(made, &side);
    }
}

/* The second sheet falls onto the first, which is held, and stays above it. The cases are an equal grid, one with other
 * cells, and one that is shifted and flipped. */
static void later_sheet_stays_above_earlier_sheet(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        test_sim made = start();
        add_sheet(made, "low", 10, 0.4, weft_vec3_make(0, 0, 0), X, Z);
        double shift = i == 2 ? 0.013 : 0;
        add_sheet(made, "high", i == 1 ? 7 : 10, i == 2 ? 0.3 : 0.4, weft_vec3_make(shift, 0, 0.5 * shift), X,
                  i == 2 ? weft_scale(-1, Z) : Z);
        hold_sides(made);
        assert_true(run(made, 60) > 100);
        /* the centre sags by as much as the sheets are apart, so no horizontal plane separates them */
        double low = mean_height(made, 0, 0.05), high = mean_height(made, 1, 0.05);
        assert_near(high - low, 0.002, 0.001);
        assert_true(high > -0.1); /* in free fall it would be 0.44 m lower by now */
        weft_intersections found;
        must(weft_sim_intersections(made.sim, &found));
        assert_int_equal(found.cloths + found.self, 0);
        destroy(made);
    }
}

/* Without gravity the normals of the earlier sheet determine its front side. */
static void later_sheet_stays_in_front_without_gravity(void **state) {
    (void)state;
    test_sim made = start();
    set(made, "forces.gravity.acceleration", "[0, 0, 0]");
    add_sheet(made, "back", 10, 0.4, weft_vec3_make(0, 0, 0), Z, X); /* its front faces up */
    int32_t front = add_sheet(made, "front", 9, 0.3, weft_vec3_make(0, 0, 0), X, Z);
    must(weft_sim_set_velocity(made.sim, front, weft_vec3_make(0, -2, 0)));
    hold_sides(made);
    run(made, 40);
    const weft_vec3 *x = weft_sim_positions(made.sim, 0), *y = weft_sim_positions(made.sim, front);
    assert_true(y[45].y > x[60].y); /* the centres of both */
    destroy(made);
}

static void stack_keeps_order_of_sheets(void **state) {
    (void)state;
    enum { LAYERS = 4 };
    test_sim made = start();
    for (int i = 0; i < LAYERS; i++)
        add_sheet(made, (const char *[]){"a", "b", "c", "d"}[i], 10 - i, 0.2, weft_vec3_make(0, 0.1, 0), X,
                  i % 2 ? Z : weft_scale(-1, Z));
    must(weft_sim_add_body(made.sim, "mesh", box_mesh(0.4, 0.2, 0), NULL));
    run(made, 60);
    double below = 0.1;
    for (int i = 0; i < LAYERS; i++) {
        assert_true(mean_height(made, i, HUGE_VAL) > below + 0.001);
        below = mean_height(made, i, HUGE_VAL);
    }
    destroy(made);
}

/* One half lies exactly on the other half of the same sheet. */
static void folded_sheet_stays_on_box(void **state) {
    (void)state;
    test_sim made = start();
    int32_t sheet = add_sheet(made, "sheet", 10, 0.4, weft_vec3_make(0, 0.1, 0), X, Z);
    must(weft_sim_add_body(made.sim, "mesh", box_mesh(0.6, 0.2, 0), NULL));
    must(weft_sim_prepare(made.sim));
    for (int32_t i = 0; i < 121; i++) {
        weft_vec3 p = weft_sim_positions(made.sim, sheet)[i];
        p.x = fabs(p.x);
        must(weft_sim_place(made.sim, sheet, i, p, STILL));
    }
    assert_true(run(made, 60) > 20);
    double least, most;
    heights(made, 0, 1, 0.1, &least, &most); /* its springs throw it open */
    assert_true(least > 0);
    destroy(made);
}

/* A cloth that coincides with the surface of a body is moved outside. */
static void skin_moves_outside_body(void **state) {
    (void)state;
    test_sim made = start();
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_sim_add_cloth(made.sim, "skin", box_mesh(0.3, 0.2, 0), &fabric, "springs", NULL));
    plain_model(made.sim);
    must(weft_sim_add_body(made.sim, "mesh", box_mesh(0.3, 0.2, 0), NULL));
    run(made, 40);
    const weft_vec3 *x = weft_sim_positions(made.sim, 0);
    for (int i = 0; i < 8; i++)
        assert_true(fabs(x[i].x) > 0.15 || fabs(x[i].y) > 0.1 || fabs(x[i].z) > 0.15);
    destroy(made);
}

/* Between two touching bodies there is no free side. This is reported, and the run stops if requested. */
static void inseparable_contact_is_reported(void **state) {
    (void)state;
    for (int stop = 0; stop < 2; stop++) {
        test_sim made = start();
        add_sheet(made, "sheet", 5, 0.1, weft_vec3_make(0, 0.1, 0), X, Z);
        for (int i = 0; i < 2; i++)
            must(weft_sim_add_body(made.sim, "mesh", box_mesh(0.3, 0.2, 0), NULL));
        set(made, "bodies.1.at", "[0, 0.2, 0]");
        set(made, "contact.on_intersection", stop ? "stop" : "go-on");
        weft_report report;
        try_step(made, 0.005, &report);
        assert_int_equal(report.status, stop ? WEFT_STATUS_INTERSECTS : WEFT_STATUS_OK);
        const weft_sim_event *event = weft_sim_event_at(made.sim, 0);
        assert_true(event && event->touches > 0 && event->cloth == 0 && event->body >= 0);
        destroy(made);
    }
}

/* Surfaces that do not touch stay unchanged, bit for bit. */
static void separated_layers_stay_unchanged(void **state) {
    (void)state;
    test_sim made = start();
    add_sheet(made, "low", 6, 0.4, weft_vec3_make(0, 0, 0), X, Z);
    add_sheet(made, "high", 7, 0.4, weft_vec3_make(0, 1e-6, 0), X, Z);
    must(weft_sim_prepare(made.sim));
    uint64_t before = weft_sim_hash(made.sim);
    weft_separation done;
    must(weft_sim_separate_layers(made.sim, &done));
    assert_true(done.vertices == 0 && done.left == 0 && done.farthest == 0);
    assert_true(weft_sim_hash(made.sim) == before);
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheet_stays_on_box),
        cmocka_unit_test(sheet_stays_on_rotated_box),
        cmocka_unit_test(sheet_stays_on_open_floor),
        cmocka_unit_test(later_sheet_stays_above_earlier_sheet),
        cmocka_unit_test(later_sheet_stays_in_front_without_gravity),
        cmocka_unit_test(stack_keeps_order_of_sheets),
        cmocka_unit_test(folded_sheet_stays_on_box),
        cmocka_unit_test(skin_moves_outside_body),
        cmocka_unit_test(inseparable_contact_is_reported),
        cmocka_unit_test(separated_layers_stay_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
