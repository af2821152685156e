/* Bending energies against plate theory, rest angles, derivatives, and degenerate states. */
#include "fem_fixture.h"

static const char *const NAMES[] = {"isometric", "edges", "hinge", "springs", "none"};

/* Rolls the plane of the rest shape (x, y, 0) into a cylinder of curvature q. The curvature runs along `direction`. For
 * small q, distances between vertices are kept to second order. */
static void roll(cloth_test *s, double q, double direction) {
    double c = cos(direction), d = sin(direction);
    for (int32_t i = 0; i < s->mesh->vertex_count; i++) {
        weft_vec3 p = s->mesh->position[i];
        double along = c * p.x + d * p.y, across = c * p.y - d * p.x;
        double rolled = sin(q * along) / q;
        s->x[i] = (weft_vec3){c * rolled - d * across, d * rolled + c * across, (1 - cos(q * along)) / q};
    }
}

static double bending_energy(const cloth_test *s) {
    double sum = 0;
    for (int32_t i = 0; i < s->c->bending.count; i++)
        sum += weft_bending_energy(&s->c->bending, i, s->x);
    return sum;
}

static weft_mesh *make_triangles(const weft_vec3 *position, int32_t vertices, const int32_t *corner, int32_t faces) {
    int32_t *size = calloc((size_t)faces, sizeof *size);
    for (int32_t i = 0; i < faces; i++)
        size[i] = 3;
    weft_polygons polygons = {.name = "triangles",
                              .position = position,
                              .vertex_count = vertices,
                              .corner = corner,
                              .corner_count = 3 * (int64_t)faces,
                              .face_size = size,
                              .face_count = faces};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    free(size);
    return mesh;
}

/* A parallelogram of n x n cells of equilateral triangles. */
static weft_mesh *equilateral(int32_t n, double side) {
    weft_vec3 *position = calloc((size_t)((n + 1) * (n + 1)), sizeof *position);
    int32_t *corner = calloc((size_t)(6 * n * n), sizeof *corner), *at = corner;
    for (int32_t j = 0; j <= n; j++)
        for (int32_t i = 0; i <= n; i++)
            position[j * (n + 1) + i] = (weft_vec3){side * (i + 0.5 * j), side * sqrt(0.75) * j, 0};
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++) {
            int32_t a = j * (n + 1) + i, cells[6] = {a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1};
            memcpy(at, cells, sizeof cells);
            at += 6;
        }
    weft_mesh *mesh = make_triangles(position, (n + 1) * (n + 1), corner, 2 * n * n);
    free(corner);
    free(position);
    return mesh;
}

/* Energy divided by 1/2 B q^2 area. Cells at the boundary have no neighbour to bend against. The difference of two
 * sizes eliminates them. */
static double ratio_of(weft_mesh *(*make)(int32_t n), double area_of_cell, int bending, double direction,
                       double angle) {
    double energy_of[2], q = 0.2;
    int32_t n[2] = {20, 40};
    weft_fabric fabric = woven();
    for (int k = 0; k < 2; k++) {
        cloth_test s = on_mesh(make(n[k]));
        s.settings.bending = bending;
        s.settings.angle = angle;
        start(&s);
        roll(&s, q, direction);
        energy_of[k] = bending_energy(&s);
        stop(&s);
    }
    /* E(n) = a n^2 + b n + c with negligible c */
    double a = (energy_of[1] - 2 * energy_of[0]) / (40.0 * 40 - 2 * 20.0 * 20);
    double c = cos(direction + angle), d = sin(direction + angle); /* v of a grid runs down, against y */
    return a / (0.5 * (fabric.bend_weft * c * c + fabric.bend_warp * d * d) * q * q * area_of_cell);
}

static weft_mesh *small_grid(int32_t n) {
    weft_mesh *mesh = grid_mesh(n, n, 0.02 * n, 0.03 * n, WEFT_ALTERNATING);
    return mesh;
}
static weft_mesh *small_equilateral(int32_t n) { return equilateral(n, 0.02); }

static void cylinder_has_energy_of_plate(void **state) {
    (void)state;
    const double directions[] = {0, 1.5707963267948966, 0.3, 0.7853981633974483, 2.2};
    for (int k = 0; k < 5; k++) /* any direction, mixing weft and warp */
        assert_near(ratio_of(small_grid, 0.02 * 0.03, WEFT_BENDING_ISOMETRIC, directions[k], 0), 1, 0.005);
    for (int bending = WEFT_BENDING_EDGES; bending <= WEFT_BENDING_HINGE; bending++)
        for (int k = 0; k < 2; k++) /* along the axes of a grid of triangles */
            assert_near(ratio_of(small_grid, 0.02 * 0.03, bending, directions[k], 0), 1, 0.005);
}

/* The weft may have any angle to the lines of the grid. The energy depends on the angle between curvature and weft. */
static void cylinder_with_rotated_weft_has_energy_of_plate(void **state) {
    (void)state;
    const double angles[] = {30, 45, 60, -20, 90, 100}, directions[] = {0, 30, 45, 90, 135};
    const double degree = 3.14159265358979323846 / 180;
    for (int a = 0; a < 6; a++)
        for (int k = 0; k < 5; k++)
            assert_near(
                ratio_of(small_grid, 0.02 * 0.03, WEFT_BENDING_ISOMETRIC, degree * directions[k], degree * angles[a]),
                1, 0.005);
    cloth_test s = on_mesh(small_grid(4));
    start(&s);
    s.settings.angle = 0.5;
    assert_says(fem()->retune(s.self, &s.settings, &s.cloth), "model.angle: 0.5 rad turns the weft off the lines");
    s.settings.angle = -90 * degree;
    must(fem()->retune(s.self, &s.settings, &s.cloth));
    stop(&s);
}

/* With equal rigidities, the equilateral mesh is isotropic. */
static double isotropic_ratio(int bending, double direction) {
    double energy_of[2], q = 0.2;
    for (int k = 0; k < 2; k++) {
        cloth_test s = on_mesh(small_equilateral(20 << k));
        s.settings.bending = bending;
        s.fabric.bend_warp = s.fabric.bend_weft;
        start(&s);
        roll(&s, q, direction);
        energy_of[k] = bending_energy(&s);
        stop(&s);
    }
    double a = (energy_of[1] - 2 * energy_of[0]) / 800;
    return a / (0.5 * 1e-4 * q * q * 2 * sqrt(0.1875) * 0.02 * 0.02);
}

static void equilateral_triangles_bend_isotropically(void **state) {
    (void)state;
    for (int bending = WEFT_BENDING_ISOMETRIC; bending <= WEFT_BENDING_HINGE; bending++)
        for (int k = 0; k < 7; k++)
            assert_near(isotropic_ratio(bending, 0.4 * k), 1, 0.005);
}

/* A folded strip keeps its shape under `hinge`. Under `isometric` it is pushed flat. */
static void hinge_rests_in_given_shape(void **state) {
    (void)state;
    const weft_vec3 fold[4] = {{0, 0, 0}, {0, 1, 0}, {-1, 0.5, 0.4}, {0.8, 0.3, 0.7}};
    const int32_t corner[6] = {0, 1, 2, 0, 3, 1};
    for (int bending = 0; bending < WEFT_BENDING_SPRINGS; bending++) {
        cloth_test s = on_mesh(make_triangles(fold, 4, corner, 2));
        s.settings.bending = bending;
        start(&s);
        forces(&s);
        if (bending == WEFT_BENDING_HINGE)
            assert_true(largest(s.f, 4) < 1e-14 * s.fabric.stretch_warp);
        else
            assert_true(largest(s.f, 4) > 1e-5 && s.f[2].z < 0 && s.f[3].z < 0);
        stop(&s);
    }
}

static void bending_angle_is_signed(void **state) {
    (void)state;
    for (double angle = -3; angle < 3.1; angle += 0.5) {
        const weft_vec3 p[4] = {{0, 0, 0}, {0, 1, 0}, {-1, 0.5, 0}, {cos(angle), 0.5, sin(angle)}};
        assert_near(weft_bending_angle(p), angle, 1e-14);
    }
}

/* Quadratic energies have their exact Hessian everywhere, the others only at rest. */
static void blocks_are_derivatives_of_forces(void **state) {
    (void)state;
    for (int kind = 0; kind <= WEFT_BENDING_NONE; kind++) { /* isometric again, on a grid with rotated weft */
        int bending = kind % WEFT_BENDING_NONE, turned_weft = kind == WEFT_BENDING_NONE;
        cloth_test s = on_mesh(turned_weft ? grid_mesh(3, 2, 1, 1, WEFT_ALTERNATING) : random_mesh(2, 2, 1, 1, 0.2, 1));
        s.settings.bending = bending;
        s.settings.angle = turned_weft ? 0.7 : 0;
        for (int32_t i = 0; i < s.mesh->vertex_count; i++) /* the rest shape is folded */
            s.mesh->position[i].z = random_in(-0.05, 0.05, 300 + (uint64_t)i);
        memcpy(s.x, s.mesh->position, (size_t)s.mesh->vertex_count * sizeof *s.x);
        start(&s);
        const weft_bending *b = &s.c->bending;
        if (bending <= WEFT_BENDING_EDGES)
            shake(&s, 0.3);
        for (int32_t e = 0; e < b->count; e++) {
            double blocks[90], m[225], scale = 0, h = 1e-6;
            int n = 3 * b->arity;
            weft_bending_blocks(b, e, s.x, blocks, NULL);
            whole_matrix(b->arity, blocks, m);
            for (int k = 0; k < n * n; k++)
                scale = fmax(scale, fabs(m[k]));
            for (int k = 0; k < n; k++) {
                double *at = &(&s.x[weft_bending_vertices(b, e)[k / 3]].x)[k % 3], x = *at;
                weft_vec3 up[5], down[5];
                *at = x + h;
                weft_bending_force(b, e, s.x, s.v, up);
                *at = x - h;
                weft_bending_force(b, e, s.x, s.v, down);
                *at = x;
                for (int i = 0; i < n; i++)
                    assert_near(-((&up[i / 3].x)[i % 3] - (&down[i / 3].x)[i % 3]) / (2 * h), m[n * i + k],
                                1e-6 * scale);
            }
        }
        stop(&s);
    }
}

static void blocks_are_positive_semidefinite(void **state) {
    (void)state;
    for (int bending = 0; bending <= WEFT_BENDING_NONE; bending++) {
        cloth_test s = on_mesh(grid_mesh(3, 3, 1, 1, WEFT_ALTERNATING));
        s.settings.bending = bending % WEFT_BENDING_NONE;
        s.settings.angle = bending == WEFT_BENDING_NONE ? 0.7 : 0; /* isometric again, rotated */
        s.fabric.damping = 0.1;
        start(&s);
        shake(&s, 0.4);
        for (int32_t e = 0; e < s.c->bending.count; e++) {
            double blocks[90], damping[90], m[225];
            int arity = s.c->bending.arity;
            weft_bending_blocks(&s.c->bending, e, s.x, blocks, damping);
            whole_matrix(arity, blocks, m);
            assert_true(least_eigenvalue(3 * arity, m) > -1e-12);
            whole_matrix(arity, damping, m);
            assert_true(least_eigenvalue(3 * arity, m) > -1e-12);
        }
        stop(&s);
    }
}

/* Energies, forces and blocks stay finite on shapes that are collapsed in several ways. */
static void collapsed_shapes_stay_finite(void **state) {
    (void)state;
    for (int bending = 0; bending < WEFT_BENDING_NONE; bending++) {
        cloth_test s = on_mesh(grid_mesh(3, 3, 1, 1, WEFT_ALTERNATING));
        s.settings.bending = bending;
        s.settings.angle = bending == WEFT_BENDING_ISOMETRIC ? 0.7 : 0;
        s.fabric.damping = 0.1;
        start(&s);
        for (int shape = 0; shape < 4; shape++) {
            for (int32_t i = 0; i < s.mesh->vertex_count; i++) {
                weft_vec3 p = s.mesh->position[i];
                s.v[i] = random_vector(1, (uint64_t)i);
                s.x[i] = shape == 0   ? (weft_vec3){1, 2, 3}
                         : shape == 1 ? (weft_vec3){p.x, 0, 0}
                         : shape == 2 ? (weft_vec3){p.x, fabs(p.y + 0.5), 0}
                                      : (weft_vec3){p.x, 1e-9 * p.y, 0};
            }
            forces(&s);
            assert_true(isfinite(energy(&s)));
            for (int32_t i = 0; i < s.mesh->vertex_count; i++)
                assert_true(weft_vec3_is_finite(s.f[i]));
            for (int32_t e = 0; e < s.c->bending.count; e++) {
                double blocks[90], damping[90];
                weft_bending_blocks(&s.c->bending, e, s.x, blocks, damping);
                const int pairs = s.c->bending.arity * (s.c->bending.arity - 1) / 2;
                for (int k = 0; k < 9 * pairs; k++)
                    assert_true(isfinite(blocks[k]) && isfinite(damping[k]));
            }
        }
        stop(&s);
    }
}

static void setting_names_match_enumeration(void **state) {
    (void)state;
    const weft_param *row = weft_params_find(weft_corotational_model.params, "bending");
    for (int bending = 0; bending <= WEFT_BENDING_NONE; bending++)
        assert_string_equal(row->choices[bending], NAMES[bending]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylinder_has_energy_of_plate),
        cmocka_unit_test(cylinder_with_rotated_weft_has_energy_of_plate),
        cmocka_unit_test(equilateral_triangles_bend_isotropically),
        cmocka_unit_test(hinge_rests_in_given_shape),
        cmocka_unit_test(bending_angle_is_signed),
        cmocka_unit_test(blocks_are_derivatives_of_forces),
        cmocka_unit_test(blocks_are_positive_semidefinite),
        cmocka_unit_test(collapsed_shapes_stay_finite),
        cmocka_unit_test(setting_names_match_enumeration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
