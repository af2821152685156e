/* Progress of a run: a bar on a terminal, a few plain lines elsewhere. */
#ifndef WEFT_APPS_CLI_PROGRESS_H
#define WEFT_APPS_CLI_PROGRESS_H

#include <stdint.h>

typedef struct weft_progress {
    char name[160]; /* printable */
    int quiet, terminal;
    int64_t first, frames; /* first and last frame of this part of the run */
    double rate;           /* frames per simulated second; 0: not simulated */
    double begin, shown;   /* wall clock */
    int lines;             /* number of plain lines printed so far */
    int drawn;
    const char *unit; /* what is counted: "frame" by default */
    char note[64];    /* shown behind the count; "" for none */
} weft_progress;

void weft_progress_begin(weft_progress *progress, const char *name, int quiet, int64_t first, int64_t frames,
                         double rate);
void weft_progress_show(weft_progress *progress, int64_t frame);
/* Clears the bar. */
void weft_progress_end(weft_progress *progress);

/* "850 ms", "12 s", "3 min 20 s", "2 h 5 min" */
void weft_duration_write(double seconds, char *text, int size);

#endif
