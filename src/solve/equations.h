/* The equations of motion of all cloths together, as data: the models of the cloths and the forces that act on them.
 * The simulation fills this in before a step; nothing in here calls back into it, except through weft_contact_solver.
 */
#ifndef WEFT_SOLVE_EQUATIONS_H
#define WEFT_SOLVE_EQUATIONS_H

#include "cloth/model_kernels.h"
#include "weft/force.h"
#include "weft/integrator.h"
#include "weft/system.h"

/* One cloth. All pointers are views that stay valid during the step. */
typedef struct weft_equations_cloth {
    const weft_model_functions *model;
    void *self; /* of the model */
    const weft_mesh *mesh;
    const weft_fabric *fabric;
    const uint8_t *open_face; /* 1 where a face is torn open (mesh->face_count) */
    const double *share;      /* part of each vertex in its triangles, as of mass (mesh->vertex_triangle); null: 1/3 */
    const double *padding;    /* pressure on each face along its normal, Pa (mesh->face_count); null: none */
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

/* A contact of the barrier at the present iterate. The gap of its point is w0 x0 + .. + w3 x3. */
typedef struct weft_touch {
    int32_t vertex[4];
    double weight[4];         /* 0: a vertex of a body */
    weft_vec3 normal;         /* unit length */
    double stiffness, across; /* along the normal and tangentially, N/m */
    weft_vec3 slide;          /* unit tangent in which it slides freely, or zero */
    weft_vec3 force;          /* that opens the gap, friction included, N */
    weft_vec3 fading[4];      /* further force on each vertex, N; 0 on a body */
    weft_vec3 carried;        /* change of the gap by the remaining motion of bodies in this step, m */
} weft_touch;

/* Contact as part of the potential that an implicit step minimises. Its present positions are those at the start of the
 * step, then those last accepted. */
typedef struct weft_barrier_solver {
    /* x_next of the state must hold a prediction. */
    weft_status (*begin)(void *context, double dt);
    /* The largest fraction of the motion from the present positions to `to` (count) that is free of contact. Bodies
     * move towards their places at the end of the step. `give_way`: vertices that would hit something stop there or are
     * carried along, and `to` changes. */
    weft_status (*aim)(void *context, weft_vec3 *to, int give_way, double *fraction);
    /* The potential at a fraction of that motion, J. */
    double (*energy)(void *context, double fraction);
    /* Goes to a fraction of that motion. */
    void (*accept)(void *context, double fraction);
    /* The contacts at the present positions, in the arena. */
    weft_status (*touches)(void *context, const weft_touch **list, int32_t *count);
    /* Tells the change of velocity, m/s (count), that a solve with the last list of contacts found for a step h. */
    weft_status (*solved)(void *context, const weft_touch *list, const weft_vec3 *dv, double h);
    /* Whether bodies have not arrived yet. */
    int (*bodies_remain)(void *context);
    /* Friction acts with the contacts and forces of the start of the step. If those at the present positions differ
     * much, as after an impact, it acts with these from now on. */
    weft_status (*renew_friction)(void *context, int *renewed);
    /* The present positions are the end of the step. */
    weft_status (*end)(void *context);
    /* The energy that contact has stored during the step, J, once it has ended. */
    double (*stored)(void *context);
} weft_barrier_solver;

/* Contacts as constraints of an implicit solve: the table that the contact gives to the integrator. The functions
 * behave as weft_system_constraints and weft_system_reconsider. */
typedef struct weft_contact_solver {
    int32_t (*constraints)(void *context, const weft_system *system, double dt, weft_constraint **list);
    int32_t (*reconsider)(void *context, double h, const weft_vec3 *x_end, const weft_vec3 *force,
                          weft_constraint **list, int32_t *count);
    void *context;
    int32_t solves;                     /* at most in one step */
    const weft_barrier_solver *barrier; /* null: constraints and impulses */
    int gives_up; /* 1: a step of the barrier that is hard to solve fails; shorter ones may follow */
} weft_contact_solver;

/* external_forces.c: the forces on single vertices, without wind and padding, on `count` vertices from `first` on, N;
 * f[0] is that on `first`. */
typedef struct weft_external_context {
    const weft_system *system;
    const weft_vec3 *x, *v; /* (system->count) */
    weft_vec3 *f;           /* N (system->count), or null */
} weft_external_context;
void weft_system_external_block(const weft_external_context *c, int32_t first, int32_t count, weft_vec3 *f);
int weft_system_has_wind(const weft_equations *equations);
/* Whether external forces act on triangles: wind or padding. */
int weft_system_loads_triangles(const weft_equations *equations);
/* -df/dv of the forces alone, as weft_system_external_damping, which adds the damping within the models. */
void weft_system_force_damping(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, double *block);

/* force_stream.c: instead of filling an array, hand the forces to `sink` in blocks of at most WEFT_STREAM_BLOCK
 * vertices, in any order and in parallel, while vertices and forces are in the cache. Return 0 when memory is out. */
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
