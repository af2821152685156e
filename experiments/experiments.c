#include "experiments/experiment.h"

const weft_experiment *const WEFT_EXPERIMENTS[] = {
    &WEFT_KAWABATA, &WEFT_FIGURE34,  &WEFT_CANTILEVER, &WEFT_ELASTICA, &WEFT_CATENARY,
    &WEFT_THESIS,   &WEFT_FRAMEWORK, &WEFT_COURSE,     &WEFT_ADAPTIVE, NULL};
