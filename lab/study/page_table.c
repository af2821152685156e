/* The table of cases and their pictures. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/html.h"
#include "lab/study/page_parts.h"
#include "lab/study/study_folder.h"
#include "render/render.h"
#include "weft/text.h"

enum { MOST_ROWS = 500, MOST_PICTURES = 60, PICTURE_WIDTH = 200 };

/* -- the table -- */

/* Long numbers are cut to six digits; results.csv has all of them. */
static void put_cell(const weft_page *page, const char *cell, int is_number) {
    char text[48];
    if (is_number && strlen(cell) > 9) {
        weft_format(text, sizeof text, "%.6g", weft_real_parse(cell, NULL));
        cell = text;
    }
    weft_output_print(page->out, is_number ? "<td class='number'>" : "<td>");
    weft_page_text(page, cell);
    weft_output_print(page->out, "</td>");
}

static weft_result put_row(const weft_page *page, int64_t index, int columns) {
    char cell[4096];
    int is_number;
    weft_output_print(page->out, page->results->row[index].status == WEFT_CASE_OK ? "<tr>" : "<tr class='failed'>");
    for (int c = 0; c < columns; c++) {
        WEFT_TRY(weft_results_cell(page->results, index, c, cell, sizeof cell, &is_number));
        put_cell(page, cell, is_number);
    }
    weft_output_print(page->out, "</tr>\n");
    return weft_ok();
}

weft_result weft_page_table(const weft_page *page) {
    int columns = weft_results_column_count(page->study), rows = 0;
    weft_output_print(page->out, "<h2 id='cases'>Cases</h2>\n<div class='scroll tall'><table class='cases'><tr>");
    for (int c = 0; c < columns; c++) {
        weft_column column = weft_results_column(page->study, c);
        weft_output_print(page->out, "<th title='");
        weft_page_text(page, column.meaning);
        weft_output_print(page->out, "'>");
        weft_page_text(page, column.name);
        weft_output_print(page->out, "<br><small>");
        weft_page_text(page, column.unit);
        weft_output_print(page->out, "</small></th>");
    }
    weft_output_print(page->out, "</tr>\n");
    for (int64_t i = 0; i < page->study->case_count && rows < MOST_ROWS; i++)
        if (page->results->row[i].is_done) {
            WEFT_TRY(put_row(page, i, columns));
            rows++;
        }
    weft_output_print(page->out, "</table></div>\n");
    if (rows < page->results->done)
        weft_output_print(page->out,
                          "<p class='note'>The first %d of %" PRId64 " cases; results.csv and results.sqlite have "
                          "all.</p>\n",
                          rows, page->results->done);
    return weft_ok();
}

/* -- pictures -- */

static weft_result put_picture(const weft_page *page, int64_t index, const char *path) {
    weft_picture picture = {0}, small = {0};
    char *png = NULL;
    size_t size = 0;
    WEFT_TRY(weft_picture_read_png(&picture, path));
    weft_result result = weft_ok();
    int shrinks = picture.width > PICTURE_WIDTH;
    if (shrinks)
        result = weft_picture_shrink(&picture, PICTURE_WIDTH, &small);
    if (result.code == WEFT_OK)
        result = weft_picture_encode_palette(shrinks ? &small : &picture, &png, &size);
    if (result.code == WEFT_OK) {
        weft_output_print(page->out, "<figure><img alt='case %" PRId64 "' src='data:image/png;base64,", index);
        weft_html_base64(page->out->file, png, size);
        weft_output_print(page->out, "'><figcaption>case %" PRId64, index);
        for (int p = 0; p < page->study->parameter_count && p < 4; p++) {
            char text[64] = "";
            (void)weft_study_value(page->study, index, p, 0, text, sizeof text);
            weft_output_print(page->out, "<br>");
            weft_page_text(page, weft_page_name(&page->study->parameter[p]));
            weft_output_print(page->out, " ");
            weft_page_text(page, text);
        }
        weft_output_print(page->out, "</figcaption></figure>\n");
    }
    free(png);
    weft_picture_destroy(&small);
    weft_picture_destroy(&picture);
    return result;
}

weft_result weft_page_thumbnails(const weft_page *page) {
    int64_t stride = (page->results->ok + MOST_PICTURES - 1) / MOST_PICTURES, seen = 0;
    if (!page->study->pictures || page->results->ok == 0)
        return weft_ok();
    weft_output_print(page->out, "<h2 id='pictures'>Pictures</h2>\n<div class='pictures'>\n");
    for (int64_t i = 0; i < page->study->case_count; i++) {
        char name[64], path[1100];
        if (!page->results->row[i].is_done || page->results->row[i].status != WEFT_CASE_OK || seen++ % stride != 0)
            continue;
        snprintf(name, sizeof name, "pictures/%06" PRId64 ".png", i);
        WEFT_TRY(weft_study_folder_file(page->folder, name, path, sizeof path));
        if (access(path, R_OK) == 0)
            WEFT_TRY(put_picture(page, i, path));
    }
    weft_output_print(page->out, "</div>\n");
    return weft_ok();
}
