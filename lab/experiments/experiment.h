/* The experiments of `weft experiment` reproduce published and theoretical results and compare them. They use only the
 * public API, files and pictures. A new one is one file and one line in experiments.c. */
#ifndef WEFT_LAB_EXPERIMENTS_EXPERIMENT_H
#define WEFT_LAB_EXPERIMENTS_EXPERIMENT_H

#include "lab/experiments/record.h"
#include "weft/weft.h"

typedef struct weft_experiment {
    const char *name;
    const char *help;   /* one line, fit for HTML */
    const char *source; /* source of the expected values, fit for HTML */
    int quick;          /* part of the quick subset; then weft_record_is_quick() tells how much to do */
    /* Files go to the record's directory, which exists. Figures, notes, plots and pictures go to the record. */
    weft_result (*run)(weft_record *record);
    /* Names of the scenes it runs, which --set changes; ends with null. Null: it runs none. */
    const char *const *scenes;
} weft_experiment;

/* Ends with null. */
extern const weft_experiment *const WEFT_EXPERIMENTS[];
extern const weft_experiment WEFT_KAWABATA, WEFT_FIGURE34, WEFT_CANTILEVER, WEFT_ELASTICA, WEFT_CATENARY, WEFT_THESIS,
    WEFT_FRAMEWORK, WEFT_COURSE, WEFT_ADAPTIVE, WEFT_TEARING, WEFT_LATERAL, WEFT_CUSICK, WEFT_SHEARING, WEFT_FRICTION,
    WEFT_PUBLISHED;

#endif
