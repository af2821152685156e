/* Pairs are looked for once, within a limit beyond the thickness, and kept until they can have come that far (L.
 * Verlet, Computer "experiments" on classical fluids, Phys. Rev. 159, 1967, for molecules): for each two leaves by
 * themselves, and by how they move against each other, so that cloth which falls or swings as a whole keeps them. A
 * step depends on the state alone and not on when its pairs were found, because more pairs than it takes change
 * nothing and their order is always the same: a run that is resumed goes on with the same bits. */
#include "contact/internal.h"

static void *grow(void *array, int32_t *capacity, int32_t wanted, size_t size, int *failed) {
    if (*capacity >= wanted)
        return array;
    void *grown = realloc(array, (size_t)wanted * size);
    if (!grown) {
        *failed = 1;
        return array;
    }
    *capacity = wanted;
    return grown;
}

/* What there is becomes what was, and the lists are as long as those were. */
void contact_begin_renewal(contact_bin *bin) {
    contact_meeting *met = bin->met;
    contact_pair *paired = bin->paired;
    int32_t met_capacity = bin->met_capacity, paired_capacity = bin->paired_capacity;
    bin->met = bin->meeting;
    bin->met_capacity = bin->meeting_capacity;
    bin->met_count = bin->meeting_count;
    bin->paired = bin->pair;
    bin->paired_capacity = bin->pair_capacity;
    bin->meeting_capacity = met_capacity;
    bin->pair_capacity = paired_capacity;
    bin->meeting = grow(met, &bin->meeting_capacity, bin->met_capacity, sizeof *met, &bin->failed);
    bin->pair = grow(paired, &bin->pair_capacity, bin->paired_capacity, sizeof *paired, &bin->failed);
    bin->meeting_count = bin->pair_count = 0;
}

/* Whether the two leaves have moved against each other by no more than the limit where the step begins (e = 0), or
 * ends. */
static int holds_at(const contact_search *s, const contact_meeting *m, int e) {
    const contact_patch *p = &s->a->tree.patch[m->leaf[0]], *q = &s->b->tree.patch[m->leaf[1]];
    weft_vec3 way = weft_sub(weft_sub(p->centre[e], q->centre[e]), m->apart);
    double left = (1 - 1e-9) * (m->limit - (p->bent[e] + q->bent[e] - m->bent));
    return left >= 0 && weft_dot(way, way) <= left * left;
}

/* At its start it is known to when that is the end of the last one. */
static int holds(const contact_search *s, contact_meeting *m) {
    if (!holds_at(s, m, 1) || ((s->all || s->anew) && !holds_at(s, m, 0)))
        return 0;
    if (m->count > 0)
        m->moved = contact_moved(s, m);
    return 1;
}

/* A meeting of before goes on, or its leaves are searched anew. */
static void go_on(contact_search *s, contact_meeting *met) {
    contact_bin *bin = s->bin;
    if (!holds(s, met)) {
        narrow_phase_find_pairs(s, met->leaf[0], met->leaf[1]);
        return;
    }
    contact_meeting *meeting = contact_bin_meeting(bin);
    if (!meeting)
        return;
    *meeting = *met;
    meeting->first = bin->pair_count;
    for (int32_t i = 0; i < met->count; i++) {
        contact_pair *pair = contact_bin_pair(bin);
        if (pair)
            *pair = bin->paired[met->first + i];
    }
}

static int precedes(const contact_meeting *m, int32_t leaf, int32_t other) {
    return m->leaf[0] != leaf ? m->leaf[0] < leaf : m->leaf[1] < other;
}

/* Whether leaves would have been visited if they still met. */
static int was_looked_at(const contact_search *s, const contact_meeting *m) {
    const contact_tree *ta = &s->a->tree, *tb = &s->b->tree;
    return s->all || (s->dirty && (ta->dirty[ta->leaves + m->leaf[0]] | tb->dirty[tb->leaves + m->leaf[1]]));
}

static void pass_to(contact_search *s, int32_t leaf, int32_t other) {
    const contact_bin *bin = s->bin;
    for (; s->next < bin->met_count && precedes(&bin->met[s->next], leaf, other); s->next++)
        if (!was_looked_at(s, &bin->met[s->next]))
            go_on(s, &bin->met[s->next]);
}

void contact_visit(contact_search *s, int32_t leaf, int32_t other) {
    pass_to(s, leaf, other);
    contact_meeting *met = &s->bin->met[s->next];
    if (s->next < s->bin->met_count && met->leaf[0] == leaf && met->leaf[1] == other) {
        go_on(s, met);
        s->next++;
    } else {
        narrow_phase_find_pairs(s, leaf, other);
    }
}

void contact_end_renewal(contact_search *s) { pass_to(s, INT32_MAX, INT32_MAX); }

int contact_still_holds(const contact_search *s) {
    int all = 1;
    for (int32_t i = 0; i < s->bin->meeting_count && all; i++)
        all = holds(s, &s->bin->meeting[i]);
    return all;
}

/* Neighbours in a flat sheet, some 0.6 edges apart, are just not among the pairs; with finer cloth they are, and the
 * limit is worth less than it costs below the thickness. */
double pair_cache_limit(const weft_contact *contact, const weft_contact_settings *settings) {
    if (settings->margin > 0)
        return settings->margin;
    return fmax(0.6 * contact->edge_length - settings->thickness, settings->thickness);
}

void contact_check_list(const contact_step *step) {
    weft_contact *contact = step->contact;
    const weft_contact_settings *s = step->settings;
    const struct contact_listed *was = &contact->listed_for;
    contact->listed &=
        was->thickness == s->thickness && was->margin == s->margin && was->self == s->self && was->mode == s->mode;
    contact->listed_for = (struct contact_listed){s->thickness, s->margin, s->self, s->mode};
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++) {
        contact_object *object = &contact->object[o];
        double thick = ((const weft_body_place *)object->body->settings)->thickness;
        contact->listed &= object->thick == thick;
        object->thick = thick;
    }
}
