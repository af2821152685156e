/* Mean curvature of a triangle mesh.
 *
 * Follows Meyer, Desbrun, Schroeder and Barr, "Discrete Differential-Geometry Operators for Triangulated 2-Manifolds"
 * (2003), equation 8. The value is half of equation 22 of Bender and Deul (2013): a cylinder of radius R has 1 / (2
 * R). */
#include "sim/adaptations.h"
#include "weft/vec.h"

/* Ratio of area to squared side length below which a triangle has no well-defined angles. */
static const double THIN = 1e-9;

typedef struct context {
    const weft_mesh *mesh;
    const weft_vec3 *x;
    double *curvature;
} context;

typedef struct corner_sum {
    weft_vec3 gradient; /* sum of (cot a + cot b) (x_i - x_j), m */
    weft_vec3 normal;   /* area-weighted, m2 */
    double area;        /* mixed Voronoi area, m2 */
} corner_sum;

static void add_corner(const weft_vec3 *x, const int32_t *t, int k, corner_sum *sum) {
    weft_vec3 a = x[t[k]], b = x[t[(k + 1) % 3]], c = x[t[(k + 2) % 3]];
    weft_vec3 ab = weft_sub(b, a), ac = weft_sub(c, a), bc = weft_sub(c, b), normal = weft_cross(ab, ac);
    double twice = weft_length(normal), ab2 = weft_dot(ab, ab), ac2 = weft_dot(ac, ac);
    if (!(twice > THIN * (ab2 + ac2)))
        return;
    double at_a = weft_dot(ab, ac), at_b = -weft_dot(ab, bc), at_c = weft_dot(ac, bc);
    sum->gradient = weft_add_scaled(sum->gradient, -at_c / twice, ab);
    sum->gradient = weft_add_scaled(sum->gradient, -at_b / twice, ac);
    sum->normal = weft_add(sum->normal, normal);
    if (at_a < 0)
        sum->area += twice / 4;
    else if (at_b < 0 || at_c < 0)
        sum->area += twice / 8;
    else
        sum->area += (ab2 * at_c + ac2 * at_b) / (8 * twice);
}

static void curvature_block(void *self, int64_t begin, int64_t end) {
    const context *c = self;
    const weft_mesh *mesh = c->mesh;
    for (int64_t v = begin; v < end; v++) {
        corner_sum sum = {.area = 0};
        for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
            const int32_t *t = mesh->triangle[mesh->vertex_triangle[i]];
            add_corner(c->x, t, t[0] == v ? 0 : t[1] == v ? 1 : 2, &sum);
        }
        int boundary = mesh->face[mesh->vertex_halfedge[v]] == WEFT_NONE;
        double gradient =
            boundary ? fabs(weft_dot(sum.gradient, weft_normalize(sum.normal))) : weft_length(sum.gradient);
        c->curvature[v] = sum.area > 0 ? gradient / (4 * sum.area) : 0;
    }
}

void weft_mean_curvature(const weft_work *work, const weft_mesh *mesh, const weft_vec3 *x, double *curvature) {
    context c = {mesh, x, curvature};
    weft_parallel_for(work, mesh->vertex_count, WEFT_BLOCK, curvature_block, &c);
}
