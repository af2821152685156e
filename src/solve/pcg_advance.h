/* The passes of a PCG iteration over its vectors in double. All instruction sets give the same bits. */
#ifndef WEFT_SOLVE_PCG_ADVANCE_H
#define WEFT_SOLVE_PCG_ADVANCE_H

#include "core/simd.h"
#include "solve/filter.h"
#include "solve/precond.h"

typedef struct weft_advance {
    const weft_filter *filter; /* may be null */
    const weft_precond *precond;
    double alpha;
    const weft_vec3 *q, *p;
    weft_vec3 *x, *r;
    float *z4;
} weft_advance;

/* For rows [begin, end): x += alpha p, r -= alpha q, and z = S M^-1 r if weft_precond_can_follow. Gives |r|^2 and r.z.
 */
void weft_pcg_advance(const weft_advance *a, weft_isa isa, int64_t begin, int64_t end, double sum[2]);

/* For rows [begin, end): z = S M^-1 r, after weft_precond_prepare. Returns r.z. */
double weft_pcg_precondition(const weft_advance *a, weft_isa isa, int64_t begin, int64_t end);

typedef struct weft_turn {
    const weft_filter *filter; /* may be null */
    double beta;
    const float *z4;
    const weft_vec3 *q_last;
    weft_vec3 *q; /* A z before, A p after */
    weft_vec3 *p;
} weft_turn;

/* For rows [begin, end): p = z + beta p, q = S q + beta q_last. Returns p.q. */
double weft_pcg_turn(const weft_turn *t, weft_isa isa, int64_t begin, int64_t end);

#endif
