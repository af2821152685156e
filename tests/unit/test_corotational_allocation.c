/* Makes every allocation of a finite-element cloth fail once. A steady step must allocate nothing. */
#include "failing_malloc.h"
#include "support.h"

static weft_result build(weft_sim *sim, const char *bending, int64_t cells) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = grid.cells[1] = cells;
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    WEFT_TRY(weft_sim_add_cloth(sim, "sheet", mesh, &fabric, "corotational", NULL));
    WEFT_TRY(weft_sim_add_force(sim, "gravity", NULL));
    WEFT_TRY(weft_sim_set(sim, "cloth.model.bending", bending));
    return weft_sim_set_integrator(sim, "symplectic-euler");
}

static weft_result live(const char *bending) {
    weft_registry *registry = NULL;
    weft_sim *sim = NULL;
    weft_report report;
    weft_strain strain[32];
    weft_result result = weft_registry_create(&registry);
    if (result.code == WEFT_OK)
        result = weft_sim_create(registry, &sim);
    if (result.code == WEFT_OK)
        result = build(sim, bending, 4);
    if (result.code == WEFT_OK)
        result = weft_sim_step(sim, 1e-4, &report);
    if (result.code == WEFT_OK)
        result = weft_sim_set(sim, "cloth.model.angle", "90 deg");
    if (result.code == WEFT_OK)
        result = weft_sim_strains(sim, 0, strain);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
    return result;
}

static void reports_failure_of_every_allocation(void **state) {
    (void)state;
    const char *const bendings[] = {"isometric", "hinge"};
    for (int k = 0; k < 2; k++)
        for (long count = 0;; count++) {
            allocations = 0;
            failing = count;
            weft_result result = live(bendings[k]);
            failing = -1;
            if (result.code == WEFT_OK) {
                assert_true(count > 30);
                break;
            }
            if (result.code != WEFT_NO_MEMORY)
                fail_msg("allocation %ld: %s", count, result.message);
        }
}

static void steady_step_allocates_nothing(void **state) {
    (void)state;
    weft_registry *registry;
    weft_sim *sim;
    weft_report report;
    must(weft_registry_create(&registry));
    must(weft_sim_create(registry, &sim));
    plain_sim(sim);
    must(build(sim, "isometric", 70));
    weft_sim_set_threads(sim, 2);
    must(weft_sim_step(sim, 1e-5, &report));
    must(weft_sim_step(sim, 1e-5, &report));
    allocations = 0;
    for (int k = 0; k < 5; k++)
        must(weft_sim_step(sim, 1e-5, &report));
    assert_int_equal(allocations, 0);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_failure_of_every_allocation),
        cmocka_unit_test(steady_step_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
