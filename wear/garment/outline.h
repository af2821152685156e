/* Outlines of panels: reading, mirroring. */
#ifndef WEFT_WEAR_GARMENT_OUTLINE_H
#define WEFT_WEAR_GARMENT_OUTLINE_H

#include "wear/garment/pattern.h"

/* Two different points of a mirror line. */
typedef struct garment_line {
    weft_vec2 from, to;
} garment_line;

/* Edges are a list of points, {to:, curve:, hem:}, {path:, hem:}, or one of these under the name of the edge. */
weft_result garment_read_edges(const weft_value *list, weft_vec2 start, garment_panel *panel);
weft_vec2 garment_reflect(garment_line line, weft_vec2 point);
/* The mirror image of an outline, counter-clockwise again, with left and right swapped in names. */
weft_result garment_reflect_edges(const garment_panel *from, garment_line line, garment_panel *panel);

#endif
