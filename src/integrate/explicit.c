#include "integrate/integrate.h"

weft_status weft_explicit_step(weft_explicit *scheme, weft_force_of force, weft_body move) {
    const weft_system *s = scheme->system;
    scheme->f = weft_arena_take(s->work->arena, (size_t)s->count * sizeof *scheme->f, "forces");
    if (!scheme->f)
        return WEFT_STATUS_NO_MEMORY;
    force(s, s->x, s->v, scheme->f);
    weft_parallel_for(s->work, s->count, WEFT_BLOCK, move, scheme);
    return WEFT_STATUS_OK;
}
