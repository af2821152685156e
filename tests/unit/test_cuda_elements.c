/* The kernels of the GPU backend, run as loops on the CPU, against the models and forces of the engine: forces,
 * energies, matrices and right-hand sides of crumpled sheets in the wind. */
#include "cuda_fixture.h"
#include "kernels_matrix.h"
#include "kernels_pcg.h"
#include "solve/equations.h"

#define FEM "corotational", "bdf2"

static const cuda_case CASES[] = {
    {FEM, {NULL}, 1},
    {FEM, {"cloth.model.angle", "0.4"}, 0},
    {FEM, {"cloth.model.strain", "corotated", "cloth.model.bending", "edges", "cloth.model.alpha", "0.7"}, 1},
    {FEM, {"cloth.model.strain", "green", "cloth.model.bending", "hinge"}, 0},
    {FEM, {"cloth.model.force", "frozen", "cloth.model.hessian", "frozen", "cloth.model.bending", "springs"}, 0},
    {FEM, {"cloth.model.bending", "none", "cloth.fabric.damping", "0"}, 0},
    {FEM, {"cloth.fabric.damping", "0"}, 0},
    {"springs", "bdf2", {"cloth.model.damping_time", "0.002"}, 1},
    {"springs", "bdf2", {"cloth.model.damping_time", "0.002", "cloth.model.damping_kind", "isotropic"}, 0},
    {"buckling", "bdf2", {NULL}, 0},
};

/* Moves every vertex by up to 2 mm and gives it a velocity, so that triangles are stretched, squeezed and bent. */
static void crumple(weft_sim *sim) {
    must(weft_sim_prepare(sim));
    for (int32_t i = 0; i < sim->count; i++) {
        weft_vec3 by = {weft_random(5, 6 * (uint64_t)i), weft_random(5, 6 * (uint64_t)i + 1),
                        weft_random(5, 6 * (uint64_t)i + 2)};
        weft_vec3 v = {weft_random(5, 6 * (uint64_t)i + 3), weft_random(5, 6 * (uint64_t)i + 4),
                       weft_random(5, 6 * (uint64_t)i + 5)};
        must(weft_sim_place(sim, 0, i, weft_add_scaled(sim->x[i], 4e-3, weft_sub(by, (weft_vec3){0.5, 0.5, 0.5})), v));
    }
    must(weft_sim_prepare(sim));
}

/* A simulation on the device in a crumpled state, with the forces of that state. The host execution has its memory in
 * that of the process. */
static gpu_simulation *begin(weft_sim *sim) {
    crumple(sim);
    gpu_simulation *s = sim->device.self;
    weft_gpu *g = &s->gpu;
    g->air = sim_device_air(sim, sim->time);
    g->dt = 0.004;
    g->h = 0.003;
    g->now = 1;
    g->before = 0;
    gpu_run(s, GPU_start, g->count);
    assert_true(gpu_evaluate_forces(s));
    return s;
}

/* The vector of each vertex in the order of the engine. */
static void fetch(const gpu_simulation *s, const weft_vec3 *from, weft_vec3 *to) {
    for (int32_t i = 0; i < s->gpu.count; i++)
        to[i] = from[s->place ? s->place[i] : i];
}

/* y = (M + h D + h^2 K) z by the element blocks of the engine; ku = K u. */
static void reference_product(weft_sim *sim, double h, const weft_vec3 *z, const weft_vec3 *u, weft_vec3 *y,
                              weft_vec3 *ku) {
    weft_system system = sim_system(sim);
    double *air = calloc(6 * (size_t)sim->count, sizeof *air);
    weft_arena_empty(sim->work.arena);
    weft_system_external_damping(&system, sim->x, sim->v, air);
    for (int32_t i = 0; i < sim->count; i++) {
        const double *a = air + 6 * (size_t)i;
        weft_vec3 damped = {a[0] * z[i].x + a[1] * z[i].y + a[2] * z[i].z,
                            a[1] * z[i].x + a[3] * z[i].y + a[4] * z[i].z,
                            a[2] * z[i].x + a[4] * z[i].y + a[5] * z[i].z};
        y[i] = weft_add_scaled(weft_scale(sim->mass[i], z[i]), h, damped);
        ku[i] = weft_vec3_make(0, 0, 0);
    }
    free(air);
    for (int32_t l = 0; l < weft_system_list_count(&system); l++) {
        int32_t first;
        weft_elements list = weft_system_list(&system, l, &first);
        for (int32_t e = 0; e < list.count; e++) {
            double k[9 * 28], d[9 * 28], both[9];
            weft_system_element_blocks(&system, l, &e, 1, sim->x, sim->v, k, d);
            for (int a = 0, pair = 0; a < list.arity; a++)
                for (int b = a + 1; b < list.arity; b++, pair++) {
                    int32_t i = first + list.vertex[e * list.arity + a], j = first + list.vertex[e * list.arity + b];
                    weft_vec3 dz = weft_sub(z[j], z[i]), du = weft_sub(u[j], u[i]);
                    for (int m = 0; m < 9; m++)
                        both[m] = h * (h * k[9 * pair + m] + d[9 * pair + m]);
                    y[i] = weft_add(y[i], gpu_block_times(both, dz));
                    y[j] = weft_sub(y[j], gpu_transpose_times(both, dz));
                    ku[i] = weft_add(ku[i], gpu_block_times(k + 9 * pair, du));
                    ku[j] = weft_sub(ku[j], gpu_transpose_times(k + 9 * pair, du));
                }
        }
    }
}

static void check_forces(weft_sim *sim, gpu_simulation *s) {
    weft_system system = sim_system(sim);
    weft_vec3 *f = calloc((size_t)sim->count, sizeof *f);
    weft_arena_empty(sim->work.arena);
    weft_system_force(&system, sim->x, sim->v, f);
    weft_vec3 *got = calloc((size_t)sim->count, sizeof *got);
    fetch(s, s->gpu.f, got);
    assert_below(cuda_error(got, f, sim->count), 1e-11);
    free(got);
    s->gpu.at_x = s->gpu.x;
    double energy = weft_system_energy(&system, sim->x);
    double sum = gpu_sum(s, GPU_triangle_energies, s->gpu.triangle_count) +
                 gpu_sum(s, GPU_bend_energies, s->gpu.bend_count) + gpu_sum(s, GPU_pair_energies, s->gpu.pair_count);
    assert_near(sum, energy, 1e-12 * fabs(energy));
    free(f);
}

/* Blocks are stored in float. */
static void check_matrix(weft_sim *sim, gpu_simulation *s) {
    weft_gpu *g = &s->gpu;
    size_t count = (size_t)sim->count;
    weft_vec3 *z = calloc(count, sizeof *z), *u = calloc(count, sizeof *u), *y = calloc(count, sizeof *y),
              *ku = calloc(count, sizeof *ku), *b = calloc(count, sizeof *b), *got = calloc(count, sizeof *got),
              *at = calloc(count, sizeof *at), *row = calloc(count, sizeof *row);
    g->first = 1;
    gpu_assemble(s);
    for (size_t i = 0; i < count; i++) {
        z[i] =
            (weft_vec3){weft_random(9, 3 * i) - 0.5, weft_random(9, 3 * i + 1) - 0.5, weft_random(9, 3 * i + 2) - 0.5};
        at[s->place ? s->place[i] : (int32_t)i] = z[i];
        u[i] = gpu_lag(g, s->place ? s->place[i] : (int32_t)i);
    }
    reference_product(sim, g->h, z, u, y, ku);
    for (int32_t i = 0; i < sim->count; i++)
        row[i] = gpu_row_exactly(g, at, i);
    fetch(s, row, got);
    assert_below(cuda_error(got, y, sim->count), 2e-7);
    fetch(s, g->f, got);
    for (int32_t i = 0; i < sim->count; i++)
        b[i] = weft_add_scaled(weft_scale(g->h, got[i]), -g->h, ku[i]); /* V = v */
    fetch(s, g->b, got);
    assert_below(cuda_error(got, b, sim->count), 1e-11);
    for (int32_t i = 0; i < sim->count; i++) /* the product of the iteration is in float */
        gpu_store_four(g->u, i, (float)at[i].x, (float)at[i].y, (float)at[i].z, 0);
    for (int32_t i = 0; i < sim->count; i++) {
        gpu_float3 w = gpu_row_product(g, i);
        row[i] = (weft_vec3){(double)w.x, (double)w.y, (double)w.z};
    }
    fetch(s, row, got);
    assert_below(cuda_error(got, y, sim->count), 1e-6);
    void *owned[] = {z, u, y, ku, b, got, at, row};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
}

static void elements_agree(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        weft_sim *sim = cuda_sheet(registry, &CASES[i], 10, "cuda-host");
        gpu_simulation *s = begin(sim);
        if (figures_are_asked_for())
            print_message("case %d: %s, %d floats per entry of the tail\n", (int)i, CASES[i].model, s->gpu.tail.floats);
        check_forces(sim, s);
        check_matrix(sim, s);
        weft_sim_destroy(sim);
    }
    weft_registry_destroy(registry);
}

/* Neighbours that only quadratic bending couples take one float without damping. With damping they take four where one
 * element couples each pair, as along the lines of a grid, and six elsewhere. */
static void tails_are_short(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    const int floats[] = {4, 6, 6, 9, 9, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        weft_sim *sim = cuda_sheet(registry, &CASES[i], 10, "cuda-host");
        must(weft_sim_prepare(sim));
        assert_int_equal(((gpu_simulation *)sim->device.self)->gpu.tail.floats, floats[i]);
        weft_sim_destroy(sim);
    }
    weft_registry_destroy(registry);
}

/* On a grid of alternating diagonals rows of four and eight neighbours would share slices. Sorted, they leave little
 * padding. Columns take 16 bits. */
static void slices_are_full(void **state) {
    (void)state;
    weft_registry *registry = cuda_registry();
    weft_sim *sim = cuda_sheet(registry, &CASES[0], 60, "cuda-host");
    must(weft_sim_prepare(sim));
    const weft_gpu *g = &((gpu_simulation *)sim->device.self)->gpu;
    int64_t stored = (int64_t)(g->head.entries + g->tail.entries) * GPU_SLICE, entries = g->gather.entry[g->count];
    assert_true(g->count > 2000 && entries > 11 * (int64_t)g->count);
    assert_below((double)stored / (double)entries, 1.15);
    assert_non_null(g->head.ahead);
    assert_non_null(g->tail.ahead);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_agree),
        cmocka_unit_test(tails_are_short),
        cmocka_unit_test(slices_are_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
