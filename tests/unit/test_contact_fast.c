/* The fast contact mode. Without analytic shapes its steps are bit-identical to the exact mode, for any age of the
 * pairs. With shapes, an independent count finds no intersections. */
#include "support.h"

static const weft_vec3 X = {1, 0, 0}, Z = {0, 0, 1};

static void add_sheet(test_sim made, const char *name, double size, weft_vec3 origin, weft_vec3 u, weft_vec3 v,
                      weft_vec3 velocity) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 10;
    grid.size[0] = grid.size[1] = size;
    grid.origin = origin;
    grid.axis[0] = u;
    grid.axis[1] = v;
    weft_mesh *mesh;
    int32_t index;
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, name, mesh, &fabric, "springs", &index));
    plain_model(made.sim);
    must(weft_sim_set_velocity(made.sim, index, velocity));
}

static int32_t contacts_of_step(test_sim made, double dt) {
    weft_report report;
    must(weft_sim_step(made.sim, dt, &report));
    assert_int_equal(report.status, WEFT_STATUS_OK);
    return report.contact.contacts;
}

static test_sim start(const char *mode, const char *margin, int threads) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    must(weft_sim_set_integrator(made.sim, "projective"));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    weft_sim_set_threads(made.sim, threads);
    set(made, "contact.self", "true");
    set(made, "contact.mode", mode);
    set(made, "contact.margin", margin);
    return made;
}

/* A mesh has no distance function. */
static weft_mesh *make_wedge(void) {
    static const weft_vec3 POSITION[] = {{-0.1, -0.25, -0.1}, {0.12, -0.25, -0.08}, {0, -0.25, 0.13}, {0.01, -0.05, 0}};
    return make_tetrahedron(POSITION);
}

/* Two sheets fall onto each other and onto a moving wedge. At first the lower one hangs from a corner. */
static test_sim make_heap(const char *mode, const char *margin, int threads) {
    static const weft_body_key KEYS[] = {{.time = 0, .scale = 1}, {.time = 0.6, .offset = {0.03, 0.02, 0}, .scale = 1}};
    test_sim made = start(mode, margin, threads);
    weft_vec3 still = {0, 0, 0}, fast = {0.4, -2, 0};
    add_sheet(made, "lower", 0.3, weft_vec3_make(-0.15, 0, -0.15), X, Z, still);
    add_sheet(made, "upper", 0.25, weft_vec3_make(-0.1, 0.03, -0.12), X, Z, fast);
    must(weft_sim_add_body(made.sim, "mesh", make_wedge(), NULL));
    must(weft_sim_set_body_keys(made.sim, 0, KEYS, 2));
    weft_pin pin = weft_pin_default();
    int32_t corner = 0;
    pin.release = 0.2;
    must(weft_sim_add_pin(made.sim, 0, &pin, &corner, 1));
    return made;
}

static uint64_t heap_hash(const char *mode, const char *margin, const char *search, int threads, int32_t *contacts) {
    test_sim made = make_heap(mode, margin, threads);
    set(made, "contact.search", search);
    *contacts = 0;
    for (int i = 0; i < 120; i++)
        *contacts += contacts_of_step(made, 0.004);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

static void fast_mode_is_bit_identical_to_exact_mode(void **state) {
    (void)state;
    int32_t contacts, exactly;
    uint64_t exact = heap_hash("exact", "0", "tree", 1, &exactly);
    assert_true(exactly > 1000);
    static const char *const MARGINS[] = {"0", "0.5 mm", "3 mm", "30 mm"};
    for (int i = 0; i < 4; i++) {
        assert_true(heap_hash("fast", MARGINS[i], "tree", 1, &contacts) == exact);
        assert_int_equal(contacts, exactly);
    }
    assert_true(heap_hash("fast", "3 mm", "hash", 1, &contacts) == exact);
    assert_true(heap_hash("fast", "3 mm", "tree", 2, &contacts) == exact);
    assert_true(heap_hash("fast", "3 mm", "tree", 5, &contacts) == exact);
}

/* Pairs are not part of a snapshot. */
static void restored_snapshot_continues_bit_identically(void **state) {
    (void)state;
    test_sim one = make_heap("fast", "6 mm", 1), other = make_heap("fast", "6 mm", 1);
    for (int i = 0; i < 67; i++)
        step(one, 0.004);
    step(other, 0.004);
    size_t size = weft_sim_snapshot_size(one.sim);
    void *buffer = malloc(size);
    assert_non_null(buffer);
    weft_sim_snapshot(one.sim, buffer);
    must(weft_sim_restore(other.sim, buffer, size));
    free(buffer);
    for (int i = 0; i < 40; i++) {
        step(one, 0.004);
        step(other, 0.004);
    }
    assert_true(weft_sim_hash(one.sim) == weft_sim_hash(other.sim));
    destroy(other);
    destroy(one);
}

/* The changes between steps are the thickness, the mode, and a displaced vertex. */
static void changes_between_steps_invalidate_pairs(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        test_sim made = make_heap(k ? "fast" : "exact", "8 mm", 1);
        for (int i = 0; i < 60; i++)
            step(made, 0.004);
        set(made, "contact.thickness", "3 mm");
        for (int i = 0; i < 5; i++)
            step(made, 0.004);
        weft_vec3 x = weft_sim_positions(made.sim, 1)[60], v = weft_sim_velocities(made.sim, 1)[60];
        must(weft_sim_place(made.sim, 1, 60, weft_add(x, weft_vec3_make(0, 0.006, 0)), v));
        for (int i = 0; i < 5; i++)
            step(made, 0.004);
        set(made, "contact.mode", "exact");
        step(made, 0.004);
        set(made, "contact.mode", k ? "fast" : "exact");
        for (int i = 0; i < 20; i++)
            step(made, 0.004);
        hash[k] = weft_sim_hash(made.sim);
        destroy(made);
    }
    assert_true(hash[0] == hash[1]);
}

/* A shape without edges and one with edges, both moving. Vertices stay outside, and nothing crosses. */
static void cloth_stays_outside_moving_shapes(void **state) {
    (void)state;
    static const char *const SHAPES[] = {"sphere", "box"};
    static const weft_body_key KEYS[] = {{.time = 0, .scale = 1}, {.time = 0.5, .offset = {0, 0.04, 0.02}, .scale = 1}};
    for (int k = 0; k < 2; k++) {
        test_sim made = start("fast", "0", 1);
        weft_vec3 still = {0, 0, 0};
        add_sheet(made, "sheet", 0.4, weft_vec3_make(-0.2, 0.12, -0.17), X, Z, still);
        must(weft_sim_add_body(made.sim, SHAPES[k], NULL, NULL));
        if (k == 0)
            set(made, "bodies.sphere.radius", "0.1");
        else
            set(made, "bodies.box.size", "[0.2, 0.2, 0.2]");
        must(weft_sim_set_body_keys(made.sim, 0, KEYS, 2));
        int32_t contacts = 0;
        for (int i = 0; i < 120; i++) {
            weft_intersections found;
            contacts += contacts_of_step(made, 0.005);
            must(weft_sim_intersections(made.sim, &found));
            assert_int_equal(found.self + found.bodies, 0);
        }
        assert_true(contacts > 500);
        destroy(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_mode_is_bit_identical_to_exact_mode),
        cmocka_unit_test(restored_snapshot_continues_bit_identically),
        cmocka_unit_test(changes_between_steps_invalidate_pairs),
        cmocka_unit_test(cloth_stays_outside_moving_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
