/* Files of recorded inputs, and their replay. */
#include "support.h"

#include <unistd.h>

#include "io/inputs.h"

static weft_result read_text(const char *text, weft_inputs *inputs) {
    return weft_inputs_read_memory(text, strlen(text), "hand.inputs", inputs);
}

static void assert_refused(const char *text, const char *excerpt) {
    weft_inputs inputs;
    assert_says(read_text(text, &inputs), excerpt);
    weft_inputs_free(&inputs);
}

static void malformed_inputs_are_refused(void **state) {
    (void)state;
    assert_refused("", "empty");
    assert_refused("weft\n", "hand.inputs:1: not a file of inputs");
    assert_refused("weft inputs 2\n", "not a file of inputs");
    assert_refused("weft inputs 1\nx set a b\n", "hand.inputs:2: 'x': a whole number");
    assert_refused("weft inputs 1\n-1 set a b\n", "'-1': a whole number");
    assert_refused("weft inputs 1\n99999999999999999999 set a b\n", "a whole number");
    assert_refused("weft inputs 1\n1 jump 0\n",
                   "'jump': no such input; allowed: set, drag, release, pin, free, cut, add-force, ");
    assert_refused("weft inputs 1\n1 set\n", "'set': a path is missing");
    assert_refused("weft inputs 1\n1 drag 0\n", "'drag': needs a vertex");
    assert_refused("weft inputs 1\n1 drag 0 3 1 2\n", "'': a number is needed");
    assert_refused("weft inputs 1\n1 drag 0 3 1 2 nan\n", "'nan': a number is needed");
    assert_refused("weft inputs 1\n1 free 0 1.5\n", "'1.5': a whole number");
    assert_refused("weft inputs 1\n1 free 3000000000 1\n", "a whole number");
    assert_refused("weft inputs 1\n1 cut 0 0 0 0 1 0 0\n", "'cut': needs the eye and two rays or more");
    assert_refused("weft inputs 1\n1 move-body 0 0 0 0\n", "'move-body': needs a position and three angles");
    assert_refused("weft inputs 1\n1 add-force wind here\n", "'here': unexpected text at the end of the line");
    assert_refused("weft inputs 1\n1 remove-force 0 0\n", "unexpected text at the end of the line");
    assert_refused("weft inputs 1\n2 release 0\n\n1 release 0\n",
                   "hand.inputs:4: step 1 comes after step 2; steps must not decrease");
    weft_inputs inputs;
    assert_says(weft_inputs_read_memory("weft inputs 1\n1 set a \0\n", 24, "n", &inputs), "not text");
    weft_inputs_free(&inputs);
}

/* Written inputs read back exactly, up to the requested step. */
static void written_inputs_read_back_exactly(void **state) {
    (void)state;
    static const int32_t VERTEX[] = {7, 8};
    static const weft_vec3 POINT[] = {{0.1, -1e-300, 1.0 / 3}, {-0.0, 1e22, 6.02214076e23}, {1, 2, 3}};
    const weft_input written[] = {
        {.step = 0, .kind = WEFT_INPUT_SET, .text = "cloth.a.fabric.density", .value = "[1, 2] b  c"},
        {.step = 0,
         .kind = WEFT_INPUT_PIN,
         .index = 1,
         .vertex = VERTEX,
         .vertex_count = 2,
         .point = POINT,
         .point_count = 2},
        {.step = 3, .kind = WEFT_INPUT_DRAG, .vertex = VERTEX, .vertex_count = 1, .point = POINT + 1, .point_count = 1},
        {.step = 3, .kind = WEFT_INPUT_RELEASE},
        {.step = 3, .kind = WEFT_INPUT_FREE, .vertex = VERTEX, .vertex_count = 2},
        {.step = 4, .kind = WEFT_INPUT_CUT, .point = POINT, .point_count = 3},
        {.step = 5, .kind = WEFT_INPUT_ADD_FORCE, .text = "wind"},
        {.step = 6, .kind = WEFT_INPUT_REMOVE_FORCE, .index = 2},
        {.step = 7, .kind = WEFT_INPUT_MOVE_BODY, .index = 1, .point = POINT, .point_count = 2},
        {.step = 8, .kind = WEFT_INPUT_RELEASE},
    };
    enum { COUNT = sizeof written / sizeof written[0] };
    weft_inputs inputs = {0}, back;
    for (int i = 0; i < COUNT; i++)
        must(weft_inputs_add(&inputs, &written[i]));
    char path[] = "/tmp/weft-inputs-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    must(weft_inputs_write(&inputs, 8, path));
    must(weft_inputs_read(path, &back));
    unlink(path);
    assert_int_equal(back.count, COUNT - 1); /* the input at step 8 is after the requested range */
    for (int i = 0; i < back.count; i++) {
        const weft_input *a = &written[i], *b = &back.input[i];
        assert_int_equal(a->step, b->step);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->index, b->index);
        assert_int_equal(b->line, i + 2);
        assert_int_equal(a->vertex_count, b->vertex_count);
        assert_int_equal(a->point_count, b->point_count);
        if (a->text)
            assert_string_equal(a->text, b->text);
        if (a->value)
            assert_string_equal(a->value, b->value);
        if (a->vertex_count > 0)
            assert_memory_equal(a->vertex, b->vertex, (size_t)a->vertex_count * sizeof *a->vertex);
        if (a->point_count > 0)
            assert_memory_equal(a->point, b->point, (size_t)a->point_count * sizeof *a->point);
    }
    weft_inputs_free(&back);
    weft_inputs_free(&inputs);
}

/* A list of inputs has the same effect as the same calls at the same steps. */
static void replay_equals_direct_calls(void **state) {
    (void)state;
    test_sim by_hand = make_sheet(6, 6, 1, 1, "symplectic-euler"),
             replayed = make_sheet(6, 6, 1, 1, "symplectic-euler");
    weft_inputs inputs;
    must(read_text("weft inputs 1\n"
                   "0 add-force gravity\n"
                   "0 pin 0 0 0 0 0 6 1 0 0\n"
                   "5 drag 0 24 0.5 -0.5 0.25\n"
                   "9 release 0\n"
                   "9 set time.step 0.001\n"
                   "12 free 0 6\n",
                   &inputs));
    for (int step = 0; step < 20; step++) {
        weft_report report;
        must(weft_inputs_apply(&inputs, replayed.sim));
        must(weft_sim_step(replayed.sim, 1e-3, &report));
        weft_sim *sim = by_hand.sim;
        if (step == 0) {
            weft_pin pin = weft_pin_default();
            must(weft_sim_add_force(sim, "gravity", NULL));
            must(weft_sim_add_pin(sim, 0, &pin, (const int32_t[]){0, 6}, 2));
        }
        if (step == 5)
            must(weft_sim_drag(sim, 0, 24, (weft_vec3){0.5, -0.5, 0.25}));
        if (step == 9)
            must(weft_sim_release(sim, 0, 24));
        if (step == 12)
            must(weft_sim_unpin(sim, 0, (const int32_t[]){6}, 1));
        must(weft_sim_step(sim, 1e-3, &report));
    }
    assert_true(weft_sim_hash(by_hand.sim) == weft_sim_hash(replayed.sim));
    assert_int_equal(inputs.next, inputs.count);
    weft_inputs_free(&inputs);
    must(read_text("weft inputs 1\n0 drag 0 1000 0 0 0\n", &inputs));
    assert_says(weft_inputs_apply(&inputs, replayed.sim), "hand.inputs:2: cloth");
    weft_inputs_free(&inputs);
    destroy(by_hand);
    destroy(replayed);
}

/* A sheet with a ball, on which inputs of all kinds act. The model corotational is refined as well. */
static test_sim make_scene(const char *model, const char *integrator) {
    test_sim made = start_with(integrator);
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    grid.cells[0] = grid.cells[1] = 8;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &fabric, model, NULL));
    if (strcmp(model, "corotational") == 0) {
        must(weft_sim_set_adapt(made.sim, "sqrt3"));
        set(made, "adapt.every", "3");
        set(made, "adapt.max_generation", "2");
        set(made, "adapt.refine", "[0.001, 0.01]");
    }
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.1");
    set(made, "bodies.sphere.at", "[0.5, -0.5, 0.3]");
    if (strcmp(integrator, "symplectic-euler") == 0) { /* soft enough for explicit steps of 1 ms */
        set(made, "cloth.model.structural_stiffness", "100");
        set(made, "cloth.model.shear_stiffness", "50");
        set(made, "cloth.model.flexion_stiffness", "10");
    }
    must(weft_sim_prepare(made.sim));
    return made;
}

static void apply_and_step(weft_inputs *inputs, weft_sim *sim, int steps) {
    for (int i = 0; i < steps; i++) {
        must(weft_inputs_apply(inputs, sim));
        must(weft_sim_step(sim, 1e-3, NULL));
    }
}

/* A run that catches up with a snapshot continues as the one from which the snapshot was taken, from any step. */
static void runs_with_inputs_resume_bit_identically(void **state) {
    (void)state;
    static const char TEXT[] = "weft inputs 1\n"
                               "0 pin 0 0 0 0 0 8 1 0 0\n"
                               "2 set cloth.fabric.stretch_weft 900\n"
                               "3 drag 0 24 0.75 -0.25 0.005\n"
                               "5 add-force wind\n"
                               "5 set forces.wind.speed 4\n"
                               "7 cut 0 0.55 -0.9 3 -0.05 0.2 -3 0.05 0.4 -3\n"
                               "8 move-body 0 0.5 -0.5 0.25 0 0 0\n"
                               "9 pin 0 40 0.5 -0.5 0.004\n"
                               "11 set bodies.sphere.at [0.5, -0.4, 0.3]\n"
                               "12 remove-force 0\n"
                               "13 free 0 8 40\n"
                               "14 release 0\n"
                               "15 set cloth.fabric.density 0.4\n"
                               "17 set cloth.fabric.stretch_warp 1200\n";
    static const char *const CASE[][2] = {{"springs", "symplectic-euler"}, {"springs", "implicit-euler"},
                                          {"springs", "projective"},       {"springs", "xpbd"},
                                          {"corotational", "projective"},  {"corotational", "bdf2"}};
    for (int c = 0; c < 6; c++)
        for (int at = 1; at < 20; at++) {
            test_sim whole = make_scene(CASE[c][0], CASE[c][1]), resumed = make_scene(CASE[c][0], CASE[c][1]);
            weft_inputs inputs[2];
            int64_t steps;
            must(read_text(TEXT, &inputs[0]));
            must(read_text(TEXT, &inputs[1]));
            assert_true(weft_inputs_hash(&inputs[0], 1) == weft_inputs_hash(&inputs[1], 1));
            apply_and_step(&inputs[0], whole.sim, at);
            size_t size = weft_sim_snapshot_size(whole.sim);
            char *snapshot = malloc(size);
            weft_sim_snapshot(whole.sim, snapshot);
            must(weft_snapshot_step_count(snapshot, size, &steps));
            assert_int_equal(steps, at);
            must(weft_inputs_catch_up(&inputs[1], resumed.sim, steps));
            must(weft_sim_restore(resumed.sim, snapshot, size));
            free(snapshot);
            apply_and_step(&inputs[0], whole.sim, 25 - at);
            apply_and_step(&inputs[1], resumed.sim, 25 - at);
            if (weft_sim_hash(whole.sim) != weft_sim_hash(resumed.sim))
                fail_msg("%s %s: resumed after step %d, it ends in another state", CASE[c][0], CASE[c][1], at);
            if (at == 1)
                print_message("%s %s: %d triangles, %lld links broken\n", CASE[c][0], CASE[c][1],
                              weft_sim_cloth(whole.sim, 0)->mesh->triangle_count,
                              (long long)measure(whole).links_broken);
            weft_inputs_free(&inputs[1]);
            weft_inputs_free(&inputs[0]);
            destroy(resumed);
            destroy(whole);
        }
    int64_t steps;
    assert_says(weft_snapshot_step_count("x", 1, &steps), "snapshot: 1 bytes");
}

static void pin_of_inserted_vertex_is_not_caught_up(void **state) {
    (void)state;
    test_sim made = make_scene("springs", "symplectic-euler");
    weft_inputs inputs;
    must(read_text("weft inputs 1\n3 pin 0 1000 0 0 0\n", &inputs));
    assert_says(weft_inputs_catch_up(&inputs, made.sim, 9), "hand.inputs:2: the run cannot be resumed after this pin");
    weft_inputs_free(&inputs);
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_inputs_are_refused), cmocka_unit_test(written_inputs_read_back_exactly),
        cmocka_unit_test(replay_equals_direct_calls), cmocka_unit_test(runs_with_inputs_resume_bit_identically),
        cmocka_unit_test(pin_of_inserted_vertex_is_not_caught_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
