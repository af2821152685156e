/* Padding: the pressure behind panels, on single triangles and inside of closed shells. */
#include "support.h"

#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"

static const double PI = 3.14159265358979323846;

enum { RINGS = 24, AROUND = 48, BALL_VERTICES = 2 + RINGS * AROUND, BALL_FACES = 2 * RINGS * AROUND };
static const double RADIUS = 0.1; /* m */

static int32_t on_ring(int ring, int k) { return 2 + ring * AROUND + k % AROUND; }

/* A closed ball of one panel, its faces to the outside: two poles, and rings between them. */
static weft_mesh *make_ball(void) {
    static weft_vec3 position[BALL_VERTICES];
    static int32_t corner[BALL_FACES][3], size[BALL_FACES], group[BALL_FACES];
    static const char *const NAMES[] = {"ball"};
    int faces = 0;
    position[0] = weft_vec3_make(0, 0, -RADIUS);
    position[1] = weft_vec3_make(0, 0, RADIUS);
    for (int r = 0; r < RINGS; r++)
        for (int k = 0; k < AROUND; k++) {
            double up = PI * (r + 1) / (RINGS + 1) - PI / 2, turn = 2 * PI * (k + 0.5 * (r % 2)) / AROUND;
            position[on_ring(r, k)] =
                weft_scale(RADIUS, weft_vec3_make(cos(up) * cos(turn), cos(up) * sin(turn), sin(up)));
        }
    for (int k = 0; k < AROUND; k++) {
        const int32_t ends[2][3] = {{0, on_ring(0, k + 1), on_ring(0, k)},
                                    {1, on_ring(RINGS - 1, k), on_ring(RINGS - 1, k + 1)}};
        memcpy(corner[faces++], ends[0], sizeof ends[0]);
        memcpy(corner[faces++], ends[1], sizeof ends[1]);
        for (int r = 0; r + 1 < RINGS; r++) {
            int odd = r % 2; /* rings are turned by half a piece against each other */
            const int32_t lower[3] = {on_ring(r, k), on_ring(r, k + 1), on_ring(r + 1, k + odd)};
            const int32_t upper[3] = {on_ring(r + 1, k + odd), on_ring(r, k + 1 - odd), on_ring(r + 1, k + 1)};
            memcpy(corner[faces++], lower, sizeof lower);
            memcpy(corner[faces++], odd ? (int32_t[3]){on_ring(r + 1, k), on_ring(r, k), on_ring(r + 1, k + 1)} : upper,
                   sizeof upper);
        }
    }
    assert_int_equal(faces, BALL_FACES);
    for (int f = 0; f < BALL_FACES; f++)
        size[f] = 3;
    weft_polygons polygons = {.name = "ball",
                              .position = position,
                              .vertex_count = BALL_VERTICES,
                              .corner = corner[0],
                              .corner_count = 3 * BALL_FACES,
                              .face_size = size,
                              .face_count = BALL_FACES,
                              .face_group = group,
                              .group_name = NAMES,
                              .group_count = 1};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

/* A membrane without bending stiffness: 5000 N/m in all directions, with a Poisson ratio of 0.3. */
static weft_sim *make_sim(weft_mesh *mesh, const char *integrator) {
    static weft_registry *registry;
    weft_sim *sim;
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    fabric.stretch_weft = fabric.stretch_warp = 5000;
    fabric.poisson_weft = fabric.poisson_warp = 0.3;
    fabric.shear = 5000 / (2 * (1 + 0.3));
    fabric.bend_weft = fabric.bend_warp = 0;
    if (!registry)
        must(weft_registry_create(&registry));
    must(weft_sim_create(registry, &sim));
    must(weft_sim_remove_force(sim, 0));
    must(weft_sim_set_integrator(sim, integrator));
    must(weft_sim_add_cloth(sim, "shell", mesh, &fabric, "corotational", NULL));
    must(weft_sim_set_tailoring(sim, 0, &(weft_tailoring){0}));
    return sim;
}

static weft_vec3 normal_area(const weft_mesh *mesh, const weft_vec3 *x, int32_t t) {
    const int32_t *v = mesh->triangle[t];
    return weft_scale(0.5, weft_cross(weft_sub(x[v[1]], x[v[0]]), weft_sub(x[v[2]], x[v[0]])));
}

static double volume_of(const weft_mesh *mesh, const weft_vec3 *x) {
    double sum = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        sum += weft_dot(x[mesh->triangle[t][0]], normal_area(mesh, x, t)) / 3;
    return sum;
}

static double mean_radius(const weft_mesh *mesh, const weft_vec3 *x) {
    return cbrt(volume_of(mesh, x) / (4.0 / 3 * PI));
}

/* The forces on a shell at rest, from its velocities after an explicit step: nothing but padding moves it. */
static void read_forces(weft_sim *sim, weft_vec3 *force) {
    const double dt = 1e-6;
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    double density = weft_sim_cloth(sim, 0)->fabric->density;
    must(weft_sim_step(sim, dt, NULL));
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        double area = 0;
        for (int32_t k = mesh->vertex_triangle_start[v]; k < mesh->vertex_triangle_start[v + 1]; k++)
            area += weft_length(normal_area(mesh, mesh->position, mesh->vertex_triangle[k])) / 3;
        force[v] = weft_scale(density * area / dt, weft_sim_velocities(sim, 0)[v]);
    }
}

/* Each vertex has a third of p A n of its triangles. On a closed shell all forces cancel, and the work of a small
 * motion is p dV. */
static void forces_are_pressure_times_area(void **state) {
    (void)state;
    static weft_vec3 force[BALL_VERTICES], moved[2][BALL_VERTICES];
    const double p = 1000, step = 1e-5;
    weft_sim *sim = make_sim(make_ball(), "symplectic-euler");
    must(weft_sim_set(sim, "cloth.panels.ball.padding", "1 kPa"));
    must(weft_sim_prepare(sim));
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    read_forces(sim, force);
    weft_vec3 sum = {0, 0, 0}, expected = {0, 0, 0};
    double work = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        weft_vec3 x = mesh->position[v], way = {sin(31 * x.y), 2 * x.z + x.x, cos(17 * x.x) + 3 * x.z};
        sum = weft_add(sum, force[v]);
        work += weft_dot(force[v], way);
        for (int k = 0; k < 2; k++)
            moved[k][v] = weft_add_scaled(x, k ? step : -step, way);
    }
    for (int32_t k = mesh->vertex_triangle_start[7]; k < mesh->vertex_triangle_start[8]; k++)
        expected = weft_add_scaled(expected, p / 3, normal_area(mesh, mesh->position, mesh->vertex_triangle[k]));
    assert_near(weft_distance(force[7], expected), 0, 1e-9 * weft_length(expected));
    assert_near(weft_length(sum), 0, 1e-9 * p * 4 * PI * RADIUS * RADIUS);
    double grown = (volume_of(mesh, moved[1]) - volume_of(mesh, moved[0])) / (2 * step);
    assert_near(work, p * grown, 1e-6 * fabs(work));
    weft_sim_destroy(sim);
}

/* A membrane under pressure bears T = p R / 2 (Laplace), and stretches by T (1 - nu) / K. The pressure may change. */
static void a_ball_obeys_laplace(void **state) {
    (void)state;
    weft_sim *sim = make_sim(make_ball(), "implicit-euler");
    must(weft_sim_set(sim, "cloth.model.alpha", "60"));
    must(weft_sim_prepare(sim));
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    static const char *const PRESSURE[] = {"500 Pa", "1 kPa", "0"};
    static const double PASCAL[] = {500, 1000, 0};
    for (int i = 0; i < 3; i++) {
        must(weft_sim_set(sim, "cloth.panels.ball.padding", PRESSURE[i]));
        for (int k = 0; k < 60; k++)
            must(weft_sim_step(sim, 0.01, NULL));
        double radius = mean_radius(mesh, weft_sim_positions(sim, 0)),
               strain = radius / mean_radius(mesh, mesh->position) - 1;
        double tension = 5000 * strain / (1 - 0.3);
        assert_near(tension, PASCAL[i] * radius / 2, 0.01 * 50);
    }
    weft_sim_destroy(sim);
}

static weft_sim *read_cushion(void) {
    static weft_registry *registry;
    char scene[1200];
    weft_tree *tree;
    weft_sim *sim;
    snprintf(scene, sizeof scene,
             "cloth: {name: cushion, garment: %s/examples/garments/cushion.yaml, panels: {back: {padding: 200 Pa}}}\n"
             "integrator: implicit-euler\nforces: []\n",
             WEFT_SOURCE_DIR);
    must(weft_registry_create(&registry));
    weft_scene_files files = weft_scene_files_make(NULL);
    must(weft_yaml_read_memory(scene, strlen(scene), "scene.yaml", &tree));
    must(weft_scene_read(registry, tree, &files, &sim));
    weft_tree_destroy(tree);
    return sim;
}

/* A bag of two flat squares of side w that does not stretch holds w^3 (1 / pi - 0.142 (1 - 1 / 10)) when it is full:
 * A. C. Robin, "Paper bag problem", Mathematics Today 40 (2004). Woven fabric shears, so that it holds 7 % more. */
static void cushions_fill_from_their_file(void **state) {
    (void)state;
    char text[WEFT_STRING_SIZE];
    weft_sim *sim = read_cushion();
    must(weft_sim_get(sim, "cloth.panels.front.padding", text, sizeof text));
    assert_string_equal(text, "100");
    must(weft_sim_get(sim, "cloth.panels.back.padding", text, sizeof text));
    assert_string_equal(text, "200"); /* the scene wins */
    must(weft_sim_set(sim, "cloth.panels.back.padding", "100"));
    for (int i = 0; i < 50; i++)
        must(weft_sim_step(sim, 0.02, NULL));
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    double full = 0.4 * 0.4 * 0.4 * (1 / PI - 0.142 * (1 - 0.1));
    assert_near(volume_of(mesh, weft_sim_positions(sim, 0)), 1.07 * full, 0.03 * full);
    weft_sim_destroy(sim);
}

static void impossible_padding_is_refused(void **state) {
    (void)state;
    weft_sim *sim = make_sim(make_ball(), "implicit-euler");
    assert_says(weft_sim_set(sim, "cloth.panels.ball.padding", "30 kPa"),
                "cloth.shell.panels.ball.padding: 30 kPa is above 20000 (Pa)");
    assert_says(weft_sim_set(sim, "cloth.panels.ball.padding", "nan"), "cloth.shell.panels.ball.padding");
    assert_says(weft_sim_set(sim, "cloth.panels.ball.padding", "3 N"), "cloth.shell.panels.ball.padding");
    weft_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_pressure_times_area),
        cmocka_unit_test(a_ball_obeys_laplace),
        cmocka_unit_test(cushions_fill_from_their_file),
        cmocka_unit_test(impossible_padding_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
