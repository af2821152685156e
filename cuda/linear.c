/* Assembly and solution of one linear system. */
#include <math.h>

#include "simulation.h"

/* The forces f must be those of the iterate: facets and external forces are used again. */
void gpu_assemble(gpu_simulation *s) {
    const weft_gpu *g = &s->gpu;
    gpu_run(s, GPU_vertex_damping, g->count);
    gpu_run(s, GPU_triangle_matrix, g->triangle_count);
    gpu_run(s, GPU_bend_matrix, g->bend_count);
    gpu_run(s, GPU_pair_matrix, g->pair_count);
    gpu_run(s, GPU_row_matrix, g->count);
}

static int write_scalars(gpu_simulation *s, const gpu_pcg *c) {
    return s->on.write(s->on.self, s->gpu.pcg, c, sizeof *c);
}

/* Iterates from the present dv until the recursive residual is small enough. */
static int iterate(gpu_simulation *s, gpu_pcg *c) {
    c->status = GPU_PCG_RUNS;
    c->fresh = 1;
    return write_scalars(s, c) && s->on.iterate(s->on.self, &s->gpu, 0) &&
           s->on.read(s->on.self, c, s->gpu.pcg, sizeof *c);
}

/* r = b - A dv in double; returns its norm relative to the scale. */
static double true_residual(gpu_simulation *s, double scale) {
    return sqrt(gpu_sum(s, GPU_residual, s->gpu.count)) / scale;
}

static void report(weft_solve *solve, const gpu_pcg *c) {
    solve->newton++;
    solve->iterations += c->iterations;
    solve->residual = c->residual;
    solve->not_converged += c->status == GPU_PCG_CAP;
}

/* The recursive residual drifts from the true one, because products are in float. The method restarts while the true
 * residual is too large and restarts still reduce it. */
weft_status gpu_solve(gpu_simulation *s, weft_solve *solve) {
    enum { RESTARTS = 8 };
    gpu_pcg c = {.tolerance = s->solver.tolerance, .limit = s->solver.iterations};
    gpu_run(s, GPU_guess, s->gpu.count);
    c.scale = sqrt(gpu_sum(s, GPU_reference, s->gpu.count));
    double left = c.scale > 0 ? true_residual(s, c.scale) : 0;
    if (!isfinite(c.scale) || !isfinite(left))
        return WEFT_STATUS_DIVERGED;
    c.status = GPU_PCG_CONVERGED;
    for (int k = 0; left > c.tolerance && k < RESTARTS; k++) {
        double before = left;
        if (!iterate(s, &c))
            return WEFT_STATUS_NO_MEMORY;
        left = true_residual(s, c.scale);
        if (!isfinite(left))
            return WEFT_STATUS_DIVERGED;
        if (c.status == GPU_PCG_CAP || left > 0.5 * before)
            break;
    }
    c.residual = left;
    if (left > c.tolerance)
        c.status = c.status == GPU_PCG_BROKEN && c.iterations == 0 ? GPU_PCG_BROKEN : GPU_PCG_CAP;
    report(solve, &c);
    if (s->on.failure(s->on.self))
        return WEFT_STATUS_NO_MEMORY;
    return c.status == GPU_PCG_BROKEN ? WEFT_STATUS_DIVERGED : WEFT_STATUS_OK;
}
