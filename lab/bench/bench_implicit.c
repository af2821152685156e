/* The implicit step: milliseconds per step and per iteration of the linear solve, compared with the streaming bound.
 * Each preconditioner is measured. Table 1 of Choi and Ko (2002) is compared with ours. */
#include <math.h>
#include <string.h>

#include "lab/bench/sheet.h"

static const double STEP = 1.0 / 90; /* s, as in Choi and Ko (2002) */

static const weft_sheet_method METHOD = {
    "bdf2", 1, {"integrator.iterations=20000", "cloth.model.stiffness=fabric", "integrator.newton=1", NULL}};

/* Takes `steps` steps and sums the solver's counts; returns their total seconds. */
static weft_result run(weft_sim *sim, int steps, weft_solve *solve, double *seconds) {
    *solve = (weft_solve){0};
    double start = weft_bench_now();
    for (int i = 0; i < steps; i++) {
        weft_report report;
        WEFT_TRY(weft_sim_step(sim, STEP, &report));
        solve->newton += report.solve.newton;
        solve->iterations += report.solve.iterations;
        solve->assembly_seconds += report.solve.assembly_seconds;
        solve->solve_seconds += report.solve.solve_seconds;
        solve->iteration_bytes = report.solve.iteration_bytes;
        solve->assembly_bytes = report.solve.assembly_bytes;
    }
    *seconds = weft_bench_now() - start;
    return weft_ok();
}

/* The limit of `most` iterations keeps the measurement of a very long solve short. */
static weft_result print_row(FILE *out, const weft_registry *registry, int64_t n, const char *model, int threads,
                             const char *precondition, const char *most, double bandwidth) {
    weft_sim *sim = NULL;
    weft_solve solve;
    double seconds;
    int steps = n > 300 ? 2 : 10;
    weft_result result = weft_sheet_flat(registry, n, model, threads, &METHOD, &sim);
    if (result.code == WEFT_OK)
        result = weft_sim_set(sim, "integrator.precondition", precondition);
    if (result.code == WEFT_OK)
        result = weft_sim_set(sim, "integrator.iterations", most);
    if (result.code == WEFT_OK)
        result = run(sim, 1, &solve, &seconds); /* the first step allocates the arena */
    if (result.code == WEFT_OK)
        result = run(sim, steps, &solve, &seconds);
    if (result.code == WEFT_OK) {
        double iteration = solve.solve_seconds / solve.iterations, bound = solve.iteration_bytes / bandwidth;
        double assembly = solve.assembly_seconds / solve.newton,
               least = solve.assembly_bytes / (WEFT_BENCH_MOVED * bandwidth);
        fprintf(out, "%-9s %9.0f %8d  %-10s %10.2f %8.0f %10.2f %6.1f %10.3f %8.1f %8.3f %6.2f\n", model,
                3.0 * (double)(n * n), threads, precondition, 1e3 * seconds / steps, (double)solve.iterations / steps,
                1e3 * assembly, assembly / least, 1e3 * iteration, 1e-6 * solve.iteration_bytes, 1e3 * bound,
                iteration / bound);
        fflush(out);
        weft_bench_record("implicit",
                          "model,unknowns,threads,precondition,ms_step,iterations,ms_assembly,times_bytes,ms_iteration,"
                          "times_bytes_iteration",
                          "%s,%.0f,%d,%s,%.4f,%.1f,%.4f,%.3f,%.5f,%.3f", model, 3.0 * (double)(n * n), threads,
                          precondition, 1e3 * seconds / steps, (double)solve.iterations / steps, 1e3 * assembly,
                          assembly / least, 1e3 * iteration, iteration / bound);
    }
    weft_sim_destroy(sim);
    return result;
}

/* Choi and Ko (2002), table 1: seconds per frame of 1/30 s on a 550 MHz Pentium III. Their times include collision
 * detection, which took less than a fifth; ours do not. */
static weft_result print_table(FILE *out, const weft_registry *registry) {
    static const struct {
        const char *name;
        int64_t side;
        double seconds;
        int steps;
    } ROWS[] = {{"1(a) 5608 particles", 75, 6.13, 3}, {"5    2601 particles", 51, 0.18, 1}};
    fprintf(out, "Choi and Ko (2002), table 1: seconds per frame of three steps of 1/90 s (5: one step)\n");
    fprintf(out, "  animation            theirs      ours    ratio\n");
    for (int i = 0; i < 2; i++) {
        weft_sim *sim = NULL;
        weft_solve solve;
        double seconds = 0;
        weft_result result = weft_sheet_flat(registry, ROWS[i].side, "buckling", 1, &METHOD, &sim);
        if (result.code == WEFT_OK)
            result = weft_sim_set(sim, "integrator.precondition", "two-level");
        if (result.code == WEFT_OK)
            result = run(sim, 30 * ROWS[i].steps, &solve, &seconds);
        weft_sim_destroy(sim);
        WEFT_TRY(result);
        seconds /= 30;
        fprintf(out, "  %-20s %6.2f %9.4f %8.0f\n", ROWS[i].name, ROWS[i].seconds, seconds, ROWS[i].seconds / seconds);
    }
    return weft_ok();
}

static weft_result print_all(FILE *out, const weft_registry *registry) {
    static const int64_t SIDES[] = {58, 183, 577}; /* 1e4, 1e5, 1e6 unknowns */
    static const char *const PRECONDITIONERS[] = {"diagonal", "block", "two-level", "cholesky"};
    for (int threads = 1; threads <= 2; threads++) {
        double bandwidth = weft_bench_bandwidth(threads);
        if (!(bandwidth > 0))
            return weft_fail_memory("benchmark", (size_t)256 << 20);
        fprintf(out, "streaming bandwidth on %d thread%s: %.1f GB/s\n", threads, threads > 1 ? "s" : "",
                1e-9 * bandwidth);
        fprintf(
            out,
            "model      unknowns  threads  precond.      ms/step  it/step  assembly   ratio ms/iterat.  MB/it.  bound "
            "ms  ratio\n");
        for (int i = 0; i < 3; i++)
            for (int k = i == 2 ? 1 : 0; k < (i == 0 ? 4 : 3); k++) /* the others would take minutes */
                WEFT_TRY(print_row(out, registry, SIDES[i], "buckling", threads, PRECONDITIONERS[k],
                                   i == 2 && k == 1 ? "50" : "20000", bandwidth));
        for (int i = 0; i < 3; i++)
            WEFT_TRY(print_row(out, registry, SIDES[i], "springs", threads, "block", "200", bandwidth));
    }
    return print_table(out, registry);
}

weft_result weft_bench_implicit(FILE *out) { return weft_bench_print(out, print_all); }
