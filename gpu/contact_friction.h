/* Friction by grips, as in src/contact/barrier_friction.c: a tangential spring with a damper per touch that yields at
 * Coulomb's limit. */
#ifndef WEFT_GPU_CONTACT_FRICTION_H
#define WEFT_GPU_CONTACT_FRICTION_H

#include "contact_barrier.h"

#define GPU_GRIP          10.0 /* N/m */
#define GPU_GRIP_SETTLING 0.05 /* s */
#define GPU_REACH_GROWTH  0.02 /* per step, relative to the largest reach */

WEFT_HD double gpu_step_stiffness(const weft_gpu *g) { return GPU_GRIP * (1 + GPU_GRIP_SETTLING / g->dt); }

/* The tangential displacement in this step, added to a share of the slip before it, m. */
WEFT_HD weft_vec3 gpu_slip_with(const gpu_contact *c, const gpu_touch *touch, double share, const weft_vec3 *x) {
    weft_vec3 moved = gpu_scale(share, touch->slip);
    for (int k = 0; k < 4; k++) {
        int32_t v = touch->vertex[k];
        moved = gpu_axpy(moved, touch->weight[k], gpu_sub(x[v], c->start[v]));
    }
    return gpu_axpy(moved, -gpu_dot(moved, touch->normal), touch->normal);
}

WEFT_HD weft_vec3 gpu_driving_slip(const weft_gpu *g, const gpu_touch *touch, const weft_vec3 *x) {
    return gpu_slip_with(&g->contact, touch, GPU_GRIP / gpu_step_stiffness(g), x);
}

/* Friction force on the first feature, N, its stiffness, N/m, and the direction in which it yields, or zero. */
WEFT_HD weft_vec3 gpu_friction_force(const weft_gpu *g, const gpu_touch *touch, double *stiffness, weft_vec3 *slide) {
    weft_vec3 slip = gpu_driving_slip(g, touch, g->contact.x);
    double length = gpu_length(slip), sticking = gpu_step_stiffness(g);
    int slides = sticking * length > touch->most_friction;
    *stiffness = slides ? touch->most_friction / length : sticking;
    *slide = slides ? gpu_scale(1 / length, slip) : gpu_vec(0, 0, 0);
    return gpu_scale(-*stiffness, slip);
}

/* Energy of what rubs, at the trial places. */
WEFT_HD void gpu_contact_friction_energies(const weft_gpu *g, int32_t i, double *sum) {
    const gpu_touch *touch = &g->contact.rub[i];
    double stiffness = gpu_step_stiffness(g), most = touch->most_friction;
    double slip = gpu_length(gpu_driving_slip(g, touch, g->contact.trial));
    sum[0] = stiffness * slip <= most ? 0.5 * stiffness * slip * slip : most * (slip - 0.5 * most / stiffness);
}

/* Touches with friction rub during the whole step, with the normals and forces that they have now. */
WEFT_HD void gpu_contact_count_rubs(const weft_gpu *g, int32_t i) {
    g->contact.offset[i] = g->contact.touch[i].most_friction > 0;
}

WEFT_HD void gpu_contact_write_rubs(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    if (c->offset[i + 1] > c->offset[i])
        c->rub[c->offset[i]] = c->touch[i];
}

WEFT_HD int32_t gpu_find_touch(const gpu_touch *list, int32_t count, gpu_key key) {
    return gpu_find(list, count, sizeof *list, key);
}

/* Limits of friction at the touches, and by how much they exceed those in effect. */
WEFT_HD void gpu_contact_friction_excess(const weft_gpu *g, int32_t i, double *sum) {
    const gpu_contact *c = &g->contact;
    int32_t same = gpu_find_touch(c->rub, c->rub_count, c->touch[i].key);
    sum[0] = c->touch[i].most_friction;
    sum[1] = gpu_max(0, sum[0] - (same >= 0 ? c->rub[same].most_friction : 0));
}

/* The slip that the spring keeps after yielding. */
WEFT_HD weft_vec3 gpu_kept_slip(const gpu_contact *c, const gpu_touch *touch) {
    weft_vec3 slip = gpu_slip_with(c, touch, 1, c->x);
    double length = gpu_length(slip), most = touch->most_friction / GPU_GRIP;
    return length > most ? gpu_scale(most / length, slip) : slip;
}

/* What rubbed at the end of the step: the pair itself, or for a vertex that has slid over an edge the pair with the
 * triangle it came from; -1: none. */
WEFT_HD int32_t gpu_rubbed_before(const gpu_contact *c, const gpu_touch *touch) {
    int32_t same = gpu_find_touch(c->rub, c->rub_count, touch->key);
    if (same >= 0 || gpu_key_kind(touch->key) != GPU_VERTEX_TRIANGLE)
        return same;
    gpu_key first = gpu_make_key(GPU_VERTEX_TRIANGLE, touch->vertex[0], 0);
    for (int32_t k = gpu_lower_bound(c->rub, c->rub_count, sizeof *c->rub, first); k < c->rub_count; k++) {
        const gpu_touch *other = &c->rub[k];
        if (gpu_key_kind(other->key) != GPU_VERTEX_TRIANGLE || other->vertex[0] != touch->vertex[0])
            break;
        if (c->object_of[other->vertex[1]] == c->object_of[touch->vertex[1]] &&
            gpu_find_touch(c->touch, c->touch_count, other->key) < 0)
            return k;
    }
    return -1;
}

/* The grip of touch i for the next step. */
WEFT_HD void gpu_contact_keep_grips(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    const gpu_touch *touch = &c->touch[i];
    int32_t rubbed = gpu_rubbed_before(c, touch);
    gpu_grip *to = &c->next_grip[i];
    to->key = touch->key;
    to->slip = rubbed >= 0 ? gpu_kept_slip(c, &c->rub[rubbed]) : gpu_vec(0, 0, 0);
    to->reach = gpu_min(touch->most_reach, touch->reach + GPU_REACH_GROWTH * touch->most_reach);
}

/* Elastic energy of a grip of the next step, J. */
WEFT_HD void gpu_contact_grip_energies(const weft_gpu *g, int32_t i, double *sum) {
    const gpu_grip *grip = &g->contact.next_grip[i];
    sum[0] = 0.5 * GPU_GRIP * gpu_dot(grip->slip, grip->slip);
}

#endif
