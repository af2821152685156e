/* Kernels of the step itself: start, line search, explicit schemes, checks, acceptance. */
#ifndef WEFT_GPU_KERNELS_STEP_H
#define WEFT_GPU_KERNELS_STEP_H

#include "gpu.h"

/* -- held vertices: i is an index of held_list -- */

WEFT_HD void gpu_let_go(const weft_gpu *g, int32_t i) { g->held[i] = 0; }

WEFT_HD void gpu_hold(const weft_gpu *g, int32_t i) {
    g->held[g->held_list[i]] = 1;
    g->target[g->held_list[i]] = g->held_target[i];
}

/* -- implicit schemes -- */

/* X and V by the scheme, and the iterate at the current state. */
WEFT_HD void gpu_start(const weft_gpu *g, int32_t i) {
    weft_vec3 X = gpu_scale(g->now, g->x_start[i]), V = gpu_scale(g->now, g->v_start[i]);
    if (g->before != 0) {
        X = gpu_axpy(X, g->before, g->x_before[i]);
        V = gpu_axpy(V, g->before, g->v_before[i]);
    }
    g->X[i] = X;
    g->V[i] = V;
    g->x[i] = g->x_start[i];
    g->v[i] = g->v_start[i];
}

/* dv becomes the velocity at the end of the search line. */
WEFT_HD void gpu_search_end(const weft_gpu *g, int32_t i) {
    g->dv[i] = gpu_add(g->v[i], g->dv[i]);
    g->x_last[i] = g->x[i];
}

/* A point on the line from the last iterate (fraction 0) to the solution (1). Held vertices are at its end. */
WEFT_HD void gpu_move_to(const weft_gpu *g, int32_t i) {
    weft_vec3 v = g->dv[i];
    if (g->fraction < 1 && !g->held[i]) {
        weft_vec3 first = gpu_scale(1 / g->h, gpu_sub(g->x_last[i], g->X[i]));
        v = gpu_axpy(first, g->fraction, gpu_sub(v, first));
    }
    g->v[i] = v;
    g->x[i] = gpu_axpy(g->X[i], g->h, v);
}

/* Squared residual of the equations of motion, weighted by mass. */
WEFT_HD void gpu_motion_residual(const weft_gpu *g, int32_t i, double *sum) {
    weft_vec3 r = gpu_axpy(gpu_sub(g->V[i], g->v[i]), g->h / g->mass[i], g->f[i]);
    sum[0] = g->held[i] ? 0 : g->mass[i] * gpu_dot(r, r);
}

/* Half of the fall of the potential that an update promises, with f and v of its start and dv the velocity at its end;
 * kinetic energy at its end, and the same at 1 m/s (src/integrate/newton_stop.c). */
WEFT_HD void gpu_promise(const weft_gpu *g, int32_t i, double *sum) {
    sum[0] = sum[1] = sum[2] = 0;
    if (g->held[i])
        return;
    weft_vec3 ahead = gpu_sub(gpu_axpy(g->X[i], g->h, g->V[i]), g->x_last[i]), force = g->f[i];
    if (g->frozen) {
        weft_vec3 first = gpu_scale(1 / g->h, gpu_sub(g->x_last[i], g->X[i]));
        force = gpu_add(force, gpu_frozen_drag(g, i, gpu_sub(g->v[i], first)));
    }
    weft_vec3 pull = gpu_axpy(force, g->mass[i] / (g->h * g->h), ahead);
    sum[0] = 0.5 * gpu_dot(pull, gpu_sub(gpu_axpy(g->X[i], g->h, g->dv[i]), g->x_last[i]));
    sum[1] = 0.5 * g->mass[i] * gpu_dot(g->dv[i], g->dv[i]);
    sum[2] = 0.5 * g->mass[i];
}

/* -- explicit schemes: forces are those at the start of the step -- */

WEFT_HD weft_vec3 gpu_verlet_change(const weft_gpu *g, int32_t i) {
    double w = 1 / g->mass[i];
    if (g->before == 0) /* the first step, or one after a jump */
        return gpu_axpy(gpu_scale(g->dt, g->v_start[i]), g->dt * g->dt / 2 * w, g->f[i]);
    return gpu_axpy(gpu_scale(g->inertia, gpu_sub(g->x_start[i], g->x_before[i])), g->acceleration * w, g->f[i]);
}

WEFT_HD void gpu_move_explicitly(const weft_gpu *g, int32_t i) {
    if (g->scheme >= WEFT_DEVICE_VERLET) {
        g->x[i] = gpu_add(g->x_start[i], gpu_verlet_change(g, i));
        g->v[i] = gpu_scale(1 / g->dt, gpu_sub(g->x[i], g->x_start[i]));
        return;
    }
    weft_vec3 v = gpu_axpy(g->v_start[i], g->dt / g->mass[i], g->f[i]);
    weft_vec3 speed = g->scheme == WEFT_DEVICE_FORWARD_EULER ? g->v_start[i] : v;
    g->v[i] = v;
    g->x[i] = gpu_axpy(g->x_start[i], g->dt, speed);
}

/* -- the end of a step -- */

/* Held vertices arrive at their targets. */
WEFT_HD void gpu_arrive(const weft_gpu *g, int32_t i) {
    if (!g->held[i])
        return;
    g->x[i] = g->target[i];
    g->v[i] = gpu_scale(1 / g->dt, gpu_sub(g->target[i], g->x_start[i]));
}

/* Counts states that are not finite or too far away (src/core/sane.h). */
WEFT_HD void gpu_insane(const weft_gpu *g, int32_t i, double *sum) {
    const double farthest = 1e7;
    const weft_vec3 x = g->x[i], v = g->v[i];
    sum[0] = !(fabs(x.x) < farthest && fabs(x.y) < farthest && fabs(x.z) < farthest && fabs(v.x) < farthest &&
               fabs(v.y) < farthest && fabs(v.z) < farthest);
}

/* After the buffers have rotated: held vertices get a uniform past. */
WEFT_HD void gpu_straighten(const weft_gpu *g, int32_t i) {
    if (!g->held[i])
        return;
    g->v_before[i] = g->v_start[i];
    g->x_before[i] = gpu_axpy(g->x_start[i], -g->dt, g->v_start[i]);
}

#endif
