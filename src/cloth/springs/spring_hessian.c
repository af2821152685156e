/* The Hessian of the springs. The block between the ends of a spring with direction d is k [ d d^T + max(0, 1 - l0 / l)
 * (1 - d d^T) ]. For a compressed spring the part orthogonal to d is left out. It is negative without bound as l -> 0
 * and would make the matrix indefinite (Choi and Ko 2002, section 3.1). */
#include <math.h>

#include "cloth/springs/springs.h"
#include "core/simd.h"
#include "weft/vec.h"

int32_t weft_springs_element_lists(const void *self, const weft_elements **lists) {
    const weft_springs *s = self;
    *lists = &s->elements;
    return 1;
}

/* Stiffness along and across the spring, N/m, and damping along and across it, kg/s. */
typedef struct law {
    double along, across, damping_along, damping_across;
} law;

static inline law law_of(const weft_springs *s, int32_t spring, double length, double inverse) {
    int intact = s->settings.on[weft_springs_type(s, spring)] && !weft_springs_is_broken(s, spring);
    double k = intact ? (double)s->stiffness[spring] : 0, rest = s->rest[spring];
    double kd = k > 0 ? s->damping_constant + s->damping_time * k : 0;
    return (law){length > 0 ? k : 0, length > rest ? k * (1 - rest * inverse) : 0, length > 0 ? kd : 0,
                 s->settings.damping_kind == WEFT_SPRINGS_ALONG ? 0 : kd};
}

/* -(along d d^T + across (1 - d d^T)), row-major */
static void fill(double *block, weft_vec3 d, double along, double across) {
    const double direction[3] = {d.x, d.y, d.z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[3 * r + c] = -(along - across) * direction[r] * direction[c] - (r == c ? across : 0);
}

void weft_springs_element_blocks(const void *self, int32_t list, const int32_t *element, int32_t count,
                                 const weft_vec3 *x, const weft_vec3 *v, double *stiffness, double *damping) {
    (void)list;
    (void)v;
    const weft_springs *s = self;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *end = s->list.end[element[i]];
        weft_vec3 d = weft_sub(x[end[1]], x[end[0]]);
        double length = weft_length(d);
        law l = law_of(s, element[i], length, 1 / length);
        d = weft_normalize(d);
        fill(stiffness + 9 * (size_t)i, d, l.along, l.across);
        if (damping)
            fill(damping + 9 * (size_t)i, d, l.damping_along, l.damping_across);
    }
}

void weft_springs_set_laws(weft_springs *s) {
    for (int32_t i = 0; i < s->list.count; i++) {
        law l = law_of(s, i, 1, 1);
        s->law[i] = (weft_pair_law){(float)s->rest[i], (float)l.along, INFINITY, (float)l.damping_along};
    }
}

static weft_pair_laws laws_of(const weft_springs *s) {
    return (weft_pair_laws){s->law, NULL, s->settings.damping_kind != WEFT_SPRINGS_ALONG};
}

void weft_springs_pair_rows(const void *self, const weft_pair_rows *rows, float *block, weft_pair_sum *sum) {
    const weft_pair_laws laws = laws_of(self);
    weft_pair_laws_rows(weft_simd_isa(), &laws, rows, block, sum);
}
