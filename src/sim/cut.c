/* Cuts cloth along a mouse stroke, or along a path at a given time.
 *
 * A stroke is a fan of rays from an eye point. It opens the edges of the mesh that lie nearest to it. */
#include <math.h>

#include "core/require.h"
#include "sim/remesh.h"

/* Whether the segment from a to b, relative to the eye, passes through the infinite triangle between rays r and s. A
 * point on the plane counts as positive, so that a stroke through vertices cuts on one side of them. */
static int crosses(weft_vec3 a, weft_vec3 b, weft_vec3 r, weft_vec3 s) {
    weft_vec3 normal = weft_cross(r, s);
    double at_a = weft_dot(normal, a), at_b = weft_dot(normal, b); /* the sign tells the side of the plane */
    if ((at_a >= 0) == (at_b >= 0))
        return 0;
    weft_vec3 p = weft_add_scaled(a, at_a / (at_a - at_b), weft_sub(b, a));
    /* p = u r + w s with u, w >= 0. Both rays are included, so that a segment through the ray between two triangles is
     * found at least once. */
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

/* Rays from an eye, through the cloth now or at rest. */
typedef struct rays {
    weft_vec3 eye;
    const weft_vec3 *ray;
    int32_t count, at_rest;
} rays;

/* The mean of the centres of the triangles of a face. The triangles of a face are contiguous. */
static weft_vec3 centre_of(const sim_cloth *cloth, const weft_vec3 *x, int32_t t) {
    const weft_refined *r = cloth->refined;
    int32_t face = sim_face_of(cloth, t), count = 0;
    weft_vec3 sum = {0, 0, 0};
    while (t > 0 && sim_face_of(cloth, t - 1) == face)
        t--;
    for (; t < r->triangle_count && sim_face_of(cloth, t) == face; t++, count++)
        for (int k = 0; k < 3; k++)
            sum = weft_add(sum, x[r->origin[3 * t + k]]);
    return weft_scale(1.0 / (3 * count), sum);
}

/* Whether the stroke passes between the centres of the two faces of half-edge h. Such edges form a line along the
 * stroke. */
static int meets_edge(const sim_cloth *cloth, const weft_vec3 *x, int32_t h, const rays *fan) {
    int32_t twin = cloth->refined->twin[h];
    return twin > h && sim_may_open(cloth, h) &&
           crosses_fan(weft_sub(centre_of(cloth, x, h / 3), fan->eye),
                       weft_sub(centre_of(cloth, x, twin / 3), fan->eye), fan->ray, fan->count);
}

/* Opens the edges of a cloth along the stroke. */
static weft_result make_cut(weft_sim *sim, sim_cloth *cloth, const rays *fan, int32_t *cut) {
    WEFT_TRY(sim_allow_changes(sim, cloth));
    WEFT_TRY(sim->prepare(sim));
    WEFT_TRY(sim_reshape_begin(sim, cloth));
    weft_refined *r = cloth->refined;
    uint8_t *crossed = weft_allocate(3 * (size_t)r->triangle_count, 1);
    if (!crossed)
        return weft_fail_memory("a cut", 3 * (size_t)r->triangle_count);
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        crossed[h] = (uint8_t)meets_edge(cloth, fan->at_rest ? r->position : sim->x + cloth->first, h, fan);
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        if (crossed[h])
            (void)sim_open_edge(cloth, h);
    free(crossed);
    WEFT_TRY(sim_part_crack_sides(sim, cloth));
    int32_t opened = cloth->opened_count;
    sim->links_broken += opened;
    if (cut)
        *cut = opened;
    WEFT_TRY(sim_commit_cracks(sim, cloth));
    if (r->failed)
        return weft_fail_memory("a cut", 3 * (size_t)r->triangle_count);
    return sim->prepare(sim);
}

static weft_result check_cloth(const sim_cloth *cloth) {
    if (sim_model(cloth)->gives & (WEFT_RESHAPES | WEFT_SPLITS))
        return weft_ok();
    return weft_fail(WEFT_UNSUPPORTED, "cloth '%.64s': model '%s' cannot be cut", cloth->name, cloth->model->name);
}

/* Refused before a run writes anything, not when the first cut is due. */
static weft_result refuse_device(const weft_sim *sim) {
    return sim->device.functions ? weft_fail(WEFT_UNSUPPORTED, "device '%.64s' does not support cuts: use device: cpu",
                                             sim->device.settings.name)
                                 : weft_ok();
}

weft_result weft_sim_allow_cuts(weft_sim *sim, int32_t index) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(sim->prepare(sim));
    WEFT_TRY(refuse_device(sim));
    WEFT_TRY(sim_require_cloth(sim, index));
    WEFT_TRY(check_cloth(&sim->cloth[index]));
    WEFT_TRY(sim_allow_changes(sim, &sim->cloth[index]));
    return sim->prepare(sim);
}

weft_result weft_sim_cut(weft_sim *sim, int32_t index, weft_vec3 eye, const weft_vec3 *ray, int32_t ray_count,
                         int32_t *cut) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(ray);
    if (cut)
        *cut = 0;
    WEFT_TRY(sim->prepare(sim));
    WEFT_TRY(sim_require_cloth(sim, index));
    WEFT_TRY(check_fan(eye, ray, ray_count));
    WEFT_TRY(check_cloth(&sim->cloth[index]));
    return make_cut(sim, &sim->cloth[index], &(rays){eye, ray, ray_count, 0}, cut);
}

/* -- cuts at a given time -- */

static const weft_param CUT[] = {
    {.name = "at",
     .type = WEFT_REAL,
     .offset = offsetof(weft_cut, at),
     .high = 1e6,
     .fallback = "0",
     .unit = "s",
     .help = "time of the cut: after the step that reaches it; 0: before the first step"},
    {.name = "along",
     .type = WEFT_VECTOR,
     .offset = offsetof(weft_cut, along),
     .low = -1e6,
     .high = 1e6,
     .fallback = "[0, 0, 0]",
     .unit = "",
     .help = "direction of the blade; [0, 0, 0]: along the normal of the cloth at rest"},
    {0},
};

const weft_param *weft_cut_params(void) { return CUT; }

static weft_result find_blade(const sim_cloth *cloth, weft_vec3 along, weft_vec3 *blade) {
    const weft_mesh *mesh = cloth->mesh;
    double whole = 0;
    for (int32_t t = 0; t < mesh->triangle_count && weft_length(along) == 0; t++) {
        const int32_t *v = mesh->triangle[t];
        weft_vec3 a = mesh->position[v[0]],
                  normal = weft_cross(weft_sub(mesh->position[v[1]], a), weft_sub(mesh->position[v[2]], a));
        *blade = weft_add(*blade, normal);
        whole += weft_length(normal);
    }
    if (weft_length(along) == 0 && !(weft_length(*blade) > 0.1 * whole))
        return weft_fail(
            WEFT_BAD_INPUT,
            "cuts.along: the cloth '%.64s' looks every way and has no normal to cut along; give a direction",
            cloth->name);
    *blade = weft_normalize(weft_length(along) == 0 ? *blade : along);
    return weft_ok();
}

/* Rejects a blade parallel to the whole cloth, which would meet it in a line for any path. */
static weft_result check_blade(const sim_cloth *cloth, weft_vec3 along, weft_vec3 blade) {
    static const double LEAST_SINE = 0.02; /* sine of the angle, about 1 degree */
    const weft_mesh *mesh = cloth->mesh;
    double across = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *v = mesh->triangle[t];
        weft_vec3 a = mesh->position[v[0]],
                  normal = weft_cross(weft_sub(mesh->position[v[1]], a), weft_sub(mesh->position[v[2]], a));
        across = fmax(across, fabs(weft_dot(weft_normalize(normal), blade)));
    }
    return across > LEAST_SINE
               ? weft_ok()
               : weft_fail(WEFT_BAD_INPUT,
                           "cuts.along: [%g, %g, %g] lies in the cloth '%.64s', which it has to go through", along.x,
                           along.y, along.z, cloth->name);
}

static double size_of(const weft_mesh *mesh, const weft_cut *cut) {
    double size = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        size = fmax(size, weft_distance(mesh->position[v], cut->path[0]));
    for (int32_t i = 0; i < cut->path_count; i++)
        size = fmax(size, weft_distance(cut->path[i], cut->path[0]));
    return size;
}

/* Places the eye so far away that the rays are nearly parallel: over the cloth's size they turn by less than 1e-4. */
static weft_result aim(const sim_cloth *cloth, const weft_cut *cut, sim_cut *made) {
    static const double FAR = 1e4;
    weft_vec3 blade = {0, 0, 0};
    WEFT_TRY(find_blade(cloth, cut->along, &blade));
    WEFT_TRY(check_blade(cloth, cut->along, blade));
    made->ray = weft_allocate((size_t)cut->path_count, sizeof *made->ray);
    if (!made->ray)
        return weft_fail_memory("a cut", (size_t)cut->path_count * sizeof *made->ray);
    made->eye = weft_add_scaled(cut->path[0], FAR * size_of(cloth->mesh, cut), blade);
    for (int32_t i = 0; i < cut->path_count; i++)
        made->ray[i] = weft_sub(cut->path[i], made->eye);
    return check_fan(made->eye, made->ray, cut->path_count);
}

weft_result weft_sim_add_cut(weft_sim *sim, int32_t index, const weft_cut *cut) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(cut);
    static const double MAX_DISTANCE = 1e6; /* m; rays to points farther away lose the precision of the cloth */
    WEFT_TRY(sim->prepare(sim));
    WEFT_TRY(refuse_device(sim));
    WEFT_TRY(sim_require_cloth(sim, index));
    sim_cloth *cloth = &sim->cloth[index];
    WEFT_TRY(check_cloth(cloth));
    if (!isfinite(cut->at) || cut->at < 0)
        return weft_fail(WEFT_BAD_INPUT, "cuts.at: %g s must be finite and not below 0", cut->at);
    if (cut->path_count < 2)
        return weft_fail(WEFT_BAD_INPUT, "cuts.path: %d points, at least 2 are needed", cut->path_count);
    for (int32_t i = 0; i < cut->path_count; i++)
        if (!(weft_length(cut->path[i]) <= MAX_DISTANCE))
            return weft_fail(WEFT_BAD_INPUT, "cuts.path: point %d, [%g, %g, %g], is not within %g m of the origin", i,
                             cut->path[i].x, cut->path[i].y, cut->path[i].z, MAX_DISTANCE);
    WEFT_TRY(sim_grow((void **)&sim->cut, sim->cut_count, sizeof *sim->cut, "a cut"));
    sim_cut made = {.cloth = index, .at = cut->at, .count = cut->path_count};
    weft_result result = aim(cloth, cut, &made);
    if (result.code == WEFT_OK)
        result = sim_allow_changes(sim, cloth);
    if (result.code != WEFT_OK) {
        free(made.ray);
        return result;
    }
    sim->cut[sim->cut_count++] = made;
    return sim->prepare(sim);
}

weft_result sim_make_cuts(weft_sim *sim, double begin, double end, int32_t *opened) {
    for (int32_t i = 0; i < sim->cut_count; i++) {
        const sim_cut *c = &sim->cut[i];
        int32_t one = 0;
        if (!(c->at > begin && c->at <= end))
            continue;
        WEFT_TRY(make_cut(sim, &sim->cloth[c->cloth], &(rays){c->eye, c->ray, c->count, 1}, &one));
        *opened += one;
    }
    return weft_ok();
}

int32_t weft_sim_cut_count(const weft_sim *sim) { return sim->cut_count; }

weft_cut_plan weft_sim_cut_at(const weft_sim *sim, int32_t index) {
    const sim_cut *c = &sim->cut[index];
    const sim_cloth *cloth = &sim->cloth[c->cloth];
    const rays fan = {c->eye, c->ray, c->count, 1};
    weft_cut_plan plan = {.cloth = c->cloth, .at = c->at};
    for (int32_t h = 0; h < 3 * cloth->refined->triangle_count; h++)
        plan.links += meets_edge(cloth, cloth->refined->position, h, &fan);
    return plan;
}
