/* The broad phase: finds pairs of objects whose swept bounds overlap, by sweep and prune (Cohen et al. 1995,
 * I-COLLIDE). It sweeps along the axis on which the cloths are spread most. Only these pairs get tasks. Tasks are
 * always in the same order, so that the order of the candidate pairs does not depend on history. */
#include "contact/internal.h"
#include "weft/sort.h"

enum { TASK_LEAVES = 64 };

static int may_touch(const contact_step *step, const contact_object *b) {
    return b->body ? !b->absent && !(step->fast && b->rounded) : step->settings->self;
}

int broad_phase_may_touch(const contact_step *step) {
    int any = 0;
    for (int32_t b = 0; b < step->contact->object_count; b++)
        any |= may_touch(step, &step->contact->object[b]);
    return any && step->contact->cloth_count > 0;
}

/* -- sweep and prune -- */

static float begin_of(const contact_object *object, int axis) {
    return fminf(object->bounds.low[0][axis], object->bounds.low[1][axis]);
}

static float end_of(const contact_object *object, int axis) {
    return fmaxf(object->bounds.high[0][axis], object->bounds.high[1][axis]);
}

static int widest_axis(const weft_contact *contact) {
    float spread[3];
    for (int k = 0; k < 3; k++) {
        float low = HUGE_VALF, high = -HUGE_VALF;
        for (int32_t i = 0; i < contact->cloth_count; i++) {
            low = fminf(low, begin_of(&contact->object[i], k));
            high = fmaxf(high, begin_of(&contact->object[i], k));
        }
        spread[k] = high - low;
    }
    int axis = spread[1] > spread[0];
    return spread[2] > spread[axis] ? 2 : axis;
}

/* Insertion sort: the objects are nearly in order from the last time. */
static void sort_objects(const weft_contact *contact, int axis) {
    for (int32_t i = 1; i < contact->object_count; i++) {
        int32_t moved = contact->sweep_order[i], at = i;
        float begin = begin_of(&contact->object[moved], axis);
        for (; at > 0 && begin_of(&contact->object[contact->sweep_order[at - 1]], axis) > begin; at--)
            contact->sweep_order[at] = contact->sweep_order[at - 1];
        contact->sweep_order[at] = moved;
    }
}

static weft_status add_object_pair(weft_contact *contact, int32_t a, int32_t b) {
    if (contact->object_pair_count == contact->object_pair_capacity) {
        int32_t capacity = 2 * contact->object_pair_capacity + 16;
        contact_object_pair *grown = realloc(contact->object_pair, (size_t)capacity * sizeof *grown);
        if (!grown)
            return WEFT_STATUS_NO_MEMORY;
        contact->object_pair = grown;
        contact->object_pair_capacity = capacity;
    }
    contact->object_pair[contact->object_pair_count++] = (contact_object_pair){a < b ? a : b, a < b ? b : a};
    return WEFT_STATUS_OK;
}

/* Adds two objects if at least one is a cloth, they may touch and their bounds overlap. */
static weft_status test_object_pair(contact_step *step, int32_t a, int32_t b) {
    weft_contact *contact = step->contact;
    const contact_object *p = &contact->object[a < b ? a : b], *q = &contact->object[a < b ? b : a];
    if (p->body || !may_touch(step, q) || !contact_box_overlaps(&p->bounds, &q->bounds))
        return WEFT_STATUS_OK;
    return add_object_pair(contact, a, b);
}

static int compare_object_pairs(const void *a, const void *b) {
    const contact_object_pair *p = a, *q = b;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static weft_status find_object_pairs(contact_step *step, int keep) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    int axis = widest_axis(contact);
    sort_objects(contact, axis);
    contact->object_pair_count = 0;
    for (int32_t i = 0; keep && i < contact->task_count && status == WEFT_STATUS_OK; i++)
        if (contact->task[i].begin == 0)
            status = add_object_pair(contact, contact->task[i].a, contact->task[i].b);
    for (int32_t i = 0; i < contact->object_count; i++) {
        float end = end_of(&contact->object[contact->sweep_order[i]], axis);
        for (int32_t j = i; j < contact->object_count && status == WEFT_STATUS_OK; j++) {
            if (begin_of(&contact->object[contact->sweep_order[j]], axis) > end)
                break;
            status = test_object_pair(step, contact->sweep_order[i], contact->sweep_order[j]);
        }
    }
    if (contact->object_pair_count > 0)
        weft_sort(contact->object_pair, (size_t)contact->object_pair_count, sizeof *contact->object_pair,
                  compare_object_pairs);
    return status;
}

/* -- tasks -- */

static int32_t tasks_of(const weft_contact *contact, int32_t a) {
    return (contact->object[a].tree.leaves + TASK_LEAVES - 1) / TASK_LEAVES;
}

static int is_duplicate(const weft_contact *contact, int32_t i) {
    return i > 0 && compare_object_pairs(&contact->object_pair[i], &contact->object_pair[i - 1]) == 0;
}

static weft_status reserve_tasks(weft_contact *contact) {
    int32_t wanted = 0;
    for (int32_t i = 0; i < contact->object_pair_count; i++)
        wanted += is_duplicate(contact, i) ? 0 : tasks_of(contact, contact->object_pair[i].a);
    if (wanted <= contact->task_capacity)
        return WEFT_STATUS_OK;
    int32_t capacity = wanted + wanted / 2 + 1;
    contact_task **list[] = {&contact->task, &contact->new_task};
    for (int k = 0; k < 2; k++) {
        contact_task *grown = realloc(*list[k], (size_t)capacity * sizeof *grown);
        if (!grown)
            return WEFT_STATUS_NO_MEMORY;
        *list[k] = grown;
    }
    contact->task_capacity = capacity;
    return WEFT_STATUS_OK;
}

static int32_t list_tasks(weft_contact *contact) {
    int32_t count = 0;
    for (int32_t i = 0; i < contact->object_pair_count; i++) {
        int32_t a = contact->object_pair[i].a, leaves = contact->object[a].tree.leaves;
        for (int32_t leaf = 0; !is_duplicate(contact, i) && leaf < leaves; leaf += TASK_LEAVES) {
            int32_t end = leaf + TASK_LEAVES < leaves ? leaf + TASK_LEAVES : leaves;
            contact->new_task[count++] = (contact_task){a, contact->object_pair[i].b, leaf, end, NULL};
        }
    }
    return count;
}

static int precedes(const contact_task *a, const contact_task *b) {
    if (a->a != b->a)
        return a->a < b->a;
    return a->b != b->b ? a->b < b->b : a->begin < b->begin;
}

/* Tasks that continue keep their bins. The bins of dropped tasks are recycled. */
static weft_status take_over_bins(weft_contact *contact, int32_t count) {
    int32_t made = 0, old = 0;
    for (; made < count; made++) {
        contact_task *task = &contact->new_task[made];
        while (old < contact->task_count && precedes(&contact->task[old], task))
            contact_recycle_bin(contact, contact->task[old++].bin);
        int has_bin = old < contact->task_count && !precedes(task, &contact->task[old]);
        task->bin = has_bin ? contact->task[old++].bin : contact_new_bin(contact);
        if (!task->bin)
            break;
    }
    while (old < contact->task_count)
        contact_recycle_bin(contact, contact->task[old++].bin);
    contact_task *before = contact->task;
    contact->task = contact->new_task;
    contact->new_task = before;
    contact->task_count = made;
    return made == count ? WEFT_STATUS_OK : WEFT_STATUS_NO_MEMORY;
}

weft_status broad_phase_make_tasks(contact_step *step, int keep) {
    weft_contact *contact = step->contact;
    weft_status status = find_object_pairs(step, keep);
    if (status == WEFT_STATUS_OK)
        status = reserve_tasks(contact);
    return status == WEFT_STATUS_OK ? take_over_bins(contact, list_tasks(contact)) : status;
}

void broad_phase_drop_tasks(weft_contact *contact) {
    while (contact->task_count > 0)
        contact_recycle_bin(contact, contact->task[--contact->task_count].bin);
}
