/* A simulation for JavaScript programs: the calls behind the npm package weft-cloth. */
#include <emscripten.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/web/wasm/browser.h"
#include "io/inputs.h"
#include "wear/mannequin/mannequin_body.h"
#include "weft-io/recorder.h"
#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"
#include "weft/hooks.h"
#include "weft/scene.h"

struct weft_browser_sim {
    weft_sim *sim;
    weft_tree *tree;
    weft_body_surface surface; /* of the last body that was asked for */
    int version;               /* counts steps that changed a mesh */
    char text[512];            /* the last text that was handed out */
};

static char message[512];

EMSCRIPTEN_KEEPALIVE const char *weft_browser_message(void) { return message; }

int weft_browser_keep(weft_result result) {
    snprintf(message, sizeof message, "%s", result.code == WEFT_OK ? "" : result.message);
    return result.code != WEFT_OK;
}

/* -- creation -- */

weft_result weft_browser_registry(weft_registry **registry) {
    static weft_registry *shared;
    if (!shared) {
        WEFT_TRY(weft_registry_create(&shared));
        WEFT_TRY(weft_writers_register(shared));
        WEFT_TRY(mannequin_register(shared));
    }
    *registry = shared;
    return weft_ok();
}

static weft_result build(weft_browser_sim *made, const char *text, const char *path, int threads) {
    weft_registry *registry;
    weft_scene_files files = weft_scene_files_make(NULL);
    WEFT_TRY(weft_browser_registry(&registry));
    WEFT_TRY(weft_yaml_read_memory(text, strlen(text), path, &made->tree));
    WEFT_TRY(weft_scene_read(registry, made->tree, &files, &made->sim));
    weft_sim_set_threads(made->sim, threads);
    return weft_sim_prepare(made->sim);
}

EMSCRIPTEN_KEEPALIVE weft_browser_sim *weft_browser_sim_create(const char *text, const char *path, int threads) {
    weft_browser_sim *made = calloc(1, sizeof *made);
    weft_result result = made ? build(made, text, path, threads) : weft_fail_memory("a simulation", sizeof *made);
    if (!weft_browser_keep(result))
        return made;
    weft_browser_sim_destroy(made);
    return NULL;
}

static void free_surface(weft_browser_sim *sim) {
    weft_memory_free(sim->surface.triangle);
    weft_memory_free(sim->surface.position);
    sim->surface = (weft_body_surface){0};
}

EMSCRIPTEN_KEEPALIVE void weft_browser_sim_destroy(weft_browser_sim *sim) {
    if (!sim)
        return;
    free_surface(sim);
    weft_sim_destroy(sim->sim);
    weft_tree_destroy(sim->tree);
    free(sim);
}

/* -- parameters and time -- */

EMSCRIPTEN_KEEPALIVE int weft_browser_sim_set(weft_browser_sim *sim, const char *parameter, const char *value) {
    return weft_browser_keep(weft_sim_set(sim->sim, parameter, value));
}

EMSCRIPTEN_KEEPALIVE const char *weft_browser_sim_get(weft_browser_sim *sim, const char *parameter) {
    return weft_browser_keep(weft_sim_get(sim->sim, parameter, sim->text, sizeof sim->text)) ? NULL : sim->text;
}

EMSCRIPTEN_KEEPALIVE const char *weft_browser_sim_parameter(weft_browser_sim *sim, int index) {
    const weft_param *row;
    return weft_sim_param_at(sim->sim, index, sim->text, sizeof sim->text, &row) ? sim->text : NULL;
}

EMSCRIPTEN_KEEPALIVE int weft_browser_sim_advance(weft_browser_sim *sim, int whole_frame) {
    weft_report report = {0};
    int32_t count;
    weft_result result = whole_frame ? weft_sim_advance_frame(sim->sim, &report, &count)
                                     : weft_sim_advance_step(sim->sim, &report, &count);
    sim->version += report.torn + report.adapt.inserted + report.adapt.removed + report.adapt.turned > 0;
    return weft_browser_keep(weft_scene_locate(sim->tree, result));
}

EMSCRIPTEN_KEEPALIVE double weft_browser_sim_time(const weft_browser_sim *sim) { return weft_sim_time(sim->sim); }

EMSCRIPTEN_KEEPALIVE double weft_browser_sim_frame(const weft_browser_sim *sim) {
    return (double)weft_sim_frame(sim->sim);
}

EMSCRIPTEN_KEEPALIVE const char *weft_browser_sim_hash(const weft_browser_sim *sim) {
    static char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, weft_sim_hash(sim->sim));
    return hash;
}

/* -- cloths -- */

static const weft_mesh *mesh_of(const weft_browser_sim *sim, int cloth) {
    return weft_sim_cloth(sim->sim, cloth)->mesh;
}

EMSCRIPTEN_KEEPALIVE int weft_browser_cloth_count(const weft_browser_sim *sim) {
    return weft_sim_cloth_count(sim->sim);
}

EMSCRIPTEN_KEEPALIVE const char *weft_browser_cloth_name(const weft_browser_sim *sim, int cloth) {
    return weft_sim_cloth(sim->sim, cloth)->name;
}

EMSCRIPTEN_KEEPALIVE int weft_browser_cloth_vertices(const weft_browser_sim *sim, int cloth) {
    return mesh_of(sim, cloth)->vertex_count;
}

EMSCRIPTEN_KEEPALIVE int weft_browser_cloth_triangles(const weft_browser_sim *sim, int cloth) {
    return mesh_of(sim, cloth)->triangle_count;
}

EMSCRIPTEN_KEEPALIVE const double *weft_browser_cloth_positions(const weft_browser_sim *sim, int cloth) {
    return &weft_sim_positions(sim->sim, cloth)->x;
}

EMSCRIPTEN_KEEPALIVE const int *weft_browser_cloth_indices(const weft_browser_sim *sim, int cloth) {
    return mesh_of(sim, cloth)->triangle[0];
}

EMSCRIPTEN_KEEPALIVE const double *weft_browser_cloth_uv(const weft_browser_sim *sim, int cloth) {
    return mesh_of(sim, cloth)->uv ? &mesh_of(sim, cloth)->uv->x : NULL;
}

EMSCRIPTEN_KEEPALIVE int weft_browser_cloth_version(const weft_browser_sim *sim, int cloth) {
    (void)cloth;
    return sim->version;
}

EMSCRIPTEN_KEEPALIVE int weft_browser_cloth_pin(weft_browser_sim *sim, int cloth, const int *vertex, int count) {
    weft_pin pin = weft_pin_default();
    return weft_browser_keep(weft_sim_add_pin(sim->sim, cloth, &pin, vertex, count));
}

EMSCRIPTEN_KEEPALIVE int weft_browser_cloth_free(weft_browser_sim *sim, int cloth, const int *vertex, int count) {
    return weft_browser_keep(weft_sim_unpin(sim->sim, cloth, vertex, count));
}

EMSCRIPTEN_KEEPALIVE int weft_browser_cloth_drag(weft_browser_sim *sim, int cloth, const int *vertex,
                                                 const double *point, int count) {
    weft_result result = weft_ok();
    for (int i = 0; i < count && result.code == WEFT_OK; i++)
        result =
            weft_sim_drag(sim->sim, cloth, vertex[i], (weft_vec3){point[3 * i], point[3 * i + 1], point[3 * i + 2]});
    return weft_browser_keep(result);
}

EMSCRIPTEN_KEEPALIVE int weft_browser_cloth_release(weft_browser_sim *sim, int cloth) {
    return weft_browser_keep(
        weft_input_apply(sim->sim, &(weft_input){.kind = WEFT_INPUT_RELEASE, .index = cloth}, NULL));
}

/* -- bodies -- */

EMSCRIPTEN_KEEPALIVE int weft_browser_body_count(const weft_browser_sim *sim) { return weft_sim_body_count(sim->sim); }

EMSCRIPTEN_KEEPALIVE int weft_browser_body_surface(weft_browser_sim *sim, int body) {
    free_surface(sim);
    return weft_browser_keep(weft_sim_body_surface(sim->sim, body, &sim->surface));
}

EMSCRIPTEN_KEEPALIVE int weft_browser_surface_vertices(const weft_browser_sim *sim) {
    return sim->surface.vertex_count;
}

EMSCRIPTEN_KEEPALIVE int weft_browser_surface_triangles(const weft_browser_sim *sim) {
    return sim->surface.triangle_count;
}

EMSCRIPTEN_KEEPALIVE const double *weft_browser_surface_positions(const weft_browser_sim *sim) {
    return &sim->surface.position->x;
}

EMSCRIPTEN_KEEPALIVE const int *weft_browser_surface_indices(const weft_browser_sim *sim) {
    return sim->surface.triangle[0];
}

/* -- files -- */

static weft_result write_frame(weft_browser_sim *sim, const char *format, const char *folder) {
    weft_registry *registry;
    weft_recorder *recorder;
    weft_take take = {.directory = folder, .name = "frame", .rate = weft_sim_clock(sim->sim)->rate, .frame_count = 1};
    WEFT_TRY(weft_browser_registry(&registry));
    WEFT_TRY(weft_recorder_create(sim->sim, &take, &recorder));
    weft_result result = weft_recorder_add_writer(recorder, registry, format, NULL);
    if (result.code == WEFT_OK)
        result = weft_recorder_write_frame(recorder);
    weft_result closed = weft_recorder_close(recorder, result.code == WEFT_OK);
    return result.code == WEFT_OK ? closed : result;
}

EMSCRIPTEN_KEEPALIVE int weft_browser_sim_write(weft_browser_sim *sim, const char *format, const char *folder) {
    return weft_browser_keep(write_frame(sim, format, folder));
}
