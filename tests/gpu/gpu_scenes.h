/* Scenes without files, for programs that run on a machine with a GPU and nothing else. */
#ifndef WEFT_TESTS_GPU_SCENES_H
#define WEFT_TESTS_GPU_SCENES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend.h"
#include "weft/vec.h"
#include "weft/weft.h"

static inline void must(weft_result result) {
    if (result.code != WEFT_OK) {
        fprintf(stderr, "%s\n", result.message);
        exit(1);
    }
}

/* A sheet that hangs in gusty wind. */
typedef struct gpu_scene {
    const char *name;
    const char *model, *integrator;
    int cells[2];
    double step;         /* s */
    const char *set[12]; /* paths and values, ended by null */
} gpu_scene;

static inline weft_registry *gpu_registry(void) {
    weft_registry *registry;
    must(weft_registry_create(&registry));
    must(weft_registry_add(registry, &gpu_host_device));
    must(weft_registry_add(registry, &gpu_cuda_device));
    return registry;
}

/* data/scenes/flag.yaml with another mesh, model and integrator. */
static inline weft_sim *gpu_flag(const weft_registry *registry, const gpu_scene *scene, const char *device,
                                 int threads) {
    weft_sim *sim;
    weft_mesh *mesh;
    int32_t cloth;
    weft_grid grid = weft_grid_default();
    weft_select left = {.kind = WEFT_SELECT_SIDE, .name = "left"};
    weft_pin pin = weft_pin_default();
    grid.cells[0] = scene->cells[0];
    grid.cells[1] = scene->cells[1];
    grid.size[0] = 1.5;
    grid.size[1] = 1;
    must(weft_sim_create(registry, &sim));
    weft_sim_set_threads(sim, threads);
    must(weft_sim_set_integrator(sim, scene->integrator));
    must(weft_sim_set(sim, "device.name", device));
    must(weft_sim_set_real(sim, "time.step", scene->step));
    must(weft_sim_set(sim, "air.seed", "2"));
    must(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    fabric.density = 0.15;
    fabric.drag = 0.4;
    fabric.lift = 0.15;
    must(weft_sim_add_cloth(sim, "flag", mesh, &fabric, scene->model, &cloth));
    for (int i = 0; i + 1 < 12 && scene->set[i]; i += 2)
        must(weft_sim_set(sim, scene->set[i], scene->set[i + 1]));
    must(weft_sim_add_force(sim, "gravity", NULL));
    must(weft_sim_add_force(sim, "wind", NULL));
    must(weft_sim_set(sim, "forces.wind.speed", "7"));
    must(weft_sim_set(sim, "forces.wind.direction", "[1, 0.05, 0.1]"));
    must(weft_sim_set(sim, "forces.wind.randomness", "0.6"));
    must(weft_sim_set(sim, "forces.wind.gust_frequency", "1"));
    int32_t count = 0, *vertices = malloc((size_t)(grid.cells[0] + 1) * (size_t)(grid.cells[1] + 1) * sizeof *vertices);
    if (!vertices)
        must(weft_fail_memory("pins", 0));
    must(weft_sim_select(sim, cloth, &left, vertices, &count));
    must(weft_sim_add_pin(sim, cloth, &pin, vertices, count));
    free(vertices);
    return sim;
}

static inline double gpu_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
