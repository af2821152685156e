/* Masses, wind and pressure share triangles among their vertices in the same way. */
#include "support.h"

#include "mesh/stages.h"
#include "weft/vec.h"

static const double GRAVITY = 9.81, DENSITY = 0.4, DRAG = 1.2; /* m/s2, kg/m2, 1 */

enum { SIDE = 6, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE, MESHES = 4 };

/* A horizontal sheet of 1 m2: grids with two kinds of diagonals, then two irregular ones, sheared so that most
 * triangles are obtuse. */
static weft_mesh *make_sheet_mesh(int kind, double height) {
    weft_mesh *mesh;
    if (kind < 2) {
        weft_grid grid = weft_grid_default();
        grid.cells[0] = grid.cells[1] = SIDE;
        grid.diagonals = kind == 0 ? WEFT_ALTERNATING : WEFT_ONE_WAY;
        grid.axis[0] = weft_vec3_make(1, 0, 0);
        grid.axis[1] = weft_vec3_make(0, 0, 1);
        grid.origin = weft_vec3_make(0, height, 0);
        must(weft_mesh_create_grid(&grid, &mesh));
        return mesh;
    }
    weft_vec3 position[POINTS];
    int32_t corner[3 * TRIANGLES], size[TRIANGLES], n = 0;
    for (int32_t j = 0; j <= SIDE; j++)
        for (int32_t i = 0; i <= SIDE; i++) {
            int32_t v = j * (SIDE + 1) + i;
            double u = (i + 0.5 * weft_random(3, 2 * (uint64_t)v)) / SIDE,
                   w = (j + 0.5 * weft_random(3, 2 * (uint64_t)v + 1)) / SIDE;
            position[v] = weft_vec3_make(u + (kind - 2) * w, height, w);
        }
    for (int32_t j = 0; j < SIDE; j++)
        for (int32_t i = 0; i < SIDE; i++) {
            int32_t a = j * (SIDE + 1) + i, quad[6] = {a, a + SIDE + 1, a + SIDE + 2, a, a + SIDE + 2, a + 1};
            memcpy(corner + n, quad, sizeof quad);
            n += 6;
        }
    for (int32_t t = 0; t < TRIANGLES; t++)
        size[t] = 3;
    weft_polygons polygons = {.position = position,
                              .vertex_count = POINTS,
                              .corner = corner,
                              .corner_count = n,
                              .face_size = size,
                              .face_count = TRIANGLES};
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static test_sim make_flat(int kind, double height, const char *model) {
    test_sim made;
    weft_fabric fabric;
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    weft_params_default(weft_fabric_params(), &fabric);
    fabric.density = DENSITY;
    fabric.drag = DRAG;
    must(weft_sim_add_cloth(made.sim, "sheet", make_sheet_mesh(kind, height), &fabric, model, NULL));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    weft_sim_set_threads(made.sim, 1);
    return made;
}

static void add_air(test_sim made) {
    must(weft_sim_add_force(made.sim, "wind", NULL));
    set(made, "forces.wind.speed", "0");
}

static void shares_fill_triangles(void **state) {
    (void)state;
    for (int kind = 0; kind < MESHES; kind++) {
        weft_mesh *mesh = make_sheet_mesh(kind, 0);
        double share[3 * TRIANGLES], area[POINTS], sum[TRIANGLES] = {0};
        int obtuse = 0;
        weft_mesh_rest_shares(mesh, share);
        weft_mesh_rest_areas(mesh, area);
        for (int32_t v = 0; v < mesh->vertex_count; v++)
            for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
                const int32_t *t = mesh->triangle[mesh->vertex_triangle[i]];
                weft_vec3 a = mesh->position[t[0]], b = mesh->position[t[1]], c = mesh->position[t[2]];
                assert_in_range(1e6 * share[i], 1, 500000);
                obtuse += share[i] == 0.25;
                sum[mesh->vertex_triangle[i]] += share[i];
                area[v] -= share[i] * weft_length(weft_cross(weft_sub(b, a), weft_sub(c, a))) / 2;
            }
        for (int32_t t = 0; t < mesh->triangle_count; t++)
            assert_near(sum[t], 1, 1e-15 * 4);
        for (int32_t v = 0; v < mesh->vertex_count; v++)
            assert_near(area[v], 0, 1e-16);
        if (kind == 3)
            assert_true(obtuse > TRIANGLES);
        weft_mesh_destroy(mesh);
    }
}

/* The sheet falls as one: m dv/dt = m g - 1/2 rho C_D A v^2, v = v_t tanh(g t / v_t). Its speed after 1 s is 0.993 of
 * the terminal speed v_t. */
static void check_fall(int kind, const char *model, const char *integrator, double dt, int order, double plane) {
    test_sim made = make_flat(kind, 0, model);
    add_air(made);
    must(weft_sim_set_integrator(made.sim, integrator));
    if (strcmp(model, "springs") == 0)
        plain_model(made.sim);
    if (strcmp(integrator, "bdf2") == 0) { /* a single solve leaves waves, because its matrix is in single precision */
        set(made, "integrator.tolerance", "1e-8");
        set(made, "integrator.newton_tolerance", "1e-10");
    }
    set(made, "contact.self", "false");
    const double rho = 353.05 / (20 + 273.15), top = sqrt(2 * DENSITY * GRAVITY / (rho * DRAG)), seconds = 1;
    const double way = top * top / GRAVITY * log(cosh(GRAVITY * seconds / top));
    const double error = pow(GRAVITY * dt / top, order) * way; /* of a scheme of that order */
    set(made, "air.temperature", "20");
    for (int i = 0; i < (int)(seconds / dt + 0.5); i++)
        step(made, dt);
    const weft_vec3 *x = weft_sim_positions(made.sim, 0), *v = weft_sim_velocities(made.sim, 0);
    double low = x[0].y, high = x[0].y;
    for (int32_t i = 1; i < weft_sim_cloth(made.sim, 0)->mesh->vertex_count; i++) {
        low = fmin(low, x[i].y);
        high = fmax(high, x[i].y);
    }
    assert_below(high - low, plane);
    assert_near(low, -way, error);
    assert_near(v[0].y, -top * tanh(GRAVITY * seconds / top), error);
    destroy(made);
}

static void falling_sheets_stay_plane(void **state) {
    (void)state;
    for (int kind = 0; kind < MESHES; kind++) {
        check_fall(kind, "springs", "symplectic-euler", 0.5e-3, 1, 1e-12);
        check_fall(kind, "corotational", "bdf2", 5e-3, 2, 1e-9);
    }
}

/* At rest on a plane, the pressure is the weight per area, at every vertex. */
static void resting_sheets_press_evenly(void **state) {
    (void)state;
    static const char *const METHODS[] = {"barrier", "constraints"};
    for (int kind = 0; kind < MESHES; kind++)
        for (int m = 0; m < 2; m++) {
            test_sim made = make_flat(kind, 0.0011, "corotational");
            must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
            set(made, "contact.thickness", "1 mm");
            set(made, "contact.self", "false");
            set(made, "contact.method", METHODS[m]);
            for (int i = 0; i < 60; i++)
                step(made, 0.01);
            double pressure[POINTS], force = 0, area = 0;
            const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
            must(weft_sim_pressures(made.sim, 0, pressure));
            double vertex_area[POINTS];
            weft_mesh_vertex_areas(mesh, weft_sim_positions(made.sim, 0), vertex_area);
            for (int32_t v = 0; v < mesh->vertex_count; v++) {
                assert_near(pressure[v], DENSITY * GRAVITY, 0.01 * DENSITY * GRAVITY);
                force += pressure[v] * vertex_area[v];
                area += vertex_area[v];
            }
            assert_near(force, area * DENSITY * GRAVITY, 0.002 * area * DENSITY * GRAVITY);
            destroy(made);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_fill_triangles),
        cmocka_unit_test(falling_sheets_stay_plane),
        cmocka_unit_test(resting_sheets_press_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
