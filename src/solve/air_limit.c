/* See air_limit.h. */
#include "solve/air_limit.h"

#include <math.h>

#include "solve/equations.h"
#include "weft/vec.h"

/* An upper bound of the largest eigenvalue: the Frobenius norm of a symmetric block. */
static double bound_of(const double *d) {
    return sqrt(d[0] * d[0] + d[3] * d[3] + d[5] * d[5] + 2 * (d[1] * d[1] + d[2] * d[2] + d[4] * d[4]));
}

static weft_vec3 uniform_acceleration(const weft_equations *e) {
    weft_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < e->force_count; i++)
        if (e->force[i].functions->acceleration)
            sum = weft_add(sum, e->force[i].functions->acceleration(e->force[i].settings));
    return sum;
}

int weft_air_limit_begin(const weft_system *system, double dt, weft_air_limit *limit) {
    *limit = (weft_air_limit){.dt = dt};
    if (!weft_system_has_wind(system->equations))
        return 1;
    double *damping = weft_arena_take(system->work->arena, 6 * (size_t)system->count * sizeof *damping, "damping");
    if (!damping)
        return 0;
    if (!weft_system_external_damping(system, system->x, system->v, damping))
        return 1;
    limit->damping = damping;
    limit->uniform = uniform_acceleration(system->equations);
    return 1;
}

weft_vec3 weft_air_limited(const weft_air_limit *limit, int64_t vertex, double mass, weft_vec3 external) {
    double most = mass / limit->dt, damping = bound_of(limit->damping + 6 * vertex);
    if (damping <= most)
        return external;
    weft_vec3 other = weft_scale(mass, limit->uniform);
    return weft_add_scaled(other, most / damping, weft_sub(external, other));
}
