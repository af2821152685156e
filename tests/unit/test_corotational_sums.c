/* The four-lane kernels of the finite elements beside their scalar twins, and the instruction sets beside each other.
 */
#include "fem_fixture.h"
#include "model/lanes.h"

enum { COUNT = 30 }; /* not a multiple of the lanes */

typedef struct sums {
    float sum[WEFT_SUMS_MAX * 10 * 9];
    double product[WEFT_SUMS_MAX * 5 * 3];
    int entries;
} sums;

static const double H = 0.01;

static void take(const cloth_test *s, int32_t list, int isa, const int32_t *element, const weft_vec3 *u, sums *made) {
    memset(made, 0, sizeof *made);
    made->entries = list == 1
                        ? weft_bending_sums(&s->c->bending, isa, element, COUNT, s->x, H, made->sum, u, made->product)
                        : weft_triangle_sums(s->c, isa, element, COUNT, s->x, H, made->sum, u, made->product);
}

/* Entry (r, c) of the block of a pair. */
static double entry(const sums *s, int pairs, int i, int pair, int r, int c) {
    static const int SYMMETRIC[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    int m = s->entries == 9 ? 3 * r + c : SYMMETRIC[r][c];
    return (double)s->sum[((i / WEFT_LANES * pairs + pair) * s->entries + m) * WEFT_LANES + i % WEFT_LANES];
}

/* Each element's greatest difference from element_blocks, over its greatest entry. */
static void compare_blocks(cloth_test *s, int32_t list, const int32_t *element, const weft_vec3 *u, const sums *made) {
    const weft_elements *lists;
    fem()->element_lists(s->self, &lists);
    int arity = lists[list].arity, pairs = arity * (arity - 1) / 2;
    int points = 0;
    for (int i = 0; i < COUNT; i++) {
        double k[90], d[90], m[225], scale = 0, most = 0;
        const int32_t *vertex = lists[list].vertex + (size_t)arity * (size_t)element[i];
        fem()->element_blocks(s->self, list, &element[i], 1, s->x, s->v, k, d);
        for (int e = 0; e < 9 * pairs; e++)
            scale = fmax(scale, fabs(H * (H * k[e] + d[e])));
        for (int e = 0; e < 9 * pairs; e++) {
            double found = entry(made, pairs, i, e / 9, e % 9 / 3, e % 3);
            most = fmax(most, fabs(found - H * (H * k[e] + d[e])));
        }
        assert_true(most <= 1e-6 * scale); /* of a float */
        points += scale == 0;
        whole_matrix(arity, k, m);
        double difference = 0, size = 0;
        for (int a = 0; a < 3 * arity; a++) {
            double expected = 0;
            for (int b = 0; b < 3 * arity; b++)
                expected += m[3 * arity * a + b] * (&u[vertex[b / 3]].x)[b % 3];
            double found = made->product[((i / WEFT_LANES * arity + a / 3) * 3 + a % 3) * WEFT_LANES + i % WEFT_LANES];
            difference = fmax(difference, fabs(found - expected));
            size = fmax(size, fabs(expected));
        }
        assert_true(difference <= 1e-8 * fmax(size, scale / H / H)); /* elimination decides at 1e-12, Jacobi at 1e-10 */
    }
    assert_true(points < 2);
}

static void compare(cloth_test *s, int32_t list, const int32_t *element, const weft_vec3 *u) {
    sums found[3];
    for (int isa = 0; isa <= weft_lanes_isa(); isa++) {
        take(s, list, isa, element, u, &found[isa]);
        assert_true(found[isa].entries > 0);
        compare_blocks(s, list, element, u, &found[isa]);
        if (isa > 0)
            assert_memory_equal(&found[isa], &found[0], sizeof found[0]);
    }
}

/* From nearly at rest to crumpled, where most matrices must be made positive; some triangles are lines or points. */
static void lanes_give_what_blocks_give(void **state) {
    (void)state;
    static const double SHAKES[] = {1e-4, 0.02, 0.2, 1};
    static const struct {
        int strain, bending;
        double angle;
    } KINDS[] = {{WEFT_STRAIN_THREADS, WEFT_BENDING_ISOMETRIC, 0},
                 {WEFT_STRAIN_COROTATED, WEFT_BENDING_EDGES, 0},
                 {WEFT_STRAIN_THREADS, WEFT_BENDING_ISOMETRIC, 0.3}};
    for (size_t k = 0; k < 12; k++) {
        cloth_test s = on_mesh(grid_mesh(6, 5, 0.6, 0.5, WEFT_ALTERNATING));
        s.settings.strain = KINDS[k % 3].strain;
        s.settings.bending = KINDS[k % 3].bending;
        s.settings.angle = KINDS[k % 3].angle;
        s.fabric.damping = k % 2 ? 0.01 : 0;
        start(&s);
        shake(&s, SHAKES[k / 3]);
        s.x[8] = s.x[9];
        for (int i = 0; i < 3 && k % 2; i++)
            s.x[s.c->mesh->triangle[5][i]] = (weft_vec3){0.1, 0.2, 0.3};
        int32_t n = s.mesh->vertex_count, element[COUNT];
        weft_vec3 *u = vectors(n);
        for (int32_t i = 0; i < n; i++)
            u[i] = random_vector(1, 500 + (uint64_t)i);
        for (int32_t list = 0; list < 2; list++) {
            for (int32_t i = 0; i < COUNT; i++)
                element[i] = (17 * i + (int32_t)k) % s.c->lists[list].count;
            compare(&s, list, element, u);
        }
        free(u);
        stop(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_give_what_blocks_give)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
