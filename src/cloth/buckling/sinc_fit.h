/* The square of the inverse of sinc y = sin y / y on [0, pi], as a polynomial. */
#ifndef WEFT_CLOTH_BUCKLING_SINC_FIT_H
#define WEFT_CLOTH_BUCKLING_SINC_FIT_H

enum { WEFT_SINC_DEGREE = 27 };

/* q(s) = (sinc^-1 s)^2 falls from pi^2 at s = 0 to 0 at s = 1, where q' = -6 and q'' = 3.6. The nearest singularity is
 * the minimum of sinc, s = -0.217, so the polynomial converges like 2.46^-degree. The coefficients are for powers of t
 * = 2 s - 1. The derivatives are those of the polynomial itself. */
typedef struct weft_sinc {
    double square[WEFT_SINC_DEGREE + 1]; /* q */
    double slope[WEFT_SINC_DEGREE + 1];  /* q', the last coefficient is 0 */
    double bend[WEFT_SINC_DEGREE + 1];   /* q'', the last two are 0 */
} weft_sinc;

void weft_sinc_fit(weft_sinc *fit);

/* Evaluates at s in [0, 1]. Even and odd powers are summed separately, so two chains of operations overlap. */
static inline double weft_sinc_at(const double *coefficient, double s) {
    double t = 2 * s - 1, square = t * t;
    double odd = coefficient[WEFT_SINC_DEGREE], even = coefficient[WEFT_SINC_DEGREE - 1];
    for (int i = WEFT_SINC_DEGREE - 2; i > 0; i -= 2) {
        odd = odd * square + coefficient[i];
        even = even * square + coefficient[i - 1];
    }
    return even + t * odd;
}

#endif
