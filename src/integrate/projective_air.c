/* The force of air in a projective step. It is evaluated at the start of the step, so it may accelerate light cloth
 * beyond the speed of the air. The force grows with the square of the speed, and the cloth would run away. Where the
 * step is too long for the damping by air, the force is reduced: to what brings a free vertex, by the linearised force,
 * to the speed at which air exerts none. Shorter steps do not need this. */
#include <math.h>

#include "integrate/projective.h"
#include "weft/vec.h"

typedef struct air_pass {
    const weft_projective_step *step;
    const double *damping; /* of each vertex, kg/s (count x 6) */
    weft_vec3 uniform;     /* acceleration by forces other than air, m/s2 */
} air_pass;

/* An upper bound of the largest eigenvalue: the Frobenius norm of a symmetric block. */
static double bound_of(const double *d) {
    return sqrt(d[0] * d[0] + d[3] * d[3] + d[5] * d[5] + 2 * (d[1] * d[1] + d[2] * d[2] + d[4] * d[4]));
}

static void limit_block(void *context, int64_t begin, int64_t end) {
    const air_pass *p = context;
    const weft_projective_step *c = p->step;
    weft_projective_sums sum = {0};
    for (int64_t i = begin; i < end; i++) {
        if (c->matrix->held[i])
            continue;
        double mass = c->system->mass[i], most = mass / c->dt, damping = bound_of(p->damping + 6 * i);
        weft_vec3 other = weft_scale(mass, p->uniform);
        if (damping > most)
            c->external[i] = weft_add_scaled(other, most / damping, weft_sub(c->external[i], other));
        sum.force = weft_add(sum.force, c->external[i]);
        sum.mass += mass;
    }
    c->part[begin / WEFT_STREAM_BLOCK] = sum;
}

static weft_vec3 uniform_acceleration(const weft_equations *e) {
    weft_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < e->force_count; i++)
        if (e->force[i].functions->acceleration)
            sum = weft_add(sum, e->force[i].functions->acceleration(e->force[i].settings));
    return sum;
}

int weft_projective_limit_air(const weft_projective_step *step) {
    const weft_system *system = step->system;
    if (!weft_system_has_wind(system->equations))
        return 1;
    double *damping = weft_arena_take(system->work->arena, 6 * (size_t)system->count * sizeof *damping, "damping");
    if (!damping)
        return 0;
    if (!weft_system_external_damping(system, system->x, system->v, damping))
        return 1;
    air_pass pass = {step, damping, uniform_acceleration(system->equations)};
    weft_parallel_for(system->work, system->count, WEFT_STREAM_BLOCK, limit_block, &pass);
    return 1;
}
