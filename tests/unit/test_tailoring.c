/* Tailoring of a cloth: factors on faces, creases and ties. */
#include "support.h"

#include "cloth/corotational/corotational.h"

static const double PI = 3.14159265358979323846;

/* A grid of triangles with sides of 0.1 m in the plane z = 0: n x m squares, cut alternately. */
static weft_mesh *make_triangles(int n, int m) {
    weft_mesh *quads, *triangles;
    weft_grid grid = weft_grid_default();
    grid.cells[0] = n;
    grid.cells[1] = m;
    grid.size[0] = 0.1 * n;
    grid.size[1] = 0.1 * m;
    must(weft_mesh_create_grid(&grid, &quads));
    must(weft_mesh_triangulate(quads, &triangles));
    weft_mesh_destroy(quads);
    return triangles;
}

static weft_sim *make_sim(weft_mesh *mesh, const weft_tailoring *tailoring) {
    static weft_registry *registry;
    weft_sim *sim;
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    if (!registry)
        must(weft_registry_create(&registry));
    must(weft_sim_create(registry, &sim));
    must(weft_sim_remove_force(sim, 0));
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &fabric, "corotational", NULL));
    must(weft_sim_set_tailoring(sim, 0, tailoring));
    return sim;
}

static double mass_of(weft_sim *sim) {
    weft_measures measures;
    must(weft_sim_measure(sim, &measures));
    return measures.mass;
}

static void density_of_faces_is_exact(void **state) {
    (void)state;
    weft_mesh *mesh = make_triangles(4, 3);
    double density[24], sum = 0;
    assert_int_equal(mesh->face_count, 24);
    for (int f = 0; f < 24; f++)
        sum += density[f] = 0.5 + f;
    weft_sim *sim = make_sim(mesh, &(weft_tailoring){.density = density});
    double expected = weft_fabric_preset_find("cotton")->fabric.density * 0.005 * sum;
    assert_near(mass_of(sim), expected, 1e-12 * expected);
    weft_sim_destroy(sim);
}

/* Weft and warp keep their lengths and turn towards each other by 20 degrees: edges on the bias lengthen. Then all is
 * stretched by 3 % along the weft, which only counts outside of what an elastic gathers. */
static void shear_does_not_stretch_yarns(void **state) {
    (void)state;
    const double angle = 20 * PI / 180, along_warp = hypot(1.03 * sin(angle), cos(angle)) - 1;
    uint8_t gathered[24] = {0};
    for (int stretched = 0; stretched < 3; stretched++) {
        for (int f = 0; f < 24; f++)
            gathered[f] = stretched == 2;
        weft_sim *sim = make_sim(make_triangles(4, 3), &(weft_tailoring){.gathered = gathered});
        must(weft_sim_prepare(sim));
        const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
        weft_measures measures;
        for (int32_t v = 0; v < mesh->vertex_count; v++) {
            weft_vec3 p = mesh->position[v];
            weft_vec3 moved = {p.x + sin(angle) * p.y, cos(angle) * p.y, 0};
            moved.x *= stretched ? 1.03 : 1;
            must(weft_sim_place(sim, 0, v, moved, weft_vec3_make(0, 0, 0)));
        }
        must(weft_sim_measure(sim, &measures));
        assert_true(measures.stretch_max > 0.1);
        if (!stretched)
            assert_near(measures.shear_max, angle, 1e-9);
        assert_near(measures.yarn_max, stretched == 1 ? 0.03 : 0, 1e-9);
        double yarn[24][2];
        must(weft_sim_yarns(sim, 0, yarn));
        for (int t = 0; t < 24; t++) {
            assert_near(yarn[t][0], stretched == 1 ? 0.03 : 0, 1e-9);
            assert_near(yarn[t][1], stretched == 1 ? along_warp : 0, 1e-9);
        }
        weft_sim_destroy(sim);
    }
}

/* A corner between two triangles, with the common edge 0 1. */
static weft_mesh *make_hinge(void) {
    static const weft_vec3 position[] = {{0, 0, 0}, {0, 0.1, 0}, {-0.1, 0.05, 0}, {0.1, 0.05, 0}};
    static const int32_t corner[] = {0, 1, 2, 0, 3, 1}, size[] = {3, 3};
    weft_polygons polygons = {.name = "hinge",
                              .position = position,
                              .vertex_count = 4,
                              .corner = corner,
                              .corner_count = 6,
                              .face_size = size,
                              .face_count = 2};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static double angle_now(const weft_sim *sim) {
    const weft_vec3 *x = weft_sim_positions(sim, 0);
    return weft_bending_angle((const weft_vec3[]){x[0], x[1], x[2], x[3]});
}

static void creases_fold_to_their_angle(void **state) {
    (void)state;
    weft_crease crease = {.vertex = {0, 1}, .bend = 1, .angle = 1.2};
    weft_sim *sim = make_sim(make_hinge(), &(weft_tailoring){.crease = &crease, .crease_count = 1});
    must(weft_sim_set(sim, "cloth.sheet.model.alpha", "20"));
    for (int i = 0; i < 1000; i++)
        must(weft_sim_step(sim, 0.02, NULL));
    assert_near(angle_now(sim), 1.2, 0.01);
    weft_sim_destroy(sim);
}

/* Holds the sheet at 1.5 rad, which is beyond the yield angle of 0.5 rad; what exceeds it stays when it is let go. */
static void creases_yield_and_snapshots_keep_it(void **state) {
    (void)state;
    weft_crease crease = {.vertex = {0, 1}, .bend = 1, .yield = 0.5};
    const weft_tailoring tailoring = {.crease = &crease, .crease_count = 1};
    weft_sim *sim = make_sim(make_hinge(), &tailoring), *other = make_sim(make_hinge(), &tailoring);
    must(weft_sim_set(sim, "cloth.sheet.model.alpha", "20"));
    must(weft_sim_set(other, "cloth.sheet.model.alpha", "20"));
    weft_vec3 none = {0, 0, 0};
    must(weft_sim_prepare(sim));
    must(weft_sim_prepare(other));
    double half = 0.5 * 1.5,
           sign = weft_bending_angle((const weft_vec3[]){{0, 0, 0}, {0, 1, 0}, {-1, 0, 1}, {1, 0, 1}}) > 0 ? 1 : -1;
    must(weft_sim_place(sim, 0, 2, (weft_vec3){-0.1 * cos(half), 0.05, sign * 0.1 * sin(half)}, none));
    must(weft_sim_place(sim, 0, 3, (weft_vec3){0.1 * cos(half), 0.05, sign * 0.1 * sin(half)}, none));
    assert_near(angle_now(sim), 1.5, 1e-9);
    must(weft_sim_step(sim, 1e-5, NULL));
    size_t size = weft_sim_snapshot_size(sim);
    void *snapshot = malloc(size);
    assert_non_null(snapshot);
    weft_sim_snapshot(sim, snapshot);
    must(weft_sim_restore(other, snapshot, size));
    free(snapshot);
    for (int i = 0; i < 1000; i++) {
        must(weft_sim_step(sim, 0.02, NULL));
        must(weft_sim_step(other, 0.02, NULL));
    }
    assert_near(angle_now(sim), 1.0, 0.02);
    assert_true(weft_sim_hash(sim) == weft_sim_hash(other));
    weft_sim_destroy(other);
    weft_sim_destroy(sim);
}

/* A tie of 0.05 m between the tips pulls them together; a slack one does nothing. */
static void ties_pull_and_never_push(void **state) {
    (void)state;
    for (int slack = 0; slack < 2; slack++) {
        weft_tie tie = {{2, 3}, slack ? 0.5 : 0.05, 50};
        weft_sim *sim = make_sim(make_hinge(), &(weft_tailoring){.tie = &tie, .tie_count = 1});
        must(weft_sim_set(sim, "cloth.sheet.model.alpha", "20"));
        must(weft_sim_prepare(sim));
        must(weft_sim_place(sim, 0, 2, (weft_vec3){-0.09, 0.05, 0.04}, (weft_vec3){0, 0, 0}));
        double before = weft_distance(weft_sim_positions(sim, 0)[2], weft_sim_positions(sim, 0)[3]);
        for (int i = 0; i < 300; i++)
            must(weft_sim_step(sim, 0.01, NULL));
        double after = weft_distance(weft_sim_positions(sim, 0)[2], weft_sim_positions(sim, 0)[3]);
        if (slack)
            assert_true(after > 0.99 * before);
        else
            assert_near(after, 0.05, 0.002);
        weft_sim_destroy(sim);
    }
}

/* Forces are the derivative of the energy, and the blocks that of the forces where they are exact. */
static void forces_follow_from_the_energy(void **state) {
    (void)state;
    weft_crease crease = {.vertex = {0, 1}, .bend = 3, .angle = 0.7};
    weft_tie tie = {{2, 3}, 0.1, 20};
    weft_tailoring tailoring = {.crease = &crease, .crease_count = 1, .tie = &tie, .tie_count = 1};
    weft_mesh *mesh = make_hinge();
    weft_fabric fabric = weft_fabric_preset_find("denim")->fabric;
    fabric.damping = 0;
    double mass[4] = {1, 1, 1, 1}, area[4] = {1, 1, 1, 1};
    weft_cloth cloth = {
        .name = "hinge", .mesh = mesh, .fabric = &fabric, .mass = mass, .area = area, .tailoring = &tailoring};
    weft_corotational_settings settings;
    weft_params_default(weft_corotational_model.params, &settings);
    const weft_model_functions *model = weft_corotational_model.functions;
    void *self;
    must(model->create(&settings, &cloth, &self));
    weft_vec3 x[4] = {{0.01, 0, 0.01}, {0, 0.11, 0.02}, {-0.09, 0.06, 0.05}, {0.11, 0.04, -0.03}}, v[4], f[4];
    memset(v, 0, sizeof v);
    memset(f, 0, sizeof f);
    weft_notions_force(&((weft_corotational *)self)->notions, x, v, f);
    for (int i = 0; i < 12; i++) {
        static const double STEP = 1e-6;
        double *at = &x[i / 3].x + i % 3, kept = *at, energy[2];
        for (int k = 0; k < 2; k++) {
            *at = kept + (k ? STEP : -STEP);
            energy[k] = weft_notions_energy(&((weft_corotational *)self)->notions, x);
        }
        *at = kept;
        double expected = -(energy[1] - energy[0]) / (2 * STEP), got = (&f[i / 3].x)[i % 3];
        assert_near(got, expected, 1e-6 * (1 + fabs(expected)));
    }
    double block[9];
    weft_tie_blocks(&((weft_corotational *)self)->notions, 0, x, block, NULL);
    for (int c = 0; c < 3; c++) {
        static const double STEP = 1e-6;
        double *at = &x[3].x + c, kept = *at;
        weft_notions only = {.tie = &tie, .tie_count = 1};
        weft_vec3 g[2][4];
        memset(g, 0, sizeof g);
        for (int k = 0; k < 2; k++) {
            *at = kept + (k ? STEP : -STEP);
            weft_notions_force(&only, x, v, g[k]);
        }
        *at = kept;
        for (int r = 0; r < 3; r++)
            assert_near(block[3 * r + c], -((&g[1][2].x)[r] - (&g[0][2].x)[r]) / (2 * STEP), 1e-4);
    }
    model->destroy(self);
    weft_mesh_destroy(mesh);
}

/* Two triangles of 0.1 x 0.1 m, each a panel of its own; they share no vertex. */
static weft_mesh *make_panels(void) {
    static const weft_vec3 position[] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {1, 0, 0}, {1.1, 0, 0}, {1, 0.1, 0}};
    static const weft_vec2 flat[] = {{0, 0}, {0.1, 0}, {0, 0.1}, {0.2, 0}, {0.3, 0}, {0.2, 0.1}};
    static const int32_t corner[] = {0, 1, 2, 3, 4, 5}, size[] = {3, 3}, group[] = {0, 1};
    static const char *const NAMES[] = {"front", "back"};
    weft_polygons polygons = {.name = "panels",
                              .position = position,
                              .vertex_count = 6,
                              .corner = corner,
                              .corner_count = 6,
                              .face_size = size,
                              .face_count = 2,
                              .corner_uv = flat,
                              .face_group = group,
                              .group_name = NAMES,
                              .group_count = 2};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

/* Size and fabric of single panels change while the simulation runs, and come back to the same bits. */
static void panels_change_live(void **state) {
    (void)state;
    const double density[2] = {1, 2};
    weft_measures measures;
    weft_sim *sim = make_sim(make_panels(), &(weft_tailoring){.density = density});
    must(weft_sim_set(sim, "cloth.model.rest", "pattern"));
    must(weft_sim_prepare(sim));
    must(weft_sim_measure(sim, &measures));
    weft_measures before = measures;
    double own = measures.mass, area = 0.005, unit = weft_fabric_preset_find("cotton")->fabric.density * area;
    assert_near(own, 3 * unit, 1e-15);
    must(weft_sim_set(sim, "cloth.sheet.panels.back.width", "0.8"));
    must(weft_sim_measure(sim, &measures));
    assert_near(measures.yarn_max, 0.25, 1e-12);
    assert_near(measures.mass, (1 + 2 * 0.8) * unit, 1e-15);
    double soft = measures.elastic;
    must(weft_sim_set(sim, "cloth.0.panels.back.stretch", "3"));
    must(weft_sim_set(sim, "cloth.panels.front.density", "5"));
    must(weft_sim_measure(sim, &measures));
    assert_near(measures.elastic, 3 * soft, 1e-12 * soft);
    assert_near(measures.mass, (5 + 2 * 0.8) * unit, 1e-15);
    must(weft_sim_set(sim, "cloth.sheet.ease.length", "0.5"));
    must(weft_sim_measure(sim, &measures));
    assert_near(measures.yarn_max, 1, 1e-12);
    assert_says(weft_sim_set(sim, "cloth.panels.back.width", "3"), "cloth.sheet.panels.back.width: 3 is above 2");
    assert_says(weft_sim_set(sim, "cloth.panels.side.width", "1"), "no parameter 'cloth.panels.side.width'");
    assert_says(weft_sim_set(sim, "cloth.ease.bend", "1"), "cloth.sheet.ease: no parameter 'bend'");
    static const char *const BACK[] = {"cloth.panels.back.width", "cloth.panels.back.stretch",
                                       "cloth.panels.front.density", "cloth.ease.length"};
    for (int i = 0; i < 4; i++)
        must(weft_sim_set(sim, BACK[i], "1"));
    must(weft_sim_measure(sim, &measures));
    assert_true(measures.mass == own && measures.yarn_max == before.yarn_max && measures.elastic == before.elastic);
    weft_sim_destroy(sim);
}

/* Steps until the cloth sleeps, at most 2 s. */
static void run_to_sleep(weft_sim *sim) {
    weft_report report = {0};
    for (int k = 0; k < 200 && !report.asleep; k++)
        must(weft_sim_step(sim, 0.01, &report));
    assert_int_equal(report.asleep, 1);
}

/* A change of a panel wakes sleeping cloth, as any other setting does. */
static void changed_panels_wake_cloth(void **state) {
    (void)state;
    static const char *const CHANGE[] = {"cloth.panels.front.padding", "cloth.panels.front.stretch",
                                         "cloth.panels.front.bend", "cloth.ease.width"};
    weft_sim *sim = make_sim(make_panels(), &(weft_tailoring){0});
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    must(weft_sim_add_force(sim, "gravity", NULL));
    must(weft_sim_set(sim, "forces.gravity.acceleration", "[0, 0, -9.81]"));
    must(weft_sim_add_body(sim, "plane", NULL, NULL));
    must(weft_sim_set(sim, "bodies.plane.normal", "[0, 0, 1]"));
    must(weft_sim_set(sim, "bodies.plane.at", "[0, 0, -0.001]"));
    must(weft_sim_set(sim, "contact.thickness", "2 mm"));
    must(weft_sim_set(sim, "contact.barrier.sleep", "0.1"));
    for (size_t i = 0; i < sizeof CHANGE / sizeof CHANGE[0]; i++) {
        weft_report report;
        run_to_sleep(sim);
        must(weft_sim_set(sim, CHANGE[i], "1.1"));
        must(weft_sim_step(sim, 0.01, &report));
        assert_int_equal(report.asleep, 0);
    }
    weft_sim_destroy(sim);
}

static void impossible_tailoring_is_refused(void **state) {
    (void)state;
    weft_crease crease = {.vertex = {0, 99}, .bend = 1};
    weft_tie tie = {{0, 1}, 0.1, 0};
    weft_sim *sim = make_sim(make_hinge(), &(weft_tailoring){0});
    assert_says(weft_sim_set_tailoring(sim, 0, &(weft_tailoring){.crease = &crease, .crease_count = 1}),
                "crease 0 between vertices 0 and 99, but there are 4");
    assert_says(weft_sim_set_tailoring(sim, 0, &(weft_tailoring){.tie = &tie, .tie_count = 1}), "stiffness 0");
    assert_says(weft_sim_set_tailoring(sim, 0, &(weft_tailoring){.sewing = NAN}), "tailoring.sewing: nan");
    assert_says(weft_sim_set_tailoring(sim, 0, &(weft_tailoring){.width = (double[]){1, 0}}),
                "tailoring.width: 0 of face 1 is not from 0.001 to 1000");
    crease.vertex[1] = 1;
    crease.angle = PI + 0.1;
    assert_says(weft_sim_set_tailoring(sim, 0, &(weft_tailoring){.crease = &crease, .crease_count = 1}), "angle 3.24");
    must(weft_sim_set_adapt(sim, "sqrt3"));
    assert_says(weft_sim_prepare(sim), "a tailored cloth can be neither refined nor torn nor cut");
    weft_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shear_does_not_stretch_yarns),
        cmocka_unit_test(density_of_faces_is_exact),
        cmocka_unit_test(creases_fold_to_their_angle),
        cmocka_unit_test(creases_yield_and_snapshots_keep_it),
        cmocka_unit_test(ties_pull_and_never_push),
        cmocka_unit_test(forces_follow_from_the_energy),
        cmocka_unit_test(impossible_tailoring_is_refused),
        cmocka_unit_test(changed_panels_wake_cloth),
        cmocka_unit_test(panels_change_live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
