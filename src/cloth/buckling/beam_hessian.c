/* The Hessian of the immediate-buckling model (Choi and Ko 2002, equations 3, 12 and 14, with the projectors x x^T /
 * |x|^2). A stretched interaction of type 1 contributes its full Hessian, a beam only the part along itself. The part
 * orthogonal to a compressed beam is negative. It is left out, so the matrix is never indefinite. */
#include "cloth/buckling/buckling.h"
#include "core/simd.h"
#include "weft/vec.h"

int32_t weft_buckling_element_lists(const void *self, const weft_elements **lists) {
    const weft_buckling *b = self;
    *lists = &b->springs.elements;
    return 1;
}

/* -(along d d^T + across (1 - d d^T)), row-major */
static void fill(double *block, weft_vec3 d, double along, double across) {
    double rest = across - along;
    double xy = rest * d.x * d.y, xz = rest * d.x * d.z, yz = rest * d.y * d.z;
    block[0] = rest * d.x * d.x - across, block[1] = xy, block[2] = xz;
    block[3] = xy, block[4] = rest * d.y * d.y - across, block[5] = yz;
    block[6] = xz, block[7] = yz, block[8] = rest * d.z * d.z - across;
}

/* df_b* / dl, N/m */
static double beam_stiffness(const weft_sinc *sinc, weft_interaction a, double stretch) {
    int bends;
    if (!(a.critical > 0) || !(stretch < 0))
        return 0;
    weft_buckling_tension(sinc, a, stretch, &bends);
    return bends ? a.critical / (6 * a.rest) * weft_sinc_at(sinc->bend, 1 + stretch / a.rest) : -a.stiffness;
}

/* Stiffness along and across an interaction of this length, N/m. */
static inline void stiffness_of(const weft_sinc *sinc, weft_interaction a, double length, double inverse, double *along,
                                double *across) {
    double stretch = length - a.rest;
    *along = *across = 0;
    if (a.stiffness < 0)
        *along = beam_stiffness(sinc, a, stretch);
    else if (stretch >= 0 && length > 0)
        *along = a.stiffness, *across = a.stiffness * (stretch * inverse);
}

void weft_buckling_element_blocks(const void *self, int32_t list, const int32_t *element, int32_t count,
                                  const weft_vec3 *x, const weft_vec3 *v, double *stiffness, double *damping) {
    (void)list;
    (void)v;
    const weft_buckling *b = self;
    const weft_springs *s = &b->springs;
    for (int32_t i = 0; i < count; i++) {
        weft_interaction a = weft_buckling_at(b, element[i]);
        const int32_t *end = s->list.end[element[i]];
        weft_vec3 d = weft_sub(x[end[1]], x[end[0]]);
        double length = weft_length(d), along, across;
        stiffness_of(&b->sinc, a, length, 1 / length, &along, &across);
        d = weft_normalize(d);
        fill(stiffness + 9 * (size_t)i, d, along, across);
        if (!damping)
            continue;
        double kd = weft_buckling_damping(s, a);
        fill(damping + 9 * (size_t)i, d, kd, s->settings.damping_kind == WEFT_SPRINGS_ALONG ? 0 : kd);
    }
}

void weft_buckling_set_laws(weft_buckling *b) {
    weft_springs *s = &b->springs;
    for (int32_t i = 0; i < s->list.count; i++) {
        weft_interaction a = weft_buckling_at(b, i);
        s->law[i] = (weft_pair_law){(float)a.rest, (float)a.stiffness, (float)a.critical, weft_buckling_damping(s, a)};
    }
}

static weft_pair_laws laws_of(const weft_buckling *b) {
    return (weft_pair_laws){b->springs.law, &b->sinc, b->springs.settings.damping_kind != WEFT_SPRINGS_ALONG};
}

void weft_buckling_pair_rows(const void *self, const weft_pair_rows *rows, float *block, weft_pair_sum *sum) {
    const weft_pair_laws laws = laws_of(self);
    weft_pair_laws_rows(weft_simd_isa(), &laws, rows, block, sum);
}
