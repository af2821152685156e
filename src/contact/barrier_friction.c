/* Friction by grips: every touch has a tangential spring with a damper that yields at Coulomb's limit. A grip that does
 * not yield holds its place, so cloth does not creep on a slope. Its energy is a Huber function of the slip. */
#include "contact/barrier.h"

#include <math.h>
#include <stdlib.h>

#include "contact/internal.h"

/* Stiffness of the tangential spring, N/m. */
static const double GRIP = 10;
/* Relaxation time of its damping, s. Without it layers that stick swing on their springs for seconds. */
static const double SETTLING = 0.05;
/* Growth of a reach below the thickness, per step and relative to the thickness. */
static const double REACH_GROWTH = 0.02;

int barrier_compare_grips(const void *a, const void *b) {
    const weft_contact_grip *p = a, *q = b;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    for (int i = 0; i < 4; i++)
        if (p->vertex[i] != q->vertex[i])
            return p->vertex[i] < q->vertex[i] ? -1 : 1;
    return 0;
}

const weft_contact_grip *barrier_find_grip(const weft_contact *contact, const weft_contact_grip *key) {
    const weft_contact_grips *grips = contact->grips;
    return grips->count == 0 ? NULL
                             : bsearch(key, grips->grip, (size_t)grips->count, sizeof *key, barrier_compare_grips);
}

static weft_vec3 tangential(weft_vec3 a, weft_vec3 normal) { return weft_add_scaled(a, -weft_dot(a, normal), normal); }

/* Spring and damper together, as a spring in this step, N/m. */
static double step_stiffness(const weft_contact *contact) { return GRIP * (1 + SETTLING / contact->step_length); }

/* The tangential displacement in this step, added to a share of the slip before it, m. */
static weft_vec3 slip_with(const weft_contact *contact, const contact_touch *touch, double share, const weft_vec3 *x) {
    weft_vec3 moved = weft_scale(share, touch->grip.slip);
    for (int i = 0; i < 4; i++) {
        int32_t v = touch->grip.vertex[i];
        moved = weft_add_scaled(moved, touch->weight[i], weft_sub(x[v], contact->start[v]));
    }
    return tangential(moved, touch->normal);
}

/* The displacement from which step_stiffness gives the force of spring and damper. */
static weft_vec3 driving_slip(const weft_contact *contact, const contact_touch *touch, const weft_vec3 *x) {
    return slip_with(contact, touch, GRIP / step_stiffness(contact), x);
}

double barrier_friction_energy(const weft_contact *contact, const weft_vec3 *x) {
    double sum = 0, stiffness = step_stiffness(contact);
    for (int32_t i = 0; i < contact->rub_count; i++) {
        const contact_touch *touch = &contact->rub[i];
        double slip = weft_length(driving_slip(contact, touch, x)), most = touch->most_friction;
        sum += stiffness * slip <= most ? 0.5 * stiffness * slip * slip : most * (slip - 0.5 * most / stiffness);
    }
    return sum;
}

weft_vec3 barrier_friction_force(const weft_contact *contact, const contact_touch *touch, double *stiffness,
                                 weft_vec3 *slide) {
    weft_vec3 slip = driving_slip(contact, touch, contact->x);
    double length = weft_length(slip), sticking = step_stiffness(contact);
    int slides = sticking * length > touch->most_friction;
    *stiffness = slides ? touch->most_friction / length : sticking;
    *slide = slides ? weft_scale(1 / length, slip) : weft_vec3_make(0, 0, 0);
    return weft_scale(-*stiffness, slip);
}

/* The slip that the spring keeps after yielding. */
static weft_vec3 kept_slip(const weft_contact *contact, const contact_touch *touch) {
    weft_vec3 slip = slip_with(contact, touch, 1, contact->x);
    double length = weft_length(slip), most = touch->most_friction / GRIP;
    return length > most ? weft_scale(most / length, slip) : slip;
}

weft_status barrier_begin_friction(weft_contact *contact) {
    contact->rub_count = 0;
    if (contact->touch_count > contact->rub_capacity) {
        contact_touch *grown = realloc(contact->rub, (size_t)contact->touch_capacity * sizeof *grown);
        if (!grown)
            return WEFT_STATUS_NO_MEMORY;
        contact->rub = grown;
        contact->rub_capacity = contact->touch_capacity;
    }
    for (int32_t i = 0; i < contact->touch_count; i++)
        if (contact->touch[i].most_friction > 0)
            contact->rub[contact->rub_count++] = contact->touch[i];
    return WEFT_STATUS_OK;
}

/* Whether the limits of friction at the touches exceed those in effect by a quarter in all, as after an impact. Both
 * lists are sorted. */
int barrier_friction_differs(const weft_contact *contact) {
    double total = 0, excess = 0;
    int32_t j = 0;
    for (int32_t i = 0; i < contact->touch_count; i++) {
        const contact_touch *touch = &contact->touch[i];
        while (j < contact->rub_count && barrier_compare_grips(&contact->rub[j], touch) < 0)
            j++;
        int same = j < contact->rub_count && barrier_compare_grips(&contact->rub[j], touch) == 0;
        total += touch->most_friction;
        excess += fmax(0, touch->most_friction - (same ? contact->rub[j++].most_friction : 0));
    }
    return excess > 0.25 * total;
}

static int is_touching(const weft_contact *contact, const weft_contact_grip *grip) {
    return bsearch(grip, contact->touch, (size_t)contact->touch_count, sizeof *contact->touch, barrier_compare_grips) !=
           NULL;
}

/* What rubbed at the end of the step: the pair itself, or for a vertex that has slid over an edge the pair with the
 * triangle it came from. Null when there is none. */
static const contact_touch *rubbed_before(const weft_contact *contact, const contact_touch *touch) {
    const weft_contact_grip *grip = &touch->grip;
    const contact_touch *same = contact->rub_count > 0 ? bsearch(grip, contact->rub, (size_t)contact->rub_count,
                                                                 sizeof *contact->rub, barrier_compare_grips)
                                                       : NULL;
    if (same || grip->kind != WEFT_VERTEX_TRIANGLE)
        return same;
    int32_t low = 0, high = contact->rub_count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        const weft_contact_grip *other = &contact->rub[middle].grip;
        int before = other->kind < grip->kind || (other->kind == grip->kind && other->vertex[0] < grip->vertex[0]);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    for (; low < contact->rub_count; low++) {
        const weft_contact_grip *other = &contact->rub[low].grip;
        if (other->kind != grip->kind || other->vertex[0] != grip->vertex[0])
            break;
        if (contact->object_of[other->vertex[1]] == contact->object_of[grip->vertex[1]] && !is_touching(contact, other))
            return &contact->rub[low];
    }
    return NULL;
}

weft_status barrier_keep_grips(weft_contact *contact) {
    weft_contact_grips *grips = contact->next_grips;
    if (contact->touch_count > grips->capacity) {
        weft_contact_grip *grown = realloc(grips->grip, (size_t)contact->touch_capacity * sizeof *grown);
        if (!grown)
            return WEFT_STATUS_NO_MEMORY;
        grips->grip = grown;
        grips->capacity = contact->touch_capacity;
    }
    for (int32_t i = 0; i < contact->touch_count; i++) {
        const contact_touch *touch = &contact->touch[i], *rubbed = rubbed_before(contact, touch);
        grips->grip[i] = touch->grip;
        grips->grip[i].slip = rubbed ? kept_slip(contact, rubbed) : weft_vec3_make(0, 0, 0);
        grips->grip[i].reach = fmin(touch->most_reach, touch->grip.reach + REACH_GROWTH * touch->most_reach);
    }
    grips->count = contact->touch_count;
    return WEFT_STATUS_OK;
}

double barrier_grip_energy(const weft_contact_grips *grips) {
    double sum = 0;
    for (int32_t i = 0; i < grips->count; i++)
        sum += 0.5 * GRIP * weft_dot(grips->grip[i].slip, grips->grip[i].slip);
    return sum;
}
