/* The experiments behind `weft experiment`: what the documents report and what theory knows, done again and compared.
 * They use the public API, files and pictures only. Adding one is a file and a line in experiments.c. */
#ifndef WEFT_EXPERIMENTS_EXPERIMENT_H
#define WEFT_EXPERIMENTS_EXPERIMENT_H

#include "experiments/record.h"
#include "weft/weft.h"

typedef struct weft_experiment {
    const char *name;
    const char *help;   /* one line, fit for HTML */
    const char *source; /* where the figures to compare with come from, fit for HTML */
    int quick;          /* part of the quick subset; it then looks at weft_record_is_quick() for how much to do */
    /* Files go into the record's directory, which exists; figures, notes, plots and pictures into the record. */
    weft_result (*run)(weft_record *record);
} weft_experiment;

/* Ends with null. */
extern const weft_experiment *const WEFT_EXPERIMENTS[];
extern const weft_experiment WEFT_KAWABATA, WEFT_FIGURE34, WEFT_CANTILEVER, WEFT_ELASTICA, WEFT_CATENARY, WEFT_THESIS,
    WEFT_FRAMEWORK, WEFT_COURSE, WEFT_ADAPTIVE, WEFT_TEARING, WEFT_LATERAL, WEFT_CUSICK, WEFT_SHEARING, WEFT_FRICTION;

#endif
