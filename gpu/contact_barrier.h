/* The barrier of src/contact/barrier.c, and continuous detection as in src/contact/barrier_motion.c. The constants are
 * explained there. */
#ifndef WEFT_GPU_CONTACT_BARRIER_H
#define WEFT_GPU_CONTACT_BARRIER_H

#include "contact_ccd.h"
#include "contact_edges.h"
#include "gpu.h"

/* Natural logarithm with the bits of weft_ln. */
WEFT_HD double gpu_ln(double x) {
    const double ln2 = 0x1.62e42fee00000p-1, ln2_rest = 0x1.a39ef35793c76p-33, root_half = 0.70710678118654752;
    int power;
    if (!(x > 0))
        return -GPU_HUGE;
    double m = frexp(x, &power);
    if (m < root_half) {
        m *= 2;
        power--;
    }
    double s = (m - 1) / (m + 1), z = s * s, q = z * z;
    double even = 1.0 / 3 + q * (1.0 / 7 + q * (1.0 / 11 + q * (1.0 / 15 + q * (1.0 / 19))));
    double odd = 1.0 / 5 + q * (1.0 / 9 + q * (1.0 / 13 + q * (1.0 / 17 + q * (1.0 / 21))));
    return power * ln2 + (2 * s + (2 * s * z * (even + z * odd) + power * ln2_rest));
}

/* Returns b and stores -b' (N) and b'' (N/m). */
WEFT_HD double gpu_barrier(double d, double reach, double *force, double *stiffness) {
    const double k = 100;
    double below = reach - d, log_ratio = gpu_ln(d / reach), share = below / d;
    *force = k * (below * share - 2 * below * log_ratio);
    *stiffness = k * (share * share + 4 * share - 2 * log_ratio);
    return -k * below * below * log_ratio;
}

/* -- pairs -- */

/* The body of a pair, or null. */
WEFT_HD const gpu_object *gpu_body_of(const gpu_contact *c, const int32_t *v) {
    const gpu_object *first = &c->object[c->object_of[v[0]]], *second = &c->object[c->object_of[v[3]]];
    return first->is_body ? first : second->is_body ? second : 0;
}

/* The distance below which pairs of a kind push, m. */
WEFT_HD double gpu_widest(const gpu_contact *c, int kind, const int32_t *v) {
    const gpu_object *body = gpu_body_of(c, v);
    double thickness = c->thickness + (body ? body->thickness : 0);
    return kind == GPU_EDGE_EDGE ? 0.5 * thickness : thickness;
}

WEFT_HD double gpu_most_reach(const gpu_contact *c, int kind, const int32_t *v) {
    const double cut_share = 0.05;
    const gpu_object *body = gpu_body_of(c, v);
    double widest = gpu_widest(c, kind, v), most = c->thickness + (body ? body->thickness : 0);
    if (c->object_of[v[0]] == c->object_of[v[3]]) {
        weft_vec3 rest[4];
        double weight[4];
        gpu_pair_places(c->rest, v, rest);
        most = gpu_min(most, 0.9 * sqrt(gpu_closest(kind, rest, weight)));
    }
    most = gpu_min(widest, most);
    return most > 1e-6 * widest ? most : cut_share * widest;
}

WEFT_HD double gpu_pair_friction(const gpu_contact *c, const int32_t *v) {
    const gpu_object *body = gpu_body_of(c, v);
    if (body)
        return c->friction * body->friction;
    return c->friction * sqrt(c->object[c->object_of[v[0]]].friction * c->object[c->object_of[v[3]]].friction);
}

WEFT_HD int gpu_is_fixed(const weft_gpu *g, int32_t v) { return v >= g->contact.cloths || g->held[v]; }

WEFT_HD int gpu_all_fixed(const weft_gpu *g, const int32_t *v) {
    return gpu_is_fixed(g, v[0]) && gpu_is_fixed(g, v[1]) && gpu_is_fixed(g, v[2]) && gpu_is_fixed(g, v[3]);
}

/* -- near pairs -- */

/* Whether a pair may come within the spare distance of its reach on the search line. Fills in its largest reach. */
WEFT_HD int gpu_is_near(const weft_gpu *g, gpu_key key, const int32_t *v, double *most) {
    const gpu_contact *c = &g->contact;
    int kind = gpu_key_kind(key);
    weft_vec3 start[4], end[4];
    double weight[4], widest = gpu_widest(c, kind, v);
    gpu_pair_places(c->x, v, start);
    gpu_pair_places(c->x_next, v, end);
    double motion = sqrt(gpu_ccd_relative_motion(kind, start, end)) * (1 + 1e-9);
    if (gpu_surely_farther(kind, start, widest + c->spare + motion))
        return 0;
    double distance = sqrt(gpu_closest(kind, start, weight));
    if (distance > widest + c->spare + motion)
        return 0;
    *most = 0;
    if (gpu_all_fixed(g, v))
        return motion > 0.5 * distance;
    *most = gpu_most_reach(c, kind, v);
    return 1;
}

/* The place of a key in a sorted list whose elements have a size of `stride` bytes, or where it would be. */
WEFT_HD int32_t gpu_lower_bound(const void *list, int32_t count, int64_t stride, gpu_key key) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (*(const gpu_key *)((const char *)list + stride * middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

WEFT_HD int32_t gpu_find(const void *list, int32_t count, int64_t stride, gpu_key key) {
    int32_t at = gpu_lower_bound(list, count, stride, key);
    return at < count && *(const gpu_key *)((const char *)list + stride * at) == key ? at : -1;
}

/* The reach of a pair in this step: that of its grip, or for one that pushes for the first time what its distance at
 * the start of the step allows. */
WEFT_HD double gpu_reach_of(const gpu_contact *c, const gpu_near *near, const int32_t *v) {
    const double least_reach = 0.01;
    int kind = gpu_key_kind(near->key);
    weft_vec3 start[4];
    double weight[4];
    if (near->grip >= 0)
        return gpu_min(near->most, c->grip[near->grip].reach);
    gpu_pair_places(c->start, v, start);
    if (gpu_surely_farther(kind, start, near->most))
        return near->most;
    double distance = sqrt(gpu_closest(kind, start, weight));
    if (kind == GPU_EDGE_EDGE && gpu_edge_factor(start, 1) == 0)
        return near->most;
    return gpu_min(near->most, gpu_max(distance, least_reach * near->most));
}

/* What near pair k has in this step. */
WEFT_HD void gpu_contact_reach(const weft_gpu *g, int32_t k) {
    const gpu_contact *c = &g->contact;
    gpu_near *near = &c->near[k];
    int32_t v[4];
    weft_vec3 rest[4];
    gpu_pair_vertices(c, near->key, v);
    near->grip = gpu_find(c->grip, c->grip_count, sizeof *c->grip, near->key);
    near->reach = gpu_reach_of(c, near, v);
    near->narrow = 0;
    if (gpu_key_kind(near->key) == GPU_EDGE_EDGE && near->most > 0) {
        gpu_pair_places(c->rest, v, rest);
        near->narrow = (float)gpu_edge_narrow(rest, near->reach);
    }
}

/* -- how far all may go -- */

WEFT_HD double gpu_free_fraction(int kind, weft_vec3 *start, weft_vec3 *end, double motion, double distance) {
    const double closest = 0.2, too_close = 1e-13, free_share = 0.7;
    double weight[4];
    gpu_ccd_hit hit;
    if (motion < free_share * distance && distance >= too_close)
        return 1;
    if (distance < too_close && gpu_closest(kind, end, weight) < distance * distance)
        return 0;
    return gpu_ccd(kind, start, end, closest * distance, &hit) ? hit.time : 1;
}

/* Near pair k: the fraction of the line that is certainly free of contact; -1 where features coincide, or where pins
 * and bodies pass through each other. */
WEFT_HD void gpu_contact_limit(const weft_gpu *g, int32_t k) {
    const double coincide = 1e-12, too_close = 1e-13, free_share = 0.7;
    const gpu_contact *c = &g->contact;
    gpu_key key = c->near[k].key;
    int kind = gpu_key_kind(key);
    int32_t v[4];
    weft_vec3 start[4], end[4];
    double weight[4], fraction = 1;
    gpu_ccd_hit hit;
    gpu_pair_vertices(c, key, v);
    gpu_pair_places(c->x, v, start);
    gpu_pair_places(c->x_next, v, end);
    double motion = sqrt(gpu_ccd_relative_motion(kind, start, end)) * (1 + 1e-9);
    if (!gpu_surely_farther(kind, start, gpu_max(motion / free_share, too_close))) {
        double distance = sqrt(gpu_closest(kind, start, weight));
        if (c->near[k].most > 0)
            fraction = c->fresh && distance < coincide ? -1 : gpu_free_fraction(kind, start, end, motion, distance);
        else if (motion > 0.5 * distance && gpu_ccd(kind, start, end, 0, &hit) && !hit.at_start)
            fraction = -1;
    }
    c->bound[k] = fraction;
}

/* -- touches -- */

/* Fills in the touch of near pair k at the places x, and returns its energy, J; 0 when it is out of reach. */
WEFT_HD double gpu_touch_pair(const gpu_contact *c, int32_t k, const weft_vec3 *x, gpu_touch *touch) {
    const gpu_near *near = &c->near[k];
    int kind = gpu_key_kind(near->key);
    weft_vec3 at[4];
    gpu_pair_vertices(c, near->key, touch->vertex);
    gpu_pair_places(x, touch->vertex, at);
    if (gpu_surely_farther(kind, at, near->reach))
        return 0;
    double distance = sqrt(gpu_closest(kind, at, touch->weight));
    if (distance >= near->reach)
        return 0;
    double factor = kind == GPU_EDGE_EDGE ? gpu_edge_factor(at, (double)near->narrow) : 1;
    if (factor == 0)
        return 0;
    double energy = gpu_barrier(distance, near->reach, &touch->force, &touch->stiffness);
    touch->key = near->key;
    touch->share = factor < 1 ? gpu_edge_share(at, (double)near->narrow, energy) : 0;
    touch->force *= factor;
    touch->stiffness *= factor;
    touch->normal = gpu_scale(1 / distance, gpu_weighted(at, touch->weight));
    touch->most_friction = gpu_pair_friction(c, touch->vertex) * touch->force;
    touch->most_reach = near->most;
    touch->reach = near->reach;
    touch->slip = near->grip >= 0 ? c->grip[near->grip].slip : gpu_vec(0, 0, 0);
    return factor * energy;
}

/* 1 where a near pair touches at x. */
WEFT_HD void gpu_contact_count_touches(const weft_gpu *g, int32_t k) {
    gpu_touch touch;
    g->contact.offset[k] = gpu_touch_pair(&g->contact, k, g->contact.x, &touch) > 0;
}

/* After the prefix sum: the touch goes to its place. */
WEFT_HD void gpu_contact_write_touches(const weft_gpu *g, int32_t k) {
    const gpu_contact *c = &g->contact;
    gpu_touch touch;
    if (c->offset[k + 1] > c->offset[k] && gpu_touch_pair(c, k, c->x, &touch) > 0)
        c->touch[c->offset[k]] = touch;
}

/* Energy of the barrier at the trial places. */
WEFT_HD void gpu_contact_energies(const weft_gpu *g, int32_t k, double *sum) {
    gpu_touch touch;
    sum[0] = gpu_touch_pair(&g->contact, k, g->contact.trial, &touch);
}

#endif
