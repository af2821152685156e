/* Storage of an adaptive surface: arrays with spare capacity. The last element moves into the place of a removed one.
 * Initial vertices and triangles are never removed, so they never move. */
#include "mesh/refined.h"

#include <assert.h>

#include "core/memory.h"
#include "weft/vec.h"

void weft_refined_destroy(weft_refined *r) {
    if (!r)
        return;
    void *owned[] = {r->listed, r->change, r->changed, r->lineage,  r->uv, r->twin,
                     r->origin, r->birth,  r->corner,  r->position, r->map};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    free(r);
}

static int resize(void **array, int32_t count, size_t size) {
    void *grown = realloc(*array, (size_t)(count > 0 ? count : 1) * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

static int32_t roomy(int64_t needed, int32_t capacity) {
    int64_t more = (int64_t)capacity + capacity / 2;
    return (int32_t)(needed > more ? needed : more);
}

static int grow_vertices(weft_refined *r, int64_t needed) {
    if (needed <= r->vertex_capacity)
        return 1;
    int32_t room = roomy(needed, r->vertex_capacity);
    if (r->map_count > 0 && !resize((void **)&r->map, room, (size_t)r->map_count * sizeof *r->map))
        return 0;
    if (needed > WEFT_MESH_LIMIT || !resize((void **)&r->position, room, sizeof *r->position) ||
        !resize((void **)&r->corner, room, sizeof *r->corner) || !resize((void **)&r->birth, room, sizeof *r->birth))
        return 0;
    r->vertex_capacity = room;
    return 1;
}

static int grow_triangles(weft_refined *r, int64_t needed, int has_uv) {
    if (needed <= r->triangle_capacity)
        return 1;
    int32_t room = roomy(needed, r->triangle_capacity);
    if (needed > WEFT_MESH_LIMIT / 3 || !resize((void **)&r->origin, 3 * room, sizeof *r->origin) ||
        !resize((void **)&r->twin, 3 * room, sizeof *r->twin) ||
        !resize((void **)&r->lineage, room, sizeof *r->lineage) ||
        !resize((void **)&r->changed, room, sizeof *r->changed) ||
        (has_uv && !resize((void **)&r->uv, 3 * room, sizeof *r->uv)))
        return 0;
    r->triangle_capacity = room;
    return 1;
}

static int grow_changes(weft_refined *r, int64_t needed) {
    if (needed <= r->change_capacity)
        return 1;
    int32_t room = roomy(needed, r->change_capacity);
    if (!resize((void **)&r->change, room, sizeof *r->change))
        return 0;
    r->change_capacity = room;
    return 1;
}

int weft_refined_reserve(weft_refined *r, int32_t vertices, int32_t triangles, int32_t changes) {
    if (r->vertex_limit > 0 && (int64_t)r->vertex_count + vertices > r->vertex_limit) {
        r->limited = 1;
        return 0;
    }
    if (grow_vertices(r, (int64_t)r->vertex_count + vertices) &&
        grow_triangles(r, (int64_t)r->triangle_count + triangles, r->uv != NULL) &&
        grow_changes(r, (int64_t)r->change_count + changes))
        return 1;
    r->failed = 1;
    return 0;
}

void weft_refined_mark(weft_refined *r, int32_t t) {
    r->changed[t] = 1;
    if (!r->lists)
        return;
    if (r->listed_count == r->listed_capacity) {
        int32_t room = roomy((int64_t)r->listed_count + 64, r->listed_capacity);
        if (!resize((void **)&r->listed, room, sizeof *r->listed)) {
            r->failed = 1;
            return;
        }
        r->listed_capacity = room;
    }
    r->listed[r->listed_count++] = t;
}

void weft_refined_link(weft_refined *r, int32_t h, int32_t twin) {
    r->twin[h] = twin;
    if (twin != WEFT_NONE)
        r->twin[twin] = h;
}

void weft_refined_anchor(weft_refined *r, int32_t h) {
    int32_t around = h;
    assert(r->twin);
    while (r->twin[around] != WEFT_NONE) {
        around = weft_next(r->twin[around]);
        if (around == h)
            break;
    }
    r->corner[r->origin[h]] = around;
}

int32_t weft_refined_add_vertex(weft_refined *r, const int32_t from[3], const double weight[3]) {
    int32_t v = r->vertex_count++;
    weft_vertex_change *change = &r->change[r->change_count++];
    *change = (weft_vertex_change){.vertex = v};
    weft_vec3 sum = weft_vec3_make(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        change->from[k] = from[k];
        change->weight[k] = weight[k];
        sum = weft_add_scaled(sum, weight[k], r->position[from[k]]);
    }
    r->position[v] = sum;
    for (int32_t m = 0; m < r->map_count; m++)
        r->map[v * r->map_count + m] = weight[0] * r->map[from[0] * r->map_count + m] +
                                       weight[1] * r->map[from[1] * r->map_count + m] +
                                       weight[2] * r->map[from[2] * r->map_count + m];
    r->birth[v] = 0;
    r->corner[v] = WEFT_NONE;
    return v;
}

int32_t weft_refined_add_triangle(weft_refined *r, const weft_lineage *lineage) {
    int32_t t = r->triangle_count++;
    r->lineage[t] = *lineage;
    weft_refined_mark(r, t);
    for (int k = 0; k < 3; k++)
        r->twin[3 * t + k] = WEFT_NONE;
    return t;
}

void weft_refined_drop_triangle(weft_refined *r, int32_t t) {
    int32_t last = --r->triangle_count;
    if (t == last)
        return;
    for (int k = 0; k < 3; k++) {
        int32_t from = 3 * last + k, to = 3 * t + k;
        r->origin[to] = r->origin[from];
        weft_refined_link(r, to, r->twin[from]);
        if (r->uv)
            r->uv[to] = r->uv[from];
        if (r->corner[r->origin[to]] == from)
            r->corner[r->origin[to]] = to;
    }
    r->lineage[t] = r->lineage[last];
    weft_refined_mark(r, t);
}

void weft_refined_drop_vertex(weft_refined *r, int32_t v) {
    int32_t last = --r->vertex_count;
    r->change[r->change_count++] = (weft_vertex_change){v, {last, last, last}, {0, 0, 0}};
    if (v == last)
        return;
    r->position[v] = r->position[last];
    for (int32_t m = 0; m < r->map_count; m++)
        r->map[v * r->map_count + m] = r->map[last * r->map_count + m];
    r->birth[v] = r->birth[last];
    r->corner[v] = r->corner[last];
    int32_t start = r->corner[v], h = start;
    do { /* counter-clockwise, from the boundary if there is one */
        r->origin[h] = v;
        weft_refined_mark(r, h / 3);
        h = r->twin[weft_previous(h)];
    } while (h != WEFT_NONE && h != start);
}

static void take_mesh(const weft_mesh *mesh, weft_refined *r) {
    assert(r->position && r->birth && r->origin && r->twin); /* meshes are never empty */
    memcpy(r->position, mesh->position, (size_t)r->vertex_count * sizeof *r->position);
    memset(r->birth, 0, (size_t)r->vertex_count);
    for (int32_t t = 0; t < r->triangle_count; t++) {
        int32_t h = mesh->face_halfedge[t];
        for (int k = 0; k < 3; k++) {
            int32_t twin = mesh->twin[h + k];
            r->origin[3 * t + k] = mesh->origin[h + k];
            r->twin[3 * t + k] = mesh->face[twin] == WEFT_NONE ? WEFT_NONE : twin;
            if (r->uv && mesh->halfedge_uv)
                r->uv[3 * t + k] = mesh->halfedge_uv[h + k];
        }
        r->lineage[t] = (weft_lineage){.face = t};
        weft_refined_mark(r, t);
    }
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        weft_refined_anchor(r, h);
}

weft_result weft_refined_create(const weft_mesh *mesh, weft_refined **made) {
    *made = NULL;
    if (mesh->face_count != mesh->triangle_count)
        return weft_fail(WEFT_BAD_INPUT, "refinement: %d faces are not all triangles", (int)mesh->face_count);
    weft_refined *r = weft_allocate(1, sizeof *r);
    if (!r)
        return weft_fail_memory("refinement", sizeof *r);
    if (!grow_vertices(r, mesh->vertex_count) || !grow_triangles(r, mesh->triangle_count, mesh->halfedge_uv != NULL)) {
        weft_refined_destroy(r);
        return weft_fail_memory("refinement", (size_t)mesh->triangle_count * 64);
    }
    r->vertex_count = r->base_vertices = mesh->vertex_count;
    r->triangle_count = r->base_triangles = mesh->triangle_count;
    take_mesh(mesh, r);
    *made = r;
    return weft_ok();
}

int weft_refined_arrays(const weft_refined *r, weft_refined_array part[WEFT_REFINED_ARRAYS]) {
    size_t n = (size_t)r->vertex_count, t = (size_t)r->triangle_count;
    const weft_refined_array all[WEFT_REFINED_ARRAYS] = {
        {r->position, n * sizeof *r->position}, {r->map, n * (size_t)r->map_count * sizeof *r->map},
        {r->corner, n * sizeof *r->corner},     {r->birth, n},
        {r->origin, 3 * t * sizeof *r->origin}, {r->twin, 3 * t * sizeof *r->twin},
        {r->lineage, t * sizeof *r->lineage},   {r->uv, 3 * t * sizeof *r->uv},
    };
    int count = 0;
    for (int i = 0; i < WEFT_REFINED_ARRAYS; i++)
        if (all[i].data)
            part[count++] = all[i];
    return count;
}

weft_result weft_refined_set_maps(weft_refined *r, const double *value, int32_t count) {
    if (count == 0)
        return weft_ok();
    if (!resize((void **)&r->map, r->vertex_capacity, (size_t)count * sizeof *r->map))
        return weft_fail_memory("refinement", (size_t)r->vertex_capacity * (size_t)count * sizeof *r->map);
    r->map_count = count;
    memcpy(r->map, value, (size_t)r->base_vertices * (size_t)count * sizeof *r->map);
    return weft_ok();
}

weft_result weft_refined_copy(const weft_refined *from, weft_refined **made) {
    *made = NULL;
    weft_refined *r = weft_allocate(1, sizeof *r);
    if (r)
        r->map_count = from->map_count;
    if (!r || !grow_vertices(r, from->vertex_count) || !grow_triangles(r, from->triangle_count, from->uv != NULL)) {
        weft_refined_destroy(r);
        return weft_fail_memory("refinement", (size_t)from->triangle_count * 64);
    }
    r->vertex_count = from->vertex_count;
    r->triangle_count = from->triangle_count;
    r->base_vertices = from->base_vertices;
    r->base_triangles = from->base_triangles;
    weft_refined_array own[WEFT_REFINED_ARRAYS], other[WEFT_REFINED_ARRAYS];
    (void)weft_refined_arrays(r, own);
    for (int i = 0, count = weft_refined_arrays(from, other); i < count; i++)
        memcpy(own[i].data, other[i].data, other[i].size);
    memcpy(r->changed, from->changed, (size_t)from->triangle_count);
    *made = r;
    return weft_ok();
}
