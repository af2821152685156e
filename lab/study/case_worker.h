/* One process's share of the work: simulates cases one after the other and keeps the parsed scenes. */
#ifndef WEFT_LAB_STUDY_CASE_WORKER_H
#define WEFT_LAB_STUDY_CASE_WORKER_H

#include "lab/study/case_runner.h"
#include "weft/component.h"
#include "weft/value.h"

typedef struct weft_case_worker {
    const weft_case_setup *setups;
    int setup_count, threads;
    weft_registry *registry;
    weft_tree **tree; /* parsed scenes; null until first used (setup_count) */
} weft_case_worker;

/* Close it even if this fails. */
weft_result weft_case_worker_open(weft_case_worker *worker, const weft_case_setup *setups, int setup_count,
                                  int threads);
void weft_case_worker_close(weft_case_worker *worker);
/* Failures are in the outcome, which the caller frees. */
void weft_case_worker_run(weft_case_worker *worker, const weft_case *one, weft_case_outcome *outcome);
/* Builds the simulation of a case and finds what it records. With `try_report` it makes one frame, if figures of
 * report.json are recorded, and refuses those that the report does not have. */
weft_result weft_case_worker_check(weft_case_worker *worker, const weft_case *one, int try_report);

#endif
