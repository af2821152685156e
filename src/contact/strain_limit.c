/* Limits the elongation of edges (Provot 1995; Bridson, Fedkiw and Anderson 2002, section 6.1) for every model.
 * Impulses along edges preserve momentum. The limit is applied between rounds of contact, so that its displacements are
 * tested for collisions. */
#include "contact/internal.h"

int contact_exceeds_strain(const weft_contact *contact, double limit) {
    for (int32_t t = 0; limit > 0 && t < contact->triangle_count; t++)
        for (int k = 0; k < 3 && contact->triangle[t][0] < contact->cloth_vertices; k++) {
            int32_t a = contact->triangle[t][k], b = contact->triangle[t][(k + 1) % 3];
            if (contact->marks[t] & OWNS_EDGE << k &&
                weft_distance(contact->x[a], contact->x[b]) >
                    (1 + limit) * weft_distance(contact->rest[a], contact->rest[b]))
                return 1;
        }
    return 0;
}

/* Edges are processed in the order of their triangles, so that the result does not depend on the number of threads. */
static int limit_edge(const contact_step *step, int32_t a, int32_t b) {
    weft_contact *contact = step->contact;
    double wa = contact->inverse_mass[a], wb = contact->inverse_mass[b];
    double most = (1 + step->settings->strain_limit) * weft_distance(contact->rest[a], contact->rest[b]);
    weft_vec3 along = weft_sub(contact->x_next[b], contact->x_next[a]);
    double length = weft_length(along);
    if (length <= most || wa + wb == 0)
        return 0;
    weft_vec3 pull = weft_scale((length - most) / (length * (wa + wb)), along); /* kg m */
    contact->x_next[a] = weft_add_scaled(contact->x_next[a], wa, pull);
    contact->v_next[a] = weft_add_scaled(contact->v_next[a], wa / step->dt, pull);
    contact->x_next[b] = weft_add_scaled(contact->x_next[b], -wb, pull);
    contact->v_next[b] = weft_add_scaled(contact->v_next[b], -wb / step->dt, pull);
    contact->changed[a] |= wa > 0;
    contact->changed[b] |= wb > 0;
    return 1;
}

static int gets_longer(const contact_step *step, int32_t a, int32_t b) {
    const weft_contact *contact = step->contact;
    double rest = weft_distance(contact->rest[a], contact->rest[b]), most = step->settings->stretch * rest;
    double length = weft_distance(contact->x_next[a], contact->x_next[b]);
    return length > rest + most && length > weft_distance(contact->x[a], contact->x[b]) + most;
}

int contact_overstretches(const contact_step *step) {
    const weft_contact *contact = step->contact;
    for (int32_t t = 0; step->settings->stretch > 0 && t < contact->triangle_count; t++)
        for (int k = 0; k < 3 && contact->triangle[t][0] < contact->cloth_vertices; k++)
            if (contact->marks[t] & OWNS_EDGE << k &&
                gets_longer(step, contact->triangle[t][k], contact->triangle[t][(k + 1) % 3]))
                return 1;
    return 0;
}

void contact_limit_strain(contact_step *step) {
    const weft_contact *contact = step->contact;
    enum { PASSES = 8 };
    int moved = step->settings->strain_limit > 0;
    for (int pass = 0; moved && pass < PASSES; pass++) {
        moved = 0;
        for (int32_t t = 0; t < contact->triangle_count; t++)
            for (int k = 0; k < 3 && contact->triangle[t][0] < contact->cloth_vertices; k++)
                if (contact->marks[t] & OWNS_EDGE << k)
                    moved |= limit_edge(step, contact->triangle[t][k], contact->triangle[t][(k + 1) % 3]);
    }
}
