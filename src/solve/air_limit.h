/* Limits the force of air where it is evaluated at the start of a step (`projective`, `xpbd`). It may then accelerate
 * light cloth beyond the speed of the air. The force grows with the square of the speed, and the cloth would run away.
 * Where the step is too long for the damping by air, the force is reduced: to what brings a free vertex, by the
 * linearised force, to the speed at which air exerts none. Shorter steps do not need this. */
#ifndef WEFT_SOLVE_AIR_LIMIT_H
#define WEFT_SOLVE_AIR_LIMIT_H

#include "weft/system.h"

typedef struct weft_air_limit {
    const double *damping; /* of each vertex, kg/s (count x 6); null when there is no wind to limit */
    weft_vec3 uniform;     /* acceleration by forces other than air, m/s2 */
    double dt;             /* s */
} weft_air_limit;

/* At the state of the start of the step. Returns 0 if memory is exhausted. */
int weft_air_limit_begin(const weft_system *system, double dt, weft_air_limit *limit);
/* The external force (N) on a vertex of that mass (kg), reduced where necessary. */
weft_vec3 weft_air_limited(const weft_air_limit *limit, int64_t vertex, double mass, weft_vec3 external);

#endif
