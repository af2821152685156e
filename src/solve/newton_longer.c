/* Longer Newton corrections. Matrices leave out the negative stiffness of compressed cloth, so where cloth buckles they
 * are too stiff, and each correction points the way of the last one and is a little shorter. The sum of such a series
 * follows from its ratio (Aitken's extrapolation). Other corrections stay as they are. */
#include <math.h>
#include <string.h>

#include "solve/newton.h"
#include "weft/vec.h"

/* Cosine of the angle to the last correction from which on the series is believed, and the largest multiple. */
static const double SAME_WAY = 0.8, MOST = 3;

void weft_newton_lengthen(const weft_newton *n, weft_newton_longer *longer) {
    double last_now = 0, last_last = 0, now_now = 0;
    for (int32_t i = 0; i < n->at_end.count && longer->gone > 0; i++)
        if (n->at_end.inverse_mass[i] > 0) {
            last_now += weft_dot(longer->last[i], n->dv[i]);
            last_last += weft_dot(longer->last[i], longer->last[i]);
            now_now += weft_dot(n->dv[i], n->dv[i]);
        }
    memcpy(longer->last, n->dv, (size_t)n->at_end.count * sizeof *n->dv);
    longer->scale = 1;
    if (!(last_now > SAME_WAY * sqrt(last_last * now_now)))
        return;
    /* a multiple g of the last correction left the fraction 1 - g / s of what was missing, where s is the sum */
    double left = last_now / last_last;
    longer->scale = left < 1 ? fmin(fmax(longer->gone / (1 - left), 1), MOST) : MOST;
    for (int32_t i = 0; i < n->at_end.count && longer->scale > 1; i++)
        n->dv[i] = weft_scale(longer->scale, n->dv[i]);
}
