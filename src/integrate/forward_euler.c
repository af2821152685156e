/* Forward Euler: moves with the old velocity (Assuncao 2020, section 2.7). It gains energy at any step size; kept
 * because the documents compare with it. */
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
        s->x_next[i] = weft_add_scaled(s->x[i], scheme->dt, s->v[i]);
        s->v_next[i] = weft_add_scaled(s->v[i], scheme->dt * s->inverse_mass[i], scheme->f[i]);
    }
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    (void)settings;
    weft_explicit scheme = {.system = system, .dt = dt};
    return weft_explicit_step(&scheme, weft_system_force, move);
}

static const weft_integrator_functions FUNCTIONS = {.needs = WEFT_FORCES, .checks = 1, .step = step};

const weft_component weft_forward_euler = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "forward-euler",
    .help = "explicit Euler, moves with the old velocity; unstable, for comparison",
    .functions = &FUNCTIONS,
    .paper = "Assuncao 2020, Cloth Simulation Framework, 2.7",
};
