/* Self-contained pages: text, tables, plots and pictures in one HTML file. */
#ifndef WEFT_LAB_TEXTILE_TEST_PAGE_H
#define WEFT_LAB_TEXTILE_TEST_PAGE_H

#include "io/file.h"
#include "io/plot.h"
#include "render/render.h"

typedef struct weft_lab_page {
    weft_output out;
    const char *folder; /* also receives the plots and pictures as files */
} weft_lab_page;

/* Opens FOLDER/index.html. The folder must exist and its name outlive the page. */
weft_result weft_lab_page_open(weft_lab_page *page, const char *folder, const char *title);
/* A heading, a paragraph, or a row of a table whose cells are separated by |. Escapes what HTML needs. */
void weft_lab_page_heading(weft_lab_page *page, const char *text);
void weft_lab_page_text(weft_lab_page *page, const char *format, ...) WEFT_PRINTF(2, 3);
void weft_lab_page_warning(weft_lab_page *page, const char *format, ...) WEFT_PRINTF(2, 3);
void weft_lab_page_table(weft_lab_page *page, const char *header);
void weft_lab_page_row(weft_lab_page *page, const char *format, ...) WEFT_PRINTF(2, 3);
void weft_lab_page_end_table(weft_lab_page *page);
/* Write FOLDER/NAME and put it on the page. */
weft_result weft_lab_page_plot(weft_lab_page *page, const char *name, const weft_plot *plot);
weft_result weft_lab_page_picture(weft_lab_page *page, const char *name, const weft_picture *picture,
                                  const char *caption);
weft_result weft_lab_page_close(weft_lab_page *page);
void weft_lab_page_discard(weft_lab_page *page);

/* "FOLDER/NAME" */
weft_result weft_lab_path(const char *folder, const char *name, char path[1024]);

#endif
