/* Symmetric block-sparse row matrix with 3x3 blocks, one row per vertex. The structure is built once per topology.
 * Values are added in parallel.
 *
 * Row i of the product is E_i x_i + sum_j A_ij (x_j - x_i). Stored are the off-diagonal blocks (both triangles, float)
 * and the excess E_i = A_ii + sum_j A_ij. Internal forces are invariant under translation, so they contribute nothing
 * to E. What remains in E is mass / dt^2 and the like. If A_ii itself were rounded to float, its stiffness would swamp
 * the mass: on fine meshes it is 10^5 times larger. A free sheet would then fall with a wrong acceleration.
 *
 * The block of a spring is a rank-one matrix plus a multiple of the identity. If all blocks have that form
 * (weft_bsr_form), four floats per block are stored instead of nine. This halves the memory traffic of a product. These
 * blocks stay semidefinite however they are rounded.
 *
 * Both triangles are stored although one would suffice. Measured with full blocks, 13 per row: the row-wise gather
 * reaches 0.8 of the streaming bandwidth. Single-threaded and out of cache it is as fast as a half matrix with
 * scattered sums, which is compute-bound. Elsewhere it is 10 to 45 % slower. In return it needs no second pass over the
 * borders of the threads' ranges, and no vertex order that keeps those borders short. */
#ifndef WEFT_SOLVE_BSR_H
#define WEFT_SOLVE_BSR_H

#include "core/simd.h"
#include "weft/model.h"
#include "weft/work.h"

/* Floats per block. A pair block is -(s s^T + c 1) with c >= 0: s along the pair, c the stiffness across it. */
typedef enum weft_bsr_form {
    WEFT_BSR_PAIRS = 4, /* sx sy sz c, 16-byte aligned */
    WEFT_BSR_FULL = 9   /* row-major */
} weft_bsr_form;

typedef struct weft_bsr {
    int32_t rows, blocks;                 /* off-diagonal blocks, both triangles */
    int32_t longest;                      /* most blocks in a row */
    int32_t row_room, block_room;         /* allocated rows and blocks of the value arrays */
    weft_bsr_form form;                   /* of every block */
    int32_t *start;                       /* (rows + 1) */
    int32_t *column;                      /* ascending within a row (blocks) */
    float *value;                         /* (blocks x form, plus 3 padding floats) */
    float *excess;                        /* E, row-major (rows x 9, plus 3 padding floats) */
    float *diagonal;                      /* A_ii = E_i - sum_j A_ij, symmetric, for preconditioners (rows x 9) */
    double *sum;                          /* accumulates E during assembly: xx xy xz yy yz zz (rows x 6) */
    weft_isa isa;                         /* instruction set of products; all give the same bits */
    const struct weft_coupling *coupling; /* extra low-rank terms that weft_pcg_solve adds to products; may be null */
} weft_bsr;

weft_result weft_bsr_create(int32_t rows, const weft_elements *lists, int32_t list_count, weft_bsr **made);
void weft_bsr_destroy(weft_bsr *matrix);

/* bsr_update.c: updates the structure after a change of the mesh. Row i was row from[i] and keeps its columns, shifted
 * by the same amount. If from[i] is WEFT_NONE, the elements at row i have changed. The matrix must have been created
 * for the same lists. Values are lost. moved[i] (rows) receives the shift of row i's blocks, or WEFT_BSR_NEW if the row
 * was rebuilt. After a failure the matrix can only be destroyed. */
enum { WEFT_BSR_NEW = INT32_MIN };
weft_result weft_bsr_update(weft_bsr *matrix, int32_t rows, const int32_t *from, const weft_elements *lists,
                            int32_t list_count, int32_t *moved);

/* Changes the block format and keeps the structure. Values are lost if the format changes. New matrices are full. */
weft_result weft_bsr_set_form(weft_bsr *matrix, weft_bsr_form form);

/* The index of block (i, j), i != j, in `column`; -1 if the structure does not contain it. */
int32_t weft_bsr_slot(const weft_bsr *matrix, int32_t i, int32_t j);

/* Assembly clears, adds any number of times, then finishes. The _rows variants process rows [begin, end). */
void weft_bsr_clear(weft_bsr *matrix, const weft_work *work);
void weft_bsr_clear_rows(weft_bsr *matrix, int64_t begin, int64_t end);

/* E_i += s times the identity: mass / dt^2, air damping. */
static inline void weft_bsr_add_scalar(weft_bsr *matrix, int32_t i, double s) {
    double *sum = matrix->sum + 6 * (size_t)i;
    sum[0] += s;
    sum[3] += s;
    sum[5] += s;
}

/* E_i += block, row-major and symmetric. A coupling of (i, j) that is not translation-invariant adds its diagonal block
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

/* Expands a pair block to nine entries, row-major. */
static inline void weft_bsr_of_pair(const float pair[WEFT_BSR_PAIRS], double block[9]) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[3 * r + c] = -((double)pair[r] * (double)pair[c] + (r == c ? (double)pair[3] : 0));
}

/* Block k in either format, row-major. */
static inline void weft_bsr_block(const weft_bsr *matrix, int32_t k, double block[9]) {
    const float *value = matrix->value + (size_t)matrix->form * (size_t)k;
    if (matrix->form == WEFT_BSR_PAIRS) {
        weft_bsr_of_pair(value, block);
        return;
    }
    for (int c = 0; c < 9; c++)
        block[c] = (double)value[c];
}

/* Full format only: A_ij += block and A_ji += its transpose, at their two slots. A_ii and A_jj follow from the row
 * sums. */
static inline void weft_bsr_add_pair(weft_bsr *matrix, const int32_t slot[2], const double block[9]) {
    float *ij = matrix->value + 9 * (size_t)slot[0], *ji = matrix->value + 9 * (size_t)slot[1];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            ij[3 * r + c] += (float)block[3 * r + c];
            ji[3 * c + r] += (float)block[3 * r + c];
        }
}

/* Computes E and the diagonal from the accumulated values. */
void weft_bsr_finish(weft_bsr *matrix, const weft_work *work);
void weft_bsr_finish_rows(weft_bsr *matrix, int64_t begin, int64_t end);

/* y = A x */
void weft_bsr_multiply(const weft_bsr *matrix, const weft_work *work, const weft_vec3 *x, weft_vec3 *y);

/* Rows [begin, end) of the product, for fused loops. `x4` has four floats per vertex, 16-byte aligned, the fourth 0. */
void weft_bsr_rows(const weft_bsr *matrix, const weft_vec3 *x, weft_vec3 *y, int64_t begin, int64_t end);
void weft_bsr_rows_float(const weft_bsr *matrix, const float *x4, weft_vec3 *y, int64_t begin, int64_t end);

/* The diagonal block in double, symmetric, exactly as the product applies it. */
void weft_bsr_diagonal(const weft_bsr *matrix, int32_t i, double block[9]);

#endif
