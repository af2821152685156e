/* Assembly of the matrix and right-hand side of an implicit step (Baraff and Witkin 1998). Three methods exist: rows of
 * two-vertex elements (assemble_rows.c), gathered rows (assemble_gathered.c) and, here, element-wise scatter with graph
 * colouring (slots.c). The assembly plan chooses one per cloth. */
#include "solve/assemble.h"

#include "core/parallel.h"
#include "weft/vec.h"

enum { ROW = 16 }; /* relative cost of a row in parallel loops over blocks */

/* -- element-wise scatter; chunks of one colour run in parallel -- */

/* One element list of a cloth. */
typedef struct work_list {
    const weft_assembly *a;
    const weft_elements *list;
    const weft_slots *slots;
    int32_t number;
} work_list;

/* b -= h K u for one pair. Internal forces are invariant under translation, so only the difference of u matters. */
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
    double stiffness[9 * WEFT_BLOCKS_AT_ONCE], damping[9 * WEFT_BLOCKS_AT_ONCE];
    const double *k = stiffness, *d = damping;
    weft_system_element_blocks(a->system, w->number, elements, count, a->x, a->v, stiffness, damping);
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
    const work_list *w = context;
    for (int32_t batch, most = WEFT_BLOCKS_AT_ONCE / w->slots->pairs; count > 0; elements += batch, count -= batch) {
        batch = count < most ? count : most;
        add_blocks(w, elements, batch);
    }
}

typedef struct row_job {
    const weft_assembly *a;
    const weft_cloth_rows *rows;
} row_job;

/* Sets the diagonal to M plus air damping, and the right-hand side except K u. */
static void begin_block(void *context, int64_t begin, int64_t end) {
    const row_job *r = context;
    const weft_assembly *a = r->a;
    weft_bsr_clear_rows(a->matrix, r->rows->begin + begin, r->rows->begin + end);
    for (int64_t i = r->rows->begin + begin; i < r->rows->begin + end; i++) {
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
    const row_job *r = context;
    weft_bsr_finish_rows(r->a->matrix, r->rows->begin + begin, r->rows->begin + end);
}

static void assemble_by_colours(const weft_assembly *a, const weft_cloth_rows *rows) {
    const weft_work *work = a->system->work;
    row_job r = {a, rows};
    int64_t count = rows->end - rows->begin;
    weft_parallel_heavy(work, count, WEFT_BLOCK, ROW, begin_block, &r);
    for (int32_t l = 0; l < rows->list_count; l++) {
        work_list w = {a, &rows->list[l], rows->slots[l], rows->first + l};
        weft_slots_run(w.slots, work, add_elements, &w);
    }
    weft_parallel_heavy(work, count, WEFT_BLOCK, ROW, finish_block, &r);
}

void weft_assemble(const weft_assembly *assembly, const weft_cloth_rows *rows) {
    if (rows->pairs)
        weft_assemble_rows(assembly, rows);
    else if (rows->gather)
        weft_assemble_gathered(assembly, rows);
    else
        assemble_by_colours(assembly, rows);
}
