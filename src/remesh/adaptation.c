/* When and where meshes change: after every so many steps, as the adaption's measure asks. */
#include <math.h>

#include "remesh/energy_budget.h"
#include "remesh/passage_guard.h"
#include "remesh/remesh.h"

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

/* One cloth while its mesh changes. Arrays have room for all vertices that there may be. */
typedef struct pass {
    weft_sim *sim;
    sim_cloth *cloth;
    weft_refined *refined;
    weft_adapt_plan plan;
    double *need;              /* of each vertex */
    weft_vec3 *x, *v;          /* where it is, m, and how it moves, m/s */
    uint8_t *kept;             /* 1: something holds it by its number */
    int guarded;               /* whether there is anything that changes must not pass through */
    weft_passage_guard *guard; /* then that, once it was asked for */
    weft_adapt_report report;
    weft_result failure;      /* of what was asked for within */
    int32_t seen;             /* changes of vertices that both have followed */
    sim_energy_budget ledger; /* of the energy */
    double part;              /* of the cloth's energy by which that may change */
    double budget;            /* the same in J */
    int counted;              /* whether the elastic energy is in the budget */
    double stiffest;          /* modulus of the fabric, N/m */
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
    p->v = weft_arena_take(sim->work.arena, room * sizeof *p->v, "adaption");
    if ((p->plan.sees & WEFT_SEES_STRAIN) && sim_model(cloth)->measure)
        strain = weft_arena_take(sim->work.arena, triangles * sizeof *strain, "adaption");
    p->kept = weft_arena_take(sim->work.arena, room, "adaption");
    if (!p->need || !p->x || !p->v || !p->kept || weft_arena_failure(sim->work.arena))
        return weft_fail_memory("adaption", room * sizeof *p->x);
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

/* Needs and positions of vertices that were inserted or have moved. */
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

/* Whether the energy has changed by as much as it may in one adaption, or by that part of it. What the cloth has of it
 * is first taken without the elastic part, which is small where cloth moves and dear to find. */
static int is_spent(pass *p, double part) {
    follow(p);
    sim_energy_budget_settle(&p->ledger);
    if (!(fabs(p->ledger.change) > part * p->budget))
        return 0;
    if (!p->counted) {
        const weft_vec3 *x = p->sim->x + p->cloth->first;
        p->counted = 1;
        p->budget += p->part * sim_model(p->cloth)->energy(p->cloth->self, &p->sim->work, x);
    }
    return fabs(p->ledger.change) > part * p->budget;
}

/* All cloths and bodies where they are now. */
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

/* Made when it is first asked for: where nothing but flat triangles changes it is not needed. Returns 0 when that
 * fails. */
static int make_guard(pass *p) {
    weft_sim *sim = p->sim;
    if (p->guard)
        return 1;
    weft_passage_guard_surface *surface =
        weft_allocate((size_t)sim->cloth_count + (size_t)sim->body_count, sizeof *surface);
    weft_body_surface *body = weft_allocate((size_t)sim->body_count, sizeof *body);
    p->failure = surface && body ? fill_guard(p, surface, body) : weft_fail_memory("adaption", sizeof *surface);
    for (int32_t i = 0; body && i < sim->body_count; i++) {
        free(body[i].triangle);
        free(body[i].position);
    }
    free(body);
    free(surface);
    return p->failure.code == WEFT_OK;
}

static void corners_of(const pass *p, const int32_t *vertex, int count, weft_vec3 *corner) {
    for (int k = 0; k < count; k++)
        corner[k] = p->x[vertex[k]];
}

/* Corners of the volume that are not part of what comes after. */
static unsigned gone_of(const weft_flip_volume *sweep, const int32_t volume[4]) {
    unsigned gone = 0;
    for (int i = 0; i < 4; i++) {
        int stays = 0;
        for (int k = 0; k < sweep->after_count; k++)
            for (int c = 0; c < 3; c++)
                stays |= sweep->after[k][c] == volume[i];
        gone |= stays ? 0 : 1U << i;
    }
    return gone;
}

/* Flat ones sweep nothing. What is swept is there for changes that follow. Nothing is free any more once something has
 * failed. */
static int is_free(pass *p, const weft_flip_volume *sweep) {
    weft_vec3 corner[4];
    int any = 0;
    if (p->failure.code != WEFT_OK)
        return 0;
    for (int k = 0; k < sweep->volume_count; k++) {
        corners_of(p, sweep->volume[k], 4, corner);
        weft_vec3 a = weft_sub(corner[1], corner[0]), b = weft_sub(corner[2], corner[0]),
                  c = weft_sub(corner[3], corner[0]);
        double size = weft_dot(a, a) + weft_dot(b, b) + weft_dot(c, c);
        int flat = fabs(weft_dot(weft_cross(a, b), c)) <= 1e-12 * size * sqrt(size);
        if (!flat &&
            (!make_guard(p) || !weft_passage_guard_is_free(p->guard, corner, gone_of(sweep, sweep->volume[k]))))
            return 0;
        any |= !flat;
    }
    for (int k = 0; any && k < sweep->after_count; k++) {
        corners_of(p, sweep->after[k], 3, corner);
        if (!weft_passage_guard_add(p->guard, corner)) {
            p->failure = weft_fail_memory("adaption", sizeof corner);
            return 0;
        }
    }
    return 1;
}

/* Triangles that are not in one plane change their shape, and with it the cloth its energy. */
static int allows(const void *context, const weft_flip_volume *sweep) {
    pass *p = (pass *)context;
    if (is_spent(p, 1)) /* also makes the vertices known that came with the operation that asks */
        return 0;
    double area, change = sim_flip_energy(p->cloth, p->x, sweep, &area);
    if (!(fabs(change) <= 0.5 * p->stiffest * p->plan.jump * p->plan.jump * area))
        return 0;
    if (!p->guarded || is_free(p, sweep))
        return 1;
    p->report.skipped += p->failure.code == WEFT_OK;
    return 0;
}

/* A vertex at the centre takes a ninth of the triangle's mass from each corner and moves with their mean velocity,
 * which loses what the corners move against it: nothing to speak of in smooth motion, but much of it where a corner was
 * just stopped by something. Such a triangle waits until its neighbours have followed. */
static int is_shaken(const pass *p, int32_t t) {
    static const double SMOOTH = 0.1; /* part of a triangle's kinetic energy that may go */
    const weft_fabric *fabric = &p->cloth->fabric;
    weft_vec3 v[3], mean = {0, 0, 0};
    double lost = 0, all = 0;
    for (int k = 0; k < 3; k++) {
        v[k] = p->sim->v[p->cloth->first + p->refined->origin[3 * t + k]];
        mean = weft_add_scaled(mean, 1.0 / 3, v[k]);
    }
    for (int k = 0; k < 3; k++) {
        weft_vec3 against = weft_sub(v[k], mean);
        lost += weft_dot(against, against) / 9;
        all += weft_dot(v[k], v[k]) / 3;
    }
    return lost > SMOOTH * all && fabric->density * lost > p->stiffest * p->plan.jump * p->plan.jump;
}

/* Whether a corner's need is at least so many times what triangles of that level are refined from. */
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

/* One split brings others with it, and may change the energy by more than all that it may in one adaption: on coarse
 * meshes, or where springs would lie along other threads. It is then taken back, and what is around it waits. */
static void split(pass *p, int32_t t) {
    weft_refined *r = p->refined;
    int32_t count = r->vertex_count, turned = r->turned;
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
    p->report.inserted += r->vertex_count - count; /* what could not be taken back is told as it is */
    if (r->vertex_count == count)
        r->turned = turned;
}

/* What is there at the beginning is looked at once; what is refined on the way is what its neighbours need. Where the
 * need is greatest comes first, and something is left of the budget for triangles to be joined. */
static void refine(pass *p) {
    static const double PART = 0.9;
    int32_t count = p->refined->triangle_count;
    for (int times = 4; times >= 1; times /= 2)
        for (int32_t t = 0; t < count && !is_spent(p, PART); t++)
            if (!p->refined->changed[t] && wants_split(p, t, times) && !is_shaken(p, t))
                split(p, t);
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

static void coarsen(pass *p) {
    weft_refined *r = p->refined;
    for (int32_t v = r->vertex_count - 1; v >= r->base_vertices && !is_spent(p, 1); v--)
        if (v < r->vertex_count && r->birth[v] > 0 && !p->kept[v] && wants_join(p, v))
            weft_refined_join(r, v);
    follow(p);
}

/* A vertex comes with two triangles at most. */
static void limit_triangles(weft_refined *r, int32_t most) {
    int32_t left = most > r->triangle_count ? (most - r->triangle_count) / 2 : 0;
    if (r->vertex_limit > r->vertex_count + left)
        r->vertex_limit = r->vertex_count + left;
}

static double stiffest_of(const weft_fabric *fabric) {
    return fmax(fabric->shear, fmax(fabric->stretch_weft, fabric->stretch_warp));
}

/* Kinetic and of weight. Cloth that lies flat and still has none that changes could be compared with; it then counts as
 * strained by `jump`. */
static double energy_without_strain(const pass *p) {
    double strained = 0.5 * p->stiffest * p->plan.jump * p->plan.jump * p->ledger.area;
    return fmax(sim_energy_budget_motion(&p->ledger), strained);
}

/* `share` of the budget. */
static weft_result run_pass(pass *p, double share) {
    weft_refined *r = p->refined;
    WEFT_TRY(measure(p));
    WEFT_TRY(sim_energy_budget_open(&p->ledger, p->sim, p->cloth, p->x, p->v));
    p->seen = 0;
    p->counted = 0;
    p->part = share * p->plan.energy;
    p->budget = p->sim->step_count > 0 ? p->part * energy_without_strain(p) : HUGE_VAL;
    p->guarded = p->plan.avoids && sim_touches(p->sim);
    r->allows = allows;
    r->context = p;
    (void)weft_refined_turn_left(r);
    refine(p);
    coarsen(p);
    sim_energy_budget_settle(&p->ledger);
    r->allows = NULL;
    sim_energy_budget_close(&p->ledger);
    weft_passage_guard_destroy(p->guard);
    p->guard = NULL;
    if (p->failure.code != WEFT_OK)
        return p->failure;
    return r->failed ? weft_fail_memory("adaption", (size_t)r->triangle_count * 64) : weft_ok();
}

static int has_changed(const pass *p) { return p->refined->change_count > 0 || p->refined->turned > 0; }

/* Of models with stiffness that is fitted to the mesh as a whole the ledger's elastic part is an estimate. */
static weft_result is_kept(pass *p, int *kept) {
    const sim_cloth *cloth = p->cloth;
    double after, before = sim_model(cloth)->energy(cloth->self, &p->sim->work, p->sim->x + cloth->first);
    WEFT_TRY(sim_trial_energy(p->sim, cloth, p->x, &after));
    double change = p->ledger.change - p->ledger.of_sides + after - before;
    *kept = fabs(change) <= p->plan.energy * (energy_without_strain(p) + before);
    return weft_ok();
}

static weft_result go_back(pass *p, const weft_refined *before) {
    weft_refined *again;
    WEFT_TRY(weft_refined_copy(before, &again));
    again->vertex_limit = p->refined->vertex_limit;
    again->limited = p->refined->limited;
    weft_refined_destroy(p->refined);
    p->cloth->refined = p->refined = again;
    return weft_ok();
}

/* With a part of the budget, then a part of that, until what comes of it is within the whole. */
static weft_result run_measured(pass *p, const weft_refined *before) {
    enum { TRIES = 6 };
    static const double LESS = 0.4;
    double share = 1;
    for (int i = 0; i < TRIES; i++, share *= LESS) {
        int kept = 1;
        p->report = (weft_adapt_report){0};
        WEFT_TRY(run_pass(p, share));
        if (!has_changed(p) || p->sim->step_count == 0)
            return weft_ok();
        WEFT_TRY(is_kept(p, &kept));
        if (kept)
            return weft_ok();
        WEFT_TRY(go_back(p, before));
    }
    p->report = (weft_adapt_report){0};
    return weft_ok();
}

static weft_result adapt_surface(pass *p) {
    if (sim_model(p->cloth)->facet_energy)
        return run_pass(p, 1);
    weft_refined *before;
    WEFT_TRY(weft_refined_copy(p->refined, &before));
    weft_result result = run_measured(p, before);
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
    p.report.turned = p.refined->turned;
    sim_add_adapt(report, &p.report);
    if (has_changed(&p))
        sim_reshape_end(sim, cloth);
    return result;
}

/* The last cloth first: the others then keep their places. */
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

/* A cut, which makes four triangles, may have found no room. */
static weft_result refuse_too_many(const weft_sim *sim) {
    weft_adapt_plan plan = functions(sim)->plan(sim->adapt_settings);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const weft_refined *r = sim->cloth[i].refined;
        if (r && r->limited && r->triangle_count > plan.most - 4)
            return weft_fail(WEFT_BAD_INPUT,
                             "cloth '%.64s': adapt.max_triangles: %d are not enough: adaption would make more of the "
                             "%d of its mesh before the first step; a lower max_generation (%d) or higher limits of "
                             "refine ask for fewer",
                             sim->cloth[i].name, (int)plan.most, (int)sim->cloth[i].base->triangle_count,
                             (int)plan.levels);
    }
    return weft_ok();
}

/* Until the mesh is as fine as the shape that is begun with asks for. */
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
    weft_adapt_report ignored = {0};
    WEFT_TRY(sim->prepare(sim));
    return sim->step_count == 0 ? sim_adapt_start(sim, &ignored) : weft_ok();
}
