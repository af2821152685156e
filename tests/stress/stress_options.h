/* The command line of stress_scenes. */
#ifndef WEFT_STRESS_OPTIONS_H
#define WEFT_STRESS_OPTIONS_H

#include <stdint.h>

#include "weft/base.h"

typedef struct stress_options {
    uint64_t first; /* seed */
    uint64_t seeds; /* how many */
    double minutes; /* no seed starts after this time; 0: no limit */
    int jobs;
    int limit;       /* CPU time of a scene, s */
    int64_t updates; /* most Newton updates of a step; 0: any number */
    int strict;
    int verbose; /* a line for every scene */
    int help;
    int single;       /* 1: run only `first`, with details */
    const char *out;  /* folder for scenes that fail */
    const char *json; /* file for the summary; or null */
    const char *only; /* write scenes here and run none; or null */
    char **file;      /* scene files to run instead of seeds (file_count) */
    int file_count;
} stress_options;

weft_result stress_options_read(int count, char **word, stress_options *options);
void stress_options_help(void);

#endif
