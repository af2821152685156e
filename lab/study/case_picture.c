#include "lab/study/case_picture.h"

#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "weft/hooks.h"

enum { MOST_OBJECTS = 64 };

typedef struct stage {
    weft_shot_cloth cloth[MOST_OBJECTS];
    weft_shot_body body[MOST_OBJECTS];
    weft_body_surface surface[MOST_OBJECTS];
    int32_t (*whole[MOST_OBJECTS])[3]; /* triangles that are not torn open */
    int32_t cloths, bodies;
} stage;

static weft_result add_cloth(stage *s, const weft_sim *sim, int32_t cloth) {
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    const uint8_t *open = weft_sim_open_faces(sim, cloth);
    size_t size = (size_t)mesh->triangle_count * sizeof *s->whole[0];
    s->whole[s->cloths] = malloc(size + 1);
    if (!s->whole[s->cloths])
        return weft_fail_memory("triangles of a picture", size);
    weft_shot_cloth *shot = &s->cloth[s->cloths];
    *shot = (weft_shot_cloth){.position = weft_sim_positions(sim, cloth),
                              .vertex_count = mesh->vertex_count,
                              .triangle = s->whole[s->cloths][0]};
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        if (!open || !open[mesh->triangle_face[t]])
            memcpy(s->whole[s->cloths][shot->triangle_count++], mesh->triangle[t], sizeof *s->whole[0]);
    s->cloths++;
    return weft_ok();
}

static weft_result add_body(stage *s, const weft_sim *sim, int32_t body) {
    weft_body_surface *surface = &s->surface[s->bodies];
    WEFT_TRY(weft_sim_body_surface(sim, body, surface));
    s->body[s->bodies++] = (weft_shot_body){.position = surface->position,
                                            .vertex_count = surface->vertex_count,
                                            .triangle = (const int32_t *)surface->triangle,
                                            .triangle_count = surface->triangle_count};
    return weft_ok();
}

static weft_result gather(stage *s, const weft_sim *sim) {
    for (int32_t i = 0; i < weft_sim_cloth_count(sim) && i < MOST_OBJECTS; i++)
        WEFT_TRY(add_cloth(s, sim, i));
    for (int32_t i = 0; i < weft_sim_body_count(sim) && i < MOST_OBJECTS; i++)
        WEFT_TRY(add_body(s, sim, i));
    return weft_ok();
}

static weft_result render(const stage *s, const weft_view *view, const char *path) {
    weft_framing framing = weft_framing_start(view);
    for (int32_t i = 0; i < s->cloths; i++)
        weft_framing_add(&framing, s->cloth[i].position, s->cloth[i].vertex_count);
    weft_camera camera = weft_framing_camera(&framing, view, 0);
    weft_shot shot = {.cloth = s->cloth,
                      .cloth_count = s->cloths,
                      .body = s->body,
                      .body_count = s->bodies,
                      .low = framing.low,
                      .high = framing.high};
    weft_renderer *renderer;
    weft_picture picture = {0};
    WEFT_TRY(weft_renderer_create(view, 1, &renderer));
    weft_result result = weft_renderer_frame(renderer, &shot, &camera, &picture);
    if (result.code == WEFT_OK)
        result = weft_picture_write_png(&picture, path);
    weft_picture_destroy(&picture);
    weft_renderer_destroy(renderer);
    return result;
}

weft_result weft_case_picture_write(const weft_sim *sim, weft_tree *scene, int32_t width, int32_t height,
                                    const char *path) {
    weft_view view;
    WEFT_TRY(weft_view_read(weft_value_find(weft_tree_root(scene), "view"), "view", &view));
    view.width = width > 0 ? width : view.width;
    view.height = height > 0 ? height : view.height;
    stage *s = calloc(1, sizeof *s);
    if (!s)
        return weft_fail_memory("a picture", sizeof *s);
    weft_result result = gather(s, sim);
    if (result.code == WEFT_OK)
        result = render(s, &view, path);
    for (int32_t i = 0; i < MOST_OBJECTS; i++) {
        free(s->whole[i]);
        weft_memory_free(s->surface[i].triangle);
        weft_memory_free(s->surface[i].position);
    }
    free(s);
    return result;
}
