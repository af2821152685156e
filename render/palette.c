/* Pictures with a palette, by median cut: P. Heckbert, Color image quantization for frame buffer display, SIGGRAPH
 * 1982. */
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"
#include "weft/sort.h"

enum {
    BITS = 6, /* per channel; finer differences of colour are ignored */
    CELLS = 1 << 3 * BITS,
    MOST_COLORS = 256
};

typedef struct cell {
    int64_t count, sum[3]; /* number of pixels, and the sums of their channels */
    int32_t at;            /* its colour, BITS per channel */
} cell;

typedef struct box {
    int32_t first, count; /* range of cells */
    int axis;             /* longest side */
    double weight;        /* benefit of splitting: square of the longest side times the number of pixels */
} box;

static int32_t channel(int32_t at, int axis) { return at >> BITS * axis & ((1 << BITS) - 1); }

static int by_channel(const cell *a, const cell *b, int axis) {
    int32_t d = channel(a->at, axis) - channel(b->at, axis);
    return d != 0 ? d : a->at - b->at;
}
static int by_red(const void *a, const void *b) { return by_channel(a, b, 0); }
static int by_green(const void *a, const void *b) { return by_channel(a, b, 1); }
static int by_blue(const void *a, const void *b) { return by_channel(a, b, 2); }

static box measure(const cell *cells, int32_t first, int32_t count) {
    box b = {first, count, 0, 0};
    int64_t pixels = 0;
    int32_t side = -1;
    for (int32_t i = first; i < first + count; i++)
        pixels += cells[i].count;
    for (int axis = 0; axis < 3; axis++) {
        int32_t low = INT32_MAX, high = 0;
        for (int32_t i = first; i < first + count; i++) {
            int32_t c = channel(cells[i].at, axis);
            low = c < low ? c : low;
            high = c > high ? c : high;
        }
        if (high - low > side) {
            side = high - low;
            b.axis = axis;
        }
    }
    b.weight = (double)side * side * (double)pixels;
    return b;
}

/* Splits at the median pixel. Both halves keep at least one cell. */
static void split(cell *cells, box *a, box *b) {
    static int (*const BY[3])(const void *, const void *) = {by_red, by_green, by_blue};
    int32_t first = a->first, count = a->count, cut = 0;
    int64_t all = 0, half = 0;
    weft_sort(cells + first, (size_t)count, sizeof *cells, BY[a->axis]);
    for (int32_t i = 0; i < count; i++)
        all += cells[first + i].count;
    do
        half += cells[first + cut++].count;
    while (cut < count - 1 && 2 * half < all);
    *a = measure(cells, first, cut);
    *b = measure(cells, first + cut, count - cut);
}

static int cut_boxes(cell *cells, int32_t count, box boxes[MOST_COLORS]) {
    int n = 1;
    boxes[0] = measure(cells, 0, count);
    while (n < MOST_COLORS) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (boxes[i].weight > boxes[best].weight)
                best = i;
        if (boxes[best].weight <= 0)
            break;
        split(cells, &boxes[best], &boxes[n++]);
    }
    return n;
}

static int32_t cell_of(const uint8_t *rgba) {
    return rgba[0] >> (8 - BITS) | rgba[1] >> (8 - BITS) << BITS | rgba[2] >> (8 - BITS) << 2 * BITS;
}

/* Counts the pixels per cell and moves the occupied cells to the front. Returns their number. */
static int32_t count_cells(const weft_picture *picture, cell *cells) {
    size_t pixels = (size_t)picture->width * (size_t)picture->height;
    int32_t count = 0;
    for (size_t i = 0; i < pixels; i++) {
        const uint8_t *p = picture->rgba + 4 * i;
        cell *c = &cells[cell_of(p)];
        c->count++;
        for (int k = 0; k < 3; k++)
            c->sum[k] += p[k];
    }
    for (int32_t i = 0; i < CELLS; i++)
        if (cells[i].count > 0) {
            cells[count] = cells[i];
            cells[count++].at = i;
        }
    return count;
}

/* `index` receives the colour of each pixel, `map` the colour of each cell. Returns the number of colours. */
static int choose(const weft_picture *picture, cell *cells, uint8_t *map, uint8_t color[MOST_COLORS][3],
                  uint8_t *index) {
    box boxes[MOST_COLORS];
    size_t pixels = (size_t)picture->width * (size_t)picture->height;
    int count = cut_boxes(cells, count_cells(picture, cells), boxes);
    for (int b = 0; b < count; b++) {
        int64_t sum[4] = {0};
        for (int32_t i = boxes[b].first; i < boxes[b].first + boxes[b].count; i++) {
            map[cells[i].at] = (uint8_t)b;
            sum[3] += cells[i].count;
            for (int k = 0; k < 3; k++)
                sum[k] += cells[i].sum[k];
        }
        for (int k = 0; k < 3 && sum[3] > 0; k++)
            color[b][k] = (uint8_t)((2 * sum[k] + sum[3]) / (2 * sum[3]));
    }
    for (size_t i = 0; i < pixels; i++)
        index[i] = map[cell_of(picture->rgba + 4 * i)];
    return count;
}

static weft_result encode(png_image *image, const uint8_t *index, const void *color, char **png, size_t *size) {
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(*image);
    *png = malloc(room);
    if (!*png)
        return weft_fail_memory("a PNG file", room);
    if (!png_image_write_to_memory(image, *png, &room, 0, index, 0, color)) {
        weft_result result = weft_fail(WEFT_NO_MEMORY, "a PNG file: %s", image->message);
        png_image_free(image);
        free(*png);
        *png = NULL;
        return result;
    }
    png_image_free(image);
    *size = room;
    return weft_ok();
}

weft_result weft_picture_encode_palette(const weft_picture *picture, char **png, size_t *size) {
    size_t pixels = (size_t)picture->width * (size_t)picture->height;
    size_t bytes = CELLS * (sizeof(cell) + 1) + pixels;
    uint8_t color[MOST_COLORS][3];
    *png = NULL;
    cell *cells = calloc(1, bytes);
    if (!cells)
        return weft_fail_memory("the colours of a picture", bytes);
    uint8_t *map = (uint8_t *)(cells + CELLS), *index = map + CELLS;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGB_COLORMAP};
    image.colormap_entries = (png_uint_32)choose(picture, cells, map, color, index);
    weft_result result = encode(&image, index, color, png, size);
    free(cells);
    return result;
}
