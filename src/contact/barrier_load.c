/* Squeezed pairs get the stiffness that takes them, in one Newton step, to the force that the last solve found they
 * will have to bear, as in primal-dual interior point methods (J. Nocedal, S. Wright, Numerical Optimization, 2nd ed.,
 * 2006, chapter 19). A step on the barrier itself doubles their distance at most: ten steps from 1e-7 to 1e-4 m. Force
 * and energy stay those of the barrier. Nothing is kept between time steps. */
#include <math.h>

#include "contact/barrier.h"
#include "contact/internal.h"
#include "core/memory.h"
#include "weft/vec.h"

/* A stiffness is reduced to this share at the least. */
static const double LEAST_SHARE = 1e-4;
/* Pairs that push with less than this times their reach, N/m, are not squeezed: they are at a third of the reach. */
static const double SQUEEZED = 100;

double barrier_bearing_stiffness(const weft_contact *contact, const contact_touch *touch) {
    double easy = SQUEEZED * touch->grip.reach;
    if (touch->force <= easy || contact->load_count == 0)
        return touch->stiffness;
    const contact_load *load =
        bsearch(&touch->grip, contact->load, (size_t)contact->load_count, sizeof *load, barrier_compare_grips);
    double bears = load ? fmax(fmax(load->force, easy), LEAST_SHARE * touch->force) : touch->force;
    return touch->stiffness * fmin(1, bears / touch->force);
}

weft_status barrier_expect_loads(weft_contact *contact, const weft_touch *list, const weft_vec3 *dv, double h) {
    if (contact->load_capacity < contact->touch_count) {
        contact_load *grown = realloc(contact->load, (size_t)contact->touch_capacity * sizeof *grown);
        if (!grown)
            return WEFT_STATUS_NO_MEMORY;
        contact->load = grown;
        contact->load_capacity = contact->touch_capacity;
    }
    contact->load_count = contact->touch_count;
    for (int32_t i = 0; i < contact->touch_count; i++) {
        const weft_touch *t = &list[i];
        weft_vec3 opened = t->carried;
        for (int k = 0; k < 4; k++)
            opened = weft_add_scaled(opened, h * t->weight[k], dv[t->vertex[k]]);
        double force = weft_dot(t->force, t->normal) - t->stiffness * weft_dot(opened, t->normal);
        contact->load[i] = (contact_load){contact->touch[i].grip, fmax(0, force)};
    }
    return WEFT_STATUS_OK;
}
