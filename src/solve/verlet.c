/* Störmer-Verlet (Verlet 1967; Trendafilov 2021, section 2.2.2), and the step shared by its variants.
 * Velocity-dependent forces use the backward difference, which makes the scheme first order where they act. */
#include "solve/schemes.h"
#include "weft/model.h"

static void move(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f) {
    (void)block;
    const weft_explicit *scheme = context;
    const weft_system *s = scheme->system;
    for (int32_t i = first; i < first + count; i++) {
        if (s->inverse_mass[i] == 0) {
            weft_move_held(s, scheme->dt, i);
            continue;
        }
        weft_vec3 inertia = weft_scale(scheme->inertia, weft_sub(s->x[i], s->x_before[i]));
        weft_vec3 change = weft_add_scaled(inertia, scheme->acceleration * s->inverse_mass[i], f[i - first]);
        s->x_next[i] = weft_add(s->x[i], change);
        s->v_next[i] = weft_scale(1 / scheme->dt, weft_sub(s->x_next[i], s->x[i]));
    }
}

static void start(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f) {
    (void)block;
    const weft_explicit *scheme = context;
    const weft_system *s = scheme->system;
    double dt = scheme->dt;
    for (int32_t i = first; i < first + count; i++) {
        if (s->inverse_mass[i] == 0) {
            weft_move_held(s, dt, i);
            continue;
        }
        weft_vec3 change = weft_add_scaled(weft_scale(dt, s->v[i]), dt * dt / 2 * s->inverse_mass[i], f[i - first]);
        s->x_next[i] = weft_add(s->x[i], change);
        s->v_next[i] = weft_scale(1 / dt, weft_sub(s->x_next[i], s->x[i]));
    }
}

weft_status weft_verlet_step(const weft_system *system, double dt, double inertia, double acceleration) {
    weft_explicit scheme = {.system = system, .dt = dt, .inertia = inertia, .acceleration = acceleration};
    return weft_explicit_step(&scheme, weft_system_stream_force, system->dt_before > 0 ? move : start);
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    (void)settings;
    return weft_verlet_step(system, dt, 1, dt * dt);
}

static const weft_integrator_functions FUNCTIONS = {
    .needs = WEFT_FORCES, .looks_back = 1, .checks = 1, .step = step, .order = 2};

const weft_component weft_verlet = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "verlet",
    .help = "Stoermer-Verlet for a constant step: second order without velocity-dependent forces",
    .functions = &FUNCTIONS,
    .paper = "Verlet 1967; Trendafilov 2021, 2.2.2",
};
