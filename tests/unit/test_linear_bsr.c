#include "tests/unit/linear_sheet.h"

static weft_work work;

static void structure_contains_each_neighbour_once_in_order(void **state) {
    (void)state;
    /* Two triangles on an edge, and the same edge again as a spring. Vertex 4 is isolated. */
    int32_t triangle[2][3] = {{2, 0, 1}, {1, 3, 2}}, spring[1][2] = {{2, 1}};
    weft_elements lists[2] = {{.count = 2, .arity = 3, .vertex = triangle[0]},
                              {.count = 1, .arity = 2, .vertex = spring[0]}};
    weft_bsr *m = NULL;
    assert_int_equal(weft_bsr_create(5, lists, 2, &m).code, WEFT_OK);
    const int32_t start[6] = {0, 2, 5, 8, 10, 10}, column[10] = {1, 2, 0, 2, 3, 0, 1, 3, 1, 2};
    assert_memory_equal(m->start, start, sizeof start);
    assert_memory_equal(m->column, column, sizeof column);
    assert_int_equal(weft_bsr_slot(m, 1, 3), 4);
    assert_int_equal(weft_bsr_slot(m, 0, 3), -1);
    assert_int_equal(weft_bsr_slot(m, 4, 0), -1);
    weft_bsr_destroy(m);
}

static void bad_elements_are_refused(void **state) {
    (void)state;
    int32_t outside[2] = {0, 3}, twice[3] = {1, 0, 1};
    weft_elements list = {.count = 1, .arity = 2, .vertex = outside};
    weft_bsr *m = NULL;
    weft_result result = weft_bsr_create(3, &list, 1, &m);
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_non_null(strstr(result.message, "vertex 3"));
    assert_null(m);
    list = (weft_elements){.count = 1, .arity = 3, .vertex = twice};
    assert_int_equal(weft_bsr_create(3, &list, 1, &m).code, WEFT_BAD_INPUT);
    list = (weft_elements){.count = 1, .arity = 1, .vertex = twice};
    assert_int_equal(weft_bsr_create(3, &list, 1, &m).code, WEFT_BAD_INPUT);
    assert_int_equal(weft_bsr_create(0, NULL, 0, &m).code, WEFT_BAD_INPUT);
}

static void slots_outside_structure_are_refused(void **state) {
    (void)state;
    int32_t spring[2] = {0, 1}, other[2] = {0, 2};
    weft_elements list = {.count = 1, .arity = 2, .vertex = spring},
                  missing = {.count = 1, .arity = 2, .vertex = other};
    weft_bsr *m = NULL;
    weft_slots *slots = NULL;
    assert_int_equal(weft_bsr_create(3, &list, 1, &m).code, WEFT_OK);
    assert_int_equal(weft_slots_create(m, &missing, &slots).code, WEFT_BAD_INPUT);
    assert_null(slots);
    weft_bsr_destroy(m);
}

static void product_matches_dense_product(void **state) {
    (void)state;
    sheet s = sheet_make(9, 20, 0.5, &work);
    int32_t n = s.matrix->rows;
    double *dense = sheet_dense(&s);
    weft_vec3 *x = random_vector(n, 1), *y = random_vector(n, 2);
    weft_bsr_multiply(s.matrix, &work, x, y);
    for (int32_t i = 0; i < 3 * n; i++) {
        double sum = 0;
        for (int32_t j = 0; j < 3 * n; j++)
            sum += dense[(size_t)i * 3 * (size_t)n + (size_t)j] * ((double *)x)[j];
        assert_float_equal(((double *)y)[i], sum, 2e-5); /* float blocks of magnitude 20 */
    }
    free(y);
    free(x);
    free(dense);
    sheet_free(&s);
}

/* The reason for the excess: with a stiffness of 10^7 times the mass, a translation still sees only the mass. */
static void product_with_translation_is_mass_alone(void **state) {
    (void)state;
    sheet s = sheet_make(40, 1e4, 1e-3, &work);
    int32_t n = s.matrix->rows;
    weft_vec3 *x = random_vector(n, 1), *y = random_vector(n, 2);
    for (int32_t i = 0; i < n; i++)
        x[i] = weft_vec3_make(1, -2, 3);
    weft_bsr_multiply(s.matrix, &work, x, y);
    for (int32_t i = 0; i < n; i++) {
        double mass = 1e-3 * (1 + weft_random(3, (uint64_t)i));
        assert_float_equal(y[i].x, mass, 1e-7 * mass);
        assert_float_equal(y[i].y, -2 * mass, 2e-7 * mass);
        assert_float_equal(y[i].z, 3 * mass, 3e-7 * mass);
    }
    free(y);
    free(x);
    sheet_free(&s);
}

/* Triangles whose blocks are not symmetric, like those of finite elements. */
static void add_triangles(void *context, const int32_t *elements, int32_t count) {
    sheet *s = context;
    for (int32_t k = 0; k < count; k++)
        for (int32_t pair = 0; pair < 3; pair++) {
            double block[9];
            for (int c = 0; c < 9; c++)
                block[c] = weft_random(11, 27 * (uint64_t)elements[k] + 9 * (uint64_t)pair + (uint64_t)c) - 0.5;
            weft_bsr_add_pair(s->matrix, s->slots->slot[3 * elements[k] + pair], block);
        }
}

static void product_is_symmetric_for_unsymmetric_blocks(void **state) {
    (void)state;
    int32_t triangle[400][3];
    for (int32_t e = 0; e < 400; e++)
        for (int32_t a = 0; a < 3; a++)
            triangle[e][a] = (e + 17 * a + a * (e % 5)) % 200;
    weft_elements list = {.count = 400, .arity = 3, .vertex = triangle[0]};
    sheet s = {.side = 0};
    assert_int_equal(weft_bsr_create(200, &list, 1, &s.matrix).code, WEFT_OK);
    assert_int_equal(weft_slots_create(s.matrix, &list, &s.slots).code, WEFT_OK);
    assert_int_equal(weft_slots_colour(s.slots, s.matrix, &list).code, WEFT_OK);
    weft_bsr_clear(s.matrix, &work);
    weft_slots_run(s.slots, &work, add_triangles, &s);
    weft_bsr_finish(s.matrix, &work);
    weft_vec3 *x = random_vector(200, 1), *y = random_vector(200, 2), *ax = random_vector(200, 3),
              *ay = random_vector(200, 4);
    weft_bsr_multiply(s.matrix, &work, x, ax);
    weft_bsr_multiply(s.matrix, &work, y, ay);
    double left = 0, right = 0;
    for (int32_t i = 0; i < 200; i++) {
        left += weft_dot(y[i], ax[i]);
        right += weft_dot(x[i], ay[i]);
    }
    assert_float_equal(left, right, 1e-6); /* E stores the skew part of each row in single precision */
    assert_true(fabs(left) > 1e-3);
    free(ay);
    free(ax);
    free(y);
    free(x);
    sheet_free(&s);
}

static void excess_is_added_to_diagonal(void **state) {
    (void)state;
    sheet s = sheet_make(3, 1, 0, &work);
    double before[9], after[9];
    const double block[9] = {4, 1, 2, 1, 5, 3, 2, 3, 6};
    weft_bsr_diagonal(s.matrix, 4, before);
    weft_bsr_add_excess(s.matrix, 4, block);
    weft_bsr_add_scalar(s.matrix, 4, 10);
    weft_bsr_finish(s.matrix, &work);
    weft_bsr_diagonal(s.matrix, 4, after);
    for (int c = 0; c < 9; c++) {
        assert_float_equal(after[c] - before[c], block[c] + (c % 4 == 0 ? 10 : 0), 1e-6);
        assert_float_equal(s.matrix->diagonal[36 + c], after[c], 1e-5);
    }
    sheet_free(&s);
}

/* 60 x 60 vertices give several chunks and several blocks of rows. */
static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    sheet s = sheet_make(60, 30, 0.1, &work);
    int32_t n = s.matrix->rows;
    size_t bytes = 9 * (size_t)s.matrix->blocks * sizeof(float);
    assert_true(s.slots->colours >= 2 && s.slots->count > 4 * s.slots->chunk);
    float *value = malloc(bytes);
    assert_non_null(value);
    memcpy(value, s.matrix->value, bytes);
    weft_vec3 *x = random_vector(n, 1), *first = random_vector(n, 2), *y = random_vector(n, 3);
    weft_bsr_multiply(s.matrix, &work, x, first);
    for (int threads = 2; threads <= 4; threads += 2) {
        weft_work parallel = {threads, work.arena};
        memset(s.matrix->value, 1, bytes);
        sheet_assemble(&s, &parallel);
        assert_memory_equal(s.matrix->value, value, bytes);
        weft_bsr_multiply(s.matrix, &parallel, x, y);
        assert_memory_equal(y, first, (size_t)n * sizeof *y);
    }
    free(y);
    free(first);
    free(x);
    free(value);
    sheet_free(&s);
}

static void chunks_of_one_colour_share_no_vertex(void **state) {
    (void)state;
    sheet s = sheet_make(60, 1, 1, &work);
    int32_t *seen = malloc((size_t)s.matrix->rows * sizeof *seen), total = 0;
    assert_non_null(seen);
    for (int32_t c = 0; c < s.slots->colours; c++) {
        for (int32_t i = 0; i < s.matrix->rows; i++)
            seen[i] = -1;
        for (int32_t k = s.slots->colour_start[c]; k < s.slots->colour_start[c + 1]; k++, total++) {
            int32_t chunk = (k - s.slots->colour_start[c]) / s.slots->chunk;
            for (int a = 0; a < 2; a++) {
                int32_t i = s.spring[s.slots->order[k]][a];
                assert_true(seen[i] == -1 || seen[i] == chunk);
                seen[i] = chunk;
            }
        }
    }
    assert_int_equal(total, s.springs);
    assert_false(s.slots->serial);
    free(seen);
    sheet_free(&s);
}

/* Elements that all share vertex 0 cannot be coloured and run in sequence. The sum must still be complete. */
static void uncoloured_elements_are_all_added(void **state) {
    (void)state;
    enum { COUNT = 80000 };
    int32_t(*spring)[2] = malloc(COUNT * sizeof *spring);
    assert_non_null(spring);
    for (int32_t e = 0; e < COUNT; e++) {
        spring[e][0] = 0;
        spring[e][1] = 1 + e % 3;
    }
    weft_work parallel = {4, work.arena};
    weft_elements list = {.count = COUNT, .arity = 2, .vertex = spring[0]};
    sheet s = {.stiffness = 1, .spring = spring};
    assert_int_equal(weft_bsr_create(4, &list, 1, &s.matrix).code, WEFT_OK);
    assert_int_equal(weft_slots_create(s.matrix, &list, &s.slots).code, WEFT_OK);
    assert_int_equal(weft_slots_colour(s.slots, s.matrix, &list).code, WEFT_OK);
    assert_true(s.slots->serial);
    sheet_assemble(&s, &parallel);
    double sum = 0, expected = 0, block[9];
    for (int32_t e = 0; e < COUNT; e++) {
        spring_block(&s, e, block);
        expected += block[0] + block[4] + block[8];
    }
    for (int32_t k = s.matrix->start[0]; k < s.matrix->start[1]; k++)
        sum += (double)s.matrix->value[9 * k] + (double)s.matrix->value[9 * k + 4] + (double)s.matrix->value[9 * k + 8];
    assert_float_equal(sum, expected, 1e-3 * fabs(expected));
    sheet_free(&s);
}

/* Products of every available vector unit against the scalar code, for doubles and floats. */
static void assert_same_bits(weft_bsr *m) {
    size_t n = (size_t)m->rows;
    weft_vec3 *x = random_vector(m->rows, 1), *wide = random_vector(m->rows, 2), *plain = random_vector(m->rows, 3);
    float *x4 = weft_arena_take(work.arena, 4 * n * sizeof *x4, "test");
    assert_non_null(x4);
    for (size_t k = 0; k < 4 * n; k++)
        x4[k] = k % 4 == 3 ? 0 : (float)((double *)x)[3 * (k / 4) + k % 4];
    for (int kind = 0; kind < 2; kind++) {
        weft_isa most = m->isa;
        m->isa = WEFT_ISA_PORTABLE;
        kind ? weft_bsr_rows_float(m, x4, plain, 0, m->rows) : weft_bsr_rows(m, x, plain, 0, m->rows);
        for (m->isa = WEFT_ISA_AVX2; m->isa <= most; m->isa++) {
            memset(wide, 0, n * sizeof *wide);
            kind ? weft_bsr_rows_float(m, x4, wide, 0, 7) : weft_bsr_rows(m, x, wide, 0, 7);
            kind ? weft_bsr_rows_float(m, x4, wide, 7, m->rows) : weft_bsr_rows(m, x, wide, 7, m->rows);
            assert_memory_equal(wide, plain, n * sizeof *wide);
        }
        m->isa = most;
    }
    free(plain);
    free(wide);
    free(x);
}

static void results_do_not_depend_on_vector_unit(void **state) {
    (void)state;
    sheet s = sheet_make(30, 30, 0.1, &work);
    assert_same_bits(s.matrix);
    sheet_free(&s);
}

/* The same matrix in the pair form, and in the full form with the same numbers rounded to floats. */
typedef struct forms {
    weft_bsr *pairs, *full;
} forms;

static forms make_forms(int32_t rows, const weft_elements *list) {
    forms f;
    assert_int_equal(weft_bsr_create(rows, list, 1, &f.pairs).code, WEFT_OK);
    assert_int_equal(weft_bsr_create(rows, list, 1, &f.full).code, WEFT_OK);
    assert_int_equal(weft_bsr_set_form(f.pairs, WEFT_BSR_PAIRS).code, WEFT_OK);
    weft_bsr_clear(f.pairs, &work);
    weft_bsr_clear(f.full, &work);
    for (int32_t e = 0; e < list->count; e++) {
        const int32_t *v = list->vertex + 2 * (size_t)e;
        for (int side = 0; side < 2; side++) {
            int32_t k = weft_bsr_slot(f.pairs, v[side], v[1 - side]);
            float *pair = f.pairs->value + WEFT_BSR_PAIRS * (size_t)k, *full = f.full->value + 9 * (size_t)k;
            double block[9];
            for (int c = 0; c < 4; c++) {
                double of = weft_random(5, 4 * (uint64_t)e + (uint64_t)c);
                pair[c] = (float)(c == 3 ? 0.2 * of : side ? of - 0.5 : 0.5 - of);
            }
            weft_bsr_block(f.pairs, k, block);
            for (int c = 0; c < 9; c++)
                full[c] = (float)block[c];
        }
    }
    for (int32_t i = 0; i < rows; i++) {
        const double air[9] = {0.3, -0.1, 0.05, -0.1, 0.4, -0.2, 0.05, -0.2, 0.5};
        weft_bsr_add_scalar(f.pairs, i, 0.01);
        weft_bsr_add_scalar(f.full, i, 0.01);
        if (i % 3 == 0) {
            weft_bsr_add_excess(f.pairs, i, air);
            weft_bsr_add_excess(f.full, i, air);
        }
    }
    weft_bsr_finish(f.pairs, &work);
    weft_bsr_finish(f.full, &work);
    return f;
}

static void free_forms(forms *f) {
    weft_bsr_destroy(f->pairs);
    weft_bsr_destroy(f->full);
}

/* A grid with 6 to 12 blocks per row; a star with one row that exceeds the gather limit; rows with 0 to 3 blocks. */
static void pair_form_multiplies_like_full_blocks(void **state) {
    (void)state;
    enum { STAR = 200 };
    sheet s = sheet_make(23, 1, 1, &work);
    int32_t star[STAR - 1][2], few[5][2] = {{1, 2}, {3, 4}, {4, 5}, {5, 3}, {5, 6}};
    for (int32_t e = 0; e < STAR - 1; e++)
        star[e][0] = 11, star[e][1] = e < 11 ? e : e + 1;
    const weft_elements lists[] = {{.count = s.springs, .arity = 2, .vertex = s.spring[0]},
                                   {.count = STAR - 1, .arity = 2, .vertex = star[0]},
                                   {.count = 5, .arity = 2, .vertex = few[0]}};
    const int32_t rows[] = {23 * 23, STAR, 9}, longest[] = {12, STAR - 1, 3};
    for (int l = 0; l < 3; l++) {
        forms f = make_forms(rows[l], &lists[l]);
        weft_vec3 *x = random_vector(rows[l], 8), *pairs = random_vector(rows[l], 1), *full = random_vector(rows[l], 2);
        assert_int_equal(f.pairs->longest, longest[l]);
        weft_bsr_multiply(f.pairs, &work, x, pairs);
        weft_bsr_multiply(f.full, &work, x, full);
        assert_true(apart(pairs, full, rows[l]) < 2e-7 * norm(full, rows[l]));
        for (int32_t i = 0; i < rows[l]; i++) {
            double a[9], b[9];
            weft_bsr_diagonal(f.pairs, i, a);
            weft_bsr_diagonal(f.full, i, b);
            for (int c = 0; c < 9; c++)
                assert_float_equal(a[c], b[c], 1e-6 * (a[0] + a[4] + a[8]));
        }
        assert_same_bits(f.pairs);
        free(full);
        free(pairs);
        free(x);
        free_forms(&f);
    }
    sheet_free(&s);
}

/* Arrays of 1 MB and more begin on a page of 2 MB, also those of a matrix that has grown. */
static void large_arrays_are_aligned_to_large_pages(void **state) {
    (void)state;
    enum { PAGE = 1 << 21 };
    sheet small = sheet_make(4, 1, 1, &work), large = sheet_make(180, 1, 1, &work);
    int32_t rows = large.matrix->rows, *from = malloc((size_t)rows * sizeof *from),
            *moved = malloc((size_t)rows * sizeof *moved);
    for (int32_t i = 0; i < rows; i++)
        from[i] = WEFT_NONE;
    weft_elements list = {.count = large.springs, .arity = 2, .vertex = large.spring[0]};
    assert_int_equal(weft_bsr_update(small.matrix, rows, from, &list, 1, moved).code, WEFT_OK);
    const weft_bsr *const matrices[2] = {small.matrix, large.matrix};
    for (int k = 0; k < 2; k++) {
        assert_int_equal((uintptr_t)matrices[k]->value % PAGE, 0);
        assert_int_equal((uintptr_t)matrices[k]->column % PAGE, 0);
        assert_int_equal((uintptr_t)matrices[k]->diagonal % PAGE, 0);
        assert_int_equal((uintptr_t)matrices[k]->sum % PAGE, 0);
    }
    free(moved);
    free(from);
    sheet_free(&large);
    sheet_free(&small);
}

int main(void) {
    work = (weft_work){1, weft_arena_create()};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure_contains_each_neighbour_once_in_order),
        cmocka_unit_test(bad_elements_are_refused),
        cmocka_unit_test(slots_outside_structure_are_refused),
        cmocka_unit_test(product_matches_dense_product),
        cmocka_unit_test(product_with_translation_is_mass_alone),
        cmocka_unit_test(product_is_symmetric_for_unsymmetric_blocks),
        cmocka_unit_test(excess_is_added_to_diagonal),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(chunks_of_one_colour_share_no_vertex),
        cmocka_unit_test(uncoloured_elements_are_all_added),
        cmocka_unit_test(results_do_not_depend_on_vector_unit),
        cmocka_unit_test(pair_form_multiplies_like_full_blocks),
        cmocka_unit_test(large_arrays_are_aligned_to_large_pages),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    weft_arena_destroy(work.arena);
    return failed;
}
