/* Counts edges that pass through triangles, as src/contact/audit.c does: by the signs of tetrahedron volumes, without
 * margins. It shares the boxes of the trees with contact, and no other code. The engine uses long double; here volumes
 * are sums of two doubles (Dekker 1971), which is more. */
#ifndef WEFT_GPU_CONTACT_AUDIT_H
#define WEFT_GPU_CONTACT_AUDIT_H

#include "contact_search.h"

/* high + low, where low is at most half a unit in the last place of high. */
typedef struct gpu_twice {
    double high, low;
} gpu_twice;

WEFT_HD gpu_twice gpu_two_sum(double a, double b) {
    gpu_twice r;
    r.high = a + b;
    double part = r.high - a;
    r.low = (a - (r.high - part)) + (b - part);
    return r;
}

/* a into two halves of 26 bits. */
WEFT_HD gpu_twice gpu_split(double a) {
    gpu_twice r;
    double scaled = 134217729.0 * a;
    r.high = scaled - (scaled - a);
    r.low = a - r.high;
    return r;
}

WEFT_HD gpu_twice gpu_two_product(double a, double b) {
    gpu_twice r, p = gpu_split(a), q = gpu_split(b);
    r.high = a * b;
    r.low = ((p.high * q.high - r.high) + p.high * q.low + p.low * q.high) + p.low * q.low;
    return r;
}

WEFT_HD gpu_twice gpu_twice_add(gpu_twice a, gpu_twice b) {
    gpu_twice s = gpu_two_sum(a.high, b.high);
    return gpu_two_sum(s.high, s.low + (a.low + b.low));
}

WEFT_HD gpu_twice gpu_twice_times(gpu_twice a, gpu_twice b) {
    gpu_twice p = gpu_two_product(a.high, b.high);
    return gpu_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

WEFT_HD gpu_twice gpu_twice_minus(gpu_twice a) {
    a.high = -a.high;
    a.low = -a.low;
    return a;
}

/* a b - c d */
WEFT_HD gpu_twice gpu_twice_minor(gpu_twice a, gpu_twice b, gpu_twice c, gpu_twice d) {
    return gpu_twice_add(gpu_twice_times(a, b), gpu_twice_minus(gpu_twice_times(c, d)));
}

WEFT_HD void gpu_twice_between(weft_vec3 a, weft_vec3 b, gpu_twice *d) {
    d[0] = gpu_two_sum(b.x, -a.x);
    d[1] = gpu_two_sum(b.y, -a.y);
    d[2] = gpu_two_sum(b.z, -a.z);
}

/* The sign of the volume of the tetrahedron a b c d. */
WEFT_HD int gpu_audit_side(weft_vec3 a, weft_vec3 b, weft_vec3 c, weft_vec3 d) {
    gpu_twice p[3], q[3], r[3];
    gpu_twice_between(a, b, p);
    gpu_twice_between(a, c, q);
    gpu_twice_between(a, d, r);
    gpu_twice volume = gpu_twice_times(p[0], gpu_twice_minor(q[1], r[2], q[2], r[1]));
    volume = gpu_twice_add(volume, gpu_twice_times(p[1], gpu_twice_minor(q[2], r[0], q[0], r[2])));
    volume = gpu_twice_add(volume, gpu_twice_times(p[2], gpu_twice_minor(q[0], r[1], q[1], r[0])));
    return volume.high > 0 ? 1 : volume.high < 0 ? -1 : 0;
}

/* Whether a line in the plane of the triangle a b c separates it from the edge p q. When all points are coplanar, the
 * signs of volumes mean nothing. */
WEFT_HD int gpu_audit_separated(weft_vec3 p, weft_vec3 q, weft_vec3 a, weft_vec3 b, weft_vec3 c) {
    const double least = 1e-9;
    const weft_vec3 along[4] = {gpu_sub(b, a), gpu_sub(c, b), gpu_sub(a, c), gpu_sub(q, p)};
    weft_vec3 normal = gpu_cross(along[0], along[1]);
    for (int k = 0; k < 4; k++) {
        weft_vec3 axis = gpu_cross(normal, along[k]);
        double at_p = gpu_dot(axis, gpu_sub(p, a)), at_q = gpu_dot(axis, gpu_sub(q, a));
        double at_b = gpu_dot(axis, along[0]), at_c = gpu_dot(axis, gpu_sub(c, a));
        double low = gpu_min(0, gpu_min(at_b, at_c)), high = gpu_max(0, gpu_max(at_b, at_c));
        double from = gpu_min(at_p, at_q), to = gpu_max(at_p, at_q);
        if (gpu_max(from - high, low - to) > least * (gpu_max(high, to) - gpu_min(low, from)))
            return 1;
    }
    return 0;
}

WEFT_HD int gpu_audit_passes(weft_vec3 p, weft_vec3 q, weft_vec3 a, weft_vec3 b, weft_vec3 c) {
    if (gpu_audit_side(a, b, c, p) * gpu_audit_side(a, b, c, q) >= 0)
        return 0;
    int ab = gpu_audit_side(p, q, a, b), bc = gpu_audit_side(p, q, b, c), ca = gpu_audit_side(p, q, c, a);
    return ab != 0 && ab == bc && bc == ca && !gpu_audit_separated(p, q, a, b, c);
}

/* Both ends of the search line become the present state. Bodies are at the end of the last step. */
WEFT_HD void gpu_contact_audit_begin(const weft_gpu *g, int32_t i) {
    const gpu_contact *c = &g->contact;
    c->x[i] = c->x_next[i] = i < c->cloths ? g->x_start[i] : c->finish[i];
}

WEFT_HD int gpu_audit_pair(const gpu_contact *c, const int32_t *e, int32_t triangle) {
    const int32_t *t = c->triangle + 3 * (int64_t)triangle;
    int own = 0;
    for (int k = 0; k < 3; k++)
        own |= t[k] == e[0] || t[k] == e[1];
    return !own && !c->object[c->object_of[t[0]]].absent &&
           gpu_audit_passes(c->x[e[0]], c->x[e[1]], c->x[t[0]], c->x[t[1]], c->x[t[2]]);
}

/* Triangles that edge i passes through. */
WEFT_HD void gpu_contact_audit(const weft_gpu *g, int32_t i, double *sum) {
    const gpu_contact *c = &g->contact;
    const gpu_tree *tree = &c->tree[0];
    const int32_t *edge = c->edge + 2 * (int64_t)i;
    int is_body = edge[0] >= c->cloths;
    int32_t from = is_body || c->self ? 0 : c->cloth_triangles, to = is_body ? c->cloth_triangles : c->triangles;
    int32_t stack[GPU_TREE_LEVELS * GPU_TREE_FAN];
    int8_t level_of[GPU_TREE_LEVELS * GPU_TREE_FAN];
    float box[GPU_BOX];
    int top = tree->count > 0 && !c->object[c->object_of[edge[0]]].absent ? 0 : -1;
    gpu_box_around(c, edge, 2, 0, box);
    stack[0] = 0;
    level_of[0] = (int8_t)(tree->levels - 1);
    while (top >= 0) {
        int32_t node = stack[top];
        int level = level_of[top--];
        int64_t begin = (int64_t)node << (2 * level), end = (int64_t)(node + 1) << (2 * level);
        if (end <= from || begin >= to ||
            !gpu_boxes_meet(box, tree->box + (int64_t)GPU_BOX * (tree->first[level] + node)))
            continue;
        if (level == 0) {
            sum[0] += gpu_audit_pair(c, edge, node);
            continue;
        }
        int32_t below = tree->first[level] - tree->first[level - 1];
        for (int k = 0; k < GPU_TREE_FAN && GPU_TREE_FAN * node + k < below; k++) {
            stack[++top] = GPU_TREE_FAN * node + k;
            level_of[top] = (int8_t)(level - 1);
        }
    }
}

#endif
