/* The equations of motion of all cloths together, as data: the models of the cloths and the forces that act on them.
 * The simulation fills this in before a step; nothing in here calls back into it, except through weft_contact_solver.
 */
#ifndef WEFT_SYSTEM_EQUATIONS_H
#define WEFT_SYSTEM_EQUATIONS_H

#include "model/model_kernels.h"
#include "weft/force.h"
#include "weft/system.h"

/* One cloth. All pointers are views that stay valid during the step. */
typedef struct weft_equations_cloth {
    const weft_model_functions *model;
    void *self; /* of the model */
    const weft_mesh *mesh;
    const weft_fabric *fabric;
    const uint8_t *open_face; /* 1 where a face is torn open (mesh->face_count) */
    int32_t first;            /* its vertices are [first, first + mesh->vertex_count) of the system */
    int32_t reshaped;         /* the mesh changed since the integrator last looked at the elements */
} weft_equations_cloth;

typedef struct weft_equations_force {
    const weft_force_functions *functions;
    const void *settings;
} weft_equations_force;

struct weft_equations {
    const weft_equations_cloth *cloth;
    int32_t cloth_count;
    const weft_equations_force *force;
    int32_t force_count;
    const double *area; /* of each vertex at rest, m2 (system->count) */
    double air_density; /* kg/m3 */
    uint64_t seed;      /* of gusts */
};

/* Contacts as constraints of an implicit solve: the table that the contact gives to the integrator. The functions
 * behave as weft_system_constraints and weft_system_reconsider. */
typedef struct weft_contact_solver {
    int32_t (*constraints)(void *context, const weft_system *system, double dt, weft_constraint **list);
    int32_t (*reconsider)(void *context, double h, const weft_vec3 *x_end, const weft_vec3 *force,
                          weft_constraint **list, int32_t *count);
    void *context;
    int32_t solves; /* at most in one step */
} weft_contact_solver;

/* external_forces.c: the forces without wind on `count` vertices from `first` on, N; f[0] is that on `first`. */
typedef struct weft_external_context {
    const weft_system *system;
    const weft_vec3 *x, *v; /* (system->count) */
    weft_vec3 *f;           /* N (system->count), or null */
} weft_external_context;
void weft_system_external_block(const weft_external_context *c, int32_t first, int32_t count, weft_vec3 *f);
int weft_system_has_wind(const weft_equations *equations);

/* force_stream.c: instead of filling an array, hand the forces to `sink` in blocks of at most WEFT_BLOCK vertices, in
 * any order and in parallel, while vertices and forces are in the cache. Return 0 when memory is out. */
int weft_system_stream_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_force_sink sink,
                             void *context);
int weft_system_stream_external(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_force_sink sink,
                                void *context);
/* The models' forces alone, with the vertices where `place` puts them, which reads x and v. */
int weft_system_stream_internal(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                weft_place_source place, const weft_prefetch *prefetch, weft_force_sink sink,
                                void *context);
/* How many blocks `sink` may see. */
int64_t weft_system_block_count(const weft_system *system);

#endif
