/* What is measured of each frame: rows of frames.csv, and their sums for the report. */
#ifndef WEFT_CLI_RUN_LOG_H
#define WEFT_CLI_RUN_LOG_H

#include "io/file.h"
#include "weft/sim.h"

/* One frame. Wall times come last in frames.csv: all before them is the same for every run of a scene. */
typedef struct weft_frame_log {
    int64_t frame;
    double time; /* s */
    int32_t steps, halvings, torn;
    int32_t solves, iterations, not_converged;     /* of the linear solver; 0 for explicit schemes */
    int32_t newton_not_converged;                  /* steps that ended above integrator.newton_tolerance */
    int32_t contacts, impulses, zones, unresolved; /* as in weft_contact_report */
    int64_t intersections;
    int32_t triangles;                          /* of all cloths */
    int32_t inserted, removed, turned, skipped; /* as in weft_adapt_report */
    weft_measures measures;
    uint64_t hash;
    double step_seconds;        /* wall time of all steps */
    double slowest_seconds;     /* of the longest one */
    double phases[WEFT_PHASES]; /* of it, s */
    double write_seconds;       /* measuring and writing */
} weft_frame_log;

/* Steps by their wall time, for quantiles: 100 classes for each factor of ten, from 0.1 us. */
enum { WEFT_TIME_CLASSES = 1101 };

typedef struct weft_run_log {
    weft_output csv;
    int is_open;
    int64_t count;                      /* of frames */
    int64_t by_time[WEFT_TIME_CLASSES]; /* how many steps */
    weft_frame_log last;
    int64_t steps, halvings, torn, solves, iterations, not_converged, newton_not_converged, contacts, impulses, zones,
        unresolved, inserted, removed, turned, skipped;
    double triangle_steps; /* triangles times steps, for their mean */
    double step_seconds, slowest_seconds, write_seconds, phases[WEFT_PHASES];
} weft_run_log;

/* Close or suspend it also when this fails. */
weft_result weft_run_log_open(weft_run_log *log, const char *directory);
/* Goes on in an unfinished frames.csv cut to `size` bytes, taking over the times of its rows: each of their steps
 * counts with its frame's mean. */
weft_result weft_run_log_reopen(weft_run_log *log, const char *directory, int64_t size);
/* Counts a step's wall time, s. */
void weft_run_log_step(weft_run_log *log, double seconds);
/* Counts a frame that did not come to its end, without a row. */
void weft_run_log_count(weft_run_log *log, const weft_frame_log *row);
weft_result weft_run_log_add(weft_run_log *log, const weft_frame_log *row);
/* Bytes written so far; all of them are on the disk after it. */
weft_result weft_run_log_sync(weft_run_log *log, int64_t *size);
/* Completes frames.csv (finished != 0) or leaves it for a resume. The sums stay. */
weft_result weft_run_log_close(weft_run_log *log, int finished);

typedef struct weft_step_times {
    double mean, median, p95, max; /* ms per step; median and p95 within 2.4 % */
} weft_step_times;
weft_step_times weft_run_log_times(const weft_run_log *log);

#endif
