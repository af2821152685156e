/* Swept boxes and the bounding-volume tree over the triangles of one object. */
#ifndef WEFT_CONTACT_BOX_TREE_H
#define WEFT_CONTACT_BOX_TREE_H

#include "contact/response.h"

typedef struct contact_object contact_object;

/* A swept box: two axis-aligned boxes, one at the start and one at the end of a linear motion. Coordinates are floats,
 * rounded outward. The box is empty when low > high. The fourth coordinate is padding, so that four floats are compared
 * at once. */
typedef struct contact_box {
    float low[2][4], high[2][4];
} contact_box;

enum { LEAF_TRIANGLES = 4 }; /* maximum number of triangles in a leaf */

/* Motion of a leaf. Index 0 is the start of the step, index 1 its end. */
typedef struct contact_leaf_motion {
    weft_vec3 centre[2];   /* m */
    double deformation[2]; /* sum over all steps of the largest vertex displacement relative to the centre, m */
} contact_leaf_motion;

/* A complete binary tree over triangles that are close to each other at rest. Node i has the children 2 i and 2 i + 1.
 * The leaves are the nodes [leaves, 2 leaves). Leaf k holds the triangles order[k n / leaves .. (k + 1) n / leaves),
 * with n = count. */
typedef struct contact_tree {
    int32_t leaves, count;       /* leaves: a power of two; count: number of triangles */
    int32_t *order;              /* triangle indices of the contact world, sorted by leaf (count) */
    int32_t *first_corner;       /* first entry of each leaf in `corner` (leaves + 1) */
    int32_t *corner;             /* the vertices of each leaf without duplicates, numbered within the object */
    uint8_t *local;              /* index within the leaf of each triangle corner, in tree order (3 count) */
    contact_leaf_motion *motion; /* (leaves) */
    contact_box *triangle;       /* swept boxes of the triangles, in tree order (count) */
    contact_box *node;           /* swept boxes of the nodes (2 leaves) */
    uint8_t *dirty;              /* 1: the node holds a vertex with a new trajectory (2 leaves) */
} contact_tree;

weft_result contact_tree_create(const weft_contact *contact, contact_object *object);
/* Adds `by` to all triangle indices. */
void contact_tree_renumber(const contact_tree *tree, int32_t by);
void contact_tree_destroy(contact_tree *tree);
/* Recomputes all boxes, and the bounds of the object, from the swept boxes of the vertices. */
void contact_tree_refit(const weft_work *work, const weft_contact *contact, contact_object *object);

static inline int32_t contact_leaf_start(const contact_tree *tree, int32_t leaf) {
    return (int32_t)((int64_t)leaf * tree->count / tree->leaves);
}

static inline contact_box contact_box_join(contact_box a, contact_box b) {
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < 4; k++) {
            a.low[e][k] = b.low[e][k] < a.low[e][k] ? b.low[e][k] : a.low[e][k];
            a.high[e][k] = b.high[e][k] > a.high[e][k] ? b.high[e][k] : a.high[e][k];
        }
    return a;
}

/* Whether the boxes may overlap during the motion. They do not when one stays beyond the other along an axis at both
 * ends. This separates objects that move together, such as falling cloth. One box around the whole motion would be as
 * long as the motion and would not. */
static inline int contact_box_overlaps(const contact_box *a, const contact_box *b) {
    int apart = 0;
    for (int k = 0; k < 4; k++)
        apart |= ((a->low[0][k] > b->high[0][k]) & (a->low[1][k] > b->high[1][k])) |
                 ((b->low[0][k] > a->high[0][k]) & (b->low[1][k] > a->high[1][k]));
    return !apart;
}

#endif
