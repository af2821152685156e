#include "tests/unit/linear_sheet.h"

#include "solve/coupling.h"
#include "solve/factored.h"
#include "solve/ldlt.h"
#include "solve/pcg.h"
#include "solve/ritz.h"

static weft_work work;

static weft_precond *make_precond(const sheet *s, const weft_filter *filter, weft_precond_kind kind) {
    weft_precond *precond = NULL;
    assert_int_equal(weft_precond_create(s->matrix, kind, s->position, &precond).code, WEFT_OK);
    weft_precond_update(precond, s->matrix, filter, &work);
    return precond;
}

/* Vertices of each kind: held and moved, on an oblique plane, on an oblique line, on an axis-aligned plane. */
static weft_filter *make_filter(int32_t count) {
    weft_filter *f = NULL;
    assert_int_equal(weft_filter_create(count, &f).code, WEFT_OK);
    for (int32_t i = 0; i < count; i += 7)
        weft_filter_hold(f, i, weft_vec3_make(0.1 * i, -0.3, 1.0 / 3));
    for (int32_t i = 1; i < count; i += 7)
        assert_true(weft_filter_forbid(f, i, weft_vec3_make(1, 2, -0.5), 0.7));
    for (int32_t i = 2; i < count; i += 7) {
        assert_true(weft_filter_forbid(f, i, weft_vec3_make(1, 1, 0), 0.2));
        assert_true(weft_filter_forbid(f, i, weft_vec3_make(0, 1, 3), -0.4));
    }
    for (int32_t i = 3; i < count; i += 7)
        assert_true(weft_filter_forbid(f, i, weft_vec3_make(0, 1, 0), 1.0 / 7));
    return f;
}

/* ---- filters ---- */

static void filter_removes_forbidden_directions(void **state) {
    (void)state;
    weft_filter *f = make_filter(8);
    weft_vec3 v = {0.3, -1.7, 2.9};
    assert_true(weft_distance(weft_filter_apply(f, 4, v), v) == 0);
    assert_true(weft_length(weft_filter_apply(f, 0, v)) == 0);
    weft_vec3 on_plane = weft_filter_apply(f, 1, v), on_line = weft_filter_apply(f, 2, v);
    assert_float_equal(weft_dot(on_plane, weft_vec3_make(1, 2, -0.5)), 0, 1e-14);
    assert_float_equal(weft_dot(on_line, weft_vec3_make(1, 1, 0)), 0, 1e-14);
    assert_float_equal(weft_dot(on_line, weft_vec3_make(0, 1, 3)), 0, 1e-14);
    assert_float_equal(weft_distance(weft_filter_apply(f, 2, on_line), on_line), 0, 1e-14);
    assert_true(weft_length(on_line) > 0.1);
    /* The first prescribed value is kept when a direction at another angle is added. */
    double root = sqrt(2), other = sqrt(10);
    assert_float_equal(weft_dot(f->change[2], weft_vec3_make(1 / root, 1 / root, 0)), 0.2, 1e-14);
    assert_float_equal(weft_dot(f->change[2], weft_vec3_make(0, 1 / other, 3 / other)), -0.4, 1e-14);
    assert_int_equal(weft_filter_forbid(f, 2, weft_vec3_make(1, 2, 3), 0), 0);
    assert_int_equal(weft_filter_forbid(f, 2, weft_vec3_make(0, 0, 0), 0), 0);
    assert_int_equal(f->state[2], 2);
    double matrix[9];
    weft_filter_matrix(f, 1, matrix);
    assert_float_equal(matrix[3] * v.x + matrix[4] * v.y + matrix[5] * v.z, on_plane.y, 1e-14);
    weft_filter_clear(f);
    assert_true(weft_distance(weft_filter_enforce(f, 0, v), v) == 0);
    weft_filter_destroy(f);
}

/* ---- solving ---- */

static void dense_cholesky_solve(double *a, size_t m, double *x) {
    for (size_t j = 0; j < m; j++) {
        for (size_t k = 0; k < j; k++)
            a[j * m + j] -= a[j * m + k] * a[j * m + k];
        assert_true(a[j * m + j] > 0);
        a[j * m + j] = sqrt(a[j * m + j]);
        for (size_t i = j + 1; i < m; i++) {
            for (size_t k = 0; k < j; k++)
                a[i * m + j] -= a[i * m + k] * a[j * m + k];
            a[i * m + j] /= a[j * m + j];
        }
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= a[i * m + k] * x[k];
        x[i] /= a[i * m + i];
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t k = i + 1; k < m; k++)
            x[i] -= a[k * m + i] * x[k];
        x[i] /= a[i * m + i];
    }
}

static void every_preconditioner_reaches_dense_solution(void **state) {
    (void)state;
    sheet s = sheet_make(9, 5, 0.5, &work);
    int32_t n = s.matrix->rows;
    weft_vec3 *b = random_vector(n, 1), *exact = random_vector(n, 1), *x = random_vector(n, 2);
    double *dense = sheet_dense(&s);
    dense_cholesky_solve(dense, 3 * (size_t)n, (double *)exact);
    weft_pcg_settings settings = {1e-10, 2000, 0, 0};
    for (int kind = WEFT_PRECOND_NONE; kind <= WEFT_PRECOND_CHOLESKY; kind++) {
        weft_precond *precond = make_precond(&s, NULL, (weft_precond_kind)kind);
        memset(x, 0, (size_t)n * sizeof *x);
        weft_pcg_report report = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
        assert_int_equal(report.status, WEFT_PCG_CONVERGED);
        assert_true(report.iterations > (kind == WEFT_PRECOND_CHOLESKY ? 0 : 5) && report.residual <= 1e-10);
        assert_true(apart(x, exact, n) < 1e-5 * norm(exact, n)); /* float blocks with a condition number of 10^2 */
        weft_precond_destroy(precond);
    }
    free(dense);
    free(x);
    free(exact);
    free(b);
    sheet_free(&s);
}

static void filtered_solution_is_exact_and_matches_direct_solve(void **state) {
    (void)state;
    sheet s = sheet_make(20, 50, 0.01, &work);
    int32_t n = s.matrix->rows;
    weft_filter *f = make_filter(n);
    weft_vec3 *b = random_vector(n, 1), *direct = random_vector(n, 2), *x = random_vector(n, 3);
    assert_int_equal(direct_solve_once(s.matrix, f, &work, b, direct).code, WEFT_OK);
    weft_pcg_settings settings = {1e-12, 5000, 0, 0};
    for (int kind = WEFT_PRECOND_DIAGONAL; kind <= WEFT_PRECOND_CHOLESKY; kind++) {
        weft_precond *precond = make_precond(&s, f, (weft_precond_kind)kind);
        weft_pcg_report report = weft_pcg_solve(s.matrix, f, precond, &work, &settings, b, x);
        assert_int_equal(report.status, WEFT_PCG_CONVERGED);
        assert_true(apart(x, direct, n) < 1e-9 * norm(direct, n));
        for (int32_t i = 0; i < n; i++) {
            if (f->state[i] == 3)
                assert_memory_equal(&x[i], &f->change[i], sizeof *x);
            if (i % 7 == 1)
                assert_float_equal(weft_dot(x[i], f->direction[i]), 0.7, 1e-14 * (1 + weft_length(x[i])));
            if (i % 7 == 3)
                assert_true(x[i].y == 1.0 / 7);
        }
        weft_precond_destroy(precond);
    }
    free(x);
    free(direct);
    free(b);
    weft_filter_destroy(f);
    sheet_free(&s);
}

static void reported_residual_is_true_residual(void **state) {
    (void)state;
    sheet s = sheet_make(30, 1000, 0.1, &work);
    int32_t n = s.matrix->rows;
    weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2), *r = random_vector(n, 3);
    weft_precond *precond = make_precond(&s, NULL, WEFT_PRECOND_BLOCK);
    memset(x, 0, (size_t)n * sizeof *x);
    weft_pcg_settings settings = {1e-9, 5000, 0, 0};
    weft_pcg_report report = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
    assert_int_equal(report.status, WEFT_PCG_CONVERGED);
    weft_bsr_multiply(s.matrix, &work, x, r);
    double residual = apart(r, b, n) / norm(b, n);
    assert_float_equal(residual, report.residual, 1e-12);
    settings.iterations = 3;
    report = weft_pcg_solve(s.matrix, NULL, precond, &work, &(weft_pcg_settings){0, 3, 0, 0}, b, x);
    assert_int_equal(report.status, WEFT_PCG_CAP);
    assert_int_equal(report.iterations, 3);
    weft_precond_destroy(precond);
    free(r);
    free(x);
    free(b);
    sheet_free(&s);
}

static void warm_start_saves_iterations(void **state) {
    (void)state;
    sheet s = sheet_make(20, 100, 0.1, &work);
    int32_t n = s.matrix->rows;
    weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2);
    weft_precond *precond = make_precond(&s, NULL, WEFT_PRECOND_BLOCK);
    weft_pcg_settings settings = {1e-6, 5000, 0, 0};
    memset(x, 0, (size_t)n * sizeof *x);
    int32_t cold = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x).iterations;
    weft_pcg_report again = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
    assert_int_equal(again.iterations, 0);
    assert_int_equal(again.status, WEFT_PCG_CONVERGED);
    weft_vec3 *other = random_vector(n, 3);
    for (int32_t i = 0; i < n; i++)
        b[i] = weft_add_scaled(b[i], 1e-3, other[i]);
    int32_t warm = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x).iterations;
    assert_true(warm > 0 && 3 * warm < 2 * cold);
    weft_precond_destroy(precond);
    free(other);
    free(x);
    free(b);
    sheet_free(&s);
}

/* A guess of the right shape and any length or sign needs no iterations. One without a relation to the solution costs
 * few more than none. */
static void guess_is_scaled_to_fit(void **state) {
    (void)state;
    sheet s = sheet_make(20, 100, 0.1, &work);
    int32_t n = s.matrix->rows;
    weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2);
    weft_precond *precond = make_precond(&s, NULL, WEFT_PRECOND_BLOCK);
    weft_pcg_settings settings = {1e-6, 5000, 0, 0};
    memset(x, 0, (size_t)n * sizeof *x);
    int32_t cold = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x).iterations;
    assert_true(cold > 10);
    for (int32_t i = 0; i < n; i++)
        x[i] = weft_scale(-3, x[i]);
    weft_pcg_report scaled = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
    assert_int_equal(scaled.status, WEFT_PCG_CONVERGED);
    assert_int_equal(scaled.iterations, 0);
    weft_vec3 *wild = random_vector(n, 3);
    weft_bsr_multiply(s.matrix, &work, x, wild);
    assert_float_equal(apart(wild, b, n) / norm(b, n), scaled.residual, 1e-12);
    for (int32_t i = 0; i < n; i++)
        x[i] = weft_scale(1e4, weft_vec3_make(wild[i].z, wild[i].x, wild[i].y));
    weft_pcg_report unrelated = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
    assert_int_equal(unrelated.status, WEFT_PCG_CONVERGED);
    assert_true(10 * unrelated.iterations < 11 * cold);
    weft_precond_destroy(precond);
    free(wild);
    free(x);
    free(b);
    sheet_free(&s);
}

static void zero_right_hand_side_gives_zero(void **state) {
    (void)state;
    sheet s = sheet_make(10, 10, 0.1, &work);
    int32_t n = s.matrix->rows;
    weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2);
    memset(b, 0, (size_t)n * sizeof *b);
    weft_precond *precond = make_precond(&s, NULL, WEFT_PRECOND_BLOCK);
    weft_pcg_settings settings = {1e-6, 100, 0, 0};
    weft_pcg_report report = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
    assert_int_equal(report.status, WEFT_PCG_CONVERGED);
    assert_true(norm(x, n) == 0);
    weft_precond_destroy(precond);
    free(x);
    free(b);
    sheet_free(&s);
}

static void indefinite_matrix_is_reported(void **state) {
    (void)state;
    for (int kind = WEFT_PRECOND_NONE; kind <= WEFT_PRECOND_CHOLESKY; kind++) {
        sheet s = sheet_make(20, 10, -1, &work);
        int32_t n = s.matrix->rows;
        weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2);
        for (int32_t i = 0; i < n; i++)
            b[i] = weft_vec3_make(1, 0.1 * b[i].y, 0);
        weft_precond *precond = make_precond(&s, NULL, (weft_precond_kind)kind);
        weft_pcg_settings settings = {1e-8, 2000, 0, 0};
        memset(x, 0, (size_t)n * sizeof *x);
        weft_pcg_report report = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
        assert_int_equal(report.status, WEFT_PCG_NOT_POSITIVE);
        assert_true(isfinite(norm(x, n)));
        assert_int_equal(direct_solve_once(s.matrix, NULL, &work, b, x).code, WEFT_BAD_INPUT);
        weft_precond_destroy(precond);
        free(x);
        free(b);
        sheet_free(&s);
    }
}

static void non_finite_input_never_reaches_solution(void **state) {
    (void)state;
    const double bad[3] = {NAN, INFINITY, 1e308};
    for (int kind = WEFT_PRECOND_DIAGONAL; kind <= WEFT_PRECOND_CHOLESKY; kind++)
        for (int place = 0; place < 3; place++)
            for (int k = 0; k < 3; k++) {
                sheet s = sheet_make(6, 10, 0.1, &work);
                int32_t n = s.matrix->rows;
                weft_filter *f = make_filter(n);
                weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2);
                if (place == 0)
                    b[11].y = bad[k];
                else if (place == 1)
                    x[11].z = bad[k];
                else {
                    weft_bsr_add_scalar(s.matrix, 11, bad[k]);
                    weft_bsr_finish(s.matrix, &work);
                }
                weft_precond *precond = make_precond(&s, f, (weft_precond_kind)kind);
                weft_pcg_settings settings = {1e-8, 300, 0, 0};
                weft_pcg_report report = weft_pcg_solve(s.matrix, f, precond, &work, &settings, b, x);
                assert_int_equal(report.status, WEFT_PCG_NOT_FINITE);
                for (int32_t i = 0; i < n; i++)
                    assert_true(weft_vec3_is_finite(x[i]));
                assert_memory_equal(&x[7], &f->change[7], sizeof *x);
                weft_precond_destroy(precond);
                free(x);
                free(b);
                weft_filter_destroy(f);
                sheet_free(&s);
            }
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    sheet s = sheet_make(60, 100, 0.1, &work);
    int32_t n = s.matrix->rows;
    weft_filter *f = make_filter(n);
    weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2), *first = random_vector(n, 2);
    for (int kind = WEFT_PRECOND_BLOCK; kind <= WEFT_PRECOND_CHOLESKY; kind++)
        for (int threads = 1; threads <= 4; threads *= 2) {
            weft_work parallel = {threads, work.arena};
            weft_vec3 *result = threads == 1 ? first : x;
            memset(result, 0, (size_t)n * sizeof *x);
            weft_precond *precond = NULL;
            assert_int_equal(weft_precond_create(s.matrix, (weft_precond_kind)kind, s.position, &precond).code,
                             WEFT_OK);
            weft_precond_update(precond, s.matrix, f, &parallel);
            weft_pcg_settings settings = {1e-6, 1000, 0, 0};
            weft_pcg_solve(s.matrix, f, precond, &parallel, &settings, b, result);
            if (threads > 1)
                assert_memory_equal(x, first, (size_t)n * sizeof *x);
            weft_precond_destroy(precond);
        }
    free(first);
    free(x);
    free(b);
    weft_filter_destroy(f);
    sheet_free(&s);
}

/* Complete solves with each vector unit, with and without a filter, for a local and a global preconditioner. */
static void results_do_not_depend_on_vector_unit(void **state) {
    (void)state;
    sheet s = sheet_make(40, 100, 0.1, &work);
    int32_t n = s.matrix->rows;
    weft_isa most = s.matrix->isa;
    weft_filter *f = make_filter(n);
    weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2), *plain = random_vector(n, 2);
    for (int k = 0; k < 4; k++) {
        const weft_filter *filter = k % 2 ? f : NULL;
        weft_precond *precond = make_precond(&s, filter, k / 2 ? WEFT_PRECOND_TWO_LEVEL : WEFT_PRECOND_BLOCK);
        for (s.matrix->isa = WEFT_ISA_PORTABLE; s.matrix->isa <= most; s.matrix->isa++) {
            weft_vec3 *result = s.matrix->isa ? x : plain;
            weft_pcg_settings settings = {1e-6, 1000, 0, 0};
            memset(result, 0, (size_t)n * sizeof *x);
            weft_pcg_report report = weft_pcg_solve(s.matrix, filter, precond, &work, &settings, b, result);
            assert_true(report.iterations > 5);
            if (s.matrix->isa)
                assert_memory_equal(x, plain, (size_t)n * sizeof *x);
        }
        weft_precond_destroy(precond);
    }
    free(plain);
    free(x);
    free(b);
    weft_filter_destroy(f);
    sheet_free(&s);
}

/* ---- preconditioners ---- */

/* A few iterations suffice at any size. A worn factor is recomputed at the next update. */
static void cholesky_preconditioner_needs_few_iterations(void **state) {
    (void)state;
    for (int32_t side = 20; side <= 80; side *= 2) {
        sheet s = sheet_make(side, 1000, 0.001, &work);
        int32_t n = s.matrix->rows;
        weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2);
        weft_precond *precond = make_precond(&s, NULL, WEFT_PRECOND_CHOLESKY);
        weft_pcg_settings settings = {1e-6, 1000, 0, 0};
        memset(x, 0, (size_t)n * sizeof *x);
        weft_pcg_report report = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
        assert_int_equal(report.status, WEFT_PCG_CONVERGED);
        assert_in_range(report.iterations, 1, 6);
        weft_precond_record_solve(precond, report.iterations);
        s.mass = 10; /* another matrix: the old factor still converges, but slowly */
        sheet_assemble(&s, &work);
        weft_precond_update(precond, s.matrix, NULL, &work);
        memset(x, 0, (size_t)n * sizeof *x);
        weft_pcg_report stale = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
        assert_int_equal(stale.status, WEFT_PCG_CONVERGED);
        assert_true(stale.iterations > report.iterations + 6);
        for (int k = 0; k < 1000; k++)
            weft_precond_record_solve(precond, stale.iterations);
        weft_precond_update(precond, s.matrix, NULL, &work);
        memset(x, 0, (size_t)n * sizeof *x);
        assert_in_range(weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x).iterations, 1, 6);
        weft_precond_destroy(precond);
        free(x);
        free(b);
        sheet_free(&s);
    }
}

/* Invalid counts from a damaged snapshot make the factor be recomputed. */
static void damaged_factor_state_is_recomputed(void **state) {
    (void)state;
    static const int32_t WRONG[][2] = {{1, INT32_MIN}, {1, -1}, {1, INT32_MAX}, {INT32_MAX, 0}, {INT32_MIN, 0}};
    sheet s = sheet_make(10, 1000, 0.001, &work);
    weft_factored *f;
    assert_int_equal(weft_factored_create(s.matrix, s.position, &f).code, WEFT_OK);
    weft_factored_update(f, s.matrix, NULL);
    weft_factored_record_solve(f, 1);
    size_t size = weft_factored_state_size(f);
    char *saved = malloc(size);
    for (int i = -1; i < (int)(sizeof WRONG / sizeof WRONG[0]); i++) {
        int32_t header[4]; /* first_iterations, stale, usable, extra_iterations */
        weft_factored_state_save(f, saved);
        memcpy(header, saved, sizeof header);
        assert_true(header[0] == 1 && header[2] == 1 && header[3] == 0);
        if (i >= 0)
            header[0] = WRONG[i][0], header[3] = WRONG[i][1];
        memcpy(saved, header, sizeof header);
        assert_int_equal(weft_factored_state_load(f, s.matrix, saved, size).code, WEFT_OK);
        assert_int_equal(f->stale, i >= 0);
        weft_factored_update(f, s.matrix, NULL);
        assert_int_equal(f->first_iterations, i >= 0 ? -1 : 1);
        weft_factored_record_solve(f, 1);
    }
    free(saved);
    weft_factored_destroy(f);
    sheet_free(&s);
}

/* Contacts may join any vertices, which is not in the structure of the matrix. A coarse level that ignores them moves
 * clusters against them and needs many times the iterations. */
static void coarse_level_includes_contacts(void **state) {
    (void)state;
    enum { SIDE = 40, CONTACTS = 400 };
    sheet s = sheet_make(SIDE, 1000, 0.001, &work);
    int32_t n = s.matrix->rows, iterations[4];
    weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2);
    weft_filter *f = make_filter(n);
    static weft_term term[CONTACTS];
    for (int k = 0; k < CONTACTS; k++) /* a vertex on a triangle of the next layer, or on the floor with friction */
        term[k] = (weft_term){.vertex = {k, n - 1 - k, n - 2 - k, n - SIDE - 1 - k},
                              .weight = {1, -0.5, -0.3, -0.2},
                              .normal = {0, k % 2 ? 1 : 0.6, k % 2 ? 0 : 0.8},
                              .stiffness = 3e4,
                              .across = k % 3 ? 1e4 : 0,
                              .slide = {k % 4 ? 0 : 1, 0, 0}};
    weft_coupling coupling;
    weft_arena_mark mark = weft_arena_here(work.arena);
    assert_true(weft_coupling_create(work.arena, n, term, CONTACTS, &coupling));
    weft_coupling_add_diagonal(&coupling, s.matrix);
    s.matrix->coupling = &coupling;
    for (int i = 0; i < 4; i++) {
        const weft_filter *filter = i < 2 ? f : NULL;
        weft_precond *precond = make_precond(&s, filter, i % 2 ? WEFT_PRECOND_TWO_LEVEL : WEFT_PRECOND_BLOCK);
        weft_pcg_settings settings = {1e-6, 20000, 0, 0};
        memset(x, 0, (size_t)n * sizeof *x);
        weft_pcg_report report = weft_pcg_solve(s.matrix, filter, precond, &work, &settings, b, x);
        assert_int_equal(report.status, WEFT_PCG_CONVERGED);
        iterations[i] = report.iterations;
        weft_precond_destroy(precond);
    }
    assert_true(iterations[1] <= iterations[0]);
    assert_true(iterations[3] <= iterations[2]);
    weft_arena_release(work.arena, mark);
    weft_filter_destroy(f);
    free(x);
    free(b);
    s.matrix->coupling = NULL;
    sheet_free(&s);
}

/* J^T P J x of all terms, from the formula. */
static void add_terms(const weft_term *term, int32_t count, const weft_vec3 *x, weft_vec3 *y) {
    for (int32_t k = 0; k < count; k++) {
        weft_vec3 sum = {0, 0, 0};
        for (int i = 0; i < 4; i++)
            if (term[k].weight[i] != 0)
                sum = weft_add_scaled(sum, term[k].weight[i], x[term[k].vertex[i]]);
        weft_vec3 load = weft_term_load(&term[k], sum);
        for (int i = 0; i < 4; i++)
            if (term[k].weight[i] != 0)
                y[term[k].vertex[i]] = weft_add_scaled(y[term[k].vertex[i]], term[k].weight[i], load);
    }
}

/* Products with contacts match the formula, and have the same bits in each instruction set, with doubles and floats. */
static void products_with_contacts_match(void **state) {
    (void)state;
    enum { ROWS = 50, TERMS = 300 };
    static weft_term term[TERMS];
    weft_vec3 *x = random_vector(ROWS, 1), *expected = random_vector(ROWS, 2), *y[3];
    _Alignas(16) float x4[4 * ROWS];
    for (int k = 0; k < TERMS; k++)
        term[k] = (weft_term){.vertex = {k % ROWS, k % 3 ? (k + 7) % ROWS : WEFT_NONE, (k + 21) % ROWS, WEFT_NONE},
                              .weight = {1, k % 3 ? -0.7 : 0, -0.3, 0},
                              .normal = {0, 0.6, 0.8},
                              .stiffness = 1 + k,
                              .across = k % 2 ? 0.5 : 0,
                              .slide = {k % 4 ? 0 : 1, 0, 0}};
    for (int i = 0; i < 4 * ROWS; i++)
        x4[i] = i % 4 == 3 ? 0 : (float)((const double *)x)[3 * (i / 4) + i % 4];
    for (int i = 0; i < 3 * ROWS; i++)
        ((double *)x)[i] = (double)x4[4 * (i / 3) + i % 3];
    weft_arena_mark mark = weft_arena_here(work.arena);
    weft_coupling coupling;
    assert_true(weft_coupling_create(work.arena, ROWS, term, TERMS, &coupling));
    for (int i = 0; i < 3; i++) {
        y[i] = random_vector(ROWS, 2);
        coupling.isa = i == 1 ? WEFT_ISA_PORTABLE : weft_simd_isa();
        if (i == 2)
            weft_coupling_load_float(&coupling, &work, x4);
        else
            weft_coupling_load(&coupling, &work, x);
        weft_coupling_add(&coupling, y[i], 0, ROWS);
    }
    add_terms(term, TERMS, x, expected);
    assert_true(apart(y[0], expected, ROWS) < 1e-12 * norm(expected, ROWS));
    assert_memory_equal(y[0], y[1], ROWS * sizeof *x);
    assert_memory_equal(y[0], y[2], ROWS * sizeof *x);
    weft_arena_release(work.arena, mark);
    for (int i = 0; i < 3; i++)
        free(y[i]);
    free(expected);
    free(x);
}

static void apply(const weft_precond *precond, const weft_filter *f, const weft_vec3 *r, weft_vec3 *z, int32_t n) {
    weft_precond_prepare(precond, &work, r);
    for (int32_t i = 0; i < n; i++)
        z[i] = weft_filter_apply(f, i, weft_precond_local(precond, i, r[i]));
}

static void preconditioners_are_symmetric_positive_definite(void **state) {
    (void)state;
    sheet s = sheet_make(25, 1000, 0.01, &work);
    int32_t n = s.matrix->rows;
    weft_filter *f = make_filter(n);
    weft_vec3 *x = random_vector(n, 1), *y = random_vector(n, 2), *mx = random_vector(n, 3), *my = random_vector(n, 4);
    for (int32_t i = 0; i < n; i++) {
        x[i] = weft_filter_apply(f, i, x[i]);
        y[i] = weft_filter_apply(f, i, y[i]);
    }
    for (int kind = WEFT_PRECOND_NONE; kind <= WEFT_PRECOND_CHOLESKY; kind++) {
        weft_precond *precond = make_precond(&s, f, (weft_precond_kind)kind);
        apply(precond, f, x, mx, n);
        apply(precond, f, y, my, n);
        double xmy = 0, ymx = 0, xmx = 0;
        for (int32_t i = 0; i < n; i++) {
            xmy += weft_dot(x[i], my[i]);
            ymx += weft_dot(y[i], mx[i]);
            xmx += weft_dot(x[i], mx[i]);
        }
        assert_true(xmx > 0);
        /* Factors are in single precision, and round each product to 6e-8. */
        assert_true(fabs(xmy - ymx) <= (kind >= WEFT_PRECOND_TWO_LEVEL ? 6e-8 : 1e-9) * xmx);
        weft_precond_destroy(precond);
    }
    free(my);
    free(mx);
    free(y);
    free(x);
    weft_filter_destroy(f);
    sheet_free(&s);
}

/* r.M^-1 r of the solution x, without a filter. */
static double energy_left(const sheet *s, const weft_precond *precond, const weft_vec3 *b, const weft_vec3 *x) {
    int32_t n = s->matrix->rows;
    weft_vec3 *r = random_vector(n, 5);
    weft_bsr_multiply(s->matrix, &work, x, r);
    for (int32_t i = 0; i < n; i++)
        r[i] = weft_sub(b[i], r[i]);
    weft_precond_prepare(precond, &work, r);
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += weft_dot(r[i], weft_precond_local(precond, i, r[i]));
    free(r);
    return sum;
}

/* Either tolerance ends a solve. The coarse residual that follows q stays that of r. */
static void energy_ends_solve(void **state) {
    (void)state;
    sheet s = sheet_make(40, 1000, 0.01, &work);
    int32_t n = s.matrix->rows;
    weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2);
    weft_precond *precond = make_precond(&s, NULL, WEFT_PRECOND_TWO_LEVEL);
    memset(x, 0, (size_t)n * sizeof *x);
    double whole = energy_left(&s, precond, b, x);
    int32_t before = 0;
    static const double ENERGY[] = {1e-1, 1e-2, 1e-3, 1e-5};
    for (int k = 0; k < 4; k++) {
        const weft_pcg_settings settings = {0, 5000, 0, ENERGY[k]};
        memset(x, 0, (size_t)n * sizeof *x);
        weft_pcg_report report = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
        assert_int_equal(report.status, WEFT_PCG_CONVERGED);
        assert_true(report.iterations > before);
        double left = sqrt(energy_left(&s, precond, b, x) / whole);
        assert_true(left <= 1.001 * ENERGY[k] && left > 0.1 * ENERGY[k]);
        before = report.iterations;
    }
    weft_precond_destroy(precond);
    free(x);
    free(b);
    sheet_free(&s);
}

/* P x, and then filtered */
static void interpolate(const weft_coarse *c, const weft_filter *f, const weft_vec3 *node, weft_vec3 *x) {
    for (int32_t i = 0; i < c->space.rows; i++) {
        weft_vec3 sum = {0, 0, 0};
        double total = 0;
        for (int32_t k = WEFT_COARSE_WIDTH * i; k < WEFT_COARSE_WIDTH * (i + 1); k++) {
            sum = weft_add_scaled(sum, (double)c->space.weight[k], node[c->space.node[k]]);
            total += (double)c->space.weight[k];
        }
        assert_float_equal(total, 1, 1e-6);
        x[i] = weft_filter_apply(f, i, sum);
    }
}

static weft_vec3 times_block(const double *a, weft_vec3 x) {
    return weft_vec3_make(a[0] * x.x + a[1] * x.y + a[2] * x.z, a[3] * x.x + a[4] * x.y + a[5] * x.z,
                          a[6] * x.x + a[7] * x.y + a[8] * x.z);
}

/* x A y on the coarse level is that of the interpolated vectors, up to the regularisation. */
static void coarse_matrix_is_galerkin_product(void **state) {
    (void)state;
    sheet s = sheet_make(25, 1000, 0.01, &work);
    int32_t n = s.matrix->rows;
    weft_filter *f = make_filter(n);
    weft_coarse *c;
    assert_int_equal(weft_coarse_create(s.matrix, s.position, &c).code, WEFT_OK);
    weft_coarse_update(c, s.matrix, f, &work);
    assert_true(c->usable);
    assert_in_range(c->space.nodes, 26, 105); /* aggregates of 6 to 24 vertices */
    weft_vec3 *a = random_vector(n, 1), *b = random_vector(n, 2), *x = random_vector(n, 3), *y = random_vector(n, 4);
    interpolate(c, f, a, x);
    interpolate(c, f, b, y);
    weft_vec3 *product = random_vector(n, 5);
    weft_bsr_multiply(s.matrix, &work, y, product);
    double fine = 0, coarse = 0, scale = 0;
    for (int32_t i = 0; i < n; i++)
        fine += weft_dot(x[i], product[i]);
    for (int32_t i = 0; i < c->space.nodes; i++) {
        weft_vec3 own = times_block(c->diagonal + 9 * (size_t)i, b[i]);
        scale += weft_dot(a[i], a[i]) * c->diagonal[9 * (size_t)i];
        coarse += weft_dot(a[i], own);
        for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
            coarse += weft_dot(a[i], times_block(c->value + 9 * (size_t)k, b[c->column[k]]));
    }
    assert_true(fabs(fine - coarse) < 1e-6 * scale);
    assert_true(fabs(fine) > 1e-4 * scale);
    free(product);
    free(y);
    free(x);
    free(b);
    free(a);
    weft_coarse_destroy(c);
    weft_filter_destroy(f);
    sheet_free(&s);
}

static void two_level_iterations_do_not_grow_with_resolution(void **state) {
    (void)state;
    int32_t iterations[2][2];
    for (int k = 0; k < 2; k++) {
        sheet s = sheet_make(k ? 80 : 40, 1000, 1e-2, &work);
        int32_t n = s.matrix->rows;
        weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2);
        for (int32_t i = 0; i < n; i++)
            b[i] = weft_vec3_make(1 - 2.0 * (i % s.side) / s.side, 0, 0);
        for (int strong = 0; strong < 2; strong++) {
            weft_precond *precond = make_precond(&s, NULL, strong ? WEFT_PRECOND_TWO_LEVEL : WEFT_PRECOND_BLOCK);
            memset(x, 0, (size_t)n * sizeof *x);
            weft_pcg_settings settings = {1e-4, 5000, 0, 0};
            weft_pcg_report report = weft_pcg_solve(s.matrix, NULL, precond, &work, &settings, b, x);
            assert_int_equal(report.status, WEFT_PCG_CONVERGED);
            iterations[k][strong] = report.iterations;
            weft_precond_destroy(precond);
        }
        free(x);
        free(b);
        sheet_free(&s);
    }
    assert_true(2 * iterations[1][0] > 3 * iterations[0][0]);
    assert_true(2 * iterations[1][1] < 3 * iterations[0][1]);
    assert_true(4 * iterations[1][1] < iterations[1][0]);
}

/* A mesh with more nodes than the coarse level factors has a further level, which costs few iterations. */
static void many_nodes_have_a_further_level(void **state) {
    (void)state;
    int32_t iterations[2];
    for (int k = 0; k < 2; k++) {
        sheet s = sheet_make(k ? 170 : 120, 1000, 1e-2, &work);
        int32_t n = s.matrix->rows;
        weft_vec3 *b = random_vector(n, 1), *x = random_vector(n, 2), *first = random_vector(n, 2);
        weft_precond *precond = make_precond(&s, NULL, WEFT_PRECOND_TWO_LEVEL);
        assert_true((precond->coarse->inner != NULL) == (k == 1));
        assert_true((precond->coarse->factor != NULL) == (k == 0));
        for (int32_t node = 0; node < precond->coarse->space.nodes; node++) /* the factor needs a symmetric graph */
            for (int32_t e = precond->coarse->start[node]; e < precond->coarse->start[node + 1]; e++)
                assert_true(weft_coarse_slot(precond->coarse, precond->coarse->column[e], node) >= 0);
        for (int threads = 1; threads <= 3; threads++) {
            weft_work parallel = {threads, work.arena};
            weft_vec3 *result = threads == 1 ? first : x;
            memset(result, 0, (size_t)n * sizeof *x);
            weft_precond_update(precond, s.matrix, NULL, &parallel);
            weft_pcg_settings settings = {1e-4, 1000, 0, 0};
            weft_pcg_report report = weft_pcg_solve(s.matrix, NULL, precond, &parallel, &settings, b, result);
            assert_int_equal(report.status, WEFT_PCG_CONVERGED);
            iterations[k] = report.iterations;
            assert_true(threads == 1 || memcmp(first, x, (size_t)n * sizeof *x) == 0);
        }
        weft_precond_destroy(precond);
        free(first);
        free(x);
        free(b);
        sheet_free(&s);
    }
    assert_true(2 * iterations[1] < 3 * iterations[0]);
}

/* ---- Ritz values ---- */

/* A chain of n unit springs with both ends held has the eigenvalues 2 - 2 cos(k pi / (n + 1)), each three times. */
static void ritz_values_match_eigenvalues_of_chain(void **state) {
    (void)state;
    enum { N = 50 };
    int32_t spring[N + 1][2];
    for (int32_t e = 0; e <= N; e++) {
        spring[e][0] = e;
        spring[e][1] = e + 1;
    }
    weft_elements list = {.count = N + 1, .arity = 2, .vertex = spring[0]};
    const double unit[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1};
    weft_bsr *m = NULL;
    weft_filter *f = NULL;
    assert_int_equal(weft_bsr_create(N + 2, &list, 1, &m).code, WEFT_OK);
    assert_int_equal(weft_filter_create(N + 2, &f).code, WEFT_OK);
    weft_filter_hold(f, 0, weft_vec3_make(0, 0, 0));
    weft_filter_hold(f, N + 1, weft_vec3_make(0, 0, 0));
    weft_bsr_clear(m, &work);
    for (int32_t e = 0; e <= N; e++) {
        int32_t slot[2] = {weft_bsr_slot(m, e, e + 1), weft_bsr_slot(m, e + 1, e)};
        weft_bsr_add_pair(m, slot, unit);
    }
    weft_bsr_finish(m, &work);
    double pi = acos(-1), lowest = 2 - 2 * cos(pi / (N + 1)), highest = 2 - 2 * cos(N * pi / (N + 1));
    weft_ritz ritz = weft_ritz_estimate(m, f, &work, 150, 5);
    assert_float_equal(ritz.lowest, lowest, 1e-9);
    assert_float_equal(ritz.highest, highest, 1e-9);

    /* The same from the coefficients of conjugate gradients. */
    weft_precond *precond = NULL;
    assert_int_equal(weft_precond_create(m, WEFT_PRECOND_NONE, NULL, &precond).code, WEFT_OK);
    weft_precond_update(precond, m, f, &work);
    weft_vec3 *b = random_vector(N + 2, 1), *x = random_vector(N + 2, 2);
    weft_pcg_settings settings = {1e-12, 300, 0, 0};
    weft_pcg_report report = weft_pcg_solve(m, f, precond, &work, &settings, b, x);
    assert_int_equal(report.status, WEFT_PCG_CONVERGED);
    assert_float_equal(report.smallest, lowest, 1e-5 * lowest);
    assert_float_equal(report.largest, highest, 1e-5);

    /* Shifted below zero, the smallest value must be negative. */
    for (int32_t i = 0; i < N + 2; i++)
        weft_bsr_add_scalar(m, i, -0.01);
    weft_bsr_finish(m, &work);
    assert_float_equal(weft_ritz_estimate(m, f, &work, 150, 5).lowest, lowest - 0.01, 1e-8);
    free(x);
    free(b);
    weft_precond_destroy(precond);
    weft_filter_destroy(f);
    weft_bsr_destroy(m);
}

int main(void) {
    work = (weft_work){1, weft_arena_create()};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cholesky_preconditioner_needs_few_iterations),
        cmocka_unit_test(damaged_factor_state_is_recomputed),
        cmocka_unit_test(coarse_level_includes_contacts),
        cmocka_unit_test(products_with_contacts_match),
        cmocka_unit_test(filter_removes_forbidden_directions),
        cmocka_unit_test(every_preconditioner_reaches_dense_solution),
        cmocka_unit_test(filtered_solution_is_exact_and_matches_direct_solve),
        cmocka_unit_test(reported_residual_is_true_residual),
        cmocka_unit_test(warm_start_saves_iterations),
        cmocka_unit_test(guess_is_scaled_to_fit),
        cmocka_unit_test(zero_right_hand_side_gives_zero),
        cmocka_unit_test(indefinite_matrix_is_reported),
        cmocka_unit_test(non_finite_input_never_reaches_solution),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(results_do_not_depend_on_vector_unit),
        cmocka_unit_test(preconditioners_are_symmetric_positive_definite),
        cmocka_unit_test(energy_ends_solve),
        cmocka_unit_test(coarse_matrix_is_galerkin_product),
        cmocka_unit_test(two_level_iterations_do_not_grow_with_resolution),
        cmocka_unit_test(many_nodes_have_a_further_level),
        cmocka_unit_test(ritz_values_match_eigenvalues_of_chain),
    };
    int failed = cmocka_run_group_tests_name("full blocks", tests, NULL, NULL);
    sheet_form = WEFT_BSR_PAIRS;
    failed += cmocka_run_group_tests_name("pairs", tests, NULL, NULL);
    weft_arena_destroy(work.arena);
    return failed;
}
