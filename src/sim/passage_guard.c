/* Tests whether a mesh change would pass through a body or through cloth.
 *
 * Brochu and Bridson, "Robust topological operations for dynamic explicit surfaces" (2009), treat a change of
 * connectivity as a motion and test it for collisions. Here the motion sweeps a tetrahedron. Any triangle inside it
 * blocks the change. The triangles are stored in a uniform grid. */
#include "sim/passage_guard.h"

#include "core/memory.h"
#include "weft/vec.h"

typedef struct corners {
    weft_vec3 at[3];
} corners;

/* A triangle in the list of a grid cell. */
typedef struct entry {
    int32_t triangle, next;
} entry;

struct weft_passage_guard {
    corners *triangle;
    entry *entry;
    int32_t count, capacity, entry_count, entry_capacity;
    weft_vec3 low;
    double cell; /* cell size, m */
    int32_t cells[3];
    int32_t *head; /* first entry of each cell */
};

enum { MOST_CELLS = 64, NONE = -1 }; /* maximum cells along an axis; end of a list */

static double component(weft_vec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

/* Inlined, unlike fmin and fmax. There are no NaNs. */
static double lesser(double a, double b) { return a < b ? a : b; }
static double greater(double a, double b) { return a > b ? a : b; }

static void bounds(const weft_vec3 *at, int count, weft_vec3 *low, weft_vec3 *high) {
    *low = *high = at[0];
    for (int i = 1; i < count; i++) {
        *low = weft_vec3_make(lesser(low->x, at[i].x), lesser(low->y, at[i].y), lesser(low->z, at[i].z));
        *high = weft_vec3_make(greater(high->x, at[i].x), greater(high->y, at[i].y), greater(high->z, at[i].z));
    }
}

static int32_t cell_of(const weft_passage_guard *g, double at, int axis) {
    double index = (at - component(g->low, axis)) / g->cell;
    return index < 0 ? 0 : index >= g->cells[axis] ? g->cells[axis] - 1 : (int32_t)index;
}

typedef struct range {
    int32_t from[3], to[3];
} range;

static range cells_of(const weft_passage_guard *g, const weft_vec3 *at, int count) {
    weft_vec3 low, high;
    range r;
    bounds(at, count, &low, &high);
    for (int k = 0; k < 3; k++) {
        r.from[k] = cell_of(g, component(low, k), k);
        r.to[k] = cell_of(g, component(high, k), k);
    }
    return r;
}

static size_t cell_index(const weft_passage_guard *g, int32_t i, int32_t j, int32_t k) {
    return ((size_t)k * (size_t)g->cells[1] + (size_t)j) * (size_t)g->cells[0] + (size_t)i;
}

static int has_room(void **array, int32_t *capacity, int64_t needed, size_t size) {
    if (needed <= *capacity)
        return 1;
    int64_t room = needed + needed / 2 + 64;
    void *grown = room <= INT32_MAX ? realloc(*array, (size_t)room * size) : NULL;
    if (!grown)
        return 0;
    *array = grown;
    *capacity = (int32_t)room;
    return 1;
}

/* Adds a triangle to all cells that its bounding box touches. Returns 0 if out of memory. */
static int insert(weft_passage_guard *g, int32_t t) {
    range r = cells_of(g, g->triangle[t].at, 3);
    int64_t touched = 1;
    for (int k = 0; k < 3; k++)
        touched *= r.to[k] - r.from[k] + 1;
    if (!has_room((void **)&g->entry, &g->entry_capacity, g->entry_count + touched, sizeof *g->entry))
        return 0;
    for (int32_t k = r.from[2]; k <= r.to[2]; k++)
        for (int32_t j = r.from[1]; j <= r.to[1]; j++)
            for (int32_t i = r.from[0]; i <= r.to[0]; i++) {
                int32_t *head = &g->head[cell_index(g, i, j, k)];
                g->entry[g->entry_count] = (entry){t, *head};
                *head = g->entry_count++;
            }
    return 1;
}

static weft_result make_grid(weft_passage_guard *g) {
    double size = 0;
    weft_vec3 low = g->triangle[0].at[0], high = low;
    for (int32_t t = 0; t < g->count; t++) {
        weft_vec3 a, b, ends[4];
        bounds(g->triangle[t].at, 3, &a, &b);
        size += weft_distance(a, b) / g->count;
        ends[0] = low, ends[1] = high, ends[2] = a, ends[3] = b;
        bounds(ends, 4, &low, &high);
    }
    double longest = greater(high.x - low.x, greater(high.y - low.y, high.z - low.z));
    g->low = low;
    g->cell = greater(size, longest / MOST_CELLS) + 1e-12;
    size_t cells = 1;
    for (int k = 0; k < 3; k++) {
        g->cells[k] = (int32_t)((component(high, k) - component(low, k)) / g->cell) + 1;
        cells *= (size_t)g->cells[k];
    }
    g->head = weft_allocate(cells, sizeof *g->head);
    if (!g->head)
        return weft_fail_memory("adaptation", cells * sizeof *g->head);
    for (size_t c = 0; c < cells; c++)
        g->head[c] = NONE;
    for (int32_t t = 0; t < g->count; t++)
        if (!insert(g, t))
            return weft_fail_memory("adaptation", (size_t)g->count * sizeof *g->entry);
    return weft_ok();
}

weft_result weft_passage_guard_create(const weft_passage_guard_surface *surface, int32_t count,
                                      weft_passage_guard **made) {
    *made = NULL;
    weft_passage_guard *g = weft_allocate(1, sizeof *g);
    if (!g)
        return weft_fail_memory("adaptation", sizeof *g);
    for (int32_t s = 0; s < count; s++)
        g->capacity += surface[s].triangle_count;
    g->triangle = weft_allocate((size_t)g->capacity, sizeof *g->triangle);
    weft_result result = weft_ok();
    if (!g->triangle)
        result = weft_fail_memory("adaptation", (size_t)g->capacity * sizeof *g->triangle);
    for (int32_t s = 0; g->triangle && s < count; s++)
        for (int32_t t = 0; t < surface[s].triangle_count; t++, g->count++)
            for (int k = 0; k < 3; k++)
                g->triangle[g->count].at[k] = surface[s].x[surface[s].triangle[t][k]];
    if (result.code == WEFT_OK && g->count > 0)
        result = make_grid(g);
    if (result.code != WEFT_OK) {
        weft_passage_guard_destroy(g);
        return result;
    }
    *made = g;
    return result;
}

void weft_passage_guard_destroy(weft_passage_guard *g) {
    if (!g)
        return;
    free(g->head);
    free(g->entry);
    free(g->triangle);
    free(g);
}

int weft_passage_guard_add(weft_passage_guard *g, const weft_vec3 corner[3]) {
    if (!has_room((void **)&g->triangle, &g->capacity, (int64_t)g->count + 1, sizeof *g->triangle))
        return 0;
    memcpy(g->triangle[g->count].at, corner, 3 * sizeof *corner);
    if (g->head && !insert(g, g->count))
        return 0;
    g->count++;
    return 1;
}

static int is_separating(weft_vec3 axis, const weft_vec3 *a, int a_count, const weft_vec3 *b, int b_count) {
    double a_low = HUGE_VAL, a_high = -HUGE_VAL, b_low = HUGE_VAL, b_high = -HUGE_VAL;
    for (int i = 0; i < a_count; i++) {
        double at = weft_dot(axis, a[i]);
        a_low = lesser(a_low, at);
        a_high = greater(a_high, at);
    }
    for (int i = 0; i < b_count; i++) {
        double at = weft_dot(axis, b[i]);
        b_low = lesser(b_low, at);
        b_high = greater(b_high, at);
    }
    return a_high < b_low || b_high < a_low;
}

static weft_vec3 normal_of(weft_vec3 a, weft_vec3 b, weft_vec3 c) { return weft_cross(weft_sub(b, a), weft_sub(c, a)); }

/* Separating-axis test with face normals and coordinate axes. It omits the products of edges, so it may only miss a
 * separation. */
static int are_separated(const weft_vec3 tet[4], const weft_vec3 triangle[3]) {
    const weft_vec3 axes[8] = {{1, 0, 0},
                               {0, 1, 0},
                               {0, 0, 1},
                               normal_of(triangle[0], triangle[1], triangle[2]),
                               normal_of(tet[0], tet[1], tet[2]),
                               normal_of(tet[0], tet[1], tet[3]),
                               normal_of(tet[0], tet[2], tet[3]),
                               normal_of(tet[1], tet[2], tet[3])};
    for (int i = 0; i < 8; i++)
        if (is_separating(axes[i], tet, 4, triangle, 3))
            return 1;
    return 0;
}

/* -- triangles that share a corner with the tetrahedron: they touch it there, and block if more of them is inside -- */

static double volume(weft_vec3 a, weft_vec3 b, weft_vec3 c, weft_vec3 d) {
    return weft_dot(normal_of(a, b, c), weft_sub(d, a));
}

static int is_same(weft_vec3 a, weft_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Bits of the tetrahedron corners that the triangle shares; `unshared` receives the triangle's other corners. */
static unsigned find_shared(const weft_vec3 tet[4], const weft_vec3 triangle[3], weft_vec3 unshared[3],
                            int *unshared_count) {
    unsigned shared = 0;
    *unshared_count = 0;
    for (int k = 0; k < 3; k++) {
        unsigned bits = 0;
        for (int i = 0; i < 4; i++)
            bits |= is_same(tet[i], triangle[k]) ? 1U << i : 0;
        if (!bits)
            unshared[(*unshared_count)++] = triangle[k];
        shared |= bits;
    }
    return shared;
}

/* Whether the triangle enters the tetrahedron from the shared corner or side. Its other side p q, or corner p = q, is
 * then between the tetrahedron's faces that meet there. The distance does not matter. */
static int enters(const weft_vec3 tet[4], unsigned shared, weft_vec3 p, weft_vec3 q) {
    static const double LEAST = 1e-9; /* fraction of the side; less counts as touching */
    static const double FLAT = 1e-10; /* volume over cubed size; less counts as coplanar, up to rounding */
    double from = 0, to = 1, size = greater(weft_distance(tet[0], p), weft_distance(tet[0], q));
    for (int i = 1; i < 4; i++)
        size = greater(size, weft_distance(tet[0], tet[i]));
    double touch = FLAT * size * size * size;
    for (int i = 0; i < 4; i++) {
        if (shared >> i & 1) /* the face opposite to a shared corner does not contain it */
            continue;
        weft_vec3 a = tet[(i + 1) & 3], b = tet[(i + 2) & 3], c = tet[(i + 3) & 3];
        double side = volume(a, b, c, tet[i]) > 0 ? 1 : -1;
        double at_p = side * volume(a, b, c, p), at_q = side * volume(a, b, c, q);
        if (at_p <= touch && at_q <= touch)
            return 0;
        if (at_p < 0)
            from = greater(from, at_p / (at_p - at_q));
        else if (at_q < 0)
            to = lesser(to, at_p / (at_p - at_q));
    }
    return to - from > LEAST;
}

static int blocks(const weft_vec3 tet[4], unsigned removed, const weft_vec3 triangle[3]) {
    weft_vec3 unshared[3];
    int unshared_count;
    if (are_separated(tet, triangle))
        return 0;
    unsigned shared = find_shared(tet, triangle, unshared, &unshared_count);
    if (unshared_count == 3)
        return 1;
    return unshared_count > 0 && !(shared & removed) && enters(tet, shared, unshared[0], unshared[unshared_count - 1]);
}

int weft_passage_guard_is_free(const weft_passage_guard *g, const weft_vec3 corner[4], unsigned removed) {
    if (!g->head)
        return 1;
    range r = cells_of(g, corner, 4);
    for (int32_t k = r.from[2]; k <= r.to[2]; k++)
        for (int32_t j = r.from[1]; j <= r.to[1]; j++)
            for (int32_t i = r.from[0]; i <= r.to[0]; i++)
                for (int32_t e = g->head[cell_index(g, i, j, k)]; e != NONE; e = g->entry[e].next)
                    if (blocks(corner, removed, g->triangle[g->entry[e].triangle].at))
                        return 0;
    return 1;
}
