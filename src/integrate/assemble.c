#include "integrate/assemble.h"

#include "core/parallel.h"

#include "weft/vec.h"

enum {
    PAIRS_MAX = WEFT_ARITY_MAX * (WEFT_ARITY_MAX - 1) / 2,
    BATCH = WEFT_SUMS_MAX /* elements whose blocks are on the stack at a time */
};

/* One list of a part. */
typedef struct work_list {
    const weft_assembly *a;
    const weft_elements *list;
    const weft_slots *slots;
    int32_t number;
    int fetches; /* whether blocks are far from the cache */
} work_list;

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

static void add_blocks(const work_list *w, const int32_t *elements, int32_t count) {
    const weft_assembly *a = w->a;
    double stiffness[BATCH * PAIRS_MAX * 9], damping[BATCH * PAIRS_MAX * 9];
    const double *k = stiffness, *d = damping;
    weft_system_blocks(a->system, w->number, elements, count, a->x, a->v, stiffness, damping);
    for (int32_t i = 0; i < count; i++) {
        const int32_t *vertex = w->list->vertex + (size_t)elements[i] * (size_t)w->list->arity;
        const int32_t(*slot)[2] = (const int32_t(*)[2])w->slots->slot + (size_t)elements[i] * (size_t)w->slots->pairs;
        for (int32_t p = 0; p < w->list->arity; p++)
            for (int32_t q = p + 1; q < w->list->arity; q++, slot++, k += 9, d += 9) {
                double block[9];
                for (int m = 0; m < 9; m++)
                    block[m] = a->h * (a->h * k[m] + d[m]);
                weft_bsr_add_pair(a->matrix, *slot, block);
                if (a->moved)
                    subtract_pair(a, vertex[p], vertex[q], k);
            }
    }
}

static void subtract_products(const work_list *w, const int32_t *elements, int32_t count, const double *product) {
    const weft_assembly *a = w->a;
    size_t arity = (size_t)w->list->arity;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *vertex = w->list->vertex + (size_t)elements[i] * arity;
        const double *own = product + (size_t)(i / WEFT_LANES) * arity * 3 * WEFT_LANES + i % WEFT_LANES;
        for (size_t k = 0; k < arity; k++, own += 3 * WEFT_LANES)
            a->b[vertex[k]] =
                weft_add_scaled(a->b[vertex[k]], -a->h, weft_vec3_make(own[0], own[WEFT_LANES], own[2 * WEFT_LANES]));
    }
}

/* What the next batch needs, two steps ahead: its slots now, its blocks next. Inline, because GCC 12 drops calls of a
 * function that does nothing but fetch. */
static inline __attribute__((always_inline)) void fetch(const work_list *w, const int32_t *elements, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        __builtin_prefetch(w->slots->slot + (size_t)elements[i] * (size_t)w->slots->pairs);
        __builtin_prefetch(w->list->vertex + (size_t)elements[i] * (size_t)w->list->arity);
    }
}

static void add_elements(void *context, const int32_t *elements, int32_t count) {
    const work_list *w = context;
    const weft_assembly *a = w->a;
    float sum[BATCH * PAIRS_MAX * 9];
    double product[BATCH * WEFT_ARITY_MAX * 3];
    for (int32_t batch; count > 0; elements += batch, count -= batch) {
        batch = count < BATCH ? count : BATCH;
        int32_t ahead = count - batch < BATCH ? count - batch : BATCH;
        fetch(w, elements + batch, ahead);
        if (w->fetches)
            weft_bsr_fetch(a->matrix, w->slots, elements, batch);
        int entries = weft_system_sums(a->system, w->number, elements, batch, ahead, a->x, a->h, sum,
                                       a->moved ? a->u : NULL, a->moved ? product : NULL);
        if (entries == 0) {
            add_blocks(w, elements, batch);
            continue;
        }
        weft_bsr_add_sums(a->matrix, w->slots, elements, batch, entries, sum);
        if (a->moved)
            subtract_products(w, elements, batch, product);
    }
}

typedef struct rows {
    const weft_assembly *a;
    const weft_part *part;
} rows;

static void predict_moves(void *context, int64_t begin, int64_t end) {
    const rows *r = context;
    const weft_assembly *a = r->a;
    for (int64_t i = r->part->begin + begin; i < r->part->begin + end; i++)
        a->u[i] = weft_sub(weft_add_scaled(a->X[i], a->h, a->v[i]), a->x[i]);
}

/* M on the diagonal, the air's damping, and the right-hand side but for K u. */
static void begin_rows(void *context, int64_t begin, int64_t end) {
    const rows *r = context;
    const weft_assembly *a = r->a;
    weft_bsr_clear_rows(a->matrix, begin, end);
    for (int64_t i = begin; i < end; i++) {
        double h = a->h, m = a->system->mass[i], *sum = a->matrix->sum + 6 * i;
        sum[0] = sum[3] = sum[5] = m;
        for (int k = 0; k < 6 && a->air; k++)
            sum[k] += h * a->air[6 * i + k];
        a->b[i] = weft_add(weft_scale(m, weft_sub(a->V[i], a->v[i])), weft_scale(h, a->f[i]));
    }
}

static void finish_rows(void *context, int64_t begin, int64_t end) {
    const rows *r = context;
    weft_bsr_finish_rows(r->a->matrix, begin, end);
}

static work_list list_of(const rows *r, int32_t list) {
    return (work_list){r->a, &r->part->list[list], r->part->slots[list], r->part->first + list, !r->part->sweep};
}

static void add_list(void *context, int32_t list, const int32_t *elements, int32_t count) {
    work_list w = list_of(context, list);
    add_elements(&w, elements, count);
}

static void begin_block(void *context, int64_t begin, int64_t end) {
    const rows *r = context;
    begin_rows(context, r->part->begin + begin, r->part->begin + end);
}

static void finish_block(void *context, int64_t begin, int64_t end) {
    const rows *r = context;
    finish_rows(context, r->part->begin + begin, r->part->begin + end);
}

enum { ROW = 8 }; /* the weight of one in parallel loops over blocks */

static void assemble_by_colours(rows *r) {
    const weft_work *work = r->a->system->work;
    int64_t count = r->part->end - r->part->begin;
    weft_parallel_heavy(work, count, WEFT_BLOCK, ROW, begin_block, r);
    for (int32_t l = 0; l < r->part->list_count; l++) {
        work_list w = list_of(r, l);
        weft_slots_run(w.slots, work, add_elements, &w);
    }
    weft_parallel_heavy(work, count, WEFT_BLOCK, ROW, finish_block, r);
}

void weft_assemble(const weft_assembly *assembly, const weft_part *part) {
    const weft_work *work = assembly->system->work;
    rows r = {assembly, part};
    if (part->pairs) {
        weft_assemble_rows(assembly, part);
        return;
    }
    if (assembly->moved)
        weft_parallel_for(work, part->end - part->begin, WEFT_BLOCK, predict_moves, &r);
    if (part->sweep) {
        weft_row_sweep_body body = {begin_rows, add_list, finish_rows, &r};
        weft_row_sweep_run(part->sweep, work, &body);
    } else {
        assemble_by_colours(&r);
    }
}
