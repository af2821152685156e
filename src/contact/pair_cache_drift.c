/* The drift of a leaf pair: an upper bound of the relative motion of two leaves since a given step. It is the relative
 * displacement of the two centres plus the deformation of each leaf. Common motion, such as falling or swinging,
 * cancels in the first term.
 *
 * The deformation is summed over all steps: in each step, the largest displacement of a vertex relative to the centre.
 * The sum never underestimates the deformation since any earlier step. Thus one number per leaf serves leaf pairs of
 * all ages. Vertices move linearly, so both terms are largest at an end of the step. */
#include "contact/internal.h"

typedef struct drift {
    const weft_contact *contact;
    const contact_object *object;
} drift;

static weft_vec3 centre_of(const weft_vec3 *x, const int32_t *corner, int32_t count) {
    weft_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++)
        sum = weft_add(sum, x[corner[i]]);
    return weft_scale(1.0 / count, sum);
}

/* The largest displacement of a corner from `a` to `b` relative to the displacement `moved` of the centre, m. */
static double largest_deformation(const weft_vec3 *a, const weft_vec3 *b, weft_vec3 moved, const int32_t *corner,
                                  int32_t count) {
    double most = 0;
    for (int32_t i = 0; i < count; i++) {
        weft_vec3 d = weft_sub(weft_sub(b[corner[i]], a[corner[i]]), moved);
        double square = weft_dot(d, d);
        most = square <= most ? most : square; /* a NaN is kept */
    }
    return sqrt(most) * (1 + 1e-9);
}

static void begin_leaves(void *context, int64_t begin, int64_t end) {
    const drift *d = context;
    const contact_tree *tree = &d->object->tree;
    const weft_vec3 *known = d->contact->drift_x[0] + d->object->first, *x = d->contact->x + d->object->first;
    for (int64_t leaf = begin; leaf < end; leaf++) {
        contact_leaf_motion *motion = &tree->motion[leaf];
        const int32_t *corner = tree->corner + tree->first_corner[leaf];
        int32_t count = tree->first_corner[leaf + 1] - tree->first_corner[leaf];
        motion->centre[0] = centre_of(x, corner, count);
        weft_vec3 moved = weft_sub(motion->centre[0], centre_of(known, corner, count));
        motion->deformation[0] += largest_deformation(known, x, moved, corner, count);
    }
}

static void end_leaves(void *context, int64_t begin, int64_t end) {
    const drift *d = context;
    const contact_tree *tree = &d->object->tree;
    const weft_vec3 *x = d->contact->x + d->object->first, *x_next = d->contact->x_next + d->object->first;
    for (int64_t leaf = begin; leaf < end; leaf++) {
        contact_leaf_motion *motion = &tree->motion[leaf];
        const int32_t *corner = tree->corner + tree->first_corner[leaf];
        int32_t count = tree->first_corner[leaf + 1] - tree->first_corner[leaf];
        motion->centre[1] = centre_of(x_next, corner, count);
        weft_vec3 moved = weft_sub(motion->centre[1], motion->centre[0]);
        motion->deformation[1] = motion->deformation[0] + largest_deformation(x, x_next, moved, corner, count);
    }
}

int pair_cache_begin_drift(const weft_work *work, const weft_contact *contact, contact_object *object) {
    drift d = {contact, object};
    size_t size = (size_t)object->vertex_count * sizeof *contact->x;
    int same = memcmp(contact->x + object->first, contact->drift_x[1] + object->first, size) == 0;
    if (same)
        for (int32_t leaf = 0; leaf < object->tree.leaves; leaf++) {
            contact_leaf_motion *motion = &object->tree.motion[leaf];
            motion->centre[0] = motion->centre[1];
            motion->deformation[0] = motion->deformation[1];
        }
    else
        weft_parallel_for(work, object->tree.leaves, 32, begin_leaves, &d);
    memcpy(contact->drift_x[0] + object->first, contact->x + object->first, size);
    return same;
}

void pair_cache_end_drift(const weft_work *work, const weft_contact *contact, contact_object *object) {
    drift d = {contact, object};
    weft_parallel_for(work, object->tree.leaves, 32, end_leaves, &d);
    memcpy(contact->drift_x[1] + object->first, contact->x_next + object->first,
           (size_t)object->vertex_count * sizeof *contact->x);
}

void pair_cache_forget_drift(contact_object *object) {
    for (int32_t leaf = 0; leaf < object->tree.leaves; leaf++)
        object->tree.motion[leaf].deformation[0] = object->tree.motion[leaf].deformation[1] = 0;
}
