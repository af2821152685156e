/* Plots the results in lab/bench/results for docs/performance.md. Uses the last row of each size and method. */
#include <stdlib.h>
#include <string.h>

#include "io/plot.h"
#include "lab/bench/bench.h"

enum { POINTS = 32, COLUMNS = 24, SERIES = 6 };
#define PICTURES WEFT_BENCH_RESULTS "/../../docs/pictures/"

/* Points of a curve in ascending x. */
typedef struct curve {
    const char *name, *method; /* label, and name in the file */
    const char *what;          /* value of the column `what`, or null */
    double x[POINTS], y[POINTS];
    int count;
} curve;

static void put(curve *c, double x, double y) {
    int at = 0;
    while (at < c->count && c->x[at] < x)
        at++;
    if (at == c->count || c->x[at] != x) {
        if (c->count == POINTS)
            return;
        memmove(c->x + at + 1, c->x + at, (size_t)(c->count - at) * sizeof *c->x);
        memmove(c->y + at + 1, c->y + at, (size_t)(c->count - at) * sizeof *c->y);
        c->count++;
    }
    c->x[at] = x;
    c->y[at] = y;
}

/* Splits a line at its commas; empty fields count. */
static int cut(char *line, char *field[COLUMNS]) {
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && count < COLUMNS; count++) {
        field[count] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    return count;
}

static int column_of(char *const *field, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(field[i], name) == 0)
            return i;
    return -1;
}

typedef struct table {
    const char *file;
    const char *x, *y, *method; /* columns */
} table;

static weft_result read_table(const table *t, curve *curves, int count) {
    char line[1000], *field[COLUMNS];
    FILE *file = fopen(t->file, "r");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "%s: cannot be read; `weft bench` writes it", t->file);
    int fields = fgets(line, sizeof line, file) ? cut(line, field) : 0;
    int x = column_of(field, fields, t->x), y = column_of(field, fields, t->y);
    int method = column_of(field, fields, t->method), what = column_of(field, fields, "what");
    while (x >= 0 && y >= 0 && method >= 0 && fgets(line, sizeof line, file)) {
        if (cut(line, field) != fields)
            continue;
        double at = strtod(field[x], NULL), value = strtod(field[y], NULL);
        for (int i = 0; i < count; i++)
            if (strcmp(field[method], curves[i].method) == 0 && at > 0 && value > 0 &&
                (!curves[i].what || (what >= 0 && strcmp(field[what], curves[i].what) == 0)))
                put(&curves[i], at, value);
    }
    fclose(file);
    return x >= 0 && y >= 0 && method >= 0 ? weft_ok() : weft_fail(WEFT_BAD_FILE, "%s: a column is missing", t->file);
}

static weft_result draw(const table *t, curve *curves, int count, const char *title, const char *x_label,
                        const char *y_label, const char *path) {
    weft_series series[SERIES];
    int drawn = 0;
    WEFT_TRY(read_table(t, curves, count));
    for (int i = 0; i < count; i++)
        if (curves[i].count > 0)
            series[drawn++] = (weft_series){curves[i].name, curves[i].x, curves[i].y, curves[i].count, i, 0};
    if (drawn == 0)
        return weft_fail(WEFT_BAD_FILE, "%s: no row to draw", t->file);
    weft_plot plot = {title, x_label, y_label, series, drawn, 1};
    return weft_plot_write(&plot, path);
}

weft_result weft_bench_plots(FILE *out) {
    curve hang[] = {{.name = "Bullet", .method = "Bullet"},
                    {.name = "projective", .method = "projective"},
                    {.name = "xpbd", .method = "xpbd"},
                    {.name = "bdf2", .method = "bdf2"}};
    curve scale[] = {{.name = "projective", .method = "1", .what = "step"},
                     {.name = "projective, 2 threads", .method = "2", .what = "step"},
                     {.name = "implicit-euler", .method = "1", .what = "implicit-euler"},
                     {.name = "xpbd", .method = "1", .what = "xpbd"},
                     {.name = "symplectic-euler", .method = "1", .what = "symplectic-euler"}};
    static const table HANG = {WEFT_BENCH_RESULTS "/hang.csv", "n", "ms_least", "method"};
    static const table SCALE = {WEFT_BENCH_RESULTS "/scale.csv", "vertices", "ms_least", "threads"};
    WEFT_TRY(draw(&HANG, hang, 4, "HANG: milliseconds per frame of 1/60 s", "vertices along a side", "ms",
                  PICTURES "bench-hang.svg"));
    WEFT_TRY(draw(&SCALE, scale, 5, "Milliseconds per step over the number of vertices", "vertices", "ms",
                  PICTURES "bench-scale.svg"));
    fprintf(out, "docs/pictures/bench-hang.svg\ndocs/pictures/bench-scale.svg\n");
    return weft_ok();
}
