/* The worker's side of the pool: reads cases from pipes, simulates them and writes the outcomes back. */
#ifndef WEFT_LAB_STUDY_CASE_SERVE_H
#define WEFT_LAB_STUDY_CASE_SERVE_H

#include <sys/types.h>

#include "lab/study/case_runner.h"

/* The worker's ends of the two pipes of a lane. A lane simulates one case at a time. */
typedef struct weft_case_lane {
    int requests, replies;
} weft_case_lane;

/* What a worker process does. */
typedef struct weft_case_service {
    const weft_case_setup *setups;
    int setup_count;
    int threads;                /* CPU threads of a case */
    const weft_case_lane *lane; /* (lanes) */
    int lanes;                  /* with more than one, each has a thread */
    pid_t parent;
} weft_case_service;

/* Serves all lanes until the pipes of the parent end, then ends this process.
 *
 * A case that runs out of memory may have broken the device for all cases of the process, or suffer from them. If
 * others are running, the process ends without an answer, and all of them are run again. */
_Noreturn void weft_case_serve(const weft_case_service *service);

#endif
