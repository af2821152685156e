/* The nearest hit of a ray: Möller and Trumbore, Fast, minimum storage ray-triangle intersection, Journal of Graphics
 * Tools 2, 1997. All triangles are tested, which takes less time than a step. */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

typedef struct ray {
    weft_vec3 from, along; /* along: of length 1 */
} ray;

/* Keeps the hit if it is nearer than the last. Returns whether it is. */
static int hit_triangle(const ray *r, const weft_vec3 corner[3], weft_ray_hit *hit) {
    weft_vec3 e1 = weft_sub(corner[1], corner[0]), e2 = weft_sub(corner[2], corner[0]);
    weft_vec3 p = weft_cross(r->along, e2), s = weft_sub(r->from, corner[0]);
    double det = weft_dot(e1, p);
    if (det == 0)
        return 0; /* parallel to the ray, or without area */
    weft_vec3 q = weft_cross(s, e1);
    double u = weft_dot(s, p) / det, v = weft_dot(r->along, q) / det, distance = weft_dot(e2, q) / det;
    if (!(u >= 0 && v >= 0 && u + v <= 1 && distance >= 0 && distance < hit->distance))
        return 0;
    hit->distance = distance;
    hit->barycentric[0] = 1 - u - v;
    hit->barycentric[1] = u;
    hit->barycentric[2] = v;
    hit->position = weft_add_scaled(r->from, distance, r->along);
    hit->normal = weft_normalize(weft_cross(e1, e2));
    return 1;
}

static void meet_cloth(const weft_sim *sim, int32_t index, const ray *r, weft_ray_hit *hit) {
    const sim_cloth *cloth = &sim->cloth[index];
    const weft_vec3 *x = sim->x + cloth->first;
    for (int32_t t = 0; t < cloth->mesh->triangle_count; t++) {
        const int32_t *v = cloth->mesh->triangle[t];
        if (cloth->open_face[cloth->mesh->triangle_face[t]] ||
            !hit_triangle(r, (weft_vec3[]){x[v[0]], x[v[1]], x[v[2]]}, hit))
            continue;
        hit->cloth = index;
        hit->body = WEFT_NONE;
        hit->triangle = t;
    }
}

static weft_result meet_body(const weft_sim *sim, int32_t index, const ray *r, weft_ray_hit *hit) {
    weft_body_surface surface = {0};
    if (sim_body_away(sim, index, sim->time))
        return weft_ok();
    WEFT_TRY(weft_sim_body_surface(sim, index, &surface));
    for (int32_t t = 0; t < surface.triangle_count; t++) {
        const int32_t *v = surface.triangle[t];
        const weft_vec3 *x = surface.position;
        if (!hit_triangle(r, (weft_vec3[]){x[v[0]], x[v[1]], x[v[2]]}, hit))
            continue;
        hit->cloth = WEFT_NONE;
        hit->body = index;
        hit->triangle = t;
    }
    free(surface.triangle);
    free(surface.position);
    return weft_ok();
}

weft_result weft_sim_ray(weft_sim *sim, weft_vec3 from, weft_vec3 direction, double farthest, weft_ray_hit *hit) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(hit);
    *hit = (weft_ray_hit){.cloth = WEFT_NONE, .body = WEFT_NONE, .triangle = WEFT_NONE, .distance = farthest};
    double length = weft_length(direction);
    if (!weft_vec3_is_finite(from) || !isfinite(length) || length == 0)
        return weft_fail(WEFT_BAD_INPUT, "ray: start and direction must be finite, and the direction not zero");
    if (!(farthest > 0))
        return weft_fail(WEFT_BAD_INPUT, "ray: the farthest distance of %g m is not above 0", farthest);
    WEFT_TRY(weft_sim_prepare(sim));
    ray r = {from, weft_scale(1 / length, direction)};
    for (int32_t i = 0; i < sim->cloth_count; i++)
        meet_cloth(sim, i, &r, hit);
    for (int32_t i = 0; i < sim->body_count; i++)
        WEFT_TRY(meet_body(sim, i, &r, hit));
    return weft_ok();
}
