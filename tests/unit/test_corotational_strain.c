/* The corotational force with frozen rotations, Green's strain, and their differences from the exact corotated
 * force. */
#include "fem_scene.h"

/* The frozen force is K_e in the frame of the polar decomposition: -Q B^T C e area, as in Trendafilov (2021) and Bender
 * and Deul (2013). It equals the exact force without shear and for isotropic material. Otherwise it leaves a torque. */
static void frozen_force_is_linear_force_in_rotated_frame(void **state) {
    (void)state;
    const weft_vec3 still[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int isotropic = 0; isotropic < 2; isotropic++) {
        weft_fabric fabric = woven();
        if (isotropic) {
            fabric.stretch_warp = fabric.stretch_weft;
            fabric.poisson_weft = fabric.poisson_warp = 0.25;
            fabric.shear = fabric.stretch_weft / (2 * 1.25);
        }
        weft_elasticity c = weft_elasticity_of(&fabric);
        weft_triangle t = weft_triangle_make(CORNER);
        double torque_most = 0, difference = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            weft_vec3 p[3], exact[3], frozen[3], torque = {0, 0, 0};
            random_triangle(seed, 0.3, p);
            weft_triangle_force(&t, &c, WEFT_ROTATION_EXACT, 0, p, still, exact);
            weft_triangle_force(&t, &c, WEFT_ROTATION_FROZEN, 0, p, still, frozen);
            weft_deformation d = weft_triangle_deform(&t, p);
            weft_strain s = weft_triangle_strain(&c, &d);
            for (int k = 0; k < 3; k++) {
                double x = k == 1 ? t.inverse[0] : k == 2 ? t.inverse[2] : -(t.inverse[0] + t.inverse[2]);
                double y = k == 1 ? t.inverse[1] : k == 2 ? t.inverse[3] : -(t.inverse[1] + t.inverse[3]);
                weft_vec3 f = weft_add(weft_scale(x * s.stress[0] + y * s.stress[2], d.q[0]),
                                       weft_scale(x * s.stress[2] + y * s.stress[1], d.q[1]));
                assert_near(weft_distance(weft_scale(-t.area, f), frozen[k]), 0, 1e-12 * c.yy);
                difference = fmax(difference, weft_distance(exact[k], frozen[k]));
                torque = weft_add(torque, weft_cross(p[k], frozen[k]));
            }
            torque_most = fmax(torque_most, weft_length(torque));
        }
        assert_true(isotropic ? difference < 1e-12 * c.yy : difference > 0.01 * c.yy);
        assert_true(isotropic ? torque_most < 1e-12 * c.yy : torque_most > 0.01 * c.yy);
    }
}

/* If the tension exceeds four times the shear stiffness, tilted rows have less energy at the same load. */
static void corotated_strain_tilts_above_four_times_shear(void **state) {
    (void)state;
    const weft_vec2 rest[3] = {{0, 0}, {1, 0}, {0, 1}};
    weft_triangle t = weft_triangle_make(rest);
    for (double ratio = 2; ratio < 8; ratio++) { /* ratio of tension to shear stiffness */
        weft_elasticity c = {1e4, 0, 1e4, 1, 0};
        double g = 1e-3, pulled = 1 + ratio * c.ss / c.yy;
        const weft_vec3 straight[3] = {{0, 0, 0}, {1, 0, 0}, {0, pulled, 0}},
                        tilted[3] = {{0, 0, 0}, {1, g, 0}, {0, pulled, 0}};
        double gain = weft_triangle_energy(&t, &c, tilted) - weft_triangle_energy(&t, &c, straight);
        if (ratio != 4)
            assert_true(ratio < 4 ? gain > 0 : gain < 0);
        /* with the `yarns` strain only the energy of the shear itself is added */
        c.yarns = 1;
        gain = weft_triangle_energy(&t, &c, tilted) - weft_triangle_energy(&t, &c, straight);
        weft_deformation d = weft_triangle_deform(&t, tilted);
        double row = sqrt(1 + g * g) - 1, shear = 0.5 * t.area * c.ss * 4 * d.xy * d.xy;
        assert_near(gain, shear + 0.5 * t.area * c.xx * row * row, 1e-4 * shear);
    }
}

/* Green's strain: derivatives, positive semidefinite matrices, and no energy gained by tilting under tension. */
static void green_strain_has_exact_derivatives(void **state) {
    (void)state;
    weft_fabric fabric = woven();
    weft_elasticity c = weft_elasticity_of(&fabric);
    weft_triangle t = weft_triangle_make(CORNER);
    const weft_vec3 still[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint64_t seed = 0; seed < 100; seed++) {
        weft_vec3 p[3], f[3], up[3], down[3];
        double blocks[27], damping[27], m[81], scale = 0, most = 0, h = 1e-6;
        random_triangle(seed, seed % 2 ? 0.8 : 0.1, p);
        weft_green_force(&t, &c, 0, p, still, f);
        weft_green_blocks(&t, &c, 1, 0, p, blocks, NULL);
        whole_matrix(3, blocks, m);
        for (int k = 0; k < 81; k++)
            most = fmax(most, fabs(m[k]));
        scale = largest(f, 3);
        for (int k = 0; k < 9; k++) {
            double *at = &(&p[k / 3].x)[k % 3], x = *at;
            *at = x + h;
            double energy_up = weft_green_energy(&t, &c, p);
            weft_green_force(&t, &c, 0, p, still, up);
            *at = x - h;
            double energy_down = weft_green_energy(&t, &c, p);
            weft_green_force(&t, &c, 0, p, still, down);
            *at = x;
            assert_near(-(energy_up - energy_down) / (2 * h), (&f[k / 3].x)[k % 3], 1e-6 * scale);
            for (int i = 0; i < 9; i++)
                assert_near(-((&up[i / 3].x)[i % 3] - (&down[i / 3].x)[i % 3]) / (2 * h), m[9 * i + k], 1e-6 * most);
        }
        weft_green_blocks(&t, &c, 0, 0.1, p, blocks, damping);
        whole_matrix(3, blocks, m);
        assert_true(least_eigenvalue(9, m) > -1e-12);
        whole_matrix(3, damping, m);
        assert_true(least_eigenvalue(9, m) > -1e-12);
    }
    const weft_vec2 rest[3] = {{0, 0}, {1, 0}, {0, 1}};
    const weft_vec3 straight[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1.2, 0}},
                    tilted[3] = {{0, 0, 0}, {1, 1e-2, 0}, {0, 1.2, 0}};
    t = weft_triangle_make(rest);
    c = (weft_elasticity){1e4, 0, 1e4, 1, 0};
    assert_true(weft_green_energy(&t, &c, tilted) > weft_green_energy(&t, &c, straight));
}

static int at_upper_corners(weft_vec3 p, const void *data) {
    (void)data;
    return p.y > -1e-9 && (p.x < 1e-9 || p.x > 1 - 1e-9);
}

/* Wool hangs by two corners, with a tension far beyond four times its shear stiffness. Each strain has an energy, so
 * its minimum determines the rest state, not the time step. */
static void rest_state_does_not_depend_on_time_step(void **state) {
    (void)state;
    const char *const strains[] = {"yarns", "corotated", "green"};
    weft_fabric fabric = weft_fabric_preset_find("wool")->fabric;
    for (int k = 0; k < 3; k++) {
        double lowest[2] = {0, 0};
        for (int half = 0; half < 2; half++) {
            test_sim s = fem_scene(grid_mesh(6, 6, 1, 1, WEFT_ONE_WAY), &fabric, "isometric");
            set(s, "cloth.model.strain", strains[k]);
            set(s, "cloth.model.alpha", "2");
            hold(s, at_upper_corners, NULL);
            settle(s, half ? 0.05 : 0.1, 1e-4, 2000);
            for (int32_t i = 0; i < 49; i++)
                lowest[half] = fmin(lowest[half], weft_sim_positions(s.sim, 0)[i].y);
            destroy(s);
        }
        assert_near(lowest[0], lowest[1], 1e-3);
        print_message("%s: lowest point at %.4f m\n", strains[k], lowest[0]);
    }
}

/* Sag of the middle of the upper side with default settings. */
static double sag_between_corners(weft_mesh *mesh, const weft_fabric *fabric) {
    int32_t middle = 0;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        mesh->position[i].y = -fabs(mesh->position[i].y); /* random meshes extend upwards from y = 0 */
        weft_vec3 p = mesh->position[i], best = mesh->position[middle];
        if (hypot(p.x - 0.5, p.y) < hypot(best.x - 0.5, best.y))
            middle = i;
    }
    test_sim s = fem_scene(mesh, fabric, "isometric");
    set(s, "cloth.model.alpha", "2");
    hold(s, at_upper_corners, NULL);
    settle(s, 0.1, 1e-4, 2000);
    double sag = -weft_sim_positions(s.sim, 0)[middle].y;
    destroy(s);
    return sag;
}

/* Wool of 1 m held at two corners. The tension there far exceeds four times its shear stiffness. */
static void sag_between_corners_does_not_depend_on_mesh(void **state) {
    (void)state;
    weft_fabric fabric = weft_fabric_preset_find("wool")->fabric;
    double sag[2];
    for (int k = 0; k < 2; k++) {
        int32_t n = k ? 20 : 10;
        sag[k] = sag_between_corners(grid_mesh(n, n, 1, 1, WEFT_ONE_WAY), &fabric);
        assert_near(sag_between_corners(grid_mesh(n, n, 1, 1, WEFT_ALTERNATING), &fabric), sag[k], 0.01 * sag[k]);
        assert_near(sag_between_corners(random_mesh(n, n, 1, 1, 0, 1), &fabric), sag[k], 0.01 * sag[k]);
    }
    assert_near(sag[0], sag[1], 0.12 * sag[1]); /* the singularities at the corners cost one order of convergence */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frozen_force_is_linear_force_in_rotated_frame),
        cmocka_unit_test(corotated_strain_tilts_above_four_times_shear),
        cmocka_unit_test(green_strain_has_exact_derivatives),
        cmocka_unit_test(rest_state_does_not_depend_on_time_step),
        cmocka_unit_test(sag_between_corners_does_not_depend_on_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
