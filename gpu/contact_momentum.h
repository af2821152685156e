/* Kernels that keep the momentum of what nothing holds, as src/solve/newton_momentum.c does: a loose solve leaves
 * errors of common motion in parts that are in flight while others touch. */
#ifndef WEFT_GPU_CONTACT_MOMENTUM_H
#define WEFT_GPU_CONTACT_MOMENTUM_H

#include "contact_types.h"
#include "kernels_force.h"

WEFT_HD void gpu_contact_clear_joins(const weft_gpu *g, int32_t i) { g->contact.joined[i] = 0; }

/* Term i joins the parts of its vertices; with a body it holds them, which the diagonal says. Several threads may write
 * the same 1. */
WEFT_HD void gpu_contact_join(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    const gpu_term *term = &c->term[i];
    int32_t last = -1;
    for (int k = 0; k < 4; k++) {
        if (term->weight[k] == 0)
            continue;
        int32_t part = c->part_of[term->vertex[k]];
        if (last >= 0 && last != part)
            c->joined[last * c->parts + part] = 1;
        last = part;
    }
    if (last >= 0 && !term->differs)
        c->joined[last * c->parts + last] = 1;
}

/* Momentum that the solution leaves of the equation of motion, without the forces within the cloth. */
WEFT_HD void gpu_contact_missing(const weft_gpu *g, int32_t i, double *sum) {
    const gpu_contact *c = &g->contact;
    if (c->group_of[c->part_of[i]] != c->now_group)
        return;
    double d[6];
    gpu_load_damping(g, i, d);
    weft_vec3 dv = g->dv[i], missing = gpu_scale(g->mass[i], gpu_sub(gpu_sub(g->V[i], g->v[i]), dv));
    weft_vec3 drag = gpu_vec(d[0] * dv.x + d[1] * dv.y + d[2] * dv.z, d[1] * dv.x + d[3] * dv.y + d[4] * dv.z,
                             d[2] * dv.x + d[4] * dv.y + d[5] * dv.z);
    missing = gpu_axpy(gpu_axpy(missing, g->h, g->f[i]), -g->h, drag);
    sum[0] = missing.x;
    sum[1] = missing.y;
    sum[2] = missing.z;
}

/* The mass that a common velocity moves, and what damping takes per speed. Its trace is at least the damping in any
 * direction, so that the correction never goes too far. */
WEFT_HD void gpu_contact_group_mass(const weft_gpu *g, int32_t i, double *sum) {
    const gpu_contact *c = &g->contact;
    double d[6];
    gpu_load_damping(g, i, d);
    if (c->group_of[c->part_of[i]] == c->now_group)
        sum[0] = g->mass[i] + g->h * (d[0] + d[3] + d[5]);
}

WEFT_HD void gpu_contact_correct(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    if (c->group_of[c->part_of[i]] == c->now_group)
        g->dv[i] = gpu_add(g->dv[i], c->correction);
}

#endif
