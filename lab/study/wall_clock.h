/* Time for limits and progress. */
#ifndef WEFT_LAB_STUDY_WALL_CLOCK_H
#define WEFT_LAB_STUDY_WALL_CLOCK_H

#include <time.h>

/* Seconds since an arbitrary moment. CLOCK_MONOTONIC is wall time, CLOCK_PROCESS_CPUTIME_ID that of the processors. */
static inline double weft_seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
