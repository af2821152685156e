/* Symmetric matrix of 3x3 blocks over the vertices: structure prepared once per topology, values added in parallel.
 *
 * Row i of the product is computed as E_i x_i + sum_j A_ij (x_j - x_i): stored are the blocks off the diagonal (both
 * triangles, float) and the excess E_i = A_ii + sum_j A_ij. Internal forces do not change under translation, so their
 * part of E is zero and E is mass / dt^2 and the like. Were A_ii itself rounded to float, the stiffness in it (10^5
 * times larger on fine meshes) would swamp the mass, and a free sheet would fall with a wrong acceleration.
 *
 * Blocks of springs and the like are of rank one and the unit matrix. Where all are (weft_bsr_form), four floats are
 * stored instead of nine, which halves what a product streams; they are semidefinite whatever is rounded.
 *
 * Both triangles are stored although one would do. Measured on full blocks, 13 a row: the gather by rows runs at
 * 0.8 of the streaming bandwidth, and on one thread out of cache takes as long as the half matrix with its scattered
 * sums, which are bound by arithmetic; elsewhere it takes 10 to 45 % longer. In return it needs no second pass over the
 * borders of the threads' ranges, and no good order of the vertices to keep those short. */
#ifndef WEFT_LINEAR_BSR_H
#define WEFT_LINEAR_BSR_H

#include "weft/model.h"
#include "weft/work.h"

/* How many floats a block has. A pair's is -(s s^T + c 1), c >= 0: s along the pair, c what it resists across. */
typedef enum weft_bsr_form {
    WEFT_BSR_PAIRS = 4, /* sx sy sz c, aligned like a vector of them */
    WEFT_BSR_FULL = 9   /* row-major */
} weft_bsr_form;

typedef struct weft_bsr {
    int32_t rows, blocks;                 /* blocks off the diagonal, both triangles */
    int32_t longest;                      /* blocks of a row at most */
    int32_t row_room, block_room;         /* for which the arrays of values are allocated */
    weft_bsr_form form;                   /* of all blocks */
    int32_t *start;                       /* (rows + 1) */
    int32_t *column;                      /* ascending within a row (blocks) */
    float *value;                         /* (blocks x form, and 3 unused) */
    float *excess;                        /* E, row-major (rows x 9, and 3 unused) */
    float *diagonal;                      /* A_ii = E_i - sum_j A_ij, symmetric (rows x 9), for preconditioners */
    double *sum;                          /* E while it is added up: xx xy xz yy yz zz (rows x 6) */
    int wide;                             /* vector unit of products: 1 AVX2, 2 AVX-512; the same bits as of 0 */
    const struct weft_coupling *coupling; /* further terms, which weft_pcg_solve adds to products; null: none */
} weft_bsr;

weft_result weft_bsr_create(int32_t rows, const weft_elements *lists, int32_t list_count, weft_bsr **made);
void weft_bsr_destroy(weft_bsr *matrix);

/* bsr_update.c: the matrix of rows that were others before. Row i was from[i] and has its columns, as far away as they
 * were, or is WEFT_NONE: one at which elements have changed. Of a matrix that was made for the lists with the same
 * meaning before; values are gone. moved[i] (rows): by how many places the blocks of row i have moved, WEFT_BSR_NEW
 * where they are not the same. After a failure the matrix can only be destroyed. */
enum { WEFT_BSR_NEW = INT32_MIN };
weft_result weft_bsr_update(weft_bsr *matrix, int32_t rows, const int32_t *from, const weft_elements *lists,
                            int32_t list_count, int32_t *moved);

/* The same structure with blocks of the given form, whose values are gone when it was another one. Made full. */
weft_result weft_bsr_set_form(weft_bsr *matrix, weft_bsr_form form);

/* The place of block (i, j), i != j, in `column`; -1 when it is not in the structure. */
int32_t weft_bsr_slot(const weft_bsr *matrix, int32_t i, int32_t j);

/* The order of assembly: clear, any number of additions, finish; of all rows, or of [begin, end). */
void weft_bsr_clear(weft_bsr *matrix, const weft_work *work);
void weft_bsr_clear_rows(weft_bsr *matrix, int64_t begin, int64_t end);

/* E_i += s times the unit matrix: mass / dt^2, damping by the air. */
static inline void weft_bsr_add_scalar(weft_bsr *matrix, int32_t i, double s) {
    double *sum = matrix->sum + 6 * (size_t)i;
    sum[0] += s;
    sum[3] += s;
    sum[5] += s;
}

/* E_i += block, row-major and symmetric. A coupling of (i, j) that is not free of translation adds its diagonal block
 * plus its blocks (i, j) here. */
static inline void weft_bsr_add_excess(weft_bsr *matrix, int32_t i, const double block[9]) {
    double *sum = matrix->sum + 6 * (size_t)i;
    sum[0] += block[0];
    sum[1] += block[1];
    sum[2] += block[2];
    sum[3] += block[4];
    sum[4] += block[5];
    sum[5] += block[8];
}

/* The nine numbers of a pair's block, row-major. */
static inline void weft_bsr_of_pair(const float pair[WEFT_BSR_PAIRS], double block[9]) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[3 * r + c] = -((double)pair[r] * (double)pair[c] + (r == c ? (double)pair[3] : 0));
}

/* Block k in either form. */
static inline void weft_bsr_block(const weft_bsr *matrix, int32_t k, double block[9]) {
    const float *value = matrix->value + (size_t)matrix->form * (size_t)k;
    if (matrix->form == WEFT_BSR_PAIRS) {
        weft_bsr_of_pair(value, block);
        return;
    }
    for (int c = 0; c < 9; c++)
        block[c] = (double)value[c];
}

/* Of a full matrix: A_ij += block and A_ji += its transpose, at their two slots; A_ii and A_jj follow from the sums of
 * the rows. */
static inline void weft_bsr_add_pair(weft_bsr *matrix, const int32_t slot[2], const double block[9]) {
    float *ij = matrix->value + 9 * (size_t)slot[0], *ji = matrix->value + 9 * (size_t)slot[1];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            ij[3 * r + c] += (float)block[3 * r + c];
            ji[3 * c + r] += (float)block[3 * r + c];
        }
}

/* Makes E and the diagonal from what was added. */
void weft_bsr_finish(weft_bsr *matrix, const weft_work *work);
void weft_bsr_finish_rows(weft_bsr *matrix, int64_t begin, int64_t end);

/* y = A x */
void weft_bsr_multiply(const weft_bsr *matrix, const weft_work *work, const weft_vec3 *x, weft_vec3 *y);

/* One block of rows of the product, for fused loops. `x4` has four floats per vertex, 16-byte aligned, the last one
 * 0. */
void weft_bsr_rows(const weft_bsr *matrix, const weft_vec3 *x, weft_vec3 *y, int64_t begin, int64_t end);
void weft_bsr_rows_float(const weft_bsr *matrix, const float *x4, weft_vec3 *y, int64_t begin, int64_t end);

/* The diagonal block in double, symmetric: what the product really applies. */
void weft_bsr_diagonal(const weft_bsr *matrix, int32_t i, double block[9]);

#endif
