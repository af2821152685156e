/* Tracks how mesh changes alter the energy of a cloth: kinetic, potential and elastic. Only changed triangles and edges
 * are evaluated. */
#include "sim/energy_budget.h"

#include <math.h>

/* A triangle surface with the half-edges 3 t, 3 t + 1, 3 t + 2: either before the adaptation or now. */
typedef struct surface {
    const weft_vec3 *rest, *x, *v;
    const int32_t *origin, *twin;
    const weft_vec2 *uv;
    int32_t halfedge_count;            /* twins at or above it belong to the boundary */
    const double *map[WEFT_MAP_COUNT]; /* value of vertex v: map[stride v]; null: 1 */
    int32_t stride;
} surface;

static surface surface_before(const sim_energy_budget *b) {
    const weft_mesh *mesh = b->cloth->mesh;
    surface s = {.rest = mesh->position,
                 .x = b->sim->x + b->cloth->first,
                 .v = b->sim->v + b->cloth->first,
                 .origin = mesh->origin,
                 .twin = mesh->twin,
                 .uv = mesh->halfedge_uv,
                 .halfedge_count = 3 * mesh->triangle_count,
                 .stride = 1};
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        s.map[m] = b->cloth->map[m];
    return s;
}

static surface surface_now(const sim_energy_budget *b) {
    const weft_refined *r = b->cloth->refined;
    surface s = {.rest = r->position,
                 .x = b->x,
                 .v = b->v,
                 .origin = r->origin,
                 .twin = r->twin,
                 .uv = r->uv,
                 .halfedge_count = 3 * r->triangle_count,
                 .stride = r->map_count};
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        s.map[m] = sim_surface_map(b->cloth, (weft_map)m);
    return s;
}

static int32_t twin_of(const surface *s, int32_t h) {
    return s->twin[h] == WEFT_NONE || s->twin[h] >= s->halfedge_count ? WEFT_NONE : s->twin[h];
}

static double map_at(const surface *s, weft_map map, int32_t v) { return s->map[map] ? s->map[map][v * s->stride] : 1; }

/* The triangle of half-edge h, starting at h. */
static weft_facet facet_of(const surface *s, int32_t h) {
    weft_facet facet = {.has_uv = s->uv != NULL};
    for (int k = 0; k < 3; k++, h = weft_next(h)) {
        int32_t v = s->origin[h];
        facet.rest[k] = s->rest[v];
        facet.x[k] = s->x[v];
        facet.stretch[k] = map_at(s, WEFT_MAP_STRETCH, v);
        facet.bend[k] = map_at(s, WEFT_MAP_BEND, v);
        if (s->uv)
            facet.uv[k] = s->uv[h];
    }
    return facet;
}

/* Kinetic and potential energy: each corner has a third of the area with its own density. Adds the triangle's elastic
 * energy if the model has it. */
static double energy_of_triangle(const sim_energy_budget *b, const surface *s, int32_t t) {
    weft_facet facet = facet_of(s, 3 * t);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        int32_t v = s->origin[3 * t + k];
        double potential = -weft_dot(b->gravity, weft_sub(s->x[v], b->origin));
        sum += map_at(s, WEFT_MAP_DENSITY, v) * (0.5 * weft_dot(s->v[v], s->v[v]) + potential);
    }
    weft_vec3 normal = weft_cross(weft_sub(facet.rest[1], facet.rest[0]), weft_sub(facet.rest[2], facet.rest[0]));
    double external = b->cloth->fabric.density * weft_length(normal) / 6 * sum;
    const weft_model_functions *model = sim_model(b->cloth);
    return external + (model->facet_energy ? model->facet_energy(b->cloth->self, &facet) : 0);
}

/* Whether the vertices opposite to h and its twin are neighbours. One end of the edge then has only these two
 * triangles. */
static int are_opposite_joined(const surface *s, int32_t h, int32_t twin) {
    int32_t far = s->origin[weft_previous(twin)], before = twin_of(s, weft_previous(h)),
            after = twin_of(s, weft_next(h));
    return (before != WEFT_NONE && s->origin[weft_previous(before)] == far) ||
           (after != WEFT_NONE && s->origin[weft_previous(after)] == far);
}

/* Energy of the whole edge. */
static double energy_of_edge(const sim_energy_budget *b, const surface *s, int32_t h) {
    const weft_model_functions *model = sim_model(b->cloth);
    int32_t twin = twin_of(s, h);
    if (!model->edge_energy || (twin != WEFT_NONE && s->origin[weft_previous(h)] == s->origin[weft_previous(twin)]))
        return 0;
    weft_facet left = facet_of(s, h), right;
    if (twin == WEFT_NONE)
        return model->edge_energy(b->cloth->self, &left, NULL, 0);
    right = facet_of(s, twin);
    return model->edge_energy(b->cloth->self, &left, &right, are_opposite_joined(s, h, twin));
}

/* Half of the edge's energy, or all of it at a boundary. */
static double energy_of_halfedge(const sim_energy_budget *b, const surface *s, int32_t h) {
    return (twin_of(s, h) == WEFT_NONE ? 1 : 0.5) * energy_of_edge(b, s, h);
}

static double sum_of(const double *value, const sim_cloth *cloth) {
    double sum = 0;
    for (int32_t v = 0; v < cloth->mesh->vertex_count; v++)
        sum += value[cloth->first + v];
    return sum;
}

weft_result sim_energy_budget_open(sim_energy_budget *b, weft_sim *sim, const sim_cloth *cloth, const weft_vec3 *x,
                                   const weft_vec3 *v) {
    weft_refined *r = cloth->refined;
    int32_t room = r->triangle_count + 2 * (r->vertex_limit - r->vertex_count); /* each vertex adds at most two */
    *b = (sim_energy_budget){.sim = sim, .cloth = cloth, .x = x, .v = v, .room = room, .triangles = r->triangle_count};
    b->gravity = weft_scale(1 / sum_of(sim->mass, cloth), sim_weight_of(sim, cloth));
    b->area = sum_of(sim->area, cloth);
    b->origin = sim->x[cloth->first];
    b->triangle_energy = weft_arena_take(sim->work.arena, (size_t)room * sizeof *b->triangle_energy, "adaptation");
    b->halfedge_energy = weft_arena_take(sim->work.arena, (size_t)room * sizeof *b->halfedge_energy, "adaptation");
    b->recorded = weft_arena_take(sim->work.arena, (size_t)room, "adaptation");
    if (!b->triangle_energy || !b->halfedge_energy || !b->recorded)
        return weft_fail_memory("adaptation", (size_t)room * sizeof *b->halfedge_energy);
    memset(b->recorded, 0, (size_t)room);
    r->listed_count = 0;
    r->lists = 1;
    return weft_ok();
}

void sim_energy_budget_close(sim_energy_budget *b) { b->cloth->refined->lists = 0; }

/* Records the energies before the adaptation, on the first visit. */
static void record_before(sim_energy_budget *b, int32_t t) {
    if (b->recorded[t])
        return;
    surface before = surface_before(b);
    int known = 3 * t < before.halfedge_count;
    b->recorded[t] = 1;
    b->triangle_energy[t] = known ? energy_of_triangle(b, &before, t) : 0;
    for (int k = 0; k < 3; k++)
        b->halfedge_energy[t][k] = known ? energy_of_halfedge(b, &before, 3 * t + k) : 0;
}

static void update(sim_energy_budget *b, double *entry, double energy) {
    b->change += energy - *entry;
    *entry = energy;
}

static void update_halfedge(sim_energy_budget *b, int32_t h, double energy) {
    b->edge_change += energy - b->halfedge_energy[h / 3][h % 3];
    update(b, &b->halfedge_energy[h / 3][h % 3], energy);
}

static void update_edges(sim_energy_budget *b, const surface *now, int32_t t) {
    record_before(b, t);
    for (int k = 0; k < 3; k++) {
        int32_t h = 3 * t + k, twin = twin_of(now, h);
        double energy = energy_of_halfedge(b, now, h);
        update_halfedge(b, h, energy);
        if (twin == WEFT_NONE)
            continue;
        record_before(b, twin / 3);
        update_halfedge(b, twin, energy);
    }
}

/* An edge's energy may depend on the adjacent edges, see edge_energy. */
static void update_triangle(sim_energy_budget *b, const surface *now, int32_t t) {
    update_edges(b, now, t);
    update(b, &b->triangle_energy[t], energy_of_triangle(b, now, t));
    for (int k = 0; k < 3; k++) {
        int32_t twin = twin_of(now, 3 * t + k);
        if (twin != WEFT_NONE && !sim_model(b->cloth)->facet_energy)
            update_edges(b, now, twin / 3);
    }
}

static void remove_triangle(sim_energy_budget *b, int32_t t) {
    record_before(b, t);
    update(b, &b->triangle_energy[t], 0);
    for (int k = 0; k < 3; k++)
        update_halfedge(b, 3 * t + k, 0);
}

void sim_energy_budget_settle(sim_energy_budget *b) {
    weft_refined *r = b->cloth->refined;
    if (r->listed_count == 0)
        return;
    surface now = surface_now(b);
    for (int32_t t = r->triangle_count; t < b->triangles; t++)
        remove_triangle(b, t);
    b->triangles = r->triangle_count;
    for (int32_t i = 0; i < r->listed_count; i++)
        if (r->listed[i] < r->triangle_count)
            update_triangle(b, &now, r->listed[i]);
    r->listed_count = 0;
}

/* -- reference energies -- */

weft_vec3 sim_weight_of(weft_sim *sim, const sim_cloth *cloth) {
    weft_force_input input = {sim->count, sim->time, sim->x, sim->v, sim->mass, sim->area, (uint64_t)sim->air.seed};
    weft_vec3 sum = {0, 0, 0}, *force = sim->scratch;
    memset(force, 0, (size_t)sim->count * sizeof *force);
    for (int32_t i = 0; i < sim->force_count; i++)
        if (sim_force_functions(&sim->force[i])->energy && sim_force_functions(&sim->force[i])->apply)
            sim_force_functions(&sim->force[i])->apply(sim->force[i].settings, &sim->work, &input, force);
    for (int32_t v = 0; v < cloth->mesh->vertex_count; v++)
        sum = weft_add(sum, force[cloth->first + v]);
    return sum;
}

double sim_energy_budget_motion(const sim_energy_budget *b) {
    const weft_vec3 *x = b->sim->x + b->cloth->first, *v = b->sim->v + b->cloth->first;
    const double *mass = b->sim->mass + b->cloth->first;
    double kinetic = 0, total_mass = 0, work = 0, lowest = -HUGE_VAL;
    for (int32_t i = 0; i < b->cloth->mesh->vertex_count; i++) {
        double at = weft_dot(b->gravity, x[i]);
        kinetic += 0.5 * mass[i] * weft_dot(v[i], v[i]);
        total_mass += mass[i];
        work += mass[i] * at;
        lowest = fmax(lowest, at);
    }
    return kinetic + total_mass * lowest - work;
}
