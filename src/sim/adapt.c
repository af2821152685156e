/* When and where meshes change: after every so many steps, as the adaption's measure asks. */
#include <math.h>

#include "sim/internal.h"

static const weft_adapt_functions *functions(const weft_sim *sim) { return sim->adapt->functions; }

void sim_add_adapt(weft_adapt_report *sum, const weft_adapt_report *one) {
    sum->inserted += one->inserted;
    sum->removed += one->removed;
    sum->skipped += one->skipped;
}

/* One cloth while its mesh changes. Arrays have room for all vertices that there may be. */
typedef struct pass {
    weft_sim *sim;
    sim_cloth *cloth;
    weft_refined *refined;
    weft_adapt_plan plan;
    double *need;  /* of each vertex */
    weft_vec3 *x;  /* where it is, m */
    uint8_t *kept; /* 1: something holds it by its number */
    int32_t seen;  /* changes of vertices that both have followed */
} pass;

/* Drags and pins may have been given vertices that were inserted. */
static void mark_kept(pass *p) {
    const weft_sim *sim = p->sim;
    int32_t first = p->cloth->first, count = p->refined->vertex_count;
    memset(p->kept, 0, (size_t)count);
    for (int32_t i = 0; i < sim->drag_count; i++)
        if (sim->drag[i].vertex >= first && sim->drag[i].vertex < first + count)
            p->kept[sim->drag[i].vertex - first] = 1;
    for (int32_t i = 0; i < sim->pin_count; i++)
        for (int32_t k = 0; k < sim->pin[i].given; k++)
            if (sim->pin[i].vertex[k] >= first && sim->pin[i].vertex[k] < first + count)
                p->kept[sim->pin[i].vertex[k] - first] = 1;
}

static weft_result measure(pass *p) {
    weft_sim *sim = p->sim;
    const sim_cloth *cloth = p->cloth;
    size_t room = (size_t)p->refined->vertex_limit, triangles = (size_t)cloth->mesh->triangle_count;
    weft_strain *strain = NULL;
    weft_arena_empty(sim->work.arena);
    p->need = weft_arena_take(sim->work.arena, room * sizeof *p->need, "adaption");
    p->x = weft_arena_take(sim->work.arena, room * sizeof *p->x, "adaption");
    if ((p->plan.sees & WEFT_SEES_STRAIN) && sim_model(cloth)->measure)
        strain = weft_arena_take(sim->work.arena, triangles * sizeof *strain, "adaption");
    p->kept = weft_arena_take(sim->work.arena, room, "adaption");
    if (!p->need || !p->x || !p->kept || weft_arena_failure(sim->work.arena))
        return weft_fail_memory("adaption", room * sizeof *p->x);
    mark_kept(p);
    memcpy(p->x, sim->x + cloth->first, (size_t)cloth->mesh->vertex_count * sizeof *p->x);
    if (strain)
        sim_model(cloth)->measure(cloth->self, &sim->work, p->x, strain);
    weft_adapt_input input = {.mesh = cloth->mesh, .x = p->x, .strain = strain};
    if ((p->plan.sees & WEFT_SEES_CONTACT) && sim->contact)
        input.touched = sim->touched + cloth->first;
    functions(sim)->measure(sim->adapt_settings, &sim->work, &input, p->need);
    return weft_ok();
}

/* Needs and positions of vertices that were inserted or have moved. */
static void follow(pass *p, weft_adapt_report *report) {
    const weft_refined *r = p->refined;
    for (; p->seen < r->change_count; p->seen++) {
        const weft_vertex_change *c = &r->change[p->seen];
        if (!(c->weight[0] > 0)) {
            p->need[c->vertex] = p->need[c->from[0]];
            p->x[c->vertex] = p->x[c->from[0]];
            p->kept[c->vertex] = p->kept[c->from[0]];
            report->removed++;
            continue;
        }
        weft_vec3 sum = weft_scale(c->weight[0], p->x[c->from[0]]);
        double need = p->need[c->from[0]];
        for (int k = 1; k < 3; k++) {
            sum = weft_add_scaled(sum, c->weight[k], p->x[c->from[k]]);
            need = p->need[c->from[k]] > need ? p->need[c->from[k]] : need;
        }
        p->x[c->vertex] = sum;
        p->need[c->vertex] = need;
        p->kept[c->vertex] = 0;
        report->inserted++;
    }
}

/* Twice the squared strain of a triangle times its area, after Green: 1/4 |C - 1|^2 A, m2. */
static double strain_of(const pass *p, const int32_t *v, double *area) {
    const weft_vec3 *rest = p->refined->position, *x = p->x;
    weft_vec3 e = weft_sub(rest[v[1]], rest[v[0]]), f = weft_sub(rest[v[2]], rest[v[0]]);
    weft_vec3 a = weft_sub(x[v[1]], x[v[0]]), b = weft_sub(x[v[2]], x[v[0]]);
    double length = weft_length(e), along = weft_dot(e, f) / length, height = weft_length(weft_cross(e, f)) / length;
    weft_vec3 u = weft_scale(1 / length, a), w = weft_scale(1 / height, weft_add_scaled(b, -along, u));
    double xx = weft_dot(u, u) - 1, yy = weft_dot(w, w) - 1, xy = weft_dot(u, w);
    *area += 0.5 * length * height;
    return 0.25 * (xx * xx + yy * yy + 2 * xy * xy) * 0.5 * length * height;
}

/* Triangles that are not in one plane change their shape, and with it the cloth its energy. */
static int allows(const void *context, const weft_sweep *sweep) {
    const pass *p = context;
    double change = 0, area = 0, ignored = 0;
    for (int k = 0; k < sweep->before_count; k++)
        change -= strain_of(p, sweep->before[k], &area);
    for (int k = 0; k < sweep->after_count; k++)
        change += strain_of(p, sweep->after[k], &ignored);
    return fabs(change) <= p->plan.jump * p->plan.jump * area;
}

static int wants_split(const pass *p, int32_t t) {
    const weft_refined *r = p->refined;
    int32_t level = weft_refined_level(r, t);
    double refine, coarsen;
    if (level / 2 * 2 + 2 > p->plan.levels)
        return 0;
    functions(p->sim)->limits(p->sim->adapt_settings, level, &refine, &coarsen);
    for (int k = 0; k < 3; k++)
        if (p->need[r->origin[3 * t + k]] >= refine)
            return 1;
    return 0;
}

/* What is there at the beginning is looked at once; what is refined on the way is what its neighbours need. */
static void refine(pass *p, weft_adapt_report *report) {
    int32_t count = p->refined->triangle_count;
    for (int32_t t = 0; t < count; t++) {
        if (p->refined->changed[t] || !wants_split(p, t))
            continue;
        weft_refined_split(p->refined, t);
        follow(p, report);
    }
}

/* The triangles that would come back have the generation before the one that the vertex was made with. */
static int wants_join(const pass *p, int32_t v) {
    enum { MOST = 64 };
    int32_t ring[MOST], birth = p->refined->birth[v], level = birth % 2 ? birth - 1 : birth - 2;
    double refine, coarsen;
    functions(p->sim)->limits(p->sim->adapt_settings, level, &refine, &coarsen);
    if (level < p->plan.levels && !(p->need[v] < coarsen))
        return 0;
    int32_t count = weft_refined_joinable(p->refined, v, ring, MOST);
    for (int32_t i = 0; i < count && level < p->plan.levels; i++)
        if (!(p->need[ring[i]] < coarsen))
            return 0;
    return count > 0;
}

static void coarsen(pass *p, weft_adapt_report *report) {
    weft_refined *r = p->refined;
    for (int32_t v = r->vertex_count - 1; v >= r->base_vertices; v--)
        if (v < r->vertex_count && r->birth[v] > 0 && !p->kept[v] && wants_join(p, v)) {
            weft_refined_join(r, v);
            follow(p, report);
        }
}

static weft_result adapt_cloth(weft_sim *sim, sim_cloth *cloth, weft_adapt_report *report) {
    pass p = {.sim = sim, .cloth = cloth, .refined = cloth->refined, .plan = functions(sim)->plan(sim->adapt_settings)};
    WEFT_TRY(sim_reshape_begin(sim, cloth));
    WEFT_TRY(measure(&p));
    memset(p.refined->changed, 0, (size_t)p.refined->triangle_count);
    p.refined->allows = allows;
    p.refined->context = &p;
    int32_t turned = weft_refined_turn_left(p.refined);
    p.refined->vetoed = 0;
    refine(&p, report);
    coarsen(&p, report);
    p.refined->allows = NULL;
    report->skipped += (int32_t)p.refined->vetoed;
    if (p.refined->change_count == 0 && turned == 0)
        return weft_ok();
    sim_reshape_end(sim, cloth);
    return p.refined->failed ? weft_fail_memory("adaption", (size_t)p.refined->triangle_count * 64) : weft_ok();
}

/* The last cloth first: the others then keep their places. */
static weft_result adapt_all(weft_sim *sim, weft_adapt_report *report) {
    for (int32_t i = sim->cloth_count - 1; i >= 0; i--)
        if (sim->cloth[i].refined)
            WEFT_TRY(adapt_cloth(sim, &sim->cloth[i], report));
    return weft_sim_prepare(sim);
}

weft_result sim_adapt(weft_sim *sim, weft_adapt_report *report) {
    if (!sim->adapt || sim->step_count % functions(sim)->plan(sim->adapt_settings).every != 0)
        return weft_ok();
    return adapt_all(sim, report);
}

/* Until the mesh is as fine as the shape that is begun with asks for. */
weft_result sim_adapt_start(weft_sim *sim, weft_adapt_report *report) {
    int32_t rounds = sim->adapt ? functions(sim)->plan(sim->adapt_settings).levels : 0;
    for (int32_t i = 0; i < rounds; i++) {
        weft_adapt_report one = {0};
        WEFT_TRY(adapt_all(sim, &one));
        sim_add_adapt(report, &one);
        if (one.inserted == 0 && one.removed == 0)
            break;
    }
    return weft_ok();
}
