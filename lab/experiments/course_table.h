/* Choi and Ko (2002), table 1: time per frame. */
#ifndef WEFT_LAB_EXPERIMENTS_COURSE_TABLE_H
#define WEFT_LAB_EXPERIMENTS_COURSE_TABLE_H

#include "lab/experiments/record.h"

weft_result weft_course_table(weft_record *record);

#endif
