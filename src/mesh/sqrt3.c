/* Refinement by generations and its exact undoing, see refined.h. Each operation is undone by its counterpart with the
 * same triangles in the same places; the letters are
 *   split      (a b c) -> (a b v) (b c v) (c a v), v at the centre; the first one keeps the place
 *   turn       (a b c) (b a d) -> (c d b) (d c a)
 *   cut        (a b c), a boundary a b or both sides of a crease -> (c a p) (p q c) (b c q) with p, q on a b; the
 * middle one keeps the place. */
#include <math.h>

#include "mesh/refined.h"
#include "weft/vec.h"

/* Two triangles may turn their edge when their normals at rest differ by no more than this, rad: the area then changes
 * by less than one part in 1e12. */
static const double FLAT = 1e-6;
/* And when neither of those that come of it has less than this part of their area. */
static const double SLIVER = 0.1;

static int32_t across(const weft_refined *r, int32_t h) { return r->twin[h] == WEFT_NONE ? WEFT_NONE : r->twin[h] / 3; }

static int is_odd(int32_t generation) { return generation & 1; }

/* Whether the triangle and the one across its first edge are mates: of one generation, each with that edge first. */
static int32_t mate(const weft_refined *r, int32_t t) {
    int32_t twin = r->twin[3 * t];
    if (twin == WEFT_NONE || twin % 3 != 0 || r->lineage[twin / 3].generation != r->lineage[t].generation)
        return WEFT_NONE;
    return twin / 3;
}

int32_t weft_refined_level(const weft_refined *r, int32_t t) {
    int32_t generation = r->lineage[t].generation;
    if (is_odd(generation) && (r->twin[3 * t] == WEFT_NONE || mate(r, t) != WEFT_NONE))
        generation++;
    return generation;
}

static void set(weft_refined *r, int32_t t, int k, int32_t origin, weft_vec2 uv) {
    r->origin[3 * t + k] = origin;
    if (r->uv)
        r->uv[3 * t + k] = uv;
}

static weft_vec2 uv_at(const weft_refined *r, int32_t h) { return r->uv ? r->uv[h] : (weft_vec2){0, 0}; }

static void touch(weft_refined *r, int32_t t) {
    r->changed[t] = 1;
    for (int k = 0; k < 3; k++)
        weft_refined_anchor(r, 3 * t + k);
}

/* -- turn -- */

static int same_uv(weft_vec2 a, weft_vec2 b) { return a.x == b.x && a.y == b.y; }

/* Of mates t and n: whether the surface stays what it is at rest, and without slivers. */
static int is_flat(const weft_refined *r, int32_t t, int32_t n) {
    if (r->uv && !(same_uv(r->uv[3 * t], r->uv[3 * n + 1]) && same_uv(r->uv[3 * t + 1], r->uv[3 * n])))
        return 0;
    weft_vec3 a = r->position[r->origin[3 * t]], b = r->position[r->origin[3 * t + 1]];
    weft_vec3 c = r->position[r->origin[3 * t + 2]], d = r->position[r->origin[3 * n + 2]];
    weft_vec3 left = weft_cross(weft_sub(b, a), weft_sub(c, a)), right = weft_cross(weft_sub(a, b), weft_sub(d, b));
    if (weft_length(weft_cross(left, right)) > FLAT * weft_length(left) * weft_length(right) ||
        !(weft_dot(left, right) > 0))
        return 0;
    weft_vec3 sum = weft_add(left, right);
    weft_vec3 upper = weft_cross(weft_sub(d, c), weft_sub(b, c)), lower = weft_cross(weft_sub(c, d), weft_sub(a, d));
    double least = SLIVER * weft_dot(sum, sum);
    return weft_dot(upper, sum) >= least && weft_dot(lower, sum) >= least;
}

static void set_triangle(int32_t triangle[3], int32_t a, int32_t b, int32_t c) {
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static void add_volume(weft_sweep *sweep, int32_t a, int32_t b, int32_t c, int32_t d) {
    int32_t *volume = sweep->volume[sweep->volume_count++];
    set_triangle(volume, a, b, c);
    volume[3] = d;
}

/* From the diagonal a b to c d. */
static int may_sweep_quad(const weft_refined *r, int32_t a, int32_t b, int32_t c, int32_t d) {
    weft_sweep sweep = {.before_count = 2, .after_count = 2};
    if (!r->allows)
        return 1;
    set_triangle(sweep.before[0], a, b, c);
    set_triangle(sweep.before[1], b, a, d);
    set_triangle(sweep.after[0], c, d, b);
    set_triangle(sweep.after[1], d, c, a);
    add_volume(&sweep, a, b, c, d);
    return r->allows(r->context, &sweep);
}

static int may_turn(weft_refined *r, int32_t t, int32_t n) {
    if (!is_flat(r, t, n))
        return 0;
    if (may_sweep_quad(r, r->origin[3 * t], r->origin[3 * t + 1], r->origin[3 * t + 2], r->origin[3 * n + 2]))
        return 1;
    r->vetoed++;
    return 0;
}

static void turn(weft_refined *r, int32_t t, int32_t n) {
    int32_t a = r->origin[3 * t], b = r->origin[3 * t + 1], c = r->origin[3 * t + 2], d = r->origin[3 * n + 2];
    weft_vec2 ua = uv_at(r, 3 * t), ub = uv_at(r, 3 * t + 1), uc = uv_at(r, 3 * t + 2), ud = uv_at(r, 3 * n + 2);
    int32_t bc = r->twin[3 * t + 1], ca = r->twin[3 * t + 2], ad = r->twin[3 * n + 1], db = r->twin[3 * n + 2];
    set(r, t, 0, c, uc), set(r, t, 1, d, ud), set(r, t, 2, b, ub);
    set(r, n, 0, d, ud), set(r, n, 1, c, uc), set(r, n, 2, a, ua);
    weft_refined_link(r, 3 * t + 1, db);
    weft_refined_link(r, 3 * t + 2, bc);
    weft_refined_link(r, 3 * n + 1, ca);
    weft_refined_link(r, 3 * n + 2, ad);
    r->lineage[t].generation++;
    r->lineage[n].generation++;
    touch(r, t);
    touch(r, n);
}

static void turn_back(weft_refined *r, int32_t t, int32_t n) {
    int32_t c = r->origin[3 * t], d = r->origin[3 * t + 1], b = r->origin[3 * t + 2], a = r->origin[3 * n + 2];
    weft_vec2 uc = uv_at(r, 3 * t), ud = uv_at(r, 3 * t + 1), ub = uv_at(r, 3 * t + 2), ua = uv_at(r, 3 * n + 2);
    int32_t db = r->twin[3 * t + 1], bc = r->twin[3 * t + 2], ca = r->twin[3 * n + 1], ad = r->twin[3 * n + 2];
    set(r, t, 0, a, ua), set(r, t, 1, b, ub), set(r, t, 2, c, uc);
    set(r, n, 0, b, ub), set(r, n, 1, a, ua), set(r, n, 2, d, ud);
    weft_refined_link(r, 3 * t + 1, bc);
    weft_refined_link(r, 3 * t + 2, ca);
    weft_refined_link(r, 3 * n + 1, ad);
    weft_refined_link(r, 3 * n + 2, db);
    r->lineage[t].generation--;
    r->lineage[n].generation--;
    touch(r, t);
    touch(r, n);
}

static int try_turn(weft_refined *r, int32_t t) {
    int32_t n = is_odd(r->lineage[t].generation) ? mate(r, t) : WEFT_NONE;
    if (n == WEFT_NONE || !may_turn(r, t, n))
        return 0;
    turn(r, t, n);
    return 1;
}

int32_t weft_refined_turn_left(weft_refined *r) {
    int32_t turned = 0;
    for (int32_t t = 0; t < r->triangle_count; t++)
        if (is_odd(r->lineage[t].generation) && mate(r, t) > t)
            turned += try_turn(r, t);
    return turned;
}

/* -- split -- */

static int split(weft_refined *r, int32_t t) {
    if (!weft_refined_reserve(r, 1, 2, 1))
        return 0;
    int32_t corner[3], twin[3], child[3] = {t, 0, 0};
    weft_vec2 uv[3], middle = {0, 0};
    for (int k = 0; k < 3; k++) {
        corner[k] = r->origin[3 * t + k];
        twin[k] = r->twin[3 * t + k];
        uv[k] = uv_at(r, 3 * t + k);
        middle.x += uv[k].x / 3;
        middle.y += uv[k].y / 3;
    }
    int32_t v = weft_refined_add_vertex(r, corner, (double[3]){1.0 / 3, 1.0 / 3, 1.0 / 3});
    weft_lineage *parent = &r->lineage[t];
    parent->first |= 1U << (parent->generation / 2);
    parent->generation++;
    r->birth[v] = (uint8_t)parent->generation;
    weft_lineage other = {.generation = parent->generation, .face = parent->face};
    child[1] = weft_refined_add_triangle(r, &other);
    child[2] = weft_refined_add_triangle(r, &other);
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        set(r, child[k], 0, corner[k], uv[k]);
        set(r, child[k], 1, corner[next], uv[next]);
        set(r, child[k], 2, v, middle);
        weft_refined_link(r, 3 * child[k], twin[k]);
        weft_refined_link(r, 3 * child[k] + 1, 3 * child[next] + 2);
    }
    for (int k = 0; k < 3; k++)
        touch(r, child[k]);
    for (int k = 0; k < 3; k++)
        try_turn(r, child[k]);
    return 1;
}

/* The three triangles around v are what `split` made. */
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

/* -- cut -- */

/* One side of an edge cut at p and q; the edge itself is linked by the caller. */
static void cut_side(weft_refined *r, int32_t t, int32_t p, int32_t q, int32_t side[2]) {
    int32_t a = r->origin[3 * t], b = r->origin[3 * t + 1], c = r->origin[3 * t + 2];
    weft_vec2 ua = uv_at(r, 3 * t), ub = uv_at(r, 3 * t + 1), uc = uv_at(r, 3 * t + 2);
    weft_vec2 up = {(2 * ua.x + ub.x) / 3, (2 * ua.y + ub.y) / 3};
    weft_vec2 uq = {(ua.x + 2 * ub.x) / 3, (ua.y + 2 * ub.y) / 3};
    int32_t bc = r->twin[3 * t + 1], ca = r->twin[3 * t + 2];
    weft_lineage *middle = &r->lineage[t];
    weft_lineage other = {.generation = middle->generation + 2, .face = middle->face};
    middle->generation += 3;
    middle->middle |= 1U << (middle->generation / 2);
    int32_t left = side[0] = weft_refined_add_triangle(r, &other);
    int32_t right = side[1] = weft_refined_add_triangle(r, &other);
    set(r, t, 0, p, up), set(r, t, 1, q, uq), set(r, t, 2, c, uc);
    set(r, left, 0, c, uc), set(r, left, 1, a, ua), set(r, left, 2, p, up);
    set(r, right, 0, b, ub), set(r, right, 1, c, uc), set(r, right, 2, q, uq);
    weft_refined_link(r, 3 * left, ca);
    weft_refined_link(r, 3 * right, bc);
    weft_refined_link(r, 3 * left + 2, 3 * t + 2);
    weft_refined_link(r, 3 * right + 1, 3 * t + 1);
    r->changed[t] = 1;
}

static int cut(weft_refined *r, int32_t t) {
    if (!weft_refined_reserve(r, 2, 4, 2))
        return 0;
    int32_t n = mate(r, t), a = r->origin[3 * t], b = r->origin[3 * t + 1], side[2], other[2];
    int32_t p = weft_refined_add_vertex(r, (int32_t[3]){a, b, b}, (double[3]){2.0 / 3, 1.0 / 3, 0});
    int32_t q = weft_refined_add_vertex(r, (int32_t[3]){b, a, a}, (double[3]){2.0 / 3, 1.0 / 3, 0});
    cut_side(r, t, p, q, side);
    r->birth[p] = r->birth[q] = (uint8_t)r->lineage[t].generation;
    if (n != WEFT_NONE) {
        cut_side(r, n, q, p, other);
        weft_refined_link(r, 3 * side[0] + 1, 3 * other[1] + 2);
        weft_refined_link(r, 3 * side[1] + 2, 3 * other[0] + 1);
    }
    int32_t all[6] = {t, side[0], side[1], n, n == WEFT_NONE ? n : other[0], n == WEFT_NONE ? n : other[1]};
    for (int i = 0; i < 6; i++)
        if (all[i] != WEFT_NONE)
            touch(r, all[i]);
    for (int i = 0; i < 6; i++)
        if (all[i] != WEFT_NONE && all[i] != t && all[i] != n)
            try_turn(r, all[i]);
    return 1;
}

/* -- going finer -- */

static int refine(weft_refined *r, int32_t t);

/* Makes what is across half-edge h at least that fine. */
static int follow(weft_refined *r, int32_t h, int32_t level) {
    for (int32_t n = across(r, h), tries = 0; n != WEFT_NONE && weft_refined_level(r, n) < level; n = across(r, h))
        if (tries++ > 2 || !refine(r, n))
            return 0;
    return 1;
}

static int refine(weft_refined *r, int32_t t) {
    int32_t generation = r->lineage[t].generation, level = weft_refined_level(r, t);
    if (!is_odd(generation)) {
        for (int k = 0; k < 3; k++)
            if (generation >= WEFT_GENERATIONS || !follow(r, 3 * t + k, level))
                return 0;
        return split(r, t);
    }
    if (level == generation) /* what is across is coarser; splitting it turns the edge */
        return refine(r, across(r, 3 * t));
    int32_t n = mate(r, t);
    for (int k = 1; k < 3; k++)
        if (generation + 3 > WEFT_GENERATIONS || !follow(r, 3 * t + k, level) ||
            (n != WEFT_NONE && !follow(r, 3 * n + k, level)))
            return 0;
    return cut(r, t);
}

int weft_refined_split(weft_refined *r, int32_t t) { return refine(r, t); }

/* -- going coarser -- */

/* A plan: which edges to turn back, then one join, or one cut undone on one or both sides. */
typedef struct plan {
    int32_t turned[4][2]; /* mates, the one that goes first */
    int turns;
    int32_t vertex;    /* to be joined, or WEFT_NONE */
    int32_t middle[2]; /* of a cut edge; WEFT_NONE for a boundary */
} plan;

/* Whether what is across h would still be near enough to a triangle of that level. */
static int near_enough(const weft_refined *r, int32_t h, int32_t level) {
    int32_t n = across(r, h);
    return n == WEFT_NONE || weft_refined_level(r, n) <= level + 1;
}

/* Mates t and n turned: n would go down to the odd generation. */
static int can_turn_back(const weft_refined *r, int32_t t, int32_t n, int32_t generation) {
    if (n == WEFT_NONE || r->lineage[t].generation != generation || is_odd(generation) ||
        (r->lineage[t].middle >> (generation / 2) & 1) || (r->lineage[n].middle >> (generation / 2) & 1))
        return 0;
    return near_enough(r, 3 * n + 2, generation - 1) && near_enough(r, 3 * t + 1, generation - 1);
}

/* A triangle of odd generation that stays, whose mate across its first edge goes away. */
static int can_lose_mate(const weft_refined *r, int32_t h, int32_t generation) {
    int32_t n = across(r, h);
    if (n == WEFT_NONE || weft_refined_level(r, n) < generation)
        return 1;
    if (r->lineage[n].generation != generation || r->twin[h] != 3 * n)
        return 0;
    return near_enough(r, 3 * n + 1, generation) && near_enough(r, 3 * n + 2, generation);
}

static void plan_turn(plan *p, int32_t t, int32_t n) {
    p->turned[p->turns][0] = t;
    p->turned[p->turns++][1] = n;
}

static int plan_join(const weft_refined *r, int32_t v, plan *p) {
    int32_t generation = r->birth[v], children = 0, h = r->corner[v];
    if (r->twin[h] == WEFT_NONE)
        return 0;
    *p = (plan){.vertex = v, .middle = {WEFT_NONE, WEFT_NONE}};
    for (int i = 0; i == 0 || h != r->corner[v]; i++, h = r->twin[weft_previous(h)]) {
        int32_t t = h / 3;
        if (i >= 6)
            return 0;
        if (r->lineage[t].generation == generation && h % 3 == 2) {
            children++;
            if (!can_lose_mate(r, 3 * t, generation))
                return 0;
        } else if (r->lineage[t].generation == generation + 1 && h % 3 == 0) {
            if (++children > 3 || !can_turn_back(r, t, mate(r, t), generation + 1))
                return 0;
            plan_turn(p, t, mate(r, t));
        } else if (r->lineage[t].generation != generation + 1 || h % 3 != 1) {
            return 0;
        }
    }
    return children == 3;
}

/* The side triangles of the middle one, which may have turned their mate edge: their mates are then next to it. */
static int plan_side(const weft_refined *r, int32_t middle, plan *p, int32_t side[2]) {
    int32_t generation = r->lineage[middle].generation, left = r->twin[3 * middle + 2], right = r->twin[3 * middle + 1];
    if (is_odd(generation) || !(r->lineage[middle].middle >> (generation / 2) & 1) || left == WEFT_NONE ||
        right == WEFT_NONE)
        return 0;
    side[0] = left / 3;
    side[1] = right / 3;
    if (left % 3 == 1) { /* turned: that is its mate */
        side[0] = mate(r, left / 3);
        if (side[0] == WEFT_NONE || !can_turn_back(r, side[0], left / 3, generation))
            return 0;
        plan_turn(p, side[0], left / 3);
    } else if (left % 3 != 2 || r->lineage[side[0]].generation != generation - 1 ||
               !can_lose_mate(r, 3 * side[0], generation - 1)) {
        return 0;
    }
    if (right % 3 == 2) {
        if (!can_turn_back(r, side[1], mate(r, side[1]), generation))
            return 0;
        plan_turn(p, side[1], mate(r, side[1]));
    } else if (right % 3 != 1 || r->lineage[side[1]].generation != generation - 1 ||
               !can_lose_mate(r, 3 * side[1], generation - 1)) {
        return 0;
    }
    return 1;
}

/* The half-edges a p and q b now; the latter is with the mate when that side has turned. */
static int32_t first_part(const weft_refined *r, int32_t side, int32_t generation) {
    return 3 * side + (r->lineage[side].generation == generation ? 2 : 1);
}

static int32_t last_part(const weft_refined *r, int32_t side, int32_t generation) {
    return r->lineage[side].generation == generation ? 3 * mate(r, side) + 1 : 3 * side + 2;
}

static int plan_uncut(const weft_refined *r, int32_t middle, plan *p) {
    int32_t generation = r->lineage[middle].generation, side[2], other[2], twin = r->twin[3 * middle];
    *p = (plan){.vertex = WEFT_NONE, .middle = {middle, WEFT_NONE}};
    if (!plan_side(r, middle, p, side))
        return 0;
    int32_t first = r->twin[first_part(r, side[0], generation)], last = r->twin[last_part(r, side[1], generation)];
    if (twin == WEFT_NONE)
        return first == WEFT_NONE && last == WEFT_NONE;
    if (mate(r, middle) == WEFT_NONE || !plan_side(r, twin / 3, p, other))
        return 0;
    p->middle[1] = twin / 3;
    return first == last_part(r, other[1], generation) && last == first_part(r, other[0], generation);
}

/* The middle triangle of the cut that v came with. */
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

/* The parent's corners are those of its children, before turns too. */
static int may_join(const weft_refined *r, int32_t v) {
    int32_t corner[3], n = 0, h = r->corner[v];
    do {
        int32_t t = h / 3;
        if (h % 3 != 1 && n < 3)
            corner[n++] = h % 3 == 0 ? r->origin[3 * mate(r, t) + 2] : r->origin[3 * t];
        h = r->twin[weft_previous(h)];
    } while (h != r->corner[v]);
    weft_sweep sweep = {.before_count = 3, .after_count = 1};
    for (int k = 0; k < 3; k++)
        set_triangle(sweep.before[k], corner[k], corner[(k + 1) % 3], v);
    set_triangle(sweep.after[0], corner[0], corner[1], corner[2]);
    add_volume(&sweep, corner[0], corner[1], corner[2], v);
    return n == 3 && r->allows(r->context, &sweep);
}

/* The corner on the edge next to p, or q, of the side triangle across h: of its own or, when it has turned, its mate's.
 */
static int32_t end_of_edge(const weft_refined *r, int32_t middle, int right) {
    int32_t h = r->twin[3 * middle + (right ? 1 : 2)], t = h / 3;
    if (right)
        return h % 3 == 1 ? r->origin[3 * t] : r->origin[3 * mate(r, t) + 2];
    return h % 3 == 2 ? r->origin[3 * t + 1] : r->origin[3 * mate(r, t) + 2];
}

static int may_uncut(const weft_refined *r, int32_t middle) {
    int32_t a = end_of_edge(r, middle, 0), b = end_of_edge(r, middle, 1), c = r->origin[3 * middle + 2];
    int32_t p = r->origin[3 * middle], q = r->origin[3 * middle + 1];
    weft_sweep sweep = {.before_count = 3, .after_count = 1};
    set_triangle(sweep.before[0], c, a, p);
    set_triangle(sweep.before[1], p, q, c);
    set_triangle(sweep.before[2], b, c, q);
    set_triangle(sweep.after[0], a, b, c);
    add_volume(&sweep, a, b, p, c);
    add_volume(&sweep, p, b, q, c);
    return r->allows(r->context, &sweep);
}

static int is_allowed(const weft_refined *r, const plan *p) {
    if (!r->allows)
        return 1;
    for (int i = 0; i < p->turns; i++) {
        int32_t t = p->turned[i][0], n = p->turned[i][1];
        if (!may_sweep_quad(r, r->origin[3 * t], r->origin[3 * t + 1], r->origin[3 * n + 2], r->origin[3 * t + 2]))
            return 0;
    }
    if (p->vertex != WEFT_NONE)
        return may_join(r, p->vertex);
    return may_uncut(r, p->middle[0]) && (p->middle[1] == WEFT_NONE || may_uncut(r, p->middle[1]));
}

/* Undoes cut_side; returns the parent's place. */
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
    for (; count > 0; count--) { /* the last ones first, so that none of them moves */
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
    for (int i = 0; i < p.turns; i++)
        turn_back(r, p.turned[i][0], p.turned[i][1]);
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
