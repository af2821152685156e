/* Scenes with contact without files, at any resolution. The includer provides `must`. */
#ifndef WEFT_TESTS_CONTACT_SCENES_H
#define WEFT_TESTS_CONTACT_SCENES_H

#include <math.h>
#include <stdio.h>

#include "weft/weft.h"

typedef enum contact_kind {
    CONTACT_SPHERE, /* data/scenes/sheet-on-sphere.yaml: `sheets` sheets fall onto a ball above the ground */
    CONTACT_STRIP,  /* data/scenes/folding-pile.yaml: a strip falls edge first */
    CONTACT_PUSHED, /* a ball moves into a sheet that hangs from two corners */
    CONTACT_STACK   /* `sheets` flat sheets lie on each other, half a thickness apart, and settle */
} contact_kind;

typedef struct contact_scene {
    const char *name;
    contact_kind kind;
    const char *model, *integrator;
    int cells; /* along the shorter side */
    int sheets;
    double step, thickness; /* s, m */
    const char *set[12];    /* paths and values, ended by null */
} contact_scene;

static inline void contact_add_sheet(weft_sim *sim, const contact_scene *scene, int number, weft_grid grid,
                                     double angle) {
    char name[32];
    weft_mesh *mesh;
    snprintf(name, sizeof name, "sheet%d", number);
    double c = cos(angle), s = sin(angle);
    for (int k = 0; k < 2; k++) { /* turns about the vertical axis */
        weft_vec3 a = grid.axis[k];
        grid.axis[k] = (weft_vec3){c * a.x + s * a.z, a.y, c * a.z - s * a.x};
    }
    weft_vec3 o = grid.origin;
    grid.origin = (weft_vec3){c * o.x + s * o.z, o.y, c * o.z - s * o.x};
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, name, mesh, &weft_fabric_preset_find("cotton")->fabric, scene->model, NULL));
}

static inline void contact_add_ball(weft_sim *sim, const char *radius, const char *at) {
    must(weft_sim_add_body(sim, "sphere", NULL, NULL));
    must(weft_sim_set(sim, "bodies.sphere.radius", radius));
    must(weft_sim_set(sim, "bodies.sphere.at", at));
    must(weft_sim_set(sim, "bodies.sphere.friction", "0.3"));
}

static inline void contact_add_ground(weft_sim *sim) {
    must(weft_sim_add_body(sim, "plane", NULL, NULL));
    must(weft_sim_set(sim, "bodies.plane.friction", "0.4"));
}

static inline void contact_fill_sphere(weft_sim *sim, const contact_scene *scene) {
    double size = scene->sheets > 1 ? 0.6 : 1;
    for (int k = 0; k < scene->sheets; k++) {
        weft_grid grid = weft_grid_default();
        grid.cells[0] = grid.cells[1] = scene->cells;
        grid.size[0] = grid.size[1] = size;
        grid.axis[0] = (weft_vec3){1, 0, 0};
        grid.axis[1] = (weft_vec3){0, 0, 1};
        grid.origin = (weft_vec3){-size / 2, scene->sheets > 1 ? 0.62 + 0.02 * k : 0.75, -size / 2};
        contact_add_sheet(sim, scene, k, grid, 0.15708 * k);
    }
    contact_add_ground(sim);
    if (scene->sheets > 1)
        contact_add_ball(sim, "0.2", "[0, 0.38, 0]");
    else
        contact_add_ball(sim, "0.25", "[0, 0.4, 0]");
}

static inline void contact_fill_strip(weft_sim *sim, const contact_scene *scene) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = scene->cells;
    grid.cells[1] = 5 * scene->cells;
    grid.size[0] = 0.3;
    grid.size[1] = 1.5;
    grid.origin = (weft_vec3){-0.15, 1.6, 0};
    grid.axis[1] = (weft_vec3){0, -0.99756, -0.069756}; /* 4 degrees off the vertical */
    contact_add_sheet(sim, scene, 0, grid, 0);
    contact_add_ground(sim);
}

static inline void contact_fill_pushed(weft_sim *sim, const contact_scene *scene) {
    static const weft_body_key KEYS[] = {{.time = 0, .scale = 1}, {.time = 0.5, .offset = {0, 0, 0.5}, .scale = 1}};
    weft_grid grid = weft_grid_default();
    weft_pin pin = weft_pin_default();
    grid.cells[0] = grid.cells[1] = scene->cells;
    contact_add_sheet(sim, scene, 0, grid, 0);
    must(weft_sim_add_pin(sim, 0, &pin, (int32_t[]){0, scene->cells}, 2));
    contact_add_ball(sim, "0.15", "[0.5, -0.5, -0.25]");
    must(weft_sim_set_body_keys(sim, 0, KEYS, 2));
}

static inline void contact_fill_stack(weft_sim *sim, const contact_scene *scene) {
    for (int k = 0; k < scene->sheets; k++) {
        weft_grid grid = weft_grid_default();
        grid.cells[0] = grid.cells[1] = scene->cells;
        grid.axis[0] = (weft_vec3){1, 0, 0};
        grid.axis[1] = (weft_vec3){0, 0, 1};
        grid.origin = (weft_vec3){-0.5, scene->thickness * (0.6 + 0.5 * k), -0.5};
        contact_add_sheet(sim, scene, k, grid, 0.15708 * (k % 5));
    }
    contact_add_ground(sim);
}

static inline weft_sim *contact_scene_create(const weft_registry *registry, const contact_scene *scene,
                                             const char *device, int threads) {
    static void (*const FILL[])(weft_sim *, const contact_scene *) = {contact_fill_sphere, contact_fill_strip,
                                                                      contact_fill_pushed, contact_fill_stack};
    weft_sim *sim;
    must(weft_sim_create(registry, &sim));
    weft_sim_set_threads(sim, threads);
    must(weft_sim_set_integrator(sim, scene->integrator));
    must(weft_sim_set(sim, "device.name", device));
    must(weft_sim_set_real(sim, "time.step", scene->step));
    must(weft_sim_set(sim, "time.rate", "50"));
    FILL[scene->kind](sim, scene);
    must(weft_sim_add_force(sim, "gravity", NULL));
    must(weft_sim_add_force(sim, "air-damping", NULL));
    must(weft_sim_set(sim, "forces.air-damping.coefficient", "0.05"));
    must(weft_sim_set(sim, "forces.air-damping.per", "area"));
    must(weft_sim_set(sim, "contact.self", "true"));
    must(weft_sim_set_real(sim, "contact.thickness", scene->thickness));
    for (int i = 0; i + 1 < 12 && scene->set[i]; i += 2)
        must(weft_sim_set(sim, scene->set[i], scene->set[i + 1]));
    return sim;
}

#endif
