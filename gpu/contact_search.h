/* The search for near pairs: boxes of the trees, and a walk through a tree per vertex and per edge. A pass counts the
 * pairs of each, a prefix sum gives their places, and a second pass writes them. The walk goes through features in
 * ascending order, so the list is sorted by construction. */
#ifndef WEFT_GPU_CONTACT_SEARCH_H
#define WEFT_GPU_CONTACT_SEARCH_H

#include "contact_barrier.h"

/* Rounds towards minus and plus infinity, by more than the rounding error. */
WEFT_HD float gpu_round_down(double a) {
    float f = (float)a;
    return f - (f < 0 ? -f : f) * 1.2e-7F - 1e-37F;
}

WEFT_HD float gpu_round_up(double a) {
    float f = (float)a;
    return f + (f < 0 ? -f : f) * 1.2e-7F + 1e-37F;
}

WEFT_HD float gpu_lower(float a, float b) { return b < a ? b : a; }
WEFT_HD float gpu_higher(float a, float b) { return b > a ? b : a; }

/* The box of up to three vertices at two times, larger by `by` (m). */
WEFT_HD void gpu_box_around(const gpu_contact *c, const int32_t *vertex, int count, double by, float *box) {
    for (int time = 0; time < 2; time++)
        for (int k = 0; k < count; k++) {
            const weft_vec3 p = (time == 0 ? c->x : c->x_next)[vertex[k]];
            const double at[3] = {p.x, p.y, p.z};
            for (int axis = 0; axis < 3; axis++) {
                float low = gpu_round_down(at[axis] - by), high = gpu_round_up(at[axis] + by);
                float *to = box + 6 * time + axis;
                to[0] = k == 0 ? low : gpu_lower(to[0], low);
                to[3] = k == 0 ? high : gpu_higher(to[3], high);
            }
        }
}

/* Box of feature i of tree now_tree. */
WEFT_HD void gpu_contact_feature_box(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    const int corners = c->now_tree == 0 ? 3 : 2;
    const int32_t *vertex = (c->now_tree == 0 ? c->triangle : c->edge) + (int64_t)corners * i;
    gpu_box_around(c, vertex, corners, 0, c->tree[c->now_tree].box + (int64_t)GPU_BOX * i);
}

/* Box i of level now_level, above 0. */
WEFT_HD void gpu_contact_level_box(const weft_gpu *g, int32_t i) {
    const gpu_tree *tree = &g->contact.tree[g->contact.now_tree];
    int level = g->contact.now_level;
    float *to = tree->box + (int64_t)GPU_BOX * (tree->first[level] + i);
    int32_t first = tree->first[level - 1] + GPU_TREE_FAN * i, end = tree->first[level];
    for (int32_t k = first; k < first + GPU_TREE_FAN && k < end; k++) {
        const float *from = tree->box + (int64_t)GPU_BOX * k;
        for (int m = 0; m < GPU_BOX; m++) {
            int is_low = m % 6 < 3;
            to[m] = k == first ? from[m] : is_low ? gpu_lower(to[m], from[m]) : gpu_higher(to[m], from[m]);
        }
    }
}

/* Boxes whose sides move evenly are apart all the time if one axis separates them, in the same order, at both ends. */
WEFT_HD int gpu_boxes_meet(const float *a, const float *b) {
    for (int k = 0; k < 3; k++) {
        if (a[k] > b[k + 3] && a[k + 6] > b[k + 9])
            return 0;
        if (b[k] > a[k + 3] && b[k + 6] > a[k + 9])
            return 0;
    }
    return 1;
}

/* What a vertex or an edge looks for: features [from, to) of a tree. */
typedef struct gpu_query {
    int kind;
    int32_t first, from, to;
    float box[GPU_BOX];
} gpu_query;

WEFT_HD int gpu_set_query(const gpu_contact *c, int32_t item, gpu_query *q) {
    int32_t vertex[2];
    q->kind = item < c->count ? GPU_VERTEX_TRIANGLE : GPU_EDGE_EDGE;
    q->first = q->kind == GPU_EDGE_EDGE ? item - c->count : item;
    double reach = c->widest + c->spare;
    if (q->kind == GPU_VERTEX_TRIANGLE) {
        int is_body = q->first >= c->cloths;
        q->from = is_body || c->self ? 0 : c->cloth_triangles;
        q->to = is_body ? c->cloth_triangles : c->triangles;
        vertex[0] = q->first;
        if (!c->in_surface[q->first])
            return 0;
    } else {
        q->from = c->self ? q->first + 1 : c->cloth_edges;
        q->to = q->first < c->cloth_edges ? c->edges : 0;
        vertex[0] = c->edge[2 * (int64_t)q->first];
        vertex[1] = c->edge[2 * (int64_t)q->first + 1];
        reach = 0.5 * c->widest + c->spare;
    }
    if (c->within > 0)
        reach = c->within;
    if (q->from >= q->to || c->object[c->object_of[vertex[0]]].absent)
        return 0;
    gpu_box_around(c, vertex, q->kind == GPU_VERTEX_TRIANGLE ? 1 : 2, reach, q->box);
    return 1;
}

/* Whether a pair is closer than `within`. */
WEFT_HD int gpu_is_within(const gpu_contact *c, gpu_key key, const int32_t *v) {
    weft_vec3 at[4];
    double weight[4];
    gpu_pair_places(c->x, v, at);
    return gpu_closest(gpu_key_kind(key), at, weight) < c->within * c->within;
}

/* Whether features that share no vertex are near each other. */
WEFT_HD int gpu_meets(const weft_gpu *g, gpu_key key, double *most) {
    const gpu_contact *c = &g->contact;
    int32_t v[4];
    gpu_pair_vertices(c, key, v);
    if (v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3])
        return 0;
    if (gpu_key_kind(key) == GPU_VERTEX_TRIANGLE && v[0] == v[1])
        return 0;
    if (c->object[c->object_of[v[3]]].absent)
        return 0;
    return c->within > 0 ? gpu_is_within(c, key, v) : gpu_is_near(g, key, v, most);
}

/* Visits what a query finds, in ascending order. Writes the pairs unless `to` is null. Returns their number. */
WEFT_HD int32_t gpu_walk(const weft_gpu *g, const gpu_query *q, gpu_near *to) {
    const gpu_tree *tree = &g->contact.tree[q->kind];
    int32_t stack[GPU_TREE_LEVELS * GPU_TREE_FAN], found = 0;
    int8_t level_of[GPU_TREE_LEVELS * GPU_TREE_FAN];
    int top = tree->count > 0 ? 0 : -1;
    stack[0] = 0;
    level_of[0] = (int8_t)(tree->levels - 1);
    while (top >= 0) {
        int32_t node = stack[top];
        int level = level_of[top--];
        int64_t begin = (int64_t)node << (2 * level), end = (int64_t)(node + 1) << (2 * level);
        if (end <= q->from || begin >= q->to ||
            !gpu_boxes_meet(q->box, tree->box + (int64_t)GPU_BOX * (tree->first[level] + node)))
            continue;
        if (level == 0) {
            double most;
            gpu_key key = gpu_make_key(q->kind, q->first, node);
            if (!gpu_meets(g, key, &most))
                continue;
            if (to) {
                to[found].key = key;
                to[found].most = most;
            }
            found++;
            continue;
        }
        int32_t below = tree->first[level] - tree->first[level - 1];
        for (int k = GPU_TREE_FAN - 1; k >= 0; k--)
            if (GPU_TREE_FAN * node + k < below) {
                stack[++top] = GPU_TREE_FAN * node + k;
                level_of[top] = (int8_t)(level - 1);
            }
    }
    return found;
}

/* Items are the vertices, then the edges. */
WEFT_HD void gpu_contact_count_near(const weft_gpu *g, int32_t item) {
    gpu_query q;
    g->contact.offset[item] = gpu_set_query(&g->contact, item, &q) ? gpu_walk(g, &q, 0) : 0;
}

WEFT_HD void gpu_contact_write_near(const weft_gpu *g, int32_t item) {
    const gpu_contact *c = &g->contact;
    gpu_query q;
    if (c->offset[item + 1] > c->offset[item] && gpu_set_query(c, item, &q))
        gpu_walk(g, &q, c->near + c->offset[item]);
}

/* Counts what is found instead of listing it. */
WEFT_HD void gpu_contact_found(const weft_gpu *g, int32_t item, double *sum) {
    gpu_query q;
    sum[0] = gpu_set_query(&g->contact, item, &q) ? gpu_walk(g, &q, 0) : 0;
}

/* Counts vertices that are too far from where they were when the near pairs were listed. */
WEFT_HD void gpu_contact_strayed(const weft_gpu *g, int32_t i, double *sum) {
    const gpu_contact *c = &g->contact;
    double most = 0.25 * c->spare * c->spare * (1 - 1e-9);
    weft_vec3 a = gpu_sub(c->x[i], c->anchor[i]), b = gpu_sub(c->x_next[i], c->anchor[i]);
    sum[0] = !(gpu_dot(a, a) <= most && gpu_dot(b, b) <= most);
}

WEFT_HD void gpu_contact_anchor(const weft_gpu *g, int32_t i) { g->contact.anchor[i] = g->contact.x_next[i]; }

#endif
