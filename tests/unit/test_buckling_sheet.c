/* Whole sheets of the `buckling` model: bending rigidity of the fabric, stability bound, hanging at large time
 * steps. */
#include "buckling_support.h"

/* Bends the mesh to a cylinder of curvature q along a direction at angle t to x. */
static void roll(const weft_mesh *mesh, double q, double t, weft_vec3 *x) {
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        weft_vec3 p = mesh->position[i];
        double u = cos(t) * p.x + sin(t) * p.y, w = cos(t) * p.y - sin(t) * p.x;
        double along = sin(q * u) / q;
        x[i] = weft_vec3_make(cos(t) * along - sin(t) * w, sin(t) * along + cos(t) * w, (1 - cos(q * u)) / q);
    }
}

/* Energy per area divided by 1/2 B q^2. A large c_b makes all beams leave their linear branch. */
static double bend_ratio(const cloth_of *c, double q, double t, double rigidity) {
    static weft_vec3 x[MOST];
    roll(c->mesh, q, t, x);
    return energy(c, x) / (0.5 * rigidity * q * q * weft_mesh_area(c->mesh, c->mesh->position));
}

static double woven(const weft_fabric *fabric, double t) {
    double along = sqrt(fabric->bend_weft) * cos(t) * cos(t) + sqrt(fabric->bend_warp) * sin(t) * sin(t);
    return along * along;
}

static void cylinders_have_rigidity_of_fabric(void **state) {
    (void)state;
    static const double SHAPES[][4] = {/* width, height, B of weft and warp */
                                       {0.8, 0.8, 1e-5, 1e-5},
                                       {0.8, 0.6, 1e-5, 1e-5},
                                       {0.8, 1.0, 8e-6, 2e-5},
                                       {0.8, 0.8, 4e-6, 1e-5}};
    for (int n = 0; n < 4; n++) {
        cloth_of c = make_cloth(grid_mesh(40, 40, SHAPES[n][0], SHAPES[n][1]));
        c.settings.source = WEFT_SPRINGS_FABRIC;
        c.settings.compression = 1e4;
        c.fabric.bend_weft = SHAPES[n][2];
        c.fabric.bend_warp = SHAPES[n][3];
        create(&c);
        for (int k = 0; k < 12; k++) {
            double t = k * PI / 12, ratio = bend_ratio(&c, 4, t, woven(&c.fabric, t));
            if (!(ratio > 0.93 && ratio < 1.03)) /* the outer half spans cannot bend, which costs 1/40 */
                fail_msg("shape %d, %d degrees: %g times the rigidity of the fabric", n, 15 * k, ratio);
        }
        destroy_cloth(&c);
    }
}

static void elongated_cells_have_rigidity_along_weft_and_warp(void **state) {
    (void)state;
    cloth_of c = make_cloth(grid_mesh(40, 40, 2.4, 0.8));
    c.settings.source = WEFT_SPRINGS_FABRIC;
    c.settings.compression = 1e4;
    c.fabric.bend_weft = 1e-5;
    c.fabric.bend_warp = 2e-5;
    create(&c);
    assert_near(bend_ratio(&c, 1, 0, 1e-5), 0.98, 0.05);
    assert_near(bend_ratio(&c, 3, PI / 2, 2e-5), 0.98, 0.05);
    destroy_cloth(&c);
}

static void triangles_have_rigidity_of_fabric(void **state) {
    (void)state;
    cloth_of c = make_cloth(triangle_mesh(44, 46, 0.02));
    c.settings.source = WEFT_SPRINGS_FABRIC;
    c.settings.compression = 1e4;
    c.fabric.bend_weft = c.fabric.bend_warp = 1e-5;
    create(&c);
    for (int k = 0; k < 12; k++) {
        double ratio = bend_ratio(&c, 3, k * PI / 12, 1e-5);
        if (!(ratio > 0.93 && ratio < 1.03))
            fail_msg("%d degrees: %g times the rigidity of the fabric", 15 * k, ratio);
    }
    destroy_cloth(&c);
}

static void rigidity_does_not_depend_on_resolution(void **state) {
    (void)state;
    double last = 0;
    for (int cells = 20; cells <= 40; cells *= 2) {
        cloth_of c = make_cloth(grid_mesh(cells, cells, 0.8, 0.8));
        c.settings.source = WEFT_SPRINGS_FABRIC;
        c.settings.compression = 1e4;
        create(&c);
        double ratio = bend_ratio(&c, 3, 0, c.fabric.bend_weft) * cells / (cells - 1);
        if (last > 0)
            assert_near(ratio, last, 0.02);
        last = ratio;
        destroy_cloth(&c);
    }
}

/* Power iteration gives the largest eigenvalue of M^-1 K. */
static void highest_frequency_bounds_eigenvalues(void **state) {
    (void)state;
    cloth_of c = make_cloth(grid_mesh(6, 6, 0.2, 0.2));
    c.settings.damping = 0;
    create(&c);
    int32_t count = c.mesh->vertex_count, links = functions()->link_count(c.self);
    double mass[64], k[9], eigenvalue = 0;
    weft_vec3 x[64], v[64], f[64], u[64];
    for (int32_t i = 0; i < count; i++)
        mass[i] = 1e-3 * (1 + weft_random(1, (uint64_t)i)), u[i] = random_vector(2, (uint64_t)i, 1);
    crumple(c.mesh, 5, 1, 4e-3, x);
    memset(v, 0, sizeof v);
    for (int round = 0; round < 300; round++) {
        memset(f, 0, sizeof f);
        for (int32_t i = 0; i < links; i++) {
            weft_link link = functions()->link_at(c.self, i);
            functions()->element_blocks(c.self, 0, &i, 1, x, v, k, NULL);
            weft_vec3 e = weft_sub(u[link.b], u[link.a]);
            weft_vec3 push = {k[0] * e.x + k[1] * e.y + k[2] * e.z, k[3] * e.x + k[4] * e.y + k[5] * e.z,
                              k[6] * e.x + k[7] * e.y + k[8] * e.z};
            f[link.a] = weft_add(f[link.a], push);
            f[link.b] = weft_sub(f[link.b], push);
        }
        eigenvalue = 0;
        for (int32_t i = 0; i < count; i++)
            u[i] = weft_scale(1 / mass[i], f[i]), eigenvalue += weft_dot(u[i], u[i]);
        eigenvalue = sqrt(eigenvalue);
        for (int32_t i = 0; i < count; i++)
            u[i] = weft_scale(1 / eigenvalue, u[i]);
    }
    double bound = functions()->highest_frequency(c.self, mass);
    assert_true(bound * bound > eigenvalue);
    assert_true(bound * bound < 10 * eigenvalue);
    destroy_cloth(&c);
}

/* At thirty implicit steps per second a sheet comes to rest. It hangs by two corners that carry its weight. */
static void sheets_hang_at_rest_with_large_steps(void **state) {
    (void)state;
    static const char *const SCHEMES[] = {"implicit-euler", "bdf2"};
    for (int n = 0; n < 2; n++) {
        test_sim made = {NULL, NULL};
        must(weft_registry_create(&made.registry));
        must(weft_sim_create(made.registry, &made.sim));
        plain_sim(made.sim);
        weft_fabric fabric;
        weft_params_default(weft_fabric_params(), &fabric);
        must(weft_sim_add_cloth(made.sim, "sheet", grid_mesh(8, 8, 0.4, 0.4), &fabric, "buckling", NULL));
        plain_model(made.sim);
        must(weft_sim_set_integrator(made.sim, SCHEMES[n]));
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        set(made, "cloth.model.stiffness", "fabric");
        int32_t corners[2] = {0, 8};
        weft_pin still = weft_pin_default();
        weft_vec3 reaction[81], carried = {0, 0, 0};
        must(weft_sim_prepare(made.sim));
        must(weft_sim_add_pin(made.sim, 0, &still, corners, 2));
        for (int i = 0; i < 200; i++)
            step(made, 1.0 / 30);
        weft_measures measures = measure(made);
        assert_true(measures.kinetic < 1e-6);
        must(weft_sim_reactions(made.sim, 0, reaction));
        for (int i = 0; i < 81; i++)
            carried = weft_add(carried, reaction[i]);
        assert_near(carried.y, 9.81 * measures.mass, 0.02 * 9.81 * measures.mass);
        destroy(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylinders_have_rigidity_of_fabric),
        cmocka_unit_test(elongated_cells_have_rigidity_along_weft_and_warp),
        cmocka_unit_test(triangles_have_rigidity_of_fabric),
        cmocka_unit_test(rigidity_does_not_depend_on_resolution),
        cmocka_unit_test(highest_frequency_bounds_eigenvalues),
        cmocka_unit_test(sheets_hang_at_rest_with_large_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
