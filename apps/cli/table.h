/* Text in columns. */
#ifndef WEFT_APPS_CLI_TABLE_H
#define WEFT_APPS_CLI_TABLE_H

#include "weft/param.h"

enum { WEFT_TABLE_COLUMNS = 16, WEFT_TABLE_ROWS = 128, WEFT_TABLE_CELL = 320 };

/* Cells beyond these limits are dropped. */
typedef struct weft_table {
    int rows, columns;
    char cell[WEFT_TABLE_ROWS][WEFT_TABLE_COLUMNS][WEFT_TABLE_CELL];
} weft_table;

/* Creates a table; null if memory is exhausted. Release it with free(). */
weft_table *weft_table_create(int columns);
void weft_table_add(weft_table *table, const char *const *cells);
/* Each column is as wide as its widest cell. Rows are indented by `indent` spaces. */
void weft_table_print(const weft_table *table, int indent);

/* Prints Markdown; the first row is the heading. */
void weft_table_print_markdown(const weft_table *table);

/* Writes a value with five digits, because unit conversion adds meaningless ones. */
void weft_table_write_value(const weft_param *row, const void *settings, char *text, size_t size);

/* "real", "int", "bool", "pair", "vector", "choice", "text" or "map" */
const char *weft_param_type_name(weft_param_type type);

/* Prints a parameter table: name, type, default, range, unit, description. */
weft_result weft_table_print_params(const weft_param *params, const char *before);
weft_result weft_table_print_params_markdown(const weft_param *params);

#endif
