/* The pair cache is a Verlet list (Verlet 1967, Computer "experiments" on classical fluids). Pairs are found once, with
 * a margin beyond the contact distance. They are kept until the features may have moved by that margin. Each pair of
 * leaves has its own margin and measures the motion of one leaf relative to the other. Thus cloth that falls or swings
 * as a whole keeps its pairs.
 *
 * A step depends only on the state and not on when its pairs were found. Surplus pairs change nothing, and the order of
 * the pairs is always the same. Therefore a resumed run continues with the same bits. */
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

/* Swaps the current and the previous lists, and makes the new lists at least as large as the previous ones. */
void pair_cache_begin_update(contact_bin *bin) {
    contact_leaf_pair *old = bin->old_leaf_pair;
    contact_pair *old_pair = bin->old_pair;
    int32_t old_leaf_pair_capacity = bin->old_leaf_pair_capacity, old_pair_capacity = bin->old_pair_capacity;
    bin->old_leaf_pair = bin->leaf_pair;
    bin->old_leaf_pair_capacity = bin->leaf_pair_capacity;
    bin->old_leaf_pair_count = bin->leaf_pair_count;
    bin->old_pair = bin->pair;
    bin->old_pair_capacity = bin->pair_capacity;
    bin->leaf_pair_capacity = old_leaf_pair_capacity;
    bin->pair_capacity = old_pair_capacity;
    bin->leaf_pair = grow(old, &bin->leaf_pair_capacity, bin->old_leaf_pair_capacity, sizeof *old, &bin->failed);
    bin->pair = grow(old_pair, &bin->pair_capacity, bin->old_pair_capacity, sizeof *old_pair, &bin->failed);
    bin->leaf_pair_count = bin->pair_count = bin->dead_pairs = 0;
}

/* How far the centres of the two leaves are off their sweep at the start (e = 0) or the end (e = 1) of the step. On a
 * straight line in between they are never farther off than at one of its ends. */
static weft_vec3 off_sweep(const contact_leaf_pair *m, const contact_leaf_motion *p, const contact_leaf_motion *q,
                           int e) {
    weft_vec3 moved = weft_sub(weft_sub(p->centre[e], q->centre[e]), m->offset);
    double square = weft_dot(m->sweep, m->sweep), share = weft_dot(moved, m->sweep);
    if (square > 0 && share > 0)
        moved = weft_add_scaled(moved, -(share < square ? share / square : 1), m->sweep);
    return moved;
}

double pair_cache_drift(const contact_search *s, const contact_leaf_pair *m) {
    const contact_leaf_motion *p = &s->a->tree.motion[m->leaf[0]], *q = &s->b->tree.motion[m->leaf[1]];
    double most = 0;
    for (int e = 0; e < 2; e++) {
        double moved = weft_length(off_sweep(m, p, q, e)) + (p->deformation[e] + q->deformation[e] - m->deformation);
        most = moved <= most ? most : moved; /* a NaN is kept */
    }
    return most * (1 + 1e-9);
}

/* Whether the relative motion of the two leaves is within the margin at the start (e = 0) or the end (e = 1) of the
 * step. */
static int is_valid_at(const contact_search *s, const contact_leaf_pair *m, int e) {
    const contact_leaf_motion *p = &s->a->tree.motion[m->leaf[0]], *q = &s->b->tree.motion[m->leaf[1]];
    weft_vec3 moved = off_sweep(m, p, q, e);
    double left = (1 - 1e-9) * (m->margin - (p->deformation[e] + q->deformation[e] - m->deformation));
    return left >= 0 && weft_dot(moved, moved) <= left * left;
}

/* At the start the pair is known to be valid if that is the end of the previous step. */
static int is_valid(const contact_search *s, contact_leaf_pair *m) {
    if (m->count == 0)
        return is_valid_at(s, m, 1) && ((!s->all && !s->new_start) || is_valid_at(s, m, 0));
    m->drift = pair_cache_drift(s, m);
    return m->drift <= (1 - 1e-9) * m->margin;
}

static void search_leaves(contact_search *s, int32_t leaf, int32_t other) {
    contact_leaf_pair found = narrow_phase_find_pairs(s, leaf, other), *leaf_pair = contact_bin_leaf_pair(s->bin);
    if (leaf_pair)
        *leaf_pair = found;
}

/* Keeps a leaf pair of the previous list, or searches its leaves again. */
static void keep_or_search(contact_search *s, contact_leaf_pair *old) {
    contact_bin *bin = s->bin;
    if (!is_valid(s, old)) {
        search_leaves(s, old->leaf[0], old->leaf[1]);
        return;
    }
    contact_leaf_pair *leaf_pair = contact_bin_leaf_pair(bin);
    if (!leaf_pair)
        return;
    *leaf_pair = *old;
    leaf_pair->first = bin->pair_count;
    for (int32_t i = 0; i < old->count; i++) {
        contact_pair *pair = contact_bin_pair(bin);
        if (pair)
            *pair = bin->old_pair[old->first + i];
    }
}

static int precedes(const contact_leaf_pair *m, int32_t leaf, int32_t other) {
    return m->leaf[0] != leaf ? m->leaf[0] < leaf : m->leaf[1] < other;
}

/* Whether the leaves would have been visited if their boxes still overlapped. */
static int would_be_visited(const contact_search *s, const contact_leaf_pair *m) {
    const contact_tree *ta = &s->a->tree, *tb = &s->b->tree;
    return s->all || (s->dirty && (ta->dirty[ta->leaves + m->leaf[0]] | tb->dirty[tb->leaves + m->leaf[1]]));
}

static void advance_to(contact_search *s, int32_t leaf, int32_t other) {
    const contact_bin *bin = s->bin;
    for (; s->next < bin->old_leaf_pair_count && precedes(&bin->old_leaf_pair[s->next], leaf, other); s->next++)
        if (!would_be_visited(s, &bin->old_leaf_pair[s->next]))
            keep_or_search(s, &bin->old_leaf_pair[s->next]);
}

void pair_cache_visit(contact_search *s, int32_t leaf, int32_t other) {
    advance_to(s, leaf, other);
    const contact_bin *bin = s->bin;
    contact_leaf_pair *old = s->next < bin->old_leaf_pair_count ? &bin->old_leaf_pair[s->next] : NULL;
    if (old && old->leaf[0] == leaf && old->leaf[1] == other) {
        keep_or_search(s, old);
        s->next++;
    } else {
        search_leaves(s, leaf, other);
    }
}

void pair_cache_end_update(contact_search *s) { advance_to(s, INT32_MAX, INT32_MAX); }

void pair_cache_refresh(contact_search *s) {
    for (int32_t i = 0; i < s->bin->leaf_pair_count; i++) {
        contact_leaf_pair *m = &s->bin->leaf_pair[i];
        if (is_valid(s, m))
            continue;
        s->bin->dead_pairs += m->count;
        *m = narrow_phase_find_pairs(s, m->leaf[0], m->leaf[1]);
    }
}

/* Neighbours in a flat sheet are about 0.6 edge lengths apart. The margin is just small enough to exclude them. In
 * finer cloth they are included, because a margin below the thickness saves less than it costs. */
double pair_cache_margin(const weft_contact *contact, const weft_contact_settings *settings, double spare) {
    if (settings->margin > 0)
        return settings->margin;
    return fmax(0.6 * contact->edge_length - settings->thickness - spare, settings->thickness);
}

void pair_cache_check_settings(const contact_step *step) {
    weft_contact *contact = step->contact;
    const weft_contact_settings *s = step->settings;
    const struct contact_cache_key *was = &contact->cache_key;
    contact->pairs_valid &= was->thickness == s->thickness && was->margin == s->margin && was->spare == step->spare &&
                            was->self == s->self && was->mode == s->mode;
    contact->cache_key = (struct contact_cache_key){s->thickness, s->margin, step->spare, s->self, s->mode};
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++) {
        contact_object *object = &contact->object[o];
        double thick = ((const weft_body_place *)object->body->settings)->thickness;
        contact->pairs_valid &= object->thickness == thick;
        object->thickness = thick;
    }
}
