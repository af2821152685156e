/* Lists the sources of the gathered blocks and of the products at their vertices. */
#include "core/memory.h"
#include "solve/row_gather_lists.h"

/* Counts the sources of the blocks, or stores them. Inlined, because plans are rebuilt at every change of the mesh. */
static inline __attribute__((always_inline)) void each_pair(weft_gather_lists *b, int notes) {
    for (int32_t l = 0; l < b->list_count; l++) {
        const weft_elements *list = &b->lists[l];
        const int32_t(*slot)[2] = (const int32_t(*)[2])b->slots[l]->slot;
        for (int32_t e = 0; e < list->count; e++) {
            const int32_t *v = weft_gather_vertices(list, e);
            for (int32_t p = 0; p < list->arity; p++)
                for (int32_t q = p + 1; q < list->arity; q++, slot++) {
                    if (weft_gather_is_idle(list, e, p) || weft_gather_is_idle(list, e, q))
                        continue;
                    /* the block whose row comes first; the element may hold it transposed */
                    int turned = b->position[v[p] - b->g->begin] > b->position[v[q] - b->g->begin];
                    int32_t block = (*slot)[turned] - b->first, other = (*slot)[!turned] - b->first;
                    if (notes) {
                        b->sources[b->start[block]++] =
                            (weft_gather_source){e, (uint8_t)l, (uint8_t)p, (uint8_t)q, (uint8_t)turned};
                        continue;
                    }
                    b->twin[block] = other;
                    b->twin[other] = block;
                    b->start[block + 1]++;
                }
        }
    }
}

static void count_corners(weft_gather_lists *b) {
    for (int32_t l = 0; l < b->list_count; l++)
        for (int32_t e = 0; e < b->lists[l].count && !b->lists[l].tensor; e++)
            for (int32_t a = 0; a < b->lists[l].arity; a++)
                b->corner_start[weft_gather_vertices(&b->lists[l], e)[a] - b->g->begin + 1] +=
                    !weft_gather_is_idle(&b->lists[l], e, a);
}

static void note_corners(weft_gather_lists *b) {
    for (int32_t l = 0; l < b->list_count; l++)
        for (int32_t e = 0; e < b->lists[l].count && !b->lists[l].tensor; e++)
            for (int32_t a = 0; a < b->lists[l].arity; a++) {
                int32_t i = weft_gather_vertices(&b->lists[l], e)[a] - b->g->begin;
                if (!weft_gather_is_idle(&b->lists[l], e, a))
                    b->corners[b->corner_start[i]++] = (weft_gather_source){e, (uint8_t)l, (uint8_t)a, (uint8_t)a, 0};
            }
}

/* Undoes the shift: filling advanced each start to the next one. */
static void move_back(int32_t *start, int32_t count) {
    for (int32_t k = count; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
}

weft_result weft_gather_list_sources(weft_gather_lists *b) {
    size_t blocks = (size_t)b->blocks, rows = (size_t)b->rows;
    b->twin = malloc((blocks + 1) * sizeof *b->twin);
    b->start = weft_allocate(blocks + 2, sizeof *b->start);
    b->corner_start = weft_allocate(rows + 2, sizeof *b->corner_start);
    if (!b->twin || !b->start || !b->corner_start)
        return weft_fail_memory("assembly order", blocks * 8 + rows * 4);
    for (size_t k = 0; k < blocks; k++)
        b->twin[k] = -1;
    each_pair(b, 0);
    count_corners(b);
    weft_gather_add_up(b->start, b->blocks);
    weft_gather_add_up(b->corner_start, b->rows);
    b->sources = weft_allocate((size_t)b->start[b->blocks], sizeof *b->sources);
    b->corners = weft_allocate((size_t)b->corner_start[b->rows], sizeof *b->corners);
    if (!b->sources || !b->corners)
        return weft_fail_memory("assembly order", (size_t)b->start[b->blocks] * sizeof *b->sources);
    each_pair(b, 1);
    note_corners(b);
    move_back(b->start, b->blocks);
    move_back(b->corner_start, b->rows);
    return weft_ok();
}
