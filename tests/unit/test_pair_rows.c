/* The eight-lane kernels of `springs` and `buckling` against their scalar blocks, and the instruction sets against each
 * other. */
#include "buckling_support.h"
#include "cloth/pair_rows.h"
#include "cloth/springs/springs.h"
#include "core/simd.h"
#include "solve/bsr.h"

enum { ROWS = 42, BLOCKS = 42 * 41 };

static const double H = 0.02;

static double noise(double by, uint64_t counter) { return by * (2 * weft_random(3, counter) - 1); }

static void shake(const weft_mesh *mesh, double by, double (*place)[8]) {
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        uint64_t n = 6 * (uint64_t)i;
        const weft_vec3 x = weft_add(mesh->position[i], (weft_vec3){noise(by, n), noise(by, n + 1), noise(by, n + 2)});
        const double all[8] = {x.x, x.y, x.z, 0, noise(1, n + 3), noise(1, n + 4), noise(1, n + 5), 0};
        memcpy(place[i], all, sizeof all);
    }
    memcpy(place[7], place[8], 3 * sizeof(double)); /* a spring of zero length */
}

/* All elements in both directions, by row. Elements between the same vertices are adjacent. */
typedef struct table {
    int32_t start[ROWS + 1], element[BLOCKS], column[BLOCKS];
} table;

static table list_rows(const weft_elements *list) {
    table t;
    int32_t count = 0;
    for (int32_t row = 0; row < ROWS; row++) {
        t.start[row] = count;
        for (int32_t e = 0; e < list->count; e++)
            for (int side = 0; side < 2; side++)
                if (list->vertex[2 * e + side] == row) {
                    t.element[count] = e;
                    t.column[count++] = list->vertex[2 * e + 1 - side];
                }
    }
    t.start[ROWS] = count;
    assert_int_equal(count, 2 * list->count);
    return t;
}

static void compare(const weft_model_functions *model, const void *self, const table *t, const double (*place)[8]) {
    static const int AT[6] = {0, 1, 2, 4, 5, 8}, IN[6] = {0, 1, 2, 4, 5, -1};
    static float pair[4 * BLOCKS];
    weft_pair_sum sum[ROWS];
    weft_vec3 x[ROWS], v[ROWS] = {{0, 0, 0}};
    for (int32_t i = 0; i < ROWS; i++)
        x[i] = (weft_vec3){place[i][0], place[i][1], place[i][2]};
    weft_pair_rows rows = {ROWS, 0, t->start, t->element, t->column, place, H};
    model->kernels->pair_rows(self, &rows, pair, sum);
    for (int32_t i = 0; i < ROWS; i++) {
        double total[9] = {0}, product[3] = {0}, most = 0, scale = 0;
        for (int32_t k = t->start[i]; k < t->start[i + 1]; k++) {
            double stiffness[9], damping[9], block[9];
            const double *a = place[i] + 4, *b = place[t->column[k]] + 4;
            model->element_blocks(self, 0, &t->element[k], 1, x, v, stiffness, damping);
            for (int m = 0; m < 9; m++) {
                double expected = H * (H * stiffness[m] + damping[m]);
                scale = fmax(scale, fabs(expected));
                most = fmax(most, fabs(stiffness[m]));
                total[m] += expected;
                product[m / 3] += stiffness[m] * (b[m % 3] - a[m % 3]);
            }
            weft_bsr_of_pair(pair + 4 * k, block);
            assert_true(pair[4 * k + 3] >= 0);
            for (int m = 0; m < 9; m++) /* single precision */
                assert_true(fabs(block[m] - H * (H * stiffness[m] + damping[m])) <= 1e-6 * scale);
        }
        for (int m = 0; m < 6; m++) {
            double found = IN[m] < 0 ? sum[i].last[0] : (double)sum[i].first[IN[m]];
            assert_true(fabs(found - total[AT[m]]) <= 1e-5 * scale);
        }
        for (int m = 0; m < 3; m++)
            assert_true(fabs(sum[i].last[1 + m] - product[m]) <= 1e-5 * most);
    }
}

static void vectorised_rows_match_scalar_blocks(void **state) {
    (void)state;
    const weft_component *const MODELS[] = {&weft_springs_model, &weft_buckling_model};
    for (int k = 0; k < 12; k++) {
        const weft_component *component = MODELS[k % 2];
        const weft_model_functions *model = component->functions;
        weft_mesh *mesh = grid_mesh(6, 5, 0.6, 0.5);
        weft_fabric fabric;
        weft_springs_settings springs;
        weft_buckling_settings buckling;
        double mass[ROWS], place[ROWS][8];
        weft_params_default(weft_fabric_params(), &fabric);
        weft_params_default(weft_springs_model.params, &springs);
        weft_params_default(weft_buckling_model.params, &buckling);
        springs.damping = buckling.damping = 0.01;
        springs.damping_kind = buckling.damping_kind = k / 2 % 2;
        for (int i = 0; i < ROWS; i++)
            mass[i] = 0.01;
        weft_cloth cloth = {.name = "sheet", .mesh = mesh, .fabric = &fabric, .mass = mass};
        void *self;
        must(model->create(k % 2 ? (const void *)&buckling : &springs, &cloth, &self));
        shake(mesh, k < 4 ? 0.01 : k < 8 ? 0.1 : 1e-4, place);
        const weft_elements *lists;
        model->element_lists(self, &lists);
        table t = list_rows(&lists[0]);
        compare(model, self, &t, (const double(*)[8])place);
        model->destroy(self);
        weft_mesh_destroy(mesh);
    }
}

static void results_do_not_depend_on_instruction_set(void **state) {
    (void)state;
    enum { COUNT = 300 }; /* more than one round, and not a multiple of the number of lanes */
    weft_mesh *mesh = grid_mesh(6, 5, 0.6, 0.5);
    double place[ROWS][8];
    weft_pair_law law[COUNT];
    weft_sinc sinc;
    static table t;
    static float block[3][4 * COUNT];
    static weft_pair_sum sum[3][ROWS];
    weft_sinc_fit(&sinc);
    shake(mesh, 0.05, place);
    for (int32_t i = 0; i < COUNT; i++) {
        float rest = (float)(0.05 + 0.3 * weft_random(4, (uint64_t)i));
        law[i] = i % 3 ? (weft_pair_law){rest, 100 + (float)i, i % 3 == 1 ? INFINITY : 0, 0.1F}
                       : (weft_pair_law){rest, -10, 0.5F, 0.2F};
        t.element[i] = i;
    }
    for (int32_t i = 0; i <= ROWS; i++)
        t.start[i] = i < ROWS ? COUNT * i / (ROWS - 1) : COUNT; /* the last row is empty */
    for (int32_t i = 0; i < ROWS; i++)
        for (int32_t k = t.start[i]; k < t.start[i + 1]; k++)
            t.column[k] = (i + 1 + k % 5) % ROWS;
    const weft_pair_laws laws = {law, &sinc, 1};
    const weft_pair_rows rows = {ROWS, 0, t.start, t.element, t.column, (const double(*)[8])place, H};
    for (weft_isa isa = WEFT_ISA_PORTABLE; isa <= weft_simd_isa(); isa++) {
        weft_pair_laws_rows(isa, &laws, &rows, block[isa], sum[isa]);
        assert_memory_equal(block[isa], block[0], sizeof block[0]);
        assert_memory_equal(sum[isa], sum[0], sizeof sum[0]);
    }
    assert_true(block[0][0] != 0);
    weft_mesh_destroy(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectorised_rows_match_scalar_blocks),
                                       cmocka_unit_test(results_do_not_depend_on_instruction_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
