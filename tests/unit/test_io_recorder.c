/* The recorder writes the frames of a simulation, and refuses before it writes anything. */
#include "io_support.h"

#include "weft-io/weft-io.h"
#include "weft/weft.h"

typedef struct stage {
    weft_registry *registry;
    weft_sim *sim;
} stage;

static stage make_stage(void) {
    static const char SCENE[] = "cloth: {name: sheet, grid: {cells: [2, 2]}, pins: [{corner: top-left}]}";
    stage s;
    weft_tree *tree;
    weft_scene_files files = weft_scene_files_make(NULL);
    assert_ok(weft_registry_create(&s.registry));
    assert_ok(weft_writers_register(s.registry));
    assert_ok(weft_yaml_read_memory(SCENE, sizeof SCENE - 1, "scene", &tree));
    assert_ok(weft_scene_read(s.registry, tree, &files, &s.sim));
    weft_tree_destroy(tree);
    return s;
}

static void free_stage(stage *s) {
    weft_sim_destroy(s->sim);
    weft_registry_destroy(s->registry);
}

static weft_recorder *open_recorder(const stage *s, const char *folder, int64_t frames) {
    weft_take take = {.directory = folder, .name = "run", .rate = 60, .frame_count = frames};
    weft_recorder *recorder;
    assert_ok(weft_recorder_create(s->sim, &take, &recorder));
    return recorder;
}

static void takes_hold_the_recorded_positions(void **state) {
    stage s = make_stage();
    char folder[512], path[600];
    weft_take_reader reader;
    weft_vec3 position[9];
    uint8_t open[4];
    weft_strain strain[8];
    (void)state;
    snprintf(folder, sizeof folder, "%s", in_folder("recorded"));
    weft_recorder *recorder = open_recorder(&s, folder, 3);
    weft_recorder_use_take(recorder);
    weft_recorder_use_strain(recorder);
    assert_ok(weft_recorder_add_writer(recorder, s.registry, "ply", NULL));
    assert_ok(weft_recorder_write_frame(recorder));
    for (int frame = 1; frame < 3; frame++) {
        assert_ok(weft_sim_advance_frame(s.sim, NULL, NULL));
        assert_ok(weft_recorder_write_frame(recorder));
    }
    assert_ok(weft_recorder_close(recorder, 1));
    snprintf(path, sizeof path, "%s/%s", folder, WEFT_TAKE_FILE);
    assert_ok(weft_take_reader_open(path, 0, &reader));
    assert_int_equal(reader.frame_count, 3);
    assert_int_equal(reader.cloth[0].vertex_count, 9);
    assert_true(reader.cloth[0].has_strain);
    const weft_take_state now = {.position = position, .open_face = open, .broken = NULL, .strain = strain};
    assert_ok(weft_take_reader_read_mesh(&reader, 2));
    assert_ok(weft_take_reader_read_frame(&reader, 2, &now));
    for (int i = 0; i < 9; i++)
        assert_true(position[i].y == (double)(float)weft_sim_positions(s.sim, 0)[i].y);
    weft_take_reader_close(&reader);
    free_stage(&s);
}

static void refusals_leave_no_files(void **state) {
    stage s = make_stage();
    char folder[512];
    struct stat info;
    (void)state;
    snprintf(folder, sizeof folder, "%s", in_folder("refused"));
    weft_recorder *recorder = open_recorder(&s, folder, 1);
    assert_refused(weft_recorder_add_writer(recorder, s.registry, "objj", NULL), WEFT_BAD_INPUT, "obj");
    for (int i = 0; i < WEFT_RECORDER_WRITERS; i++)
        assert_ok(weft_recorder_add_writer(recorder, s.registry, "obj", NULL));
    assert_refused(weft_recorder_add_writer(recorder, s.registry, "obj", NULL), WEFT_UNSUPPORTED, "at most");
    assert_ok(weft_sim_remove_cloth(s.sim, 0));
    assert_refused(weft_recorder_write_frame(recorder), WEFT_UNSUPPORTED, "removed");
    assert_ok(weft_recorder_close(recorder, 0));
    assert_int_equal(stat(folder, &info), -1);
    assert_ok(weft_recorder_close(NULL, 1));
    free_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_hold_the_recorded_positions),
        cmocka_unit_test(refusals_leave_no_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
