/* Finite elements: nanoseconds per triangle for matrix assembly, and milliseconds per implicit step. */
#include "lab/bench/sheet.h"

#include <math.h>

static const double STEP = 1.0 / 60; /* s */

static const weft_sheet_method METHOD = {
    "implicit-euler",
    1,
    {"integrator.iterations=20000", "integrator.precondition=two-level", "integrator.newton=1", NULL}};

/* Returns the best of `steps` steps. The first step builds the matrix structure and does not count. */
static weft_result measure(weft_sim *sim, int steps, double *assembly, double *step, weft_solve *solve) {
    *assembly = *step = INFINITY;
    *solve = (weft_solve){0};
    for (int i = 0; i <= steps; i++) {
        weft_report report;
        double start = weft_bench_now();
        WEFT_TRY(weft_sim_step(sim, STEP, &report));
        double seconds = weft_bench_now() - start;
        if (i == 0)
            continue;
        *assembly = fmin(*assembly, report.solve.assembly_seconds / report.solve.newton);
        *step = fmin(*step, seconds);
        solve->newton += report.solve.newton;
        solve->assembly_bytes = report.solve.assembly_bytes;
        solve->iterations += report.solve.iterations;
    }
    return weft_ok();
}

static weft_result print_row(FILE *out, const weft_registry *registry, double triangles, int threads,
                             double bandwidth) {
    weft_sim *sim = NULL;
    weft_solve solve;
    double assembly, step;
    int steps = triangles > 5e4 ? 3 : 10;
    int64_t n = (int64_t)(sqrt(triangles / 2) + 0.5) + 1;
    weft_result result = weft_sheet_flat(registry, n, "corotational", threads, &METHOD, &sim);
    if (result.code == WEFT_OK)
        result = measure(sim, steps, &assembly, &step, &solve);
    if (result.code == WEFT_OK) {
        double count = weft_sim_cloth(sim, 0)->mesh->triangle_count;
        fprintf(out, "%9.0f %7d %21.1f %12.1f %8.2f %10.0f\n", count, threads, 1e9 * assembly / count,
                assembly * WEFT_BENCH_MOVED * bandwidth / solve.assembly_bytes, 1e3 * step,
                (double)solve.iterations / steps);
        fflush(out);
        weft_bench_record("fem", "triangles,threads,ns_a_triangle,ms_step,iterations", "%.0f,%d,%.2f,%.4f,%.1f", count,
                          threads, 1e9 * assembly / count, 1e3 * step, (double)solve.iterations / steps);
    }
    weft_sim_destroy(sim);
    return result;
}

static weft_result print_all(FILE *out, const weft_registry *registry) {
    fprintf(out, "implicit Euler, one solve per step of 1/60 s, two-level preconditioner, cotton, two corners held\n");
    fprintf(out, "triangles threads assembly ns/triangle  times bound  ms/step iterations\n");
    const double bandwidth[2] = {weft_bench_bandwidth(1), weft_bench_bandwidth(2)};
    if (!(bandwidth[0] > 0) || !(bandwidth[1] > 0))
        return weft_fail_memory("benchmark", (size_t)256 << 20);
    for (int i = 0; i < 4; i++)
        WEFT_TRY(print_row(out, registry, i < 2 ? 1e4 : 1e5, 1 + i % 2, bandwidth[i % 2]));
    return weft_ok();
}

weft_result weft_bench_fem(FILE *out) { return weft_bench_print(out, print_all); }
