/* Commands that choose what is simulated: scene, target cloth, algorithm and panes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/session.h"
#include "apps/studio/server/tree.h"
#include "weft/text.h"

weft_result studio_do_load(studio_session *session, studio_request *request) {
    const char *scene = NULL;
    WEFT_TRY(studio_field_require(request->message, "scene"));
    WEFT_TRY(studio_field_text(request->message, "scene", &scene));
    return studio_session_load(session, scene);
}

/* -- target -- */

static weft_result put_grid(weft_tree *tree, weft_value *cloth, const json_t *wanted) {
    double cells[2] = {10, 10}, size[2] = {1, 1};
    WEFT_TRY(studio_field_pair(wanted, "cells", 1, 1000, cells));
    WEFT_TRY(studio_field_pair(wanted, "size", 0.001, 1000, size));
    if (cells[0] * cells[1] > 250000)
        return weft_fail(WEFT_BAD_INPUT,
                         "'cells': %g x %g is too many for the studio; at most 250000 cells are allowed", cells[0],
                         cells[1]);
    weft_value *old = weft_value_find(cloth, "grid");
    if (!old || old->kind != WEFT_VALUE_MAP) {
        old = weft_tree_map(tree, "", 0);
        if (!old)
            return weft_fail_memory("a scene", sizeof *old);
        WEFT_TRY(weft_value_put(tree, cloth, "grid", old));
    }
    cells[0] = floor(cells[0]);
    cells[1] = floor(cells[1]);
    WEFT_TRY(studio_tree_put_numbers(tree, weft_value_find(cloth, "grid"), "cells", cells, 2));
    WEFT_TRY(studio_tree_put_numbers(tree, weft_value_find(cloth, "grid"), "size", size, 2));
    studio_tree_remove(cloth, "mesh");
    studio_tree_remove(cloth, "scale");
    return weft_ok();
}

static weft_result put_mesh(const studio_session *session, weft_tree *tree, weft_value *cloth, const char *path) {
    char full[STUDIO_PATH_SIZE];
    WEFT_TRY(studio_folder_find(&session->host.folder, path, full));
    studio_tree_remove(cloth, "grid");
    studio_tree_remove(cloth, "scale");                   /* it belongs to the mesh before */
    weft_value *mesh = weft_tree_text(tree, full, "", 0); /* no file and line: it does not come from the scene file */
    return mesh ? weft_value_put(tree, cloth, "mesh", mesh) : weft_fail_memory("a scene", sizeof *mesh);
}

/* Scales the cloth's mesh by a further factor. */
static weft_result put_scale(weft_tree *tree, weft_value *cloth, const json_t *message) {
    double factor = 1;
    char text[32];
    WEFT_TRY(studio_field_real(message, "scale", 1e-6, 1e6, &factor));
    const weft_value *old = weft_value_find(cloth, "scale");
    if (!weft_value_find(cloth, "mesh"))
        return weft_fail(WEFT_BAD_INPUT, "'scale' is for cloth from a mesh file");
    weft_format(text, sizeof text, "%.6g", factor * (old ? weft_real_parse(old->text, NULL) : 1));
    return studio_tree_put_text(tree, cloth, "scale", text);
}

/* Removes the pins that do not fit the new shape, or all pins, and adds a note for each. */
static void drop_pins(weft_value *cloth, int all, json_t *notes) {
    weft_value *pins = weft_value_find(cloth, "pins");
    if (!pins || pins->kind != WEFT_VALUE_LIST)
        return;
    static const char *const OF_SHAPE[] = {"vertices", "side", "corner", "group"};
    weft_value *kept = NULL, *next;
    int count = 0;
    for (weft_value *pin = pins->first; pin; pin = next) {
        next = pin->next;
        int fits = !all;
        for (size_t i = 0; i < sizeof OF_SHAPE / sizeof OF_SHAPE[0]; i++)
            fits &= !weft_value_find(pin, OF_SHAPE[i]) || strcmp(OF_SHAPE[i], "vertices") == 0;
        if (!fits) {
            json_array_append_new(notes, json_string("a pin of the scene does not fit the new shape and was removed"));
            continue;
        }
        pin->next = NULL;
        if (kept)
            kept->next = pin;
        else
            pins->first = pin;
        kept = pin;
        count++;
    }
    pins->count = count;
    pins->last = kept;
    if (count == 0)
        studio_tree_remove(cloth, "pins");
}

static weft_result retarget(studio_session *session, studio_request *request, weft_tree *tree, json_t *notes) {
    int64_t index = 0;
    const char *mesh = NULL;
    const json_t *grid = json_object_get(request->message, "grid"), *scale = json_object_get(request->message, "scale");
    WEFT_TRY(studio_field_int(request->message, "cloth", 0, weft_sim_cloth_count(session->pane[0].sim) - 1, &index));
    WEFT_TRY(studio_field_text(request->message, "mesh", &mesh));
    weft_value *cloth = studio_tree_cloth(tree, (int)index);
    int given = (mesh != NULL) + (grid != NULL) + (scale != NULL);
    if (!cloth || cloth->kind != WEFT_VALUE_MAP || given != 1 || (grid && !json_is_object(grid)))
        return weft_fail(WEFT_BAD_INPUT, "'grid' with cells and size, 'mesh' with a path, or 'scale' is needed");
    if (weft_value_find(cloth, "garment"))
        return weft_fail(WEFT_BAD_INPUT, "the cloth is a garment, so its pattern decides its shape; load another scene "
                                         "to use a rectangle or a mesh");
    if (scale)
        return put_scale(tree, cloth, request->message);
    int was_grid = weft_value_find(cloth, "grid") != NULL;
    WEFT_TRY(grid ? put_grid(tree, cloth, grid) : put_mesh(session, tree, cloth, mesh));
    studio_tree_remove(cloth, "proxy");
    if (mesh || !was_grid)
        drop_pins(cloth, 0, notes);
    return weft_ok();
}

/* Words for the undo list. */
static const char *name_target(const json_t *message) {
    if (json_object_get(message, "scale"))
        return "scale the cloth";
    return json_object_get(message, "grid") ? "use a rectangle" : "use a mesh";
}

weft_result studio_do_target(studio_session *session, studio_request *request) {
    weft_tree *tree;
    const char *what = name_target(request->message);
    json_t *notes = json_array();
    weft_result result = studio_tree_copy(session->base, &tree);
    if (result.code == WEFT_OK)
        result = retarget(session, request, tree, notes);
    if (result.code == WEFT_OK) {
        result = studio_session_retarget(session, tree, what);
        if (result.code != WEFT_OK) { /* a pin may select nothing or a missing vertex: try again without pins */
            weft_value *cloth = studio_tree_cloth(tree, 0);
            int64_t index = json_integer_value(json_object_get(request->message, "cloth"));
            cloth = index > 0 ? studio_tree_cloth(tree, (int)index) : cloth;
            if (cloth && weft_value_find(cloth, "pins")) {
                drop_pins(cloth, 1, notes);
                result = studio_session_retarget(session, tree, what);
            }
        }
    }
    if (result.code != WEFT_OK)
        weft_tree_destroy(tree);
    json_object_set(request->reply, "notes", notes);
    json_decref(notes);
    return result;
}

/* -- algorithms -- */

static const char *integrator_of(const studio_pane *pane) {
    return pane->integrator[0] ? pane->integrator : weft_sim_integrator_name(pane->sim);
}

/* A model that does not work with the pane's integrator gets the best one that does. */
static void choose_best(const studio_session *session, studio_pane *pane, json_t *notes) {
    if (!pane->sim) /* a new pane of a comparison: it takes the scene's integrator */
        return;
    const char *before = integrator_of(pane);
    const char *best = studio_method_for(session->host.registry, pane->model, before);
    if (strcmp(best, before) == 0)
        return;
    char note[256];
    snprintf(note, sizeof note, "%.60s does not work with %.60s. The integrator is now %.60s.", before, pane->model,
             best);
    json_array_append_new(notes, json_string(note));
    snprintf(pane->integrator, sizeof pane->integrator, "%s", best);
}

static weft_result choose(const studio_session *session, const json_t *wanted, studio_pane *pane, json_t *notes) {
    const char *model = NULL, *integrator = NULL;
    const weft_component *found;
    WEFT_TRY(studio_field_text(wanted, "model", &model));
    WEFT_TRY(studio_field_text(wanted, "integrator", &integrator));
    if (model) {
        WEFT_TRY(weft_registry_require(session->host.registry, WEFT_MODEL, model, "", &found));
        snprintf(pane->model, sizeof pane->model, "%s", found->name);
    }
    if (integrator) {
        WEFT_TRY(weft_registry_require(session->host.registry, WEFT_INTEGRATOR, integrator, "", &found));
        snprintf(pane->integrator, sizeof pane->integrator, "%s", found->name);
    } else if (model) {
        choose_best(session, pane, notes);
    }
    return weft_ok();
}

/* Lists the models and integrators of all panes. */
static json_t *methods_now(const studio_session *session) {
    json_t *list = json_array();
    for (int i = 0; i < session->pane_count; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "model", session->pane[i].model, "integrator", session->pane[i].integrator));
    return list;
}

static void take_methods(studio_session *session, const json_t *list) {
    session->pane_count = (int)json_array_size(list);
    for (int i = 0; i < session->pane_count; i++) {
        const json_t *one = json_array_get(list, (size_t)i);
        snprintf(session->pane[i].model, sizeof session->pane[i].model, "%s",
                 json_string_value(json_object_get(one, "model")));
        snprintf(session->pane[i].integrator, sizeof session->pane[i].integrator, "%s",
                 json_string_value(json_object_get(one, "integrator")));
    }
}

weft_result studio_session_use_methods(studio_session *session, const json_t *list) {
    json_t *before = methods_now(session);
    take_methods(session, list);
    weft_result result = studio_session_restart(session, 1);
    if (result.code != WEFT_OK)
        take_methods(session, before);
    json_decref(before);
    return result;
}

/* Adds a note for each pane whose time step had to be shortened. */
static void note_steps(const studio_session *session, json_t *notes) {
    for (int i = 0; i < session->pane_count; i++) {
        const studio_pane *pane = &session->pane[i];
        char note[256];
        if (!(pane->wanted_step > 0))
            continue;
        snprintf(note, sizeof note, "The time step is %.3g ms: %.60s is unstable with %.3g ms.",
                 1000 * weft_sim_clock(pane->sim)->step, weft_sim_integrator_name(pane->sim), 1000 * pane->wanted_step);
        json_array_append_new(notes, json_string(note));
    }
}

/* Restarts with the chosen methods, as one step of undo. Takes ownership of `before` and `notes`. */
static weft_result finish(studio_session *session, studio_request *request, weft_result result, const char *what,
                          json_t *before, json_t *notes) {
    if (result.code == WEFT_OK)
        result = studio_session_restart(session, 1);
    if (result.code == WEFT_OK) {
        json_t *after = methods_now(session);
        studio_session_did(session, what, json_pack("[{s:O, s:O}]", "methods_before", before, "methods_after", after));
        json_decref(after);
        note_steps(session, notes);
        json_object_set(request->reply, "notes", notes);
    } else {
        take_methods(session, before);
    }
    json_decref(before);
    json_decref(notes);
    return result;
}

weft_result studio_do_algorithm(studio_session *session, studio_request *request) {
    int only;
    weft_result result = weft_ok();
    WEFT_TRY(studio_request_pane(session, request, &only));
    if (!json_object_get(request->message, "model") && !json_object_get(request->message, "integrator"))
        return weft_fail(WEFT_BAD_INPUT, "'model' or 'integrator' is missing");
    json_t *before = methods_now(session), *notes = json_array();
    for (int i = 0; i < session->pane_count && result.code == WEFT_OK; i++)
        if (only < 0 || only == i)
            result = choose(session, request->message, &session->pane[i], notes);
    return finish(session, request, result, "choose a method", before, notes);
}

weft_result studio_do_compare(studio_session *session, studio_request *request) {
    const json_t *list = json_object_get(request->message, "panes");
    size_t count = json_array_size(list);
    if (!json_is_array(list) || (count != 1 && count != 2 && count != 4))
        return weft_fail(WEFT_BAD_INPUT, "'panes' must be a list of 1, 2 or 4");
    json_t *before = methods_now(session), *notes = json_array();
    weft_result result = weft_ok();
    for (size_t i = 0; i < count && result.code == WEFT_OK; i++) {
        const json_t *wanted = json_array_get(list, i);
        session->pane[i].model[0] = session->pane[i].integrator[0] = '\0';
        result = json_is_object(wanted) ? choose(session, wanted, &session->pane[i], notes)
                                        : weft_fail(WEFT_BAD_INPUT, "'panes': entry %zu is not an object", i);
    }
    session->pane_count = (int)count;
    return finish(session, request, result, count > 1 ? "compare methods" : "leave the comparison", before, notes);
}
