/* Finite-element cloths that come to rest, through the public API. */
#ifndef WEFT_TESTS_FEM_SCENE_H
#define WEFT_TESTS_FEM_SCENE_H

#include "fem_fixture.h"

/* Takes ownership of the mesh. The scene has gravity, and implicit Euler with Newton iterations and direct solves. */
static inline test_sim fem_scene(weft_mesh *mesh, const weft_fabric *fabric, const char *bending) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, fabric, "corotational", NULL));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_set_integrator(made.sim, "implicit-euler"));
    set(made, "cloth.model.bending", bending);
    set(made, "integrator.solver", "direct");
    set(made, "integrator.newton", "8");
    set(made, "integrator.newton_tolerance", "1e-6");
    weft_sim_set_threads(made.sim, 1);
    return made;
}

static inline void hold(test_sim made, int (*held)(weft_vec3 rest, const void *data), const void *data) {
    must(weft_sim_prepare(made.sim));
    const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
    int32_t *vertex = calloc((size_t)mesh->vertex_count, sizeof *vertex), count = 0;
    for (int32_t i = 0; i < mesh->vertex_count; i++)
        if (held(mesh->position[i], data))
            vertex[count++] = i;
    weft_pin still = weft_pin_default();
    must(weft_sim_add_pin(made.sim, 0, &still, vertex, count));
    free(vertex);
}

/* The largest speed of a vertex, m/s. */
static inline double fastest(test_sim made) {
    return largest(weft_sim_velocities(made.sim, 0), weft_sim_cloth(made.sim, 0)->mesh->vertex_count);
}

/* Steps until no vertex moves faster than `speed`. Fails if this takes more than `most` steps. */
static inline int settle(test_sim made, double dt, double speed, int most) {
    int steps = 0;
    do
        step(made, dt);
    while (++steps < most && fastest(made) > speed);
    if (!(fastest(made) <= speed))
        fail_msg("still at %g m/s after %d steps", fastest(made), most);
    return steps;
}

#endif
