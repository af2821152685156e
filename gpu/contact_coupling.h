/* Products with the terms of contact, as in src/solve/coupling.c. Loads are computed per term and gathered per vertex
 * in a fixed order. */
#ifndef WEFT_GPU_CONTACT_COUPLING_H
#define WEFT_GPU_CONTACT_COUPLING_H

#include "gpu.h"

/* Entries of a row are read ahead: a thread that waits for each in turn would wait most of the time. */
#ifdef __CUDA_ARCH__
#define GPU_READ_AHEAD _Pragma("unroll 8")
#else
#define GPU_READ_AHEAD
#endif

/* P a */
WEFT_HD weft_vec3 gpu_term_times(const gpu_term *t, weft_vec3 a) {
    double xx = (double)t->p[0], xy = (double)t->p[1], xz = (double)t->p[2];
    double yy = (double)t->p[3], yz = (double)t->p[4], zz = (double)t->p[5];
    return gpu_vec(xx * a.x + xy * a.y + xz * a.z, xy * a.x + yy * a.y + yz * a.z, xz * a.x + yz * a.y + zz * a.z);
}

/* J x from the values of the four vertices. */
WEFT_HD weft_vec3 gpu_term_sum(const gpu_term *t, const weft_vec3 *x) {
    weft_vec3 sum = t->differs ? gpu_vec(0, 0, 0) : gpu_scale((double)t->weight[0], x[0]);
    for (int k = 1; k < 4; k++)
        sum = gpu_axpy(sum, (double)t->weight[k], t->differs ? gpu_sub(x[k], x[0]) : x[k]);
    return sum;
}

/* P J u of a term. Unused vertices have the number 0 and the weight 0. */
WEFT_HD void gpu_contact_load(const weft_gpu *g, int32_t i) {
    const gpu_term *t = &g->coupling.term[i];
    weft_vec3 u[4];
    for (int k = 0; k < 4; k++) {
        const float *from = g->u + 4 * (int64_t)t->vertex[k];
        u[k] = gpu_vec((double)from[0], (double)from[1], (double)from[2]);
    }
    weft_vec3 load = gpu_term_times(t, gpu_term_sum(t, u));
    float *to = g->coupling.load + 4 * (int64_t)i;
    to[0] = (float)load.x;
    to[1] = (float)load.y;
    to[2] = (float)load.z;
}

/* The same, unless the iteration has ended. */
WEFT_HD void gpu_contact_load_running(const weft_gpu *g, int32_t i) {
    if (g->numbers->pcg.status == GPU_PCG_RUNS)
        gpu_contact_load(g, i);
}

/* Adds the terms to row i of A u. */
WEFT_HD void gpu_add_coupling(const weft_gpu *g, int32_t i, float *y) {
    const gpu_coupling *c = &g->coupling;
    const int32_t end = c->start[i + 1];
    GPU_READ_AHEAD
    for (int32_t k = c->start[i]; k < end; k++) {
        const gpu_entry entry = c->entry[k];
        const float *load = c->load + 4 * (int64_t)entry.term;
        y[0] += entry.weight * load[0];
        y[1] += entry.weight * load[1];
        y[2] += entry.weight * load[2];
    }
}

/* P J x of a term in double, for residuals. */
WEFT_HD void gpu_contact_load_exactly(const weft_gpu *g, int32_t i) {
    const gpu_term *t = &g->coupling.term[i];
    weft_vec3 x[4];
    for (int k = 0; k < 4; k++)
        x[k] = g->coupling.of[t->vertex[k]];
    g->coupling.exact[i] = gpu_term_times(t, gpu_term_sum(t, x));
}

/* Adds the terms to row i of A x in double, after the kernel above. */
WEFT_HD void gpu_add_coupling_exactly(const weft_gpu *g, int32_t i, double *y) {
    const gpu_coupling *c = &g->coupling;
    const int32_t end = c->start[i + 1];
    GPU_READ_AHEAD
    for (int32_t k = c->start[i]; k < end; k++) {
        const gpu_entry entry = c->entry[k];
        weft_vec3 load = c->exact[entry.term];
        y[0] += (double)entry.weight * load.x;
        y[1] += (double)entry.weight * load.y;
        y[2] += (double)entry.weight * load.z;
    }
}

#endif
