#include "lab/study/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "weft/work.h"

/* -- the Sobol sequence -- */

/* Degree of the primitive polynomial, its inner coefficients as bits, and the first direction numbers, of dimensions
 * 2, 3, ...; the first dimension is the van der Corput sequence. */
static const struct direction {
    int degree;
    uint32_t coefficients, m[7];
} DIRECTIONS[WEFT_SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
};

enum { BITS = 32 };

static void direction_numbers(int dimension, uint32_t v[BITS]) {
    if (dimension == 0) {
        for (int i = 0; i < BITS; i++)
            v[i] = UINT32_C(1) << (31 - i);
        return;
    }
    const struct direction *d = &DIRECTIONS[dimension - 1];
    for (int i = 0; i < BITS; i++) {
        if (i < d->degree) {
            v[i] = d->m[i] << (31 - i);
            continue;
        }
        v[i] = v[i - d->degree] ^ (v[i - d->degree] >> d->degree);
        for (int k = 1; k < d->degree; k++)
            if (d->coefficients >> (d->degree - 1 - k) & 1)
                v[i] ^= v[i - k];
    }
}

static uint32_t sobol_from(const uint32_t v[BITS], uint32_t index) {
    uint32_t gray = index ^ (index >> 1), point = 0;
    for (int i = 0; gray >> i; i++)
        if (gray >> i & 1)
            point ^= v[i];
    return point;
}

uint32_t weft_sobol_point(uint32_t index, int dimension) {
    uint32_t v[BITS];
    direction_numbers(dimension, v);
    return sobol_from(v, index);
}

/* The direction numbers and random shifts of some dimensions. */
typedef struct sobol {
    uint32_t v[WEFT_SOBOL_DIMENSIONS][BITS], shift[WEFT_SOBOL_DIMENSIONS];
} sobol;

/* -- points -- */

/* A number in [0, 1) for each place of a design. */
static double draw(uint64_t seed, uint64_t place, uint64_t kind) { return weft_random(seed, (place << 3) | kind); }
enum { DRAW_POINT, DRAW_ORDER, DRAW_SHIFT, DRAW_BASE, DRAW_SIGN };

static void prepare_sobol(uint64_t seed, int dimensions, sobol *s) {
    for (int d = 0; d < dimensions; d++) {
        direction_numbers(d, s->v[d]);
        s->shift[d] = (uint32_t)(draw(seed, (uint64_t)d, DRAW_SHIFT) * 4294967296.0);
    }
}

static double sobol_coordinate(const sobol *s, int64_t index, int dimension) {
    return ((double)(sobol_from(s->v[dimension], (uint32_t)index) ^ s->shift[dimension]) + 0.5) / 4294967296.0;
}

static void fill_random(uint64_t seed, int64_t samples, int k, double *point) {
    for (int64_t i = 0; i < samples * k; i++)
        point[i] = draw(seed, (uint64_t)i, DRAW_POINT);
}

static void fill_sobol(uint64_t seed, int64_t samples, int k, double *point) {
    sobol s;
    prepare_sobol(seed, k, &s);
    for (int64_t i = 0; i < samples; i++)
        for (int d = 0; d < k; d++)
            point[i * k + d] = sobol_coordinate(&s, i, d);
}

/* McKay, Beckman and Conover, Technometrics 21, 1979: each of `samples` equal intervals of each axis has one point. */
static weft_result fill_latin(uint64_t seed, int64_t samples, int k, double *point) {
    int64_t *order = malloc((size_t)samples * sizeof *order);
    if (!order)
        return weft_fail_memory("a design", (size_t)samples * sizeof *order);
    for (int d = 0; d < k; d++) {
        for (int64_t i = 0; i < samples; i++)
            order[i] = i;
        for (int64_t i = samples - 1; i > 0; i--) {
            int64_t j = (int64_t)(draw(seed, (uint64_t)(i * k + d), DRAW_ORDER) * (double)(i + 1));
            int64_t swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        for (int64_t i = 0; i < samples; i++)
            point[i * k + d] = ((double)order[i] + draw(seed, (uint64_t)(i * k + d), DRAW_POINT)) / (double)samples;
    }
    free(order);
    return weft_ok();
}

/* A. Saltelli et al., Computer Physics Communications 181, 2010. For each sample: A, B, and A with one coordinate of B,
 * for each coordinate. A and B are halves of points in twice as many dimensions. */
static void fill_saltelli(uint64_t seed, int64_t samples, int k, double *point) {
    sobol s;
    prepare_sobol(seed, 2 * k, &s);
    for (int64_t i = 0; i < samples; i++)
        for (int row = 0; row < k + 2; row++)
            for (int d = 0; d < k; d++) {
                int of_b = row == 1 || row == d + 2;
                point[(i * (k + 2) + row) * k + d] = sobol_coordinate(&s, i, of_b ? k + d : d);
            }
}

/* M. D. Morris, Technometrics 33, 1991. A trajectory changes one coordinate after the other by 2/3. */
static void fill_morris(uint64_t seed, int64_t samples, int k, double *point) {
    const double step = 2.0 / 3;
    int order[WEFT_SOBOL_DIMENSIONS];
    for (int64_t i = 0; i < samples; i++) {
        double *at = &point[i * (k + 1) * k];
        for (int d = 0; d < k; d++) {
            uint64_t place = (uint64_t)(i * k + d);
            double low = draw(seed, place, DRAW_BASE) < 0.5 ? 0 : 1.0 / 3;
            at[d] = draw(seed, place, DRAW_SIGN) < 0.5 ? low : low + step;
            order[d] = d;
        }
        for (int d = k - 1; d > 0; d--) {
            int other = (int)(draw(seed, (uint64_t)(i * k + d), DRAW_ORDER) * (d + 1)), swap = order[d];
            order[d] = order[other];
            order[other] = swap;
        }
        for (int d = 0; d < k; d++) {
            double *next = at + k;
            memcpy(next, at, (size_t)k * sizeof *next);
            next[order[d]] += next[order[d]] < 0.5 ? step : -step;
            at = next;
        }
    }
}

int64_t weft_design_count(weft_design design, int dimensions, int64_t samples) {
    return design == WEFT_DESIGN_SALTELLI ? samples * (dimensions + 2)
           : design == WEFT_DESIGN_MORRIS ? samples * (dimensions + 1)
                                          : samples;
}

int weft_design_dimensions(weft_design design) {
    return design == WEFT_DESIGN_SALTELLI ? WEFT_SOBOL_DIMENSIONS / 2 : WEFT_SOBOL_DIMENSIONS;
}

weft_result weft_design_points(weft_design design, int dimensions, int64_t samples, uint64_t seed, double **points) {
    size_t size = (size_t)weft_design_count(design, dimensions, samples) * (size_t)dimensions * sizeof **points;
    double *point = malloc(size + 1);
    weft_result result = weft_ok();
    *points = NULL;
    if (!point)
        return weft_fail_memory("a design", size);
    if (design == WEFT_DESIGN_RANDOM)
        fill_random(seed, samples, dimensions, point);
    else if (design == WEFT_DESIGN_LATIN)
        result = fill_latin(seed, samples, dimensions, point);
    else if (design == WEFT_DESIGN_SALTELLI)
        fill_saltelli(seed, samples, dimensions, point);
    else if (design == WEFT_DESIGN_MORRIS)
        fill_morris(seed, samples, dimensions, point);
    else
        fill_sobol(seed, samples, dimensions, point);
    if (result.code == WEFT_OK)
        *points = point;
    else
        free(point);
    return result;
}
