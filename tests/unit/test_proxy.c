#include "support.h"

#include <time.h>

#include "io/closest.h"
#include "io/proxy.h"
#include "weft/vec.h"
#include "weft/work.h"

static weft_mesh *sheet(int64_t cells, double height, double bump) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = cells;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        weft_vec3 p = mesh->position[v];
        mesh->position[v].z += height + bump * sin(3 * p.x) * cos(2 * p.y);
    }
    return mesh;
}

static weft_vec3 *moved(const weft_mesh *mesh, weft_vec3 (*map)(weft_vec3)) {
    weft_vec3 *x = malloc((size_t)mesh->vertex_count * sizeof *x);
    assert_non_null(x);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        x[v] = map(mesh->position[v]);
    return x;
}

static weft_vec3 rigid(weft_vec3 p) {
    double c = cos(0.7), s = sin(0.7);
    weft_vec3 q = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
    c = cos(1.9), s = sin(1.9);
    return weft_vec3_make(q.x + 3, c * q.y - s * q.z - 1, s * q.y + c * q.z + 0.5);
}

static weft_vec3 stretch(weft_vec3 p) { return weft_vec3_make(1.7 * p.x + 0.3 * p.y, 0.6 * p.y - 0.2 * p.x, p.z + 2); }

static weft_vec3 bend(weft_vec3 p) { return weft_vec3_make(sin(p.x), p.y, cos(p.x)); }

/* The proxy must move like the map applied to its own vertices. */
static void assert_follows(weft_mesh *cloth, weft_mesh *fine, weft_vec3 (*map)(weft_vec3), double tolerance) {
    weft_proxy *proxy;
    must(weft_proxy_bind(cloth, fine, 2, &proxy));
    for (int32_t v = 0; v < fine->vertex_count; v++)
        assert_near(weft_distance(weft_proxy_positions(proxy)[v], fine->position[v]), 0, 1e-14);
    weft_vec3 *x = moved(cloth, map), *expected = moved(fine, map);
    weft_proxy_move(proxy, x, NULL);
    for (int32_t v = 0; v < fine->vertex_count; v++)
        assert_near(weft_distance(weft_proxy_positions(proxy)[v], expected[v]), 0, tolerance);
    assert_null(weft_proxy_open_faces(proxy));
    free(expected);
    free(x);
    weft_proxy_destroy(proxy);
    weft_mesh_destroy(cloth);
}

/* Includes a fine mesh that is neither on the cloth nor flat, and one that extends beyond its boundary. */
static void follows_rigid_motion(void **state) {
    (void)state;
    assert_follows(sheet(5, 0, 0), sheet(20, 0, 0), rigid, 1e-14);
    assert_follows(sheet(5, 0, 0.1), sheet(17, 0.05, 0.15), rigid, 1e-13);
    weft_mesh *wide = sheet(9, 0.1, 0.05);
    for (int32_t v = 0; v < wide->vertex_count; v++)
        wide->position[v] = weft_add_scaled(wide->position[v], 0.2, wide->position[v]);
    assert_follows(sheet(5, 0, 0), wide, rigid, 1e-13);
}

static void follows_affine_stretch(void **state) {
    (void)state;
    assert_follows(sheet(5, 0, 0), sheet(20, 0, 0), stretch, 1e-14);
    /* a shell keeps its distance from a sheet that is stretched in its plane */
    assert_follows(sheet(4, 0, 0), sheet(23, 0.04, 0), stretch, 1e-14);
}

/* On bent cloth the shell keeps its distance from the surface, up to the faceting of the cloth. */
static void shell_keeps_its_distance(void **state) {
    (void)state;
    weft_mesh *cloth = sheet(40, 0, 0), *fine = sheet(80, 0.1, 0);
    weft_proxy *proxy;
    must(weft_proxy_bind(cloth, fine, 1, &proxy));
    weft_vec3 *x = moved(cloth, bend);
    weft_proxy_move(proxy, x, NULL);
    double side = 0;
    for (int32_t v = 0; v < fine->vertex_count; v++) {
        weft_vec3 p = weft_proxy_positions(proxy)[v];
        double radius = sqrt(p.x * p.x + p.z * p.z);
        side = side == 0 ? radius - 1 : side;
        assert_near(fabs(radius - 1), 0.1, 3e-4); /* facets: 1 - cos(1 / 80), and the same for the normal */
        assert_true((radius - 1) * side > 0);
    }
    weft_proxy_fit fit = weft_proxy_fit_at_rest(proxy);
    assert_near(fit.farthest, 0.1, 1e-12);
    assert_near(fit.mean, 0.1, 1e-12);
    assert_near(fit.limit, 1.0 / 40, 1e-12);
    assert_int_equal(fit.far_count, fine->vertex_count);
    free(x);
    weft_proxy_destroy(proxy);
    weft_mesh_destroy(cloth);
}

/* Each face of the 5 x 5 cloth covers 4 x 4 faces of the fine mesh. */
static void torn_faces_open_proxy_faces(void **state) {
    (void)state;
    weft_mesh *cloth = sheet(5, 0, 0), *fine = sheet(20, 0, 0);
    weft_proxy *proxy;
    must(weft_proxy_bind(cloth, fine, 1, &proxy));
    uint8_t open[25] = {0};
    open[7] = 1; /* column 2, row 1 */
    weft_proxy_move(proxy, cloth->position, open);
    const uint8_t *there = weft_proxy_open_faces(proxy);
    assert_non_null(there);
    for (int32_t f = 0; f < fine->face_count; f++)
        assert_int_equal(there[f], f % 20 / 4 == 2 && f / 20 / 4 == 1);
    weft_proxy_move(proxy, cloth->position, NULL);
    assert_null(weft_proxy_open_faces(proxy));
    weft_proxy_destroy(proxy);
    weft_mesh_destroy(cloth);
}

static double random_at(uint64_t i) { return 4 * weft_random(7, i) - 2; }

/* The search against brute force over samples of each triangle. The closest sample is never closer than the hit, but
 * not much farther. */
static void search_finds_closest_triangle(void **state) {
    (void)state;
    enum { SIDE = 40 };
    weft_mesh *mesh = sheet(6, 0, 0.3);
    weft_closest *closest;
    must(weft_closest_create(mesh->position, (const int32_t(*)[3])mesh->triangle, mesh->triangle_count, &closest));
    for (uint64_t i = 0; i < 200; i++) {
        weft_vec3 p = {random_at(3 * i), random_at(3 * i + 1), random_at(3 * i + 2)};
        weft_closest_hit hit = weft_closest_find(closest, p);
        const int32_t *corner = mesh->triangle[hit.triangle];
        weft_vec3 at = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            assert_true(hit.weight[k] >= -1e-12);
            at = weft_add_scaled(at, hit.weight[k], mesh->position[corner[k]]);
        }
        assert_near(hit.weight[0] + hit.weight[1] + hit.weight[2], 1, 1e-12);
        assert_near(weft_distance(at, p), sqrt(hit.squared), 1e-12);
        double least = INFINITY;
        for (int32_t t = 0; t < mesh->triangle_count; t++)
            for (int a = 0; a <= SIDE; a++)
                for (int b = 0; a + b <= SIDE; b++) {
                    const int32_t *c = mesh->triangle[t];
                    weft_vec3 q = weft_scale((double)a / SIDE, mesh->position[c[0]]);
                    q = weft_add_scaled(q, (double)b / SIDE, mesh->position[c[1]]);
                    q = weft_add_scaled(q, (double)(SIDE - a - b) / SIDE, mesh->position[c[2]]);
                    least = fmin(least, weft_distance(p, q));
                }
        assert_true(sqrt(hit.squared) <= least + 1e-12);
        assert_true(sqrt(hit.squared) >= least - 0.01); /* half a sample: edges of 0.3 m divided into 40 */
    }
    weft_closest_destroy(closest);
    weft_mesh_destroy(mesh);
}

/* Any number of triangles, also fewer than a leaf holds, and all in the same place. */
static void search_accepts_any_number_of_triangles(void **state) {
    (void)state;
    for (int32_t count = 1; count < 70; count++) {
        weft_vec3 x[210];
        int32_t triangle[70][3];
        for (int32_t t = 0; t < count; t++)
            for (int k = 0; k < 3; k++) {
                double shift = count % 3 == 0 ? 0 : (t * 37 % count);
                x[3 * t + k] = weft_vec3_make(shift + (k == 1), k == 2, 0);
                triangle[t][k] = 3 * t + k;
            }
        weft_closest *closest;
        must(weft_closest_create(x, (const int32_t(*)[3])triangle, count, &closest));
        for (int32_t t = 0; t < count; t++) {
            weft_closest_hit hit = weft_closest_find(closest, weft_add(x[3 * t], weft_vec3_make(0.25, 0.25, 1)));
            assert_near(hit.squared, 1, 1e-12);
            if (count % 3 == 0)
                assert_int_equal(hit.triangle, 0); /* the lowest index of equals */
        }
        weft_closest_destroy(closest);
    }
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    weft_mesh *cloth = sheet(12, 0, 0.1);
    weft_vec3 *x = moved(cloth, bend);
    weft_proxy *one, *four;
    must(weft_proxy_bind(cloth, sheet(60, 0.02, 0.12), 1, &one));
    must(weft_proxy_bind(cloth, sheet(60, 0.02, 0.12), 4, &four));
    weft_proxy_move(one, x, NULL);
    weft_proxy_move(four, x, NULL);
    assert_memory_equal(weft_proxy_positions(one), weft_proxy_positions(four), 61 * 61 * sizeof(weft_vec3));
    weft_proxy_destroy(four);
    weft_proxy_destroy(one);
    free(x);
    weft_mesh_destroy(cloth);
}

/* The search must use the tree. A loop over all triangles would take minutes. */
static void binding_time_is_not_quadratic(void **state) {
    (void)state;
    weft_mesh *cloth = sheet(70, 0, 0.1), *fine = sheet(316, 0.01, 0.1);
    weft_proxy *proxy;
    clock_t begin = clock();
    must(weft_proxy_bind(cloth, fine, 1, &proxy));
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("%d vertices on %d triangles: %.2f s\n", fine->vertex_count, cloth->triangle_count, seconds);
    assert_true(seconds < 20);
    weft_proxy_destroy(proxy);
    weft_mesh_destroy(cloth);
}

/* -- meshes that change -- */

typedef struct moving {
    test_sim made;
    weft_mesh *fine, *shell; /* on the cloth, and above it; owned by the proxies */
    weft_proxy *proxy, *above;
    int32_t *origin;
} moving;

static weft_mesh *lying(int64_t cells, double height) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = cells;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        mesh->position[v].z += height;
    return mesh;
}

static moving make_moving(void) {
    moving m = {.fine = lying(40, 0), .shell = lying(23, 0.03)};
    must(weft_registry_create(&m.made.registry));
    must(weft_sim_create(m.made.registry, &m.made.sim));
    plain_sim(m.made.sim);
    weft_sim *sim = m.made.sim;
    weft_fabric fabric = weft_fabric_preset_find("wool")->fabric;
    fabric.tear_weft = 0.2; /* never reached; it only allows the cloth to be cut from the start */
    must(weft_sim_add_cloth(sim, "sheet", lying(8, 0), &fabric, "corotational", NULL));
    must(weft_sim_add_force(sim, "gravity", NULL));
    must(weft_sim_add_force(sim, "wind", NULL));
    must(weft_sim_set(sim, "forces.wind.speed", "3"));
    must(weft_sim_set(sim, "forces.wind.direction", "[0.3, 0.2, 1]"));
    must(weft_sim_set(sim, "forces.wind.randomness", "1"));
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    must(weft_sim_set_adapt(sim, "sqrt3"));
    must(weft_sim_set(sim, "adapt.refine", "[0.3, 2]"));
    must(weft_sim_set(sim, "adapt.max_generation", "6"));
    must(weft_sim_set(sim, "adapt.every", "2"));
    must(weft_sim_prepare(sim));
    weft_pin pin = weft_pin_default();
    must(weft_sim_add_pin(sim, 0, &pin, (int32_t[]){0, 8}, 2));
    must(weft_proxy_bind(weft_sim_cloth(sim, 0)->mesh, m.fine, 2, &m.proxy));
    must(weft_proxy_bind(weft_sim_cloth(sim, 0)->mesh, m.shell, 2, &m.above));
    return m;
}

static void close_moving(moving *m) {
    free(m->origin);
    weft_proxy_destroy(m->above);
    weft_proxy_destroy(m->proxy);
    weft_sim_destroy(m->made.sim);
    weft_registry_destroy(m->made.registry);
}

static void follow(moving *m, weft_proxy *proxy, const weft_vec3 *position) {
    const weft_mesh *mesh = weft_sim_cloth(m->made.sim, 0)->mesh;
    m->origin = realloc(m->origin, (size_t)mesh->triangle_count * sizeof *m->origin);
    must(weft_sim_origins(m->made.sim, 0, m->origin));
    must(weft_proxy_follow(proxy, mesh, m->origin, position));
}

/* The largest distance of the proxy's vertices from the current cloth. */
static double farthest(const moving *m, const weft_vec3 *x) {
    const weft_mesh *mesh = weft_sim_cloth(m->made.sim, 0)->mesh;
    weft_closest *closest;
    must(weft_closest_create(weft_sim_positions(m->made.sim, 0), (const int32_t(*)[3])mesh->triangle,
                             mesh->triangle_count, &closest));
    double most = 0;
    for (int32_t v = 0; v < m->fine->vertex_count; v++)
        most = fmax(most, sqrt(weft_closest_find(closest, x[v]).squared));
    weft_closest_destroy(closest);
    return most;
}

/* A proxy on the cloth stays on it however its mesh has changed. At rest it has its original shape, also if it is above
 * the cloth. */
static void follows_refined_surface(void **state) {
    (void)state;
    moving m = make_moving();
    for (int step = 0; step < 80; step++) {
        weft_report report;
        must(weft_sim_step(m.made.sim, 0.005, &report));
        assert_int_equal(report.status, WEFT_STATUS_OK);
        if (step % 20 != 19)
            continue;
        const weft_vec3 *x = weft_sim_positions(m.made.sim, 0);
        const weft_mesh *mesh = weft_sim_cloth(m.made.sim, 0)->mesh;
        assert_true(mesh->triangle_count > 200);
        follow(&m, m.proxy, x);
        assert_near(farthest(&m, weft_proxy_positions(m.proxy)), 0, 1e-12);
        for (int32_t v = 0; v < 81; v++) /* vertices that coincide in both meshes */
            assert_near(weft_distance(weft_proxy_positions(m.proxy)[5 * (v / 9) * 41 + 5 * (v % 9)], x[v]), 0, 1e-12);
        assert_null(weft_proxy_open_faces(m.proxy));
        weft_proxy *both[2] = {m.proxy, m.above};
        const weft_mesh *fine[2] = {m.fine, m.shell};
        for (int i = 0; i < 2; i++) {
            follow(&m, both[i], mesh->position);
            for (int32_t v = 0; v < fine[i]->vertex_count; v++)
                assert_near(weft_distance(weft_proxy_positions(both[i])[v], fine[i]->position[v]), 0, 1e-12);
        }
    }
    close_moving(&m);
}

/* Faces across a cut are open, and the cut tears no other face apart. */
static void opens_along_cracks(void **state) {
    (void)state;
    moving m = make_moving();
    weft_vec3 eye = {0.5, -0.4, 2}, ray[2] = {{0.06, 0.5, -2}, {0.06, -0.7, -2}};
    int32_t cut;
    must(weft_sim_cut(m.made.sim, 0, eye, ray, 2, &cut));
    assert_true(cut > 3);
    for (int step = 0; step < 40; step++) {
        weft_report report;
        must(weft_sim_step(m.made.sim, 0.005, &report));
    }
    follow(&m, m.proxy, weft_sim_positions(m.made.sim, 0));
    assert_near(farthest(&m, weft_proxy_positions(m.proxy)), 0, 1e-12);
    const uint8_t *open = weft_proxy_open_faces(m.proxy);
    assert_non_null(open);
    const weft_vec3 *x = weft_proxy_positions(m.proxy);
    int32_t opened = 0;
    double longest = 0, across = 0;
    for (int32_t f = 0; f < m.fine->face_count; f++) {
        int32_t h = m.fine->face_halfedge[f];
        opened += open[f];
        for (int k = 0; k < 4; k++, h = m.fine->next[h]) {
            double length = weft_distance(x[m.fine->origin[h]], x[m.fine->origin[m.fine->next[h]]]);
            *(open[f] ? &across : &longest) = fmax(open[f] ? across : longest, length);
        }
    }
    print_message("%d of %d faces open, edges of 25 mm: %.1f mm within, %.1f mm across\n", opened, m.fine->face_count,
                  1000 * longest, 1000 * across);
    assert_true(opened >= 20 && opened < 200);
    assert_true(longest < 0.04);
    assert_true(across > 0.1);
    close_moving(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_rigid_motion),
        cmocka_unit_test(follows_affine_stretch),
        cmocka_unit_test(shell_keeps_its_distance),
        cmocka_unit_test(torn_faces_open_proxy_faces),
        cmocka_unit_test(search_finds_closest_triangle),
        cmocka_unit_test(search_accepts_any_number_of_triangles),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(binding_time_is_not_quadratic),
        cmocka_unit_test(follows_refined_surface),
        cmocka_unit_test(opens_along_cracks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
