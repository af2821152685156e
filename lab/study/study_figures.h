/* record: of a study file. */
#ifndef WEFT_LAB_STUDY_STUDY_FIGURES_H
#define WEFT_LAB_STUDY_STUDY_FIGURES_H

#include "lab/study/figure.h"
#include "weft/value.h"

/* Reads one entry of record:. */
weft_result weft_figure_read(const weft_value *entry, weft_figure *figure);

#endif
