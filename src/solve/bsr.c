/* Block-sparse row matrix: structure, clearing and finishing. The structure is the adjacency of the elements' vertices.
 * Bender and Deul (2013) store the stiffness matrix of cloth in compressed sparse rows. For the block format see Y.
 * Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., 2003, section 3.4. */
#include "solve/bsr.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"

static weft_result check_list(int32_t rows, const weft_elements *list) {
    if (list->arity < 2 || list->arity > WEFT_ARITY_MAX)
        return weft_fail(WEFT_BAD_INPUT, "matrix: elements of %d vertices, 2 to %d are allowed", (int)list->arity,
                         WEFT_ARITY_MAX);
    for (int32_t e = 0; e < list->count; e++) {
        const int32_t *vertex = list->vertex + (size_t)e * (size_t)list->arity;
        for (int32_t a = 0; a < list->arity; a++) {
            if (vertex[a] < 0 || vertex[a] >= rows)
                return weft_fail(WEFT_BAD_INPUT, "matrix: element %d has vertex %d, 0 to %d are allowed", (int)e,
                                 (int)vertex[a], (int)rows - 1);
            for (int32_t b = 0; b < a; b++)
                if (vertex[a] == vertex[b])
                    return weft_fail(WEFT_BAD_INPUT, "matrix: element %d has vertex %d twice", (int)e, (int)vertex[a]);
        }
    }
    return weft_ok();
}

/* Visits each ordered vertex pair of each element. Counts per row if `column` is null, otherwise stores the neighbour.
 */
static void spread(const weft_elements *list, int64_t *fill, int32_t *column) {
    for (int32_t e = 0; e < list->count; e++) {
        const int32_t *vertex = list->vertex + (size_t)e * (size_t)list->arity;
        for (int32_t a = 0; a < list->arity; a++)
            for (int32_t b = 0; b < list->arity; b++)
                if (a != b) {
                    int64_t at = fill[vertex[a]]++;
                    if (column)
                        column[at] = vertex[b];
                }
    }
}

/* Lists the neighbours of row i at [start[i], start[i + 1]), unsorted and with duplicates. */
static weft_result list_neighbours(int32_t rows, const weft_elements *lists, int32_t list_count, int64_t **start_made,
                                   int32_t **column_made) {
    int64_t *start = weft_allocate((size_t)rows + 2, sizeof *start);
    if (!start)
        return weft_fail_memory("matrix structure", ((size_t)rows + 2) * sizeof *start);
    for (int32_t l = 0; l < list_count; l++)
        spread(&lists[l], start + 2, NULL);
    for (int32_t i = 0; i < rows; i++)
        start[i + 2] += start[i + 1];
    int64_t total = start[rows + 1];
    int32_t *column = weft_allocate((size_t)total, sizeof *column);
    if (!column) {
        free(start);
        return weft_fail_memory("matrix structure", (size_t)total * sizeof *column);
    }
    for (int32_t l = 0; l < list_count; l++)
        spread(&lists[l], start + 1, column);
    *start_made = start;
    *column_made = column;
    return weft_ok();
}

/* Sorts without comparisons. The structure is symmetric, so visiting rows in ascending order and appending each row to
 * its neighbours' lists yields sorted lists. A duplicate equals the last entry of the list. */
static weft_result sort_neighbours(weft_bsr *matrix, const int64_t *start, const int32_t *column) {
    int32_t rows = matrix->rows;
    int64_t *end = weft_allocate((size_t)rows, sizeof *end);
    int32_t *sorted = weft_allocate((size_t)start[rows], sizeof *sorted);
    weft_result result = weft_ok();
    int64_t blocks = 0;
    if (!end || !sorted) {
        result = weft_fail_memory("matrix structure", (size_t)start[rows] * sizeof *sorted);
        goto done;
    }
    for (int32_t i = 0; i < rows; i++)
        end[i] = start[i];
    for (int32_t i = 0; i < rows; i++)
        for (int64_t k = start[i]; k < start[i + 1]; k++) {
            int32_t j = column[k];
            if (end[j] == start[j] || sorted[end[j] - 1] != i)
                sorted[end[j]++] = i;
        }
    for (int32_t i = 0; i < rows; i++)
        blocks += end[i] - start[i];
    if (blocks > INT32_MAX) {
        result =
            weft_fail(WEFT_UNSUPPORTED, "matrix: %lld blocks, at most %d are supported", (long long)blocks, INT32_MAX);
        goto done;
    }
    matrix->blocks = (int32_t)blocks;
    matrix->column = weft_allocate((size_t)blocks, sizeof *matrix->column);
    if (!matrix->column) {
        result = weft_fail_memory("matrix structure", (size_t)blocks * sizeof *matrix->column);
        goto done;
    }
    blocks = 0;
    for (int32_t i = 0; i < rows; i++) {
        matrix->start[i] = (int32_t)blocks;
        for (int64_t k = start[i]; k < end[i]; k++)
            matrix->column[blocks++] = sorted[k];
        matrix->longest = end[i] - start[i] > matrix->longest ? (int32_t)(end[i] - start[i]) : matrix->longest;
    }
    matrix->start[rows] = (int32_t)blocks;
done:
    free(sorted);
    free(end);
    return result;
}

static weft_result make_structure(weft_bsr *matrix, const weft_elements *lists, int32_t list_count) {
    int64_t *start = NULL;
    int32_t *column = NULL;
    weft_result result = list_neighbours(matrix->rows, lists, list_count, &start, &column);
    if (start && column)
        result = sort_neighbours(matrix, start, column);
    free(column);
    free(start);
    return result;
}

static weft_result allocate_values(weft_bsr *matrix) {
    size_t count = (size_t)matrix->form * (size_t)matrix->block_room + 3;
    matrix->value = weft_allocate_large(count, sizeof *matrix->value);
    if (!matrix->value)
        return weft_fail_memory("matrix blocks", count * sizeof *matrix->value);
    return weft_ok();
}

weft_result weft_bsr_set_form(weft_bsr *matrix, weft_bsr_form form) {
    if (matrix->form == form)
        return weft_ok();
    free(matrix->value);
    matrix->form = form;
    return allocate_values(matrix);
}

weft_result weft_bsr_create(int32_t rows, const weft_elements *lists, int32_t list_count, weft_bsr **made) {
    *made = NULL;
    if (rows < 1)
        return weft_fail(WEFT_BAD_INPUT, "matrix: %d rows, at least 1 is needed", (int)rows);
    for (int32_t l = 0; l < list_count; l++)
        WEFT_TRY(check_list(rows, &lists[l]));
    weft_bsr *matrix = weft_allocate(1, sizeof *matrix);
    if (!matrix)
        return weft_fail_memory("matrix", sizeof *matrix);
    size_t n = (size_t)rows;
    matrix->rows = matrix->row_room = rows;
    matrix->form = WEFT_BSR_FULL;
    matrix->isa = weft_simd_isa();
    matrix->start = weft_allocate(n + 1, sizeof *matrix->start);
    matrix->excess = weft_allocate_large(9 * n + 3, sizeof *matrix->excess);
    matrix->diagonal = weft_allocate_large(9 * n, sizeof *matrix->diagonal);
    matrix->sum = weft_allocate_large(6 * n, sizeof *matrix->sum);
    weft_result result;
    if (!matrix->start || !matrix->excess || !matrix->diagonal || !matrix->sum)
        result = weft_fail_memory("matrix rows", n * 124);
    else
        result = make_structure(matrix, lists, list_count);
    if (result.code == WEFT_OK) {
        matrix->block_room = matrix->blocks;
        matrix->column = weft_move_large(matrix->column, (size_t)matrix->blocks, sizeof *matrix->column);
        result = allocate_values(matrix);
    }
    if (result.code != WEFT_OK) {
        weft_bsr_destroy(matrix);
        return result;
    }
    *made = matrix;
    return weft_ok();
}

void weft_bsr_destroy(weft_bsr *matrix) {
    if (!matrix)
        return;
    free(matrix->value);
    free(matrix->sum);
    free(matrix->diagonal);
    free(matrix->excess);
    free(matrix->column);
    free(matrix->start);
    free(matrix);
}

int32_t weft_bsr_slot(const weft_bsr *matrix, int32_t i, int32_t j) {
    int32_t low = matrix->start[i], high = matrix->start[i + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (matrix->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < matrix->start[i + 1] && matrix->column[low] == j ? low : -1;
}

enum { ROW = 8 }; /* relative cost of a row in parallel loops over all blocks */

void weft_bsr_clear_rows(weft_bsr *matrix, int64_t begin, int64_t end) {
    size_t first = (size_t)matrix->start[begin], last = (size_t)matrix->start[end];
    size_t form = (size_t)matrix->form;
    memset(matrix->value + form * first, 0, form * (last - first) * sizeof *matrix->value);
    memset(matrix->sum + 6 * begin, 0, 6 * (size_t)(end - begin) * sizeof *matrix->sum);
}

static void clear_block(void *context, int64_t begin, int64_t end) { weft_bsr_clear_rows(context, begin, end); }

void weft_bsr_clear(weft_bsr *matrix, const weft_work *work) {
    weft_parallel_heavy(work, matrix->rows, WEFT_BLOCK, ROW, clear_block, matrix);
}

static void pair_row_sum(const weft_bsr *matrix, int64_t i, double sum[9]) {
    memset(sum, 0, 9 * sizeof *sum);
    for (int32_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
        double block[9];
        weft_bsr_block(matrix, k, block);
        for (int c = 0; c < 9; c++)
            sum[c] += block[c];
    }
}

/* Adds two doubles at a time: GCC 12 converts four floats to doubles through memory. */
static void full_row_sum(const weft_bsr *matrix, int64_t i, double sum[9]) {
    const float *block = matrix->value + 9 * (size_t)matrix->start[i];
    const float *end = matrix->value + 9 * (size_t)matrix->start[i + 1];
    weft_f64x2 a = {0, 0}, b = a, c = a, d = a;
    double last = 0;
    for (; block < end; block += 9) {
        a += (weft_f64x2){(double)block[0], (double)block[1]};
        b += (weft_f64x2){(double)block[2], (double)block[3]};
        c += (weft_f64x2){(double)block[4], (double)block[5]};
        d += (weft_f64x2){(double)block[6], (double)block[7]};
        last += (double)block[8];
    }
    memcpy(sum, (const weft_f64x2[]){a, b, c, d}, 4 * sizeof a);
    sum[8] = last;
}

/* Sum of A_ij over row i. */
static void row_sum(const weft_bsr *matrix, int64_t i, double sum[9]) {
    (matrix->form == WEFT_BSR_PAIRS ? pair_row_sum : full_row_sum)(matrix, i, sum);
}

void weft_bsr_finish_rows(weft_bsr *matrix, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
        static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
        const double *symmetric = matrix->sum + 6 * i;
        double sum[9];
        row_sum(matrix, i, sum);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                /* Rounding makes the row sum slightly unsymmetric. E absorbs this, so that the product stays symmetric.
                 */
                double skew = 0.5 * (sum[3 * r + c] - sum[3 * c + r]);
                double excess = symmetric[at[3 * r + c]];
                matrix->excess[9 * i + 3 * r + c] = (float)(excess + skew);
                matrix->diagonal[9 * i + 3 * r + c] = (float)(excess - 0.5 * (sum[3 * r + c] + sum[3 * c + r]));
            }
    }
}

static void finish_block(void *context, int64_t begin, int64_t end) { weft_bsr_finish_rows(context, begin, end); }

void weft_bsr_finish(weft_bsr *matrix, const weft_work *work) {
    weft_parallel_heavy(work, matrix->rows, WEFT_BLOCK, ROW, finish_block, matrix);
}

void weft_bsr_diagonal(const weft_bsr *matrix, int32_t i, double block[9]) {
    double sum[9], full[9];
    row_sum(matrix, i, sum);
    for (int c = 0; c < 9; c++)
        full[c] = (double)matrix->excess[9 * (size_t)i + c] - sum[c];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[3 * r + c] = 0.5 * (full[3 * r + c] + full[3 * c + r]);
}
