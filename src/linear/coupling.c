/* Products with the low-rank contact terms. Loads are computed per term and gathered per vertex, so that no two threads
 * write the same row and sums have a fixed order. */
#include "linear/coupling.h"

#include <string.h>

int weft_coupling_create(weft_arena *arena, int32_t rows, const weft_term *term, int32_t count,
                         weft_coupling *coupling) {
    *coupling = (weft_coupling){.count = count, .rows = rows, .term = term};
    coupling->start = weft_arena_take(arena, ((size_t)rows + 1) * sizeof *coupling->start, "terms of contact");
    coupling->entry = weft_arena_take(arena, 4 * (size_t)count * sizeof *coupling->entry, "terms of contact");
    coupling->load = weft_arena_take(arena, (size_t)count * sizeof *coupling->load, "terms of contact");
    if (!coupling->start || !coupling->entry || !coupling->load)
        return 0;
    int32_t *start = coupling->start;
    memset(start, 0, ((size_t)rows + 1) * sizeof *start);
    for (int32_t k = 0; k < 4 * count; k++)
        if (term[k / 4].weight[k % 4] != 0)
            start[term[k / 4].vertex[k % 4] + 1]++;
    for (int32_t i = 0; i < rows; i++)
        start[i + 1] += start[i];
    for (int32_t k = 0; k < 4 * count; k++)
        if (term[k / 4].weight[k % 4] != 0)
            coupling->entry[start[term[k / 4].vertex[k % 4]]++] = k;
    memmove(start + 1, start, (size_t)rows * sizeof *start); /* each start had advanced to its end */
    start[0] = 0;
    return 1;
}

weft_vec3 weft_term_load(const weft_term *term, weft_vec3 sum) {
    double along = (term->stiffness - term->across) * weft_dot(term->normal, sum);
    weft_vec3 load = weft_add_scaled(weft_scale(term->across, sum), along, term->normal);
    return weft_add_scaled(load, -term->across * weft_dot(term->slide, sum), term->slide);
}

typedef struct loading {
    const weft_coupling *coupling;
    const weft_vec3 *x;
    const float *x4;
} loading;

static void load_terms(void *context, int64_t begin, int64_t end) {
    const loading *l = context;
    for (int64_t r = begin; r < end; r++) {
        const weft_term *term = &l->coupling->term[r];
        weft_vec3 sum = {0, 0, 0};
        for (int i = 0; i < 4; i++)
            if (term->weight[i] != 0)
                sum = weft_add_scaled(sum, term->weight[i], l->x[term->vertex[i]]);
        l->coupling->load[r] = weft_term_load(term, sum);
    }
}

static void load_terms_float(void *context, int64_t begin, int64_t end) {
    const loading *l = context;
    for (int64_t r = begin; r < end; r++) {
        const weft_term *term = &l->coupling->term[r];
        weft_vec3 sum = {0, 0, 0};
        for (int i = 0; i < 4; i++)
            if (term->weight[i] != 0) {
                const float *p = l->x4 + 4 * (size_t)term->vertex[i];
                weft_vec3 x = weft_vec3_make((double)p[0], (double)p[1], (double)p[2]);
                sum = weft_add_scaled(sum, term->weight[i], x);
            }
        l->coupling->load[r] = weft_term_load(term, sum);
    }
}

void weft_coupling_load(const weft_coupling *coupling, const weft_work *work, const weft_vec3 *x) {
    loading l = {coupling, x, NULL};
    weft_parallel_for(work, coupling->count, WEFT_BLOCK, load_terms, &l);
}

void weft_coupling_load_float(const weft_coupling *coupling, const weft_work *work, const float *x4) {
    loading l = {coupling, NULL, x4};
    weft_parallel_for(work, coupling->count, WEFT_BLOCK, load_terms_float, &l);
}

void weft_coupling_add(const weft_coupling *coupling, weft_vec3 *y, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
        for (int32_t k = coupling->start[i]; k < coupling->start[i + 1]; k++) {
            int32_t at = coupling->entry[k];
            y[i] = weft_add_scaled(y[i], coupling->term[at / 4].weight[at % 4], coupling->load[at / 4]);
        }
}

void weft_coupling_add_diagonal(const weft_coupling *coupling, weft_bsr *matrix) {
    for (int32_t k = 0; k < 4 * coupling->count; k++) {
        const weft_term *term = &coupling->term[k / 4];
        double w = term->weight[k % 4], s = w * w * (term->stiffness - term->across), a = w * w * term->across;
        if (w == 0)
            continue;
        const double n[3] = {term->normal.x, term->normal.y, term->normal.z};
        const double t[3] = {term->slide.x, term->slide.y, term->slide.z};
        float *block = matrix->diagonal + 9 * (size_t)term->vertex[k % 4];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                block[3 * r + c] += (float)(s * n[r] * n[c] - a * t[r] * t[c] + (r == c ? a : 0));
    }
}
