#include <stdlib.h>

#include "render/stage.h"

static vecf area_vector(const weft_stage_mesh *mesh, int32_t triangle) {
    const uint32_t *t = mesh->triangle + 3 * (size_t)triangle;
    vecf a = mesh->vertex[t[0]];
    vecf n = vf_cross(vf_sub(mesh->vertex[t[1]], a), vf_sub(mesh->vertex[t[2]], a));
    return isfinite(n.x + n.y + n.z) ? n : vf_all(0);
}

weft_result weft_stage_normals(weft_stage_mesh *mesh) {
    size_t count = mesh->vertex_count > 0 ? (size_t)mesh->vertex_count : 1;
    mesh->normal = calloc(count, sizeof *mesh->normal);
    if (!mesh->normal)
        return weft_fail_memory("normals", count * sizeof *mesh->normal);
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        vecf n = area_vector(mesh, i);
        for (int k = 0; k < 3; k++) {
            vecf *at = &mesh->normal[mesh->triangle[3 * (size_t)i + (size_t)k]];
            *at = vf_add(*at, n);
        }
    }
    for (int32_t i = 0; i < mesh->vertex_count; i++)
        mesh->normal[i] = vf_unit(mesh->normal[i]);
    return weft_ok();
}

/* start[v] .. start[v + 1] are the places in `corner` that hold the corners at vertex v. */
static void list_corners(const weft_stage_mesh *mesh, int32_t *start, int32_t *corner) {
    int32_t corners = 3 * mesh->triangle_count;
    for (int32_t c = 0; c < corners; c++)
        start[mesh->triangle[c] + 1]++;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        start[v + 1] += start[v];
    for (int32_t c = corners - 1; c >= 0; c--) /* afterwards start[v + 1] is where v starts */
        corner[--start[mesh->triangle[c] + 1]] = c;
}

static vecf corner_normal(const weft_stage_mesh *mesh, const int32_t *start, const int32_t *corner, int32_t c) {
    const float crease = 0.766f; /* cos 40 degrees */
    uint32_t v = mesh->triangle[c];
    int32_t end = v + 1 < (uint32_t)mesh->vertex_count ? start[v + 2] : 3 * mesh->triangle_count;
    vecf own = vf_unit(area_vector(mesh, c / 3)), sum = vf_all(0);
    for (int32_t i = start[v + 1]; i < end; i++) {
        vecf n = area_vector(mesh, corner[i] / 3);
        if (vf_dot(n, own) >= crease * vf_length(n))
            sum = vf_add(sum, n);
    }
    return vf_unit(sum);
}

weft_result weft_stage_corner_normals(weft_stage_mesh *mesh) {
    size_t corners = 3 * (size_t)mesh->triangle_count, some = corners > 0 ? corners : 1;
    size_t bytes = some * (sizeof(vecf) + sizeof(int32_t)) + ((size_t)mesh->vertex_count + 2) * sizeof(int32_t);
    mesh->corner_normals = 1;
    mesh->normal = calloc(some, sizeof *mesh->normal);
    int32_t *start = calloc((size_t)mesh->vertex_count + 2, sizeof *start);
    int32_t *corner = calloc(some, sizeof *corner);
    weft_result result = weft_ok();
    if (!mesh->normal || !start || !corner) {
        result = weft_fail_memory("normals of a body", bytes);
    } else {
        list_corners(mesh, start, corner);
        for (size_t c = 0; c < corners; c++)
            mesh->normal[c] = corner_normal(mesh, start, corner, (int32_t)c);
    }
    free(corner);
    free(start);
    return result;
}
