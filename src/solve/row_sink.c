#include "solve/row_sink.h"

typedef double loose_one __attribute__((may_alias));

/* Bytes of blocks above which they would not stay in the last-level cache until used. Then streaming stores write them
 * past the cache, which saves reading the lines first. */
static const size_t STREAMED = (size_t)1 << 20;

void weft_row_sink_begin(weft_row_sink *sink, const weft_assembly *assembly, int32_t row) {
    const weft_bsr *matrix = assembly->matrix;
    size_t i = (size_t)row, form = (size_t)matrix->form;
    int streams = (size_t)matrix->blocks * form * sizeof(float) > STREAMED;
    sink->assembly = assembly;
    sink->row = row;
    weft_lines_begin(&sink->value, matrix->value + form * (size_t)matrix->start[row],
                     streams ? sink->value_room : NULL);
    weft_lines_begin(&sink->diagonal, matrix->diagonal + 9 * i, streams ? sink->diagonal_room : NULL);
    weft_lines_begin(&sink->excess, matrix->excess + 9 * i, streams ? sink->excess_room : NULL);
    weft_lines_begin(&sink->b, (float *)(assembly->b + row), streams ? sink->b_room : NULL);
}

void weft_row_sink_end(weft_row_sink *sink) {
    weft_lines_end(&sink->value);
    weft_lines_end(&sink->diagonal);
    weft_lines_end(&sink->excess);
    weft_lines_end(&sink->b);
}

static void wrote(weft_row_sink *sink, int32_t rows) {
    weft_lines_add(&sink->diagonal, 9 * rows);
    weft_lines_add(&sink->excess, 9 * rows);
    weft_lines_add(&sink->b, 6 * rows);
    sink->row += rows;
}

static void put_symmetric(float *block, float xx, float xy, float xz, float yy, float yz, float zz) {
    block[0] = xx, block[1] = xy, block[2] = xz;
    block[3] = xy, block[4] = yy, block[5] = yz;
    block[6] = xz, block[7] = yz, block[8] = zz;
}

/* Mass plus damping by external forces: xx xy xz yy yz zz. */
static void own_part(const weft_assembly *a, int64_t i, double own[6]) {
    double m = a->system->mass[i];
    own[0] = own[3] = own[5] = m;
    own[1] = own[2] = own[4] = 0;
    for (int k = 0; k < 6 && a->air; k++)
        own[k] += a->h * a->air[6 * i + k];
}

static void put_excess(const double own[6], float *to) {
    put_symmetric(to, (float)own[0], (float)own[1], (float)own[2], (float)own[3], (float)own[4], (float)own[5]);
}

static void put_b(const weft_assembly *a, int64_t i, weft_vec3 product, loose_one *b) {
    weft_vec3 all = weft_add(weft_scale(a->system->mass[i], weft_sub(a->V[i], a->v[i])), weft_scale(a->h, a->f[i]));
    all = weft_add_scaled(all, a->h, product);
    b[0] = all.x, b[1] = all.y, b[2] = all.z;
}

static void put_row(const weft_assembly *a, int32_t row, const weft_pair_sum *s, float *diagonal, float *excess,
                    loose_one *b) {
    double own[6];
    own_part(a, row, own);
    put_excess(own, excess);
    put_symmetric(diagonal, (float)(own[0] - (double)s->first[0]), (float)(own[1] - (double)s->first[1]),
                  (float)(own[2] - (double)s->first[2]), (float)(own[3] - (double)s->first[4]),
                  (float)(own[4] - (double)s->first[5]), (float)(own[5] - s->last[0]));
    put_b(a, row, weft_vec3_make(-s->last[1], -s->last[2], -s->last[3]), b);
}

void weft_row_sink_add(weft_row_sink *sink, const weft_pair_sum *sum, int32_t rows) {
    float *diagonal = weft_lines_next(&sink->diagonal), *excess = weft_lines_next(&sink->excess);
    loose_one *b = (loose_one *)weft_lines_next(&sink->b);
    for (int32_t k = 0; k < rows; k++)
        put_row(sink->assembly, sink->row + k, &sum[k], diagonal + 9 * k, excess + 9 * k, b + 3 * k);
    wrote(sink, rows);
}
