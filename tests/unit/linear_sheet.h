/* Matrices for the tests of the linear solvers. */
#ifndef WEFT_TEST_LINEAR_SHEET_H
#define WEFT_TEST_LINEAR_SHEET_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "solve/bsr.h"
#include "solve/ldlt.h"
#include "solve/slots.h"
#include "weft/vec.h"

/* A grid of side x side vertices. Springs with random directions connect each vertex to its 8 neighbours and to the 4
 * vertices two cells away. The diagonal has an additional `mass`. The matrix is positive definite for mass > 0. */
typedef struct sheet {
    int32_t side, springs;
    double stiffness, mass;
    int32_t (*spring)[2];
    weft_bsr *matrix;
    weft_slots *slots;
    weft_vec3 *position; /* vertices of the flat grid */
} sheet;

/* Storage form of the matrices of sheets. */
static weft_bsr_form sheet_form = WEFT_BSR_FULL;

static inline weft_vec3 spring_direction(int32_t e) {
    uint64_t at = 3 * (uint64_t)e;
    return weft_normalize(
        weft_vec3_make(weft_random(7, at) - 0.5, weft_random(7, at + 1) - 0.5, weft_random(7, at + 2) - 0.5));
}

static inline void spring_block(const sheet *s, int32_t e, double block[9]) {
    weft_vec3 unit = spring_direction(e);
    double u[3] = {unit.x, unit.y, unit.z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[3 * r + c] = -s->stiffness * (u[r] * u[c] + (r == c ? 0.3 : 0));
}

static inline void sheet_add(void *context, const int32_t *elements, int32_t count) {
    sheet *s = context;
    for (int32_t k = 0; k < count; k++) {
        double block[9];
        spring_block(s, elements[k], block);
        weft_bsr_add_pair(s->matrix, s->slots->slot[elements[k]], block);
    }
}

/* The same springs, stored as direction and isotropic stiffness for the pair form. */
static inline void sheet_put(void *context, const int32_t *elements, int32_t count) {
    sheet *s = context;
    for (int32_t k = 0; k < count; k++)
        for (int side = 0; side < 2; side++) {
            weft_vec3 d = weft_scale(sqrt(s->stiffness), spring_direction(elements[k]));
            float *pair = s->matrix->value + WEFT_BSR_PAIRS * (size_t)s->slots->slot[elements[k]][side];
            pair[0] = (float)d.x, pair[1] = (float)d.y, pair[2] = (float)d.z, pair[3] = (float)(0.3 * s->stiffness);
        }
}

static inline void sheet_assemble(sheet *s, const weft_work *work) {
    weft_bsr_clear(s->matrix, work);
    for (int32_t i = 0; i < s->matrix->rows; i++)
        weft_bsr_add_scalar(s->matrix, i, s->mass * (1 + weft_random(3, (uint64_t)i)));
    weft_slots_run(s->slots, work, s->matrix->form == WEFT_BSR_PAIRS ? sheet_put : sheet_add, s);
    weft_bsr_finish(s->matrix, work);
}

static inline sheet sheet_make(int32_t side, double stiffness, double mass, const weft_work *work) {
    static const int reach[6][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}};
    sheet s = {.side = side, .stiffness = stiffness, .mass = mass};
    s.spring = malloc(6 * (size_t)side * (size_t)side * sizeof *s.spring);
    assert_non_null(s.spring);
    for (int32_t v = 0; v < side; v++)
        for (int32_t u = 0; u < side; u++)
            for (int k = 0; k < 6; k++) {
                int32_t a = u + reach[k][0], b = v + reach[k][1];
                if (a < 0 || a >= side || b >= side)
                    continue;
                s.spring[s.springs][0] = v * side + u;
                s.spring[s.springs++][1] = b * side + a;
            }
    weft_elements list = {.count = s.springs, .arity = 2, .vertex = s.spring[0]};
    assert_int_equal(weft_bsr_create(side * side, &list, 1, &s.matrix).code, WEFT_OK);
    assert_int_equal(weft_slots_create(s.matrix, &list, &s.slots).code, WEFT_OK);
    assert_int_equal(weft_slots_colour(s.slots, s.matrix, &list).code, WEFT_OK);
    assert_int_equal(weft_bsr_set_form(s.matrix, sheet_form).code, WEFT_OK);
    sheet_assemble(&s, work);
    s.position = malloc((size_t)side * (size_t)side * sizeof *s.position);
    assert_non_null(s.position);
    for (int32_t i = 0; i < side * side; i++)
        s.position[i] = weft_vec3_make(i % side, i / side, 0);
    return s;
}

static inline void sheet_free(sheet *s) {
    free(s->position);
    weft_slots_destroy(s->slots);
    weft_bsr_destroy(s->matrix);
    free(s->spring);
}

/* The same matrix, built from the springs alone as a dense row-major matrix (3n x 3n). */
static inline double *sheet_dense(const sheet *s) {
    size_t n = (size_t)s->matrix->rows, m = 3 * n;
    double *a = calloc(m * m, sizeof *a);
    assert_non_null(a);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < 3; c++)
            a[(3 * i + c) * m + 3 * i + c] += s->mass * (1 + weft_random(3, i));
    for (int32_t e = 0; e < s->springs; e++) {
        double block[9];
        spring_block(s, e, block);
        size_t i = (size_t)s->spring[e][0], j = (size_t)s->spring[e][1];
        for (size_t r = 0; r < 3; r++)
            for (size_t c = 0; c < 3; c++) {
                double b = block[3 * r + c];
                a[(3 * i + r) * m + 3 * j + c] += b;
                a[(3 * j + r) * m + 3 * i + c] += b;
                a[(3 * i + r) * m + 3 * i + c] -= b;
                a[(3 * j + r) * m + 3 * j + c] -= b;
            }
    }
    return a;
}

static inline weft_vec3 *random_vector(int32_t count, uint64_t seed) {
    weft_vec3 *x = malloc((size_t)count * sizeof *x);
    assert_non_null(x);
    for (int32_t i = 0; i < count; i++) {
        uint64_t at = 3 * (uint64_t)i;
        x[i] = weft_vec3_make(weft_random(seed, at) - 0.5, weft_random(seed, at + 1) - 0.5,
                              weft_random(seed, at + 2) - 0.5);
    }
    return x;
}

static inline double norm(const weft_vec3 *x, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += weft_dot(x[i], x[i]);
    return sqrt(sum);
}

static inline double apart(const weft_vec3 *x, const weft_vec3 *y, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += weft_dot(weft_sub(x[i], y[i]), weft_sub(x[i], y[i]));
    return sqrt(sum);
}

/* Solves with a factor for this matrix only. */
static inline weft_result direct_solve_once(const weft_bsr *matrix, const weft_filter *filter, const weft_work *work,
                                            const weft_vec3 *b, weft_vec3 *x) {
    weft_direct *direct;
    weft_result result = weft_direct_create(matrix, &direct);
    if (result.code == WEFT_OK)
        result = weft_direct_solve(direct, matrix, filter, work, b, x);
    weft_direct_destroy(direct);
    return result;
}

#endif
