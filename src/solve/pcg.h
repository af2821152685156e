/* Filtered preconditioned conjugate gradient method. */
#ifndef WEFT_SOLVE_PCG_H
#define WEFT_SOLVE_PCG_H

#include "solve/bsr.h"
#include "solve/filter.h"
#include "solve/precond.h"

typedef struct weft_pcg_settings {
    double tolerance; /* on |S(b - A x)| / |S(b - A z)|, Euclidean norm, for any preconditioner; z: prescribed values */
    int32_t iterations; /* limit */
    double scale;       /* lower bound of the reference norm |S(b - A z)|; 0: none */
    double energy;      /* a second tolerance; the solve stops when either is met; 0: none. It is for the same ratio in
                           the norm r.M^-1 r, which a preconditioner with a coarse level makes an estimate of the
                           error's energy. Unlike the Euclidean norm it does not grow with the mesh where forces act on
                           a few vertices. Not used where directions are forbidden that are not axis-aligned. */
} weft_pcg_settings;

typedef enum weft_pcg_status {
    WEFT_PCG_CONVERGED,
    WEFT_PCG_CAP,          /* iteration limit reached; x is the last iterate */
    WEFT_PCG_NOT_POSITIVE, /* a direction with p.Ap <= 0 was found; x is the iterate before it */
    WEFT_PCG_NOT_FINITE, /* matrix, right-hand side or an iterate is not finite; x has the prescribed values, otherwise
                            0 */
    WEFT_PCG_NO_MEMORY   /* x as for WEFT_PCG_NOT_FINITE */
} weft_pcg_status;

typedef struct weft_pcg_report {
    weft_pcg_status status;
    int32_t iterations;
    double residual; /* relative, as for the tolerance */
    double smallest; /* smallest Ritz value of the preconditioned matrix; 0 without iterations */
    double largest;
} weft_pcg_report;

/* Solves S A x = S b with (1 - S) x = z. x holds the initial guess and receives the solution. Whatever the status, x is
 * finite and its forbidden components have the prescribed values. `filter` may be null. Scratch comes from the arena.
 */
weft_pcg_report weft_pcg_solve(const weft_bsr *matrix, const weft_filter *filter, const weft_precond *precond,
                               const weft_work *work, const weft_pcg_settings *settings, const weft_vec3 *b,
                               weft_vec3 *x);

#endif
