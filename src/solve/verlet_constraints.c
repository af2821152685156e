/* Verlet with springs as distance constraints (Jakobsen 2003; Assunção 2020, sections 2.8 and 4.3): external forces
 * only, damped inertia, then iterations of relaxation. */
#include "solve/schemes.h"
#include "weft/model.h"

typedef struct constraint_settings {
    int32_t iterations;
    double damping_ratio;
} constraint_settings;

static const weft_param PARAMS[] = {
    {.name = "iterations",
     .type = WEFT_INT,
     .offset = offsetof(constraint_settings, iterations),
     .low = 1,
     .high = 10000,
     .fallback = "20",
     .unit = "",
     .help = "iterations over all constraints per step; more make the cloth stiffer"},
    {.name = "damping_ratio",
     .type = WEFT_REAL,
     .offset = offsetof(constraint_settings, damping_ratio),
     .high = 1,
     .fallback = "0.01",
     .unit = "",
     .help = "fraction of the velocity lost per step"},
    {0},
};

static void predict(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f) {
    (void)block;
    const weft_explicit *scheme = context;
    const weft_system *s = scheme->system;
    for (int32_t i = first; i < first + count; i++) {
        s->v_next[i] = s->v[i]; /* final after the relaxation */
        if (s->inverse_mass[i] == 0) {
            s->x_next[i] = s->target[i];
            continue;
        }
        weft_vec3 last = s->dt_before > 0 ? weft_sub(s->x[i], s->x_before[i]) : weft_scale(scheme->dt, s->v[i]);
        weft_vec3 inertia = weft_scale(scheme->inertia, last);
        weft_vec3 change = weft_add_scaled(inertia, scheme->acceleration * s->inverse_mass[i], f[i - first]);
        s->x_next[i] = weft_add(s->x[i], change);
    }
}

static void set_velocity(void *context, int64_t begin, int64_t end) {
    const weft_explicit *scheme = context;
    const weft_system *s = scheme->system;
    for (int64_t i = begin; i < end; i++)
        s->v_next[i] = weft_scale(1 / scheme->dt, weft_sub(s->x_next[i], s->x[i]));
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    const constraint_settings *set = settings;
    weft_explicit scheme = {.system = system, .dt = dt, .inertia = 1 - set->damping_ratio, .acceleration = dt * dt};
    weft_status status = weft_explicit_step(&scheme, weft_system_stream_external, predict);
    if (status != WEFT_STATUS_OK)
        return status;
    weft_system_relax(system, set->iterations, system->x_next);
    weft_parallel_for(system->work, system->count, WEFT_BLOCK, set_velocity, &scheme);
    return WEFT_STATUS_OK;
}

/* The springs are constraints: their lengths matter, their forces do not. */
static const char *unused(const void *settings, const char *value) {
    (void)settings;
    if (weft_is_damping(value))
        return "integrator.damping_ratio damps the motion";
    if (weft_is_stiffness(value))
        return "its constraints are rigid; more or fewer integrator.iterations make the cloth stiffer or softer";
    return NULL;
}

static const weft_integrator_functions FUNCTIONS = {
    .needs = WEFT_CONSTRAINTS, .looks_back = 1, .step = step, .unused = unused};

const weft_component weft_verlet_constraints = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "verlet-constraints",
    .help = "Verlet with distance constraints instead of spring forces, solved by relaxation",
    .settings_size = sizeof(constraint_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Jakobsen 2003; Assuncao 2020, 2.8",
};
