/* Estimates of the extreme eigenvalues of a block matrix, to test definiteness. */
#ifndef WEFT_SOLVE_RITZ_H
#define WEFT_SOLVE_RITZ_H

#include "solve/bsr.h"
#include "solve/filter.h"

/* Smallest and largest eigenvalue of the symmetric tridiagonal matrix with `diagonal` (count) and `off_diagonal` (count
 * - 1). */
void weft_ritz_tridiagonal(int32_t count, const double *diagonal, const double *off_diagonal, double *lowest,
                           double *highest);

/* Ritz values of the preconditioned matrix from the coefficients of `count` conjugate gradient iterations. Overwrites
 * both arrays. */
void weft_ritz_of_pcg(int32_t count, double *alpha, double *beta, double *lowest, double *highest);

typedef struct weft_ritz {
    double lowest, highest; /* within the spectrum of S A S on the allowed directions; NaN if the matrix has NaN */
    int32_t steps;          /* fewer than requested if the Krylov space was exhausted; -1 if memory was exhausted */
} weft_ritz;

/* Runs `steps` Lanczos steps from a random vector. Works for indefinite matrices. `filter` may be null. */
weft_ritz weft_ritz_estimate(const weft_bsr *matrix, const weft_filter *filter, const weft_work *work, int32_t steps,
                             uint64_t seed);

#endif
