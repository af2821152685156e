/* The engine's own elementary functions: accuracy against libm, special values, and the same bits from every build. The
 * sum of bits is pinned; tests/wasm compares it with the browser build. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/elementary.h"
#include "support.h"

enum { COUNT = 200000, COUNT_FUNCTIONS = 8, POW = 7 };

/* Distance in units in the last place of the larger value. */
static double ulps(double a, double b) {
    double unit = nextafter(fmax(fabs(a), fabs(b)), INFINITY) - fmax(fabs(a), fabs(b));
    return a == b ? 0 : fabs(a - b) / unit;
}

/* Arguments that are the same in every build: a Weyl sequence in [0, 1). */
static double share(int i, double step) {
    double x = (i + 1) * step;
    return x - floor(x);
}

static uint64_t add_bits(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (hash ^ bits) * UINT64_C(0x100000001b3);
}

static uint64_t hash_all(double *worst) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < COUNT; i++) {
        double a = share(i, 0.6180339887498949), b = share(i, 0.7548776662466927);
        double turn = (a - 0.5) * (i % 3 == 0 ? 6 : i % 3 == 1 ? 600 : 3e5), x = 2 * a - 1, y = 2 * b - 1;
        double ratio = i % 2 ? a : ldexp(1 + a, (int)(200 * y));
        double power = 40 * y;
        const double own[] = {weft_sin(turn),   weft_cos(turn), weft_asin(x),    weft_acos(x),
                              weft_atan2(y, x), weft_ln(ratio), weft_exp(power), weft_pow(a, 3 * b)};
        const double libm[] = {sin(turn),   cos(turn),  asin(x),    acos(x),
                               atan2(y, x), log(ratio), exp(power), pow(a, 3 * b)};
        for (int k = 0; k < COUNT_FUNCTIONS; k++) {
            worst[k] = fmax(worst[k], ulps(own[k], libm[k]));
            hash = add_bits(hash, own[k]);
        }
    }
    return hash;
}

static void values_are_accurate(void **state) {
    (void)state;
    double worst[COUNT_FUNCTIONS] = {0};
    uint64_t hash = hash_all(worst);
    printf("elementary functions: %016llx\n", (unsigned long long)hash);
    for (int k = 0; k < COUNT_FUNCTIONS; k++)
        if (!(worst[k] < (k == POW ? 40 : 4))) /* |3 ln 1e-5| = 35 */
            fail_msg("function %d is off by %g units in the last place", k, worst[k]);
}

static void special_values_are_those_of_libm(void **state) {
    (void)state;
    const double place[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, 2, -3};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++) {
            double own = weft_atan2(place[i], place[k]), libm = atan2(place[i], place[k]);
            assert_true(ulps(own, libm) < 4 && signbit(own) == signbit(libm));
        }
    assert_true(isnan(weft_atan2(NAN, 1)) && isnan(weft_atan2(1, NAN)));
    assert_true(weft_sin(0) == 0 && signbit(weft_sin(-0.0)) && weft_cos(0) == 1);
    assert_true(isnan(weft_sin(INFINITY)) && isnan(weft_cos(NAN)));
    assert_true(weft_acos(1) == 0 && weft_acos(-1) == acos(-1) && isnan(weft_acos(1.0000001)));
    assert_true(weft_ln(1) == 0 && weft_ln(0) == -INFINITY && isnan(weft_ln(-1)) && isnan(weft_ln(NAN)));
    assert_true(weft_ln(INFINITY) == INFINITY && ulps(weft_ln(5e-324), log(5e-324)) < 4);
    assert_true(ulps(weft_ln(1 + 1e-12), log1p(1.000088900582341e-12)) < 4);
    assert_true(fabs(weft_sin(1e12) - sin(1e12)) < 2e-4);
    assert_true(weft_asin(0) == 0 && weft_asin(1) == asin(1) && isnan(weft_asin(-1.0000001)));
    assert_true(weft_exp(0) == 1 && weft_exp(-INFINITY) == 0 && weft_exp(710) == INFINITY && isnan(weft_exp(NAN)));
    assert_true(weft_exp(-745) == exp(-745) && ulps(weft_exp(709), exp(709)) < 4);
    assert_true(weft_pow(0, 2) == 0 && weft_pow(0, 0) == 1 && weft_pow(0, -1) == INFINITY && weft_pow(1, NAN) == 1);
    assert_true(isnan(weft_pow(-2, 2)) && isnan(weft_pow(0, NAN)) && weft_pow(NAN, 0) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_accurate),
                                       cmocka_unit_test(special_values_are_those_of_libm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
