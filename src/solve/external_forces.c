/* Forces from outside the cloth: gravity and the like per vertex, wind and padding per triangle. */
#include <string.h>

#include "force/aero.h"
#include "force/padding.h"
#include "solve/equations.h"
#include "weft/vec.h"

int weft_system_has_wind(const weft_equations *e) {
    for (int32_t i = 0; i < e->force_count; i++)
        if (e->force[i].functions->wind)
            return 1;
    return 0;
}

static int has_padding(const weft_equations *e) {
    for (int32_t i = 0; i < e->cloth_count; i++)
        if (e->cloth[i].padding)
            return 1;
    return 0;
}

int weft_system_loads_triangles(const weft_equations *e) { return weft_system_has_wind(e) || has_padding(e); }

static void clear_vectors(void *context, int64_t begin, int64_t end) {
    memset((weft_vec3 *)context + begin, 0, (size_t)(end - begin) * sizeof(weft_vec3));
}

/* Velocity of the air at all vertices, m/s. All sources are summed before drag and lift are computed, because these are
 * not linear in it. Returns null when memory is out. */
static weft_vec3 *wind_field(const weft_system *system, const weft_vec3 *x) {
    const weft_equations *e = system->equations;
    weft_vec3 *air = weft_arena_take(system->work->arena, (size_t)system->count * sizeof *air, "the wind field");
    if (!air)
        return NULL;
    weft_parallel_for(system->work, system->count, WEFT_BLOCK, clear_vectors, air);
    for (int32_t i = 0; i < e->force_count; i++) {
        const weft_equations_force *force = &e->force[i];
        if (force->functions->wind)
            force->functions->wind(force->settings, system->work, system->time, e->seed, system->count, x, air);
    }
    return air;
}

static void add_wind(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    const weft_equations *e = system->equations;
    const weft_vec3 *air = wind_field(system, x);
    if (!air)
        return;
    double density = e->air_density;
    for (int32_t i = 0; i < e->cloth_count; i++) {
        const weft_equations_cloth *cloth = &e->cloth[i];
        int32_t first = cloth->first;
        weft_aero_force(system->work, cloth->mesh, cloth->open_face, cloth->share, cloth->fabric->drag,
                        cloth->fabric->lift, density, air + first, x + first, v + first, f + first);
    }
}

static void add_padding(const weft_system *system, const weft_vec3 *x, weft_vec3 *f) {
    const weft_equations *e = system->equations;
    for (int32_t i = 0; i < e->cloth_count; i++) {
        const weft_equations_cloth *cloth = &e->cloth[i];
        if (cloth->padding)
            weft_padding_force(system->work, cloth->mesh, cloth->open_face, cloth->padding, x + cloth->first,
                               f + cloth->first);
    }
}

/* Block by block, so that f stays in the cache from one force to the next. */
void weft_system_external_block(const weft_external_context *c, int32_t first, int32_t count, weft_vec3 *f) {
    const weft_equations *e = c->system->equations;
    weft_work serial = {1, c->system->work->arena};
    weft_force_input input = {count,           c->system->time, c->x + first, c->v + first, c->system->mass + first,
                              e->area + first, e->seed};
    memset(f, 0, (size_t)count * sizeof *f);
    for (int32_t i = 0; i < e->force_count; i++)
        if (e->force[i].functions->apply)
            e->force[i].functions->apply(e->force[i].settings, &serial, &input, f);
}

static void external_block(void *context, int64_t begin, int64_t end) {
    const weft_external_context *c = context;
    weft_system_external_block(c, (int32_t)begin, (int32_t)(end - begin), c->f + begin);
}

void weft_system_external_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    weft_external_context context = {system, x, v, f};
    weft_parallel_for(system->work, system->count, WEFT_BLOCK, external_block, &context);
    if (weft_system_has_wind(system->equations))
        add_wind(system, x, v, f);
    add_padding(system, x, f);
}

static void add_vertex_damping(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, double *block) {
    const weft_equations *e = system->equations;
    for (int32_t i = 0; i < e->cloth_count; i++) {
        const weft_equations_cloth *cloth = &e->cloth[i];
        int32_t first = cloth->first;
        if (cloth->model->vertex_damping)
            cloth->model->vertex_damping(cloth->self, system->work, x + first, v + first, block + 6 * (size_t)first);
    }
}

static int has_damping(const weft_equations *e) {
    int any = weft_system_has_wind(e);
    for (int32_t i = 0; i < e->cloth_count; i++)
        any |= e->cloth[i].model->vertex_damping != NULL;
    for (int32_t i = 0; i < e->force_count; i++)
        any |= e->force[i].functions->damping != NULL;
    return any;
}

static void add_force_damping(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, double *block) {
    const weft_equations *e = system->equations;
    weft_force_input input = {system->count, system->time, x, v, system->mass, e->area, e->seed};
    for (int32_t i = 0; i < e->force_count; i++)
        if (e->force[i].functions->damping)
            e->force[i].functions->damping(e->force[i].settings, system->work, &input, block);
    const weft_vec3 *air = weft_system_has_wind(e) ? wind_field(system, x) : NULL;
    for (int32_t i = 0; i < e->cloth_count && air; i++) {
        const weft_equations_cloth *cloth = &e->cloth[i];
        int32_t first = cloth->first;
        weft_aero_damping(system->work, cloth->mesh, cloth->open_face, cloth->share, cloth->fabric->drag,
                          cloth->fabric->lift, e->air_density, air + first, x + first, v + first,
                          block + 6 * (size_t)first);
    }
}

static void clear_damping(const weft_system *system, double *block) {
    weft_parallel_for(system->work, 2 * (int64_t)system->count, WEFT_BLOCK, clear_vectors,
                      block); /* six doubles each */
}

int weft_system_external_damping(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, double *block) {
    if (!has_damping(system->equations))
        return 0;
    clear_damping(system, block);
    add_vertex_damping(system, x, v, block);
    add_force_damping(system, x, v, block);
    return 1;
}

void weft_system_force_damping(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, double *block) {
    clear_damping(system, block);
    add_force_damping(system, x, v, block);
}

int weft_system_acceleration(const weft_system *system, weft_vec3 *acceleration) {
    const weft_equations *e = system->equations;
    *acceleration = (weft_vec3){0, 0, 0};
    if (has_padding(e))
        return 0;
    for (int32_t i = 0; i < e->force_count; i++) {
        const weft_force_functions *force = e->force[i].functions;
        if (!force->acceleration)
            return 0;
        *acceleration = weft_add(*acceleration, force->acceleration(e->force[i].settings));
    }
    return 1;
}
