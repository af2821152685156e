/* Tables of numbers with a header: the curves of instruments, marker trajectories and point clouds.
 *
 * The first line names the columns, each with its unit: "time (s), vertex, x (mm), y (mm), z (mm)". The other lines
 * have one number per column. Cells are separated by commas, semicolons or tabs. A comment starts with #. */
#ifndef WEFT_IO_COLUMNS_H
#define WEFT_IO_COLUMNS_H

#include "io/cells.h"
#include "weft/base.h"

typedef struct weft_columns {
    char name[WEFT_MOST_CELLS][WEFT_CELL_SIZE], unit[WEFT_MOST_CELLS][WEFT_CELL_SIZE];
    int count, header_line; /* from 1 */
    int64_t rows;
    double *value; /* (rows x count) */
    char path[256];
} weft_columns;

weft_result weft_columns_read(const char *path, weft_columns *columns);
/* The same from memory. `path` is used in messages. */
weft_result weft_columns_parse(const char *bytes, size_t size, const char *path, weft_columns *columns);
void weft_columns_clear(weft_columns *columns); /* a zeroed table is allowed */

/* The column that has one of the names (null-terminated, lower case), and the factor from its unit to `unit`. Fails if
 * there is none, or if its unit is missing or of another kind. Where `unit` is "", a column without one has plain
 * numbers. */
weft_result weft_columns_find(const weft_columns *columns, const char *const *names, const char *unit, int *column,
                              double *factor);
/* The factor from a unit as instruments write it ("gf.cm/cm", "%", "1/cm") to an SI unit. Returns 0 if it is of another
 * kind. */
int weft_unit_factor(const char *unit, const char *si, double *factor);

#endif
