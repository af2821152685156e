#include "apps/cli/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/say.h"
#include "weft/text.h"

weft_table *weft_table_create(int columns) {
    weft_table *table = calloc(1, sizeof *table);
    if (table)
        table->columns = columns < WEFT_TABLE_COLUMNS ? columns : WEFT_TABLE_COLUMNS;
    return table;
}

void weft_table_add(weft_table *table, const char *const *cells) {
    if (table->rows == WEFT_TABLE_ROWS)
        return;
    for (int i = 0; i < table->columns; i++)
        snprintf(table->cell[table->rows][i], WEFT_TABLE_CELL, "%s", cells[i]);
    table->rows++;
}

static int column_width(const weft_table *table, int column) {
    int width = 0;
    for (int row = 0; row < table->rows; row++) {
        int length = (int)strlen(table->cell[row][column]);
        width = length > width ? length : width;
    }
    return width;
}

void weft_table_print(const weft_table *table, int indent) {
    int width[WEFT_TABLE_COLUMNS] = {0};
    for (int i = 0; i < table->columns; i++)
        width[i] = column_width(table, i);
    for (int row = 0; row < table->rows; row++) {
        printf("%*s", indent, "");
        for (int i = 0; i < table->columns; i++) {
            /* the last column is not padded; empty columns take no space */
            if (i == table->columns - 1)
                weft_say("%s", table->cell[row][i]);
            else if (width[i] > 0)
                weft_say("%-*s  ", width[i], table->cell[row][i]);
        }
        printf("\n");
    }
}

static void print_cell(const char *text) {
    for (printf("| "); *text; text++)
        printf(strchr("|<*_", *text) ? "\\%c" : "%c", *text);
    printf(" ");
}

void weft_table_print_markdown(const weft_table *table) {
    for (int row = 0; row < table->rows; row++) {
        for (int i = 0; i < table->columns; i++)
            print_cell(table->cell[row][i]);
        printf("|\n");
        for (int i = 0; i < table->columns && row == 0; i++)
            printf(i + 1 < table->columns ? "| --- " : "| --- |\n");
    }
}

void weft_table_write_value(const weft_param *row, const void *settings, char *text, size_t size) {
    weft_param_write(row, settings, text, size);
    if (row->type == WEFT_REAL)
        weft_format(text, size, "%.5g", weft_real_parse(text, NULL));
}

const char *weft_param_type_name(weft_param_type type) {
    static const char *const NAMES[] = {"real", "int", "bool", "pair", "vector", "choice", "text", "map"};
    return NAMES[type];
}

static void write_number(double number, char *text, size_t size) {
    if (fabs(number) >= 1e300)
        snprintf(text, size, "%s", number < 0 ? "-inf" : "inf");
    else
        weft_format(text, size, "%g", number);
}

/* Writes "0 .. 1", ">0 .. 1" or the choices. */
static void write_range(const weft_param *row, char *text, size_t size) {
    char low[32], high[32];
    text[0] = '\0';
    if (row->type == WEFT_CHOICE) {
        for (int i = 0; row->choices[i]; i++) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s", i > 0 ? "|" : "", row->choices[i]);
        }
    } else if (row->type == WEFT_REAL || row->type == WEFT_INT || row->type == WEFT_PAIR || row->type == WEFT_MAP) {
        write_number(row->low, low, sizeof low);
        write_number(row->high, high, sizeof high);
        snprintf(text, size, "%s%s .. %s", row->flags & WEFT_OPEN_LOW ? ">" : "", low, high);
    }
}

/* Returns null if memory is exhausted. */
static weft_table *fill_params(const weft_param *params) {
    static const char *const HEADING[] = {"name", "type", "default", "range", "unit", "description"};
    weft_table *table = weft_table_create(6);
    if (!table)
        return NULL;
    weft_table_add(table, HEADING);
    for (const weft_param *row = params; row && row->name; row++) {
        char range[WEFT_TABLE_CELL];
        write_range(row, range, sizeof range);
        const char *cells[] = {row->name, weft_param_type_name(row->type), row->fallback, range, row->unit, row->help};
        weft_table_add(table, cells);
    }
    return table;
}

weft_result weft_table_print_params(const weft_param *params, const char *before) {
    weft_table *table = fill_params(params);
    if (!table)
        return weft_fail_memory("a table", sizeof *table);
    if (table->rows > 1) {
        printf("%s", before);
        weft_table_print(table, 2);
    }
    free(table);
    return weft_ok();
}

weft_result weft_table_print_params_markdown(const weft_param *params) {
    weft_table *table = fill_params(params);
    if (!table)
        return weft_fail_memory("a table", sizeof *table);
    if (table->rows > 1) {
        weft_table_print_markdown(table);
        printf("\n");
    }
    free(table);
    return weft_ok();
}
