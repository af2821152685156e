#include "core/sane.h"
#include "integrate/integrate.h"

typedef struct checked_move {
    weft_explicit *scheme;
    weft_body move;
} checked_move;

static double move_block(void *context, int64_t begin, int64_t end) {
    const checked_move *moved = context;
    const weft_system *s = moved->scheme->system;
    moved->move(moved->scheme, begin, end);
    return !(weft_sane(s->x_next + begin, end - begin) && weft_sane(s->v_next + begin, end - begin));
}

weft_status weft_explicit_step(weft_explicit *scheme, weft_force_of force, weft_body move) {
    const weft_system *s = scheme->system;
    scheme->f = weft_arena_take(s->work->arena, (size_t)s->count * sizeof *scheme->f, "forces");
    if (!scheme->f)
        return WEFT_STATUS_NO_MEMORY;
    force(s, s->x, s->v, scheme->f);
    checked_move moved = {scheme, move};
    double bad = weft_parallel_sum(s->work, s->count, WEFT_BLOCK, move_block, &moved);
    return bad > 0 ? WEFT_STATUS_DIVERGED : WEFT_STATUS_OK;
}
