/* Contact within a step: an independent count of intersections, friction against Coulomb's law, momentum, and thread
 * counts. */
#include "contact/response.h"
#include "unit/contact_support.h"

static weft_fabric cotton(double friction) {
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    fabric.friction = friction;
    return fabric;
}

static void add_sheet(test_sim made, const char *name, int cells, double size, weft_vec3 origin, weft_vec3 u,
                      weft_vec3 v, double friction, weft_vec3 velocity) {
    weft_fabric fabric = cotton(friction);
    int32_t index;
    must(weft_sim_add_cloth(made.sim, name, make_square(cells, size, origin, u, v), &fabric, "springs", &index));
    plain_model(made.sim);
    must(weft_sim_set_velocity(made.sim, index, velocity));
}

static const weft_vec3 STILL = {0, 0, 0};

static void add_body(test_sim made, const char *name) { must(weft_sim_add_body(made.sim, name, NULL, NULL)); }

/* Takes steps, each without an intersection at its end. Returns the sum of their reports. */
static weft_contact_report run(test_sim made, double dt, int steps) {
    weft_contact_report sum = {0};
    for (int i = 0; i < steps; i++) {
        weft_report report = checked_step(made, dt);
        sum.contacts += report.contact.contacts;
        sum.impulses += report.contact.impulses;
        sum.zones += report.contact.zones;
    }
    return sum;
}

/* `how`: barrier, or how constraints hold what touches (impulse, constraint). */
static void set_method(test_sim made, const char *parameter, const char *how) {
    int barrier = strcmp(how, "barrier") == 0;
    set(made, "contact.method", barrier ? "barrier" : "constraints");
    if (!barrier)
        set(made, parameter, how);
}

/* A patch at rest on an incline. Its slope is `ratio` times the coefficient of friction. */
static test_sim make_incline(double mu, double ratio, const char *integrator, const char *method, double *angle) {
    test_sim made = start_with(integrator);
    *angle = atan(ratio * mu);
    weft_vec3 along, at = on_incline(*angle, &along);
    add_sheet(made, "patch", 4, 0.1, at, along, Z, 0.3, STILL);
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    add_incline(made, *angle, mu);
    set(made, "contact.thickness", "2 mm");
    set_method(made, "contact.bodies", method);
    return made;
}

static void patch_sticks_below_friction_angle(void **state) {
    (void)state;
    static const char *const INTEGRATORS[] = {"implicit-euler", "bdf2"};
    static const char *const METHODS[] = {"impulse", "constraint", "barrier"};
    for (int i = 0; i < 6; i++) {
        double angle;
        test_sim made = make_incline(0.5, 0.95, INTEGRATORS[i % 2], METHODS[i / 2], &angle);
        weft_vec3 before = measure(made).centre;
        for (int k = 0; k < 2000; k++)
            step(made, 0.005);
        assert_near(weft_distance(measure(made).centre, before), 0, 1e-3);
        destroy(made);
    }
}

static void patch_slides_by_coulombs_law(void **state) {
    (void)state;
    static const char *const INTEGRATORS[] = {"implicit-euler", "bdf2", "symplectic-euler", "verlet"};
    static const char *const METHODS[] = {"impulse", "constraint", "barrier", "impulse"};
    for (int i = 0; i < 8; i++) {
        const double mu = 0.5, ratio = 1.05, time = 1;
        double angle, dt = i >= 6 ? 2e-4 : 0.005;
        test_sim made = make_incline(mu, ratio, INTEGRATORS[i % 2 + (i >= 6 ? 2 : 0)], METHODS[i / 2], &angle);
        assert_slides_by_coulombs_law(made, mu, angle, time, dt);
        destroy(made);
    }
}

static void exchange_momentum(const char *method, const char *strain_limit) {
    test_sim made = start_with("implicit-euler");
    set_method(made, "contact.layers", method);
    set(made, "contact.strain_limit", strain_limit);
    add_sheet(made, "one", 8, 0.4, weft_vec3_make(0, 0, 0), X, Z, 0.5, STILL);
    add_sheet(made, "two", 7, 0.4, weft_vec3_make(0.05, 0.01, 0.03), X, Z, 0.5, weft_vec3_make(0.5, -1, 0.2));
    set(made, "contact.self", "true");
    set(made, "integrator.tolerance", "1e-11"); /* the solve itself conserves momentum only to its tolerance */
    weft_vec3 before = measure(made).momentum;
    weft_contact_report done = run(made, 0.004, 25);
    assert_true(done.contacts + done.impulses > 0);
    weft_vec3 after = measure(made).momentum;
    assert_near(weft_distance(before, after), 0, 1e-10 * weft_length(before));
    destroy(made);
}

static void contact_conserves_momentum(void **state) {
    (void)state;
    exchange_momentum("impulse", "0");
    exchange_momentum("constraint", "0");
    exchange_momentum("impulse", "0.001");
    exchange_momentum("barrier", "0");
}

/* A small heavy sheet hangs by its top side. Without a strain limit its springs would stretch too far. */
static void strain_limit_is_respected(void **state) {
    (void)state;
    double most[2];
    for (int i = 0; i < 2; i++) {
        test_sim made = start_with("implicit-euler");
        add_sheet(made, "sheet", 8, 0.4, weft_vec3_make(0, 0, 0), X, weft_vec3_make(0, -1, 0), 0.3, STILL);
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        set(made, "cloth.fabric.density", "30");
        set(made, "contact.strain_limit", i == 0 ? "0" : "0.05");
        weft_select side = {.kind = WEFT_SELECT_SIDE, .name = "top"};
        pin(made, &side);
        for (int k = 0; k < 100; k++)
            step(made, 0.005);
        most[i] = measure(made).stretch_max;
        destroy(made);
    }
    assert_true(most[0] > 0.1);
    assert_true(most[1] < 0.06);
}

static test_sim make_drape(void) {
    test_sim made = start_with("implicit-euler");
    add_sheet(made, "sheet", 20, 0.6, weft_vec3_make(-0.3, 0.31, -0.28), X, Z, 0.3, STILL);
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    add_body(made, "sphere");
    add_body(made, "plane");
    set(made, "bodies.sphere.radius", "0.15");
    set(made, "bodies.sphere.at", "[0, 0.15, 0]");
    set(made, "contact.self", "true");
    set(made, "contact.thickness", "4 mm");
    return made;
}

static void drape_over_sphere_never_intersects(void **state) {
    (void)state;
    const double steps[3] = {1.0 / 60, 1.0 / 120, 1.0 / 300};
    for (int i = 0; i < 3; i++) {
        test_sim made = make_drape();
        weft_contact_report done = run(made, steps[i], (int)(0.4 / steps[i] + 0.5));
        assert_true(done.contacts > 100);
        destroy(made);
    }
}

static void drape_over_box_corner_never_intersects(void **state) {
    (void)state;
    test_sim made = start_with("implicit-euler");
    add_sheet(made, "sheet", 20, 0.6, weft_vec3_make(-0.3, 0.21, -0.28), X, Z, 0.3, STILL);
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    add_body(made, "box");
    set(made, "bodies.box.size", "[0.2, 0.2, 0.2]");
    set(made, "bodies.box.rotate", "[0.7853981634, 0, 0.6154797087]"); /* a corner points up */
    set(made, "contact.self", "true");
    set(made, "contact.thickness", "4 mm");
    run(made, 0.005, 60);
    destroy(made);
}

/* 30 m/s in steps of 1/60 s: half a metre per step. */
static test_sim throw_sheet(void) {
    test_sim made = start_with("implicit-euler");
    set(made, "contact.self", "true");
    return made;
}

static void add_fast_sheet(test_sim made) {
    add_sheet(made, "fast", 8, 0.3, weft_vec3_make(-0.15, 0.2, -0.14), X, Z, 0.3, weft_vec3_make(0, -30, 0));
}

/* No vertex passes a sheet that is held everywhere. */
static void fast_sheet_does_not_tunnel_through_sheet(void **state) {
    (void)state;
    test_sim made = throw_sheet();
    add_sheet(made, "wall", 12, 2, weft_vec3_make(-1, 0, -1), X, Z, 0.3, STILL);
    add_fast_sheet(made);
    pin(made, &(weft_select){.kind = WEFT_SELECT_ALL});
    int32_t hits = 0;
    for (int i = 0; i < 8; i++) {
        weft_contact_report done = run(made, 1.0 / 60, 1);
        hits += done.impulses + done.contacts;
        for (int32_t v = 0; v < 81; v++)
            assert_true(weft_sim_positions(made.sim, 1)[v].y > 0);
    }
    assert_true(hits > 0);
    destroy(made);
}

/* Counts how often the first cloth crosses the vertical line through (x, z), above and below y = 0. */
static void meet_line(test_sim made, double x, double z, int *above, int *below) {
    const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
    const weft_vec3 *p = weft_sim_positions(made.sim, 0);
    *above = *below = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        double weight[3], sum = 0, height = 0;
        for (int k = 0; k < 3; k++) { /* signed areas seen from above */
            weft_vec3 a = p[mesh->triangle[t][(k + 1) % 3]], b = p[mesh->triangle[t][(k + 2) % 3]];
            weight[k] = (a.x - x) * (b.z - z) - (a.z - z) * (b.x - x);
            sum += weight[k];
            height += weight[k] * p[mesh->triangle[t][k]].y;
        }
        if (weight[0] / sum > 0 && weight[1] / sum > 0 && weight[2] / sum > 0)
            ++*(height / sum > 0 ? above : below);
    }
}

/* Needles 8 mm thick, much thinner than a cell, with the tip at y = 0. The sheet must cross their axis above the tip
 * and nowhere below. */
static void fast_sheet_does_not_tunnel_onto_needle(void **state) {
    (void)state;
    static const char *const SHAPES[] = {"capsule", "box"};
    for (int k = 0; k < 2; k++) {
        test_sim made = throw_sheet();
        add_fast_sheet(made);
        add_body(made, SHAPES[k]);
        if (k == 0) {
            set(made, "bodies.capsule.radius", "4 mm");
            set(made, "bodies.capsule.length", "0.4");
            set(made, "bodies.capsule.segments", "8");
            set(made, "bodies.capsule.at", "[0.02, -0.204, 0.015]");
        } else {
            set(made, "bodies.box.size", "[0.008, 0.4, 0.008]");
            set(made, "bodies.box.at", "[0.02, -0.2, 0.015]");
        }
        int32_t contacts = 0;
        for (int i = 0; i < 4; i++) { /* later its springs throw it off */
            weft_contact_report done = run(made, 1.0 / 60, 1);
            contacts += done.impulses + done.contacts;
            int above, below;
            meet_line(made, 0.02, 0.015, &above, &below);
            assert_true(above % 2 == 1 && below == 0);
        }
        assert_true(contacts > 0);
        destroy(made);
    }
}

static void moving_body_carries_cloth_by_friction(void **state) {
    (void)state;
    test_sim made = start_with("implicit-euler");
    add_sheet(made, "sheet", 6, 0.2, weft_vec3_make(-0.1, 0.002, -0.1), X, Z, 0.3, STILL);
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    add_body(made, "box");
    set(made, "bodies.box.size", "[1, 0.1, 1]");
    set(made, "bodies.box.at", "[0, -0.05, 0]");
    set(made, "bodies.box.friction", "0.5");
    const weft_body_key keys[] = {{0, {0, 0, 0}, 0, 1}, {1, {1, 0, 0}, 0, 1}}; /* at 1 m/s from the start: the sheet
                                                                                * slides at first */
    must(weft_sim_set_body_keys(made.sim, 0, keys, 2));
    run(made, 0.005, 200);
    /* it slides until v = mu g t, then moves with the box: 1 m less the lost distance v^2 / (2 mu g) */
    assert_near(measure(made).centre.x, 1 - 1 / (2 * 0.5 * 9.81), 0.01);
    assert_near(measure(made).momentum.x / measure(made).mass, 1, 0.01);
    destroy(made);
}

/* A sheet that hits a needle does not slow down another sheet that falls elsewhere. */
static void impact_does_not_slow_distant_cloth(void **state) {
    (void)state;
    test_sim made = start_with("implicit-euler");
    add_sheet(made, "hits", 12, 0.4, weft_vec3_make(-0.2, 0.22, -0.19), X, Z, 0.3, weft_vec3_make(0, -2, 0));
    add_sheet(made, "falls", 4, 0.4, weft_vec3_make(-0.2, 2, -0.2), X, Z, 0.3, STILL);
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    add_body(made, "capsule");
    set(made, "bodies.capsule.radius", "4 mm");
    set(made, "bodies.capsule.length", "0.4");
    set(made, "bodies.capsule.segments", "8");
    set(made, "contact.self", "true");
    weft_contact_report done = run(made, 0.005, 20);
    assert_true(done.contacts > 0);
    assert_near(weft_sim_velocities(made.sim, 1)[0].y, -9.81 * 0.1, 0.01);
    destroy(made);
}

/* Each vertex of a sheet on a plane counts as one constraint or impulse. */
/* Also with the words and names that `bodies` and `layers` had as choices. */
static uint64_t slide(const char *const settings[3][2]) {
    double angle;
    test_sim made = make_incline(0.5, 1.05, "implicit-euler", "impulse", &angle);
    for (int i = 0; i < 3; i++)
        set(made, settings[i][0], settings[i][1]);
    for (int k = 0; k < 20; k++)
        step(made, 0.005);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

static void method_impulses_has_no_constraints(void **state) {
    (void)state;
    static const char *const BY_METHOD[][2] = {
        {"contact.method", "impulses"}, {"contact.constraints.bodies", "true"}, {"contact.constraints.layers", "true"}};
    static const char *const FORMER[][2] = {
        {"contact.method", "constraints"}, {"contact.bodies", "impulse"}, {"contact.layers", "impulse"}};
    static const char *const CONSTRAINTS[][2] = {
        {"contact.method", "constraints"}, {"contact.bodies", "constraint"}, {"contact.layers", "constraint"}};
    uint64_t by_method = slide(BY_METHOD);
    assert_true(by_method == slide(FORMER));
    assert_true(by_method != slide(CONSTRAINTS));
}

static void contacts_are_counted_once(void **state) {
    (void)state;
    static const char *const METHODS[] = {"impulse", "constraint"};
    for (int i = 0; i < 2; i++) {
        test_sim made = start_with("implicit-euler");
        add_sheet(made, "sheet", 6, 0.2, weft_vec3_make(-0.1, 0.001, -0.1), X, Z, 0.3, STILL);
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        add_body(made, "plane");
        set_method(made, "contact.bodies", METHODS[i]);
        set(made, "contact.thickness", "2 mm");
        weft_contact_report done = run(made, 0.005, 1);
        assert_int_equal(done.contacts, 7 * 7);
        destroy(made);
    }
}

static uint64_t drape_hash(int threads, const char *search) {
    test_sim made = make_drape();
    set(made, "contact.search", search);
    weft_sim_set_threads(made.sim, threads);
    for (int i = 0; i < 60; i++)
        step(made, 0.006);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    uint64_t one = drape_hash(1, "tree");
    assert_true(drape_hash(2, "tree") == one);
    assert_true(drape_hash(5, "tree") == one);
}

static void broad_phases_agree_bit_identically(void **state) {
    (void)state;
    assert_true(drape_hash(1, "tree") == drape_hash(2, "hash"));
}

/* Tests all edges against all triangles by another formula: the point where the edge meets the plane of the
 * triangle. */
static int64_t count_by_force(const weft_audit_surface *a, const weft_audit_surface *b) {
    int64_t count = 0;
    for (int32_t i = 0; i < a->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            for (int32_t j = 0; j < b->triangle_count; j++) {
                if (a == b && i == j)
                    continue;
                weft_vec3 p = a->x[a->triangle[i][k]], q = a->x[a->triangle[i][(k + 1) % 3]];
                weft_vec3 u = b->x[b->triangle[j][0]], v = b->x[b->triangle[j][1]], w = b->x[b->triangle[j][2]];
                weft_vec3 n = weft_cross(weft_sub(v, u), weft_sub(w, u));
                double from = weft_dot(n, weft_sub(p, u)), to = weft_dot(n, weft_sub(q, u));
                if (from * to >= 0)
                    continue;
                weft_vec3 at = weft_add_scaled(p, from / (from - to), weft_sub(q, p));
                count += weft_dot(n, weft_cross(weft_sub(v, u), weft_sub(at, u))) > 0 &&
                         weft_dot(n, weft_cross(weft_sub(w, v), weft_sub(at, v))) > 0 &&
                         weft_dot(n, weft_cross(weft_sub(u, w), weft_sub(at, w))) > 0;
            }
    return count;
}

static void audit_matches_brute_force(void **state) {
    (void)state;
    enum { TRIANGLES = 60 };
    weft_vec3 x[2][3 * TRIANGLES];
    int32_t triangle[TRIANGLES][3];
    for (int i = 0; i < 3 * TRIANGLES; i++) {
        triangle[i / 3][i % 3] = i;
        for (int s = 0; s < 2; s++) {
            uint64_t c = (uint64_t)(6 * i + 3 * s);
            x[s][i] = weft_vec3_make(weft_random(3, c), weft_random(3, c + 1), weft_random(3, c + 2));
        }
    }
    weft_audit_surface a = {x[0], 3 * TRIANGLES, TRIANGLES, (const int32_t(*)[3])triangle, NULL}, b = a;
    b.x = x[1];
    int64_t found, expected = count_by_force(&a, &b) + count_by_force(&b, &a);
    must(weft_audit(&a, &b, &found));
    assert_true(expected > 100);
    assert_int_equal(found, expected);
    must(weft_audit(&a, NULL, &found));
    assert_int_equal(found, count_by_force(&a, &a));
    uint8_t skip[TRIANGLES];
    memset(skip, 1, sizeof skip);
    a.skip = skip;
    must(weft_audit(&a, &b, &found));
    assert_int_equal(found, 0);
}

/* Adjacent coplanar triangles, as adaptation produces them by splitting. Only rounding errors separate them. */
static void audit_ignores_adjacent_coplanar_triangles(void **state) {
    (void)state;
    static const double at[6][2] = {{1, 2}, {0, 2}, {0, 1}, {1, 1}, {0, 0}, {1, 0}};
    static const int32_t triangle[2][3] = {{0, 1, 2}, {3, 4, 5}};
    weft_vec3 x[6];
    weft_audit_surface surface = {x, 6, 2, triangle, NULL};
    for (uint64_t round = 0; round < 20000; round++) {
        double random[9];
        int64_t found;
        for (uint64_t i = 0; i < 9; i++)
            random[i] = weft_random(7, 9 * round + i) - 0.5;
        for (int v = 0; v < 6; v++)
            x[v] = weft_vec3_make(random[0] + random[3] * at[v][0] + random[6] * at[v][1],
                                  random[1] + random[4] * at[v][0] + random[7] * at[v][1],
                                  random[2] + random[5] * at[v][0] + random[8] * at[v][1]);
        must(weft_audit(&surface, NULL, &found));
        assert_int_equal(found, 0);
    }
}

static void audit_finds_initial_intersections(void **state) {
    (void)state;
    test_sim made = start_with("implicit-euler");
    add_sheet(made, "one", 8, 0.4, weft_vec3_make(0, 0, 0), X, Z, 0.5, STILL);
    add_sheet(made, "two", 7, 0.4, weft_vec3_make(0.05, 0.03, 0.03), X, weft_vec3_make(0, -0.6, 0.8), 0.5, STILL);
    assert_true(crossings(made) > 0);
    destroy(made);
}

static void parameters_are_checked(void **state) {
    (void)state;
    test_sim made = start_with("implicit-euler");
    add_sheet(made, "sheet", 2, 0.4, weft_vec3_make(0, 1, 0), X, Z, 0.5, STILL);
    add_body(made, "sphere");
    char value[64];
    set(made, "bodies.sphere.radius", "20 cm");
    must(weft_sim_get(made.sim, "bodies.0.radius", value, sizeof value));
    assert_near(strtod(value, NULL), 0.2, 1e-12);
    assert_says(weft_sim_set(made.sim, "bodies.sphere.radius", "-1"), "radius");
    assert_says(weft_sim_set(made.sim, "bodies.sphere.radios", "1"), "did you mean 'radius'");
    assert_says(weft_sim_set(made.sim, "contact.thickness", "-1"), "thickness");
    step(made, 0.001);
    set(made, "bodies.sphere.radius", "0.3"); /* while the simulation runs */
    step(made, 0.001);
    add_body(made, "box");
    assert_says(weft_sim_set(made.sim, "bodies.box.size", "[0, 1, 1]"), "box.size");
    must(weft_sim_get(made.sim, "bodies.box.size", value, sizeof value));
    assert_string_equal(value, "[1, 1, 1]");
    assert_says(weft_sim_add_body(made.sim, "spere", NULL, NULL), "did you mean 'sphere'");
    assert_says(weft_sim_add_body(made.sim, "mesh", NULL, NULL), "needs a mesh");
    const weft_body_key keys[] = {{1, {0, 0, 0}, 0, 1}, {1, {0, 0, 0}, 0, 1}};
    assert_says(weft_sim_set_body_keys(made.sim, 0, keys, 2), "does not come after");
    assert_says(weft_sim_set_body_keys(made.sim, 7, keys, 1), "there are 2 bodies");
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patch_sticks_below_friction_angle),
        cmocka_unit_test(patch_slides_by_coulombs_law),
        cmocka_unit_test(contact_conserves_momentum),
        cmocka_unit_test(strain_limit_is_respected),
        cmocka_unit_test(drape_over_sphere_never_intersects),
        cmocka_unit_test(drape_over_box_corner_never_intersects),
        cmocka_unit_test(fast_sheet_does_not_tunnel_through_sheet),
        cmocka_unit_test(fast_sheet_does_not_tunnel_onto_needle),
        cmocka_unit_test(moving_body_carries_cloth_by_friction),
        cmocka_unit_test(impact_does_not_slow_distant_cloth),
        cmocka_unit_test(method_impulses_has_no_constraints),
        cmocka_unit_test(contacts_are_counted_once),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(broad_phases_agree_bit_identically),
        cmocka_unit_test(audit_matches_brute_force),
        cmocka_unit_test(audit_ignores_adjacent_coplanar_triangles),
        cmocka_unit_test(audit_finds_initial_intersections),
        cmocka_unit_test(parameters_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
