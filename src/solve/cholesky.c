/* Symbolic phase of the sparse Cholesky factorisation: order, elimination tree, supernodes and storage.
 *
 * The order is nested dissection by coordinates: A. George, Nested dissection of a regular finite element mesh, SIAM J.
 * Numer. Anal. 10, 1973. Every separator and every leaf is one supernode. */
#include "solve/cholesky.h"

#include <math.h>

#include "core/memory.h"
#include "solve/cholesky_dense.h"
#include "weft/sort.h"

enum {
    LEAF = 24,                /* vertices below which a region is not split; measured: larger leaves store more zeros */
    LANES = WEFT_DENSE_LANES, /* floats to which columns are padded */
    TASKS = 16,               /* most subtrees swept in parallel */
    SWEPT_ONCE = 4,           /* the same for one unknown per vertex, with three right-hand sides */
    SMALL = 2048,             /* vertices below which one task is then faster */
    TASK_VALUES = 1 << 15,    /* values of a factor that justify another task: some microseconds of a sweep */
    CLUMP = 1024              /* most unknowns in a clump */
};

static const double ROUNDING = 1e-6; /* relative tolerance for coordinates that should be equal */

typedef struct key {
    double at;
    int32_t vertex;
} key;

typedef struct region {
    int32_t begin, end, parent;
} region;

typedef struct dissector {
    weft_cholesky *c;
    const int32_t *start, *column;
    const weft_vec3 *position;
    key *key;
    int32_t *side; /* of each vertex in a region being split: 2 x its begin, plus 1 on the right (vertices) */
    region *stack;
    int32_t depth;
} dissector;

static int compare_keys(const void *a, const void *b) {
    const key *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static double along(weft_vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/* The first axis along which the region is longest, up to rounding. Congruent regions of a grid are thus split alike.
 */
static int longest_axis(const dissector *d, region p) {
    int best = 0;
    double longest = -1;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t k = p.begin; k < p.end; k++) {
            double at = along(d->position[d->c->vertex[k]], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (high - low > (1 + ROUNDING) * longest) {
            longest = high - low;
            best = axis;
        }
    }
    return best;
}

static int touches(const dissector *d, int32_t vertex, int32_t side) {
    for (int32_t k = d->start[vertex]; k < d->start[vertex + 1]; k++)
        if (d->side[d->column[k]] == side)
            return 1;
    return 0;
}

static void add_node(dissector *d, int32_t first, int32_t width, int32_t parent) {
    d->c->node[d->c->node_count++] = (weft_supernode){.parent = parent, .first = first, .width = width};
}

/* The index at which to split the sorted keys. It is the nearest to the middle that lies between two grid lines, so
 * that separators of a grid are straight. If no such gap lies in the middle half, it is the middle itself. */
static int32_t middle_of(const key *sorted, int32_t size) {
    int32_t half = size / 2;
    double gap = ROUNDING * (sorted[size - 1].at - sorted[0].at);
    for (int32_t off = 0; off < size / 4; off++) {
        if (sorted[half + off].at - sorted[half + off - 1].at > gap)
            return half + off;
        if (sorted[half - off].at - sorted[half - off - 1].at > gap)
            return half - off;
    }
    return half;
}

/* Splits a region across its longest axis. The separator consists of the vertices that touch the other half. It is
 * taken from the side where it is smaller, or from the larger side if both are equal. It comes last in the order. Nodes
 * are created parents first; sort_nodes reverses this. */
static void cut(dissector *d, region p) {
    weft_cholesky *c = d->c;
    int32_t size = p.end - p.begin;
    int axis = longest_axis(d, p);
    for (int32_t k = 0; k < size; k++) {
        int32_t vertex = c->vertex[p.begin + k];
        d->key[k] = (key){along(d->position[vertex], axis), vertex};
    }
    weft_sort(d->key, (size_t)size, sizeof *d->key, compare_keys);
    int32_t half = middle_of(d->key, size);
    for (int32_t k = 0; k < size; k++)
        d->side[d->key[k].vertex] = 2 * p.begin + (k >= half);
    int32_t cuts[2] = {0, 0};
    for (int32_t k = 0; k < size; k++)
        cuts[k >= half] += touches(d, d->key[k].vertex, 2 * p.begin + (k < half));
    int from = cuts[1] < cuts[0] || (cuts[1] == cuts[0] && size - half > half);
    int32_t at[3] = {p.begin, p.begin + half - (from == 0 ? cuts[0] : 0), p.end - cuts[from]};
    for (int32_t k = 0; k < size; k++) {
        int right = k >= half, separates = right == from && touches(d, d->key[k].vertex, 2 * p.begin + !right);
        c->vertex[at[separates ? 2 : right]++] = d->key[k].vertex;
    }
    int32_t middle = p.begin + half - (from == 0 ? cuts[0] : 0), end = p.end - cuts[from], parent = p.parent;
    for (int32_t k = end; k < p.end; k++)
        d->side[c->vertex[k]] = -1;
    if (cuts[from] > 0) {
        parent = c->node_count;
        add_node(d, end, cuts[from], p.parent);
    }
    d->stack[d->depth++] = (region){p.begin, middle, parent};
    d->stack[d->depth++] = (region){middle, end, parent};
}

static void dissect(dissector *d) {
    weft_cholesky *c = d->c;
    d->stack[d->depth++] = (region){0, c->vertices, -1};
    while (d->depth > 0) {
        region p = d->stack[--d->depth];
        if (p.end - p.begin > LEAF) {
            cut(d, p);
            continue;
        }
        if (p.end > p.begin)
            add_node(d, p.begin, p.end - p.begin, p.parent);
        for (int32_t k = p.begin; k < p.end; k++)
            d->side[c->vertex[k]] = -1;
    }
}

static int by_first(const void *a, const void *b) {
    const weft_supernode *p = *(const weft_supernode *const *)a, *q = *(const weft_supernode *const *)b;
    return (p->first > q->first) - (p->first < q->first);
}

/* Sorts the supernodes by first column, so that children precede their parents. */
static int sort_nodes(weft_cholesky *c) {
    size_t count = (size_t)c->node_count;
    weft_supernode **sorted = weft_allocate(count, sizeof *sorted);
    weft_supernode *node = weft_allocate_large(count, sizeof *node);
    int32_t *rank = weft_allocate(count, sizeof *rank);
    int done = sorted && node && rank;
    if (done) {
        for (size_t i = 0; i < count; i++)
            sorted[i] = &c->node[i];
        weft_sort(sorted, count, sizeof *sorted, by_first);
        for (size_t i = 0; i < count; i++)
            rank[sorted[i] - c->node] = (int32_t)i;
        for (size_t i = 0; i < count; i++) {
            node[i] = *sorted[i];
            node[i].parent = node[i].parent < 0 ? -1 : rank[node[i].parent];
        }
        free(c->node);
        c->node = node;
        node = NULL;
    }
    free(rank);
    free(node);
    free(sorted);
    return done;
}

static weft_result order(weft_cholesky *c, const int32_t *start, const int32_t *column, const weft_vec3 *position) {
    size_t n = (size_t)c->vertices;
    dissector d = {.c = c, .start = start, .column = column, .position = position};
    d.key = weft_allocate(n, sizeof *d.key);
    d.side = weft_allocate(n, sizeof *d.side);
    d.stack = weft_allocate(n + 2, sizeof *d.stack);
    int done = d.key && d.side && d.stack;
    if (done) {
        for (int32_t v = 0; v < c->vertices; v++) {
            c->vertex[v] = v;
            d.side[v] = -1;
        }
        dissect(&d);
        for (int32_t k = 0; k < c->vertices; k++)
            c->place[c->vertex[k]] = k;
        done = sort_nodes(c);
    }
    free(d.stack);
    free(d.side);
    free(d.key);
    return done ? weft_ok() : weft_fail_memory("order of the unknowns", n * (sizeof(key) + 16));
}

/* -- row structure of the supernodes -- */

typedef struct collector {
    weft_cholesky *c;
    const int32_t *start, *column;
    int32_t *mark; /* by place: the last node that has it as a row (vertices) */
    int32_t *child, *sibling;
    int32_t *list;
    int32_t count;
} collector;

static int compare_places(const void *a, const void *b) {
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

static void collect(collector *k, int32_t node, int32_t place) {
    const weft_supernode *s = &k->c->node[node];
    if (place < s->first + s->width || k->mark[place] == node)
        return;
    k->mark[place] = node;
    k->list[k->count++] = place;
}

/* Collects in `list` the places beyond the node that its own vertices and its children's rows touch. Offsets count
 * vertices. */
static void rows_of(collector *k, int32_t node) {
    weft_cholesky *c = k->c;
    const weft_supernode *s = &c->node[node];
    k->count = 0;
    for (int32_t p = s->first; p < s->first + s->width; p++)
        for (int32_t e = k->start[c->vertex[p]]; e < k->start[c->vertex[p] + 1]; e++)
            collect(k, node, c->place[k->column[e]]);
    for (int32_t child = k->child[node]; child >= 0; child = k->sibling[child])
        for (int32_t i = 0; i < c->node[child].rows; i++)
            collect(k, node, c->row[c->node[child].row + i]);
    weft_sort(k->list, (size_t)k->count, sizeof *k->list, compare_places);
}

static int collect_all(collector *k) {
    weft_cholesky *c = k->c;
    int64_t room = 0;
    for (int32_t i = 0; i < c->node_count; i++) {
        if (c->node[i].parent >= 0) {
            k->sibling[i] = k->child[c->node[i].parent];
            k->child[c->node[i].parent] = i;
        }
        rows_of(k, i);
        if (c->row_count + k->count > room) {
            room = 2 * room + k->count + c->vertices;
            int32_t *larger = realloc(c->row, (size_t)room * sizeof *larger);
            if (!larger)
                return 0;
            c->row = larger;
        }
        if (k->count > 0)
            memcpy(c->row + c->row_count, k->list, (size_t)k->count * sizeof *k->list);
        c->node[i].row = c->row_count;
        c->node[i].rows = k->count;
        c->row_count += k->count;
    }
    return 1;
}

static weft_result find_rows(weft_cholesky *c, const int32_t *start, const int32_t *column) {
    size_t n = (size_t)c->vertices, nodes = (size_t)c->node_count;
    collector k = {.c = c, .start = start, .column = column};
    k.mark = weft_allocate(n, sizeof *k.mark);
    k.list = weft_allocate(n, sizeof *k.list);
    k.child = weft_allocate(nodes, sizeof *k.child);
    k.sibling = weft_allocate(nodes, sizeof *k.sibling);
    int done = k.mark && k.list && k.child && k.sibling;
    if (done) {
        memset(k.mark, 0xff, n * sizeof *k.mark);
        memset(k.child, 0xff, nodes * sizeof *k.child);
        memset(k.sibling, 0xff, nodes * sizeof *k.sibling);
        done = collect_all(&k);
    }
    free(k.sibling);
    free(k.child);
    free(k.list);
    free(k.mark);
    return done ? weft_ok() : weft_fail_memory("rows of a factor", n * sizeof(int32_t));
}

/* Expands vertices to `block` unknowns each. */
static int widen(weft_cholesky *c) {
    int32_t b = c->block;
    int32_t *row = weft_allocate_large((size_t)(c->row_count * b), sizeof *row);
    if (!row)
        return 0;
    for (int64_t i = 0; i < c->row_count; i++)
        for (int32_t k = 0; k < b; k++)
            row[i * b + k] = c->row[i] * b + k;
    free(c->row);
    c->row = row;
    c->row_count *= b;
    for (int32_t i = 0; i < c->node_count; i++) {
        weft_supernode *s = &c->node[i];
        s->first *= b;
        s->width *= b;
        s->rows *= b;
        s->row *= b;
    }
    return 1;
}

/* -- tasks and storage -- */

/* Splits the elimination tree from the top into up to TASKS subtrees, always the one with most nodes. The nodes of a
 * subtree are contiguous, so a task is a range of nodes. The separators above the tasks belong to no task. */
typedef struct subtree {
    int32_t from, root;
} subtree;

static int32_t subtree_from(const weft_cholesky *c, int32_t root) {
    int32_t from = root;
    while (from > 0) {
        int32_t up = from - 1;
        while (up >= 0 && up < root)
            up = c->node[up].parent;
        if (up != root)
            break;
        from--;
    }
    return from;
}

/* Splits a subtree at its root into the children's subtrees. Returns 0 if there are more than `room`. */
static int32_t split_subtree(const weft_cholesky *c, subtree whole, subtree *into, int32_t room) {
    int32_t found = 0;
    for (int32_t end = whole.root; end > whole.from; found++) {
        if (found == room)
            return 0;
        into[found] = (subtree){subtree_from(c, end - 1), end - 1};
        end = into[found].from;
    }
    return found;
}

static int compare_subtrees(const void *a, const void *b) {
    const subtree *p = a, *q = b;
    return (p->from > q->from) - (p->from < q->from);
}

/* Multiplications in the fronts of a subtree. */
static double work_of(const weft_cholesky *c, subtree tree) {
    double sum = 0;
    for (int32_t i = tree.from; i <= tree.root; i++) {
        double width = c->node[i].width, height = width + c->node[i].rows;
        sum += width * height * height;
    }
    return sum;
}

static int32_t tasks_wanted(const weft_cholesky *c) {
    if (c->block == 1)
        return c->vertices >= SMALL ? SWEPT_ONCE : 1;
    int64_t values = 0;
    for (int32_t i = 0; i < c->node_count; i++)
        values += (int64_t)c->node[i].width * (c->node[i].width + c->node[i].rows);
    return values < TASKS * TASK_VALUES ? 1 + (int32_t)(values / TASK_VALUES) : TASKS;
}

static weft_result make_tasks(weft_cholesky *c) {
    subtree task[TASKS + 1];
    int32_t count = 1, wanted = tasks_wanted(c);
    task[0] = (subtree){0, c->node_count - 1};
    if (c->node[c->node_count - 1].first > 0)
        while (count < wanted) {
            int32_t largest = 0;
            for (int32_t i = 1; i < count; i++)
                if (work_of(c, task[i]) > work_of(c, task[largest]))
                    largest = i;
            subtree piece[TASKS + 1], whole = task[largest];
            int32_t pieces = split_subtree(c, whole, piece, wanted + 1 - count);
            if (pieces < 1)
                break;
            task[largest] = piece[0];
            for (int32_t i = 1; i < pieces; i++)
                task[count++] = piece[i];
        }
    weft_sort(task, (size_t)count, sizeof *task, compare_subtrees);
    c->task_count = count;
    c->task_start = weft_allocate(2 * (size_t)count, sizeof *c->task_start);
    c->border_start = weft_allocate((size_t)count + 1, sizeof *c->border_start);
    if (!c->task_start || !c->border_start)
        return weft_fail_memory("tasks of a factor", 3 * (size_t)count * sizeof(int32_t));
    for (int32_t i = 0; i < count; i++) {
        c->task_start[2 * i] = task[i].from;
        c->task_start[2 * i + 1] = task[i].root + 1;
        c->border_start[i + 1] = c->border_start[i] + c->node[task[i].root].rows;
    }
    return weft_ok();
}

static int64_t unknowns_of(const weft_cholesky *c, subtree tree) {
    const weft_supernode *root = &c->node[tree.root];
    return root->first + root->width - c->node[tree.from].first;
}

/* Finds the clumps of a task from its root downwards, last subtree first, then reverses them. `clump` has room for one
 * per node. */
static void find_clumps(weft_cholesky *c, int32_t task, const int32_t *from) {
    for (int32_t root = c->task_start[2 * task + 1] - 1; root >= c->task_start[2 * task];) {
        subtree tree = {from[root], root};
        int fits = unknowns_of(c, tree) <= CLUMP;
        if (fits) {
            c->clump[2 * c->clump_count] = tree.from;
            c->clump[2 * c->clump_count++ + 1] = tree.root + 1;
        }
        root = fits ? tree.from - 1 : root - 1;
    }
    int32_t low = c->clump_start[task], high = c->clump_count - 1;
    for (; low < high; low++, high--)
        for (int k = 0; k < 2; k++) {
            int32_t node = c->clump[2 * low + k];
            c->clump[2 * low + k] = c->clump[2 * high + k];
            c->clump[2 * high + k] = node;
        }
    c->clump_start[task + 1] = c->clump_count;
}

static weft_result make_clumps(weft_cholesky *c) {
    size_t nodes = (size_t)c->node_count;
    int32_t *from = weft_allocate(nodes, sizeof *from); /* first node of each node's subtree */
    c->clump = weft_allocate(2 * nodes, sizeof *c->clump);
    c->clump_start = weft_allocate((size_t)c->task_count + 1, sizeof *c->clump_start);
    int done = from && c->clump && c->clump_start;
    if (done) {
        for (int32_t i = 0; i < c->node_count; i++)
            from[i] = i;
        for (int32_t i = 0; i < c->node_count; i++) {
            int32_t parent = c->node[i].parent;
            if (parent >= 0 && from[i] < from[parent])
                from[parent] = from[i];
        }
        for (int32_t t = 0; t < c->task_count; t++)
            find_clumps(c, t, from);
    }
    free(from);
    return done ? weft_ok() : weft_fail_memory("tasks of a factor", 3 * nodes * sizeof(int32_t));
}

/* Determines where the forward sweep adds each row of a task's nodes. */
static weft_result make_targets(weft_cholesky *c) {
    c->target = weft_allocate_large((size_t)c->row_count, sizeof *c->target);
    c->border = weft_allocate((size_t)c->border_start[c->task_count], sizeof *c->border);
    int32_t *at = weft_allocate((size_t)c->count, sizeof *at);
    if (!c->target || !c->border || !at) {
        free(at);
        return weft_fail_memory("targets of a factor", (size_t)c->row_count * sizeof *c->target);
    }
    memcpy(c->target, c->row, (size_t)c->row_count * sizeof *c->row);
    for (int32_t t = 0; t < c->task_count; t++) {
        int32_t root = c->task_start[2 * t + 1] - 1;
        const weft_supernode *top = &c->node[root];
        for (int32_t i = 0; i < top->rows; i++) {
            c->border[c->border_start[t] + i] = c->row[top->row + i];
            at[c->row[top->row + i]] = c->count + c->border_start[t] + i;
        }
        for (int32_t node = c->task_start[2 * t]; node <= root; node++)
            for (int64_t i = c->node[node].row; i < c->node[node].row + c->node[node].rows; i++)
                if (c->row[i] >= top->first + top->width)
                    c->target[i] = at[c->row[i]];
    }
    free(at);
    return weft_ok();
}

static int32_t padded(int32_t n) { return (n + LANES - 1) / LANES * LANES; }

/* Allocates room for all values. If supernodes share values, the end stays untouched. Products read up to three columns
 * beyond a block, so padding follows the last one. */
static weft_result lay_out(weft_cholesky *c) {
    for (int32_t i = 0; i < c->node_count; i++) {
        weft_supernode *s = &c->node[i];
        s->stride = padded(s->rows);
        s->pivot_stride = padded(s->width);
        c->value_count += weft_supernode_size(s);
        c->widest = s->pivot_stride > c->widest ? s->pivot_stride : c->widest;
        c->tallest = s->stride > c->tallest ? s->stride : c->tallest;
    }
    size_t behind = 16 + 3 * (size_t)(c->tallest > c->widest ? c->tallest : c->widest);
    c->memory = weft_allocate_large((size_t)c->value_count + behind, sizeof(float));
    if (!c->memory)
        return weft_fail_memory("a factor", (size_t)c->value_count * sizeof(float));
    c->value = (float *)(((uintptr_t)c->memory + 63) / 64 * 64);
    return weft_ok();
}

static weft_result build(weft_cholesky *c, const int32_t *start, const int32_t *column, const weft_vec3 *position) {
    size_t n = (size_t)c->vertices;
    c->place = weft_allocate(n, sizeof *c->place);
    c->vertex = weft_allocate_large(n, sizeof *c->vertex);
    c->node = weft_allocate(n, sizeof *c->node);
    if (!c->place || !c->vertex || !c->node)
        return weft_fail_memory("a factor", n * sizeof *c->node);
    WEFT_TRY(order(c, start, column, position));
    WEFT_TRY(find_rows(c, start, column));
    if (!widen(c))
        return weft_fail_memory("rows of a factor", (size_t)(c->row_count * c->block) * sizeof(int32_t));
    WEFT_TRY(make_tasks(c));
    WEFT_TRY(make_clumps(c));
    WEFT_TRY(make_targets(c));
    return lay_out(c);
}

weft_result weft_cholesky_create(int32_t vertices, const int32_t *start, const int32_t *column,
                                 const weft_vec3 *position, int32_t block, weft_cholesky **made) {
    *made = NULL;
    weft_cholesky *c = weft_allocate(1, sizeof *c);
    if (!c)
        return weft_fail_memory("a factor", sizeof *c);
    c->vertices = vertices;
    c->block = block;
    c->count = vertices * block;
    c->isa = weft_simd_isa();
    weft_result result = build(c, start, column, position);
    if (result.code == WEFT_OK)
        *made = c;
    else
        weft_cholesky_destroy(c);
    return result;
}

void weft_cholesky_destroy(weft_cholesky *c) {
    if (!c)
        return;
    weft_cholesky_free_fronts(c);
    free(c->memory);
    free(c->border);
    free(c->target);
    free(c->clump);
    free(c->clump_start);
    free(c->border_start);
    free(c->task_start);
    free(c->row);
    free(c->node);
    free(c->vertex);
    free(c->place);
    free(c);
}
