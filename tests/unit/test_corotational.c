/* The corotational triangle and model against finite differences, exact strains and symmetries. */
#include "fem_fixture.h"

static void force_of(const weft_triangle *t, const weft_elasticity *c, const weft_vec3 p[3], double f[9]) {
    weft_vec3 still[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, push[3];
    weft_triangle_force(t, c, WEFT_ROTATION_EXACT, 0, p, still, push);
    for (int k = 0; k < 9; k++)
        f[k] = (&push[k / 3].x)[k % 3];
}

/* From small deformations to strongly compressed and inverted triangles. */
static void force_is_negative_gradient_of_energy(void **state) {
    (void)state;
    weft_fabric fabric = woven();
    weft_elasticity c = weft_elasticity_of(&fabric);
    weft_triangle t = weft_triangle_make(CORNER);
    for (uint64_t seed = 0; seed < 200; seed++) {
        c.yarns = (int)(seed / 2 % 2);
        weft_vec3 p[3];
        double f[9], scale = 0, h = 1e-6;
        random_triangle(seed, seed % 2 ? 1.0 : 0.1, p);
        force_of(&t, &c, p, f);
        for (int k = 0; k < 9; k++)
            scale = fmax(scale, fabs(f[k]));
        for (int k = 0; k < 9; k++) {
            double *at = &(&p[k / 3].x)[k % 3], x = *at;
            *at = x + h;
            double up = weft_triangle_energy(&t, &c, p);
            *at = x - h;
            double down = weft_triangle_energy(&t, &c, p);
            *at = x;
            assert_near(-(up - down) / (2 * h), f[k], 1e-6 * scale);
        }
    }
}

static void hessian_is_derivative_of_force(void **state) {
    (void)state;
    weft_fabric fabric = woven();
    weft_elasticity c = weft_elasticity_of(&fabric);
    weft_triangle t = weft_triangle_make(CORNER);
    for (uint64_t seed = 0; seed < 200; seed++) {
        c.yarns = (int)(seed / 2 % 2);
        weft_vec3 p[3];
        double blocks[27], m[81], scale = 0, h = 1e-6;
        random_triangle(seed, seed % 2 ? 0.8 : 0.1, p);
        weft_triangle_blocks(&t, &c, WEFT_ROTATION_EXACT, 1, 0, p, blocks, NULL);
        whole_matrix(3, blocks, m);
        for (int k = 0; k < 81; k++)
            scale = fmax(scale, fabs(m[k]));
        for (int k = 0; k < 9; k++) {
            double *at = &(&p[k / 3].x)[k % 3], x = *at, up[9], down[9];
            *at = x + h;
            force_of(&t, &c, p, up);
            *at = x - h;
            force_of(&t, &c, p, down);
            *at = x;
            for (int i = 0; i < 9; i++)
                assert_near(-(up[i] - down[i]) / (2 * h), m[9 * i + k], 2e-6 * scale);
        }
    }
}

static void projected_hessians_are_positive_semidefinite(void **state) {
    (void)state;
    weft_fabric fabric = woven();
    weft_elasticity c = weft_elasticity_of(&fabric);
    weft_triangle t = weft_triangle_make(CORNER);
    int indefinite = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        c.yarns = (int)(seed / 2 % 2);
        weft_vec3 p[3];
        double blocks[27], damping[27], m[81];
        random_triangle(seed, seed % 2 ? 0.8 : 0.1, p);
        weft_triangle_blocks(&t, &c, WEFT_ROTATION_EXACT, 1, 0, p, blocks, NULL);
        whole_matrix(3, blocks, m);
        indefinite += least_eigenvalue(9, m) < -1e-3;
        for (int kind = 0; kind < 2; kind++) {
            weft_triangle_blocks(&t, &c, (weft_rotation)kind, 0, 0.1, p, blocks, damping);
            whole_matrix(3, blocks, m);
            assert_true(least_eigenvalue(9, m) > -1e-12);
            whole_matrix(3, damping, m);
            assert_true(least_eigenvalue(9, m) > -1e-12);
        }
    }
    assert_true(indefinite > 50); /* otherwise the test would show nothing */
}

/* In biaxial tension the Hessian is already positive definite, so the projection must not change it. */
static void projection_keeps_hessian_in_tension(void **state) {
    (void)state;
    weft_fabric fabric = woven();
    weft_elasticity c = weft_elasticity_of(&fabric);
    weft_triangle t = weft_triangle_make(CORNER);
    weft_vec3 p[3];
    for (int k = 0; k < 3; k++)
        p[k] = turned((weft_vec3){1.2 * CORNER[k].x, 1.1 * CORNER[k].y, 0}, 0.7);
    double raw[27], projected[27];
    weft_triangle_blocks(&t, &c, WEFT_ROTATION_EXACT, 1, 0, p, raw, NULL);
    weft_triangle_blocks(&t, &c, WEFT_ROTATION_EXACT, 0, 0, p, projected, NULL);
    for (int k = 0; k < 27; k++)
        assert_near(raw[k], projected[k], 1e-9 * c.yy);
    c.yarns = 1;
    weft_triangle_blocks(&t, &c, WEFT_ROTATION_EXACT, 1, 0, p, raw, NULL);
    weft_triangle_blocks(&t, &c, WEFT_ROTATION_EXACT, 0, 0, p, projected, NULL);
    for (int k = 0; k < 27; k++)
        assert_near(raw[k], projected[k], 1e-9 * c.yy);
}

/* At rest the exact Hessian, the frozen one, and Q K_e Q^T written out are equal. */
static void hessian_at_rest_is_linear_stiffness_matrix(void **state) {
    (void)state;
    weft_fabric fabric = woven();
    weft_elasticity c = weft_elasticity_of(&fabric);
    weft_triangle t = weft_triangle_make(CORNER);
    weft_vec3 p[3];
    const weft_vec2 *r = CORNER;
    double exact[27], frozen[27], full[3][3] = {{c.xx, c.xy, 0}, {c.xy, c.yy, 0}, {0, 0, c.ss}}, b[3][6], twice;
    for (int k = 0; k < 3; k++)
        p[k] = (weft_vec3){CORNER[k].x, CORNER[k].y, 0};
    twice = (r[1].x - r[0].x) * (r[2].y - r[0].y) - (r[1].y - r[0].y) * (r[2].x - r[0].x);
    for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        double dx = (r[m].y - r[n].y) / twice, dy = (r[n].x - r[m].x) / twice;
        b[0][2 * k] = dx, b[0][2 * k + 1] = 0;
        b[1][2 * k] = 0, b[1][2 * k + 1] = dy;
        b[2][2 * k] = dy, b[2][2 * k + 1] = dx;
    }
    weft_triangle_blocks(&t, &c, WEFT_ROTATION_EXACT, 0, 0, p, exact, NULL);
    weft_triangle_blocks(&t, &c, WEFT_ROTATION_FROZEN, 0, 0, p, frozen, NULL);
    for (int i = 0, pair = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++, pair++)
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 3; column++) {
                    double k = 0;
                    for (int m = 0; m < 3 && row < 2 && column < 2; m++)
                        for (int n = 0; n < 3; n++)
                            k += 0.5 * twice * b[m][2 * i + row] * full[m][n] * b[n][2 * j + column];
                    assert_near(exact[9 * pair + 3 * row + column], k, 1e-10 * c.yy);
                    assert_near(frozen[9 * pair + 3 * row + column], k, 1e-10 * c.yy);
                }
}

/* The elasticity is the same from either side of the symmetry condition of a table, and positive definite for every
 * preset. */
static void presets_have_symmetric_positive_elasticity(void **state) {
    (void)state;
    for (int i = 0; i < weft_fabric_preset_count(); i++) {
        const weft_fabric *f = &weft_fabric_preset_at(i)->fabric;
        weft_elasticity c = weft_elasticity_of(f);
        double scale = 1 / (1 - f->poisson_weft * f->poisson_warp);
        assert_near(c.xy, scale * f->poisson_warp * f->stretch_weft, 0.02 * c.xy);
        assert_near(c.xy, scale * f->poisson_weft * f->stretch_warp, 0.02 * c.xy);
        assert_true(c.xx * c.yy > c.xy * c.xy && c.ss > 0);
        /* pulled along the weft, free along the warp: E_x */
        assert_near(c.xx - c.xy * c.xy / c.yy, f->stretch_weft, 0.02 * f->stretch_weft);
    }
}

/* A uniform strain on an unstructured mesh gives the same strain everywhere, and no force on inner vertices. */
static void uniform_strain_passes_patch_test(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        cloth_test s = on_mesh(random_mesh(6, 5, 1.2, 1.0, 0.3, seed % 2 == 0));
        s.settings.bending = WEFT_BENDING_NONE;
        s.settings.strain = (int32_t)(seed / 2 % 3);
        start(&s);
        assert_int_equal(s.c->rest, seed % 2 == 0 ? WEFT_REST_PATTERN : WEFT_REST_SHAPE);
        double ex = random_in(-0.2, 0.3, 10 * seed), ey = random_in(-0.2, 0.3, 10 * seed + 1);
        double g = random_in(-0.3, 0.3, 10 * seed + 2);
        for (int32_t i = 0; i < s.mesh->vertex_count; i++) {
            weft_vec3 p = s.x[i];
            s.x[i] = turned((weft_vec3){(1 + ex) * p.x + 0.5 * g * p.y, 0.5 * g * p.x + (1 + ey) * p.y, 0.3}, 2.1);
        }
        weft_strain *strain = calloc((size_t)s.mesh->triangle_count, sizeof *strain);
        fem()->measure(s.self, &s.work, s.x, strain);
        forces(&s);
        weft_elasticity c = s.c->elasticity;
        if (s.settings.strain == WEFT_STRAIN_YARNS) { /* the elongation of each yarn direction */
            ex = hypot(1 + ex, 0.5 * g) - 1;
            ey = hypot(1 + ey, 0.5 * g) - 1;
        } else if (s.settings.strain == WEFT_STRAIN_GREEN) {
            double x = 1 + ex, y = 1 + ey, o = 0.5 * g;
            ex = 0.5 * (x * x + o * o - 1);
            ey = 0.5 * (y * y + o * o - 1);
            g = (x + y) * o;
        }
        double expected[3] = {ex, ey, g}, stress[3] = {c.xx * ex + c.xy * ey, c.xy * ex + c.yy * ey, c.ss * g};
        for (int32_t t = 0; t < s.mesh->triangle_count; t++)
            for (int k = 0; k < 3; k++) {
                assert_near(strain[t].strain[k], expected[k], 1e-10);
                assert_near(strain[t].stress[k], stress[k], 1e-10 * c.yy);
            }
        double inner = 0, outer = largest(s.f, s.mesh->vertex_count);
        for (int32_t i = 0; i < s.mesh->vertex_count; i++)
            if (s.mesh->face[s.mesh->vertex_halfedge[i]] != WEFT_NONE)
                inner = fmax(inner, weft_length(s.f[i]));
        assert_below(inner, 1e-10 * outer);
        free(strain);
        stop(&s);
    }
}

static void rigid_motion_causes_no_force(void **state) {
    (void)state;
    for (int bending = 0; bending <= WEFT_BENDING_NONE; bending++) {
        cloth_test s = on_mesh(random_mesh(6, 5, 1.2, 1.0, 0.3, 1));
        s.settings.bending = bending;
        s.settings.strain = bending % 3;
        s.fabric.damping = 0.1;
        start(&s);
        for (int32_t i = 0; i < s.mesh->vertex_count; i++)
            s.x[i] = weft_add(turned(s.x[i], 1.9), (weft_vec3){3, -5, 2});
        forces(&s);
        assert_below(largest(s.f, s.mesh->vertex_count), 1e-10 * s.fabric.stretch_warp * 1.0);
        assert_near(energy(&s), 0, 1e-20 * s.fabric.stretch_warp);
        stop(&s);
    }
}

/* The velocity is a rigid rotation of a strained, folded cloth, so the damping force beta K v must vanish. The
 * isometric form assumes that the shape of the two triangles is kept, so it is tested on folds alone. */
static void rigid_rotation_is_not_damped(void **state) {
    (void)state;
    for (int kind = 0; kind <= 2 * WEFT_BENDING_NONE + 1; kind++) {
        cloth_test s = on_mesh(grid_mesh(6, 5, 1.2, 1.0, WEFT_ALTERNATING));
        int bending = kind / 2;
        s.settings.bending = bending;
        s.settings.strain = kind % 2;
        s.fabric.damping = 0.05;
        start(&s);
        if (bending == WEFT_BENDING_ISOMETRIC || bending == WEFT_BENDING_EDGES) {
            for (int32_t i = 0; i < s.mesh->vertex_count; i++) /* a cylinder of radius 0.5 m, with chords as edges
                                                                * across */
                s.x[i] = (weft_vec3){0.5 * sin(2 * s.x[i].x), s.x[i].y, 0.5 * cos(2 * s.x[i].x)};
        } else {
            shake(&s, 0.1);
        }
        forces(&s);
        weft_vec3 *elastic = vectors(s.mesh->vertex_count);
        memcpy(elastic, s.f, (size_t)s.mesh->vertex_count * sizeof *elastic);
        for (int32_t i = 0; i < s.mesh->vertex_count; i++)
            s.v[i] = weft_add(weft_cross((weft_vec3){3, -4, 5}, s.x[i]), (weft_vec3){1, 2, 3});
        forces(&s);
        for (int32_t i = 0; i < s.mesh->vertex_count; i++)
            assert_near(weft_distance(s.f[i], elastic[i]), 0, 1e-9 * s.fabric.stretch_warp);
        for (int32_t i = 0; i < s.mesh->vertex_count; i++) /* stretching is damped */
            s.v[i] = s.x[i];
        forces(&s);
        assert_true(weft_distance(s.f[0], elastic[0]) > 1e-3);
        free(elastic);
        stop(&s);
    }
}

/* The forces of the whole cloth are -dE/dx and have no net force or torque, also for orthotropic strains. */
static void cloth_forces_conserve_energy_and_momentum(void **state) {
    (void)state;
    for (int kind = 0; kind <= 2 * WEFT_BENDING_NONE + 1; kind++) {
        cloth_test s = on_mesh(grid_mesh(4, 4, 1, 1, WEFT_CRISS_CROSS));
        int bending = kind / 2;
        s.settings.bending = bending;
        s.settings.strain = kind % 2;
        start(&s);
        shake(&s, 0.12);
        assert_true(force_error(&s, 1e-6) < 1e-6);
        weft_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
        forces(&s);
        for (int32_t i = 0; i < s.mesh->vertex_count; i++) {
            force = weft_add(force, s.f[i]);
            torque = weft_add(torque, weft_cross(s.x[i], s.f[i]));
        }
        double scale = largest(s.f, s.mesh->vertex_count);
        assert_true(weft_length(force) < 1e-12 * scale);
        assert_true(weft_length(torque) < 1e-12 * scale);
        stop(&s);
    }
}

/* Damping by alpha and beta against -df/dv. */
static void damping_matrices_are_derivatives_of_force(void **state) {
    (void)state;
    for (int kind = 0; kind <= 2 * WEFT_BENDING_NONE + 1; kind++) {
        cloth_test s = on_mesh(grid_mesh(2, 2, 1, 1, WEFT_ALTERNATING));
        int bending = kind / 2;
        s.settings.bending = bending;
        s.settings.strain = kind % 2;
        s.settings.alpha = 0.7;
        s.fabric.damping = 0.05;
        start(&s);
        shake(&s, 0.1);
        int32_t n = s.mesh->vertex_count;
        weft_vec3 *u = vectors(n), *product = vectors(n);
        double *vertex = (double *)vectors(2 * n);
        for (int32_t i = 0; i < n; i++)
            u[i] = random_vector(1, 700 + (uint64_t)i);
        fem()->vertex_damping(s.self, &s.work, s.x, s.v, vertex);
        for (int32_t i = 0; i < n; i++)
            product[i] = weft_scale(vertex[6 * i], u[i]);
        const weft_elements *lists;
        int32_t count = fem()->element_lists(s.self, &lists);
        for (int32_t l = 0; l < count; l++)
            for (int32_t e = 0; e < lists[l].count; e++) {
                int arity = lists[l].arity;
                double k[6 * 9], d[6 * 9], m[144];
                fem()->element_blocks(s.self, l, &e, 1, s.x, s.v, k, d);
                whole_matrix(arity, d, m);
                for (int a = 0; a < 3 * arity; a++)
                    for (int b = 0; b < 3 * arity; b++)
                        (&product[lists[l].vertex[e * arity + a / 3]].x)[a % 3] +=
                            m[3 * arity * a + b] * (&u[lists[l].vertex[e * arity + b / 3]].x)[b % 3];
            }
        forces(&s);
        weft_vec3 *before = vectors(n);
        memcpy(before, s.f, (size_t)n * sizeof *before);
        memcpy(s.v, u, (size_t)n * sizeof *u);
        forces(&s);
        double scale = largest(product, n);
        for (int32_t i = 0; i < n; i++)
            assert_near(weft_distance(weft_sub(before[i], s.f[i]), product[i]), 0, 1e-12 * scale);
        free(before);
        free(vertex);
        free(product);
        free(u);
        stop(&s);
    }
}

/* Collapsed to a line or a point, and inverted. All values are finite, and a collapsed line is pushed open. */
static void degenerate_triangles_stay_finite(void **state) {
    (void)state;
    weft_fabric fabric = woven();
    fabric.damping = 0.1;
    const weft_vec3 shapes[][3] = {
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},         {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},         {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}},
        {{0, 0, 0}, {1, 0, 0}, {0.5, 1e-14, 0}},   {{0, 0, 0}, {1e-200, 0, 0}, {0, 1e-200, 0}},
        {{0, 0, 0}, {1e-25, 0, 0}, {0, 1e-25, 0}}, {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
        {{0, 0, 0}, {1e6, 0, 0}, {0, 1e6, 0}}};
    const weft_vec2 rests[][3] = {{{0, 0}, {1, 0}, {0, 1}}, {{0, 0}, {1, 0}, {0.5, 1e-3}}, {{0, 0}, {1, 0}, {999, 1}}};
    for (int kind = 0; kind < 3; kind++) {
        if (kind == 1)
            fabric.poisson_weft = fabric.poisson_warp = 0;
        if (kind == 2)
            fabric.shear = 1e-6 * fabric.stretch_weft;
        weft_elasticity c = weft_elasticity_of(&fabric);
        for (size_t r = 0; r < sizeof rests / sizeof rests[0]; r++)
            for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
                weft_triangle t = weft_triangle_make(rests[r]);
                weft_vec3 f[3];
                double k[27], d[27], m[81];
                weft_triangle_force(&t, &c, WEFT_ROTATION_EXACT, fabric.damping, shapes[i], shapes[i], f);
                assert_true(isfinite(weft_triangle_energy(&t, &c, shapes[i])));
                for (int h = 0; h < 2; h++) {
                    weft_triangle_blocks(&t, &c, (weft_rotation)h, 0, 0.1, shapes[i], k, d);
                    for (int n = 0; n < 27; n++)
                        assert_true(isfinite(k[n]) && isfinite(d[n]));
                    whole_matrix(3, k, m);
                    assert_true(least_eigenvalue(9, m) > -1e-12);
                }
                for (int n = 0; n < 3; n++)
                    assert_true(weft_vec3_is_finite(f[n]));
                if (i == 2 && r == 0)
                    assert_true(largest(f, 3) > 1);
            }
    }
}

/* Needles of aspect ratio 1000 have the same accuracy as other triangles, relative to their own stiffness. */
static void force_of_needle_is_gradient_of_energy(void **state) {
    (void)state;
    weft_fabric fabric = woven();
    weft_elasticity c = weft_elasticity_of(&fabric);
    const weft_vec2 rest[3] = {{0, 0}, {1, 0}, {0.4, 1e-3}};
    weft_triangle t = weft_triangle_make(rest);
    weft_vec3 p[3];
    double f[9], h = 1e-9, scale = 0;
    for (int k = 0; k < 3; k++)
        p[k] = turned(weft_add((weft_vec3){rest[k].x, rest[k].y, 0}, random_vector(2e-4, 50 + (uint64_t)k)), 1);
    force_of(&t, &c, p, f);
    for (int k = 0; k < 9; k++)
        scale = fmax(scale, fabs(f[k]));
    for (int k = 0; k < 9; k++) {
        double *at = &(&p[k / 3].x)[k % 3], x = *at;
        *at = x + h;
        double up = weft_triangle_energy(&t, &c, p);
        *at = x - h;
        double down = weft_triangle_energy(&t, &c, p);
        *at = x;
        assert_near(-(up - down) / (2 * h), f[k], 1e-5 * scale);
    }
}

/* Power iteration gives the largest eigenvalue. */
static void frequency_bound_exceeds_largest_eigenvalue(void **state) {
    (void)state;
    for (int bending = 0; bending <= WEFT_BENDING_NONE; bending++) {
        cloth_test s = on_mesh(random_mesh(8, 8, 1, 1, 0.25, 1));
        s.settings.bending = bending;
        s.fabric.bend_weft = s.fabric.bend_warp = 1;
        start(&s);
        int32_t n = s.mesh->vertex_count;
        weft_vec3 *u = vectors(n);
        double value = 0, h = 1e-7;
        for (int32_t i = 0; i < n; i++)
            u[i] = random_vector(1, 900 + (uint64_t)i);
        for (int round = 0; round < 100; round++) {
            for (int32_t i = 0; i < n; i++)
                s.x[i] = weft_add_scaled(s.mesh->position[i], h, u[i]);
            forces(&s);
            value = 0;
            for (int32_t i = 0; i < n; i++) {
                u[i] = weft_scale(-1 / (h * s.mass[i]), s.f[i]);
                value += weft_dot(u[i], u[i]);
            }
            value = sqrt(value);
            for (int32_t i = 0; i < n; i++)
                u[i] = weft_scale(1 / value, u[i]);
        }
        double bound = fem()->highest_frequency(s.self, s.mass);
        assert_true(bound * bound > 0.999 * value);
        assert_true(bound * bound < 12 * value); /* and the bound is not too loose */
        free(u);
        stop(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_is_negative_gradient_of_energy),
        cmocka_unit_test(hessian_is_derivative_of_force),
        cmocka_unit_test(projected_hessians_are_positive_semidefinite),
        cmocka_unit_test(projection_keeps_hessian_in_tension),
        cmocka_unit_test(hessian_at_rest_is_linear_stiffness_matrix),
        cmocka_unit_test(presets_have_symmetric_positive_elasticity),
        cmocka_unit_test(uniform_strain_passes_patch_test),
        cmocka_unit_test(rigid_motion_causes_no_force),
        cmocka_unit_test(rigid_rotation_is_not_damped),
        cmocka_unit_test(cloth_forces_conserve_energy_and_momentum),
        cmocka_unit_test(damping_matrices_are_derivatives_of_force),
        cmocka_unit_test(degenerate_triangles_stay_finite),
        cmocka_unit_test(force_of_needle_is_gradient_of_energy),
        cmocka_unit_test(frequency_bound_exceeds_largest_eigenvalue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
