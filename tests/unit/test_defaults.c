/* The defaults of a simulation: integrator, model, contact thickness and self-collision. */
#include "support.h"

static test_sim make_empty(void) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    weft_sim_set_threads(made.sim, 1);
    return made;
}

/* A level sheet of 0.1 m at that height. */
static void add_sheet(test_sim made, const char *name, const char *preset, const char *model, double height) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = grid.cells[1] = 4;
    grid.size[0] = grid.size[1] = 0.1;
    grid.origin = weft_vec3_make(0, height, 0);
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, name, mesh, &weft_fabric_preset_find(preset)->fabric, model, NULL));
}

static void simulation_has_default_integrator_and_model(void **state) {
    (void)state;
    test_sim made = make_empty();
    assert_string_equal(weft_sim_integrator_name(made.sim), "bdf2");
    add_sheet(made, "a", "wool", NULL, 0);
    assert_string_equal(weft_sim_model_name(made.sim, 0), "corotational");
    must(weft_sim_set_integrator(made.sim, "xpbd")); /* needs constraints, which finite elements do not have */
    add_sheet(made, "b", "wool", NULL, 0.1);
    assert_string_equal(weft_sim_model_name(made.sim, 1), "springs");
    destroy(made);
}

static double thickness_of(test_sim made) {
    must(weft_sim_prepare(made.sim));
    return weft_sim_contact_settings(made.sim)->thickness;
}

/* Plus a 60th of the mean edge of the grid. */
static void contact_is_as_thick_as_thickest_fabric(void **state) {
    (void)state;
    const double edge = 0.025 * (2 + sqrt(2)) / 3;
    test_sim made = make_empty();
    add_sheet(made, "a", "silk", NULL, 0);
    add_sheet(made, "b", "denim", NULL, 0.1);
    assert_near(thickness_of(made), 0.8e-3 + edge / 60, 1e-12);
    set(made, "contact.thickness", "3 mm");
    assert_near(thickness_of(made), 3e-3, 1e-15);
    set(made, "contact.thickness", "0");
    set(made, "cloth.a.fabric.thickness", "1.5 mm");
    assert_near(thickness_of(made), 1.5e-3 + edge / 60, 1e-12);
    assert_says(weft_sim_set(made.sim, "contact.thickness", "-1"), "below 0");
    destroy(made);
}

/* A sheet comes to rest at this distance above the ground. */
static void sheet_rests_at_thickness_of_fabric(void **state) {
    (void)state;
    static const double THICKNESS[] = {0.6e-3, 3e-3};
    for (int k = 0; k < 2; k++) {
        test_sim made = make_empty();
        add_sheet(made, "sheet", "wool", NULL, 0.01);
        must(weft_sim_set_real(made.sim, "cloth.fabric.thickness", THICKNESS[k]));
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
        for (int i = 0; i < 60; i++)
            step(made, 5e-3);
        double distance = THICKNESS[k] + 0.025 * (2 + sqrt(2)) / 180;
        for (int32_t i = 0; i < 25; i++)
            assert_near(weft_sim_positions(made.sim, 0)[i].y / distance, 1, 0.1);
        destroy(made);
    }
}

static int collides_with_itself(test_sim made) {
    must(weft_sim_prepare(made.sim));
    return weft_sim_contact_settings(made.sim)->self;
}

static void self_collision_is_on_if_there_is_something_to_touch(void **state) {
    (void)state;
    test_sim one = make_empty(), two = make_empty(), on_ball = make_empty();
    char value[16];
    add_sheet(one, "a", "wool", NULL, 0);
    assert_int_equal(collides_with_itself(one), 0);
    set(one, "contact.self", "yes");
    assert_int_equal(collides_with_itself(one), 1);
    add_sheet(two, "a", "wool", NULL, 0);
    add_sheet(two, "b", "wool", NULL, 0.1);
    assert_int_equal(collides_with_itself(two), 1);
    add_sheet(on_ball, "a", "wool", NULL, 1);
    must(weft_sim_add_body(on_ball.sim, "sphere", NULL, NULL));
    assert_int_equal(collides_with_itself(on_ball), 1);
    set(on_ball, "contact.self", "false");
    assert_int_equal(collides_with_itself(on_ball), 0);
    set(on_ball, "contact.self", "auto");
    must(weft_sim_get(on_ball.sim, "contact.self", value, sizeof value));
    assert_string_equal(value, "auto");
    assert_int_equal(collides_with_itself(on_ball), 1);
    assert_says(weft_sim_set(on_ball.sim, "contact.self", "maybe"), "'maybe' is not one of false, true, auto");
    destroy(on_ball);
    destroy(two);
    destroy(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulation_has_default_integrator_and_model),
        cmocka_unit_test(contact_is_as_thick_as_thickest_fabric),
        cmocka_unit_test(sheet_rests_at_thickness_of_fabric),
        cmocka_unit_test(self_collision_is_on_if_there_is_something_to_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
