/* How far two leaves have moved against each other since some step: the way of their centres, which what falls or
 * swings together has in common, and how each was bent meanwhile. The second is a sum over steps of the largest way of
 * a vertex otherwise than its centre: it never falls short of what happened since any step, so that one number a leaf
 * serves meetings of all ages. On straight lines both are largest at an end of the step. */
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

/* The largest way of a corner from `a` to `b` otherwise than the centre, m. */
static double bent_between(const weft_vec3 *a, const weft_vec3 *b, weft_vec3 way, const int32_t *corner,
                           int32_t count) {
    double most = 0;
    for (int32_t i = 0; i < count; i++) {
        weft_vec3 d = weft_sub(weft_sub(b[corner[i]], a[corner[i]]), way);
        double square = weft_dot(d, d);
        most = square <= most ? most : square; /* also when it is not a number */
    }
    return sqrt(most) * (1 + 1e-9);
}

static void begin_leaves(void *context, int64_t begin, int64_t end) {
    const drift *d = context;
    const contact_tree *tree = &d->object->tree;
    const weft_vec3 *seen = d->contact->seen[0] + d->object->first, *x = d->contact->x + d->object->first;
    for (int64_t leaf = begin; leaf < end; leaf++) {
        contact_patch *patch = &tree->patch[leaf];
        const int32_t *corner = tree->corner + tree->first_corner[leaf];
        int32_t count = tree->first_corner[leaf + 1] - tree->first_corner[leaf];
        patch->centre[0] = centre_of(x, corner, count);
        weft_vec3 way = weft_sub(patch->centre[0], centre_of(seen, corner, count));
        patch->bent[0] += bent_between(seen, x, way, corner, count);
    }
}

static void end_leaves(void *context, int64_t begin, int64_t end) {
    const drift *d = context;
    const contact_tree *tree = &d->object->tree;
    const weft_vec3 *x = d->contact->x + d->object->first, *x_next = d->contact->x_next + d->object->first;
    for (int64_t leaf = begin; leaf < end; leaf++) {
        contact_patch *patch = &tree->patch[leaf];
        const int32_t *corner = tree->corner + tree->first_corner[leaf];
        int32_t count = tree->first_corner[leaf + 1] - tree->first_corner[leaf];
        patch->centre[1] = centre_of(x_next, corner, count);
        weft_vec3 way = weft_sub(patch->centre[1], patch->centre[0]);
        patch->bent[1] = patch->bent[0] + bent_between(x, x_next, way, corner, count);
    }
}

int pair_cache_begin_drift(const weft_work *work, const weft_contact *contact, contact_object *object) {
    drift d = {contact, object};
    size_t size = (size_t)object->vertex_count * sizeof *contact->x;
    int same = memcmp(contact->x + object->first, contact->seen[1] + object->first, size) == 0;
    if (same)
        for (int32_t leaf = 0; leaf < object->tree.leaves; leaf++) {
            contact_patch *patch = &object->tree.patch[leaf];
            patch->centre[0] = patch->centre[1];
            patch->bent[0] = patch->bent[1];
        }
    else
        weft_parallel_for(work, object->tree.leaves, 256, begin_leaves, &d);
    memcpy(contact->seen[0] + object->first, contact->x + object->first, size);
    return same;
}

void pair_cache_end_drift(const weft_work *work, const weft_contact *contact, contact_object *object) {
    drift d = {contact, object};
    weft_parallel_for(work, object->tree.leaves, 256, end_leaves, &d);
    memcpy(contact->seen[1] + object->first, contact->x_next + object->first,
           (size_t)object->vertex_count * sizeof *contact->x);
}

void pair_cache_forget_drift(contact_object *object) {
    for (int32_t leaf = 0; leaf < object->tree.leaves; leaf++)
        object->tree.patch[leaf].bent[0] = object->tree.patch[leaf].bent[1] = 0;
}
