/* Assembly of rows by gathering: elements write their records to a buffer, and rows gather their blocks from it. See
 * solve/row_gather.h. */
#include <string.h>

#include "cloth/pair_records.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "solve/assemble.h"
#include "solve/row_sink.h"
#include "weft/vec.h"

enum {
    ROW = 16,  /* the weight of a row in parallel loops over blocks */
    PLACE = 3, /* the weight of finding the place of a vertex */
    AHEAD = 16 /* rows to prefetch ahead */
};
_Static_assert((int)AHEAD <= 2 * WEFT_GATHER_AHEAD, "known rows");

/* Prefetches the data of row i. There are more arrays than the hardware prefetcher follows. */
static inline __attribute__((always_inline)) void fetch_row(const weft_assembly *a, int64_t i) {
    const weft_bsr *matrix = a->matrix;
    const void *needed[] = {matrix->excess + 9 * i, matrix->diagonal + 9 * i, a->b + i, a->V + i, a->v + i, a->f + i};
    for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++)
        __builtin_prefetch(needed[k], 0, 2);
}

#define WEFT_KERNEL "solve/assemble_finish.inc"
#include "core/simd_kernels.inc"

typedef struct gathering {
    const weft_assembly *a;
    const weft_cloth_rows *rows;
    weft_place *place; /* of all vertices */
    float *buffer;     /* one per thread, each of `room` floats */
    size_t room;
    int *taken; /* whether a buffer is in use (threads) */
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

/* The records of elements for models that give blocks only. */
static void compute_blocks(const gathering *g, const weft_elements *list, int32_t number, const int32_t *elements,
                           int32_t count, float *record) {
    const weft_assembly *a = g->a;
    double stiffness[9 * WEFT_BLOCKS_AT_ONCE], damping[9 * WEFT_BLOCKS_AT_ONCE];
    size_t arity = (size_t)list->arity, pairs = arity * (arity - 1) / 2;
    weft_system_element_blocks(a->system, number, elements, count, a->x, a->v, stiffness, damping);
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
    const weft_elements *list = &g->rows->list[batch->list];
    const int32_t *elements = g->rows->gather->element + batch->first;
    float *record = buffer + batch->place;
    int32_t number = g->rows->first + batch->list, pairs = list->arity * (list->arity - 1) / 2;
    const weft_equations_cloth *cloth = &a->system->equations->cloth[g->rows->cloth];
    const weft_model_kernels *kernels = cloth->model->kernels;
    const weft_place *place = (const weft_place *)g->place + cloth->first;
    if (kernels && kernels->element_sums &&
        kernels->element_sums(cloth->self, batch->list, elements, batch->count, place, a->h, record))
        return;
    for (int32_t from = 0, most = WEFT_BLOCKS_AT_ONCE / pairs; from < batch->count; from += most) {
        int32_t count = batch->count - from < most ? batch->count - from : most;
        compute_blocks(g, list, number, elements + from, count, record + WEFT_PAIR_FLOATS * pairs * from);
    }
}

static void gather_chunk(const gathering *g, int32_t chunk, float *buffer, weft_gather_state *state) {
    const weft_row_gather *plan = g->rows->gather;
    weft_gather_sum sum[WEFT_GATHER_ROWS];
    int32_t row[WEFT_GATHER_ROWS + 2 * WEFT_GATHER_AHEAD], begin = plan->chunk[chunk].row;
    int32_t count = plan->chunk[chunk + 1].row - begin, last = plan->end - plan->begin - 1;
    for (int32_t r = 0; r < count + 2 * WEFT_GATHER_AHEAD; r++)
        row[r] = plan->begin + plan->row[begin + r < last ? begin + r : last];
    weft_gather_rows(g->a->matrix, row, count, buffer, (const weft_place *)g->place, state, sum);
    WEFT_SIMD_RUN(weft_simd_isa(), finish, g->a, row, count, sum);
}

static void gather_segments(void *context, int64_t begin, int64_t end) {
    const gathering *g = context;
    const weft_row_gather *plan = g->rows->gather;
    int own = take_buffer(g);
    float *buffer = g->buffer + g->room * (size_t)own;
    for (int64_t s = begin; s < end; s++) {
        const weft_gather_segment *segment = &plan->segment[s];
        weft_gather_state state = {plan->code + segment->code, plan->source + segment->source, plan->at + segment->at};
        for (int32_t c = segment->chunk; c < segment[1].chunk; c++) {
            for (int32_t k = plan->chunk[c].batch; k < plan->chunk[c + 1].batch; k++)
                compute(g, &plan->batch[k], buffer);
            if (c == segment->chunk)
                weft_gather_halo(segment->halo, buffer, &state);
            gather_chunk(g, c, buffer, &state);
        }
    }
    give_buffer(g, own);
}

static void find_places(void *context, int64_t begin, int64_t end) {
    const gathering *g = context;
    for (int64_t i = g->rows->begin + begin; i < g->rows->begin + end; i++)
        weft_place_find(g->a, i, g->place[i]);
}

void weft_assemble_gathered(const weft_assembly *a, const weft_cloth_rows *rows) {
    const weft_work *work = a->system->work;
    const weft_row_gather *plan = rows->gather;
    int threads = work->threads < plan->segments ? work->threads : plan->segments;
    gathering g = {.a = a, .rows = rows, .place = a->scratch, .room = (plan->room + 15) / 16 * 16, .threads = threads};
    weft_arena_mark mark = weft_arena_here(work->arena);
    g.buffer = weft_arena_take(work->arena, (size_t)threads * g.room * sizeof(float), "assembly");
    g.taken = weft_arena_take(work->arena, (size_t)threads * sizeof(int), "assembly");
    if (g.buffer && g.taken) {
        memset(g.taken, 0, (size_t)threads * sizeof(int));
        int64_t count = rows->end - rows->begin, weight = count / plan->segments * ROW;
        weft_parallel_heavy(work, count, WEFT_BLOCK, PLACE, find_places, &g);
        weft_parallel_heavy(work, plan->segments, 1, weight, gather_segments, &g);
    }
    weft_arena_release(work->arena, mark);
}
