/* Hashes of a scene, by which a checkpoint recognises it. */
#include <stdlib.h>
#include <string.h>

#include "apps/cli/scene_file.h"
#include "io/fabric_file.h"
#include "weft-io/checkpoint.h"

static uint64_t hash_value(uint64_t hash, const weft_value *value) {
    int32_t shape[2] = {(int32_t)value->kind, value->count};
    hash = weft_hash_bytes(hash, shape, sizeof shape);
    hash = weft_hash_bytes(hash, value->key, strlen(value->key) + 1);
    hash = weft_hash_bytes(hash, value->text, strlen(value->text) + 1);
    for (const weft_value *child = value->first; child; child = child->next)
        hash = hash_value(hash, child);
    return hash;
}

static uint64_t hash_maps(uint64_t hash, const weft_cloth *cloth) {
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        if (cloth->map[m])
            hash = weft_hash_bytes(hash, cloth->map[m], (size_t)cloth->mesh->vertex_count * sizeof *cloth->map[m]);
    return hash;
}

/* Hashes the values of a fabric that comes from a file. Those of presets follow from their names. */
static uint64_t hash_fabric(uint64_t hash, const weft_scene_file *scene, int32_t cloth) {
    const weft_value *fabric = weft_value_find(weft_scene_file_cloth(scene, cloth), "fabric");
    const weft_value *name = fabric && fabric->kind == WEFT_VALUE_TEXT ? fabric : weft_value_find(fabric, "preset");
    name = name ? name : weft_value_find(fabric, "name");
    char path[1024];
    if (!name || weft_fabric_file_find(name->text, name->file, path, sizeof path) == WEFT_FABRIC_NOWHERE)
        return hash;
    const weft_fabric *values = weft_sim_cloth(scene->sim, cloth)->fabric;
    return weft_hash_bytes(hash, values, sizeof *values);
}

/* Hashes the geometry of a body read from files. Other shapes follow from their parameters. */
static uint64_t hash_body(uint64_t hash, const weft_sim *sim, int32_t body) {
    weft_body_surface surface;
    const weft_body_frames *frames = weft_sim_body_frames(sim, body);
    if (strcmp(weft_sim_body_name(sim, body), "mesh") != 0 ||
        weft_sim_body_surface(sim, body, &surface).code != WEFT_OK)
        return hash;
    hash = weft_hash_bytes(hash, surface.position, (size_t)surface.vertex_count * sizeof *surface.position);
    hash = weft_hash_bytes(hash, surface.triangle, (size_t)surface.triangle_count * sizeof *surface.triangle);
    if (frames)
        hash = weft_hash_bytes(hash, frames->position,
                               (size_t)frames->frame_count * (size_t)frames->vertex_count * sizeof *frames->position);
    free(surface.triangle);
    free(surface.position);
    return hash;
}

/* The positions that pins follow come from files. */
static uint64_t hash_pins(uint64_t hash, const weft_sim *sim) {
    const weft_pin *pin;
    int32_t count;
    for (int32_t i = 0; (pin = weft_sim_pin(sim, i, &count)); i++)
        if (pin->path)
            hash = weft_hash_bytes(hash, pin->path, (size_t)pin->path_count * (size_t)count * sizeof *pin->path);
    return hash;
}

static int is_one_of(const char *name, const char *const *names) {
    for (int i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

/* Hashes the values of `time` that set the length of steps, or the others. */
static uint64_t hash_time(uint64_t hash, const weft_value *time, int of_steps) {
    static const char *const OF_STEPS[] = {"step", "mode", "jitter", "halvings", "accuracy", NULL};
    for (const weft_value *value = time->first; value; value = value->next)
        if (is_one_of(value->key, OF_STEPS) == of_steps)
            hash = hash_value(hash, value);
    return hash;
}

uint64_t weft_scene_file_step_hash(const weft_scene_file *scene) {
    uint64_t hash = WEFT_HASH_START;
    const weft_value *root = weft_tree_root(scene->tree);
    const weft_value *time = weft_value_find(root, "time"), *integrator = weft_value_find(root, "integrator");
    const weft_value *device = weft_value_find(root, "device");
    if (time)
        hash = hash_time(hash, time, 1);
    if (device)
        hash = hash_value(hash, device);
    return integrator ? hash_value(hash, integrator) : hash;
}

/* A cloth that names no model gets one that the integrator can move, so the names of the models count. */
uint64_t weft_scene_file_hash(const weft_scene_file *scene) {
    static const char *const OTHERS[] = {"output", "view", "integrator", "device", "time", NULL};
    uint64_t hash = WEFT_HASH_START;
    const weft_value *root = weft_tree_root(scene->tree), *time = weft_value_find(root, "time");
    for (const weft_value *part = root ? root->first : NULL; part; part = part->next)
        if (!is_one_of(part->key, OTHERS))
            hash = hash_value(hash, part);
    if (time)
        hash = hash_time(hash, time, 0);
    for (int32_t i = 0; i < weft_sim_cloth_count(scene->sim); i++) {
        const weft_mesh *mesh = weft_sim_cloth(scene->sim, i)->mesh;
        const char *model = weft_sim_model_name(scene->sim, i);
        hash = weft_hash_bytes(hash, model, strlen(model) + 1);
        hash = weft_hash_bytes(hash, mesh->position, (size_t)mesh->vertex_count * sizeof *mesh->position);
        hash = weft_hash_bytes(hash, mesh->triangle, (size_t)mesh->triangle_count * sizeof *mesh->triangle);
        hash = hash_maps(hash, weft_sim_cloth(scene->sim, i));
        hash = hash_fabric(hash, scene, i);
    }
    for (int32_t i = 0; i < weft_sim_body_count(scene->sim); i++)
        hash = hash_body(hash, scene->sim, i);
    return hash_pins(hash, scene->sim);
}
