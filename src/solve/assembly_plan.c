/* Builds the matrix structure for all element lists of a system, and chooses for each cloth how its rows are assembled.
 */
#include "solve/assembly_plan.h"

#include <stdlib.h>

#include "core/memory.h"

static void destroy_cloth_rows(weft_assembly_plan *plan) {
    for (int32_t i = 0; i < plan->count; i++) {
        weft_row_pairs_destroy(plan->cloth_rows[i].pairs);
        weft_row_gather_destroy(plan->cloth_rows[i].gather);
    }
    free(plan->cloth_rows);
    plan->cloth_rows = NULL;
    plan->count = 0;
}

void weft_assembly_plan_free(weft_assembly_plan *plan) {
    for (int32_t i = 0; plan->slots && i < plan->list_count; i++)
        weft_slots_destroy(plan->slots[i]);
    destroy_cloth_rows(plan);
    weft_bsr_destroy(plan->matrix);
    for (int32_t i = 0; plan->list && i < plan->list_count; i++)
        free((void *)plan->list[i].vertex);
    free(plan->slots);
    free(plan->list);
}

/* Copies list i and renumbers its vertices for the whole system. */
static weft_result copy_list(const weft_system *system, int32_t i, weft_elements *copy) {
    int32_t first;
    weft_elements list = weft_system_list(system, i, &first);
    size_t count = (size_t)list.count * (size_t)list.arity;
    int32_t *vertex = weft_allocate(count, sizeof *vertex);
    if (!vertex)
        return weft_fail_memory("elements", count * sizeof *vertex);
    for (size_t k = 0; k < count; k++)
        vertex[k] = first + list.vertex[k];
    *copy = list;
    copy->vertex = vertex;
    return weft_ok();
}

static int has_pair_rows(const weft_system *system, const weft_cloth_rows *rows) {
    const weft_model_kernels *kernels = system->equations->cloth[rows->cloth].model->kernels;
    return kernels && kernels->pair_rows;
}

static weft_result choose_order(const weft_system *system, const weft_assembly_plan *plan, weft_cloth_rows *rows) {
    if (rows->list_count == 1 && has_pair_rows(system, rows))
        WEFT_TRY(weft_row_pairs_create(plan->matrix, rows->begin, rows->end, rows->list, rows->slots[0], &rows->pairs));
    if (rows->pairs)
        return weft_ok();
    WEFT_TRY(weft_row_gather_create(plan->matrix, rows->begin, rows->end, rows->list, rows->slots, rows->list_count,
                                    &rows->gather));
    for (int32_t l = 0; l < rows->list_count && !rows->gather; l++)
        WEFT_TRY(weft_slots_colour(rows->slots[l], plan->matrix, &rows->list[l]));
    return weft_ok();
}

/* The cloth whose first vertex has that number. */
static int32_t cloth_at(const weft_system *system, int32_t first) {
    int32_t cloth = 0;
    while (system->equations->cloth[cloth].first != first)
        cloth++;
    return cloth;
}

/* The lists of one cloth are consecutive. Rows of cloths without elements go with the previous cloth, or with the
 * first. */
static weft_result make_cloth_rows(const weft_system *system, weft_assembly_plan *plan) {
    int32_t last = 0;
    destroy_cloth_rows(plan);
    plan->cloth_rows = weft_allocate((size_t)plan->list_count + 1, sizeof *plan->cloth_rows);
    if (!plan->cloth_rows)
        return weft_fail_memory("elements", (size_t)plan->list_count * sizeof *plan->cloth_rows);
    plan->cloth_rows[0] = (weft_cloth_rows){.end = system->count, .list = plan->list, .slots = plan->slots};
    plan->count = 1;
    for (int32_t i = 0; i < plan->list_count; i++) {
        weft_cloth_rows *rows = &plan->cloth_rows[plan->count];
        int32_t begin;
        weft_system_list(system, i, &begin);
        if (i == 0)
            rows[-1].cloth = cloth_at(system, begin);
        if (i == 0 || begin == last) {
            rows[-1].list_count++;
        } else {
            rows[-1].end = begin;
            *rows = (weft_cloth_rows){.begin = begin,
                                      .end = system->count,
                                      .cloth = cloth_at(system, begin),
                                      .first = i,
                                      .list_count = 1,
                                      .list = &plan->list[i],
                                      .slots = &plan->slots[i]};
            plan->count++;
        }
        last = begin;
    }
    weft_bsr_form form = WEFT_BSR_PAIRS;
    for (int32_t i = 0; i < plan->count; i++) {
        WEFT_TRY(choose_order(system, plan, &plan->cloth_rows[i]));
        if (!plan->cloth_rows[i].pairs)
            form = WEFT_BSR_FULL;
    }
    return weft_bsr_set_form(plan->matrix, form);
}

weft_result weft_assembly_plan_create(const weft_system *system, weft_assembly_plan *plan) {
    plan->list_count = weft_system_list_count(system);
    plan->list = weft_allocate((size_t)plan->list_count, sizeof *plan->list);
    plan->slots = weft_allocate((size_t)plan->list_count, sizeof(weft_slots *));
    if (!plan->list || !plan->slots)
        return weft_fail_memory("elements", (size_t)plan->list_count * sizeof *plan->list);
    for (int32_t i = 0; i < plan->list_count; i++)
        WEFT_TRY(copy_list(system, i, &plan->list[i]));
    WEFT_TRY(weft_bsr_create(system->count, plan->list, plan->list_count, &plan->matrix));
    for (int32_t i = 0; i < plan->list_count; i++)
        WEFT_TRY(weft_slots_create(plan->matrix, &plan->list[i], &plan->slots[i]));
    return make_cloth_rows(system, plan);
}

/* Whether the lists are the same in number and arity. */
static int keeps_lists(const weft_system *system, const weft_assembly_plan *plan) {
    int32_t first;
    if (weft_system_list_count(system) != plan->list_count)
        return 0;
    for (int32_t i = 0; i < plan->list_count; i++)
        if (weft_system_list(system, i, &first).arity != plan->list[i].arity)
            return 0;
    return 1;
}

static weft_result update(const weft_system *system, const int32_t *from, weft_assembly_plan *plan, int32_t *moved) {
    for (int32_t i = 0; i < plan->list_count; i++) {
        free((void *)plan->list[i].vertex);
        plan->list[i].vertex = NULL;
        WEFT_TRY(copy_list(system, i, &plan->list[i]));
    }
    WEFT_TRY(weft_bsr_update(plan->matrix, system->count, from, plan->list, plan->list_count, moved));
    for (int32_t i = 0; i < plan->list_count; i++)
        WEFT_TRY(weft_slots_update(plan->slots[i], plan->matrix, &plan->list[i], moved));
    for (int32_t i = 0; i < plan->list_count; i++)
        plan->list[i].from = NULL; /* owned by the model and valid only until its next change */
    return make_cloth_rows(system, plan);
}

weft_result weft_assembly_plan_update(const weft_system *system, const int32_t *from, weft_assembly_plan *plan) {
    if (!keeps_lists(system, plan))
        return weft_fail(WEFT_UNSUPPORTED, "matrix: elements of another kind");
    int32_t *moved = malloc((size_t)system->count * sizeof *moved);
    weft_result result = moved ? update(system, from, plan, moved)
                               : weft_fail_memory("matrix structure", (size_t)system->count * sizeof *moved);
    free(moved);
    return result;
}
