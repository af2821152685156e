/* Assembly and solution of one linear system. */
#include <math.h>

#include "simulation.h"

/* The matrices of the levels and the inverses of their domains. */
static void prepare_levels(gpu_simulation *s) {
    weft_gpu *g = &s->gpu;
    for (g->now_level = 0; g->now_level < g->level_count; g->now_level++) {
        if (g->now_level > 0) {
            gpu_run(s, GPU_coarse_entries, s->level_entries[g->now_level]);
            gpu_run(s, GPU_coarse_excess, g->level[g->now_level].nodes);
        }
        s->on.invert(s->on.self, g);
    }
}

/* The forces f must be those of the iterate: facets and external forces are used again. */
void gpu_assemble(gpu_simulation *s) {
    const weft_gpu *g = &s->gpu;
    if (!g->frozen)
        gpu_run(s, GPU_vertex_damping, g->count);
    gpu_run(s, GPU_triangle_matrix, g->triangle_count);
    gpu_run(s, GPU_bend_matrix, g->bend_count);
    gpu_run(s, GPU_hinge_matrix, g->hinges ? g->bend_count : 0);
    gpu_run(s, GPU_pair_matrix, g->pair_count);
    gpu_run(s, GPU_head_matrix, g->head.entries * GPU_SLICE);
    gpu_run(s, GPU_tail_matrix, g->tail.entries * GPU_SLICE);
    gpu_run(s, GPU_row_matrix, g->count);
    prepare_levels(s);
}

/* Sums over rows of A x in double, with the terms of contact. */
static void sum_rows(gpu_simulation *s, gpu_kernel kernel, const weft_vec3 *x, int32_t slot) {
    weft_gpu *g = &s->gpu;
    g->coupling.of = x;
    gpu_run(s, GPU_contact_load_exactly, g->coupling.terms);
    gpu_run_sum(s, kernel, g->count, slot);
}

/* The norms of reference and of the residual. */
static void sum_start(gpu_simulation *s) {
    if (s->gpu.coupling.terms == 0) {
        gpu_run_sum(s, GPU_both_residuals, s->gpu.count, GPU_SLOT_REFERENCE);
        return;
    }
    sum_rows(s, GPU_reference, s->gpu.z, GPU_SLOT_REFERENCE);
    sum_rows(s, GPU_residual, s->gpu.dv, GPU_SLOT_RESIDUAL);
}

/* One (re)start: iterates from the present dv until the recursive residual is small enough, then computes the true one.
 * The host waits once. */
static gpu_numbers iterate(gpu_simulation *s, int restart) {
    weft_gpu *g = &s->gpu;
    g->restart = restart;
    g->paired = !restart && g->coupling.terms == 0;
    gpu_run(s, GPU_begin_pcg, 1);
    s->on.iterate(s->on.self, g);
    sum_rows(s, GPU_residual, g->dv, GPU_SLOT_RESIDUAL);
    return gpu_read_numbers(s);
}

static void report(weft_solve *solve, const gpu_pcg *c, double residual, int converged) {
    solve->newton++;
    solve->iterations += c->iterations;
    solve->residual = residual;
    solve->not_converged += !converged;
}

/* `left`: the true residual, relative. The loose tolerance of the energy needs no such check. */
static int is_solved(const weft_gpu *g, const gpu_numbers *n, double left) {
    return left <= g->tolerance || (g->energy > 0 && n->pcg.status == GPU_PCG_CONVERGED);
}

/* The recursive residual drifts from the true one, because products are in float. The method restarts while the true
 * residual is too large and restarts still reduce it. */
weft_status gpu_solve(gpu_simulation *s, weft_solve *solve) {
    enum { RESTARTS = 8 };
    gpu_run(s, GPU_guess, s->gpu.count);
    sum_start(s);
    double left = INFINITY, before = INFINITY;
    gpu_numbers n = {0};
    for (int k = 0; k < RESTARTS; k++) {
        n = iterate(s, k > 0);
        double residual = sqrt(n.sum[GPU_SLOT_RESIDUAL][0]);
        left = n.pcg.scale > 0 ? residual / n.pcg.scale : 0;
        if (!isfinite(left) || !isfinite(n.pcg.scale))
            return s->on.failure(s->on.self) ? WEFT_STATUS_NO_MEMORY : WEFT_STATUS_DIVERGED;
        if (n.pcg.scale == 0) { /* the prescribed values are the solution */
            s->gpu.guess = 0;
            gpu_run(s, GPU_guess, s->gpu.count);
        }
        if (is_solved(&s->gpu, &n, left) || n.pcg.status == GPU_PCG_CAP || left > 0.5 * before)
            break;
        before = left;
    }
    int converged = is_solved(&s->gpu, &n, left);
    report(solve, &n.pcg, left, converged);
    if (s->on.failure(s->on.self))
        return WEFT_STATUS_NO_MEMORY;
    return n.pcg.status == GPU_PCG_BROKEN && n.pcg.iterations == 0 ? WEFT_STATUS_DIVERGED : WEFT_STATUS_OK;
}
