/* Follows a simulation and computes the figures of a case. */
#ifndef WEFT_LAB_STUDY_TRACKER_H
#define WEFT_LAB_STUDY_TRACKER_H

#include "io/run_log.h"
#include "lab/study/figure.h"
#include "weft/sim.h"

/* The state of one figure. */
typedef struct weft_tracked {
    int32_t cloth, vertex; /* POINT, DRAPE */
    int column;            /* FRAMES */
    weft_vec3 start;       /* position in frame 0 */
    int64_t count;
    double sum, low, high, last;
    double before, time_before; /* of the frame before */
    double at;                  /* value at weft_figure::time; not a number until then */
} weft_tracked;

typedef struct weft_tracker {
    const weft_recording *recording;
    weft_tracked *tracked; /* (figure_count) */
    int measures;          /* 1: rows need weft_sim_measure */
    int report;            /* 1: a figure of report.json is wanted */
} weft_tracker;

/* Finds cloths, vertices and columns. Close it even if this fails. */
weft_result weft_tracker_open(weft_tracker *tracker, const weft_recording *recording, weft_sim *sim);
/* Takes the values of the frame that just ended. */
weft_result weft_tracker_frame(weft_tracker *tracker, weft_sim *sim, const weft_frame_log *row);
/* Writes the figures (figure_count). `report` is the text of report.json, or null. A number that the report does not
 * have is missing (not a number), or an error if `strict` is 1. */
weft_result weft_tracker_values(const weft_tracker *tracker, const char *report, int strict, double *value);
void weft_tracker_close(weft_tracker *tracker);

#endif
