/* A studio session without a server: the effects of commands, and recordings that replay to the same state. */
#include "unit/studio_stage.h"

#include "io/inputs.h"
#include "weft-io/yaml.h"

/* -- tests -- */

static void hello_lists_all_parameters(void **state) {
    (void)state;
    stage *s = open_stage();
    const json_t *hello = order(s, "\"do\":\"hello\"");
    assert_int_equal(json_integer_value(json_object_get(hello, "protocol")), 1);
    assert_int_equal(json_array_size(json_object_get(hello, "fabrics")), weft_fabric_preset_count());
    const json_t *pairs = json_object_get(hello, "pairs");
    assert_true(json_array_size(json_object_get(pairs, "springs")) >= 5);
    const json_t *scene = last_event(s, "scene"), *pane = json_array_get(json_object_get(scene, "panes"), 0);
    const json_t *params = json_object_get(pane, "params");
    size_t count = 0;
    char path[256];
    const weft_param *row;
    while (weft_sim_param_at(sim_of(s), (int)count, path, sizeof path, &row)) {
        const json_t *param = json_array_get(params, count++);
        assert_string_equal(json_string_value(json_object_get(param, "path")), path);
        assert_string_equal(json_string_value(json_object_get(param, "unit")), row->unit);
        assert_non_null(json_string_value(json_object_get(param, "value")));
    }
    assert_int_equal(json_array_size(params), count);
    close_stage(s);
}

static void parameters_can_be_set_undone_and_reset(void **state) {
    (void)state;
    stage *s = open_stage();
    double own = parameter(s, "cloth.sheet.fabric.density");
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.density\",\"value\":0.5");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), 0.5, 0);
    const json_t *values = json_object_get(last_event(s, "params"), "values");
    assert_string_equal(json_string_value(json_object_get(values, "cloth.sheet.fabric.density")), "0.5");
    order(s, "\"do\":\"undo\"");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), own, 0);
    order(s, "\"do\":\"redo\"");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), 0.5, 0);
    order(s, "\"do\":\"reset\",\"path\":\"cloth.sheet.fabric.density\"");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), own, 0);
    /* several values: all or none are set */
    refuse(s, "\"do\":\"set\",\"values\":{\"cloth.sheet.fabric.density\":0.7,\"integrator.tolerance\":-1}", "below");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), own, 0);
    order(s, "\"do\":\"set\",\"values\":{\"cloth.sheet.fabric.density\":0.7,\"integrator.tolerance\":\"0.001\"}");
    assert_near(parameter(s, "integrator.tolerance"), 0.001, 0);
    order(s, "\"do\":\"undo\"");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), own, 0);
    order(s, "\"do\":\"fabric\",\"preset\":\"cotton\"");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), weft_fabric_preset_find("cotton")->fabric.density, 1e-12);
    order(s, "\"do\":\"undo\"");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), own, 0);
    refuse(s, "\"do\":\"set\",\"path\":\"bodies.sphere.radius\",\"value\":{}", "a text, a number");
    /* a former name is the present one */
    order(s, "\"do\":\"set\",\"path\":\"contact.solves\",\"value\":4");
    assert_near(parameter(s, "contact.constraints.solves"), 4, 0);
    assert_non_null(json_object_get(json_object_get(last_event(s, "params"), "values"), "contact.constraints.solves"));
    order(s, "\"do\":\"undo\"");
    assert_near(parameter(s, "contact.constraints.solves"), 6, 0);
    order(s, "\"do\":\"set\",\"path\":\"contact.bodies\",\"value\":\"impulse\"");
    order(s, "\"do\":\"undo\"");
    /* an added force also has original values */
    order(s, "\"do\":\"force\",\"add\":\"wind\"");
    double speed = parameter(s, "forces.wind.speed");
    order(s, "\"do\":\"set\",\"path\":\"forces.wind.speed\",\"value\":7");
    order(s, "\"do\":\"reset\",\"path\":\"forces.wind.speed\"");
    assert_near(parameter(s, "forces.wind.speed"), speed, 0);
    /* changing the shape of a body restarts the scene */
    order(s, "\"do\":\"set\",\"path\":\"bodies.sphere.radius\",\"value\":0.1");
    close_stage(s);
}

/* Moving a slider is a single action for undo. */
static const char *idle_reason(const json_t *pane, const char *path) {
    const json_t *reasons = json_object_get(pane, "idle");
    assert_non_null(reasons);
    const char *why = json_string_value(json_object_get(reasons, path));
    return why ? why : "";
}

static const json_t *first_pane(const stage *s) {
    return json_array_get(json_object_get(last_event(s, "scene"), "panes"), 0);
}

/* The scene and each change say which parameters have no effect, as the notices of the command do. */
static void parameters_without_effect_have_reasons(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"hello\"");
    assert_string_equal(idle_reason(first_pane(s), "cloth.sheet.fabric.damping"), "");
    assert_string_equal(idle_reason(first_pane(s), "cloth.sheet.fabric.drag"),
                        "aerodynamics does not use it, because the scene has no wind");
    assert_string_equal(idle_reason(first_pane(s), "cloth.sheet.fabric.thickness"),
                        "contact does not use it, because contact.thickness is given");
    assert_string_equal(idle_reason(first_pane(s), "cloth.sheet.model.shear_stiffness"),
                        "model springs does not use it, because model.stiffness is fabric");
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.model.shear\",\"value\":\"false\"");
    assert_string_equal(idle_reason(last_event(s, "params"), "cloth.sheet.fabric.shear"),
                        "model springs does not use it, because springs of this kind are switched off");
    order(s, "\"do\":\"algorithm\",\"integrator\":\"xpbd\"");
    assert_non_null(strstr(idle_reason(first_pane(s), "cloth.sheet.fabric.damping"), "constraints have no damping"));
    close_stage(s);
}

static void slider_moves_are_undone_together(void **state) {
    (void)state;
    stage *s = open_stage();
    double own = parameter(s, "cloth.sheet.fabric.density");
    studio_session_go_on(s->session, 100);
    for (int i = 1; i <= 5; i++) {
        char fields[128];
        snprintf(fields, sizeof fields, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.density\",\"value\":%g", 0.1 * i);
        order(s, fields);
        studio_session_go_on(s->session, 100 + 0.05 * i);
    }
    order(s, "\"do\":\"undo\"");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), own, 0);
    refuse(s, "\"do\":\"undo\"", "nothing to undo");
    order(s, "\"do\":\"redo\"");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), 0.5, 0);
    close_stage(s);
}

static void pins_can_be_added_freed_and_undone(void **state) {
    (void)state;
    stage *s = open_stage();
    const uint8_t *held = weft_sim_held(sim_of(s), 0);
    assert_true(held[0] && held[8] && !held[40]);
    order(s, "\"do\":\"pin\",\"vertices\":[40]");
    order(s, "\"do\":\"free\",\"vertices\":[0]");
    assert_true(!held[0] && held[40]);
    order(s, "\"do\":\"undo\"");
    assert_true(held[0] && held[40]);
    order(s, "\"do\":\"undo\"");
    assert_true(held[0] && !held[40]);
    order(s, "\"do\":\"redo\"");
    assert_true(held[40]);
    order(s, "\"do\":\"restart\""); /* pins are kept */
    held = weft_sim_held(sim_of(s), 0);
    assert_true(held[0] && held[40]);
    play_frames(s, 3);
    assert_near(weft_sim_positions(sim_of(s), 0)[40].y, 1, 0);
    close_stage(s);
}

static void steps_and_speed_control_time(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"step\",\"count\":3");
    for (int i = 0; i < 200; i++)
        studio_session_go_on(s->session, s->now); /* without waiting for the clock */
    assert_int_equal(weft_sim_frame(sim_of(s)), 3);
    int64_t steps = weft_sim_step_count(sim_of(s));
    order(s, "\"do\":\"step\",\"unit\":\"step\"");
    for (int i = 0; i < 10; i++)
        studio_session_go_on(s->session, s->now);
    assert_int_equal(weft_sim_step_count(sim_of(s)), steps + 1);
    /* slow motion: 1 s of real time is 0.25 s of the simulation */
    order(s, "\"do\":\"speed\",\"factor\":0.25");
    order(s, "\"do\":\"play\"");
    double begin = weft_sim_time(sim_of(s));
    for (int i = 0; i < 1000; i++)
        studio_session_go_on(s->session, s->now += 0.001);
    assert_near(weft_sim_time(sim_of(s)) - begin, 0.25, 0.005);
    order(s, "\"do\":\"pause\"");
    order(s, "\"do\":\"restart\"");
    assert_int_equal(weft_sim_frame(sim_of(s)), 0);
    close_stage(s);
}

/* Scrubbing restores the frame exactly, and playing from it repeats the same motion. */
static void scrubbing_restores_frames_exactly(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 5);
    uint64_t five = weft_sim_hash(sim_of(s));
    play_frames(s, 7);
    order(s, "\"do\":\"scrub\",\"frame\":5");
    assert_true(weft_sim_hash(sim_of(s)) == five);
    assert_true(json_is_false(json_object_get(last_event(s, "time"), "live")));
    order(s, "\"do\":\"live\"");
    assert_int_equal(weft_sim_frame(sim_of(s)), 12);
    uint64_t twelve = weft_sim_hash(sim_of(s));
    order(s, "\"do\":\"scrub\",\"frame\":5");
    play_frames(s, 7);
    assert_true(weft_sim_hash(sim_of(s)) == twelve);
    refuse(s, "\"do\":\"scrub\",\"frame\":13", "frames 0 to 12 are");
    close_stage(s);
}

/* -- recording -- */

/* Replays a recording like `weft run`. */
static uint64_t replay(const stage *s, const char *scene) {
    char path[256];
    weft_tree *tree;
    weft_sim *sim;
    weft_inputs inputs;
    snprintf(path, sizeof path, "%s/%s", s->folder, scene);
    must(weft_yaml_read(path, &tree));
    must(weft_scene_read(s->registry, tree, NULL, &sim));
    const weft_value *name = weft_value_find(weft_tree_root(tree), "inputs");
    assert_non_null(name);
    snprintf(path, sizeof path, "%s/recordings/%s", s->folder, name->text);
    must(weft_inputs_read(path, &inputs));
    while (weft_sim_frame(sim) < weft_sim_clock(sim)->frames) {
        weft_report report;
        int32_t done;
        must(weft_inputs_apply(&inputs, sim));
        must(weft_sim_advance_step(sim, &report, &done));
        assert_int_equal(report.status, WEFT_STATUS_OK);
    }
    uint64_t hash = weft_sim_hash(sim);
    weft_inputs_free(&inputs);
    weft_sim_destroy(sim);
    weft_tree_destroy(tree);
    return hash;
}

static void assert_replays(stage *s) {
    const json_t *saved = order(s, "\"do\":\"record\",\"action\":\"save\",\"name\":\"take 1\"");
    char hash[17];
    const char *scene = json_string_value(json_object_get(saved, "path")); /* "take 1", "take 1-2" and so on */
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)replay(s, scene));
    assert_string_equal(hash, json_string_value(json_object_get(saved, "state_hash")));
    assert_int_equal(json_integer_value(json_object_get(saved, "frames")), weft_sim_frame(sim_of(s)));
}

static void take_steps(stage *s, int count) {
    char fields[64];
    snprintf(fields, sizeof fields, "\"do\":\"step\",\"unit\":\"step\",\"count\":%d", count);
    order(s, fields);
    for (int i = 0; i < 2 * count; i++)
        studio_session_go_on(s->session, s->now);
}

static void recording_replays_to_same_state(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.density\",\"value\":0.3");
    play_frames(s, 2);
    take_steps(s, 3); /* in the middle of a frame */
    order(s, "\"do\":\"drag\",\"vertices\":[40,41],\"to\":[[0.5,1.3,0.5],[0.6,1.3,0.5]]");
    take_steps(s, 2);
    order(s, "\"do\":\"drag\",\"vertices\":[40,41],\"to\":[[0.5,1.31,0.5],[0.6,1.31,0.5]]");
    play_frames(s, 3);
    order(s, "\"do\":\"release\"");
    order(s, "\"do\":\"pin\",\"vertices\":[72]");
    order(s, "\"do\":\"wind\",\"direction\":[0,0,1],\"speed\":4");
    order(s, "\"do\":\"body\",\"body\":0,\"at\":[0.5,0.7,0.5]");
    play_frames(s, 2);
    order(s, "\"do\":\"wind\",\"speed\":0");
    order(s, "\"do\":\"free\",\"vertices\":[8]");
    order(s, "\"do\":\"cut\",\"eye\":[0.45,5,0.5],\"rays\":[[0,-5,-1],[0,-5,1]]");
    order(s, "\"do\":\"force\",\"add\":\"air-damping\"");
    order(s, "\"do\":\"undo\"");
    play_frames(s, 3);
    assert_replays(s);
    close_stage(s);
}

/* After scrubbing back, drags and moves of the discarded frames are gone, but parameters are kept. */
static void recording_after_scrub_replays_to_same_state(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 3);
    order(s, "\"do\":\"drag\",\"vertices\":[40],\"to\":[[0.5,1.2,0.5]]");
    play_frames(s, 3);
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.density\",\"value\":0.4");
    order(s, "\"do\":\"pin\",\"vertices\":[75]");
    order(s, "\"do\":\"body\",\"body\":0,\"at\":[0.5,0.65,0.5]");
    take_steps(s, 4);
    order(s, "\"do\":\"scrub\",\"frame\":4");
    play_frames(s, 4);
    assert_replays(s);
    order(s, "\"do\":\"scrub\",\"frame\":6");
    order(s, "\"do\":\"live\"");
    play_frames(s, 2);
    assert_replays(s);
    order(s, "\"do\":\"restart\"");
    play_frames(s, 4);
    assert_replays(s);
    close_stage(s);
}

/* A recording is a scene with inputs. When it is opened it repeats the same motion, and so does a new recording of
 * it. */
static void opened_recording_repeats_same_motion(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 1);
    order(s, "\"do\":\"drag\",\"vertices\":[40],\"to\":[[0.5,1.3,0.5]]");
    play_frames(s, 2);
    order(s, "\"do\":\"release\"");
    order(s, "\"do\":\"force\",\"add\":\"air-damping\"");
    order(s, "\"do\":\"pin\",\"vertices\":[72]");
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.density\",\"value\":0.3");
    play_frames(s, 3);
    order(s, "\"do\":\"record\",\"action\":\"save\",\"name\":\"first\"");
    uint64_t hash = weft_sim_hash(sim_of(s));
    order(s, "\"do\":\"load\",\"scene\":\"recordings/first.yaml\"");
    int32_t forces = weft_sim_force_count(sim_of(s));
    play_frames(s, 6);
    assert_true(weft_sim_hash(sim_of(s)) == hash);
    assert_int_equal(weft_sim_force_count(sim_of(s)), forces + 1);
    assert_near(parameter(s, "cloth.sheet.fabric.density"), 0.3, 1e-12);
    assert_replays(s);
    /* from the middle: the drag is repeated, but the existing force is not added again */
    order(s, "\"do\":\"scrub\",\"frame\":1");
    play_frames(s, 6);
    assert_int_equal(weft_sim_force_count(sim_of(s)), forces + 1);
    assert_replays(s);
    order(s, "\"do\":\"restart\"");
    assert_int_equal(weft_sim_force_count(sim_of(s)), forces);
    play_frames(s, 6);
    assert_true(weft_sim_hash(sim_of(s)) == hash);
    /* another cloth has other vertices, so its inputs are dropped */
    order(s, "\"do\":\"target\",\"grid\":{\"cells\":[3,3],\"size\":[1,1]}");
    play_frames(s, 6);
    assert_int_equal(weft_sim_force_count(sim_of(s)), forces);
    write_scene(s, "outside.yaml", "inputs: ../outside.inputs\n");
    refuse(s, "\"do\":\"load\",\"scene\":\"outside.yaml\"", "outside.inputs: not a file below the folder");
    close_stage(s);
}

/* Panels show the position of a body after a move, and after scrubbing. */
static void moved_body_is_reported(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 1);
    order(s, "\"do\":\"body\",\"body\":0,\"at\":[0.5,0.7,0.5]");
    const json_t *values = json_object_get(last_event(s, "params"), "values");
    assert_string_equal(json_string_value(json_object_get(values, "bodies.sphere.at")), "[0.5, 0.7, 0.5]");
    play_frames(s, 2);
    order(s, "\"do\":\"scrub\",\"frame\":1");
    values = json_object_get(last_event(s, "params"), "values");
    assert_string_equal(json_string_value(json_object_get(values, "bodies.sphere.at")), "[0.5, 0.6, 0.5]");
    close_stage(s);
}

/* -- choosing -- */

static void assert_value(const stage *s, int pane, const char *path, double wanted) {
    char value[64];
    must(weft_sim_get(s->session->pane[pane].sim, path, value, sizeof value));
    assert_near(strtod(value, NULL), wanted, 0);
}

/* A restart, a body and another method of one pane all build the panes again. */
static void compared_panes_keep_their_own_values(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"set\",\"path\":\"integrator.tolerance\",\"value\":0.02");
    order(s, "\"do\":\"compare\",\"panes\":[{},{\"integrator\":\"bdf2\"}]");
    assert_value(s, 1, "integrator.tolerance", 0.02); /* a new pane begins with the values of the first */
    order(s, "\"do\":\"set\",\"path\":\"integrator.tolerance\",\"value\":0.03,\"pane\":0");
    order(s, "\"do\":\"set\",\"path\":\"integrator.tolerance\",\"value\":0.04,\"pane\":1");
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.density\",\"value\":0.5");
    const char *again[] = {"\"do\":\"restart\"", "\"do\":\"body\",\"add\":\"plane\"",
                           "\"do\":\"algorithm\",\"integrator\":\"bdf2\",\"pane\":0"};
    for (size_t i = 0; i < sizeof again / sizeof again[0]; i++) {
        order(s, again[i]);
        assert_value(s, 0, "integrator.tolerance", 0.03);
        assert_value(s, 1, "integrator.tolerance", 0.04);
        assert_value(s, 1, "cloth.sheet.fabric.density", 0.5);
    }
    play_frames(s, 3);
    order(s, "\"do\":\"scrub\",\"frame\":1");
    order(s, "\"do\":\"set\",\"path\":\"integrator.tolerance\",\"value\":0.05,\"pane\":1");
    order(s, "\"do\":\"restart\"");
    assert_value(s, 0, "integrator.tolerance", 0.03);
    assert_value(s, 1, "integrator.tolerance", 0.05);
    play_frames(s, 2);
    assert_replays(s);
    close_stage(s);
}

static void panes_compare_algorithms(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"compare\",\"panes\":[{},{\"integrator\":\"bdf2\"},{\"model\":\"corotational\"},"
             "{\"integrator\":\"symplectic-euler\"}]");
    assert_int_equal(s->session->pane_count, 4);
    assert_string_equal(weft_sim_model_name(s->session->pane[2].sim, 0), "corotational");
    assert_string_equal(weft_sim_integrator_name(s->session->pane[3].sim), "symplectic-euler");
    order(s, "\"do\":\"drag\",\"vertices\":[40],\"to\":[[0.5,1.1,0.5]]");
    play_frames(s, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(weft_sim_frame(s->session->pane[i].sim), 4);
        assert_near(weft_sim_positions(s->session->pane[i].sim, 0)[40].y, 1.1, 1e-12);
    }
    assert_int_equal(s->frame->pane_count, 4);
    assert_int_equal(s->frame->section_count, 8); /* a cloth and a body each */
    refuse(s, "\"do\":\"compare\",\"panes\":[{\"integrator\":\"verlet-constraints\",\"model\":\"corotational\"},{}]",
           "cannot move");
    assert_int_equal(s->session->pane_count, 4); /* unchanged */
    play_frames(s, 1);
    order(s, "\"do\":\"compare\",\"panes\":[{}]");
    assert_int_equal(s->session->pane_count, 1);
    play_frames(s, 1);
    assert_replays(s);
    close_stage(s);
}

static void algorithm_can_be_changed(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.fabric.density\",\"value\":0.3");
    order(s, "\"do\":\"algorithm\",\"model\":\"corotational\",\"integrator\":\"bdf2\"");
    assert_string_equal(weft_sim_model_name(sim_of(s), 0), "corotational");
    assert_near(parameter(s, "cloth.sheet.fabric.density"), 0.3, 0); /* kept */
    /* this parameter can only be set at the start */
    order(s, "\"do\":\"set\",\"path\":\"cloth.sheet.model.bending\",\"value\":\"none\"");
    assert_true(json_is_true(json_object_get(s->answer, "restarted")));
    char text[64];
    must(weft_sim_get(sim_of(s), "cloth.sheet.model.bending", text, sizeof text));
    assert_string_equal(text, "none");
    play_frames(s, 3);
    assert_replays(s);
    close_stage(s);
}

static void cloth_can_be_replaced(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"target\",\"grid\":{\"cells\":[4,6],\"size\":[2,3]}");
    const weft_mesh *mesh = weft_sim_cloth(sim_of(s), 0)->mesh;
    assert_int_equal(mesh->vertex_count, 5 * 7);
    assert_near(mesh->grid_size[1], 3, 0);
    assert_int_equal(weft_sim_held(sim_of(s), 0)[0], 1); /* its corners are still held */
    write_scene(s, "quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    const json_t *answer = order(s, "\"do\":\"target\",\"mesh\":\"quad.obj\"");
    assert_int_equal(json_array_size(json_object_get(answer, "notes")), 2); /* two notes: the mesh has no grid corners
                                                                             * to pin */
    assert_int_equal(weft_sim_cloth(sim_of(s), 0)->mesh->vertex_count, 4);
    write_scene(s, "bad.obj", "v 0 0 0\nf 1 2 3\n");
    refuse(s, "\"do\":\"target\",\"mesh\":\"bad.obj\"", "bad.obj");
    /* the message names the faulty file relative to the folder, not the scene */
    const char *error = json_string_value(json_object_get(s->answer, "error"));
    if (strncmp(error, "bad.obj:2: ", 11) != 0)
        fail_msg("%s", error);
    write_scene(s, "wrong.yaml", "time: {step: -1}\n");
    refuse(s, "\"do\":\"load\",\"scene\":\"wrong.yaml\"", "step");
    error = json_string_value(json_object_get(s->answer, "error"));
    if (strncmp(error, "wrong.yaml:1", 12) != 0)
        fail_msg("%s", error);
    assert_int_equal(weft_sim_cloth(sim_of(s), 0)->mesh->vertex_count, 4);
    refuse(s, "\"do\":\"target\",\"grid\":{\"cells\":[1000,1000]}", "too many");
    close_stage(s);
}

/* A viewer that leaves releases the vertices it held. */
static void leaving_viewer_releases_vertices(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"hello\"");
    order(s, "\"do\":\"drag\",\"vertices\":[40],\"to\":[[0.5,1.1,0.5]]");
    play_frames(s, 1);
    assert_int_equal(weft_sim_held(sim_of(s), 0)[40], 1);
    studio_session_forget(s->session, 1);
    assert_int_equal(weft_sim_held(sim_of(s), 0)[40], 0);
    close_stage(s);
}

static void order_as(stage *s, uint64_t viewer, const char *fields) {
    char text[256];
    int length = snprintf(text, sizeof text, "{\"id\":%d,%s}", ++s->id, fields);
    studio_session_execute(s->session, viewer, text, (size_t)length);
    assert_null(json_object_get(s->answer, "error"));
}

/* Only its own vertices are released, not those held by others. A viewer that has released its vertices holds none. */
static void leaving_viewer_keeps_vertices_of_others(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"drag\",\"vertices\":[30],\"to\":[[0.5,1.1,0.5]]");
    order(s, "\"do\":\"release\",\"vertices\":[30]");
    order_as(s, 2, "\"do\":\"drag\",\"vertices\":[40,41],\"to\":[[0.5,1.1,0.5],[0.6,1.1,0.5]]");
    order_as(s, 3, "\"do\":\"drag\",\"vertices\":[50],\"to\":[[0.5,1.1,0.5]]");
    play_frames(s, 1);
    studio_session_forget(s->session, 2);
    assert_int_equal(weft_sim_held(sim_of(s), 0)[40], 0);
    assert_int_equal(weft_sim_held(sim_of(s), 0)[41], 0);
    assert_int_equal(weft_sim_held(sim_of(s), 0)[50], 1);
    studio_session_forget(s->session, 3);
    assert_int_equal(weft_sim_held(sim_of(s), 0)[50], 0);
    close_stage(s);
}

static void every_scalar_can_be_shown(void **state) {
    (void)state;
    stage *s = open_stage();
    const json_t *names = json_object_get(order(s, "\"do\":\"hello\""), "scalars");
    size_t count = json_array_size(names);
    char fields[128], name[64];
    order(s, "\"do\":\"step\"");
    for (size_t i = 0; i < count; i++) {
        names = json_object_get(order(s, "\"do\":\"hello\""), "scalars");
        snprintf(name, sizeof name, "%s", json_string_value(json_array_get(names, i)));
        snprintf(fields, sizeof fields, "\"do\":\"show\",\"scalar\":\"%s\"", name);
        order(s, fields);
        studio_session_go_on(s->session, s->now += 1);
        int of_triangles = strncmp(name, "str", 3) == 0 && name[3] != 'e'; /* strain-...: springs have none */
        of_triangles |= strncmp(name, "stress", 6) == 0;
        if ((s->frame->section[0].scalar == NULL) != of_triangles)
            fail_msg("%s: %s", name, of_triangles ? "shown" : "not shown");
    }
    close_stage(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hello_lists_all_parameters),
        cmocka_unit_test(parameters_can_be_set_undone_and_reset),
        cmocka_unit_test(parameters_without_effect_have_reasons),
        cmocka_unit_test(slider_moves_are_undone_together),
        cmocka_unit_test(pins_can_be_added_freed_and_undone),
        cmocka_unit_test(steps_and_speed_control_time),
        cmocka_unit_test(scrubbing_restores_frames_exactly),
        cmocka_unit_test(recording_replays_to_same_state),
        cmocka_unit_test(recording_after_scrub_replays_to_same_state),
        cmocka_unit_test(opened_recording_repeats_same_motion),
        cmocka_unit_test(moved_body_is_reported),
        cmocka_unit_test(panes_compare_algorithms),
        cmocka_unit_test(compared_panes_keep_their_own_values),
        cmocka_unit_test(algorithm_can_be_changed),
        cmocka_unit_test(cloth_can_be_replaced),
        cmocka_unit_test(leaving_viewer_releases_vertices),
        cmocka_unit_test(leaving_viewer_keeps_vertices_of_others),
        cmocka_unit_test(every_scalar_can_be_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
