/* Commands that add and remove forces, and the wind of the wind tool. */
#include <stdio.h>
#include <string.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/session.h"
#include "weft/text.h"

enum { MOST_FORCES = 32 };

/* Returns the index of the force "forces.NAME" or "forces.INDEX", or WEFT_NONE. */
static int32_t find_force(const weft_sim *sim, const char *path) {
    for (int32_t i = weft_sim_force_count(sim); i-- > 0;) {
        char number[32];
        snprintf(number, sizeof number, "forces.%d", i);
        if (strcmp(path, number) == 0 ||
            (strncmp(path, "forces.", 7) == 0 && strcmp(path + 7, weft_sim_force_name(sim, i)) == 0))
            return i;
    }
    return WEFT_NONE;
}

/* Returns the values of a force: name of the parameter -> text. */
static json_t *values_of(const studio_session *session, int32_t index) {
    const weft_sim *sim = session->pane[0].sim;
    const weft_component *component =
        weft_registry_find(session->host.registry, WEFT_FORCE, weft_sim_force_name(sim, index));
    json_t *values = json_object();
    for (const weft_param *row = component ? component->params : NULL; row && row->name; row++) {
        char path[128], text[STUDIO_TEXT_SIZE];
        snprintf(path, sizeof path, "forces.%d.%.60s", index, row->name);
        if (weft_sim_get(sim, path, text, sizeof text).code == WEFT_OK)
            json_object_set_new(values, row->name, json_string(text));
    }
    return values;
}

static weft_result set_value(studio_session *session, int32_t index, const char *name, const char *value) {
    char path[128];
    snprintf(path, sizeof path, "forces.%d.%.60s", index, name);
    weft_input input = {.kind = WEFT_INPUT_SET, .text = path, .value = value};
    return studio_session_act(session, -1, &input, NULL);
}

static weft_result add_force(studio_session *session, const char *name, const json_t *values, int32_t *index) {
    if (weft_sim_force_count(session->pane[0].sim) >= MOST_FORCES)
        return weft_fail(WEFT_BAD_INPUT, "there are %d forces already, which is the maximum", MOST_FORCES);
    weft_input input = {.kind = WEFT_INPUT_ADD_FORCE, .text = name};
    WEFT_TRY(studio_session_act(session, -1, &input, NULL));
    *index = weft_sim_force_count(session->pane[0].sim) - 1;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)values, key, value)
        WEFT_TRY(set_value(session, *index, key, json_string_value(value)));
    return weft_ok();
}

static weft_result remove_force(studio_session *session, int32_t index) {
    weft_input input = {.kind = WEFT_INPUT_REMOVE_FORCE, .index = index};
    WEFT_TRY(studio_session_act(session, -1, &input, NULL));
    if (session->wind == index)
        session->wind = WEFT_NONE;
    else if (session->wind > index)
        session->wind--;
    return weft_ok();
}

weft_result studio_session_change_force(studio_session *session, json_t *change, int forward) {
    const char *name = json_string_value(json_object_get(change, "force"));
    int32_t index;
    char path[128];
    weft_result result;
    if (json_is_true(json_object_get(change, "added")) == forward) {
        result = add_force(session, name, json_object_get(change, "values"), &index);
    } else {
        snprintf(path, sizeof path, "forces.%.100s", name);
        index = find_force(session->pane[0].sim, path);
        if (index == WEFT_NONE)
            return weft_fail(WEFT_BAD_INPUT, "the force '%.60s' is gone", name);
        json_object_set_new(change, "values", values_of(session, index));
        result = remove_force(session, index);
    }
    studio_session_tell_scene(session, 0);
    return result;
}

static void note(studio_session *session, const char *name, int added, const json_t *values) {
    char what[96];
    snprintf(what, sizeof what, "%s %.60s", added ? "add" : "remove", name);
    studio_session_did(session, what, json_pack("[{s:s, s:b, s:O}]", "force", name, "added", added, "values", values));
}

static weft_result remove_and_note(studio_session *session, const char *path) {
    char name[64];
    int32_t index = find_force(session->pane[0].sim, path);
    if (index == WEFT_NONE)
        return weft_fail(WEFT_BAD_INPUT, "no force '%.60s'", path);
    snprintf(name, sizeof name, "%s", weft_sim_force_name(session->pane[0].sim, index));
    json_t *values = values_of(session, index);
    weft_result result = remove_force(session, index);
    if (result.code == WEFT_OK)
        note(session, name, 0, values);
    json_decref(values);
    return result;
}

static weft_result add_and_note(studio_session *session, studio_request *request, const char *name) {
    int32_t index;
    char path[32];
    WEFT_TRY(add_force(session, name, NULL, &index));
    json_t *values = values_of(session, index);
    note(session, weft_sim_force_name(session->pane[0].sim, index), 1, values);
    json_decref(values);
    snprintf(path, sizeof path, "forces.%d", index);
    json_object_set_new(request->reply, "path", json_string(path));
    return weft_ok();
}

weft_result studio_do_force(studio_session *session, studio_request *request) {
    const char *add = NULL, *removed = NULL;
    WEFT_TRY(studio_field_text(request->message, "add", &add));
    WEFT_TRY(studio_field_text(request->message, "remove", &removed));
    if (!add == !removed)
        return weft_fail(WEFT_BAD_INPUT, "'add' with a force, or 'remove' with its path, is needed");
    WEFT_TRY(removed ? remove_and_note(session, removed) : add_and_note(session, request, add));
    studio_session_tell_scene(session, 0);
    return weft_ok();
}

/* -- the wind tool -- */

weft_result studio_do_wind(studio_session *session, studio_request *request) {
    weft_vec3 direction = {1, 0, 0};
    double speed = 0;
    WEFT_TRY(studio_field_require(request->message, "speed"));
    WEFT_TRY(studio_field_real(request->message, "speed", 0, 100, &speed));
    WEFT_TRY(studio_field_vector(request->message, "direction", &direction));
    if (direction.x == 0 && direction.y == 0 && direction.z == 0)
        return weft_fail(WEFT_BAD_INPUT, "'direction' has no length");
    if (session->wind == WEFT_NONE && speed == 0)
        return weft_ok();
    if (session->wind == WEFT_NONE) {
        weft_input input = {.kind = WEFT_INPUT_ADD_FORCE, .text = "wind"};
        WEFT_TRY(studio_session_act(session, -1, &input, NULL));
        session->wind = weft_sim_force_count(session->pane[0].sim) - 1;
    }
    if (speed == 0) {
        weft_input input = {.kind = WEFT_INPUT_REMOVE_FORCE, .index = session->wind};
        session->wind = WEFT_NONE;
        return studio_session_act(session, -1, &input, NULL);
    }
    char text[128];
    weft_format(text, sizeof text, "[%.9g, %.9g, %.9g]", direction.x, direction.y, direction.z);
    WEFT_TRY(set_value(session, session->wind, "direction", text));
    weft_format(text, sizeof text, "%.9g", speed);
    return set_value(session, session->wind, "speed", text);
}
