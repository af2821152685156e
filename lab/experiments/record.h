/* The results of an experiment: printed immediately, and kept for the page. */
#ifndef WEFT_LAB_EXPERIMENTS_RECORD_H
#define WEFT_LAB_EXPERIMENTS_RECORD_H

#include <stdio.h>

#include "io/plot.h"
#include "render/render.h"
#include "weft/base.h"

typedef struct weft_record weft_record;

/* A change of a scene, as by --set. A null path ends a list. */
typedef struct weft_change {
    const char *path, *value;
    int last; /* 1: applied after the changes of the user, because the comparison needs it */
} weft_change;

/* Finds the path of the named scene; returns 0 if there is none. */
typedef int (*weft_scene_finder)(const char *name, char *path, size_t size);

/* `directory` receives the files and must outlive the record; `out` receives the figures as text. */
weft_result weft_record_create(const char *directory, int quick, FILE *out, weft_scene_finder find,
                               weft_record **record);
void weft_record_destroy(weft_record *record); /* null is allowed */

/* The user's changes of the scenes, noted on the page. `changes` (null: none) must outlive the record. */
void weft_record_set_changes(weft_record *record, const weft_change *changes);
const weft_change *weft_record_changes(const weft_record *record); /* null: none */

int weft_record_is_quick(const weft_record *record);
/* "DIRECTORY/NAME" */
weft_result weft_record_path(const weft_record *record, const char *name, char path[1024]);
/* Returns 0 if there is no such scene. */
int weft_record_find_scene(const weft_record *record, const char *name, char path[1024]);

/* -- figures; `what` is one line with the unit. A figure outside its bound is missed, and the command then fails. -- */

/* Checks that `ours` is within `bound` (relative) of `expected`. */
void weft_record_figure(weft_record *record, const char *what, double expected, double ours, double bound);
/* Checks that `ours` is from `low` to `high`. */
void weft_record_range(weft_record *record, const char *what, double low, double high, double ours);
/* Records a statement that holds or not, with both sides in words or numbers. */
void weft_record_claim(weft_record *record, const char *what, const char *published, const char *ours, int holds);
/* Records an intended difference from the published result, with the reason `why`. `as_expected` says whether the
 * difference is as the reason predicts; otherwise the figure is missed. */
void weft_record_differs(weft_record *record, const char *what, const char *published, const char *ours,
                         const char *why, int as_expected);

/* A figure at several resolutions, coarsest first. */
enum { WEFT_MOST_GRIDS = 4 };
typedef struct weft_refined {
    double expected[WEFT_MOST_GRIDS], ours[WEFT_MOST_GRIDS];
    int count;
} weft_refined;
void weft_refined_add(weft_refined *refined, double expected, double ours);
/* Checks convergence. `bound` (relative) applies to the last figure. Each figure must be closer than the previous one,
 * or within a fifth of the bound. Does nothing for a single figure. */
void weft_record_converges(weft_record *record, const char *what, const weft_refined *refined, double bound);

/* A figure that depends on the start, from several starts. */
enum { WEFT_MOST_STARTS = 6 };
typedef struct weft_sample {
    double value[WEFT_MOST_STARTS];
    int count;
} weft_sample;
double weft_sample_mean(const weft_sample *sample);
double weft_sample_deviation(const weft_sample *sample); /* standard deviation, with count - 1 */
/* Checks that two means differ by at most `bound`, or by what their spread explains: the 95 % limit of Student's t
 * test. Both samples have the same count, at least 2. Records means, standard deviations and the difference. */
void weft_record_same_mean(weft_record *record, const char *what, const weft_sample *a, const weft_sample *b,
                           double bound);

/* A figure without an expected value. */
void weft_record_value(weft_record *record, const char *what, double ours);

/* -- the rest of the page -- */

void weft_record_note(weft_record *record, const char *format, ...) WEFT_PRINTF(2, 3);
/* Writes "DIRECTORY/NAME" and adds it to the page. */
weft_result weft_record_plot(weft_record *record, const char *name, const weft_plot *plot);
/* The page gets a smaller version with a palette. */
weft_result weft_record_picture(weft_record *record, const char *name, const weft_picture *picture,
                                const char *caption);

/* -- for the page -- */

typedef struct weft_verdicts {
    int ok, differs, missed, values;
} weft_verdicts;
weft_verdicts weft_record_verdicts(const weft_record *record);
/* HTML of everything recorded so far, valid until the next call. Fails only if memory is exhausted. */
weft_result weft_record_html(weft_record *record, const char **html);

#endif
