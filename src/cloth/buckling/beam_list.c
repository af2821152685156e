/* Lists the interactions of a mesh (Choi and Ko 2002, figure 2, extended from grids to meshes). Edges and the diagonals
 * of quads resist tension. Beams span two edges along a strip of quads, and two diagonals through a vertex with four
 * quads. On triangles they join the two vertices opposite an edge. */
#include "cloth/buckling/buckling.h"
#include "core/memory.h"
#include "weft/vec.h"

static int32_t quad_opposite(const weft_mesh *mesh, int32_t h) { return mesh->next[mesh->next[h]]; }

/* Finds the four outgoing half-edges, in order, of a vertex between four quads. Returns 0 for other vertices. */
static int find_spokes(const weft_mesh *mesh, int32_t vertex, int32_t spoke[4]) {
    int32_t h = mesh->vertex_halfedge[vertex];
    for (int i = 0; i < 4; i++) {
        if (mesh->face[h] == WEFT_NONE || quad_opposite(mesh, quad_opposite(mesh, h)) != h ||
            mesh->next[mesh->next[mesh->next[h]]] == h)
            return 0;
        spoke[i] = h;
        h = mesh->next[mesh->twin[h]];
    }
    return h == spoke[0];
}

static int32_t far_end(const weft_mesh *mesh, int32_t h) { return mesh->origin[mesh->twin[h]]; }

/* Squared distance between the far ends of spokes i and i + 2. */
static double squared_span(const weft_mesh *mesh, const int32_t spoke[4], int i) {
    weft_vec3 d =
        weft_sub(mesh->position[far_end(mesh, spoke[(i + 2) & 3])], mesh->position[far_end(mesh, spoke[i & 3])]);
    return weft_dot(d, d);
}

static double quad_area(const weft_mesh *mesh, int32_t h) {
    const weft_vec3 *p = mesh->position;
    int32_t next = mesh->next[h];
    weft_vec3 one = weft_sub(p[mesh->origin[quad_opposite(mesh, h)]], p[mesh->origin[h]]);
    weft_vec3 other = weft_sub(p[mesh->origin[quad_opposite(mesh, next)]], p[mesh->origin[next]]);
    return 0.5 * weft_length(weft_cross(one, other));
}

/* The cosine of the angle between half-edge h and the weft, in the form of weft_spring_list.weft. */
static float weft_cosine(const weft_mesh *mesh, int32_t h) {
    const weft_vec2 *uv = mesh->halfedge_uv;
    if (!uv && !mesh->uv)
        return 2;
    weft_vec2 from = uv ? uv[h] : mesh->uv[mesh->origin[h]];
    weft_vec2 to = uv ? uv[mesh->next[h]] : mesh->uv[mesh->origin[mesh->next[h]]];
    double x = to.x - from.x, y = to.y - from.y, squared = x * x + y * y;
    return squared > 0 ? (float)((y < 0 ? -x : x) / sqrt(squared)) : 2;
}

static float squared_ratio(double along, double across) { return across > 0 ? (float)(along / across) : 0; }

static void add_diagonals(const weft_mesh *mesh, const int32_t spoke[4], weft_buckling *b) {
    weft_spring_list *list = &b->springs.list;
    double area = 0;
    for (int i = 0; i < 4; i++)
        area += 0.25 * quad_area(mesh, spoke[i]);
    for (int i = 0; i < 2; i++) {
        int32_t from = mesh->origin[quad_opposite(mesh, spoke[i])];
        int32_t to = mesh->origin[quad_opposite(mesh, spoke[i + 2])];
        if (from == to)
            continue;
        int32_t n = list->count++;
        list->end[n][0] = from;
        list->end[n][1] = to;
        list->span[n][0] = ~mesh->face[spoke[i]];
        list->span[n][1] = ~mesh->face[spoke[i + 2]];
        list->area[n] = (float)area;
        list->weft[n] = weft_cosine(mesh, spoke[0]);
        b->ratio[n - list->first[WEFT_FLEXION]] =
            squared_ratio(squared_span(mesh, spoke, 0), squared_span(mesh, spoke, 1));
    }
}

static int touches(const weft_mesh *mesh, int32_t edge, int32_t vertex) {
    int32_t h = mesh->edge_halfedge[edge];
    return mesh->origin[h] == vertex || far_end(mesh, h) == vertex;
}

/* The ratio of the spacings at the middle vertex of a beam over two edges. */
static float strip_ratio(const weft_mesh *mesh, const weft_spring_list *list, int32_t i) {
    const int32_t *span = list->span[i];
    int32_t spoke[4];
    if (span[0] < 0 || span[1] < 0)
        return 0;
    int32_t h = mesh->edge_halfedge[span[0]], middle = mesh->origin[h];
    if (!touches(mesh, span[1], middle))
        middle = far_end(mesh, h);
    if (!touches(mesh, span[1], middle) || !find_spokes(mesh, middle, spoke))
        return 0;
    int first = far_end(mesh, spoke[0]) == list->end[i][0] || far_end(mesh, spoke[0]) == list->end[i][1];
    return squared_ratio(squared_span(mesh, spoke, !first), squared_span(mesh, spoke, first));
}

static int32_t count_quad_vertices(const weft_mesh *mesh) {
    int32_t count = 0, spoke[4];
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        count += find_spokes(mesh, v, spoke);
    return count;
}

static int resize(void **memory, size_t count, size_t size) {
    void *larger = realloc(*memory, (count > 0 ? count : 1) * size);
    *memory = larger ? larger : *memory;
    return larger != NULL;
}

static int make_room(weft_spring_list *list, size_t count) {
    void *end = list->end, *span = list->span, *area = list->area, *weft = list->weft;
    int done = resize(&end, count, sizeof *list->end) && resize(&span, count, sizeof *list->span) &&
               resize(&area, count, sizeof *list->area) && resize(&weft, count, sizeof *list->weft);
    list->end = end;
    list->span = span;
    list->area = area;
    list->weft = weft;
    return done;
}

weft_result weft_buckling_build(const weft_mesh *mesh, weft_buckling *b) {
    weft_spring_list *list = &b->springs.list;
    WEFT_TRY(weft_springs_build(mesh, list));
    int64_t most = list->count + 2 * (int64_t)count_quad_vertices(mesh);
    if (most > INT32_MAX)
        return weft_fail(WEFT_BAD_INPUT, "the mesh would have up to %lld interactions, at most %d are allowed",
                         (long long)most, INT32_MAX);
    size_t beams = (size_t)(most - list->first[WEFT_FLEXION]);
    if (!(b->ratio = weft_allocate(beams, sizeof *b->ratio)) || !make_room(list, (size_t)most))
        return weft_fail_memory("interactions", (size_t)most * (2 * sizeof *list->end + 2 * sizeof *list->area));
    b->first_diagonal = list->count;
    for (int32_t i = list->first[WEFT_FLEXION]; i < b->first_diagonal; i++)
        b->ratio[i - list->first[WEFT_FLEXION]] = strip_ratio(mesh, list, i);
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        int32_t spoke[4];
        if (find_spokes(mesh, v, spoke))
            add_diagonals(mesh, spoke, b);
    }
    list->first[WEFT_LINK_TYPES] = list->count;
    return weft_ok();
}
