/* Measurements of each frame: the rows of frames.csv, and their sums for the report. */
#ifndef WEFT_IO_RUN_LOG_H
#define WEFT_IO_RUN_LOG_H

#include "io/file.h"
#include "weft/sim.h"

/* One frame. Wall times are the last columns of frames.csv. All columns before them are reproducible. */
typedef struct weft_frame_log {
    int64_t frame;
    double time; /* s */
    int32_t steps, halvings, torn;
    int32_t solves, iterations, not_converged;     /* linear solver; 0 for explicit schemes */
    int32_t newton_not_converged;                  /* steps that ended above integrator.newton_tolerance */
    int32_t contacts, impulses, zones, unresolved; /* as in weft_contact_report */
    int64_t intersections;
    int32_t triangles;                          /* of all cloths */
    int32_t inserted, removed, turned, skipped; /* as in weft_adapt_report */
    weft_measures measures;
    uint64_t hash;
    double step_seconds;        /* wall time of all steps */
    weft_step_cost worst;       /* the step that took longest */
    double phases[WEFT_PHASES]; /* wall time by phase, s */
    double write_seconds;       /* time for measuring and writing */
} weft_frame_log;

/* The row of the frame that just ended, without measures and write_seconds. `seconds` is the wall time of its steps. */
weft_frame_log weft_frame_log_of(const weft_sim *sim, const weft_report *report, int32_t steps, double seconds);

/* A column of frames.csv. */
typedef struct weft_frame_column {
    const char *name, *unit; /* unit "": a count or a ratio */
    int is_time;             /* 1: a wall time, which differs from run to run */
} weft_frame_column;
/* Column `index` from 0; its name is null past the end. state_hash is not a number and is left out. */
weft_frame_column weft_frame_column_at(int index);
/* The value as a number. `index` must be in range. */
double weft_frame_column_value(const weft_frame_log *row, int index);

/* Histogram of steps by wall time, for quantiles: 100 classes per factor of ten, from 0.1 us. */
enum { WEFT_TIME_CLASSES = 1101 };

typedef struct weft_run_log {
    weft_output csv;
    int is_open;
    int64_t count;                      /* number of frames */
    int64_t by_time[WEFT_TIME_CLASSES]; /* number of steps per class */
    weft_frame_log last;
    int64_t steps, halvings, torn, solves, iterations, not_converged, newton_not_converged, contacts, impulses, zones,
        unresolved, inserted, removed, turned, skipped;
    double triangle_steps; /* sum of triangles times steps, for the mean */
    double step_seconds, write_seconds, phases[WEFT_PHASES];
    weft_step_cost worst; /* the step that took longest; of steps before a resume only time and seconds are known */
} weft_run_log;

/* Close or suspend the log even if this fails. */
weft_result weft_run_log_open(weft_run_log *log, const char *directory);
/* Continues an unfinished frames.csv truncated to `size` bytes. Adds the times of its rows to the sums; each step
 * counts with the mean of its frame. */
weft_result weft_run_log_reopen(weft_run_log *log, const char *directory, int64_t size);
/* Adds the wall time of a step, s. */
void weft_run_log_step(weft_run_log *log, double seconds);
/* Counts an unfinished frame without writing a row. */
void weft_run_log_count(weft_run_log *log, const weft_frame_log *row);
weft_result weft_run_log_add(weft_run_log *log, const weft_frame_log *row);
/* Flushes to disk and returns the number of bytes written so far. */
weft_result weft_run_log_sync(weft_run_log *log, int64_t *size);
/* Completes frames.csv (finished != 0) or leaves it for a resume. The sums stay valid. */
weft_result weft_run_log_close(weft_run_log *log, int finished);

typedef struct weft_step_times {
    double mean, median, p95, max; /* ms per step; median and p95 are accurate to 2.4 % */
} weft_step_times;
weft_step_times weft_run_log_times(const weft_run_log *log);

#endif
