/* Contact pressure: a stretched band on a cylinder presses with T / R (Laplace), a cloth on the ground with its weight.
 */
#include <math.h>

#include "support.h"

static const double PI = 3.14159265358979323846;

enum { AROUND = 96, ACROSS = 6 };

static const double RADIUS = 0.1, WIDTH = 0.04, STRETCHED = 0.1; /* m, m, strain */

static int32_t vertex_at(int i, int j) { return j * AROUND + i % AROUND; }

/* A band around the y axis at `radius` whose pattern is shorter by the strain. */
static weft_mesh *make_band(double radius) {
    static weft_vec3 position[AROUND * (ACROSS + 1)];
    static int32_t corner[6 * AROUND * ACROSS], size[2 * AROUND * ACROSS];
    static weft_vec2 uv[6 * AROUND * ACROSS];
    double length = 2 * PI * RADIUS / (1 + STRETCHED);
    int n = 0;
    for (int j = 0; j <= ACROSS; j++)
        for (int i = 0; i < AROUND; i++) {
            double angle = 2 * PI * i / AROUND;
            position[vertex_at(i, j)] =
                (weft_vec3){radius * sin(angle), WIDTH * ((double)j / ACROSS - 0.5), radius * cos(angle)};
        }
    for (int j = 0; j < ACROSS; j++)
        for (int i = 0; i < AROUND; i++) {
            /* diagonals alternate, so that the band does not twist */
            int flip = (i + j) % 2, quad[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
            const int pick[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 1, 3, 1, 2, 3}};
            for (int k = 0; k < 6; k++, n++) {
                const int *at = quad[pick[flip][k]];
                corner[n] = vertex_at(at[0], at[1]);
                uv[n] = (weft_vec2){length * at[0] / AROUND, WIDTH * at[1] / ACROSS};
            }
        }
    for (int i = 0; i < n / 3; i++)
        size[i] = 3;
    weft_polygons polygons = {.name = "band",
                              .position = position,
                              .vertex_count = AROUND * (ACROSS + 1),
                              .corner = corner,
                              .corner_count = n,
                              .face_size = size,
                              .face_count = n / 3,
                              .corner_uv = uv};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static weft_fabric elastic(void) {
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    fabric.stretch_weft = 500;
    fabric.stretch_warp = 500;
    fabric.poisson_weft = fabric.poisson_warp = 0.3;
    fabric.shear = 150;
    return fabric;
}

static weft_sim *make_sim(const char *method) {
    static weft_registry *registry;
    weft_sim *sim;
    weft_fabric fabric = elastic();
    if (!registry)
        must(weft_registry_create(&registry));
    must(weft_sim_create(registry, &sim));
    must(weft_sim_remove_force(sim, 0));
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    must(weft_sim_add_cloth(sim, "band", make_band(RADIUS + 0.002), &fabric, "corotational", NULL));
    must(weft_sim_set(sim, "cloth.band.model.rest", "pattern"));
    must(weft_sim_set(sim, "cloth.band.model.alpha", "20"));
    must(weft_sim_add_body(sim, "cylinder", NULL, NULL));
    must(weft_sim_set_real(sim, "bodies.0.radius", RADIUS));
    must(weft_sim_set_real(sim, "bodies.0.length", 0.3));
    must(weft_sim_set(sim, "bodies.0.segments", "192"));
    must(weft_sim_set_real(sim, "bodies.0.friction", 0));
    must(weft_sim_set(sim, "contact.self", "false"));
    must(weft_sim_set(sim, "contact.thickness", "1 mm"));
    must(weft_sim_set(sim, "contact.method", method));
    return sim;
}

/* The mean pressure over the band, Pa, its mean radius, m, and its tension by theory, N/m. */
static double measure_band(weft_sim *sim, double *radius, double *tension) {
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    const weft_vec3 *x = weft_sim_positions(sim, 0);
    double *pressure = malloc((size_t)mesh->vertex_count * sizeof *pressure), force = 0, area = 0;
    assert_non_null(pressure);
    must(weft_sim_pressures(sim, 0, pressure));
    *radius = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *c = mesh->triangle[t];
        double a = 0.5 * weft_length(weft_cross(weft_sub(x[c[1]], x[c[0]]), weft_sub(x[c[2]], x[c[0]])));
        for (int k = 0; k < 3; k++)
            force += a / 3 * pressure[c[k]];
        area += a;
    }
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        *radius += hypot(x[v].x, x[v].z) / mesh->vertex_count;
    /* T by theory: the sides are free, so the pull is the modulus times the strain around the body. The band becomes
     * narrower by Poisson's ratio, and Laplace's law has the tension per present width. */
    double along = *radius / (RADIUS / (1 + STRETCHED)) - 1;
    *tension = elastic().stretch_weft * along / (1 - elastic().poisson_weft * along);
    free(pressure);
    return force / area;
}

static void band_presses_by_laplace(void **state) {
    (void)state;
    weft_sim *sim = make_sim("barrier");
    double radius, tension;
    for (int i = 0; i < 60; i++)
        must(weft_sim_step(sim, 0.01, NULL));
    double pressure = measure_band(sim, &radius, &tension);
    print_message("mean pressure %.1f Pa, T / R %.1f Pa\n", pressure, tension / radius);
    assert_near(pressure, tension / radius, 0.03 * tension / radius);
    weft_sim_destroy(sim);
}

static void band_presses_with_constraints_too(void **state) {
    (void)state;
    weft_sim *sim = make_sim("constraints");
    double radius, tension;
    for (int i = 0; i < 60; i++)
        must(weft_sim_step(sim, 0.01, NULL));
    double pressure = measure_band(sim, &radius, &tension);
    print_message("mean pressure %.1f Pa, T / R %.1f Pa\n", pressure, tension / radius);
    assert_near(pressure, tension / radius, 0.03 * tension / radius);
    weft_sim_destroy(sim);
}

static void cloth_presses_with_its_weight(void **state) {
    (void)state;
    weft_registry *registry;
    weft_sim *sim;
    weft_mesh *mesh;
    weft_grid grid = weft_grid_default();
    weft_fabric wool = weft_fabric_preset_find("wool")->fabric;
    grid.axis[0] = (weft_vec3){1, 0, 0};
    grid.axis[1] = (weft_vec3){0, 0, 1};
    grid.origin = (weft_vec3){0, 0.002, 0};
    must(weft_registry_create(&registry));
    must(weft_sim_create(registry, &sim));
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &wool, NULL, NULL));
    must(weft_sim_add_force(sim, "gravity", NULL));
    must(weft_sim_add_body(sim, "plane", NULL, NULL));
    double pressure[121], force = 0;
    must(weft_sim_pressures(sim, 0, pressure));
    for (int v = 0; v < 121; v++)
        assert_true(pressure[v] == 0); /* before the first step */
    for (int i = 0; i < 200; i++)
        must(weft_sim_step(sim, 0.01, NULL));
    must(weft_sim_pressures(sim, 0, pressure));
    const weft_mesh *sheet = weft_sim_cloth(sim, 0)->mesh;
    for (int32_t t = 0; t < sheet->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            force += pressure[sheet->triangle[t][k]] / (3.0 * sheet->triangle_count); /* 1 m2 in equal triangles */
    assert_near(force, 9.81 * wool.density, 0.02 * 9.81 * wool.density);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(band_presses_by_laplace),
        cmocka_unit_test(band_presses_with_constraints_too),
        cmocka_unit_test(cloth_presses_with_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
