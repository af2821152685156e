/* The `projective` integrator: rest states, free flight, swings, pins, snapshots, live changes. */
#include "support.h"

#include "weft/vec.h"

static test_sim make_hanging(const char *model, const char *integrator, int cells) {
    test_sim made = {NULL, NULL};
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = grid.cells[1] = cells;
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_find("wool")->fabric, model, NULL));
    plain_model(made.sim);
    must(weft_sim_set_integrator(made.sim, integrator));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    return made;
}

static double farthest(test_sim a, test_sim b, int32_t count) {
    double most = 0;
    for (int32_t i = 0; i < count; i++)
        most = fmax(most, weft_distance(weft_sim_positions(a.sim, 0)[i], weft_sim_positions(b.sim, 0)[i]));
    return most;
}

/* The sheet comes to rest where the forces of its model balance, independent of the matrix. Fully solved implicit steps
 * rest in the same state. */
static void rests_in_equilibrium_of_model(void **state) {
    (void)state;
    static const char *const MODELS[] = {"springs", "corotational"};
    for (int m = 0; m < 2; m++) {
        test_sim made[2] = {make_hanging(MODELS[m], "projective", 8), make_hanging(MODELS[m], "implicit-euler", 8)};
        for (int k = 0; k < 2; k++) {
            must(weft_sim_add_force(made[k].sim, "air-damping", NULL));
            set(made[k], "forces.air-damping.coefficient", "1");
            if (m == 0)
                set(made[k], "cloth.model.stiffness", "fabric");
            else
                set(made[k], "cloth.fabric.shear", "100");
            pin(made[k], &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
            for (int i = 0; i < 1500; i++)
                step(made[k], k == 0 ? 0.002 : 0.01);
        }
        double apart = farthest(made[0], made[1], 81);
        if (!(apart < 2e-4))
            fail_msg("%s: rests %g m from the implicit solution", MODELS[m], apart);
        weft_measures measures;
        must(weft_sim_measure(made[0].sim, &measures));
        assert_near(measures.kinetic, 0, 1e-9);
        destroy(made[1]);
        destroy(made[0]);
    }
}

/* At 120 x 120 vertices, solving for positions in single precision would let the sheet rise. Solving for increments
 * does not. The midpoint rule is exact for constant acceleration. */
static void free_flight_matches_parabola(void **state) {
    (void)state;
    test_sim made = make_hanging("springs", "projective", 119);
    set(made, "integrator.theta", "0.5");
    set(made, "cloth.model.stiffness", "fabric");
    weft_measures before, after;
    must(weft_sim_measure(made.sim, &before));
    for (int i = 0; i < 20; i++)
        step(made, 0.01);
    must(weft_sim_measure(made.sim, &after));
    assert_float_equal(before.centre.y - after.centre.y, 0.5 * 9.81 * 0.2 * 0.2, 1e-6);
    assert_true(after.stretch_max < 1e-5);
    destroy(made);
}

/* If all external forces are one common acceleration, they are not stored. An additional zero force disables this. The
 * motion must be the same up to rounding. The sheet has several blocks of vertices; one model computes its own
 * positions, the other is given them. */
static void common_acceleration_equals_stored_forces(void **state) {
    (void)state;
    static const char *const MODELS[] = {"springs", "corotational"};
    for (int m = 0; m < 2; m++) {
        test_sim made[2] = {make_hanging(MODELS[m], "projective", 35), make_hanging(MODELS[m], "projective", 35)};
        must(weft_sim_add_force(made[1].sim, "air-damping", NULL));
        set(made[1], "forces.air-damping.coefficient", "0");
        for (int k = 0; k < 2; k++) {
            pin(made[k], &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
            for (int i = 0; i < 20; i++)
                step(made[k], 1.0 / 240);
        }
        weft_vec3 moved =
            weft_sub(weft_sim_positions(made[0].sim, 0)[1295], weft_sim_cloth(made[0].sim, 0)->mesh->position[1295]);
        double apart = farthest(made[0], made[1], 36 * 36);
        assert_true(weft_length(moved) > 0.01);
        if (!(apart < 1e-6))
            fail_msg("%s: %g m apart", MODELS[m], apart);
        destroy(made[1]);
        destroy(made[0]);
    }
}

/* The first bounce of a stiff sheet, measured by the time and depth of its lowest centre of mass, against small
 * explicit steps. */
static double lowest_time(const char *integrator, double dt, double *lowest) {
    test_sim made = make_hanging("springs", integrator, 12);
    set(made, "cloth.model.stiffness", "fabric");
    set(made, "cloth.fabric.stretch_weft", "1000");
    set(made, "cloth.fabric.stretch_warp", "1000");
    set(made, "cloth.fabric.shear", "100");
    pin(made, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
    pin(made, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-right"});
    double time = 0, best = 0;
    *lowest = 0;
    for (int i = 0; time < 0.3; i++) {
        weft_measures measures;
        step(made, dt);
        time += dt;
        must(weft_sim_measure(made.sim, &measures));
        if (measures.centre.y < *lowest) {
            *lowest = measures.centre.y;
            best = time;
        }
        if (measures.centre.y > *lowest + 0.002)
            break;
    }
    destroy(made);
    return best;
}

static void bounce_matches_small_explicit_steps(void **state) {
    (void)state;
    double deep, shallow;
    double fine = lowest_time("symplectic-euler", 2e-5, &deep), coarse = lowest_time("projective", 1.0 / 480, &shallow);
    assert_float_equal(coarse, fine, 1.0 / 480 + 0.02 * fine);
    assert_float_equal(shallow, deep, 0.02 * fabs(deep + 0.5) + 1e-4);
}

/* Wind pushes unevenly where the sheet bulges. */
static void motion_in_wind_matches_bdf2(void **state) {
    (void)state;
    static const char *const NAMES[] = {"projective", "bdf2"};
    double out[2];
    for (int k = 0; k < 2; k++) {
        test_sim made = make_hanging("springs", NAMES[k], 24);
        set(made, "cloth.model.stiffness", "fabric");
        set(made, "cloth.fabric.shear", "100");
        must(weft_sim_add_force(made.sim, "wind", NULL));
        set(made, "forces.wind.speed", "3");
        set(made, "forces.wind.direction", "[0.2, 0, 1]");
        set(made, "forces.wind.randomness", "0");
        pin(made, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
        pin(made, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-right"});
        for (int i = 0; i < 100; i++)
            step(made, 0.005);
        out[k] = measure(made).centre.z;
        destroy(made);
    }
    assert_true(out[1] > 0.05);
    assert_near(out[0], out[1], 0.03 * out[1]);
}

/* Air brings the lightest fabric to its own speed within a fraction of the step. The cloth must not overshoot, which
 * would make it faster from step to step. */
static void follow_wind(const char *integrator) {
    const double speed = 40;
    test_sim made = start_with(integrator);
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    weft_fabric fabric = weft_fabric_preset_find("chiffon")->fabric;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &fabric, "springs", NULL));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "wind", NULL));
    must(weft_sim_set_real(made.sim, "forces.wind.speed", speed));
    set(made, "forces.wind.direction", "[0, 0, 1]");
    for (int k = 0; k < 60; k++) {
        step(made, 1.0 / 60);
        const weft_vec3 *v = weft_sim_velocities(made.sim, 0);
        for (int32_t i = 0; i < mesh->vertex_count; i++)
            assert_true(weft_length(v[i]) < 2 * speed);
    }
    weft_measures now = measure(made);
    assert_near(now.momentum.z / now.mass, speed, 0.1 * speed);
    destroy(made);
}

static void light_cloth_does_not_outrun_the_wind(void **state) {
    (void)state;
    follow_wind("projective");
    follow_wind("xpbd");
}

static void pins_follow_keys_exactly(void **state) {
    (void)state;
    test_sim made = make_hanging("springs", "projective", 10);
    weft_pin moving = weft_pin_default();
    weft_key keys[2] = {{0, {0, 0, 0}, 0}, {0.1, {0.05, 0.02, 0.3}, 0}};
    int32_t corners[2] = {0, 10};
    moving.key = keys;
    moving.key_count = 2;
    moving.release = 0.15;
    must(weft_sim_add_pin(made.sim, 0, &moving, corners, 2));
    for (int i = 0; i < 50; i++)
        step(made, 0.002);
    weft_vec3 held = weft_sim_positions(made.sim, 0)[0];
    assert_float_equal(held.x, 0.05, 1e-12);
    assert_float_equal(held.z, 0.3, 1e-12);
    for (int i = 0; i < 200; i++)
        step(made, 0.002);
    assert_true(weft_sim_positions(made.sim, 0)[0].y < -0.1); /* after its release it falls */
    destroy(made);
}

/* A pin that is released in the first step after a snapshot changes the matrix then, as it does without a snapshot. */
static void snapshot_before_pin_release_continues_bit_identically(void **state) {
    (void)state;
    test_sim made[2];
    weft_pin pins[2] = {weft_pin_default(), weft_pin_default()};
    const int32_t vertex[2] = {0, 20};
    pins[1].release = 0.08;
    for (int k = 0; k < 2; k++) {
        made[k] = make_hanging("springs", "projective", 20);
        for (int i = 0; i < 2; i++)
            must(weft_sim_add_pin(made[k].sim, 0, &pins[i], &vertex[i], 1));
    }
    for (int i = 0; i < 24; i++) {
        size_t size = weft_sim_snapshot_size(made[0].sim);
        char *snapshot = malloc(size);
        weft_sim_snapshot(made[0].sim, snapshot);
        must(weft_sim_restore(made[1].sim, snapshot, size));
        free(snapshot);
        for (int k = 0; k < 2; k++)
            step(made[k], 0.004);
        assert_int_equal(weft_sim_hash(made[0].sim), weft_sim_hash(made[1].sim));
    }
    destroy(made[1]);
    destroy(made[0]);
}

/* A sheet that is torn and refined while it falls on a ball. */
static test_sim make_changing(const char *model, const char *integrator) {
    test_sim made = start_with(integrator);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 8;
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    fabric.tear_weft = fabric.tear_warp = 0.05;
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &fabric, model, NULL));
    plain_model(made.sim);
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.2");
    set(made, "bodies.sphere.segments", "24");
    set(made, "bodies.sphere.at", "[0.5, -0.25, 0.5]");
    must(weft_sim_set_adapt(made.sim, "sqrt3"));
    set(made, "adapt.every", "7");
    set(made, "adapt.max_generation", "2");
    set(made, "adapt.refine", "[0.1, 1]");
    weft_key keys[2] = {{0, {0, 0, 0}, 0}, {0.3, {0.25, 0, 0}, 0}};
    weft_pin held = weft_pin_default(), pulled = weft_pin_default();
    pulled.key = keys;
    pulled.key_count = 2;
    must(weft_sim_add_pin(made.sim, 0, &held, (int32_t[]){0}, 1));
    must(weft_sim_add_pin(made.sim, 0, &pulled, (int32_t[]){8}, 1));
    return made;
}

/* Every few steps another simulation, which has diverged since then, restores the state of the first one. */
static void snapshot_after_mesh_change_continues_bit_identically(void **state) {
    (void)state;
    static const char *const CASES[][3] = {{"corotational", "projective", NULL},
                                           {"buckling", "projective", NULL},
                                           {"corotational", "implicit-euler", "cholesky"}};
    for (int c = 0; c < 3; c++) {
        test_sim one = make_changing(CASES[c][0], CASES[c][1]), other = make_changing(CASES[c][0], CASES[c][1]);
        if (CASES[c][2]) {
            set(one, "integrator.precondition", CASES[c][2]);
            set(other, "integrator.precondition", CASES[c][2]);
        }
        int64_t torn = 0, inserted = 0;
        for (int i = 0; i < 60; i++) {
            weft_report report, same;
            must(weft_sim_step(one.sim, 0.005, &report));
            must(weft_sim_step(other.sim, 0.005, &same));
            if (i >= 4)
                assert_int_equal(weft_sim_hash(one.sim), weft_sim_hash(other.sim));
            torn += report.torn;
            inserted += report.adapt.inserted;
            if (i % 5 != 3)
                continue;
            size_t size = weft_sim_snapshot_size(one.sim);
            char *snapshot = malloc(size);
            weft_sim_snapshot(one.sim, snapshot);
            must(weft_sim_step(other.sim, 0.003, &same));
            must(weft_sim_restore(other.sim, snapshot, size));
            free(snapshot);
        }
        print_message("%s %s: %lld edges torn, %lld vertices inserted\n", CASES[c][0], CASES[c][1], (long long)torn,
                      (long long)inserted);
        assert_true(torn > 0 && inserted > 0);
        destroy(other);
        destroy(one);
    }
}

static void restored_snapshot_continues_bit_identically(void **state) {
    (void)state;
    test_sim one = make_hanging("springs", "projective", 20), other = make_hanging("springs", "projective", 20);
    pin(one, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
    pin(other, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
    set(one, "cloth.fabric.friction", "0.4");
    set(other, "cloth.fabric.friction", "0.4"); /* a change that could affect the matrix, but does not */
    for (int i = 0; i < 20; i++)
        step(one, 0.004);
    size_t size = weft_sim_snapshot_size(one.sim);
    char *snapshot = malloc(size);
    weft_sim_snapshot(one.sim, snapshot);
    must(weft_sim_restore(other.sim, snapshot, size));
    for (int i = 0; i < 10; i++) {
        double dt = i % 3 == 0 ? nextafter(0.004, 1) : 0.004; /* like the last step of a frame */
        step(one, dt);
        step(other, dt);
    }
    assert_int_equal(weft_sim_hash(one.sim), weft_sim_hash(other.sim));
    must(weft_sim_set_integrator(other.sim, "bdf2")); /* begins afresh from the state of the cloth */
    must(weft_sim_restore(other.sim, snapshot, size));
    step(other, 0.004);
    must(weft_sim_set_integrator(other.sim, "projective"));
    memset(snapshot + size - 8, 0xff, 8); /* NaN */
    weft_result refused = weft_sim_restore(other.sim, snapshot, size);
    assert_int_equal(refused.code, WEFT_BAD_INPUT);
    assert_non_null(strstr(refused.message, "not finite"));
    free(snapshot);
    destroy(other);
    destroy(one);
}

/* The models change while the sheet swings, so that a new matrix is factored in the background. */
static void change_models(test_sim made, int step_number) {
    if (step_number == 5)
        set(made, "cloth.model.structural_stiffness", "60");
    if (step_number == 7)
        set(made, "cloth.model.structural_stiffness", "90");
    if (step_number == 30)
        set(made, "cloth.model.damping", "0.002");
}

/* Snapshots of every step, some of them while the matrix is renewed. A new simulation with the same parameters, and the
 * one that went on, continue from each to the same state. */
static void snapshot_during_renewal_continues_bit_identically(void **state) {
    (void)state;
    enum { STEPS = 40 };
    test_sim one = make_hanging("springs", "projective", 12);
    pin(one, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    char *snapshot[STEPS];
    size_t size[STEPS];
    for (int i = 0; i < STEPS; i++) {
        change_models(one, i);
        size[i] = weft_sim_snapshot_size(one.sim);
        snapshot[i] = malloc(size[i]);
        weft_sim_snapshot(one.sim, snapshot[i]);
        step(one, 0.004);
    }
    assert_true(size[6] > size[4] && size[20] == size[4]); /* the matrix is stored only while it is needed */
    uint64_t end = weft_sim_hash(one.sim);
    for (int i = STEPS - 1; i > 0; i--) {
        test_sim other = make_hanging("springs", "projective", 12);
        pin(other, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
        static const char *const BEFORE[] = {"cloth.model.structural_stiffness", "cloth.model.damping"};
        char value[2][64];
        test_sim fresh = make_hanging("springs", "projective", 12);
        for (int k = 0; k < 2; k++)
            must(weft_sim_get(fresh.sim, BEFORE[k], value[k], sizeof value[k]));
        destroy(fresh);
        set(one, BEFORE[0], value[0]); /* parameters as they were */
        set(one, BEFORE[1], value[1]);
        for (int k = 0; k <= i; k++) {
            change_models(one, k);
            change_models(other, k);
        }
        must(weft_sim_restore(one.sim, snapshot[i], size[i]));
        must(weft_sim_restore(other.sim, snapshot[i], size[i]));
        for (int k = i; k < STEPS; k++) {
            if (k > i) {
                change_models(one, k);
                change_models(other, k);
            }
            step(one, 0.004);
            step(other, 0.004);
        }
        if (weft_sim_hash(one.sim) != end || weft_sim_hash(other.sim) != end)
            fail_msg("from the snapshot after %d steps: rewound %s, new %s", i,
                     weft_sim_hash(one.sim) == end ? "same" : "other",
                     weft_sim_hash(other.sim) == end ? "same" : "other");
        destroy(other);
    }
    char *damaged = malloc(size[6]);
    for (size_t byte = size[6] - 400; byte < size[6]; byte += 4) { /* never a crash */
        memcpy(damaged, snapshot[6], size[6]);
        memset(damaged + byte, 0xff, 4);
        (void)weft_sim_restore(one.sim, damaged, size[6]);
    }
    assert_says(weft_sim_restore(one.sim, snapshot[6], size[6] - 1), "snapshot");
    free(damaged);
    for (int i = 0; i < STEPS; i++)
        free(snapshot[i]);
    destroy(one);
}

/* Springs that break stay in the matrix, which only bounds their stiffness. */
static void snapshot_of_torn_springs_continues_bit_identically(void **state) {
    (void)state;
    test_sim one = make_hanging("springs", "projective", 12);
    set(one, "cloth.model.tear", "1.02");
    pin(one, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
    int64_t torn = 0, before = 0;
    int compared = 0;
    for (int i = 0; i < 60; i++) {
        weft_report report;
        must(weft_sim_step(one.sim, 0.004, &report));
        torn += report.torn;
        if (torn == before)
            continue;
        before = torn;
        test_sim other = make_hanging("springs", "projective", 12);
        set(other, "cloth.model.tear", "1.02");
        pin(other, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = "top-left"});
        size_t size = weft_sim_snapshot_size(one.sim);
        char *snapshot = malloc(size);
        weft_sim_snapshot(one.sim, snapshot);
        must(weft_sim_restore(other.sim, snapshot, size));
        for (int k = 0; k < 5; k++) {
            must(weft_sim_step(one.sim, 0.004, NULL));
            must(weft_sim_step(other.sim, 0.004, NULL));
        }
        assert_int_equal(weft_sim_hash(one.sim), weft_sim_hash(other.sim));
        must(weft_sim_restore(one.sim, snapshot, size)); /* rewinds the same simulation */
        for (int k = 0; k < 5; k++)
            must(weft_sim_step(one.sim, 0.004, NULL));
        assert_int_equal(weft_sim_hash(one.sim), weft_sim_hash(other.sim));
        must(weft_sim_restore(one.sim, snapshot, size));
        free(snapshot);
        destroy(other);
        compared++;
    }
    assert_true(torn > 0 && compared > 1);
    destroy(one);
}

/* A matrix for the old stiffness would overshoot a hundredfold and diverge. */
static void stays_stable_after_stiffness_change(void **state) {
    (void)state;
    test_sim made = make_hanging("springs", "projective", 15);
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    for (int i = 0; i < 20; i++)
        step(made, 0.004);
    set(made, "cloth.model.structural_stiffness", "10000");
    for (int i = 0; i < 200; i++)
        step(made, 0.004);
    weft_measures measures;
    must(weft_sim_measure(made.sim, &measures));
    assert_true(measures.stretch_max < 0.02);
    destroy(made);
}

/* Stiffness is raised within the factor that the old matrix can bound. Steps continue with the old matrix until the new
 * one is ready, and a second change arrives meanwhile. Returns the hash of the state at rest. */
static uint64_t retuned_rest(int threads, double *stretch) {
    test_sim made = make_hanging("springs", "projective", 15);
    weft_sim_set_threads(made.sim, threads);
    set(made, "integrator.theta", "1");
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    for (int i = 0; i < 20; i++)
        step(made, 0.004);
    set(made, "cloth.model.structural_stiffness", "500");
    step(made, 0.004);
    set(made, "cloth.model.structural_stiffness", "800");
    weft_measures measures;
    must(weft_sim_measure(made.sim, &measures));
    double given = measures.kinetic + measures.elastic + measures.potential; /* J */
    for (int i = 0; i < 2000; i++) {
        step(made, 0.004);
        must(weft_sim_measure(made.sim, &measures));
        assert_true(measures.kinetic + measures.elastic + measures.potential <= given);
    }
    *stretch = measures.stretch_max;
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

/* The rest state depends only on the stiffness, not on the matrix. A sheet that has this stiffness from the start must
 * rest in the same state. */
static void matrix_is_renewed_while_steps_continue(void **state) {
    (void)state;
    double stretch[2];
    assert_true(retuned_rest(1, &stretch[0]) == retuned_rest(2, &stretch[1]));
    test_sim made = make_hanging("springs", "projective", 15);
    set(made, "integrator.theta", "1");
    set(made, "cloth.model.structural_stiffness", "800");
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    for (int i = 0; i < 2000; i++)
        step(made, 0.004);
    weft_measures measures;
    must(weft_sim_measure(made.sim, &measures));
    assert_near(stretch[0], measures.stretch_max, 1e-3 * measures.stretch_max);
    destroy(made);
}

/* The sheet of 76 x 76 vertices of the benchmark. With three secants and four steps per frame, the vertex beside a
 * pinned corner once resonated: after 2.5 s the sheet jumped by 5 cm. The sheet gains no energy, so its centre must
 * stay below its start. */
static void no_vertex_resonates(void **state) {
    (void)state;
    enum { SIDE = 76 };
    const double pi = 3.14159265358979323846;
    test_sim made = make_hanging("springs", "projective", SIDE - 1);
    static const char *const SET[][2] = {{"integrator.memory", "3"},
                                         {"cloth.fabric.density", "0.2"},
                                         {"cloth.fabric.stretch_weft", "3800"},
                                         {"cloth.fabric.shear", "400"},
                                         {"cloth.fabric.poisson_weft", "0"},
                                         {"cloth.fabric.poisson_warp", "0"},
                                         {"cloth.model.flexion", "false"},
                                         {"cloth.model.damping", "0"},
                                         {"cloth.model.damping_time", "0.0002"},
                                         {"cloth.fabric.stretch_warp", "3800"},
                                         {"cloth.model.stiffness", "fabric"}};
    for (size_t i = 0; i < sizeof SET / sizeof SET[0]; i++)
        set(made, SET[i][0], SET[i][1]);
    must(weft_sim_prepare(made.sim));
    weft_pin held = weft_pin_default();
    int32_t corners[2] = {0, SIDE - 1};
    must(weft_sim_add_pin(made.sim, 0, &held, corners, 2));
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        weft_vec3 x = weft_sim_positions(made.sim, 0)[i], still = {0, 0, 0};
        x.z += i == corners[0] || i == corners[1] ? 0 : 1e-3 * sin(6 * pi * x.x + 0.5) * sin(4 * pi * x.y + 0.3);
        must(weft_sim_place(made.sim, 0, i, x, still));
    }
    weft_measures measures;
    must(weft_sim_measure(made.sim, &measures));
    double start = measures.centre.y;
    for (int i = 0; i < 720; i++) {
        step(made, 1.0 / 240);
        must(weft_sim_measure(made.sim, &measures));
        if (!(measures.centre.y < start + 1e-3))
            fail_msg("step %d: the centre rose by %g m", i, measures.centre.y - start);
    }
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_in_equilibrium_of_model),
        cmocka_unit_test(free_flight_matches_parabola),
        cmocka_unit_test(common_acceleration_equals_stored_forces),
        cmocka_unit_test(bounce_matches_small_explicit_steps),
        cmocka_unit_test(pins_follow_keys_exactly),
        cmocka_unit_test(motion_in_wind_matches_bdf2),
        cmocka_unit_test(light_cloth_does_not_outrun_the_wind),
        cmocka_unit_test(restored_snapshot_continues_bit_identically),
        cmocka_unit_test(snapshot_before_pin_release_continues_bit_identically),
        cmocka_unit_test(snapshot_after_mesh_change_continues_bit_identically),
        cmocka_unit_test(snapshot_during_renewal_continues_bit_identically),
        cmocka_unit_test(snapshot_of_torn_springs_continues_bit_identically),
        cmocka_unit_test(stays_stable_after_stiffness_change),
        cmocka_unit_test(matrix_is_renewed_while_steps_continue),
        cmocka_unit_test(no_vertex_resonates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
