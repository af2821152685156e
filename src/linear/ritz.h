/* Estimates of the extreme eigenvalues of a block matrix, for tests of definiteness. */
#ifndef WEFT_LINEAR_RITZ_H
#define WEFT_LINEAR_RITZ_H

#include "linear/bsr.h"
#include "linear/filter.h"

/* Lowest and highest eigenvalue of the symmetric tridiagonal matrix with `diagonal` (count) and `beside` (count - 1).
 */
void weft_ritz_tridiagonal(int32_t count, const double *diagonal, const double *beside, double *lowest,
                           double *highest);

/* Ritz values of the preconditioned matrix from the factors of `count` steps of conjugate gradients. Overwrites both
 * arrays. */
void weft_ritz_of_pcg(int32_t count, double *alpha, double *beta, double *lowest, double *highest);

typedef struct weft_ritz {
    double lowest, highest; /* inside the spectrum of S A S on the allowed directions; NaN for a matrix with NaN */
    int32_t steps;          /* fewer than asked for when the Krylov space was exhausted; -1 when memory was out */
} weft_ritz;

/* `steps` of the Lanczos method from a random start, also for indefinite matrices; `filter` may be null. */
weft_ritz weft_ritz_estimate(const weft_bsr *matrix, const weft_filter *filter, const weft_work *work, int32_t steps,
                             uint64_t seed);

#endif
