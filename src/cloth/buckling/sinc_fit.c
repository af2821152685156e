/* Interpolates p(s) = q(s) / (1 - s) at the Chebyshev nodes (Trefethen, Approximation Theory and Approximation
 * Practice, chapters 3 and 8). The factor 1 - s makes q(1) = 0 exact. */
#include "cloth/buckling/sinc_fit.h"

#include <math.h>

#include "core/elementary.h"

#define PI 3.14159265358979323846
enum { NODES = WEFT_SINC_DEGREE };

/* 1 - sin y / y without cancellation */
static double one_minus_sinc(double y) {
    if (y > 1)
        return 1 - weft_sin(y) / y;
    double square = y * y, sum = 0;
    for (int i = 10; i > 0; i--)
        sum = square / (2 * i * (2 * i + 1)) * (1 - sum);
    return sum;
}

/* Finds y in [0, pi] with 1 - sinc y = u by bisection to the last bit. */
static double inverse(double u) {
    double low = 0, high = PI;
    for (;;) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            return middle;
        if (one_minus_sinc(middle) < u)
            low = middle;
        else
            high = middle;
    }
}

/* The coefficients of p in Chebyshev polynomials of t. */
static void interpolate(double chebyshev[NODES]) {
    double value[NODES];
    for (int k = 0; k < NODES; k++) {
        double half = weft_sin(PI * (k + 0.5) / (2 * NODES)), u = half * half, y = inverse(u);
        value[k] = y * y / u;
    }
    for (int j = 0; j < NODES; j++) {
        double sum = 0;
        for (int k = 0; k < NODES; k++)
            sum += value[k] * weft_cos(PI * j * (k + 0.5) / NODES);
        chebyshev[j] = (j == 0 ? 1.0 : 2.0) / NODES * sum;
    }
}

/* Converts to powers of t with T_(j+1) = 2 t T_j - T_(j-1). This is well conditioned, because the Taylor series of q
 * about t = 0 converges up to |t| = 1.43. */
static void expand(const double chebyshev[NODES], double power[NODES]) {
    double last[NODES] = {1}, now[NODES] = {0, 1};
    for (int i = 0; i < NODES; i++)
        power[i] = chebyshev[0] * last[i] + chebyshev[1] * now[i];
    for (int j = 2; j < NODES; j++) {
        for (int i = NODES - 1; i >= 0; i--) {
            double next = (i > 0 ? 2 * now[i - 1] : 0) - last[i];
            last[i] = now[i];
            now[i] = next;
            power[i] += chebyshev[j] * next;
        }
    }
}

static void differentiate(const double *from, double *to) {
    for (int i = 0; i < WEFT_SINC_DEGREE; i++)
        to[i] = 2 * (i + 1) * from[i + 1];
    to[WEFT_SINC_DEGREE] = 0;
}

void weft_sinc_fit(weft_sinc *fit) {
    double chebyshev[NODES], p[NODES];
    interpolate(chebyshev);
    expand(chebyshev, p);
    for (int i = 0; i <= WEFT_SINC_DEGREE; i++)
        fit->square[i] = 0.5 * ((i < NODES ? p[i] : 0) - (i > 0 ? p[i - 1] : 0));
    differentiate(fit->square, fit->slope);
    differentiate(fit->slope, fit->bend);
}
