/* Energies and forces of several elements at a time against their scalar twins, with every instruction set. */
#include "fem_fixture.h"
#include "force/aero.h"

enum { SIDE = 9 };

/* A crumpled sheet in motion. Some triangles are collapsed to lines or points. */
static cloth_test crumpled(int strain, int force, int bending, double angle) {
    cloth_test s = on_mesh(grid_mesh(SIDE, SIDE + 1, 1, 1.1, WEFT_ALTERNATING));
    s.settings.strain = strain;
    s.settings.force = force;
    s.settings.bending = bending;
    s.settings.angle = angle;
    s.fabric.damping = 0.1;
    start(&s);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++) {
        s.x[i] = weft_add(s.mesh->position[i], random_vector(0.1, (uint64_t)i));
        s.v[i] = random_vector(3, 1000 + (uint64_t)i);
    }
    for (int32_t i = 0; i < 2 * SIDE; i++) /* two rows at one place, one row in a line */
        s.x[i] = (weft_vec3){1, 2, 3};
    for (int32_t i = 4 * SIDE; i < 6 * SIDE; i++)
        s.x[i] = (weft_vec3){i, 2.0 * i, 0};
    return s;
}

static void same(double value, double expected, const char *what, int64_t i) {
    if (!(value == expected)) /* zeros may differ in sign */
        fail_msg("%s %lld: %.17g instead of %.17g", what, (long long)i, value, expected);
}

static void same_vector(weft_vec3 value, weft_vec3 expected, const char *what, int64_t i) {
    same(value.x, expected.x, what, i);
    same(value.y, expected.y, what, i);
    same(value.z, expected.z, what, i);
}

static void check_triangles(const cloth_test *s, weft_isa isa) {
    const weft_corotational *c = s->c;
    for (int64_t begin = 0; begin < 3; begin++)
        for (int64_t end = begin; end <= c->mesh->triangle_count; end += 1 + end) {
            double sum = 0;
            memset(c->element_force, 0xff, 3 * (size_t)c->mesh->triangle_count * sizeof *c->element_force);
            weft_triangle_forces(c, isa, s->x, s->v, begin, end);
            for (int64_t t = begin; t < end; t++) {
                weft_vec3 p[3], v[3], f[3];
                for (int k = 0; k < 3; k++) {
                    p[k] = s->x[c->mesh->triangle[t][k]];
                    v[k] = s->v[c->mesh->triangle[t][k]];
                }
                sum += weft_triangle_energy(&c->triangle[t], &c->elasticity, p);
                weft_triangle_force(&c->triangle[t], &c->elasticity, (weft_rotation)c->settings.force, c->beta, p, v,
                                    f);
                for (int k = 0; k < 3; k++)
                    same_vector(c->element_force[3 * t + k], f[k], "triangle", t);
            }
            same(weft_triangle_energies(c, isa, s->x, begin, end), sum, "energy", end);
            if (end < c->mesh->triangle_count) /* nothing is written behind the range */
                assert_true(isnan(c->element_force[3 * end].x));
        }
}

static void triangles_agree_with_scalar_twins(void **state) {
    (void)state;
    for (int strain = WEFT_STRAIN_YARNS; strain <= WEFT_STRAIN_COROTATED; strain++)
        for (int force = WEFT_ROTATION_EXACT; force <= WEFT_ROTATION_FROZEN; force++) {
            cloth_test s = crumpled(strain, force, WEFT_BENDING_ISOMETRIC, 0);
            for (weft_isa isa = WEFT_ISA_PORTABLE; isa <= weft_simd_isa(); isa++)
                check_triangles(&s, isa);
            stop(&s);
        }
}

static void check_bending(const cloth_test *s, weft_isa isa) {
    const weft_bending *b = &s->c->bending;
    weft_vec3 *f = vectors(b->arity * b->count), own[WEFT_BEND_VERTICES];
    const int64_t end = b->count - 1;
    double sum = 0;
    weft_bending_forces(b, isa, s->x, s->v, 1, end, f);
    for (int32_t i = 1; i < end; i++) {
        weft_bending_force(b, i, s->x, s->v, own);
        sum += weft_bending_energy(b, i, s->x);
        for (int a = 0; a < b->arity; a++)
            same_vector(f[b->arity * i + a], own[a], "bending element", i);
    }
    same(weft_bending_energies(b, isa, s->x, 1, end), sum, "bending energy", end);
    for (int a = 0; a < b->arity; a++) { /* nothing is written outside the range */
        same_vector(f[a], (weft_vec3){0, 0, 0}, "bending element", 0);
        same_vector(f[b->arity * end + a], (weft_vec3){0, 0, 0}, "bending element", end);
    }
    free(f);
}

static void bending_agrees_with_scalar_twins(void **state) {
    (void)state;
    for (int bending = 0; bending < WEFT_BENDING_NONE; bending++)
        for (int turned = 0; turned < 2; turned++) {
            cloth_test s = crumpled(WEFT_STRAIN_YARNS, WEFT_ROTATION_EXACT, bending, 0.7 * turned);
            for (weft_isa isa = WEFT_ISA_PORTABLE; isa <= weft_simd_isa(); isa++)
                check_bending(&s, isa);
            stop(&s);
        }
}

/* test_aero.c compares the forces with calculations by hand. */
static void air_does_not_depend_on_instruction_set(void **state) {
    (void)state;
    cloth_test s = crumpled(WEFT_STRAIN_YARNS, WEFT_ROTATION_EXACT, WEFT_BENDING_NONE, 0);
    int32_t count = s.mesh->triangle_count - 1;
    weft_vec3 *air = vectors(s.mesh->vertex_count), *force[2] = {vectors(count), vectors(count)};
    double *block[2] = {calloc(6 * (size_t)count, sizeof(double)), calloc(6 * (size_t)count, sizeof(double))};
    uint8_t *open = calloc((size_t)s.mesh->face_count, 1);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        air[i] = random_vector(5, 5000 + (uint64_t)i);
    open[3] = 1;
    for (weft_isa isa = WEFT_ISA_PORTABLE; isa <= weft_simd_isa(); isa++) {
        int k = isa > WEFT_ISA_PORTABLE;
        const weft_aero aero = {s.mesh, open, 0.4, 0.15, 0.6, air, s.x, s.v, isa};
        weft_aero_triangle_forces(&aero, 0, count, force[k]);
        weft_aero_triangle_blocks(&aero, 0, count, block[k]);
        for (int32_t t = 0; t < count && k; t++) {
            same_vector(force[1][t], force[0][t], "air on triangle", t);
            for (int m = 6 * t; m < 6 * t + 6; m++)
                same(block[1][m], block[0][m], "damping", m);
            assert_true(weft_vec3_is_finite(force[0][t]));
        }
    }
    for (int k = 0; k < 2; k++) {
        free(block[k]);
        free(force[k]);
    }
    free(open);
    free(air);
    stop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(triangles_agree_with_scalar_twins),
                                       cmocka_unit_test(bending_agrees_with_scalar_twins),
                                       cmocka_unit_test(air_does_not_depend_on_instruction_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
