/** @file
 * External forces on all cloths. A force component provides a weft_force_functions table. */
#ifndef WEFT_FORCE_H
#define WEFT_FORCE_H

#include "weft/base.h"
#include "weft/component.h"
#include "weft/work.h"

WEFT_BEGIN

/** The vertices for which forces are computed. The arrays are views, valid during the call. */
typedef struct weft_force_input {
    int32_t count;      /**< of vertices */
    double time;        /**< s */
    const weft_vec3 *x; /**< positions, m (count) */
    const weft_vec3 *v; /**< velocities, m/s (count) */
    const double *mass; /**< kg (count) */
    const double *area; /**< at rest, m2 (count) */
    uint64_t seed;      /**< air.seed, for weft_random */
} weft_force_input;

/** The functions of a force. A component leaves those that it does not offer null. `settings` is the component's
 * settings struct. */
typedef struct weft_force_functions {
    /** Adds forces to f, N (count). It is called for blocks of vertices from several threads at once. The force on a
     * vertex must depend on that vertex alone. The function must not take memory from the arena. */
    void (*apply)(const void *settings, const weft_work *work, const weft_force_input *input, weft_vec3 *f);
    /** Adds the velocity of the air at `where`, m/s (count). All sources sum into one field. Drag and lift are computed
     * once from that field. */
    void (*wind)(const void *settings, const weft_work *work, double time, uint64_t seed, int32_t count,
                 const weft_vec3 *where, weft_vec3 *velocity);
    /** Adds -df/dv per vertex, made symmetric and positive: xx xy xz yy yz zz, kg/s (count x 6). */
    void (*damping)(const void *settings, const weft_work *work, const weft_force_input *input, double *block);
    /** Potential energy, J. */
    double (*energy)(const void *settings, const weft_work *work, const weft_force_input *input);
    /** The acceleration, m/s2, if the force is the mass times one acceleration. Null for any other force. */
    weft_vec3 (*acceleration)(const void *settings);
} weft_force_functions;

WEFT_END
#endif
