/* What an experiment found: printed as it comes, and kept for the page. */
#ifndef WEFT_EXPERIMENTS_RECORD_H
#define WEFT_EXPERIMENTS_RECORD_H

#include <stdio.h>

#include "io/plot.h"
#include "render/render.h"
#include "weft/base.h"

typedef struct weft_record weft_record;

/* The path of the scene of that name; returns 0 when there is none. */
typedef int (*weft_scene_finder)(const char *name, char *path, size_t size);

/* `directory` is where its files go and must outlive the record; `out` gets the figures as text. */
weft_result weft_record_create(const char *directory, int quick, FILE *out, weft_scene_finder find,
                               weft_record **record);
void weft_record_destroy(weft_record *record); /* null is allowed */

int weft_record_is_quick(const weft_record *record);
/* "DIRECTORY/NAME" */
weft_result weft_record_path(const weft_record *record, const char *name, char path[1024]);
/* Returns 0 when there is no such scene. */
int weft_record_find_scene(const weft_record *record, const char *name, char path[1024]);

/* -- figures; `what` is one line with the unit. Beyond its bound a figure is missed, which fails the command. -- */

/* Within `bound` (relative) of `expected`. */
void weft_record_figure(weft_record *record, const char *what, double expected, double ours, double bound);
/* From `low` to `high`. */
void weft_record_range(weft_record *record, const char *what, double low, double high, double ours);
/* A statement that holds or not; both sides in words or numbers. */
void weft_record_claim(weft_record *record, const char *what, const char *published, const char *ours, int holds);
/* Ours is not as published, and is not meant to be: `why` says the reason. `as_expected` tells that it differs just in
 * the way that the reason predicts; otherwise it is missed. */
void weft_record_differs(weft_record *record, const char *what, const char *published, const char *ours,
                         const char *why, int as_expected);

/* A figure at several resolutions, the coarsest first. */
enum { WEFT_MOST_GRIDS = 4 };
typedef struct weft_refined {
    double expected[WEFT_MOST_GRIDS], ours[WEFT_MOST_GRIDS];
    int count;
} weft_refined;
void weft_refined_add(weft_refined *refined, double expected, double ours);
/* That it converges: `bound` (relative) holds for the last, and each is nearer than the one before, or as near as a
 * fifth of the bound. Says nothing of a single one. */
void weft_record_converges(weft_record *record, const char *what, const weft_refined *refined, double bound);

/* A figure without anything to compare with. */
void weft_record_value(weft_record *record, const char *what, double ours);

/* -- the rest of the page -- */

void weft_record_note(weft_record *record, const char *format, ...) WEFT_PRINTF(2, 3);
/* Writes "DIRECTORY/NAME" and shows it. */
weft_result weft_record_plot(weft_record *record, const char *name, const weft_plot *plot);
/* The page carries a smaller one, with a palette. */
weft_result weft_record_picture(weft_record *record, const char *name, const weft_picture *picture,
                                const char *caption);

/* -- what the page needs -- */

typedef struct weft_verdicts {
    int ok, differs, missed, values;
} weft_verdicts;
weft_verdicts weft_record_verdicts(const weft_record *record);
/* HTML of everything so far, valid until the next call. Fails for lack of memory only. */
weft_result weft_record_html(weft_record *record, const char **html);

#endif
