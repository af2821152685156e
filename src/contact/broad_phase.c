/* Which objects are near each other: those whose boxes meet in the plan, found by a sweep over where they begin along
 * the axis on which cloths are spread most. Only these have tasks, always in the same order, so that pairs are in the
 * same order however they came about. */
#include "contact/internal.h"

enum { TASK_LEAVES = 64 };

static int may_touch(const contact_step *step, const contact_object *b) {
    return b->body ? !b->away && !(step->fast && b->rounded) : step->settings->self;
}

int contact_may_touch(const contact_step *step) {
    int any = 0;
    for (int32_t b = 0; b < step->contact->object_count; b++)
        any |= may_touch(step, &step->contact->object[b]);
    return any && step->contact->cloth_count > 0;
}

/* -- the sweep -- */

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

/* They were in order in the last plan, and are nearly so now. */
static void put_in_order(const weft_contact *contact, int axis) {
    for (int32_t i = 1; i < contact->object_count; i++) {
        int32_t moved = contact->sweep[i], at = i;
        float begin = begin_of(&contact->object[moved], axis);
        for (; at > 0 && begin_of(&contact->object[contact->sweep[at - 1]], axis) > begin; at--)
            contact->sweep[at] = contact->sweep[at - 1];
        contact->sweep[at] = moved;
    }
}

static weft_status add_near(weft_contact *contact, int32_t a, int32_t b) {
    if (contact->near_count == contact->near_capacity) {
        int32_t capacity = 2 * contact->near_capacity + 16;
        broad_phase_pairs *grown = realloc(contact->near, (size_t)capacity * sizeof *grown);
        if (!grown)
            return WEFT_STATUS_NO_MEMORY;
        contact->near = grown;
        contact->near_capacity = capacity;
    }
    contact->near[contact->near_count++] = (broad_phase_pairs){a < b ? a : b, a < b ? b : a};
    return WEFT_STATUS_OK;
}

/* Two objects with a cloth among them, if they meet. */
static weft_status try_objects(contact_step *step, int32_t a, int32_t b) {
    weft_contact *contact = step->contact;
    const contact_object *p = &contact->object[a < b ? a : b], *q = &contact->object[a < b ? b : a];
    if (p->body || !may_touch(step, q) || !contact_box_meets(&p->bounds, &q->bounds))
        return WEFT_STATUS_OK;
    return add_near(contact, a, b);
}

static int compare_near(const void *a, const void *b) {
    const broad_phase_pairs *p = a, *q = b;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static weft_status find_near(contact_step *step, int keep) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    int axis = widest_axis(contact);
    put_in_order(contact, axis);
    contact->near_count = 0;
    for (int32_t i = 0; keep && i < contact->task_count && status == WEFT_STATUS_OK; i++)
        if (contact->task[i].begin == 0)
            status = add_near(contact, contact->task[i].a, contact->task[i].b);
    for (int32_t i = 0; i < contact->object_count; i++) {
        float end = end_of(&contact->object[contact->sweep[i]], axis);
        for (int32_t j = i; j < contact->object_count && status == WEFT_STATUS_OK; j++) {
            if (begin_of(&contact->object[contact->sweep[j]], axis) > end)
                break;
            status = try_objects(step, contact->sweep[i], contact->sweep[j]);
        }
    }
    if (contact->near_count > 0)
        qsort(contact->near, (size_t)contact->near_count, sizeof *contact->near, compare_near);
    return status;
}

/* -- their tasks -- */

static int32_t tasks_of(const weft_contact *contact, int32_t a) {
    return (contact->object[a].tree.leaves + TASK_LEAVES - 1) / TASK_LEAVES;
}

static int is_repeated(const weft_contact *contact, int32_t i) {
    return i > 0 && compare_near(&contact->near[i], &contact->near[i - 1]) == 0;
}

static weft_status reserve_tasks(weft_contact *contact) {
    int32_t wanted = 0;
    for (int32_t i = 0; i < contact->near_count; i++)
        wanted += is_repeated(contact, i) ? 0 : tasks_of(contact, contact->near[i].a);
    if (wanted <= contact->task_capacity)
        return WEFT_STATUS_OK;
    int32_t capacity = wanted + wanted / 2 + 1;
    contact_task **list[] = {&contact->task, &contact->planned};
    for (int k = 0; k < 2; k++) {
        contact_task *grown = realloc(*list[k], (size_t)capacity * sizeof *grown);
        if (!grown)
            return WEFT_STATUS_NO_MEMORY;
        *list[k] = grown;
    }
    contact->task_capacity = capacity;
    return WEFT_STATUS_OK;
}

static int32_t plan_tasks(weft_contact *contact) {
    int32_t count = 0;
    for (int32_t i = 0; i < contact->near_count; i++) {
        int32_t a = contact->near[i].a, leaves = contact->object[a].tree.leaves;
        for (int32_t leaf = 0; !is_repeated(contact, i) && leaf < leaves; leaf += TASK_LEAVES) {
            int32_t end = leaf + TASK_LEAVES < leaves ? leaf + TASK_LEAVES : leaves;
            contact->planned[count++] = (contact_task){a, contact->near[i].b, leaf, end, NULL};
        }
    }
    return count;
}

static int precedes(const contact_task *a, const contact_task *b) {
    if (a->a != b->a)
        return a->a < b->a;
    return a->b != b->b ? a->b < b->b : a->begin < b->begin;
}

/* Bins go with their tasks; those of tasks that are no more are kept for others. */
static weft_status take_over_bins(weft_contact *contact, int32_t count) {
    int32_t made = 0, old = 0;
    for (; made < count; made++) {
        contact_task *task = &contact->planned[made];
        while (old < contact->task_count && precedes(&contact->task[old], task))
            contact_spare_bin(contact, contact->task[old++].bin);
        int kept = old < contact->task_count && !precedes(task, &contact->task[old]);
        task->bin = kept ? contact->task[old++].bin : contact_new_bin(contact);
        if (!task->bin)
            break;
    }
    while (old < contact->task_count)
        contact_spare_bin(contact, contact->task[old++].bin);
    contact_task *before = contact->task;
    contact->task = contact->planned;
    contact->planned = before;
    contact->task_count = made;
    return made == count ? WEFT_STATUS_OK : WEFT_STATUS_NO_MEMORY;
}

weft_status contact_plan_tasks(contact_step *step, int keep) {
    weft_contact *contact = step->contact;
    weft_status status = find_near(step, keep);
    if (status == WEFT_STATUS_OK)
        status = reserve_tasks(contact);
    return status == WEFT_STATUS_OK ? take_over_bins(contact, plan_tasks(contact)) : status;
}

void contact_drop_tasks(weft_contact *contact) {
    while (contact->task_count > 0)
        contact_spare_bin(contact, contact->task[--contact->task_count].bin);
}
