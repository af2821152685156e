/* SPHERE: the sheet of HANG, flat, dropped 5 cm onto a sphere of 0.25 m with friction 0.5, three seconds at 60 frames a
 * second on one thread, without and with contact of the sheet with itself; and Bullet's with ten substeps and five
 * iterations, by clusters with itself. Ours is by the fast mode of contact, and beside it by the exact one, which takes
 * minutes for the finer sheet. Intersections are counted by the audit after the last frame; Bullet has none to
 * count them by. */
#include "bench/sheet.h"

enum { PEER_SUBSTEPS = 10, PEER_ITERATIONS = 5, SUBSTEPS = 4 };

static const char COLUMNS[] = "n,self,method,substeps,ms_least,ms_mean,stretch_max,stretch_mean,stretch_p99,"
                              "intersections,times_faster";

static void print_row(FILE *out, int n, int self, const char *name, int substeps, const weft_sheet_run *run,
                      long crossings, double ratio) {
    char line[300], count[24] = "-";
    if (crossings >= 0)
        snprintf(count, sizeof count, "%ld", crossings);
    fprintf(out, "%4d  %-5s %-12s %5d %10.3f %10.3f %8.2f%% %7.3f%% %7.2f%% %9s", n, self ? "self" : "-", name,
            substeps, run->least, run->mean, 100 * run->stretch_max, 100 * run->stretch_mean, 100 * run->stretch_p99,
            count);
    fprintf(out, ratio > 0 ? " %7.2f\n" : "       -\n", ratio);
    snprintf(line, sizeof line, "%d,%d,%s,%d,%.5f,%.5f,%.6f,%.6f,%.6f,%s,%.2f", n, self, name, substeps, run->least,
             run->mean, run->stretch_max, run->stretch_mean, run->stretch_p99, count, ratio);
    weft_bench_record("sphere", COLUMNS, line);
}

static weft_result run_ours(FILE *out, const weft_registry *registry, int n, int self, double peer) {
    static const struct {
        const char *name;
        weft_sheet_method method;
        int largest;
    } WAYS[] = {
        {"projective", {"projective", SUBSTEPS, {"contact.mode=fast", NULL}}, 128},
        {"exact", {"projective", SUBSTEPS, {NULL}}, 64},
    };
    for (size_t i = 0; i < sizeof WAYS / sizeof WAYS[0]; i++) {
        static weft_sheet_run run;
        if (n > WAYS[i].largest)
            continue;
        weft_sim *sim = NULL;
        weft_intersections found = {0};
        weft_result result = weft_sheet_drop(registry, n, self, &WAYS[i].method, &sim);
        if (result.code == WEFT_OK)
            result = weft_sheet_go(sim, &WAYS[i].method, WEFT_SHEET_FRAMES, &run);
        if (result.code == WEFT_OK)
            result = weft_sim_intersections(sim, &found);
        weft_sim_destroy(sim);
        WEFT_TRY(result);
        print_row(out, n, self, WAYS[i].name, SUBSTEPS, &run, (long)(found.bodies + (self ? found.self : 0)),
                  peer / run.mean);
    }
    return weft_ok();
}

weft_result weft_bench_sphere(FILE *out) {
    static const int SIZES[] = {64, 128};
    weft_registry *registry;
    WEFT_TRY(weft_registry_create(&registry));
    weft_result result = weft_ok();
    weft_bench_machine(out);
    fprintf(out, "sheet of 1 m onto a sphere of 0.25 m, 3 s at 60 frames a second, one thread; ms per frame\n");
    fprintf(out, "   n  self  method       steps      least       mean  stretch    mean      p99  crossings  faster\n");
    for (int i = 0; i < 4 && result.code == WEFT_OK; i++) {
        static weft_sheet_run peer;
        int n = SIZES[i / 2], self = i % 2;
        result = weft_sheet_bullet(self ? "sphere-self" : "sphere", n, PEER_SUBSTEPS, PEER_ITERATIONS,
                                   WEFT_SHEET_FRAMES, &peer);
        if (result.code == WEFT_OK && peer.mean > 0)
            print_row(out, n, self, "Bullet", PEER_SUBSTEPS, &peer, -1, 0);
        if (result.code == WEFT_OK)
            result = run_ours(out, registry, n, self, peer.mean);
        fflush(out);
    }
    weft_registry_destroy(registry);
    return result;
}
