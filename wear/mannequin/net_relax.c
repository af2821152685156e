/* From a raw net to even triangles. */
#include <math.h>
#include <stdlib.h>

#include "wear/mannequin/net.h"
#include "weft/vec.h"

/* The sum of the neighbours of each vertex. An inner edge has two quads, so each neighbour counts twice. */
static void add_neighbours(const net *n, weft_vec3 *sum, int32_t *count) {
    for (int32_t v = 0; v < n->vertex_count; v++) {
        sum[v] = weft_vec3_make(0, 0, 0);
        count[v] = 0;
    }
    for (int32_t q = 0; q < n->quad_count; q++)
        for (int k = 0; k < 4; k++) {
            int32_t a = n->quad[q][k], b = n->quad[q][(k + 1) % 4];
            sum[a] = weft_add(sum[a], n->position[b]);
            sum[b] = weft_add(sum[b], n->position[a]);
            count[a]++;
            count[b]++;
        }
}

/* One step towards the mean of the neighbours along the surface, and one step of Newton's method back to it. */
static weft_vec3 slide(const flesh *f, weft_vec3 p, weft_vec3 mean) {
    static const double PART = 0.7;
    weft_vec3 g, way = weft_sub(mean, p);
    double d = flesh_gradient(f, p, &g), square = weft_dot(g, g);
    if (!(square > 1e-6))
        return p;
    way = weft_add_scaled(way, -weft_dot(way, g) / square, g);
    return weft_add_scaled(weft_add_scaled(p, PART, way), -fmin(fmax(d / square, -0.01), 0.01), g);
}

static void mirror_vertex(net *n, int32_t v) {
    int32_t other = n->mirror[v];
    if (other == v)
        n->position[v].x = 0;
    n->position[other] = weft_vec3_make(-n->position[v].x, n->position[v].y, n->position[v].z);
    if (other == v)
        n->position[v].x = 0; /* not -0 */
}

weft_result net_relax(const flesh *f, net *n) {
    enum { ROUNDS = 16 };
    weft_vec3 *sum = malloc(((size_t)n->vertex_count + 1) * sizeof *sum);
    int32_t *count = malloc(((size_t)n->vertex_count + 1) * sizeof *count);
    weft_result result = weft_ok();
    if (!sum || !count)
        result = weft_fail_memory("a mannequin", (size_t)n->vertex_count * sizeof *sum);
    for (int round = 0; round < ROUNDS && result.code == WEFT_OK; round++) {
        add_neighbours(n, sum, count);
        for (int32_t v = 0; v < n->vertex_count; v++)
            if (n->mirror[v] <= v) {
                n->position[v] = slide(f, n->position[v], weft_scale(1.0 / count[v], sum[v]));
                if (round + 1 == ROUNDS)
                    n->position[v] = flesh_project(f, n->position[v]);
                mirror_vertex(n, v);
            }
    }
    free(count);
    free(sum);
    return result;
}

/* The largest cosine of the angles of a triangle: that of its smallest angle. */
static double sharpest(weft_vec3 a, weft_vec3 b, weft_vec3 c) {
    const weft_vec3 corner[3] = {a, b, c};
    double most = -1;
    for (int k = 0; k < 3; k++) {
        weft_vec3 u = weft_sub(corner[(k + 1) % 3], corner[k]), v = weft_sub(corner[(k + 2) % 3], corner[k]);
        most = fmax(most, weft_dot(u, v) / (weft_length(u) * weft_length(v)));
    }
    return most;
}

/* Whether the diagonal from corner 1 to corner 3 gives the better triangles. */
static int turns(const net *n, const int32_t v[4]) {
    weft_vec3 a = n->position[v[0]], b = n->position[v[1]], c = n->position[v[2]], d = n->position[v[3]];
    return fmax(sharpest(b, c, d), sharpest(d, a, b)) < fmax(sharpest(a, b, c), sharpest(c, d, a));
}

weft_result net_triangulate(const net *n, weft_mesh **mesh) {
    *mesh = NULL;
    size_t triangles = 2 * (size_t)n->quad_count;
    int32_t *corner = malloc((3 * triangles + 1) * sizeof *corner), *size = malloc((triangles + 1) * sizeof *size);
    weft_result result = weft_fail_memory("a mannequin", 3 * triangles * sizeof *corner);
    if (corner && size) {
        int32_t *at = corner;
        for (int32_t q = 0; q < n->quad_count; q++) {
            const int32_t *v = n->quad[q];
            int turned = turns(n, v);
            for (int k = 0; k < 2; k++)
                for (int c = 0; c < 3; c++)
                    *at++ = v[(2 * k + c + turned) % 4];
            size[2 * q] = size[2 * q + 1] = 3;
        }
        const weft_polygons polygons = {.name = "mannequin",
                                        .position = n->position,
                                        .vertex_count = n->vertex_count,
                                        .corner = corner,
                                        .corner_count = (int64_t)(3 * triangles),
                                        .face_size = size,
                                        .face_count = (int64_t)triangles};
        result = weft_mesh_create(&polygons, mesh);
    }
    free(size);
    free(corner);
    if (result.code != WEFT_OK)
        return result;
    const weft_mesh *m = *mesh;
    if (m->boundary_count == 0 && m->vertex_count == n->vertex_count &&
        m->vertex_count - m->edge_count + m->face_count == 2)
        return weft_ok();
    weft_mesh_destroy(*mesh);
    *mesh = NULL;
    return weft_fail(WEFT_BAD_INPUT, "mannequin: these measurements give no closed surface with edges of this length");
}
