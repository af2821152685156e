#include "io/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "weft/param.h"

static const int64_t MOST_BYTES = (int64_t)1 << 28;
enum { START = 256 };

/* -- units -- */

/* Units of instruments that a scene does not use. */
static const struct instrument_unit {
    const char *name, *si;
    double factor;
} UNITS[] = {
    {"%", "", 0.01},
    {"percent", "", 0.01},
    {"1/m", "1/m", 1},
    {"1/cm", "1/m", 100},
    {"cm-1", "1/m", 100},
    {"cm^-1", "1/m", 100},
    {"N", "N", 1},
    {"N m/m", "N", 1},
    {"gf cm/cm", "N", 9.80665e-3},
    {"gfcm/cm", "N", 9.80665e-3},
    {"cN cm/cm", "N", 1e-2},
    {"cN/cm", "N/m", 1},
    {"cN cm2/cm", "N m", 1e-4},
    {"gf cm2/cm", "N m", 9.80665e-5},
    {"gfcm2/cm", "N m", 9.80665e-5},
    {"uN m", "N m", 1e-6},
    {"cN/(cm degree)", "N/(m rad)", 57.29577951308232},
    {"cN/(cm deg)", "N/(m rad)", 57.29577951308232},
    {"cN/cm degree", "N/(m rad)", 57.29577951308232},
    {"cN/cm deg", "N/(m rad)", 57.29577951308232},
    {"degree", "rad", 0.017453292519943295},
    {"degrees", "rad", 0.017453292519943295},
};

/* Dots between units, superscript digits and the signs for micro become what the table has. */
static void tidy(const char *unit, char out[WEFT_CELL_SIZE]) {
    static const char *const FROM[] = {"·", "²", "µ", "μ", "°", "."};
    static const char *const TO[] = {" ", "2", "u", "u", "degree", " "};
    size_t used = 0;
    while (*unit && used + 8 < WEFT_CELL_SIZE) {
        size_t k = 0;
        while (k < 6 && strncmp(unit, FROM[k], strlen(FROM[k])) != 0)
            k++;
        if (k < 6) {
            memcpy(out + used, TO[k], strlen(TO[k]));
            used += strlen(TO[k]);
            unit += strlen(FROM[k]);
        } else
            out[used++] = *unit++;
    }
    out[used] = '\0';
}

int weft_unit_factor(const char *unit, const char *si, double *factor) {
    char plain[WEFT_CELL_SIZE], text[WEFT_CELL_SIZE + 2];
    tidy(unit, plain);
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        if (strcmp(UNITS[i].name, plain) == 0 && strcmp(UNITS[i].si, si) == 0) {
            *factor = UNITS[i].factor;
            return 1;
        }
    snprintf(text, sizeof text, "1 %s", plain);
    return plain[0] && weft_number_read(text, si, factor).code == WEFT_OK;
}

/* -- reading -- */

static weft_result grow(weft_columns *c, int64_t *room) {
    if (c->rows < *room)
        return weft_ok();
    *room = *room > 0 ? 2 * *room : START;
    double *grown = realloc(c->value, (size_t)*room * (size_t)c->count * sizeof *grown);
    if (!grown)
        return weft_fail_memory("a table", (size_t)*room * (size_t)c->count * sizeof *grown);
    c->value = grown;
    return weft_ok();
}

static weft_result read_header(weft_columns *c, const weft_cells *cells, int line) {
    double number;
    for (int i = 0; i < cells->count; i++)
        if (!cells->text[i][0] || weft_cell_number(cells, i, &number))
            return weft_fail(WEFT_BAD_INPUT, "%s:%d: '%.60s' is not the name of a column; the first line names all",
                             c->path, line, cells->text[i]);
    c->count = cells->count;
    c->header_line = line;
    for (int i = 0; i < cells->count; i++)
        weft_cell_unit(cells->text[i], c->name[i], c->unit[i]);
    return weft_ok();
}

static weft_result read_row(weft_columns *c, const weft_cells *cells, int line, int64_t *room) {
    if (cells->count != c->count)
        return weft_fail(WEFT_BAD_INPUT, "%s:%d: has %d cells, but the first line names %d columns", c->path, line,
                         cells->count, c->count);
    WEFT_TRY(grow(c, room));
    for (int i = 0; i < c->count; i++)
        if (!weft_cell_number(cells, i, &c->value[c->rows * c->count + i]))
            return weft_fail(WEFT_BAD_INPUT, "%s:%d: %s: '%.60s' is not a number", c->path, line, c->name[i],
                             cells->text[i]);
    c->rows++;
    return weft_ok();
}

static weft_result parse(const char *bytes, size_t size, weft_columns *c) {
    const char *at = bytes, *end = bytes + size;
    weft_cells cells;
    int64_t room = 0;
    int line = 0, cut;
    while (weft_cells_next(&at, end, &cells, &cut)) {
        line++;
        if (cut)
            return weft_fail(WEFT_BAD_INPUT, "%s:%d: more than %d cells, or a cell of more than %d bytes", c->path,
                             line, WEFT_MOST_CELLS, WEFT_CELL_SIZE - 1);
        if (cells.count == 0)
            continue;
        WEFT_TRY(c->count == 0 ? read_header(c, &cells, line) : read_row(c, &cells, line, &room));
    }
    return c->rows > 0 ? weft_ok() : weft_fail(WEFT_BAD_INPUT, "%s: has no numbers", c->path);
}

weft_result weft_columns_parse(const char *bytes, size_t size, const char *path, weft_columns *columns) {
    *columns = (weft_columns){0};
    snprintf(columns->path, sizeof columns->path, "%s", path);
    weft_result result = parse(bytes, size, columns);
    if (result.code != WEFT_OK)
        weft_columns_clear(columns);
    return result;
}

weft_result weft_columns_read(const char *path, weft_columns *columns) {
    char *bytes;
    size_t size;
    *columns = (weft_columns){0};
    WEFT_TRY(weft_file_read_most(path, MOST_BYTES, &bytes, &size));
    weft_result result = weft_columns_parse(bytes, size, path, columns);
    free(bytes);
    return result;
}

void weft_columns_clear(weft_columns *columns) {
    free(columns->value);
    columns->value = NULL;
    columns->rows = 0;
}

/* -- columns by name -- */

/* A unit that instruments use for a quantity, for messages. */
static const char *usual_unit(const char *si) {
    static const char *const USUAL[][2] = {
        {"rad", "degree"}, {"N/m", "gf/cm"}, {"1/m", "1/cm"}, {"N", "gf cm/cm"}, {"m", "mm"}};
    for (size_t i = 0; i < sizeof USUAL / sizeof USUAL[0]; i++)
        if (strcmp(USUAL[i][0], si) == 0)
            return USUAL[i][1];
    return si;
}

static weft_result find_factor(const weft_columns *c, int column, const char *unit, double *factor) {
    const char *name = c->name[column], *given = c->unit[column];
    *factor = 1;
    if (!given[0] && unit[0])
        return weft_fail(WEFT_BAD_INPUT, "%s:%d: column '%s' has no unit; the header needs one, such as %s (%s)",
                         c->path, c->header_line, name, name, usual_unit(unit));
    if (given[0] && !weft_unit_factor(given, unit, factor))
        return weft_fail(WEFT_BAD_INPUT, "%s: column %s: '%.40s' is not a unit of this kind; needs %s or an equivalent",
                         c->path, name, given, unit[0] ? unit : "a plain number or %");
    return weft_ok();
}

weft_result weft_columns_find(const weft_columns *columns, const char *const *names, const char *unit, int *column,
                              double *factor) {
    for (int i = 0; i < columns->count; i++)
        for (int k = 0; names[k]; k++)
            if (strcmp(columns->name[i], names[k]) == 0) {
                *column = i;
                return find_factor(columns, i, unit, factor);
            }
    return weft_fail(WEFT_BAD_INPUT, "%s: has no column '%s'", columns->path, names[0]);
}
