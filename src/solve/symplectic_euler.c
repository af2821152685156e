/* Symplectic Euler: moves with the new velocity. This is the "simple explicit" method of Trendafilov (2021, section
 * 2.2.1, after Provot 1995) and the "symplectic" method of Assunção (2020, section 4.2). */
#include "solve/schemes.h"
#include "weft/model.h"

static void move(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f) {
    (void)block;
    const weft_explicit *scheme = context;
    weft_euler_move(scheme, first, count, f, scheme->system->v_next);
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    (void)settings;
    weft_explicit scheme = {.system = system, .dt = dt};
    return weft_explicit_step(&scheme, weft_system_stream_force, move);
}

static const weft_integrator_functions FUNCTIONS = {.needs = WEFT_FORCES, .checks = 1, .step = step};

const weft_component weft_symplectic_euler = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "symplectic-euler",
    .help = "explicit Euler with the new velocity: simple, stable only for small steps",
    .functions = &FUNCTIONS,
    .paper = "Provot 1995; Trendafilov 2021, 2.2.1",
};
