/* The built-in integrators and what the explicit ones share. */
#ifndef WEFT_INTEGRATE_INTEGRATE_H
#define WEFT_INTEGRATE_INTEGRATE_H

#include "system/equations.h"
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

/* What the loop over the vertices of an explicit scheme needs. */
typedef struct weft_explicit {
    const weft_system *system;
    double dt;
    double inertia;      /* Verlet: factor of x - x_before */
    double acceleration; /* Verlet: factor of f / m, s2 */
} weft_explicit;

/* weft_system_stream_force or weft_system_stream_external */
typedef int (*weft_forces_of)(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_force_sink take,
                              void *context);

/* Forces at the start of the step and, vertices by vertices while they are in the cache, `move` and a check of the
 * result. `move` gets a const weft_explicit. */
weft_status weft_explicit_step(const weft_explicit *scheme, weft_forces_of forces, weft_force_sink move);

/* x_next = x + (x - x_before) inertia + (f / m) acceleration, and v_next by the backward difference. From the start or
 * a jump x_next = x + v dt + (f / m) dt^2 / 2, which keeps the scheme's order. */
weft_status weft_verlet_step(const weft_system *system, double dt, double inertia, double acceleration);

/* The end state of a held vertex. */
static inline void weft_move_held(const weft_system *system, double dt, int32_t i) {
    system->x_next[i] = system->target[i];
    system->v_next[i] = weft_scale(1 / dt, weft_sub(system->target[i], system->x[i]));
}

/* v_next and x_next of `count` vertices from `first` on, of Euler's methods: moved with `speed`, which is v or v_next.
 */
void weft_euler_move(const weft_explicit *scheme, int32_t first, int32_t count, const weft_vec3 *f,
                     const weft_vec3 *speed);

#endif
