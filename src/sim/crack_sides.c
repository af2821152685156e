/* Parts the two sides of opened edges by a small gap.
 *
 * The two sides coincide at first. Contact cannot tell on which side of the other each lies, because closest points at
 * distance 0 have no direction. Therefore each vertex that was split moves into its own side of the cloth. The gap is a
 * hundredth of the contact thickness. The common centre of mass stays. Positions before the step move along, so no
 * velocity arises. The gap is ten times the margin for collision detection. At a thickness of 2 mm it strains a
 * triangle of 1 cm by 0.2 %.
 *
 * Sides that are left coincident, or parted the wrong way, would intersect at once. Displacements are therefore tried
 * on a copy of the positions and audited before the state of the cloth changes. Vertices whose sides intersect try
 * other displacements (crack_shift.c). If none is free, one of their edges closes again. Crumpled cloth has such
 * vertices: the fans of the two sides can be wound around each other. The edge can open in a later step. */
#include "sim/crack_sides.h"

#include <math.h>

static const double GAP = 1e-2; /* in thicknesses */

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

/* -- split vertices -- */

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
    if (v >= 0 && v < s->cloth->mesh->vertex_count)
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

static void find_groups(const crack_sides *s) {
    const weft_refined *r = s->refined;
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        s->partner[h] = WEFT_NONE;
    for (int32_t v = 0; v < r->vertex_count; v++) {
        s->group[v] = v;
        s->next[v] = s->attempt[v] = WEFT_NONE;
    }
    for (int32_t i = 0; i < s->cloth->opened_count; i++) {
        int32_t h = s->cloth->opened[i][0], twin = s->cloth->opened[i][1];
        s->partner[h] = twin;
        s->partner[twin] = h;
        join(s->group, r->origin[h], r->origin[weft_next(twin)]);
        join(s->group, r->origin[twin], r->origin[weft_next(h)]);
    }
    for (int32_t v = r->vertex_count - 1; v >= 0; v--) {
        int32_t lowest = s->group[v] = root_of(s->group, v);
        if (lowest == v)
            continue;
        s->next[v] = s->next[lowest];
        s->next[lowest] = v;
        s->attempt[lowest] = 0;
    }
}

/* Positions with coinciding sides. The log of vertex changes has only the copies of split vertices. */
static void shut_sides(const crack_sides *s) {
    const weft_refined *r = s->refined;
    memcpy(s->shut, s->sim->x + s->cloth->first, (size_t)s->cloth->mesh->vertex_count * sizeof *s->shut);
    for (int32_t i = 0; i < r->change_count; i++)
        s->shut[r->change[i].vertex] = s->shut[r->change[i].from[0]];
}

/* -- search -- */

/* Collects the surfaces around the triangles of split vertices. */
static weft_result look_around(crack_sides *s) {
    const weft_refined *r = s->refined;
    weft_vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        for (int k = 0; k < 3 && s->attempt[s->group[r->origin[h]]] != WEFT_NONE; k++) {
            weft_vec3 at = s->shut[r->origin[h / 3 * 3 + k]];
            low = weft_vec3_make(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
            high = weft_vec3_make(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
        }
    weft_vec3 gap = {s->gap, s->gap, s->gap};
    return sim_near_audit_create(s->sim, s->cloth, weft_sub(low, gap), weft_add(high, gap), &s->audit);
}

static void place(const crack_sides *s, int32_t lowest) {
    for (int32_t v = lowest; v != WEFT_NONE; v = s->next[v])
        s->parted[v] = weft_add(s->shut[v], s->shift[v]);
}

/* Whether there are more intersections than before edges opened. Marks the vertices of features that intersect. */
static weft_result is_worse(crack_sides *s, int *worse) {
    const weft_refined *r = s->refined;
    const weft_mesh *mesh = s->cloth->mesh;
    int64_t after = 0;
    WEFT_TRY(sim_near_audit_count(&s->audit, s->parted, r->vertex_count, (const int32_t(*)[3])(const void *)r->origin,
                                  r->triangle_count, s->marked, &after));
    if (after > 0 && s->before < 0)
        WEFT_TRY(sim_near_audit_count(&s->audit, s->sim->x + s->cloth->first, mesh->vertex_count,
                                      (const int32_t(*)[3])mesh->triangle, mesh->triangle_count, NULL, &s->before));
    *worse = after > 0 && after > s->before;
    return weft_ok();
}

static int is_marked(const crack_sides *s, int32_t lowest) {
    for (int32_t v = lowest; v != WEFT_NONE; v = s->next[v])
        if (s->marked[v])
            return 1;
    return 0;
}

/* Tries displacements until the sides have parted or no marked vertex has another one. */
static weft_result search(crack_sides *s, int *parted) {
    int32_t count = s->refined->vertex_count;
    memset(s->shift, 0, (size_t)count * sizeof *s->shift);
    memcpy(s->parted, s->shut, (size_t)count * sizeof *s->parted);
    for (int32_t v = 0; v < count; v++)
        if (s->attempt[v] != WEFT_NONE) {
            (void)sim_crack_shift(s, v, 0);
            place(s, v);
        }
    for (int moved = 1; moved;) {
        int worse;
        WEFT_TRY(is_worse(s, &worse));
        *parted = !worse;
        moved = 0;
        for (int32_t v = 0; worse && v < count; v++)
            if (s->attempt[v] != WEFT_NONE && is_marked(s, v) && sim_crack_shift(s, v, s->attempt[v] + 1)) {
                s->attempt[v]++;
                moved = 1;
                place(s, v);
            }
    }
    return weft_ok();
}

/* -- edges that close again -- */

static void close_all(sim_cloth *cloth) {
    for (int32_t i = cloth->opened_count - 1; i >= 0; i--)
        weft_refined_close(cloth->refined, cloth->opened[i][0], cloth->opened[i][1]);
    cloth->opened_count = 0;
}

/* Closes all edges and opens those again that are to stay open. Half-edges keep their numbers, and opening does not
 * allocate what it has allocated before. */
static void reopen(const crack_sides *s) {
    sim_cloth *cloth = s->cloth;
    int32_t count = cloth->opened_count, kept = 0;
    close_all(cloth);
    for (int32_t i = 0; i < count; i++)
        if (!s->shuts[i] && weft_refined_open(s->refined, cloth->opened[i][0])) {
            cloth->opened[kept][0] = cloth->opened[i][0];
            cloth->opened[kept++][1] = cloth->opened[i][1];
        }
    cloth->opened_count = kept;
}

/* Closes one edge at each vertex that found no displacement, or all edges if the cause is unknown. */
static void close_some(const crack_sides *s) {
    const sim_cloth *cloth = s->cloth;
    const int32_t *origin = s->refined->origin;
    int any = 0;
    memset(s->shuts, 0, (size_t)cloth->opened_count);
    for (int32_t i = cloth->opened_count - 1; i >= 0; i--)
        for (int k = 0; k < 2 && !s->shuts[i]; k++) {
            int32_t v = s->group[origin[cloth->opened[i][k]]];
            if (s->attempt[v] == WEFT_NONE || !is_marked(s, v))
                continue;
            s->attempt[v] = WEFT_NONE;
            s->shuts[i] = 1;
            any = 1;
        }
    if (!any)
        memset(s->shuts, 1, (size_t)cloth->opened_count);
    reopen(s);
}

static weft_result part(crack_sides *s) {
    int parted = 0;
    find_groups(s);
    mark_fixed(s);
    shut_sides(s);
    WEFT_TRY(look_around(s));
    while (!parted && s->cloth->opened_count > 0) {
        WEFT_TRY(search(s, &parted));
        if (parted)
            return weft_ok();
        close_some(s);
        find_groups(s);
        shut_sides(s);
    }
    return weft_ok();
}

static int allocate(crack_sides *s) {
    size_t vertices = (size_t)s->refined->vertex_count, triangles = (size_t)s->refined->triangle_count;
    s->shut = weft_allocate(vertices, sizeof *s->shut);
    s->parted = weft_allocate(vertices, sizeof *s->parted);
    s->shift = weft_allocate(vertices, sizeof *s->shift);
    s->partner = weft_allocate(3 * triangles, sizeof *s->partner);
    s->group = weft_allocate(vertices, sizeof *s->group);
    s->next = weft_allocate(vertices, sizeof *s->next);
    s->attempt = weft_allocate(vertices, sizeof *s->attempt);
    s->fixed = weft_allocate(vertices, 1);
    s->marked = weft_allocate(vertices, 1);
    s->shuts = weft_allocate((size_t)s->cloth->opened_count, 1);
    return s->shut && s->parted && s->shift && s->partner && s->group && s->next && s->attempt && s->fixed &&
           s->marked && s->shuts;
}

static void deallocate(crack_sides *s) {
    sim_near_audit_destroy(&s->audit);
    free(s->shuts);
    free(s->marked);
    free(s->fixed);
    free(s->attempt);
    free(s->next);
    free(s->group);
    free(s->partner);
    free(s->shift);
    free(s->parted);
    free(s->shut);
}

weft_result sim_part_crack_sides(weft_sim *sim, sim_cloth *cloth) {
    crack_sides s = {.sim = sim,
                     .cloth = cloth,
                     .refined = cloth->refined,
                     .gap = GAP * sim->contact_settings.thickness,
                     .before = -1};
    free(cloth->parting);
    cloth->parting = NULL;
    if (cloth->opened_count == 0 || !sim->contact_settings.self)
        return weft_ok();
    size_t bytes = (size_t)cloth->refined->vertex_count * sizeof *s.shift;
    weft_result result = allocate(&s) ? part(&s) : weft_fail_memory("the sides of a crack", bytes);
    if (result.code == WEFT_OK) {
        cloth->parting = s.shift;
        s.shift = NULL;
    } else
        close_all(cloth);
    deallocate(&s);
    return result;
}

/* -- the state -- */

static void move(weft_sim *sim, const sim_cloth *cloth) {
    for (int32_t v = 0; cloth->parting && v < cloth->refined->vertex_count; v++) {
        int32_t at = cloth->first + v;
        sim->x[at] = weft_add(sim->x[at], cloth->parting[v]);
        sim_x_before(sim)[at] = weft_add(sim_x_before(sim)[at], cloth->parting[v]);
    }
}

static void move_pins(weft_sim *sim, const sim_cloth *cloth) {
    for (int32_t v = 0; cloth->parting && v < cloth->refined->vertex_count; v++)
        if (weft_dot(cloth->parting[v], cloth->parting[v]) > 0)
            sim_shift_pins(sim, cloth->first + v, cloth->parting[v]);
}

weft_result sim_commit_cracks(weft_sim *sim, sim_cloth *cloth) {
    if (cloth->opened_count == 0)
        return weft_ok();
    cloth->opened_count = 0;
    sim_reshape_end(sim, cloth);
    move(sim, cloth);
    weft_result result = sim_rebuild(sim);
    if (result.code == WEFT_OK)
        move_pins(sim, cloth); /* the rebuild finds which vertices are held */
    free(cloth->parting);
    cloth->parting = NULL;
    return result;
}
