/* Areas of triangles and vertices.
 *
 * Vertex areas follow Meyer, Desbrun, Schroeder and Barr, "Discrete Differential-Geometry Operators for Triangulated
 * 2-Manifolds" (2003), section 3.3. The sum over a vertex's one-ring has the factor 1/8, which Trendafilov (2021)
 * omits. */
#include <math.h>
#include <string.h>

#include "mesh/stages.h"
#include "weft/vec.h"

static double triangle_area(const weft_vec3 *x, const int32_t *t) {
    return 0.5 * weft_length(weft_cross(weft_sub(x[t[1]], x[t[0]]), weft_sub(x[t[2]], x[t[0]])));
}

/* Part of triangle (a, b, c) that belongs to a. The Voronoi area is (|ab|^2 cot c + |ac|^2 cot b) / 8. It is computed
 * as a fraction of the sum over all three corners, so that the three areas fill even a thin triangle up to rounding. */
static double corner_share(const weft_vec3 *x, const int32_t *t, int k) {
    weft_vec3 a = x[t[k]], b = x[t[(k + 1) % 3]], c = x[t[(k + 2) % 3]];
    weft_vec3 ab = weft_sub(b, a), bc = weft_sub(c, b), ca = weft_sub(a, c);
    /* proportional to the cotangents of the corner angles */
    double cot_a = -weft_dot(ab, ca), cot_b = -weft_dot(bc, ab), cot_c = -weft_dot(ca, bc);
    if (cot_a < 0)
        return 1.0 / 2;
    if (cot_b < 0 || cot_c < 0)
        return 1.0 / 4;
    double opposite_a = weft_dot(bc, bc) * cot_a;
    double opposite_b = weft_dot(ca, ca) * cot_b;
    double opposite_c = weft_dot(ab, ab) * cot_c;
    double sum = 2 * (opposite_a + opposite_b + opposite_c);
    return sum > 0 ? (opposite_b + opposite_c) / sum : 1.0 / 3;
}

void weft_mesh_vertex_areas(const weft_mesh *mesh, const weft_vec3 *x, double *area) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        double sum = 0;
        for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
            const int32_t *t = mesh->triangle[mesh->vertex_triangle[i]];
            sum += triangle_area(x, t) * corner_share(x, t, t[0] == v ? 0 : t[1] == v ? 1 : 2);
        }
        area[v] = sum;
    }
}

static int is_collapsed(const weft_mesh *mesh, int32_t t) {
    const weft_vec3 *x = mesh->position;
    const int32_t *v = mesh->triangle[t];
    weft_vec3 e = weft_sub(x[v[1]], x[v[0]]), f = weft_sub(x[v[2]], x[v[0]]), g = weft_sub(f, e);
    return weft_area_vanishes(weft_scale(0.5, weft_cross(e, f)),
                              fmax(weft_dot(e, e), fmax(weft_dot(f, f), weft_dot(g, g))));
}

int32_t weft_mesh_find_collapsed(const weft_mesh *mesh) {
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        if (is_collapsed(mesh, t))
            return t;
    return WEFT_NONE;
}

weft_result weft_mesh_refuse_collapsed(const weft_mesh *mesh, const char *kind, const char *name) {
    int32_t t = weft_mesh_find_collapsed(mesh);
    if (t == WEFT_NONE)
        return weft_ok();
    int is_cloth = strcmp(kind, "cloth") == 0;
    return weft_fail(WEFT_BAD_INPUT, "%s %s: triangle %d (vertices %d, %d, %d) has no area%s", kind, name, t,
                     mesh->triangle[t][0], mesh->triangle[t][1], mesh->triangle[t][2],
                     is_cloth ? "; only cloth of model corotational with rest: pattern can begin like that" : "");
}

static double rest_area(const weft_mesh *mesh, int32_t t) {
    int32_t h = mesh->face_halfedge[mesh->triangle_face[t]];
    weft_vec2 a = mesh->halfedge_uv[h], b = mesh->halfedge_uv[mesh->next[h]],
              c = mesh->halfedge_uv[mesh->next[mesh->next[h]]];
    return 0.5 * fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

void weft_mesh_rest_areas(const weft_mesh *mesh, double *area) {
    weft_mesh_vertex_areas(mesh, mesh->position, area);
    for (int32_t t = 0; mesh->halfedge_uv && t < mesh->triangle_count; t++)
        if (is_collapsed(mesh, t))
            for (int k = 0; k < 3; k++)
                area[mesh->triangle[t][k]] += rest_area(mesh, t) / 3;
}

void weft_mesh_rest_shares(const weft_mesh *mesh, double *share) {
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
            const int32_t *t = mesh->triangle[mesh->vertex_triangle[i]];
            int thirds = mesh->halfedge_uv && is_collapsed(mesh, mesh->vertex_triangle[i]);
            share[i] = thirds ? 1.0 / 3 : corner_share(mesh->position, t, t[0] == v ? 0 : t[1] == v ? 1 : 2);
        }
}

/* Kahan summation: equal terms, as in a grid, all round in the same direction. */
double weft_mesh_area(const weft_mesh *mesh, const weft_vec3 *x) {
    double sum = 0, lost = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        double term = triangle_area(x, mesh->triangle[t]) - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sum;
}
