/* SPHERE: the sheet of HANG, flat, dropped 5 cm onto a sphere of radius 0.25 m with friction 0.5. It runs for three
 * seconds at 60 frames per second on one thread, without and with self-collision. Bullet uses ten substeps, five
 * iterations, and cluster self-collision. Weft uses the fast contact mode. The row "drape" uses enough solves for a
 * correct fall. The coarser sheet also runs in the exact mode. The audit counts intersections after each frame, and the
 * maximum is printed. For Bullet it counts them after the last frame. */
#include "lab/bench/sheet.h"

#include <stdlib.h>

enum { PEER_SUBSTEPS = 10, PEER_ITERATIONS = 5 };

static const char COLUMNS[] = "n,self,method,substeps,ms_least,ms_mean,stretch_max,stretch_mean,stretch_p99,"
                              "intersections,centre,times_faster";

static void print_row(FILE *out, int n, int self, const char *name, int substeps, const weft_sheet_run *run,
                      double ratio) {
    long crossings = (long)(run->crossings.bodies + (self ? run->crossings.self : 0));
    fprintf(out, "%4d  %-5s %-12s %5d %10.3f %10.3f %8.2f%% %7.3f%% %7.2f%% %9ld %7.3f", n, self ? "self" : "-", name,
            substeps, run->least, run->mean, 100 * run->stretch_max, 100 * run->stretch_mean, 100 * run->stretch_p99,
            crossings, run->centre[run->frames]);
    fprintf(out, ratio > 0 ? " %7.2f\n" : "       -\n", ratio);
    weft_bench_record("sphere", COLUMNS, "%d,%d,%s,%d,%.5f,%.5f,%.6f,%.6f,%.6f,%ld,%.4f,%.2f", n, self, name, substeps,
                      run->least, run->mean, run->stretch_max, run->stretch_mean, run->stretch_p99, crossings,
                      run->centre[run->frames], ratio);
}

/* With four steps, the self-contacting folds of the finer sheet stretch by a tenth. */
static int steps_of(int n) { return n > 64 ? 6 : 4; }

static weft_result run_ours(FILE *out, const weft_registry *registry, int n, int self, double peer) {
    static const struct {
        const char *name;
        weft_sheet_method method;
        int largest, largest_self;
    } WAYS[] = {
        {"projective", {"projective", 0, {"contact.mode=fast", NULL}}, 128, 128},
        {"drape",
         {"projective", 0, {"contact.mode=fast", "integrator.memory=0", "integrator.iterations=4", NULL}},
         128,
         128},
        {"exact", {"projective", 0, {NULL}}, 64, 64},
    };
    for (size_t i = 0; i < sizeof WAYS / sizeof WAYS[0]; i++) {
        static weft_sheet_run run;
        if (n > (self ? WAYS[i].largest_self : WAYS[i].largest))
            continue;
        weft_sheet_method method = WAYS[i].method;
        method.substeps = steps_of(n);
        weft_sim *sim = NULL;
        weft_result result = weft_sheet_drop(registry, n, self, &method, &sim);
        if (result.code == WEFT_OK)
            result = weft_sheet_go(sim, &method, WEFT_SHEET_FRAMES, &run);
        weft_sim_destroy(sim);
        WEFT_TRY(result);
        print_row(out, n, self, WAYS[i].name, method.substeps, &run, peer / run.mean);
    }
    return weft_ok();
}

/* Counts the intersections of a sheet with Bullet's final positions `x`. */
static weft_result audit_at(const weft_registry *registry, int n, const weft_vec3 *x, weft_intersections *found) {
    weft_sheet_method method = {"projective", 1, {NULL}};
    weft_vec3 still = {0, 0, 0};
    weft_sim *sim = NULL;
    weft_result result = weft_sheet_drop(registry, n, 1, &method, &sim);
    if (result.code == WEFT_OK)
        result = weft_sim_prepare(sim);
    for (int32_t i = 0; i < n * n && result.code == WEFT_OK; i++)
        result = weft_sim_place(sim, 0, i, x[i], still);
    if (result.code == WEFT_OK)
        result = weft_sim_intersections(sim, found);
    weft_sim_destroy(sim);
    return result;
}

static weft_result run_bullet(FILE *out, const weft_registry *registry, int n, int self, double *mean) {
    static weft_sheet_run run;
    weft_vec3 *end = calloc((size_t)n * (size_t)n, sizeof *end);
    if (!end)
        return weft_fail_memory("a sheet", (size_t)n * (size_t)n * sizeof *end);
    weft_result result = weft_sheet_bullet(self ? "sphere-self" : "sphere", n, PEER_SUBSTEPS, PEER_ITERATIONS,
                                           WEFT_SHEET_FRAMES, &run, end);
    *mean = run.mean;
    if (result.code == WEFT_OK && run.mean > 0) {
        result = audit_at(registry, n, end, &run.crossings);
        print_row(out, n, self, "Bullet", PEER_SUBSTEPS, &run, 0);
    }
    free(end);
    return result;
}

weft_result weft_bench_sphere(FILE *out) {
    static const int SIZES[] = {64, 128};
    weft_registry *registry;
    WEFT_TRY(weft_registry_create(&registry));
    weft_result result = weft_ok();
    weft_bench_machine(out);
    fprintf(out, "sheet of 1 m on a sphere of radius 0.25 m, 3 s at 60 frames per second, one thread; ms per frame\n");
    fprintf(
        out,
        "   n  self  method       steps      least       mean  stretch    mean      p99  crossings  centre  faster\n");
    for (int i = 0; i < 4 && result.code == WEFT_OK; i++) {
        double peer = 0;
        int n = SIZES[i / 2], self = i % 2;
        result = run_bullet(out, registry, n, self, &peer);
        if (result.code == WEFT_OK)
            result = run_ours(out, registry, n, self, peer);
        fflush(out);
    }
    weft_registry_destroy(registry);
    return result;
}
