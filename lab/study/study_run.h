/* Runs a study: checks it, runs the cases that are missing, and writes the tables. */
#ifndef WEFT_LAB_STUDY_STUDY_RUN_H
#define WEFT_LAB_STUDY_STUDY_RUN_H

#include <stdio.h>

#include "lab/study/study_file.h"

typedef struct weft_study_progress {
    int64_t done, total, failed; /* cases */
    int64_t first;               /* cases that were done before this start */
    int waiting;                 /* tasks in the queue of the cluster; -1: local */
} weft_study_progress;

typedef struct weft_study_options {
    const char *out;     /* folder */
    int jobs;            /* 0: as the study file says */
    int on_slurm;        /* 1: on the cluster */
    int retry;           /* 1: run failed cases again */
    int fresh;           /* 1: remove earlier results */
    const char *program; /* path of the command, for the cluster */
    void *context;       /* passed to the functions */
    int (*stop)(void *context);
    void (*show)(void *context, const weft_study_progress *progress);
    void (*notice)(void *context, const char *text);
} weft_study_options;

typedef struct weft_study_summary {
    int64_t total, done, ok, run; /* `run`: in this start */
    double elapsed;               /* s, from the first case to the last */
    double busy;                  /* share of the time of the workers that was spent in cases; 0 if unknown */
    int stopped;                  /* 1: by the user */
} weft_study_summary;

/* Checks that the scene can be built with the first, the smallest and the largest values. Forks. */
weft_result weft_study_check(const weft_study *study);
weft_result weft_study_run(const weft_study *study, const weft_study_options *options, weft_study_summary *summary);
/* Prints the cases as CSV. */
weft_result weft_study_print_cases(const weft_study *study, FILE *file);
/* The setup of all cases of a study. The pointers belong to the study. */
weft_case_setup weft_study_setup(const weft_study *study);

#endif
