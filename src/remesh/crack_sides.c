/* Separates the two sides of an opened edge by a small gap.
 *
 * The two sides coincide at first. Contact cannot tell on which side of the other each lies, because closest points at
 * distance 0 have no direction. Therefore each vertex that was split moves into its own side of the cloth. The gap is a
 * hundredth of the contact thickness. The common centre of mass stays. Positions before the step move along, so no
 * velocity arises. The gap is ten times the margin for collision detection. At a thickness of 2 mm it strains a
 * triangle of 1 cm by 0.2 %. */
#include <math.h>

#include "remesh/remesh.h"

/* Gap in thicknesses; maximum gap in heights of the adjacent triangles, which must not invert. */
static const double APART = 1e-2, MOST = 0.05;
enum { TRIES = 4 }; /* each with a quarter of the previous gap; the last gap is below the detection margin */

typedef struct sides {
    weft_sim *sim;
    sim_cloth *cloth;
    const weft_refined *refined;
    const weft_vec3 *x; /* positions of the cloth */
    int32_t *partner;   /* former twin of an opened half-edge, else WEFT_NONE (3 triangle_count) */
    int32_t *group;     /* lowest of the vertices that were one vertex (vertex_count) */
    int32_t *next;      /* next higher vertex of the group, or WEFT_NONE (vertex_count) */
    uint8_t *fixed;     /* held in place by a drag or by a pin that names the vertex (vertex_count) */
    weft_vec3 *way;     /* displacement of each vertex, first a direction, then in units of the gap (vertex_count) */
    double gap;         /* m */
    int inner;          /* 1: of two fans the one with the smaller angle moves into itself */
} sides;

int sim_open_edge(sim_cloth *cloth, int32_t h) {
    weft_refined *r = cloth->refined;
    int32_t twin = r->twin[h];
    if (cloth->opened_count == cloth->opened_capacity) {
        int32_t capacity = 2 * cloth->opened_capacity + 64;
        void *grown = realloc(cloth->opened, (size_t)capacity * sizeof *cloth->opened);
        if (!grown) {
            r->failed = 1;
            return 0;
        }
        cloth->opened = grown;
        cloth->opened_capacity = capacity;
    }
    if (!weft_refined_open(r, h))
        return 0;
    cloth->opened[cloth->opened_count][0] = h;
    cloth->opened[cloth->opened_count++][1] = twin;
    return 1;
}

static int32_t root_of(int32_t *group, int32_t v) {
    while (group[v] != v)
        v = group[v] = group[group[v]];
    return v;
}

static void join(int32_t *group, int32_t a, int32_t b) {
    a = root_of(group, a);
    b = root_of(group, b);
    group[a > b ? a : b] = a < b ? a : b;
}

static void fix(const sides *s, int32_t vertex) {
    int32_t v = vertex - s->cloth->first;
    if (v >= 0 && v < s->refined->vertex_count)
        s->fixed[v] = s->sim->held[vertex];
}

static void mark_fixed(const sides *s) {
    const weft_sim *sim = s->sim;
    for (int32_t i = 0; i < sim->drag_count; i++)
        fix(s, sim->drag[i].vertex);
    for (int32_t p = 0; p < sim->pin_count; p++)
        for (int32_t i = 0; i < sim->pin[p].given; i++)
            fix(s, sim->pin[p].vertex[i]);
}

static void find_groups(sides *s) {
    const weft_refined *r = s->refined;
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        s->partner[h] = WEFT_NONE;
    for (int32_t v = 0; v < r->vertex_count; v++)
        s->group[v] = v;
    for (int32_t i = 0; i < s->cloth->opened_count; i++) {
        int32_t h = s->cloth->opened[i][0], twin = s->cloth->opened[i][1];
        s->partner[h] = twin;
        s->partner[twin] = h;
        join(s->group, r->origin[h], r->origin[weft_next(twin)]);
        join(s->group, r->origin[twin], r->origin[weft_next(h)]);
    }
    for (int32_t v = r->vertex_count - 1; v >= 0; v--)
        s->next[v] = WEFT_NONE;
    for (int32_t v = r->vertex_count - 1; v >= 0; v--) {
        int32_t lowest = s->group[v] = root_of(s->group, v);
        if (lowest == v)
            continue;
        s->next[v] = s->next[lowest];
        s->next[lowest] = v;
    }
}

/* `d` without its component along half-edge h. */
static weft_vec3 across(const sides *s, int32_t h, weft_vec3 d) {
    const int32_t *origin = s->refined->origin;
    weft_vec3 along = weft_normalize(weft_sub(s->x[origin[weft_next(h)]], s->x[origin[h]]));
    return weft_add_scaled(d, -weft_dot(d, along), along);
}

/* Direction away from the opened boundary half-edge h: away from the former neighbour, even if the cloth is folded
 * there, else into the triangle. */
static weft_vec3 inwards(const sides *s, int32_t h) {
    const int32_t *origin = s->refined->origin;
    int32_t partner = s->partner[h];
    weft_vec3 own = s->x[origin[weft_previous(h)]];
    weft_vec3 from = partner == WEFT_NONE ? s->x[origin[h]] : s->x[origin[weft_previous(partner)]];
    return weft_normalize(across(s, h, weft_sub(own, from)));
}

/* Moves a vertex away from both ends of its fan of triangles, and limits the gap. */
static void find_way(sides *s, int32_t v) {
    const weft_refined *r = s->refined;
    int32_t first = r->corner[v], last = first;
    for (int32_t h = first; h != WEFT_NONE; h = r->twin[weft_previous(h)]) {
        double height = weft_length(across(s, weft_next(h), weft_sub(s->x[v], s->x[r->origin[weft_next(h)]])));
        s->gap = height > 0 && MOST * height < s->gap ? MOST * height : s->gap;
        last = weft_previous(h);
    }
    s->way[v] = weft_normalize(weft_add(inwards(s, first), inwards(s, last)));
}

/* Direction into the fan of v, weighted by the angles of its triangles. Returns the sum of the angles, rad. */
static double look_inside(const sides *s, int32_t v, weft_vec3 *way) {
    const weft_refined *r = s->refined;
    weft_vec3 sum = {0, 0, 0};
    double whole = 0;
    for (int32_t h = r->corner[v]; h != WEFT_NONE; h = r->twin[weft_previous(h)]) {
        weft_vec3 a = weft_normalize(weft_sub(s->x[r->origin[weft_next(h)]], s->x[v]));
        weft_vec3 b = weft_normalize(weft_sub(s->x[r->origin[weft_previous(h)]], s->x[v]));
        double angle = atan2(weft_length(weft_cross(a, b)), weft_dot(a, b));
        sum = weft_add_scaled(sum, angle, weft_normalize(weft_add(a, b)));
        whole += angle;
    }
    *way = weft_normalize(sum);
    return whole;
}

/* Moves the fan with the smaller angle into itself. Its interior is free, however the cloth is folded around it. */
static void go_inside(const sides *s, const int32_t member[2]) {
    weft_vec3 way[2];
    int sharper = look_inside(s, member[1], &way[1]) < look_inside(s, member[0], &way[0]);
    s->way[member[sharper]] = way[sharper];
    s->way[member[!sharper]] = weft_scale(-1, way[sharper]);
}

/* Makes displacements relative to held vertices, or to the common centre of mass. Two vertices separate by 1. */
static void balance(const sides *s, const int32_t *member, int32_t count) {
    const double *mass = s->sim->mass + s->cloth->first;
    weft_vec3 middle = {0, 0, 0};
    double whole = 0;
    if (count == 2) {
        weft_vec3 half = weft_scale(0.5, weft_normalize(weft_sub(s->way[member[0]], s->way[member[1]])));
        s->way[member[0]] = half;
        s->way[member[1]] = weft_scale(-1, half);
    }
    for (int32_t i = 0; i < count; i++) {
        middle = weft_add_scaled(middle, mass[member[i]], s->way[member[i]]);
        whole += mass[member[i]];
    }
    middle = weft_scale(whole > 0 ? 1 / whole : 0, middle);
    for (int32_t i = 0; i < count; i++)
        middle = s->fixed[member[i]] ? s->way[member[i]] : middle;
    for (int32_t i = 0; i < count; i++)
        s->way[member[i]] = weft_sub(s->way[member[i]], middle);
}

static void find_ways(sides *s) {
    enum { FANS = 32 }; /* more than the cracks at any vertex */
    for (int32_t i = 0; i < s->cloth->opened_count; i++)
        for (int k = 0; k < 2; k++) {
            int32_t lowest = s->group[s->refined->origin[s->cloth->opened[i][k]]], member[FANS], members = 0;
            if (weft_dot(s->way[lowest], s->way[lowest]) > 0)
                continue;
            for (int32_t v = lowest; v != WEFT_NONE && members < FANS; v = s->next[v])
                member[members++] = v;
            if (members < 2)
                continue;
            for (int32_t m = 0; m < members; m++)
                find_way(s, member[m]);
            if (s->inner && members == 2)
                go_inside(s, member);
            balance(s, member, members);
        }
}

static void move(const sides *s, double by) {
    weft_sim *sim = s->sim;
    for (int32_t v = 0; v < s->refined->vertex_count; v++) {
        int32_t at = s->cloth->first + v;
        weft_vec3 way = weft_scale(by, s->way[v]);
        if (weft_dot(way, way) == 0)
            continue;
        sim->x[at] = weft_add(sim->x[at], way);
        sim_x_before(sim)[at] = weft_add(sim_x_before(sim)[at], way);
        sim_shift_pins(sim, at, way);
    }
}

/* Reduces the gap where layers are so close that it causes an intersection. */
static weft_result take_apart(sides *s, int *done) {
    int64_t before = 0, after = 0;
    for (int try = 0; try < TRIES && !*done; try++, s->gap *= 0.25) {
        move(s, s->gap);
        WEFT_TRY(sim_count_crossings(s->sim, &after));
        *done = after == 0;
        if (*done)
            return weft_ok();
        move(s, -s->gap);
        if (try == 0)
            WEFT_TRY(sim_count_crossings(s->sim, &before));
        *done = after <= before;
        if (*done)
            move(s, s->gap);
    }
    return weft_ok();
}

/* If no gap is small enough, the direction leads through something, such as a small part in a fold. The second attempt
 * moves the fans inwards instead. */
static weft_result find_room(sides *s) {
    double gap = s->gap;
    int done = 0;
    for (s->inner = 0; s->inner < 2 && !done; s->inner++) {
        s->gap = gap;
        memset(s->way, 0, (size_t)s->refined->vertex_count * sizeof *s->way);
        find_ways(s);
        WEFT_TRY(take_apart(s, &done));
    }
    return weft_ok();
}

static weft_result part(sides *s) {
    size_t vertices = (size_t)s->refined->vertex_count, triangles = (size_t)s->refined->triangle_count;
    s->partner = weft_allocate(3 * triangles, sizeof *s->partner);
    s->group = weft_allocate(vertices, sizeof *s->group);
    s->next = weft_allocate(vertices, sizeof *s->next);
    s->fixed = weft_allocate(vertices, 1);
    s->way = weft_allocate(vertices, sizeof *s->way);
    weft_result result = weft_fail_memory("the sides of a crack", vertices * sizeof *s->way);
    if (s->partner && s->group && s->next && s->fixed && s->way) {
        find_groups(s);
        mark_fixed(s);
        result = find_room(s);
    }
    free(s->way);
    free(s->fixed);
    free(s->next);
    free(s->group);
    free(s->partner);
    return result;
}

weft_result sim_separate_crack_sides(weft_sim *sim, sim_cloth *cloth) {
    sides s = {.sim = sim,
               .cloth = cloth,
               .refined = cloth->refined,
               .x = sim->x + cloth->first,
               .gap = APART * sim->contact_settings.thickness};
    weft_result result = weft_ok();
    if (cloth->opened_count > 0 && sim->contact_settings.self)
        result = part(&s);
    cloth->opened_count = 0;
    return result;
}
