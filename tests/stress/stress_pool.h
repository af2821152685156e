/* Runs scenes in processes of their own, several at a time. A scene that crashes or hangs is a finding like others. */
#ifndef WEFT_STRESS_POOL_H
#define WEFT_STRESS_POOL_H

#include "tests/stress/stress_checks.h"

typedef struct stress_task {
    int is_file; /* 1: a given scene file; 0: generated from `seed` */
    uint64_t seed;
    char path[1024];
} stress_task;

typedef struct stress_pool {
    int jobs;  /* processes at a time */
    int limit; /* CPU time of a scene, s */
    void *context;
    int (*next)(void *context, stress_task *task); /* returns 0 after the last task */
    void (*done)(void *context, const stress_task *task, const stress_result *result);
} stress_pool;

weft_result stress_pool_run(const stress_pool *pool);

#endif
