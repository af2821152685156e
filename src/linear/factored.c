#include "linear/factored.h"

#include <string.h>

#include "core/memory.h"

/* How many iterations too many a factor may cost before it is made anew: in proportion to the work of its fronts over
 * its values. The factor 0.1 was best, by user time, on hanging sheets of 32 and 64 vertices a side. */
static double price_of(const weft_cholesky *c) {
    double work = 0;
    for (int32_t i = 0; i < c->node_count; i++) {
        double height = c->node[i].pivot_stride + c->node[i].stride;
        work += c->node[i].pivot_stride * height * height;
    }
    return 0.1 * work / (double)c->value_count;
}

static int allocate(weft_factored *f, const weft_bsr *matrix) {
    size_t rows = (size_t)matrix->rows, blocks = (size_t)matrix->blocks;
    return (f->diagonal = weft_allocate(9 * rows, sizeof(double))) &&
           (f->value = weft_allocate(9 * blocks, sizeof(double))) && (f->held = weft_allocate(rows, 1)) &&
           (f->b = weft_allocate((size_t)weft_cholesky_length(f->cholesky), sizeof(float))) &&
           (f->scratch = weft_allocate((size_t)weft_cholesky_scratch(f->cholesky), sizeof(float))) &&
           (f->own = weft_allocate(rows, sizeof *f->own)) && (f->z = weft_allocate(rows, sizeof *f->z));
}

weft_result weft_factored_create(const weft_bsr *matrix, const weft_vec3 *position, weft_factored **made) {
    *made = NULL;
    weft_factored *f = weft_allocate(1, sizeof *f);
    if (!f)
        return weft_fail_memory("preconditioner", sizeof *f);
    weft_result result = weft_cholesky_create(matrix->rows, matrix->start, matrix->column, position, 3, &f->cholesky);
    if (result.code == WEFT_OK && !allocate(f, matrix))
        result = weft_fail_memory("preconditioner", 9 * (size_t)matrix->blocks * sizeof(double));
    if (result.code != WEFT_OK) {
        weft_factored_destroy(f);
        return result;
    }
    for (int32_t i = 0; i < matrix->rows; i++)
        f->own[i] = i;
    f->blocks = matrix->blocks;
    f->price = price_of(f->cholesky);
    f->worn = 1;
    *made = f;
    return weft_ok();
}

void weft_factored_destroy(weft_factored *f) {
    if (!f)
        return;
    free(f->z);
    free(f->own);
    free(f->scratch);
    free(f->b);
    free(f->held);
    free(f->value);
    free(f->diagonal);
    weft_cholesky_destroy(f->cholesky);
    free(f);
}

static int is_held(const weft_filter *filter, int32_t i) { return filter && filter->state[i] == 3; }

static int same_held(const weft_factored *f, const weft_filter *filter, int32_t rows) {
    for (int32_t i = 0; i < rows; i++)
        if (f->held[i] != is_held(filter, i))
            return 0;
    return 1;
}

/* Held vertices stand alone, with unit blocks: so the factor is that of the free ones. Rounded to floats, as they are
 * saved. */
static void copy_matrix(weft_factored *f, const weft_bsr *matrix, const weft_filter *filter) {
    for (int32_t i = 0; i < matrix->rows; i++) {
        f->held[i] = (uint8_t)is_held(filter, i);
        for (int k = 0; k < 9; k++)
            f->diagonal[9 * (int64_t)i + k] = f->held[i] ? (k % 4 == 0) : (double)matrix->diagonal[9 * (int64_t)i + k];
        for (int32_t e = matrix->start[i]; e < matrix->start[i + 1]; e++) {
            double block[9];
            weft_bsr_block(matrix, e, block);
            for (int k = 0; k < 9; k++)
                f->value[9 * (int64_t)e + k] =
                    f->held[i] || is_held(filter, matrix->column[e]) ? 0 : (double)(float)block[k];
        }
    }
}

void weft_factored_update(weft_factored *f, const weft_bsr *matrix, const weft_filter *filter) {
    if (!f->worn && same_held(f, filter, matrix->rows))
        return;
    copy_matrix(f, matrix, filter);
    f->usable = weft_cholesky_factor(f->cholesky, matrix->start, matrix->column, f->diagonal, f->value).code == WEFT_OK;
    f->worn = !f->usable;
    f->fresh = -1;
    f->excess = 0;
}

void weft_factored_solve(weft_factored *f, const weft_work *work, const weft_vec3 *r) {
    const weft_cholesky *c = f->cholesky;
    for (int32_t i = 0; i < c->vertices; i++) {
        float *b = f->b + 3 * (int64_t)c->place[i];
        b[0] = (float)r[i].x;
        b[1] = (float)r[i].y;
        b[2] = (float)r[i].z;
    }
    weft_cholesky_solve(c, work, f->b, f->scratch);
    for (int32_t i = 0; i < c->vertices; i++) {
        const float *b = f->b + 3 * (int64_t)c->place[i];
        f->z[i] = (weft_vec3){(double)b[0], (double)b[1], (double)b[2]};
    }
}

int32_t weft_factored_patience(const weft_factored *f) {
    return f->usable && f->fresh >= 0 ? f->fresh + (int32_t)f->price - f->excess + 1 : INT32_MAX;
}

/* The factor has served when the iterations that a new one would have saved cost as much as making it. */
void weft_factored_judge(weft_factored *f, int32_t iterations) {
    if (f->fresh < 0)
        f->fresh = iterations;
    f->excess += iterations > f->fresh ? iterations - f->fresh : 0;
    f->worn = !f->usable || f->excess > f->price;
}

typedef struct state_header {
    int32_t fresh, worn, usable, excess;
} state_header;

static int64_t number_count(const weft_factored *f) { return 9 * ((int64_t)f->cholesky->vertices + f->blocks); }

static double *number_at(const weft_factored *f, int64_t i) {
    int64_t diagonal = 9 * (int64_t)f->cholesky->vertices;
    return i < diagonal ? f->diagonal + i : f->value + (i - diagonal);
}

size_t weft_factored_state_size(const weft_factored *f) {
    return sizeof(state_header) + (size_t)number_count(f) * sizeof(float) + (size_t)f->cholesky->vertices;
}

void weft_factored_state_save(const weft_factored *f, void *buffer) {
    state_header header = {f->fresh, f->worn, f->usable, f->excess};
    char *at = buffer;
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    for (int64_t i = 0; i < number_count(f); i++, at += sizeof(float)) {
        float value = (float)*number_at(f, i); /* it came from a float */
        memcpy(at, &value, sizeof value);
    }
    memcpy(at, f->held, (size_t)f->cholesky->vertices);
}

/* Whether what was counted can have been, so that patience can be reckoned with it. */
static int is_credible(const weft_factored *f) {
    const int32_t most = 1 << 24;
    return f->fresh >= -1 && f->fresh <= most && f->excess >= 0 && f->excess <= f->price;
}

weft_result weft_factored_state_load(weft_factored *f, const weft_bsr *matrix, const void *buffer, size_t size) {
    state_header header;
    const char *at = buffer;
    if (size != weft_factored_state_size(f))
        return weft_fail(WEFT_BAD_INPUT, "state of a factor: %zu bytes, but %zu are needed", size,
                         weft_factored_state_size(f));
    memcpy(&header, at, sizeof header);
    at += sizeof header;
    for (int64_t i = 0; i < number_count(f); i++, at += sizeof(float)) {
        float value;
        memcpy(&value, at, sizeof value);
        *number_at(f, i) = (double)value;
    }
    for (int32_t i = 0; i < f->cholesky->vertices; i++)
        f->held[i] = at[i] != 0;
    f->fresh = header.fresh;
    f->worn = header.worn != 0;
    f->excess = header.excess;
    f->usable = 0;
    if (header.usable) /* values that are not finite fail here, and the next solve makes its own */
        f->usable =
            weft_cholesky_factor(f->cholesky, matrix->start, matrix->column, f->diagonal, f->value).code == WEFT_OK;
    f->worn |= !f->usable || !is_credible(f);
    return weft_ok();
}
