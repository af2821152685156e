/* What the studio tells about a scene, where it puts added bodies, and files that it never replaces. */
#include "unit/studio_stage.h"

#include <math.h>

static const json_t *scene_pane(const stage *s) {
    return json_array_get(json_object_get(last_event(s, "scene"), "panes"), 0);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* -- recordings -- */

static void saved_recordings_are_never_replaced(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 2);
    assert_string_equal(text_of(order(s, "\"do\":\"record\",\"action\":\"save\""), "path"), "recordings/scene.yaml");
    char hash[17], path[128];
    snprintf(hash, sizeof hash, "%s", text_of(s->answer, "state_hash"));
    play_frames(s, 2);
    const json_t *second = order(s, "\"do\":\"record\",\"action\":\"save\"");
    assert_string_equal(text_of(second, "path"), "recordings/scene-2.yaml");
    assert_string_equal(text_of(second, "inputs"), "recordings/scene-2.inputs");
    assert_string_equal(text_of(second, "url"), "/recordings/scene-2.yaml");
    const json_t *list = json_object_get(order(s, "\"do\":\"recordings\""), "recordings");
    assert_string_equal(text_of(json_array_get(list, 0), "name"), "scene");
    assert_string_equal(text_of(json_array_get(list, 1), "path"), "recordings/scene-2.yaml");
    /* inputs without a scene take the name as well */
    snprintf(path, sizeof path, "%s/recordings/lone.inputs", s->folder);
    fclose(fopen(path, "w"));
    assert_string_equal(text_of(order(s, "\"do\":\"record\",\"action\":\"save\",\"name\":\"lone\""), "path"),
                        "recordings/lone-2.yaml");
    order(s, "\"do\":\"load\",\"scene\":\"recordings/scene.yaml\"");
    play_frames(s, 2);
    char now[17];
    snprintf(now, sizeof now, "%016llx", (unsigned long long)weft_sim_hash(sim_of(s)));
    assert_string_equal(now, hash);
    close_stage(s);
}

/* -- notices -- */

static void write_sheet(const stage *s, const char *name, double side) {
    char text[400];
    snprintf(text, sizeof text, "v 0 0 0\nv %g 0 0\nv %g 0 %g\nv 0 0 %g\nf 1 2 3\nf 1 3 4\n", side, side, side, side);
    write_scene(s, name, text);
}

static void mesh_of_unlikely_size_is_told_and_scaled(void **state) {
    (void)state;
    stage *s = open_stage();
    write_sheet(s, "large.obj", 50);
    assert_int_equal(json_array_size(json_object_get(last_event(s, "scene"), "notices")), 0);
    order(s, "\"do\":\"target\",\"mesh\":\"large.obj\"");
    const json_t *notices = json_object_get(last_event(s, "scene"), "notices");
    assert_int_equal(json_array_size(notices), 1);
    assert_non_null(strstr(text_of(json_array_get(notices, 0), "text"), "is 50 m long"));
    const json_t *remedy = json_array_get(json_object_get(json_array_get(notices, 0), "remedies"), 0);
    assert_string_equal(text_of(remedy, "text"), "Scale by 0.01");
    const json_t *command = json_object_get(remedy, "command");
    assert_string_equal(text_of(command, "do"), "target");
    assert_near(json_number_value(json_object_get(command, "scale")), 0.01, 0);
    order(s, "\"do\":\"target\",\"cloth\":0,\"scale\":0.01");
    assert_int_equal(json_array_size(json_object_get(last_event(s, "scene"), "notices")), 0);
    assert_near(weft_sim_positions(sim_of(s), 0)[1].x, 0.5, 1e-9);
    order(s, "\"do\":\"target\",\"mesh\":\"large.obj\""); /* the scale was that of the other mesh */
    assert_near(weft_sim_positions(sim_of(s), 0)[1].x, 50, 1e-9);
    order(s, "\"do\":\"target\",\"grid\":{\"cells\":[4,4],\"size\":[1,1]}");
    refuse(s, "\"do\":\"target\",\"scale\":0.01", "mesh file");
    refuse(s, "\"do\":\"target\",\"scale\":0.01,\"mesh\":\"large.obj\"", "'scale' is needed");
    close_stage(s);
}

static int count_events(const stage *s, const char *name, const char *excerpt) {
    int count = 0;
    for (int i = 0; i < s->event_count; i++)
        count += strcmp(text_of(s->event[i], "event"), name) == 0 && strstr(text_of(s->event[i], "text"), excerpt);
    return count;
}

static void intersections_are_told_once(void **state) {
    (void)state;
    stage *s = open_stage();
    write_scene(s, "through.yaml",
                "time: {step: 2 ms, frames: 100, rate: 60}\nintegrator: implicit-euler\ncloth:\n  - name: sheet\n"
                "    grid: {cells: [8, 8], size: [1, 1], axes: [x, z], origin: [0, 1, 0]}\n"
                "bodies:\n  - sphere: {radius: 0.2, at: [0.51, 0.95, 0.52]}\n");
    order(s, "\"do\":\"load\",\"scene\":\"through.yaml\"");
    forget_events(s);
    play_frames(s, 3);
    assert_int_equal(count_events(s, "notice", "cloth 'sheet' intersects body 'sphere'"), 1);
    order(s, "\"do\":\"scrub\",\"frame\":0");
    play_frames(s, 3);
    assert_int_equal(count_events(s, "notice", "cloth 'sheet' intersects body 'sphere'"), 1);
    close_stage(s);
}

static void full_list_of_intersections_is_told(void **state) {
    (void)state;
    stage *s = open_stage();
    char text[8192];
    int used = snprintf(text, sizeof text,
                        "time: {step: 2 ms, frames: 100, rate: 60}\nintegrator: implicit-euler\ncloth:\n"
                        "  grid: {cells: [2, 2], size: [1, 1], axes: [x, z], origin: [-0.5, 0, -0.5]}\nbodies:\n");
    for (int i = 0; i < 66; i++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "  - sphere: {radius: 0.2, at: [0.01, -0.05, 0.02]}\n");
    write_scene(s, "many.yaml", text);
    order(s, "\"do\":\"load\",\"scene\":\"many.yaml\"");
    forget_events(s);
    play_frames(s, 2);
    assert_int_equal(count_events(s, "notice", "' intersects body '"), 64);
    assert_int_equal(count_events(s, "notice", "more than 64 intersections began: the others are not reported"), 1);
    close_stage(s);
}

/* -- numbers -- */

static void frame_rate_is_not_negative_after_undo(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 5);
    order(s, "\"do\":\"cut\",\"eye\":[0.45,5,0.5],\"rays\":[[0,-5,-1],[0,-5,1]]");
    play_frames(s, 40);
    order(s, "\"do\":\"play\"");
    order(s, "\"do\":\"undo\"");
    forget_events(s);
    for (int i = 0; i < 60; i++)
        studio_session_go_on(s->session, s->now += 0.02);
    int count = 0;
    for (int i = 0; i < s->event_count; i++) {
        const json_t *fps = json_object_get(s->event[i], "fps");
        if (fps)
            assert_true(json_number_value(fps) >= 0);
        count += fps != NULL;
    }
    assert_true(count > 3);
    close_stage(s);
}

static void cloth_keeps_its_rectangle_after_a_cut(void **state) {
    (void)state;
    stage *s = open_stage();
    play_frames(s, 1);
    order(s, "\"do\":\"cut\",\"eye\":[0.45,5,0.5],\"rays\":[[0,-5,-1],[0,-5,1]]");
    play_frames(s, 1);
    order(s, "\"do\":\"hello\"");
    const json_t *cloth = json_array_get(json_object_get(scene_pane(s), "cloths"), 0);
    assert_true(json_integer_value(json_object_get(cloth, "vertices")) > 81);
    const json_t *cells = json_object_get(cloth, "grid"), *size = json_object_get(cloth, "size");
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(json_integer_value(json_array_get(cells, i)), 8);
        assert_near(json_number_value(json_array_get(size, i)), 1, 1e-12);
    }
    close_stage(s);
}

/* -- added bodies -- */

typedef struct box {
    double low[3], high[3];
} box;

static box box_of(const weft_vec3 *x, int32_t count) {
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < count; i++) {
        const double p[] = {x[i].x, x[i].y, x[i].z};
        for (int k = 0; k < 3; k++) {
            b.low[k] = fmin(b.low[k], p[k]);
            b.high[k] = fmax(b.high[k], p[k]);
        }
    }
    return b;
}

static box box_of_body(const stage *s, int32_t body) {
    weft_body_surface surface;
    must(weft_sim_body_surface(sim_of(s), body, &surface));
    box b = box_of(surface.position, surface.vertex_count);
    weft_memory_free(surface.position);
    weft_memory_free(surface.triangle);
    return b;
}

static int overlap(const box *a, const box *b) {
    int common = 1;
    for (int k = 0; k < 3; k++)
        common &= a->low[k] < b->high[k] && b->low[k] < a->high[k];
    return common;
}

static void added_bodies_have_room(void **state) {
    (void)state;
    stage *s = open_stage();
    write_scene(s, "ball.yaml",
                "time: {step: 2 ms, frames: 100, rate: 60}\ncloth:\n  - name: sheet\n"
                "    grid: {cells: [8, 8], size: [1, 1], axes: [x, z], origin: [-0.5, 0.45, -0.5]}\n"
                "bodies:\n  - plane\n  - sphere: {radius: 0.3, at: [0, 0.1, 0]}\n");
    order(s, "\"do\":\"load\",\"scene\":\"ball.yaml\"");
    play_frames(s, 10); /* where the cloth has sunk to does not matter */
    static const char *const NAMES[] = {"sphere", "box", "sphere", "box"};
    for (int i = 0; i < 4; i++) {
        char fields[64];
        snprintf(fields, sizeof fields, "\"do\":\"body\",\"add\":\"%s\"", NAMES[i]);
        const json_t *answer = order(s, fields);
        const char *note = json_string_value(json_array_get(json_object_get(answer, "notes"), 0));
        assert_non_null(strstr(note, "no room below the cloth"));
        box added = box_of_body(s, 2 + i), cloth = box_of(weft_sim_positions(sim_of(s), 0), 81);
        assert_true(added.low[1] > -1e-9); /* on the ground, not in it */
        assert_false(overlap(&added, &cloth));
        for (int32_t k = 1; k < 2 + i; k++) {
            box other = box_of_body(s, k);
            assert_false(overlap(&added, &other));
        }
    }
    close_stage(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_recordings_are_never_replaced),
        cmocka_unit_test(mesh_of_unlikely_size_is_told_and_scaled),
        cmocka_unit_test(intersections_are_told_once),
        cmocka_unit_test(full_list_of_intersections_is_told),
        cmocka_unit_test(frame_rate_is_not_negative_after_undo),
        cmocka_unit_test(cloth_keeps_its_rectangle_after_a_cut),
        cmocka_unit_test(added_bodies_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
