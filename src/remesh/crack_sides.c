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
static const double GAP = 1e-2, MAX_GAP = 0.05;
enum { TRIES = 4 }; /* each with a quarter of the previous gap; the last gap is below the detection margin */

typedef struct crack_sides {
    weft_sim *sim;
    sim_cloth *cloth;
    const weft_refined *refined;
    const weft_vec3 *x; /* positions of the cloth */
    int32_t *partner;   /* former twin of an opened half-edge, else WEFT_NONE (3 triangle_count) */
    int32_t *group;     /* lowest of the vertices that were one vertex (vertex_count) */
    int32_t *next;      /* next higher vertex of the group, or WEFT_NONE (vertex_count) */
    uint8_t *fixed;     /* held in place by a drag or by a pin that names the vertex (vertex_count) */
    weft_vec3 *shift;   /* displacement of each vertex, first a direction, then in units of the gap (vertex_count) */
    double gap;         /* m */
    int into_fan;       /* 1: of two fans the one with the smaller angle moves into itself */
} crack_sides;

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

static void fix(const crack_sides *s, int32_t vertex) {
    int32_t v = vertex - s->cloth->first;
    if (v >= 0 && v < s->refined->vertex_count)
        s->fixed[v] = s->sim->held[vertex];
}

static void mark_fixed(const crack_sides *s) {
    const weft_sim *sim = s->sim;
    for (int32_t i = 0; i < sim->drag_count; i++)
        fix(s, sim->drag[i].vertex);
    for (int32_t p = 0; p < sim->pin_count; p++)
        for (int32_t i = 0; i < sim->pin[p].given; i++)
            fix(s, sim->pin[p].vertex[i]);
}

static void find_groups(crack_sides *s) {
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
static weft_vec3 across(const crack_sides *s, int32_t h, weft_vec3 d) {
    const int32_t *origin = s->refined->origin;
    weft_vec3 along = weft_normalize(weft_sub(s->x[origin[weft_next(h)]], s->x[origin[h]]));
    return weft_add_scaled(d, -weft_dot(d, along), along);
}

/* Direction away from the opened boundary half-edge h: away from the former neighbour, even if the cloth is folded
 * there, else into the triangle. */
static weft_vec3 away_from_crack(const crack_sides *s, int32_t h) {
    const int32_t *origin = s->refined->origin;
    int32_t partner = s->partner[h];
    weft_vec3 own = s->x[origin[weft_previous(h)]];
    weft_vec3 from = partner == WEFT_NONE ? s->x[origin[h]] : s->x[origin[weft_previous(partner)]];
    return weft_normalize(across(s, h, weft_sub(own, from)));
}

/* Moves a vertex away from both ends of its fan of triangles, and limits the gap. */
static void find_shift(crack_sides *s, int32_t v) {
    const weft_refined *r = s->refined;
    int32_t first = r->corner[v], last = first;
    for (int32_t h = first; h != WEFT_NONE; h = r->twin[weft_previous(h)]) {
        double height = weft_length(across(s, weft_next(h), weft_sub(s->x[v], s->x[r->origin[weft_next(h)]])));
        s->gap = height > 0 && MAX_GAP * height < s->gap ? MAX_GAP * height : s->gap;
        last = weft_previous(h);
    }
    s->shift[v] = weft_normalize(weft_add(away_from_crack(s, first), away_from_crack(s, last)));
}

/* Direction into the fan of v, weighted by the angles of its triangles. Returns the sum of the angles, rad. */
static double fan_direction(const crack_sides *s, int32_t v, weft_vec3 *shift) {
    const weft_refined *r = s->refined;
    weft_vec3 sum = {0, 0, 0};
    double total = 0;
    for (int32_t h = r->corner[v]; h != WEFT_NONE; h = r->twin[weft_previous(h)]) {
        weft_vec3 a = weft_normalize(weft_sub(s->x[r->origin[weft_next(h)]], s->x[v]));
        weft_vec3 b = weft_normalize(weft_sub(s->x[r->origin[weft_previous(h)]], s->x[v]));
        double angle = atan2(weft_length(weft_cross(a, b)), weft_dot(a, b));
        sum = weft_add_scaled(sum, angle, weft_normalize(weft_add(a, b)));
        total += angle;
    }
    *shift = weft_normalize(sum);
    return total;
}

/* Moves the fan with the smaller angle into itself. Its interior is free, however the cloth is folded around it. */
static void shift_into_fan(const crack_sides *s, const int32_t member[2]) {
    weft_vec3 shift[2];
    int sharper = fan_direction(s, member[1], &shift[1]) < fan_direction(s, member[0], &shift[0]);
    s->shift[member[sharper]] = shift[sharper];
    s->shift[member[!sharper]] = weft_scale(-1, shift[sharper]);
}

/* Makes displacements relative to held vertices, or to the common centre of mass. Two vertices separate by 1. */
static void balance(const crack_sides *s, const int32_t *member, int32_t count) {
    const double *mass = s->sim->mass + s->cloth->first;
    weft_vec3 middle = {0, 0, 0};
    double total = 0;
    if (count == 2) {
        weft_vec3 half = weft_scale(0.5, weft_normalize(weft_sub(s->shift[member[0]], s->shift[member[1]])));
        s->shift[member[0]] = half;
        s->shift[member[1]] = weft_scale(-1, half);
    }
    for (int32_t i = 0; i < count; i++) {
        middle = weft_add_scaled(middle, mass[member[i]], s->shift[member[i]]);
        total += mass[member[i]];
    }
    middle = weft_scale(total > 0 ? 1 / total : 0, middle);
    for (int32_t i = 0; i < count; i++)
        middle = s->fixed[member[i]] ? s->shift[member[i]] : middle;
    for (int32_t i = 0; i < count; i++)
        s->shift[member[i]] = weft_sub(s->shift[member[i]], middle);
}

static void find_shifts(crack_sides *s) {
    enum { FANS = 32 }; /* more than the cracks at any vertex */
    for (int32_t i = 0; i < s->cloth->opened_count; i++)
        for (int k = 0; k < 2; k++) {
            int32_t lowest = s->group[s->refined->origin[s->cloth->opened[i][k]]], member[FANS], members = 0;
            if (weft_dot(s->shift[lowest], s->shift[lowest]) > 0)
                continue;
            for (int32_t v = lowest; v != WEFT_NONE && members < FANS; v = s->next[v])
                member[members++] = v;
            if (members < 2)
                continue;
            for (int32_t m = 0; m < members; m++)
                find_shift(s, member[m]);
            if (s->into_fan && members == 2)
                shift_into_fan(s, member);
            balance(s, member, members);
        }
}

static void move(const crack_sides *s, double by) {
    weft_sim *sim = s->sim;
    for (int32_t v = 0; v < s->refined->vertex_count; v++) {
        int32_t at = s->cloth->first + v;
        weft_vec3 shift = weft_scale(by, s->shift[v]);
        if (weft_dot(shift, shift) == 0)
            continue;
        sim->x[at] = weft_add(sim->x[at], shift);
        sim_x_before(sim)[at] = weft_add(sim_x_before(sim)[at], shift);
        sim_shift_pins(sim, at, shift);
    }
}

/* Reduces the gap where layers are so close that it causes an intersection. */
static weft_result try_gaps(crack_sides *s, int *separated) {
    int64_t before = 0, after = 0;
    for (int try = 0; try < TRIES && !*separated; try++, s->gap *= 0.25) {
        move(s, s->gap);
        WEFT_TRY(sim_count_crossings(s->sim, &after));
        *separated = after == 0;
        if (*separated)
            return weft_ok();
        move(s, -s->gap);
        if (try == 0)
            WEFT_TRY(sim_count_crossings(s->sim, &before));
        *separated = after <= before;
        if (*separated)
            move(s, s->gap);
    }
    return weft_ok();
}

/* If no gap is small enough, the direction leads through something, such as a small part in a fold. The second attempt
 * moves the fans inwards instead. */
static weft_result open_gap(crack_sides *s) {
    double gap = s->gap;
    int separated = 0;
    for (s->into_fan = 0; s->into_fan < 2 && !separated; s->into_fan++) {
        s->gap = gap;
        memset(s->shift, 0, (size_t)s->refined->vertex_count * sizeof *s->shift);
        find_shifts(s);
        WEFT_TRY(try_gaps(s, &separated));
    }
    return weft_ok();
}

static weft_result separate(crack_sides *s) {
    size_t vertices = (size_t)s->refined->vertex_count, triangles = (size_t)s->refined->triangle_count;
    s->partner = weft_allocate(3 * triangles, sizeof *s->partner);
    s->group = weft_allocate(vertices, sizeof *s->group);
    s->next = weft_allocate(vertices, sizeof *s->next);
    s->fixed = weft_allocate(vertices, 1);
    s->shift = weft_allocate(vertices, sizeof *s->shift);
    weft_result result = weft_fail_memory("the sides of a crack", vertices * sizeof *s->shift);
    if (s->partner && s->group && s->next && s->fixed && s->shift) {
        find_groups(s);
        mark_fixed(s);
        result = open_gap(s);
    }
    free(s->shift);
    free(s->fixed);
    free(s->next);
    free(s->group);
    free(s->partner);
    return result;
}

weft_result sim_separate_crack_sides(weft_sim *sim, sim_cloth *cloth) {
    crack_sides s = {.sim = sim,
                     .cloth = cloth,
                     .refined = cloth->refined,
                     .x = sim->x + cloth->first,
                     .gap = GAP * sim->contact_settings.thickness};
    weft_result result = weft_ok();
    if (cloth->opened_count > 0 && sim->contact_settings.self)
        result = separate(&s);
    cloth->opened_count = 0;
    return result;
}
