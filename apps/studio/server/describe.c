/* Describes scenes, components, parameters, panes and measurements as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/page.h"
#include "apps/studio/server/session.h"
#include "io/unused.h"
#include "render/render.h"
#include "weft/force.h"
#include "weft/integrator.h"
#include "weft/vec.h"

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *vector(weft_vec3 v) { return json_pack("[f, f, f]", v.x, v.y, v.z); }

/* -- parameters -- */

static const char *type_name(weft_param_type type) {
    static const char *const NAMES[] = {"real", "int", "bool", "pair", "vector", "choice", "string", "map"};
    return NAMES[type];
}

static json_t *describe_row(const weft_param *row, const char *path, const char *fallback) {
    int ranged = row->type == WEFT_REAL || row->type == WEFT_INT || row->type == WEFT_PAIR;
    static const double MOST = 1e300;
    json_t *choices = row->choices ? json_array() : json_null();
    for (int i = 0; row->choices && row->choices[i]; i++)
        json_array_append_new(choices, json_string(row->choices[i]));
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:s, s:s, s:o, s:b}", "path", path, "type", type_name(row->type),
                     "default", fallback, "low", ranged && row->low > -MOST ? number(row->low) : json_null(), "high",
                     ranged && row->high < MOST ? number(row->high) : json_null(), "open_low",
                     (row->flags & WEFT_OPEN_LOW) != 0, "unit", row->unit, "help", row->help, "choices", choices,
                     "fixed", (row->flags & WEFT_FIXED) != 0);
}

static json_t *describe_params(const studio_session *session, const studio_pane *pane) {
    json_t *list = json_array();
    char path[256], value[STUDIO_TEXT_SIZE];
    const weft_param *row;
    for (int i = 0; weft_sim_param_at(pane->sim, i, path, sizeof path, &row); i++) {
        if (weft_sim_get(pane->sim, path, value, sizeof value).code != WEFT_OK)
            continue;
        const json_t *own = json_object_get(session->unfixed, path);
        own = own ? own : json_object_get(pane->own, path);
        json_t *described = describe_row(row, path, own ? json_string_value(own) : row->fallback);
        json_object_set_new(described, "value", json_string(value));
        json_array_append_new(list, described);
    }
    return list;
}

json_t *studio_describe_idle(const weft_sim *sim) {
    json_t *reasons = json_object();
    char path[256], text[400];
    const weft_param *row;
    for (int i = 0; weft_sim_param_at(sim, i, path, sizeof path, &row); i++) {
        weft_unused unused = weft_unused_of_path(sim, path);
        if (!unused.why)
            continue;
        snprintf(text, sizeof text, "%s%s%.120s", unused.user, unused.user[0] ? " does not use it, because " : "",
                 unused.why);
        json_object_set_new(reasons, path, json_string(text));
    }
    return reasons;
}

/* -- hello -- */

static json_t *describe_scenes(const studio_host *host) {
    json_t *list = json_array();
    for (int i = 0; i < host->scene_count; i++) {
        char path[1200], url[200];
        const char *slash = strrchr(host->scene[i].path, '/');
        int length = slash ? (int)(slash - host->scene[i].path) : 0;
        snprintf(path, sizeof path, "%.*s/thumbnails/%s.png", length, host->scene[i].path, host->scene[i].name);
        snprintf(url, sizeof url, "/thumbnails/%s.png", host->scene[i].name);
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", host->scene[i].name, "summary",
                                              host->scene[i].summary, "thumbnail",
                                              access(path, R_OK) == 0 ? json_string(url) : json_null()));
    }
    return list;
}

static json_t *describe_components(const weft_registry *registry) {
    json_t *list = json_array();
    for (int i = 0; i < weft_registry_count(registry); i++) {
        const weft_component *component = weft_registry_at(registry, i);
        if (component->kind == WEFT_WRITER)
            continue;
        json_t *params = json_array();
        for (const weft_param *row = component->params; row && row->name; row++)
            json_array_append_new(params, describe_row(row, row->name, row->fallback));
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:o}", "kind", weft_kind_name(component->kind),
                                              "name", component->name, "help", component->help, "paper",
                                              component->paper, "params", params));
    }
    return list;
}

static json_t *describe_pairs(const weft_registry *registry) {
    json_t *pairs = json_object();
    int count = weft_registry_count(registry);
    for (int i = 0; i < count; i++) {
        const weft_component *model = weft_registry_at(registry, i);
        if (model->kind != WEFT_MODEL)
            continue;
        json_t *list = json_array();
        for (int k = 0; k < count; k++) {
            const weft_component *other = weft_registry_at(registry, k);
            if (other->kind == WEFT_INTEGRATOR && studio_methods_fit(model, other))
                json_array_append_new(list, json_string(other->name));
        }
        json_object_set_new(pairs, model->name, list);
    }
    return pairs;
}

static json_t *describe_fabrics(void) {
    json_t *list = json_array();
    for (int i = 0; i < weft_fabric_preset_count(); i++) {
        const weft_fabric_preset *preset = weft_fabric_preset_at(i);
        json_t *values = json_object();
        for (const weft_param *row = weft_fabric_params(); row->name; row++) {
            char text[STUDIO_TEXT_SIZE];
            weft_param_write(row, &preset->fabric, text, sizeof text);
            json_object_set_new(values, row->name, json_string(text));
        }
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:o}", "name", preset->name, "help", preset->help, "values", values));
    }
    return list;
}

weft_result studio_do_hello(studio_session *session, studio_request *request) {
    const char *folder = strrchr(session->host.folder.path, '/');
    json_t *fields = json_pack(
        "{s:s, s:i, s:b, s:o, s:o, s:o, s:o, s:o, s:[s, s, s], s:I, s:s}", "version", weft_version(), "protocol", 1,
        "page", studio_page_count() > 0, "scenes", describe_scenes(&session->host), "components",
        describe_components(session->host.registry), "fabrics", describe_fabrics(), "pairs",
        describe_pairs(session->host.registry), "scalars", studio_scalar_names(), "link_types", "structural", "shear",
        "flexion", "upload_limit", (json_int_t)STUDIO_UPLOAD_LIMIT, "folder", folder && folder[1] ? folder + 1 : "/");
    if (!fields)
        return weft_fail_memory("hello", 1024);
    json_object_update(request->reply, fields);
    json_decref(fields);
    return weft_ok();
}

/* -- the scene -- */

static json_t *describe_panels(const weft_mesh *mesh) {
    json_t *names = json_array();
    for (int32_t g = 0; g < mesh->group_count; g++)
        json_array_append_new(names, json_string(mesh->group_name[g]));
    return names;
}

static json_t *describe_cloths(const studio_pane *pane) {
    json_t *list = json_array();
    for (int32_t i = 0; i < pane->cloth_count; i++) {
        const weft_cloth *cloth = weft_sim_cloth(pane->sim, i);
        const weft_mesh *mesh = cloth->mesh;
        const studio_grid *grid = &pane->grid[i];
        int is_grid = grid->cells[0] > 0;
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:i, s:i, s:i, s:o, s:o, s:o}", "name", cloth->name, "model",
                            weft_sim_model_name(pane->sim, i), "vertices", mesh->vertex_count, "triangles",
                            mesh->triangle_count, "links", weft_sim_link_count(pane->sim, i), "grid",
                            is_grid ? json_pack("[i, i]", grid->cells[0], grid->cells[1]) : json_null(), "size",
                            is_grid ? json_pack("[f, f]", grid->size[0], grid->size[1]) : json_null(), "panels",
                            describe_panels(mesh)));
    }
    return list;
}

/* Writes "LIST.NAME", or "LIST.INDEX" if the name occurs several times. Returns how often the name occurs. */
static int32_t write_path(const char *list, const weft_sim *sim, const char *(*name)(const weft_sim *, int32_t),
                          int32_t count, int32_t index, char path[STUDIO_ENTRY_PATH]) {
    int32_t same = 0;
    for (int32_t i = 0; i < count; i++)
        same += strcmp(name(sim, i), name(sim, index)) == 0;
    if (same > 1)
        snprintf(path, STUDIO_ENTRY_PATH, "%s.%d", list, index);
    else
        snprintf(path, STUDIO_ENTRY_PATH, "%s.%.60s", list, name(sim, index));
    return same;
}

int32_t studio_body_path(const weft_sim *sim, int32_t body, char path[STUDIO_ENTRY_PATH]) {
    return write_path("bodies", sim, weft_sim_body_name, weft_sim_body_count(sim), body, path);
}

/* Names a body "sphere", or "sphere 1" if there are several, and adds its parameter path. */
static json_t *describe_bodies(const weft_sim *sim) {
    json_t *list = json_array();
    for (int32_t i = 0; i < weft_sim_body_count(sim); i++) {
        const char *component = weft_sim_body_name(sim, i);
        char name[128], path[STUDIO_ENTRY_PATH];
        int32_t same = studio_body_path(sim, i, path);
        snprintf(name, sizeof name, same > 1 ? "%.60s %d" : "%.60s", component, i);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:b}", "name", name, "component", component, "path",
                                              path, "moves", weft_sim_body_moves(sim, i)));
    }
    return list;
}

static json_t *describe_forces(const studio_session *session, const weft_sim *sim) {
    json_t *list = json_array();
    int32_t count = weft_sim_force_count(sim);
    for (int32_t i = 0; i < count; i++) {
        char path[STUDIO_ENTRY_PATH];
        (void)write_path("forces", sim, weft_sim_force_name, count, i, path);
        json_array_append_new(list, json_pack("{s:s, s:s, s:b}", "name", weft_sim_force_name(sim, i), "path", path,
                                              "by_hand", session->wind == i));
    }
    return list;
}

static json_t *describe_pane(const studio_session *session, const studio_pane *pane) {
    return json_pack("{s:s, s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "model", weft_sim_model_name(pane->sim, 0),
                     "integrator", weft_sim_integrator_name(pane->sim), "step", weft_sim_clock(pane->sim)->step,
                     "wanted_step", pane->wanted_step > 0 ? number(pane->wanted_step) : json_null(), "cloths",
                     describe_cloths(pane), "bodies", describe_bodies(pane->sim), "forces",
                     describe_forces(session, pane->sim), "params", describe_params(session, pane), "idle",
                     studio_describe_idle(pane->sim));
}

/* Adds the region that a pinned cloth may swing into: its longest side below its highest held vertex. */
static void add_swing(const weft_sim *sim, int32_t cloth, weft_framing *framing) {
    const weft_vec3 *x = weft_sim_positions(sim, cloth);
    const uint8_t *held = weft_sim_held(sim, cloth);
    int32_t count = weft_sim_cloth(sim, cloth)->mesh->vertex_count;
    weft_vec3 low = x[0], high = x[0];
    double top = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        low = weft_vec3_make(fmin(low.x, x[i].x), fmin(low.y, x[i].y), fmin(low.z, x[i].z));
        high = weft_vec3_make(fmax(high.x, x[i].x), fmax(high.y, x[i].y), fmax(high.z, x[i].z));
        top = held[i] ? fmax(top, x[i].y) : top;
    }
    double longest = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    const weft_vec3 reached[] = {{low.x, top - longest, low.z}, {high.x, top - longest, high.z}};
    if (isfinite(top))
        weft_framing_add(framing, reached, 2);
}

/* Describes the camera that rendered pictures of the scene use. */
static json_t *describe_view(const studio_session *session) {
    const weft_sim *sim = session->pane[0].sim;
    weft_view view;
    if (weft_view_read(weft_value_find(weft_tree_root(session->base), "view"), "view", &view).code != WEFT_OK)
        view = weft_view_default();
    weft_framing framing = weft_framing_start(&view);
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++)
        weft_framing_add(&framing, weft_sim_positions(sim, i), weft_sim_cloth(sim, i)->mesh->vertex_count);
    for (int32_t i = 0; i < weft_sim_cloth_count(sim); i++)
        add_swing(sim, i, &framing);
    weft_camera camera = weft_framing_camera(&framing, &view, 0);
    weft_vec3 centre = weft_scale(0.5, weft_add(framing.low, framing.high));
    double away = weft_dot(weft_sub(centre, camera.position), camera.forward);
    weft_vec3 target = weft_add_scaled(camera.position, fmax(away, 0.1), camera.forward);
    if (view.camera == WEFT_CAMERA_GIVEN)
        target = view.target;
    static const double DEGREES = 57.29577951308232;
    return json_pack("{s:o, s:o, s:f, s:o, s:o, s:o}", "eye", vector(camera.position), "target", vector(target), "fov",
                     2 * atan(camera.tan_y) * DEGREES, "front", vector(view.cloth_front), "back",
                     vector(view.cloth_back), "sun", vector(view.sun_direction));
}

static const char *title_of(const studio_session *session) {
    for (int i = 0; i < session->host.scene_count; i++)
        if (strcmp(session->host.scene[i].name, session->name) == 0)
            return session->host.scene[i].summary;
    return session->name;
}

void studio_session_tell_scene(studio_session *session, uint64_t viewer) {
    const weft_clock *clock = weft_sim_clock(session->pane[0].sim);
    json_t *panes = json_array();
    for (int i = 0; i < session->pane_count; i++)
        json_array_append_new(panes, describe_pane(session, &session->pane[i]));
    studio_session_event(session, viewer, "scene",
                         json_pack("{s:s, s:s, s:O, s:s, s:I, s:f, s:f, s:i, s:o, s:o}", "name", session->name, "path",
                                   session->path, "notices", session->pane[0].notices, "title", title_of(session),
                                   "run", (json_int_t)session->run, "rate", clock->rate, "step", clock->step, "frames",
                                   clock->frames, "panes", panes, "view", describe_view(session)),
                         0);
}

/* -- numbers -- */

weft_result studio_do_state(studio_session *session, studio_request *request) {
    json_t *panes = json_array();
    for (int i = 0; i < session->pane_count; i++) {
        const weft_sim *sim = session->pane[i].sim;
        char hash[17];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)weft_sim_hash(sim));
        json_array_append_new(panes,
                              json_pack("{s:s, s:I, s:I, s:f}", "hash", hash, "frame", (json_int_t)weft_sim_frame(sim),
                                        "step", (json_int_t)weft_sim_step_count(sim), "time", weft_sim_time(sim)));
    }
    json_object_set_new(request->reply, "panes", panes);
    json_object_set_new(request->reply, "playing", json_boolean(session->playing));
    return weft_ok();
}

static json_t *describe_stats(studio_pane *pane) {
    weft_measures measures = {0};
    const weft_report *report = &pane->report;
    if (weft_sim_measure(pane->sim, &measures).code != WEFT_OK)
        measures = (weft_measures){0};
    json_t *phases = json_object();
    for (int i = 0; i < WEFT_PHASES; i++)
        json_object_set_new(phases, weft_phase_name((weft_phase)i), number(1000 * report->seconds[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:I, s:o, s:o}", "kinetic", number(measures.kinetic),
                     "elastic", number(measures.elastic), "potential", number(measures.potential), "stretch_mean",
                     number(measures.stretch_mean), "stretch_max", number(measures.stretch_max), "iterations",
                     (json_int_t)report->solve.iterations, "residual", number(report->solve.residual), "contacts",
                     (json_int_t)report->contact.contacts, "torn", (json_int_t)measures.links_broken, "dt",
                     number(report->dt), "ms", phases);
}

void studio_session_tell_stats(studio_session *session) {
    const weft_sim *sim = session->pane[0].sim;
    int64_t frame = weft_sim_frame(sim);
    double since = session->now - session->fps_at;
    if (since >= 0.5) {
        session->fps = (double)(frame - session->fps_frame) / since;
        session->fps_at = session->now;
        session->fps_frame = frame;
    }
    int viewers = 0;
    for (int i = 0; i < STUDIO_MOST_VIEWERS; i++)
        viewers += session->viewer[i].viewer != 0;
    json_t *panes = json_array();
    for (int i = 0; i < session->pane_count; i++)
        json_array_append_new(panes, describe_stats(&session->pane[i]));
    studio_session_event(session, 0, "stats",
                         json_pack("{s:o, s:I, s:f, s:I, s:f, s:f, s:i}", "panes", panes, "frame", (json_int_t)frame,
                                   "time", weft_sim_time(sim), "last", (json_int_t)frame, "fps", session->fps, "rate",
                                   weft_sim_clock(sim)->rate * session->speed, "viewers", viewers),
                         STUDIO_POST_REPLACED);
}
