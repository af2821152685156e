/* The pass of an iteration that has most vectors. */
#ifndef WEFT_LINEAR_PCG_ADVANCE_H
#define WEFT_LINEAR_PCG_ADVANCE_H

#include "linear/filter.h"
#include "linear/precond.h"

typedef struct weft_advance {
    const weft_filter *filter; /* may be null */
    const weft_precond *precond;
    double alpha;
    const weft_vec3 *q;
    const float *p4;
    weft_vec3 *x, *r;
    float *z4;
} weft_advance;

/* x += alpha p, r -= alpha q, and z = S M^-1 r where that is local, of rows [begin, end); gives |r|^2 and r.z. `wide`:
 * by the vector unit, with the same bits. */
void weft_pcg_advance(const weft_advance *a, int wide, int64_t begin, int64_t end, double sum[2]);

#endif
