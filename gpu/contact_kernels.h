/* Kernels of a step with contact: the search line, the terms of the system, forces and sums. The step itself is
 * contact_newton.c. */
#ifndef WEFT_GPU_CONTACT_KERNELS_H
#define WEFT_GPU_CONTACT_KERNELS_H

#include "contact_audit.h"
#include "contact_coupling.h"
#include "contact_friction.h"
#include "contact_momentum.h"
#include "contact_search.h"
#include "kernels_force.h"

/* -- the search line -- */

/* The first line leads to the inertial prediction. Bodies are in `start` and `finish` already. */
WEFT_HD void gpu_contact_begin(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    if (i < c->cloths) {
        c->start[i] = g->x_start[i];
        c->finish[i] = g->held[i] ? g->target[i] : gpu_axpy(g->X[i], g->h, g->V[i]);
    }
    c->x[i] = c->start[i];
    c->x_next[i] = c->finish[i];
}

/* The next line leads to the solution of the linear system; bodies go to their places at the end of the step. */
WEFT_HD void gpu_contact_aim(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    if (i >= c->cloths)
        c->x_next[i] = c->finish[i];
    else
        c->x_next[i] = g->held[i] ? g->target[i] : gpu_axpy(c->x[i], g->h, g->dv[i]);
}

/* Goes to a fraction of the line. */
WEFT_HD void gpu_contact_place(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    weft_vec3 at = c->x_next[i];
    if (g->fraction != 1)
        at = gpu_axpy(c->x[i], g->fraction, gpu_sub(at, c->x[i]));
    c->trial[i] = at;
    if (i < c->cloths) {
        g->x[i] = at;
        g->v[i] = gpu_scale(1 / g->h, gpu_sub(at, g->X[i]));
    }
}

WEFT_HD int gpu_differ(weft_vec3 a, weft_vec3 b) { return a.x != b.x || a.y != b.y || a.z != b.z; }

/* Counts pins and bodies that have not arrived. */
WEFT_HD void gpu_contact_remaining(const weft_gpu *g, int32_t i, double *sum) {
    const gpu_contact *c = &g->contact;
    if (i >= c->cloths)
        sum[0] = gpu_differ(c->x[i], c->finish[i]);
    else
        sum[0] = g->held[i] && gpu_differ(c->x[i], g->target[i]);
}

/* Sums |dv|^2 and the number of free vertices, and counts those with a large dv. */
WEFT_HD void gpu_contact_slow(const weft_gpu *g, int32_t i, double *sum) {
    const double most = 0.1; /* m/s */
    if (g->held[i])
        return;
    sum[0] = gpu_dot(g->dv[i], g->dv[i]);
    sum[1] = 1;
    sum[2] = !(sum[0] <= most * most);
}

/* -- forces: those of damping and air are taken at the start of the step -- */

WEFT_HD weft_vec3 gpu_element_sum(const weft_gpu *g, int32_t i) { return gpu_gather_elements(g, i, gpu_vec(0, 0, 0)); }

WEFT_HD void gpu_contact_elastic_start(const weft_gpu *g, int32_t i) {
    g->contact.elastic_start[i] = gpu_element_sum(g, i);
}

/* After the external forces: those of damping too, at the velocity g->v. */
WEFT_HD void gpu_contact_dissipative(const weft_gpu *g, int32_t i) {
    double alpha = g->material[g->material_of[i]].alpha;
    weft_vec3 damping = gpu_sub(gpu_element_sum(g, i), g->contact.elastic_start[i]);
    g->external[i] = gpu_add(gpu_axpy(g->external[i], -alpha * g->mass[i], g->v[i]), damping);
}

/* All forces without contact, from the elastic ones of the iterate. */
WEFT_HD void gpu_contact_forces(const weft_gpu *g, int32_t i) {
    g->f[i] = gpu_add(g->external[i], gpu_element_sum(g, i));
}

/* V becomes the velocity at the end of the line. */
WEFT_HD void gpu_contact_end_velocity(const weft_gpu *g, int32_t i) { g->x_last[i] = gpu_add(g->v[i], g->dv[i]); }

/* What dissipative forces take along the line beyond their forces at its start, J. b: the forces at its end. */
WEFT_HD void gpu_contact_dissipation(const weft_gpu *g, int32_t i, double *sum) {
    if (!g->held[i])
        sum[0] = -0.5 * g->h * gpu_dot(gpu_sub(g->b[i], g->external[i]), g->dv[i]);
}

/* -- the terms of the system -- */

/* s n n^T + a (1 - n n^T - t t^T), times h^2 */
WEFT_HD void gpu_term_tensor(double s, double a, weft_vec3 normal, weft_vec3 slide, double square, double *p) {
    const double n[3] = {normal.x, normal.y, normal.z}, t[3] = {slide.x, slide.y, slide.z};
    const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int m = 0; m < 6; m++) {
        int r = row[m], c = column[m];
        p[m] = square * ((s - a) * n[r] * n[c] - a * t[r] * t[c] + (r == c ? a : 0));
    }
}

/* Vertices and weights of a term. Returns the motion of bodies that is left, weighted. */
WEFT_HD weft_vec3 gpu_set_term(const gpu_contact *c, const gpu_touch *touch, gpu_term *term) {
    weft_vec3 carried = gpu_vec(0, 0, 0);
    double others = 0;
    term->differs = 1;
    for (int k = 0; k < 4; k++) {
        int32_t v = touch->vertex[k];
        int is_body = v >= c->cloths;
        if (is_body)
            carried = gpu_axpy(carried, touch->weight[k], gpu_sub(c->finish[v], c->x[v]));
        term->differs &= !is_body;
        term->vertex[k] = is_body ? 0 : v;
        term->weight[k] = is_body ? 0 : (float)touch->weight[k];
        others += k > 0 ? (double)term->weight[k] : 0;
    }
    if (term->differs)
        term->weight[0] = (float)-others;
    return carried;
}

/* Term i: first the barriers of the touches, then the friction of what rubs. Also the keys by which entries are sorted:
 * their vertices. */
WEFT_HD void gpu_contact_terms(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    int rubs = i >= c->touch_count;
    const gpu_touch *touch = rubs ? &c->rub[i - c->touch_count] : &c->touch[i];
    gpu_term *term = &c->term[i];
    double p[6], across = 0, square = g->h * g->h;
    weft_vec3 slide = gpu_vec(0, 0, 0), force, carried = gpu_set_term(c, touch, term);
    if (rubs)
        force = gpu_friction_force(g, touch, &across, &slide);
    else
        force = gpu_scale(touch->force, touch->normal);
    gpu_term_tensor(rubs ? 0 : touch->stiffness, across, touch->normal, slide, square, p);
    for (int m = 0; m < 6; m++)
        term->p[m] = (float)p[m];
    c->term_force[i] = gpu_axpy(force, -1 / square, gpu_term_times(term, carried));
    for (int k = 0; k < 4; k++) {
        int is_body = touch->vertex[k] >= c->cloths, idle = touch->weight[k] == 0 && (rubs || touch->share == 0);
        c->entry_key[4 * (int64_t)i + k] = (uint32_t)(is_body || idle ? c->cloths : touch->vertex[k]);
        c->entry_value[4 * (int64_t)i + k] = 4 * i + k;
    }
}

/* Entry i, after sorting. */
WEFT_HD void gpu_contact_entries(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    int32_t value = c->sorted_value[i];
    c->entry[i].term = value / 4;
    c->entry[i].weight = c->term[value / 4].weight[value % 4];
}

/* First entry of each vertex; items: cloths + 1. */
WEFT_HD void gpu_contact_entry_starts(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    int32_t low = 0, high = 4 * (c->touch_count + c->rub_count);
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (c->sorted_key[middle] < (uint32_t)i)
            low = middle + 1;
        else
            high = middle;
    }
    c->entry_start[i] = low;
}

/* The force on vertex k of a touch because its barrier fades, N. */
WEFT_HD weft_vec3 gpu_fading_of(const gpu_contact *c, const gpu_touch *touch, int k) {
    weft_vec3 at[4];
    gpu_pair_places(c->x, touch->vertex, at);
    return gpu_edge_fading(at, touch->share, k);
}

/* What the terms add to the right-hand side and to the diagonal block of vertex i. */
WEFT_HD void gpu_contact_gather(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    const gpu_coupling *to = &g->coupling;
    weft_vec3 right = gpu_vec(0, 0, 0);
    double diagonal[6];
    for (int m = 0; m < 6; m++)
        diagonal[m] = 0;
    for (int32_t k = c->entry_start[i]; k < c->entry_start[i + 1]; k++) {
        int32_t value = c->sorted_value[k], t = value / 4;
        const gpu_touch *touch = t < c->touch_count ? &c->touch[t] : &c->rub[t - c->touch_count];
        double w = touch->weight[value % 4];
        right = gpu_axpy(right, g->h * w, c->term_force[t]);
        if (t < c->touch_count && touch->share != 0)
            right = gpu_axpy(right, g->h, gpu_fading_of(c, touch, value % 4));
        for (int m = 0; m < 6; m++)
            diagonal[m] += w * w * (double)c->term[t].p[m];
    }
    to->right[i] = right;
    for (int m = 0; m < 6; m++)
        to->diagonal[6 * (int64_t)i + m] = diagonal[m];
}

#endif
