/* Stiffness from the fabric: the same stretch at any resolution. */
#include "unit/springs_fixture.h"

static fixture fabric_sheet(weft_mesh *mesh) {
    fixture s = on_mesh(mesh);
    s.settings.source = WEFT_SPRINGS_FABRIC;
    s.settings.damping = 0;
    start(&s);
    return s;
}

static weft_mesh *sheet(int64_t cells_x, int64_t cells_y, double width, double height, weft_diagonals diagonals,
                        int triangles) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh, *split;
    grid.cells[0] = cells_x;
    grid.cells[1] = cells_y;
    grid.size[0] = width;
    grid.size[1] = height;
    grid.diagonals = diagonals;
    ok(weft_mesh_create_grid(&grid, &mesh));
    if (!triangles)
        return mesh;
    ok(weft_mesh_triangulate(mesh, &split));
    weft_mesh_destroy(mesh);
    return split;
}

/* Energy per area of uniform strains along x and y and of shear. */
static double strained(fixture *s, double along_x, double along_y, double shear) {
    for (int32_t i = 0; i < s->mesh->vertex_count; i++) {
        weft_vec3 p = s->mesh->position[i];
        s->x[i] = (weft_vec3){p.x * (1 + along_x) + 0.5 * shear * p.y, p.y * (1 + along_y) + 0.5 * shear * p.x, p.z};
    }
    return energy(s) / weft_mesh_area(s->mesh, s->mesh->position);
}

/* The elasticity matrix C, by polarisation of the energy. */
static void membrane(fixture *s, double c[3][3]) {
    const double e = 1e-5;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double both[3] = {0}, one[3] = {0}, other[3] = {0};
            both[i] += e, both[j] += e, one[i] = e, other[j] = e;
            c[i][j] = c[j][i] = (strained(s, both[0], both[1], both[2]) - strained(s, one[0], one[1], one[2]) -
                                 strained(s, other[0], other[1], other[2])) /
                                (e * e);
        }
}

/* 1 / (C^-1) of axis i, by Cramer's rule. */
static double pulled_modulus(double c[3][3], int i) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double determinant = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                         c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                         c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
    return determinant / (c[j][j] * c[k][k] - c[j][k] * c[k][j]);
}

static void check_moduli(weft_mesh *mesh) {
    fixture s = fabric_sheet(mesh);
    double c[3][3];
    membrane(&s, c);
    assert_true(fabs(pulled_modulus(c, 0) / s.fabric.stretch_weft - 1) < 1e-3);
    assert_true(fabs(pulled_modulus(c, 1) / s.fabric.stretch_warp - 1) < 1e-3);
    assert_true(fabs(c[2][2] / s.fabric.shear - 1) < 1e-3);
    stop(&s);
}

static void springs_have_moduli_of_fabric(void **state) {
    (void)state;
    check_moduli(sheet(10, 10, 1, 1, WEFT_ALTERNATING, 0));
    check_moduli(sheet(40, 40, 1, 1, WEFT_ALTERNATING, 0));
    check_moduli(sheet(30, 20, 1, 1, WEFT_ALTERNATING, 0)); /* oblong cells */
    check_moduli(sheet(12, 12, 1, 1, WEFT_CRISS_CROSS, 0));
    check_moduli(sheet(20, 20, 1, 1, WEFT_ALTERNATING, 1));
    check_moduli(sheet(20, 20, 1, 1, WEFT_ONE_WAY, 1));
}

/* How far the lower side of a strip sinks that hangs by its upper side. Damped steps bring it to rest. */
static double sag(weft_mesh *mesh, double height) {
    fixture s = fabric_sheet(mesh);
    double frequency = model()->highest_frequency(s.self, s.mass), dt = 1.0 / frequency;
    double slowest = 1.5707963 / height * sqrt(s.fabric.stretch_warp / s.fabric.density);
    double sum = 0;
    int count = 0, steps = (int)(12 / (slowest * dt));
    for (int step = 0; step < steps; step++) {
        forces(&s);
        for (int32_t i = 0; i < s.mesh->vertex_count; i++) {
            if (s.mesh->position[i].y > -1e-9)
                continue;
            weft_vec3 a = {s.f[i].x / s.mass[i], s.f[i].y / s.mass[i] - 9.81, s.f[i].z / s.mass[i]};
            s.v[i] = weft_scale(1 - slowest * dt, weft_add_scaled(s.v[i], dt, a));
            s.x[i] = weft_add_scaled(s.x[i], dt, s.v[i]);
        }
    }
    for (int32_t i = 0; i < s.mesh->vertex_count; i++) {
        if (s.mesh->position[i].y > -height + 1e-9)
            continue;
        sum += -height - s.x[i].y;
        count++;
    }
    stop(&s);
    return sum / count;
}

static void hanging_strip_stretches_by_theory(void **state) {
    (void)state;
    const double height = 1, width = 0.2, expected = 0.2 * 9.81 * height * height / (2 * 200);
    for (int cells = 4; cells <= 16; cells *= 2) {
        double quads = sag(sheet(cells, 5 * cells, width, height, WEFT_ALTERNATING, 0), height);
        assert_true(fabs(quads / expected - 1) < 0.03);
        double crossed = sag(sheet(cells, 5 * cells, width, height, WEFT_CRISS_CROSS, 0), height);
        assert_true(fabs(crossed / expected - 1) < 0.03);
    }
    double triangles = sag(sheet(8, 40, width, height, WEFT_ONE_WAY, 1), height);
    assert_true(fabs(triangles / expected - 1) < 0.03);
    triangles = sag(sheet(8, 40, width, height, WEFT_ALTERNATING, 1), height);
    assert_true(fabs(triangles / expected - 1) < 0.03);
}

/* Structural springs alone act like strips side by side. */
static void structural_springs_alone_have_moduli_of_fabric(void **state) {
    (void)state;
    fixture s = on_mesh(sheet(6, 9, 0.3, 0.9, WEFT_ALTERNATING, 0));
    s.settings.source = WEFT_SPRINGS_FABRIC;
    s.settings.on[WEFT_SHEAR] = s.settings.on[WEFT_FLEXION] = 0;
    start(&s);
    for (int32_t i = 0; i < model()->link_count(s.self); i++) {
        weft_link link = model()->link_at(s.self, i);
        weft_vec3 a = s.mesh->position[link.a], b = s.mesh->position[link.b];
        int along_x = fabs(b.x - a.x) > fabs(b.y - a.y);
        double middle = along_x ? a.y : a.x, end = along_x ? -0.9 : 0.3;
        double width = along_x ? 0.1 : 0.05, length = along_x ? 0.05 : 0.1;
        double modulus = along_x ? s.fabric.stretch_weft : s.fabric.stretch_warp;
        if (fabs(middle) < 1e-9 || fabs(middle - end) < 1e-9)
            width /= 2;
        assert_true(fabs(link.stiffness * length / (width * modulus) - 1) < 1e-5);
    }
    stop(&s);
}

/* Bent to a radius of five spans, the flexion springs of a strip have the bending energy of the fabric. */
static void flexion_springs_have_bending_energy_of_fabric(void **state) {
    (void)state;
    const double h = 0.02, radius = 10 * h;
    fixture s = on_mesh(sheet(3, 40, 3 * h, 40 * h, WEFT_ALTERNATING, 0));
    s.settings.source = WEFT_SPRINGS_FABRIC;
    s.settings.on[WEFT_SHEAR] = s.settings.on[WEFT_STRUCTURAL] = 0;
    s.fabric.bend_weft = 0;
    start(&s);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++) {
        double angle = -s.mesh->position[i].y / radius;
        s.x[i] = (weft_vec3){s.mesh->position[i].x, radius * sin(angle), radius * cos(angle)};
    }
    double area = 3 * h * 39 * h; /* the midpoints of springs lie between the ends */
    double expected = 0.5 * s.fabric.bend_warp / (radius * radius) * area;
    assert_true(fabs(energy(&s) / expected - 1) < 0.02);
    stop(&s);
}

/* Without rest coordinates a fan of triangles is isotropic, and takes its damping from the fabric. */
static void mesh_without_rest_coordinates_is_isotropic(void **state) {
    (void)state;
    fixture s = on_mesh(make_fan(6)); /* equilateral: k = sqrt(3) / 2 E inside, half at the boundary (Van Gelder) */
    s.settings.source = WEFT_SPRINGS_FABRIC;
    s.settings.on[WEFT_FLEXION] = 0;
    s.fabric.stretch_weft = s.fabric.stretch_warp = 250;
    s.fabric.damping = 0.01;
    start(&s);
    for (int32_t i = 0; i < model()->link_count(s.self); i++) {
        weft_link link = model()->link_at(s.self, i);
        double expected = 0.8660254037844386 * 250 * (link.a == 0 || link.b == 0 ? 1 : 0.5);
        assert_true(fabs(link.stiffness / expected - 1) < 1e-5);
    }
    assert_true(s.springs->damping_time == 0.01);
    stop(&s);
}

/* A fabric without shear and bending stiffness still has the right stretch stiffness. */
static void fabric_without_shear_and_bending_keeps_moduli(void **state) {
    (void)state;
    fixture s = on_mesh(sheet(10, 10, 1, 1, WEFT_ALTERNATING, 0));
    double c[3][3];
    s.settings.source = WEFT_SPRINGS_FABRIC;
    s.fabric.shear = s.fabric.bend_weft = s.fabric.bend_warp = 0;
    start(&s);
    membrane(&s, c);
    assert_true(fabs(c[0][0] / s.fabric.stretch_weft - 1) < 1e-3);
    assert_true(fabs(c[1][1] / s.fabric.stretch_warp - 1) < 1e-3);
    assert_true(c[2][2] < 0.01);
    stop(&s);
}

/* By default a stiffness that is given is used, and the others come from the fabric. */
static void stiffness_that_is_not_given_comes_from_fabric(void **state) {
    (void)state;
    for (int given = 0; given <= WEFT_LINK_TYPES; given++) {
        fixture s = on_mesh(sheet(6, 6, 0.3, 0.3, WEFT_ALTERNATING, 0));
        fixture calibrated = fabric_sheet(sheet(6, 6, 0.3, 0.3, WEFT_ALTERNATING, 0));
        weft_params_default(weft_springs_model.params, &s.settings);
        if (given < WEFT_LINK_TYPES)
            s.settings.stiffness[given] = 7;
        start(&s);
        for (int32_t i = 0; i < model()->link_count(s.self); i++) {
            weft_link link = model()->link_at(s.self, i), other = model()->link_at(calibrated.self, i);
            assert_true(link.stiffness == (link.type == given ? 7 : other.stiffness));
        }
        stop(&calibrated);
        stop(&s);
    }
}

static void unused_properties_are_explained(void **state) {
    (void)state;
    weft_springs_settings settings;
    weft_params_default(weft_springs_model.params, &settings);
    assert_null(model()->unused(&settings, "bend_weft"));
    assert_null(model()->unused(&settings, "shear"));
    assert_null(model()->unused(&settings, "density"));
    assert_non_null(model()->unused(&settings, "poisson_warp"));
    settings.stiffness[WEFT_FLEXION] = 3;
    assert_string_equal(model()->unused(&settings, "bend_weft"), "model.flexion_stiffness is given");
    assert_null(model()->unused(&settings, "stretch_warp"));
    assert_null(model()->unused(&settings, "damping"));
    settings.on[WEFT_SHEAR] = 0;
    assert_string_equal(model()->unused(&settings, "shear"), "springs of this kind are switched off");
    settings.source = WEFT_SPRINGS_GIVEN;
    assert_non_null(model()->unused(&settings, "stretch_warp"));
    assert_non_null(model()->unused(&settings, "damping"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_have_moduli_of_fabric),
        cmocka_unit_test(hanging_strip_stretches_by_theory),
        cmocka_unit_test(structural_springs_alone_have_moduli_of_fabric),
        cmocka_unit_test(flexion_springs_have_bending_energy_of_fabric),
        cmocka_unit_test(mesh_without_rest_coordinates_is_isotropic),
        cmocka_unit_test(fabric_without_shear_and_bending_keeps_moduli),
        cmocka_unit_test(stiffness_that_is_not_given_comes_from_fabric),
        cmocka_unit_test(unused_properties_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
