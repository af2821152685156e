/* Prints state hashes of small runs. The hashes must be equal for any number of threads. Another test compares them
 * with the output of the unoptimised build. */
#include "support.h"

/* The printed hashes are from sheets of several blocks, small enough for the slow unoptimised build. Only the optimised
 * build also runs sheets large enough to use threads. */
enum { SMALL = 0, LARGE = 1 };
static const int THREADS[] = {2, 1, 4};
#ifdef __OPTIMIZE__
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0] };
#else
enum { THREAD_COUNTS = 0 };
#endif

/* Sanitizers look at memory, not at bits: one number of threads is enough for them. */
static int thread_counts(void) { return SANITIZED && !test_is_full() && THREAD_COUNTS > 0 ? 1 : THREAD_COUNTS; }

/* Later runs must give the hash of the first run. */
static void must_agree(int index, uint64_t *first, uint64_t hash) {
    if (index == 0)
        *first = hash;
    assert_int_equal(hash, *first);
}

static uint64_t run(const char *integrator, int size, int threads) {
    test_sim made =
        size == LARGE ? make_sheet(100, 90, 1.4, 1.2, integrator) : make_sheet(50, 45, 0.7, 0.6, integrator);
    weft_sim_set_threads(made.sim, threads);
    set(made, "cloth.model.structural_stiffness", "200");
    set(made, "cloth.model.damping", "0.01");
    set(made, "cloth.model.limit", "0.1");
    set(made, "cloth.model.tear", "1.6");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "wind", NULL));
    set(made, "forces.wind.speed", "6");
    set(made, "forces.wind.direction", "[1, 0, 0.3]");
    set(made, "forces.wind.randomness", "0.4");
    must(weft_sim_add_force(made.sim, "wind-vortex", NULL));
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "left"});
    for (int i = 0; i < 12; i++)
        step(made, 0.0005);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

/* A finite-element sheet whose solver uses threads. */
static uint64_t flutter(const char *integrator, const char *bending, int size, int threads) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    must(weft_sim_set_integrator(made.sim, integrator));
    weft_sim_set_threads(made.sim, threads);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = size == LARGE ? 92 : 46;
    grid.size[0] = grid.size[1] = size == LARGE ? 1 : 0.5;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_at(0)->fabric, "corotational", NULL));
    set(made, "cloth.model.bending", bending);
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "wind", NULL));
    set(made, "forces.wind.speed", "6");
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "left"});
    for (int i = 0; i < 2; i++)
        step(made, 0.005);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

static void finite_elements_do_not_depend_on_thread_count(void **state) {
    (void)state;
    static const char *const CASES[][2] = {
        {"implicit-euler", "isometric"}, {"bdf2", "hinge"}, {"projective", "isometric"}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        printf("corotational %s %s %016llx\n", CASES[i][0], CASES[i][1],
               (unsigned long long)flutter(CASES[i][0], CASES[i][1], SMALL, 1));
        uint64_t one = 0;
        for (int k = 0; k < thread_counts(); k++)
            must_agree(k, &one, flutter(CASES[i][0], CASES[i][1], LARGE, THREADS[k]));
    }
}

/* Two sheets collide with each other and with a ball. */
static uint64_t collide(const char *method, int size, int threads) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    must(weft_sim_set_integrator(made.sim, "implicit-euler"));
    weft_sim_set_threads(made.sim, threads);
    for (int i = 0; i < 2; i++) {
        weft_grid grid = weft_grid_default();
        grid.cells[0] = grid.cells[1] = (size == LARGE ? 40 : 24) - i;
        grid.origin = (weft_vec3){0.01 * i, 0.02 * i, 0.02 + 0.01 * i};
        weft_mesh *mesh;
        must(weft_mesh_create_grid(&grid, &mesh));
        int32_t cloth;
        must(weft_sim_add_cloth(made.sim, i == 0 ? "one" : "two", mesh, &weft_fabric_preset_at(0)->fabric, "springs",
                                &cloth));
        plain_model(made.sim);
        must(weft_sim_set_velocity(made.sim, cloth, (weft_vec3){0, 0.3 * i, -3.0 * i}));
    }
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.at", "[0.5, -0.5, -0.49]");
    set(made, "contact.self", "true");
    set(made, "contact.bodies", method);
    set(made, "contact.layers", method);
    int met = 0;
    for (int i = 0; i < 6; i++) {
        weft_report report;
        must(weft_sim_step(made.sim, 0.006, &report));
        met += report.contact.contacts + report.contact.impulses;
    }
    assert_true(met > 0);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

static void contact_does_not_depend_on_thread_count(void **state) {
    (void)state;
    static const char *const METHODS[] = {"constraint", "impulse"};
    for (int i = 0; i < 2; i++) {
        printf("contact %s %016llx\n", METHODS[i], (unsigned long long)collide(METHODS[i], SMALL, 1));
        uint64_t one = 0;
        for (int k = 0; k < thread_counts(); k++)
            must_agree(k, &one, collide(METHODS[i], LARGE, THREADS[k]));
    }
}

static void integrators_do_not_depend_on_thread_count(void **state) {
    (void)state;
    static const char *const NAMES[] = {
        "forward-euler",      "symplectic-euler", "verlet", "verlet-timecorrected", "verlet-taylor",
        "verlet-constraints", "implicit-euler",   "bdf2",   "projective",           "xpbd"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        printf("%s %016llx\n", NAMES[i], (unsigned long long)run(NAMES[i], SMALL, 1));
        uint64_t one = 0;
        for (int k = 0; k < thread_counts(); k++)
            must_agree(k, &one, run(NAMES[i], LARGE, THREADS[k]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(integrators_do_not_depend_on_thread_count),
                                       cmocka_unit_test(finite_elements_do_not_depend_on_thread_count),
                                       cmocka_unit_test(contact_does_not_depend_on_thread_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
