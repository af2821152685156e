/* Forces that depend on the velocity, within a step that is one minimisation: damping of the models, air, gravity too.
 * They are taken at the positions of the start of the step, so that they depend on the velocity only: otherwise
 * Newton's method may go round in circles. Even then the lift of wind jumps where the air changes the side of a
 * triangle, and no update ends on a jump. So the forces of air are linearised for good after some updates. The fixed
 * damping is positive semidefinite, and what remains to be minimised has no more jumps. */
#include "core/memory.h"
#include "solve/equations.h"
#include "solve/newton.h"
#include "weft/vec.h"

int weft_newton_drag_create(weft_newton *n, weft_newton_drag *drag) {
    weft_arena *arena = n->at_end.work->arena;
    size_t count = (size_t)n->at_end.count;
    *drag = (weft_newton_drag){.elastic = weft_arena_take(arena, count * sizeof *drag->elastic, "forces"),
                               .force = weft_arena_take(arena, count * sizeof *drag->force, "forces of air"),
                               .v = weft_arena_take(arena, count * sizeof *drag->v, "forces of air"),
                               .damping = weft_arena_take(arena, 6 * count * sizeof(double), "damping by air")};
    return drag->elastic && drag->force && drag->v && drag->damping;
}

void weft_newton_drag_begin(weft_newton *n, weft_newton_drag *drag) {
    size_t bytes = (size_t)n->at_end.count * sizeof *n->dv;
    drag->is_frozen = 0;
    n->air_x = n->at_end.x;
    n->air_is_frozen = 0;
    memset(n->dv, 0, bytes);
    memset(drag->elastic, 0, bytes);
    weft_system_internal_force(&n->at_end, n->at_end.x, n->dv, drag->elastic);
}

weft_vec3 weft_newton_times(const double *d, weft_vec3 v) {
    return (weft_vec3){d[0] * v.x + d[1] * v.y + d[2] * v.z, d[1] * v.x + d[3] * v.y + d[4] * v.z,
                       d[2] * v.x + d[4] * v.y + d[5] * v.z};
}

void weft_newton_frozen_force(const weft_newton *n, const weft_newton_drag *drag, const weft_vec3 *v, weft_vec3 *f) {
    for (int32_t i = 0; i < n->at_end.count; i++)
        f[i] = weft_sub(drag->force[i], weft_newton_times(drag->damping + 6 * (size_t)i, weft_sub(v[i], drag->v[i])));
}

void weft_newton_drag_force(const weft_newton *n, const weft_newton_drag *drag, const weft_vec3 *v, weft_vec3 *f) {
    if (drag->is_frozen) {
        weft_newton_frozen_force(n, drag, v, f);
        weft_system_internal_force(&n->at_end, n->at_end.x, v, f);
    } else {
        weft_system_force(&n->at_end, n->at_end.x, v, f);
    }
    for (int32_t i = 0; i < n->at_end.count; i++)
        f[i] = weft_sub(f[i], drag->elastic[i]);
}

void weft_newton_drag_freeze(weft_newton *n, weft_newton_drag *drag) {
    if (drag->is_frozen || !weft_system_has_wind(n->at_end.equations))
        return;
    drag->is_frozen = 1;
    memcpy(drag->v, n->v, (size_t)n->at_end.count * sizeof *n->v);
    weft_system_external_force(&n->at_end, n->at_end.x, n->v, drag->force);
    weft_system_force_damping(&n->at_end, n->at_end.x, n->v, drag->damping);
    n->has_air = weft_system_external_damping(&n->at_end, n->at_end.x, n->v, n->air);
    n->air_is_frozen = 1;
}
