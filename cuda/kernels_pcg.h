/* Conjugate gradients with one reduction per iteration: A. Chronopoulos, C. Gear, "s-step iterative methods for
 * symmetric linear systems", 1989. x, r, p, s and w are double; u = M^-1 r is float, which halves the traffic of the
 * product. Held vertices have no residual, so their values never change. */
#ifndef WEFT_CUDA_KERNELS_PCG_H
#define WEFT_CUDA_KERNELS_PCG_H

#include "gpu.h"

/* Adds one entry's block times d. */
WEFT_HD void gpu_add_entry(const gpu_slices *a, int64_t entry, int lane, const float *d, float *y) {
    const float *v = a->value + entry * a->floats * GPU_SLICE + lane;
    if (a->floats == 1) {
        for (int r = 0; r < 3; r++)
            y[r] += v[0] * d[r];
    } else if (a->floats == GPU_SYMMETRIC) {
        y[0] += v[0] * d[0] + v[GPU_SLICE] * d[1] + v[2 * GPU_SLICE] * d[2];
        y[1] += v[GPU_SLICE] * d[0] + v[3 * GPU_SLICE] * d[1] + v[4 * GPU_SLICE] * d[2];
        y[2] += v[2 * GPU_SLICE] * d[0] + v[4 * GPU_SLICE] * d[1] + v[5 * GPU_SLICE] * d[2];
    } else {
        for (int r = 0; r < 3; r++)
            y[r] += v[3 * r * GPU_SLICE] * d[0] + v[(3 * r + 1) * GPU_SLICE] * d[1] + v[(3 * r + 2) * GPU_SLICE] * d[2];
    }
}

/* The entries of row i times differences of u. */
WEFT_HD void gpu_add_slice(const gpu_slices *a, const float *u, int32_t i, float *y) {
    int slice = i / GPU_SLICE, lane = i % GPU_SLICE;
    const float *ui = u + 4 * (int64_t)i;
    for (int32_t e = a->base[slice]; e < a->base[slice + 1]; e++) {
        const float *uj = u + 4 * (int64_t)a->column[(int64_t)e * GPU_SLICE + lane];
        float d[3];
        for (int k = 0; k < 3; k++)
            d[k] = uj[k] - ui[k];
        gpu_add_entry(a, e, lane, d, y);
    }
}

/* Row i of A u. */
WEFT_HD weft_vec3 gpu_row_product(const weft_gpu *g, int32_t i) {
    const float *ui = g->u + 4 * (int64_t)i;
    float y[3], e[6];
    for (int c = 0; c < 6; c++)
        e[c] = g->excess[(int64_t)c * g->count + i];
    y[0] = y[1] = y[2] = 0;
    gpu_add_slice(&g->head, g->u, i, y);
    gpu_add_slice(&g->tail, g->u, i, y);
    y[0] += e[0] * ui[0] + e[1] * ui[1] + e[2] * ui[2];
    y[1] += e[1] * ui[0] + e[3] * ui[1] + e[4] * ui[2];
    y[2] += e[2] * ui[0] + e[4] * ui[1] + e[5] * ui[2];
    return gpu_vec((double)y[0], (double)y[1], (double)y[2]);
}

/* Number r, c of an entry's block. */
WEFT_HD double gpu_entry_at(const gpu_slices *a, int64_t entry, int lane, int r, int c) {
    const int symmetric[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const float *v = a->value + entry * a->floats * GPU_SLICE + lane;
    if (a->floats == 1)
        return r == c ? (double)v[0] : 0;
    return (double)v[(a->floats == GPU_SYMMETRIC ? symmetric[3 * r + c] : 3 * r + c) * GPU_SLICE];
}

WEFT_HD void gpu_add_slice_exactly(const gpu_slices *a, const weft_vec3 *x, int32_t i, double *y) {
    int slice = i / GPU_SLICE, lane = i % GPU_SLICE;
    for (int32_t e = a->base[slice]; e < a->base[slice + 1]; e++) {
        weft_vec3 d = gpu_sub(x[a->column[(int64_t)e * GPU_SLICE + lane]], x[i]);
        for (int r = 0; r < 3; r++)
            y[r] += gpu_entry_at(a, e, lane, r, 0) * d.x + gpu_entry_at(a, e, lane, r, 1) * d.y +
                    gpu_entry_at(a, e, lane, r, 2) * d.z;
    }
}

/* Row i of A x in double, for residuals. */
WEFT_HD weft_vec3 gpu_row_exactly(const weft_gpu *g, const weft_vec3 *x, int32_t i) {
    double y[3], e[6];
    for (int c = 0; c < 6; c++)
        e[c] = (double)g->excess[(int64_t)c * g->count + i];
    y[0] = e[0] * x[i].x + e[1] * x[i].y + e[2] * x[i].z;
    y[1] = e[1] * x[i].x + e[3] * x[i].y + e[4] * x[i].z;
    y[2] = e[2] * x[i].x + e[4] * x[i].y + e[5] * x[i].z;
    gpu_add_slice_exactly(&g->head, x, i, y);
    gpu_add_slice_exactly(&g->tail, x, i, y);
    return gpu_vec(y[0], y[1], y[2]);
}

/* Change of velocity that brings a held vertex to its target. */
WEFT_HD weft_vec3 gpu_prescribed(const weft_gpu *g, int32_t i) {
    return gpu_sub(gpu_scale(1 / g->h, gpu_sub(g->target[i], g->X[i])), g->v[i]);
}

/* Initial guess of dv. p: the prescribed values alone, for the norm of reference. */
WEFT_HD void gpu_guess(const weft_gpu *g, int32_t i) {
    weft_vec3 dv = gpu_vec(0, 0, 0);
    if (g->guess == 1)
        dv = gpu_scale(g->guess_ratio, gpu_sub(g->v_start[i], g->v_before[i]));
    else if (g->guess == 2)
        dv = gpu_scale(g->h / g->mass[i], g->external[i]);
    if (g->held[i])
        dv = gpu_prescribed(g, i);
    g->dv[i] = dv;
    g->p[i] = g->held[i] ? dv : gpu_vec(0, 0, 0);
}

/* |S (b - A p)|^2 */
WEFT_HD void gpu_reference(const weft_gpu *g, int32_t i, double *sum) {
    weft_vec3 r = gpu_sub(g->b[i], gpu_row_exactly(g, g->p, i));
    sum[0] = g->held[i] ? 0 : gpu_dot(r, r);
}

/* Block-Jacobi. With levels, kernels_schwarz.h does it instead. */
WEFT_HD void gpu_precondition(const weft_gpu *g, int32_t i, weft_vec3 r) {
    float *u = g->u + 4 * (int64_t)i;
    double m[6];
    if (g->level_count > 0)
        return;
    for (int c = 0; c < 6; c++)
        m[c] = (double)g->inverse[(int64_t)c * g->count + i];
    u[0] = (float)(m[0] * r.x + m[1] * r.y + m[2] * r.z);
    u[1] = (float)(m[1] * r.x + m[3] * r.y + m[4] * r.z);
    u[2] = (float)(m[2] * r.x + m[4] * r.y + m[5] * r.z);
    u[3] = 0;
}

/* r = S (b - A dv), u = M^-1 r; sums |r|^2. */
WEFT_HD void gpu_residual(const weft_gpu *g, int32_t i, double *sum) {
    weft_vec3 r = g->held[i] ? gpu_vec(0, 0, 0) : gpu_sub(g->b[i], gpu_row_exactly(g, g->dv, i));
    g->r[i] = r;
    gpu_precondition(g, i, r);
    sum[0] = gpu_dot(r, r);
}

/* w = S A u; sums r.u, w.u and |r|^2. Kernels that were queued beyond the end do nothing. */
WEFT_HD void gpu_product(const weft_gpu *g, int32_t i, double *sum) {
    if (g->numbers->pcg.status != GPU_PCG_RUNS)
        return;
    const float *u = g->u + 4 * (int64_t)i;
    weft_vec3 w = g->held[i] ? gpu_vec(0, 0, 0) : gpu_row_product(g, i), r = g->r[i];
    weft_vec3 z = gpu_vec((double)u[0], (double)u[1], (double)u[2]);
    g->w[i] = w;
    sum[0] = gpu_dot(r, z);
    sum[1] = gpu_dot(w, z);
    sum[2] = gpu_dot(r, r);
}

/* Before the first iteration, from the norms of reference and residual. Only one item. */
WEFT_HD void gpu_begin_pcg(const weft_gpu *g, int32_t i) {
    gpu_pcg *c = &g->numbers->pcg;
    (void)i;
    if (!g->restart)
        c->iterations = 0;
    c->scale = sqrt(g->numbers->sum[GPU_SLOT_REFERENCE][0]);
    c->residual = c->scale > 0 ? sqrt(g->numbers->sum[GPU_SLOT_RESIDUAL][0]) / c->scale : 0;
    c->fresh = 1;
    c->status = GPU_PCG_RUNS;
    if (c->scale == 0 || c->residual <= g->tolerance)
        c->status = GPU_PCG_CONVERGED;
    else if (!(c->residual < 1e300))
        c->status = GPU_PCG_BROKEN; /* also for norms that are not numbers */
}

/* The scalars of the next iteration from the sums of gpu_product. */
WEFT_HD void gpu_pcg_turn(const weft_gpu *g, gpu_pcg *c, const double *sum) {
    double gamma = sum[0], delta = sum[1];
    c->residual = sqrt(sum[2]) / c->scale;
    if (c->residual <= g->tolerance) {
        c->status = GPU_PCG_CONVERGED;
        return;
    }
    if (c->iterations >= g->limit) {
        c->status = GPU_PCG_CAP;
        return;
    }
    c->beta = c->fresh ? 0 : gamma / c->gamma;
    double curvature = c->fresh ? delta : delta - c->beta * gamma / c->alpha;
    c->alpha = gamma / curvature;
    c->gamma = gamma;
    c->fresh = 0;
    if (!(gamma > 0) || !(curvature > 0) || !(c->alpha < 1e300))
        c->status = GPU_PCG_BROKEN; /* also for sums that are not numbers */
    else
        c->iterations++;
}

/* Advances the directions, dv, r and u by one iteration. */
WEFT_HD void gpu_advance(const weft_gpu *g, const gpu_pcg *c, int32_t i) {
    const float *u = g->u + 4 * (int64_t)i;
    weft_vec3 z = gpu_vec((double)u[0], (double)u[1], (double)u[2]), p = z, s = g->w[i];
    if (c->beta != 0) {
        p = gpu_axpy(z, c->beta, g->p[i]);
        s = gpu_axpy(s, c->beta, g->s[i]);
    }
    g->p[i] = p;
    g->s[i] = s;
    g->dv[i] = gpu_axpy(g->dv[i], c->alpha, p);
    weft_vec3 r = gpu_axpy(g->r[i], -c->alpha, s);
    g->r[i] = r;
    gpu_precondition(g, i, r);
}

/* The same as a kernel of its own: does nothing once the iteration has ended. */
WEFT_HD void gpu_advance_row(const weft_gpu *g, int32_t i) {
    if (g->numbers->pcg.status == GPU_PCG_RUNS)
        gpu_advance(g, &g->numbers->pcg, i);
}

/* Only one item: takes the sums over. */
WEFT_HD void gpu_turn(const weft_gpu *g, int32_t i) {
    (void)i;
    if (g->numbers->pcg.status == GPU_PCG_RUNS)
        gpu_pcg_turn(g, &g->numbers->pcg, g->numbers->sum[GPU_SLOT_PRODUCT]);
}

#endif
