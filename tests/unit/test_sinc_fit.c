/* The polynomial for the inverse of sinc against bisection. */
#include "cloth/buckling/sinc_fit.h"
#include "support.h"

#define PI 3.14159265358979323846

static long double inverse(long double s) {
    long double low = 0, high = 3.14159265358979323846264338327950288L;
    for (int i = 0; i < 80; i++) {
        long double middle = (low + high) / 2;
        if (middle > 0 && sinl(middle) / middle < s)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

/* q' = 2 y / (ds/dy), ds/dy = (cos y - sinc y) / y */
static double exact_slope(double s) {
    long double y = inverse(s);
    return (double)(2 * y * y / (cosl(y) - sinl(y) / y));
}

static void fit_matches_curvature_of_arc(void **state) {
    (void)state;
    weft_sinc fit;
    weft_sinc_fit(&fit);
    double worst = 0, worst_slope = 0;
    for (int i = 0; i <= 20000; i++) {
        double s = i / 20000.0, q = weft_sinc_at(fit.square, s);
        double error = fabs(2 * sqrt(fmax(q, 0)) - 2 * (double)inverse(s));
        worst = error > worst ? error : worst;
        if (s > 0.999)
            continue;
        double slope = fabs(weft_sinc_at(fit.slope, s) / exact_slope(s) - 1);
        worst_slope = slope > worst_slope ? slope : worst_slope;
    }
    if (!(worst < 1e-6))
        fail_msg("kappa L is wrong by %g", worst);
    if (!(worst_slope < 1e-6))
        fail_msg("the force has a relative error of %g", worst_slope);
}

/* Near s = 1 bisection loses digits. The series q = 6 u + 9/5 u^2 + ..., u = 1 - s, is used instead. */
static void fit_matches_limits_at_ends(void **state) {
    (void)state;
    weft_sinc fit;
    weft_sinc_fit(&fit);
    assert_near(weft_sinc_at(fit.square, 1), 0, 1e-14);
    assert_near(weft_sinc_at(fit.slope, 1), -6, 1e-9);
    assert_near(weft_sinc_at(fit.bend, 1), 3.6, 1e-6);
    assert_near(weft_sinc_at(fit.square, 0), PI * PI, 1e-9);
    assert_near(weft_sinc_at(fit.slope, 0), -2 * PI * PI, 1e-6);
    for (double u = 1e-12; u < 1e-3; u *= 3) {
        double y = sqrt(weft_sinc_at(fit.square, 1 - u));
        assert_near(y, sqrt(6 * u + 1.8 * u * u), 1e-8);
    }
}

static void derivatives_match_fit(void **state) {
    (void)state;
    weft_sinc fit;
    weft_sinc_fit(&fit);
    const double h = 1e-5;
    double before = weft_sinc_at(fit.bend, 0);
    for (int i = 1; i < 1000; i++) {
        double s = i / 1000.0;
        double slope = (weft_sinc_at(fit.square, s + h) - weft_sinc_at(fit.square, s - h)) / (2 * h);
        double bend = (weft_sinc_at(fit.slope, s + h) - weft_sinc_at(fit.slope, s - h)) / (2 * h);
        assert_near(weft_sinc_at(fit.slope, s), slope, 1e-7);
        assert_near(weft_sinc_at(fit.bend, s), bend, 2e-6);
        assert_true(weft_sinc_at(fit.bend, s) > 0);
        assert_true(weft_sinc_at(fit.bend, s) < before); /* q' is concave: the switch to the linear branch relies on
                                                          * it */
        before = weft_sinc_at(fit.bend, s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_matches_curvature_of_arc),
        cmocka_unit_test(fit_matches_limits_at_ends),
        cmocka_unit_test(derivatives_match_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
