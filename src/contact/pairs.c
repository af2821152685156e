/* Candidate pairs: features of triangles whose swept boxes meet. Every vertex and every edge is owned by one triangle,
 * so that a pair of features comes up once (Bender & Deul 2013, section 6). There is room for the response: as long as
 * the ends of the vertices' paths stay within `slack` of what they were, the pairs stay complete. */
#include "contact/internal.h"

enum { TASK_LEAVES = 64 };

static float below(double a) {
    float f = (float)a;
    return f - 1.2e-7F * fabsf(f) - 1e-30F;
}

static float above(double a) {
    float f = (float)a;
    return f + 1.2e-7F * fabsf(f) + 1e-30F;
}

static contact_box swept(weft_vec3 a, weft_vec3 b, double room) {
    return (contact_box){{{below(a.x - room), below(a.y - room), below(a.z - room)},
                          {below(b.x - room), below(b.y - room), below(b.z - room)}},
                         {{above(a.x + room), above(a.y + room), above(a.z + room)},
                          {above(b.x + room), above(b.y + room), above(b.z + room)}}};
}

typedef struct sweep {
    weft_contact *contact;
    int32_t first, dirty_only, keeps;
    double room;
} sweep;

static void sweep_vertices(void *context, int64_t begin, int64_t end) {
    const sweep *s = context;
    weft_contact *contact = s->contact;
    for (int64_t i = s->first + begin; i < s->first + end; i++) {
        int moves = !s->dirty_only || contact->dirty[i];
        if (moves)
            contact->planned[i] = contact->x_next[i];
        if (moves || s->keeps)
            contact->reach[i] = swept(contact->x[i], contact->planned[i], s->room);
    }
    if (s->keeps)
        contact_measure_strayed(contact, s->first + begin, s->first + end);
}

/* Half the thickness for what is close at the start; that covers the slack at the end too. */
static double room_of(const contact_step *step, const contact_object *object) {
    return fmax(0.5 * step->settings->thickness, step->slack) + step->margin +
           (object->body ? ((const weft_body_place *)object->body->settings)->thickness : 0);
}

static weft_status refit(contact_step *step, contact_object *object, int dirty_only) {
    sweep s = {step->contact, object->first, dirty_only, step->keeps, room_of(step, object)};
    weft_parallel_for(step->work, object->vertex_count, WEFT_BLOCK, sweep_vertices, &s);
    contact_tree_refit(step->work, step->contact, object);
    return step->settings->search == WEFT_SEARCH_HASH ? contact_hash_fill(step->work, object) : WEFT_STATUS_OK;
}

weft_status contact_fit(contact_step *step, contact_object *object) {
    double room = room_of(step, object);
    if (object->body && object->fitted == room && object->search == step->settings->search &&
        weft_pose_same(&object->pose[0], &object->pose[1]) && object->frame[0] == object->frame[1])
        return WEFT_STATUS_OK;
    int kept = step->keeps && object->body && step->contact->listed;
    object->fitted = room;
    object->search = step->settings->search;
    if (kept)
        contact_mark_strayed(step, object->first, object->vertex_count);
    return refit(step, object, kept);
}

static weft_status add_tasks(weft_contact *contact, int32_t a, int32_t b) {
    int32_t leaves = contact->object[a].tree.leaves, wanted = (leaves + TASK_LEAVES - 1) / TASK_LEAVES;
    if (contact->task_count + wanted > contact->task_capacity) {
        int32_t capacity = 2 * (contact->task_count + wanted);
        contact_task *grown = realloc(contact->task, (size_t)capacity * sizeof *grown);
        if (!grown)
            return WEFT_STATUS_NO_MEMORY;
        contact->task = grown;
        contact->task_capacity = capacity;
    }
    for (int32_t leaf = 0; leaf < leaves; leaf += TASK_LEAVES) {
        int32_t end = leaf + TASK_LEAVES < leaves ? leaf + TASK_LEAVES : leaves;
        contact->task[contact->task_count++] = (contact_task){a, b, leaf, end};
    }
    return WEFT_STATUS_OK;
}

static int is_planned(const weft_contact *contact, int32_t a, int32_t b) {
    for (int32_t i = 0; i < contact->task_count; i++)
        if (contact->task[i].a == a && contact->task[i].b == b)
            return 1;
    return 0;
}

/* Kept pairs have tasks for all objects, so that those are in the same order however they came about. */
static int may_touch(const contact_step *step, const contact_object *a, const contact_object *b) {
    if (b->body ? b->away : !step->settings->self)
        return 0;
    return step->keeps ? !b->rounded : contact_box_meets(&a->bounds, &b->bounds);
}

/* Tasks for all pairs of objects that come close to each other and have none yet. */
static weft_status extend_plan(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    for (int32_t a = 0; a < contact->cloth_count; a++)
        for (int32_t b = a; b < contact->object_count && status == WEFT_STATUS_OK; b++)
            if (may_touch(step, &contact->object[a], &contact->object[b]) && !is_planned(contact, a, b))
                status = add_tasks(contact, a, b);
    return status == WEFT_STATUS_OK ? contact_reserve_bins(contact, contact->task_count) : status;
}

typedef struct search {
    const weft_contact *contact;
    contact_bin *bin;
    const contact_object *a, *b;
    double near, far; /* distances at the start and at the end of the step beyond which features cannot meet, m */
    int dirty_only;
    int hashed; /* which of the two ways */
    int smooth; /* b is a shape whose exact distance does the proximity, but for sharp features */
    int keeps;
    int32_t leaf_a, leaf_b; /* that are searched */
    int32_t i, j;           /* triangles of theirs */
} search;

static int has(const int32_t t[3], int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

typedef struct span {
    double low, high;
} span;

static span span_of(const weft_vec3 *x, const int32_t *vertex, int count, int axis) {
    double first = axis == 0 ? x[vertex[0]].x : axis == 1 ? x[vertex[0]].y : x[vertex[0]].z;
    span r = {first, first};
    for (int i = 1; i < count; i++) {
        double a = axis == 0 ? x[vertex[i]].x : axis == 1 ? x[vertex[i]].y : x[vertex[i]].z;
        r.low = a < r.low ? a : r.low;
        r.high = a > r.high ? a : r.high;
    }
    return r;
}

/* Whether the features stay apart along an axis, however they move together: on one side at the start and the end.
 * *near: whether they may be within the thickness at the start. */
static int stay_apart(const search *s, const int32_t vertex[4], int first, int *near) {
    const weft_vec3 *x = s->contact->x, *y = s->contact->planned;
    *near = 1;
    for (int axis = 0; axis < 3; axis++) {
        span a = span_of(x, vertex, first, axis), b = span_of(x, vertex + first, 4 - first, axis);
        int above = a.low - b.high >= s->near, below_it = b.low - a.high >= s->near;
        if (!above && !below_it)
            continue;
        *near = 0;
        span c = span_of(y, vertex, first, axis), d = span_of(y, vertex + first, 4 - first, axis);
        if (above ? c.low - d.high >= s->far : d.low - c.high >= s->far)
            return 1;
    }
    return 0;
}

/* Leaves first, then triangles in them: the order in which both searches come upon them. 15 parts fit behind. */
static uint64_t place_of(const search *s, int part) {
    const contact_tree *ta = &s->a->tree, *tb = &s->b->tree;
    uint64_t in_a = (uint64_t)(s->i - contact_leaf_start(ta, s->leaf_a)),
             in_b = (uint64_t)(s->j - contact_leaf_start(tb, s->leaf_b));
    return ((uint64_t)s->leaf_a << 28 | (uint64_t)s->leaf_b) << 8 | in_a << 6 | in_b << 4 | (uint64_t)part;
}

/* A kept pair that is far from touching where it is planned, and comes from no further than it may stray, is none. */
static int keep(const search *s, int part, contact_pair *pair) {
    weft_vec3 x[4];
    double weight[4], reach = 0;
    pair->place = place_of(s, part);
    contact_corners(s->contact->planned, pair->vertex, x);
    pair->apart = below(sqrt(weft_closest((weft_pair_kind)pair->kind, x, weight)));
    for (int i = 0; i < 4; i++)
        reach = fmax(reach, (double)s->contact->strayed[pair->vertex[i]]);
    return pair->near && ((double)pair->apart < s->far || (double)pair->apart - 2 * reach < s->near);
}

/* Whether nothing can be done about a pair, nor has to be: all of it is held, or of bodies, and moves together. One
 * that is kept may begin to move later. */
static int is_idle(const search *s, const int32_t vertex[4]) {
    const weft_contact *contact = s->contact;
    if (!contact_all_held(contact, vertex))
        return 0;
    weft_vec3 way = weft_sub(contact->x_next[vertex[0]], contact->x[vertex[0]]);
    int same = !s->keeps;
    for (int i = 1; i < 4 && same; i++) {
        weft_vec3 other = weft_sub(contact->x_next[vertex[i]], contact->x[vertex[i]]);
        same = way.x == other.x && way.y == other.y && way.z == other.z;
    }
    return same;
}

/* `part`: of the pairs of two triangles. */
static void emit(search *s, weft_pair_kind kind, int part, int near, int32_t a, int32_t b, int32_t c, int32_t d) {
    const uint8_t *dirty = s->contact->dirty;
    const int32_t vertex[4] = {a, b, c, d};
    int close;
    if (s->dirty_only && !(dirty[a] | dirty[b] | dirty[c] | dirty[d]))
        return;
    if (is_idle(s, vertex) || stay_apart(s, vertex, kind == WEFT_VERTEX_TRIANGLE ? 1 : 2, &close))
        return;
    contact_pair made = {{a, b, c, d}, (int16_t)kind, (int16_t)(near && (close || s->keeps)), 0, 0};
    if (s->keeps && !keep(s, part, &made))
        return;
    contact_pair *pair = contact_bin_pair(s->bin);
    if (pair)
        *pair = made;
}

/* The vertices that triangle p owns against triangle q with its box. */
static void vertices_against(search *s, int part, int32_t p, int32_t q, const contact_box *box, int p_is_body) {
    const int32_t *t = s->contact->triangle[p], *u = s->contact->triangle[q];
    uint16_t marks = s->contact->marks[p];
    for (int k = 0; k < 3; k++)
        if ((marks & OWNS_VERTEX << k) && !has(u, t[k]) && contact_box_meets(&s->contact->reach[t[k]], box)) {
            int near = !s->smooth || (p_is_body && marks & SHARP_VERTEX << k);
            emit(s, WEFT_VERTEX_TRIANGLE, part + k, near, t[k], u[0], u[1], u[2]);
        }
}

static void edges_against(search *s, int32_t p, int32_t q, const contact_box *box_q) {
    const contact_box *reach = s->contact->reach;
    const int32_t *t = s->contact->triangle[p], *u = s->contact->triangle[q];
    uint16_t marks = s->contact->marks[p], other = s->contact->marks[q];
    for (int i = 0; i < 3; i++) {
        int32_t a = t[i], b = t[(i + 1) % 3];
        if (!(marks & OWNS_EDGE << i))
            continue;
        contact_box box = contact_box_join(reach[a], reach[b]);
        if (!contact_box_meets(&box, box_q))
            continue;
        for (int j = 0; j < 3; j++) {
            int32_t c = u[j], d = u[(j + 1) % 3];
            if (!(other & OWNS_EDGE << j) || a == c || a == d || b == c || b == d)
                continue;
            contact_box second = contact_box_join(reach[c], reach[d]);
            if (contact_box_meets(&box, &second))
                emit(s, WEFT_EDGE_EDGE, 6 + 3 * i + j, !s->smooth || other & SHARP_EDGE << j, a, b, c, d);
        }
    }
}

static int is_dirty(const search *s, int32_t triangle) {
    const int32_t *t = s->contact->triangle[triangle];
    const uint8_t *dirty = s->contact->dirty;
    return dirty[t[0]] | dirty[t[1]] | dirty[t[2]];
}

static void triangle_against(search *s, int32_t i, int32_t j) {
    const contact_tree *ta = &s->a->tree, *tb = &s->b->tree;
    const contact_box *p = &ta->triangle[i], *q = &tb->triangle[j];
    if (!contact_box_meets(p, q) || (s->dirty_only && !is_dirty(s, ta->order[i]) && !is_dirty(s, tb->order[j])))
        return;
    s->i = i;
    s->j = j;
    vertices_against(s, 0, ta->order[i], tb->order[j], q, 0);
    vertices_against(s, 3, tb->order[j], ta->order[i], p, s->b->body != NULL);
    edges_against(s, ta->order[i], tb->order[j], q);
}

static void leaf_against_leaf(search *s, int32_t leaf, int32_t other) {
    const contact_tree *ta = &s->a->tree, *tb = &s->b->tree;
    s->leaf_b = other;
    int32_t end = contact_leaf_start(ta, leaf + 1), end_b = contact_leaf_start(tb, other + 1);
    for (int32_t i = contact_leaf_start(ta, leaf); i < end; i++) {
        int32_t from = contact_leaf_start(tb, other);
        if (s->a == s->b && from <= i)
            from = i + 1;
        for (int32_t j = from; j < end_b; j++)
            triangle_against(s, i, j);
    }
}

static int32_t leaf_of(const contact_tree *tree, int32_t triangle) {
    int32_t leaf = (int32_t)((int64_t)triangle * tree->leaves / tree->count);
    while (contact_leaf_start(tree, leaf + 1) <= triangle)
        leaf++;
    while (contact_leaf_start(tree, leaf) > triangle)
        leaf--;
    return leaf;
}

/* The pairs of a leaf in the order in which the tree finds them, so that both give the same step to the last bit. */
static void leaf_against_hash(search *s, int32_t leaf) {
    const contact_tree *ta = &s->a->tree, *tb = &s->b->tree;
    int32_t count = contact_hash_find(s->b, &ta->node[ta->leaves + leaf], s->bin);
    const int32_t *found = s->bin->found;
    for (int32_t begin = 0, end; begin < count; begin = end) {
        s->leaf_b = leaf_of(tb, found[begin]);
        int32_t limit = contact_leaf_start(tb, s->leaf_b + 1);
        for (end = begin; end < count && found[end] < limit; end++)
            ;
        for (int32_t i = contact_leaf_start(ta, leaf); i < contact_leaf_start(ta, leaf + 1); i++)
            for (int32_t k = begin; k < end; k++)
                if (s->a != s->b || found[k] > i)
                    triangle_against(s, i, found[k]);
    }
}

/* Node `top` at depth d covers leaves [(top - 2^d) 2^(D - d), ...): within one object only those from `leaf` on. */
static void leaf_against_tree(search *s, int32_t leaf) {
    const contact_tree *tree = &s->b->tree;
    const contact_box *box = &s->a->tree.node[s->a->tree.leaves + leaf];
    int dirty_nodes_only = s->dirty_only && !s->a->tree.dirty[s->a->tree.leaves + leaf];
    int32_t stack[64], depth = 0;
    stack[depth++] = 1;
    while (depth > 0) {
        int32_t node = stack[--depth];
        if (!contact_box_meets(box, &tree->node[node]) || (dirty_nodes_only && !tree->dirty[node]))
            continue;
        if (node >= tree->leaves) {
            leaf_against_leaf(s, leaf, node - tree->leaves);
            continue;
        }
        if (s->a == s->b) {
            int32_t last = node;
            while (last < tree->leaves)
                last = 2 * last + 1;
            if (last - tree->leaves < leaf)
                continue;
        }
        stack[depth++] = 2 * node + 1;
        stack[depth++] = 2 * node;
    }
}

static search search_of(const contact_step *step, int32_t index) {
    const weft_contact *contact = step->contact;
    const contact_task *task = &contact->task[index];
    search s = {.contact = contact,
                .bin = &contact->bin[index],
                .a = &contact->object[task->a],
                .b = &contact->object[task->b]};
    s.near = step->settings->thickness;
    if (s.b->body)
        s.near += ((const weft_body_place *)s.b->body->settings)->thickness;
    s.far = 2 * (step->slack + step->margin) + (step->keeps ? s.near - step->settings->thickness : 0);
    s.keeps = step->keeps;
    s.hashed = step->settings->search == WEFT_SEARCH_HASH;
    s.smooth = s.b->body && ((const weft_body_functions *)s.b->body->component->functions)->distance != NULL;
    return s;
}

static void run(search *s, const contact_task *task) {
    for (int32_t leaf = task->begin; leaf < task->end; leaf++)
        if (contact_box_meets(&s->a->tree.node[s->a->tree.leaves + leaf], &s->b->bounds)) {
            s->leaf_a = leaf;
            if (s->hashed)
                leaf_against_hash(s, leaf);
            else
                leaf_against_tree(s, leaf);
        }
}

static void find(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    int32_t index = (int32_t)(begin / WEFT_BLOCK);
    (void)end;
    search s = search_of(step, index);
    s.bin->pair_count = 0;
    run(&s, &step->contact->task[index]);
}

static void drop_dirty(const uint8_t *dirty, contact_bin *bin) {
    int32_t kept = 0;
    for (int32_t i = 0; i < bin->pair_count; i++) {
        const int32_t *v = bin->pair[i].vertex;
        if (!(dirty[v[0]] | dirty[v[1]] | dirty[v[2]] | dirty[v[3]]))
            bin->pair[kept++] = bin->pair[i];
    }
    bin->pair_count = kept;
}

static void renew(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    int32_t index = (int32_t)(begin / WEFT_BLOCK);
    (void)end;
    search s = search_of(step, index);
    s.dirty_only = 1;
    drop_dirty(step->contact->dirty, s.bin);
    int32_t kept = s.bin->pair_count;
    run(&s, &step->contact->task[index]);
    if (step->keeps)
        contact_merge_renewed(s.bin, kept);
}

weft_status contact_find_pairs(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    for (int32_t i = 0; i < contact->object_count && status == WEFT_STATUS_OK; i++)
        status = contact_fit(step, &contact->object[i]);
    contact->task_count = 0;
    if (status == WEFT_STATUS_OK)
        status = extend_plan(step);
    if (status != WEFT_STATUS_OK)
        return status;
    contact_for_tasks(step->work, contact->task_count, find, step);
    return contact_check_bins(contact);
}

weft_status contact_renew_pairs(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    for (int32_t i = 0; i < contact->cloth_count && status == WEFT_STATUS_OK; i++)
        status = refit(step, &contact->object[i], 1);
    int32_t before = contact->task_count;
    if (status == WEFT_STATUS_OK)
        status = extend_plan(step);
    if (status != WEFT_STATUS_OK)
        return status;
    for (int32_t i = before; i < contact->task_count; i++)
        contact->bin[i].pair_count = 0;
    contact_for_tasks(step->work, contact->task_count, renew, step);
    return contact_check_bins(contact);
}
