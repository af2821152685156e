/* What a studio session tells of long work and of failures: exports, recordings and divergence. */
#include "unit/studio_stage.h"

#include <time.h>

/* Copies the last export event that has the key. */
static json_t *wait_for_export(stage *s, const char *key) {
    for (int i = 0; i < 60000; i++) {
        json_t *found = NULL;
        pthread_mutex_lock(&s->lock);
        for (int k = s->event_count; k-- > 0 && !found;)
            if (json_object_get(s->event[k], "job") && json_object_get(s->event[k], key))
                found = json_deep_copy(s->event[k]);
        pthread_mutex_unlock(&s->lock);
        if (found)
            return found;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    fail_msg("no export event with '%s'", key);
    return NULL;
}

static json_t *export_file(stage *s, const char *fields) {
    forget_events(s);
    order(s, fields);
    return wait_for_export(s, "size");
}

static void assert_url(json_t *event, const char *ending) {
    const char *url = json_string_value(json_object_get(event, "url"));
    if (!url || strlen(url) < strlen(ending) || strcmp(url + strlen(url) - strlen(ending), ending) != 0)
        fail_msg("'%s' does not end in '%s'", url ? url : "no file", ending);
    json_decref(event);
}

static void frame_and_take_have_different_names(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 3);
    assert_url(export_file(s, "\"do\":\"export\",\"what\":\"frame\",\"format\":\"obj\""), "/1/scene-frame-3.obj");
    assert_url(export_file(s, "\"do\":\"export\",\"what\":\"frame\",\"format\":\"glb\""), "/2/scene-frame-3.glb");
    assert_url(export_file(s, "\"do\":\"export\",\"what\":\"take\",\"format\":\"glb\""), "/3/scene.glb");
    close_stage(s);
}

static void glb_has_the_colours_of_the_scene(void **state) {
    (void)state;
    stage *s = open_stage();
    char path[256], text[65536];
    write_scene(s, "red.yaml",
                "time: {step: 2 ms, frames: 5, rate: 60}\ncloth:\n  - grid: {cells: [2, 2], size: [1, 1]}\n"
                "view: {cloth_front: [1, 0.5, 0]}\n");
    order(s, "\"do\":\"load\",\"scene\":\"red.yaml\"");
    json_decref(export_file(s, "\"do\":\"export\",\"what\":\"take\",\"format\":\"glb\""));
    snprintf(path, sizeof path, "%s/1/red.glb", s->work);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_true(size > 20 && memcmp(text, "glTF", 4) == 0);
    uint32_t length, whole;
    memcpy(&whole, text + 8, 4);
    memcpy(&length, text + 12, 4);
    assert_int_equal(whole, size);
    assert_int_equal(length % 4, 0);
    json_t *root = json_loadb(text + 20, length, JSON_DISABLE_EOF_CHECK, NULL);
    const json_t *material = json_array_get(json_object_get(root, "materials"), 0);
    const json_t *colour = json_object_get(json_object_get(material, "pbrMetallicRoughness"), "baseColorFactor");
    assert_near(json_number_value(json_array_get(colour, 0)), 1, 1e-6);
    assert_near(json_number_value(json_array_get(colour, 1)), 0.2140, 1e-3); /* sRGB 0.5 in linear light */
    assert_near(json_number_value(json_array_get(colour, 2)), 0, 1e-6);
    json_decref(root);
    close_stage(s);
}

/* A cut changes the mesh of later frames: single frames have it, and a take of one mesh is refused. */
static void cut_cloth_is_exported(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 2);
    order(s, "\"do\":\"cut\",\"eye\":[0.47,5,-1],\"rays\":[[0,-4,0.5],[0,-4,3]]");
    play_frames(s, 2);
    assert_url(export_file(s, "\"do\":\"export\",\"what\":\"frame\",\"format\":\"glb\""), "/1/scene-frame-4.glb");
    forget_events(s);
    order(s, "\"do\":\"export\",\"what\":\"take\",\"format\":\"glb\"");
    json_t *event = wait_for_export(s, "error");
    const char *error = json_string_value(json_object_get(event, "error"));
    if (!error || !strstr(error, "changes from frame to frame"))
        fail_msg("'%s'", error ? error : "no error");
    json_decref(event);
    close_stage(s);
}

static void export_tells_progress_and_can_be_cancelled(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 30);
    forget_events(s);
    order(s, "\"do\":\"export\",\"what\":\"take\",\"format\":\"mp4\",\"size\":[640,480]");
    json_t *event = wait_for_export(s, "progress");
    assert_true(json_number_value(json_object_get(event, "progress")) < 1);
    json_decref(event);
    order(s, "\"do\":\"cancel\",\"job\":1");
    event = wait_for_export(s, "error");
    assert_true(json_is_true(json_object_get(event, "cancelled")));
    json_decref(event);
    for (int i = 0; i < 60000 && atomic_load(&s->session->jobs_running) > 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    refuse(s, "\"do\":\"cancel\",\"job\":1", "has ended already");
    close_stage(s);
}

static int is_recording(const stage *s) { return json_is_true(json_object_get(last_event(s, "time"), "recording")); }

static void recordings_are_listed_and_opened(void **state) {
    (void)state;
    stage *s = open_stage();
    order(s, "\"do\":\"play\"");
    assert_false(is_recording(s));
    order(s, "\"do\":\"record\",\"action\":\"start\"");
    assert_true(is_recording(s));
    play_frames(s, 2);
    assert_true(is_recording(s));
    order(s, "\"do\":\"record\",\"action\":\"save\",\"name\":\"mine\"");
    assert_false(is_recording(s));
    const json_t *list = json_object_get(order(s, "\"do\":\"recordings\""), "recordings");
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "name")), "mine");
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "path")), "recordings/mine.yaml");
    order(s, "\"do\":\"load\",\"scene\":\"recordings/mine.yaml\"");
    close_stage(s);
}

static void divergence_names_cause_and_remedy(void **state) {
    (void)state;
    stage *s = open_stage();
    write_scene(s, "wild.yaml",
                "time: {step: 5 ms, frames: 100, rate: 60}\nintegrator: verlet\ncloth:\n  - name: sheet\n"
                "    grid: {cells: [8, 8], size: [1, 1]}\n    model: {name: springs, structural_stiffness: 1e6, "
                "shear_stiffness: 50, flexion_stiffness: 10}\n"
                "    pins: [{corner: top-left}]\nforces: [gravity]\n");
    order(s, "\"do\":\"load\",\"scene\":\"wild.yaml\"");
    order(s, "\"do\":\"play\"");
    for (int i = 0; i < 100000 && s->session->playing; i++)
        studio_session_go_on(s->session, s->now += 0.001);
    const json_t *event = last_event(s, "failed"), *remedies = json_object_get(event, "remedies"), *remedy;
    const char *message = json_string_value(json_object_get(event, "message"));
    assert_non_null(strstr(message, "The simulation diverged in frame"));
    assert_non_null(strstr(message, "the time step of 5 ms is too long for verlet"));
    assert_int_equal(json_array_size(remedies), 2);
    size_t i;
    int tried = 0;
    json_t *all = json_deep_copy(remedies);
    json_array_foreach(all, i, remedy) {
        char *command = json_dumps(json_object_get(remedy, "command"), JSON_COMPACT);
        command[strlen(command) - 1] = '\0';
        order(s, command + 1);
        free(command);
        order(s, "\"do\":\"restart\"");
        play_frames(s, 10);
        tried++;
        order(s, "\"do\":\"undo\"");
    }
    assert_int_equal(tried, 2);
    json_decref(all);
    close_stage(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frame_and_take_have_different_names),
        cmocka_unit_test(glb_has_the_colours_of_the_scene),
        cmocka_unit_test(cut_cloth_is_exported),
        cmocka_unit_test(export_tells_progress_and_can_be_cancelled),
        cmocka_unit_test(recordings_are_listed_and_opened),
        cmocka_unit_test(divergence_names_cause_and_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
