/* The topology of the springs, and their forces. */
#include "unit/springs_fixture.h"

static void check_counts(const fixture *s, int structural, int shear, int flexion) {
    assert_int_equal(count_links(s, WEFT_STRUCTURAL, 0), structural);
    assert_int_equal(count_links(s, WEFT_SHEAR, 0), shear);
    assert_int_equal(count_links(s, WEFT_FLEXION, 0), flexion);
    assert_int_equal(model()->link_count(s->self), structural + shear + flexion);
}

static void grid_has_expected_springs(void **state) {
    (void)state;
    static const int CELLS[][2] = {{1, 1}, {1, 5}, {2, 2}, {7, 3}, {40, 30}};
    for (size_t i = 0; i < sizeof CELLS / sizeof *CELLS; i++) {
        int m = CELLS[i][0] + 1, n = CELLS[i][1] + 1;
        fixture s = on_grid(m - 1, n - 1, 0.1);
        start(&s);
        check_counts(&s, (m - 1) * n + m * (n - 1), 2 * (m - 1) * (n - 1), (m - 2) * n + m * (n - 2));
        for (int32_t l = 0; l < model()->link_count(s.self); l++) {
            static const double LENGTH[] = {0.1, 0.14142135623730951, 0.2};
            weft_link link = model()->link_at(s.self, l);
            assert_true(fabs(link.rest_length - LENGTH[link.type]) < 1e-12);
        }
        stop(&s);
    }
}

static weft_mesh *make_cylinder(int32_t around, int32_t rows) {
    weft_vec3 position[256];
    int32_t corner[1024], size[256], corners = 0, faces = 0;
    for (int32_t j = 0; j < rows; j++)
        for (int32_t i = 0; i < around; i++) {
            double angle = 2 * 3.14159265358979323846 * i / around;
            position[j * around + i] = (weft_vec3){cos(angle), 0.5 * j, sin(angle)};
        }
    for (int32_t j = 0; j + 1 < rows; j++)
        for (int32_t i = 0; i < around; i++) {
            int32_t next = (i + 1) % around;
            corner[corners++] = j * around + i;
            corner[corners++] = j * around + next;
            corner[corners++] = (j + 1) * around + next;
            corner[corners++] = (j + 1) * around + i;
            size[faces++] = 4;
        }
    weft_polygons polygons = {.name = "cylinder",
                              .position = position,
                              .vertex_count = around * rows,
                              .corner = corner,
                              .corner_count = corners,
                              .face_size = size,
                              .face_count = faces};
    weft_mesh *mesh;
    ok(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static void cylinder_has_expected_springs(void **state) {
    (void)state;
    int around = 8, rows = 5;
    fixture s = on_mesh(make_cylinder(around, rows));
    start(&s);
    check_counts(&s, around * rows + around * (rows - 1), 2 * around * (rows - 1), around * rows + around * (rows - 2));
    stop(&s);
    /* Around a square tube, two steps in either direction lead to the same vertex: one spring. */
    fixture square = on_mesh(make_cylinder(4, rows));
    start(&square);
    check_counts(&square, 4 * rows + 4 * (rows - 1), 8 * (rows - 1), 2 * rows + 4 * (rows - 2));
    stop(&square);
}

static weft_mesh *make_polygons(const weft_vec3 *position, int32_t vertices, const int32_t *corner, const int32_t *size,
                                int32_t faces) {
    int64_t corners = 0;
    for (int32_t i = 0; i < faces; i++)
        corners += size[i];
    weft_polygons polygons = {.name = "polygons",
                              .position = position,
                              .vertex_count = vertices,
                              .corner = corner,
                              .corner_count = corners,
                              .face_size = size,
                              .face_count = faces};
    weft_mesh *mesh;
    ok(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static void triangles_and_polygons_have_expected_springs(void **state) {
    (void)state;
    int m = 6, n = 4; /* cells */
    weft_grid grid = weft_grid_default();
    weft_mesh *quads, *triangles;
    grid.cells[0] = m;
    grid.cells[1] = n;
    grid.diagonals = WEFT_ONE_WAY;
    ok(weft_mesh_create_grid(&grid, &quads));
    ok(weft_mesh_triangulate(quads, &triangles));
    weft_mesh_destroy(quads);
    fixture s = on_mesh(triangles);
    start(&s);
    int edges = m * (n + 1) + (m + 1) * n + m * n, border = 2 * (m + n);
    check_counts(&s, edges, 0, edges - border);
    stop(&s);

    /* On a closed tetrahedron the opposite vertices of an edge already share an edge. */
    const weft_vec3 corners[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const int32_t faces[] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2}, sizes[] = {3, 3, 3, 3};
    fixture tetrahedron = on_mesh(make_polygons(corners, 4, faces, sizes, 4));
    start(&tetrahedron);
    check_counts(&tetrahedron, 6, 0, 0);
    stop(&tetrahedron);

    /* Two triangles have one flexion spring. A pentagon has five diagonals. A triangle on a quad has both flexion
     * springs. */
    const weft_vec3 flat[] = {{0, 0, 0}, {1, 0, 0}, {1.3, 1, 0}, {0.5, 1.7, 0}, {-0.3, 1, 0}};
    const int32_t three[] = {3, 3}, five[] = {0, 1, 2, 3, 4}, one[] = {5};
    const int32_t house[] = {0, 1, 2, 4, 2, 3, 4}, house_sizes[] = {4, 3};
    const weft_vec3 bow[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const int32_t bow_corners[] = {0, 1, 2, 0, 2, 3};
    fixture pair = on_mesh(make_polygons(bow, 4, bow_corners, three, 2));
    start(&pair);
    check_counts(&pair, 5, 0, 1);
    stop(&pair);
    fixture pentagon = on_mesh(make_polygons(flat, 5, five, one, 1));
    start(&pentagon);
    check_counts(&pentagon, 5, 5, 0);
    stop(&pentagon);
    fixture mixed = on_mesh(make_polygons(flat, 5, house, house_sizes, 2));
    start(&mixed);
    check_counts(&mixed, 6, 2, 2);
    stop(&mixed);
}

static void spring_types_can_be_switched(void **state) {
    (void)state;
    fixture s = on_grid(3, 3, 0.1);
    s.settings.on[WEFT_SHEAR] = 0;
    s.settings.rest[WEFT_FLEXION] = 0.35;
    s.settings.stiffness[WEFT_FLEXION] = 17;
    start(&s);
    check_counts(&s, 24, 0, 16);
    weft_link link = model()->link_at(s.self, 24 + 3);
    assert_int_equal(link.type, WEFT_FLEXION);
    assert_true(link.rest_length == 0.35 && link.stiffness == 17);
    s.settings.on[WEFT_SHEAR] = 1;
    s.settings.on[WEFT_STRUCTURAL] = 0;
    ok(model()->retune(s.self, &s.settings, &s.cloth));
    check_counts(&s, 0, 18, 16);
    shake(&s, 0.02);
    forces(&s);
    double before = energy(&s);
    assert_true(before > 0);
    stop(&s);
}

/* Forces computed from the list of links alone. */
static void plain_forces(const fixture *s, weft_vec3 *f) {
    for (int32_t i = 0; i < model()->link_count(s->self); i++) {
        weft_link link = model()->link_at(s->self, i);
        weft_vec3 d = weft_sub(s->x[link.b], s->x[link.a]), unit = weft_normalize(d);
        weft_vec3 e = weft_sub(s->v[link.b], s->v[link.a]);
        double damping = link.stiffness > 0 ? s->settings.damping + s->settings.damping_time * link.stiffness : 0;
        weft_vec3 push = weft_scale(link.stiffness * (weft_length(d) - link.rest_length), unit);
        if (s->settings.damping_kind == WEFT_SPRINGS_ALONG)
            push = weft_add_scaled(push, damping * weft_dot(e, unit), unit);
        else
            push = weft_add_scaled(push, damping, e);
        f[link.a] = weft_add(f[link.a], push);
        f[link.b] = weft_sub(f[link.b], push);
    }
}

static fixture big_sheet(int damping_kind, double damping) {
    fixture s = on_grid(120, 75, 0.01);
    s.settings.damping = damping;
    s.settings.damping_time = 0.1 * damping;
    s.settings.damping_kind = damping_kind;
    start(&s);
    shake(&s, 0.004);
    return s;
}

static void check_against_plain(fixture *s) {
    size_t count = (size_t)s->mesh->vertex_count;
    weft_vec3 *plain = calloc(count, sizeof *plain);
    double largest = 0, error = 0;
    for (size_t i = 0; i < count; i++)
        plain[i] = s->f[i] = (weft_vec3){(double)i, 1, -2};
    plain_forces(s, plain);
    model()->force(s->self, &s->work, s->x, s->v, s->f);
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, weft_length(plain[i]));
        error = fmax(error, weft_distance(plain[i], s->f[i]));
    }
    assert_true(error <= 1e-13 * largest);
    free(plain);
}

static void forces_match_plain_sum_over_links(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        fixture s = big_sheet(kind % 2, kind < 2 ? 0.3 : 0);
        assert_true(s.springs->layout.block_count > 4);
        check_against_plain(&s);
        stop(&s);
    }
}

/* A vertex with so many neighbours that most of its springs do not fit in a block. */
static void forces_match_plain_sum_at_high_degree(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        fixture s = on_mesh(make_fan(6000));
        s.settings.damping_kind = kind;
        start(&s);
        check_counts(&s, 12000, 0, 6000);
        shake(&s, 0.01);
        assert_true(s.springs->layout.loose_count > 1000);
        check_against_plain(&s);
        stop(&s);
    }
}

static void check_gradient(fixture *s) {
    const double h = 1e-6;
    double largest = 0, error = 0;
    s->springs->damping_constant = s->springs->damping_time = 0;
    forces(s);
    for (int32_t i = 0; i < s->mesh->vertex_count; i++) {
        double *x[] = {&s->x[i].x, &s->x[i].y, &s->x[i].z};
        double force[] = {s->f[i].x, s->f[i].y, s->f[i].z};
        for (int c = 0; c < 3; c++) {
            double kept = *x[c];
            *x[c] = kept + h;
            double more = energy(s);
            *x[c] = kept - h;
            double less = energy(s);
            *x[c] = kept;
            largest = fmax(largest, fabs(force[c]));
            error = fmax(error, fabs(force[c] + (more - less) / (2 * h)));
        }
    }
    assert_true(largest > 0.1);
    assert_below(error, 1e-6 * largest);
}

static void forces_are_gradients_of_energy(void **state) {
    (void)state;
    for (int round = 0; round < 3; round++) {
        fixture s = on_grid(5, 4, 0.1);
        start(&s);
        for (int32_t i = 0; i < s.mesh->vertex_count; i++)
            s.x[i] = weft_scale(round == 1 ? 0.4 : 1, s.x[i]); /* compressed */
        shake(&s, round == 2 ? 0.09 : 0.03);
        check_gradient(&s);
        stop(&s);
    }
}

/* Sums of forces and of torques. */
static void total(const fixture *s, weft_vec3 *force, weft_vec3 *torque) {
    *force = *torque = (weft_vec3){0, 0, 0};
    for (int32_t i = 0; i < s->mesh->vertex_count; i++) {
        *force = weft_add(*force, s->f[i]);
        *torque = weft_add(*torque, weft_cross(s->x[i], s->f[i]));
    }
}

static void forces_conserve_momentum(void **state) {
    (void)state;
    weft_vec3 force, torque;
    fixture along = big_sheet(WEFT_SPRINGS_ALONG, 0.5);
    forces(&along);
    total(&along, &force, &torque);
    assert_below(weft_length(force), 1e-11);
    assert_below(weft_length(torque), 1e-11);
    stop(&along);
    fixture isotropic = big_sheet(WEFT_SPRINGS_ISOTROPIC, 0.5);
    forces(&isotropic);
    total(&isotropic, &force, &torque);
    assert_true(weft_length(force) < 1e-11 && weft_length(torque) > 1e-6);
    stop(&isotropic);
}

/* Rotated, moved and spinning as a rigid body: no force along springs. */
static void rigid_motion_causes_no_force(void **state) {
    (void)state;
    fixture s = on_grid(20, 30, 0.05);
    s.settings.damping = 1;
    start(&s);
    const double c = 0.6, d = 0.8;
    const weft_vec3 spin = {0.3, -2, 1.1};
    for (int32_t i = 0; i < s.mesh->vertex_count; i++) {
        weft_vec3 p = s.mesh->position[i], q = {c * p.x - d * p.y, d * p.x + c * p.y, p.z};
        s.x[i] = (weft_vec3){q.x + 3, c * q.y - d * q.z - 1, d * q.y + c * q.z + 2};
        s.v[i] = weft_add(weft_cross(spin, s.x[i]), weft_vec3_make(1, 2, 3));
    }
    forces(&s);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        assert_true(weft_length(s.f[i]) < 1e-10);
    assert_true(energy(&s) < 1e-20);
    stop(&s);
}

static void springs_of_zero_length_have_no_force(void **state) {
    (void)state;
    fixture s = on_grid(3, 3, 0.1);
    start(&s);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        s.x[i] = (weft_vec3){1, 2, 3};
    s.v[0].x = 5;
    forces(&s);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        assert_true(weft_length(s.f[i]) == 0);
    stop(&s);
}

static void results_do_not_depend_on_threads_or_instruction_set(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        fixture s = big_sheet(kind % 2, kind < 2 ? 0.3 : 0);
        size_t bytes = (size_t)s.mesh->vertex_count * sizeof *s.f;
        weft_vec3 *other = calloc(1, bytes);
        forces(&s);
        weft_springs_force_by(WEFT_ISA_PORTABLE, s.springs, &s.work, s.x, s.v, other);
        assert_memory_equal(s.f, other, bytes);
        double one = energy(&s);
        for (int threads = 2; threads <= 4; threads += 2) {
            s.work.threads = threads;
            memset(other, 0, bytes);
            model()->force(s.self, &s.work, s.x, s.v, other);
            assert_memory_equal(s.f, other, bytes);
            assert_true(energy(&s) == one);
        }
        free(other);
        stop(&s);
    }
}

/* The largest eigenvalue of M^-1 K at rest, by power iteration on differences of forces. */
static double highest_squared(fixture *s) {
    size_t count = (size_t)s->mesh->vertex_count;
    weft_vec3 *u = calloc(count, sizeof *u);
    double value = 0;
    const double h = 1e-7;
    for (size_t i = 0; i < count; i++)
        u[i] = (weft_vec3){random_in(-1, 1, 3 * i), random_in(-1, 1, 3 * i + 1), 0};
    for (int round = 0; round < 400; round++) {
        double size = 0;
        for (size_t i = 0; i < count; i++)
            s->x[i] = weft_add_scaled(s->mesh->position[i], h, u[i]);
        forces(s);
        for (size_t i = 0; i < count; i++) {
            u[i] = weft_scale(-1 / (h * s->mass[i]), s->f[i]);
            size += weft_dot(u[i], u[i]) * s->mass[i];
        }
        value = sqrt(size);
        for (size_t i = 0; i < count; i++)
            u[i] = weft_scale(1 / value, u[i]);
    }
    free(u);
    return value;
}

static void highest_frequency_bounds_eigenvalues(void **state) {
    (void)state;
    fixture s = on_grid(8, 6, 0.1);
    s.settings.damping = 0;
    start(&s);
    double bound = model()->highest_frequency(s.self, s.mass), exact = sqrt(highest_squared(&s));
    assert_true(exact <= bound * (1 + 1e-6));
    assert_true(exact > 0.5 * bound);
    stop(&s);
    /* One triangle of equal masses with damping. */
    const weft_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const int32_t face[] = {0, 1, 2}, size[] = {3};
    fixture t = on_mesh(make_polygons(corners, 3, face, size, 1));
    t.settings.damping = 0.5;
    start(&t);
    double m = t.mass[0], k = t.settings.stiffness[WEFT_STRUCTURAL];
    for (int i = 0; i < 3; i++)
        t.mass[i] = m;
    double stiff = 4 * k / m, damped = 4 * 0.5 / m, w = model()->highest_frequency(t.self, t.mass);
    assert_true(fabs(stiff * 4 / (w * w) + 2 * damped * 2 / w - 4) < 1e-9); /* dt = 2 / w: omega^2 dt^2 + 2 d dt = 4 */
    stop(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_has_expected_springs),
        cmocka_unit_test(cylinder_has_expected_springs),
        cmocka_unit_test(triangles_and_polygons_have_expected_springs),
        cmocka_unit_test(spring_types_can_be_switched),
        cmocka_unit_test(forces_match_plain_sum_over_links),
        cmocka_unit_test(forces_match_plain_sum_at_high_degree),
        cmocka_unit_test(forces_are_gradients_of_energy),
        cmocka_unit_test(forces_conserve_momentum),
        cmocka_unit_test(rigid_motion_causes_no_force),
        cmocka_unit_test(springs_of_zero_length_have_no_force),
        cmocka_unit_test(results_do_not_depend_on_threads_or_instruction_set),
        cmocka_unit_test(highest_frequency_bounds_eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
