/* The sheet of the benchmarks `hang` and `sphere`, on our integrators and on Bullet. */
#ifndef WEFT_BENCH_SHEET_H
#define WEFT_BENCH_SHEET_H

#include "bench/bench.h"

enum { WEFT_SHEET_FRAMES = 180, WEFT_SHEET_RATE = 60 }; /* 3 s */

/* How a run moves the sheet. */
typedef struct weft_sheet_method {
    const char *integrator;
    int substeps;       /* per frame; 0: explicit, as many as it needs */
    const char *set[6]; /* "path=value", null behind the last */
} weft_sheet_method;

typedef struct weft_sheet_run {
    double least, mean;                            /* ms per frame */
    double stretch_max, stretch_mean, stretch_p99; /* after the last frame */
    weft_intersections crossings;                  /* the most of any frame */
    int frames;
    double centre[WEFT_SHEET_FRAMES + 1]; /* height of the centre of mass, m */
    double lowest[WEFT_SHEET_FRAMES + 1]; /* of the lowest vertex, m */
} weft_sheet_run;

/* 1 m x 1 m of 0.2 kg/m2, hanging from two corners, with a ripple of 1 mm. The strain at a corner, where some 1 N goes
 * through two edges, grows with n: so does the fabric's stiffness, 50 N/m for each vertex of a side, which keeps it at
 * about four percent. */
weft_result weft_sheet_hang(const weft_registry *registry, int n, const weft_sheet_method *method, weft_sim **sim);
/* The same sheet, flat, 5 cm above a sphere of 0.25 m at the origin, friction 0.5. */
weft_result weft_sheet_drop(const weft_registry *registry, int n, int self, const weft_sheet_method *method,
                            weft_sim **sim);
/* A horizontal sheet of n x n vertices, 1 m wide, of the fabric cotton, held at two corners of one side. */
weft_result weft_sheet_flat(const weft_registry *registry, int64_t n, const char *model, int threads,
                            const weft_sheet_method *method, weft_sim **sim);
/* Takes `frames` of 1/60 s. */
weft_result weft_sheet_go(weft_sim *sim, const weft_sheet_method *method, int frames, weft_sheet_run *run);

/* The time from the first to the second fall of the centre of mass through its mean height of the first second, s; 0
 * when there is none. */
double weft_sheet_period(const weft_sheet_run *run);

/* Bullet's sheet, and its vertices after the last frame (n x n; null: not asked for); `least` is 0 when Bullet is not
 * installed. */
weft_result weft_sheet_bullet(const char *scene, int n, int substeps, int iterations, int frames, weft_sheet_run *run,
                              weft_vec3 *end);

#endif
