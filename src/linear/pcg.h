/* The filtered, preconditioned conjugate gradient method. */
#ifndef WEFT_LINEAR_PCG_H
#define WEFT_LINEAR_PCG_H

#include "linear/bsr.h"
#include "linear/filter.h"
#include "linear/precond.h"

typedef struct weft_pcg_settings {
    double
        tolerance; /* on |S(b - A x)| / |S(b - A z)|, the Euclidean norm whatever the preconditioner; z: prescribed */
    int32_t iterations; /* at most */
    double scale;       /* what the tolerance is relative to is this at least; 0: no such */
} weft_pcg_settings;

typedef enum weft_pcg_status {
    WEFT_PCG_CONVERGED,
    WEFT_PCG_CAP,          /* the iterations did not suffice; x is the last iterate */
    WEFT_PCG_NOT_POSITIVE, /* a direction with p.Ap <= 0 was met; x is the iterate before it */
    WEFT_PCG_NOT_FINITE,   /* in the matrix, the right-hand side or on the way; x has the prescribed values, else 0 */
    WEFT_PCG_NO_MEMORY     /* x as for not finite */
} weft_pcg_status;

typedef struct weft_pcg_report {
    weft_pcg_status status;
    int32_t iterations;
    double residual; /* relative, as in the tolerance */
    double smallest; /* lowest Ritz value of the preconditioned matrix; 0 without an iteration */
    double largest;
} weft_pcg_report;

/* Solves S A x = S b with (1 - S) x = z. x holds the start and receives the solution; it is always finite, and its
 * forbidden components are the prescribed ones whatever the status. `filter` may be null. Memory comes from the arena.
 */
weft_pcg_report weft_pcg_solve(const weft_bsr *matrix, const weft_filter *filter, const weft_precond *precond,
                               const weft_work *work, const weft_pcg_settings *settings, const weft_vec3 *b,
                               weft_vec3 *x);

#endif
