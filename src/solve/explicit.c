/* Shared step of the explicit schemes: evaluate the forces, move the vertices and check the result in one pass. */
#include <stdatomic.h>
#include <string.h>

#include "core/sane.h"
#include "core/simd.h"
#include "solve/schemes.h"

typedef struct checked_move {
    const weft_explicit *scheme;
    weft_force_sink move;
    atomic_int diverged; /* set by any thread, read after the pass */
} checked_move;

static void move_run(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f) {
    checked_move *c = context;
    const weft_system *s = c->scheme->system;
    c->move((void *)c->scheme, block, first, count, f);
    if (!(weft_sane(s->x_next + first, count) && weft_sane(s->v_next + first, count)))
        atomic_store_explicit(&c->diverged, 1, memory_order_relaxed);
}

weft_status weft_explicit_step(const weft_explicit *scheme, weft_forces_of forces, weft_force_sink move) {
    const weft_system *s = scheme->system;
    checked_move moved = {scheme, move, 0};
    if (!forces(s, s->x, s->v, move_run, &moved))
        return WEFT_STATUS_NO_MEMORY;
    return atomic_load(&moved.diverged) ? WEFT_STATUS_DIVERGED : WEFT_STATUS_OK;
}

static inline weft_f64x2 load(const double *from) {
    weft_f64x2 both;
    memcpy(&both, from, sizeof both);
    return both;
}

static inline void store(weft_f64x2 both, double *to) { memcpy(to, &both, sizeof both); }

/* sum = a + s b for two vertices, each with its own s. */
static inline void add_scaled(const weft_vec3 *a, weft_f64x2 s, const weft_vec3 *b, weft_vec3 *sum) {
    weft_f64x2 first = {s[0], s[0]}, second = {s[1], s[1]};
    store(load(&a->x) + first * load(&b->x), &sum->x);
    store(load(&a->z) + s * load(&b->z), &sum->z);
    store(load(&a[1].y) + second * load(&b[1].y), &sum[1].y);
}

void weft_euler_move(const weft_explicit *scheme, int32_t first, int32_t count, const weft_vec3 *f,
                     const weft_vec3 *speed) {
    const weft_system *s = scheme->system;
    const double *w = s->inverse_mass;
    const double dt = scheme->dt;
    int32_t i = first, end = first + count, held = 0;
    for (; i + 2 <= end; i += 2) {
        add_scaled(&s->v[i], dt * load(&w[i]), &f[i - first], &s->v_next[i]);
        add_scaled(&s->x[i], (weft_f64x2){dt, dt}, &speed[i], &s->x_next[i]);
        held |= (w[i] == 0) | (w[i + 1] == 0);
    }
    for (; i < end; i++) {
        s->v_next[i] = weft_add_scaled(s->v[i], dt * w[i], f[i - first]);
        s->x_next[i] = weft_add_scaled(s->x[i], dt, speed[i]);
        held |= w[i] == 0;
    }
    for (i = first; held && i < end; i++)
        if (w[i] == 0)
            weft_move_held(s, dt, i);
}
