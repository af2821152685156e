/* Time integration: what an integrator component provides, and what it sees of the simulation. */
#ifndef WEFT_INTEGRATOR_H
#define WEFT_INTEGRATOR_H

#include "weft/base.h"
#include "weft/component.h"
#include "weft/model.h"
#include "weft/work.h"

WEFT_BEGIN

/* What the solver of a step did. */
typedef struct weft_solve {
    int32_t newton;                         /* linear solves */
    int32_t iterations;                     /* of all of them */
    double residual;                        /* relative, of the last one */
    int32_t not_converged;                  /* linear solves that ran into the cap of iterations */
    int32_t newton_not_converged;           /* steps whose Newton iteration ended above its tolerance */
    double assembly_seconds, solve_seconds; /* wall time */
    double iteration_bytes; /* what an iteration must stream at least: matrix, vectors, preconditioner */
    double assembly_bytes;  /* and an assembly: the matrix, positions, velocities */
} weft_solve;

/* All vertices of the simulation. A held vertex (pin or drag) has inverse_mass 0 and ends the step at target. */
typedef struct weft_system {
    int32_t count;
    double time;                          /* at the start of the step, s */
    const double *mass;                   /* kg (count) */
    const double *inverse_mass;           /* 1/kg, 0 where held (count) */
    const uint8_t *held;                  /* 1 where held, else 0 (count) */
    const weft_vec3 *target;              /* m, where held (count) */
    const weft_vec3 *x, *v;               /* state at the start of the step, m and m/s (count) */
    const weft_vec3 *x_before, *v_before; /* the state one step earlier (count) */
    double dt_before; /* length of the last step, s; 0 at the start and after a jump: the state before it is unset */
    weft_vec3 *x_next, *v_next; /* state at the end of the step (count); never the same memory as x, v, x_before */
    const weft_work *work;
    void *self;        /* what the integrator's create made */
    weft_solve *solve; /* to be filled by schemes that solve equations */
    const void *owner;
} weft_system;

/* Where the vertices of the cloths' meshes are at rest, m (count). Unlike x it depends on nothing that has happened but
 * changes of the meshes, and it is the same again after a snapshot. */
WEFT_API void weft_system_rest(const weft_system *system, weft_vec3 *x);
/* All forces, or only the external ones, at `system->time`; f is overwritten, N (count). */
WEFT_API void weft_system_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f);
WEFT_API void weft_system_external_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                         weft_vec3 *f);
/* Adds the models' forces to f, N (count). */
WEFT_API void weft_system_internal_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                         weft_vec3 *f);
/* Instead of an array, hands the forces to `take` in runs of at most WEFT_BLOCK vertices, in any order and in parallel,
 * while vertices and forces are in the cache. Returns 0 when memory is out. */
WEFT_API int weft_system_force_runs(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                    weft_force_sink take, void *context);
WEFT_API int weft_system_external_runs(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                       weft_force_sink take, void *context);
/* The models' forces alone, where `place` says the vertices are, which reads x and v. */
WEFT_API int weft_system_internal_runs(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                       weft_place_source place, const weft_fetched *fetched, weft_force_sink take,
                                       void *context);
/* How many parts `take` may see. */
WEFT_API int64_t weft_system_block_count(const weft_system *system);
/* Whether the external forces are the masses times one acceleration, m/s2, and which. */
WEFT_API int weft_system_acceleration(const weft_system *system, weft_vec3 *acceleration);
/* Elastic energy of all models, J. */
WEFT_API double weft_system_energy(const weft_system *system, const weft_vec3 *x);
/* -df/dv of the external forces and of the models' forces on single vertices, symmetric and positive: xx xy xz yy yz zz
 * per vertex, kg/s (count x 6). Returns 0, and leaves the blocks as they are, when there is none. */
WEFT_API int weft_system_external_damping(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                          double *block);
/* The element lists of all models, numbered through. `first` is to be added to their vertices. */
WEFT_API int32_t weft_system_list_count(const weft_system *system);
WEFT_API weft_elements weft_system_list(const weft_system *system, int32_t list, int32_t *first);
WEFT_API void weft_system_blocks(const weft_system *system, int32_t list, const int32_t *element, int32_t count,
                                 const weft_vec3 *x, const weft_vec3 *v, double *stiffness, double *damping);
/* As element_sums of a model, with places of the simulation; 0 when it cannot. */
WEFT_API int weft_system_sums(const weft_system *system, int32_t list, const int32_t *element, int32_t count,
                              const double (*place)[8], double h, float *record);
/* As pair_rows of a model, with vertices of the simulation; whether it has them. */
WEFT_API int weft_system_has_pairs(const weft_system *system, int32_t list);
WEFT_API void weft_system_pairs(const weft_system *system, int32_t list, const weft_pair_rows *rows, float *block,
                                weft_pair_sum *sum);
/* The links of all models, numbered through, with vertices of the simulation. */
WEFT_API int32_t weft_system_link_count(const weft_system *system);
WEFT_API weft_link weft_system_link(const weft_system *system, int32_t index);
/* Rounds of constraint relaxation by the models. */
WEFT_API void weft_system_relax(const weft_system *system, int passes, weft_vec3 *x);

/* A contact that an implicit solve can respect: the point w0 x0 + .. + w3 x3 (with the weights of a gap: its own
 * feature's less those of the other) is to end the step at `end`, along `normal` when it slides and in all directions
 * when it sticks. */
typedef enum weft_constraint_state { WEFT_IS_FREE, WEFT_SLIDES, WEFT_STICKS } weft_constraint_state;
typedef struct weft_constraint {
    int32_t vertex[4];
    double weight[4];  /* 0: no vertex there; 1, 0, 0, 0 for a vertex on a body */
    int32_t state;     /* weft_constraint_state */
    weft_vec3 normal;  /* unit; the force along it is positive or none */
    weft_vec3 end;     /* m */
    double limit;      /* of the force across the normal by that along it: Coulomb's coefficient */
    double friction;   /* of one that slides: force against slip by its length, N/m; 0: not known yet */
    weft_vec3 impulse; /* by which the last solve kept it, set by schemes of two steps, kg m/s */
    int32_t jumps;     /* whether that is an impact, which the past of the step is to see too */
} weft_constraint;
/* The contacts at the start of a step of length dt; 0 when there are none, or contact is left to what follows the step;
 * -1 when memory is out. Uses x_next and v_next as scratch. Valid until the next call or the end of the step. */
WEFT_API int32_t weft_system_constraints(const weft_system *system, double dt, weft_constraint **list);
/* After a solve, by which x answers to a force with h^2 / m: x at the end of the step and by which force each
 * constraint was kept, N (as many as constraints). Changes states, friction and ends, and may append; returns how many
 * of those matter, so that a solve is due again, or -1 when memory is out. */
WEFT_API int32_t weft_system_reconsider(const weft_system *system, double h, const weft_vec3 *x_end,
                                        const weft_vec3 *force, weft_constraint **list, int32_t *count);
/* How many solves that may take. */
WEFT_API int32_t weft_system_constraint_solves(const weft_system *system);

typedef enum weft_status {
    WEFT_STATUS_OK = 0,
    WEFT_STATUS_DIVERGED,    /* non-finite or runaway state or a failed solve, also at the smallest dt allowed */
    WEFT_STATUS_NO_MEMORY,   /* the step's arena could not grow */
    WEFT_STATUS_INTERRUPTED, /* used by programs, never by the step */
    WEFT_STATUS_INTERSECTS   /* surfaces began to pass through each other, and contact.on_intersection is stop */
} weft_status;

WEFT_API const char *weft_status_name(weft_status status);

typedef struct weft_integrator_functions {
    unsigned needs; /* of the models: WEFT_FORCES, ... (weft/model.h) */
    int looks_back; /* whether x_before and v_before are used; without it the step keeps fewer arrays in the cache */
    int checks;     /* whether step itself reports a state that is not finite or runs away */
    /* What lasts between steps, made before the first one; both may be null. */
    weft_result (*create)(const void *settings, const weft_system *system, void **self);
    void (*destroy)(void *self);
    /* Fills x_next and v_next. A step that fails is forgotten by dropping them. */
    weft_status (*step)(const void *settings, const weft_system *system, double dt);
    /* Models, fabrics or masses changed; may be null. */
    void (*retuned)(void *self);
    /* What steps leave in self that later ones depend on, for snapshots; null when there is nothing. */
    size_t (*state_size)(const void *self);
    void (*state_save)(const void *self, void *buffer);
    weft_result (*state_load)(void *self, const void *buffer, size_t size);
    /* Meshes changed: vertex i was from[i] before, WEFT_NONE where elements at it are not what they were
     * (system->count). Afterwards self is what create would make; after a failure it is only destroyed. Null: it is
     * made anew. */
    weft_result (*reshape)(void *self, const void *settings, const weft_system *system, const int32_t *from);
} weft_integrator_functions;

WEFT_END
#endif
