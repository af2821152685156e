/* Symplectic Euler: moves with the new velocity. The thesis calls it the simple explicit method (Trendafilov 2021,
 * section 2.2.1, after Provot 1995), the framework the symplectic one (Assuncao 2020, section 4.2). */
#include "integrate/integrate.h"
#include "weft/model.h"

static void move(void *context, int64_t begin, int64_t end) {
    const weft_explicit *scheme = context;
    const weft_system *s = scheme->system;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        if (s->inverse_mass[i] == 0) {
            weft_move_held(s, scheme->dt, i);
            continue;
        }
        s->v_next[i] = weft_add_scaled(s->v[i], scheme->dt * s->inverse_mass[i], scheme->f[i]);
        s->x_next[i] = weft_add_scaled(s->x[i], scheme->dt, s->v_next[i]);
    }
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    (void)settings;
    weft_explicit scheme = {.system = system, .dt = dt};
    return weft_explicit_step(&scheme, weft_system_force, move);
}

static const weft_integrator_functions FUNCTIONS = {.needs = WEFT_FORCES, .checks = 1, .step = step};

const weft_component weft_symplectic_euler = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "symplectic-euler",
    .help = "explicit Euler, moves with the new velocity; the thesis' simple explicit method",
    .functions = &FUNCTIONS,
    .paper = "Provot 1995; Trendafilov 2021, 2.2.1",
};
