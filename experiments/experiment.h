/* The experiments behind `weft experiment`: what the documents report, done again and compared. They use the public
 * API, files and pictures only. Adding one is a file and a line in experiments.c. */
#ifndef WEFT_EXPERIMENTS_EXPERIMENT_H
#define WEFT_EXPERIMENTS_EXPERIMENT_H

#include <stdio.h>

#include "weft/weft.h"

typedef struct weft_experiment {
    const char *name;
    const char *help; /* one line */
    /* Writes its files into the directory, which exists, and a table of expected and found figures to `out`. Adds to
     * *missed the figures that are beyond their bound. */
    weft_result (*run)(const char *directory, FILE *out, int *missed);
} weft_experiment;

/* Ends with null. */
extern const weft_experiment *const WEFT_EXPERIMENTS[];
extern const weft_experiment WEFT_KAWABATA, WEFT_FIGURE34;

/* "ok" or "MISSED": whether `ours` is within `bound` (relative) of `expected`; a miss is counted. */
const char *weft_experiment_verdict(double expected, double ours, double bound, int *missed);
/* "DIRECTORY/NAME" */
weft_result weft_experiment_path(const char *directory, const char *name, char path[1024]);

#endif
