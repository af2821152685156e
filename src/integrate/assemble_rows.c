/* Rows of a matrix of pairs, each written once: every block is computed at both of its ends, which costs less than to
 * clear, add to, and sum up what is far apart in memory, and needs no order among threads. */
#include <string.h>

#include "core/parallel.h"
#include "integrate/assemble.h"
#include "weft/vec.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WEFT_STREAMS 1
#include <immintrin.h>
#endif

enum {
    PIECE = 128, /* blocks computed at a time: they stay in the nearest cache */
    ROWS = 32,   /* of a piece at most */
    LINE = 16,   /* floats of a line of the cache */
    ROW = 16,    /* the weight of one in parallel loops */
    PLACE = 3    /* of finding where its vertex is */
};
/* Bytes of blocks above which they would not stay in the last cache until they are used: then lines are written past
 * it, which spares reading them first. */
static const size_t STREAMED = (size_t)24 << 20;

/* Blocks on their way to memory. */
typedef struct writer {
    float *to;     /* where the first of them belongs */
    int32_t count; /* of floats that wait */
    float wait[9 * PIECE + LINE];
} writer;

/* Plain stores up to the next line, and at the end. */
static void write_some(writer *w, int32_t count) {
    memcpy(w->to, w->wait, (size_t)count * sizeof *w->to);
    w->to += count;
    w->count -= count;
    memmove(w->wait, w->wait + count, (size_t)w->count * sizeof *w->wait);
}

#ifdef WEFT_STREAMS
/* Whole lines, aligned. One instruction a line, where there is one: the processor can hold few stores that wait. */
__attribute__((target("avx512f"))) static void stream_lines(float *to, const float *from, int32_t count) {
    for (int32_t i = 0; i < count; i += LINE)
        _mm512_stream_ps(to + i, _mm512_loadu_ps(from + i));
}

static void stream_quarters(float *to, const float *from, int32_t count) {
    for (int32_t i = 0; i < count; i += 4)
        _mm_stream_ps(to + i, _mm_loadu_ps(from + i));
}

static void write_lines(writer *w) {
    int32_t into = (int32_t)(((uintptr_t)w->to / sizeof *w->to) % LINE);
    if (into > 0 && w->count >= LINE - into)
        write_some(w, LINE - into);
    int32_t whole = w->count / LINE * LINE;
    (__builtin_cpu_supports("avx512f") ? stream_lines : stream_quarters)(w->to, w->wait, whole);
    w->to += whole;
    w->count -= whole;
    memmove(w->wait, w->wait + whole, (size_t)w->count * sizeof *w->wait);
}

static void write_rest(writer *w) {
    write_some(w, w->count);
    _mm_sfence();
}
#else
static void write_lines(writer *w) { write_some(w, w->count); }
static void write_rest(writer *w) { write_some(w, w->count); }
#endif

typedef struct context {
    const weft_assembly *a;
    const weft_row_pairs *pairs;
    int32_t number; /* of the list */
} context;

/* Some blocks, and the rows that they are of; the first and the last of these may have others before and after. */
typedef struct piece {
    int32_t slot, blocks; /* the first, and how many */
    weft_pair_rows rows;
    int32_t start[ROWS + 1];
    weft_pair_sum sum[ROWS];
} piece;

/* The next piece from `slot` on, in the given row, before the row `end`. */
static void next_piece(const context *c, int32_t row, int32_t end, int32_t slot, piece *p) {
    const weft_assembly *a = c->a;
    const int32_t *start = a->matrix->start;
    int32_t rows = 0, blocks = 0;
    p->start[0] = 0;
    while (rows < ROWS && blocks < PIECE && row + rows < end) {
        int32_t stop = start[row + rows + 1] - slot;
        blocks = stop < PIECE ? stop : PIECE;
        p->start[++rows] = blocks;
    }
    p->slot = slot;
    p->blocks = blocks;
    p->rows = (weft_pair_rows){.count = rows,
                               .first = row,
                               .start = p->start,
                               .element = c->pairs->element + (slot - start[c->pairs->begin]),
                               .column = a->matrix->column + slot,
                               .place = a->place,
                               .h = a->h};
}

static void add_sum(weft_pair_sum *to, const weft_pair_sum *s) {
    for (int k = 0; k < 8; k++)
        to->first[k] += s->first[k];
    for (int k = 0; k < 4; k++)
        to->last[k] += s->last[k];
}

static void put_symmetric(float *block, float xx, float xy, float xz, float yy, float yz, float zz) {
    block[0] = xx, block[1] = xy, block[2] = xz;
    block[3] = xy, block[4] = yy, block[5] = yz;
    block[6] = xz, block[7] = yz, block[8] = zz;
}

/* Excess, diagonal and right-hand side. The row's blocks are symmetric, so the excess has no skew part. */
static void finish_row(const weft_assembly *a, int64_t i, const weft_pair_sum *s) {
    double h = a->h, m = a->system->mass[i], *sum = a->matrix->sum + 6 * i;
    const double *air = a->air ? a->air + 6 * i : NULL;
    sum[0] = sum[3] = sum[5] = m;
    sum[1] = sum[2] = sum[4] = 0;
    for (int k = 0; k < 6 && air; k++)
        sum[k] += h * air[k];
    put_symmetric(a->matrix->excess + 9 * i, (float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3], (float)sum[4],
                  (float)sum[5]);
    put_symmetric(a->matrix->diagonal + 9 * i, (float)(sum[0] - (double)s->first[0]),
                  (float)(sum[1] - (double)s->first[1]), (float)(sum[2] - (double)s->first[2]),
                  (float)(sum[3] - (double)s->first[4]), (float)(sum[4] - (double)s->first[5]),
                  (float)(sum[5] - s->last[0]));
    const weft_vec3 product = {s->last[1], s->last[2], s->last[3]};
    weft_vec3 b = weft_add(weft_scale(m, weft_sub(a->V[i], a->v[i])), weft_scale(h, a->f[i]));
    a->b[i] = weft_add_scaled(b, -h, product);
}

/* `begun`: the sum of the first row's blocks in pieces before; then that of the last one's. Returns the row at which
 * the next piece begins. */
static int32_t finish_piece(const weft_assembly *a, piece *p, weft_pair_sum *begun) {
    int32_t row = p->rows.first;
    add_sum(&p->sum[0], begun);
    memset(begun, 0, sizeof *begun);
    for (int32_t k = 0; k < p->rows.count; k++, row++) {
        if (a->matrix->start[row + 1] > p->slot + p->blocks) {
            *begun = p->sum[k];
            break;
        }
        finish_row(a, row, &p->sum[k]);
    }
    return row;
}

/* Blocks beside others that are not of pairs. */
static void spread(const float *pair, int32_t count, float *to) {
    for (int32_t k = 0; k < count; k++, pair += WEFT_BSR_PAIRS, to += WEFT_BSR_FULL) {
        double block[9];
        weft_bsr_of_pair(pair, block);
        for (int m = 0; m < 9; m++)
            to[m] = (float)block[m];
    }
}

static void assemble_rows(void *given, int64_t begin, int64_t end) {
    const context *c = given;
    const weft_assembly *a = c->a;
    const weft_bsr *matrix = a->matrix;
    int32_t row = c->pairs->begin + (int32_t)begin, stop = c->pairs->begin + (int32_t)end;
    int32_t slot = matrix->start[row];
    size_t form = (size_t)matrix->form;
    int streams = (size_t)matrix->blocks * form * sizeof(float) > STREAMED;
    float pair[WEFT_BSR_PAIRS * PIECE];
    weft_pair_sum begun;
    writer w;
    piece p;
    memset(&begun, 0, sizeof begun);
    w.to = matrix->value + form * (size_t)slot;
    w.count = 0;
    while (row < stop) {
        float *block = streams ? w.wait + w.count : matrix->value + form * (size_t)slot;
        next_piece(c, row, stop, slot, &p);
        weft_system_pairs(a->system, c->number, &p.rows, form == WEFT_BSR_PAIRS ? block : pair, p.sum);
        if (form != WEFT_BSR_PAIRS)
            spread(pair, p.blocks, block);
        row = finish_piece(a, &p, &begun);
        slot += p.blocks;
        if (streams) {
            w.count += (int32_t)form * p.blocks;
            write_lines(&w);
        }
    }
    if (streams)
        write_rest(&w);
}

static void find_places(void *given, int64_t begin, int64_t end) {
    const context *c = given;
    const weft_assembly *a = c->a;
    for (int64_t i = c->pairs->begin + begin; i < c->pairs->begin + end; i++) {
        double *place = a->place[i];
        weft_vec3 x = a->x[i], u = {0, 0, 0};
        if (a->moved)
            u = weft_sub(weft_add_scaled(a->X[i], a->h, a->v[i]), x);
        place[0] = x.x, place[1] = x.y, place[2] = x.z, place[3] = 0;
        place[4] = u.x, place[5] = u.y, place[6] = u.z, place[7] = 0;
    }
}

void weft_assemble_rows(const weft_assembly *assembly, const weft_part *part) {
    const weft_work *work = assembly->system->work;
    context c = {assembly, part->pairs, part->first};
    weft_parallel_heavy(work, part->end - part->begin, WEFT_BLOCK / 2, PLACE, find_places, &c);
    weft_parallel_heavy(work, part->end - part->begin, WEFT_BLOCK / 4, ROW, assemble_rows, &c);
}
