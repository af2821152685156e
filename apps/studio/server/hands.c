/* Commands of the pointer tools: drag, release, pin, free, cut, and moving bodies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/session.h"

/* The lists of a message; free_hand frees them together. */
typedef struct hand {
    int32_t cloth;
    int32_t *vertex;
    weft_vec3 *point;
    int32_t vertex_count, point_count;
} hand;

static void free_hand(hand *grip) {
    free(grip->point);
    free(grip->vertex);
}

static weft_result read_hand(const studio_session *session, const studio_request *request, hand *grip) {
    int64_t cloth = 0;
    const weft_sim *sim = session->pane[0].sim;
    WEFT_TRY(studio_field_int(request->message, "cloth", 0, weft_sim_cloth_count(sim) - 1, &cloth));
    grip->cloth = (int32_t)cloth;
    WEFT_TRY(studio_field_indices(request->message, "vertices", &grip->vertex, &grip->vertex_count));
    WEFT_TRY(studio_field_vectors(request->message, "to", &grip->point, &grip->point_count));
    int32_t most = weft_sim_cloth(sim, grip->cloth)->mesh->vertex_count;
    for (int32_t i = 0; i < grip->vertex_count; i++)
        if (grip->vertex[i] >= most)
            return weft_fail(WEFT_BAD_INPUT, "'vertices': %d; the cloth has %d, numbered from 0", grip->vertex[i],
                             most);
    return weft_ok();
}

static weft_result drag(studio_session *session, studio_request *request, const hand *grip) {
    if (grip->vertex_count == 0)
        return weft_fail(WEFT_BAD_INPUT, "'vertices' is missing or empty");
    if (grip->point_count != grip->vertex_count)
        return weft_fail(WEFT_BAD_INPUT, "'to' has %d points for %d vertices", grip->point_count, grip->vertex_count);
    weft_input input = {.kind = WEFT_INPUT_DRAG,
                        .index = grip->cloth,
                        .vertex = grip->vertex,
                        .vertex_count = grip->vertex_count,
                        .point = grip->point,
                        .point_count = grip->point_count};
    WEFT_TRY(studio_session_act(session, -1, &input, NULL));
    session->urgent = 1;
    studio_session_did_change_state(session, "drag the cloth", NULL, request->viewer);
    return studio_grip_take(session, request->viewer, &input);
}

weft_result studio_do_drag(studio_session *session, studio_request *request) {
    hand grip = {0};
    weft_result result = read_hand(session, request, &grip);
    if (result.code == WEFT_OK)
        result = drag(session, request, &grip);
    free_hand(&grip);
    return result;
}

static weft_result release(studio_session *session, const hand *grip) {
    weft_input input = {
        .kind = WEFT_INPUT_RELEASE, .index = grip->cloth, .vertex = grip->vertex, .vertex_count = grip->vertex_count};
    WEFT_TRY(studio_session_act(session, -1, &input, NULL));
    studio_grip_release(session, &input);
    return weft_ok();
}

weft_result studio_do_release(studio_session *session, studio_request *request) {
    hand grip = {0};
    weft_result result = read_hand(session, request, &grip);
    if (result.code == WEFT_OK)
        result = release(session, &grip);
    studio_session_end_drag(session, request->viewer);
    free_hand(&grip);
    return result;
}

/* -- pins -- */

weft_result studio_session_hold(studio_session *session, int pinned, int32_t cloth, const int32_t *vertex,
                                int32_t count) {
    weft_input input = {
        .kind = pinned ? WEFT_INPUT_PIN : WEFT_INPUT_FREE, .index = cloth, .vertex = vertex, .vertex_count = count};
    return studio_session_act(session, -1, &input, NULL);
}

static weft_result hold(studio_session *session, studio_request *request, int pinned) {
    hand grip = {0};
    weft_result result = read_hand(session, request, &grip);
    if (result.code == WEFT_OK && grip.vertex_count == 0)
        result = weft_fail(WEFT_BAD_INPUT, "'vertices' is missing or empty");
    /* a vertex that is being dragged can be pinned too; it then stays in place when it is released */
    if (result.code == WEFT_OK)
        result = studio_session_hold(session, pinned, grip.cloth, grip.vertex, grip.vertex_count);
    json_t *vertices = json_array();
    int32_t count = result.code == WEFT_OK ? grip.vertex_count : 0;
    for (int32_t i = 0; vertices && i < count; i++)
        json_array_append_new(vertices, json_integer(grip.vertex[i]));
    char what[64];
    snprintf(what, sizeof what, "%s %d vertices", pinned ? "pin" : "free", count);
    if (count == 1)
        snprintf(what, sizeof what, "%s vertex %d", pinned ? "pin" : "free", grip.vertex[0]);
    if (result.code == WEFT_OK)
        studio_session_did(session, what,
                           json_pack("[{s:b, s:i, s:O}]", "pin", pinned, "cloth", grip.cloth, "vertices", vertices));
    json_decref(vertices);
    free_hand(&grip);
    return result;
}

weft_result studio_do_pin(studio_session *session, studio_request *request) { return hold(session, request, 1); }

weft_result studio_do_free(studio_session *session, studio_request *request) { return hold(session, request, 0); }

/* -- cuts and bodies -- */

static weft_result cut(studio_session *session, const json_t *message, weft_vec3 *fan, int32_t count, int32_t *total) {
    const weft_sim *sim = session->pane[0].sim;
    int64_t cloth = -1;
    int32_t done = 0;
    weft_result first = weft_ok();
    WEFT_TRY(studio_field_int(message, "cloth", 0, weft_sim_cloth_count(sim) - 1, &cloth));
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++) {
        int32_t broken = 0;
        if (cloth >= 0 && cloth != i)
            continue;
        weft_input input = {.kind = WEFT_INPUT_CUT, .index = i, .point = fan, .point_count = count};
        weft_result result = studio_session_act(session, -1, &input, &broken);
        done += result.code == WEFT_OK;
        first = first.code == WEFT_OK ? result : first;
        *total += broken;
    }
    return done > 0 ? weft_ok() : first;
}

weft_result studio_session_cut(studio_session *session, const json_t *message, int32_t *total) {
    weft_vec3 eye = {0, 0, 0}, *ray = NULL;
    int32_t count = 0;
    *total = 0;
    WEFT_TRY(studio_field_require(message, "eye"));
    WEFT_TRY(studio_field_vector(message, "eye", &eye));
    weft_result result = studio_field_vectors(message, "rays", &ray, &count);
    if (result.code == WEFT_OK && (count < 2 || count > 10000))
        result = weft_fail(WEFT_BAD_INPUT, "'rays' has %d directions, 2 to 10000 are allowed", count);
    weft_vec3 *fan = result.code == WEFT_OK ? malloc(((size_t)count + 1) * sizeof *fan) : NULL;
    if (result.code == WEFT_OK && !fan)
        result = weft_fail_memory("a cut", (size_t)count * sizeof *fan);
    if (result.code == WEFT_OK) {
        fan[0] = eye;
        memcpy(fan + 1, ray, (size_t)count * sizeof *fan);
        result = cut(session, message, fan, count + 1, total);
    }
    free(fan);
    free(ray);
    return result;
}

weft_result studio_do_cut(studio_session *session, studio_request *request) {
    int32_t total;
    WEFT_TRY(studio_session_cut(session, request->message, &total));
    json_object_set_new(request->reply, "cut", json_integer(total));
    if (total > 0)
        studio_session_did_change_state(session, "cut", request->message, 0);
    return weft_ok();
}

static weft_result current(const weft_sim *sim, int32_t body, const char *name, weft_vec3 *value) {
    char path[64], text[256];
    snprintf(path, sizeof path, "bodies.%d.%s", body, name);
    WEFT_TRY(weft_sim_get(sim, path, text, sizeof text));
    static const weft_param VECTOR = {.name = "vector", .type = WEFT_VECTOR, .unit = ""};
    return weft_param_read_text(&VECTOR, text, path, value);
}

void studio_session_tell_body(studio_session *session, int32_t body) {
    static const char *const NAMES[] = {"at", "rotate"};
    json_t *changes = json_array();
    for (int i = 0; changes && i < 2 * session->pane_count; i++) {
        char prefix[STUDIO_ENTRY_PATH], path[STUDIO_ENTRY_PATH + 16];
        (void)studio_body_path(session->pane[i / 2].sim, body, prefix);
        snprintf(path, sizeof path, "%s.%s", prefix, NAMES[i % 2]);
        json_array_append_new(changes, json_pack("{s:i, s:s}", "pane", i / 2, "path", path));
    }
    studio_session_tell_params(session, changes);
    json_decref(changes);
}

weft_result studio_do_body(studio_session *session, studio_request *request) {
    const weft_sim *sim = session->pane[0].sim;
    int64_t body = 0;
    weft_vec3 place[2];
    const char *add = NULL;
    char what[96];
    WEFT_TRY(studio_field_text(request->message, "add", &add));
    if (add)
        return studio_session_add_body(session, add, request->reply);
    WEFT_TRY(studio_field_require(request->message, "body"));
    if (weft_sim_body_count(sim) == 0)
        return weft_fail(WEFT_BAD_INPUT, "the scene has no bodies");
    WEFT_TRY(studio_field_int(request->message, "body", 0, weft_sim_body_count(sim) - 1, &body));
    WEFT_TRY(current(sim, (int32_t)body, "at", &place[0]));
    WEFT_TRY(current(sim, (int32_t)body, "rotate", &place[1]));
    WEFT_TRY(studio_field_vector(request->message, "at", &place[0]));
    WEFT_TRY(studio_field_vector(request->message, "rotate", &place[1]));
    weft_input input = {.kind = WEFT_INPUT_MOVE_BODY, .index = (int32_t)body, .point = place, .point_count = 2};
    WEFT_TRY(studio_session_act(session, -1, &input, NULL));
    studio_session_tell_body(session, (int32_t)body);
    snprintf(what, sizeof what, "move %.60s", weft_sim_body_name(sim, (int32_t)body));
    studio_session_did_change_state(session, what, NULL, 0);
    return weft_ok();
}
