/* A bounding-volume tree of axis-aligned boxes, built once at rest and refitted to the current positions (van den
 * Bergen 1997, Efficient collision detection of complex deformable models using AABB trees).
 *
 * The tree of a cloth is rebuilt after its mesh has changed. Each node halves its triangles, so one more triangle moves
 * the borders of all nodes. The tree must depend on the mesh alone and not on its history, so that a resumed run
 * continues with the same bits. */
#include "contact/internal.h"

typedef struct centre {
    double at[3];
    int32_t triangle;
} centre;

static double coordinate(const centre *c, int axis) { return c->at[axis]; }

/* Equal coordinates are ordered by triangle number, so that the tree depends on nothing else. */
static int before(const centre *a, const centre *b, int axis) {
    if (coordinate(a, axis) != coordinate(b, axis))
        return coordinate(a, axis) < coordinate(b, axis);
    return a->triangle < b->triangle;
}

/* Hoare's selection: elements before `middle` are not above those from `middle` on. */
static void select_middle(centre *c, int32_t count, int32_t middle, int axis) {
    int32_t low = 0, high = count - 1;
    while (low < high) {
        centre pivot = c[low + (high - low) / 2];
        int32_t i = low, j = high;
        while (i <= j) {
            while (before(&c[i], &pivot, axis))
                i++;
            while (before(&pivot, &c[j], axis))
                j--;
            if (i <= j) {
                centre swapped = c[i];
                c[i++] = c[j];
                c[j--] = swapped;
            }
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static int longest_axis(const centre *c, int32_t count) {
    double extent[3];
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int32_t i = 0; i < count; i++) {
            low = c[i].at[k] < low ? c[i].at[k] : low;
            high = c[i].at[k] > high ? c[i].at[k] : high;
        }
        extent[k] = high - low;
    }
    int axis = extent[1] > extent[0];
    return extent[2] > extent[axis] ? 2 : axis;
}

/* Sorts the centres so that leaves [begin, end) get compact sets of triangles. */
static void split_leaves(const contact_tree *tree, centre *c, int32_t begin, int32_t end) {
    int32_t first = contact_leaf_start(tree, begin), last = contact_leaf_start(tree, end), half = (begin + end) / 2;
    if (end - begin < 2)
        return;
    select_middle(c + first, last - first, contact_leaf_start(tree, half) - first,
                  longest_axis(c + first, last - first));
    split_leaves(tree, c, begin, half);
    split_leaves(tree, c, half, end);
}

void contact_tree_destroy(contact_tree *tree) {
    free(tree->motion);
    free(tree->local);
    free(tree->corner);
    free(tree->first_corner);
    free(tree->dirty);
    free(tree->node);
    free(tree->triangle);
    free(tree->order);
}

static void list_corners(const weft_contact *contact, const contact_object *object) {
    const contact_tree *tree = &object->tree;
    int32_t count = 0;
    for (int32_t leaf = 0; leaf < tree->leaves; leaf++) {
        int32_t first = tree->first_corner[leaf] = count;
        for (int32_t i = 3 * contact_leaf_start(tree, leaf); i < 3 * contact_leaf_start(tree, leaf + 1); i++) {
            int32_t v = contact->triangle[tree->order[i / 3]][i % 3] - object->first, k = first;
            while (k < count && tree->corner[k] != v)
                k++;
            tree->corner[k] = v;
            tree->local[i] = (uint8_t)(k - first);
            count += k == count;
        }
    }
    tree->first_corner[tree->leaves] = count;
}

weft_result contact_tree_create(const weft_contact *contact, contact_object *object) {
    contact_tree *tree = &object->tree;
    size_t n = (size_t)object->triangle_count;
    tree->count = object->triangle_count;
    tree->leaves = 1;
    while ((int64_t)tree->leaves * LEAF_TRIANGLES < tree->count)
        tree->leaves *= 2;
    tree->order = weft_allocate(n, sizeof *tree->order);
    tree->triangle = weft_allocate(n, sizeof *tree->triangle);
    tree->node = weft_allocate(2 * (size_t)tree->leaves, sizeof *tree->node);
    tree->dirty = weft_allocate(2 * (size_t)tree->leaves, 1);
    tree->first_corner = weft_allocate((size_t)tree->leaves + 1, sizeof *tree->first_corner);
    tree->corner = weft_allocate(3 * n, sizeof *tree->corner);
    tree->local = weft_allocate(3 * n, 1);
    tree->motion = weft_allocate((size_t)tree->leaves, sizeof *tree->motion);
    centre *centres = weft_allocate(n, sizeof *centres);
    if (!tree->order || !tree->triangle || !tree->node || !tree->dirty || !tree->first_corner || !tree->corner ||
        !tree->local || !tree->motion || !centres) {
        free(centres);
        return weft_fail_memory("a tree of boxes", n * sizeof *tree->triangle);
    }
    for (int32_t i = 0; i < tree->count; i++) {
        const int32_t *t = contact->triangle[object->first_triangle + i];
        weft_vec3 sum = weft_add(weft_add(contact->rest[t[0]], contact->rest[t[1]]), contact->rest[t[2]]);
        centres[i] = (centre){{sum.x, sum.y, sum.z}, object->first_triangle + i};
    }
    split_leaves(tree, centres, 0, tree->leaves);
    for (int32_t i = 0; i < tree->count; i++)
        tree->order[i] = centres[i].triangle;
    list_corners(contact, object);
    free(centres);
    return weft_ok();
}

void contact_tree_renumber(const contact_tree *tree, int32_t by) {
    for (int32_t i = 0; i < tree->count; i++)
        tree->order[i] += by;
}

typedef struct refit {
    const weft_contact *contact;
    contact_tree *tree;
} refit;

static const contact_box EMPTY = {{{1e38F, 1e38F, 1e38F}, {1e38F, 1e38F, 1e38F}},
                                  {{-1e38F, -1e38F, -1e38F}, {-1e38F, -1e38F, -1e38F}}};

static void refit_leaves(void *context, int64_t begin, int64_t end) {
    const refit *r = context;
    contact_tree *tree = r->tree;
    for (int32_t leaf = (int32_t)begin; leaf < (int32_t)end; leaf++) {
        contact_box box = EMPTY;
        uint8_t dirty = 0;
        for (int32_t i = contact_leaf_start(tree, leaf); i < contact_leaf_start(tree, leaf + 1); i++) {
            int32_t triangle = tree->order[i];
            const int32_t *t = r->contact->triangle[triangle];
            const contact_box *swept = r->contact->swept_box;
            tree->triangle[i] = r->contact->marks[triangle] & OPEN
                                    ? EMPTY
                                    : contact_box_join(contact_box_join(swept[t[0]], swept[t[1]]), swept[t[2]]);
            box = contact_box_join(box, tree->triangle[i]);
            dirty |= r->contact->dirty[t[0]] | r->contact->dirty[t[1]] | r->contact->dirty[t[2]];
        }
        tree->node[tree->leaves + leaf] = box;
        tree->dirty[tree->leaves + leaf] = dirty;
    }
}

void contact_tree_refit(const weft_work *work, const weft_contact *contact, contact_object *object) {
    refit r = {contact, &object->tree};
    weft_parallel_for(work, object->tree.leaves, 32, refit_leaves, &r);
    contact_box *node = object->tree.node;
    uint8_t *dirty = object->tree.dirty;
    for (int32_t i = object->tree.leaves - 1; i > 0; i--) {
        node[i] = contact_box_join(node[2 * i], node[2 * i + 1]);
        dirty[i] = dirty[2 * i] | dirty[2 * i + 1];
    }
    object->bounds = node[1];
}
