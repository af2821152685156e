/* Invariants of a mesh, for tests. */
#include "weft/mesh.h"
#include "weft/vec.h"

static int inside(int32_t index, int32_t count) { return index >= 0 && index < count; }

static const char *check_arrays(const weft_mesh *m) {
    if (m->vertex_count < 3 || m->face_count < 1 || m->halfedge_count < 6 || m->triangle_count < 1)
        return "the mesh is empty";
    if (!m->position || !m->next || !m->twin || !m->origin || !m->face || !m->edge || !m->vertex_halfedge ||
        !m->face_halfedge || !m->edge_halfedge || !m->boundary_halfedge || !m->triangle || !m->triangle_face ||
        !m->vertex_triangle_start || !m->vertex_triangle || !m->source_vertex)
        return "an array is missing";
    if (!m->uv != !m->halfedge_uv)
        return "rest coordinates of vertices and corners do not come together";
    if (m->face_group && !m->group_name)
        return "groups have no names";
    return NULL;
}

static const char *check_vertices(const weft_mesh *m) {
    for (int32_t v = 0; v < m->vertex_count; v++) {
        if (!weft_vec3_is_finite(m->position[v]))
            return "a position is not finite";
        if (m->uv && !(isfinite(m->uv[v].x) && isfinite(m->uv[v].y)))
            return "a rest coordinate is not finite";
        if (!inside(m->source_vertex[v], m->input_vertex_count))
            return "a source vertex is out of range";
        if (!inside(m->vertex_halfedge[v], m->halfedge_count) || m->origin[m->vertex_halfedge[v]] != v)
            return "a vertex's half-edge does not start there";
    }
    return NULL;
}

static const char *check_halfedges(const weft_mesh *m) {
    if (m->halfedge_count != 2 * m->edge_count)
        return "edges are not half as many as half-edges";
    for (int32_t h = 0; h < m->halfedge_count; h++) {
        int32_t twin = m->twin[h], next = m->next[h], edge = m->edge[h];
        if (!inside(next, m->halfedge_count) || !inside(twin, m->halfedge_count) || !inside(edge, m->edge_count) ||
            !inside(m->origin[h], m->vertex_count) || (m->face[h] != WEFT_NONE && !inside(m->face[h], m->face_count)))
            return "a link of a half-edge is out of range";
        if (twin == h || m->twin[twin] != h)
            return "a half-edge is not the twin of its twin";
        if (m->origin[twin] != m->origin[next] || m->origin[next] == m->origin[h])
            return "a half-edge does not end where its twin starts";
        if (m->face[next] != m->face[h])
            return "the next half-edge is of another face";
        if (m->face[h] == WEFT_NONE && m->face[twin] == WEFT_NONE)
            return "an edge has no face";
        if (m->edge[twin] != edge || m->edge_halfedge[edge] != (h < twin ? h : twin))
            return "an edge does not know its half-edges";
    }
    for (int32_t e = 1; e < m->edge_count; e++)
        if (m->edge_halfedge[e] <= m->edge_halfedge[e - 1])
            return "edges are not in the order of their half-edges";
    return NULL;
}

/* The lowest half-edge of a closed loop. */
static int32_t loop_start(const weft_mesh *m, int32_t h) {
    int32_t lowest = h;
    for (int32_t at = m->next[h]; at != h; at = m->next[at])
        lowest = at < lowest ? at : lowest;
    return lowest;
}

/* Length of the loop through h, or WEFT_NONE if it does not close within `most` steps. */
static int32_t loop_length(const weft_mesh *m, int32_t h, int32_t most) {
    int32_t length = 0, at = h;
    do {
        at = m->next[at];
        length++;
    } while (at != h && length <= most);
    return length <= most ? length : WEFT_NONE;
}

/* The loops are disjoint and cover all half-edges: their lengths add up. */
static const char *check_loops(const weft_mesh *m) {
    int32_t left = m->halfedge_count;
    for (int32_t f = 0; f < m->face_count; f++) {
        int32_t first = m->face_halfedge[f], length;
        if (!inside(first, m->halfedge_count) || m->face[first] != f)
            return "a face's half-edge is of another face";
        if ((length = loop_length(m, first, left)) < 3)
            return "a face does not close";
        left -= length;
    }
    for (int32_t b = 0; b < m->boundary_count; b++) {
        int32_t first = m->boundary_halfedge[b], length;
        if (!inside(first, m->halfedge_count) || m->face[first] != WEFT_NONE)
            return "a boundary's half-edge has a face";
        if ((length = loop_length(m, first, left)) < 2)
            return "a boundary does not close";
        if (loop_start(m, first) != first || (b > 0 && first <= m->boundary_halfedge[b - 1]))
            return "a boundary is listed twice or out of order";
        left -= length;
    }
    return left ? "a half-edge is in no loop" : NULL;
}

/* Each vertex has one fan: walking around the vertex reaches all half-edges that leave it. */
static const char *check_fans(const weft_mesh *m) {
    int32_t left = m->halfedge_count;
    for (int32_t v = 0; v < m->vertex_count; v++) {
        int32_t first = m->vertex_halfedge[v], h = first;
        do {
            if (m->origin[h] != v)
                return "a half-edge around a vertex does not start there";
            if (m->face[h] == WEFT_NONE && h != first)
                return "a vertex on the boundary does not start with it";
            if (left-- == 0)
                return "the half-edges around a vertex do not close";
            h = m->next[m->twin[h]];
        } while (h != first);
    }
    return left ? "a vertex has more than one fan" : NULL;
}

/* Number of the corner of face f at vertex v, or WEFT_NONE. */
static int32_t corner_number(const weft_mesh *m, int32_t f, int32_t v, int32_t size) {
    int32_t h = m->face_halfedge[f];
    for (int32_t k = 0; k < size; k++, h = m->next[h])
        if (m->origin[h] == v)
            return k;
    return WEFT_NONE;
}

/* The triangles of a face keep its winding and use each of its edges once. */
static const char *check_face_triangles(const weft_mesh *m, int32_t f, int32_t begin, int32_t size) {
    int32_t edges = 0;
    for (int32_t t = begin; t < begin + size - 2; t++) {
        if (t >= m->triangle_count || m->triangle_face[t] != f)
            return "a face has the wrong number of triangles";
        int32_t corner[3], winding = 0;
        for (int k = 0; k < 3; k++) {
            corner[k] = corner_number(m, f, m->triangle[t][k], size);
            if (corner[k] == WEFT_NONE)
                return "a triangle has a corner that its face lacks";
        }
        for (int k = 0; k < 3; k++) {
            int32_t step = (corner[(k + 1) % 3] - corner[k] + size) % size;
            winding += step;
            edges += step == 1;
        }
        if (winding != size)
            return "a triangle is turned against its face";
    }
    return edges == size ? NULL : "triangles do not fill their face";
}

static const char *check_triangles(const weft_mesh *m) {
    int32_t begin = 0;
    for (int32_t f = 0; f < m->face_count; f++) {
        int32_t size = loop_length(m, m->face_halfedge[f], m->halfedge_count);
        const char *flaw = check_face_triangles(m, f, begin, size);
        if (flaw)
            return flaw;
        begin += size - 2;
    }
    return begin == m->triangle_count ? NULL : "a triangle has no face";
}

static const char *check_vertex_triangles(const weft_mesh *m) {
    const int32_t *start = m->vertex_triangle_start;
    if (start[0] != 0 || start[m->vertex_count] != 3 * m->triangle_count)
        return "the triangles at vertices are not three times the triangles";
    for (int32_t v = 0; v < m->vertex_count; v++) {
        if (start[v + 1] <= start[v] || start[v + 1] > 3 * m->triangle_count)
            return "a vertex has no triangle";
        for (int32_t i = start[v]; i < start[v + 1]; i++) {
            if (!inside(m->vertex_triangle[i], m->triangle_count))
                return "a triangle at a vertex is out of range";
            if (i > start[v] && m->vertex_triangle[i] <= m->vertex_triangle[i - 1])
                return "the triangles at a vertex are not ascending";
            const int32_t *t = m->triangle[m->vertex_triangle[i]];
            if (t[0] != v && t[1] != v && t[2] != v)
                return "a triangle at a vertex has no corner there";
        }
    }
    return NULL;
}

static const char *check_groups(const weft_mesh *m) {
    for (int32_t f = 0; m->face_group && f < m->face_count; f++)
        if (m->face_group[f] != WEFT_NONE && !inside(m->face_group[f], m->group_count))
            return "a group is out of range";
    return NULL;
}

static const char *check_grid(const weft_mesh *m) {
    int64_t across = m->grid_cells[0], down = m->grid_cells[1];
    if (across == 0 && down == 0)
        return NULL;
    if (across < 1 || down < 1 || !(m->grid_size[0] > 0) || !(m->grid_size[1] > 0) || !m->uv)
        return "the grid has no size";
    int64_t corners = (across + 1) * (down + 1);
    if (m->vertex_count != corners && m->vertex_count != corners + across * down)
        return "the grid's cells do not fit its vertices";
    return NULL;
}

const char *weft_mesh_flaw(const weft_mesh *mesh) {
    /* Each check may rely on the ones before it. */
    static const char *(*const checks[])(const weft_mesh *) = {
        check_arrays,    check_halfedges,        check_vertices, check_loops, check_fans,
        check_triangles, check_vertex_triangles, check_groups,   check_grid,
    };
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        const char *flaw = checks[k](mesh);
        if (flaw)
            return flaw;
    }
    return NULL;
}
