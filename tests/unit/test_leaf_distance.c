/* Distances between the features of two leaves against closest points in double precision. On a sweep they must be
 * lower bounds of the distance at all its places. */
#include "contact/distance.h"
#include "contact/leaf_distance.h"
#include "support.h"

static uint64_t counter;

static double uniform(double low, double high) { return low + (high - low) * weft_random(17, counter++); }

/* The points of a leaf: its triangles, vertices and edges are unrelated here. */
typedef struct leaf {
    weft_vec3 triangle[LEAF_TRIANGLES][3], vertex[LEAF_CORNERS], edge[LEAF_CORNERS][2];
    leaf_features features;
} leaf;

static weft_vec3 random_point(float (*list)[LEAF_FEATURES], int to, double height, double flat) {
    weft_vec3 made = {(float)uniform(-0.03, 0.03), (float)uniform(-0.03, 0.03), (float)(height + uniform(-flat, flat))};
    if (list) {
        list[0][to] = (float)made.x;
        list[1][to] = (float)made.y;
        list[2][to] = (float)made.z;
    }
    return made;
}

static void fill(leaf *l, double height, double flat) {
    leaf_features *f = &l->features;
    memset(f, 0, sizeof *f);
    f->vertex_count = 1 + (int)uniform(0, LEAF_CORNERS);
    f->edge_count = 1 + (int)uniform(0, LEAF_CORNERS);
    for (int i = 0; i < LEAF_TRIANGLES; i++)
        for (int c = 0; c < 3; c++) {
            weft_vec3 p = l->triangle[i][c] = random_point(NULL, 0, height, flat);
            const double at[3] = {p.x, p.y, p.z};
            for (int k = 0; k < 3; k++)
                f->triangle[3 * c + k][i] = f->triangle[3 * c + k][i + LEAF_TRIANGLES] = (float)at[k];
        }
    for (int i = 0; i < f->vertex_count; i++)
        l->vertex[i] = random_point(f->vertex, i, height, flat);
    for (int i = 0; i < f->edge_count; i++)
        for (int c = 0; c < 2; c++)
            l->edge[i][c] = random_point(f->edge + 3 * c, i, height, flat);
}

enum { PLACES = 20 };

/* The least distance while the first `count` points move by `sweep`. */
static double least(weft_pair_kind kind, const weft_vec3 x[4], int first, int count, weft_vec3 sweep) {
    double best = HUGE_VAL, weight[4];
    for (int s = 0; s <= PLACES; s++) {
        weft_vec3 at[4];
        for (int i = 0; i < 4; i++)
            at[i] = i >= first && i < first + count ? weft_add_scaled(x[i], (double)s / PLACES, sweep) : x[i];
        best = fmin(best, weft_closest(kind, at, weight));
    }
    return sqrt(best);
}

/* `size`: largest coordinate. Without a sweep the distance is exact. */
static void check(float found, double exact, int swept, double size) {
    assert_true(found <= exact + (double)LEAF_ROUNDING * size);
    if (!swept)
        assert_true(found >= exact - (double)LEAF_ROUNDING * size);
}

static void check_leaves(const leaf *a, const leaf *b, weft_vec3 sweep) {
    static leaf_distances found;
    double length = weft_length(sweep), size = 0.1 + length;
    weft_vec3 along = length > 0 ? weft_scale(1 / length, sweep) : sweep;
    leaf_sweep s = {{(float)along.x, (float)along.y, (float)along.z}, (float)length * (1 + 1e-6F)};
    leaf_distance(&a->features, &b->features, &s, 0, &found);
    for (int i = 0; i < a->features.vertex_count; i++)
        for (int j = 0; j < LEAF_TRIANGLES; j++) {
            const weft_vec3 x[4] = {a->vertex[i], b->triangle[j][0], b->triangle[j][1], b->triangle[j][2]};
            check(found.to_triangle[0][i][j], least(WEFT_VERTEX_TRIANGLE, x, 0, 1, sweep), length > 0, size);
        }
    for (int i = 0; i < b->features.vertex_count; i++)
        for (int j = 0; j < LEAF_TRIANGLES; j++) {
            const weft_vec3 x[4] = {b->vertex[i], a->triangle[j][0], a->triangle[j][1], a->triangle[j][2]};
            check(found.to_triangle[1][i][j], least(WEFT_VERTEX_TRIANGLE, x, 1, 3, sweep), length > 0, size);
        }
    for (int i = 0; i < a->features.edge_count; i++)
        for (int j = 0; j < b->features.edge_count; j++) {
            const weft_vec3 x[4] = {a->edge[i][0], a->edge[i][1], b->edge[j][0], b->edge[j][1]};
            check(found.edge_edge[i][j], least(WEFT_EDGE_EDGE, x, 0, 2, sweep), length > 0, size);
        }
}

static void distances_are_those_of_closest_points(void **state) {
    (void)state;
    for (int round = 0; round < 300; round++) {
        static leaf a, b;
        double flat = round % 3 == 0 ? 0 : uniform(0, 0.03); /* coplanar triangles, parallel layers */
        fill(&a, 0, flat);
        fill(&b, uniform(0, 0.02), flat);
        check_leaves(&a, &b, weft_vec3_make(0, 0, 0));
    }
}

static void sweeps_give_lower_bounds(void **state) {
    (void)state;
    for (int round = 0; round < 300; round++) {
        static leaf a, b;
        double flat = round % 3 == 0 ? 0 : uniform(0, 0.03), way = uniform(0.001, 0.2);
        fill(&a, 0, flat);
        fill(&b, uniform(-0.1, 0.1), flat);
        weft_vec3 sweep = {uniform(-way, way), uniform(-way, way), round % 2 == 0 ? uniform(-way, way) : 0};
        check_leaves(&a, &b, sweep);
    }
}

/* A leaf that moves past another, and one that moves towards it. */
static void sweeps_separate_what_lies_aside(void **state) {
    static leaf a, b;
    static leaf_distances found;
    (void)state;
    fill(&a, 0, 0);
    fill(&b, 0.05, 0);
    leaf_sweep aside = {{1, 0, 0}, 0.2F}, towards = {{0, 0, 1}, 0.2F}, away = {{0, 0, -1}, 0.2F};
    leaf_distance(&a.features, &b.features, &aside, 0, &found);
    assert_true(found.to_triangle[0][0][0] > 0.049F && found.edge_edge[0][0] > 0.049F);
    leaf_distance(&a.features, &b.features, &away, 0, &found);
    assert_true(found.to_triangle[0][0][0] > 0.049F && found.to_triangle[1][0][0] > 0.049F);
    leaf_distance(&a.features, &b.features, &towards, 0, &found);
    const weft_vec3 x[4] = {a.edge[0][0], a.edge[0][1], b.edge[0][0], b.edge[0][1]};
    double exact = least(WEFT_EDGE_EDGE, x, 0, 2, weft_vec3_make(0, 0, 0.2));
    assert_true(found.edge_edge[0][0] <= exact + 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_closest_points),
        cmocka_unit_test(sweeps_give_lower_bounds),
        cmocka_unit_test(sweeps_separate_what_lies_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
