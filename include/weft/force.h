/* External forces on all cloths: what a force component provides. */
#ifndef WEFT_FORCE_H
#define WEFT_FORCE_H

#include "weft/base.h"
#include "weft/component.h"
#include "weft/work.h"

WEFT_BEGIN

/* All vertices of the simulation at the moment forces are asked for. */
typedef struct weft_force_input {
    int32_t count;
    double time;        /* s */
    const weft_vec3 *x; /* m (count) */
    const weft_vec3 *v; /* m/s (count) */
    const double *mass; /* kg (count) */
    const double *area; /* m2 at rest (count) */
    uint64_t seed;
} weft_force_input;

typedef struct weft_force_functions {
    /* Adds forces, N (count). Called for blocks of vertices, from several threads: a force of each vertex alone,
     * without memory from the arena. */
    void (*apply)(const void *settings, const weft_work *work, const weft_force_input *input, weft_vec3 *f);
    /* Adds the velocity of the air at `where`, m/s (count). All sources sum into one field, from which drag and lift
     * are computed once. */
    void (*wind)(const void *settings, const weft_work *work, double time, uint64_t seed, int32_t count,
                 const weft_vec3 *where, weft_vec3 *velocity);
    /* Adds -df/dv of each vertex, made symmetric and positive: xx xy xz yy yz zz, kg/s (count x 6). */
    void (*damping)(const void *settings, const weft_work *work, const weft_force_input *input, double *block);
    /* Potential energy, J. */
    double (*energy)(const void *settings, const weft_work *work, const weft_force_input *input);
    /* Of a force that is the masses times one acceleration, m/s2; null for any other. */
    weft_vec3 (*acceleration)(const void *settings);
} weft_force_functions;

WEFT_END
#endif
