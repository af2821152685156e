/* What the page says about one experiment, kept in a file so that a later run of others makes one page with it. */
#ifndef WEFT_EXPERIMENTS_CHAPTER_H
#define WEFT_EXPERIMENTS_CHAPTER_H

#include "experiments/experiment.h"

typedef struct weft_chapter {
    const weft_experiment *experiment;
    weft_verdicts verdicts;
    double seconds; /* it took */
    int quick;
    char *html; /* owned */
} weft_chapter;

/* Copies what the record holds. */
weft_result weft_chapter_take(const weft_experiment *experiment, weft_record *record, double seconds,
                              weft_chapter *chapter);
void weft_chapter_clear(weft_chapter *chapter);

/* In "OUT/NAME/chapter.html". */
weft_result weft_chapter_save(const weft_chapter *chapter, const char *out);
/* `chapter->html` stays null when there is none; one of another version of weft is refused. */
weft_result weft_chapter_load(const weft_experiment *experiment, const char *out, weft_chapter *chapter);
/* One that is there no longer holds when its experiment begins anew. */
weft_result weft_chapter_remove(const weft_experiment *experiment, const char *out);

#endif
