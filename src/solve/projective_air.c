/* The force of air in a projective step, limited for long steps (air_limit.h). */
#include "solve/air_limit.h"
#include "solve/projective.h"
#include "weft/vec.h"

typedef struct air_pass {
    const weft_projective_step *step;
    weft_air_limit limit;
} air_pass;

static void limit_block(void *context, int64_t begin, int64_t end) {
    const air_pass *p = context;
    const weft_projective_step *c = p->step;
    weft_projective_sums sum = {0};
    for (int64_t i = begin; i < end; i++) {
        if (c->matrix->held[i])
            continue;
        double mass = c->system->mass[i];
        c->external[i] = weft_air_limited(&p->limit, i, mass, c->external[i]);
        sum.force = weft_add(sum.force, c->external[i]);
        sum.mass += mass;
    }
    c->part[begin / WEFT_STREAM_BLOCK] = sum;
}

int weft_projective_limit_air(const weft_projective_step *step) {
    const weft_system *system = step->system;
    air_pass pass = {.step = step};
    if (!weft_air_limit_begin(system, step->dt, &pass.limit))
        return 0;
    if (pass.limit.damping)
        weft_parallel_for(system->work, system->count, WEFT_STREAM_BLOCK, limit_block, &pass);
    return 1;
}
