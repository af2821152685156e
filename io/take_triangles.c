#include "io/take_triangles.h"

#include <stdlib.h>

static weft_result replace(weft_take_triangles *s, int32_t i) {
    weft_frame_cloth *cloth = &s->cloth[i];
    const weft_mesh *mesh = cloth->mesh;
    if (!cloth->generation || mesh->face_count == mesh->triangle_count)
        return weft_ok();
    WEFT_TRY(weft_mesh_triangulate(mesh, &s->mesh[i]));
    cloth->mesh = s->mesh[i];
    if (!cloth->open_face)
        return weft_ok();
    s->open[i] = malloc((size_t)mesh->triangle_count);
    if (!s->open[i])
        return weft_fail_memory("a take", (size_t)mesh->triangle_count);
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        s->open[i][t] = cloth->open_face[mesh->triangle_face[t]];
    cloth->open_face = s->open[i];
    return weft_ok();
}

weft_result weft_take_triangles_make(weft_take_triangles *s, weft_frame *frame) {
    size_t count = (size_t)frame->cloth_count + 1;
    *s = (weft_take_triangles){.cloth = calloc(count, sizeof *s->cloth),
                               .mesh = calloc(count, sizeof *s->mesh),
                               .open = calloc(count, sizeof *s->open),
                               .cloth_count = frame->cloth_count};
    if (!s->cloth || !s->mesh || !s->open)
        return weft_fail_memory("a take", count * sizeof *s->cloth);
    for (int32_t i = 0; i < s->cloth_count; i++) {
        s->cloth[i] = frame->cloth[i];
        WEFT_TRY(replace(s, i));
    }
    frame->cloth = s->cloth;
    return weft_ok();
}

void weft_take_triangles_free(weft_take_triangles *s) {
    for (int32_t i = 0; i < s->cloth_count; i++) {
        if (s->mesh)
            weft_mesh_destroy(s->mesh[i]);
        if (s->open)
            free(s->open[i]);
    }
    free(s->open);
    free(s->mesh);
    free(s->cloth);
    *s = (weft_take_triangles){0};
}
