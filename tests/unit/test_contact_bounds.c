/* Displacement bounds: where impulses do not suffice, no intersection is left, after a bounded number of rounds. */
#include "unit/contact_support.h"
#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"

/* Steps are not halved and impulses get few rounds, so that the bounds must do the work. */
#define CONTACT "contact: {self: true, thickness: 1 mm, halvings: 0, stretch: 0, iterations: 2}\n"

static test_sim read_scene(const char *text, const char *integrator) {
    test_sim made;
    weft_tree *tree;
    weft_scene_files files = weft_scene_files_make(NULL);
    must(weft_registry_create(&made.registry));
    must(weft_yaml_read_memory(text, strlen(text), "test", &tree));
    must(weft_tree_set(tree, "integrator", integrator));
    must(weft_scene_read(made.registry, tree, &files, &made.sim));
    weft_tree_destroy(tree);
    weft_sim_set_threads(made.sim, 1);
    return made;
}

/* Impulses, bounds, and impulses again. */
enum { MOST_ROUNDS = 80 };

/* Returns the number of steps that needed bounds. */
static int run_bounded(test_sim made, int steps) {
    int bounded = 0;
    for (int i = 0; i < steps; i++) {
        weft_report report = checked_step(made, 1.0 / 60);
        assert_in_range(report.contact.rounds, 0, MOST_ROUNDS * (1 + report.halvings));
        bounded += report.contact.zones > 0;
    }
    return bounded;
}

static const char *const INTEGRATORS[] = {"projective", "xpbd"};

/* 8 m/s: 13 cm in a step, more than the radius of the sphere. */
static const char FAST_BODY[] =
    "cloth:\n"
    "  - grid: {cells: [8, 8], size: [0.4, 0.4], axes: [x, -y], origin: [-0.2, 0.4, 0]}\n"
    "  - grid: {cells: [7, 7], size: [0.4, 0.4], axes: [x, -y], origin: [-0.21, 0.42, 0.02]}\n"
    "forces: [gravity]\n"
    "bodies:\n"
    "  - sphere: {radius: 0.08, at: [0.01, 0.2, -0.2], keys: [{time: 0}, {time: 0.2, offset: [0, 0.1, 1.6], angle: 90 "
    "deg}]}\n" CONTACT;

static void fast_body_carries_free_cloth(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        test_sim made = read_scene(FAST_BODY, INTEGRATORS[i]);
        assert_true(run_bounded(made, 6) > 0);
        destroy(made);
    }
}

/* A zone used to follow the resting pins, and the body passed through the cloth. */
static const char PINNED[] =
    "cloth:\n"
    "  - grid: {cells: [8, 8], size: [0.4, 0.4], axes: [x, -y], origin: [-0.2, 0.4, 0]}\n"
    "    pins: [{side: top}]\n"
    "  - grid: {cells: [8, 6], size: [0.4, 0.3], axes: [x, -y], origin: [-0.21, 0.38, 0.02]}\n"
    "    pins: [{corner: top-left}, {corner: top-right}]\n"
    "  - grid: {cells: [6, 6], size: [0.3, 0.3], axes: [x, -y], origin: [-0.15, 0.35, 0.05]}\n"
    "forces: [gravity]\n"
    "bodies:\n"
    "  - sphere: {radius: 0.08, at: [0.01, 0.15, -0.15], keys: [{time: 0}, {time: 0.15, offset: [0, 0.1, 0.5], angle: "
    "90 deg}]}\n" CONTACT;

static void moving_body_wins_over_pins(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        test_sim made = read_scene(PINNED, INTEGRATORS[i]);
        assert_true(run_bounded(made, 6) > 0);
        destroy(made);
    }
}

/* They close from both sides in four steps and leave 8 mm. */
static const char CLOSING[] =
    "cloth:\n"
    "  - grid: {cells: [10, 10], size: [0.3, 0.3], axes: [x, -y], origin: [-0.15, 0.65, 0]}\n"
    "    rotate: [0, 20 deg, 0]\n"
    "forces: [gravity]\n"
    "bodies:\n"
    "  - box: {size: [0.5, 0.4, 0.2], at: [0, 0.5, -0.25], keys: [{time: 0}, {time: 0.07, offset: [0, 0, 0.146]}]}\n"
    "  - box: {size: [0.5, 0.4, 0.2], at: [0, 0.5, 0.25], keys: [{time: 0}, {time: 0.07, offset: [0, 0, "
    "-0.146]}]}\n" CONTACT;

static void closing_boxes_do_not_stall(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        test_sim made = read_scene(CLOSING, INTEGRATORS[i]);
        run_bounded(made, 10);
        destroy(made);
    }
}

static void result_is_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    test_sim one = read_scene(PINNED, "projective"), three = read_scene(PINNED, "projective");
    weft_sim_set_threads(three.sim, 3);
    assert_true(run_bounded(one, 6) > 0);
    run_bounded(three, 6);
    for (int32_t c = 0; c < weft_sim_cloth_count(one.sim); c++)
        assert_memory_equal(weft_sim_positions(one.sim, c), weft_sim_positions(three.sim, c),
                            (size_t)weft_sim_cloth(one.sim, c)->mesh->vertex_count * sizeof(weft_vec3));
    destroy(three);
    destroy(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_body_carries_free_cloth),
        cmocka_unit_test(moving_body_wins_over_pins),
        cmocka_unit_test(closing_boxes_do_not_stall),
        cmocka_unit_test(result_is_the_same_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
