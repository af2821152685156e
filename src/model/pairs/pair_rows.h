/* Blocks of pairs of vertices whose force is along them: springs and the interactions of `buckling`. In single
 * precision, as the matrix is kept, eight at a time. */
#ifndef WEFT_MODEL_PAIRS_PAIR_ROWS_H
#define WEFT_MODEL_PAIRS_PAIR_ROWS_H

#include "model/buckling/sinc_fit.h"
#include "model/model_kernels.h"
#include "weft/model.h"

/* What a pair's stiffness depends on. Longer than at rest it is `stiffness` along the pair, and across it as much as
 * the force turns with it; a negative one, of a beam, does not resist. Shorter it is the magnitude along the pair as
 * far as the force is below `critical`, and beyond that of the bent beam; nothing across, where it would be negative.
 * So critical is infinite for a spring and 0 for an interaction that resists tension only. */
typedef struct weft_pair_law {
    float rest;      /* m */
    float stiffness; /* N/m */
    float critical;  /* N */
    float damping;   /* kg/s */
} weft_pair_law;

typedef struct weft_pair_laws {
    const weft_pair_law *law; /* of each element */
    const weft_sinc *sinc;    /* null where all are springs */
    int isotropic;            /* whether damping is the same across a pair as along it */
} weft_pair_laws;

/* As pair_rows of weft/model.h; isa as weft_lanes_isa tells. */
void weft_pair_laws_rows(int isa, const weft_pair_laws *laws, const weft_pair_rows *rows, float *block,
                         weft_pair_sum *sum);

#endif
