/* One step on a device: held vertices, forces, the scheme, and the new state (src/sim/step.c). */
#include <stdlib.h>
#include <string.h>

#include "contact_world.h"

static int make_room(gpu_simulation *s, int32_t count) {
    weft_gpu *g = &s->gpu;
    if (count <= s->held_room)
        return 1;
    if (g->held_list)
        s->on.give_back(s->on.self, (void *)g->held_list);
    if (g->held_target)
        s->on.give_back(s->on.self, (void *)g->held_target);
    free(s->held);
    free(s->held_place);
    free(s->target);
    g->held_list = s->on.take(s->on.self, (size_t)count * sizeof *g->held_list);
    g->held_target = s->on.take(s->on.self, (size_t)count * sizeof *g->held_target);
    s->held = malloc(((size_t)count + 1) * sizeof *s->held);
    s->held_place = malloc(((size_t)count + 1) * sizeof *s->held_place);
    s->target = malloc(((size_t)count + 1) * sizeof *s->target);
    s->held_room = g->held_list && g->held_target && s->held && s->held_place && s->target ? count : 0;
    return s->held_room > 0;
}

/* Marks the held vertices. Nothing is copied while pins rest. */
static int hold_vertices(gpu_simulation *s, const weft_device_step *step) {
    weft_gpu *g = &s->gpu;
    size_t count = (size_t)step->held_count, list = count * sizeof *s->held, places = count * sizeof *s->target;
    if (step->held_count == s->held_count &&
        (count == 0 || (memcmp(s->held, step->held, list) == 0 && memcmp(s->target, step->target, places) == 0)))
        return 1;
    int was_held = s->held_count > 0;
    s->held_count = 0;
    if (!make_room(s, step->held_count) || (was_held && !gpu_run(s, GPU_let_go, g->count)))
        return 0;
    s->held_count = step->held_count;
    if (count == 0)
        return 1;
    memcpy(s->held, step->held, list);
    memcpy(s->target, step->target, places);
    for (size_t k = 0; k < count; k++)
        s->held_place[k] = s->place ? s->place[step->held[k]] : step->held[k];
    return s->on.write(s->on.self, (void *)g->held_list, s->held_place, list) &&
           s->on.write(s->on.self, (void *)g->held_target, s->target, places) && gpu_run(s, GPU_hold, step->held_count);
}

int gpu_evaluate_forces(gpu_simulation *s) {
    const weft_gpu *g = &s->gpu;
    return gpu_run(s, GPU_triangle_forces, g->triangle_count) && gpu_run(s, GPU_bend_forces, g->bend_count) &&
           gpu_run(s, GPU_pair_forces, g->pair_count) &&
           (!g->air.has_wind || g->frozen || gpu_run(s, GPU_facet_forces, g->facet_count)) &&
           gpu_run(s, GPU_external_forces, g->count) && gpu_run(s, GPU_sum_forces, g->count);
}

/* The formula of src/solve/bdf2.c; implicit Euler is the case w = 0. */
static void set_implicit_scheme(weft_gpu *g, const weft_device_step *step) {
    const double largest_ratio = 2.4;
    double w = g->scheme == WEFT_DEVICE_BDF2 && step->dt_before > 0 ? step->dt / step->dt_before : 0;
    if (w > largest_ratio)
        w = 0;
    double all = 1 + 2 * w;
    g->h = step->dt * (1 + w) / all;
    g->now = (1 + w) * (1 + w) / all;
    g->before = -w * w / all;
}

/* Verlet and its variants for steps of different length (src/solve/verlet*.c). */
static void set_verlet(weft_gpu *g, const weft_device_step *step) {
    double dt = step->dt, last = step->dt_before > 0 ? step->dt_before : dt;
    g->before = step->dt_before > 0;
    g->inertia = g->scheme == WEFT_DEVICE_VERLET ? 1 : dt / last;
    g->acceleration = g->scheme == WEFT_DEVICE_VERLET_TAYLOR ? dt * ((dt + last) / 2) : dt * dt;
}

static weft_status step_explicitly(gpu_simulation *s, const weft_device_step *step, int *sane) {
    weft_gpu *g = &s->gpu;
    weft_vec3 *x = g->x, *v = g->v;
    set_verlet(g, step);
    g->x = g->x_start; /* forces are those at the start */
    g->v = g->v_start;
    int good = gpu_evaluate_forces(s);
    g->x = x;
    g->v = v;
    if (!good || !gpu_run(s, GPU_move_explicitly, g->count))
        return WEFT_STATUS_NO_MEMORY;
    *sane = gpu_sum(s, GPU_insane, g->count) == 0;
    return WEFT_STATUS_OK;
}

/* What the linear solver starts from: the last change of velocity, or free fall in the first step. */
static void set_guess(gpu_simulation *s, const weft_device_step *step) {
    weft_gpu *g = &s->gpu;
    g->guess = !s->solver.warm_start ? 0 : step->dt_before > 0 ? 1 : 2;
    g->guess_ratio = step->dt_before > 0 ? step->dt / step->dt_before : 0;
}

static weft_status step_implicitly(gpu_simulation *s, const weft_device_step *step, weft_solve *solve, int *sane) {
    set_implicit_scheme(&s->gpu, step);
    set_guess(s, step);
    if (!gpu_run(s, GPU_start, s->gpu.count))
        return WEFT_STATUS_NO_MEMORY;
    if (!s->world)
        return gpu_newton(s, solve, sane);
    return gpu_world_place_bodies(s, step) ? gpu_minimise(s, solve, sane) : WEFT_STATUS_NO_MEMORY;
}

static void swap(weft_vec3 **a, weft_vec3 **b) {
    weft_vec3 *other = *a;
    *a = *b;
    *b = other;
}

/* (before, start, end) -> (start, end, before) */
static int accept(gpu_simulation *s) {
    weft_gpu *g = &s->gpu;
    if (s->held_count > 0 && !gpu_run(s, GPU_arrive, g->count))
        return 0;
    swap(&g->x_before, &g->x_start);
    swap(&g->x_start, &g->x);
    swap(&g->v_before, &g->v_start);
    swap(&g->v_start, &g->v);
    if (s->world)
        gpu_world_swap_grips(s);
    return s->held_count == 0 || gpu_run(s, GPU_straighten, g->count);
}

weft_result gpu_simulation_step(gpu_simulation *s, const weft_device_step *step, weft_status *status,
                                weft_solve *solve) {
    weft_gpu *g = &s->gpu;
    g->dt = step->dt;
    g->air = step->air;
    solve->solve_seconds = s->on.begin_step(s->on.self);
    if (!hold_vertices(s, step))
        return gpu_simulation_failure(s);
    int sane = 0;
    *status = g->scheme <= WEFT_DEVICE_BDF2 ? step_implicitly(s, step, solve, &sane) : step_explicitly(s, step, &sane);
    if (*status == WEFT_STATUS_NO_MEMORY || s->on.failure(s->on.self))
        return gpu_simulation_failure(s);
    if (step->blocked)
        *step->blocked = s->world && s->world->blocked;
    if (*status != WEFT_STATUS_OK)
        return weft_ok();
    if (!sane)
        *status = WEFT_STATUS_DIVERGED;
    else if (!accept(s))
        return gpu_simulation_failure(s);
    s->on.end_step(s->on.self);
    return weft_ok();
}
