/* Undo of the studio: cuts, drags, moved and added bodies, forces and methods. */
#include "unit/studio_stage.h"

#include "io/inputs.h"
#include "weft-io/yaml.h"

static uint64_t hash_of(const stage *s) { return weft_sim_hash(sim_of(s)); }

static int32_t vertices(const stage *s) { return weft_sim_cloth(sim_of(s), 0)->mesh->vertex_count; }

static const char *undo_text(stage *s) { return json_string_value(json_object_get(last_event(s, "history"), "undo")); }

static const char CUT[] = "\"do\":\"cut\",\"eye\":[0.47,5,-1],\"rays\":[[0,-4,0.5],[0,-4,3]]";

static void cut_is_undone_and_redone(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 4);
    uint64_t before = hash_of(s);
    int32_t whole = vertices(s);
    assert_true(json_integer_value(json_object_get(order(s, CUT), "cut")) > 0);
    assert_string_equal(undo_text(s), "cut");
    play_frames(s, 3);
    assert_true(vertices(s) > whole);
    order(s, "\"do\":\"undo\"");
    assert_int_equal(vertices(s), whole);
    assert_int_equal(weft_sim_frame(sim_of(s)), 4);
    assert_true(hash_of(s) == before);
    order(s, "\"do\":\"redo\"");
    assert_true(vertices(s) > whole);
    order(s, "\"do\":\"undo\"");
    assert_int_equal(vertices(s), whole);
    close_stage(s);
}

static void drag_is_one_step_of_undo(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 3);
    uint64_t before = hash_of(s);
    order(s, "\"do\":\"drag\",\"vertices\":[40],\"to\":[[0.5,1.2,0.5]]");
    play_frames(s, 1);
    order(s, "\"do\":\"drag\",\"vertices\":[40],\"to\":[[0.5,1.4,0.5]]");
    play_frames(s, 2);
    order(s, "\"do\":\"release\"");
    assert_string_equal(undo_text(s), "drag the cloth");
    order(s, "\"do\":\"drag\",\"vertices\":[41],\"to\":[[0.6,1.2,0.5]]");
    order(s, "\"do\":\"release\"");
    order(s, "\"do\":\"undo\"");
    order(s, "\"do\":\"undo\"");
    assert_true(hash_of(s) == before);
    refuse(s, "\"do\":\"undo\"", "nothing to undo");
    refuse(s, "\"do\":\"redo\"", "nothing to redo");
    close_stage(s);
}

static void moved_body_is_one_step_of_undo(void **state) {
    (void)state;
    stage *s = open_stage();
    char place[64];
    play_frames(s, 2);
    order(s, "\"do\":\"body\",\"body\":0,\"at\":[0.5,0.7,0.5]");
    order(s, "\"do\":\"body\",\"body\":0,\"at\":[0.5,0.8,0.5]");
    play_frames(s, 2);
    assert_string_equal(undo_text(s), "move sphere");
    order(s, "\"do\":\"undo\"");
    must(weft_sim_get(sim_of(s), "bodies.sphere.at", place, sizeof place));
    assert_string_equal(place, "[0.5, 0.6, 0.5]");
    refuse(s, "\"do\":\"undo\"", "nothing to undo");
    close_stage(s);
}

static void forces_are_undone_with_their_values(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"force\",\"add\":\"wind\"");
    order(s, "\"do\":\"set\",\"path\":\"forces.wind.speed\",\"value\":3");
    order(s, "\"do\":\"force\",\"remove\":\"forces.wind\"");
    assert_int_equal(weft_sim_force_count(sim_of(s)), 1);
    order(s, "\"do\":\"undo\"");
    assert_near(parameter(s, "forces.wind.speed"), 3, 0);
    order(s, "\"do\":\"undo\"");
    order(s, "\"do\":\"undo\"");
    assert_int_equal(weft_sim_force_count(sim_of(s)), 1);
    order(s, "\"do\":\"redo\"");
    assert_int_equal(weft_sim_force_count(sim_of(s)), 2);
    close_stage(s);
}

static void restart_forgets_changes_of_the_state(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"pin\",\"vertices\":[40]");
    play_frames(s, 1);
    order(s, CUT);
    order(s, "\"do\":\"restart\"");
    assert_string_equal(undo_text(s), "pin vertex 40");
    close_stage(s);
}

/* Undo rewrites the log: a recording made afterwards replays to the same state. */
static void recording_after_undo_replays(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 3);
    order(s, CUT);
    play_frames(s, 2);
    order(s, "\"do\":\"undo\"");
    play_frames(s, 3);
    const json_t *saved = order(s, "\"do\":\"record\",\"action\":\"save\",\"name\":\"undone\"");
    uint64_t hash = strtoull(json_string_value(json_object_get(saved, "state_hash")), NULL, 16);
    order(s, "\"do\":\"load\",\"scene\":\"recordings/undone.yaml\"");
    play_frames(s, 6);
    assert_true(hash_of(s) == hash);
    close_stage(s);
}

static void bodies_are_added_below_the_cloth(void **state) {
    (void)state;
    static const char *const NAMES[] = {"plane", "sphere", "box"};
    stage *s = open_stage();
    write_scene(s, "plain.yaml",
                "time: {step: 2 ms, frames: 100, rate: 60}\ncloth:\n  - name: sheet\n"
                "    grid: {cells: [8, 8], size: [1, 1], axes: [x, z], origin: [0, 1, 0]}\n"
                "    pins: [{corner: top-left}, {corner: top-right}]\n"
                "bodies:\n  - sphere: {radius: 0.2, at: [0.5, 0.6, 0.5]}\n");
    order(s, "\"do\":\"load\",\"scene\":\"plain.yaml\"");
    for (int i = 0; i < 3; i++) {
        char fields[64];
        snprintf(fields, sizeof fields, "\"do\":\"body\",\"add\":\"%s\"", NAMES[i]);
        order(s, fields);
        assert_int_equal(weft_sim_body_count(sim_of(s)), 2 + i);
        assert_string_equal(weft_sim_body_name(sim_of(s), 1 + i), NAMES[i]);
    }
    char text[16];
    must(weft_sim_get(sim_of(s), "contact.self", text, sizeof text));
    assert_string_equal(text, "auto"); /* on, because there are bodies */
    order(s, "\"do\":\"free\",\"vertices\":[0,8]");
    play_frames(s, 60);
    const weft_vec3 *x = weft_sim_positions(sim_of(s), 0);
    for (int32_t i = 0; i < 81; i++)
        assert_true(x[i].y > -0.06);
    order(s, "\"do\":\"undo\"");
    for (int i = 0; i < 3; i++)
        order(s, "\"do\":\"undo\"");
    assert_int_equal(weft_sim_body_count(sim_of(s)), 1);
    order(s, "\"do\":\"redo\"");
    assert_int_equal(weft_sim_body_count(sim_of(s)), 2);
    refuse(s, "\"do\":\"body\",\"add\":\"mesh\"", "'plane', 'sphere' or 'box'");
    close_stage(s);
}

/* -- another cloth -- */

static const char RECTANGLE[] = "\"do\":\"target\",\"grid\":{\"cells\":[4,4],\"size\":[1,1]}";

/* The pins that it drops come back, and so does what was done before. */
static void new_cloth_is_undone_and_redone(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.density\",\"value\":0.3");
    order(s, "\"do\":\"pin\",\"vertices\":[40]");
    order(s, "\"do\":\"restart\"");
    play_frames(s, 3);
    uint64_t before = hash_of(s);
    order(s, RECTANGLE);
    assert_int_equal(vertices(s), 25);
    assert_string_equal(undo_text(s), "use a rectangle");
    order(s, "\"do\":\"pin\",\"vertices\":[7]");
    order(s, "\"do\":\"undo\"");
    order(s, "\"do\":\"undo\"");
    assert_int_equal(vertices(s), 81);
    assert_true(weft_sim_held(sim_of(s), 0)[40]);
    play_frames(s, 3);
    assert_true(hash_of(s) == before);
    assert_string_equal(undo_text(s), "pin vertex 40");
    order(s, "\"do\":\"redo\"");
    assert_int_equal(vertices(s), 25);
    assert_near(parameter(s, "cloth.sheet.fabric.density"), 0.3, 0);
    assert_true(!weft_sim_held(sim_of(s), 0)[7]);
    for (int i = 0; i < 3; i++)
        order(s, "\"do\":\"undo\"");
    assert_true(!weft_sim_held(sim_of(s), 0)[40]);
    refuse(s, "\"do\":\"undo\"", "nothing to undo");
    close_stage(s);
}

static void refused_cloth_changes_nothing(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"pin\",\"vertices\":[40]");
    write_scene(s, "empty.obj", "v 0 0 0\n");
    refuse(s, "\"do\":\"target\",\"mesh\":\"empty.obj\"", "empty.obj");
    assert_true(weft_sim_held(sim_of(s), 0)[40]);
    order(s, "\"do\":\"undo\"");
    assert_true(!weft_sim_held(sim_of(s), 0)[40]);
    close_stage(s);
}

/* A scene's own inputs name vertices, so that a new cloth is without them. Undo brings them back. */
static void recorded_inputs_come_back_with_the_cloth(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 2);
    order(s, "\"do\":\"pin\",\"vertices\":[40]");
    play_frames(s, 3);
    uint64_t before = hash_of(s);
    order(s, "\"do\":\"record\",\"action\":\"save\",\"name\":\"pinned\"");
    order(s, "\"do\":\"load\",\"scene\":\"recordings/pinned.yaml\"");
    play_frames(s, 3);
    order(s, RECTANGLE);
    play_frames(s, 3);
    assert_true(!weft_sim_held(sim_of(s), 0)[20]);
    order(s, "\"do\":\"undo\"");
    play_frames(s, 5);
    assert_true(hash_of(s) == before);
    close_stage(s);
}

/* -- methods -- */

static const json_t *pane_of(const stage *s, size_t index) {
    return json_array_get(json_object_get(last_event(s, "scene"), "panes"), index);
}

static void model_gets_an_integrator_that_works(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"algorithm\",\"integrator\":\"xpbd\"");
    const json_t *answer = order(s, "\"do\":\"algorithm\",\"model\":\"corotational\"");
    const char *note = json_string_value(json_array_get(json_object_get(answer, "notes"), 0));
    assert_non_null(strstr(note, "xpbd does not work with corotational"));
    assert_string_equal(weft_sim_integrator_name(sim_of(s)), "bdf2");
    play_frames(s, 20);
    order(s, "\"do\":\"undo\"");
    assert_string_equal(weft_sim_integrator_name(sim_of(s)), "xpbd");
    assert_string_equal(weft_sim_model_name(sim_of(s), 0), "springs");
    order(s, "\"do\":\"redo\"");
    assert_string_equal(weft_sim_model_name(sim_of(s), 0), "corotational");
    close_stage(s);
}

static void compared_panes_share_the_step_if_they_can(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.model.stiffness\",\"value\":\"given\"");
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.model.structural_stiffness\",\"value\":100000");
    order(s, "\"do\":\"compare\",\"panes\":[{\"model\":\"springs\",\"integrator\":\"implicit-euler\"},"
             "{\"integrator\":\"bdf2\"},{\"model\":\"corotational\",\"integrator\":\"verlet\"},{}]");
    assert_near(json_number_value(json_object_get(pane_of(s, 0), "step")), 0.002, 1e-12);
    assert_near(json_number_value(json_object_get(pane_of(s, 1), "step")), 0.002, 1e-12);
    assert_true(json_is_null(json_object_get(pane_of(s, 1), "wanted_step")));
    assert_true(json_number_value(json_object_get(pane_of(s, 2), "step")) < 0.002);
    assert_near(json_number_value(json_object_get(pane_of(s, 2), "wanted_step")), 0.002, 1e-12);
    const json_t *params = json_object_get(pane_of(s, 2), "params"), *param;
    size_t i;
    json_array_foreach(params, i,
                       param) if (strcmp(json_string_value(json_object_get(param, "path")), "time.step") == 0)
        assert_string_equal(json_string_value(json_object_get(param, "default")), "0.002");
    order(s, "\"do\":\"compare\",\"panes\":[{\"model\":\"springs\",\"integrator\":\"implicit-euler\"}]");
    assert_near(parameter(s, "time.step"), 0.002, 1e-12);
    close_stage(s);
}

/* The scene's own method keeps the scene's step, even where an estimate would call it unstable. */
static void own_method_keeps_its_step(void **state) {
    (void)state;
    stage *s = open_stage();
    write_scene(s, "stiff.yaml",
                "time: {step: 3 ms, frames: 10, rate: 60}\nintegrator: verlet\ncloth:\n  - name: sheet\n"
                "    grid: {cells: [4, 4], size: [1, 1]}\n    model: {name: springs, structural_stiffness: 1e5}\n");
    order(s, "\"do\":\"load\",\"scene\":\"stiff.yaml\"");
    order(s, "\"do\":\"compare\",\"panes\":[{\"model\":\"springs\",\"integrator\":\"verlet\"},"
             "{\"model\":\"springs\",\"integrator\":\"bdf2\"}]");
    assert_near(parameter(s, "time.step"), 0.003, 1e-12);
    order(s, "\"do\":\"compare\",\"panes\":[{\"model\":\"springs\",\"integrator\":\"verlet\"}]");
    assert_near(parameter(s, "time.step"), 0.003, 1e-12);
    close_stage(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_is_undone_and_redone),
        cmocka_unit_test(drag_is_one_step_of_undo),
        cmocka_unit_test(moved_body_is_one_step_of_undo),
        cmocka_unit_test(forces_are_undone_with_their_values),
        cmocka_unit_test(restart_forgets_changes_of_the_state),
        cmocka_unit_test(recording_after_undo_replays),
        cmocka_unit_test(bodies_are_added_below_the_cloth),
        cmocka_unit_test(new_cloth_is_undone_and_redone),
        cmocka_unit_test(refused_cloth_changes_nothing),
        cmocka_unit_test(recorded_inputs_come_back_with_the_cloth),
        cmocka_unit_test(model_gets_an_integrator_that_works),
        cmocka_unit_test(compared_panes_share_the_step_if_they_can),
        cmocka_unit_test(own_method_keeps_its_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
