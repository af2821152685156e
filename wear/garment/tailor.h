/* What a garment has besides panels and seams, for the engine: fused panels, hems, stiff seams, folds, elastics and
 * buttons. */
#ifndef WEFT_WEAR_GARMENT_TAILOR_H
#define WEFT_WEAR_GARMENT_TAILOR_H

#include "wear/garment/sew.h"
#include "weft/tailoring.h"

/* Vertices are those of the input of sewn->mesh. Also shortens the rest coordinates of the mesh where an elastic
 * gathers the fabric. The caller frees the arrays with free(), even after a failure. */
weft_result garment_tailor(const garment_pattern *pattern, garment_sewn *sewn, weft_tailoring *tailoring);
/* The vertices that the body holds (`attach`), in the same numbering; null if there are none. The caller frees them. */
weft_result garment_attached(const garment_pattern *pattern, const garment_sewn *sewn, int32_t **vertex,
                             int32_t *count);

#endif
