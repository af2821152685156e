/* When Newton's method without contact stops: when the energy that it may still take from the motion is small beside
 * the energy of the motion. One linearisation lengthens stiff cloth that turns, by terms of second order. The next step
 * would pull it back, and so turn motion into damping. How far the potential at the end of an update differs from what
 * the linearisation predicted is the energy in such terms. It is known without another solve. */
#include <math.h>

#include "solve/newton.h"
#include "weft/vec.h"

/* The kinetic energy that solves may take in a second, as a share. */
static const double SHARE = 0.05; /* 1/s */
/* The speed, m/s, whose kinetic energy may be lost in a step, so that cloth at rest takes one update. */
static const double SLOW = 0.001;
/* What an update promises, relative to what may be lost. After the first update, which has the motion itself, it must
 * not be much more, because errors of second and higher order cancel here and there. */
static const double MOST_PROMISED = 100;

static double kinetic_block(void *context, int64_t begin, int64_t end) {
    const weft_newton *n = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++)
        if (n->at_end.inverse_mass[i] != 0)
            sum += 0.5 * n->at_end.mass[i] * (SHARE * n->h * weft_dot(n->dv[i], n->dv[i]) + SLOW * SLOW);
    return sum;
}

/* The force at the start of the line. In the first update it was evaluated at another velocity than that of the line,
 * which only matters to the drag. */
static weft_vec3 force_at_start(const weft_newton *n, int64_t i) {
    if (!n->frozen)
        return n->f[i];
    weft_vec3 first = weft_scale(1 / n->h, weft_sub(n->x_last[i], n->X[i]));
    return weft_add(n->f[i], weft_newton_times(n->frozen->damping + 6 * i, weft_sub(n->v[i], first)));
}

static double promised_block(void *context, int64_t begin, int64_t end) {
    const weft_newton *n = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        if (n->at_end.inverse_mass[i] == 0)
            continue;
        weft_vec3 ahead = weft_sub(weft_add_scaled(n->X[i], n->h, n->V[i]), n->x_last[i]);
        weft_vec3 pull = weft_add_scaled(force_at_start(n, i), n->at_end.mass[i] / (n->h * n->h), ahead);
        weft_vec3 way = weft_sub(weft_add_scaled(n->X[i], n->h, n->dv[i]), n->x_last[i]);
        sum += 0.5 * weft_dot(pull, way);
    }
    return sum;
}

weft_newton_stop weft_newton_stop_begin(const weft_newton *n, int is_first) {
    const weft_work *work = n->at_end.work;
    weft_newton_stop made = {.is_first = is_first};
    made.promised = weft_parallel_sum(work, n->at_end.count, WEFT_BLOCK, promised_block, (void *)n);
    made.allowed = weft_parallel_sum(work, n->at_end.count, WEFT_BLOCK, kinetic_block, (void *)n);
    return made;
}

int weft_newton_is_done(const weft_newton_stop *stop, double fall, int was_shortened) {
    double most = was_shortened ? 1 : stop->is_first ? INFINITY : MOST_PROMISED;
    return stop->promised <= stop->allowed ||
           (fabs(stop->promised - fall) <= stop->allowed && stop->promised <= most * stop->allowed);
}
