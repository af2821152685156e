#include "integrate/assemble.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "integrate/row_sink.h"
#include "model/pair_records.h"
#include "weft/vec.h"

enum {
    PAIRS_MAX = WEFT_ARITY_MAX * (WEFT_ARITY_MAX - 1) / 2,
    BATCH = WEFT_SUMS_MAX, /* elements whose blocks are on the stack at a time */
    ROW = 16,              /* the weight of one in parallel loops over blocks */
    PLACE = 3,             /* of finding where its vertex is */
    AHEAD = 16             /* rows */
};

/* -- rows gathered from what elements leave in a buffer -- */

typedef struct gathering {
    const weft_assembly *a;
    const weft_part *part;
    weft_place *place; /* of all vertices */
    float *buffer;     /* of all threads */
    size_t room;       /* of each, floats */
    int *taken;        /* whether one is in use (threads) */
    int threads;
} gathering;

static int take_buffer(const gathering *g) {
    for (int k = 0;; k = (k + 1) % g->threads)
        if (!__atomic_exchange_n(&g->taken[k], 1, __ATOMIC_ACQUIRE))
            return k;
}

static void give_buffer(const gathering *g, int k) { __atomic_store_n(&g->taken[k], 0, __ATOMIC_RELEASE); }

static weft_vec3 move_of(const gathering *g, int32_t i) {
    return weft_vec3_make(g->place[i][4], g->place[i][5], g->place[i][6]);
}

/* The records of elements that a model knows by their blocks only. */
static void compute_blocks(const gathering *g, const weft_elements *list, int32_t number, const int32_t *elements,
                           int32_t count, float *record) {
    const weft_assembly *a = g->a;
    double stiffness[BATCH * PAIRS_MAX * 9], damping[BATCH * PAIRS_MAX * 9];
    size_t arity = (size_t)list->arity, pairs = arity * (arity - 1) / 2;
    weft_system_blocks(a->system, number, elements, count, a->x, a->v, stiffness, damping);
    for (size_t k = 0; k < (size_t)count; k++) {
        weft_vec3 u[WEFT_ARITY_MAX];
        for (size_t i = 0; i < arity; i++)
            u[i] = move_of(g, list->vertex[(size_t)elements[k] * arity + i]);
        weft_pair_records(list->arity, u, a->h, stiffness + 9 * pairs * k, damping + 9 * pairs * k,
                          record + WEFT_PAIR_FLOATS * pairs * k);
    }
}

static void compute(const gathering *g, const weft_gather_batch *batch, float *buffer) {
    const weft_assembly *a = g->a;
    const int32_t *elements = g->part->gather->element + batch->first;
    float *record = buffer + 4 * (size_t)batch->place;
    int32_t number = g->part->first + batch->list;
    if (!weft_system_sums(a->system, number, elements, batch->count, (const weft_place *)g->place, a->h, record))
        compute_blocks(g, &g->part->list[batch->list], number, elements, batch->count, record);
}

/* Excess, diagonal and right-hand side. Rounding leaves the sum of a row a little skew; the excess takes that up, so
 * that the product stays symmetric. */
static void finish_row(const weft_assembly *a, int64_t i, const weft_gather_sum *s) {
    static const double NONE[6] = {0, 0, 0, 0, 0, 0};
    double h = a->h, m = a->system->mass[i];
    const double *air = a->air ? a->air + 6 * i : NONE, *b = s->block;
    const double xx = m + h * air[0], xy = h * air[1], xz = h * air[2], yy = m + h * air[3], yz = h * air[4];
    const double zz = m + h * air[5], skew[3] = {0.5 * (b[1] - b[3]), 0.5 * (b[2] - b[6]), 0.5 * (b[5] - b[7])};
    const float off[3] = {(float)(xy - 0.5 * (b[1] + b[3])), (float)(xz - 0.5 * (b[2] + b[6])),
                          (float)(yz - 0.5 * (b[5] + b[7]))};
    float *excess = a->matrix->excess + 9 * i, *diagonal = a->matrix->diagonal + 9 * i;
    excess[0] = (float)xx, excess[1] = (float)(xy + skew[0]), excess[2] = (float)(xz + skew[1]);
    excess[3] = (float)(xy - skew[0]), excess[4] = (float)yy, excess[5] = (float)(yz + skew[2]);
    excess[6] = (float)(xz - skew[1]), excess[7] = (float)(yz - skew[2]), excess[8] = (float)zz;
    diagonal[0] = (float)(xx - b[0]), diagonal[1] = off[0], diagonal[2] = off[1];
    diagonal[3] = off[0], diagonal[4] = (float)(yy - b[4]), diagonal[5] = off[2];
    diagonal[6] = off[1], diagonal[7] = off[2], diagonal[8] = (float)(zz - b[8]);
    const weft_vec3 own = weft_add(weft_scale(m, weft_sub(a->V[i], a->v[i])), weft_scale(h, a->f[i]));
    a->b[i] = weft_add_scaled(own, -h, weft_vec3_make(s->product[0], s->product[1], s->product[2]));
}

/* What row i will need, a few of them ahead: there are more arrays than the processor foresees. */
static inline __attribute__((always_inline)) void fetch_row(const weft_assembly *a, int64_t i) {
    const weft_bsr *matrix = a->matrix;
    const void *needed[] = {matrix->excess + 9 * i, matrix->diagonal + 9 * i, a->b + i, a->V + i, a->v + i, a->f + i};
    for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++)
        __builtin_prefetch(needed[k], 0, 2);
}

static void gather_chunk(const gathering *g, int32_t chunk, float *buffer, weft_gather_state *state) {
    const weft_row_gather *plan = g->part->gather;
    weft_gather_sum sum[WEFT_GATHER_ROWS];
    int32_t row[WEFT_GATHER_ROWS] = {0}, begin = plan->chunk[chunk].row, count = plan->chunk[chunk + 1].row - begin;
    for (int32_t r = 0; r < count; r++)
        row[r] = plan->begin + plan->row[begin + r];
    weft_gather_rows(g->a->matrix, row, count, buffer, (const weft_place *)g->place, state, sum);
    for (int32_t r = 0; r < count; r++) {
        if (row[r] + AHEAD < plan->end)
            fetch_row(g->a, row[r] + AHEAD);
        finish_row(g->a, row[r], &sum[r]);
    }
}

static void gather_segments(void *context, int64_t begin, int64_t end) {
    const gathering *g = context;
    const weft_row_gather *plan = g->part->gather;
    int own = take_buffer(g);
    float *buffer = g->buffer + g->room * (size_t)own;
    for (int64_t s = begin; s < end; s++) {
        const weft_gather_segment *segment = &plan->segment[s];
        weft_gather_state state = {plan->code + segment->code, plan->source + segment->source, plan->at + segment->at};
        for (int32_t c = segment->chunk; c < segment[1].chunk; c++) {
            for (int32_t k = plan->chunk[c].batch; k < plan->chunk[c + 1].batch; k++)
                compute(g, &plan->batch[k], buffer);
            if (c == segment->chunk)
                weft_gather_halo(segment->halo, buffer, (const weft_place *)g->place, &state);
            gather_chunk(g, c, buffer, &state);
        }
    }
    give_buffer(g, own);
}

static void find_places(void *context, int64_t begin, int64_t end) {
    const gathering *g = context;
    for (int64_t i = g->part->begin + begin; i < g->part->begin + end; i++)
        weft_place_find(g->a, i, g->place[i]);
}

static void assemble_gathered(const weft_assembly *a, const weft_part *part) {
    const weft_work *work = a->system->work;
    const weft_row_gather *plan = part->gather;
    int threads = work->threads < plan->segments ? work->threads : plan->segments;
    gathering g = {.a = a, .part = part, .place = a->scratch, .room = (plan->room + 15) / 16 * 16, .threads = threads};
    weft_arena_mark mark = weft_arena_here(work->arena);
    g.buffer = weft_arena_take(work->arena, (size_t)threads * g.room * sizeof(float), "assembly");
    g.taken = weft_arena_take(work->arena, (size_t)threads * sizeof(int), "assembly");
    if (g.buffer && g.taken) {
        memset(g.taken, 0, (size_t)threads * sizeof(int));
        int64_t rows = part->end - part->begin, weight = rows / plan->segments * ROW;
        weft_parallel_heavy(work, rows, WEFT_BLOCK / 2, PLACE, find_places, &g);
        weft_parallel_heavy(work, plan->segments, 1, weight, gather_segments, &g);
    }
    weft_arena_release(work->arena, mark);
}

/* -- elements added one by one, chunks of a colour at the same time -- */

/* One list of a part. */
typedef struct work_list {
    const weft_assembly *a;
    const weft_elements *list;
    const weft_slots *slots;
    int32_t number;
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

static void add_elements(void *context, const int32_t *elements, int32_t count) {
    for (int32_t batch; count > 0; elements += batch, count -= batch) {
        batch = count < BATCH ? count : BATCH;
        add_blocks(context, elements, batch);
    }
}

typedef struct rows {
    const weft_assembly *a;
    const weft_part *part;
} rows;

/* M on the diagonal, the air's damping, and the right-hand side but for K u. */
static void begin_block(void *context, int64_t begin, int64_t end) {
    const rows *r = context;
    const weft_assembly *a = r->a;
    weft_bsr_clear_rows(a->matrix, r->part->begin + begin, r->part->begin + end);
    for (int64_t i = r->part->begin + begin; i < r->part->begin + end; i++) {
        double h = a->h, m = a->system->mass[i], *sum = a->matrix->sum + 6 * i;
        sum[0] = sum[3] = sum[5] = m;
        for (int k = 0; k < 6 && a->air; k++)
            sum[k] += h * a->air[6 * i + k];
        a->b[i] = weft_add(weft_scale(m, weft_sub(a->V[i], a->v[i])), weft_scale(h, a->f[i]));
        if (a->moved)
            a->u[i] = weft_sub(weft_add_scaled(a->X[i], h, a->v[i]), a->x[i]);
    }
}

static void finish_block(void *context, int64_t begin, int64_t end) {
    const rows *r = context;
    weft_bsr_finish_rows(r->a->matrix, r->part->begin + begin, r->part->begin + end);
}

static void assemble_by_colours(const weft_assembly *a, const weft_part *part) {
    const weft_work *work = a->system->work;
    rows r = {a, part};
    int64_t count = part->end - part->begin;
    weft_parallel_heavy(work, count, WEFT_BLOCK, ROW, begin_block, &r);
    for (int32_t l = 0; l < part->list_count; l++) {
        work_list w = {a, &part->list[l], part->slots[l], part->first + l};
        weft_slots_run(w.slots, work, add_elements, &w);
    }
    weft_parallel_heavy(work, count, WEFT_BLOCK, ROW, finish_block, &r);
}

void weft_assemble(const weft_assembly *assembly, const weft_part *part) {
    if (part->pairs)
        weft_assemble_rows(assembly, part);
    else if (part->gather)
        assemble_gathered(assembly, part);
    else
        assemble_by_colours(assembly, part);
}
