/* What a run of stress_scenes found in all. */
#ifndef WEFT_STRESS_SUMMARY_H
#define WEFT_STRESS_SUMMARY_H

#include "tests/stress/stress_judge.h"

enum { STRESS_LISTED = 50 };

typedef struct stress_summary {
    uint64_t first; /* seed */
    int by_seed;    /* 0: scene files */
    uint64_t scenes;
    int64_t steps;
    int64_t newton; /* Newton updates */
    uint64_t energy_scenes;
    double seconds; /* CPU time of the steps */
    double wall_seconds;
    uint64_t failures[STRESS_CLASSES];
    uint64_t listed[STRESS_CLASSES][STRESS_LISTED]; /* the first seeds that failed, by class */
    double worst_ratio;                             /* slowest step over the median of its scene */
    char slowest[1024];                             /* that scene */
    uint64_t work_stalls;                           /* scenes in which a step takes over 100 times the median updates */
    int64_t worst_newton;                           /* most Newton updates of a step */
    double longest;                                 /* time of a step, s */
} stress_summary;

void stress_summary_add(stress_summary *sum, uint64_t seed, const char *name, const stress_result *result);
/* To stdout, for people. */
void stress_summary_print(const stress_summary *sum);
/* As one JSON object, so that several runs can be added up. */
weft_result stress_summary_write(const stress_summary *sum, const char *path);

#endif
