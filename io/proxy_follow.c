/* Moves a proxy when the mesh of its cloth changes.
 *
 * Refinement and coarsening do not move the rest surface, so each proxy vertex keeps its rest position; only the
 * triangle under it changes. The search is limited to triangles that descend from the original triangle or its
 * neighbours. Layers of cloth that coincide at rest are therefore not confused. */
#include <stdlib.h>
#include <string.h>

#include "io/proxy_inside.h"
#include "weft/vec.h"

double weft_proxy_border(const weft_mesh *mesh) {
    double sum = 0;
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        if (mesh->face[h] == WEFT_NONE)
            sum += weft_distance(mesh->position[mesh->origin[h]], mesh->position[mesh->origin[mesh->twin[h]]]);
    return sum;
}

typedef struct search {
    const weft_proxy *proxy;
    const int32_t *start, *list; /* triangles by original triangle: list[start[t] .. start[t + 1]) */
} search;

/* Tries the triangles that descend from original triangle t. */
static void try_triangles(const search *s, int32_t t, weft_vec3 p, weft_closest_hit *best) {
    const weft_mesh *mesh = s->proxy->mesh;
    for (int32_t i = s->start[t]; i < s->start[t + 1]; i++) {
        weft_closest_hit hit = weft_closest_of(mesh->position, (const int32_t(*)[3])mesh->triangle, s->list[i], p);
        if (hit.squared < best->squared || (hit.squared == best->squared && hit.triangle < best->triangle))
            *best = hit;
    }
}

/* Tries the neighbours only if the position is not inside a triangle that descends from `home`. */
static weft_closest_hit locate(const search *s, int32_t home, weft_vec3 p) {
    const weft_proxy *proxy = s->proxy;
    const int32_t *corner = proxy->base_triangle[home];
    double length = proxy->fit.limit, inside = 1e-24 * length * length;
    weft_closest_hit best = {.triangle = INT32_MAX, .squared = INFINITY};
    try_triangles(s, home, p, &best);
    for (int k = 0; k < 3 && best.squared > inside; k++)
        for (int32_t i = proxy->base_start[corner[k]]; i < proxy->base_start[corner[k] + 1]; i++)
            if (proxy->base_at[i] != home)
                try_triangles(s, proxy->base_at[i], p, &best);
    return best;
}

static void find_vertices(void *context, int64_t begin, int64_t end) {
    const search *s = context;
    for (int64_t v = begin; v < end; v++) {
        weft_closest_hit hit = locate(s, s->proxy->home[v], s->proxy->foot[v]);
        weft_proxy_bind_at(s->proxy, v, &hit);
    }
}

/* -- cracks -- */

enum { MOST = 256 }; /* limit on visited triangles between two vertices of a face */

/* Whether triangle `to` can be reached from `from` through triangles within `reach` of p at rest. */
static int is_joined(const weft_mesh *mesh, int32_t from, int32_t to, weft_vec3 p, double reach) {
    int32_t list[MOST] = {from}, count = 1;
    for (int32_t i = 0; i < count; i++) {
        if (list[i] == to)
            return 1;
        for (int32_t h = mesh->face_halfedge[list[i]], k = 0; k < 3; h = mesh->next[h], k++) {
            int32_t next = mesh->face[mesh->twin[h]], known = next == WEFT_NONE;
            for (int32_t j = 0; !known && j < count; j++)
                known = list[j] == next;
            if (known || count == MOST)
                continue;
            const int32_t(*triangle)[3] = (const int32_t(*)[3])mesh->triangle;
            if (weft_closest_of(mesh->position, triangle, next, p).squared <= reach * reach)
                list[count++] = next;
        }
    }
    return count == MOST; /* limit reached: assume that they are connected */
}

static void open_faces(void *context, int64_t begin, int64_t end) {
    const weft_proxy *p = context;
    const weft_mesh *fine = p->fine;
    for (int64_t f = begin; f < end; f++) {
        int32_t h = fine->face_halfedge[f];
        p->open[f] = 0;
        do {
            int32_t a = fine->origin[h], b = fine->origin[fine->next[h]];
            double reach = weft_distance(p->foot[a], p->foot[b]) + 1e-6 * p->fit.limit;
            if (!is_joined(p->mesh, p->binding[a].triangle, p->binding[b].triangle, p->foot[a], reach))
                p->open[f] = 1;
            h = fine->next[h];
        } while (h != fine->face_halfedge[f]);
    }
}

/* Opened edges lengthen the boundary. Refinement only divides it into shorter edges, so its length does not change. */
static void find_cracks(weft_proxy *p) {
    p->torn = 0;
    memset(p->open, 0, (size_t)p->fine->face_count);
    if (weft_proxy_border(p->mesh) <= p->base_border * (1 + 1e-9))
        return;
    weft_parallel_for(&p->work, p->fine->face_count, WEFT_BLOCK, open_faces, p);
    for (int32_t f = 0; f < p->fine->face_count; f++)
        p->torn |= p->open[f];
}

/* -- following -- */

static void list_triangles(const weft_mesh *mesh, const int32_t *origin, int32_t base, int32_t *start, int32_t *list) {
    memset(start, 0, ((size_t)base + 2) * sizeof *start);
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        start[origin[t] + 2]++;
    for (int32_t t = 0; t < base; t++)
        start[t + 2] += start[t + 1];
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        list[start[origin[t] + 1]++] = t;
}

static int make_room(weft_proxy *p, const weft_mesh *mesh) {
    if (mesh->vertex_count <= p->normal_room)
        return 1;
    size_t room = (size_t)mesh->vertex_count + (size_t)mesh->vertex_count / 4;
    weft_vec3 *grown = realloc(p->normal, room * sizeof *grown);
    if (!grown)
        return 0;
    p->normal = grown;
    p->normal_room = (int32_t)room;
    return 1;
}

weft_result weft_proxy_follow(weft_proxy *p, const weft_mesh *mesh, const int32_t *origin, const weft_vec3 *position) {
    int32_t *start = malloc(((size_t)p->base_triangles + 2) * sizeof *start);
    int32_t *list = malloc((size_t)mesh->triangle_count * sizeof *list);
    if (!start || !list || !make_room(p, mesh)) {
        free(list);
        free(start);
        return weft_fail_memory("a proxy", (size_t)mesh->triangle_count * sizeof *list);
    }
    list_triangles(mesh, origin, p->base_triangles, start, list);
    p->mesh = mesh;
    search s = {p, start, list};
    weft_mesh_vertex_normals(mesh, mesh->position, p->normal);
    weft_parallel_for(&p->work, p->fine->vertex_count, WEFT_BLOCK, find_vertices, &s);
    free(list);
    free(start);
    find_cracks(p);
    weft_proxy_place(p, position);
    return weft_ok();
}
