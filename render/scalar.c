/* Quantities for false colours.
 *
 * The stretch comes from the deformation gradient of each triangle. The mean curvature uses the cotangent formula and
 * the areas of M. Meyer et al., Discrete Differential-Geometry Operators for Triangulated 2-Manifolds, 2003. */
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "weft/vec.h"

static weft_vec2 rest(const weft_shot_cloth *cloth, int32_t corner) {
    return cloth->corner_uv ? cloth->corner_uv[corner] : cloth->uv[cloth->triangle[corner]];
}

/* The larger singular value of F = dx/du, minus 1. *area receives the rest area of the triangle. */
static double triangle_stretch(const weft_shot_cloth *cloth, int32_t t, double *area) {
    weft_vec2 a = rest(cloth, 3 * t), b = rest(cloth, 3 * t + 1), c = rest(cloth, 3 * t + 2);
    double u1 = b.x - a.x, v1 = b.y - a.y, u2 = c.x - a.x, v2 = c.y - a.y, det = u1 * v2 - u2 * v1;
    *area = fabs(det) / 2;
    if (det == 0)
        return 0;
    const int32_t *vertex = cloth->triangle + 3 * (size_t)t;
    weft_vec3 p = cloth->position[vertex[0]];
    weft_vec3 e1 = weft_sub(cloth->position[vertex[1]], p), e2 = weft_sub(cloth->position[vertex[2]], p);
    weft_vec3 fu = weft_scale(1 / det, weft_sub(weft_scale(v2, e1), weft_scale(v1, e2)));
    weft_vec3 fv = weft_scale(1 / det, weft_sub(weft_scale(u1, e2), weft_scale(u2, e1)));
    double uu = weft_dot(fu, fu), vv = weft_dot(fv, fv), uv = weft_dot(fu, fv);
    return sqrt((uu + vv) / 2 + hypot((uu - vv) / 2, uv)) - 1;
}

weft_result weft_scalar_stretch(const weft_shot_cloth *cloth, double *scalar) {
    memset(scalar, 0, (size_t)cloth->vertex_count * sizeof *scalar);
    if (!cloth->uv && !cloth->corner_uv)
        return weft_ok();
    double *weight = calloc((size_t)cloth->vertex_count + 1, sizeof *weight);
    if (!weight)
        return weft_fail_memory("stretch of a cloth", ((size_t)cloth->vertex_count + 1) * sizeof *weight);
    for (int32_t t = 0; t < cloth->triangle_count; t++) {
        double area, stretch = triangle_stretch(cloth, t, &area);
        for (int k = 0; k < 3; k++) {
            scalar[cloth->triangle[3 * (size_t)t + (size_t)k]] += area * stretch;
            weight[cloth->triangle[3 * (size_t)t + (size_t)k]] += area;
        }
    }
    for (int32_t v = 0; v < cloth->vertex_count; v++)
        scalar[v] = weight[v] > 0 ? scalar[v] / weight[v] : 0;
    free(weight);
    return weft_ok();
}

typedef struct vertex_sum {
    weft_vec3 laplace; /* sum of (cot a + cot b) (x_j - x_i) / 2 */
    double area;       /* mixed Voronoi area */
    /* Sum of differences of vertex indices along the opposite edges of all triangles at the vertex. It is zero for an
     * inner vertex. */
    int64_t turn;
} vertex_sum;

static void add_triangle(const weft_shot_cloth *cloth, const int32_t *vertex, vertex_sum *sum) {
    weft_vec3 p[3];
    double cotangent[3], square[3];
    int obtuse = -1;
    for (int k = 0; k < 3; k++)
        p[k] = cloth->position[vertex[k]];
    double area2 = weft_length(weft_cross(weft_sub(p[1], p[0]), weft_sub(p[2], p[0])));
    if (!(area2 > 0))
        return;
    for (int k = 0; k < 3; k++) {
        weft_vec3 a = weft_sub(p[(k + 1) % 3], p[k]), b = weft_sub(p[(k + 2) % 3], p[k]);
        double cosine = weft_dot(a, b);
        cotangent[k] = cosine / area2;
        square[k] = weft_dot(weft_sub(a, b), weft_sub(a, b)); /* of the opposite edge */
        obtuse = cosine < 0 ? k : obtuse;
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        vertex_sum *own = &sum[vertex[k]];
        own->turn += (int64_t)vertex[i] - vertex[j];
        own->laplace = weft_add_scaled(own->laplace, cotangent[j] / 2, weft_sub(p[i], p[k]));
        own->laplace = weft_add_scaled(own->laplace, cotangent[i] / 2, weft_sub(p[j], p[k]));
        if (obtuse >= 0)
            own->area += obtuse == k ? area2 / 4 : area2 / 8;
        else
            own->area += (square[j] * cotangent[j] + square[i] * cotangent[i]) / 8;
    }
}

weft_result weft_scalar_curvature(const weft_shot_cloth *cloth, double *scalar) {
    vertex_sum *sum = calloc((size_t)cloth->vertex_count + 1, sizeof *sum);
    if (!sum)
        return weft_fail_memory("curvature of a cloth", ((size_t)cloth->vertex_count + 1) * sizeof *sum);
    for (int32_t t = 0; t < cloth->triangle_count; t++)
        add_triangle(cloth, cloth->triangle + 3 * (size_t)t, sum);
    for (int32_t v = 0; v < cloth->vertex_count; v++) {
        int boundary = sum[v].turn != 0 || !(sum[v].area > 0);
        scalar[v] = boundary ? 0 : weft_length(sum[v].laplace) / (2 * sum[v].area);
    }
    free(sum);
    return weft_ok();
}
