/* The `xpbd` integrator: rest states, attachments, pins, and supported models. */
#include "support.h"

#include "weft/vec.h"

static const weft_select TOP = {.kind = WEFT_SELECT_SIDE, .name = "top"};

static test_sim make_hanging(const char *integrator) {
    test_sim made = make_sheet(6, 6, 0.6, 0.6, integrator);
    set(made, "cloth.model.structural_stiffness", "300");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "air-damping", NULL));
    set(made, "forces.air-damping.coefficient", "0.02");
    pin(made, &TOP);
    return made;
}

/* With a compliance of 1 / k, the rest state is that of the springs, if the iterations converge. */
static void rests_in_equilibrium_of_springs(void **state) {
    (void)state;
    test_sim made = make_hanging("xpbd"), other = make_hanging("implicit-euler");
    set(made, "integrator.attach", "false");
    for (int i = 0; i < 1500; i++)
        step(made, 0.004);
    for (int i = 0; i < 600; i++)
        step(other, 0.01);
    for (int32_t i = 0; i < 49; i++) {
        double apart = weft_distance(weft_sim_positions(made.sim, 0)[i], weft_sim_positions(other.sim, 0)[i]);
        assert_near(apart, 0, 1e-3);
    }
    destroy(other);
    destroy(made);
}

/* One step per frame stretches a fine sheet. With attachments it cannot stretch. */
static void attachments_prevent_stretching(void **state) {
    (void)state;
    double lowest[2];
    for (int with = 0; with < 2; with++) {
        test_sim made = make_sheet(30, 30, 1, 1, "xpbd");
        set(made, "cloth.model.structural_stiffness", "5000");
        set(made, "integrator.substeps", "1");
        set(made, "integrator.attach", with ? "true" : "false");
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        pin(made, &TOP);
        for (int i = 0; i < 30; i++)
            step(made, 1.0 / 60);
        lowest[with] = 0;
        for (int32_t i = 0; i < 31 * 31; i++)
            lowest[with] = fmin(lowest[with], weft_sim_positions(made.sim, 0)[i].y);
        destroy(made);
    }
    assert_true(lowest[0] < -1.03);
    assert_near(lowest[1], -1, 0.0201);
}

static void models_without_links_are_refused(void **state) {
    (void)state;
    test_sim made = {NULL, NULL};
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_at(0)->fabric, "corotational", NULL));
    must(weft_sim_set_integrator(made.sim, "xpbd"));
    weft_result refused = weft_sim_prepare(made.sim);
    assert_int_equal(refused.code, WEFT_UNSUPPORTED);
    assert_non_null(strstr(refused.message, "integrator 'xpbd' cannot move model 'corotational'"));
    destroy(made);
}

/* Changes of the stiffness take effect during the simulation. */
static void stiffness_can_change_during_simulation(void **state) {
    (void)state;
    test_sim made = make_hanging("xpbd");
    for (int i = 0; i < 100; i++)
        step(made, 0.01);
    double soft = measure(made).stretch_max;
    set(made, "cloth.model.structural_stiffness", "3000");
    for (int i = 0; i < 300; i++)
        step(made, 0.01);
    assert_true(measure(made).stretch_max < 0.3 * soft);
    destroy(made);
}

/* Cut links no longer hold: the lower half of a sheet that is cut across falls. */
static void cut_sheet_falls(void **state) {
    (void)state;
    test_sim made = make_sheet(6, 6, 1, 1, "xpbd");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    pin(made, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = "top"});
    for (int i = 0; i < 10; i++)
        step(made, 0.005);
    weft_vec3 rays[2] = {{-2, 0.06, -3}, {2, 0.06, -3}};
    int32_t cut = 0;
    must(weft_sim_cut(made.sim, 0, weft_vec3_make(0.5, -0.65, 3), rays, 2, &cut));
    assert_true(cut > 0);
    for (int i = 0; i < 200; i++)
        step(made, 0.005);
    assert_true(weft_sim_positions(made.sim, 0)[48].y < -3);
    assert_true(weft_sim_positions(made.sim, 0)[7].y > -0.5);
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_sheet_falls), cmocka_unit_test(rests_in_equilibrium_of_springs),
        cmocka_unit_test(attachments_prevent_stretching), cmocka_unit_test(models_without_links_are_refused),
        cmocka_unit_test(stiffness_can_change_during_simulation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
