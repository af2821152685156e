/* How the fast paths grow: a frame of 50,000 vertices in wind, and a step of `projective` from 10^3 to 10^6 vertices,
 * on one and on two threads. */
#include <math.h>

#include "bench/sheet.h"

static const double FRAME = 1.0 / 60;
static const char COLUMNS[] = "what,vertices,threads,ms_least";

/* The hanging sheet of HANG with n x n vertices in a wind across it. */
static weft_result make_sheet(const weft_registry *registry, int n, int threads, int wind, weft_sim **sim) {
    static const weft_sheet_method METHOD = {"projective", 1, {NULL}};
    WEFT_TRY(weft_sheet_hang(registry, n, &METHOD, sim));
    if (wind) {
        WEFT_TRY(weft_sim_add_force(*sim, "wind", NULL));
        WEFT_TRY(weft_sim_set(*sim, "forces.wind.speed", "3"));
        WEFT_TRY(weft_sim_set(*sim, "forces.wind.direction", "[0.2, 0, 1]"));
        WEFT_TRY(weft_sim_set(*sim, "forces.wind.randomness", "0.3"));
    }
    weft_sim_set_threads(*sim, threads);
    return weft_ok();
}

/* The least milliseconds of `frames` frames of `steps` steps, after the first, which factors. */
static weft_result least_frame(weft_sim *sim, int frames, int steps, double *least) {
    *least = INFINITY;
    for (int frame = 0; frame <= frames; frame++) {
        double start = weft_bench_now();
        for (int i = 0; i < steps; i++) {
            weft_report report;
            WEFT_TRY(weft_sim_step(sim, FRAME / steps, &report));
            if (report.status != WEFT_STATUS_OK)
                return weft_fail(WEFT_UNSUPPORTED, "frame %d: %s", frame, weft_status_name(report.status));
        }
        if (frame > 0)
            *least = fmin(*least, 1e3 * (weft_bench_now() - start));
    }
    return weft_ok();
}

static weft_result measure(const weft_registry *registry, int n, int threads, int wind, int frames, int steps,
                           double *least) {
    weft_sim *sim = NULL;
    weft_result result = make_sheet(registry, n, threads, wind, &sim);
    if (result.code == WEFT_OK)
        result = least_frame(sim, frames, steps, least);
    weft_sim_destroy(sim);
    return result;
}

static weft_result print_all(FILE *out, const weft_registry *registry) {
    static const int SIDES[] = {32, 100, 316, 1000};
    double least, one;
    fprintf(out, "224 x 224 vertices in wind, a frame of 1/60 s in two steps\n");
    for (int threads = 1; threads <= 2; threads++) {
        WEFT_TRY(measure(registry, 224, threads, 1, 30, 2, &least));
        fprintf(out, "  %d thread%s: %8.2f ms, %5.1f frames a second\n", threads, threads > 1 ? "s" : " ", least,
                1e3 / least);
        weft_bench_record("scale", COLUMNS, "wind,%d,%d,%.4f", 224 * 224, threads, least);
    }
    fprintf(out, "a step of 1/120 s\n vertices   1 thread ms  ns/vertex  growth  2 threads ms  faster\n");
    double before = 0;
    for (size_t i = 0; i < sizeof SIDES / sizeof SIDES[0]; i++) {
        int n = SIDES[i], frames = n >= 1000 ? 2 : 20;
        double vertices = (double)n * n;
        WEFT_TRY(measure(registry, n, 1, 0, frames, 2, &one));
        WEFT_TRY(measure(registry, n, 2, 0, frames, 2, &least));
        double each = 1e6 * one / 2 / vertices;
        fprintf(out, "%9.0f %13.3f %10.1f", vertices, one / 2, each);
        fprintf(out, before > 0 ? " %7.2f" : "       -", each / before);
        fprintf(out, " %13.3f %7.2f\n", least / 2, one / least);
        weft_bench_record("scale", COLUMNS, "step,%.0f,1,%.4f", vertices, one / 2);
        weft_bench_record("scale", COLUMNS, "step,%.0f,2,%.4f", vertices, least / 2);
        before = each;
    }
    return weft_ok();
}

weft_result weft_bench_scale(FILE *out) { return weft_bench_print(out, print_all); }
