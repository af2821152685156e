/* Candidate pairs: features of triangles whose swept boxes meet. Every vertex and every edge is owned by one triangle,
 * so that a pair of features comes up once (Bender & Deul 2013, section 6). The boxes have room: as long as a vertex
 * stays inside of its own, the pairs stay complete. */
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
    return (contact_box){{below(fmin(a.x, b.x) - room), below(fmin(a.y, b.y) - room), below(fmin(a.z, b.z) - room)},
                         {above(fmax(a.x, b.x) + room), above(fmax(a.y, b.y) + room), above(fmax(a.z, b.z) + room)}};
}

typedef struct sweep {
    weft_contact *contact;
    int32_t first;
    double room;
} sweep;

static void sweep_vertices(void *context, int64_t begin, int64_t end) {
    const sweep *s = context;
    for (int64_t i = s->first + begin; i < s->first + end; i++)
        s->contact->reach[i] = swept(s->contact->x[i], s->contact->x_next[i], s->room);
}

static double room_of(const contact_step *step, const contact_object *object) {
    return step->room + (object->body ? ((const weft_body_place *)object->body->settings)->thickness : 0);
}

static void fit(contact_step *step, contact_object *object) {
    double room = room_of(step, object);
    if (object->body && object->fitted == room && weft_pose_same(&object->pose[0], &object->pose[1]))
        return;
    sweep s = {step->contact, object->first, room};
    weft_parallel_for(step->work, object->vertex_count, WEFT_BLOCK, sweep_vertices, &s);
    contact_tree_refit(step->work, step->contact, object);
    object->fitted = room;
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

static weft_status plan(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    contact->task_count = 0;
    for (int32_t a = 0; a < contact->cloth_count; a++)
        for (int32_t b = a; b < contact->object_count && status == WEFT_STATUS_OK; b++)
            if ((b >= contact->cloth_count || step->settings->self) &&
                contact_box_meets(&contact->object[a].bounds, &contact->object[b].bounds))
                status = add_tasks(contact, a, b);
    return status == WEFT_STATUS_OK ? contact_reserve_bins(contact, contact->task_count) : status;
}

typedef struct search {
    const weft_contact *contact;
    contact_bin *bin;
    const contact_object *a, *b;
    int smooth; /* b is a shape whose exact distance does the proximity, but for sharp features */
} search;

static int has(const int32_t t[3], int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

static void emit(search *s, weft_pair_kind kind, int near, int32_t a, int32_t b, int32_t c, int32_t d) {
    const double *w = s->contact->inverse_mass;
    if (w[a] + w[b] + w[c] + w[d] == 0)
        return;
    contact_pair *pair = contact_bin_pair(s->bin);
    if (pair)
        *pair = (contact_pair){{a, b, c, d}, (int16_t)kind, (int16_t)near};
}

/* The vertices that triangle p owns against triangle q with its box. */
static void vertices_against(search *s, int32_t p, int32_t q, const contact_box *box, int p_is_body) {
    const int32_t *t = s->contact->triangle[p], *u = s->contact->triangle[q];
    uint16_t marks = s->contact->marks[p];
    for (int k = 0; k < 3; k++)
        if ((marks & OWNS_VERTEX << k) && !has(u, t[k]) && contact_box_meets(&s->contact->reach[t[k]], box)) {
            int near = !s->smooth || (p_is_body && marks & SHARP_VERTEX << k);
            emit(s, WEFT_VERTEX_TRIANGLE, near, t[k], u[0], u[1], u[2]);
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
                emit(s, WEFT_EDGE_EDGE, !s->smooth || other & SHARP_EDGE << j, a, b, c, d);
        }
    }
}

static void leaf_against_leaf(search *s, int32_t leaf, int32_t other) {
    const contact_tree *ta = &s->a->tree, *tb = &s->b->tree;
    int32_t end = contact_leaf_start(ta, leaf + 1), end_b = contact_leaf_start(tb, other + 1);
    for (int32_t i = contact_leaf_start(ta, leaf); i < end; i++) {
        int32_t from = contact_leaf_start(tb, other);
        if (s->a == s->b && from <= i)
            from = i + 1;
        for (int32_t j = from; j < end_b; j++) {
            const contact_box *p = &ta->triangle[i], *q = &tb->triangle[j];
            if (!contact_box_meets(p, q))
                continue;
            vertices_against(s, ta->order[i], tb->order[j], q, 0);
            vertices_against(s, tb->order[j], ta->order[i], p, s->b->body != NULL);
            edges_against(s, ta->order[i], tb->order[j], q);
        }
    }
}

/* Node `top` at depth d covers leaves [(top - 2^d) 2^(D - d), ...): within one object only those from `leaf` on. */
static void leaf_against_tree(search *s, int32_t leaf) {
    const contact_tree *tree = &s->b->tree;
    const contact_box *box = &s->a->tree.node[s->a->tree.leaves + leaf];
    int32_t stack[64], depth = 0;
    stack[depth++] = 1;
    while (depth > 0) {
        int32_t node = stack[--depth];
        if (!contact_box_meets(box, &tree->node[node]))
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

static void run_task(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    const weft_contact *contact = step->contact;
    (void)end;
    int32_t index = (int32_t)(begin / WEFT_BLOCK);
    const contact_task *task = &contact->task[index];
    search s = {contact, &contact->bin[index], &contact->object[task->a], &contact->object[task->b], 0};
    s.smooth = s.b->body && ((const weft_body_functions *)s.b->body->component->functions)->distance != NULL;
    s.bin->pair_count = 0;
    for (int32_t leaf = task->begin; leaf < task->end; leaf++)
        if (contact_box_meets(&s.a->tree.node[s.a->tree.leaves + leaf], &s.b->bounds))
            leaf_against_tree(&s, leaf);
}

weft_status contact_find_pairs(contact_step *step) {
    weft_contact *contact = step->contact;
    for (int32_t i = 0; i < contact->object_count; i++)
        fit(step, &contact->object[i]);
    weft_status status = plan(step);
    if (status != WEFT_STATUS_OK)
        return status;
    contact_for_tasks(step->work, contact->task_count, run_task, step);
    return contact_check_bins(contact);
}
