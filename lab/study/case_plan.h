/* Setups and cases as files, which the tasks of a cluster read. They hold structures of this program, so all nodes must
 * run the same build; the head of the file makes sure of it. */
#ifndef WEFT_LAB_STUDY_CASE_PLAN_H
#define WEFT_LAB_STUDY_CASE_PLAN_H

#include "lab/study/case_runner.h"

typedef struct weft_case_plan {
    weft_case_setup *setup; /* (setup_count), with memory of its own */
    int setup_count;
    weft_case_settings settings;
} weft_case_plan;

weft_result weft_case_plan_write(const char *path, const weft_case_setup *setups, int setup_count,
                                 const weft_case_settings *settings);
/* Free it even if this fails. */
weft_result weft_case_plan_read(const char *path, weft_case_plan *plan);
void weft_case_plan_free(weft_case_plan *plan);

#endif
