/* The kernels of contact for one pair against the engine's own functions, on random and degenerate features; the search
 * for near pairs against all pairs; the audit against the engine's. */
#include <string.h>

#include "contact/ccd.h"
#include "contact/edge_fade.h"
#include "contact_kernels.h"
#include "contact_world.h"
#include "core/elementary.h"
#include "cuda_fixture.h"

static uint64_t drawn;

/* In [-1, 1]. */
static double draw(void) { return 2 * weft_random(7, drawn++) - 1; }

static weft_vec3 draw_vector(double size) {
    double x = draw(), y = draw(), z = draw();
    return weft_vec3_make(size * x, size * y, size * z);
}

/* Features in general position, and by turns flat, parallel, with coinciding corners and without extent. */
static void draw_features(int number, weft_vec3 *x) {
    for (int k = 0; k < 4; k++)
        x[k] = draw_vector(number % 7 == 6 ? 1e-6 : 1);
    if (number % 7 == 1)
        for (int k = 0; k < 4; k++)
            x[k].y = number % 2 ? 0 : 1e-9 * draw();
    if (number % 7 == 2)
        x[3] = weft_add(x[2], weft_sub(x[1], x[0]));
    if (number % 7 == 3)
        x[3] = x[2];
    if (number % 7 == 4)
        x[0] = weft_add_scaled(x[1], 0.5, weft_sub(x[2], x[1]));
    if (number % 7 == 5)
        x[1] = x[2] = x[3];
}

static void distances_have_the_bits_of_the_engine(void **state) {
    (void)state;
    for (int i = 0; i < 40000; i++) {
        weft_vec3 x[4];
        double w[4] = {0}, v[4] = {0};
        int kind = i / 7 % 2;
        draw_features(i, x);
        double ours = gpu_closest(kind, x, w), theirs = weft_closest((weft_pair_kind)kind, x, v);
        assert_true(ours == theirs);
        assert_memory_equal(w, v, sizeof w);
        double most = fabs(draw());
        assert_int_equal(gpu_surely_farther(kind, x, most), weft_surely_farther((weft_pair_kind)kind, x, most));
    }
}

static void continuous_detection_has_the_bits_of_the_engine(void **state) {
    (void)state;
    int hits = 0;
    for (int i = 0; i < 20000; i++) {
        weft_vec3 x[4], y[4];
        gpu_ccd_hit ours = {0};
        weft_ccd_hit theirs = {0};
        int kind = i / 7 % 2;
        draw_features(i, x);
        draw_features(i + 7 * (i % 3), y);
        double margin = i % 5 ? 0 : 0.1 * fabs(draw());
        int ours_hit = gpu_ccd(kind, x, y, margin, &ours),
            theirs_hit = weft_ccd((weft_pair_kind)kind, x, y, margin, &theirs);
        assert_int_equal(ours_hit, theirs_hit);
        assert_true(!ours_hit || ours.time == theirs.time);
        hits += ours_hit;
    }
    assert_true(hits > 1000 && hits < 19000);
}

/* Force and stiffness are the derivatives of the potential, and the logarithm is the engine's. */
static void the_barrier_is_smooth(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) {
        double reach = 1e-3 * (1 + fabs(draw())), d = reach * (0.01 + 0.98 * fabs(draw())), by = 1e-6 * d;
        double force, stiffness, above_force, above_stiffness, below_force, below_stiffness;
        double at = gpu_barrier(d, reach, &force, &stiffness);
        double above = gpu_barrier(d + by, reach, &above_force, &above_stiffness);
        double below = gpu_barrier(d - by, reach, &below_force, &below_stiffness);
        assert_true(at > 0 && force > 0 && stiffness > 0);
        assert_below(fabs((below - above) / (2 * by) - force), 1e-5 * force + 1e-9);
        assert_below(fabs((below_force - above_force) / (2 * by) - stiffness), 1e-4 * stiffness);
        assert_true(gpu_ln(d / reach) == weft_ln(d / reach));
    }
}

/* -- the fading of edges -- */

/* Two edges of some 3 cm about 1 mm apart that cross at an angle with the given sine. `number`: by turns the closest
 * points are inside and at an end. */
static void draw_edges(int number, double sine, weft_vec3 *x) {
    double s = 0.5 + 0.4 * draw(), t = number % 2 ? 0.5 + 0.4 * draw() : 1.2, cosine = sqrt(1 - sine * sine);
    weft_vec3 a = {0.03, 1e-4 * draw(), 0}, b = {0.02 * cosine, 0.001 * sine, 0.02 * sine};
    x[0] = weft_scale(-s, a);
    x[1] = weft_scale(1 - s, a);
    x[2] = weft_add_scaled(weft_vec3_make(0, 0.001, 0), -t, b);
    x[3] = weft_add(x[2], b);
}

static const double SINES[] = {0.9, 0.05, 0.025, 0.01, 0.004};

static void edges_fade_with_the_bits_of_the_engine(void **state) {
    (void)state;
    for (int i = 0; i < 500; i++) {
        weft_vec3 x[4], theirs[4];
        double energy = fabs(draw()), reach = 1e-3 * fabs(draw());
        draw_edges(i, SINES[i % 5], x);
        double narrow = contact_edge_narrow(x, reach);
        assert_true(gpu_edge_narrow(x, reach) == narrow);
        assert_true(gpu_edge_factor(x, narrow) == contact_edge_factor(x, narrow));
        contact_edge_fading(x, narrow, energy, theirs);
        for (int k = 0; k < 4; k++) {
            weft_vec3 ours = gpu_edge_fading(x, gpu_edge_share(x, narrow, energy), k);
            assert_true(ours.x == theirs[k].x && ours.y == theirs[k].y && ours.z == theirs[k].z);
        }
    }
}

/* A pair of edges of two cloths, with the places x. */
typedef struct edge_scene {
    gpu_near near;
    gpu_object object[2];
    int32_t edge[4], object_of[4];
    gpu_contact contact;
} edge_scene;

static void set_edges(edge_scene *scene, const weft_vec3 *x, double reach) {
    *scene = (edge_scene){.near = {.key = gpu_make_key(GPU_EDGE_EDGE, 0, 1), .most = reach, .reach = reach, .grip = -1},
                          .object = {{.friction = 1}, {.friction = 1}},
                          .edge = {0, 1, 2, 3},
                          .object_of = {0, 0, 1, 1}};
    scene->near.narrow = (float)gpu_edge_narrow(x, reach);
    scene->contact = (gpu_contact){.count = 4,
                                   .cloths = 4,
                                   .friction = 0.5,
                                   .edge = scene->edge,
                                   .object_of = scene->object_of,
                                   .object = scene->object,
                                   .near = &scene->near};
}

/* All forces of a touch, of the barrier and of its fading, are the derivative of its energy: the line search would
 * otherwise meet directions in which the energy rises. */
static void forces_of_edges_are_the_derivative_of_their_energy(void **state) {
    (void)state;
    const double step = 1e-9;
    int faded = 0, at_end = 0;
    for (int i = 0; i < 500; i++) {
        weft_vec3 x[4];
        edge_scene scene;
        gpu_touch touch, other;
        draw_edges(i, SINES[i % 5], x);
        set_edges(&scene, x, 0.005);
        scene.contact.x = x;
        if (gpu_touch_pair(&scene.contact, 0, x, &touch) == 0)
            continue;
        faded += touch.share != 0;
        at_end += touch.weight[2] == 0 || touch.weight[3] == 0;
        for (int k = 0; k < 12; k++) {
            double *at = &x[k / 3].x + k % 3, was = *at;
            weft_vec3 all = weft_scale(touch.weight[k / 3] * touch.force, touch.normal);
            all = weft_add(all, gpu_fading_of(&scene.contact, &touch, k / 3));
            *at = was + step;
            double more = gpu_touch_pair(&scene.contact, 0, x, &other);
            *at = was - step;
            double less = gpu_touch_pair(&scene.contact, 0, x, &other);
            *at = was;
            assert_below(fabs((less - more) / (2 * step) - (&all.x)[k % 3]), 1e-4 * touch.force + 1e-6);
        }
    }
    assert_true(faded > 50 && at_end > 50);
}

/* -- the search -- */

static gpu_simulation *prepared(weft_sim *sim) {
    must(weft_sim_prepare(sim));
    return sim->device.self;
}

/* Two crumpled sheets and a ball. */
static weft_sim *tangle(const weft_registry *registry, const char *self) {
    weft_sim *sim;
    must(weft_sim_create(registry, &sim));
    must(weft_sim_remove_force(sim, 0));
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    must(weft_sim_set(sim, "device.name", "cuda-host"));
    for (int k = 0; k < 2; k++) {
        weft_grid grid = weft_grid_default();
        weft_mesh *mesh;
        grid.cells[0] = grid.cells[1] = 9 + k;
        grid.origin = weft_vec3_make(0.02 * k, 0, 0.05 * k);
        must(weft_mesh_create_grid(&grid, &mesh));
        must(weft_sim_add_cloth(sim, k ? "a" : "b", mesh, &weft_fabric_preset_find("cotton")->fabric, NULL, NULL));
    }
    must(weft_sim_add_body(sim, "sphere", NULL, NULL));
    must(weft_sim_set(sim, "bodies.sphere.radius", "0.3"));
    must(weft_sim_set(sim, "bodies.sphere.at", "[0.5, -0.5, 0]"));
    must(weft_sim_set(sim, "contact.self", self));
    must(weft_sim_set(sim, "contact.thickness", "0.03"));
    return sim;
}

/* A search line of crumpled surfaces: places at its start and at its end. */
static void crumple(gpu_contact *c, double size, double motion) {
    weft_vec3 common = draw_vector(10 * motion);
    for (int32_t i = 0; i < c->count; i++) {
        c->start[i] = c->finish[i] = c->x[i] = weft_add(c->rest[i], draw_vector(size));
        c->x_next[i] = weft_add(weft_add(c->x[i], common), draw_vector(motion));
    }
}

static int is_excluded(const weft_gpu *g, int kind, const int32_t *v) {
    const gpu_contact *c = &g->contact;
    int first = kind == GPU_VERTEX_TRIANGLE ? 1 : 2, bodies = 0;
    for (int k = 0; k < first; k++)
        for (int m = first; m < 4; m++)
            if (v[k] == v[m])
                return 1;
    bodies = (v[0] >= c->cloths) + (v[3] >= c->cloths);
    return bodies == 2 || (bodies == 0 && !c->self);
}

/* Whether a pair comes within the spare distance of its reach somewhere on the line. Others may be left out. */
static int comes_near(const gpu_contact *c, int kind, const int32_t *v) {
    enum { SAMPLES = 64 };
    for (int k = 0; k <= SAMPLES; k++) {
        weft_vec3 at[4];
        double weight[4], t = (double)k / SAMPLES;
        for (int m = 0; m < 4; m++)
            at[m] = weft_add_scaled(c->x[v[m]], t, weft_sub(c->x_next[v[m]], c->x[v[m]]));
        if (sqrt(weft_closest((weft_pair_kind)kind, at, weight)) <= gpu_widest(c, kind, v) + c->spare)
            return 1;
    }
    return 0;
}

/* Tests all pairs: counts those that may be listed, and those that are missing. */
static int64_t count_all(const weft_gpu *g, int64_t *missing) {
    const gpu_contact *c = &g->contact;
    int64_t found = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int32_t a = 0; a < (kind ? c->edges : c->count); a++)
            for (int32_t b = kind ? a + 1 : 0; b < (kind ? c->edges : c->triangles); b++) {
                int32_t v[4];
                double most;
                gpu_key key = gpu_make_key(kind, a, b);
                gpu_pair_vertices(c, key, v);
                if (is_excluded(g, kind, v) || !gpu_is_near(g, key, v, &most))
                    continue;
                found++;
                *missing += gpu_find(c->near, c->near_count, sizeof *c->near, key) < 0 && comes_near(c, kind, v);
            }
    return found;
}

static void the_search_finds_all_near_pairs(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    for (int round = 0; round < 6; round++) {
        weft_sim *sim = tangle(registry, round % 3 == 2 ? "false" : "true");
        gpu_simulation *s = prepared(sim);
        gpu_contact *c = &s->gpu.contact;
        crumple(c, 0.02 + 0.03 * round, round % 2 ? 0.02 : 0.2);
        double fraction;
        int64_t missing = 0;
        s->world->near_valid = 0;
        assert_true(gpu_limit_motion(s, 0, &fraction));
        for (int32_t i = 1; i < c->near_count; i++)
            assert_true(c->near[i - 1].key < c->near[i].key);
        int64_t most = count_all(&s->gpu, &missing);
        assert_true(missing == 0 && c->near_count > 100 && c->near_count <= most);
        weft_sim_destroy(sim);
    }
    weft_registry_destroy(registry);
}

static void the_audit_counts_as_the_engine_does(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    for (int round = 0; round < 4; round++) {
        weft_sim *sim = tangle(registry, "true");
        gpu_simulation *s = prepared(sim);
        gpu_contact *c = &s->gpu.contact;
        weft_contact_surfaces view = weft_contact_view(sim->contact, &sim->contact_settings);
        const weft_vec3 *start, *end;
        uint8_t absent[8];
        weft_contact_place_bodies(sim->contact, 0, 1e-3, &start, &end, absent);
        for (int32_t i = 0; i < c->count; i++)
            if (i < c->cloths)
                s->gpu.x_start[i] = sim->x[i] = weft_add(view.rest[i], draw_vector(0.02 * round));
            else
                c->finish[i] = start[i - c->cloths];
        weft_intersections found;
        int64_t crossings = -1;
        must(sim->device.functions->audit(s, &crossings));
        must(weft_sim_intersections(sim, &found));
        assert_true(crossings == found.self + found.cloths + found.bodies);
        assert_true(crossings > 0);
        weft_sim_destroy(sim);
    }
    weft_registry_destroy(registry);
}

/* -- the linear system -- */

/* The product with the terms is symmetric, does not feel common motion of cloths, and is the same in float and double.
 */
static void terms_are_symmetric(void **state) {
    (void)state;
    gpu_term term = {.vertex = {0, 1, 2, 3}, .weight = {1, -0.25F, -0.5F, -0.25F}, .differs = 1};
    gpu_entry entry[4];
    int32_t start[5] = {0, 1, 2, 3, 4};
    float u[16], load[4];
    double p[6];
    weft_vec3 n = weft_normalize(draw_vector(1)), t = weft_normalize(weft_cross(n, draw_vector(1)));
    gpu_term_tensor(1e8, 7, n, t, 1, p);
    for (int m = 0; m < 6; m++)
        term.p[m] = (float)p[m];
    for (int k = 0; k < 4; k++)
        entry[k] = (gpu_entry){0, term.weight[k]};
    weft_vec3 exact[1];
    weft_gpu g = {
        .count = 4,
        .u = u,
        .coupling = {.terms = 1, .term = &term, .load = load, .exact = exact, .start = start, .entry = entry}};
    double matrix[12][12];
    for (int column = 0; column < 12; column++) {
        weft_vec3 x[4] = {{0, 0, 0}};
        *((double *)x + column) = 1;
        g.coupling.of = x;
        gpu_contact_load_exactly(&g, 0);
        for (int i = 0; i < 4; i++) {
            double y[3] = {0};
            gpu_add_coupling_exactly(&g, i, y);
            for (int r = 0; r < 3; r++)
                matrix[3 * i + r][column] = y[r];
        }
    }
    for (int r = 0; r < 12; r++)
        for (int c = 0; c < 12; c++)
            assert_below(fabs(matrix[r][c] - matrix[c][r]), 1e-8 * 1e8);
    for (int i = 0; i < 16; i++)
        u[i] = i % 4 == 3 ? 0 : 0.1F;
    gpu_contact_load(&g, 0);
    assert_true(load[0] == 0 && load[1] == 0 && load[2] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_have_the_bits_of_the_engine),
        cmocka_unit_test(continuous_detection_has_the_bits_of_the_engine),
        cmocka_unit_test(the_barrier_is_smooth),
        cmocka_unit_test(edges_fade_with_the_bits_of_the_engine),
        cmocka_unit_test(forces_of_edges_are_the_derivative_of_their_energy),
        cmocka_unit_test(the_search_finds_all_near_pairs),
        cmocka_unit_test(the_audit_counts_as_the_engine_does),
        cmocka_unit_test(terms_are_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
