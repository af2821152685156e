/* The forces that an integrator asks for: external ones, the wind, and the models'. */
#include <assert.h>

#include "force/aero.h"
#include "sim/internal.h"

void weft_system_rest(const weft_system *system, weft_vec3 *x) {
    const weft_sim *sim = system->owner;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        memcpy(x + cloth->first, cloth->mesh->position, (size_t)cloth->mesh->vertex_count * sizeof *x);
    }
}

static int has_wind(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->force_count; i++)
        if (sim_force_functions(&sim->force[i])->wind)
            return 1;
    return 0;
}

/* The air's velocity at all vertices, m/s. All sources sum into one field, because drag and lift are not linear in it.
 * Null when memory is out. */
static weft_vec3 *wind_field(const weft_system *system, const weft_vec3 *x) {
    const weft_sim *sim = system->owner;
    weft_vec3 *air = weft_arena_take(system->work->arena, (size_t)system->count * sizeof *air, "the wind field");
    if (!air)
        return NULL;
    memset(air, 0, (size_t)system->count * sizeof *air);
    for (int32_t i = 0; i < sim->force_count; i++) {
        const sim_force *force = &sim->force[i];
        if (sim_force_functions(force)->wind)
            sim_force_functions(force)->wind(force->settings, system->work, system->time, (uint64_t)sim->air.seed,
                                             system->count, x, air);
    }
    return air;
}

static void add_wind(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    const weft_sim *sim = system->owner;
    const weft_vec3 *air = wind_field(system, x);
    if (!air)
        return;
    double density = weft_air_density(sim->air.temperature);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        int32_t first = cloth->first;
        weft_aero_force(system->work, cloth->mesh, cloth->open_face, cloth->fabric.drag, cloth->fabric.lift, density,
                        air + first, x + first, v + first, f + first);
    }
}

typedef struct external_context {
    const weft_system *system;
    const weft_vec3 *x, *v;
    weft_vec3 *f; /* N (system->count) */
} external_context;

/* Run by run, so that f stays in the cache from one force to the next. */
static void external_run(const external_context *c, int32_t first, int32_t count, weft_vec3 *f) {
    const weft_sim *sim = c->system->owner;
    weft_work serial = {1, c->system->work->arena};
    weft_force_input input = {count,
                              c->system->time,
                              c->x + first,
                              c->v + first,
                              c->system->mass + first,
                              sim->area + first,
                              (uint64_t)sim->air.seed};
    memset(f, 0, (size_t)count * sizeof *f);
    for (int32_t i = 0; i < sim->force_count; i++)
        if (sim_force_functions(&sim->force[i])->apply)
            sim_force_functions(&sim->force[i])->apply(sim->force[i].settings, &serial, &input, f);
}

static void external_block(void *context, int64_t begin, int64_t end) {
    const external_context *c = context;
    external_run(c, (int32_t)begin, (int32_t)(end - begin), c->f + begin);
}

void weft_system_external_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    external_context context = {system, x, v, f};
    weft_parallel_for(system->work, system->count, WEFT_BLOCK, external_block, &context);
    if (has_wind(system->owner))
        add_wind(system, x, v, f);
}

static void add_vertex_damping(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, double *block) {
    const weft_sim *sim = system->owner;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        int32_t first = cloth->first;
        if (sim_model(cloth)->vertex_damping)
            sim_model(cloth)->vertex_damping(cloth->self, system->work, x + first, v + first,
                                             block + 6 * (size_t)first);
    }
}

static int has_damping(const weft_sim *sim) {
    int any = has_wind(sim);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        any |= sim_model(&sim->cloth[i])->vertex_damping != NULL;
    for (int32_t i = 0; i < sim->force_count; i++)
        any |= sim_force_functions(&sim->force[i])->damping != NULL;
    return any;
}

int weft_system_external_damping(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, double *block) {
    const weft_sim *sim = system->owner;
    if (!has_damping(sim))
        return 0;
    memset(block, 0, 6 * (size_t)system->count * sizeof *block);
    add_vertex_damping(system, x, v, block);
    weft_force_input input = {system->count, system->time, x, v, system->mass, sim->area, (uint64_t)sim->air.seed};
    for (int32_t i = 0; i < sim->force_count; i++)
        if (sim_force_functions(&sim->force[i])->damping)
            sim_force_functions(&sim->force[i])->damping(sim->force[i].settings, system->work, &input, block);
    const weft_vec3 *air = has_wind(sim) ? wind_field(system, x) : NULL;
    if (!air)
        return 1;
    double density = weft_air_density(sim->air.temperature);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        int32_t first = cloth->first;
        weft_aero_damping(system->work, cloth->mesh, cloth->open_face, cloth->fabric.drag, cloth->fabric.lift, density,
                          air + first, x + first, v + first, block + 6 * (size_t)first);
    }
    return 1;
}

static int32_t lists_of(const sim_cloth *cloth, const weft_elements **lists) {
    return sim_model(cloth)->element_lists ? sim_model(cloth)->element_lists(cloth->self, lists) : 0;
}

int32_t weft_system_list_count(const weft_system *system) {
    const weft_sim *sim = system->owner;
    const weft_elements *lists;
    int32_t count = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        count += lists_of(&sim->cloth[i], &lists);
    return count;
}

/* The cloth that list number *list belongs to; *list becomes the number among its own. */
static const sim_cloth *cloth_of_list(const weft_sim *sim, int32_t *list) {
    const weft_elements *lists;
    const sim_cloth *cloth = sim->cloth;
    for (int32_t count; *list >= (count = lists_of(cloth, &lists)); cloth++)
        *list -= count;
    return cloth;
}

weft_elements weft_system_list(const weft_system *system, int32_t list, int32_t *first) {
    const weft_elements *lists = NULL;
    const sim_cloth *cloth = cloth_of_list(system->owner, &list);
    *first = cloth->first;
    lists_of(cloth, &lists);
    assert(lists);
    weft_elements found = lists[list];
    found.same = cloth->reshapes == 0;
    if (found.same)
        found.from = NULL;
    return found;
}

void weft_system_blocks(const weft_system *system, int32_t list, const int32_t *element, int32_t count,
                        const weft_vec3 *x, const weft_vec3 *v, double *stiffness, double *damping) {
    const sim_cloth *cloth = cloth_of_list(system->owner, &list);
    sim_model(cloth)->element_blocks(cloth->self, list, element, count, x + cloth->first, v + cloth->first, stiffness,
                                     damping);
}

int weft_system_sums(const weft_system *system, int32_t list, const int32_t *element, int32_t count,
                     const double (*place)[8], double h, float *record) {
    const sim_cloth *cloth = cloth_of_list(system->owner, &list);
    const weft_model_functions *model = sim_model(cloth);
    if (!model->element_sums)
        return 0;
    return model->element_sums(cloth->self, list, element, count, place + cloth->first, h, record);
}

int weft_system_has_pairs(const weft_system *system, int32_t list) {
    return sim_model(cloth_of_list(system->owner, &list))->pair_rows != NULL;
}

void weft_system_pairs(const weft_system *system, int32_t list, const weft_pair_rows *rows, float *block,
                       weft_pair_sum *sum) {
    const sim_cloth *cloth = cloth_of_list(system->owner, &list);
    sim_model(cloth)->pair_rows(cloth->self, rows, block, sum);
}

void weft_system_internal_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    const weft_sim *sim = system->owner;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        int32_t first = cloth->first;
        sim_model(cloth)->force(cloth->self, system->work, x + first, v + first, f + first);
    }
}

void weft_system_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    weft_system_external_force(system, x, v, f);
    weft_system_internal_force(system, x, v, f);
}

typedef struct run_context {
    external_context external; /* f: with wind, which acts on triangles, its and all others' forces; else null */
    int internal;              /* none of them at all */
    weft_fetched fetched;      /* what `take` will want of each vertex (system->count) */
    int32_t first, part;       /* of the cloth */
    weft_place_source place;
    weft_force_sink take;
    void *context;
    weft_vec3 *sum;   /* of the cloth, for models that give their forces all at once */
    weft_vec3 *at[2]; /* and where its vertices are and how fast */
} run_context;

static void begin_run(void *context, int32_t part, int32_t first, int32_t count, weft_vec3 *f) {
    const run_context *c = context;
    (void)part;
    if (c->internal)
        memset(f, 0, (size_t)count * sizeof *f);
    else if (c->external.f)
        memcpy(f, c->external.f + c->first + first, (size_t)count * sizeof *f);
    else
        external_run(&c->external, c->first + first, count, f);
}

static void end_run(void *context, int32_t part, int32_t first, int32_t count, weft_vec3 *f) {
    const run_context *c = context;
    c->take(c->context, c->part + part, c->first + first, count, f);
}

static void place_run(void *context, int32_t first, int32_t count, weft_vec3 *x, weft_vec3 *v) {
    const run_context *c = context;
    c->place(c->context, c->first + first, count, x, v);
}

static void begin_block(void *context, int64_t begin, int64_t end) {
    const run_context *c = context;
    if (c->place)
        place_run(context, (int32_t)begin, (int32_t)(end - begin), c->at[0] + begin, c->at[1] + begin);
    begin_run(context, 0, (int32_t)begin, (int32_t)(end - begin), c->sum + begin);
}

static void end_block(void *context, int64_t begin, int64_t end) {
    const run_context *c = context;
    end_run(context, (int32_t)(begin / WEFT_BLOCK), (int32_t)begin, (int32_t)(end - begin), c->sum + begin);
}

static void external_only(void *context, int64_t begin, int64_t end) {
    weft_vec3 f[WEFT_BLOCK];
    begin_run(context, 0, (int32_t)begin, (int32_t)(end - begin), f);
    end_run(context, (int32_t)(begin / WEFT_BLOCK), (int32_t)begin, (int32_t)(end - begin), f);
}

static int prepare_runs(run_context *c) {
    const weft_system *system = c->external.system;
    if (!has_wind(system->owner))
        return 1;
    weft_vec3 *f = weft_arena_take(system->work->arena, (size_t)system->count * sizeof *f, "external forces");
    if (!f)
        return 0;
    weft_system_external_force(system, c->external.x, c->external.v, f);
    c->external.f = f;
    return 1;
}

static weft_fetched from_vertex(const weft_fetched *all, int32_t first) {
    weft_fetched some = {.vector = {NULL}};
    for (int i = 0; i < 3; i++)
        some.vector[i] = all->vector[i] ? all->vector[i] + first : NULL;
    for (int i = 0; i < 6; i++)
        some.triple[i] = all->triple[i] ? all->triple[i] + 3 * (int64_t)first : NULL;
    for (int i = 0; i < 2; i++)
        some.number[i] = all->number[i] ? all->number[i] + first : NULL;
    return some;
}

static weft_vec3 *take_vectors(const run_context *c, int32_t count) {
    return weft_arena_take(c->external.system->work->arena, (size_t)count * sizeof(weft_vec3), "forces");
}

static int cloth_runs(run_context *c, const sim_cloth *cloth) {
    const weft_work *work = c->external.system->work;
    const weft_vec3 *x = c->external.x + cloth->first, *v = c->external.v + cloth->first;
    int32_t count = cloth->mesh->vertex_count;
    c->first = cloth->first;
    weft_force_runs runs = {begin_run, end_run, c->place ? place_run : NULL, c, from_vertex(&c->fetched, c->first)};
    if (sim_model(cloth)->force_runs && sim_model(cloth)->force_runs(cloth->self, work, x, v, &runs))
        return 1;
    c->sum = take_vectors(c, count);
    c->at[0] = c->place ? take_vectors(c, count) : NULL;
    c->at[1] = c->place ? take_vectors(c, count) : NULL;
    if (!c->sum || (c->place && !(c->at[0] && c->at[1])))
        return 0;
    weft_parallel_for(work, count, WEFT_BLOCK, begin_block, c);
    sim_model(cloth)->force(cloth->self, work, c->place ? c->at[0] : x, c->place ? c->at[1] : v, c->sum);
    weft_parallel_for(work, count, WEFT_BLOCK, end_block, c);
    return 1;
}

static int64_t parts_of(const sim_cloth *cloth) {
    return ((int64_t)cloth->mesh->vertex_count + WEFT_BLOCK - 1) / WEFT_BLOCK;
}

int64_t weft_system_block_count(const weft_system *system) {
    const weft_sim *sim = system->owner;
    int64_t count = 0, blocks = ((int64_t)system->count + WEFT_BLOCK - 1) / WEFT_BLOCK;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        count += parts_of(&sim->cloth[i]);
    return count > blocks ? count : blocks;
}

int weft_system_acceleration(const weft_system *system, weft_vec3 *acceleration) {
    const weft_sim *sim = system->owner;
    *acceleration = (weft_vec3){0, 0, 0};
    for (int32_t i = 0; i < sim->force_count; i++) {
        const weft_force_functions *force = sim_force_functions(&sim->force[i]);
        if (!force->acceleration)
            return 0;
        *acceleration = weft_add(*acceleration, force->acceleration(sim->force[i].settings));
    }
    return 1;
}

static int all_runs(run_context *c) {
    const weft_sim *sim = c->external.system->owner;
    int fine = 1;
    for (int32_t i = 0; i < sim->cloth_count && fine; i++) {
        fine = cloth_runs(c, &sim->cloth[i]);
        c->part += (int32_t)parts_of(&sim->cloth[i]);
    }
    return fine;
}

int weft_system_force_runs(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_force_sink take,
                           void *context) {
    run_context c = {.external = {system, x, v, NULL},
                     .fetched = {.vector = {system->v, system->x_next, system->v_next},
                                 .number = {system->mass, system->inverse_mass}},
                     .take = take,
                     .context = context};
    return prepare_runs(&c) && all_runs(&c);
}

int weft_system_internal_runs(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                              weft_place_source place, const weft_fetched *fetched, weft_force_sink take,
                              void *context) {
    run_context c = {.external = {system, x, v, NULL},
                     .internal = 1,
                     .fetched = *fetched,
                     .place = place,
                     .take = take,
                     .context = context};
    return all_runs(&c);
}

int weft_system_external_runs(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_force_sink take,
                              void *context) {
    run_context c = {.external = {system, x, v, NULL}, .take = take, .context = context};
    if (!prepare_runs(&c))
        return 0;
    weft_parallel_for(system->work, system->count, WEFT_BLOCK, external_only, &c);
    return 1;
}

double weft_system_energy(const weft_system *system, const weft_vec3 *x) {
    const weft_sim *sim = system->owner;
    double sum = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        if (sim_model(cloth)->energy)
            sum += sim_model(cloth)->energy(cloth->self, system->work, x + cloth->first);
    }
    return sum;
}

void weft_system_relax(const weft_system *system, int passes, weft_vec3 *x) {
    const weft_sim *sim = system->owner;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        sim_model(cloth)->relax(cloth->self, system->work, system->inverse_mass + cloth->first, passes,
                                x + cloth->first);
    }
}

static int32_t links_of(const sim_cloth *cloth) {
    return sim_model(cloth)->link_count ? sim_model(cloth)->link_count(cloth->self) : 0;
}

int32_t weft_system_link_count(const weft_system *system) {
    const weft_sim *sim = system->owner;
    int32_t count = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        count += links_of(&sim->cloth[i]);
    return count;
}

weft_link weft_system_link(const weft_system *system, int32_t index) {
    const weft_sim *sim = system->owner;
    const sim_cloth *cloth = sim->cloth;
    for (; index >= links_of(cloth); cloth++)
        index -= links_of(cloth);
    weft_link link = sim_model(cloth)->link_at(cloth->self, index);
    link.a += cloth->first;
    link.b += cloth->first;
    return link;
}
