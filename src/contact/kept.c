/* The fast mode: pairs are looked for once, within a margin beyond the thickness, and kept until one of their vertices
 * has strayed by half of it (L. Verlet, Computer "experiments" on classical fluids, Phys. Rev. 159, 1967, for
 * molecules). Pairs are renewed for the vertices that did, and stay in the order of a whole search: a step depends on
 * the state alone and not on when its pairs were found, so that a run that is resumed goes on with the same bits. */
#include "contact/internal.h"

/* When a vertex left its leash, those that soon will are looked after as well: one search for many costs less than many
 * for a few. Measured: half the time of one for each. */
static const double SOON = 0.5;

void contact_measure_strayed(const weft_contact *contact, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
        double a = weft_distance(contact->x[i], contact->planned[i]);
        double b = weft_distance(contact->x_next[i], contact->planned[i]);
        contact->strayed[i] = (float)((a > b ? a : b) * (1 + 1e-6));
    }
}

int contact_mark_strayed(contact_step *step, int32_t first, int32_t count) {
    weft_contact *contact = step->contact;
    int any = 0, left = 0;
    contact_measure_strayed(contact, first, first + count);
    for (int32_t i = first; i < first + count; i++)
        left |= (double)contact->strayed[i] > step->leash;
    for (int32_t i = first; i < first + count; i++) {
        int far = left && (double)contact->strayed[i] > SOON * step->leash;
        /* bodies are looked at twice, for their shape and for their triangles */
        contact->dirty[i] = (uint8_t)(far || (i >= contact->cloth_vertices && contact->dirty[i]));
        any |= contact->dirty[i];
    }
    return any;
}

void contact_merge_renewed(contact_bin *bin, int32_t kept) {
    int32_t count = bin->pair_count, i = 0, j = kept, made = 0;
    if (kept == 0 || kept == count || bin->failed)
        return;
    if (bin->merged_capacity < bin->pair_capacity) {
        contact_pair *grown = realloc(bin->merged, (size_t)bin->pair_capacity * sizeof *grown);
        if (!grown) {
            bin->failed = 1;
            return;
        }
        bin->merged = grown;
        bin->merged_capacity = bin->pair_capacity;
    }
    while (made < count)
        bin->merged[made++] =
            j == count || (i < kept && bin->pair[i].place < bin->pair[j].place) ? bin->pair[i++] : bin->pair[j++];
    contact_pair *merged = bin->merged;
    int32_t capacity = bin->merged_capacity;
    bin->merged = bin->pair;
    bin->merged_capacity = bin->pair_capacity;
    bin->pair = merged;
    bin->pair_capacity = capacity;
}

/* Neighbours in a flat sheet, some 0.6 edges apart, are just not among the pairs; with finer cloth they are, and the
 * margin is worth less than it costs below the thickness. */
double contact_kept_margin(const weft_contact *contact, const weft_contact_settings *settings) {
    if (settings->margin > 0)
        return settings->margin;
    return fmax(0.6 * contact->edge_length - settings->thickness, settings->thickness);
}

void contact_check_list(const contact_step *step) {
    weft_contact *contact = step->contact;
    const weft_contact_settings *s = step->settings;
    const struct contact_listed *was = &contact->listed_for;
    contact->listed &= step->keeps && was->thickness == s->thickness && was->margin == s->margin &&
                       was->self == s->self && was->search == s->search;
    contact->listed_for = (struct contact_listed){s->thickness, s->margin, s->self, s->search};
}

static void find_rounded(weft_contact *contact) {
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++) {
        contact_object *object = &contact->object[o];
        int sharp = !((const weft_body_functions *)object->body->component->functions)->distance;
        for (int32_t i = 0; i < object->triangle_count && !sharp; i++)
            sharp = (contact->marks[object->first_triangle + i] & (7 * SHARP_VERTEX | 7 * SHARP_EDGE)) != 0;
        object->rounded = !sharp;
    }
}

static weft_status renew(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    for (int32_t o = contact->cloth_count; o < contact->object_count && status == WEFT_STATUS_OK; o++)
        status = contact_fit(step, &contact->object[o]);
    int any = contact_mark_strayed(step, 0, contact->cloth_vertices);
    for (int32_t i = contact->cloth_vertices; i < contact->count && !any; i++)
        any = contact->dirty[i];
    return status == WEFT_STATUS_OK && any ? contact_renew_pairs(step) : status;
}

weft_status contact_list_pairs(contact_step *step) {
    weft_contact *contact = step->contact;
    if (step->keeps && !contact->listed)
        find_rounded(contact);
    weft_status status = contact->listed ? renew(step) : contact_find_pairs(step);
    contact->listed = step->keeps && status == WEFT_STATUS_OK;
    memset(contact->dirty, 0, (size_t)contact->count);
    return status;
}
