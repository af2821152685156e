/* The legend of the false colours. */
#ifndef WEFT_RENDER_LEGEND_H
#define WEFT_RENDER_LEGEND_H

#include "render/render.h"

/* Draws a colour bar at the right, with the name of the quantity and five numbers from low to high. `name` may be null;
 * then it is the quantity of the view. */
void weft_legend_draw(weft_picture *picture, const weft_view *view, const char *name, double low, double high);

#endif
