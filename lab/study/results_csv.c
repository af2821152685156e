/* results.csv, columns.csv and timings.csv: RFC 4180, with a line of names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "lab/study/results.h"

enum { CELL = 4096 };

static void put_cell(weft_text *text, const char *cell) {
    if (!strpbrk(cell, ",\"\r\n")) {
        weft_text_put(text, cell);
        return;
    }
    weft_text_put_char(text, '"');
    for (; *cell; cell++) {
        if (*cell == '"')
            weft_text_put_char(text, '"');
        weft_text_put_char(text, *cell);
    }
    weft_text_put_char(text, '"');
}

/* Opens a file with a buffer, which weft_text is too large for the stack of. */
static weft_result open_text(const char *path, weft_output *output, weft_text **text) {
    *text = malloc(sizeof **text);
    if (!*text)
        return weft_fail_memory(path, sizeof **text);
    weft_result result = weft_output_open(output, path);
    if (result.code == WEFT_OK)
        weft_text_start(*text, output);
    else
        free(*text);
    return result;
}

static weft_result close_text(weft_output *output, weft_text *text, weft_result result) {
    if (result.code == WEFT_OK)
        weft_text_flush(text);
    free(text);
    if (result.code == WEFT_OK)
        return weft_output_commit(output);
    weft_output_discard(output);
    return result;
}

static weft_result put_row(weft_text *text, const weft_results *results, int64_t index, int columns) {
    char cell[CELL];
    int is_number;
    for (int c = 0; c < columns; c++) {
        WEFT_TRY(weft_results_cell(results, index, c, cell, sizeof cell, &is_number));
        if (c > 0)
            weft_text_put_char(text, ',');
        put_cell(text, cell);
    }
    weft_text_put_char(text, '\n');
    return weft_ok();
}

weft_result weft_results_write_csv(const weft_results *results, const char *path) {
    weft_output output;
    weft_text *text;
    int columns = weft_results_column_count(results->study);
    WEFT_TRY(open_text(path, &output, &text));
    for (int c = 0; c < columns; c++) {
        weft_column column = weft_results_column(results->study, c);
        if (c > 0)
            weft_text_put_char(text, ',');
        put_cell(text, column.name);
    }
    weft_text_put_char(text, '\n');
    weft_result result = weft_ok();
    for (int64_t i = 0; i < results->study->case_count && result.code == WEFT_OK; i++)
        if (results->row[i].is_done)
            result = put_row(text, results, i, columns);
    return close_text(&output, text, result);
}

weft_result weft_results_write_columns(const weft_study *study, const char *path) {
    weft_output output;
    weft_text *text;
    WEFT_TRY(open_text(path, &output, &text));
    weft_text_put(text, "name,unit,kind,meaning\n");
    for (int c = 0; c < weft_results_column_count(study); c++) {
        weft_column column = weft_results_column(study, c);
        put_cell(text, column.name);
        weft_text_put_char(text, ',');
        put_cell(text, column.unit);
        weft_text_put_char(text, ',');
        put_cell(text, column.kind);
        weft_text_put_char(text, ',');
        put_cell(text, column.meaning);
        weft_text_put_char(text, '\n');
    }
    return close_text(&output, text, weft_ok());
}

weft_result weft_results_write_timings(const weft_results *results, const char *path) {
    weft_output output;
    weft_text *text;
    WEFT_TRY(open_text(path, &output, &text));
    weft_text_put(text, "case,cpu_seconds,wall_seconds,host\n");
    for (int64_t i = 0; i < results->study->case_count; i++) {
        const weft_row *row = &results->row[i];
        if (!row->is_done)
            continue;
        weft_text_put_integer(text, i);
        weft_text_put_char(text, ',');
        weft_text_put_real(text, row->cpu_seconds);
        weft_text_put_char(text, ',');
        weft_text_put_real(text, row->wall_seconds);
        weft_text_put_char(text, ',');
        put_cell(text, results->host[row->host]);
        weft_text_put_char(text, '\n');
    }
    return close_text(&output, text, weft_ok());
}
