/* Candidate pairs, and the cache that keeps them from step to step. */
#ifndef WEFT_CONTACT_PAIR_CACHE_H
#define WEFT_CONTACT_PAIR_CACHE_H

#include "contact/box_tree.h"

typedef struct contact_bin contact_bin;
typedef struct contact_task contact_task;
typedef struct contact_step contact_step;

/* A candidate pair of features. */
typedef struct contact_pair {
    int32_t vertex[4];
    int16_t kind;          /* weft_pair_kind */
    int16_t proximity;     /* 1: tested for proximity and for collision; 0: for collision only */
    float listed_distance; /* lower bound of the distance on the sweep for which the pair was found, m */
    float distance;        /* distance at the start of the step, 0 when unknown, m */
} contact_pair;

/* Two leaves whose boxes overlapped, with their candidate pairs. The pairs are all those that come within the contact
 * distance plus `margin` while the first leaf moves by `sweep` against the second. The list stays complete until the
 * leaves have moved away from that motion by more than `margin`. */
typedef struct contact_leaf_pair {
    int32_t leaf[2];
    int32_t first, count; /* range in the pairs of the bin */
    weft_vec3 offset;     /* from the centre of the second leaf to that of the first, when the pairs were found, m */
    weft_vec3 sweep;      /* relative motion in the step of leaves that were fast then, otherwise 0, m */
    double deformation;   /* of both leaves together at that time, m */
    double margin;        /* m */
    float least_distance; /* smallest listed_distance of its pairs, m */
    double drift;         /* upper bound of the motion away from it since then, over the whole step, m */
} contact_leaf_pair;

/* The search for pairs in one task: leaves of object a against the tree of object b. */
typedef struct contact_search {
    const weft_contact *contact;
    contact_bin *bin;
    const contact_object *a, *b;
    double contact_distance; /* features farther apart than this neither touch nor collide, m */
    double cache_margin;     /* minimum margin of a leaf pair, m */
    int all, dirty;          /* visit all leaves; or only leaves with a dirty vertex; or none when both are 0 */
    int new_start;           /* the start of this step is not the end of the previous one */
    int use_hash;            /* find leaves by the spatial hash instead of the tree */
    int proximity_only;      /* list only pairs that count for proximity */
    int exact_shape;         /* b has an exact distance function, so only its sharp features need proximity pairs */
    int32_t next;            /* next leaf pair of the previous list */
} contact_search;

/* narrow_phase_leaves.c: visits the pairs of leaves whose boxes overlap. */
void narrow_phase_search_leaves(contact_search *s, const contact_task *task);

/* narrow_phase.c */
/* Appends the candidate pairs of two leaves to the bin. */
contact_leaf_pair narrow_phase_find_pairs(contact_search *s, int32_t leaf, int32_t other);

/* pair_cache_drift.c: the motion of leaves. */
/* Call after x has changed. Returns 1 when x equals the end of the previous step. */
int pair_cache_begin_drift(const weft_work *work, const weft_contact *contact, contact_object *object);
/* Call after x_next has changed. */
void pair_cache_end_drift(const weft_work *work, const weft_contact *contact, contact_object *object);
/* Call when the cache is empty. */
void pair_cache_forget_drift(contact_object *object);

/* pair_cache_trajectory.c: swept boxes around the predicted trajectories of several steps. */
/* Fits the swept boxes of a body to this step. */
weft_status contact_fit_body(contact_step *step, contact_object *object);
/* Whether the trajectories span the whole step. */
int pair_cache_trajectories_cover(const contact_step *step);
/* If any cloth vertex at x is off its trajectory by more than `tolerance`, marks all that are off by half of it as
 * dirty. Returns the number of dirty vertices. */
int32_t pair_cache_mark_strayed(const contact_step *step, const weft_vec3 *x, double time, double tolerance);
/* Makes new trajectories for all cloth vertices and refits the trees. */
weft_status pair_cache_make_trajectories(contact_step *step);
/* The same for dirty vertices only. */
weft_status pair_cache_change_trajectories(contact_step *step);

/* pair_cache.c: leaf pairs that are kept from step to step. */
/* Swaps the current and the previous lists. */
void pair_cache_begin_update(contact_bin *bin);
/* Keeps or searches a pair of overlapping leaves. Call in ascending order of (leaf, other). */
void pair_cache_visit(contact_search *s, int32_t leaf, int32_t other);
void pair_cache_end_update(contact_search *s);
/* Updates the drift of the leaf pairs, and searches those that are no longer complete again, in place. */
void pair_cache_refresh(contact_search *s);
/* The current drift of a leaf pair, m. */
double pair_cache_drift(const contact_search *s, const contact_leaf_pair *leaf_pair);
/* The margin of the cache beyond the contact distance, m. */
double pair_cache_margin(const weft_contact *contact, const weft_contact_settings *settings, double spare);
/* Invalidates the cache when settings that it depends on have changed. */
void pair_cache_check_settings(const contact_step *step);

/* pair_cache_update.c: brings the candidate pairs of all tasks up to date. */
/* Afterwards the pairs are complete for the start of the step. */
weft_status pair_cache_update_start(contact_step *step);
/* Afterwards they are complete for the motion from x to x_next. */
weft_status pair_cache_update_end(contact_step *step);

/* Whether a pair stays farther apart than `most` (m) during the whole step. */
static inline int contact_stays_apart(const contact_leaf_pair *leaf_pair, const contact_pair *pair, double most) {
    return (double)pair->listed_distance - leaf_pair->drift > most;
}

#endif
