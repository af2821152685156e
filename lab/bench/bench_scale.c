/* Scaling. One frame of 50,000 vertices in wind. A step of `projective` from 10^3 to 10^6 vertices on one and two
 * threads. A step of `bdf2` with finite elements from 3,600 to 228,000. A step of the other methods on one thread. */
#include <math.h>

#include "lab/bench/sheet.h"

static const double FRAME = 1.0 / 60;

/* The hanging sheet of HANG with n x n vertices, optionally in a wind across it. */
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

/* Returns the least milliseconds per frame of `steps` steps of dt. Runs 3 to 30 frames, for a few seconds at most. The
 * first frame factors the matrix and does not count. */
static weft_result least_frame(weft_sim *sim, int steps, double dt, double *least) {
    enum { FEWEST = 3, MOST = 30 };
    static const double LONGEST = 3; /* s */
    double sum = 0;
    *least = INFINITY;
    for (int frame = 0; frame <= FEWEST || (frame <= MOST && sum < LONGEST); frame++) {
        double start = weft_bench_now();
        for (int i = 0; i < steps; i++) {
            weft_report report;
            WEFT_TRY(weft_sim_step(sim, dt, &report));
        }
        double took = weft_bench_now() - start;
        sum += frame > 0 ? took : 0;
        if (frame > 0)
            *least = fmin(*least, 1e3 * took);
    }
    return weft_ok();
}

static void record(const char *what, double vertices, int threads, double ms) {
    weft_bench_record("scale", "what,vertices,threads,ms_least", "%s,%.0f,%d,%.4f", what, vertices, threads, ms);
}

static weft_result measure_wind(FILE *out, const weft_registry *registry, int threads) {
    weft_sim *sim = NULL;
    double least = 0;
    weft_result result = make_sheet(registry, 224, threads, 1, &sim);
    if (result.code == WEFT_OK)
        result = least_frame(sim, 2, FRAME / 2, &least);
    weft_sim_destroy(sim);
    WEFT_TRY(result);
    fprintf(out, "  %d thread%s: %8.2f ms, %5.1f frames per second\n", threads, threads > 1 ? "s" : " ", least,
            1e3 / least);
    record("wind", 224.0 * 224, threads, least);
    return weft_ok();
}

static const int SIDES[] = {32, 100, 316, 1000};
enum { SIZES = sizeof SIDES / sizeof SIDES[0] };

static weft_result measure_threads(const weft_registry *registry, int n, double ms[2]) {
    weft_sim *sim = NULL;
    weft_result result = make_sheet(registry, n, 1, 0, &sim);
    for (int threads = 1; threads <= 2 && result.code == WEFT_OK; threads++) {
        weft_sim_set_threads(sim, threads);
        result = least_frame(sim, 2, FRAME / 2, &ms[threads - 1]);
    }
    weft_sim_destroy(sim);
    return result;
}

static weft_result print_projective(FILE *out, const weft_registry *registry) {
    double before = 0;
    fprintf(out, "a step of 1/120 s of projective\n vertices   1 thread ms  ns/vertex  growth  2 threads ms  faster\n");
    for (int i = 0; i < SIZES; i++) {
        double vertices = (double)SIDES[i] * SIDES[i], ms[2];
        WEFT_TRY(measure_threads(registry, SIDES[i], ms));
        double each = 1e6 * ms[0] / 2 / vertices;
        fprintf(out, "%9.0f %13.3f %10.1f", vertices, ms[0] / 2, each);
        fprintf(out, before > 0 ? " %7.2f" : "       -", each / before);
        fprintf(out, " %13.3f %7.2f\n", ms[1] / 2, ms[0] / ms[1]);
        fflush(out);
        for (int threads = 1; threads <= 2; threads++)
            record("step", vertices, threads, ms[threads - 1] / 2);
        before = each;
    }
    return weft_ok();
}

/* One step with comparable work at every size: explicit below the stable step, one constraint pass, or 30 iterations.
 * For these methods the step shrinks with the cell size, so that the error left after 30 iterations is harmless. */
static const weft_sheet_method OTHERS[] = {
    {"symplectic-euler", 0, {NULL}},
    {"xpbd", 1, {"integrator.substeps=1", NULL}},
    {"implicit-euler", 1, {"integrator.newton=1", "integrator.iterations=30", "integrator.tolerance=1e-12", NULL}}};

static weft_result measure_other(const weft_registry *registry, int n, const weft_sheet_method *method, double *ms) {
    weft_sim *sim = NULL;
    weft_result result = weft_sheet_hang(registry, n, method, &sim);
    if (result.code == WEFT_OK) {
        double dt = method->substeps == 0 ? 0.9 * weft_sim_stable_step(sim) : FRAME / 2 * SIDES[0] / n;
        result = least_frame(sim, 1, dt, ms);
    }
    weft_sim_destroy(sim);
    return result;
}

static weft_result print_other(FILE *out, const weft_registry *registry, const weft_sheet_method *method) {
    double before = 0;
    fprintf(out, "a step of %s, 1 thread\n vertices            ms  ns/vertex  growth\n", method->integrator);
    for (int i = 0; i < SIZES; i++) {
        double vertices = (double)SIDES[i] * SIDES[i], ms;
        WEFT_TRY(measure_other(registry, SIDES[i], method, &ms));
        fprintf(out, "%9.0f %13.3f %10.1f", vertices, ms, 1e6 * ms / vertices);
        fprintf(out, before > 0 ? " %7.2f\n" : "       -\n", ms / vertices / before);
        fflush(out);
        record(method->integrator, vertices, 1, ms);
        before = ms / vertices;
    }
    return weft_ok();
}

/* The accurate path: bdf2 with finite elements in steps of 4 ms, with the default solver. */
typedef struct accurate_case {
    const char *name;
    int wind; /* 1: the flag, held at one side in wind; 0: a sheet that hangs from two corners */
} accurate_case;

static weft_result make_accurate(const weft_registry *registry, const accurate_case *kind, int64_t side, int threads,
                                 weft_sim **sim) {
    static const weft_sheet_method METHOD = {"bdf2", 1, {"cloth.model.bending=isometric", NULL}};
    WEFT_TRY(weft_sheet_flat(registry, side, "corotational", threads, &METHOD, sim));
    return kind->wind ? weft_sheet_add_wind(*sim) : weft_ok();
}

/* Milliseconds and iterations per step, over the steps after the first few. */
static weft_result measure_accurate(weft_sim *sim, double *ms, double *iterations) {
    enum { BEFORE = 5, STEPS = 10 };
    double start = 0;
    *iterations = 0;
    for (int i = 0; i < BEFORE + STEPS; i++) {
        weft_report report;
        if (i == BEFORE)
            start = weft_bench_now();
        WEFT_TRY(weft_sim_step(sim, 0.004, &report));
        *iterations += i >= BEFORE ? (double)report.solve.iterations / STEPS : 0;
    }
    *ms = 1e3 * (weft_bench_now() - start) / STEPS;
    return weft_ok();
}

static weft_result print_accurate(FILE *out, const weft_registry *registry, const accurate_case *kind, int threads) {
    static const int SIZES_OF_FLAG[] = {60, 120, 240, 478};
    double first = 0;
    fprintf(out, "a step of 4 ms of bdf2 with finite elements, %s, %d thread%s\n", kind->name, threads,
            threads > 1 ? "s" : "");
    fprintf(out, " vertices            ms  ns/vertex  of first  iterations\n");
    for (size_t i = 0; i < sizeof SIZES_OF_FLAG / sizeof SIZES_OF_FLAG[0]; i++) {
        double vertices = (double)SIZES_OF_FLAG[i] * SIZES_OF_FLAG[i], ms = 0, iterations = 0;
        weft_sim *sim = NULL;
        weft_result result = make_accurate(registry, kind, SIZES_OF_FLAG[i], threads, &sim);
        if (result.code == WEFT_OK)
            result = measure_accurate(sim, &ms, &iterations);
        weft_sim_destroy(sim);
        WEFT_TRY(result);
        first = i == 0 ? ms / vertices : first;
        fprintf(out, "%9.0f %13.3f %10.1f %9.2f %11.1f\n", vertices, ms, 1e6 * ms / vertices, ms / vertices / first,
                iterations);
        fflush(out);
        record(kind->name, vertices, threads, ms);
    }
    return weft_ok();
}

static weft_result print_accurate_all(FILE *out, const weft_registry *registry) {
    static const accurate_case ACCURATE[] = {{"bdf2-wind", 1}, {"bdf2-hanging", 0}};
    for (size_t i = 0; i < sizeof ACCURATE / sizeof ACCURATE[0]; i++)
        for (int threads = 1; threads <= 2; threads++)
            WEFT_TRY(print_accurate(out, registry, &ACCURATE[i], threads));
    return weft_ok();
}

static weft_result print_all(FILE *out, const weft_registry *registry) {
    fprintf(out, "224 x 224 vertices in wind, a frame of 1/60 s in two steps\n");
    for (int threads = 1; threads <= 2; threads++)
        WEFT_TRY(measure_wind(out, registry, threads));
    WEFT_TRY(print_accurate_all(out, registry));
    WEFT_TRY(print_projective(out, registry));
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++)
        WEFT_TRY(print_other(out, registry, &OTHERS[i]));
    return weft_ok();
}

weft_result weft_bench_scale(FILE *out) { return weft_bench_print(out, print_all); }

weft_result weft_bench_scale_accurate(FILE *out) { return weft_bench_print(out, print_accurate_all); }
