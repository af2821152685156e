/* Cutting along a stroke of the hand. */
#include "sim/internal.h"

/* A side of the plane through the eye and two rays: the sign of p seen from it, 0 on it. */
static double side(weft_vec3 normal, weft_vec3 p) { return weft_dot(normal, p); }

/* Whether the segment from a to b, seen from the eye, passes through the triangle without end between rays r and s. A
 * point on the plane counts as on its positive side, so that a stroke through vertices cuts on one side of them. */
static int crosses(weft_vec3 a, weft_vec3 b, weft_vec3 r, weft_vec3 s) {
    weft_vec3 normal = weft_cross(r, s);
    double at_a = side(normal, a), at_b = side(normal, b);
    if ((at_a >= 0) == (at_b >= 0))
        return 0;
    weft_vec3 p = weft_add_scaled(a, at_a / (at_a - at_b), weft_sub(b, a));
    /* p = u r + w s with u, w >= 0: half-open at s, so that two neighbouring triangles do not both leave out a ray */
    return weft_dot(weft_cross(p, s), normal) >= 0 && weft_dot(weft_cross(r, p), normal) >= 0;
}

static int crosses_fan(weft_vec3 a, weft_vec3 b, const weft_vec3 *ray, int32_t count) {
    for (int32_t i = 0; i + 1 < count; i++)
        if (crosses(a, b, ray[i], ray[i + 1]))
            return 1;
    return 0;
}

static weft_result check_fan(weft_vec3 eye, const weft_vec3 *ray, int32_t count) {
    if (count < 2)
        return weft_fail(WEFT_BAD_INPUT, "cut: %d rays, at least 2 are needed", count);
    if (!weft_vec3_is_finite(eye))
        return weft_fail(WEFT_BAD_INPUT, "cut: the eye is not finite");
    for (int32_t i = 0; i < count; i++)
        if (!weft_vec3_is_finite(ray[i]) || weft_length(ray[i]) == 0)
            return weft_fail(WEFT_BAD_INPUT, "cut: ray %d must be finite and not zero", i);
    return weft_ok();
}

/* Whether the two triangles of half-edge h lie on different sides of the stroke, which passes through both: by their
 * centres. Edges like that make a line of them that follows the stroke. */
static int parts_centres(const weft_refined *r, const weft_vec3 *x, int32_t h, weft_vec3 eye, const weft_vec3 *ray,
                         int32_t count) {
    weft_vec3 centre[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++)
            centre[side] = weft_add_scaled(centre[side], 1.0 / 3, x[r->origin[3 * ((side ? r->twin[h] : h) / 3) + k]]);
    return crosses_fan(weft_sub(centre[0], eye), weft_sub(centre[1], eye), ray, count);
}

/* Opens the edges of a surface that lie along the stroke. */
static weft_result cut_surface(weft_sim *sim, sim_cloth *cloth, weft_vec3 eye, const weft_vec3 *ray, int32_t ray_count,
                               int32_t *cut) {
    WEFT_TRY(sim_allow_changes(sim, cloth));
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(sim_reshape_begin(sim, cloth));
    weft_refined *r = cloth->refined;
    uint8_t *crossed = weft_allocate(3 * (size_t)r->triangle_count, 1);
    if (!crossed)
        return weft_fail_memory("a cut", 3 * (size_t)r->triangle_count);
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        crossed[h] = r->twin[h] > h && parts_centres(r, sim->x + cloth->first, h, eye, ray, ray_count);
    int32_t opened = 0;
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        opened += crossed[h] && weft_refined_open(r, h);
    free(crossed);
    if (opened > 0)
        sim_reshape_end(sim, cloth);
    sim->links_broken += opened;
    if (cut)
        *cut = opened;
    return r->failed ? weft_fail_memory("a cut", 3 * (size_t)r->triangle_count) : weft_sim_prepare(sim);
}

weft_result weft_sim_cut(weft_sim *sim, int32_t index, weft_vec3 eye, const weft_vec3 *ray, int32_t ray_count,
                         int32_t *cut) {
    if (cut)
        *cut = 0;
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(sim_require_cloth(sim, index));
    WEFT_TRY(check_fan(eye, ray, ray_count));
    sim_cloth *cloth = &sim->cloth[index];
    const weft_model_functions *model = sim_model(cloth);
    if (model->gives & WEFT_RESHAPES)
        return cut_surface(sim, cloth, eye, ray, ray_count, cut);
    if (!model->sever)
        return weft_fail(WEFT_UNSUPPORTED, "cloth '%.64s': model '%s' cannot be cut", cloth->name, cloth->model->name);
    int32_t link_count = model->link_count(cloth->self), count = 0;
    int32_t *crossed = weft_allocate((size_t)link_count, sizeof *crossed);
    if (!crossed)
        return weft_fail_memory("a cut", (size_t)link_count * sizeof *crossed);
    const weft_vec3 *x = sim->x + cloth->first;
    for (int32_t i = 0; i < link_count; i++) {
        weft_link link = model->link_at(cloth->self, i);
        if (crosses_fan(weft_sub(x[link.a], eye), weft_sub(x[link.b], eye), ray, ray_count))
            crossed[count++] = i;
    }
    int broken = count > 0 ? model->sever(cloth->self, crossed, count, cloth->open_face) : 0;
    free(crossed);
    sim->links_broken += broken;
    if (cut)
        *cut = broken;
    return weft_ok();
}
