/* Forward Euler: moves with the old velocity (Assunção 2020, section 2.7). It gains energy at any step size. It exists
 * because the source papers compare with it. */
#include "solve/schemes.h"
#include "weft/model.h"

static void move(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f) {
    (void)block;
    const weft_explicit *scheme = context;
    weft_euler_move(scheme, first, count, f, scheme->system->v);
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    (void)settings;
    weft_explicit scheme = {.system = system, .dt = dt};
    return weft_explicit_step(&scheme, weft_system_stream_force, move);
}

static const weft_integrator_functions FUNCTIONS = {.needs = WEFT_FORCES, .checks = 1, .step = step};

const weft_component weft_forward_euler = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "forward-euler",
    .help = "explicit Euler with the old velocity: unstable, for comparison only",
    .functions = &FUNCTIONS,
    .paper = "Assuncao 2020, Cloth Simulation Framework, 2.7",
};
