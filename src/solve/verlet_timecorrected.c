/* Time-corrected Verlet for variable steps (Dummer 2005; Trendafilov 2021, eq. 2.7): inertia is scaled by the ratio of
 * the steps. */
#include "solve/schemes.h"
#include "weft/model.h"

static weft_status step(const void *settings, const weft_system *system, double dt) {
    (void)settings;
    double before = system->dt_before > 0 ? system->dt_before : dt;
    return weft_verlet_step(system, dt, dt / before, dt * dt);
}

static const weft_integrator_functions FUNCTIONS = {
    .needs = WEFT_FORCES, .looks_back = 1, .checks = 1, .step = step, .order = 2};

const weft_component weft_verlet_timecorrected = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "verlet-timecorrected",
    .help = "Verlet with inertia scaled by the step ratio; verlet-taylor is more accurate for variable steps",
    .functions = &FUNCTIONS,
    .paper = "Dummer 2005; Trendafilov 2021, eq. 2.7",
};
