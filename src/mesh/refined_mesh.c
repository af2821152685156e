/* Makes a mesh from an adaptive surface. The face half-edges keep their numbers; boundary half-edges follow. */
#include "core/memory.h"
#include "mesh/refined.h"

static int allocate(weft_mesh *m, int has_uv, int has_groups) {
    size_t n = (size_t)m->vertex_count, t = (size_t)m->triangle_count, h = (size_t)m->halfedge_count;
    size_t open = h - 3 * t;
    struct {
        void **array;
        size_t count, size;
    } lists[] = {
        {(void **)&m->position, n, sizeof *m->position},
        {(void **)&m->uv, has_uv ? n : 0, sizeof *m->uv},
        {(void **)&m->halfedge_uv, has_uv ? h : 0, sizeof *m->halfedge_uv},
        {(void **)&m->next, h, sizeof *m->next},
        {(void **)&m->twin, h, sizeof *m->twin},
        {(void **)&m->origin, h, sizeof *m->origin},
        {(void **)&m->face, h, sizeof *m->face},
        {(void **)&m->edge, h, sizeof *m->edge},
        {(void **)&m->vertex_halfedge, n, sizeof *m->vertex_halfedge},
        {(void **)&m->face_halfedge, t, sizeof *m->face_halfedge},
        {(void **)&m->edge_halfedge, h / 2, sizeof *m->edge_halfedge},
        {(void **)&m->boundary_halfedge, open, sizeof *m->boundary_halfedge},
        {(void **)&m->triangle, t, sizeof *m->triangle},
        {(void **)&m->triangle_face, t, sizeof *m->triangle_face},
        {(void **)&m->vertex_triangle_start, n + 1, sizeof *m->vertex_triangle_start},
        {(void **)&m->vertex_triangle, 3 * t, sizeof *m->vertex_triangle},
        {(void **)&m->source_vertex, n, sizeof *m->source_vertex},
        {(void **)&m->face_group, has_groups ? t : 0, sizeof *m->face_group},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        int wanted = lists[i].count > 0 || (void *)lists[i].array == (void *)&m->boundary_halfedge;
        if (wanted && !(*lists[i].array = weft_allocate(lists[i].count, lists[i].size)))
            return 0;
    }
    return 1;
}

static void fill_faces(const weft_refined *r, weft_mesh *m) {
    memcpy(m->origin, r->origin, 3 * (size_t)m->triangle_count * sizeof *m->origin);
    for (int32_t t = 0; t < m->triangle_count; t++) {
        m->face_halfedge[t] = 3 * t;
        m->triangle_face[t] = t;
        for (int k = 0; k < 3; k++) {
            int32_t h = 3 * t + k;
            m->next[h] = weft_next(h);
            m->face[h] = t;
            m->twin[h] = r->twin[h];
            m->triangle[t][k] = r->origin[h];
        }
    }
}

static void fill_boundary(const weft_refined *r, weft_mesh *m) {
    int32_t b = 3 * m->triangle_count;
    for (int32_t h = 0; h < 3 * m->triangle_count; h++) {
        if (r->twin[h] != WEFT_NONE)
            continue;
        m->twin[h] = b;
        m->twin[b] = h;
        m->origin[b] = r->origin[weft_next(h)];
        m->face[b] = WEFT_NONE;
        m->vertex_halfedge[m->origin[b]] = b;
        b++;
    }
    for (b = 3 * m->triangle_count; b < m->halfedge_count; b++)
        m->next[b] = m->vertex_halfedge[r->origin[m->twin[b]]];
}

/* Lists the lowest half-edge of each boundary loop. `edge` serves as a temporary mark and is filled later. */
static void list_loops(weft_mesh *m) {
    int32_t corners = 3 * m->triangle_count;
    for (int32_t b = corners; b < m->halfedge_count; b++)
        m->edge[b] = WEFT_NONE;
    for (int32_t b = corners; b < m->halfedge_count; b++) {
        if (m->edge[b] != WEFT_NONE)
            continue;
        m->boundary_halfedge[m->boundary_count++] = b;
        for (int32_t h = b; m->edge[h] == WEFT_NONE; h = m->next[h])
            m->edge[h] = 0;
    }
}

static void number_edges(weft_mesh *m) {
    int32_t edge = 0;
    for (int32_t h = 0; h < m->halfedge_count; h++)
        if (m->twin[h] > h) {
            m->edge[h] = m->edge[m->twin[h]] = edge;
            m->edge_halfedge[edge++] = h;
        }
    m->edge_count = edge;
}

static void list_triangles(weft_mesh *m) {
    int32_t *start = m->vertex_triangle_start;
    for (int32_t h = 0; h < 3 * m->triangle_count; h++)
        start[m->origin[h] + 1]++;
    for (int32_t v = 0; v < m->vertex_count; v++)
        start[v + 1] += start[v];
    for (int32_t v = 0; v < m->vertex_count; v++)
        start[v] = start[v + 1];
    for (int32_t t = m->triangle_count - 1; t >= 0; t--)
        for (int k = 0; k < 3; k++)
            m->vertex_triangle[--start[m->triangle[t][k]]] = t;
}

static void fill_uv(const weft_refined *r, weft_mesh *m) {
    int32_t corners = 3 * m->triangle_count;
    memcpy(m->halfedge_uv, r->uv, (size_t)corners * sizeof *m->halfedge_uv);
    for (int32_t b = corners; b < m->halfedge_count; b++)
        m->halfedge_uv[b] = m->halfedge_uv[m->next[m->twin[b]]];
    for (int32_t h = corners - 1; h >= 0; h--)
        m->uv[m->origin[h]] = m->halfedge_uv[h];
}

static int copy_groups(const weft_refined *r, const weft_mesh *base, weft_mesh *m) {
    if (!base->face_group)
        return 1;
    for (int32_t t = 0; t < m->triangle_count; t++)
        m->face_group[t] = base->face_group[r->lineage[t].face];
    m->group_name = weft_allocate((size_t)base->group_count, sizeof *m->group_name);
    for (int32_t g = 0; m->group_name && g < base->group_count; g++) {
        if (!(m->group_name[g] = weft_copy_text(base->group_name[g])))
            return 0;
        m->group_count = g + 1;
    }
    return m->group_name != NULL;
}

static void fill_vertices(const weft_refined *r, const weft_mesh *base, weft_mesh *m) {
    memcpy(m->position, r->position, (size_t)m->vertex_count * sizeof *m->position);
    memcpy(m->source_vertex, base->source_vertex, (size_t)r->base_vertices * sizeof *m->source_vertex);
    for (int32_t v = r->base_vertices; v < m->vertex_count; v++)
        m->source_vertex[v] = base->source_vertex[0];
    for (int32_t h = 3 * m->triangle_count - 1; h >= 0; h--)
        m->vertex_halfedge[m->origin[h]] = h;
    m->input_vertex_count = base->input_vertex_count;
}

weft_result weft_refined_mesh(const weft_refined *r, const weft_mesh *base, weft_mesh **made) {
    *made = NULL;
    weft_mesh *m = weft_allocate(1, sizeof *m);
    if (!m)
        return weft_fail_memory("mesh", sizeof *m);
    int32_t open = 0;
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        open += r->twin[h] == WEFT_NONE;
    m->vertex_count = r->vertex_count;
    m->face_count = m->triangle_count = r->triangle_count;
    m->halfedge_count = 3 * r->triangle_count + open;
    if (!allocate(m, r->uv != NULL, base->face_group != NULL) || !copy_groups(r, base, m)) {
        weft_mesh_destroy(m);
        return weft_fail_memory("mesh", (size_t)r->triangle_count * 128);
    }
    fill_faces(r, m);
    fill_vertices(r, base, m);
    fill_boundary(r, m);
    list_loops(m);
    number_edges(m);
    list_triangles(m);
    if (r->uv)
        fill_uv(r, m);
    *made = m;
    return weft_ok();
}
