/* Builds panes from a scene, and rebuilds them on a restart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/session.h"
#include "apps/studio/server/tree.h"
#include "io/body_file.h"
#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"
#include "weft/scene.h"
#include "weft/text.h"

/* -- files -- */

/* Files may be read from the start folder and from the folders of the scenes that come with the program. */
static int may_read(const studio_host *host, const char *path) {
    if (studio_folder_holds(&host->folder, path))
        return 1;
    for (int i = 0; i < host->scene_count; i++) {
        char above[STUDIO_PATH_SIZE];
        studio_folder own;
        const char *slash = strrchr(host->scene[i].path, '/');
        size_t length = slash ? (size_t)(slash - host->scene[i].path) : 0;
        if (length == 0 || length >= sizeof above)
            continue;
        memcpy(above, host->scene[i].path, length);
        above[length] = '\0';
        if (studio_folder_open(above, &own).code == WEFT_OK && studio_folder_holds(&own, path))
            return 1;
    }
    return 0;
}

weft_result studio_check_file(const studio_host *host, const char *name, const char *path) {
    if (path && may_read(host, path))
        return weft_ok();
    return weft_fail(WEFT_BAD_FILE, "%.200s: not a file below the folder that the studio was started in", name);
}

typedef struct reader {
    const studio_host *host;
    json_t *notes;
} reader;

/* For a sequence of files, only the first one is checked. */
static weft_result allow(void *context, const char *name, const char *path) {
    const reader *r = context;
    char first[STUDIO_PATH_SIZE];
    int found = weft_body_file_first(path, first, sizeof first).code == WEFT_OK;
    return studio_check_file(r->host, name, found ? first : NULL);
}

static void take_note(void *context, const char *text) {
    const reader *r = context;
    if (r->notes)
        json_array_append_new(r->notes, json_string(text));
}

weft_result studio_read_scene(const studio_host *host, const weft_tree *tree, json_t *notes, weft_sim **sim) {
    reader r = {host, notes};
    const weft_scene_source source = {.context = &r, .allow = allow, .note = take_note};
    weft_scene_files files = weft_scene_files_make(&source);
    return weft_scene_read(host->registry, tree, &files, sim);
}

/* Checks every file that values come from, which covers included scene files. */
static weft_result check_files(const studio_host *host, const weft_value *value) {
    if (value->file[0])
        WEFT_TRY(studio_check_file(host, value->file, value->file));
    for (const weft_value *child = value->first; child; child = child->next)
        WEFT_TRY(check_files(host, child));
    return weft_ok();
}

static weft_result find_scene(const studio_host *host, const char *scene, char *path, char name[128]) {
    for (int i = 0; i < host->scene_count; i++)
        if (strcmp(host->scene[i].name, scene) == 0) {
            snprintf(path, STUDIO_PATH_SIZE, "%s", host->scene[i].path);
            snprintf(name, 128, "%s", host->scene[i].name);
            return weft_ok();
        }
    size_t length = strlen(scene);
    if (length < 6 || strcmp(scene + length - 5, ".yaml") != 0)
        return weft_fail(WEFT_BAD_INPUT, "'%.100s' is neither the name of a scene nor a .yaml file", scene);
    WEFT_TRY(studio_folder_find(&host->folder, scene, path));
    const char *base = strrchr(scene, '/') ? strrchr(scene, '/') + 1 : scene;
    snprintf(name, 128, "%.*s", (int)strlen(base) - 5, base);
    return weft_ok();
}

/* -- panes -- */

static void drop_shapes(studio_shape **shape, int32_t count) {
    for (int32_t i = 0; shape && i < count; i++)
        studio_shape_drop(shape[i]);
    free(shape);
}

void studio_pane_destroy(studio_pane *pane) {
    drop_shapes(pane->cloth, pane->cloth_count);
    drop_shapes(pane->body, pane->body_count);
    json_decref(pane->own);
    json_decref(pane->notices);
    json_decref(pane->told);
    weft_inputs_free(&pane->lasting);
    free(pane->grid);
    weft_sim_destroy(pane->sim);
    weft_tree_destroy(pane->tree);
    *pane = (studio_pane){0};
}

/* Replaces a cloth's model. If the new model can derive its stiffness from the fabric, it does so, and the cloth then
 * behaves as in the scene. */
static weft_result put_model(const studio_host *host, weft_tree *tree, weft_value *cloth, const char *name,
                             int *changed) {
    const weft_value *old = weft_value_find(cloth, "model");
    const weft_value *old_name = old && old->kind == WEFT_VALUE_MAP ? weft_value_find(old, "name") : old;
    if (old_name && strcmp(old_name->text, name) == 0)
        return weft_ok(); /* the scene already has this model: keep its values */
    *changed = 1;
    const weft_component *component;
    WEFT_TRY(weft_registry_require(host->registry, WEFT_MODEL, name, "", &component));
    weft_value *map = weft_tree_map(tree, "", 0);
    if (!map)
        return weft_fail_memory("a scene", sizeof *map);
    WEFT_TRY(studio_tree_put_text(tree, map, "name", name));
    const weft_param *row = weft_params_find(component->params, "stiffness");
    for (int i = 0; row && row->type == WEFT_CHOICE && row->choices[i]; i++)
        if (strcmp(row->choices[i], "fabric") == 0)
            WEFT_TRY(studio_tree_put_text(tree, map, "stiffness", "fabric"));
    return weft_value_put(tree, cloth, "model", map);
}

static weft_result put_integrator(weft_tree *tree, const char *name, int *changed) {
    weft_value *root = weft_tree_root(tree);
    const weft_value *old = weft_value_find(root, "integrator");
    const weft_value *old_name = old && old->kind == WEFT_VALUE_MAP ? weft_value_find(old, "name") : old;
    if (old_name && strcmp(old_name->text, name) == 0)
        return weft_ok();
    *changed = 1;
    return studio_tree_put_text(tree, root, "integrator", name);
}

static weft_result put_choices(const studio_session *session, studio_pane *pane) {
    for (int i = 0; pane->model[0] && studio_tree_cloth(pane->tree, i); i++)
        WEFT_TRY(
            put_model(&session->host, pane->tree, studio_tree_cloth(pane->tree, i), pane->model, &pane->other_method));
    if (pane->integrator[0])
        WEFT_TRY(put_integrator(pane->tree, pane->integrator, &pane->other_method));
    const char *path;
    json_t *value;
    json_object_foreach(session->fixed, path, value)(void)
        studio_tree_set(pane->tree, path, json_string_value(value)); /* a pane may have no such parameter */
    return weft_ok();
}

/* An explicit scheme diverges with the step of a scene that was written for an implicit one. The scene's own method
 * keeps its step. */
weft_result studio_pane_shorten_step(studio_pane *pane) {
    const weft_clock *clock = weft_sim_clock(pane->sim);
    double wanted = clock->step, stable = weft_sim_stable_step(pane->sim), least = 1 / (clock->rate * 500);
    pane->wanted_step = 0;
    if (!pane->other_method || !(stable > 0) || 0.5 * stable >= wanted)
        return weft_ok();
    char text[32];
    weft_format(text, sizeof text, "%.3g", fmax(0.5 * stable, least));
    WEFT_TRY(weft_tree_set(pane->tree, "time.step", text));
    WEFT_TRY(weft_sim_set(pane->sim, "time.step", text));
    pane->wanted_step = wanted;
    return weft_ok();
}

void studio_pane_note_values(studio_pane *pane) {
    char path[256], value[512];
    const weft_param *row;
    for (int i = 0; weft_sim_param_at(pane->sim, i, path, sizeof path, &row); i++)
        if (!json_object_get(pane->own, path) && weft_sim_get(pane->sim, path, value, sizeof value).code == WEFT_OK)
            json_object_set_new(pane->own, path, json_string(value));
}

/* A cut or an adaptation changes the mesh, but not the rectangle that the Setup panel shows. */
static weft_result note_grids(studio_pane *pane) {
    int32_t count = weft_sim_cloth_count(pane->sim);
    pane->grid = calloc((size_t)count + 1, sizeof *pane->grid);
    if (!pane->grid)
        return weft_fail_memory("a pane", (size_t)count * sizeof *pane->grid);
    for (int32_t i = 0; i < count; i++) {
        const weft_mesh *mesh = weft_sim_cloth(pane->sim, i)->mesh;
        for (int k = 0; k < 2; k++) {
            pane->grid[i].cells[k] = mesh->grid_cells[k];
            pane->grid[i].size[k] = mesh->grid_size[k];
        }
    }
    return weft_ok();
}

static weft_result read_pane(const studio_session *session, studio_pane *pane, json_t *notes) {
    WEFT_TRY(studio_read_scene(&session->host, pane->tree, notes, &pane->sim));
    WEFT_TRY(note_grids(pane));
    weft_sim_set_threads(pane->sim, session->host.threads);
    WEFT_TRY(weft_sim_prepare(pane->sim));
    pane->notices = studio_scene_notices(&session->host, pane->sim, notes);
    return weft_ok();
}

static weft_result build_pane(const studio_session *session, const weft_tree *base, studio_pane *pane) {
    WEFT_TRY(studio_tree_copy(base, &pane->tree));
    WEFT_TRY(put_choices(session, pane));
    json_t *notes = json_array();
    weft_result result = read_pane(session, pane, notes);
    json_decref(notes);
    WEFT_TRY(result);
    pane->own = json_object();
    pane->told = json_object();
    if (!pane->own || !pane->told || !pane->notices)
        return weft_fail_memory("parameters", 64);
    studio_pane_note_values(pane);
    WEFT_TRY(studio_pane_shorten_step(pane));
    pane->cloth_count = weft_sim_cloth_count(pane->sim);
    pane->body_count = weft_sim_body_count(pane->sim);
    pane->cloth = calloc((size_t)pane->cloth_count + 1, sizeof(studio_shape *));
    pane->body = calloc((size_t)pane->body_count + 1, sizeof(studio_shape *));
    pane->changed = 1;
    if (!pane->cloth || !pane->body)
        return weft_fail_memory("a pane", (size_t)pane->cloth_count * sizeof(studio_shape *));
    return weft_ok();
}

/* -- restarting -- */

/* Repeats the lasting inputs of viewers before the first step, in a new pane and its new log. Inputs that no longer fit
 * are left out. The scene's own inputs are skipped here: they are applied again at their steps. */
static void take_along(studio_session *session, int pane, const weft_inputs *old, int keep_pins) {
    for (int32_t i = 0; i < old->count; i++) {
        weft_input input = old->input[i];
        int pins = input.kind == WEFT_INPUT_PIN || input.kind == WEFT_INPUT_FREE;
        if (!studio_input_outlasts(&input) || (pins && !keep_pins) || input.line > 0)
            continue;
        if (input.kind == WEFT_INPUT_PIN)
            input.point = NULL; /* pin at the positions of the start, not at the logged ones */
        (void)studio_session_act(session, pane, &input, NULL);
    }
}

static void start_over(studio_session *session) {
    session->scrubbed = 0;
    session->pending = 0;
    session->dirty = 1;
    studio_session_forget_rate(session);
    session->wind = WEFT_NONE;
    studio_grip_clear(session);
    studio_history_cut_off(session, 0);
    studio_session_anchor(session);
}

/* Wind from the wind tool ends on a restart. */
static void end_wind(studio_session *session) {
    if (session->wind != WEFT_NONE)
        (void)studio_session_act(session, -1, &(weft_input){.kind = WEFT_INPUT_REMOVE_FORCE, .index = session->wind},
                                 NULL);
    session->wind = WEFT_NONE;
}

static weft_result build_all(studio_session *session, const weft_tree *base, studio_pane *made) {
    for (int i = 0; i < session->pane_count; i++) {
        memcpy(made[i].model, session->pane[i].model, sizeof made[i].model);
        memcpy(made[i].integrator, session->pane[i].integrator, sizeof made[i].integrator);
        WEFT_TRY(build_pane(session, base, &made[i]));
    }
    return weft_ok();
}

/* What is left of a pane that was replaced. */
typedef struct old_pane {
    weft_inputs log;
    int existed;
} old_pane;

static void replace_panes(studio_session *session, const studio_pane *made, old_pane *old) {
    for (int i = 0; i < STUDIO_MOST_PANES; i++) {
        studio_pane *pane = &session->pane[i];
        weft_inputs *log = i == 0 ? &session->log : &pane->lasting;
        old[i] = (old_pane){*log, pane->sim != NULL};
        *log = (weft_inputs){0};
        studio_pane_destroy(pane);
        *pane = made[i];
    }
}

/* Which inputs of viewers a new start repeats. */
typedef struct kept_inputs {
    int any, pins;
    const weft_inputs *other_pins; /* by pane; null: none */
} kept_inputs;

/* Takes ownership of `old`. A new pane begins with the values of the first. */
static void repeat_inputs(studio_session *session, old_pane *old, kept_inputs keep) {
    for (int i = 0; keep.any && i < session->pane_count; i++)
        take_along(session, i, &old[old[i].existed ? i : 0].log, keep.pins);
    for (int i = 0; keep.other_pins && i < session->pane_count; i++)
        take_along(session, i, &keep.other_pins[i], 1);
    for (int i = 0; i < STUDIO_MOST_PANES; i++)
        weft_inputs_free(&old[i].log);
}

/* Takes ownership of `base` on success. If `base` is null, the present scene is rebuilt. */
static weft_result rebuild(studio_session *session, weft_tree *base, kept_inputs keep) {
    studio_pane made[STUDIO_MOST_PANES] = {0};
    weft_result result = build_all(session, base ? base : session->base, made);
    if (result.code != WEFT_OK) {
        for (int i = 0; i < STUDIO_MOST_PANES; i++)
            studio_pane_destroy(&made[i]);
        return result;
    }
    if (session->pane[0].sim)
        end_wind(session);
    old_pane old[STUDIO_MOST_PANES];
    replace_panes(session, made, old);
    if (base) {
        weft_tree_destroy(session->base);
        session->base = base;
    }
    start_over(session);
    session->run++;
    studio_session_forget_states(session, 0);
    if (!keep.pins)
        weft_inputs_free(&session->script); /* the script's vertex numbers no longer apply */
    studio_script_begin(session);
    repeat_inputs(session, old, keep);
    result = studio_history_add(session);
    studio_session_tell_scene(session, 0);
    studio_session_tell_time(session, 0);
    return result;
}

weft_result studio_session_restart(studio_session *session, int keep_pins) {
    return rebuild(session, NULL, (kept_inputs){.any = 1, .pins = keep_pins});
}

weft_result studio_session_rebase(studio_session *session, weft_tree *base, const weft_inputs *pins) {
    WEFT_TRY(rebuild(session, base, (kept_inputs){.any = 1, .pins = !pins, .other_pins = pins}));
    session->rebased = 1;
    return weft_ok();
}

weft_result studio_session_load(studio_session *session, const char *scene) {
    char path[STUDIO_PATH_SIZE], name[128];
    weft_tree *base = NULL;
    WEFT_TRY(find_scene(&session->host, scene, path, name));
    weft_result result = weft_yaml_read(path, &base);
    if (result.code == WEFT_OK && weft_tree_root(base))
        result = check_files(&session->host, weft_tree_root(base));
    weft_inputs script = {0};
    if (result.code == WEFT_OK)
        result = studio_script_read(&session->host, base, &script);
    /* models, integrators and fixed parameters chosen for the last scene do not apply to this one */
    studio_pane kept[STUDIO_MOST_PANES];
    int kept_count = session->pane_count;
    memcpy(kept, session->pane, sizeof kept);
    json_t *fixed = session->fixed;
    session->fixed = json_object();
    session->pane_count = 1;
    session->pane[0].model[0] = session->pane[0].integrator[0] = '\0';
    char old_name[128], old_path[STUDIO_PATH_SIZE];
    memcpy(old_name, session->name, sizeof old_name);
    memcpy(old_path, session->path, sizeof old_path);
    memcpy(session->name, name, sizeof name);
    snprintf(session->path, sizeof session->path, "%s", scene);
    if (result.code == WEFT_OK)
        result = session->fixed ? rebuild(session, base, (kept_inputs){0}) : weft_fail_memory("a scene", 64);
    if (result.code != WEFT_OK) {
        weft_tree_destroy(base);
        weft_inputs_free(&script);
        memcpy(session->pane, kept, sizeof kept);
        memcpy(session->name, old_name, sizeof old_name);
        memcpy(session->path, old_path, sizeof old_path);
        session->pane_count = kept_count;
        json_decref(session->fixed);
        session->fixed = fixed;
        return result;
    }
    json_decref(fixed);
    session->rebased = 0;
    session->script = script;
    json_object_clear(session->unfixed);
    session->playing = 0;
    session->recording = 0;
    studio_session_forget_undo(session);
    studio_session_tell_time(session, 0);
    return result;
}
