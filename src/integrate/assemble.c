#include "integrate/assemble.h"

#include "weft/vec.h"

enum {
    PAIRS_MAX = WEFT_ARITY_MAX * (WEFT_ARITY_MAX - 1) / 2,
    BATCH = WEFT_SUMS_MAX /* elements whose blocks are on the stack at a time */
};

/* K u of one pair, taken from b: internal forces do not change under translation, so only the difference counts. */
static void subtract_pair(const weft_assembly *a, int32_t i, int32_t j, const double *k) {
    weft_vec3 d = weft_sub(a->u[j], a->u[i]);
    weft_vec3 on_i = {k[0] * d.x + k[1] * d.y + k[2] * d.z, k[3] * d.x + k[4] * d.y + k[5] * d.z,
                      k[6] * d.x + k[7] * d.y + k[8] * d.z};
    weft_vec3 on_j = {-(k[0] * d.x + k[3] * d.y + k[6] * d.z), -(k[1] * d.x + k[4] * d.y + k[7] * d.z),
                      -(k[2] * d.x + k[5] * d.y + k[8] * d.z)};
    a->b[i] = weft_add_scaled(a->b[i], -a->h, on_i);
    a->b[j] = weft_add_scaled(a->b[j], -a->h, on_j);
}

static void add_blocks(const weft_assembly *a, const int32_t *elements, int32_t count) {
    double stiffness[BATCH * PAIRS_MAX * 9], damping[BATCH * PAIRS_MAX * 9];
    const double *k = stiffness, *d = damping;
    weft_system_blocks(a->system, a->number, elements, count, a->x, a->v, stiffness, damping);
    for (int32_t i = 0; i < count; i++) {
        const int32_t *vertex = a->list->vertex + (size_t)elements[i] * (size_t)a->list->arity;
        const int32_t(*slot)[2] = (const int32_t(*)[2])a->slots->slot + (size_t)elements[i] * (size_t)a->slots->pairs;
        for (int32_t p = 0; p < a->list->arity; p++)
            for (int32_t q = p + 1; q < a->list->arity; q++, slot++, k += 9, d += 9) {
                double block[9];
                for (int m = 0; m < 9; m++)
                    block[m] = a->h * (a->h * k[m] + d[m]);
                weft_bsr_add_pair(a->matrix, *slot, block);
                if (a->u)
                    subtract_pair(a, vertex[p], vertex[q], k);
            }
    }
}

static void subtract_products(const weft_assembly *a, const int32_t *elements, int32_t count, const double *product) {
    size_t arity = (size_t)a->list->arity;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *vertex = a->list->vertex + (size_t)elements[i] * arity;
        const double *own = product + (size_t)(i / WEFT_LANES) * arity * 3 * WEFT_LANES + i % WEFT_LANES;
        for (size_t k = 0; k < arity; k++, own += 3 * WEFT_LANES)
            a->b[vertex[k]] =
                weft_add_scaled(a->b[vertex[k]], -a->h, weft_vec3_make(own[0], own[WEFT_LANES], own[2 * WEFT_LANES]));
    }
}

/* What the next batch needs, two steps ahead: its slots now, its blocks next. Inline, because GCC 12 drops calls of a
 * function that does nothing but fetch. */
static inline __attribute__((always_inline)) void fetch(const weft_assembly *a, const int32_t *elements,
                                                        int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        __builtin_prefetch(a->slots->slot + (size_t)elements[i] * (size_t)a->slots->pairs);
        __builtin_prefetch(a->list->vertex + (size_t)elements[i] * (size_t)a->list->arity);
    }
}

static void add_elements(void *context, const int32_t *elements, int32_t count) {
    const weft_assembly *a = context;
    float sum[BATCH * PAIRS_MAX * 9];
    double product[BATCH * WEFT_ARITY_MAX * 3];
    for (int32_t batch; count > 0; elements += batch, count -= batch) {
        batch = count < BATCH ? count : BATCH;
        int32_t ahead = count - batch < BATCH ? count - batch : BATCH;
        fetch(a, elements + batch, ahead);
        weft_bsr_fetch(a->matrix, a->slots, elements, batch);
        int entries = weft_system_sums(a->system, a->number, elements, batch, ahead, a->x, a->h, sum, a->u,
                                       a->u ? product : NULL);
        if (entries == 0) {
            add_blocks(a, elements, batch);
            continue;
        }
        weft_bsr_add_sums(a->matrix, a->slots, elements, batch, entries, sum);
        if (a->u)
            subtract_products(a, elements, batch, product);
    }
}

void weft_assemble(const weft_assembly *assembly) {
    weft_slots_run(assembly->slots, assembly->system->work, add_elements, (void *)assembly);
}
