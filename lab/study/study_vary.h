/* vary: of a study file. */
#ifndef WEFT_LAB_STUDY_STUDY_VARY_H
#define WEFT_LAB_STUDY_STUDY_VARY_H

#include "lab/study/study_file.h"

/* Reads one entry of vary:. */
weft_result weft_parameter_read(const weft_value *entry, weft_design design, weft_parameter *parameter);
/* Number of values of a parameter in a grid. */
int64_t weft_parameter_levels(const weft_parameter *parameter);

#endif
