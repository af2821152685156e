/* Commands of the panels: parameters and fabrics. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/session.h"
#include "io/unused.h"
#include "weft/text.h"

static const weft_param *find_row(const weft_sim *sim, const char *path) {
    char other[256];
    const weft_param *row;
    for (int i = 0; weft_sim_param_at(sim, i, other, sizeof other, &row); i++)
        if (strcmp(other, path) == 0)
            return row;
    return NULL;
}

static void note_change(json_t *changes, int pane, const char *path, const char *before, const char *after) {
    if (changes)
        json_array_append_new(
            changes, json_pack("{s:i, s:s, s:s, s:s}", "pane", pane, "path", path, "before", before, "after", after));
}

/* Sets a fixed parameter. Preparation depends on it, so it is stored with the scene and the simulation restarts. */
static weft_result set_fixed(studio_session *session, const char *path, const char *before, const char *value,
                             int *restarted) {
    if (!json_object_get(session->unfixed, path))
        json_object_set_new(session->unfixed, path, json_string(before));
    json_t *old = json_incref(json_object_get(session->fixed, path));
    json_object_set_new(session->fixed, path, json_string(value));
    weft_result result = studio_session_restart(session, 1);
    if (result.code != WEFT_OK && old)
        json_object_set(session->fixed, path, old);
    else if (result.code != WEFT_OK)
        json_object_del(session->fixed, path);
    json_decref(old);
    *restarted |= result.code == WEFT_OK;
    return result;
}

static weft_result set_pane(studio_session *session, int pane, const char *path, const char *value, json_t *changes,
                            int *restarted) {
    char before[STUDIO_TEXT_SIZE], after[STUDIO_TEXT_SIZE];
    weft_sim *sim = session->pane[pane].sim;
    WEFT_TRY(weft_sim_get(sim, path, before, sizeof before));
    const weft_param *row = find_row(sim, path);
    if (row && (row->flags & WEFT_FIXED)) {
        WEFT_TRY(set_fixed(session, path, before, value, restarted));
    } else {
        weft_input input = {.kind = WEFT_INPUT_SET, .text = path, .value = value};
        WEFT_TRY(studio_session_act(session, pane, &input, NULL));
    }
    if (weft_sim_get(session->pane[pane].sim, path, after, sizeof after).code == WEFT_OK)
        note_change(changes, pane, path, before, after);
    return weft_ok();
}

weft_result studio_session_set(studio_session *session, int only, const char *given, const char *value, json_t *changes,
                               int *restarted) {
    weft_result first = weft_ok();
    int done = 0;
    char path[256];
    if (strpbrk(given, " \t")) /* white space separates the words of the log */
        return weft_fail(WEFT_BAD_INPUT, "no parameter '%.100s'", given);
    weft_present_path(given, path, sizeof path);
    for (int i = 0; i < session->pane_count; i++) {
        if (only >= 0 && only != i)
            continue;
        weft_result result = set_pane(session, i, path, value, changes, restarted);
        done += result.code == WEFT_OK;
        first = first.code == WEFT_OK ? result : first;
    }
    return done > 0 ? weft_ok() : first;
}

void studio_session_tell_params(studio_session *session, const json_t *changes) {
    for (int pane = 0; pane < session->pane_count; pane++) {
        json_t *values = json_object();
        size_t i;
        json_t *change;
        json_array_foreach(changes, i, change) {
            const char *path = json_string_value(json_object_get(change, "path"));
            char value[STUDIO_TEXT_SIZE];
            if (path && json_integer_value(json_object_get(change, "pane")) == pane &&
                weft_sim_get(session->pane[pane].sim, path, value, sizeof value).code == WEFT_OK)
                json_object_set_new(values, path, json_string(value));
        }
        if (json_object_size(values) > 0)
            studio_session_event(session, 0, "params",
                                 json_pack("{s:i, s:O, s:o}", "pane", pane, "values", values, "idle",
                                           studio_describe_idle(session->pane[pane].sim)),
                                 0);
        json_decref(values);
    }
}

/* Takes back the changes that were made before one of several failed. */
static void revert(studio_session *session, const json_t *changes) {
    int restarted = 0;
    for (size_t i = json_array_size(changes); i-- > 0;) {
        const json_t *change = json_array_get(changes, i);
        (void)studio_session_set(session, (int)json_integer_value(json_object_get(change, "pane")),
                                 json_string_value(json_object_get(change, "path")),
                                 json_string_value(json_object_get(change, "before")), NULL, &restarted);
    }
}

/* Sets all values, or none if one fails. */
static weft_result set_all(studio_session *session, studio_request *request, int pane, const json_t *values,
                           const char *what) {
    json_t *changes = json_array();
    weft_result result = changes ? weft_ok() : weft_fail_memory("changes", 64);
    const char *path;
    json_t *value;
    int restarted = 0;
    json_object_foreach((json_t *)values, path, value) {
        char text[STUDIO_TEXT_SIZE];
        result = studio_value_text(value, path, text);
        if (result.code == WEFT_OK)
            result = studio_session_set(session, pane, path, text, changes, &restarted);
        if (result.code != WEFT_OK)
            break;
    }
    if (result.code != WEFT_OK) {
        revert(session, changes);
        json_decref(changes);
        return result;
    }
    studio_session_tell_params(session, changes);
    json_object_set_new(request->reply, "restarted", json_boolean(restarted));
    studio_session_did(session, what, changes);
    return result;
}

static void describe(const json_t *values, char what[96]) {
    const char *path = "";
    json_t *value;
    json_object_foreach((json_t *)values, path, value) break;
    if (json_object_size(values) == 1)
        snprintf(what, 96, "set %.80s", path);
    else
        snprintf(what, 96, "set %zu parameters", json_object_size(values));
}

weft_result studio_do_set(studio_session *session, studio_request *request) {
    int pane;
    const char *path = NULL;
    char what[96];
    WEFT_TRY(studio_request_pane(session, request, &pane));
    const json_t *values = json_object_get(request->message, "values");
    if (values) {
        if (!json_is_object(values) || json_object_size(values) == 0 || json_object_size(values) > 1000)
            return weft_fail(WEFT_BAD_INPUT, "'values' must be an object of paths and values");
        describe(values, what);
        return set_all(session, request, pane, values, what);
    }
    WEFT_TRY(studio_field_require(request->message, "path"));
    WEFT_TRY(studio_field_require(request->message, "value"));
    WEFT_TRY(studio_field_text(request->message, "path", &path));
    json_t *one = json_pack("{s:O}", path, json_object_get(request->message, "value"));
    if (!one)
        return weft_fail_memory("a value", 64);
    describe(one, what);
    weft_result result = set_all(session, request, pane, one, what);
    json_decref(one);
    return result;
}

static weft_result own_value(const studio_session *session, int pane, const char *path, json_t *values) {
    for (int i = 0; i < session->pane_count; i++) {
        json_t *own = json_object_get(session->unfixed, path);
        own = own ? own : json_object_get(session->pane[i].own, path);
        if ((pane >= 0 && pane != i) || !own)
            continue;
        json_object_set(values, path, own);
        return weft_ok();
    }
    return weft_fail(WEFT_BAD_INPUT, "the scene has no parameter '%.100s'", path);
}

static weft_result gather_own(const studio_session *session, studio_request *request, int pane, json_t *values) {
    const char *path = NULL;
    const json_t *paths = json_object_get(request->message, "paths");
    WEFT_TRY(studio_field_text(request->message, "path", &path));
    if (!path && (!json_is_array(paths) || json_array_size(paths) == 0 || json_array_size(paths) > 1000))
        return weft_fail(WEFT_BAD_INPUT, "'path' is missing, or 'paths' with a list of paths");
    if (path)
        WEFT_TRY(own_value(session, pane, path, values));
    for (size_t i = 0; i < json_array_size(paths); i++) {
        const json_t *item = json_array_get(paths, i);
        if (!json_is_string(item))
            return weft_fail(WEFT_BAD_INPUT, "'paths' must be a list of texts");
        WEFT_TRY(own_value(session, pane, json_string_value(item), values));
    }
    return weft_ok();
}

weft_result studio_do_reset(studio_session *session, studio_request *request) {
    int pane;
    WEFT_TRY(studio_request_pane(session, request, &pane));
    json_t *values = json_object();
    weft_result result = gather_own(session, request, pane, values);
    char what[96];
    if (result.code == WEFT_OK) {
        describe(values, what);
        result = set_all(session, request, pane, values, what);
    }
    json_decref(values);
    return result;
}

/* -- fabrics -- */

/* Lists a preset's values. Poisson's ratios change when the moduli are set one by one, so both ratios come last. */
static weft_result preset_values(const studio_session *session, const weft_fabric_preset *preset, int32_t cloth,
                                 json_t *values) {
    const char *name = weft_sim_cloth(session->pane[0].sim, cloth)->name;
    for (int pass = 0; pass < 2; pass++)
        for (const weft_param *row = weft_fabric_params(); row->name; row++) {
            char path[256], text[STUDIO_TEXT_SIZE];
            if ((strncmp(row->name, "poisson", 7) == 0) != pass)
                continue;
            snprintf(path, sizeof path, "cloth.%.100s.fabric.%s", name, row->name);
            weft_param_write(row, &preset->fabric, text, sizeof text);
            json_object_set_new(values, path, json_string(text));
        }
    return weft_ok();
}

/* A panel has the fabric of its cloth with factors. Where weft and warp differ from it by different factors, their
 * geometric mean is taken and a note says so. */
static weft_result panel_values(const studio_session *session, const weft_fabric_preset *preset, int32_t cloth,
                                const char *panel, json_t *values, json_t *reply) {
    const weft_cloth *of = weft_sim_cloth(session->pane[0].sim, cloth);
    const weft_fabric *own = of->fabric, *wanted = &preset->fabric;
    const double stretch[2] = {wanted->stretch_weft / own->stretch_weft, wanted->stretch_warp / own->stretch_warp};
    const double bend[2] = {wanted->bend_weft / own->bend_weft, wanted->bend_warp / own->bend_warp};
    const struct {
        const char *name;
        double value;
    } rows[] = {{"density", wanted->density / own->density},
                {"stretch", sqrt(stretch[0] * stretch[1])},
                {"bend", sqrt(bend[0] * bend[1])}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[256], text[40];
        snprintf(path, sizeof path, "cloth.%.100s.panels.%.60s.%s", of->name, panel, rows[i].name);
        if (!isfinite(rows[i].value))
            return weft_fail(WEFT_UNSUPPORTED, "the fabric of %.60s does not bend, so a panel cannot be %.60s",
                             of->name, preset->name);
        weft_format(text, sizeof text, "%.6g", rows[i].value);
        json_object_set_new(values, path, json_string(text));
    }
    double off = fmax(fabs(stretch[0] / stretch[1] - 1), fabs(bend[0] / bend[1] - 1));
    char note[200];
    weft_format(note, sizeof note,
                "%.60s has another ratio of weft to warp than the garment. This panel has its weight and its mean "
                "stiffness.",
                preset->name);
    if (off > 0.01)
        json_object_set_new(reply, "notes", json_pack("[s]", note));
    return weft_ok();
}

weft_result studio_do_fabric(studio_session *session, studio_request *request) {
    const char *name = NULL, *panel = NULL;
    int64_t cloth = 0;
    int pane;
    WEFT_TRY(studio_request_pane(session, request, &pane));
    WEFT_TRY(studio_field_require(request->message, "preset"));
    WEFT_TRY(studio_field_text(request->message, "preset", &name));
    WEFT_TRY(studio_field_text(request->message, "panel", &panel));
    WEFT_TRY(studio_field_int(request->message, "cloth", 0, weft_sim_cloth_count(session->pane[0].sim) - 1, &cloth));
    const weft_fabric_preset *preset = weft_fabric_preset_find(name);
    if (!preset)
        return weft_fail(WEFT_BAD_INPUT, "no fabric '%.60s'", name);
    json_t *values = json_object();
    weft_result result = panel ? panel_values(session, preset, (int32_t)cloth, panel, values, request->reply)
                               : preset_values(session, preset, (int32_t)cloth, values);
    char what[96];
    snprintf(what, sizeof what, panel ? "fabric %.40s of panel %.30s" : "fabric %.60s", name, panel);
    if (result.code == WEFT_OK)
        result = set_all(session, request, pane, values, what);
    json_decref(values);
    return result;
}
