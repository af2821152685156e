/* Corners of panels that are sewn together on both sides. */
#ifndef WEFT_WEAR_GARMENT_EARS_H
#define WEFT_WEAR_GARMENT_EARS_H

#include "wear/garment/sew.h"

/* An ear is a triangle that cuts off a corner of the outline. Where two panels have one at the same sewn corner, as
 * those of a cushion, four triangles would share the edge inside. There, all ears but one lose that edge: it is
 * flipped. Needs the vertices of all points. */
weft_result garment_part_ears(garment_sewn *sewn, int32_t panels);

#endif
