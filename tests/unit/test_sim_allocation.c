/* Makes every allocation fail once while simulations are created, run and destroyed. A steady step must allocate
 * nothing. */
#include "failing_malloc.h"
#include "support.h"
#include "weft/vec.h"

static weft_result build_scene(weft_sim *sim) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric;
    weft_params_default(weft_fabric_params(), &fabric);
    WEFT_TRY(weft_sim_add_cloth(sim, "sheet", mesh, &fabric, "springs", NULL));
    WEFT_TRY(weft_sim_add_force(sim, "gravity", NULL));
    WEFT_TRY(weft_sim_add_force(sim, "wind", NULL));
    WEFT_TRY(weft_sim_add_body(sim, "sphere", NULL, NULL));
    WEFT_TRY(weft_sim_set(sim, "bodies.sphere.segments", "12"));
    WEFT_TRY(weft_sim_set(sim, "bodies.sphere.at", "[0.5, -0.5, 0.52]"));
    WEFT_TRY(weft_sim_set(sim, "contact.self", "true"));
    weft_body_key still = {0, {0, 0, 0}, 0, 1};
    WEFT_TRY(weft_sim_set_body_keys(sim, 0, &still, 1));
    WEFT_TRY(weft_sim_set_integrator(sim, "verlet-constraints"));
    WEFT_TRY(weft_sim_set(sim, "cloth.model.limit", "0.1"));
    WEFT_TRY(weft_sim_set(sim, "cloth.model.tear", "1.5"));
    weft_pin pin = weft_pin_default();
    weft_key key = {0, {0, 0, 0}, 0};
    pin.key = &key;
    pin.key_count = 1;
    int32_t corner = 0;
    return weft_sim_add_pin(sim, 0, &pin, &corner, 1);
}

static weft_result use_scene(weft_sim *sim) {
    WEFT_TRY(build_scene(sim));
    weft_report report;
    WEFT_TRY(weft_sim_step(sim, 0.001, &report));
    WEFT_TRY(weft_sim_drag(sim, 0, 50, weft_add(weft_sim_positions(sim, 0)[50], (weft_vec3){0, 0, 0.1})));
    WEFT_TRY(weft_sim_set_integrator(sim, "symplectic-euler"));
    WEFT_TRY(weft_sim_set(sim, "cloth.fabric.density", "0.2"));
    WEFT_TRY(weft_sim_set(sim, "cloth.model.stiffness", "fabric"));
    WEFT_TRY(weft_sim_step(sim, 0.0001, &report));
    WEFT_TRY(weft_sim_set_integrator(sim, "bdf2"));
    WEFT_TRY(weft_sim_step(sim, 0.001, &report));
    WEFT_TRY(weft_sim_set(sim, "integrator.precondition", "two-level"));
    WEFT_TRY(weft_sim_step(sim, 0.001, &report));
    WEFT_TRY(weft_sim_set(sim, "integrator.precondition", "cholesky"));
    WEFT_TRY(weft_sim_step(sim, 0.001, &report));
    WEFT_TRY(weft_sim_set_integrator(sim, "projective"));
    WEFT_TRY(weft_sim_step(sim, 0.001, &report));
    WEFT_TRY(weft_sim_set(sim, "cloth.fabric.density", "0.25"));
    WEFT_TRY(weft_sim_step(sim, 0.001, &report));
    weft_measures measures;
    WEFT_TRY(weft_sim_measure(sim, &measures));
    weft_intersections found;
    WEFT_TRY(weft_sim_intersections(sim, &found));
    static char snapshot[1 << 20];
    size_t size = weft_sim_snapshot_size(sim);
    assert_true(size < sizeof snapshot);
    weft_sim_snapshot(sim, snapshot);
    return weft_sim_restore(sim, snapshot, size);
}

/* Two sheets collide within a step. Constraints form impact zones. The lists of contact grow. */
static weft_result collide_by(weft_sim *sim, const char *method) {
    for (int i = 0; i < 2; i++) {
        weft_grid grid = weft_grid_default();
        grid.cells[0] = grid.cells[1] = 4;
        grid.origin.z = 0.01 * i;
        weft_mesh *mesh;
        WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
        weft_fabric fabric;
        weft_params_default(weft_fabric_params(), &fabric);
        WEFT_TRY(weft_sim_add_cloth(sim, i == 0 ? "one" : "two", mesh, &fabric, "springs", NULL));
        WEFT_TRY(weft_sim_set_velocity(sim, i, (weft_vec3){0, 0, i == 0 ? 1 : -1}));
    }
    WEFT_TRY(weft_sim_set(sim, "contact.self", "true"));
    WEFT_TRY(weft_sim_set(sim, "contact.method", method));
    WEFT_TRY(weft_sim_set(sim, "contact.impulses.iterations", "0"));
    WEFT_TRY(weft_sim_set(sim, "contact.impulses.halvings", "0"));
    weft_report report;
    WEFT_TRY(weft_sim_step(sim, 0.02, &report));
    assert_true(report.contact.zones > 0 || strcmp(method, "barrier") == 0);
    assert_int_equal(report.contact.unresolved, 0);
    return weft_sim_step(sim, 0.02, &report);
}

static weft_result collide(weft_sim *sim) { return collide_by(sim, "constraints"); }
static weft_result collide_softly(weft_sim *sim) { return collide_by(sim, "barrier"); }

/* A body animated by frames, and a ball inside the cloth that is untangled, audited and moved. */
static weft_result tangle(weft_sim *sim) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 4;
    weft_mesh *cloth, *board;
    WEFT_TRY(weft_mesh_create_grid(&grid, &cloth));
    weft_fabric fabric;
    weft_params_default(weft_fabric_params(), &fabric);
    WEFT_TRY(weft_sim_add_cloth(sim, "sheet", cloth, &fabric, "springs", NULL));
    grid.cells[0] = grid.cells[1] = 1;
    grid.origin.z = 0.2;
    WEFT_TRY(weft_mesh_create_grid(&grid, &board));
    weft_vec3 position[8];
    for (int i = 0; i < 8; i++)
        position[i] = board->position[i % 4];
    weft_body_frames frames = {.position = position, .vertex_count = 4, .frame_count = 2, .rate = 1, .start = 0};
    WEFT_TRY(weft_sim_add_body(sim, "mesh", board, NULL));
    WEFT_TRY(weft_sim_set_body_frames(sim, 0, &frames));
    WEFT_TRY(weft_sim_add_body(sim, "sphere", NULL, NULL));
    WEFT_TRY(weft_sim_set(sim, "bodies.sphere.segments", "8"));
    WEFT_TRY(weft_sim_set(sim, "bodies.sphere.at", "[0.51, -0.52, -0.4]"));
    WEFT_TRY(weft_sim_set(sim, "contact.self", "true"));
    WEFT_TRY(weft_sim_set(sim, "contact.audit", "true"));
    weft_repair done;
    WEFT_TRY(weft_sim_repair(sim, &done));
    assert_true(done.before > 0 && done.after == 0);
    weft_report report;
    WEFT_TRY(weft_sim_step(sim, 0.001, &report));
    WEFT_TRY(weft_sim_move_body(sim, 1, (weft_vec3){0.5, -0.5, -0.45}, (weft_vec3){0, 0, 0}));
    weft_crossing crossing[2];
    weft_intersections found;
    int32_t count;
    WEFT_TRY(weft_sim_crossings(sim, crossing, 2, &count, &found));
    static char snapshot[1 << 16];
    size_t size = weft_sim_snapshot_size(sim);
    assert_true(size < sizeof snapshot);
    weft_sim_snapshot(sim, snapshot);
    WEFT_TRY(weft_sim_step(sim, 0.001, &report));
    return weft_sim_restore(sim, snapshot, size);
}

/* Springs break, are cut, and go back to states before and after the cut. */
static weft_result split(weft_sim *sim) {
    static char snapshot[2][1 << 16];
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 4;
    weft_mesh *cloth;
    WEFT_TRY(weft_mesh_create_grid(&grid, &cloth));
    weft_fabric fabric;
    weft_params_default(weft_fabric_params(), &fabric);
    WEFT_TRY(weft_sim_add_cloth(sim, "sheet", cloth, &fabric, "springs", NULL));
    WEFT_TRY(weft_sim_set_integrator(sim, "symplectic-euler"));
    WEFT_TRY(weft_sim_set(sim, "contact.self", "true"));
    WEFT_TRY(weft_sim_set(sim, "cloth.model.tear", "1.5"));
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(weft_sim_place(sim, 0, 0, (weft_vec3){-0.3, 0.3, 0}, (weft_vec3){0, 0, 0}));
    weft_report report;
    WEFT_TRY(weft_sim_step(sim, 1e-5, &report));
    assert_true(report.torn > 0);
    size_t size[2] = {weft_sim_snapshot_size(sim), 0};
    weft_sim_snapshot(sim, snapshot[0]);
    weft_vec3 rays[2] = {{-0.7, -0.03, -1}, {0.7, -0.03, -1}};
    WEFT_TRY(weft_sim_cut(sim, 0, (weft_vec3){0.5, -0.5, 1}, rays, 2, NULL));
    WEFT_TRY(weft_sim_step(sim, 1e-5, &report));
    size[1] = weft_sim_snapshot_size(sim);
    assert_true(size[0] < sizeof snapshot[0] && size[1] < sizeof snapshot[1]);
    weft_sim_snapshot(sim, snapshot[1]);
    for (int i = 0; i < 2; i++)
        WEFT_TRY(weft_sim_restore(sim, snapshot[i], size[i]));
    return weft_sim_step(sim, 1e-5, &report);
}

static weft_result (*how)(weft_sim *sim); /* what `live` does */

static weft_result live(void) {
    weft_registry *registry = NULL;
    weft_sim *sim = NULL;
    weft_result result = weft_registry_create(&registry);
    if (result.code == WEFT_OK)
        result = weft_sim_create(registry, &sim);
    if (result.code == WEFT_OK) {
        weft_sim_set_threads(sim, 1);
        result = how(sim);
    }
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
    return result;
}

static void sweep(weft_result (*job)(weft_sim *sim)) {
    how = job;
    assert_true(sweep_by_fork(live, test_every(1, 7)) > 100);
}

static void simulation_reports_failure_of_every_allocation(void **state) {
    (void)state;
    sweep(use_scene);
}

/* With a registry of its own, and a sheet whose name is copied. */
static weft_result use_short_forms(weft_sim *ignored) {
    (void)ignored;
    weft_sim *sim;
    int32_t sheet;
    WEFT_TRY(weft_sim_create(NULL, &sim));
    weft_result result = weft_sim_add_sheet(sim, "sheet", NULL, "wool", &sheet);
    if (result.code == WEFT_OK)
        result = weft_sim_pin_corner(sim, sheet, "top-left");
    if (result.code == WEFT_OK)
        result = weft_sim_pin_side(sim, sheet, "top");
    if (result.code == WEFT_OK)
        result = weft_sim_run(sim, 0.01);
    weft_sim_destroy(sim);
    return result;
}

static void short_forms_report_failure_of_every_allocation(void **state) {
    (void)state;
    sweep(use_short_forms);
}

static void contact_reports_failure_of_every_allocation(void **state) {
    (void)state;
    sweep(collide);
    sweep(collide_softly);
}

static void bodies_report_failure_of_every_allocation(void **state) {
    (void)state;
    sweep(tangle);
}

static void cut_springs_report_failure_of_every_allocation(void **state) {
    (void)state;
    sweep(split);
}

static void steady_step_allocates_nothing(void **state) {
    (void)state;
    static const char *const NAMES[] = {"forward-euler", "symplectic-euler",   "verlet",         "verlet-timecorrected",
                                        "verlet-taylor", "verlet-constraints", "implicit-euler", "bdf2"};
    for (int i = 0; i < 8; i++) {
        test_sim made = make_sheet(95, 95, 1, 1, NAMES[i]);
        weft_sim_set_threads(made.sim, 2);
        set(made, "cloth.model.limit", "0.1");
        set(made, "cloth.model.tear", "1.5");
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        must(weft_sim_add_force(made.sim, "wind", NULL));
        pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
        step(made, 0.0001);
        step(made, 0.0001);
        allocations = 0;
        for (int k = 0; k < 10; k++)
            step(made, 0.0001);
        assert_int_equal(allocations, 0);
        destroy(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulation_reports_failure_of_every_allocation),
        cmocka_unit_test(short_forms_report_failure_of_every_allocation),
        cmocka_unit_test(contact_reports_failure_of_every_allocation),
        cmocka_unit_test(bodies_report_failure_of_every_allocation),
        cmocka_unit_test(cut_springs_report_failure_of_every_allocation),
        cmocka_unit_test(steady_step_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
