/* Lines of tables as instruments and spreadsheets write them: cells between commas, semicolons or tabs. */
#ifndef WEFT_IO_CELLS_H
#define WEFT_IO_CELLS_H

#include <stddef.h>

enum { WEFT_MOST_CELLS = 24, WEFT_CELL_SIZE = 96 };

typedef struct weft_cells {
    char text[WEFT_MOST_CELLS][WEFT_CELL_SIZE]; /* without spaces and quotes around them */
    int count;
    char separator; /* ',', ';', '\t', or ' ' for a line without any of them */
} weft_cells;

/* Splits the line at `*at` and moves `*at` behind it. Returns 0 at the end of the text. A comment from # to the end of
 * the line is dropped; a line without cells has the count 0. Cells beyond the limits are cut off; `*cut` is then 1. */
int weft_cells_next(const char **at, const char *end, weft_cells *cells, int *cut);
/* Reads a cell as a number. Between semicolons or tabs, a decimal comma is allowed. Returns 0 if it is no number. */
int weft_cell_number(const weft_cells *cells, int index, double *number);
/* Splits "tension (gf/cm)" or "tension [gf/cm]" into a name in lower case and a unit, which may be "". */
void weft_cell_unit(const char *cell, char name[WEFT_CELL_SIZE], char unit[WEFT_CELL_SIZE]);

#endif
