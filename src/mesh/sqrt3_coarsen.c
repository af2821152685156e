/* Coarsening: the exact inverse of split, flip and cut (sqrt3.c), with the same triangles in the same places. After
 * Bender and Deul (2013), section 5. */
#include "mesh/sqrt3.h"

/* Undoes `split` of the three triangles around v. */
static void join(weft_refined *r, int32_t v) {
    int32_t t = r->corner[v] / 3;
    uint32_t bit = 1U << (r->lineage[t].generation / 2);
    while (!(r->lineage[t].first & bit))
        t = across(r, 3 * t + 1);
    int32_t second = across(r, 3 * t + 1), third = across(r, 3 * t + 2);
    set(r, t, 2, r->origin[3 * second + 1], uv_at(r, 3 * second + 1));
    weft_refined_link(r, 3 * t + 1, r->twin[3 * second]);
    weft_refined_link(r, 3 * t + 2, r->twin[3 * third]);
    r->lineage[t].generation--;
    r->lineage[t].first &= ~bit;
    touch(r, t);
    weft_refined_drop_triangle(r, second > third ? second : third);
    weft_refined_drop_triangle(r, second > third ? third : second);
    weft_refined_drop_vertex(r, v);
}

/* A plan: edges to flip back, then one join, or one cut to undo on one or both sides. */
typedef struct plan {
    int32_t flip[4][2]; /* mates; the first belongs to the join or cut to undo */
    int flip_count;
    int32_t vertex;    /* vertex to remove, or WEFT_NONE */
    int32_t middle[2]; /* middle triangles of the cut edge; WEFT_NONE for a boundary */
} plan;

/* Whether the neighbour across h stays within one level of `level`. */
static int near_enough(const weft_refined *r, int32_t h, int32_t level) {
    int32_t n = across(r, h);
    return n == WEFT_NONE || weft_refined_level(r, n) <= level + 1;
}

/* Whether flipped mates t and n can flip back, which takes n down to the odd generation. */
static int can_flip_back(const weft_refined *r, int32_t t, int32_t n, int32_t generation) {
    if (n == WEFT_NONE || r->lineage[t].generation != generation || is_odd(generation) ||
        (r->lineage[t].middle >> (generation / 2) & 1) || (r->lineage[n].middle >> (generation / 2) & 1))
        return 0;
    return near_enough(r, 3 * n + 2, generation - 1) && near_enough(r, 3 * t + 1, generation - 1);
}

/* Whether the mate of a child, across half-edge h, can stay at its odd generation when the child is removed. */
static int can_lose_mate(const weft_refined *r, int32_t h, int32_t generation) {
    int32_t n = across(r, h);
    if (n == WEFT_NONE || weft_refined_level(r, n) < generation)
        return 1;
    if (r->lineage[n].generation != generation || r->twin[h] != 3 * n)
        return 0;
    return near_enough(r, 3 * n + 1, generation) && near_enough(r, 3 * n + 2, generation);
}

static void plan_flip(plan *p, int32_t t, int32_t n) {
    p->flip[p->flip_count][0] = t;
    p->flip[p->flip_count++][1] = n;
}

/* Plans to remove v. Of the three children the first stays. An initial triangle must not be removed. */
static int plan_join(const weft_refined *r, int32_t v, plan *p) {
    int32_t generation = r->birth[v], children = 0, first = 0, h = r->corner[v];
    if (r->twin[h] == WEFT_NONE)
        return 0;
    *p = (plan){.vertex = v, .middle = {WEFT_NONE, WEFT_NONE}};
    for (int i = 0; i == 0 || h != r->corner[v]; i++, h = r->twin[weft_previous(h)]) {
        int32_t t = h / 3;
        int kept = r->lineage[t].first >> (generation / 2) & 1;
        if (i >= 6 || (h % 3 != 1 && !kept && t < r->base_triangles))
            return 0;
        first += h % 3 != 1 && kept;
        if (r->lineage[t].generation == generation && h % 3 == 2) {
            children++;
            if (!can_lose_mate(r, 3 * t, generation))
                return 0;
        } else if (r->lineage[t].generation == generation + 1 && h % 3 == 0) {
            if (++children > 3 || !can_flip_back(r, t, mate(r, t), generation + 1))
                return 0;
            plan_flip(p, t, mate(r, t));
        } else if (r->lineage[t].generation != generation + 1 || h % 3 != 1) {
            return 0;
        }
    }
    return children == 3 && first == 1;
}

/* Finds the side triangles of a cut. If a side triangle has flipped its mate edge, its mate is next to the middle
 * one. */
static int plan_side(const weft_refined *r, int32_t middle, plan *p, int32_t side[2]) {
    int32_t generation = r->lineage[middle].generation, left = r->twin[3 * middle + 2], right = r->twin[3 * middle + 1];
    if (is_odd(generation) || !(r->lineage[middle].middle >> (generation / 2) & 1) || left == WEFT_NONE ||
        right == WEFT_NONE)
        return 0;
    side[0] = left / 3;
    side[1] = right / 3;
    if (left % 3 == 1) { /* flipped: this is its mate */
        side[0] = mate(r, left / 3);
        if (side[0] == WEFT_NONE || !can_flip_back(r, side[0], left / 3, generation))
            return 0;
        plan_flip(p, side[0], left / 3);
    } else if (left % 3 != 2 || r->lineage[side[0]].generation != generation - 1 ||
               !can_lose_mate(r, 3 * side[0], generation - 1)) {
        return 0;
    }
    if (right % 3 == 2) {
        if (!can_flip_back(r, side[1], mate(r, side[1]), generation))
            return 0;
        plan_flip(p, side[1], mate(r, side[1]));
    } else if (right % 3 != 1 || r->lineage[side[1]].generation != generation - 1 ||
               !can_lose_mate(r, 3 * side[1], generation - 1)) {
        return 0;
    }
    return side[0] != side[1] && side[0] >= r->base_triangles && side[1] >= r->base_triangles;
}

/* The half-edges a p and q b. The latter belongs to the mate if that side has flipped. */
static int32_t first_third(const weft_refined *r, int32_t side, int32_t generation) {
    return 3 * side + (r->lineage[side].generation == generation ? 2 : 1);
}

static int32_t last_third(const weft_refined *r, int32_t side, int32_t generation) {
    return r->lineage[side].generation == generation ? 3 * mate(r, side) + 1 : 3 * side + 2;
}

static int plan_uncut(const weft_refined *r, int32_t middle, plan *p) {
    int32_t generation = r->lineage[middle].generation, side[2], other[2], twin = r->twin[3 * middle];
    *p = (plan){.vertex = WEFT_NONE, .middle = {middle, WEFT_NONE}};
    if (r->birth[r->origin[3 * middle]] != generation || r->birth[r->origin[3 * middle + 1]] != generation ||
        !plan_side(r, middle, p, side))
        return 0;
    int32_t first = r->twin[first_third(r, side[0], generation)], last = r->twin[last_third(r, side[1], generation)];
    if (twin == WEFT_NONE)
        return first == WEFT_NONE && last == WEFT_NONE;
    if (mate(r, middle) == WEFT_NONE || !plan_side(r, twin / 3, p, other))
        return 0;
    p->middle[1] = twin / 3;
    for (int i = 0; i < 2; i++)
        if (other[i] == side[0] || other[i] == side[1] || other[i] == middle || side[i] == twin / 3)
            return 0;
    return first == last_third(r, other[1], generation) && last == first_third(r, other[0], generation);
}

/* The middle triangle of the cut that made v. */
static int32_t find_middle(const weft_refined *r, int32_t v) {
    int32_t generation = r->birth[v], h = r->corner[v];
    do {
        int32_t t = h / 3;
        if (r->lineage[t].generation == generation && (r->lineage[t].middle >> (generation / 2) & 1) && h % 3 < 2)
            return t;
        h = r->twin[weft_previous(h)];
    } while (h != WEFT_NONE && h != r->corner[v]);
    return WEFT_NONE;
}

static int make_plan(const weft_refined *r, int32_t v, plan *p) {
    if (r->birth[v] == 0)
        return 0;
    if (is_odd(r->birth[v]))
        return plan_join(r, v, p);
    int32_t middle = find_middle(r, v);
    return middle != WEFT_NONE && plan_uncut(r, middle, p);
}

/* Whether removing v is allowed. The parent's corners are those of its children before flips. */
static int may_join(const weft_refined *r, int32_t v) {
    int32_t corner[3], n = 0, h = r->corner[v];
    do {
        int32_t t = h / 3;
        if (h % 3 != 1 && n < 3)
            corner[n++] = h % 3 == 0 ? r->origin[3 * mate(r, t) + 2] : r->origin[3 * t];
        h = r->twin[weft_previous(h)];
    } while (h != r->corner[v]);
    weft_flip_volume change = {.before_count = 3, .after_count = 1};
    for (int k = 0; k < 3; k++)
        set_triangle(change.before[k], corner[k], corner[(k + 1) % 3], v);
    set_triangle(change.after[0], corner[0], corner[1], corner[2]);
    add_volume(&change, corner[0], corner[1], corner[2], v);
    return n == 3 && r->allows(r->context, &change);
}

/* The end of the cut edge beyond p or, with `right`, beyond q. It is a corner of the side triangle, or of its mate if
 * that has flipped. */
static int32_t end_of_edge(const weft_refined *r, int32_t middle, int right) {
    int32_t h = r->twin[3 * middle + (right ? 1 : 2)], t = h / 3;
    if (right)
        return h % 3 == 1 ? r->origin[3 * t] : r->origin[3 * mate(r, t) + 2];
    return h % 3 == 2 ? r->origin[3 * t + 1] : r->origin[3 * mate(r, t) + 2];
}

static int may_uncut(const weft_refined *r, int32_t middle) {
    int32_t a = end_of_edge(r, middle, 0), b = end_of_edge(r, middle, 1), c = r->origin[3 * middle + 2];
    int32_t p = r->origin[3 * middle], q = r->origin[3 * middle + 1];
    weft_flip_volume change = {.before_count = 3, .after_count = 1};
    set_triangle(change.before[0], c, a, p);
    set_triangle(change.before[1], p, q, c);
    set_triangle(change.before[2], b, c, q);
    set_triangle(change.after[0], a, b, c);
    add_volume(&change, a, b, p, c);
    add_volume(&change, p, b, q, c);
    return r->allows(r->context, &change);
}

static int is_allowed(const weft_refined *r, const plan *p) {
    if (!r->allows)
        return 1;
    for (int i = 0; i < p->flip_count; i++) {
        int32_t t = p->flip[i][0], n = p->flip[i][1];
        if (!sqrt3_is_flip_allowed(r, r->origin[3 * t], r->origin[3 * t + 1], r->origin[3 * n + 2],
                                   r->origin[3 * t + 2]))
            return 0;
    }
    if (p->vertex != WEFT_NONE)
        return may_join(r, p->vertex);
    return may_uncut(r, p->middle[0]) && (p->middle[1] == WEFT_NONE || may_uncut(r, p->middle[1]));
}

/* Undoes cut_side in the place of the middle triangle. `drop` receives the two removed triangles. */
static void uncut_side(weft_refined *r, int32_t middle, int32_t drop[2]) {
    int32_t left = across(r, 3 * middle + 2), right = across(r, 3 * middle + 1);
    uint32_t bit = 1U << (r->lineage[middle].generation / 2);
    set(r, middle, 0, r->origin[3 * left + 1], uv_at(r, 3 * left + 1));
    set(r, middle, 1, r->origin[3 * right], uv_at(r, 3 * right));
    weft_refined_link(r, 3 * middle + 1, r->twin[3 * right]);
    weft_refined_link(r, 3 * middle + 2, r->twin[3 * left]);
    r->lineage[middle].generation -= 3;
    r->lineage[middle].middle &= ~bit;
    drop[0] = left;
    drop[1] = right;
}

static void uncut(weft_refined *r, const plan *p) {
    int32_t drop[4], count = 2, from = r->origin[3 * p->middle[0]], to = r->origin[3 * p->middle[0] + 1];
    uncut_side(r, p->middle[0], drop);
    if (p->middle[1] != WEFT_NONE) {
        uncut_side(r, p->middle[1], drop + 2);
        count = 4;
        touch(r, p->middle[1]);
    }
    touch(r, p->middle[0]);
    for (; count > 0; count--) { /* highest first, so that none of them moves */
        int highest = 0;
        for (int i = 1; i < count; i++)
            highest = drop[i] > drop[highest] ? i : highest;
        weft_refined_drop_triangle(r, drop[highest]);
        drop[highest] = drop[count - 1];
    }
    weft_refined_drop_vertex(r, from > to ? from : to);
    weft_refined_drop_vertex(r, from > to ? to : from);
}

int weft_refined_join(weft_refined *r, int32_t v) {
    plan p;
    if (!make_plan(r, v, &p) || !weft_refined_reserve(r, 0, 0, 2))
        return 0;
    if (!is_allowed(r, &p)) {
        r->vetoed++;
        return 0;
    }
    for (int i = 0; i < p.flip_count; i++)
        sqrt3_flip_back(r, p.flip[i][0], p.flip[i][1]);
    if (p.vertex != WEFT_NONE)
        join(r, p.vertex);
    else
        uncut(r, &p);
    return 1;
}

static int32_t add_ring(const weft_refined *r, int32_t v, int32_t *ring, int32_t count, int32_t most) {
    int32_t h = r->corner[v];
    do {
        if (count < most)
            ring[count++] = r->origin[weft_next(h)];
        int32_t incoming = weft_previous(h);
        if (r->twin[incoming] == WEFT_NONE && count < most)
            ring[count++] = r->origin[incoming];
        h = r->twin[incoming];
    } while (h != WEFT_NONE && h != r->corner[v]);
    return count;
}

int32_t weft_refined_joinable(const weft_refined *r, int32_t v, int32_t *ring, int32_t most) {
    plan p;
    if (!make_plan(r, v, &p))
        return 0;
    if (p.vertex != WEFT_NONE)
        return add_ring(r, v, ring, 0, most);
    int32_t count = add_ring(r, r->origin[3 * p.middle[0]], ring, 0, most);
    return add_ring(r, r->origin[3 * p.middle[0] + 1], ring, count, most);
}
