#include "lab/experiments/experiment_scene.h"

#include <stdlib.h>

#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"
#include "weft/scene.h"

static weft_result apply(weft_tree *tree, const weft_change *change, int last) {
    for (; change && change->path; change++)
        if (change->last == last)
            WEFT_TRY(weft_yaml_set(tree, change->path, change->value));
    return weft_ok();
}

static weft_result read_scene(const weft_registry *registry, weft_tree *tree, weft_sim **sim, weft_view *view) {
    const weft_scene_files files = weft_scene_files_make(NULL);
    WEFT_TRY(weft_view_read(weft_value_find(weft_tree_root(tree), "view"), "view", view));
    return weft_scene_read(registry, tree, &files, sim);
}

static weft_result build(const weft_record *record, const weft_registry *registry, weft_tree *tree,
                         const weft_change *change, weft_sim **sim, weft_view *view) {
    WEFT_TRY(apply(tree, change, 0));
    WEFT_TRY(apply(tree, weft_record_changes(record), 0));
    WEFT_TRY(apply(tree, change, 1));
    WEFT_TRY(read_scene(registry, tree, sim, view));
    weft_sim_set_threads(*sim, 1);
    return weft_sim_prepare(*sim);
}

weft_result weft_record_scene(const weft_record *record, const weft_registry *registry, const char *name,
                              const weft_change *change, weft_sim **sim, weft_view *view) {
    char path[1024];
    weft_tree *tree;
    weft_view unused;
    *sim = NULL;
    if (!weft_record_find_scene(record, name, path))
        return weft_fail(WEFT_BAD_FILE, "there is no scene '%.60s' (weft list scenes)", name);
    WEFT_TRY(weft_yaml_read(path, &tree));
    weft_result result = build(record, registry, tree, change, sim, view ? view : &unused);
    weft_tree_destroy(tree);
    return result;
}

weft_result weft_scene_try_changes(const char *path, const weft_change *changes) {
    weft_registry *registry;
    weft_tree *tree;
    weft_sim *sim = NULL;
    weft_view view;
    WEFT_TRY(weft_yaml_read(path, &tree));
    weft_result result = weft_registry_create(&registry);
    if (result.code == WEFT_OK) {
        result = apply(tree, changes, 0);
        if (result.code == WEFT_OK)
            result = read_scene(registry, tree, &sim, &view);
        weft_sim_destroy(sim);
        weft_registry_destroy(registry);
    }
    weft_tree_destroy(tree);
    return result;
}

/* -- pictures -- */

enum { MOST_SHOWN = 16 };

typedef struct scenery {
    weft_shot_cloth cloth[MOST_SHOWN];
    weft_shot_body body[MOST_SHOWN];
    weft_body_surface surface[MOST_SHOWN];
    int32_t cloth_count, body_count;
} scenery;

static weft_result take_stock(weft_sim *sim, scenery *s, weft_framing *framing) {
    for (int32_t i = 0; i < weft_sim_cloth_count(sim) && i < MOST_SHOWN; i++) {
        const weft_mesh *mesh = weft_sim_cloth(sim, i)->mesh;
        s->cloth[s->cloth_count++] = (weft_shot_cloth){.position = weft_sim_positions(sim, i),
                                                       .vertex_count = mesh->vertex_count,
                                                       .triangle = mesh->triangle[0],
                                                       .triangle_count = mesh->triangle_count};
        weft_framing_add(framing, weft_sim_positions(sim, i), mesh->vertex_count);
    }
    for (int32_t i = 0; i < weft_sim_body_count(sim) && i < MOST_SHOWN; i++) {
        weft_body_surface *surface = &s->surface[i];
        WEFT_TRY(weft_sim_body_surface(sim, i, surface));
        s->body[s->body_count++] = (weft_shot_body){.position = surface->position,
                                                    .vertex_count = surface->vertex_count,
                                                    .triangle = surface->triangle[0],
                                                    .triangle_count = surface->triangle_count};
        weft_framing_add(framing, surface->position, surface->vertex_count);
    }
    return weft_ok();
}

weft_result weft_record_shoot(weft_sim *sim, const weft_view *view, weft_picture *picture) {
    scenery s = {.cloth_count = 0};
    weft_framing framing = weft_framing_start(view);
    weft_renderer *renderer = NULL;
    weft_result result = take_stock(sim, &s, &framing);
    if (result.code == WEFT_OK)
        result = weft_renderer_create(view, 1, &renderer);
    weft_camera camera = weft_framing_camera(&framing, view, 0);
    weft_shot shot = {.cloth = s.cloth,
                      .cloth_count = s.cloth_count,
                      .body = s.body,
                      .body_count = s.body_count,
                      .low = framing.low,
                      .high = framing.high};
    if (result.code == WEFT_OK)
        result = weft_renderer_frame(renderer, &shot, &camera, picture);
    weft_renderer_destroy(renderer);
    for (int32_t i = 0; i < s.body_count; i++) {
        free(s.surface[i].triangle);
        free(s.surface[i].position);
    }
    return result;
}
