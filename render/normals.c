/* Vertex normals of cloths and corner normals of bodies. */
#include <stdlib.h>

#include "render/stage.h"

static vecf area_vector(const weft_stage_mesh *mesh, int32_t triangle) {
    const uint32_t *t = mesh->triangle + 3 * (size_t)triangle;
    vecf a = mesh->vertex[t[0]];
    vecf n = vf_cross(vf_sub(mesh->vertex[t[1]], a), vf_sub(mesh->vertex[t[2]], a));
    return isfinite(n.x + n.y + n.z) ? n : vf_all(0);
}

/* Lists the corners at each vertex: those of vertex v are corner[start[v + 1]] up to corners_end. */
static void list_corners(const weft_stage_mesh *mesh, int32_t *start, int32_t *corner) {
    int32_t corners = 3 * mesh->triangle_count;
    for (int32_t c = 0; c < corners; c++)
        start[mesh->triangle[c] + 1]++;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        start[v + 1] += start[v];
    for (int32_t c = corners - 1; c >= 0; c--) /* afterwards start[v + 1] is the start of v */
        corner[--start[mesh->triangle[c] + 1]] = c;
}

/* The end of the corner list of vertex v. */
static int32_t corners_end(const weft_stage_mesh *mesh, const int32_t *start, uint32_t v) {
    return v + 1 < (uint32_t)mesh->vertex_count ? start[v + 2] : 3 * mesh->triangle_count;
}

static float corner_angle(const weft_stage_mesh *mesh, int32_t c) {
    const uint32_t *t = mesh->triangle + c / 3 * 3;
    vecf p = mesh->vertex[t[c % 3]];
    vecf a = vf_sub(mesh->vertex[t[(c + 1) % 3]], p), b = vf_sub(mesh->vertex[t[(c + 2) % 3]], p);
    float angle = atan2f(vf_length(vf_cross(a, b)), vf_dot(a, b));
    return isfinite(angle) ? angle : 0;
}

typedef struct normal_pass {
    weft_stage_mesh *mesh;
    const int32_t *start, *corner;
    weft_normal_weight weight;
} normal_pass;

static void find_normals(void *context, int64_t begin, int64_t end) {
    const normal_pass *pass = context;
    const weft_stage_mesh *mesh = pass->mesh;
    for (int64_t v = begin; v < end; v++) {
        vecf sum = vf_all(0);
        int32_t stop = corners_end(mesh, pass->start, (uint32_t)v);
        for (int32_t i = pass->start[v + 1]; i < stop; i++) {
            vecf n = area_vector(mesh, pass->corner[i] / 3);
            if (pass->weight == WEFT_NORMAL_ANGLE)
                n = vf_scale(corner_angle(mesh, pass->corner[i]), vf_unit(n));
            sum = vf_add(sum, n);
        }
        mesh->normal[v] = vf_unit(sum);
    }
}

weft_result weft_stage_normals(weft_stage_mesh *mesh, weft_normal_weight weight, const weft_work *work) {
    size_t count = (size_t)mesh->vertex_count, corners = 3 * (size_t)mesh->triangle_count;
    mesh->normal = calloc(count + 1, sizeof *mesh->normal);
    int32_t *start = calloc(count + 2, sizeof *start);
    int32_t *corner = calloc(corners + 1, sizeof *corner);
    weft_result result = weft_ok();
    if (!mesh->normal || !start || !corner) {
        result = weft_fail_memory("normals", count * (sizeof(vecf) + sizeof *start) + corners * sizeof *corner);
    } else {
        list_corners(mesh, start, corner);
        normal_pass pass = {mesh, start, corner, weight};
        weft_parallel_for(work, mesh->vertex_count, WEFT_BLOCK, find_normals, &pass);
    }
    free(corner);
    free(start);
    return result;
}

static vecf corner_normal(const weft_stage_mesh *mesh, const int32_t *start, const int32_t *corner, int32_t c) {
    const float crease = 0.766f; /* cos 40 degrees */
    uint32_t v = mesh->triangle[c];
    int32_t end = corners_end(mesh, start, v);
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
