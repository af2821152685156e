/* Filter of the modified conjugate gradient method: Baraff and Witkin (1998), section 5; Ascher and Boxerman (2003). */
#include "solve/filter.h"

#include <stdlib.h>

#include "core/memory.h"

/* A unit direction whose allowed component is shorter than this counts as already forbidden. */
static const double SMALLEST_ALLOWED = 1e-6;

weft_result weft_filter_create(int32_t count, weft_filter **made) {
    *made = NULL;
    weft_filter *filter = weft_allocate(1, sizeof *filter);
    if (!filter)
        return weft_fail_memory("filter", sizeof *filter);
    filter->count = count;
    filter->state = weft_allocate((size_t)count, sizeof *filter->state);
    filter->direction = weft_allocate((size_t)count, sizeof *filter->direction);
    filter->change = weft_allocate((size_t)count, sizeof *filter->change);
    if (!filter->state || !filter->direction || !filter->change) {
        weft_filter_destroy(filter);
        return weft_fail_memory("filter", (size_t)count * (1 + 2 * sizeof(weft_vec3)));
    }
    *made = filter;
    return weft_ok();
}

void weft_filter_destroy(weft_filter *filter) {
    if (!filter)
        return;
    free(filter->change);
    free(filter->direction);
    free(filter->state);
    free(filter);
}

void weft_filter_clear(weft_filter *filter) {
    for (int32_t i = 0; i < filter->count; i++) /* few vertices are constrained */
        if (filter->state[i] > 0)
            filter->change[i] = weft_vec3_make(0, 0, 0);
    memset(filter->state, 0, (size_t)filter->count * sizeof *filter->state);
}

void weft_filter_hold(weft_filter *filter, int32_t i, weft_vec3 change) {
    filter->state[i] = 3;
    filter->change[i] = change;
}

int weft_filter_forbid(weft_filter *filter, int32_t i, weft_vec3 direction, double change) {
    double length = weft_length(direction);
    weft_vec3 unit = weft_scale(1 / length, direction);
    weft_vec3 allowed = weft_filter_apply(filter, i, unit);
    double size = weft_length(allowed);
    if (!(length > 0) || !(size > SMALLEST_ALLOWED))
        return 0;
    /* Changes the value along `allowed` only, so that values prescribed earlier stay. */
    double missing = change - weft_dot(filter->change[i], unit);
    filter->change[i] = weft_add_scaled(filter->change[i], missing / (size * size), allowed);
    if (filter->state[i] == 0)
        filter->direction[i] = unit;
    else if (filter->state[i] == 1)
        filter->direction[i] = weft_normalize(weft_cross(filter->direction[i], allowed));
    filter->state[i]++;
    return 1;
}

void weft_filter_matrix(const weft_filter *filter, int64_t i, double matrix[9]) {
    static const weft_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int c = 0; c < 3; c++) {
        weft_vec3 column = weft_filter_apply(filter, i, unit[c]);
        matrix[c] = column.x;
        matrix[3 + c] = column.y;
        matrix[6 + c] = column.z;
    }
}
