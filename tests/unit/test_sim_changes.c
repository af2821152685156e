/* Cloths and bodies that are added to and removed from a running simulation, and rays. */
#include "support.h"

#include "weft/vec.h"

static int32_t add_sheet(test_sim made, const char *name, const char *model, double x) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    int32_t cloth;
    grid.cells[0] = grid.cells[1] = 6;
    grid.origin.x = x;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, name, mesh, &weft_fabric_preset_find("wool")->fabric, model, &cloth));
    return cloth;
}

static void pin_corner(test_sim made, int32_t cloth) {
    weft_pin still = weft_pin_default();
    must(weft_sim_add_pin(made.sim, cloth, &still, (int32_t[]){0}, 1));
}

static test_sim make_one(const char *name, const char *model, const char *integrator, double x) {
    test_sim made = start_with(integrator);
    add_sheet(made, name, model, x);
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    pin_corner(made, 0);
    return made;
}

static int same_cloth(test_sim a, int32_t cloth_a, test_sim b, int32_t cloth_b) {
    size_t size = (size_t)weft_sim_cloth(a.sim, cloth_a)->mesh->vertex_count * sizeof(weft_vec3);
    return memcmp(weft_sim_positions(a.sim, cloth_a), weft_sim_positions(b.sim, cloth_b), size) == 0 &&
           memcmp(weft_sim_velocities(a.sim, cloth_a), weft_sim_velocities(b.sim, cloth_b), size) == 0;
}

/* Sheets that do not touch move as they would alone, with pins that follow their vertices. */
static void cloths_come_and_go(void **state) {
    (void)state;
    static const char *const INTEGRATOR[] = {"symplectic-euler", "forward-euler", "verlet-constraints"};
    for (int c = 0; c < 3; c++) {
        test_sim made = make_one("first", "springs", INTEGRATOR[c], 0),
                 first = make_one("first", "springs", INTEGRATOR[c], 0),
                 second = make_one("second", "springs", INTEGRATOR[c], 5);
        for (int i = 0; i < 20; i++) {
            step(made, 2e-4);
            step(first, 2e-4);
        }
        int32_t added = add_sheet(made, "second", "springs", 5);
        assert_int_equal(added, 1);
        assert_null(weft_sim_positions(made.sim, 1)); /* not prepared yet */
        assert_non_null(weft_sim_positions(made.sim, 0));
        must(weft_sim_set_velocity(made.sim, 1, weft_vec3_make(0, 0, 0)));
        pin_corner(made, added);
        assert_says(weft_sim_set_velocity(made.sim, 1, weft_vec3_make(0, 0, 0)), "already prepared");
        for (int i = 0; i < 20; i++) {
            step(made, 2e-4);
            step(first, 2e-4);
            step(second, 2e-4);
        }
        assert_true(same_cloth(made, 0, first, 0));
        if (c < 2) /* a two-step scheme starts with one step of another kind */
            assert_true(same_cloth(made, 1, second, 0));
        must(weft_sim_drag(made.sim, 1, 48, weft_sim_positions(made.sim, 1)[48]));
        must(weft_sim_drag(second.sim, 0, 48, weft_sim_positions(second.sim, 0)[48]));
        must(weft_sim_remove_cloth(made.sim, 0));
        assert_int_equal(weft_sim_cloth_count(made.sim), 1);
        assert_string_equal(weft_sim_cloth(made.sim, 0)->name, "second");
        assert_true(weft_sim_held(made.sim, 0)[0] && !weft_sim_held(made.sim, 0)[1]);
        for (int i = 0; i < 20; i++) {
            step(made, 2e-4);
            step(second, 2e-4);
        }
        if (c < 2)
            assert_true(same_cloth(made, 0, second, 0));
        assert_near(weft_distance(weft_sim_positions(made.sim, 0)[0], weft_vec3_make(5, 0, 0)), 0, 1e-12);
        must(weft_sim_remove_cloth(made.sim, 0));
        assert_says(weft_sim_step(made.sim, 1e-3, NULL), "no cloth");
        add_sheet(made, "third", "springs", 0);
        step(made, 2e-4);
        assert_int_equal(weft_sim_step_count(made.sim), 61);
        destroy(second);
        destroy(first);
        destroy(made);
    }
}

/* All kinds of integrators continue, with contact, adaptation and cuts. */
static void every_integrator_continues(void **state) {
    (void)state;
    static const char *const CASE[][2] = {{"springs", "verlet"},          {"springs", "xpbd"},
                                          {"springs", "projective"},      {"corotational", "bdf2"},
                                          {"corotational", "projective"}, {"corotational", "implicit-euler"}};
    for (int c = 0; c < 6; c++) {
        test_sim made = make_one("first", CASE[c][0], CASE[c][1], 0);
        int fine = c == 0;
        double dt = fine ? 2e-4 : 5e-3;
        set(made, "contact.self", "true");
        if (c >= 3) {
            must(weft_sim_remove_cloth(made.sim, 0)); /* before the first step, too */
            must(weft_sim_set_adapt(made.sim, "sqrt3"));
            set(made, "adapt.every", "3");
            set(made, "adapt.refine", "[0.01, 0.1]");
            add_sheet(made, "first", CASE[c][0], 0);
            pin_corner(made, 0);
        }
        for (int i = 0; i < 5; i++)
            step(made, dt);
        int32_t ball;
        must(weft_sim_add_body(made.sim, "sphere", NULL, &ball));
        set(made, "bodies.sphere.radius", "0.1");
        set(made, "bodies.sphere.at", "[0.5, -0.5, 0.3]");
        add_sheet(made, "second", CASE[c][0], 0.1);
        size_t size = weft_sim_snapshot_size(made.sim);
        char *snapshot = malloc(size);
        weft_sim_snapshot(made.sim, snapshot);
        must(weft_sim_prepare(made.sim));
        assert_int_not_equal(weft_sim_restore(made.sim, snapshot, size).code, WEFT_OK);
        free(snapshot);
        for (int32_t i = 0; i < weft_sim_cloth(made.sim, 1)->mesh->vertex_count; i++) {
            weft_vec3 x = weft_sim_positions(made.sim, 1)[i];
            must(weft_sim_place(made.sim, 1, i, weft_add(x, weft_vec3_make(0, 0, 0.02)), weft_vec3_make(0, 0, 0)));
        }
        weft_vec3 rays[2] = {{-1, 0.3, -3}, {1, 0.3, -3}};
        for (int i = 0; i < 10; i++)
            step(made, dt);
        must(weft_sim_cut(made.sim, 1, weft_vec3_make(0.5, -0.5, 3), rays, 2, NULL));
        for (int i = 0; i < 5; i++)
            step(made, dt);
        must(weft_sim_remove_body(made.sim, ball));
        assert_int_equal(weft_sim_body_count(made.sim), 0);
        must(weft_sim_remove_cloth(made.sim, 0));
        for (int i = 0; i < 10; i++)
            step(made, dt);
        assert_int_equal(weft_sim_cloth_count(made.sim), 1);
        destroy(made);
    }
}

static void removed_body_no_longer_holds(void **state) {
    (void)state;
    test_sim made = start_with("implicit-euler");
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_find("wool")->fabric, "springs", NULL));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.plane.at", "[0, -0.05, 0]");
    set(made, "bodies.sphere.at", "[9, 9, 9]");
    for (int i = 0; i < 40; i++)
        step(made, 0.005);
    assert_true(measure(made).centre.y > -0.06);
    must(weft_sim_remove_body(made.sim, 0));
    assert_string_equal(weft_sim_body_name(made.sim, 0), "sphere");
    for (int i = 0; i < 40; i++)
        step(made, 0.005);
    assert_true(measure(made).centre.y < -0.15);
    assert_says(weft_sim_remove_body(made.sim, 1), "there are 1 bodies");
    assert_says(weft_sim_remove_cloth(made.sim, 1), "there are 1 cloths");
    destroy(made);
}

static void failed_addition_can_be_removed(void **state) {
    (void)state;
    test_sim made = make_one("first", "corotational", "implicit-euler", 0);
    step(made, 0.005);
    add_sheet(made, "second", "springs", 3);
    must(weft_sim_set_integrator(made.sim, "projective"));
    set(made, "cloth.second.model.tear", "2");       /* the mesh of springs does not change, so this tears */
    must(weft_sim_set_integrator(made.sim, "xpbd")); /* cannot move corotational */
    assert_says(weft_sim_step(made.sim, 0.005, NULL), "cannot move model 'corotational'");
    must(weft_sim_remove_cloth(made.sim, 1));
    must(weft_sim_set_integrator(made.sim, "implicit-euler"));
    step(made, 0.005);
    assert_says(weft_sim_set_velocity(made.sim, 0, weft_vec3_make(0, 0, 0)), "already prepared");
    destroy(made);
}

static void rays_find_the_nearest_triangle(void **state) {
    (void)state;
    test_sim made = make_one("near", "springs", "symplectic-euler", 0);
    weft_ray_hit hit;
    weft_vec3 down = {0, 0, -2}, from = {0.3, -0.4, 5};
    must(weft_sim_ray(made.sim, from, down, INFINITY, &hit));
    assert_true(hit.cloth == 0 && hit.body == WEFT_NONE && hit.triangle >= 0);
    assert_near(hit.distance, 5, 1e-12);
    assert_near(hit.barycentric[0] + hit.barycentric[1] + hit.barycentric[2], 1, 1e-12);
    const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
    weft_vec3 at = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        at = weft_add_scaled(at, hit.barycentric[k], weft_sim_positions(made.sim, 0)[mesh->triangle[hit.triangle][k]]);
    assert_near(weft_distance(at, hit.position), 0, 1e-12);
    assert_near(weft_distance(at, weft_vec3_make(0.3, -0.4, 0)), 0, 1e-12);
    assert_near(fabs(hit.normal.z), 1, 1e-12);

    must(weft_sim_ray(made.sim, from, down, 4.9, &hit)); /* too far away */
    assert_true(hit.cloth == WEFT_NONE && hit.body == WEFT_NONE && hit.triangle == WEFT_NONE);
    must(weft_sim_ray(made.sim, weft_vec3_make(3, 3, 5), down, INFINITY, &hit)); /* beside it */
    assert_true(hit.cloth == WEFT_NONE && hit.distance == INFINITY);

    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.2");
    set(made, "bodies.sphere.at", "[0.3, -0.4, 1]");
    must(weft_sim_ray(made.sim, from, down, INFINITY, &hit));
    assert_true(hit.cloth == WEFT_NONE && hit.body == 0);
    assert_near(hit.distance, 3.8, 0.01);
    set(made, "bodies.sphere.appears", "1 s");
    must(weft_sim_ray(made.sim, from, down, INFINITY, &hit));
    assert_int_equal(hit.cloth, 0);
    assert_says(weft_sim_ray(made.sim, from, weft_vec3_make(0, 0, 0), 1, &hit), "not zero");
    assert_says(weft_sim_ray(made.sim, from, down, 0, &hit), "not above 0");
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloths_come_and_go),
        cmocka_unit_test(every_integrator_continues),
        cmocka_unit_test(removed_body_no_longer_holds),
        cmocka_unit_test(failed_addition_can_be_removed),
        cmocka_unit_test(rays_find_the_nearest_triangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
