#include "apps/cli/proxies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "weft-io/checkpoint.h"
#include "weft-io/mesh_file.h"
#include "weft/scene.h"

typedef struct proxy_settings {
    char mesh[WEFT_STRING_SIZE];
    int32_t keep;
} proxy_settings;

static const weft_param PARAMS[] = {
    {.name = "mesh",
     .type = WEFT_STRING,
     .offset = offsetof(proxy_settings, mesh),
     .fallback = "",
     .unit = "",
     .help = "a finer mesh: a file relative to the scene, placed like the cloth",
     .flags = WEFT_FIXED},
    {.name = "keep",
     .type = WEFT_BOOL,
     .offset = offsetof(proxy_settings, keep),
     .fallback = "false",
     .unit = "",
     .help = "also write the cloth itself, as NAME_coarse",
     .flags = WEFT_FIXED},
    {0},
};

const weft_param *weft_proxy_params(void) { return PARAMS; }

/* Reads `proxy: fine.obj` or `proxy: {mesh: fine.obj, keep: true}`. */
static weft_result read_settings(const weft_value *value, proxy_settings *settings) {
    char place[320];
    weft_value_place(value, place, sizeof place);
    weft_params_default(PARAMS, settings);
    if (value->kind == WEFT_VALUE_TEXT)
        WEFT_TRY(weft_param_read(&PARAMS[0], value, "cloth.proxy", settings));
    else
        WEFT_TRY(weft_params_read(PARAMS, value, "cloth.proxy", NULL, settings));
    if (!settings->mesh[0])
        return weft_fail(WEFT_BAD_INPUT, "%scloth.proxy.mesh: needs the name of a file", place);
    return weft_ok();
}

/* Prefixes a failure with its place in the scene. */
static weft_result at(const weft_value *value, weft_result result) {
    char place[320];
    if (result.code == WEFT_OK)
        return result;
    weft_value_place(value, place, sizeof place);
    return weft_fail(result.code, "%scloth.proxy: %.300s", place, result.message);
}

static weft_result read_proxy(weft_proxies *proxies, int32_t index, const weft_value *entry, const weft_sim *sim) {
    const weft_value *value = weft_value_find(entry, "proxy");
    const weft_cloth *cloth = weft_sim_cloth(sim, index);
    if (!value)
        return weft_ok();
    proxy_settings settings;
    char path[1024];
    weft_mesh *fine;
    WEFT_TRY(read_settings(value, &settings));
    WEFT_TRY(at(value, weft_path_beside(value->file, settings.mesh, path, sizeof path)));
    WEFT_TRY(at(value, weft_mesh_file_read(path, &fine)));
    weft_result result = weft_scene_place(entry, fine);
    if (result.code != WEFT_OK) {
        weft_mesh_destroy(fine);
        return result;
    }
    proxies->keep[index] = (uint8_t)settings.keep;
    snprintf(proxies->name[index], sizeof proxies->name[index], "%.63s_coarse", cloth->name);
    return at(value, weft_proxy_bind(cloth->mesh, fine, weft_sim_threads(sim), &proxies->proxy[index]));
}

weft_result weft_proxies_read(weft_proxies *proxies, const weft_scene_file *scene) {
    *proxies = (weft_proxies){.cloth_count = weft_sim_cloth_count(scene->sim)};
    size_t count = (size_t)proxies->cloth_count + 1;
    proxies->proxy = calloc(count, sizeof *proxies->proxy);
    proxies->keep = calloc(count, sizeof *proxies->keep);
    proxies->name = calloc(count, sizeof *proxies->name);
    proxies->shape = calloc(2 * count, sizeof *proxies->shape);
    proxies->generation = calloc(count, sizeof *proxies->generation);
    if (!proxies->proxy || !proxies->keep || !proxies->name || !proxies->shape || !proxies->generation)
        return weft_fail_memory("the frames' cloths", 2 * count * sizeof *proxies->shape);
    const weft_value *cloth = weft_value_find(weft_tree_root(scene->tree), "cloth");
    const weft_value *entry = cloth && cloth->kind == WEFT_VALUE_LIST ? cloth->first : cloth;
    for (int32_t i = 0; i < proxies->cloth_count && entry; i++) {
        WEFT_TRY(read_proxy(proxies, i, entry, scene->sim));
        entry = entry->next;
    }
    return weft_proxies_follow(proxies, scene->sim);
}

static weft_result follow_generations(weft_proxies *proxies, const weft_sim *sim, int32_t cloth) {
    if (!weft_sim_changes(sim, cloth))
        return weft_ok();
    size_t size = (size_t)weft_sim_cloth(sim, cloth)->mesh->triangle_count * sizeof **proxies->generation;
    int32_t *grown = realloc(proxies->generation[cloth], size);
    if (!grown)
        return weft_fail_memory("the frames' triangles", size);
    proxies->generation[cloth] = grown;
    return weft_sim_generations(sim, cloth, grown);
}

static weft_result follow_surface(weft_proxy *proxy, const weft_sim *sim, int32_t cloth) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    int32_t *origin = malloc((size_t)mesh->triangle_count * sizeof *origin);
    if (!origin)
        return weft_fail_memory("a proxy", (size_t)mesh->triangle_count * sizeof *origin);
    weft_result result = weft_sim_origins(sim, cloth, origin);
    if (result.code == WEFT_OK)
        result = weft_proxy_follow(proxy, mesh, origin, weft_sim_positions(sim, cloth));
    free(origin);
    return result;
}

weft_result weft_proxies_follow(weft_proxies *proxies, const weft_sim *sim) {
    proxies->shape_count = 0;
    for (int32_t i = 0; i < proxies->cloth_count; i++) {
        const weft_cloth *cloth = weft_sim_cloth(sim, i);
        weft_proxy *proxy = proxies->proxy[i];
        WEFT_TRY(follow_generations(proxies, sim, i));
        weft_frame_cloth coarse = {.name = proxy ? proxies->name[i] : cloth->name,
                                   .mesh = cloth->mesh,
                                   .position = weft_sim_positions(sim, i),
                                   .open_face = weft_sim_open_faces(sim, i),
                                   .generation = proxies->generation[i]};
        if (proxy) {
            if (coarse.generation)
                WEFT_TRY(follow_surface(proxy, sim, i));
            else
                weft_proxy_move(proxy, coarse.position, coarse.open_face);
            proxies->shape[proxies->shape_count++] = (weft_frame_cloth){.name = cloth->name,
                                                                        .mesh = weft_proxy_mesh(proxy),
                                                                        .position = weft_proxy_positions(proxy),
                                                                        .open_face = weft_proxy_open_faces(proxy)};
        }
        if (!proxy || proxies->keep[i])
            proxies->shape[proxies->shape_count++] = coarse;
    }
    return weft_ok();
}

uint64_t weft_proxies_hash(const weft_proxies *proxies, uint64_t hash) {
    for (int32_t i = 0; i < proxies->cloth_count; i++) {
        if (!proxies->proxy[i])
            continue;
        const weft_mesh *mesh = weft_proxy_mesh(proxies->proxy[i]);
        hash = weft_hash_bytes(hash, mesh->position, (size_t)mesh->vertex_count * sizeof *mesh->position);
        hash = weft_hash_bytes(hash, mesh->triangle, (size_t)mesh->triangle_count * sizeof *mesh->triangle);
    }
    return hash;
}

void weft_proxies_destroy(weft_proxies *proxies) {
    for (int32_t i = 0; proxies->proxy && i < proxies->cloth_count; i++)
        weft_proxy_destroy(proxies->proxy[i]);
    for (int32_t i = 0; proxies->generation && i < proxies->cloth_count; i++)
        free(proxies->generation[i]);
    free(proxies->generation);
    free(proxies->shape);
    free(proxies->name);
    free(proxies->keep);
    free(proxies->proxy);
    *proxies = (weft_proxies){0};
}
