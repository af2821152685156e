/* The passes of the `projective` integrator, four vertices at a time against one by one, and its memory of secant
 * pairs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "solve/projective.h"

enum { COUNT = 23, LENGTH = 72, VECTORS = 7, TRIPLES = 5 };

static double noise(uint64_t counter) { return 2 * weft_random(11, counter) - 1; }

/* All inputs and outputs of the passes. Some vertices are held. */
typedef struct stage {
    weft_vec3 vector[VECTORS][COUNT]; /* x, v, x_next, v_next, target, point of evaluation, new forces */
    float triple[TRIPLES][LENGTH];    /* previous forces, residual, s, y, solution */
    float b[4 * COUNT];
    double mass[COUNT], inertia[COUNT], product[WEFT_SECANTS], met[3];
    uint8_t held[COUNT];
    int32_t vertex[COUNT];
    weft_projective_sums part[1];
    weft_cholesky cholesky;
    weft_projective_matrix matrix;
    weft_secants secants;
    weft_system system;
    weft_projective_step pass;
} stage;

static void set_up(stage *s, int pair, int external) {
    memset(s, 0, sizeof *s);
    for (int k = 0; k < VECTORS; k++)
        for (int i = 0; i < COUNT; i++)
            s->vector[k][i] = (weft_vec3){noise((uint64_t)(1000 * k + 3 * i)), noise((uint64_t)(1000 * k + 3 * i + 1)),
                                          noise((uint64_t)(1000 * k + 3 * i + 2))};
    for (int k = 0; k < TRIPLES; k++)
        for (int i = 0; i < 3 * COUNT; i++)
            s->triple[k][i] = (float)noise((uint64_t)(20000 + 1000 * k + i));
    for (int i = 0; i < COUNT; i++) {
        s->held[i] = i == 5 || i == 22;
        s->mass[i] = 1.5 + noise((uint64_t)(30000 + i));
        s->inertia[i] = s->held[i] ? 0 : s->mass[i] / (0.02 * 0.02);
        s->vertex[i] = i * 7 % COUNT;
    }
    s->cholesky.vertex = s->vertex;
    s->secants.most = 1;
    s->secants.s[0] = s->triple[2];
    s->secants.y[0] = s->triple[3];
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
                                     .secants = &s->secants,
                                     .dt = 0.04,
                                     .theta = 0.5,
                                     .h = 0.02,
                                     .common = {0.3, -9.81, 0.1},
                                     .first = 1,
                                     .x = s->vector[5],
                                     .f = s->triple[0],
                                     .v = s->vector[3],
                                     .external = external ? s->vector[2] : NULL,
                                     .r = s->triple[external],
                                     .part_of_b = 1,
                                     .z = s->triple[4],
                                     .s = pair ? s->triple[2] : NULL,
                                     .change = pair ? s->triple[3] : NULL,
                                     .product = s->product,
                                     .met = s->met,
                                     .part = s->part};
}

/* Runs the passes in the order of a step, with at most `most` vertices per call. Returns the sums of all calls. The
 * solve leaves b unchanged. */
static weft_projective_sums go_through(stage *s, int most) {
    weft_projective_sums sum = {0};
    for (int i = 0; i < COUNT; i += most)
        weft_projective_take_internal(&s->pass, 0, i, i + most < COUNT ? most : COUNT - i, s->vector[6] + i);
    sum.way = s->part->way;
    sum.pair = s->part->pair;
    weft_projective_load(&s->pass, 0, COUNT, s->b);
    weft_projective_store(&s->pass, 0, 0, COUNT, s->b);
    for (int i = 0; i < COUNT; i += most) {
        weft_projective_end(&s->pass, i, i + most < COUNT ? i + most : COUNT);
        sum.mass += s->part->way;
        sum.peak = fmax(sum.peak, s->part->peak);
    }
    return sum;
}

static void passes_over_four_vertices_match_single_vertices(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        static stage all, single;
        set_up(&all, k & 1, k >> 1);
        set_up(&single, k & 1, k >> 1);
        weft_projective_sums a = go_through(&all, COUNT), b = go_through(&single, 1);
        assert_memory_equal(all.vector, single.vector, sizeof all.vector);
        assert_memory_equal(all.triple, single.triple, sizeof all.triple);
        assert_true(fabs(a.way - b.way) < 1e-12 * b.way && fabs(a.mass - b.mass) < 1e-12 * b.mass);
        assert_true(fabs(a.pair - b.pair) < 1e-12 * b.pair && fabs(a.peak - b.peak) < 1e-12 * b.peak);
        for (int i = 0; i < 3; i++) /* sums of floats */
            assert_true(fabs(all.met[i] - single.met[i]) < 1e-4 * (1 + fabs(single.met[i])));
    }
}

static void positions_of_four_vertices_match_single_vertices(void **state) {
    (void)state;
    static stage s;
    weft_vec3 x[2][COUNT], v[2][COUNT];
    set_up(&s, 0, 0);
    weft_projective_place(&s.pass, 0, COUNT, x[0], v[0]);
    for (int i = 0; i < COUNT; i++)
        weft_projective_place(&s.pass, i, 1, x[1] + i, v[1] + i);
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(v[0], v[1], sizeof v[0]);
}

/* r(x) = f_external + f(x) - M (x - x_n - h v_n) / h^2, and 0 for held vertices. Without its own external force, a
 * vertex has the mass times the common acceleration. The pair is the displacement from the last point and the negative
 * change of r along it. */
static void residual_matches_equations_of_motion(void **state) {
    (void)state;
    for (int external = 0; external < 2; external++) {
        static stage s, was;
        set_up(&s, 1, external);
        was = s;
        weft_projective_take_internal(&s.pass, 0, 0, COUNT, s.vector[6]);
        for (int i = 0; i < COUNT; i++) {
            double h = 0.02, inertia = s.mass[i] / (h * h);
            double ahead = s.vector[5][i].y - (s.vector[0][i].y + h * s.vector[1][i].y);
            double outer = external ? s.vector[2][i].y : s.mass[i] * -9.81;
            double expected = s.held[i] ? 0 : outer + s.vector[6][i].y - inertia * ahead;
            double way = s.held[i] ? 0 : s.vector[5][i].y - was.vector[5][i].y;
            double change = s.held[i] ? 0 : inertia * way - (s.vector[6][i].y - (double)was.triple[0][3 * i + 1]);
            assert_true(fabs((double)s.pass.r[3 * i + 1] - expected) < 1e-5);
            assert_true(fabs((double)s.triple[2][3 * i + 1] - way) < 1e-6);
            assert_true(fabs((double)s.triple[3][3 * i + 1] - change) < 1e-6 * (1 + fabs(change)));
        }
    }
}

/* To elimination order and back. */
static void solution_is_stored_by_vertex(void **state) {
    (void)state;
    static stage s;
    set_up(&s, 0, 1);
    s.pass.part_of_b = 0.5f;
    weft_projective_load(&s.pass, 0, COUNT, s.b);
    weft_projective_store(&s.pass, 0, 0, COUNT, s.b);
    for (int k = 0; k < COUNT; k++)
        for (int axis = 0; axis < 3; axis++) {
            const int at = 3 * s.vertex[k] + axis;
            assert_true(s.b[4 * k + axis] == s.triple[1][at]);
            assert_true(s.triple[4][at] == 0.5f * s.triple[1][at]);
        }
}

/* H r of BFGS starting from the unit matrix, with the pairs in order, by the standard two-loop recursion. */
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

/* Five pairs for a memory of three. The fourth has negative curvature and is refused, but has overwritten the first.
 * The fifth takes its place. */
static void memory_keeps_last_valid_secant_pairs(void **state) {
    (void)state;
    weft_secants *m;
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
        double alpha[WEFT_SECANTS], product[WEFT_SECANTS] = {0}, expected[8], met[9] = {0};
        const float *change[WEFT_SECANTS];
        weft_secants_sum less, more;
        for (int i = 0; i < 8; i++) {
            expected[i] = noise((uint64_t)(900 + i));
            r[i] = (float)expected[i];
        }
        weft_secants_meet(m, r, 0, 3, met); /* in any subdivision */
        weft_secants_meet(m, r, 3, 8, met);
        weft_secants_before(m, 0, met, alpha, &less);
        weft_secants_add(&less, r, 0, 8, r);
        weft_secants_changes(m, change);
        for (int j = 0; j < m->used; j++)
            for (int i = 0; i < 8; i++)
                product[j] += (double)(change[j][i] * r[i]);
        weft_secants_after(m, product, alpha, &more);
        weft_secants_add(&more, r, 0, 8, r);
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
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes_over_four_vertices_match_single_vertices),
                                       cmocka_unit_test(positions_of_four_vertices_match_single_vertices),
                                       cmocka_unit_test(solution_is_stored_by_vertex),
                                       cmocka_unit_test(residual_matches_equations_of_motion),
                                       cmocka_unit_test(memory_keeps_last_valid_secant_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
