/* Line plots as SVG files. */
#ifndef WEFT_IO_PLOT_H
#define WEFT_IO_PLOT_H

#include "weft/base.h"

/* How a curve is drawn. Dots suit measured values, which a line through them would hide. */
enum { WEFT_PLOT_LINE, WEFT_PLOT_DASHED, WEFT_PLOT_DOTS };

/* One curve. It gets no entry in the legend if the previous series has the same name. */
typedef struct weft_series {
    const char *name;
    const double *x, *y; /* (count) */
    int count;
    int color; /* index into eight colours, modulo 8 */
    int style; /* WEFT_PLOT_LINE, ... */
} weft_series;

typedef struct weft_plot {
    const char *title, *x_label, *y_label;
    const weft_series *series;
    int count;
    int powers; /* 1: logarithmic axes with markers; all values must be positive */
} weft_plot;

weft_result weft_plot_write(const weft_plot *plot, const char *path);

#endif
