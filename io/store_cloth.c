/* Copies of cloth surfaces for a store. */
#include <stdlib.h>
#include <string.h>

#include "io/store.h"

static int allocate(weft_store_cloth *copy, const weft_mesh *mesh) {
    size_t faces = (size_t)copy->face_count + 1, corners = (size_t)copy->corner_count + 1;
    size_t triangles = (size_t)copy->triangle_count + 1;
    copy->face_size = malloc(faces * sizeof *copy->face_size);
    copy->corner = malloc(corners * sizeof *copy->corner);
    copy->triangle = malloc(triangles * sizeof *copy->triangle);
    copy->triangle_face = malloc(triangles * sizeof *copy->triangle_face);
    int good = copy->face_size && copy->corner && copy->triangle && copy->triangle_face;
    if (mesh->uv)
        good &= (copy->uv = malloc(((size_t)copy->vertex_count + 1) * sizeof *copy->uv)) != NULL;
    if (mesh->uv && mesh->halfedge_uv)
        good &= (copy->corner_uv = malloc(corners * sizeof *copy->corner_uv)) != NULL;
    return good;
}

/* Returns whether the coordinates of any corner differ from those of its vertex. */
static int copy_faces(weft_store_cloth *copy, const weft_mesh *mesh) {
    int32_t count = 0, seams = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t h = mesh->face_halfedge[f], begin = count;
        do {
            int32_t v = mesh->origin[h];
            copy->corner[count] = v;
            if (copy->corner_uv) {
                copy->corner_uv[count] = mesh->halfedge_uv[h];
                seams |= mesh->halfedge_uv[h].x != mesh->uv[v].x || mesh->halfedge_uv[h].y != mesh->uv[v].y;
            }
            count++;
            h = mesh->next[h];
        } while (h != mesh->face_halfedge[f]);
        copy->face_size[f] = count - begin;
    }
    return seams;
}

/* A vertex occurs at most once per face, so a triangle corner is found by its vertex. */
static int copy_triangles(weft_store_cloth *copy, const weft_mesh *mesh) {
    int32_t *start = malloc(((size_t)copy->face_count + 1) * sizeof *start);
    if (!start)
        return 0;
    start[0] = 0;
    for (int32_t f = 0; f < copy->face_count; f++)
        start[f + 1] = start[f] + copy->face_size[f];
    for (int32_t t = 0; t < copy->triangle_count; t++) {
        copy->triangle_face[t] = mesh->triangle_face[t];
        for (int i = 0; i < 3; i++) {
            int32_t c = start[mesh->triangle_face[t]];
            while (copy->corner[c] != mesh->triangle[t][i])
                c++;
            copy->triangle[t][i] = c;
        }
    }
    free(start);
    return 1;
}

weft_result weft_store_cloth_copy(weft_store_cloth *copy, const char *name, const weft_mesh *mesh) {
    *copy = (weft_store_cloth){
        .vertex_count = mesh->vertex_count, .face_count = mesh->face_count, .triangle_count = mesh->triangle_count};
    snprintf(copy->name, sizeof copy->name, "%s", name);
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        copy->corner_count += mesh->face[h] != WEFT_NONE;
    if (!allocate(copy, mesh))
        return weft_fail_memory("the surface of a cloth", (size_t)copy->corner_count * 40);
    if (copy->uv)
        memcpy(copy->uv, mesh->uv, (size_t)mesh->vertex_count * sizeof *copy->uv);
    if (!copy_faces(copy, mesh)) {
        free(copy->corner_uv);
        copy->corner_uv = NULL;
    }
    if (!copy_triangles(copy, mesh))
        return weft_fail_memory("the surface of a cloth", (size_t)copy->face_count * sizeof(int32_t));
    return weft_ok();
}

void weft_store_cloth_free(weft_store_cloth *cloth) {
    free(cloth->corner_uv);
    free(cloth->uv);
    free(cloth->triangle_face);
    free(cloth->triangle);
    free(cloth->corner);
    free(cloth->face_size);
    *cloth = (weft_store_cloth){.vertex_count = 0};
}

const float *weft_store_colour(int32_t cloth) {
    static const float COLOURS[][3] = {{0.60F, 0.05F, 0.06F},
                                       {0.05F, 0.19F, 0.42F},
                                       {0.72F, 0.60F, 0.36F},
                                       {0.08F, 0.30F, 0.14F},
                                       {0.35F, 0.14F, 0.40F}};
    return COLOURS[(size_t)cloth % (sizeof COLOURS / sizeof COLOURS[0])];
}
