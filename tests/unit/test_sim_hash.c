/* Prints state hashes of small runs; they must agree for any number of threads here, and with the unoptimised build's
 * output in the test that compares the two. */
#include "support.h"

static uint64_t run(const char *integrator, int threads) {
    test_sim made = make_sheet(100, 90, 1.4, 1.2, integrator); /* above the size where threads share the work */
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

static void hashes_do_not_depend_on_threads(void **state) {
    (void)state;
    static const char *const NAMES[] = {"forward-euler", "symplectic-euler",   "verlet",         "verlet-timecorrected",
                                        "verlet-taylor", "verlet-constraints", "implicit-euler", "bdf2"};
    for (int i = 0; i < 8; i++) {
        uint64_t one = run(NAMES[i], 1);
        printf("%s %016llx\n", NAMES[i], (unsigned long long)one);
        assert_int_equal(run(NAMES[i], 2), one);
        assert_int_equal(run(NAMES[i], 4), one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes_do_not_depend_on_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
