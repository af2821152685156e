/* Text in columns. */
#ifndef WEFT_CLI_TABLE_H
#define WEFT_CLI_TABLE_H

#include "weft/param.h"

enum { WEFT_TABLE_COLUMNS = 16, WEFT_TABLE_ROWS = 128, WEFT_TABLE_CELL = 160 };

/* Cells beyond the limits are left out. */
typedef struct weft_table {
    int rows, columns;
    char cell[WEFT_TABLE_ROWS][WEFT_TABLE_COLUMNS][WEFT_TABLE_CELL];
} weft_table;

/* Starts a table of that many columns; null when memory is out. free() it. */
weft_table *weft_table_create(int columns);
void weft_table_add(weft_table *table, const char *const *cells);
/* With the columns as wide as their widest cell, indented by `indent` spaces. */
void weft_table_print(const weft_table *table, int indent);

/* As Markdown, the first row as its heading. */
void weft_table_print_markdown(const weft_table *table);

/* A parameter's value to five digits: converted units have more than they know. */
void weft_table_write_value(const weft_param *row, const void *settings, char *text, size_t size);

/* The rows of a parameter table: name, type, default, range, unit, help. */
weft_result weft_table_print_params(const weft_param *params, const char *before);
weft_result weft_table_print_params_markdown(const weft_param *params);

#endif
