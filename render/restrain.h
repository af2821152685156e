/* Keeps smooth surfaces on their side of bodies and of other layers of cloth. */
#ifndef WEFT_RENDER_RESTRAIN_H
#define WEFT_RENDER_RESTRAIN_H

#include <embree3/rtcore.h>

#include "render/smooth.h"

/* Limits how far the points of the surfaces (shot->cloth_count) move away from the flat triangles of the cloths. A
 * triangle of a surface then crosses a body or another layer only if its flat counterpart does. Indices of cloths and
 * bodies must be in range. */
weft_result weft_restrain(weft_smooth *surface, const weft_shot *shot, RTCDevice device, const weft_work *work);

#endif
