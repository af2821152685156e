/* Curves as an SVG file. */
#ifndef WEFT_IO_PLOT_H
#define WEFT_IO_PLOT_H

#include "weft/base.h"

typedef struct weft_series {
    const char *name;
    const double *x, *y; /* (count) */
    int count;
    int color;  /* of eight, in turn */
    int dashed; /* without a name in the legend when the series before has the same one */
} weft_series;

typedef struct weft_plot {
    const char *title, *x_label, *y_label;
    const weft_series *series;
    int count;
    int powers; /* both axes by powers of ten, for values above 0, with a mark at each */
} weft_plot;

weft_result weft_plot_write(const weft_plot *plot, const char *path);

#endif
