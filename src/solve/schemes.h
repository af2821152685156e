/* The built-in integrators, and the step shared by the explicit ones. */
#ifndef WEFT_SOLVE_SCHEMES_H
#define WEFT_SOLVE_SCHEMES_H

#include "solve/equations.h"
#include "weft/integrator.h"
#include "weft/vec.h"

extern const weft_component weft_forward_euler;
extern const weft_component weft_symplectic_euler;
extern const weft_component weft_verlet;
extern const weft_component weft_verlet_timecorrected;
extern const weft_component weft_verlet_taylor;
extern const weft_component weft_verlet_constraints;
extern const weft_component weft_implicit_euler;
extern const weft_component weft_bdf2;
extern const weft_component weft_projective;
extern const weft_component weft_xpbd;

/* Parameters of the vertex loop of an explicit scheme. */
typedef struct weft_explicit {
    const weft_system *system;
    double dt;
    double inertia;      /* Verlet: factor of x - x_before */
    double acceleration; /* Verlet: factor of f / m, s2 */
} weft_explicit;

/* weft_system_stream_force or weft_system_stream_external */
typedef int (*weft_forces_of)(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_force_sink take,
                              void *context);

/* Evaluates the forces at the start of the step. For each block of vertices, while it is in the cache, calls `move` and
 * checks the result. `move` receives a const weft_explicit as context. */
weft_status weft_explicit_step(const weft_explicit *scheme, weft_forces_of forces, weft_force_sink move);

/* x_next = x + (x - x_before) inertia + (f / m) acceleration; v_next is the backward difference. After the start or a
 * jump x_next = x + v dt + (f / m) dt^2 / 2, which preserves the order of the scheme. */
weft_status weft_verlet_step(const weft_system *system, double dt, double inertia, double acceleration);

/* End state of a held vertex. */
static inline void weft_move_held(const weft_system *system, double dt, int32_t i) {
    system->x_next[i] = system->target[i];
    system->v_next[i] = weft_scale(1 / dt, weft_sub(system->target[i], system->x[i]));
}

/* Whether a value of a cloth, such as "fabric.damping", sets the damping or the stiffness of springs. */
int weft_is_damping(const char *value);
int weft_is_stiffness(const char *value);

/* Euler step of `count` vertices from `first` on: sets v_next and moves x with `speed`, which is v or v_next. */
void weft_euler_move(const weft_explicit *scheme, int32_t first, int32_t count, const weft_vec3 *f,
                     const weft_vec3 *speed);

#endif
