/* The corotational model in a simulation: integrators, threads, patterns, parameters, refusals. */
#include "fem_scene.h"

static int at_top(weft_vec3 p, const void *data) {
    (void)data;
    return p.y > -1e-9;
}

/* Without damping the total energy oscillates about its initial value. */
static void explicit_schemes_are_stable_below_time_step_bound(void **state) {
    (void)state;
    const char *const schemes[] = {"symplectic-euler", "verlet"};
    for (int k = 0; k < 2; k++) {
        weft_fabric fabric = woven();
        test_sim s = fem_scene(grid_mesh(8, 8, 1, 1, WEFT_ALTERNATING), &fabric, k ? "hinge" : "isometric");
        must(weft_sim_set_integrator(s.sim, schemes[k]));
        hold(s, at_top, NULL);
        double dt = 0.9 * weft_sim_stable_step(s.sim);
        assert_true(dt > 1e-4 && dt < 0.1);
        weft_measures first = measure(s);
        double start_energy = first.kinetic + first.elastic + first.potential, most = 0, gained = 0;
        for (int i = 0; i < 3000; i++) {
            step(s, dt);
            if (i % 100 == 0) {
                weft_measures now = measure(s);
                most = fmax(most, now.kinetic + now.elastic);
                gained = fmax(gained, fabs(now.kinetic + now.elastic + now.potential - start_energy));
            }
        }
        assert_true(most > 0 && gained < 0.05 * most + 1e-9);
        destroy(s);
    }
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    const char *const bendings[] = {"isometric", "hinge"};
    for (int k = 0; k < 2; k++) {
        uint64_t hash[2];
        for (int threads = 1; threads <= 2; threads++) {
            weft_fabric fabric = woven();
            fabric.damping = 0.01;
            test_sim s = fem_scene(grid_mesh(91, 91, 1, 1, WEFT_ALTERNATING), &fabric, bendings[k]);
            set(s, "integrator.solver", "pcg");
            set(s, "integrator.newton", "2");
            set(s, "integrator.iterations", "20");
            set(s, "cloth.model.alpha", "1");
            weft_sim_set_threads(s.sim, threads);
            hold(s, at_top, NULL);
            step(s, 0.01);
            step(s, 0.01);
            hash[threads - 1] = weft_sim_hash(s.sim);
            destroy(s);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/* Cloth in free flight slows down by alpha as in implicit Euler: by 1 / (1 + alpha dt) in each step. */
static void alpha_damping_is_implicit(void **state) {
    (void)state;
    weft_fabric fabric = woven();
    test_sim s = fem_scene(grid_mesh(4, 4, 1, 1, WEFT_ALTERNATING), &fabric, "isometric");
    set(s, "forces.gravity.acceleration", "[0, 0, 0]");
    set(s, "cloth.model.alpha", "3");
    must(weft_sim_set_velocity(s.sim, 0, (weft_vec3){1, 2, -1}));
    for (int i = 0; i < 10; i++)
        step(s, 0.1);
    assert_near(weft_sim_velocities(s.sim, 0)[7].y, 2 * pow(1 / 1.3, 10), 1e-6);
    destroy(s);
}

/* A prism unrolled to a pattern with a seam. The map is isometric, so there is no strain although rest coordinates jump
 * at the seam. */
static weft_mesh *prism(int32_t sides, double scale, int mirrored) {
    weft_vec3 position[128];
    weft_vec2 uv[256];
    int32_t corner[256], size[64];
    double radius = 0.5, side = 2 * radius * sin(3.14159265358979323846 / sides);
    for (int32_t i = 0; i < 2 * sides; i++) {
        double angle = 2 * 3.14159265358979323846 * (i % sides) / sides;
        position[i] = (weft_vec3){radius * cos(angle), i / sides, radius * sin(angle)};
    }
    for (int32_t i = 0; i < sides; i++) {
        int32_t next = (i + 1) % sides, cell[4] = {i, i + sides, next + sides, next};
        size[i] = 4;
        for (int k = 0; k < 4; k++) {
            corner[4 * i + k] = cell[k];
            uv[4 * i + k] = (weft_vec2){(mirrored ? -1 : 1) * scale * side * (k > 1 ? i + 1 : i),
                                        scale * (k == 1 || k == 2 ? 1 : 0)};
        }
    }
    weft_polygons polygons = {.name = "prism",
                              .position = position,
                              .vertex_count = 2 * sides,
                              .corner = corner,
                              .corner_count = 4 * sides,
                              .face_size = size,
                              .face_count = sides,
                              .corner_uv = uv};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static void isometric_pattern_with_seam_has_no_strain(void **state) {
    (void)state;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        cloth_test s = on_mesh(prism(12, 1, mirrored));
        s.settings.bending = WEFT_BENDING_NONE;
        start(&s);
        assert_int_equal(s.c->rest, WEFT_REST_PATTERN);
        forces(&s);
        assert_true(largest(s.f, s.mesh->vertex_count) < 1e-10 * s.fabric.stretch_warp);
        /* the weft runs around, so pulling along the axis strains the warp */
        for (int32_t i = 0; i < s.mesh->vertex_count; i++)
            s.x[i].y *= 1.1;
        weft_strain strain[64];
        fem()->measure(s.self, &s.work, s.x, strain);
        assert_near(strain[5].strain[1], 0.1, 1e-12);
        assert_near(strain[5].strain[0], 0, 1e-12);
        stop(&s);
    }
}

/* The texture coordinates are not in metres. `auto` then uses the shape, with the weft direction of the texture. */
static void texture_coordinates_are_not_used_as_pattern(void **state) {
    (void)state;
    cloth_test s = on_mesh(prism(12, 0.3, 0));
    s.settings.bending = WEFT_BENDING_NONE;
    start(&s);
    assert_int_equal(s.c->rest, WEFT_REST_SHAPE);
    forces(&s);
    assert_true(largest(s.f, s.mesh->vertex_count) < 1e-10 * s.fabric.stretch_warp);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        s.x[i].y *= 1.1;
    weft_strain strain[64];
    fem()->measure(s.self, &s.work, s.x, strain);
    assert_near(strain[5].strain[1], 0.1, 1e-12);
    stop(&s);
    s = on_mesh(prism(12, 0.3, 0));
    s.settings.rest = WEFT_REST_PATTERN; /* on request; the cloth then contracts to 30 % */
    start(&s);
    assert_true(energy(&s) > 100);
    stop(&s);
}

/* Without coordinates the weft direction is projected onto each triangle. */
static void weft_direction_is_projected_onto_triangles(void **state) {
    (void)state;
    cloth_test s = on_mesh(random_mesh(3, 3, 1, 1, 0.2, 0));
    s.settings.weft = (weft_vec3){0, 2, 5};
    start(&s);
    for (int32_t i = 0; i < s.mesh->vertex_count; i++)
        s.x[i].y *= 1.2;
    weft_strain strain[64];
    fem()->measure(s.self, &s.work, s.x, strain);
    for (int32_t t = 0; t < s.mesh->triangle_count; t++) {
        assert_near(strain[t].strain[0], 0.2, 1e-12);
        assert_near(strain[t].strain[1], 0, 1e-12);
    }
    s.settings.weft = (weft_vec3){0, 0, 1}; /* normal to every triangle: falls back to the next axis, x */
    must(fem()->retune(s.self, &s.settings, &s.cloth));
    fem()->measure(s.self, &s.work, s.x, strain);
    assert_near(strain[0].strain[1], 0.2, 1e-12);
    stop(&s);
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    cloth_test s = on_mesh(random_mesh(2, 2, 1, 1, 0, 0));
    s.cloth = (weft_cloth){.name = "flag", .mesh = s.mesh, .fabric = &s.fabric, .mass = s.mass, .area = s.area};
    s.settings.rest = WEFT_REST_PATTERN;
    assert_says(fem()->create(&s.settings, &s.cloth, &s.self), "cloth flag: model.rest: pattern needs rest");
    s.settings.rest = WEFT_REST_AUTO;
    s.settings.weft = (weft_vec3){0, 0, 0};
    assert_says(fem()->create(&s.settings, &s.cloth, &s.self), "not a direction");
    s.settings.weft = (weft_vec3){1, 0, 0};
    s.settings.strain = WEFT_STRAIN_GREEN;
    s.settings.force = WEFT_ROTATION_FROZEN;
    assert_says(fem()->create(&s.settings, &s.cloth, &s.self), "cloth flag: model.force: frozen needs model.strain:");
    s.settings.force = WEFT_ROTATION_EXACT;
    s.settings.hessian = WEFT_ROTATION_FROZEN;
    assert_says(fem()->create(&s.settings, &s.cloth, &s.self), "cloth flag: model.hessian: frozen needs model.strain:");
    s.self = NULL;
    stop(&s);
    s = on_mesh(prism(12, 1e-300, 0));
    s.cloth = (weft_cloth){.name = "flag", .mesh = s.mesh, .fabric = &s.fabric, .mass = s.mass, .area = s.area};
    s.settings.rest = WEFT_REST_PATTERN;
    assert_says(fem()->create(&s.settings, &s.cloth, &s.self), "has no area in rest coordinates");
    s.self = NULL;
    stop(&s);
    for (int pattern = 0; pattern < 2; pattern++) {
        s = on_mesh(random_mesh(2, 2, 1, 1e-4, 0, pattern));
        s.cloth = (weft_cloth){.name = "flag", .mesh = s.mesh, .fabric = &s.fabric, .mass = s.mass, .area = s.area};
        assert_says(fem()->create(&s.settings, &s.cloth, &s.self), pattern
                                                                       ? "cloth flag: model.rest: pattern: triangle 0"
                                                                       : "cloth flag: model.rest: shape: triangle 0");
        assert_says(fem()->create(&s.settings, &s.cloth, &s.self), "is a needle: its longest side is 1e+04 times");
        s.self = NULL;
        stop(&s);
    }
    weft_fabric fabric = woven();
    test_sim scene = fem_scene(grid_mesh(2, 2, 1, 1, WEFT_ALTERNATING), &fabric, "isometric");
    must(weft_sim_prepare(scene.sim));
    assert_says(weft_sim_set(scene.sim, "cloth.model.bending", "none"), "cannot change while");
    assert_says(weft_sim_set(scene.sim, "cloth.fabric.poisson_weft", "2"), "must be below 1");
    destroy(scene);
    test_sim springs = make_sheet(2, 2, 1, 1, "verlet");
    weft_strain strain[8];
    assert_says(weft_sim_strains(springs.sim, 0, strain), "model 'springs' has no strains");
    destroy(springs);
}

/* A change while the simulation runs: doubling the modulus halves the strain of a hanging sheet. */
static void fabric_can_change_during_simulation(void **state) {
    (void)state;
    weft_fabric fabric = {.density = 0.2, .thickness = 1e-3, .stretch_weft = 300, .stretch_warp = 300, .shear = 100};
    test_sim s = fem_scene(grid_mesh(2, 10, 0.2, 1, WEFT_ALTERNATING), &fabric, "isometric");
    hold(s, at_top, NULL);
    settle(s, 5, 1e-9, 30);
    double before = -weft_sim_positions(s.sim, 0)[32].y - 1;
    set(s, "cloth.fabric.stretch_warp", "600");
    settle(s, 5, 1e-9, 30);
    double after = -weft_sim_positions(s.sim, 0)[32].y - 1;
    assert_near(after, before / 2, 1e-6 * before);
    weft_strain strain[40];
    must(weft_sim_strains(s.sim, 0, strain));
    /* the stress at the top carries the weight */
    double carried = 0;
    for (int t = 0; t < 4; t++)
        carried += strain[t].stress[1] / 4;
    assert_near(carried, 0.2 * 9.81 * 0.95, 1e-3 * carried);
    destroy(s);
}

/* By how much the centre of mass has fallen. */
static double drop_of(test_sim s) {
    const weft_cloth *cloth = weft_sim_cloth(s.sim, 0);
    const weft_vec3 *x = weft_sim_positions(s.sim, 0);
    double moment = 0, mass = 0;
    for (int32_t i = 0; i < cloth->mesh->vertex_count; i++) {
        moment -= cloth->mass[i] * x[i].y;
        mass += cloth->mass[i];
    }
    return moment / mass;
}

static int at_side(weft_vec3 p, const void *data) {
    (void)data;
    return p.z < 1e-9;
}

/* A sheet held at one side is released from the horizontal. It falls at least like a stiff plate on a hinge, which
 * turns by 3/4 g / L t^2, and at most freely. */
static void swings_like_cloth(test_sim s, double length) {
    double dt = 0.01, time = 0.16, turn = 0.75 * 9.81 * time * time / length;
    hold(s, at_side, NULL);
    for (double t = 0; t < time - 0.5 * dt; t += dt) {
        weft_report report;
        must(weft_sim_step(s.sim, dt, &report));
        assert_int_equal(report.status, WEFT_STATUS_OK);
        assert_int_equal(report.solve.not_converged, 0);
    }
    double drop = drop_of(s);
    if (!(drop > 0.95 * 0.5 * length * sin(turn) && drop < 0.5 * 9.81 * time * (time + dt)))
        fail_msg("it fell by %g m, a stiff plate falls by %g m", drop, 0.5 * length * sin(turn));
}

/* Stiffness ratios of 10^6 either way, no Poisson effect, needles of aspect ratio 1000. */
static void extreme_fabrics_fall_like_cloth(void **state) {
    (void)state;
    const double stretch[3] = {1e4, 1e4, 1}, shear[3] = {10, 1e-2, 1e6};
    for (int k = 0; k < 5; k++) { /* the sixth combination, both at once, is beyond single precision */
        weft_fabric fabric = woven();
        fabric.poisson_weft = fabric.poisson_warp = 0;
        fabric.stretch_weft = fabric.stretch_warp = stretch[k % 3];
        fabric.shear = shear[k % 3];
        weft_mesh *mesh = grid_mesh(8, 8, k / 3 ? 0.001 : 1, 1, WEFT_ALTERNATING);
        for (int32_t i = 0; i < mesh->vertex_count; i++)
            mesh->position[i] = (weft_vec3){mesh->position[i].x, 0, -mesh->position[i].y};
        test_sim s = fem_scene(mesh, &fabric, "isometric");
        set(s, "integrator.solver", "pcg");
        set(s, "integrator.newton", "1");
        set(s, "integrator.iterations", "20000");
        swings_like_cloth(s, 1);
        destroy(s);
    }
}

/* The mesh is a line in space with a pattern. Masses and rest shape come from the pattern, and the cloth unfolds. */
static void collapsed_mesh_unfolds_to_pattern(void **state) {
    (void)state;
    weft_vec3 position[9] = {{0, 0, 0}};
    weft_vec2 uv[24];
    int32_t corner[24], size[8];
    for (int32_t i = 0; i < 9; i++)
        position[i] = (weft_vec3){0.5 * (i % 3), 0, 0};
    for (int32_t t = 0; t < 8; t++) {
        int32_t a = t / 4 * 3 + t / 2 % 2, q[4] = {a, a + 1, a + 4, a + 3};
        size[t] = 3;
        for (int k = 0; k < 3; k++) {
            corner[3 * t + k] = q[(2 * (t % 2) + k) % 4];
            uv[3 * t + k] = (weft_vec2){0.5 * (corner[3 * t + k] % 3), 0.5 * (corner[3 * t + k] / 3)};
        }
    }
    weft_polygons polygons = {.name = "line",
                              .position = position,
                              .vertex_count = 9,
                              .corner = corner,
                              .corner_count = 24,
                              .face_size = size,
                              .face_count = 8,
                              .corner_uv = uv};
    weft_mesh *mesh;
    for (int model = 0; model < 2; model++) { /* springs, and elements with `rest: shape`, have no other rest shape */
        must(weft_mesh_create(&polygons, &mesh));
        test_sim other = {NULL, NULL};
        weft_fabric fabric = woven();
        must(weft_registry_create(&other.registry));
        must(weft_sim_create(other.registry, &other.sim));
        plain_sim(other.sim);
        must(weft_sim_add_cloth(other.sim, "sheet", mesh, &fabric, model ? "springs" : "corotational", NULL));
        plain_model(other.sim);
        if (!model)
            set(other, "cloth.model.rest", "shape");
        assert_says(weft_sim_prepare(other.sim), "cloth sheet: ");
        assert_says(weft_sim_prepare(other.sim), "has no area");
        destroy(other);
    }
    must(weft_mesh_create(&polygons, &mesh));
    weft_fabric fabric = woven();
    test_sim s = fem_scene(mesh, &fabric, "isometric");
    set(s, "cloth.model.rest", "pattern");
    set(s, "cloth.model.alpha", "5");
    must(weft_sim_prepare(s.sim));
    double mass = 0;
    for (int32_t i = 0; i < 9; i++)
        mass += weft_sim_cloth(s.sim, 0)->mass[i];
    assert_near(mass, 0.2, 1e-12);
    for (int32_t i = 0; i < 9; i++) /* a small perturbation out of the line */
        must(
            weft_sim_place(s.sim, 0, i, weft_add(position[i], random_vector(1e-3, (uint64_t)i)), (weft_vec3){0, 0, 0}));
    for (int i = 0; i < 100; i++)
        step(s, 0.02);
    weft_strain strain[8];
    must(weft_sim_strains(s.sim, 0, strain));
    for (int32_t t = 0; t < 8; t++)
        for (int k = 0; k < 3; k++)
            assert_near(strain[t].strain[k], 0, 0.02);
    destroy(s);
}

/* Starts collapsed to a point, to a line, or turned inside out. Implicit steps recover without NaN. */
static void collapsed_cloth_recovers(void **state) {
    (void)state;
    for (int shape = 0; shape < 3; shape++) {
        weft_fabric fabric = woven();
        fabric.damping = 0.01;
        test_sim s = fem_scene(grid_mesh(4, 4, 1, 1, WEFT_ALTERNATING), &fabric, "hinge");
        set(s, "integrator.solver", "pcg");
        set(s, "integrator.newton", "2");
        must(weft_sim_prepare(s.sim));
        const weft_mesh *mesh = weft_sim_cloth(s.sim, 0)->mesh;
        for (int32_t i = 0; i < mesh->vertex_count; i++) {
            weft_vec3 p = mesh->position[i];
            weft_vec3 to = shape == 0 ? (weft_vec3){0, 0, 0} : shape == 1 ? (weft_vec3){p.x, 0, 0} : weft_scale(-1, p);
            must(weft_sim_place(s.sim, 0, i, weft_add(to, random_vector(shape == 2 ? 0.4 : 1e-6, (uint64_t)i)),
                                (weft_vec3){0, 0, 0}));
        }
        for (int i = 0; i < 100; i++) {
            weft_report report;
            must(weft_sim_step(s.sim, 0.01, &report));
            assert_int_equal(report.status, WEFT_STATUS_OK);
        }
        weft_measures end = measure(s);
        assert_true(isfinite(end.elastic) && isfinite(end.kinetic));
        destroy(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_schemes_are_stable_below_time_step_bound),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(alpha_damping_is_implicit),
        cmocka_unit_test(isometric_pattern_with_seam_has_no_strain),
        cmocka_unit_test(texture_coordinates_are_not_used_as_pattern),
        cmocka_unit_test(weft_direction_is_projected_onto_triangles),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(fabric_can_change_during_simulation),
        cmocka_unit_test(extreme_fabrics_fall_like_cloth),
        cmocka_unit_test(collapsed_cloth_recovers),
        cmocka_unit_test(collapsed_mesh_unfolds_to_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
