/* Conjugate gradients with one reduction per iteration: A. Chronopoulos, C. Gear, "s-step iterative methods for
 * symmetric linear systems", 1989. dv and r are double, u = M^-1 r and the directions are float. The recursion for r
 * then drifts from the true residual, so the caller computes that at the end and restarts where needed. Held vertices
 * have no residual, so their values never change. */
#ifndef WEFT_CUDA_KERNELS_PCG_H
#define WEFT_CUDA_KERNELS_PCG_H

#include "contact_coupling.h"

#ifdef __CUDA_ARCH__
#define GPU_UNROLL _Pragma("unroll 4")
#else
#define GPU_UNROLL
#endif

/* The three numbers of u at vertex i. */
WEFT_HD gpu_float3 gpu_load_u(const float *u, int64_t i) {
    gpu_float3 r;
#ifdef __CUDA_ARCH__
    float4 all = *reinterpret_cast<const float4 *>(u + 4 * i); /* one load of 16 bytes */
    r.x = all.x;
    r.y = all.y;
    r.z = all.z;
#else
    r.x = u[4 * i];
    r.y = u[4 * i + 1];
    r.z = u[4 * i + 2];
#endif
    return r;
}

WEFT_HD void gpu_store_u(float *u, int64_t i, float x, float y, float z) {
#ifdef __CUDA_ARCH__
    *reinterpret_cast<float4 *>(u + 4 * i) = make_float4(x, y, z, 0);
#else
    u[4 * i] = x;
    u[4 * i + 1] = y;
    u[4 * i + 2] = z;
    u[4 * i + 3] = 0;
#endif
}

/* The entries of one row: number c of the block of entry k lies at value[(k floats + c) GPU_SLICE]. */
typedef struct gpu_row {
    const int32_t *column;
    const float *value;
    int32_t entries, floats;
} gpu_row;

WEFT_HD gpu_row gpu_row_of(const gpu_slices *a, int32_t i) {
    int slice = i / GPU_SLICE, lane = i % GPU_SLICE;
    int64_t first = a->base[slice];
    gpu_row row;
    row.column = a->column + first * GPU_SLICE + lane;
    row.value = a->value + first * a->floats * GPU_SLICE + lane;
    row.entries = a->base[slice + 1] - a->base[slice];
    row.floats = a->floats;
    return row;
}

/* u_j - u_i */
WEFT_HD gpu_float3 gpu_difference(const gpu_row *a, const float *u, gpu_float3 ui, int32_t k) {
    gpu_float3 d = gpu_load_u(u, a->column[k * GPU_SLICE]);
    d.x -= ui.x;
    d.y -= ui.y;
    d.z -= ui.z;
    return d;
}

/* Blocks of one, six or nine floats times differences of u. */
WEFT_HD void gpu_add_scalars(const gpu_row *a, const float *u, gpu_float3 ui, float *y) {
    GPU_UNROLL
    for (int32_t k = 0; k < a->entries; k++) {
        float v = a->value[k * GPU_SLICE];
        gpu_float3 d = gpu_difference(a, u, ui, k);
        y[0] += v * d.x;
        y[1] += v * d.y;
        y[2] += v * d.z;
    }
}

WEFT_HD void gpu_add_symmetric(const gpu_row *a, const float *u, gpu_float3 ui, float *y) {
    GPU_UNROLL
    for (int32_t k = 0; k < a->entries; k++) {
        const float *v = a->value + k * (GPU_SYMMETRIC * GPU_SLICE);
        gpu_float3 d = gpu_difference(a, u, ui, k);
        float xy = v[GPU_SLICE], xz = v[2 * GPU_SLICE], yz = v[4 * GPU_SLICE];
        y[0] += v[0] * d.x + xy * d.y + xz * d.z;
        y[1] += xy * d.x + v[3 * GPU_SLICE] * d.y + yz * d.z;
        y[2] += xz * d.x + yz * d.y + v[5 * GPU_SLICE] * d.z;
    }
}

WEFT_HD void gpu_add_full(const gpu_row *a, const float *u, gpu_float3 ui, float *y) {
    GPU_UNROLL
    for (int32_t k = 0; k < a->entries; k++) {
        const float *v = a->value + k * (GPU_HEAD * GPU_SLICE);
        gpu_float3 d = gpu_difference(a, u, ui, k);
        y[0] += v[0] * d.x + v[GPU_SLICE] * d.y + v[2 * GPU_SLICE] * d.z;
        y[1] += v[3 * GPU_SLICE] * d.x + v[4 * GPU_SLICE] * d.y + v[5 * GPU_SLICE] * d.z;
        y[2] += v[6 * GPU_SLICE] * d.x + v[7 * GPU_SLICE] * d.y + v[8 * GPU_SLICE] * d.z;
    }
}

/* The entries of a row times differences of u. */
WEFT_HD void gpu_add_row(const gpu_row *a, const float *u, gpu_float3 ui, float *y) {
    if (a->floats == 1)
        gpu_add_scalars(a, u, ui, y);
    else if (a->floats == GPU_SYMMETRIC)
        gpu_add_symmetric(a, u, ui, y);
    else
        gpu_add_full(a, u, ui, y);
}

/* Row i of A u from its entries, its E, and its own u. */
WEFT_HD gpu_float3 gpu_times_row(const weft_gpu *g, int32_t i, const gpu_row *head, const gpu_row *tail, const float *e,
                                 gpu_float3 ui) {
    float y[3];
    gpu_float3 w;
    y[0] = y[1] = y[2] = 0;
    gpu_add_row(head, g->u, ui, y);
    gpu_add_row(tail, g->u, ui, y);
    if (g->coupling.terms > 0)
        gpu_add_coupling(g, i, y);
    w.x = y[0] + (e[0] * ui.x + e[1] * ui.y + e[2] * ui.z);
    w.y = y[1] + (e[1] * ui.x + e[3] * ui.y + e[4] * ui.z);
    w.z = y[2] + (e[2] * ui.x + e[4] * ui.y + e[5] * ui.z);
    return w;
}

/* Row i of A u. */
WEFT_HD gpu_float3 gpu_row_product(const weft_gpu *g, int32_t i) {
    gpu_row head = gpu_row_of(&g->head, i), tail = gpu_row_of(&g->tail, i);
    float e[6];
    for (int c = 0; c < 6; c++)
        e[c] = g->excess[(int64_t)c * g->count + i];
    return gpu_times_row(g, i, &head, &tail, e, gpu_load_u(g->u, i));
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
    if (g->coupling.terms > 0)
        gpu_add_coupling_exactly(g, i, y); /* the loads of x are there already */
    return gpu_vec(y[0], y[1], y[2]);
}

/* Change of velocity that brings a held vertex to its target. */
WEFT_HD weft_vec3 gpu_prescribed(const weft_gpu *g, int32_t i) {
    return gpu_sub(gpu_scale(1 / g->h, gpu_sub(g->target[i], g->X[i])), g->v[i]);
}

/* Initial guess of dv. z: the prescribed values alone, for the norm of reference. */
WEFT_HD void gpu_guess(const weft_gpu *g, int32_t i) {
    weft_vec3 dv = gpu_vec(0, 0, 0);
    if (g->guess == 1)
        dv = gpu_scale(g->guess_ratio, gpu_sub(g->v_start[i], g->v_before[i]));
    else if (g->guess == 2)
        dv = gpu_scale(g->h / g->mass[i], g->external[i]);
    if (g->held[i])
        dv = gpu_prescribed(g, i);
    g->dv[i] = dv;
    g->z[i] = g->held[i] ? dv : gpu_vec(0, 0, 0);
}

/* |S (b - A z)|^2 */
WEFT_HD void gpu_reference(const weft_gpu *g, int32_t i, double *sum) {
    weft_vec3 r = gpu_sub(g->b[i], gpu_row_exactly(g, g->z, i));
    sum[0] = g->held[i] ? 0 : gpu_dot(r, r);
}

/* Block-Jacobi: M^-1 r from the inverse block, xx xy xz yy yz zz. */
WEFT_HD gpu_float3 gpu_jacobi(const float *inverse, weft_vec3 r) {
    gpu_float3 u;
    double m[6];
    for (int c = 0; c < 6; c++)
        m[c] = (double)inverse[c];
    u.x = (float)(m[0] * r.x + m[1] * r.y + m[2] * r.z);
    u.y = (float)(m[1] * r.x + m[3] * r.y + m[4] * r.z);
    u.z = (float)(m[2] * r.x + m[4] * r.y + m[5] * r.z);
    return u;
}

WEFT_HD void gpu_load_inverse(const weft_gpu *g, int32_t i, float *inverse) {
    for (int c = 0; c < 6; c++)
        inverse[c] = g->inverse[(int64_t)c * g->count + i];
}

/* With levels, kernels_schwarz.h does it instead. */
WEFT_HD void gpu_precondition(const weft_gpu *g, int32_t i, weft_vec3 r) {
    float inverse[6];
    if (g->level_count > 0)
        return;
    gpu_load_inverse(g, i, inverse);
    gpu_float3 u = gpu_jacobi(inverse, r);
    gpu_store_u(g->u, i, u.x, u.y, u.z);
}

/* r = S (b - A dv), u = M^-1 r; sums |r|^2. */
WEFT_HD void gpu_residual(const weft_gpu *g, int32_t i, double *sum) {
    weft_vec3 r = g->held[i] ? gpu_vec(0, 0, 0) : gpu_sub(g->b[i], gpu_row_exactly(g, g->dv, i));
    g->r[i] = r;
    gpu_precondition(g, i, r);
    sum[0] = gpu_dot(r, r);
}

/* Terms of a row: r.u, w.u and |r|^2. */
WEFT_HD void gpu_product_terms(weft_vec3 r, gpu_float3 u, gpu_float3 w, double *sum) {
    sum[0] = r.x * (double)u.x + r.y * (double)u.y + r.z * (double)u.z;
    sum[1] = (double)w.x * (double)u.x + (double)w.y * (double)u.y + (double)w.z * (double)u.z;
    sum[2] = gpu_dot(r, r);
}

/* w = S A u, and the terms of its row. Kernels that were queued beyond the end do nothing. */
WEFT_HD void gpu_product(const weft_gpu *g, int32_t i, double *sum) {
    if (g->numbers->pcg.status != GPU_PCG_RUNS)
        return;
    gpu_float3 w;
    w.x = w.y = w.z = 0;
    if (!g->held[i])
        w = gpu_row_product(g, i);
    g->w[i] = w;
    gpu_product_terms(g->r[i], gpu_load_u(g->u, i), w, sum);
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

/* a + scale b */
WEFT_HD gpu_float3 gpu_turn_direction(gpu_float3 a, float scale, gpu_float3 b) {
    a.x += scale * b.x;
    a.y += scale * b.y;
    a.z += scale * b.z;
    return a;
}

/* What an iteration changes of a row. */
typedef struct gpu_row_state {
    gpu_float3 p, s; /* direction, A p */
    weft_vec3 dv, r;
} gpu_row_state;

/* Advances the directions, dv and r by one iteration. */
WEFT_HD void gpu_advance_state(const gpu_pcg *c, gpu_float3 u, gpu_float3 w, gpu_row_state *at) {
    gpu_float3 p = u, s = w;
    if (c->beta != 0) {
        p = gpu_turn_direction(p, (float)c->beta, at->p);
        s = gpu_turn_direction(s, (float)c->beta, at->s);
    }
    at->p = p;
    at->s = s;
    at->dv = gpu_axpy(at->dv, c->alpha, gpu_vec((double)p.x, (double)p.y, (double)p.z));
    at->r = gpu_axpy(at->r, -c->alpha, gpu_vec((double)s.x, (double)s.y, (double)s.z));
}

/* The same for row i in memory, and u. */
WEFT_HD void gpu_advance(const weft_gpu *g, const gpu_pcg *c, int32_t i) {
    gpu_row_state at;
    at.p = g->p[i];
    at.s = g->s[i];
    at.dv = g->dv[i];
    at.r = g->r[i];
    gpu_advance_state(c, gpu_load_u(g->u, i), g->w[i], &at);
    g->p[i] = at.p;
    g->s[i] = at.s;
    g->dv[i] = at.dv;
    g->r[i] = at.r;
    gpu_precondition(g, i, at.r);
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
