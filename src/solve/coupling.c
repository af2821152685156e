/* Products with the low-rank contact terms. Loads are computed per term and gathered per vertex, so that no two threads
 * write the same row and sums have a fixed order. A lane per component: all instruction sets give the same bits. */
#include "solve/coupling.h"

#include <string.h>

#include "core/simd.h"

static void pack(const weft_term *term, weft_packed_term *packed) {
    const double n[3] = {term->normal.x, term->normal.y, term->normal.z};
    const double t[3] = {term->slide.x, term->slide.y, term->slide.z};
    const double along = term->stiffness - term->across, across = term->across;
    for (int m = 0; m < 9; m++)
        packed->P[m] = along * (n[m / 3] * n[m % 3]) - across * (t[m / 3] * t[m % 3]) + (m % 4 == 0 ? across : 0);
    packed->P[9] = 0;
    for (int i = 0; i < 4; i++) {
        packed->weight[i] = term->weight[i];
        packed->vertex[i] = term->weight[i] != 0 ? term->vertex[i] : 0;
    }
}

static void list_entries(const weft_term *term, weft_coupling *coupling) {
    int32_t *start = coupling->start, rows = coupling->rows, corners = 4 * coupling->count;
    memset(start, 0, ((size_t)rows + 1) * sizeof *start);
    for (int32_t k = 0; k < corners; k++)
        if (term[k / 4].weight[k % 4] != 0)
            start[term[k / 4].vertex[k % 4] + 1]++;
    for (int32_t i = 0; i < rows; i++)
        start[i + 1] += start[i];
    for (int32_t k = 0; k < corners; k++)
        if (term[k / 4].weight[k % 4] != 0)
            coupling->entry[start[term[k / 4].vertex[k % 4]]++] =
                (weft_coupling_entry){term[k / 4].weight[k % 4], k / 4};
    memmove(start + 1, start, (size_t)rows * sizeof *start); /* each start had advanced to its end */
    start[0] = 0;
}

int weft_coupling_create(weft_arena *arena, int32_t rows, const weft_term *term, int32_t count,
                         weft_coupling *coupling) {
    *coupling = (weft_coupling){.count = count, .rows = rows, .term = term, .isa = weft_simd_isa()};
    size_t terms = (size_t)count;
    coupling->start = weft_arena_take(arena, ((size_t)rows + 1) * sizeof *coupling->start, "terms of contact");
    coupling->entry = weft_arena_take(arena, 4 * terms * sizeof *coupling->entry, "terms of contact");
    coupling->packed = weft_arena_take(arena, terms * sizeof *coupling->packed, "terms of contact");
    coupling->load = weft_arena_take(arena, 4 * terms * sizeof *coupling->load, "terms of contact");
    if (!coupling->start || !coupling->entry || !coupling->packed || !coupling->load)
        return 0;
    for (size_t k = 0; k < terms; k++)
        pack(&term[k], &coupling->packed[k]);
    list_entries(term, coupling);
    return 1;
}

weft_vec3 weft_term_load(const weft_term *term, weft_vec3 sum) {
    double along = (term->stiffness - term->across) * weft_dot(term->normal, sum);
    weft_vec3 load = weft_add_scaled(weft_scale(term->across, sum), along, term->normal);
    return weft_add_scaled(load, -term->across * weft_dot(term->slide, sum), term->slide);
}

#define WEFT_KERNEL "solve/coupling_product.inc"
#define WEFT_KERNEL_NO_AVX512
#include "core/simd_kernels.inc"

typedef struct loading {
    const weft_coupling *coupling;
    const weft_vec3 *x;
    const float *x4;
} loading;

static void load_terms(void *context, int64_t begin, int64_t end) {
    const loading *l = context;
    WEFT_SIMD_RUN_AVX2(l->coupling->isa, load, l->coupling, l->x, l->x4, begin, end);
}

void weft_coupling_load(const weft_coupling *coupling, const weft_work *work, const weft_vec3 *x) {
    loading l = {coupling, x, NULL};
    weft_parallel_for(work, coupling->count, WEFT_BLOCK, load_terms, &l);
}

void weft_coupling_load_float(const weft_coupling *coupling, const weft_work *work, const float *x4) {
    loading l = {coupling, NULL, x4};
    weft_parallel_for(work, coupling->count, WEFT_BLOCK, load_terms, &l);
}

void weft_coupling_add(const weft_coupling *coupling, weft_vec3 *y, int64_t begin, int64_t end) {
    WEFT_SIMD_RUN_AVX2(coupling->isa, add, coupling, y, begin, end);
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
