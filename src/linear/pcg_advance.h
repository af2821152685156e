/* The passes of an iteration over its vectors in double. `wide`: by the vector unit, with the same bits. */
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

/* x += alpha p, r -= alpha q, and z = S M^-1 r where that is local, of rows [begin, end); gives |r|^2 and r.z. */
void weft_pcg_advance(const weft_advance *a, int wide, int64_t begin, int64_t end, double sum[2]);

/* q = S q of these rows; gives p.q. */
double weft_pcg_filter(const weft_filter *filter, int wide, const float *p4, weft_vec3 *q, int64_t begin, int64_t end);

#endif
