/* Verlet for variable steps, from Taylor expansions in both directions (Trendafilov 2021, section 2.2.2). Inertia is
 * scaled by the ratio of the steps, acceleration by dt (dt + dt_before) / 2. */
#include "solve/schemes.h"
#include "weft/model.h"

static weft_status step(const void *settings, const weft_system *system, double dt) {
    (void)settings;
    double before = system->dt_before > 0 ? system->dt_before : dt;
    return weft_verlet_step(system, dt, dt / before, dt * ((dt + before) / 2));
}

static const weft_integrator_functions FUNCTIONS = {
    .needs = WEFT_FORCES, .looks_back = 1, .checks = 1, .step = step, .order = 2};

const weft_component weft_verlet_taylor = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "verlet-taylor",
    .help = "Verlet for variable steps, from Taylor expansions in both directions",
    .functions = &FUNCTIONS,
    .paper = "Trendafilov 2021, 2.2.2",
};
