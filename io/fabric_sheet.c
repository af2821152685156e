/* A sheet has one property per line: its name, its unit, and one value or one for warp and one for weft, in any order
 * that a header line ("property, unit, warp, weft") gives. Units are those of the instruments unless a line names
 * another. */
#include "io/fabric_sheet.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/columns.h"

static const int64_t MOST_BYTES = 1 << 20;
static const double KES_LOAD = 490.3325, FAST_LOAD = 98.0665; /* N/m: 500 and 100 gf/cm */

typedef enum property {
    WEIGHT,
    THICKNESS, /* KES: at 0.5 gf/cm2 */
    EMT,       /* KES: extension at 500 gf/cm */
    SHEAR_KES,
    BEND_KES,
    E100, /* FAST: extension at 100 gf/cm */
    E20,
    E5,
    EB5,    /* FAST: bias extension at 5 gf/cm */
    LENGTH, /* FAST: bending length */
    BEND_FAST,
    SHEAR_FAST,
    T2, /* FAST: thickness at 2 gf/cm2 */
    PROPERTIES,
    RECORDED /* kept as measured figures, but not used */
} property;

enum { KES = 1, FAST = 2, BOTH = 3 };
/* Names in lower case; `unit` is the unit of the instrument, `si` that of the value that is kept. */
static const struct row {
    const char *name;
    property what;
    int system;
    const char *unit, *si;
} ROWS[] = {{"w", WEIGHT, BOTH, "", "kg/m2"},
            {"weight", WEIGHT, BOTH, "", "kg/m2"},
            {"t", THICKNESS, KES, "mm", "m"},
            {"t0", THICKNESS, KES, "mm", "m"},
            {"to", THICKNESS, KES, "mm", "m"},
            {"thickness", THICKNESS, BOTH, "mm", "m"},
            {"emt", EMT, KES, "%", ""},
            {"em", EMT, KES, "%", ""},
            {"g", SHEAR_KES, KES, "gf/(cm degree)", "N/(m rad)"},
            {"b", BEND_KES, KES, "gf cm2/cm", "N m"},
            {"e100", E100, FAST, "%", ""},
            {"e20", E20, FAST, "%", ""},
            {"e5", E5, FAST, "%", ""},
            {"eb5", EB5, FAST, "%", ""},
            {"c", LENGTH, FAST, "mm", "m"},
            {"t2", T2, FAST, "mm", "m"},
            {"lt", RECORDED, KES, "", ""},
            {"wt", RECORDED, KES, "gf cm/cm2", ""},
            {"rt", RECORDED, KES, "%", ""},
            {"2hg", RECORDED, KES, "gf/cm", ""},
            {"2hg5", RECORDED, KES, "gf/cm", ""},
            {"2hb", RECORDED, KES, "gf cm/cm", ""},
            {"lc", RECORDED, KES, "", ""},
            {"wc", RECORDED, KES, "gf cm/cm2", ""},
            {"rc", RECORDED, KES, "%", ""},
            {"tm", RECORDED, KES, "mm", ""},
            {"miu", RECORDED, KES, "", ""},
            {"mmd", RECORDED, KES, "", ""},
            {"smd", RECORDED, KES, "um", ""},
            {"t100", RECORDED, FAST, "mm", ""},
            {"st", RECORDED, FAST, "mm", ""},
            {"t2r", RECORDED, FAST, "mm", ""},
            {"str", RECORDED, FAST, "mm", ""},
            {"f", RECORDED, FAST, "mm2", ""},
            {"rs", RECORDED, FAST, "%", ""},
            {"he", RECORDED, FAST, "%", ""},
            {"drape_coefficient", RECORDED, BOTH, "", ""},
            {"dc", RECORDED, BOTH, "", ""}};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

enum { WARP, WEFT, SIDES };
typedef struct sheet {
    weft_fabric_file *file;
    const char *path;
    int system;                      /* KES or FAST, 0: not known yet */
    double value[PROPERTIES][SIDES]; /* SI; NAN: not on the sheet */
    int column[SIDES], unit_column;  /* of the header; -1: none */
} sheet;

/* -- one line -- */

/* "B-1" and "B (warp)" -> "b" and WARP. FAST numbers the directions: 1 is the warp. Returns -1 for no direction. */
static int side_of(char *name) {
    static const struct {
        const char *ending;
        int side;
    } ENDINGS[] = {{"-1", WARP},    {"-2", WEFT},    {"_warp", WARP}, {"_weft", WEFT}, {"-warp", WARP},
                   {"-weft", WEFT}, {" warp", WARP}, {" weft", WEFT}, {"1", WARP},     {"2", WEFT}};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ENDINGS / sizeof ENDINGS[0]; i++) {
        size_t size = strlen(ENDINGS[i].ending);
        int digit = size == 1; /* "B1", but not "T2" and "EB5" */
        if (length <= size || strcmp(name + length - size, ENDINGS[i].ending) != 0 || (digit && length != 2) ||
            (digit && name[0] != 'b' && name[0] != 'c' && name[0] != 'g' && name[0] != 'f'))
            continue;
        name[length - size] = '\0';
        return ENDINGS[i].side;
    }
    return -1;
}

static const struct row *find_row(const char *name) {
    for (int i = 0; i < ROW_COUNT; i++)
        if (strcmp(ROWS[i].name, name) == 0)
            return &ROWS[i];
    return NULL;
}

/* B and G are on both kinds of sheet, in other units. */
static struct row settle(const sheet *s, const struct row *row) {
    struct row settled = *row;
    if (s->system == FAST && row->what == BEND_KES)
        settled = (struct row){"b", BEND_FAST, FAST, "uN m", "N m"};
    if (s->system == FAST && row->what == SHEAR_KES)
        settled = (struct row){"g", SHEAR_FAST, FAST, "N/m", "N/(m rad)"};
    if (row->what == WEIGHT)
        settled.unit = s->system == FAST ? "g/m2" : "mg/cm2";
    return settled;
}

static weft_result fail_at(const sheet *s, int line, const char *name, const char *what) {
    return weft_fail(WEFT_BAD_INPUT, "%.200s:%d: %.40s: %s", s->path, line, name, what);
}

/* A property of a direction has one line. */
static int is_given(const sheet *s, const struct row *row, int side, const char *key) {
    if (row->what != RECORDED)
        return !isnan(s->value[row->what][side < 0 ? WARP : side]) || (side < 0 && !isnan(s->value[row->what][WEFT]));
    for (int i = 0; i < s->file->measured_count; i++)
        if (strcmp(s->file->measured[i].key, key) == 0)
            return 1;
    return 0;
}

static weft_result convert(sheet *s, int line, const struct row *row, int side, double number, const char *unit) {
    double factor = 1;
    char message[200];
    snprintf(message, sizeof message, "'%.40s' is not a unit of this kind; needs %s or an equivalent", unit, row->unit);
    if (!weft_unit_factor(unit, row->si, &factor))
        return fail_at(s, line, row->name, message);
    snprintf(message, sizeof message, "%g is not a positive number", number);
    if (!(number > 0))
        return fail_at(s, line, row->name, message);
    for (int k = 0; k < SIDES; k++)
        if (side < 0 || side == k)
            s->value[row->what][k] = number * factor;
    return weft_ok();
}

static weft_result put(sheet *s, int line, const struct row *row, int side, double number, const char *unit) {
    char key[64];
    unit = unit[0] ? unit : row->unit;
    snprintf(key, sizeof key, side < 0 ? "%s" : "%s_%s", row->name, side == WARP ? "warp" : "weft");
    if (is_given(s, row, side, key))
        return fail_at(s, line, row->name, "was given before; a sheet has one line per property and direction");
    if (row->what != RECORDED)
        WEFT_TRY(convert(s, line, row, side, number, unit));
    weft_fabric_file_note(s->file->measured, &s->file->measured_count, key, "%g%s%s", number, unit[0] ? " " : "", unit);
    return weft_ok();
}

static int lower_equals(const char *cell, const char *word) {
    for (; *cell && *word; cell++, word++)
        if (tolower((unsigned char)*cell) != *word)
            return 0;
    return *cell == *word;
}

/* A line that names the columns of warp and weft. */
static int is_header(sheet *s, const weft_cells *cells) {
    int column[SIDES] = {-1, -1}, unit = -1;
    for (int i = 1; i < cells->count; i++) {
        column[WARP] = lower_equals(cells->text[i], "warp") ? i : column[WARP];
        column[WEFT] = lower_equals(cells->text[i], "weft") ? i : column[WEFT];
        unit = lower_equals(cells->text[i], "unit") || lower_equals(cells->text[i], "units") ? i : unit;
    }
    if (column[WARP] < 0 && column[WEFT] < 0)
        return 0;
    memcpy(s->column, column, sizeof column);
    s->unit_column = unit;
    return 1;
}

/* "4..2" and "nan" are mistaken numbers, not units. */
static int looks_like_number(const char *cell) {
    const char *first = cell + strspn(cell, "+-.");
    return isdigit((unsigned char)*first) || lower_equals(first, "nan") || lower_equals(first, "inf");
}

/* The unit is in brackets after the name, in the unit column, or in the first cell that is no number. Returns the
 * column of its cell, or -1. */
static int find_unit(const sheet *s, const weft_cells *cells, char unit[WEFT_CELL_SIZE]) {
    double number;
    if (unit[0])
        return s->unit_column;
    for (int i = 1; i < cells->count; i++) {
        const char *cell = cells->text[i];
        if ((s->unit_column >= 0 && i != s->unit_column) || !cell[0] || weft_cell_number(cells, i, &number) ||
            looks_like_number(cell))
            continue;
        strcpy(unit, strcmp(cell, "-") == 0 ? "" : cell);
        return i;
    }
    return s->unit_column;
}

/* Refuses a cell for a value that is no number. Empty cells and "-" are allowed. Other columns than those that a header
 * names may have remarks. */
static weft_result check_cells(const sheet *s, const weft_cells *cells, int line, int side, int unit_column) {
    int has_columns = side < 0 && (s->column[WARP] >= 0 || s->column[WEFT] >= 0);
    double number;
    for (int i = 1; i < cells->count; i++) {
        const char *cell = cells->text[i];
        int is_named = i == s->column[WARP] || i == s->column[WEFT];
        if (i == unit_column || (has_columns && !is_named) || !cell[0] || strcmp(cell, "-") == 0 ||
            weft_cell_number(cells, i, &number))
            continue;
        return weft_fail(WEFT_BAD_INPUT, "%.200s:%d: %.40s: '%.60s' is not a number", s->path, line, cells->text[0],
                         cell);
    }
    return weft_ok();
}

static weft_result read_values(sheet *s, const weft_cells *cells, int line, const struct row *row, int side,
                               const char *unit) {
    double number[WEFT_MOST_CELLS];
    int count = 0;
    if (side < 0 && (s->column[WARP] >= 0 || s->column[WEFT] >= 0)) {
        for (int k = 0; k < SIDES; k++)
            if (s->column[k] >= 0 && weft_cell_number(cells, s->column[k], &number[0])) {
                WEFT_TRY(put(s, line, row, k, number[0], unit));
                count++;
            }
        if (count > 0)
            return weft_ok();
    }
    for (int i = 1; i < cells->count; i++)
        count += weft_cell_number(cells, i, &number[count]);
    if (count == 0)
        return fail_at(s, line, row->name, "has no value");
    if (count == 1 || side >= 0)
        return put(s, line, row, side, number[0], unit);
    for (int k = 0; k < SIDES; k++) /* warp first, as on the sheets of both instruments */
        WEFT_TRY(put(s, line, row, k, number[k], unit));
    return weft_ok();
}

static int has_number(const weft_cells *cells) {
    double number;
    for (int i = 1; i < cells->count; i++)
        if (weft_cell_number(cells, i, &number))
            return 1;
    return 0;
}

static weft_result read_line(sheet *s, const weft_cells *cells, int line) {
    char name[WEFT_CELL_SIZE], unit[WEFT_CELL_SIZE];
    if (is_header(s, cells))
        return weft_ok();
    weft_cell_unit(cells->text[0], name, unit);
    int direction = lower_equals(unit, "warp") ? WARP : lower_equals(unit, "weft") ? WEFT : -1;
    if (direction >= 0)
        unit[0] = '\0';
    const struct row *row = find_row(name);
    int side = row ? -1 : side_of(name);
    side = direction >= 0 ? direction : side;
    row = row ? row : find_row(name);
    if (strcmp(name, "sample") == 0 || strcmp(name, "fabric") == 0 || strcmp(name, "name") == 0) {
        if (cells->count > 1)
            snprintf(s->file->help, sizeof s->file->help, "%s", cells->text[1]);
        return weft_ok();
    }
    if (!row && !has_number(cells)) /* the date, the operator, a title */
        return weft_ok();
    if (!row)
        return fail_at(s, line, cells->text[0],
                       "unknown property; a line without numbers is a remark, and # starts a comment");
    struct row settled = settle(s, row);
    int unit_column = find_unit(s, cells, unit);
    WEFT_TRY(check_cells(s, cells, line, side, unit_column));
    return read_values(s, cells, line, &settled, side, unit);
}

/* -- the sheet -- */

typedef weft_result (*line_reader)(sheet *s, const weft_cells *cells, int line);

static weft_result each_line(sheet *s, const char *bytes, size_t size, line_reader read) {
    const char *at = bytes, *end = bytes + size;
    weft_cells cells;
    int cut;
    for (int line = 1; weft_cells_next(&at, end, &cells, &cut); line++) {
        if (cut)
            return weft_fail(WEFT_BAD_INPUT, "%.200s:%d: more than %d cells, or a cell of more than %d bytes", s->path,
                             line, WEFT_MOST_CELLS, WEFT_CELL_SIZE - 1);
        if (cells.count > 0 && cells.text[0][0])
            WEFT_TRY(read(s, &cells, line));
    }
    return weft_ok();
}

/* Only one of the instruments has these properties. */
static weft_result recognise(sheet *s, const weft_cells *cells, int line) {
    char name[WEFT_CELL_SIZE], unit[WEFT_CELL_SIZE];
    weft_cell_unit(cells->text[0], name, unit);
    const struct row *row = find_row(name);
    if (!row && side_of(name) >= 0)
        row = find_row(name);
    if (!row || !has_number(cells) || row->system == BOTH || row->what == BEND_KES || row->what == SHEAR_KES)
        return weft_ok();
    if (s->system != 0 && s->system != row->system)
        return fail_at(s, line, row->name,
                       row->system == FAST ? "is of FAST, but lines before it are of KES-F"
                                           : "is of KES-F, but lines before it are of FAST");
    s->system = row->system;
    return weft_ok();
}

static double given(const sheet *s, property what, int side) { return s->value[what][side]; }

/* The tensile stiffness is the secant modulus at the load of the instrument, or at the largest one on the sheet. */
static double stretch(const sheet *s, int side) {
    if (!isnan(given(s, EMT, side)))
        return KES_LOAD / given(s, EMT, side);
    if (!isnan(given(s, E100, side)))
        return FAST_LOAD / given(s, E100, side);
    if (!isnan(given(s, E20, side)))
        return 0.2 * FAST_LOAD / given(s, E20, side);
    return 0.05 * FAST_LOAD / given(s, E5, side);
}

/* FAST: B = w c^3, with the weight per area w (Peirce). */
static double bend(const sheet *s, int side, double density) {
    if (!isnan(given(s, BEND_KES, side)))
        return given(s, BEND_KES, side);
    if (!isnan(given(s, BEND_FAST, side)))
        return given(s, BEND_FAST, side);
    return density * 9.81 * pow(given(s, LENGTH, side), 3);
}

/* FAST: G = 123 / EB5 in N/m, with EB5 in %. */
static double shear(const sheet *s) {
    double kes = given(s, SHEAR_KES, WARP) + given(s, SHEAR_KES, WEFT);
    double fast = given(s, SHEAR_FAST, WARP) + given(s, SHEAR_FAST, WEFT);
    double bias = given(s, EB5, WARP) + given(s, EB5, WEFT);
    return !isnan(kes) ? 0.5 * kes : !isnan(fast) ? 0.5 * fast : 123 / (50 * bias);
}

typedef struct account {
    char from[512], assumed[512];
} account;

static void take(double found, double *value, const char *name, account *a) {
    char *list = isnan(found) ? a->assumed : a->from;
    size_t used = strlen(list);
    snprintf(list + used, sizeof a->from - used, "%s%s", used > 0 ? ", " : "", name);
    if (!isnan(found))
        *value = found;
}

static weft_result derive(sheet *s) {
    weft_fabric *f = &s->file->fabric;
    account a = {"", ""};
    weft_fabric_read(NULL, "fabric", f);
    double weight = given(s, WEIGHT, WARP), thick = given(s, s->system == FAST ? T2 : THICKNESS, WARP);
    thick = isnan(thick) ? given(s, THICKNESS, WARP) : thick;
    if (isnan(weight))
        return weft_fail(WEFT_BAD_INPUT, "%.200s: has no weight (W), which every fabric needs", s->path);
    take(weight, &f->density, "density", &a);
    take(thick, &f->thickness, "thickness", &a);
    take(stretch(s, WEFT), &f->stretch_weft, "stretch_weft", &a);
    take(stretch(s, WARP), &f->stretch_warp, "stretch_warp", &a);
    take(shear(s), &f->shear, "shear", &a);
    take(bend(s, WEFT, weight), &f->bend_weft, "bend_weft", &a);
    take(bend(s, WARP, weight), &f->bend_warp, "bend_warp", &a);
    /* Neither instrument measures the Poisson ratios. 0.2 is the geometric mean of the two. */
    f->poisson_weft = 0.2 * sqrt(f->stretch_weft / f->stretch_warp);
    f->poisson_warp = 0.2 * sqrt(f->stretch_warp / f->stretch_weft);
    snprintf(s->file->source, sizeof s->file->source,
             "%s sheet %.200s: %s. %s Assumed: %s%sPoisson ratios, damping, friction, drag, lift.",
             s->system == FAST ? "FAST" : "KES-F", s->path, a.from,
             s->system == FAST ? "Stretch is the secant modulus at 100 gf/cm (or the largest load on the sheet); shear "
                                 "is 123 N/m / EB5; bending without a value of its own is weight x bending length^3."
                               : "Stretch is the secant modulus at 500 gf/cm; shear is the mean of both directions.",
             a.assumed, a.assumed[0] ? ", " : "");
    return weft_fabric_check(f, s->path);
}

static weft_result parse(sheet *s, const char *bytes, size_t size) {
    WEFT_TRY(each_line(s, bytes, size, recognise));
    if (s->system == 0)
        return weft_fail(WEFT_BAD_INPUT,
                         "%.200s: neither a KES-F sheet (EMT, LT, 2HB, ...) nor a FAST sheet (E100, EB5, C, ...)",
                         s->path);
    WEFT_TRY(each_line(s, bytes, size, read_line));
    return derive(s);
}

weft_result weft_fabric_sheet_parse(const char *bytes, size_t size, const char *path, weft_fabric_file **file) {
    sheet s = {.path = path, .column = {-1, -1}, .unit_column = -1};
    *file = calloc(1, sizeof **file);
    if (!*file)
        return weft_fail_memory("a fabric", sizeof **file);
    s.file = *file;
    weft_fabric_name(path, s.file->name);
    for (int i = 0; i < PROPERTIES; i++)
        s.value[i][WARP] = s.value[i][WEFT] = NAN;
    weft_result result = parse(&s, bytes, size);
    if (result.code != WEFT_OK) {
        weft_fabric_file_destroy(*file);
        *file = NULL;
    }
    return result;
}

weft_result weft_fabric_sheet_read(const char *path, weft_fabric_file **file) {
    char *bytes;
    size_t size;
    *file = NULL;
    WEFT_TRY(weft_file_read_most(path, MOST_BYTES, &bytes, &size));
    weft_result result = weft_fabric_sheet_parse(bytes, size, path, file);
    free(bytes);
    return result;
}
