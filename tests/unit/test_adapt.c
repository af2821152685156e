/* Adaptive refinement and coarsening of moving cloth. */
#include "sim/adaptations.h"
#include "support.h"
#include "weft/vec.h"

typedef struct setting {
    const char *model, *integrator;
    int sphere, self;
} setting;

/* A sheet of triangles held at two corners, in a wind that folds it. Optionally it falls on a ball. */
static test_sim make(const setting *s, int threads) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_sim *sim = made.sim;
    weft_sim_set_threads(sim, threads);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 8;
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, s->model, NULL));
    plain_model(sim);
    if (strcmp(s->model, "buckling") == 0)
        must(weft_sim_set(sim, "cloth.model.stiffness", "fabric"));
    must(weft_sim_add_force(sim, "gravity", NULL));
    must(weft_sim_add_force(sim, "wind", NULL));
    must(weft_sim_set(sim, "forces.wind.speed", "2"));
    must(weft_sim_set(sim, "forces.wind.direction", "[0.3, 1, 0.2]"));
    must(weft_sim_set(sim, "forces.wind.randomness", "1"));
    must(weft_sim_set_integrator(sim, s->integrator));
    must(weft_sim_set_adapt(sim, "sqrt3"));
    must(weft_sim_set(sim, "adapt.refine", "[1, 6]"));
    must(weft_sim_set(sim, "adapt.max_generation", "4"));
    must(weft_sim_set(sim, "adapt.every", "2"));
    /* Here springs at an angle to the yarns hold the cotton, which shears easily. Splits then wait forever unless they
     * may change the energy. test_adapt_energy checks that they do wait. */
    if (strcmp(s->model, "buckling") == 0)
        must(weft_sim_set(sim, "adapt.energy", "0.05"));
    must(weft_sim_set(sim, "time.step", "0.005"));
    if (s->sphere) {
        must(weft_sim_add_body(sim, "sphere", NULL, NULL));
        must(weft_sim_set(sim, "bodies.sphere.segments", "24"));
        must(weft_sim_set(sim, "bodies.sphere.radius", "0.3"));
        must(weft_sim_set(sim, "bodies.sphere.at", "[0.5, 0.32, 0.5]"));
        must(weft_sim_set(sim, "adapt.contact", "5"));
        must(weft_sim_set(sim, "contact.self", s->self ? "true" : "false"));
    }
    weft_pin pin = weft_pin_default();
    must(weft_sim_add_pin(sim, 0, &pin, (int32_t[]){0, 8}, 2));
    return made;
}

static void run(weft_sim *sim, int steps, weft_report *sum) {
    for (int i = 0; i < steps; i++) {
        weft_report report;
        must(weft_sim_step(sim, 0.005, &report));
        assert_int_equal(report.status, WEFT_STATUS_OK);
        if (sum) {
            sum->adapt.inserted += report.adapt.inserted;
            sum->adapt.removed += report.adapt.removed;
            sum->adapt.skipped += report.adapt.skipped;
        }
    }
}

static const setting SETTINGS[] = {{"corotational", "implicit-euler", 0, 0},
                                   {"corotational", "bdf2", 0, 0},
                                   {"buckling", "bdf2", 0, 0},
                                   {"buckling", "implicit-euler", 0, 0},
                                   {"corotational", "implicit-euler", 1, 1},
                                   {"corotational", "bdf2", 1, 0},
                                   {"buckling", "bdf2", 1, 0}};
enum { SETTING_COUNT = sizeof SETTINGS / sizeof SETTINGS[0] };

/* The given vertices keep their rest positions, and the pinned ones their positions. */
static void all_models_and_schemes_refine_and_keep_mass(void **state) {
    (void)state;
    for (int i = 0; i < SETTING_COUNT; i++) {
        test_sim made = make(&SETTINGS[i], 1);
        weft_measures before, after;
        must(weft_sim_measure(made.sim, &before));
        weft_report sum = {0};
        run(made.sim, 60, &sum);
        assert_true(sum.adapt.inserted > 30);
        must(weft_sim_measure(made.sim, &after));
        assert_near(after.mass, before.mass, 1e-12 * before.mass);
        const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
        assert_null(weft_mesh_flaw(mesh));
        assert_int_equal(mesh->vertex_count, 81 + sum.adapt.inserted - sum.adapt.removed);
        assert_near(mesh->position[10].x, 0.125, 1e-15);
        assert_true(weft_sim_held(made.sim, 0)[0] && weft_sim_held(made.sim, 0)[8]);
        assert_near(weft_distance(weft_sim_positions(made.sim, 0)[8], weft_vec3_make(1, 0, 0)), 0, 1e-12);
        weft_intersections found;
        must(weft_sim_intersections(made.sim, &found));
        if (SETTINGS[i].sphere)
            assert_int_equal(found.bodies, 0);
        if (SETTINGS[i].self)
            assert_int_equal(found.self, 0);
        destroy(made);
    }
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    for (int i = 0; i < SETTING_COUNT; i++) {
        uint64_t hash[2];
        for (int k = 0; k < 2; k++) {
            test_sim made = make(&SETTINGS[i], k == 0 ? 1 : 3);
            run(made.sim, 30, NULL);
            hash[k] = weft_sim_hash(made.sim);
            destroy(made);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/* Restores a snapshot of a refined cloth in the same simulation, whose mesh has changed since then, and in a new
 * simulation. */
static void restored_snapshot_continues_bit_identically(void **state) {
    (void)state;
    for (int i = 0; i < SETTING_COUNT; i++) {
        test_sim first = make(&SETTINGS[i], 1), second = make(&SETTINGS[i], 2);
        run(first.sim, 21, NULL);
        size_t size = weft_sim_snapshot_size(first.sim);
        char *bytes = malloc(size);
        weft_sim_snapshot(first.sim, bytes);
        run(first.sim, 20, NULL);
        uint64_t hash = weft_sim_hash(first.sim);
        must(weft_sim_restore(first.sim, bytes, size));
        run(first.sim, 20, NULL);
        assert_true(weft_sim_hash(first.sim) == hash);
        must(weft_sim_restore(second.sim, bytes, size));
        assert_int_equal(weft_sim_snapshot_size(second.sim), size);
        run(second.sim, 20, NULL);
        assert_true(weft_sim_hash(second.sim) == hash);
        /* A damaged snapshot is either refused without effect or still consistent. */
        for (size_t at = 0; at < size; at += size / 97 + 1) {
            bytes[at] = (char)(bytes[at] ^ 0x41);
            uint64_t now = weft_sim_hash(second.sim);
            if (weft_sim_restore(second.sim, bytes, size).code != WEFT_OK)
                assert_true(weft_sim_hash(second.sim) == now);
            bytes[at] = (char)(bytes[at] ^ 0x41);
        }
        assert_says(weft_sim_restore(second.sim, bytes, size - 1), "snapshot");
        must(weft_sim_restore(second.sim, bytes, size));
        run(second.sim, 20, NULL);
        assert_true(weft_sim_hash(second.sim) == hash);
        free(bytes);
        destroy(second);
        destroy(first);
    }
}

/* Kinetic, elastic and potential energy, relative to the sheet hanging straight down. */
static double energy(weft_sim *sim) {
    weft_measures m;
    must(weft_sim_measure(sim, &m));
    return m.kinetic + m.elastic + m.potential + 0.5 * 9.81 * m.mass;
}

/* The same step is taken with and without adaptation. The energy changes by at most 1.8e-4 here, and by at most 1.1e-4
 * with four other winds. Two earlier versions were worse. Judging edge flips by the sum of all squared strains gave
 * 8e-4. This cotton shears forty times more easily than its yarns stretch, and a flip can turn one strain into the
 * other. Splitting triangles with a corner that the ball had just stopped gave 9e-4, in kinetic energy. */
static void adaptation_keeps_positions_and_energy(void **state) {
    (void)state;
    for (int i = 0; i < SETTING_COUNT; i++) {
        if (strcmp(SETTINGS[i].model, "corotational") != 0)
            continue;
        test_sim made = make(&SETTINGS[i], 1);
        double worst = 0;
        for (int step = 0; step < 60; step += 2) {
            run(made.sim, 1, NULL);
            size_t size = weft_sim_snapshot_size(made.sim);
            char *bytes = malloc(size);
            weft_sim_snapshot(made.sim, bytes);
            must(weft_sim_set(made.sim, "adapt.every", "1000000"));
            run(made.sim, 1, NULL);
            int32_t count = weft_sim_cloth(made.sim, 0)->mesh->vertex_count;
            weft_vec3 *x = malloc((size_t)count * sizeof *x);
            memcpy(x, weft_sim_positions(made.sim, 0), (size_t)count * sizeof *x);
            double without = energy(made.sim);
            must(weft_sim_set(made.sim, "adapt.every", "2"));
            must(weft_sim_restore(made.sim, bytes, size));
            run(made.sim, 1, NULL);
            double with = energy(made.sim);
            for (int32_t v = 0; v < 81; v++)
                assert_memory_equal(&weft_sim_positions(made.sim, 0)[v], &x[v], sizeof *x);
            worst = fmax(worst, fabs(with - without) / without);
            free(x);
            free(bytes);
        }
        print_message("%s %s%s: largest relative jump of the energy %.2g\n", SETTINGS[i].model, SETTINGS[i].integrator,
                      SETTINGS[i].sphere ? " on a ball" : "", worst);
        assert_true(worst < 5e-4); /* the requirement is 1e-3 */
        destroy(made);
    }
}

/* A sheet draped over a ball is coarsened at once, whatever strain that causes. Corners of the ball would pass through
 * the merged triangles. With `adapt.avoid`, such changes are skipped and counted. Without it, intersections do
 * occur. */
static void coarsening_avoids_intersections(void **state) {
    (void)state;
    for (int avoid = 0; avoid < 2; avoid++) {
        test_sim made = make(&SETTINGS[4], 1);
        weft_report sum = {0};
        run(made.sim, 80, NULL);
        must(weft_sim_set(made.sim, "adapt.avoid", avoid ? "true" : "false"));
        must(weft_sim_set(made.sim, "adapt.jump", "1"));
        must(weft_sim_set(made.sim, "adapt.energy", "1e9"));
        must(weft_sim_set(made.sim, "adapt.contact", "0"));
        must(weft_sim_set(made.sim, "adapt.refine", "[1e9, 1e9]"));
        int64_t through = 0;
        for (int i = 0; i < 2; i++) {
            run(made.sim, 1, &sum);
            weft_intersections found;
            must(weft_sim_intersections(made.sim, &found));
            through += found.bodies + found.self;
        }
        print_message("%s adapt.avoid: %d removed, %d skipped, %d intersections\n", avoid ? "with" : "without",
                      (int)sum.adapt.removed, (int)sum.adapt.skipped, (int)through);
        assert_true(sum.adapt.removed > 0);
        if (avoid) {
            assert_int_equal(through, 0);
            assert_true(sum.adapt.skipped > 0);
        } else {
            assert_true(through > 0);
            assert_int_equal(sum.adapt.skipped, 0);
        }
        destroy(made);
    }
}

/* Flat cloth at rest returns to the given mesh. */
static void flat_cloth_coarsens_to_given_mesh(void **state) {
    (void)state;
    test_sim made = make(&SETTINGS[0], 1);
    run(made.sim, 40, NULL);
    assert_true(weft_sim_cloth(made.sim, 0)->mesh->triangle_count > 128);
    must(weft_sim_set(made.sim, "adapt.refine", "[1e9, 1e9]"));
    must(weft_sim_set(made.sim, "adapt.jump", "1"));
    must(weft_sim_set(made.sim, "adapt.energy", "1e9"));
    run(made.sim, 60, NULL);
    const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
    assert_int_equal(mesh->triangle_count, 128);
    assert_int_equal(mesh->vertex_count, 81);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 8;
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    weft_mesh *quads, *given;
    must(weft_mesh_create_grid(&grid, &quads));
    must(weft_mesh_triangulate(quads, &given));
    assert_memory_equal(mesh->position, given->position, 81 * sizeof *mesh->position);
    assert_memory_equal(mesh->triangle, given->triangle, 128 * sizeof *mesh->triangle);
    weft_mesh_destroy(given);
    weft_mesh_destroy(quads);
    destroy(made);
}

/* A mesh of 1000 triangles or more changes at every third adaptation if nothing is urgent, and at once if it is. */
static void large_mesh_waits_with_coarsening(void **state) {
    (void)state;
    test_sim made = make(&SETTINGS[0], 1);
    run(made.sim, 1, NULL);
    must(weft_sim_set(made.sim, "adapt.refine", "[0, 0]"));
    must(weft_sim_set(made.sim, "adapt.energy", "1e9"));
    must(weft_sim_set(made.sim, "adapt.jump", "1"));
    run(made.sim, 12, NULL);
    assert_true(weft_sim_cloth(made.sim, 0)->mesh->triangle_count > 1000);
    must(weft_sim_set(made.sim, "adapt.refine", "[1e9, 1e9]"));
    weft_report waiting = {0}, due = {0}, urgent = {0};
    run(made.sim, 4, &waiting); /* adaptations after steps 14 and 16 */
    assert_int_equal(weft_sim_step_count(made.sim), 17);
    assert_int_equal(waiting.adapt.removed, 0);
    must(weft_sim_set(made.sim, "adapt.energy", "1e-9")); /* stay above 1000 triangles */
    run(made.sim, 1, &due);
    assert_true(due.adapt.removed > 0);
    assert_true(weft_sim_cloth(made.sim, 0)->mesh->triangle_count > 1000);
    must(weft_sim_set(made.sim, "adapt.refine", "[0, 0]"));
    must(weft_sim_set(made.sim, "adapt.energy", "1e9"));
    run(made.sim, 2, &urgent);
    assert_true(urgent.adapt.inserted > 0);
    destroy(made);
}

/* The dragged vertex is also kept while the mesh around it is coarsened. */
static void inserted_vertices_inherit_pins(void **state) {
    (void)state;
    test_sim made = make(&SETTINGS[1], 1);
    int32_t side[9];
    for (int32_t i = 0; i < 9; i++)
        side[i] = 72 + i;
    weft_key keys[2] = {{0, {0, 0, 0}, 0}, {0.3, {0, 0.1, -0.2}, 0}};
    weft_pin pin = weft_pin_default();
    pin.key = keys;
    pin.key_count = 2;
    must(weft_sim_add_pin(made.sim, 0, &pin, side, 9));
    must(weft_sim_set(made.sim, "adapt.refine", "[0, 0]"));
    run(made.sim, 60, NULL);
    const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
    assert_int_equal(mesh->triangle_count, 128 * 9);
    int32_t held = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        if (mesh->position[v].z != 1)
            continue;
        held++;
        assert_true(weft_sim_held(made.sim, 0)[v]);
        weft_vec3 expected = weft_add(mesh->position[v], weft_vec3_make(0, 0.1, -0.2));
        assert_near(weft_distance(weft_sim_positions(made.sim, 0)[v], expected), 0, 1e-12);
    }
    assert_int_equal(held, 25);
    int32_t last = mesh->vertex_count - 1;
    weft_vec3 at = weft_sim_positions(made.sim, 0)[last], rest = mesh->position[last];
    must(weft_sim_drag(made.sim, 0, last, at));
    must(weft_sim_set(made.sim, "adapt.refine", "[1e9, 1e9]"));
    must(weft_sim_set(made.sim, "adapt.jump", "1"));
    must(weft_sim_set(made.sim, "adapt.energy", "1e9"));
    run(made.sim, 40, NULL);
    mesh = weft_sim_cloth(made.sim, 0)->mesh;
    assert_true(mesh->vertex_count < 110);
    int32_t found = WEFT_NONE;
    for (int32_t v = 81; v < mesh->vertex_count; v++)
        if (weft_distance(mesh->position[v], rest) == 0)
            found = v;
    assert_true(found != WEFT_NONE);
    assert_near(weft_distance(weft_sim_positions(made.sim, 0)[found], at), 0, 1e-12);
    must(weft_sim_release(made.sim, 0, found));
    run(made.sim, 40, NULL);
    assert_int_equal(weft_sim_cloth(made.sim, 0)->mesh->vertex_count, 81);
    destroy(made);
}

/* The vertices, pins and drags of the second cloth remain valid while vertices of the first are inserted and
 * removed. */
static void adapting_one_cloth_leaves_other_cloth_valid(void **state) {
    (void)state;
    test_sim made;
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    for (int i = 0; i < 2; i++) {
        grid.origin = weft_vec3_make(3 * i, 0, 0);
        must(weft_mesh_create_grid(&grid, &mesh));
        must(weft_sim_add_cloth(made.sim, i ? "b" : "a", mesh, &weft_fabric_preset_find("wool")->fabric, "corotational",
                                NULL));
        plain_model(made.sim);
    }
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_set_integrator(made.sim, "implicit-euler"));
    must(weft_sim_set_adapt(made.sim, "sqrt3"));
    must(weft_sim_set(made.sim, "adapt.refine", "[0, 0]"));
    must(weft_sim_set(made.sim, "adapt.max_generation", "2"));
    weft_pin pin = weft_pin_default();
    for (int32_t i = 0; i < 2; i++)
        must(weft_sim_add_pin(made.sim, i, &pin, (int32_t[]){0, 10}, 2));
    must(weft_sim_drag(made.sim, 1, 120, weft_vec3_make(4, -0.5, 0.5)));
    run(made.sim, 20, NULL);
    for (int32_t i = 0; i < 2; i++) {
        assert_int_equal(weft_sim_cloth(made.sim, i)->mesh->triangle_count, 600);
        assert_near(weft_distance(weft_sim_positions(made.sim, i)[10], weft_vec3_make(1 + 3 * i, 0, 0)), 0, 1e-12);
        assert_int_equal(weft_sim_held(made.sim, i)[120], i);
    }
    assert_near(weft_distance(weft_sim_positions(made.sim, 1)[120], weft_vec3_make(4, -0.5, 0.5)), 0, 1e-12);
    weft_measures m;
    must(weft_sim_measure(made.sim, &m));
    assert_near(m.mass, 2 * weft_fabric_preset_find("wool")->fabric.density, 1e-12);
    destroy(made);
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "implicit-euler");
    assert_says(weft_sim_set_adapt(made.sim, "sqrt4"), "did you mean 'sqrt3'?");
    destroy(made);
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_find("wool")->fabric, "springs", NULL));
    plain_model(made.sim);
    must(weft_sim_set_adapt(made.sim, "sqrt3"));
    assert_says(weft_sim_set(made.sim, "adapt.every", "0"), "below 1");
    assert_says(weft_sim_set(made.sim, "adapt.evry", "3"), "did you mean 'every'?");
    assert_says(weft_sim_set(made.sim, "adapt.refine", "[9, 1]"), "adapt.refine: [9, 1] is the wrong way round");
    assert_says(weft_sim_prepare(made.sim), "corotational and buckling allow");
    destroy(made);
}

/* Returns the number of vertices inserted into a flat sheet that hangs from its upper side or lies on the ground. */
static int32_t inserted_into(int lies, const char *reason, const char *value) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 4;
    if (lies)
        grid.axis[1] = weft_vec3_make(0, 0, 1);
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, "corotational", NULL));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_set_integrator(made.sim, "implicit-euler"));
    must(weft_sim_set_adapt(made.sim, "sqrt3"));
    must(weft_sim_set(made.sim, "adapt.refine", "[10, 10]"));
    must(weft_sim_set(made.sim, reason, value));
    if (lies) {
        must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
        must(weft_sim_set(made.sim, "bodies.plane.at", "[0, -0.02, 0]"));
    } else {
        weft_pin pin = weft_pin_default();
        must(weft_sim_add_pin(made.sim, 0, &pin, (int32_t[]){0, 1, 2, 3, 4}, 5));
    }
    weft_report sum = {0};
    run(made.sim, 40, &sum);
    destroy(made);
    return sum.adapt.inserted;
}

/* Contact and strain each cause refinement only if their parameter is positive. */
static void contact_and_strain_trigger_refinement(void **state) {
    (void)state;
    assert_int_equal(inserted_into(0, "adapt.strain", "0"), 0);
    assert_true(inserted_into(0, "adapt.strain", "1e5") > 16);
    assert_int_equal(inserted_into(1, "adapt.contact", "0"), 0);
    assert_true(inserted_into(1, "adapt.contact", "20") > 16);
}

/* A cylinder of radius R has the mean curvature 1 / (2 R). A flat sheet has none, including its boundary. */
static void cylinder_has_exact_mean_curvature(void **state) {
    (void)state;
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 20;
    weft_mesh *quads, *mesh;
    must(weft_mesh_create_grid(&grid, &quads));
    must(weft_mesh_triangulate(quads, &mesh));
    double curvature[441], radius = 0.4;
    weft_vec3 x[441];
    weft_work work = {1, NULL};
    weft_mean_curvature(&work, mesh, mesh->position, curvature);
    for (int32_t v = 0; v < 441; v++)
        assert_near(curvature[v], 0, 1e-9);
    for (int32_t v = 0; v < 441; v++) {
        double angle = mesh->position[v].x / radius;
        x[v] = weft_vec3_make(radius * sin(angle), mesh->position[v].y, radius * cos(angle));
    }
    weft_mean_curvature(&work, mesh, x, curvature);
    for (int32_t j = 1; j < 20; j++)
        for (int32_t i = 1; i < 20; i++)
            assert_near(curvature[21 * j + i], 1 / (2 * radius), 0.01 / (2 * radius));
    weft_mesh_destroy(mesh);
    weft_mesh_destroy(quads);
}

/* The first step refuses to exceed the limit on triangles, with a message that says what to do. Later steps stay below
 * the limit. */
static void triangle_limit_is_respected(void **state) {
    (void)state;
    test_sim made = make(&SETTINGS[0], 1);
    weft_report report;
    must(weft_sim_set(made.sim, "adapt.max_triangles", "1000"));
    must(weft_sim_set(made.sim, "adapt.max_generation", "20"));
    run(made.sim, 1, NULL);
    must(weft_sim_set(made.sim, "adapt.refine", "[0, 0]"));
    run(made.sim, 10, NULL);
    int32_t count = weft_sim_cloth(made.sim, 0)->mesh->triangle_count;
    assert_true(count > 900 && count <= 1000);
    destroy(made);
    made = make(&SETTINGS[0], 1);
    must(weft_sim_set(made.sim, "adapt.max_triangles", "1000"));
    must(weft_sim_set(made.sim, "adapt.max_generation", "20"));
    must(weft_sim_set(made.sim, "adapt.refine", "[0, 0]"));
    assert_says(weft_sim_step(made.sim, 0.005, &report), "adapt.max_triangles: 1000 are not enough");
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_models_and_schemes_refine_and_keep_mass),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(restored_snapshot_continues_bit_identically),
        cmocka_unit_test(adaptation_keeps_positions_and_energy),
        cmocka_unit_test(flat_cloth_coarsens_to_given_mesh),
        cmocka_unit_test(large_mesh_waits_with_coarsening),
        cmocka_unit_test(inserted_vertices_inherit_pins),
        cmocka_unit_test(adapting_one_cloth_leaves_other_cloth_valid),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(triangle_limit_is_respected),
        cmocka_unit_test(cylinder_has_exact_mean_curvature),
        cmocka_unit_test(coarsening_avoids_intersections),
        cmocka_unit_test(contact_and_strain_trigger_refinement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
