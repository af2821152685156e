/* The commands of Slurm: sbatch and squeue. */
#ifndef WEFT_LAB_STUDY_SLURM_QUEUE_H
#define WEFT_LAB_STUDY_SLURM_QUEUE_H

#include "lab/study/case_slurm.h"

/* Submits tasks first .. first + count - 1 of the folder as one job array. `id` receives the number of the job. */
weft_result weft_slurm_submit(const weft_slurm_job *job, const char *folder, int first, int count, int64_t *id);

typedef enum weft_queue_answer {
    WEFT_QUEUE_KNOWN,      /* `waiting` is valid */
    WEFT_QUEUE_UNREACHABLE /* the controller does not answer; ask again later */
} weft_queue_answer;
/* Counts the tasks of a job that wait or run. A job that Slurm has forgotten has none. */
weft_queue_answer weft_slurm_ask(int64_t id, int *waiting);

/* Fails with a clear line if the commands of Slurm are missing. */
weft_result weft_slurm_check(void);

#endif
