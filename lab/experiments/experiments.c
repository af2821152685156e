#include "lab/experiments/experiment.h"

/* Experiments from the source papers first, then standard tests of the field. */
const weft_experiment *const WEFT_EXPERIMENTS[] = {&WEFT_THESIS,   &WEFT_FIGURE34, &WEFT_COURSE,     &WEFT_FRAMEWORK,
                                                   &WEFT_ADAPTIVE, &WEFT_TEARING,  &WEFT_CANTILEVER, &WEFT_ELASTICA,
                                                   &WEFT_CATENARY, &WEFT_LATERAL,  &WEFT_CUSICK,     &WEFT_SHEARING,
                                                   &WEFT_FRICTION, &WEFT_KAWABATA, &WEFT_PUBLISHED,  NULL};
