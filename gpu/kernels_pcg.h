/* Conjugate gradients with one reduction per iteration: A. Chronopoulos, C. Gear, "s-step iterative methods for
 * symmetric linear systems", 1989. dv is double; r, u = M^-1 r and the directions are float. The recursion for r then
 * drifts from the true residual, so the caller computes that at the end and restarts where needed. Held vertices have
 * no residual, so their values never change.
 *
 * Large meshes run two kernels per iteration, bound by memory traffic. The first one multiplies. Its last block sums
 * and computes the scalars. The second one advances the vectors and sums r.u and |r|^2 for the next iteration. It adds
 * to dv only in every second iteration, when it has two directions at hand. */
#ifndef WEFT_GPU_KERNELS_PCG_H
#define WEFT_GPU_KERNELS_PCG_H

#include "slices.h"

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
WEFT_HD gpu_float3 gpu_jacobi(const float *inverse, gpu_float3 r) {
    gpu_float3 u;
    double m[6], x = (double)r.x, y = (double)r.y, z = (double)r.z;
    for (int c = 0; c < 6; c++)
        m[c] = (double)inverse[c];
    u.x = (float)(m[0] * x + m[1] * y + m[2] * z);
    u.y = (float)(m[1] * x + m[3] * y + m[4] * z);
    u.z = (float)(m[2] * x + m[4] * y + m[5] * z);
    return u;
}

WEFT_HD void gpu_load_inverse(const weft_gpu *g, int32_t i, float *inverse) {
    for (int c = 0; c < 6; c++)
        inverse[c] = gpu_stream(g->inverse + (int64_t)c * g->count + i, 1);
}

/* Stores and returns u. With levels, kernels_schwarz.h does it instead. */
WEFT_HD gpu_float3 gpu_precondition(const weft_gpu *g, int32_t i, gpu_float3 r) {
    float inverse[6];
    gpu_load_inverse(g, i, inverse);
    gpu_float3 u = gpu_jacobi(inverse, r);
    gpu_store_u(g->u, i, u);
    return u;
}

/* r = S (b - A dv), u = M^-1 r. Returns |r|^2. */
WEFT_HD double gpu_begin_row(const weft_gpu *g, int32_t i, weft_vec3 product) {
    weft_vec3 exact = g->held[i] ? gpu_vec(0, 0, 0) : gpu_sub(g->b[i], product);
    gpu_float3 r;
    r.x = (float)exact.x;
    r.y = (float)exact.y;
    r.z = (float)exact.z;
    g->r[i] = r;
    if (g->level_count == 0)
        gpu_precondition(g, i, r);
    return gpu_dot(exact, exact);
}

WEFT_HD void gpu_residual(const weft_gpu *g, int32_t i, double *sum) {
    sum[0] = gpu_begin_row(g, i, g->held[i] ? gpu_vec(0, 0, 0) : gpu_row_exactly(g, g->dv, i));
}

/* Both norms in one pass over the matrix; without terms of contact. */
WEFT_HD void gpu_both_residuals(const weft_gpu *g, int32_t i, double *sum) {
    const weft_vec3 *const both[2] = {g->z, g->dv};
    weft_vec3 product[2];
    gpu_rows_exactly(g, both, 2, i, product);
    weft_vec3 r = gpu_sub(g->b[i], product[0]);
    sum[0] = g->held[i] ? 0 : gpu_dot(r, r);
    sum[1] = gpu_begin_row(g, i, product[1]);
}

/* Terms of a row: r.u, w.u and |r|^2. */
WEFT_HD void gpu_product_term(gpu_float3 u, gpu_float3 w, double *sum) {
    sum[1] = (double)w.x * (double)u.x + (double)w.y * (double)u.y + (double)w.z * (double)u.z;
}

WEFT_HD void gpu_residual_terms(gpu_float3 r, gpu_float3 u, double *sum) {
    double x = (double)r.x, y = (double)r.y, z = (double)r.z;
    sum[0] = x * (double)u.x + y * (double)u.y + z * (double)u.z;
    sum[2] = x * x + y * y + z * z;
}

/* w = S A u, and w.u. `all`: the other terms too, which otherwise gpu_advance has summed. */
WEFT_HD void gpu_product(const weft_gpu *g, int32_t i, int all, double *sum) {
    gpu_float3 w;
    w.x = w.y = w.z = 0;
    if (!g->held[i])
        w = gpu_row_product(g, i);
    g->w[i] = w;
    gpu_product_term(gpu_load_u(g->u, i), w, sum);
    if (all)
        gpu_residual_terms(g->r[i], gpu_load_u(g->u, i), sum);
}

/* Before the first iteration, from the norms of reference and residual. Only one item. */
WEFT_HD void gpu_begin_pcg(const weft_gpu *g, int32_t i) {
    gpu_pcg *c = &g->numbers->pcg;
    (void)i;
    if (!g->restart) {
        c->iterations = 0;
        c->least_energy = -1;
    }
    c->scale = sqrt(g->numbers->sum[GPU_SLOT_REFERENCE][0]);
    double left = g->paired ? g->numbers->sum[GPU_SLOT_REFERENCE][1] : g->numbers->sum[GPU_SLOT_RESIDUAL][0];
    c->residual = c->scale > 0 ? sqrt(left) / c->scale : 0;
    c->fresh = 1;
    c->pending = 0;
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
    if (c->iterations == 0 && g->energy > 0) /* the guess is 0: this is the energy of reference */
        c->least_energy = g->energy * g->energy * gamma;
    if (c->residual <= g->tolerance || (c->iterations > 0 && gamma <= c->least_energy)) {
        c->status = GPU_PCG_CONVERGED;
        return;
    }
    if (c->iterations >= g->limit || (gamma == 0 && delta == 0)) { /* r underflows in float */
        c->status = GPU_PCG_CAP;
        return;
    }
    double beta = c->fresh ? 0 : gamma / c->gamma;
    double curvature = c->fresh ? delta : delta - beta * gamma / c->alpha;
    double alpha = gamma / curvature;
    if (!(gamma > 0) || !(curvature > 0) || !(alpha < 1e300)) {
        c->status = GPU_PCG_BROKEN; /* also for sums that are not numbers */
        return;
    }
    c->alpha_before = c->alpha;
    c->alpha = alpha;
    c->beta = beta;
    c->gamma = gamma;
    c->fresh = 0;
    c->pending = !c->pending;
    c->iterations++;
}

/* a + scale b */
WEFT_HD gpu_float3 gpu_turn_direction(gpu_float3 a, float scale, gpu_float3 b) {
    a.x += scale * b.x;
    a.y += scale * b.y;
    a.z += scale * b.z;
    return a;
}

/* Advances the directions p and s = A p, and r. */
WEFT_HD void gpu_advance_row(const gpu_pcg *c, gpu_float3 u, gpu_float3 w, gpu_float3 *p, gpu_float3 *s,
                             gpu_float3 *r) {
    if (c->beta != 0) {
        u = gpu_turn_direction(u, (float)c->beta, *p);
        w = gpu_turn_direction(w, (float)c->beta, *s);
    }
    *p = u;
    *s = w;
    r->x = (float)((double)r->x - c->alpha * (double)w.x);
    r->y = (float)((double)r->y - c->alpha * (double)w.y);
    r->z = (float)((double)r->z - c->alpha * (double)w.z);
}

/* dv + alpha p */
WEFT_HD weft_vec3 gpu_advance_dv(weft_vec3 dv, double alpha, gpu_float3 p) {
    return gpu_axpy(dv, alpha, gpu_vec((double)p.x, (double)p.y, (double)p.z));
}

/* Row i in memory, and u; the terms of the new r and u unless there are levels. */
WEFT_HD void gpu_advance(const weft_gpu *g, const gpu_pcg *c, int32_t i, double *sum) {
    gpu_float3 before = g->p[i], p = before, s = g->s[i], r = g->r[i];
    gpu_advance_row(c, gpu_load_u(g->u, i), g->w[i], &p, &s, &r);
    g->p[i] = p;
    g->s[i] = s;
    g->r[i] = r;
    if (!c->pending)
        g->dv[i] = gpu_advance_dv(gpu_advance_dv(g->dv[i], c->alpha_before, before), c->alpha, p);
    if (g->level_count == 0)
        gpu_residual_terms(r, gpu_precondition(g, i, r), sum);
}

/* After the last iteration: what dv still lacks. */
WEFT_HD void gpu_settle(const weft_gpu *g, int32_t i) {
    const gpu_pcg *c = &g->numbers->pcg;
    if (c->pending)
        g->dv[i] = gpu_advance_dv(g->dv[i], c->alpha, g->p[i]);
}

#endif
