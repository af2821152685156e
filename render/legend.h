#ifndef WEFT_RENDER_LEGEND_H
#define WEFT_RENDER_LEGEND_H

#include "render/render.h"

/* A bar of the false colours at the right, with the name of the quantity and five numbers from low to high. */
void weft_legend_draw(weft_picture *picture, const weft_view *view, const char *name, double low, double high);

#endif
