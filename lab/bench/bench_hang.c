/* HANG: a sheet of n x n vertices hangs from two corners for three seconds at 60 frames per second. It runs with Weft's
 * integrators and with Bullet, on one thread each. Our motion is compared with an explicit reference with small steps.
 * The compared values are the height of the centre of mass and of the lowest vertex in every frame, relative to the
 * sheet's 1 m. The first swing is compared too; for a sheet that starts flat it is one bounce in its plane. The
 * reference takes hours for large n. It comes from lab/bench/results/hang_reference.csv, written by `weft bench
 * hang-reference`. For n = 32 each run computes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/sheet.h"

enum { PEER_ITERATIONS = 5 };
static const double ALLOWED = 0.05; /* stretch */

typedef struct sheet_size {
    int n;
    int substeps;      /* of Weft */
    int peer_substeps; /* Bullet's fewest substeps that keep the allowed stretch, found by trial; 0: not within minutes
                        */
    int peer_frames;   /* all frames cost the same; at 128 x 128 vertices a frame takes half a second, so one second of
                          motion is enough */
} sheet_size;

static const sheet_size SIZES[] = {
    {32, 2, 13, WEFT_SHEET_FRAMES}, {64, 3, 37, WEFT_SHEET_FRAMES}, {128, 5, 150, 60}, {256, 5, 0, 0}};
enum { SIZE_COUNT = sizeof SIZES / sizeof SIZES[0] };

static const char REFERENCE[] = WEFT_BENCH_RESULTS "/hang_reference.csv";
static const weft_sheet_method EXPLICIT = {"symplectic-euler", 0, {NULL}};

static weft_result run_method(const weft_registry *registry, int n, const weft_sheet_method *method, int frames,
                              weft_sheet_run *run) {
    weft_sim *sim = NULL;
    weft_result result = weft_sheet_hang(registry, n, method, &sim);
    if (result.code == WEFT_OK)
        result = weft_sheet_go(sim, method, frames, run);
    weft_sim_destroy(sim);
    return result;
}

/* -- the reference -- */

/* Writes frame by frame, so that an interrupted run of hours keeps its results. Uses all threads; they do not affect
 * the result. */
static weft_result write_motion(weft_sim *sim, int n, const weft_sheet_method *method, FILE *file, double *seconds) {
    static weft_sheet_run run;
    *seconds = 0;
    for (int frame = 1; frame <= WEFT_SHEET_FRAMES; frame++) {
        WEFT_TRY(weft_sheet_go(sim, method, 1, &run));
        if (frame == 1)
            fprintf(file, "%d,0,%.9f,%.9f\n", n, run.centre[0], run.lowest[0]);
        fprintf(file, "%d,%d,%.9f,%.9f\n", n, frame, run.centre[1], run.lowest[1]);
        fflush(file);
        *seconds += 1e-3 * run.mean;
    }
    return weft_ok();
}

static weft_result write_reference(const weft_registry *registry, FILE *out) {
    FILE *file = fopen(REFERENCE, "w");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "%s: cannot be written", REFERENCE);
    fprintf(file, "n,frame,centre,lowest\n");
    weft_result result = weft_ok();
    for (int i = 1; i < SIZE_COUNT && result.code == WEFT_OK; i++) {
        weft_sim *sim = NULL;
        double seconds = 0;
        result = weft_sheet_hang(registry, SIZES[i].n, &EXPLICIT, &sim);
        if (result.code == WEFT_OK)
            weft_sim_set_threads(sim, 0);
        if (result.code == WEFT_OK)
            result = write_motion(sim, SIZES[i].n, &EXPLICIT, file, &seconds);
        weft_sim_destroy(sim);
        fprintf(out, "n = %d: %s, %.0f s\n", SIZES[i].n, EXPLICIT.integrator, seconds);
    }
    if (fclose(file) != 0 && result.code == WEFT_OK)
        result = weft_fail(WEFT_BAD_FILE, "%s: cannot be written", REFERENCE);
    return result;
}

weft_result weft_bench_hang_reference(FILE *out) {
    weft_registry *registry;
    WEFT_TRY(weft_registry_create(&registry));
    weft_result result = write_reference(registry, out);
    weft_registry_destroy(registry);
    return result;
}

/* Reads frames from the first on; a reference may end early. Returns whether it covers the first second. */
static int read_reference(int n, weft_sheet_run *run) {
    FILE *file = fopen(REFERENCE, "r");
    char line[120];
    int found = 0;
    while (file && fgets(line, sizeof line, file)) {
        int side, frame;
        double centre, lowest;
        if (sscanf(line, "%d,%d,%lf,%lf", &side, &frame, &centre, &lowest) != 4 || side != n || frame < 0 ||
            frame > WEFT_SHEET_FRAMES || frame != found)
            continue;
        run->centre[frame] = centre;
        run->lowest[frame] = lowest;
        found++;
    }
    if (file)
        fclose(file);
    run->frames = found - 1;
    return found > WEFT_SHEET_RATE;
}

/* -- the table -- */

typedef struct errors {
    double centre, lowest; /* largest error over the reference frames, relative to 1 m */
    double period;         /* relative */
} errors;

static errors compare(const weft_sheet_run *run, const weft_sheet_run *reference) {
    errors e = {0, 0, weft_sheet_period(run) / weft_sheet_period(reference) - 1};
    for (int i = 0; i <= reference->frames; i++) {
        e.centre = fmax(e.centre, fabs(run->centre[i] - reference->centre[i]));
        e.lowest = fmax(e.lowest, fabs(run->lowest[i] - reference->lowest[i]));
    }
    return e;
}

static const char COLUMNS[] = "n,method,substeps,iterations,ms_least,ms_mean,stretch_max,stretch_mean,stretch_p99,"
                              "centre_error,period_error,lowest_error,times_faster";

static void print_row(FILE *out, int n, const char *name, int substeps, int iterations, const weft_sheet_run *run,
                      const errors *e, double ratio) {
    char motion[100] = ",,", text[100] = "       -        -        -";
    if (e) {
        snprintf(motion, sizeof motion, "%.5f,%.5f,%.5f", e->centre, e->period, e->lowest);
        snprintf(text, sizeof text, "%7.2f%% %7.2f%% %7.2f%%", 100 * e->centre, 100 * e->period, 100 * e->lowest);
    }
    fprintf(out, "%4d  %-18s %5d %5d %9.3f %9.3f %8.2f%% %7.3f%% %7.2f%% %s", n, name, substeps, iterations, run->least,
            run->mean, 100 * run->stretch_max, 100 * run->stretch_mean, 100 * run->stretch_p99, text);
    fprintf(out, ratio > 0 ? " %7.1f\n" : "       -\n", ratio);
    weft_bench_record("hang", COLUMNS, "%d,%s,%d,%d,%.5f,%.5f,%.6f,%.6f,%.6f,%s,%.2f", n, name, substeps, iterations,
                      run->least, run->mean, run->stretch_max, run->stretch_mean, run->stretch_p99, motion, ratio);
}

/* Runs Bullet with its defaults, and with the substeps that keep the allowed stretch. Raises the substeps if those of
 * the table are not enough. */
static weft_result run_bullet(FILE *out, const sheet_size *s, weft_sheet_run *held) {
    static weft_sheet_run run;
    *held = (weft_sheet_run){0};
    WEFT_TRY(weft_sheet_bullet("hang", s->n, 1, 1, WEFT_SHEET_FRAMES, &run, NULL));
    if (!(run.least > 0))
        return weft_ok();
    print_row(out, s->n, "Bullet defaults", 1, 1, &run, NULL, 0);
    for (int substeps = s->peer_substeps, tries = 0; substeps > 0 && tries < 2; substeps += substeps / 4, tries++) {
        WEFT_TRY(weft_sheet_bullet("hang", s->n, substeps, PEER_ITERATIONS, s->peer_frames, &run, NULL));
        print_row(out, s->n, "Bullet", substeps, PEER_ITERATIONS, &run, NULL, 0);
        *held = run;
        if (run.stretch_max < ALLOWED)
            break;
    }
    return weft_ok();
}

static weft_result run_ours(FILE *out, const weft_registry *registry, const sheet_size *s, const weft_sheet_run *peer,
                            double *least) {
    static weft_sheet_run reference, run;
    static const struct {
        const char *name;
        weft_sheet_method method;
        int largest;
    } OTHERS[] = {
        {"xpbd", {"xpbd", 1, {"integrator.substeps=20", NULL}}, 64},
        {"bdf2", {"bdf2", 2, {"integrator.precondition=two-level", NULL}}, 64},
        {"bdf2 with cholesky", {"bdf2", 2, {"integrator.precondition=cholesky", NULL}}, 64},
        {"implicit-euler", {"implicit-euler", 2, {"integrator.precondition=two-level", NULL}}, 64},
    };
    int known = 1;
    if (s->n == 32)
        WEFT_TRY(run_method(registry, s->n, &EXPLICIT, WEFT_SHEET_FRAMES, &reference));
    else if (!(known = read_reference(s->n, &reference)))
        fprintf(out, "      no reference for n = %d: `weft bench hang-reference` computes it\n", s->n);
    weft_sheet_method fastest = {"projective", s->substeps, {NULL}};
    WEFT_TRY(run_method(registry, s->n, &fastest, WEFT_SHEET_FRAMES, &run));
    *least = run.least;
    errors e = compare(&run, &reference);
    print_row(out, s->n, "projective", s->substeps, 1, &run, known ? &e : NULL, peer->least / run.least);
    for (size_t i = 0; i < sizeof OTHERS / sizeof OTHERS[0]; i++) {
        if (s->n > OTHERS[i].largest)
            continue;
        WEFT_TRY(run_method(registry, s->n, &OTHERS[i].method, WEFT_SHEET_FRAMES, &run));
        e = compare(&run, &reference);
        print_row(out, s->n, OTHERS[i].name, OTHERS[i].method.substeps, 1, &run, known ? &e : NULL,
                  peer->least / run.least);
    }
    return weft_ok();
}

static weft_result run_all(FILE *out, const weft_registry *registry) {
    double before = 0;
    fprintf(
        out,
        "sheet of 1 m hanging from two corners, 0.2 kg/m2, 3 s at 60 frames per second, one thread; ms per frame\n");
    fprintf(out, "   n  method             steps  iter     least      mean  stretch    mean      p99   centre   period"
                 "   lowest  faster\n");
    for (int i = 0; i < SIZE_COUNT; i++) {
        static weft_sheet_run peer;
        double least;
        WEFT_TRY(run_bullet(out, &SIZES[i], &peer));
        WEFT_TRY(run_ours(out, registry, &SIZES[i], &peer, &least));
        if (before > 0)
            fprintf(out, "      projective: %.1f times the time of n = %d\n", least / before, SIZES[i - 1].n);
        before = least;
        fflush(out);
    }
    return weft_ok();
}

weft_result weft_bench_hang(FILE *out) { return weft_bench_print(out, run_all); }
