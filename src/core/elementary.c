/* Sine and cosine: reduction to [-pi/4, pi/4] by multiples of pi/2 in three parts (Cody and Waite 1980), then Taylor
 * series. Arc tangent: reduction to [-1/16, 1/16] by a table of arc tangents. Logarithm: the series of the inverse
 * hyperbolic tangent, which is accurate in the relative sense near 1 too. Exponential function: reduction by multiples
 * of ln 2 in two parts, then a Taylor series. */
#include "core/elementary.h"

#include <stdint.h>

static const double PI = 0x1.921fb54442d18p+1, PI_REST = 0x1.1a62633145c07p-53;

/* pi/2 as a sum. The first two parts have 33 bits, so their products with whole numbers below 2^20 are exact. */
static const double HALF_PI[] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e037073p-69};

/* Subtracts the nearest multiple of pi/2 and returns its number modulo 4. */
static int reduce(double x, double *rest) {
    static const double MOST = 1 << 20;
    if (!(fabs(x) < MOST)) /* 2 PI differs from the period by less than a rounding error of such an x */
        x = fmod(x, 2 * PI);
    double number = rint(x * (2 / PI));
    *rest = ((x - number * HALF_PI[0]) - number * HALF_PI[1]) - number * HALF_PI[2];
    return isfinite(number) ? (int)((int64_t)number & 3) : 0;
}

/* |x| <= pi/4; remainder below 1e-19 */
static double sine_series(double x) {
    double z = -x * x, sum = 0;
    for (int k = 16; k >= 2; k -= 2)
        sum = (1 + sum) * z / (k * (k + 1));
    return x + x * sum;
}

static double cosine_series(double x) {
    double z = -x * x, sum = 0;
    for (int k = 17; k >= 3; k -= 2)
        sum = (1 + sum) * z / (k * (k + 1));
    return 1 + (1 + sum) * (0.5 * z);
}

/* The sine of x plus a number of quarter turns. */
static double sine_of_quarters(double x, int quarters) {
    double rest;
    int number = (reduce(x, &rest) + quarters) & 3;
    double value = number & 1 ? cosine_series(rest) : sine_series(rest);
    return number & 2 ? -value : value;
}

double weft_sin(double x) { return x == 0 ? x : sine_of_quarters(x, 0); }

double weft_cos(double x) { return sine_of_quarters(x, 1); }

/* atan(y / x) for 0 <= y <= x, x > 0 */
static double first_octant(double y, double x) {
    static const double OF_EIGHTHS[] = {0,
                                        0x1.fd5ba9aac2f6ep-4,
                                        0x1.f5b75f92c80ddp-3,
                                        0x1.6f61941e4def1p-2,
                                        0x1.dac670561bb4fp-2,
                                        0x1.1e00babdefeb4p-1,
                                        0x1.4978fa3269ee1p-1,
                                        0x1.700a7c5784634p-1,
                                        0x1.921fb54442d18p-1};
    int eighths = (int)rint(8 * (y / x));
    double near = 0.125 * eighths, u = (y - near * x) / (x + near * y), z = -u * u;
    double sum = z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13))))));
    return OF_EIGHTHS[eighths] + (u + u * sum);
}

double weft_atan2(double y, double x) {
    double a = fabs(x), b = fabs(y), angle;
    if (isnan(x) || isnan(y))
        return NAN;
    if (a == b && (a == 0 || isinf(a)))
        angle = a == 0 ? 0 : PI / 4;
    else if (b <= a)
        angle = isinf(a) ? 0 : first_octant(b, a);
    else
        angle = isinf(b) ? PI / 2 : PI / 2 - (first_octant(a, b) - 0.5 * PI_REST);
    if (signbit(x))
        angle = PI - (angle - PI_REST);
    return copysign(angle, y);
}

double weft_asin(double x) { return fabs(x) <= 1 ? weft_atan2(x, sqrt((1 - x) * (1 + x))) : NAN; }

double weft_acos(double x) { return fabs(x) <= 1 ? weft_atan2(sqrt((1 - x) * (1 + x)), x) : NAN; }

/* ln 2; the product of the first part with an exponent is exact */
static const double LN2 = 0x1.62e42fee00000p-1, LN2_REST = 0x1.a39ef35793c76p-33;

double weft_ln(double x) {
    static const double ROOT_HALF = 0.70710678118654752;
    int power;
    if (!(x > 0) || isinf(x))
        return x == 0 ? -INFINITY : x > 0 ? x : NAN;
    double m = frexp(x, &power);
    if (m < ROOT_HALF) {
        m *= 2;
        power--;
    }
    /* ln m = 2 artanh s; |s| <= 0.172 */
    double s = (m - 1) / (m + 1), z = s * s, q = z * z;
    double even = 1.0 / 3 + q * (1.0 / 7 + q * (1.0 / 11 + q * (1.0 / 15 + q * (1.0 / 19))));
    double odd = 1.0 / 5 + q * (1.0 / 9 + q * (1.0 / 13 + q * (1.0 / 17 + q * (1.0 / 21))));
    return power * LN2 + (2 * s + (2 * s * z * (even + z * odd) + power * LN2_REST));
}

double weft_exp(double x) {
    static const double MOST = 750; /* beyond the range of exponents */
    if (isnan(x))
        return x;
    if (fabs(x) > MOST)
        return x > 0 ? INFINITY : 0;
    double number = rint(x / (LN2 + LN2_REST)), r = (x - number * LN2) - number * LN2_REST, sum = 0;
    for (int k = 14; k >= 2; k--) /* |r| <= 0.35; remainder below 1e-18 */
        sum = (1 + sum) * r / k;
    return ldexp(1 + (r + r * sum), (int)number);
}

double weft_pow(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    return x == 0 ? (y > 0 ? 0 : y < 0 ? INFINITY : NAN) : weft_exp(y * weft_ln(x));
}
