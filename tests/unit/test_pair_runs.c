/* The kernels with one row per lane: agreement of the instruction sets, and their addressing of vertices.
 * test_assembly.c compares their results with sums in double precision. */
#include <string.h>

#include "assembly/window.h"
#include "core/lanes.h"
#include "model/pairs/pair_runs.h"
#include "support.h"
#include "weft/vec.h"

enum { REACH = 150, LENGTH = 512, FIRST = 500 }; /* the first row, chosen so that the window ends among its columns */

static double noise(double by, uint64_t counter) { return by * (2 * weft_random(5, counter) - 1); }

/* Fills the window with random vertices. Vertices 8 and 9 after the first row are equal. */
static void scatter(const weft_pair_window *window) {
    for (int32_t i = FIRST - REACH; i < FIRST + REACH + WEFT_RUN; i++) {
        int32_t vertex = i - (i == FIRST + 9);
        for (int k = 0; k < WEFT_TILE_ROWS; k++) {
            double by = k % 2 ? 1e-8 : 0.3;
            float number = (float)noise(by, (uint64_t)(WEFT_TILE_ROWS * vertex + k));
            ((float *)weft_window_at(window, i))[k * WEFT_TILE_ROW] = number;
            if ((i & window->mask) % WEFT_TILE < WEFT_RUN)
                ((float *)weft_window_at(window, i - i % WEFT_TILE - 1))[k * WEFT_TILE_ROW + 1 + i % WEFT_TILE] =
                    number;
        }
    }
}

enum { COUNT = WEFT_RUN * WEFT_RUN_SLOTS };
static weft_pair_law law[COUNT], spring[COUNT];

static void make_laws(void) {
    for (int32_t i = 0; i < COUNT; i++) {
        float rest = (float)(0.1 + 0.3 * weft_random(4, (uint64_t)i));
        law[i] = i % 3 ? (weft_pair_law){rest, 100 + (float)i, i % 3 == 1 ? INFINITY : 0, 0.1F}
                       : (weft_pair_law){rest, -10, 0.5F, 0.2F};
        spring[i] = (weft_pair_law){rest, 100 + (float)i, INFINITY, 0.1F};
    }
}

static void results_do_not_depend_on_instruction_set(void **state) {
    (void)state;
    static float block[3][4 * COUNT], sum[3][WEFT_RUN_SUMS * WEFT_RUN];
    static const int32_t SLOTS[] = {1, 3, 4, 12, 17, WEFT_RUN_SLOTS};
    int32_t away[WEFT_RUN_SLOTS], alike[WEFT_RUN_SLOTS], element[COUNT];
    float *memory = calloc(weft_window_size(REACH), sizeof *memory);
    weft_pair_window window = weft_window_in(memory, REACH);
    weft_sinc sinc;
    assert_int_equal(window.mask, LENGTH - 1);
    weft_sinc_fit(&sinc);
    scatter(&window);
    make_laws();
    for (int32_t i = 0; i < COUNT; i++)
        element[i] = COUNT - 1 - i;
    for (int k = 0; k < 48; k++) {
        const int32_t slots = SLOTS[k % 6];
        const weft_pair_laws laws = {k / 6 % 2 ? law : spring, k / 6 % 2 ? &sinc : NULL, k / 12 % 2};
        const weft_pair_run run = {FIRST, slots, away, alike, element, NULL, window, k / 24, 0.02};
        for (int32_t i = 0; i < slots; i++) {
            away[i] = i == 0 ? 1 : i % 2 ? REACH - 4 * i : -REACH + 4 * i;
            alike[i] = i % 4 == 3 ? WEFT_NONE : i;
        }
        for (int isa = 0; isa <= weft_lanes_isa(); isa++) {
            memset(block[isa], 0xff, sizeof block[isa]);
            weft_pair_laws_run(isa, &laws, &run, block[isa], sum[isa]);
            assert_memory_equal(block[isa], block[0], sizeof block[0]);
            assert_memory_equal(sum[isa], sum[0], sizeof sum[0]);
        }
        assert_true(sum[0][0] > 0);
        assert_true(block[0][8 * 4 * slots] == 0 && block[0][8 * 4 * slots + 1] == 0); /* zero length */
        assert_true((fabs((double)sum[0][9]) > 0) == (run.moved && slots > 1) || (run.moved && !laws.sinc));
    }
    free(memory);
}

/* Odd rows lack slots 2 and 5. They must equal rows without these slots, and the other rows must equal complete
 * rows. */
static void missing_slots_contribute_nothing(void **state) {
    (void)state;
    enum { SLOTS = 8, LESS = SLOTS - 2 };
    static const int32_t KEPT[LESS] = {0, 1, 3, 4, 6, 7}, AWAY[SLOTS] = {-140, -66, -3, -1, 2, 17, 80, 133};
    static float whole[4 * WEFT_RUN * SLOTS], some[4 * WEFT_RUN * SLOTS], less[4 * WEFT_RUN * LESS];
    float sum[3][WEFT_RUN_SUMS * WEFT_RUN], *memory = calloc(weft_window_size(REACH), sizeof *memory);
    weft_pair_window window = weft_window_in(memory, REACH);
    int32_t alike[2][SLOTS], element[3][WEFT_RUN * SLOTS], away[LESS];
    uint32_t has[WEFT_RUN];
    weft_sinc sinc;
    weft_sinc_fit(&sinc);
    scatter(&window);
    make_laws();
    for (int32_t i = 0; i < WEFT_RUN; i++) {
        has[i] = i % 2 ? 0xdb : 0xff;
        for (int32_t k = 0; k < SLOTS; k++) {
            element[0][SLOTS * i + k] = SLOTS * i + k;
            element[1][SLOTS * i + k] = has[i] >> k & 1 ? SLOTS * i + k : WEFT_NONE;
        }
        for (int32_t k = 0; k < LESS; k++)
            element[2][LESS * i + k] = SLOTS * i + KEPT[k];
    }
    for (int32_t k = 0; k < SLOTS; k++)
        alike[0][k] = k < 5 ? 7 * k : WEFT_NONE;
    for (int32_t k = 0; k < LESS; k++) {
        away[k] = AWAY[KEPT[k]];
        alike[1][k] = alike[0][KEPT[k]];
    }
    for (int t = 0; t < 4 * (1 + weft_lanes_isa()); t++) {
        int isa = t / 4;
        const weft_pair_laws laws = {t % 2 ? law : spring, t % 2 ? &sinc : NULL, t / 2 % 2};
        const weft_pair_run run[3] = {{FIRST, SLOTS, AWAY, alike[0], element[0], NULL, window, 1, 0.02},
                                      {FIRST, SLOTS, AWAY, alike[0], element[1], has, window, 1, 0.02},
                                      {FIRST, LESS, away, alike[1], element[2], NULL, window, 1, 0.02}};
        weft_pair_laws_run(isa, &laws, &run[0], whole, sum[0]);
        weft_pair_laws_run(isa, &laws, &run[1], some, sum[1]);
        weft_pair_laws_run(isa, &laws, &run[2], less, sum[2]);
        for (int32_t i = 0; i < WEFT_RUN; i++) {
            assert_memory_equal(sum[1] + WEFT_RUN_SUMS * i, sum[i % 2 ? 2 : 0] + WEFT_RUN_SUMS * i,
                                WEFT_RUN_SUMS * sizeof(float));
            for (int32_t k = 0; k < 4 * SLOTS; k++)
                assert_true(some[4 * SLOTS * i + k] == (has[i] >> k / 4 & 1 ? whole[4 * SLOTS * i + k] : 0));
        }
        assert_memory_not_equal(sum[0], sum[1], sizeof sum[0]);
    }
    free(memory);
}

static void slots_with_equal_laws_are_found(void **state) {
    (void)state;
    const weft_pair_law five[5] = {{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 5}, {1, 2, 3, 4}, {1, 2, 3, 5}};
    const int32_t element[9] = {0, 2, 1, /**/ 1, 4, 2, /**/ 3, 2, 3};
    int32_t alike[3] = {WEFT_NONE, 0, 1};
    weft_pair_laws_alike(five, element, 3, 3, alike);
    assert_int_equal(alike[0], 0);
    assert_int_equal(alike[1], 2); /* the guess has another law */
    assert_int_equal(alike[2], WEFT_NONE);
    alike[0] = 3;
    weft_pair_laws_alike(five, element, 3, 3, alike);
    assert_int_equal(alike[0], 3); /* the guess is valid */
    const int32_t some[9] = {WEFT_NONE, 2, 1, /**/ 1, WEFT_NONE, WEFT_NONE, /**/ 3, 4, 2};
    alike[0] = alike[1] = alike[2] = WEFT_NONE;
    weft_pair_laws_alike(five, some, 3, 3, alike);
    assert_int_equal(alike[0], 1);
    assert_int_equal(alike[1], 2);
    assert_int_equal(alike[2], WEFT_NONE);
}

/* Consecutive vertices are contiguous wherever the first one is, and precise enough for differences. */
static void windows_contain_all_vertices_in_reach(void **state) {
    (void)state;
    enum { VERTICES = 1500 };
    static weft_vec3 x[VERTICES], v[VERTICES], X[VERTICES];
    weft_system system = {.count = VERTICES};
    const weft_assembly a = {.system = &system, .h = 0.01, .x = x, .v = v, .X = X, .moved = 1};
    float *memory = malloc(weft_window_size(REACH) * sizeof *memory);
    weft_pair_window window = weft_window_in(memory, REACH);
    for (int i = 0; i < VERTICES; i++) {
        uint64_t n = 9 * (uint64_t)i;
        x[i] = weft_vec3_make(100 + noise(1, n), noise(1, n + 1), noise(1e-3, n + 2));
        v[i] = weft_vec3_make(noise(1, n + 3), noise(1, n + 4), noise(1, n + 5));
        X[i] = weft_vec3_make(100 + noise(1, n + 6), noise(1, n + 7), noise(1, n + 8));
    }
    int32_t filled = 0;
    for (int32_t row = 0; row + WEFT_RUN <= VERTICES; row += 7) {
        int32_t ahead = (row + REACH + 2 * WEFT_RUN - 1) / WEFT_RUN * WEFT_RUN;
        ahead = ahead < VERTICES ? ahead : VERTICES;
        if (ahead > filled)
            weft_window_fill(&a, &window, filled, ahead);
        filled = ahead > filled ? ahead : filled;
        for (int32_t first = row < REACH ? 0 : row - REACH; first <= row + REACH && first + WEFT_RUN <= VERTICES;
             first++) {
            const float *at = weft_window_at(&window, first);
            for (int32_t i = 0; i < WEFT_RUN; i += 5) {
                weft_vec3 p = x[first + i], u = weft_sub(weft_add_scaled(X[first + i], a.h, v[first + i]), p);
                const double number[6] = {p.x, p.y, p.z, u.x, u.y, u.z};
                for (int k = 0; k < 6; k++) {
                    double high = (double)at[2 * k * WEFT_TILE_ROW + i],
                           low = (double)at[(2 * k + 1) * WEFT_TILE_ROW + i];
                    assert_true(high == (double)(float)number[k]);
                    assert_true(fabs(high + low - number[k]) <= 0x1p-48 * fabs(number[k]));
                }
            }
        }
    }
    free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_do_not_depend_on_instruction_set), cmocka_unit_test(missing_slots_contribute_nothing),
        cmocka_unit_test(slots_with_equal_laws_are_found), cmocka_unit_test(windows_contain_all_vertices_in_reach)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
