#include "assembly/assembly_plan.h"

#include <stdlib.h>

#include "core/memory.h"

static void destroy_parts(weft_assembly_plan *parts) {
    for (int32_t i = 0; i < parts->count; i++) {
        weft_row_pairs_destroy(parts->part[i].pairs);
        weft_row_gather_destroy(parts->part[i].gather);
    }
    free(parts->part);
    parts->part = NULL;
    parts->count = 0;
}

void weft_assembly_plan_free(weft_assembly_plan *parts) {
    for (int32_t i = 0; parts->slots && i < parts->list_count; i++)
        weft_slots_destroy(parts->slots[i]);
    destroy_parts(parts);
    weft_bsr_destroy(parts->matrix);
    for (int32_t i = 0; parts->list && i < parts->list_count; i++)
        free((void *)parts->list[i].vertex);
    free(parts->slots);
    free(parts->list);
}

/* A copy of list i whose vertices are numbered through the simulation. */
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

static weft_result choose_order(const weft_system *system, const weft_assembly_plan *parts, weft_cloth_rows *part) {
    if (part->list_count == 1 && weft_system_has_pair_rows(system, part->first))
        WEFT_TRY(
            weft_row_pairs_create(parts->matrix, part->begin, part->end, part->list, part->slots[0], &part->pairs));
    if (part->pairs)
        return weft_ok();
    WEFT_TRY(weft_row_gather_create(parts->matrix, part->begin, part->end, part->list, part->slots, part->list_count,
                                    &part->gather));
    for (int32_t l = 0; l < part->list_count && !part->gather; l++)
        WEFT_TRY(weft_slots_colour(part->slots[l], parts->matrix, &part->list[l]));
    return weft_ok();
}

/* Lists of one cloth follow each other. Rows of cloths without any go with the part before, or with the first one. */
static weft_result make_parts(const weft_system *system, weft_assembly_plan *parts) {
    int32_t last = 0;
    destroy_parts(parts);
    parts->part = weft_allocate((size_t)parts->list_count + 1, sizeof *parts->part);
    if (!parts->part)
        return weft_fail_memory("elements", (size_t)parts->list_count * sizeof *parts->part);
    parts->part[0] = (weft_cloth_rows){0, system->count, 0, 0, parts->list, parts->slots, NULL, NULL};
    parts->count = 1;
    for (int32_t i = 0; i < parts->list_count; i++) {
        weft_cloth_rows *part = &parts->part[parts->count];
        int32_t begin;
        weft_system_list(system, i, &begin);
        if (i == 0 || begin == last) {
            part[-1].list_count++;
        } else {
            part[-1].end = begin;
            *part = (weft_cloth_rows){begin, system->count, i, 1, &parts->list[i], &parts->slots[i], NULL, NULL};
            parts->count++;
        }
        last = begin;
    }
    weft_bsr_form form = WEFT_BSR_PAIRS;
    for (int32_t i = 0; i < parts->count; i++) {
        WEFT_TRY(choose_order(system, parts, &parts->part[i]));
        if (!parts->part[i].pairs)
            form = WEFT_BSR_FULL;
    }
    return weft_bsr_set_form(parts->matrix, form);
}

weft_result weft_assembly_plan_create(const weft_system *system, weft_assembly_plan *parts) {
    parts->list_count = weft_system_list_count(system);
    parts->list = weft_allocate((size_t)parts->list_count, sizeof *parts->list);
    parts->slots = weft_allocate((size_t)parts->list_count, sizeof(weft_slots *));
    if (!parts->list || !parts->slots)
        return weft_fail_memory("elements", (size_t)parts->list_count * sizeof *parts->list);
    for (int32_t i = 0; i < parts->list_count; i++)
        WEFT_TRY(copy_list(system, i, &parts->list[i]));
    WEFT_TRY(weft_bsr_create(system->count, parts->list, parts->list_count, &parts->matrix));
    for (int32_t i = 0; i < parts->list_count; i++)
        WEFT_TRY(weft_slots_create(parts->matrix, &parts->list[i], &parts->slots[i]));
    return make_parts(system, parts);
}

/* Lists that are as many as before, each of elements of the same kind. */
static int keeps_lists(const weft_system *system, const weft_assembly_plan *parts) {
    int32_t first;
    if (weft_system_list_count(system) != parts->list_count)
        return 0;
    for (int32_t i = 0; i < parts->list_count; i++)
        if (weft_system_list(system, i, &first).arity != parts->list[i].arity)
            return 0;
    return 1;
}

static weft_result update(const weft_system *system, const int32_t *from, weft_assembly_plan *parts, int32_t *moved) {
    for (int32_t i = 0; i < parts->list_count; i++) {
        free((void *)parts->list[i].vertex);
        parts->list[i].vertex = NULL;
        WEFT_TRY(copy_list(system, i, &parts->list[i]));
    }
    WEFT_TRY(weft_bsr_update(parts->matrix, system->count, from, parts->list, parts->list_count, moved));
    for (int32_t i = 0; i < parts->list_count; i++)
        WEFT_TRY(weft_slots_update(parts->slots[i], parts->matrix, &parts->list[i], moved));
    for (int32_t i = 0; i < parts->list_count; i++)
        parts->list[i].from = NULL; /* the model's, until its next change */
    return make_parts(system, parts);
}

weft_result weft_assembly_plan_update(const weft_system *system, const int32_t *from, weft_assembly_plan *parts) {
    if (!keeps_lists(system, parts))
        return weft_fail(WEFT_UNSUPPORTED, "matrix: elements of another kind");
    int32_t *moved = malloc((size_t)system->count * sizeof *moved);
    weft_result result = moved ? update(system, from, parts, moved)
                               : weft_fail_memory("matrix structure", (size_t)system->count * sizeof *moved);
    free(moved);
    return result;
}
