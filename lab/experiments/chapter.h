/* The part of the page about one experiment. It is stored in a file, so that a later run of other experiments can
 * include it. */
#ifndef WEFT_LAB_EXPERIMENTS_CHAPTER_H
#define WEFT_LAB_EXPERIMENTS_CHAPTER_H

#include "lab/experiments/experiment.h"

typedef struct weft_chapter {
    const weft_experiment *experiment;
    weft_verdicts verdicts;
    double seconds; /* CPU time */
    int quick;
    char version[32]; /* of the weft that made it */
    char *html;       /* owned */
} weft_chapter;

/* Copies the content of the record. */
weft_result weft_chapter_take(const weft_experiment *experiment, weft_record *record, double seconds,
                              weft_chapter *chapter);
void weft_chapter_clear(weft_chapter *chapter);

/* Writes "OUT/NAME/chapter.html". */
weft_result weft_chapter_save(const weft_chapter *chapter, const char *out);
/* `chapter->html` stays null if there is no file. The chapter may be of another version of weft: the page says so. */
weft_result weft_chapter_load(const weft_experiment *experiment, const char *out, weft_chapter *chapter);
/* Removes the stored chapter, which becomes invalid when its experiment starts again. */
weft_result weft_chapter_remove(const weft_experiment *experiment, const char *out);

#endif
