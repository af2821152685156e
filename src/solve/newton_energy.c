/* The energy balance of a step with contact. In a convex potential an implicit Euler step that is solved exactly loses
 * energy. A solve that ends too early may gain some, and so does a long step around an obstacle: contact pushes with
 * the normal of the end of the step along the whole way. Two-step schemes also gain where they extrapolate an impact.
 */
#include "solve/newton.h"
#include "weft/vec.h"

/* Gains below this fraction of the kinetic energy are accepted. */
static const double SHARE = 1e-3;
/* The speed, m/s, whose kinetic energy is accepted as a gain: cloth at rest is not solved more accurately. */
static const double SLOW = 0.005;

typedef struct balance {
    double kinetic_start, kinetic_gain, work, mass;
} balance;

static balance add_up(const weft_newton *n) {
    const weft_system *system = &n->at_end;
    balance sum = {0};
    for (int32_t i = 0; i < system->count; i++) {
        if (system->inverse_mass[i] == 0)
            continue;
        double half = 0.5 * system->mass[i], start = half * weft_dot(system->v[i], system->v[i]);
        sum.kinetic_start += start;
        sum.kinetic_gain += half * weft_dot(n->v[i], n->v[i]) - start;
        sum.work += weft_dot(n->external[i], weft_sub(n->x[i], system->x[i]));
        sum.mass += system->mass[i];
    }
    return sum;
}

int weft_newton_gains_energy(const weft_newton *n, double stored) {
    balance sum = add_up(n);
    double elastic = weft_system_energy(&n->at_end, n->x) - weft_system_energy(&n->at_end, n->at_end.x);
    double gain = sum.kinetic_gain + elastic + stored - sum.work;
    return gain > SHARE * sum.kinetic_start + 0.5 * SLOW * SLOW * sum.mass;
}
