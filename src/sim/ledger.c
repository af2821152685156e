#include "sim/ledger.h"

#include <math.h>

/* A surface of triangles with the half-edges 3 t, 3 t + 1, 3 t + 2: the one before the pass, or the one now. */
typedef struct surface {
    const weft_vec3 *rest, *x, *v;
    const int32_t *origin, *twin;
    const weft_vec2 *uv;
    int32_t sides; /* a twin that is not below is a boundary's */
} surface;

static surface surface_before(const sim_ledger *l) {
    const weft_mesh *mesh = l->cloth->mesh;
    return (surface){mesh->position, l->sim->x + l->cloth->first, l->sim->v + l->cloth->first, mesh->origin,
                     mesh->twin,     mesh->halfedge_uv,           3 * mesh->triangle_count};
}

static surface surface_now(const sim_ledger *l) {
    const weft_refined *r = l->cloth->refined;
    return (surface){r->position, l->x, l->v, r->origin, r->twin, r->uv, 3 * r->triangle_count};
}

static int32_t twin_of(const surface *s, int32_t h) {
    return s->twin[h] == WEFT_NONE || s->twin[h] >= s->sides ? WEFT_NONE : s->twin[h];
}

static weft_vec3 weft_of(const surface *s, int32_t t) {
    weft_vec3 rest[3];
    for (int k = 0; k < 3; k++)
        rest[k] = s->rest[s->origin[3 * t + k]];
    return sim_weft_at_rest(rest, s->uv ? s->uv + 3 * (size_t)t : NULL);
}

/* Each corner has a third of the mass. */
static double energy_of_triangle(const surface *s, const weft_fabric *fabric, int32_t t) {
    weft_vec3 rest[3], x[3];
    double area = 0, squared = 0;
    for (int k = 0; k < 3; k++) {
        int32_t v = s->origin[3 * t + k];
        rest[k] = s->rest[v];
        x[k] = s->x[v];
        squared += weft_dot(s->v[v], s->v[v]);
    }
    double stiffest = fmax(fabric->shear, fmax(fabric->stretch_weft, fabric->stretch_warp));
    double elastic = 0.5 * stiffest * sim_triangle_energy(fabric, rest, x, weft_of(s, t), &area);
    return elastic + fabric->density * area / 6 * squared;
}

/* Of the edge as a whole, as in model/bending.c. */
static double energy_of_side(const surface *s, const weft_fabric *fabric, int32_t h) {
    int32_t twin = twin_of(s, h);
    if (twin == WEFT_NONE)
        return 0;
    int32_t a = s->origin[h], b = s->origin[weft_next(h)];
    int32_t c = s->origin[weft_previous(h)], d = s->origin[weft_previous(twin)];
    weft_vec3 e = weft_sub(s->rest[b], s->rest[a]), f = weft_sub(s->rest[c], s->rest[a]);
    weft_vec3 g = weft_sub(s->rest[d], s->rest[a]), weft = weft_of(s, h / 3);
    double squared = weft_dot(e, e), left = weft_length(weft_cross(e, f)), right = weft_length(weft_cross(e, g));
    double cotangents = weft_dot(e, f) / left + weft_dot(e, g) / right, along = weft_dot(e, weft);
    double across = 1 - along * along / (squared * weft_dot(weft, weft));
    double rigidity = across * fabric->bend_weft + (1 - across) * fabric->bend_warp;
    weft_vec3 bent = weft_scale(-cotangents, weft_sub(s->x[b], s->x[a]));
    bent = weft_add_scaled(bent, squared / left, weft_sub(s->x[c], s->x[a]));
    bent = weft_add_scaled(bent, squared / right, weft_sub(s->x[d], s->x[a]));
    return rigidity / (left + right) * weft_dot(bent, bent);
}

weft_result sim_ledger_open(sim_ledger *l, const weft_sim *sim, const sim_cloth *cloth, const weft_vec3 *x,
                            const weft_vec3 *v) {
    weft_refined *r = cloth->refined;
    int32_t room = r->triangle_count + 2 * (r->vertex_limit - r->vertex_count); /* a vertex comes with two at most */
    *l = (sim_ledger){.sim = sim, .cloth = cloth, .x = x, .v = v, .room = room, .triangles = r->triangle_count};
    l->of_triangle = weft_arena_take(sim->work.arena, (size_t)room * sizeof *l->of_triangle, "adaption");
    l->of_side = weft_arena_take(sim->work.arena, (size_t)room * sizeof *l->of_side, "adaption");
    l->entered = weft_arena_take(sim->work.arena, (size_t)room, "adaption");
    if (!l->of_triangle || !l->of_side || !l->entered)
        return weft_fail_memory("adaption", (size_t)room * sizeof *l->of_side);
    memset(l->entered, 0, (size_t)room);
    r->listed_count = 0;
    r->lists = 1;
    return weft_ok();
}

void sim_ledger_close(sim_ledger *l) { l->cloth->refined->lists = 0; }

/* What it was before the pass, when it is looked at for the first time. */
static void enter(sim_ledger *l, int32_t t) {
    if (l->entered[t])
        return;
    surface before = surface_before(l);
    int known = 3 * t < before.sides;
    l->entered[t] = 1;
    l->of_triangle[t] = known ? energy_of_triangle(&before, &l->cloth->fabric, t) : 0;
    for (int k = 0; k < 3; k++)
        l->of_side[t][k] = known ? 0.5 * energy_of_side(&before, &l->cloth->fabric, 3 * t + k) : 0;
}

static void renew(sim_ledger *l, double *entry, double energy) {
    l->change += energy - *entry;
    *entry = energy;
}

static void renew_triangle(sim_ledger *l, const surface *now, int32_t t) {
    enter(l, t);
    renew(l, &l->of_triangle[t], energy_of_triangle(now, &l->cloth->fabric, t));
    for (int k = 0; k < 3; k++) {
        int32_t h = 3 * t + k, twin = twin_of(now, h);
        double half = 0.5 * energy_of_side(now, &l->cloth->fabric, h);
        renew(l, &l->of_side[t][k], half);
        if (twin == WEFT_NONE)
            continue;
        enter(l, twin / 3);
        renew(l, &l->of_side[twin / 3][twin % 3], half);
    }
}

static void strike_out(sim_ledger *l, int32_t t) {
    enter(l, t);
    renew(l, &l->of_triangle[t], 0);
    for (int k = 0; k < 3; k++)
        renew(l, &l->of_side[t][k], 0);
}

void sim_ledger_settle(sim_ledger *l) {
    weft_refined *r = l->cloth->refined;
    surface now = surface_now(l);
    for (int32_t t = r->triangle_count; t < l->triangles; t++)
        strike_out(l, t);
    l->triangles = r->triangle_count > l->triangles ? r->triangle_count : l->triangles;
    for (int32_t i = 0; i < r->listed_count; i++)
        if (r->listed[i] < r->triangle_count)
            renew_triangle(l, &now, r->listed[i]);
    r->listed_count = 0;
}

/* -- what changes are compared with -- */

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

double sim_energy_of_motion(weft_sim *sim, const sim_cloth *cloth) {
    const weft_vec3 *x = sim->x + cloth->first, *v = sim->v + cloth->first;
    const double *mass = sim->mass + cloth->first;
    weft_vec3 weight = sim_weight_of(sim, cloth);
    double kinetic = 0, whole = 0, work = 0, lowest = -HUGE_VAL;
    for (int32_t i = 0; i < cloth->mesh->vertex_count; i++) {
        double at = weft_dot(weight, x[i]);
        kinetic += 0.5 * mass[i] * weft_dot(v[i], v[i]);
        whole += mass[i];
        work += mass[i] * at;
        lowest = fmax(lowest, at);
    }
    return kinetic + lowest - work / whole;
}
