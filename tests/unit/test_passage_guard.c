/* The passage guard must not overlook any triangle that is in the way of a mesh change. */
#include "sim/passage_guard.h"
#include "support.h"
#include "weft/vec.h"

enum { TRIANGLES = 400 };

static uint64_t counter;
static weft_vec3 point(double size) {
    double x = weft_random(5, counter++), y = weft_random(5, counter++), z = weft_random(5, counter++);
    return weft_vec3_make(size * x, size * y, size * z);
}

static double volume(weft_vec3 a, weft_vec3 b, weft_vec3 c, weft_vec3 d) {
    return weft_dot(weft_cross(weft_sub(b, a), weft_sub(c, a)), weft_sub(d, a));
}

static int is_inside(const weft_vec3 t[4], weft_vec3 p) {
    double whole = volume(t[0], t[1], t[2], t[3]);
    weft_vec3 q[4];
    for (int i = 0; i < 4; i++) {
        memcpy(q, t, sizeof q);
        q[i] = p;
        if (volume(q[0], q[1], q[2], q[3]) * whole < 0)
            return 0;
    }
    return 1;
}

/* Tests many sample points of each triangle. */
static int holds_some(const weft_vec3 tet[4], const weft_vec3 *x, const int32_t (*triangle)[3]) {
    for (int t = 0; t < TRIANGLES; t++)
        for (int i = 0; i <= 12; i++)
            for (int j = 0; i + j <= 12; j++) {
                weft_vec3 p = weft_scale(i / 12.0, x[triangle[t][0]]);
                p = weft_add_scaled(p, j / 12.0, x[triangle[t][1]]);
                p = weft_add_scaled(p, (12 - i - j) / 12.0, x[triangle[t][2]]);
                if (is_inside(tet, p))
                    return 1;
            }
    return 0;
}

static void obstructing_triangles_are_found(void **state) {
    (void)state;
    static weft_vec3 x[3 * TRIANGLES];
    static int32_t triangle[TRIANGLES][3];
    for (int t = 0; t < TRIANGLES; t++) {
        weft_vec3 centre = point(1);
        for (int k = 0; k < 3; k++) {
            x[3 * t + k] = weft_add(centre, point(0.1));
            triangle[t][k] = 3 * t + k;
        }
    }
    weft_passage_guard_surface surface[2] = {{x, (const int32_t(*)[3])triangle, TRIANGLES / 2},
                                             {x, (const int32_t(*)[3])triangle + TRIANGLES / 2, TRIANGLES / 4}};
    weft_passage_guard *guard;
    must(weft_passage_guard_create(surface, 2, &guard));
    for (int t = TRIANGLES * 3 / 4; t < TRIANGLES; t++)
        assert_true(weft_passage_guard_add(guard, x + 3 * (size_t)t));
    int hit = 0, missed = 0, refused = 0;
    for (int i = 0; i < 400; i++) {
        weft_vec3 centre = point(1), tet[4];
        for (int k = 0; k < 4; k++)
            tet[k] = weft_add(centre, point(0.25));
        int holds = holds_some(tet, x, (const int32_t(*)[3])triangle),
            is_free = weft_passage_guard_is_free(guard, tet, 0);
        hit += holds;
        missed += holds && is_free;
        refused += !holds && !is_free;
    }
    assert_true(hit > 50);
    assert_int_equal(missed, 0);
    assert_true(refused < 100);
    /* Triangles that share a corner with the tetrahedron do not count. */
    weft_vec3 own[4] = {x[0], x[1], x[2], weft_add(x[0], weft_vec3_make(1e-9, 1e-9, 1e-9))};
    weft_passage_guard_surface alone = {x, (const int32_t(*)[3])triangle, 1};
    weft_passage_guard_destroy(guard);
    must(weft_passage_guard_create(&alone, 1, &guard));
    assert_true(weft_passage_guard_is_free(guard, own, 0));
    weft_passage_guard_destroy(guard);
}

/* Triangles share one or two corners with the tetrahedron. Those that lead into it are found, others are not. */
static void triangles_at_shared_corners_are_found(void **state) {
    (void)state;
    static const int32_t TRIANGLE[1][3] = {{0, 1, 2}};
    int hit = 0, away = 0, overlooked = 0, refused = 0;
    for (int i = 0; i < 4000; i++) {
        weft_vec3 tet[4], x[3];
        for (int k = 0; k < 4; k++)
            tet[k] = point(1);
        int shared = 1 + i % 2;
        for (int k = 0; k < 3; k++)
            x[k] = k < shared ? tet[k] : point(1.5);
        if (fabs(volume(tet[0], tet[1], tet[2], tet[3])) < 0.02)
            continue;
        /* Samples inside the triangle, away from the shared corners. */
        int holds = 0;
        for (int u = 0; u < 40; u++)
            for (int v = 0; u + v < 40; v++) {
                double a = (u + 0.5) / 41, b = (v + 0.5) / 41, c = 1 - a - b;
                weft_vec3 p = weft_add_scaled(weft_add_scaled(weft_scale(a, x[0]), b, x[1]), c, x[2]);
                holds |= is_inside(tet, p);
            }
        weft_passage_guard_surface surface = {x, TRIANGLE, 1};
        weft_passage_guard *guard;
        must(weft_passage_guard_create(&surface, 1, &guard));
        int is_free = weft_passage_guard_is_free(guard, tet, 0);
        assert_true(weft_passage_guard_is_free(guard, tet, 1)); /* the triangle moves with its corner */
        weft_passage_guard_destroy(guard);
        hit += holds;
        away += !holds && is_free;
        overlooked += holds && is_free;
        refused += !holds && !is_free; /* a triangle may enter between the sample points */
    }
    print_message("%d lead into it, %d lead away, %d overlooked, %d refused unnecessarily\n", hit, away, overlooked,
                  refused);
    assert_true(hit > 300 && away > 300);
    assert_int_equal(overlooked, 0);
    assert_true(refused < 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(obstructing_triangles_are_found),
                                       cmocka_unit_test(triangles_at_shared_corners_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
