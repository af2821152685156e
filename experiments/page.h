/* The experiments' page: one HTML file that needs nothing else. */
#ifndef WEFT_EXPERIMENTS_PAGE_H
#define WEFT_EXPERIMENTS_PAGE_H

#include "experiments/experiment.h"

typedef struct weft_chapter {
    const weft_experiment *experiment;
    weft_record *record;
    double seconds; /* it took */
} weft_chapter;

weft_result weft_page_write(const weft_chapter *chapter, int count, const char *path);

#endif
