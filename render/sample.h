/* Sample points in the unit square. */
#ifndef WEFT_RENDER_SAMPLE_H
#define WEFT_RENDER_SAMPLE_H

#include <stdint.h>

typedef struct weft_sample2 {
    float x, y; /* in [0, 1) */
} weft_sample2;

/* The position of a pixel on a Hilbert curve of order 15. Neighbours on the curve are neighbours in the image. */
uint32_t weft_hilbert(uint32_t x, uint32_t y);

/* Point `index` of the sequence for dimension pair `pair`. */
weft_sample2 weft_sample(uint32_t index, uint32_t pair);

#endif
