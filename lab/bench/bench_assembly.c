/* Matrix assembly of an implicit step: nanoseconds per vertex for each model, for sizes within and beyond the cache,
 * and the ratio to the time of streaming the bytes. */
#include <math.h>

#include "lab/bench/sheet.h"

static const double STEP = 1.0 / 90; /* s */

/* The solve is not measured. */
static const weft_sheet_method METHOD = {"bdf2", 1, {"integrator.newton=1", "integrator.iterations=30", NULL}};

/* Returns the best of `steps` steps, not counting the first. */
static weft_result measure(weft_sim *sim, int steps, double *seconds, double *bytes) {
    *seconds = INFINITY;
    for (int i = 0; i <= steps; i++) {
        weft_report report;
        WEFT_TRY(weft_sim_step(sim, STEP, &report));
        if (i > 0)
            *seconds = fmin(*seconds, report.solve.assembly_seconds / report.solve.newton);
        *bytes = report.solve.assembly_bytes;
    }
    return weft_ok();
}

static weft_result print_row(FILE *out, const weft_registry *registry, const char *model, int64_t n,
                             const double bandwidth[2]) {
    double seconds[2], bytes = 0, count = (double)(n * n);
    for (int threads = 1; threads <= 2; threads++) {
        weft_sim *sim = NULL;
        weft_result result = weft_sheet_flat(registry, n, model, threads, &METHOD, &sim);
        if (result.code == WEFT_OK)
            result = measure(sim, n > 300 ? 3 : 30, &seconds[threads - 1], &bytes);
        weft_sim_destroy(sim);
        WEFT_TRY(result);
    }
    fprintf(out, "%-12s %8.0f %9.0f %9.1f %6.2f %9.1f %6.2f %7.2f\n", model, count, bytes / count,
            1e9 * seconds[0] / count, seconds[0] * bandwidth[0] / bytes, 1e9 * seconds[1] / count,
            seconds[1] * bandwidth[1] / bytes, seconds[0] / seconds[1]);
    fflush(out);
    for (int i = 0; i < 2; i++)
        weft_bench_record("assembly", "model,vertices,threads,bytes_a_vertex,ns_a_vertex,times_bytes",
                          "%s,%.0f,%d,%.0f,%.2f,%.3f", model, count, i + 1, bytes / count, 1e9 * seconds[i] / count,
                          seconds[i] * bandwidth[i] / bytes);
    return weft_ok();
}

static weft_result print_all(FILE *out, const weft_registry *registry) {
    static const char *const MODELS[] = {"springs", "buckling", "corotational"};
    static const int64_t SIDES[] = {58, 183, 577};
    const double bandwidth[2] = {WEFT_BENCH_MOVED * weft_bench_bandwidth(1),
                                 WEFT_BENCH_MOVED * weft_bench_bandwidth(2)};
    if (!(bandwidth[0] > 0) || !(bandwidth[1] > 0))
        return weft_fail_memory("benchmark", (size_t)256 << 20);
    fprintf(out, "bytes through memory: %.1f GB/s on one thread, %.1f on two\n", 1e-9 * bandwidth[0],
            1e-9 * bandwidth[1]);
    fprintf(out, "model        vertices  B/vertex ns/vertex  bound  2 threads  bound  faster\n");
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 3; i++)
            WEFT_TRY(print_row(out, registry, MODELS[m], SIDES[i], bandwidth));
    return weft_ok();
}

weft_result weft_bench_assembly(FILE *out) { return weft_bench_print(out, print_all); }
