/* The short forms of the API: a simulation without a registry, gravity from the start, sheets, pins by name, runs. */
#include "support.h"
#include "weft-io/yaml.h"

static weft_sim *hang(void) {
    weft_sim *sim;
    int32_t sheet;
    must(weft_sim_create(NULL, &sim));
    must(weft_sim_add_sheet(sim, "sheet", NULL, "wool", &sheet));
    must(weft_sim_pin_corner(sim, sheet, "top-left"));
    must(weft_sim_pin_corner(sim, sheet, "top-right"));
    must(weft_sim_run(sim, 0.25));
    return sim;
}

static weft_sim *hang_by_long_forms(const weft_registry *registry) {
    weft_sim *sim;
    weft_mesh *mesh;
    weft_grid grid = weft_grid_default();
    weft_pin pin = weft_pin_default();
    int32_t sheet, gravity;
    const weft_fabric_preset *wool = weft_fabric_preset_find("wool");
    assert_non_null(wool);
    must(weft_sim_create(registry, &sim));
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &wool->fabric, NULL, &sheet));
    must(weft_sim_add_force(sim, "gravity", &gravity));
    must(weft_sim_add_pin(sim, sheet, &pin, (int32_t[]){0, 10}, 2));
    for (int i = 0; i < 15; i++)
        must(weft_sim_advance_frame(sim, NULL, NULL));
    return sim;
}

static void short_forms_do_what_the_long_ones_do(void **state) {
    (void)state;
    weft_registry *registry;
    must(weft_registry_create(&registry));
    weft_sim *brief = hang(), *full = hang_by_long_forms(registry);
    assert_true(weft_sim_hash(brief) == weft_sim_hash(full));
    assert_int_equal(weft_sim_frame(brief), 15);
    assert_below(weft_sim_positions(brief, 0)[115].y, -1.01); /* it was at -1 and is pulled down */
    weft_sim_destroy(brief);
    weft_sim_destroy(full);
    weft_registry_destroy(registry);
}

/* A free sheet falls by g t^2 / 2. A backward scheme of order 1 or 2 is off by at most g t dt / 2. */
static void gravity_acts_from_the_start(void **state) {
    (void)state;
    static const double G = 9.81, T = 0.1, DT = 0.005;
    weft_sim *sim;
    must(weft_sim_create(NULL, &sim));
    assert_int_equal(weft_sim_force_count(sim), 1);
    assert_string_equal(weft_sim_force_name(sim, 0), "gravity");
    must(weft_sim_add_sheet(sim, "sheet", NULL, NULL, NULL));
    must(weft_sim_run(sim, T));
    assert_near(weft_sim_positions(sim, 0)[0].y, -0.5 * G * T * T, 0.5 * G * T * DT);
    weft_sim_destroy(sim);
}

static void gravity_is_not_doubled(void **state) {
    (void)state;
    weft_sim *sim;
    int32_t index = 9;
    char value[WEFT_STRING_SIZE];
    must(weft_sim_create(NULL, &sim));
    must(weft_sim_set(sim, "forces.gravity.acceleration", "[0, -1.6, 0]"));
    must(weft_sim_add_force(sim, "wind", &index));
    assert_int_equal(index, 1);
    must(weft_sim_add_force(sim, "gravity", &index));
    assert_int_equal(index, 0);
    assert_int_equal(weft_sim_force_count(sim), 2);
    must(weft_sim_get(sim, "forces.gravity.acceleration", value, sizeof value));
    assert_string_equal(value, "[0, -1.6, 0]"); /* it is the same one, with its values */
    must(weft_sim_add_force(sim, "gravity", &index));
    assert_int_equal(index, 2); /* a second one is meant */
    weft_sim_destroy(sim);
}

static void gravity_can_be_removed(void **state) {
    (void)state;
    weft_sim *sim;
    int32_t index = 9;
    must(weft_sim_create(NULL, &sim));
    must(weft_sim_add_sheet(sim, "sheet", NULL, NULL, NULL));
    must(weft_sim_remove_force(sim, 0));
    must(weft_sim_run(sim, 0.1));
    assert_near(weft_sim_positions(sim, 0)[0].y, 0, 1e-12);
    must(weft_sim_add_force(sim, "gravity", &index));
    assert_int_equal(index, 0);
    must(weft_sim_run(sim, 0.1));
    assert_below(weft_sim_positions(sim, 0)[0].y, -0.01);
    weft_sim_destroy(sim);
}

/* A list in a scene is the whole list, as it always was. */
static void scenes_keep_their_forces(void **state) {
    (void)state;
    static const struct {
        const char *forces;
        int32_t count;
    } CASES[] = {{"", 1},
                 {"forces: []\n", 0},
                 {"forces: [gravity]\n", 1},
                 {"forces: [wind]\n", 1},
                 {"forces: [gravity, gravity]\n", 2}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[200];
        weft_tree *tree;
        weft_sim *sim;
        snprintf(text, sizeof text, "cloth: {grid: {cells: [2, 2]}}\n%s", CASES[i].forces);
        must(weft_yaml_read_memory(text, strlen(text), "scene.yaml", &tree));
        must(weft_scene_read(NULL, tree, NULL, &sim));
        assert_int_equal(weft_sim_force_count(sim), CASES[i].count);
        must(weft_sim_add_force(sim, "gravity", NULL)); /* beside those of the scene */
        assert_int_equal(weft_sim_force_count(sim), CASES[i].count + 1);
        weft_sim_destroy(sim);
        weft_tree_destroy(tree);
    }
}

static void sheets_take_a_grid_and_a_fabric(void **state) {
    (void)state;
    weft_sim *sim;
    weft_measures measures;
    int32_t first = 9, second = 9;
    weft_grid grid = weft_grid_default();
    grid.cells[0] = 4;
    grid.size[0] = 0.5;
    must(weft_sim_create(NULL, &sim));
    must(weft_sim_add_sheet(sim, "a", &grid, "denim", &first));
    must(weft_sim_add_sheet(sim, "b", NULL, NULL, &second));
    assert_int_equal(first, 0);
    assert_int_equal(second, 1);
    must(weft_sim_prepare(sim));
    assert_int_equal(weft_sim_cloth(sim, 0)->mesh->vertex_count, 5 * 11);
    must(weft_sim_measure(sim, &measures));
    double mass = 0.5 * weft_fabric_preset_find("denim")->fabric.density + 0.26; /* wool is the default */
    assert_near(measures.mass, mass, 1e-12);
    weft_sim_destroy(sim);
}

static void pins_hold_what_they_name(void **state) {
    (void)state;
    weft_sim *sim;
    int32_t count = 0;
    must(weft_sim_create(NULL, &sim));
    must(weft_sim_add_sheet(sim, "sheet", NULL, NULL, NULL));
    must(weft_sim_pin_side(sim, 0, "left"));
    assert_non_null(weft_sim_pin(sim, 0, &count));
    assert_int_equal(count, 11);
    must(weft_sim_pin_corner(sim, 0, "bottom-right"));
    assert_non_null(weft_sim_pin(sim, 1, &count));
    assert_int_equal(count, 1);
    must(weft_sim_run(sim, 1e-9)); /* a frame */
    const uint8_t *held = weft_sim_held(sim, 0);
    for (int32_t i = 0; i < 121; i++)
        assert_int_equal(held[i], i % 11 == 0 || i == 120);
    weft_sim_destroy(sim);
}

static void bad_names_are_refused(void **state) {
    (void)state;
    weft_sim *sim;
    weft_mesh *mesh;
    weft_fabric fabric = {.density = 7};
    must(weft_sim_create(NULL, &sim));
    assert_says(weft_fabric_by_name("wol", &fabric), "unknown preset 'wol'; did you mean 'wool'?");
    assert_true(fabric.density == 7);
    assert_says(weft_fabric_by_name("zzzzzzzzzz", &fabric), "there are ");
    assert_says(weft_sim_add_sheet(sim, "a", NULL, "coton", NULL), "did you mean 'cotton'?");
    assert_int_equal(weft_sim_cloth_count(sim), 0);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = 0;
    assert_true(weft_sim_add_sheet(sim, "a", &grid, "wool", NULL).code == WEFT_BAD_INPUT);
    must(weft_sim_add_sheet(sim, "a", NULL, "wool", NULL));
    assert_says(weft_sim_add_sheet(sim, "a", NULL, "wool", NULL), "two cloths called 'a'");
    assert_says(weft_sim_pin_side(sim, 0, "upper"), "cloth 'a': side 'upper' is not one of left, right, top, bottom");
    assert_says(weft_sim_pin_side(sim, 0, "top-left"), "side 'top-left' is not one of left");
    assert_says(weft_sim_pin_corner(sim, 0, "top"), "corner 'top' is not one of top-left, top-right, bottom-left, ");
    assert_says(weft_sim_pin_side(sim, 1, "top"), "cloth 1: ");
    assert_says(weft_sim_pin_corner(sim, -1, "top-left"), "cloth -1: ");
    weft_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh = make_tetrahedron(corners);
    must(weft_fabric_by_name("wool", &fabric));
    must(weft_sim_add_cloth(sim, "b", mesh, &fabric, NULL, NULL));
    assert_says(weft_sim_pin_side(sim, 1, "top"), "is not a grid");
    assert_null(weft_sim_pin(sim, 0, NULL));
    weft_sim_destroy(sim);
}

static void runs_are_whole_frames(void **state) {
    (void)state;
    weft_sim *sim;
    must(weft_sim_create(NULL, &sim));
    assert_says(weft_sim_run(sim, 1), "no cloth");
    must(weft_sim_add_sheet(sim, "sheet", NULL, NULL, NULL));
    for (int i = 0; i < 3; i++)
        must(weft_sim_run(sim, 0.1)); /* 0.1 s are 6 frames, and their sums are rounded */
    assert_int_equal(weft_sim_frame(sim), 18);
    must(weft_sim_run(sim, 0));
    assert_int_equal(weft_sim_frame(sim), 18);
    must(weft_sim_run(sim, 0.02)); /* a frame takes 0.0167 s */
    assert_int_equal(weft_sim_frame(sim), 20);
    assert_says(weft_sim_run(sim, -1), "a run of -1 s");
    assert_says(weft_sim_run(sim, NAN), "a run of");
    assert_says(weft_sim_run(sim, INFINITY), "a run of inf s: 0 to 166667 s are allowed, which are 1e+07 frames");
    assert_int_equal(weft_sim_frame(sim), 20);
    weft_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_forms_do_what_the_long_ones_do),
        cmocka_unit_test(gravity_acts_from_the_start),
        cmocka_unit_test(gravity_is_not_doubled),
        cmocka_unit_test(gravity_can_be_removed),
        cmocka_unit_test(scenes_keep_their_forces),
        cmocka_unit_test(sheets_take_a_grid_and_a_fabric),
        cmocka_unit_test(pins_hold_what_they_name),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(runs_are_whole_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
