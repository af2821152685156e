/* Blocked right-looking Cholesky factorisation of a front: J. Dongarra, I. Duff, D. Sorensen, H. van der Vorst,
 * Numerical Linear Algebra for High-Performance Computers, 1998, section 5.4. */
#include "solve/cholesky_front.h"

#include <string.h>

#include "core/parallel.h"

enum {
    PANEL = 32,        /* columns that are eliminated before the columns behind them are updated */
    ROWS = 64,         /* rows of a panel that a thread takes at once */
    TILE_COLUMNS = 32, /* of an update by a panel: its factors stay in the nearest cache */
    TILE_ROWS = 128,
    FEW_COLUMNS = 8 /* columns that a thread takes at once in other loops */
};

/* Rough nanoseconds of one item of each loop, until they are measured. */
enum { ROW_NS = 50, TILE_NS = 5000, COLUMN_NS = 100, INVERSE_NS = 3000 };

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

static void clear_columns(void *context, int64_t begin, int64_t end) {
    const weft_front *f = context;
    memset(f->value + begin * f->stride, 0, (size_t)(end - begin) * (size_t)f->stride * sizeof *f->value);
}

void weft_front_clear(const weft_front *front) {
    weft_parallel_heavy(front->work, front->stride, FEW_COLUMNS, COLUMN_NS, clear_columns, (void *)front);
}

typedef struct adding {
    const weft_front *front;
    const weft_front_update *update;
} adding;

static void add_columns(void *context, int64_t begin, int64_t end) {
    const adding *a = context;
    const weft_front_update *u = a->update;
    for (int32_t j = (int32_t)begin; j < end; j++) {
        const float *from = u->from + (int64_t)j * u->stride;
        float *to = a->front->value + (int64_t)u->place[j] * a->front->stride;
        for (int32_t i = j; i < u->rows; i = u->run_end[i])
            a->front->dense->add(to + u->place[i], from + i, u->run_end[i] - i);
    }
}

void weft_front_add(const weft_front *front, const weft_front_update *update) {
    adding a = {front, update};
    weft_parallel_heavy(front->work, update->rows, FEW_COLUMNS, COLUMN_NS, add_columns, &a);
}

typedef struct panel {
    const weft_front *front;
    int32_t at, count, end; /* its columns are [at, end) */
    int32_t tiles_down;     /* tiles in a column of tiles */
    float scale[PANEL];
} panel;

static void finish_rows(void *context, int64_t begin, int64_t end) {
    const panel *p = context;
    const weft_front *f = p->front;
    f->dense->finish_rows(f->value, f->stride, p->at, p->count, p->scale, p->end + (int32_t)begin,
                          p->end + (int32_t)end);
}

static void update_tiles(void *context, int64_t begin, int64_t end) {
    const panel *p = context;
    const weft_front *f = p->front;
    for (int64_t tile = begin; tile < end; tile++) {
        int32_t left = p->end + TILE_COLUMNS * (int32_t)(tile / p->tiles_down);
        int32_t top = p->end + TILE_ROWS * (int32_t)(tile % p->tiles_down);
        int32_t right = least(left + TILE_COLUMNS, f->stride), bottom = least(top + TILE_ROWS, f->stride);
        if (bottom > left)
            f->dense->update_tile(f->value, f->stride, p->at, p->count, left, right, top, bottom);
    }
}

int weft_front_eliminate(const weft_front *front) {
    panel p = {.front = front};
    for (p.at = 0; p.at < front->width; p.at = p.end) {
        p.end = least(p.at + PANEL, front->width);
        p.count = p.end - p.at;
        if (!front->dense->factor_corner(front->value, front->stride, p.at, p.count, p.scale))
            return 0;
        int32_t behind = front->stride - p.end;
        p.tiles_down = (behind + TILE_ROWS - 1) / TILE_ROWS;
        weft_parallel_heavy(front->work, behind, ROWS, ROW_NS, finish_rows, &p);
        weft_parallel_heavy(front->work, (int64_t)p.tiles_down * ((behind + TILE_COLUMNS - 1) / TILE_COLUMNS), 1,
                            TILE_NS, update_tiles, &p);
    }
    return 1;
}

typedef struct taking {
    const weft_front *front;
    int32_t count;
    float *update, *pivot, *below;
} taking;

static void copy_columns(void *context, int64_t begin, int64_t end) {
    const taking *t = context;
    const weft_front *f = t->front;
    int32_t rows = f->stride - f->width;
    for (int64_t j = begin; j < end; j++)
        memcpy(t->update + j * rows, f->value + (f->width + j) * f->stride + f->width,
               (size_t)rows * sizeof *t->update);
}

void weft_front_take_update(const weft_front *front, int32_t count, float *update) {
    taking t = {.front = front, .count = count, .update = update};
    weft_parallel_heavy(front->work, count, FEW_COLUMNS, COLUMN_NS, copy_columns, &t);
}

static void invert_columns(void *context, int64_t begin, int64_t end) {
    const taking *t = context;
    const weft_front *f = t->front;
    for (int64_t k = begin; k < end; k++)
        memset(t->pivot + k * f->width, 0, k < t->count ? (size_t)f->width * sizeof *t->pivot : 0);
    f->dense->invert(f->value, f->stride, f->width, (int32_t)begin, (int32_t)end, f->inverse);
}

/* The columns of L^-1 are 0 above the diagonal. The product is symmetric: the pair (i, j) is computed in column j >= i
 * and written to both places. */
static void multiply_columns(void *context, int64_t begin, int64_t end) {
    const taking *t = context;
    const weft_front *f = t->front;
    const int32_t width = f->width, rows = f->stride - width;
    for (int32_t j = (int32_t)begin; j < end; j++) {
        const int32_t from = j / WEFT_DENSE_LANES * WEFT_DENSE_LANES, whole = j / 4 * 4;
        const float *own = f->inverse + (int64_t)j * width;
        float *column = t->pivot + (int64_t)j * width, last[4] = {0, 0, 0, 0};
        f->dense->subtract_transposed(f->inverse + from, width, width - from, whole, own + from, column);
        f->dense->subtract_transposed(f->inverse + (int64_t)whole * width + from, width, width - from, 4, own + from,
                                      last);
        memcpy(column + whole, last, (size_t)(j - whole + 1) * sizeof *column);
        for (int32_t i = 0; i <= j; i++) {
            column[i] = -column[i];
            t->pivot[(int64_t)i * width + j] = column[i];
        }
        if (rows > 0)
            f->dense->product(f->value + width + (int64_t)j * f->stride, f->stride, rows, width - j, own + j,
                              t->below + (int64_t)j * rows);
    }
}

void weft_front_take_factor(const weft_front *front, int32_t count, float *pivot, float *below) {
    taking t = {.front = front, .count = count, .pivot = pivot, .below = below};
    for (int32_t k = 1; k < front->width; k++)
        memset(front->value + (int64_t)k * front->stride, 0, (size_t)k * sizeof *front->value);
    weft_parallel_heavy(front->work, front->width, FEW_COLUMNS, INVERSE_NS, invert_columns, &t);
    weft_parallel_heavy(front->work, count, FEW_COLUMNS, INVERSE_NS, multiply_columns, &t);
}
