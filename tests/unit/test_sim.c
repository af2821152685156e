/* The simulation: pins, drags, snapshots, parameters, refusals, known shapes. */
#include "support.h"

#include "weft/vec.h"

static const weft_select TOP = {.kind = WEFT_SELECT_SIDE, .name = "top"};

/* Sag of an inextensible chain of length L over a span, from 2 a sinh(span / 2 a) = L by bisection. */
static double catenary_sag(double length, double span) {
    double low = 1e-3 * span, high = 1e3 * span;
    for (int i = 0; i < 200; i++) {
        double a = (low + high) / 2;
        if (2 * a * sinh(span / (2 * a)) > length)
            low = a;
        else
            high = a;
    }
    return low * (cosh(span / (2 * low)) - 1);
}

/* The ends of a strip of stiff springs without bending are brought together. It comes to rest as a catenary. */
static void hanging_strip_becomes_catenary(void **state) {
    (void)state;
    const double length = 1.1, span = 1;
    test_sim made = make_sheet(44, 1, length, 0.025, "symplectic-euler");
    set(made, "cloth.model.flexion", "false");
    set(made, "cloth.model.structural_stiffness", "4000");
    set(made, "cloth.model.shear_stiffness", "400");
    set(made, "cloth.model.damping", "0.05");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "air-damping", NULL));
    set(made, "forces.air-damping.coefficient", "0.0006");
    must(weft_sim_prepare(made.sim));
    int32_t left[2], right[2], count;
    weft_select side = {.kind = WEFT_SELECT_SIDE, .name = "left"};
    must(weft_sim_select(made.sim, 0, &side, left, &count));
    assert_int_equal(count, 2);
    side.name = "right";
    must(weft_sim_select(made.sim, 0, &side, right, &count));
    weft_pin still = weft_pin_default(), moved = weft_pin_default();
    weft_key keys[] = {{0, {0, 0, 0}, 0}, {0.5, {span - length, 0, 0}, 0}};
    moved.key = keys;
    moved.key_count = 2;
    must(weft_sim_add_pin(made.sim, 0, &still, left, 2));
    must(weft_sim_add_pin(made.sim, 0, &moved, right, 2));
    double dt = 0.4 * weft_sim_stable_step(made.sim);
    for (int i = 0; i * dt < 14; i++)
        step(made, dt);
    assert_below(measure(made).kinetic, 1e-6);
    double lowest = 0;
    for (int32_t i = 0; i <= 44; i++)
        lowest = fmin(lowest, weft_sim_positions(made.sim, 0)[i].y);
    double expected = catenary_sag(length, span);
    assert_near(expected, 0.20030 * span, 1e-4); /* the published value for length / span = 1.1 */
    assert_near(-lowest, expected, 0.01 * expected);
    destroy(made);
}

static void pins_hold_move_and_release(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "verlet");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_prepare(made.sim));
    weft_key keys[] = {{0, {0, 0, 0}, 0}, {1, {0.5, 0, 0}, 0}};
    weft_pin moved = weft_pin_default();
    moved.key = keys;
    moved.key_count = 2;
    moved.release = 0.5;
    int32_t vertex = 0;
    must(weft_sim_add_pin(made.sim, 0, &moved, &vertex, 1));
    for (int i = 0; i < 250; i++)
        step(made, 0.001);
    weft_vec3 x = weft_sim_positions(made.sim, 0)[0];
    assert_near(x.x, 0.125, 1e-12);
    assert_near(x.y, 0, 1e-12);
    assert_near(weft_sim_velocities(made.sim, 0)[0].x, 0.5, 1e-9);
    assert_int_equal(weft_sim_held(made.sim, 0)[0], 1);
    for (int i = 0; i < 300; i++)
        step(made, 0.001);
    assert_int_equal(weft_sim_held(made.sim, 0)[0], 0);
    assert_true(weft_sim_positions(made.sim, 0)[0].y < -1e-4);
    destroy(made);
}

static void pins_rotate_about_axis(void **state) {
    (void)state;
    test_sim made = make_sheet(1, 1, 1, 1, "symplectic-euler");
    must(weft_sim_prepare(made.sim));
    weft_key keys[] = {{0, {0, 0, 0}, 0}, {1, {0, 0, 0.25}, 1.5707963267948966}};
    weft_pin turned = weft_pin_default();
    turned.key = keys;
    turned.key_count = 2;
    turned.axis = weft_vec3_make(0, 0, 2);
    int32_t all[4] = {0, 1, 2, 3};
    must(weft_sim_add_pin(made.sim, 0, &turned, all, 4));
    for (int i = 0; i < 100; i++)
        step(made, 0.01);
    /* (1, 0, 0) rotated by a right angle about z and moved by 0.25 along z */
    assert_true(weft_distance(weft_sim_positions(made.sim, 0)[1], weft_vec3_make(0, 1, 0.25)) < 1e-9);
    destroy(made);
}

static void check_drag(const char *integrator) {
    test_sim made = make_sheet(1, 1, 1, 1, integrator);
    set(made, "cloth.model.structural", "false");
    set(made, "cloth.model.shear", "false");
    const double dt = 0.01;
    for (int i = 1; i <= 10; i++) {
        must(weft_sim_drag(made.sim, 0, 0, weft_vec3_make(0.02 * i, 0, 0)));
        step(made, dt);
        assert_near(weft_sim_positions(made.sim, 0)[0].x, 0.02 * i, 1e-12);
    }
    must(weft_sim_release(made.sim, 0, 0));
    for (int i = 0; i < 10; i++)
        step(made, dt);
    /* thrown at 2 m/s, with nothing to slow it down */
    assert_near(weft_sim_positions(made.sim, 0)[0].x, 0.4, 1e-9);
    assert_says(weft_sim_release(made.sim, 0, 0), "vertex 0 is not dragged");
    assert_says(weft_sim_drag(made.sim, 0, 4, weft_vec3_make(0, 0, 0)), "there are 4 vertices");
    assert_says(weft_sim_drag(made.sim, 0, 0, weft_vec3_make(NAN, 0, 0)), "not finite");
    destroy(made);
}

static void released_vertices_keep_drag_velocity(void **state) {
    (void)state;
    check_drag("symplectic-euler");
    check_drag("verlet");
    check_drag("verlet-taylor");
    check_drag("implicit-euler");
    check_drag("bdf2"); /* a two-step formula must not throw it faster than it was dragged */
}

static void restored_snapshot_continues_bit_identically(void **state) {
    (void)state;
    static const char *const NAMES[] = {"symplectic-euler", "verlet", "verlet-constraints"};
    for (int k = 0; k < 3; k++) {
        test_sim made = make_sheet(8, 8, 1, 1, NAMES[k]);
        set(made, "cloth.model.tear", "1.05");
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        must(weft_sim_add_force(made.sim, "wind", NULL));
        set(made, "forces.wind.randomness", "0.5");
        pin(made, &TOP);
        for (int i = 0; i < 50; i++)
            step(made, 0.002);
        must(weft_sim_drag(made.sim, 0, 40, weft_vec3_make(0.5, -0.5, 0.2)));
        step(made, 0.002);
        size_t size = weft_sim_snapshot_size(made.sim);
        void *bytes = malloc(size);
        weft_sim_snapshot(made.sim, bytes);
        uint64_t hash[2];
        for (int round = 0; round < 2; round++) {
            must(weft_sim_restore(made.sim, bytes, size));
            for (int i = 0; i < 50; i++)
                step(made, 0.002);
            hash[round] = weft_sim_hash(made.sim);
        }
        assert_int_equal(hash[0], hash[1]);

        assert_says(weft_sim_restore(made.sim, bytes, size - 1), "do not fit");
        assert_says(weft_sim_restore(made.sim, bytes, 10), "at least");
        for (size_t at = 0; at + 8 < size; at += 8) { /* overwritten at any place, a snapshot is refused without effect
                                                       * or harmless */
            char kept[8];
            memcpy(kept, (char *)bytes + at, 8);
            memset((char *)bytes + at, 0xff, 8);
            uint64_t before = weft_sim_hash(made.sim);
            weft_result result = weft_sim_restore(made.sim, bytes, size);
            if (result.code != WEFT_OK)
                assert_int_equal(weft_sim_hash(made.sim), before);
            memcpy((char *)bytes + at, kept, 8);
        }
        free(bytes);
        destroy(made);
    }
}

static void parameters_can_change_during_simulation(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "symplectic-euler");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    pin(made, &TOP);
    double mass = measure(made).mass;
    char text[64];
    must(weft_sim_get(made.sim, "cloth.sheet.fabric.density", text, sizeof text));
    double density = atof(text);
    assert_near(mass, density, 1e-12); /* one square metre */
    must(weft_sim_set_real(made.sim, "cloth.0.fabric.density", 3 * density));
    assert_near(measure(made).mass, 3 * mass, 1e-12);
    set(made, "cloth.fabric.density", "120 g/m2");
    assert_near(measure(made).mass, 0.12, 1e-12);

    assert_says(weft_sim_set(made.sim, "cloth.fabric.density", "-3"), "-3 is below 0");
    assert_says(weft_sim_set(made.sim, "cloth.fabric.density", "3 m"), "unknown unit");
    assert_says(weft_sim_set(made.sim, "cloth.fabric.densty", "3"), "did you mean 'density'?");
    assert_says(weft_sim_set(made.sim, "cloth.model.tear", "wide"), "not a number");
    assert_says(weft_sim_set(made.sim, "forces.wind.speed", "1"), "no parameter 'forces.wind.speed'");
    assert_says(weft_sim_set_integrator(made.sim, "rk4"), "unknown integrator 'rk4'; known: ");
    assert_near(measure(made).mass, 0.12, 1e-12);

    set(made, "forces.gravity.acceleration", "[0, 5, 0]");
    for (int i = 0; i < 10; i++)
        step(made, 0.001);
    assert_true(weft_sim_positions(made.sim, 0)[20].y > -1);

    /* every listed path can be read, and accepts the value that it returns */
    char path[200];
    const weft_param *row;
    int listed = 0;
    for (; weft_sim_param_at(made.sim, listed, path, sizeof path, &row); listed++) {
        char value[WEFT_STRING_SIZE];
        must(weft_sim_get(made.sim, path, value, sizeof value));
        if (!(row->flags & WEFT_FIXED))
            must(weft_sim_set(made.sim, path, value));
    }
    assert_true(listed > 20);
    destroy(made);
}

static weft_result create_nothing(const void *settings, const weft_cloth *cloth, void **self) {
    (void)settings;
    (void)cloth;
    *self = malloc(1);
    return weft_ok();
}

static void no_force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    (void)self, (void)work, (void)x, (void)v, (void)f;
}

static void short_paths_need_a_single_cloth(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "symplectic-euler");
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    weft_fabric fabric;
    weft_params_default(weft_fabric_params(), &fabric);
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "lining", mesh, &fabric, "springs", NULL));
    assert_says(weft_sim_set(made.sim, "cloth.fabric.density", "3"),
                "'cloth.fabric.density': there are 2 cloths; name one of them, as in 'cloth.sheet.fabric.density'");
    assert_says(weft_sim_set(made.sim, "cloth.model.tear", "3"), "as in 'cloth.sheet.model.tear'");
    must(weft_sim_set(made.sim, "cloth.lining.fabric.density", "0.2"));
    destroy(made);
}

static void unsupported_model_and_integrator_are_named(void **state) {
    (void)state;
    static const weft_model_functions FUNCTIONS = {
        .gives = WEFT_FORCES, .create = create_nothing, .destroy = free, .force = no_force};
    static const weft_component DUST = {
        .abi = WEFT_ABI, .kind = WEFT_MODEL, .name = "dust", .help = "no forces at all", .functions = &FUNCTIONS};
    weft_registry *registry;
    weft_sim *sim;
    weft_mesh *mesh;
    must(weft_registry_create(&registry));
    must(weft_registry_add(registry, &DUST));
    assert_says(weft_registry_add(registry, &DUST), "already a model 'dust'");
    must(weft_sim_create(registry, &sim));
    plain_sim(sim);
    weft_grid grid = weft_grid_default();
    must(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric;
    weft_params_default(weft_fabric_params(), &fabric);
    must(weft_sim_add_cloth(sim, "cloud", mesh, &fabric, "dust", NULL));
    plain_model(sim);
    must(weft_sim_set_integrator(sim, "verlet-constraints"));
    assert_says(weft_sim_prepare(sim), "integrator 'verlet-constraints' cannot move model 'dust' of cloth 'cloud'");
    assert_says(weft_sim_prepare(sim), "symplectic-euler");
    must(weft_sim_set_integrator(sim, "verlet"));
    must(weft_sim_set(sim, "cloth.fabric.tear_warp", "0.2"));
    assert_says(weft_sim_prepare(sim), "cloth 'cloud': fabric.tear_warp: model 'dust' does not tear at a strain of the "
                                       "yarns; springs, corotational and buckling do");
    must(weft_sim_set(sim, "cloth.fabric.tear_warp", "0"));
    must(weft_sim_prepare(sim));
    assert_says(weft_sim_set_integrator(sim, "verlett"), "did you mean 'verlet'?");
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

static void bad_components_are_refused(void **state) {
    (void)state;
    static const weft_model_functions FUNCTIONS = {.gives = WEFT_FORCES};
    static const weft_param BROKEN[] = {
        {.name = "much",
         .type = WEFT_REAL,
         .high = 1,
         .fallback = "2",
         .unit = "",
         .help = "a default above its own range"},
        {0},
    };
    weft_component component = {
        .abi = WEFT_ABI + 1, .kind = WEFT_MODEL, .name = "old", .help = "old", .functions = &FUNCTIONS};
    weft_registry *registry;
    must(weft_registry_create(&registry));
    assert_says(weft_registry_add(registry, &component), "ABI");
    component.abi = WEFT_ABI;
    component.params = BROKEN;
    component.settings_size = sizeof(double);
    assert_says(weft_registry_add(registry, &component), "2 is above 1");
    component.settings_size = 0;
    assert_says(weft_registry_add(registry, &component), "outside the settings");
    static const weft_param LONG[] = {
        {.name = "axis", .type = WEFT_VECTOR, .fallback = "[0, 1, 0]", .unit = "", .help = "three numbers"},
        {0},
    };
    component.params = LONG;
    component.settings_size = sizeof(double); /* the second and third number would lie behind the settings */
    assert_says(weft_registry_add(registry, &component), "outside the settings");
    static const weft_param BARE[] = {{.name = "axis", .type = WEFT_REAL, .fallback = "0", .unit = ""}, {0}};
    component.params = BARE;
    assert_says(weft_registry_add(registry, &component), "needs a default, a unit and help");
    component.params = NULL;
    assert_says(weft_registry_add(registry, &component), "lacks the functions create and destroy");
    weft_registry_destroy(registry);
}

static void pulled_sheet_tears_and_keeps_mass(void **state) {
    (void)state;
    test_sim made = make_sheet(10, 6, 1, 0.6, "symplectic-euler");
    set(made, "cloth.model.structural_stiffness", "300");
    set(made, "cloth.model.shear_stiffness", "100");
    set(made, "cloth.model.flexion_stiffness", "50");
    set(made, "cloth.model.damping", "0.05");
    set(made, "cloth.model.tear", "1.5");
    must(weft_sim_prepare(made.sim));
    int32_t side[16], count;
    weft_select select = {.kind = WEFT_SELECT_SIDE, .name = "left"};
    must(weft_sim_select(made.sim, 0, &select, side, &count));
    weft_pin still = weft_pin_default(), pulled = weft_pin_default();
    must(weft_sim_add_pin(made.sim, 0, &still, side, count));
    select.name = "right";
    must(weft_sim_select(made.sim, 0, &select, side, &count));
    weft_key keys[] = {{0, {0, 0, 0}, 0}, {2, {2, 0, 0}, 0}};
    pulled.key = keys;
    pulled.key_count = 2;
    must(weft_sim_add_pin(made.sim, 0, &pulled, side, count));
    double mass = measure(made).mass;
    for (int i = 0; i < 4000; i++)
        step(made, 0.0005);
    weft_measures m = measure(made);
    assert_true(m.links_broken > 6);
    assert_near(m.mass, mass, 1e-15);
    int open = 0;
    const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
    for (int32_t i = 0; i < mesh->face_count; i++)
        open += weft_sim_open_faces(made.sim, 0)[i];
    assert_in_range(open, 6, 30);
    assert_true(m.stretch_max < 0.5); /* unbroken springs do not exceed the tear ratio */
    destroy(made);
}

static void frames_are_divided_into_steps(void **state) {
    (void)state;
    test_sim made = make_sheet(2, 2, 1, 1, "verlet-taylor");
    set(made, "time.rate", "60");
    set(made, "time.step", "0.005");
    int32_t steps;
    weft_report report;
    must(weft_sim_advance_frame(made.sim, &report, &steps));
    assert_int_equal(steps, 4); /* 16.7 ms in equal steps of at most 5 ms */
    assert_near(weft_sim_time(made.sim), 1.0 / 60, 1e-15);
    set(made, "time.step", "8.3333333333333333 ms"); /* 1/120 s, rounded */
    must(weft_sim_advance_frame(made.sim, &report, &steps));
    assert_int_equal(steps, 2);
    set(made, "time.mode", "variable");
    set(made, "time.jitter", "0.5");
    set(made, "time.step", "0.004");
    for (int i = 0; i < 100; i++) {
        must(weft_sim_advance_frame(made.sim, &report, &steps));
        assert_in_range(steps, 5, 9);
        assert_near(weft_sim_time(made.sim), (i + 3) / 60.0, 1e-12);
    }
    assert_says(weft_sim_step(made.sim, -1, &report), "above 0");
    assert_says(weft_sim_step(made.sim, NAN, &report), "above 0");
    destroy(made);
}

/* The number of steps is the same in every frame, and so are the bits of their length, which is at most that asked for.
 */
static void fixed_steps_are_fixed(void **state) {
    (void)state;
    const struct {
        double rate, step;
        int count;
    } pairs[] = {{30, 1e-4, 334},
                 {60, 0.005, 4},
                 {60, 1.0 / 600, 10},
                 {60, (double)(float)(1.0 / 600), 10},
                 {60, 0.001666667, 10},
                 {60, 0.0166667, 1},
                 {60, 0.0166, 2},
                 {24, 1.0 / 240, 10},
                 {25, 0.001, 40},
                 {29.97, 0.0033, 11},
                 {90, 0.01111, 2},
                 {90, 0.0111112, 1},
                 {1e6, 1e-7, 10},
                 {3, 1.0 / 30, 10},
                 {7, 1.0 / 49, 7},
                 {1, 0.07, 15},
                 {0.1, 3, 4}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        test_sim made = make_sheet(1, 1, 1, 1, "symplectic-euler");
        set(made, "cloth.model.structural", "false"); /* no stiffness, so that no step is too long */
        set(made, "cloth.model.shear", "false");
        set(made, "cloth.model.flexion", "false");
        must(weft_sim_set_real(made.sim, "time.rate", pairs[i].rate));
        must(weft_sim_set_real(made.sim, "time.step", pairs[i].step));
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        double first = 0;
        for (int frame = 1; frame <= 40; frame++) {
            weft_report report;
            int32_t steps;
            must(weft_sim_advance_frame(made.sim, &report, &steps));
            if (steps != pairs[i].count)
                fail_msg("%g frames/s, step %.9g s: %d steps in frame %d, expected %d", pairs[i].rate, pairs[i].step,
                         steps, frame, pairs[i].count);
            first = frame == 1 ? report.dt : first;
            if (report.dt != first || !(report.dt <= pairs[i].step * (1 + 1e-6)))
                fail_msg("%g frames/s, step %.9g s: frame %d ends with a step of %.17g s, the first with %.17g s",
                         pairs[i].rate, pairs[i].step, frame, report.dt, first);
            assert_near(weft_sim_time(made.sim), frame / pairs[i].rate, 0);
        }
        destroy(made);
    }
}

/* What is left of a frame after the rate changed, or after a step was made directly, has equal steps as well. */
static void broken_frames_keep_to_the_step(void **state) {
    (void)state;
    static const char *const RATES[] = {"60", "25", "60", "10", "240"};
    test_sim made = make_sheet(1, 1, 1, 1, "symplectic-euler");
    set(made, "time.step", "3 ms");
    for (int i = 0; i < 20; i++) {
        weft_report report;
        int32_t done = 0;
        set(made, "time.rate", RATES[i % 5]);
        for (int n = 0; !done; n++) {
            if (i % 3 == 1 && n == i % 4)
                step(made, 0.0007);
            double before = weft_sim_time(made.sim);
            must(weft_sim_advance_step(made.sim, &report, &done));
            assert_true(report.dt <= 0.003 * (1 + 1e-6));
            assert_near(weft_sim_time(made.sim) - before, report.dt, 1e-15);
        }
    }
    destroy(made);
}

/* A step that is much too long is halved until it succeeds. Without halvings the failure is reported and the step
 * rolled back. */
static void diverging_steps_are_halved_or_rolled_back(void **state) {
    (void)state;
    test_sim made = make_sheet(6, 6, 1, 1, "symplectic-euler");
    set(made, "cloth.model.structural_stiffness", "1e5");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    pin(made, &TOP);
    weft_report report = {0};
    int i = 0;
    uint64_t last = 0;
    for (; i < 1000 && report.status == WEFT_STATUS_OK; i++) {
        last = weft_sim_hash(made.sim);
        try_step(made, 0.02, &report);
        if (report.halvings > 0)
            break;
    }
    assert_true(i < 1000);
    set(made, "time.halvings", "0");
    for (i = 0; i < 1000; i++) {
        last = weft_sim_hash(made.sim);
        try_step(made, 0.05, &report);
        if (report.status != WEFT_STATUS_OK)
            break;
    }
    assert_int_equal(report.status, WEFT_STATUS_DIVERGED);
    assert_int_equal(weft_sim_hash(made.sim), last);
    destroy(made);
}

/* With contact an exploding cloth is reported while it is small: detection would take minutes over a large tangle. */
static void explosions_with_contact_are_noticed_early(void **state) {
    (void)state;
    test_sim made = make_sheet(6, 6, 1, 1, "symplectic-euler");
    set(made, "cloth.model.structural_stiffness", "1e6");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.at", "[0, -5, 0]");
    pin(made, &TOP);
    weft_report report = {0};
    for (int i = 0; i < 1000 && report.status == WEFT_STATUS_OK; i++)
        try_step(made, 1e-3, &report);
    assert_int_equal(report.status, WEFT_STATUS_DIVERGED);
    const weft_vec3 *x = weft_sim_positions(made.sim, 0);
    for (int32_t i = 0; i < weft_sim_cloth(made.sim, 0)->mesh->vertex_count; i++)
        assert_true(weft_length(x[i]) < 100); /* m; the sheet is 1 m wide */
    destroy(made);
}

/* A caller who ignores reports and only checks results still notices that the time stands still. */
static void failed_steps_are_errors(void **state) {
    (void)state;
    test_sim made = make_sheet(6, 6, 1, 1, "symplectic-euler");
    set(made, "cloth.model.structural_stiffness", "1e7");
    set(made, "time.halvings", "0");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    pin(made, &TOP);
    weft_result result = weft_ok();
    for (int i = 0; i < 1000 && result.code == WEFT_OK; i++)
        result = weft_sim_advance_frame(made.sim, NULL, NULL);
    assert_int_equal(result.code, WEFT_DIVERGED);
    assert_says(result, "diverged");
    assert_says(result, "the largest stable step of 'symplectic-euler' is about");
    assert_says(result, "shorten time.step");
    int32_t done = 1;
    weft_report report;
    double time = weft_sim_time(made.sim);
    assert_int_equal(weft_sim_advance_step(made.sim, &report, &done).code, WEFT_DIVERGED);
    assert_int_equal(report.status, WEFT_STATUS_DIVERGED);
    assert_int_equal(done, 0);
    assert_int_equal(weft_sim_step(made.sim, 0.005, NULL).code, WEFT_DIVERGED);
    assert_true(weft_sim_time(made.sim) == time);
    assert_says(result, ", or use an implicit integrator");
    destroy(made);
}

static void implicit_integrators_are_not_advised_to_become_implicit(void **state) {
    (void)state;
    test_sim made = make_sheet(6, 6, 1, 1, "bdf2");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    weft_result result = weft_sim_step(made.sim, 1e300, NULL);
    assert_int_equal(result.code, WEFT_DIVERGED);
    assert_says(result, "shorten time.step");
    assert_null(strstr(result.message, "implicit"));
    destroy(made);
}

static void selections_find_vertices_and_name_errors(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 3, 1, 1, "verlet");
    must(weft_sim_prepare(made.sim));
    int32_t found[20], count;
    struct {
        weft_select select;
        int expected;
    } cases[] = {
        {{.kind = WEFT_SELECT_SIDE, .name = "left"}, 4},
        {{.kind = WEFT_SELECT_SIDE, .name = "bottom"}, 5},
        {{.kind = WEFT_SELECT_CORNER, .name = "bottom-right"}, 1},
        {{.kind = WEFT_SELECT_BOX, .a = {1, 1, 1}, .b = {0.5, -0.4, -1}}, 6},
        {{.kind = WEFT_SELECT_SPHERE, .a = {0, 0, 0}, .radius = 0.3}, 2},
        {{.kind = WEFT_SELECT_NEAREST, .a = {0.9, -0.9, 3}}, 1},
        {{.kind = WEFT_SELECT_ALL}, 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        must(weft_sim_select(made.sim, 0, &cases[i].select, found, &count));
        assert_int_equal(count, cases[i].expected);
    }
    assert_says(
        weft_sim_select(made.sim, 0, &(weft_select){.kind = WEFT_SELECT_GROUP, .name = "collar"}, found, &count),
        "'collar' selects no vertex");
    int32_t wrong = 20;
    weft_select by_number = {.kind = WEFT_SELECT_VERTICES, .vertices = &wrong, .vertex_count = 1};
    assert_says(weft_sim_select(made.sim, 0, &by_number, found, &count), "vertex 20: there are 20 vertices");
    assert_says(weft_sim_select(made.sim, 1, &cases[0].select, found, &count), "there are 1 cloths");
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hanging_strip_becomes_catenary),
        cmocka_unit_test(pins_hold_move_and_release),
        cmocka_unit_test(pins_rotate_about_axis),
        cmocka_unit_test(released_vertices_keep_drag_velocity),
        cmocka_unit_test(restored_snapshot_continues_bit_identically),
        cmocka_unit_test(parameters_can_change_during_simulation),
        cmocka_unit_test(short_paths_need_a_single_cloth),
        cmocka_unit_test(unsupported_model_and_integrator_are_named),
        cmocka_unit_test(bad_components_are_refused),
        cmocka_unit_test(pulled_sheet_tears_and_keeps_mass),
        cmocka_unit_test(frames_are_divided_into_steps),
        cmocka_unit_test(fixed_steps_are_fixed),
        cmocka_unit_test(broken_frames_keep_to_the_step),
        cmocka_unit_test(diverging_steps_are_halved_or_rolled_back),
        cmocka_unit_test(explosions_with_contact_are_noticed_early),
        cmocka_unit_test(failed_steps_are_errors),
        cmocka_unit_test(implicit_integrators_are_not_advised_to_become_implicit),
        cmocka_unit_test(selections_find_vertices_and_name_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
