/* Building a simulation: cloths, forces, the integrator. */
#include <math.h>

#include "core/pool.h"
#include "core/require.h"
#include "mesh/refined.h"
#include "sim/internal.h"

static const weft_param ENVIRONMENT[] = {
    {.name = "temperature",
     .type = WEFT_REAL,
     .offset = offsetof(weft_environment, temperature),
     .low = -100,
     .high = 100,
     .fallback = "20",
     .unit = "C",
     .help = "temperature of the air, which sets its density"},
    {.name = "seed",
     .type = WEFT_INT,
     .offset = offsetof(weft_environment, seed),
     .high = 2147483647,
     .fallback = "1",
     .unit = "",
     .help = "random seed of gusts and variable steps"},
    {0},
};

const weft_param *weft_environment_params(void) { return ENVIRONMENT; }

/* Without a registry the simulation has its own, with the built-in components. */
static weft_result fill_sim(weft_sim *sim, const weft_registry *registry) {
    if (!registry)
        WEFT_TRY(weft_registry_create(&sim->own_registry));
    sim->registry = registry ? registry : sim->own_registry;
    WEFT_TRY(weft_sim_set_integrator(sim, WEFT_DEFAULT_INTEGRATOR));
    WEFT_TRY(weft_sim_add_force(sim, "gravity", NULL));
    sim->force[0].is_first = 1;
    return weft_ok();
}

weft_result weft_sim_create(const weft_registry *registry, weft_sim **sim) {
    WEFT_REQUIRE(sim);
    *sim = NULL;
    weft_sim *made = weft_allocate(1, sizeof *made);
    if (!made)
        return weft_fail_memory("a simulation", sizeof *made);
    made->prepare = weft_sim_prepare;
    made->work.arena = weft_arena_create();
    made->equations = weft_allocate(1, sizeof *made->equations);
    if (!made->work.arena || !made->equations) {
        weft_arena_destroy(made->work.arena);
        free(made->equations);
        free(made);
        return weft_fail_memory("the step's arena", sizeof(void *));
    }
    weft_params_default(weft_environment_params(), &made->air);
    weft_params_default(weft_clock_params(), &made->clock);
    weft_params_default(weft_contact_params(), &made->contact_given);
    weft_params_default(weft_device_params(), &made->device.settings);
    made->device.lost = weft_ok();
    weft_sim_set_threads(made, 0);
    weft_result result = fill_sim(made, registry);
    if (result.code != WEFT_OK) {
        weft_sim_destroy(made);
        return result;
    }
    *sim = made;
    return result;
}

static void destroy_cloth(sim_cloth *cloth) {
    if (cloth->self)
        sim_model(cloth)->destroy(cloth->self);
    if (cloth->mesh != cloth->base)
        weft_mesh_destroy(cloth->mesh);
    weft_mesh_destroy(cloth->base);
    weft_refined_destroy(cloth->refined);
    free(cloth->open_face);
    free(cloth->share);
    free(cloth->diagonal);
    free(cloth->touched);
    free(cloth->opened);
    free(cloth->parting);
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        free(cloth->map[m]);
    sim_free_panels(cloth);
    sim_free_tailoring(cloth->tailoring);
    free(cloth->settings);
    free(cloth->name);
}

void weft_sim_destroy(weft_sim *sim) {
    if (!sim)
        return;
    sim_forget_integrator(sim);
    sim_forget_contact(sim);
    free(sim->grips[0].grip);
    free(sim->grips[1].grip);
    sim_destroy_bodies(sim);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        destroy_cloth(&sim->cloth[i]);
    for (int32_t i = 0; i < sim->force_count; i++)
        free(sim->force[i].settings);
    for (int32_t i = 0; i < sim->pin_count; i++) {
        free(sim->pin[i].key);
        free(sim->pin[i].vertex);
        free(sim->pin[i].start);
        free(sim->pin[i].path);
        free(sim->pin[i].row);
        free(sim->pin[i].attachment);
        free(sim->pin[i].late);
    }
    for (int32_t i = 0; i < sim->cut_count; i++)
        free(sim->cut[i].ray);
    void *owned[] = {sim->cut,
                     sim->cloth,
                     sim->force,
                     sim->pin,
                     sim->drag,
                     sim->integrator_settings,
                     sim->equations,
                     sim->system_cloth,
                     sim->system_force,
                     sim->memory,
                     sim->body,
                     sim->crossed,
                     sim->adapt_settings,
                     sim->device.held,
                     sim->device.target};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    weft_arena_destroy(sim->work.arena);
    weft_registry_destroy(sim->own_registry);
    free(sim);
}

void weft_sim_set_threads(weft_sim *sim, int threads) {
    sim->work.threads = threads > 0 ? threads : weft_pool_processors();
}

int weft_sim_threads(const weft_sim *sim) { return sim->work.threads; }

const char *weft_sim_default_model(const weft_sim *sim) {
    static const char *const NAMES[] = {"corotational", "springs"};
    unsigned needs = ((const weft_integrator_functions *)sim->integrator->functions)->needs;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        const weft_component *model = weft_registry_find(sim->registry, WEFT_MODEL, NAMES[i]);
        if (model && !(needs & ~((const weft_model_functions *)model->functions)->gives))
            return NAMES[i];
    }
    return NAMES[0];
}

static double mean_edge(const weft_mesh *mesh) {
    double sum = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            sum += weft_distance(mesh->position[mesh->triangle[t][k]], mesh->position[mesh->triangle[t][(k + 1) % 3]]);
    return mesh->triangle_count > 0 ? sum / (3.0 * mesh->triangle_count) : 0;
}

static weft_result fill_cloth(weft_sim *sim, sim_cloth *cloth, const char *name, const weft_fabric *fabric,
                              const char *model) {
    WEFT_TRY(weft_fabric_check(fabric, name));
    WEFT_TRY(weft_registry_require(sim->registry, WEFT_MODEL, model, "", &cloth->model));
    cloth->fabric = *fabric;
    cloth->edge = mean_edge(cloth->mesh);
    cloth->name = weft_copy_text(name);
    cloth->open_face = weft_allocate((size_t)cloth->mesh->face_count, 1);
    if (!cloth->name || !cloth->open_face)
        return weft_fail_memory("a cloth", (size_t)cloth->mesh->face_count);
    return sim_make_settings(cloth->model, &cloth->settings);
}

static weft_result check_arguments(const weft_sim *sim, const char *name, const weft_mesh *mesh,
                                   const weft_fabric *fabric) {
    WEFT_REQUIRE_IN("weft_sim_add_cloth", sim);
    WEFT_REQUIRE_IN("weft_sim_add_cloth", name);
    WEFT_REQUIRE_IN("weft_sim_add_cloth", mesh);
    WEFT_REQUIRE_IN("weft_sim_add_cloth", fabric);
    return weft_ok();
}

weft_result weft_sim_add_cloth(weft_sim *sim, const char *name, weft_mesh *mesh, const weft_fabric *fabric,
                               const char *model, int32_t *index) {
    weft_result result = check_arguments(sim, name, mesh, fabric);
    for (int32_t i = 0; result.code == WEFT_OK && i < sim->cloth_count; i++)
        if (strcmp(sim->cloth[i].name, name) == 0)
            result = weft_fail(WEFT_BAD_INPUT, "there are two cloths called '%.64s'", name);
    if (result.code == WEFT_OK)
        result = sim_grow((void **)&sim->cloth, sim->cloth_count, sizeof *sim->cloth, "cloths");
    if (result.code == WEFT_OK)
        result = sim_grow((void **)&sim->system_cloth, sim->cloth_count, sizeof *sim->system_cloth, "cloths");
    if (result.code != WEFT_OK) {
        weft_mesh_destroy(mesh);
        return result;
    }
    sim_cloth *cloth = &sim->cloth[sim->cloth_count];
    cloth->mesh = mesh;
    result = fill_cloth(sim, cloth, name, fabric, model ? model : weft_sim_default_model(sim));
    if (result.code != WEFT_OK) {
        destroy_cloth(cloth);
        return result;
    }
    if (index)
        *index = sim->cloth_count;
    sim->cloth_count++;
    return result;
}

static void remove_cuts(weft_sim *sim, int32_t cloth) {
    int32_t kept = 0;
    for (int32_t i = 0; i < sim->cut_count; i++) {
        sim_cut cut = sim->cut[i];
        if (cut.cloth == cloth) {
            free(cut.ray);
            continue;
        }
        cut.cloth -= cut.cloth > cloth;
        sim->cut[kept++] = cut;
    }
    sim->cut_count = kept;
}

weft_result weft_sim_remove_cloth(weft_sim *sim, int32_t index) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(sim_require_cloth(sim, index));
    WEFT_TRY(sim_rebuild(sim)); /* afterwards all meshes are those of the state */
    sim_cloth *cloth = &sim->cloth[index];
    if (cloth->prepared) {
        sim_forget_inputs(sim, cloth->first, cloth->mesh->vertex_count);
        sim_remove_vertices(sim, cloth->first, cloth->mesh->vertex_count);
        sim_forget_integrator(sim);
        sim_change_objects(sim, 1);
    }
    remove_cuts(sim, index);
    destroy_cloth(cloth);
    sim->cloth_count--;
    memmove(cloth, cloth + 1, (size_t)(sim->cloth_count - index) * sizeof *cloth);
    sim_place_cloths(sim);
    if (sim->count == 0) /* the next cloth is prepared as the first one was */
        sim->prepared = 0;
    sim_refresh_inputs(sim);
    return sim_update_views(sim);
}

weft_result weft_sim_set_velocity(weft_sim *sim, int32_t cloth, weft_vec3 velocity) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(sim_require_cloth(sim, cloth));
    if (!weft_vec3_is_finite(velocity))
        return weft_fail(WEFT_BAD_INPUT, "cloth '%s': the velocity is not finite", sim->cloth[cloth].name);
    if (sim->cloth[cloth].prepared)
        return weft_fail(WEFT_UNSUPPORTED, "cloth '%s': the simulation is already prepared", sim->cloth[cloth].name);
    sim->cloth[cloth].velocity = velocity;
    return weft_ok();
}

/* A program that adds gravity means the one that is there already. */
static int adopt_first(weft_sim *sim, const weft_component *component, int32_t *index) {
    for (int32_t i = 0; i < sim->force_count; i++) {
        if (!sim->force[i].is_first || sim->force[i].component != component)
            continue;
        sim->force[i].is_first = 0;
        if (index)
            *index = i;
        return 1;
    }
    return 0;
}

weft_result weft_sim_add_force(weft_sim *sim, const char *name, int32_t *index) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(name);
    const weft_component *component;
    WEFT_TRY(weft_registry_require(sim->registry, WEFT_FORCE, name, "", &component));
    if (adopt_first(sim, component, index))
        return weft_ok();
    WEFT_TRY(sim_grow((void **)&sim->force, sim->force_count, sizeof *sim->force, "forces"));
    WEFT_TRY(sim_grow((void **)&sim->system_force, sim->force_count, sizeof *sim->system_force, "forces"));
    sim_force *force = &sim->force[sim->force_count];
    *force = (sim_force){.component = component};
    WEFT_TRY(sim_make_settings(component, &force->settings));
    if (index)
        *index = sim->force_count;
    sim->force_count++;
    return weft_ok();
}

weft_result weft_sim_remove_force(weft_sim *sim, int32_t force) {
    WEFT_REQUIRE(sim);
    if (force < 0 || force >= sim->force_count)
        return weft_fail(WEFT_BAD_INPUT, "force %d: there are %d forces, numbered from 0", force, sim->force_count);
    free(sim->force[force].settings);
    sim->force_count--;
    memmove(&sim->force[force], &sim->force[force + 1], (size_t)(sim->force_count - force) * sizeof *sim->force);
    return weft_ok();
}

weft_result weft_sim_set_integrator(weft_sim *sim, const char *name) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(name);
    const weft_component *component;
    WEFT_TRY(weft_registry_require(sim->registry, WEFT_INTEGRATOR, name, "", &component));
    void *settings;
    WEFT_TRY(sim_make_settings(component, &settings));
    sim_forget_integrator(sim);
    free(sim->integrator_settings);
    sim->integrator = component;
    sim->integrator_settings = settings;
    sim->dt_before = 0;
    sim->step_depth = 0;
    sim->step_wanted = 0;
    sim->sleep_key = 0;
    return weft_ok();
}

void weft_sim_forget_steps(weft_sim *sim) {
    sim_forget_integrator(sim);
    sim->dt_before = 0;
    sim->step_depth = 0;
    sim->step_wanted = 0;
    sim->sleep_key = 0;
}

weft_result weft_sim_set_adapt(weft_sim *sim, const char *name) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(name);
    const weft_component *component;
    WEFT_TRY(weft_registry_require(sim->registry, WEFT_ADAPT, name, "", &component));
    if (sim->prepared)
        return weft_fail(WEFT_UNSUPPORTED, "adaptation '%s': the simulation is already prepared", name);
    void *settings;
    WEFT_TRY(sim_make_settings(component, &settings));
    free(sim->adapt_settings);
    sim->adapt = component;
    sim->adapt_settings = settings;
    return weft_ok();
}
