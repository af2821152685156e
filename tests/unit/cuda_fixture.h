/* Pairs of simulations: one on the CPU, one whose steps run the kernels of the GPU backend as loops on the CPU. */
#ifndef WEFT_TESTS_CUDA_FIXTURE_H
#define WEFT_TESTS_CUDA_FIXTURE_H

#include "backend.h"
#include "sim/internal.h"
#include "simulation.h"
#include "support.h"
#include "weft/vec.h"

/* What a test sets, as pairs of path and value that end with null. */
typedef struct cuda_case {
    const char *model, *integrator;
    const char *set[16];
    int wind; /* gravity, damping and three kinds of wind; otherwise gravity alone */
} cuda_case;

static inline weft_registry *cuda_registry(void) {
    weft_registry *registry;
    must(weft_registry_create(&registry));
    must(weft_registry_add(registry, &gpu_host_device));
    return registry;
}

static inline void cuda_forces(weft_sim *sim, int wind) {
    must(weft_sim_add_force(sim, "gravity", NULL));
    if (!wind)
        return;
    must(weft_sim_add_force(sim, "air-damping", NULL));
    must(weft_sim_add_force(sim, "wind", NULL));
    must(weft_sim_set(sim, "forces.wind.randomness", "0.5"));
    must(weft_sim_add_force(sim, "wind-point", NULL));
    must(weft_sim_set(sim, "forces.wind-point.centre", "[0.3, 0.2, 0.5]"));
    must(weft_sim_add_force(sim, "wind-vortex", NULL));
    must(weft_sim_set(sim, "forces.wind-vortex.updraft", "2"));
}

/* A sheet of `cells` x 6/10 `cells`, pinned at two corners, one of which moves. `device`: cpu or cuda-host. */
static inline weft_sim *cuda_sheet(const weft_registry *registry, const cuda_case *c, int cells, const char *device) {
    weft_sim *sim;
    weft_mesh *mesh;
    int32_t cloth;
    weft_grid grid = weft_grid_default();
    weft_pin pin = weft_pin_default(), moving = weft_pin_default();
    weft_key keys[2] = {{.time = 0}, {.time = 0.1, .offset = {0.05, 0.02, 0.05}, .angle = 0.3}};
    moving.key = keys;
    moving.key_count = 2;
    grid.cells[0] = cells;
    grid.cells[1] = cells * 6 / 10;
    grid.size[0] = 1;
    grid.size[1] = 0.6;
    must(weft_sim_create(registry, &sim));
    must(weft_sim_set_integrator(sim, c->integrator));
    must(weft_sim_set(sim, "device.name", device));
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, c->model, &cloth));
    for (int i = 0; i + 1 < 16 && c->set[i]; i += 2)
        must(weft_sim_set(sim, c->set[i], c->set[i + 1]));
    cuda_forces(sim, c->wind);
    must(weft_sim_add_pin(sim, cloth, &pin, (int32_t[]){0}, 1));
    must(weft_sim_add_pin(sim, cloth, &moving, (int32_t[]){cells}, 1));
    return sim;
}

/* Largest distance of two states, m. */
static inline double cuda_distance(const weft_sim *a, const weft_sim *b) {
    const weft_vec3 *x = weft_sim_positions(a, 0), *y = weft_sim_positions(b, 0);
    double most = 0;
    for (int32_t i = 0; i < weft_sim_cloth(a, 0)->mesh->vertex_count; i++)
        most = fmax(most, weft_distance(x[i], y[i]));
    return most;
}

/* |a - b| / |b| */
static inline double cuda_error(const weft_vec3 *a, const weft_vec3 *b, int32_t count) {
    double difference = 0, whole = 0;
    for (int32_t i = 0; i < count; i++) {
        weft_vec3 d = weft_sub(a[i], b[i]);
        difference += weft_dot(d, d);
        whole += weft_dot(b[i], b[i]);
    }
    return sqrt(difference) / sqrt(whole);
}

#endif
