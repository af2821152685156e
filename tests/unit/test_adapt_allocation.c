/* Makes every allocation fail once while meshes are refined, torn, cut, saved and restored. The simulation must not
 * crash after a failure, and must remain usable. */
#include "failing_malloc.h"
#include "support.h"

static weft_result build(weft_sim *sim) {
    weft_fabric fabric = weft_fabric_preset_find("wool")->fabric;
    fabric.tear_weft = fabric.tear_warp = 0.02;
    for (int i = 0; i < 2; i++) {
        weft_grid grid = weft_grid_default();
        grid.cells[0] = grid.cells[1] = 3;
        grid.origin.z = 0.2 * i;
        weft_mesh *mesh;
        WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
        WEFT_TRY(weft_sim_add_cloth(sim, i ? "b" : "a", mesh, &fabric, i ? "buckling" : "corotational", NULL));
    }
    /* A failure may leave layers tangled. Many rounds and short steps would take minutes and say nothing of memory. */
    WEFT_TRY(weft_sim_set(sim, "time.halvings", "2"));
    WEFT_TRY(weft_sim_set(sim, "contact.impulses.iterations", "2"));
    WEFT_TRY(weft_sim_set(sim, "contact.impulses.zones", "2"));
    WEFT_TRY(weft_sim_set(sim, "cloth.b.model.stretch", "100"));
    WEFT_TRY(weft_sim_set(sim, "cloth.b.model.shear", "50"));
    WEFT_TRY(weft_sim_set(sim, "cloth.b.model.flexion", "1e-7"));
    WEFT_TRY(weft_sim_set(sim, "cloth.b.model.flexion_triangles", "5e-6"));
    WEFT_TRY(weft_sim_add_force(sim, "gravity", NULL));
    WEFT_TRY(weft_sim_add_body(sim, "sphere", NULL, NULL));
    WEFT_TRY(weft_sim_set(sim, "bodies.sphere.segments", "12"));
    WEFT_TRY(weft_sim_set(sim, "bodies.sphere.at", "[0.5, -2.5, 0]"));
    WEFT_TRY(weft_sim_set_integrator(sim, "bdf2"));
    WEFT_TRY(weft_sim_set_adapt(sim, "sqrt3"));
    WEFT_TRY(weft_sim_set(sim, "adapt.max_generation", "2"));
    WEFT_TRY(weft_sim_set(sim, "adapt.every", "1"));
    WEFT_TRY(weft_sim_set(sim, "adapt.refine", "[0, 0]"));
    weft_key keys[2] = {{0, {0, 0, 0}, 0}, {0.02, {0.1, 0, 0.2}, 0}};
    weft_pin pin = weft_pin_default(), moved = weft_pin_default();
    moved.key = keys;
    moved.key_count = 2;
    WEFT_TRY(weft_sim_add_pin(sim, 0, &pin, (int32_t[]){0, 1}, 2));
    WEFT_TRY(weft_sim_add_pin(sim, 0, &moved, (int32_t[]){3}, 1));
    return weft_sim_add_pin(sim, 1, &pin, (int32_t[]){0, 3}, 2);
}

static weft_result use(weft_sim *sim) {
    static char snapshot[1 << 20];
    weft_report report;
    weft_sim_set_threads(sim, 1);
    WEFT_TRY(build(sim));
    for (int i = 0; i < 3; i++)
        WEFT_TRY(weft_sim_step(sim, 0.005, &report));
    size_t size = weft_sim_snapshot_size(sim);
    assert_true(size < sizeof snapshot);
    weft_sim_snapshot(sim, snapshot);
    WEFT_TRY(weft_sim_set(sim, "adapt.refine", "[1e9, 1e9]"));
    WEFT_TRY(weft_sim_set(sim, "adapt.jump", "1"));
    WEFT_TRY(weft_sim_set(sim, "adapt.energy", "1e9"));
    for (int i = 0; i < 2; i++)
        WEFT_TRY(weft_sim_step(sim, 0.005, &report));
    WEFT_TRY(weft_sim_restore(sim, snapshot, size));
    weft_vec3 rays[2] = {{-0.05, 0.8, -1}, {0.05, -0.8, -1}};
    int32_t pieces;
    WEFT_TRY(weft_sim_cut(sim, 0, (weft_vec3){0.5, -0.5, 1}, rays, 2, NULL));
    WEFT_TRY(weft_sim_pieces(sim, 0, &pieces));
    return weft_sim_step(sim, 0.005, &report);
}

/* After a failure the simulation must still survive a step, a snapshot and its destruction. */
static weft_result live(void) {
    weft_registry *registry = NULL;
    weft_sim *sim = NULL;
    weft_result result = weft_registry_create(&registry);
    if (result.code == WEFT_OK)
        result = weft_sim_create(registry, &sim);
    if (result.code == WEFT_OK)
        result = use(sim);
    if (sim && result.code != WEFT_OK && weft_sim_cloth_count(sim) == 2) {
        weft_report report;
        weft_measures measures;
        weft_sim_step(sim, 0.005, &report);
        if (weft_sim_measure(sim, &measures).code == WEFT_OK)
            assert_true(measures.mass > 0);
        void *bytes = malloc(weft_sim_snapshot_size(sim));
        weft_sim_snapshot(sim, bytes);
        free(bytes);
    }
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
    return result;
}

static void survives_failure_of_every_allocation(void **state) {
    (void)state;
    /* A step after a failure costs most. Neighbouring allocations are much alike. */
    assert_true(sweep_by_fork(live, test_every(5, 29)) > 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives_failure_of_every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
