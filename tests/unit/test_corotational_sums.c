/* The vectorised finite-element kernels in single precision against their scalar twins, and the instruction sets
 * against each other. */
#include "core/simd.h"
#include "fem_fixture.h"

enum { COUNT = 30 }; /* not a multiple of the number of lanes */

/* Rounded up to the next multiple of 16, with ten pairs each. */
typedef struct sums {
    float record[32 * 10 * WEFT_PAIR_FLOATS];
} sums;

static const double H = 0.01;

static void take(const cloth_test *s, int32_t list, weft_isa isa, const int32_t *element, const double (*place)[8],
                 sums *made) {
    memset(made, 0, sizeof *made);
    assert_true(list == 1 ? weft_bending_sums(&s->c->bending, isa, element, COUNT, place, H, made->record)
                          : weft_triangle_sums(s->c, isa, element, COUNT, place, H, made->record));
    int floats = list == 1 ? (s->c->bending.arity > 4 ? 2 : 1) * WEFT_TENSOR_FLOATS : 3 * WEFT_PAIR_FLOATS;
    memset(made->record + (size_t)COUNT * (size_t)floats, 0,
           sizeof *made - (size_t)COUNT * (size_t)floats * sizeof *made->record); /* clears the unused lanes */
}

/* Entry (r, c) of the block of a pair of element i. */
static double entry(const weft_elements *list, const sums *s, int i, int pair, int r, int c) {
    static const int SYMMETRIC[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    int pairs = list->arity * (list->arity - 1) / 2;
    if (!list->tensor)
        return (double)s->record[(i * pairs + pair) * WEFT_PAIR_FLOATS + 3 * r + c];
    const float *own = s->record + ((size_t)i * (pairs > 8 ? 2 : 1) + (size_t)(pair / 8)) * WEFT_TENSOR_FLOATS;
    return (double)own[8 + pair % 8] * (double)own[SYMMETRIC[r][c]];
}

/* Component a of the stiffness times u, for element i. */
static double product(const weft_elements *list, const sums *s, int i, int a, const weft_vec3 *u) {
    int arity = list->arity, pairs = arity * (arity - 1) / 2, vertex = a / 3, c = a % 3;
    const float *own = s->record;
    double sum = 0;
    if (!list->tensor) {
        own += (size_t)i * (size_t)pairs * WEFT_PAIR_FLOATS + 9 + (size_t)c;
        for (int b = 1; b < arity; b++)
            sum += vertex == b ? (double)own[WEFT_PAIR_FLOATS * (b - 1)]
                               : (vertex == 0 ? -(double)own[WEFT_PAIR_FLOATS * (b - 1)] : 0);
        return sum;
    }
    own += (size_t)i * (pairs > 8 ? 2 : 1) * WEFT_TENSOR_FLOATS;
    for (int p = 0, pair = 0; p < arity; p++)
        for (int q = p + 1; q < arity; q++, pair++) {
            double number = (double)own[pair / 8 * WEFT_TENSOR_FLOATS + 8 + pair % 8] * (double)own[6];
            if (vertex == p || vertex == q)
                sum += number * ((&u[vertex == p ? q : p].x)[c] - (&u[vertex].x)[c]);
        }
    return sum;
}

/* The largest difference of each element from element_blocks, relative to its largest entry. One operation in single
 * precision has an error of 6e-8, and a block needs about ten in sequence. Strains are small differences of side
 * lengths, so near rest the stress is accurate to 1e-7 of the stiffness. Two cases lose three digits of the directions:
 * the normals of the two triangles of an edge nearly cancel, or a triangle is squeezed to a thousandth. */
static void compare_blocks(cloth_test *s, int32_t number, const int32_t *element, const weft_vec3 *u,
                           const sums *made) {
    const weft_elements *lists, *list;
    fem()->element_lists(s->self, &lists);
    list = &lists[number];
    int arity = list->arity, pairs = arity * (arity - 1) / 2, points = 0, rough = 0;
    for (int i = 0; i < COUNT; i++) {
        double k[90], d[90], m[225], scale = 0, most = 0, difference = 0, size = 0;
        weft_vec3 own[WEFT_BEND_VERTICES];
        const int32_t *vertex = list->vertex + (size_t)arity * (size_t)element[i];
        for (int a = 0; a < arity; a++)
            own[a] = u[vertex[a]];
        fem()->element_blocks(s->self, number, &element[i], 1, s->x, s->v, k, d);
        for (int e = 0; e < 9 * pairs; e++)
            scale = fmax(scale, fabs(H * (H * k[e] + d[e])));
        for (int e = 0; e < 9 * pairs; e++) {
            double found = entry(list, made, i, e / 9, e % 9 / 3, e % 3);
            most = fmax(most, fabs(found - H * (H * k[e] + d[e])));
        }
        points += scale == 0;
        whole_matrix(arity, k, m);
        for (int a = 0; a < 3 * arity; a++) {
            double expected = 0, found = product(list, made, i, a, own);
            for (int b = 0; b < 3 * arity; b++)
                expected += m[3 * arity * a + b] * (&own[b / 3].x)[b % 3];
            difference = fmax(difference, fabs(found - expected));
            size = fmax(size, fabs(expected));
        }
        assert_true(most <= 1e-3 * scale);
        assert_true(difference <= 1e-3 * fmax(size, scale / H / H));
        rough += most > 5e-6 * scale || difference > 5e-6 * fmax(size, scale / H / H);
    }
    assert_true(points < 2);
    assert_true(rough <= COUNT / 10);
}

static void compare(cloth_test *s, int32_t list, const int32_t *element, const weft_vec3 *u) {
    int32_t n = s->mesh->vertex_count;
    double(*place)[8] = calloc((size_t)n, sizeof *place);
    sums found[3];
    for (int32_t i = 0; i < n; i++)
        memcpy(place[i], (const double[8]){s->x[i].x, s->x[i].y, s->x[i].z, 0, u[i].x, u[i].y, u[i].z, 0},
               sizeof place[i]);
    for (weft_isa isa = WEFT_ISA_PORTABLE; isa <= weft_simd_isa(); isa++) {
        take(s, list, isa, element, (const double(*)[8])place, &found[isa]);
        compare_blocks(s, list, element, u, &found[isa]);
        if (isa > 0)
            assert_memory_equal(&found[isa], &found[0], sizeof found[0]);
    }
    free(place);
}

/* From nearly at rest to crumpled, where most matrices need the projection. Some triangles are collapsed to lines or
 * points. */
static void vectorised_kernels_match_element_blocks(void **state) {
    (void)state;
    static const double SHAKES[] = {1e-4, 0.02, 0.2, 1};
    static const struct {
        int strain, bending;
        double angle;
    } KINDS[] = {{WEFT_STRAIN_YARNS, WEFT_BENDING_ISOMETRIC, 0},
                 {WEFT_STRAIN_COROTATED, WEFT_BENDING_EDGES, 0},
                 {WEFT_STRAIN_YARNS, WEFT_BENDING_ISOMETRIC, 0.3}};
    for (size_t k = 0; k < 24; k++) {
        cloth_test s = on_mesh(grid_mesh(6, 5, 0.6, 0.5, WEFT_ALTERNATING));
        s.settings.strain = KINDS[k % 3].strain;
        s.settings.bending = KINDS[k % 3].bending;
        s.settings.angle = KINDS[k % 3].angle;
        s.fabric.damping = k % 2 ? 0.01 : 0;
        start(&s);
        shake(&s, SHAKES[k / 3 % 4]);
        s.x[8] = s.x[9];
        for (int i = 0; i < 3 && k % 2; i++)
            s.x[s.c->mesh->triangle[5][i]] = (weft_vec3){0.1, 0.2, 0.3};
        int32_t n = s.mesh->vertex_count, element[COUNT];
        weft_vec3 *u = vectors(n);
        for (int32_t i = 0; i < n; i++) {
            u[i] = random_vector(1, 500 + (uint64_t)i);
            if (k >= 12) /* far from the origin no precision is lost */
                s.x[i] = weft_add(s.x[i], (weft_vec3){1000, -2000, 500});
        }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectorised_kernels_match_element_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
