/* The sparse Cholesky factor in single precision against its matrix. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "solve/cholesky.h"

/* A graph with a symmetric, diagonally dominant matrix. */
typedef struct problem {
    int32_t vertices, block;
    int32_t *start, *column;
    double *diagonal, *value;
    weft_vec3 *position;
} problem;

static double noise(uint64_t counter) { return 2 * weft_random(7, counter) - 1; }

/* The entry between i and j. The entry at (j, i) is its transpose. */
static double entry(int32_t i, int32_t j, int32_t a, int32_t b) {
    if (i > j)
        return entry(j, i, b, a);
    return -1 - 0.5 * noise((uint64_t)((i * 1009 + j) * 16 + a * 4 + b));
}

/* An n x m grid with edges and diagonals. Each vertex for which keep(i, j) is false has no neighbours. */
static problem make_grid(int32_t n, int32_t m, int32_t block, double mass, int (*keep)(int32_t, int32_t)) {
    problem p = {.vertices = n * m, .block = block};
    size_t entries = 8 * (size_t)(n * m), b2 = (size_t)(block * block);
    p.start = calloc((size_t)(n * m) + 1, sizeof(int32_t));
    p.column = calloc(entries, sizeof(int32_t));
    p.value = calloc(entries * b2, sizeof(double));
    p.diagonal = calloc((size_t)(n * m) * b2, sizeof(double));
    p.position = calloc((size_t)(n * m), sizeof(weft_vec3));
    int32_t e = 0;
    for (int32_t i = 0; i < n * m; i++) {
        p.start[i] = e;
        p.position[i] = (weft_vec3){i % n, i / n, 0.01 * noise((uint64_t)i)};
        for (int32_t k = 0; k < block; k++)
            p.diagonal[(size_t)i * b2 + (size_t)(k * block + k)] = mass;
        for (int32_t dy = -1; dy <= 1; dy++)
            for (int32_t dx = -1; dx <= 1; dx++) {
                int32_t x = i % n + dx, y = i / n + dy, j = y * n + x;
                if (j == i || x < 0 || y < 0 || x >= n || y >= m || !keep(i % n, i / n) || !keep(x, y))
                    continue;
                p.column[e] = j;
                for (int32_t a = 0; a < block; a++)
                    for (int32_t b = 0; b < block; b++) {
                        double value = (a == b ? 1 : 0.1) * entry(i, j, a, b);
                        p.value[(size_t)e * b2 + (size_t)(a * block + b)] = value;
                        p.diagonal[(size_t)i * b2 + (size_t)(a * block + a)] += fabs(value);
                    }
                e++;
            }
    }
    p.start[n * m] = e;
    return p;
}

static void free_problem(problem *p) {
    free(p->position);
    free(p->diagonal);
    free(p->value);
    free(p->column);
    free(p->start);
}

static int all(int32_t x, int32_t y) {
    (void)x;
    (void)y;
    return 1;
}
static int some(int32_t x, int32_t y) { return x != 7 && (x + y) % 11 != 0; }

static double multiply(const problem *p, const double *x, int32_t i, int32_t a) {
    int32_t b = p->block;
    double sum = 0;
    for (int32_t k = 0; k < b; k++)
        sum += p->diagonal[(i * b + a) * b + k] * x[i * b + k];
    for (int32_t e = p->start[i]; e < p->start[i + 1]; e++)
        for (int32_t k = 0; k < b; k++)
            sum += p->value[(e * b + a) * b + k] * x[p->column[e] * b + k];
    return sum;
}

static void solve(const weft_cholesky *c, const weft_work *work, float *b) {
    float *scratch = calloc((size_t)weft_cholesky_scratch(c), sizeof *scratch);
    weft_cholesky_solve(c, work, b, scratch);
    free(scratch);
}

/* Three right-hand sides in elimination order, which a solve loads and stores. Counts how often each unknown is
 * accessed. */
typedef struct ends {
    const weft_cholesky *c;
    float *side[3];
    int *loaded, *stored;
} ends;

static void load(void *context, int64_t begin, int64_t end, float *b) {
    const ends *e = context;
    for (int64_t i = begin; i < end; i++) {
        for (int side = 0; side < 3; side++)
            b[4 * i + side] = e->side[side][i];
        b[4 * i + 3] = NAN; /* the fourth lane is unused */
        e->loaded[i]++;
    }
}

static void store(void *context, int32_t task, int64_t begin, int64_t end, const float *b) {
    const ends *e = context;
    assert_true(task >= 0 && task <= e->c->task_count);
    for (int64_t i = begin; i < end; i++) {
        for (int side = 0; side < 3; side++)
            e->side[side][i] = b[4 * i + side];
        e->stored[i]++;
    }
}

static void solve_three(const weft_cholesky *c, const weft_work *work, float *side[3]) {
    float *scratch = calloc((size_t)weft_cholesky_scratch(c), sizeof *scratch);
    float *b = calloc(4 * (size_t)weft_cholesky_length(c), sizeof *b);
    ends e = {
        c, {side[0], side[1], side[2]}, calloc((size_t)c->count, sizeof(int)), calloc((size_t)c->count, sizeof(int))};
    const weft_cholesky_ends given = {&e, load, store, NULL};
    weft_cholesky_solve_three(c, work, &given, b, scratch);
    for (int32_t i = 0; i < c->count; i++) {
        assert_int_equal(e.loaded[i], 1);
        assert_int_equal(e.stored[i], 1);
    }
    free(e.stored);
    free(e.loaded);
    free(b);
    free(scratch);
}

/* Solves A x = b for a known x. Returns the largest error of a component; components of x are within [-1, 1]. */
static double error_of(const problem *p, int32_t sides, int threads) {
    weft_cholesky *c;
    weft_work work = {threads, NULL};
    assert_int_equal(weft_cholesky_create(p->vertices, p->start, p->column, p->position, p->block, &c).code, WEFT_OK);
    assert_int_equal(weft_cholesky_factor(c, p->start, p->column, p->diagonal, p->value).code, WEFT_OK);
    int32_t n = p->vertices * p->block;
    double *x = calloc((size_t)n, sizeof *x), worst = 0;
    float *b[3];
    for (int32_t i = 0; i < n; i++)
        x[i] = noise((uint64_t)(900000 + i));
    for (int32_t side = 0; side < 3; side++) {
        b[side] = calloc((size_t)weft_cholesky_length(c), sizeof *b[side]);
        for (int32_t i = 0; i < n; i++)
            b[side][c->place[i / p->block] * p->block + i % p->block] =
                (float)((side + 1) * multiply(p, x, i / p->block, i % p->block));
    }
    if (sides == 3)
        solve_three(c, &work, b);
    else
        solve(c, &work, b[0]);
    for (int32_t side = 0; side < 3; side++) {
        for (int32_t i = 0; i < n && side < sides; i++) {
            double found = (double)b[side][c->place[i / p->block] * p->block + i % p->block];
            worst = fmax(worst, fabs(found / (side + 1) - x[i]));
        }
        free(b[side]);
    }
    free(x);
    weft_cholesky_destroy(c);
    return worst;
}

static void solution_matches_known_vector(void **state) {
    (void)state;
    static const struct {
        int32_t n, m, block, sides;
        int (*keep)(int32_t, int32_t);
    } CASES[] = {{1, 1, 1, 1, all},    {3, 2, 1, 1, all},   {7, 9, 3, 1, all},   {40, 33, 1, 3, all},
                 {30, 31, 3, 1, some}, {90, 80, 1, 3, all}, {1, 400, 1, 1, all}, {60, 50, 1, 3, some}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        problem p = make_grid(CASES[i].n, CASES[i].m, CASES[i].block, 0.1, CASES[i].keep);
        double error = error_of(&p, CASES[i].sides, 1);
        if (!(error < 1e-4))
            fail_msg("grid %d x %d, block %d: error %g", CASES[i].n, CASES[i].m, CASES[i].block, error);
        free_problem(&p);
    }
}

/* The solution for one right-hand side, or for three at once. */
static void bits_of(const problem *p, int sides, weft_isa isa, int threads, float *b) {
    weft_cholesky *c;
    weft_work work = {threads, NULL};
    assert_int_equal(weft_cholesky_create(p->vertices, p->start, p->column, p->position, 1, &c).code, WEFT_OK);
    c->isa = isa;
    assert_int_equal(weft_cholesky_factor(c, p->start, p->column, p->diagonal, p->value).code, WEFT_OK);
    for (int64_t i = 0; i < (int64_t)sides * p->vertices; i++)
        b[i] = (float)noise((uint64_t)i);
    if (sides == 3) {
        float *side[3] = {b, b + p->vertices, b + 2 * (int64_t)p->vertices};
        solve_three(c, &work, side);
    } else {
        solve(c, &work, b);
    }
    weft_cholesky_destroy(c);
}

static void results_do_not_depend_on_threads_or_instruction_set(void **state) {
    (void)state;
    enum { ROOM = 40000 };
    problem p = make_grid(100, 120, 1, 0.1, all); /* large enough for multi-threaded loops */
    float *first = calloc(ROOM, sizeof *first), *other = calloc(ROOM, sizeof *other);
    for (int sides = 1; sides <= 3; sides += 2) {
        bits_of(&p, sides, WEFT_ISA_PORTABLE, 1, first);
        for (int threads = 1; threads <= 4; threads++)
            for (weft_isa isa = WEFT_ISA_PORTABLE; isa <= weft_simd_isa(); isa++) {
                bits_of(&p, sides, isa, threads, other);
                assert_memory_equal(first, other, (size_t)(sides * p.vertices) * sizeof *first);
            }
    }
    free(other);
    free(first);
    free_problem(&p);
}

/* Nested dissection must clearly beat row order: a 64 x 64 grid has 4096 x 64 entries in its band. */
static void nested_dissection_keeps_fill_low(void **state) {
    (void)state;
    problem p = make_grid(64, 64, 1, 0.1, all);
    weft_cholesky *c;
    assert_int_equal(weft_cholesky_create(p.vertices, p.start, p.column, p.position, 1, &c).code, WEFT_OK);
    assert_true(c->value_count < 4096 * 64);
    uint8_t *seen = calloc(4096, 1);
    for (int32_t i = 0; i < 4096; i++) {
        assert_int_equal(c->place[c->vertex[i]], i);
        seen[c->vertex[i]] = 1;
    }
    for (int32_t i = 0; i < 4096; i++)
        assert_true(seen[i]);
    free(seen);
    weft_cholesky_destroy(c);
    free_problem(&p);
}

/* A grid with equal values at all vertices and edges, except one vertex if `odd` is not -1. */
static problem make_even_grid(int32_t n, int32_t odd) {
    problem p = make_grid(n, n, 1, 0.1, all);
    for (int32_t i = 0; i < n * n; i++) {
        p.position[i].z = 0;
        p.diagonal[i] = i == odd ? 9.5 : 8.5;
    }
    for (int32_t e = 0; e < p.start[n * n]; e++)
        p.value[e] = -1;
    return p;
}

/* Dissection cuts a uniform grid into congruent pieces that share their factors. A deviating vertex gets its own
 * values, as do the supernodes above it. */
static void equal_subtrees_share_factors(void **state) {
    (void)state;
    enum { SIDE = 127 };
    int64_t stored[2];
    for (int i = 0; i < 2; i++) {
        problem p = make_even_grid(SIDE, i == 0 ? -1 : 40 * SIDE + 30);
        weft_cholesky *c;
        assert_int_equal(weft_cholesky_create(p.vertices, p.start, p.column, p.position, 1, &c).code, WEFT_OK);
        for (int round = 0; round < 2; round++) { /* a second factorisation starts from scratch */
            assert_int_equal(weft_cholesky_factor(c, p.start, p.column, p.diagonal, p.value).code, WEFT_OK);
            assert_true(round == 0 || c->stored_count == stored[i]);
            stored[i] = c->stored_count;
        }
        assert_true(3 * stored[i] < c->value_count);
        weft_cholesky_destroy(c);
        assert_true(error_of(&p, 3, 1) < 1e-4);
        free_problem(&p);
    }
    assert_true(stored[1] > stored[0]);
}

static void different_subtrees_share_no_factors(void **state) {
    (void)state;
    problem p = make_grid(64, 64, 1, 0.1, all);
    weft_cholesky *c;
    assert_int_equal(weft_cholesky_create(p.vertices, p.start, p.column, p.position, 1, &c).code, WEFT_OK);
    assert_int_equal(weft_cholesky_factor(c, p.start, p.column, p.diagonal, p.value).code, WEFT_OK);
    assert_int_equal(c->stored_count, c->value_count);
    weft_cholesky_destroy(c);
    free_problem(&p);
}

static void indefinite_matrix_is_refused(void **state) {
    (void)state;
    problem p = make_grid(20, 20, 1, 0.1, all);
    weft_cholesky *c;
    p.diagonal[211] = -1;
    assert_int_equal(weft_cholesky_create(p.vertices, p.start, p.column, p.position, 1, &c).code, WEFT_OK);
    weft_result result = weft_cholesky_factor(c, p.start, p.column, p.diagonal, p.value);
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_non_null(strstr(result.message, "not positive definite"));
    p.diagonal[211] = NAN;
    assert_int_equal(weft_cholesky_factor(c, p.start, p.column, p.diagonal, p.value).code, WEFT_BAD_INPUT);
    weft_cholesky_destroy(c);
    free_problem(&p);
}

/* A factor that is renewed in every step has the same values, on any number of threads and instruction set. */
static void renewed_factor_is_the_same_on_any_threads(void **state) {
    (void)state;
    problem p = make_grid(48, 40, 3, 0.1, all);
    weft_cholesky *first, *c;
    assert_int_equal(weft_cholesky_create(p.vertices, p.start, p.column, p.position, 3, &first).code, WEFT_OK);
    assert_int_equal(weft_cholesky_factor(first, p.start, p.column, p.diagonal, p.value).code, WEFT_OK);
    assert_int_equal(first->stored_count, first->value_count);
    assert_true(first->task_count > 8);
    assert_int_equal(weft_cholesky_create(p.vertices, p.start, p.column, p.position, 3, &c).code, WEFT_OK);
    for (c->isa = WEFT_ISA_PORTABLE; c->isa <= weft_simd_isa(); c->isa++)
        for (int threads = 1; threads <= 16; threads += 5) {
            weft_work work = {threads, NULL};
            memset(c->value, 0xff, (size_t)c->value_count * sizeof *c->value);
            assert_int_equal(weft_cholesky_refactor(c, &work, p.start, p.column, p.diagonal, p.value).code, WEFT_OK);
            for (int64_t i = 0; i < c->value_count; i++)
                if (!(c->value[i] == first->value[i])) /* padding may have zeros of either sign */
                    fail_msg("%d threads, value %lld is %g instead of %g", threads, (long long)i, (double)c->value[i],
                             (double)first->value[i]);
        }
    weft_cholesky_destroy(c);
    weft_cholesky_destroy(first);
    free_problem(&p);
}

/* Solves with one right-hand side use threads within large supernodes. */
static void solution_with_blocks_does_not_depend_on_threads(void **state) {
    (void)state;
    problem p = make_grid(70, 60, 3, 0.1, all);
    weft_cholesky *c;
    weft_work work = {1, NULL};
    assert_int_equal(weft_cholesky_create(p.vertices, p.start, p.column, p.position, 3, &c).code, WEFT_OK);
    assert_int_equal(weft_cholesky_refactor(c, &work, p.start, p.column, p.diagonal, p.value).code, WEFT_OK);
    size_t length = (size_t)weft_cholesky_length(c), bytes = (size_t)c->count * sizeof(float);
    float *one = calloc(length, sizeof *one), *many = calloc(length, sizeof *many);
    for (work.threads = 1; work.threads <= 16; work.threads += 3)
        for (int round = 0; round < 10; round++) { /* threads are used once the time of loops is known */
            for (int32_t i = 0; i < c->count; i++)
                many[i] = (float)noise((uint64_t)i);
            solve(c, &work, many);
            if (work.threads == 1 && round == 0)
                memcpy(one, many, bytes);
            assert_memory_equal(one, many, bytes);
        }
    free(many);
    free(one);
    weft_cholesky_destroy(c);
    free_problem(&p);
}

/* Both in a subtree of a task and in a supernode above the tasks. The factor works again with the next matrix. */
static void indefinite_matrix_is_refused_on_any_threads(void **state) {
    (void)state;
    problem p = make_grid(48, 40, 3, 0.1, all);
    weft_cholesky *c;
    assert_int_equal(weft_cholesky_create(p.vertices, p.start, p.column, p.position, 3, &c).code, WEFT_OK);
    const int32_t vertex[2] = {c->vertex[0], c->vertex[p.vertices - 1]};
    for (int k = 0; k < 2; k++) {
        char first[256] = "";
        double before = p.diagonal[9 * vertex[k]];
        for (int threads = 1; threads <= 8; threads *= 2) {
            weft_work work = {threads, NULL};
            p.diagonal[9 * vertex[k]] = -1;
            weft_result result = weft_cholesky_refactor(c, &work, p.start, p.column, p.diagonal, p.value);
            assert_int_equal(result.code, WEFT_BAD_INPUT);
            if (threads == 1)
                strncpy(first, result.message, sizeof first - 1);
            assert_string_equal(result.message, first);
            p.diagonal[9 * vertex[k]] = before;
            assert_int_equal(weft_cholesky_refactor(c, &work, p.start, p.column, p.diagonal, p.value).code, WEFT_OK);
        }
    }
    weft_cholesky_destroy(c);
    free_problem(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(renewed_factor_is_the_same_on_any_threads),
                                       cmocka_unit_test(solution_with_blocks_does_not_depend_on_threads),
                                       cmocka_unit_test(indefinite_matrix_is_refused_on_any_threads),
                                       cmocka_unit_test(solution_matches_known_vector),
                                       cmocka_unit_test(results_do_not_depend_on_threads_or_instruction_set),
                                       cmocka_unit_test(nested_dissection_keeps_fill_low),
                                       cmocka_unit_test(equal_subtrees_share_factors),
                                       cmocka_unit_test(different_subtrees_share_no_factors),
                                       cmocka_unit_test(indefinite_matrix_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
