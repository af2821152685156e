/* What a device gets of a simulation, and what it does not support. */
#include <string.h>

#include "force/aero.h"
#include "force/builtin_forces.h"
#include "sim/internal.h"
#include "solve/implicit.h"
#include "solve/precond.h"
#include "solve/schemes.h"
#include "weft/text.h"

/* -- what is supported -- */

weft_result sim_refuse_on_device(const weft_sim *sim, const char *what) {
    return weft_fail(WEFT_UNSUPPORTED, "device '%.64s' does not support %.200s: use device: cpu",
                     sim->device.settings.name, what);
}

static weft_result find_scheme(const weft_sim *sim, int32_t *scheme) {
    static const struct {
        const weft_component *integrator;
        weft_device_scheme scheme;
    } KNOWN[] = {
        {&weft_implicit_euler, WEFT_DEVICE_IMPLICIT_EULER},
        {&weft_bdf2, WEFT_DEVICE_BDF2},
        {&weft_forward_euler, WEFT_DEVICE_FORWARD_EULER},
        {&weft_symplectic_euler, WEFT_DEVICE_SYMPLECTIC_EULER},
        {&weft_verlet, WEFT_DEVICE_VERLET},
        {&weft_verlet_timecorrected, WEFT_DEVICE_VERLET_TIMECORRECTED},
        {&weft_verlet_taylor, WEFT_DEVICE_VERLET_TAYLOR},
    };
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
        if (sim->integrator == KNOWN[i].integrator) {
            *scheme = KNOWN[i].scheme;
            return weft_ok();
        }
    char what[100];
    weft_format(what, sizeof what, "integrator %.64s", sim->integrator->name);
    return sim_refuse_on_device(sim, what);
}

/* The setting of a component, which must exist in its table. */
static const void *setting(const weft_component *component, const void *settings, const char *name) {
    return (const char *)settings + weft_params_find(component->params, name)->offset;
}

static double real_setting(const weft_component *component, const void *settings, const char *name) {
    return *(const double *)setting(component, settings, name);
}

static weft_result check_cloth(const weft_sim *sim, const sim_cloth *cloth) {
    char what[160];
    const weft_model_kernels *kernels = sim_model(cloth)->kernels;
    if (!kernels || !kernels->describe) {
        weft_format(what, sizeof what, "model %.64s of cloth '%.64s'", cloth->model->name, cloth->name);
        return sim_refuse_on_device(sim, what);
    }
    static const char *const LIMITS[] = {"limit", "tear"};
    for (int i = 0; i < 2; i++)
        if (weft_params_find(cloth->model->params, LIMITS[i]) &&
            real_setting(cloth->model, cloth->settings, LIMITS[i]) > 0) {
            weft_format(what, sizeof what, "model.%s of cloth '%.64s'", LIMITS[i], cloth->name);
            return sim_refuse_on_device(sim, what);
        }
    if (cloth->tailoring) {
        weft_format(what, sizeof what, "garments and other tailoring, as of cloth '%.64s'", cloth->name);
        return sim_refuse_on_device(sim, what);
    }
    if (sim_tears(cloth) || cloth->refined) {
        weft_format(what, sizeof what, "tearing, cuts and changing meshes, as of cloth '%.64s'", cloth->name);
        return sim_refuse_on_device(sim, what);
    }
    return weft_ok();
}

static int is_known_force(const weft_component *force) {
    return force == &weft_gravity_force || force == &weft_air_damping_force || force == &weft_wind_force ||
           force == &weft_wind_oscillating_force || force == &weft_wind_point_force || force == &weft_wind_vortex_force;
}

static weft_result check_forces(const weft_sim *sim) {
    int32_t sources = 0;
    for (int32_t i = 0; i < sim->force_count; i++) {
        const weft_component *force = sim->force[i].component;
        char what[100];
        weft_format(what, sizeof what, "force %.64s", force->name);
        if (!is_known_force(force))
            return sim_refuse_on_device(sim, what);
        sources += force == &weft_wind_point_force || force == &weft_wind_vortex_force;
    }
    return sources > WEFT_DEVICE_SOURCES ? sim_refuse_on_device(sim, "more than 16 winds from points and vortices")
                                         : weft_ok();
}

weft_result sim_check_device(const weft_sim *sim, int32_t *scheme) {
    WEFT_TRY(find_scheme(sim, scheme));
    if (sim->adapt)
        return sim_refuse_on_device(sim, "adaptive remeshing (adapt)");
    if (sim->clock.mode == WEFT_TIME_ADAPTIVE)
        return sim_refuse_on_device(sim, "time.mode: adaptive");
    WEFT_TRY(sim_check_device_contact(sim, *scheme));
    if (sim->cut_count > 0)
        return sim_refuse_on_device(sim, "cuts");
    for (int32_t i = 0; i < sim->cloth_count; i++)
        WEFT_TRY(check_cloth(sim, &sim->cloth[i]));
    if (*scheme <= WEFT_DEVICE_BDF2 &&
        ((const weft_implicit_settings *)sim->integrator_settings)->solver == WEFT_SOLVER_DIRECT)
        return sim_refuse_on_device(sim, "integrator.solver: direct");
    return check_forces(sim);
}

/* -- the scene -- */

static weft_device_solver solver_of(const weft_sim *sim, int32_t scheme) {
    static const double TOLERANCE = 1e-3; /* as on the CPU, with a preconditioner without a coarse level */
    weft_device_solver to = {0};
    if (scheme > WEFT_DEVICE_BDF2)
        return to;
    const weft_implicit_settings *s = sim->integrator_settings;
    to.tolerance = s->tolerance > 0 ? s->tolerance : TOLERANCE;
    to.newton_tolerance = s->newton_tolerance;
    to.iterations = s->iterations;
    to.warm_start = s->warm_start;
    to.newton = s->newton;
    to.finish = s->finish;
    to.line_search = s->line_search;
    if (s->precondition == 1 + WEFT_PRECOND_CHOLESKY) /* the strongest that a device has */
        to.precondition = WEFT_DEVICE_PRECOND_SCHWARZ;
    else if (s->precondition != WEFT_PRECONDITION_AUTO && s->precondition != 1 + WEFT_PRECOND_TWO_LEVEL)
        to.precondition = WEFT_DEVICE_PRECOND_BLOCK;
    return to;
}

/* Memory of a scene while it is copied. */
typedef struct scene_parts {
    int32_t *material_of;
    weft_device_material *material;
    weft_device_facet *facet;
    double *facet_share;
    weft_device_lists lists;
    int32_t facet_count;
} scene_parts;

static void free_parts(scene_parts *p) {
    free(p->lists.pair);
    free(p->lists.bend);
    free(p->lists.triangle);
    free(p->facet_share);
    free(p->facet);
    free(p->material);
    free(p->material_of);
}

static void add_shares(const sim_cloth *cloth, double *share) {
    const weft_mesh *mesh = cloth->mesh;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
            const int32_t *corner = mesh->triangle[mesh->vertex_triangle[i]];
            int k = corner[0] == v ? 0 : corner[1] == v ? 1 : 2;
            share[3 * (size_t)mesh->vertex_triangle[i] + (size_t)k] = sim_share(cloth->share, i);
        }
}

static void add_cloth(const sim_cloth *cloth, int32_t number, scene_parts *p) {
    int32_t first = cloth->first;
    weft_device_material *material = &p->material[number];
    material->drag = cloth->fabric.drag;
    material->lift = cloth->fabric.lift;
    sim_model(cloth)->kernels->describe(cloth->self, first, number, material, &p->lists);
    for (int32_t i = 0; i < cloth->mesh->vertex_count; i++)
        p->material_of[first + i] = number;
    add_shares(cloth, p->facet_share + 3 * (size_t)p->facet_count);
    for (int32_t t = 0; t < cloth->mesh->triangle_count; t++) {
        const int32_t *corner = cloth->mesh->triangle[t];
        p->facet[p->facet_count++] =
            (weft_device_facet){{first + corner[0], first + corner[1], first + corner[2]}, number};
    }
}

/* Counts first, then fills in. */
static int make_parts(const weft_sim *sim, scene_parts *p) {
    size_t facets = 0, cloths = (size_t)sim->cloth_count;
    p->material_of = weft_allocate((size_t)sim->count, sizeof *p->material_of);
    p->material = weft_allocate(cloths, sizeof *p->material);
    for (int32_t i = 0; i < sim->cloth_count && p->material; i++) {
        facets += (size_t)sim->cloth[i].mesh->triangle_count;
        sim_model(&sim->cloth[i])->kernels->describe(sim->cloth[i].self, 0, i, &p->material[i], &p->lists);
    }
    p->facet = weft_allocate(facets, sizeof *p->facet);
    p->facet_share = weft_allocate(3 * facets, sizeof *p->facet_share);
    p->lists.triangle = weft_allocate((size_t)p->lists.triangle_count, sizeof *p->lists.triangle);
    p->lists.bend = weft_allocate((size_t)p->lists.bend_count, sizeof *p->lists.bend);
    p->lists.pair = weft_allocate((size_t)p->lists.pair_count, sizeof *p->lists.pair);
    if (!p->material_of || !p->material || !p->facet || !p->facet_share || !p->lists.triangle || !p->lists.bend ||
        !p->lists.pair)
        return 0;
    p->lists.triangle_count = p->lists.bend_count = p->lists.pair_count = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        add_cloth(&sim->cloth[i], i, p);
    return 1;
}

weft_result sim_create_device(weft_sim *sim, int32_t scheme) {
    scene_parts parts = {0};
    const weft_device_contact *contact;
    weft_arena_empty(sim->work.arena);
    WEFT_TRY(sim_describe_contact(sim, &contact));
    weft_result result = weft_fail_memory("the scene for a device", (size_t)sim->count * sizeof(weft_device_triangle));
    if (make_parts(sim, &parts)) {
        weft_device_scene scene = {.count = sim->count,
                                   .mass = sim->mass,
                                   .area = sim->area,
                                   .material_of = parts.material_of,
                                   .x = sim->x,
                                   .v = sim->v,
                                   .x_before = sim_x_before(sim),
                                   .v_before = sim_v_before(sim),
                                   .material = parts.material,
                                   .material_count = sim->cloth_count,
                                   .facet = parts.facet,
                                   .facet_share = parts.facet_share,
                                   .facet_count = parts.facet_count,
                                   .elements = &parts.lists,
                                   .scheme = scheme,
                                   .solver = solver_of(sim, scheme),
                                   .contact = contact,
                                   .number = sim->device.settings.number};
        result = sim->device.functions->create(&scene, &sim->device.self);
    }
    free_parts(&parts);
    return result;
}

/* -- external forces -- */

static void add_source(const sim_force *force, weft_device_air *air) {
    const weft_component *c = force->component;
    weft_device_source *to = &air->source[air->source_count++];
    *to = (weft_device_source){.kind = WEFT_DEVICE_WIND_POINT};
    to->centre = *(const weft_vec3 *)setting(c, force->settings, "centre");
    to->speed = real_setting(c, force->settings, "speed");
    to->radius = real_setting(c, force->settings, "radius");
    if (c == &weft_wind_point_force) {
        to->falloff = *(const int32_t *)setting(c, force->settings, "falloff");
        return;
    }
    to->kind = WEFT_DEVICE_WIND_VORTEX;
    to->axis = *(const weft_vec3 *)setting(c, force->settings, "axis");
    to->updraft = real_setting(c, force->settings, "updraft");
}

static void add_damping(const sim_force *force, weft_device_air *air) {
    double coefficient = real_setting(force->component, force->settings, "coefficient");
    int32_t per_area = *(const int32_t *)setting(force->component, force->settings, "per");
    *(per_area ? &air->damp_area : &air->damp_vertex) += coefficient;
}

/* A wind that is the same everywhere, and a force that is the same on every vertex, are asked for one vertex. */
static void add_uniform(const weft_sim *sim, const sim_force *force, double time, weft_device_air *air) {
    static const double UNIT = 1;
    const weft_force_functions *f = sim_force_functions(force);
    weft_vec3 origin = {0, 0, 0};
    weft_force_input input = {1, time, &origin, &origin, &UNIT, &UNIT, (uint64_t)sim->air.seed};
    if (f->apply)
        f->apply(force->settings, &sim->work, &input, &air->push);
    f->wind(force->settings, &sim->work, time, (uint64_t)sim->air.seed, 1, &origin, &air->wind);
}

weft_device_air sim_device_air(const weft_sim *sim, double time) {
    weft_device_air air = {.half_density = 0.5 * weft_air_density(sim->air.temperature)};
    for (int32_t i = 0; i < sim->force_count; i++) {
        const sim_force *force = &sim->force[i];
        const weft_force_functions *f = sim_force_functions(force);
        air.has_wind |= f->wind != NULL;
        if (f->acceleration)
            air.acceleration = weft_add(air.acceleration, f->acceleration(force->settings));
        else if (force->component == &weft_air_damping_force)
            add_damping(force, &air);
        else if (force->component == &weft_wind_point_force || force->component == &weft_wind_vortex_force)
            add_source(force, &air);
        else
            add_uniform(sim, force, time, &air);
    }
    return air;
}
