/* The sheet of the benchmarks `hang` and `sphere`, with Weft's integrators and with Bullet. */
#ifndef WEFT_LAB_BENCH_SHEET_H
#define WEFT_LAB_BENCH_SHEET_H

#include "lab/bench/bench.h"

enum { WEFT_SHEET_FRAMES = 180, WEFT_SHEET_RATE = 60 }; /* 3 s */

/* The method of a run. */
typedef struct weft_sheet_method {
    const char *integrator;
    int substeps;       /* per frame; 0: explicit, as many as needed */
    const char *set[6]; /* "path=value", terminated by null */
} weft_sheet_method;

typedef struct weft_sheet_run {
    double least, mean;                            /* ms per frame */
    double stretch_max, stretch_mean, stretch_p99; /* edges after the last frame */
    weft_intersections crossings;                  /* maximum over all frames */
    int frames;
    double centre[WEFT_SHEET_FRAMES + 1]; /* height of the centre of mass, m */
    double lowest[WEFT_SHEET_FRAMES + 1]; /* height of the lowest vertex, m */
} weft_sheet_run;

/* A sheet of 1 m x 1 m and 0.2 kg/m2 that hangs from two corners, with a ripple of 1 mm. At a corner about 1 N goes
 * through two edges, so the strain there grows with n. The fabric's stiffness grows too, 50 N/m per vertex of a side,
 * which keeps the strain at about four percent. */
weft_result weft_sheet_hang(const weft_registry *registry, int n, const weft_sheet_method *method, weft_sim **sim);
/* The same sheet, flat, 5 cm above a sphere of radius 0.25 m at the origin, friction 0.5. */
weft_result weft_sheet_drop(const weft_registry *registry, int n, int self, const weft_sheet_method *method,
                            weft_sim **sim);
/* A horizontal sheet of n x n vertices, 1 m wide, of cotton, held at two corners of one side. */
weft_result weft_sheet_flat(const weft_registry *registry, int64_t n, const char *model, int threads,
                            const weft_sheet_method *method, weft_sim **sim);
/* The same without pins, not prepared yet. */
weft_result weft_sheet_free(const weft_registry *registry, int64_t n, const char *model, int threads,
                            const weft_sheet_method *method, weft_sim **sim);
/* The wind of the flag, across a horizontal sheet. */
weft_result weft_sheet_add_wind(weft_sim *sim);
/* Runs `frames` frames of 1/60 s. */
weft_result weft_sheet_go(weft_sim *sim, const weft_sheet_method *method, int frames, weft_sheet_run *run);

/* The time between the first and the second downward crossing of the mean height by the centre of mass, s. The mean is
 * over the first second. Returns 0 if there is none. */
double weft_sheet_period(const weft_sheet_run *run);

/* Runs Bullet's sheet. Stores its vertices after the last frame in the last argument (n x n; may be null). `least` is 0
 * if Bullet is not installed. */
weft_result weft_sheet_bullet(const char *scene, int n, int substeps, int iterations, int frames, weft_sheet_run *run,
                              weft_vec3 *end);

#endif
