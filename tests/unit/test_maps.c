/* Maps: factors of fabric values per vertex. */
#include "sim/internal.h"
#include "support.h"

enum { CELLS = 8, VERTICES = (CELLS + 1) * (CELLS + 1) };

/* A square of 1 m in the plane y = 0, not yet prepared. */
static test_sim make(const char *model) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_sim_set_threads(made.sim, 1);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = CELLS;
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, model, NULL));
    plain_model(made.sim);
    if (strcmp(model, "corotational") != 0)
        must(weft_sim_set(made.sim, "cloth.model.stiffness", "fabric"));
    must(weft_sim_set_integrator(made.sim, "implicit-euler"));
    return made;
}

static void close_sim(test_sim *made) {
    weft_sim_destroy(made->sim);
    weft_registry_destroy(made->registry);
}

static void fill(double *value, double number) {
    for (int32_t i = 0; i < VERTICES; i++)
        value[i] = number;
}

static void fill_randomly(double *value, uint64_t seed) {
    for (int32_t i = 0; i < VERTICES; i++)
        value[i] = 0.5 + weft_random(seed, (uint64_t)i);
}

static const char *const MODELS[] = {"springs", "buckling", "corotational"};

static double energy_of(const weft_sim *sim, const weft_vec3 *x) {
    weft_work work = {1, NULL};
    return sim_model(&sim->cloth[0])->energy(sim->cloth[0].self, &work, x);
}

/* Stretched in its plane by 10 %, or rolled up without stretch along its length. */
static void shape(const weft_mesh *mesh, int rolled, weft_vec3 *x) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        weft_vec3 p = mesh->position[v];
        x[v] = rolled ? weft_vec3_make(sin(p.x), cos(p.x), p.z) : weft_vec3_make(1.1 * p.x, 0, 1.1 * p.z);
    }
}

/* A cloth that is three times as stiff everywhere has three times the energy. If only half of it is, the energy is in
 * between. */
static void stiffness_maps_scale_energy(void **state) {
    (void)state;
    for (int m = 0; m < 3; m++)
        for (int bends = 0; bends < 2; bends++) {
            double energy[3], value[VERTICES];
            for (int k = 0; k < 3; k++) {
                test_sim made = make(MODELS[m]);
                fill(value, k > 0 ? 3 : 1);
                for (int32_t i = 0; i < VERTICES / 2 && k == 2; i++)
                    value[i] = 1;
                /* rolled cloth is slightly compressed, because chords are shorter than arcs */
                must(weft_sim_set_map(made.sim, 0, WEFT_MAP_BEND, value, VERTICES));
                must(weft_sim_set_map(made.sim, 0, WEFT_MAP_STRETCH, value, VERTICES));
                must(weft_sim_prepare(made.sim));
                weft_vec3 x[VERTICES];
                shape(weft_sim_cloth(made.sim, 0)->mesh, bends, x);
                energy[k] = energy_of(made.sim, x);
                close_sim(&made);
            }
            assert_true(energy[0] > 0);
            assert_near(energy[1], 3 * energy[0], 1e-6 * energy[1]);
            assert_true(energy[2] > 1.5 * energy[0] && energy[2] < 2.5 * energy[0]);
        }
}

/* Each map affects only its own quantity: the bend map does not change the stretch energy. */
static void maps_affect_only_their_quantity(void **state) {
    (void)state;
    double value[VERTICES], energy[3];
    fill(value, 5);
    for (int k = 0; k < 3; k++) {
        test_sim made = make("corotational");
        if (k > 0)
            must(weft_sim_set_map(made.sim, 0, k == 1 ? WEFT_MAP_BEND : WEFT_MAP_STRETCH, value, VERTICES));
        must(weft_sim_prepare(made.sim));
        weft_vec3 x[VERTICES];
        shape(weft_sim_cloth(made.sim, 0)->mesh, 0, x);
        energy[k] = energy_of(made.sim, x);
        close_sim(&made);
    }
    assert_near(energy[1], energy[0], 1e-12 * energy[0]);
    assert_near(energy[2], 5 * energy[0], 1e-12 * energy[2]);
}

/* Central differences of the energy, with random maps for stretch and bending. */
static void force_with_maps_is_gradient_of_energy(void **state) {
    (void)state;
    for (int m = 0; m < 3; m++) {
        test_sim made = make(MODELS[m]);
        double value[VERTICES];
        fill_randomly(value, 5);
        must(weft_sim_set_map(made.sim, 0, WEFT_MAP_STRETCH, value, VERTICES));
        fill_randomly(value, 6);
        must(weft_sim_set_map(made.sim, 0, WEFT_MAP_BEND, value, VERTICES));
        must(weft_sim_prepare(made.sim));
        weft_vec3 x[VERTICES], v[VERTICES], f[VERTICES];
        shape(weft_sim_cloth(made.sim, 0)->mesh, 1, x);
        memset(v, 0, sizeof v);
        memset(f, 0, sizeof f);
        double largest = 0;
        for (int32_t i = 0; i < VERTICES; i++) {
            x[i].x *= 1.02;
            x[i].y += 0.01 * weft_random(9, (uint64_t)i);
        }
        weft_work work = {1, NULL};
        sim_model(&made.sim->cloth[0])->force(made.sim->cloth[0].self, &work, x, v, f);
        for (int32_t i = 0; i < VERTICES; i++)
            largest = fmax(largest, weft_length(f[i]));
        for (int32_t i = 0; i < VERTICES; i += 7) {
            double h = 1e-6, at = x[i].x;
            x[i].x = at + h;
            double more = energy_of(made.sim, x);
            x[i].x = at - h;
            double less = energy_of(made.sim, x);
            x[i].x = at;
            assert_near(f[i].x, (less - more) / (2 * h), 2e-6 * largest);
        }
        close_sim(&made);
    }
}

static void density_map_scales_mass(void **state) {
    (void)state;
    double value[VERTICES];
    test_sim plain = make("springs"), made = make("springs");
    fill_randomly(value, 3);
    must(weft_sim_set_map(made.sim, 0, WEFT_MAP_DENSITY, value, VERTICES));
    must(weft_sim_prepare(plain.sim));
    must(weft_sim_prepare(made.sim));
    for (int round = 0; round < 2; round++) {
        for (int32_t v = 0; v < VERTICES; v++)
            assert_near(weft_sim_cloth(made.sim, 0)->mass[v], value[v] * weft_sim_cloth(plain.sim, 0)->mass[v], 1e-15);
        must(weft_sim_set(plain.sim, "cloth.fabric.density", "0.5"));
        must(weft_sim_set(made.sim, "cloth.fabric.density", "0.5"));
    }
    close_sim(&made);
    close_sim(&plain);
}

static void take_steps(weft_sim *sim, int count) {
    for (int i = 0; i < count; i++) {
        weft_report report;
        must(weft_sim_step(sim, 0.005, &report));
        assert_int_equal(report.status, WEFT_STATUS_OK);
    }
}

static double mass_of(weft_sim *sim) {
    weft_measures m;
    must(weft_sim_measure(sim, &m));
    return m.mass;
}

static double slope(weft_vec3 p) { return 0.5 + p.x + 0.25 * p.z; }

/* Inserted vertices interpolate a linear map exactly, and the mass is kept. Coarsening restores any map bit for bit. */
static void refinement_interpolates_maps(void **state) {
    (void)state;
    for (int rough = 0; rough < 2; rough++) {
        test_sim made = make("corotational");
        weft_sim *sim = made.sim;
        must(weft_sim_set_adapt(sim, "sqrt3"));
        must(weft_sim_set(sim, "adapt.refine", "[0, 0]"));
        must(weft_sim_set(sim, "adapt.max_generation", "4"));
        must(weft_sim_set(sim, "adapt.every", "1"));
        double value[WEFT_MAP_COUNT][VERTICES];
        const weft_mesh *mesh = sim->cloth[0].mesh;
        for (int m = 0; m < WEFT_MAP_COUNT; m++) {
            fill_randomly(value[m], (uint64_t)m);
            for (int32_t v = 0; v < VERTICES && !rough; v++)
                value[m][v] = (1 + m) * slope(mesh->position[v]);
            must(weft_sim_set_map(sim, 0, (weft_map)m, value[m], VERTICES));
        }
        must(weft_sim_prepare(sim));
        double before = mass_of(sim);
        take_steps(sim, 8);
        const weft_cloth *cloth = weft_sim_cloth(sim, 0);
        mesh = cloth->mesh;
        assert_int_equal(mesh->triangle_count, 128 * 9);
        for (int m = 0; m < WEFT_MAP_COUNT; m++) {
            assert_memory_equal(cloth->map[m], value[m], sizeof value[m]);
            for (int32_t v = VERTICES; v < mesh->vertex_count; v++) {
                assert_true(cloth->map[m][v] >= (rough ? 0.5 : 0) && cloth->map[m][v] < 10);
                if (!rough)
                    assert_near(cloth->map[m][v], (1 + m) * slope(mesh->position[v]), 1e-12);
            }
        }
        double changed = fabs(mass_of(sim) / before - 1);
        print_message("%s map: relative change of the mass %.2g\n", rough ? "random" : "linear", changed);
        /* After an edge flip, a map that is not linear is interpolated in different triangles. */
        assert_true(changed < (rough ? 0.01 : 1e-12));
        must(weft_sim_set(sim, "adapt.refine", "[1e9, 1e9]"));
        must(weft_sim_set(sim, "adapt.jump", "1"));
        must(weft_sim_set(sim, "adapt.energy", "1e9"));
        take_steps(sim, 20);
        cloth = weft_sim_cloth(sim, 0);
        assert_int_equal(cloth->mesh->vertex_count, VERTICES);
        for (int m = 0; m < WEFT_MAP_COUNT; m++)
            assert_memory_equal(cloth->map[m], value[m], sizeof value[m]);
        assert_near(mass_of(sim), before, 1e-12 * before);
        close_sim(&made);
    }
}

/* Data reused by an adaptation equals data made from scratch, also with maps. A restored snapshot therefore continues
 * with the same bits. */
static void snapshot_with_maps_continues_bit_identically(void **state) {
    (void)state;
    test_sim made[2];
    double value[VERTICES];
    for (int i = 0; i < 2; i++) {
        made[i] = make("corotational");
        must(weft_sim_add_force(made[i].sim, "gravity", NULL));
        must(weft_sim_set_adapt(made[i].sim, "sqrt3"));
        must(weft_sim_set(made[i].sim, "adapt.refine", "[0.5, 4]"));
        must(weft_sim_set(made[i].sim, "adapt.every", "2"));
        for (int m = 0; m < WEFT_MAP_COUNT; m++) {
            fill_randomly(value, (uint64_t)m);
            must(weft_sim_set_map(made[i].sim, 0, (weft_map)m, value, VERTICES));
        }
        weft_pin pin = weft_pin_default();
        must(weft_sim_add_pin(made[i].sim, 0, &pin, (int32_t[]){0, CELLS}, 2));
        must(weft_sim_prepare(made[i].sim));
    }
    take_steps(made[0].sim, 41);
    assert_true(weft_sim_cloth(made[0].sim, 0)->mesh->vertex_count > VERTICES);
    size_t size = weft_sim_snapshot_size(made[0].sim);
    char *bytes = malloc(size);
    weft_sim_snapshot(made[0].sim, bytes);
    must(weft_sim_restore(made[1].sim, bytes, size));
    for (int i = 0; i < 2; i++)
        take_steps(made[i].sim, 30);
    assert_true(weft_sim_hash(made[0].sim) == weft_sim_hash(made[1].sim));
    for (int i = 0; i < 2; i++)
        close_sim(&made[i]);
    /* a simulation with another map */
    test_sim other = make("corotational");
    must(weft_sim_set_adapt(other.sim, "sqrt3"));
    for (int m = 0; m < WEFT_MAP_COUNT; m++) {
        fill_randomly(value, (uint64_t)m + 1);
        must(weft_sim_set_map(other.sim, 0, (weft_map)m, value, VERTICES));
    }
    assert_says(weft_sim_restore(other.sim, bytes, size), "the maps are others");
    close_sim(&other);
    free(bytes);
}

/* The half with a factor of 0 is not refined, except to keep the generations of neighbours within one of each other. */
static void refine_map_controls_refinement(void **state) {
    (void)state;
    test_sim made = make("corotational");
    double value[VERTICES];
    must(weft_sim_set_adapt(made.sim, "sqrt3"));
    must(weft_sim_set(made.sim, "adapt.refine", "[0.001, 0.001]"));
    must(weft_sim_set(made.sim, "adapt.strain", "0"));
    for (int32_t v = 0; v < VERTICES; v++)
        value[v] = made.sim->cloth[0].mesh->position[v].x > 0.5;
    must(weft_sim_set_map(made.sim, 0, WEFT_MAP_REFINE, value, VERTICES));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    weft_pin pin = weft_pin_default();
    must(weft_sim_prepare(made.sim));
    must(weft_sim_add_pin(made.sim, 0, &pin, (int32_t[]){0, CELLS, VERTICES - 1, VERTICES - 1 - CELLS}, 4));
    take_steps(made.sim, 40);
    const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
    int32_t left = 0, right = 0;
    for (int32_t v = VERTICES; v < mesh->vertex_count; v++) {
        left += mesh->position[v].x < 0.3;
        right += mesh->position[v].x > 0.7;
    }
    print_message("inserted on the left %d, on the right %d\n", left, right);
    assert_int_equal(left, 0);
    assert_true(right > 100);
    close_sim(&made);
}

/* Pulled apart along x, the sheet tears where it is weak. */
static void tear_map_weakens_cloth(void **state) {
    (void)state;
    test_sim made = make("corotational");
    double value[VERTICES];
    must(weft_sim_set(made.sim, "cloth.fabric.tear_weft", "0.1"));
    must(weft_sim_set(made.sim, "cloth.fabric.tear_zone", "0.1"));
    for (int32_t v = 0; v < VERTICES; v++)
        value[v] = v % (CELLS + 1) == 2 ? 0.5 : 1;
    must(weft_sim_set_map(made.sim, 0, WEFT_MAP_TEAR, value, VERTICES));
    must(weft_sim_prepare(made.sim));
    for (int k = 0; k < 2; k++) {
        weft_key keys[2] = {{0, {0, 0, 0}, 0}, {4, {k ? 0.4 : -0.4, 0, 0}, 0}};
        weft_pin pin = weft_pin_default();
        int32_t side[CELLS + 1];
        pin.key = keys;
        pin.key_count = 2;
        for (int32_t j = 0; j <= CELLS; j++)
            side[j] = j * (CELLS + 1) + k * CELLS;
        must(weft_sim_add_pin(made.sim, 0, &pin, side, CELLS + 1));
    }
    int32_t pieces = 1;
    for (int i = 0; i < 200 && pieces < 2; i++) {
        take_steps(made.sim, 1);
        must(weft_sim_pieces(made.sim, 0, &pieces));
    }
    assert_int_equal(pieces, 2);
    const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
    for (int32_t v = VERTICES; v < mesh->vertex_count; v++)
        assert_near(mesh->position[v].x, 0.25, 1e-12);
    close_sim(&made);
}

static void bad_maps_are_refused(void **state) {
    (void)state;
    test_sim made = make("springs");
    double value[VERTICES];
    fill(value, 1);
    assert_says(weft_sim_set_map(made.sim, 1, WEFT_MAP_DENSITY, value, VERTICES), "there are 1 cloths");
    assert_says(weft_sim_set_map(made.sim, 0, WEFT_MAP_DENSITY, value, VERTICES - 1),
                "maps.density: 80 numbers, the cloth has 81 vertices");
    assert_says(weft_sim_set_map(made.sim, 0, WEFT_MAP_REFINE, value, VERTICES), "maps.refine: model 'springs'");
    value[7] = 0;
    assert_says(weft_sim_set_map(made.sim, 0, WEFT_MAP_DENSITY, value, VERTICES),
                "vertex 7: maps.density: 0 is not above 0");
    must(weft_sim_set_map(made.sim, 0, WEFT_MAP_BEND, value, VERTICES));
    value[7] = NAN;
    assert_says(weft_sim_set_map(made.sim, 0, WEFT_MAP_BEND, value, VERTICES), "vertex 7: maps.bend: ");
    value[7] = 1e9;
    assert_says(weft_sim_set_map(made.sim, 0, WEFT_MAP_BEND, value, VERTICES), "above 1000");
    must(weft_sim_prepare(made.sim));
    assert_says(weft_sim_set_map(made.sim, 0, WEFT_MAP_DENSITY, value, VERTICES), "already prepared");
    close_sim(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_maps_scale_energy),
        cmocka_unit_test(maps_affect_only_their_quantity),
        cmocka_unit_test(force_with_maps_is_gradient_of_energy),
        cmocka_unit_test(density_map_scales_mass),
        cmocka_unit_test(refinement_interpolates_maps),
        cmocka_unit_test(snapshot_with_maps_continues_bit_identically),
        cmocka_unit_test(refine_map_controls_refinement),
        cmocka_unit_test(bad_maps_are_refused),
        cmocka_unit_test(tear_map_weakens_cloth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
