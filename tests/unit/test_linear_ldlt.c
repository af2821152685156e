#include "tests/unit/linear_sheet.h"

#include "solve/ldlt.h"
#include "solve/order.h"

static weft_work work;

static void elimination_order_is_permutation(void **state) {
    (void)state;
    sheet s = sheet_make(30, 1, 1, &work);
    int32_t n = s.matrix->rows;
    int32_t *order = malloc((size_t)n * sizeof *order), *seen = calloc((size_t)n, sizeof *seen);
    assert_true(order && seen);
    assert_int_equal(weft_order_dissect(n, s.matrix->start, s.matrix->column, order).code, WEFT_OK);
    for (int32_t k = 0; k < n; k++)
        seen[order[k]]++;
    for (int32_t k = 0; k < n; k++)
        assert_int_equal(seen[k], 1);
    free(seen);
    free(order);
    sheet_free(&s);
}

static void clusters_are_balanced_and_compact(void **state) {
    (void)state;
    sheet s = sheet_make(30, 1, 1, &work);
    const weft_bsr *m = s.matrix;
    int32_t n = m->rows, groups = 0, *group = malloc((size_t)n * sizeof *group),
            *size = calloc((size_t)n, sizeof *size);
    assert_true(group && size);
    assert_int_equal(weft_order_cluster(n, m->start, m->column, 16, group, &groups).code, WEFT_OK);
    int32_t inside = 0;
    for (int32_t i = 0; i < n; i++) {
        assert_true(group[i] >= 0 && group[i] < groups);
        size[group[i]]++;
        for (int32_t k = m->start[i]; k < m->start[i + 1]; k++)
            inside += group[m->column[k]] == group[i];
    }
    assert_true(3 * inside > m->blocks); /* squares of 4 x 4 would have 17 of 40 inside */
    for (int32_t g = 0; g < groups; g++)
        assert_true(size[g] >= 4 && size[g] <= 16);
    free(size);
    free(group);
    sheet_free(&s);
}

/* Isolated vertices, a complete graph and a single edge have no good cut. */
static void irregular_graphs_are_ordered_and_solved(void **state) {
    (void)state;
    enum { CLIQUE = 40, N = 160 };
    int32_t spring[CLIQUE * CLIQUE][2], count = 0;
    for (int32_t i = 0; i < CLIQUE; i++)
        for (int32_t j = 0; j < i; j++) {
            spring[count][0] = 3 * i;
            spring[count++][1] = 3 * j;
        }
    spring[count][0] = 1;
    spring[count++][1] = 2;
    weft_elements list = {.count = count, .arity = 2, .vertex = spring[0]};
    sheet s = {.springs = count, .stiffness = 2, .mass = 0.5, .spring = NULL};
    assert_int_equal(weft_bsr_create(N, &list, 1, &s.matrix).code, WEFT_OK);
    assert_int_equal(weft_slots_create(s.matrix, &list, &s.slots).code, WEFT_OK);
    assert_int_equal(weft_slots_colour(s.slots, s.matrix, &list).code, WEFT_OK);
    sheet_assemble(&s, &work);
    weft_vec3 *b = random_vector(N, 1), *x = random_vector(N, 2), *back = random_vector(N, 3);
    assert_int_equal(direct_solve_once(s.matrix, NULL, &work, b, x).code, WEFT_OK);
    weft_bsr_multiply(s.matrix, &work, x, back);
    assert_true(apart(back, b, N) < 1e-12 * norm(b, N));
    int32_t group[N], groups = 0;
    assert_int_equal(weft_order_cluster(N, s.matrix->start, s.matrix->column, 8, group, &groups).code, WEFT_OK);
    assert_true(groups >= N / 8 && groups <= N / 2);
    free(back);
    free(x);
    free(b);
    sheet_free(&s);
}

static void solution_reproduces_right_hand_side(void **state) {
    (void)state;
    sheet s = sheet_make(40, 1e4, 1e-2, &work);
    int32_t n = s.matrix->rows;
    weft_vec3 *x = random_vector(n, 1), *b = random_vector(n, 2), *back = random_vector(n, 3);
    assert_int_equal(direct_solve_once(s.matrix, NULL, &work, b, x).code, WEFT_OK);
    weft_bsr_multiply(s.matrix, &work, x, back);
    assert_true(apart(back, b, n) < 1e-9 * norm(b, n));
    free(back);
    free(b);
    free(x);
    sheet_free(&s);
}

/* On a grid the factor grows as n log n with nested dissection, and as n^1.5 in row order. */
static void nested_dissection_keeps_factor_small(void **state) {
    (void)state;
    int64_t blocks[2];
    for (int k = 0; k < 2; k++) {
        sheet s = sheet_make(k ? 64 : 32, 1, 1, &work);
        weft_ldlt *l = NULL;
        assert_int_equal(weft_ldlt_create(s.matrix->rows, s.matrix->start, s.matrix->column, &l).code, WEFT_OK);
        blocks[k] = l->start[l->rows];
        weft_ldlt_destroy(l);
        sheet_free(&s);
    }
    assert_true(blocks[1] < 6 * blocks[0]);
    assert_true(blocks[1] < 64 * 64 * 64);
}

static void indefinite_matrix_is_refused(void **state) {
    (void)state;
    /* mass slightly above and below the limit from the lowest eigenvalue, which is 0 for springs alone */
    for (int k = 0; k < 2; k++) {
        sheet s = sheet_make(12, 1, k ? 1e-4 : -1e-4, &work);
        weft_vec3 *b = random_vector(s.matrix->rows, 1);
        assert_int_equal(direct_solve_once(s.matrix, NULL, &work, b, b).code, k ? WEFT_OK : WEFT_BAD_INPUT);
        free(b);
        sheet_free(&s);
    }
}

int main(void) {
    work = (weft_work){1, weft_arena_create()};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elimination_order_is_permutation),
        cmocka_unit_test(clusters_are_balanced_and_compact),
        cmocka_unit_test(irregular_graphs_are_ordered_and_solved),
        cmocka_unit_test(solution_reproduces_right_hand_side),
        cmocka_unit_test(nested_dissection_keeps_factor_small),
        cmocka_unit_test(indefinite_matrix_is_refused),
    };
    int failed = cmocka_run_group_tests_name("full blocks", tests, NULL, NULL);
    sheet_form = WEFT_BSR_PAIRS;
    failed += cmocka_run_group_tests_name("pairs", tests, NULL, NULL);
    weft_arena_destroy(work.arena);
    return failed;
}
