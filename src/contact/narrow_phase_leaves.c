/* Finds the leaves of two objects whose swept boxes overlap: by traversing the bounding-volume tree, or by the spatial
 * hash of its triangles. Both visit the same leaf pairs in the same order. */
#include "contact/internal.h"

static int32_t leaf_of(const contact_tree *tree, int32_t triangle) {
    int32_t leaf = (int32_t)((int64_t)triangle * tree->leaves / tree->count);
    while (contact_leaf_start(tree, leaf + 1) <= triangle)
        leaf++;
    while (contact_leaf_start(tree, leaf) > triangle)
        leaf--;
    return leaf;
}

/* Whether `leaf` is tested against clean leaves too, and not only against dirty ones. */
static int visits_clean_leaves(const contact_search *s, int32_t leaf) {
    return s->all || s->a->tree.dirty[s->a->tree.leaves + leaf];
}

static void leaf_against_hash(contact_search *s, int32_t leaf) {
    const contact_tree *ta = &s->a->tree, *tb = &s->b->tree;
    int32_t count = contact_hash_find(s->b, &ta->node[ta->leaves + leaf], s->bin), last = WEFT_NONE;
    const int32_t *found = s->bin->found;
    for (int32_t k = 0; k < count; k++) {
        int32_t other = leaf_of(tb, found[k]);
        if (other == last || (s->a == s->b && other < leaf))
            continue;
        last = other;
        if (visits_clean_leaves(s, leaf) || tb->dirty[tb->leaves + other])
            pair_cache_visit(s, leaf, other);
    }
}

/* Within one object, only leaves from `leaf` on are visited. Nodes whose last leaf comes before it are skipped. */
static void leaf_against_tree(contact_search *s, int32_t leaf) {
    const contact_tree *tree = &s->b->tree;
    const contact_box *box = &s->a->tree.node[s->a->tree.leaves + leaf];
    int dirty_only = !visits_clean_leaves(s, leaf);
    int32_t stack[64], height[64], depth = 1, top = 0;
    while (tree->leaves >> top > 1)
        top++;
    stack[0] = 1;
    height[0] = top;
    while (depth > 0) {
        int32_t node = stack[--depth], levels = height[depth];
        int32_t last = ((node + 1) << levels) - 1 - tree->leaves;
        if ((s->a == s->b && last < leaf) || (dirty_only && !tree->dirty[node]) ||
            !contact_box_overlaps(box, &tree->node[node]))
            continue;
        if (levels == 0) {
            pair_cache_visit(s, leaf, last);
            continue;
        }
        stack[depth] = 2 * node + 1;
        height[depth++] = levels - 1;
        stack[depth] = 2 * node;
        height[depth++] = levels - 1;
    }
}

void narrow_phase_search_leaves(contact_search *s, const contact_task *task) {
    if (!contact_box_overlaps(&s->a->bounds, &s->b->bounds))
        return;
    for (int32_t leaf = task->begin; leaf < task->end; leaf++)
        if (contact_box_overlaps(&s->a->tree.node[s->a->tree.leaves + leaf], &s->b->bounds)) {
            if (s->use_hash)
                leaf_against_hash(s, leaf);
            else
                leaf_against_tree(s, leaf);
        }
}
