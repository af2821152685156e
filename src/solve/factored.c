/* Reuse of a Cholesky factor as a preconditioner over several steps. The factor is renewed once the extra iterations it
 * caused cost as much as a new factorisation. */
#include "solve/factored.h"

#include <string.h>

#include "core/memory.h"

/* Extra iterations that cost as much as a factorisation: the work of its fronts relative to its number of values. The
 * factor 0.1 gave the least user time on hanging sheets with 32 and 64 vertices per side. */
static double refactor_cost_of(const weft_cholesky *c) {
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
           (f->identity = weft_allocate(rows, sizeof *f->identity)) && (f->z = weft_allocate(rows, sizeof *f->z));
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
        f->identity[i] = i;
    f->blocks = matrix->blocks;
    f->refactor_cost = refactor_cost_of(f->cholesky);
    f->stale = 1;
    *made = f;
    return weft_ok();
}

void weft_factored_destroy(weft_factored *f) {
    if (!f)
        return;
    free(f->z);
    free(f->identity);
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

/* Fixed vertices get identity blocks and no coupling, so that the factor is that of the free vertices. Values are
 * rounded to float, as snapshots store them. */
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
    if (!f->stale && same_held(f, filter, matrix->rows))
        return;
    copy_matrix(f, matrix, filter);
    f->usable = weft_cholesky_factor(f->cholesky, matrix->start, matrix->column, f->diagonal, f->value).code == WEFT_OK;
    f->stale = !f->usable;
    f->first_iterations = -1;
    f->extra_iterations = 0;
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

int32_t weft_factored_iteration_limit(const weft_factored *f) {
    return f->usable && f->first_iterations >= 0
               ? f->first_iterations + (int32_t)f->refactor_cost - f->extra_iterations + 1
               : INT32_MAX;
}

/* The factor is stale once the iterations that a new one would have saved cost as much as computing it. */
void weft_factored_record_solve(weft_factored *f, int32_t iterations) {
    if (f->first_iterations < 0)
        f->first_iterations = iterations;
    f->extra_iterations += iterations > f->first_iterations ? iterations - f->first_iterations : 0;
    f->stale = !f->usable || f->extra_iterations > f->refactor_cost;
}

typedef struct state_header {
    int32_t first_iterations, stale, usable, extra_iterations;
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
    state_header header = {f->first_iterations, f->stale, f->usable, f->extra_iterations};
    char *at = buffer;
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    for (int64_t i = 0; i < number_count(f); i++, at += sizeof(float)) {
        float value = (float)*number_at(f, i); /* exact: the value came from a float */
        memcpy(at, &value, sizeof value);
    }
    memcpy(at, f->held, (size_t)f->cholesky->vertices);
}

/* Whether loaded counters are plausible, so that the iteration limit cannot overflow. */
static int is_plausible(const weft_factored *f) {
    const int32_t most = 1 << 24;
    return f->first_iterations >= -1 && f->first_iterations <= most && f->extra_iterations >= 0 &&
           f->extra_iterations <= f->refactor_cost;
}

weft_result weft_factored_state_load(weft_factored *f, const weft_bsr *matrix, const void *buffer, size_t size) {
    state_header header;
    const char *at = buffer;
    if (size != weft_factored_state_size(f))
        return weft_fail(
            WEFT_BAD_INPUT,
            "snapshot: of another integrator, or of one with other settings: %zu bytes of a factor, but %zu are needed",
            size, weft_factored_state_size(f));
    memcpy(&header, at, sizeof header);
    at += sizeof header;
    for (int64_t i = 0; i < number_count(f); i++, at += sizeof(float)) {
        float value;
        memcpy(&value, at, sizeof value);
        *number_at(f, i) = (double)value;
    }
    for (int32_t i = 0; i < f->cholesky->vertices; i++)
        f->held[i] = at[i] != 0;
    f->first_iterations = header.first_iterations;
    f->stale = header.stale != 0;
    f->extra_iterations = header.extra_iterations;
    f->usable = 0;
    if (header.usable) /* non-finite values fail here; the next solve then factors its own matrix */
        f->usable =
            weft_cholesky_factor(f->cholesky, matrix->start, matrix->column, f->diagonal, f->value).code == WEFT_OK;
    f->stale |= !f->usable || !is_plausible(f);
    return weft_ok();
}
