/* Runs mesh adaptation: decides when and where meshes change, and keeps the changes within an energy budget.
 *
 * The refinement criterion comes from the adaptation component (sqrt3_adaptation.c), the mesh operations from
 * refined.h. The scheme is that of Bender and Deul (2013), section 5. The energy budget and the passage guard are
 * additions. */
#include <math.h>

#include "core/require.h"
#include "sim/energy_budget.h"
#include "sim/passage_guard.h"
#include "sim/remesh.h"

static const weft_adapt_functions *functions(const weft_sim *sim) { return sim->adapt->functions; }

weft_result sim_check_adapt(const weft_sim *sim) {
    return functions(sim)->check ? functions(sim)->check(sim->adapt_settings) : weft_ok();
}

void sim_add_adapt(weft_adapt_report *sum, const weft_adapt_report *one) {
    sum->inserted += one->inserted;
    sum->removed += one->removed;
    sum->turned += one->turned;
    sum->skipped += one->skipped;
}

/* One cloth while its mesh changes. Vertex arrays have room for the maximum number of vertices. */
typedef struct pass {
    weft_sim *sim;
    sim_cloth *cloth;
    weft_refined *refined;
    weft_adapt_plan plan;
    double *need;              /* refinement criterion of each vertex */
    weft_vec3 *x, *v;          /* position, m, and velocity, m/s, of each vertex */
    uint8_t *kept;             /* 1: a drag or a pin refers to the vertex */
    int guarded;               /* 1: changes must not pass through bodies or cloth */
    weft_passage_guard *guard; /* made on first use, or null */
    weft_adapt_report report;
    weft_result failure;      /* failure inside a callback */
    int32_t seen;             /* vertex changes already applied to the arrays above */
    sim_energy_budget budget; /* change of the cloth's energy */
    double fraction;          /* fraction of the cloth's energy by which it may change */
    double limit;             /* the same in J */
    int has_elastic;          /* 1: the limit includes the elastic energy */
    double stiffest;          /* largest modulus of the fabric, N/m */
} pass;

/* Marks vertices that drags and pins refer to. They may be inserted vertices. */
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
    p->need = weft_arena_take(sim->work.arena, room * sizeof *p->need, "adaptation");
    p->x = weft_arena_take(sim->work.arena, room * sizeof *p->x, "adaptation");
    p->v = weft_arena_take(sim->work.arena, room * sizeof *p->v, "adaptation");
    if ((p->plan.sees & WEFT_SEES_STRAIN) && sim_model(cloth)->measure)
        strain = weft_arena_take(sim->work.arena, triangles * sizeof *strain, "adaptation");
    p->kept = weft_arena_take(sim->work.arena, room, "adaptation");
    if (!p->need || !p->x || !p->v || !p->kept || weft_arena_failure(sim->work.arena))
        return weft_fail_memory("adaptation", room * sizeof *p->x);
    mark_kept(p);
    memcpy(p->x, sim->x + cloth->first, (size_t)cloth->mesh->vertex_count * sizeof *p->x);
    memcpy(p->v, sim->v + cloth->first, (size_t)cloth->mesh->vertex_count * sizeof *p->v);
    if (strain)
        sim_model(cloth)->measure(cloth->self, &sim->work, p->x, strain);
    weft_adapt_input input = {.mesh = cloth->mesh, .x = p->x, .strain = strain};
    if ((p->plan.sees & WEFT_SEES_CONTACT) && sim_touches(sim))
        input.touched = sim->touched + cloth->first;
    functions(sim)->measure(sim->adapt_settings, &sim->work, &input, p->need);
    const double *wanted = cloth->map[WEFT_MAP_REFINE];
    for (int32_t v = 0; wanted && v < cloth->mesh->vertex_count; v++)
        p->need[v] *= wanted[v];
    return weft_ok();
}

/* Applies vertex changes to criteria, positions and velocities. */
static void follow(pass *p) {
    const weft_refined *r = p->refined;
    weft_adapt_report *report = &p->report;
    for (; p->seen < r->change_count; p->seen++) {
        const weft_vertex_change *c = &r->change[p->seen];
        if (!(c->weight[0] > 0)) {
            p->need[c->vertex] = p->need[c->from[0]];
            p->x[c->vertex] = p->x[c->from[0]];
            p->v[c->vertex] = p->v[c->from[0]];
            p->kept[c->vertex] = p->kept[c->from[0]];
            report->removed++;
            continue;
        }
        weft_vec3 sum = weft_scale(c->weight[0], p->x[c->from[0]]), v = weft_scale(c->weight[0], p->v[c->from[0]]);
        double need = p->need[c->from[0]];
        for (int k = 1; k < 3; k++) {
            sum = weft_add_scaled(sum, c->weight[k], p->x[c->from[k]]);
            v = weft_add_scaled(v, c->weight[k], p->v[c->from[k]]);
            need = p->need[c->from[k]] > need ? p->need[c->from[k]] : need;
        }
        p->x[c->vertex] = sum;
        p->v[c->vertex] = v;
        p->need[c->vertex] = need;
        p->kept[c->vertex] = 0;
        report->inserted++;
    }
}

/* Whether the energy has changed by `fraction` of the limit. The limit first omits the elastic energy, which is small
 * for moving cloth and costly to compute. It is added when the limit is first exceeded. */
static int is_spent(pass *p, double fraction) {
    follow(p);
    sim_energy_budget_settle(&p->budget);
    if (!(fabs(p->budget.change) > fraction * p->limit))
        return 0;
    if (!p->has_elastic) {
        const weft_vec3 *x = p->sim->x + p->cloth->first;
        p->has_elastic = 1;
        p->limit += p->fraction * sim_model(p->cloth)->energy(p->cloth->self, &p->sim->work, x);
    }
    return fabs(p->budget.change) > fraction * p->limit;
}

/* Collects all cloths and bodies at their current positions. */
static weft_result fill_guard(pass *p, weft_passage_guard_surface *surface, weft_body_surface *body) {
    weft_sim *sim = p->sim;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        surface[i] = (weft_passage_guard_surface){sim->x + cloth->first, (const int32_t(*)[3])cloth->mesh->triangle,
                                                  cloth->mesh->triangle_count};
    }
    for (int32_t i = 0; i < sim->body_count; i++) {
        WEFT_TRY(weft_sim_body_surface(sim, i, &body[i]));
        surface[sim->cloth_count + i] = (weft_passage_guard_surface){
            body[i].position, (const int32_t(*)[3])body[i].triangle, body[i].triangle_count};
    }
    return weft_passage_guard_create(surface, sim->cloth_count + sim->body_count, &p->guard);
}

/* Makes the guard on first use, because changes within a plane do not need it. Returns 0 on failure. */
static int make_guard(pass *p) {
    weft_sim *sim = p->sim;
    if (p->guard)
        return 1;
    weft_passage_guard_surface *surface =
        weft_allocate((size_t)sim->cloth_count + (size_t)sim->body_count, sizeof *surface);
    weft_body_surface *body = weft_allocate((size_t)sim->body_count, sizeof *body);
    p->failure = surface && body ? fill_guard(p, surface, body) : weft_fail_memory("adaptation", sizeof *surface);
    for (int32_t i = 0; body && i < sim->body_count; i++) {
        free(body[i].triangle);
        free(body[i].position);
    }
    free(body);
    free(surface);
    return p->failure.code == WEFT_OK;
}

static void get_corners(const pass *p, const int32_t *vertex, int count, weft_vec3 *corner) {
    for (int k = 0; k < count; k++)
        corner[k] = p->x[vertex[k]];
}

/* Bits of the corners of a volume that no triangle after the change uses. */
static unsigned removed_corners(const weft_flip_volume *flip, const int32_t volume[4]) {
    unsigned removed = 0;
    for (int i = 0; i < 4; i++) {
        int stays = 0;
        for (int k = 0; k < flip->after_count; k++)
            for (int c = 0; c < 3; c++)
                stays |= flip->after[k][c] == volume[i];
        removed |= stays ? 0 : 1U << i;
    }
    return removed;
}

/* Whether nothing is in the volumes of a change. Flat volumes are free. The triangles after the change are added to the
 * guard for later changes. After a failure nothing is free. */
static int is_passage_free(pass *p, const weft_flip_volume *flip) {
    weft_vec3 corner[4];
    int any = 0;
    if (p->failure.code != WEFT_OK)
        return 0;
    for (int k = 0; k < flip->volume_count; k++) {
        get_corners(p, flip->volume[k], 4, corner);
        weft_vec3 a = weft_sub(corner[1], corner[0]), b = weft_sub(corner[2], corner[0]),
                  c = weft_sub(corner[3], corner[0]);
        double size = weft_dot(a, a) + weft_dot(b, b) + weft_dot(c, c);
        int flat = fabs(weft_dot(weft_cross(a, b), c)) <= 1e-12 * size * sqrt(size);
        if (!flat &&
            (!make_guard(p) || !weft_passage_guard_is_free(p->guard, corner, removed_corners(flip, flip->volume[k]))))
            return 0;
        any |= !flat;
    }
    for (int k = 0; any && k < flip->after_count; k++) {
        get_corners(p, flip->after[k], 3, corner);
        if (!weft_passage_guard_add(p->guard, corner)) {
            p->failure = weft_fail_memory("adaptation", sizeof corner);
            return 0;
        }
    }
    return 1;
}

/* Whether a change is allowed. Triangles that are not coplanar change shape, which changes the energy of the cloth. */
static int allows(const void *context, const weft_flip_volume *flip) {
    pass *p = (pass *)context;
    if (is_spent(p, 1)) /* also applies vertices inserted by the operation that asks */
        return 0;
    double area, change = sim_flip_energy(p->cloth, p->x, flip, &area);
    if (!(fabs(change) <= 0.5 * p->stiffest * p->plan.jump * p->plan.jump * area))
        return 0;
    if (!p->guarded || is_passage_free(p, flip))
        return 1;
    p->report.skipped += p->failure.code == WEFT_OK;
    return 0;
}

/* Whether splitting the triangle would lose much kinetic energy. The new vertex takes a ninth of the triangle's mass
 * from each corner and moves with their mean velocity. The velocities relative to the mean are lost. The loss is
 * negligible in smooth motion, but large if contact just stopped a corner. Such a triangle is postponed until its
 * neighbours have caught up. */
static int would_lose_motion(const pass *p, int32_t t) {
    static const double SMOOTH = 0.1; /* fraction of a triangle's kinetic energy that may be lost */
    const weft_fabric *fabric = &p->cloth->fabric;
    weft_vec3 v[3], mean = {0, 0, 0};
    double loss = 0, total = 0;
    for (int k = 0; k < 3; k++) {
        v[k] = p->sim->v[p->cloth->first + p->refined->origin[3 * t + k]];
        mean = weft_add_scaled(mean, 1.0 / 3, v[k]);
    }
    for (int k = 0; k < 3; k++) {
        weft_vec3 relative = weft_sub(v[k], mean);
        loss += weft_dot(relative, relative) / 9;
        total += weft_dot(v[k], v[k]) / 3;
    }
    return loss > SMOOTH * total && fabric->density * loss > p->stiffest * p->plan.jump * p->plan.jump;
}

/* Whether a corner's criterion is at least `times` the refinement limit of the triangle's level. */
static int wants_split(const pass *p, int32_t t, double times) {
    const weft_refined *r = p->refined;
    int32_t level = weft_refined_level(r, t);
    double refine, coarsen;
    if (level / 2 * 2 + 2 > p->plan.levels)
        return 0;
    functions(p->sim)->limits(p->sim->adapt_settings, level, &refine, &coarsen);
    for (int k = 0; k < 3; k++)
        if (p->need[r->origin[3 * t + k]] >= times * refine)
            return 1;
    return 0;
}

/* Splits a triangle. A split may cause other splits, and may exceed the whole energy budget of one adaptation. This
 * happens on coarse meshes, or where springs would lie along other yarns. The split is then undone and postponed. */
static void split(pass *p, int32_t t) {
    weft_refined *r = p->refined;
    int32_t count = r->vertex_count, flipped = r->flipped;
    weft_adapt_report before = p->report;
    (void)weft_refined_split(r, t);
    if (!is_spent(p, 1))
        return;
    r->allows = NULL;
    while (r->vertex_count > count && weft_refined_join(r, r->vertex_count - 1))
        continue;
    r->allows = allows;
    follow(p);
    p->report = before;
    p->report.inserted += r->vertex_count - count; /* count splits that could not be undone */
    if (r->vertex_count == count)
        r->flipped = flipped;
}

/* Visits each initial triangle once. Triangles refined on the way are those that their neighbours need. The largest
 * criteria come first. A fraction of the budget is reserved for coarsening. */
static void refine(pass *p) {
    static const double FRACTION = 0.9;
    int32_t count = p->refined->triangle_count;
    for (int times = 4; times >= 1; times /= 2)
        for (int32_t t = 0; t < count; t++) {
            if (p->refined->changed[t] || !wants_split(p, t, times) || would_lose_motion(p, t))
                continue;
            if (is_spent(p, FRACTION))
                return;
            split(p, t);
        }
}

/* Whether a vertex may be removed. The restored triangles have the generation before the one that created the
 * vertex. */
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

static void coarsen(pass *p) {
    weft_refined *r = p->refined;
    follow(p);
    for (int32_t v = r->vertex_count - 1; v >= r->base_vertices; v--) {
        if (v >= r->vertex_count || r->birth[v] == 0 || p->kept[v] || !wants_join(p, v))
            continue;
        if (is_spent(p, 1))
            break;
        weft_refined_join(r, v);
        follow(p);
    }
}

/* Each vertex adds at most two triangles. */
static void limit_triangles(weft_refined *r, int32_t most) {
    int32_t left = most > r->triangle_count ? (most - r->triangle_count) / 2 : 0;
    if (r->vertex_limit > r->vertex_count + left)
        r->vertex_limit = r->vertex_count + left;
}

static double stiffest_of(const weft_fabric *fabric) {
    return fmax(fabric->shear, fmax(fabric->stretch_weft, fabric->stretch_warp));
}

/* Kinetic and potential energy. Flat cloth at rest has neither. It counts as strained by `jump` instead. */
static double energy_without_strain(const pass *p) {
    double strained = 0.5 * p->stiffest * p->plan.jump * p->plan.jump * p->budget.area;
    return fmax(sim_energy_budget_motion(&p->budget), strained);
}

/* Whether the adaptation can wait. A change of a large mesh costs about the same for one triangle as for hundreds,
 * because mesh, matrix and assembly order are made again. Coarsening and a few splits therefore wait for the next
 * adaptation, but only once or twice. Triangles far beyond their limit do not wait. The decision depends only on the
 * step number and the state, so that a resumed run waits at the same steps. */
static int can_wait(const pass *p) {
    enum { PATIENCE = 3, URGENT = 2, SMALL = 1000 /* triangles */ };
    static const double FEW = 0.005; /* splits per triangle */
    const weft_refined *r = p->refined;
    double splits = 0, few = FEW * r->triangle_count;
    if (r->triangle_count < SMALL || p->sim->step_count / p->plan.every % PATIENCE == 0)
        return 0;
    for (int32_t t = 0; t < r->triangle_count; t++)
        if (wants_split(p, t, 1) && (++splits > few || wants_split(p, t, URGENT)))
            return 0;
    return 1;
}

/* Runs one adaptation with `share` of the budget. */
static weft_result run_pass(pass *p, double share) {
    weft_refined *r = p->refined;
    WEFT_TRY(measure(p));
    if (can_wait(p))
        return weft_ok();
    WEFT_TRY(sim_energy_budget_open(&p->budget, p->sim, p->cloth, p->x, p->v));
    p->seen = 0;
    p->has_elastic = 0;
    p->fraction = share * p->plan.energy;
    p->limit = p->sim->step_count > 0 ? p->fraction * energy_without_strain(p) : HUGE_VAL;
    p->guarded = p->plan.avoids && sim_touches(p->sim);
    r->allows = allows;
    r->context = p;
    (void)weft_refined_flip_remaining(r);
    refine(p);
    coarsen(p);
    sim_energy_budget_settle(&p->budget);
    r->allows = NULL;
    sim_energy_budget_close(&p->budget);
    weft_passage_guard_destroy(p->guard);
    p->guard = NULL;
    if (p->failure.code != WEFT_OK)
        return p->failure;
    return r->failed ? weft_fail_memory("adaptation", (size_t)r->triangle_count * 64) : weft_ok();
}

static int has_changed(const pass *p) { return p->refined->change_count > 0 || p->refined->flipped > 0; }

/* Whether the change of energy is within the budget, measured with a trial model. Some models fit stiffness to the
 * whole mesh. For them the elastic part of the budget is only an estimate. */
static weft_result is_within_budget(pass *p, int *kept) {
    const sim_cloth *cloth = p->cloth;
    double after, before = sim_model(cloth)->energy(cloth->self, &p->sim->work, p->sim->x + cloth->first);
    WEFT_TRY(sim_trial_energy(p->sim, cloth, p->x, &after));
    double change = p->budget.change - p->budget.edge_change + after - before;
    *kept = fabs(change) <= p->plan.energy * (energy_without_strain(p) + before);
    return weft_ok();
}

static weft_result restore(pass *p, const weft_refined *before) {
    weft_refined *restored;
    WEFT_TRY(weft_refined_copy(before, &restored));
    restored->vertex_limit = p->refined->vertex_limit;
    restored->limited = p->refined->limited;
    weft_refined_destroy(p->refined);
    p->cloth->refined = p->refined = restored;
    return weft_ok();
}

/* Retries with smaller shares of the budget until the measured change is within the whole budget. */
static weft_result run_with_trial(pass *p, const weft_refined *before) {
    enum { TRIES = 6 };
    static const double LESS = 0.4;
    double share = 1;
    for (int i = 0; i < TRIES; i++, share *= LESS) {
        int kept = 1;
        p->report = (weft_adapt_report){0};
        WEFT_TRY(run_pass(p, share));
        if (!has_changed(p) || p->sim->step_count == 0)
            return weft_ok();
        WEFT_TRY(is_within_budget(p, &kept));
        if (kept)
            return weft_ok();
        WEFT_TRY(restore(p, before));
    }
    p->report = (weft_adapt_report){0};
    return weft_ok();
}

static weft_result adapt_surface(pass *p) {
    if (sim_model(p->cloth)->facet_energy)
        return run_pass(p, 1);
    weft_refined *before;
    WEFT_TRY(weft_refined_copy(p->refined, &before));
    weft_result result = run_with_trial(p, before);
    weft_refined_destroy(before);
    return result;
}

static weft_result adapt_cloth(weft_sim *sim, sim_cloth *cloth, weft_adapt_report *report) {
    pass p = {.sim = sim,
              .cloth = cloth,
              .plan = functions(sim)->plan(sim->adapt_settings),
              .stiffest = stiffest_of(&cloth->fabric),
              .failure = weft_ok()};
    WEFT_TRY(sim_reshape_begin(sim, cloth));
    p.refined = cloth->refined;
    limit_triangles(p.refined, p.plan.most);
    weft_result result = adapt_surface(&p);
    p.report.turned = p.refined->flipped;
    sim_add_adapt(report, &p.report);
    if (has_changed(&p))
        sim_reshape_end(sim, cloth);
    return result;
}

/* The last cloth comes first, so that the others keep their vertex ranges. */
static weft_result adapt_all(weft_sim *sim, weft_adapt_report *report) {
    for (int32_t i = sim->cloth_count - 1; i >= 0; i--)
        if (sim->cloth[i].refined) {
            WEFT_TRY(adapt_cloth(sim, &sim->cloth[i], report));
            WEFT_TRY(sim_rebuild(sim));
        }
    return sim->prepare(sim);
}

weft_result sim_adapt(weft_sim *sim, weft_adapt_report *report) {
    if (!sim->adapt || sim->step_count % functions(sim)->plan(sim->adapt_settings).every != 0)
        return weft_ok();
    if (functions(sim)->plan(sim->adapt_settings).sees & WEFT_SEES_CONTACT)
        sim_mark_held(sim);
    return adapt_all(sim, report);
}

weft_result sim_check_most(const weft_sim *sim, const sim_cloth *cloth) {
    int32_t most = sim->adapt ? functions(sim)->plan(sim->adapt_settings).most : INT32_MAX;
    if (!cloth->refined || cloth->base->triangle_count <= most)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "cloth '%.64s': adapt.max_triangles: %d is below the %d triangles of its mesh",
                     cloth->name, (int)most, (int)cloth->base->triangle_count);
}

/* Fails if the triangle limit stopped refinement. A cut of an edge, which adds four triangles, may have found no
 * room. */
static weft_result refuse_too_many(const weft_sim *sim) {
    weft_adapt_plan plan = functions(sim)->plan(sim->adapt_settings);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const weft_refined *r = sim->cloth[i].refined;
        if (r && r->limited && r->triangle_count > plan.most - 4)
            return weft_fail(WEFT_BAD_INPUT,
                             "cloth '%.64s': adapt.max_triangles: %d are not enough: adaptation would make more of the "
                             "%d of its mesh before the first step; a lower max_generation (%d) or higher limits of "
                             "refine ask for fewer",
                             sim->cloth[i].name, (int)plan.most, (int)sim->cloth[i].base->triangle_count,
                             (int)plan.levels);
    }
    return weft_ok();
}

/* Adapts repeatedly until the mesh is fine enough for the initial shape. */
weft_result sim_adapt_start(weft_sim *sim, weft_adapt_report *report) {
    int32_t rounds = sim->adapt ? functions(sim)->plan(sim->adapt_settings).levels : 0;
    for (int32_t i = 0; i < rounds; i++) {
        weft_adapt_report one = {0};
        WEFT_TRY(adapt_all(sim, &one));
        sim_add_adapt(report, &one);
        WEFT_TRY(refuse_too_many(sim));
        if (one.inserted == 0 && one.removed == 0)
            break;
    }
    return weft_ok();
}

weft_result weft_sim_adapt_start(weft_sim *sim) {
    WEFT_REQUIRE(sim);
    weft_adapt_report ignored = {0};
    WEFT_TRY(sim->prepare(sim));
    return sim->step_count == 0 ? sim_adapt_start(sim, &ignored) : weft_ok();
}
