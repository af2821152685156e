/* The passes of the integrator `projective`, four vertices at a time and one by one, and its memory of pairs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "integrate/projective.h"

enum { COUNT = 23, STRIDE = 29, VECTORS = 9, FLOATS = 3 };

static double noise(uint64_t counter) { return 2 * weft_random(11, counter) - 1; }

/* All that the passes read and write, for vertices of which some are held. */
typedef struct stage {
    weft_vec3 vector[VECTORS][COUNT]; /* x, v, x_next, v_next, target, where evaluated, the forces there, new forces */
    float side[FLOATS][3 * STRIDE];   /* residual, s, y */
    double mass[COUNT], inertia[COUNT];
    uint8_t held[COUNT];
    int32_t place[COUNT];
    weft_projective_part part[1];
    weft_cholesky cholesky;
    weft_projective_matrix matrix;
    weft_system system;
    weft_projective_step pass;
} stage;

static void set_up(stage *s, int pair) {
    memset(s, 0, sizeof *s);
    for (int k = 0; k < VECTORS; k++)
        for (int i = 0; i < COUNT; i++)
            s->vector[k][i] = (weft_vec3){noise((uint64_t)(1000 * k + 3 * i)), noise((uint64_t)(1000 * k + 3 * i + 1)),
                                          noise((uint64_t)(1000 * k + 3 * i + 2))};
    for (int k = 0; k < FLOATS; k++)
        for (int i = 0; i < 3 * STRIDE; i++)
            s->side[k][i] = (float)noise((uint64_t)(20000 + 1000 * k + i));
    for (int i = 0; i < COUNT; i++) {
        s->held[i] = i == 5 || i == 22;
        s->mass[i] = 1.5 + noise((uint64_t)(30000 + i));
        s->inertia[i] = s->held[i] ? 0 : s->mass[i] / (0.02 * 0.02);
        s->place[i] = i * 7 % COUNT;
    }
    s->cholesky.place = s->place;
    s->matrix =
        (weft_projective_matrix){.count = COUNT, .held = s->held, .inertia = s->inertia, .cholesky = &s->cholesky};
    s->system = (weft_system){.count = COUNT,
                              .mass = s->mass,
                              .x = s->vector[0],
                              .v = s->vector[1],
                              .x_next = s->vector[2],
                              .v_next = s->vector[3],
                              .target = s->vector[4]};
    s->pass = (weft_projective_step){.system = &s->system,
                                     .matrix = &s->matrix,
                                     .dt = 0.04,
                                     .theta = 0.5,
                                     .h = 0.02,
                                     .common = {0.3, -9.81, 0.1},
                                     .first = 1,
                                     .x = s->vector[5],
                                     .f = s->vector[6],
                                     .v = s->vector[3],
                                     .external = s->vector[2],
                                     .r = s->side[0],
                                     .stride = STRIDE,
                                     .s = pair ? s->side[1] : NULL,
                                     .change = pair ? s->side[2] : NULL,
                                     .part = s->part};
}

/* The passes in the order of a step, with at most `most` vertices a call; sums of the parts. */
static weft_projective_part go_through(stage *s, int most) {
    weft_projective_part sum = {0};
    for (int i = 0; i < COUNT; i += most) {
        weft_projective_guess(&s->pass, i, i + most < COUNT ? i + most : COUNT);
        sum.way += s->part->way;
        sum.pair += s->part->pair;
    }
    for (int i = 0; i < COUNT; i += most)
        weft_projective_take_internal(&s->pass, i, i + most < COUNT ? most : COUNT - i, s->vector[7] + i);
    for (int i = 0; i < COUNT; i += most) {
        weft_projective_end(&s->pass, i, i + most < COUNT ? i + most : COUNT);
        sum.mass += s->part->way;
        sum.peak = fmax(sum.peak, s->part->peak);
    }
    return sum;
}

static void four_at_a_time_are_as_one_by_one(void **state) {
    (void)state;
    for (int pair = 0; pair < 2; pair++) {
        static stage all, single;
        set_up(&all, pair);
        set_up(&single, pair);
        weft_projective_part a = go_through(&all, COUNT), b = go_through(&single, 1);
        assert_memory_equal(all.vector, single.vector, sizeof all.vector);
        assert_memory_equal(all.side, single.side, sizeof all.side);
        assert_true(fabs(a.way - b.way) < 1e-12 * b.way && fabs(a.mass - b.mass) < 1e-12 * b.mass);
        assert_true(fabs(a.pair - b.pair) < 1e-12 * b.pair && fabs(a.peak - b.peak) < 1e-12 * b.peak);
    }
}

/* r(x) = f_external + f(x) - M (x - x_n - h v_n) / h^2, 0 where held. */
static void residual_is_that_of_the_equations(void **state) {
    (void)state;
    static stage s;
    set_up(&s, 0);
    weft_projective_guess(&s.pass, 0, COUNT);
    weft_projective_take_internal(&s.pass, 0, COUNT, s.vector[7]);
    for (int i = 0; i < COUNT; i++) {
        double h = 0.02, ahead = s.vector[5][i].y - (s.vector[0][i].y + h * s.vector[1][i].y);
        double expected = s.held[i] ? 0 : s.vector[2][i].y + s.vector[7][i].y - s.mass[i] / (h * h) * ahead;
        assert_true(fabs((double)s.side[0][STRIDE + s.place[i]] - expected) < 1e-5);
    }
}

/* H r of BFGS about the unit matrix with the pairs in order, by the textbook's recursion. */
static void apply_pairs(const double (*s)[8], const double (*y)[8], int count, double *r) {
    double alpha[4];
    for (int k = count - 1; k >= 0; k--) {
        double sr = 0, sy = 0;
        for (int i = 0; i < 8; i++) {
            sr += s[k][i] * r[i];
            sy += s[k][i] * y[k][i];
        }
        alpha[k] = sr / sy;
        for (int i = 0; i < 8; i++)
            r[i] -= alpha[k] * y[k][i];
    }
    for (int k = 0; k < count; k++) {
        double yr = 0, sy = 0;
        for (int i = 0; i < 8; i++) {
            yr += y[k][i] * r[i];
            sy += s[k][i] * y[k][i];
        }
        for (int i = 0; i < 8; i++)
            r[i] += (alpha[k] - yr / sy) * s[k][i];
    }
}

/* Five pairs for a memory of three, of which the fourth has no curvature: it is refused, and has overwritten the first;
 * the fifth comes in its place. */
static void memory_keeps_the_last_good_pairs(void **state) {
    (void)state;
    weft_secants *m;
    weft_work work = {1, weft_arena_create()};
    assert_int_equal(weft_secants_create(8, 3, &m).code, WEFT_OK);
    double s[5][8], y[5][8];
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 8; i++) {
            s[k][i] = noise((uint64_t)(100 * k + i));
            y[k][i] = (k == 3 ? -2 : 2 + i) * s[k][i] + 0.1 * noise((uint64_t)(100 * k + 50 + i));
            m->s[m->next][i] = (float)s[k][i];
            m->y[m->next][i] = (float)y[k][i];
        }
        float r[8];
        double alpha[WEFT_SECANTS], expected[8];
        for (int i = 0; i < 8; i++) {
            expected[i] = noise((uint64_t)(900 + i));
            r[i] = (float)expected[i];
        }
        weft_secants_before(m, &work, 0, r, alpha);
        weft_secants_after(m, &work, r, alpha);
        if (k < 3)
            apply_pairs(s, y, k + 1, expected);
        else if (k == 3)
            apply_pairs(s + 1, y + 1, 2, expected);
        else {
            memcpy(s[3], s[4], sizeof s[3]);
            memcpy(y[3], y[4], sizeof y[3]);
            apply_pairs(s + 1, y + 1, 3, expected);
        }
        for (int i = 0; i < 8; i++)
            if (!(fabs((double)r[i] - expected[i]) < 1e-4))
                fail_msg("pair %d: component %d is %g, not %g", k, i, (double)r[i], expected[i]);
    }
    weft_secants_destroy(m);
    weft_arena_destroy(work.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(four_at_a_time_are_as_one_by_one),
                                       cmocka_unit_test(residual_is_that_of_the_equations),
                                       cmocka_unit_test(memory_keeps_the_last_good_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
