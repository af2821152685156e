/* Runs tasks in worker processes. A task returns numbers. One process per task, so a crash loses only its result. */
#ifndef WEFT_LAB_TEXTILE_WORKERS_H
#define WEFT_LAB_TEXTILE_WORKERS_H

#include <stddef.h>

#include "weft/base.h"

typedef struct weft_workers {
    void *context;
    int count;   /* of tasks */
    size_t size; /* of a result, numbers */
    /* Fills `out` with the result of a task, in its own process. */
    void (*run)(void *context, int index, double *out);
    double *out; /* results (count x size) */
    int *done;   /* 1: the task returned its result (count) */
} weft_workers;

/* Runs all tasks, at most `jobs` at a time (0: one per processor). The caller must not have started threads. */
weft_result weft_workers_run(const weft_workers *workers, int jobs);

#endif
