/* Updates the structure of a block-sparse row matrix after adaptive refinement or tearing changed a few rows. Unchanged
 * rows are copied; only changed rows are rebuilt from the elements. Bender and Deul (2013) also update the structure in
 * place after refinement and coarsening. */
#include <stdlib.h>

#include "core/memory.h"
#include "solve/bsr.h"

/* The changed rows. Neighbours of the k-th one, with duplicates, are at column[start[k] .. start[k + 1]). */
typedef struct changed_rows {
    int32_t *number; /* index of a row among the changed ones, or WEFT_NONE (rows) */
    int64_t *start;
    int32_t *column;
    int32_t count;
} changed_rows;

static weft_result check_element(int32_t rows, const weft_elements *list, int32_t e) {
    const int32_t *vertex = list->vertex + (size_t)e * (size_t)list->arity;
    for (int32_t a = 0; a < list->arity; a++)
        if (vertex[a] < 0 || vertex[a] >= rows)
            return weft_fail(WEFT_BAD_INPUT, "matrix: element %d has vertex %d, 0 to %d are allowed", (int)e,
                             (int)vertex[a], (int)rows - 1);
    return weft_ok();
}

/* Counts if `column` is null, otherwise stores the neighbours. */
static void spread(const weft_elements *list, const int32_t *number, int64_t *fill, int32_t *column) {
    for (int32_t e = 0; e < list->count; e++) {
        const int32_t *vertex = list->vertex + (size_t)e * (size_t)list->arity;
        for (int32_t a = 0; a < list->arity; a++) {
            int32_t k = number[vertex[a]];
            if (k == WEFT_NONE)
                continue;
            for (int32_t b = 0; column && b < list->arity; b++)
                if (a != b)
                    column[fill[k]++] = vertex[b];
            fill[k] += column ? 0 : list->arity - 1;
        }
    }
}

static void insert(int32_t *sorted, int64_t count, int32_t value) {
    int64_t at = count;
    for (; at > 0 && sorted[at - 1] > value; at--)
        sorted[at] = sorted[at - 1];
    sorted[at] = value;
}

/* Sorts in place and removes duplicates; returns the new count. */
static int32_t sort_unique(int32_t *column, int64_t count) {
    int32_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        insert(column, i, column[i]);
    for (int64_t i = 0; i < count; i++)
        if (kept == 0 || column[kept - 1] != column[i])
            column[kept++] = column[i];
    return kept;
}

static weft_result list_changed_rows(int32_t rows, const int32_t *from, const weft_elements *lists, int32_t list_count,
                                     changed_rows *f) {
    f->number = weft_allocate((size_t)rows, sizeof *f->number);
    if (!f->number)
        return weft_fail_memory("matrix structure", (size_t)rows * sizeof *f->number);
    for (int32_t i = 0; i < rows; i++)
        f->number[i] = from[i] == WEFT_NONE ? f->count++ : WEFT_NONE;
    f->start = weft_allocate((size_t)f->count + 2, sizeof *f->start);
    if (!f->start)
        return weft_fail_memory("matrix structure", ((size_t)f->count + 2) * sizeof *f->start);
    for (int32_t l = 0; l < list_count; l++) {
        for (int32_t e = 0; e < lists[l].count; e++)
            if (!lists[l].same && (!lists[l].from || lists[l].from[e] == WEFT_NONE))
                WEFT_TRY(check_element(rows, &lists[l], e));
        spread(&lists[l], f->number, f->start + 2, NULL);
    }
    for (int32_t k = 0; k < f->count; k++)
        f->start[k + 2] += f->start[k + 1];
    f->column = weft_allocate((size_t)f->start[f->count + 1], sizeof *f->column);
    if (!f->column)
        return weft_fail_memory("matrix structure", (size_t)f->start[f->count + 1] * sizeof *f->column);
    for (int32_t l = 0; l < list_count; l++)
        spread(&lists[l], f->number, f->start + 1, f->column);
    return weft_ok();
}

/* Turns the row lengths into start indices. */
static weft_result measure_rows(const weft_bsr *matrix, const changed_rows *f, int32_t rows, const int32_t *from,
                                int32_t *start) {
    int64_t blocks = 0;
    for (int32_t i = 0; i < rows; i++) {
        int32_t k = f->number[i], was = from[i];
        start[i] = (int32_t)blocks;
        blocks += k == WEFT_NONE ? matrix->start[was + 1] - matrix->start[was]
                                 : sort_unique(f->column + f->start[k], f->start[k + 1] - f->start[k]);
        if (blocks > INT32_MAX)
            return weft_fail(WEFT_UNSUPPORTED, "matrix: %lld blocks, at most %d are supported", (long long)blocks,
                             INT32_MAX);
    }
    start[rows] = (int32_t)blocks;
    return weft_ok();
}

static void fill_rows(const weft_bsr *matrix, const changed_rows *f, int32_t rows, const int32_t *from,
                      const int32_t *start, int32_t *column, int32_t *moved) {
    for (int32_t i = 0; i < rows; i++) {
        int32_t k = f->number[i], count = start[i + 1] - start[i];
        const int32_t *source = k == WEFT_NONE ? matrix->column + matrix->start[from[i]] : f->column + f->start[k];
        int32_t shift = k == WEFT_NONE ? i - from[i] : 0;
        for (int32_t c = 0; c < count; c++)
            column[start[i] + c] = source[c] + shift;
        moved[i] = k == WEFT_NONE ? start[i] - matrix->start[from[i]] : WEFT_BSR_NEW;
    }
}

/* Reallocates without keeping the contents. */
static int reallocate(float **array, size_t count) {
    free(*array);
    *array = weft_allocate_large(count, sizeof **array);
    return *array != NULL;
}

/* Grows by an extra eighth, so that a growing mesh does not reallocate every time. */
static weft_result make_room(weft_bsr *matrix, int32_t rows, int32_t blocks) {
    if (rows > matrix->row_room) {
        size_t room = (size_t)rows + (size_t)rows / 8;
        free(matrix->sum);
        matrix->sum = weft_allocate_large(6 * room, sizeof *matrix->sum);
        if (!reallocate(&matrix->excess, 9 * room + 3) || !reallocate(&matrix->diagonal, 9 * room) || !matrix->sum)
            return weft_fail_memory("matrix rows", room * 124);
        matrix->row_room = (int32_t)room;
    }
    if (blocks > matrix->block_room) {
        size_t room = (size_t)blocks + (size_t)blocks / 8;
        if (!reallocate(&matrix->value, (size_t)matrix->form * room + 3))
            return weft_fail_memory("matrix blocks", (size_t)matrix->form * room * sizeof *matrix->value);
        matrix->block_room = (int32_t)(room < INT32_MAX ? room : INT32_MAX);
    }
    for (int c = 0; c < 3; c++) /* padding that SIMD loads read */
        matrix->excess[9 * (size_t)rows + c] = matrix->value[(size_t)matrix->form * (size_t)blocks + c] = 0;
    return weft_ok();
}

static weft_result replace_structure(weft_bsr *matrix, const changed_rows *f, int32_t rows, const int32_t *from,
                                     int32_t *moved) {
    int32_t *start = weft_allocate((size_t)rows + 1, sizeof *start), *column = NULL;
    weft_result result = start ? measure_rows(matrix, f, rows, from, start)
                               : weft_fail_memory("matrix structure", (size_t)rows * sizeof *start);
    if (result.code == WEFT_OK && !(column = weft_allocate_large((size_t)start[rows], sizeof *column)))
        result = weft_fail_memory("matrix structure", (size_t)start[rows] * sizeof *column);
    if (result.code != WEFT_OK) {
        free(start);
        return result;
    }
    fill_rows(matrix, f, rows, from, start, column, moved);
    free(matrix->start);
    free(matrix->column);
    matrix->start = start;
    matrix->column = column;
    matrix->rows = rows;
    matrix->blocks = start[rows];
    matrix->longest = 0;
    for (int32_t i = 0; i < rows; i++)
        matrix->longest = start[i + 1] - start[i] > matrix->longest ? start[i + 1] - start[i] : matrix->longest;
    return make_room(matrix, rows, matrix->blocks);
}

weft_result weft_bsr_update(weft_bsr *matrix, int32_t rows, const int32_t *from, const weft_elements *lists,
                            int32_t list_count, int32_t *moved) {
    changed_rows f = {NULL, NULL, NULL, 0};
    weft_result result = list_changed_rows(rows, from, lists, list_count, &f);
    if (result.code == WEFT_OK)
        result = replace_structure(matrix, &f, rows, from, moved);
    free(f.column);
    free(f.start);
    free(f.number);
    return result;
}
