/* Runs cases on a cluster through Slurm: one job array per round, one task per batch of cases.
 *
 * A task is `weft study task FOLDER NUMBER`. It reads its cases from a file and appends their outcomes to a journal of
 * its own, so tasks share no file. Cases that a round did not finish are submitted again: after a failed node, a
 * cancelled job or a time limit. The folder must be visible on all nodes. */
#ifndef WEFT_LAB_STUDY_CASE_SLURM_H
#define WEFT_LAB_STUDY_CASE_SLURM_H

#include "lab/study/case_runner.h"
#include "lab/study/study_file.h"

typedef struct weft_slurm_job {
    const weft_slurm_settings *settings;
    const char *folder;                        /* absolute; for cases, journals and logs */
    const char *program;                       /* absolute path of weft */
    const char *name;                          /* of the job */
    int retry;                                 /* 1: failed cases of earlier calls run again */
    void (*queue)(void *context, int waiting); /* told the number of tasks in the queue; context of the list */
} weft_slurm_job;

/* As weft_cases_run. Outcomes of an earlier call with the same folder are taken over, and its jobs that still run are
 * waited for. If the list asks to stop, the jobs go on; a later call collects their outcomes. */
weft_result weft_cases_run_slurm(const weft_case_setup *setups, int setup_count, const weft_case_list *list,
                                 const weft_case_settings *settings, const weft_slurm_job *job);

/* What a task does: runs the cases of `task` that are not in its journal yet. `stop` and `load_device` may be null. */
weft_result weft_cases_task(const char *folder, int task, int (*stop)(void), weft_case_loader load_device);

#endif
