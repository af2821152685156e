/* The page of the experiments: one self-contained HTML file. */
#ifndef WEFT_LAB_EXPERIMENTS_EXPERIMENTS_PAGE_H
#define WEFT_LAB_EXPERIMENTS_EXPERIMENTS_PAGE_H

#include "lab/experiments/chapter.h"

weft_result weft_page_write(const weft_chapter *chapter, int count, const char *path);

#endif
