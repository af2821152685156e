/* Matrix blocks of pairs of vertices whose force acts along the line between them: springs, and the interactions of
 * `buckling`. They are in single precision, like the matrix, and computed eight at a time. */
#ifndef WEFT_CLOTH_PAIR_ROWS_H
#define WEFT_CLOTH_PAIR_ROWS_H

#include "cloth/buckling/sinc_fit.h"
#include "cloth/model_kernels.h"
#include "core/simd.h"
#include "weft/model.h"

/* The stiffness of a pair.
 * Longer than at rest: `stiffness` along the pair, and tension over length across it. A negative `stiffness` marks a
 * beam, which does not resist tension.
 * Shorter than at rest: the magnitude of `stiffness` along the pair while the force is below `critical`, and that of
 * the bent beam beyond. Nothing across the pair, where the stiffness would be negative. `critical` is infinite for a
 * spring, and 0 for an interaction that resists tension only. */
typedef struct weft_pair_law {
    float rest;      /* m */
    float stiffness; /* N/m */
    float critical;  /* N */
    float damping;   /* kg/s */
} weft_pair_law;

typedef struct weft_pair_laws {
    const weft_pair_law *law; /* per element */
    const weft_sinc *sinc;    /* null if all are springs */
    int isotropic;            /* damping is the same across a pair as along it */
} weft_pair_laws;

/* pair_rows of cloth/model_kernels.h, by the kernel for `isa`. */
void weft_pair_laws_rows(weft_isa isa, const weft_pair_laws *laws, const weft_pair_rows *rows, float *block,
                         weft_pair_sum *sum);

#endif
