/* The elements and links of all models under one numbering. */
#include <assert.h>

#include "solve/equations.h"

static int32_t lists_of(const weft_equations_cloth *cloth, const weft_elements **lists) {
    return cloth->model->element_lists ? cloth->model->element_lists(cloth->self, lists) : 0;
}

int32_t weft_system_list_count(const weft_system *system) {
    const weft_equations *e = system->equations;
    const weft_elements *lists;
    int32_t count = 0;
    for (int32_t i = 0; i < e->cloth_count; i++)
        count += lists_of(&e->cloth[i], &lists);
    return count;
}

/* The cloth that owns list *list. *list becomes its number within that cloth. */
static const weft_equations_cloth *cloth_of_list(const weft_equations *e, int32_t *list) {
    const weft_elements *lists;
    const weft_equations_cloth *cloth = e->cloth;
    for (int32_t count; *list >= (count = lists_of(cloth, &lists)); cloth++)
        *list -= count;
    return cloth;
}

weft_elements weft_system_list(const weft_system *system, int32_t list, int32_t *first) {
    const weft_elements *lists = NULL;
    const weft_equations_cloth *cloth = cloth_of_list(system->equations, &list);
    *first = cloth->first;
    lists_of(cloth, &lists);
    assert(lists);
    weft_elements found = lists[list];
    found.same = !cloth->reshaped;
    if (found.same)
        found.from = NULL;
    return found;
}

void weft_system_element_blocks(const weft_system *system, int32_t list, const int32_t *element, int32_t count,
                                const weft_vec3 *x, const weft_vec3 *v, double *stiffness, double *damping) {
    const weft_equations_cloth *cloth = cloth_of_list(system->equations, &list);
    cloth->model->element_blocks(cloth->self, list, element, count, x + cloth->first, v + cloth->first, stiffness,
                                 damping);
}

static int32_t links_of(const weft_equations_cloth *cloth) {
    return cloth->model->link_count ? cloth->model->link_count(cloth->self) : 0;
}

int32_t weft_system_link_count(const weft_system *system) {
    const weft_equations *e = system->equations;
    int32_t count = 0;
    for (int32_t i = 0; i < e->cloth_count; i++)
        count += links_of(&e->cloth[i]);
    return count;
}

weft_link weft_system_link(const weft_system *system, int32_t index) {
    const weft_equations *e = system->equations;
    const weft_equations_cloth *cloth = e->cloth;
    for (; index >= links_of(cloth); cloth++)
        index -= links_of(cloth);
    weft_link link = cloth->model->link_at(cloth->self, index);
    link.a += cloth->first;
    link.b += cloth->first;
    return link;
}
