/* The parts of the page of a study. Each writes HTML with SVG pictures, without scripts. */
#ifndef WEFT_LAB_STUDY_PAGE_PARTS_H
#define WEFT_LAB_STUDY_PAGE_PARTS_H

#include "io/file.h"
#include "lab/study/results.h"

enum { WEFT_PAGE_PARAMETERS = 12, WEFT_PAGE_FIGURES = 16 }; /* shown in plots; the table has all */

typedef struct weft_page {
    weft_output *out;
    const weft_study *study;
    const weft_results *results;
    const char *folder;
    double *low, *high, *mean; /* of each figure over the good cases; not a number if there is none (figure_count) */
    int64_t *count;            /* of values (figure_count) */
} weft_page;

/* Escaped text. */
void weft_page_text(const weft_page *page, const char *text);
/* The name of a parameter, its last two parts if it is a path: "fabric.density". */
const char *weft_page_name(const weft_parameter *parameter);
/* A figure of a case that is finished and good; otherwise not a number. */
double weft_page_value(const weft_page *page, int64_t index, int figure);
/* A colour of a scale from 0 (dark blue) to 1 (yellow), as "#rrggbb". */
void weft_page_color(double share, char color[8]);
/* Three significant digits. */
void weft_page_number(double number, char text[32]);

void weft_page_lines(const weft_page *page);     /* figures over parameters */
void weft_page_heat_maps(const weft_page *page); /* figures over pairs of parameters */
void weft_page_parallel(const weft_page *page);  /* parallel coordinates */
weft_result weft_page_sensitivity(const weft_page *page);
weft_result weft_page_thumbnails(const weft_page *page);
weft_result weft_page_table(const weft_page *page);

#endif
