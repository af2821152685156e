/* Second-order backward differentiation formula (Choi and Ko 2002, section 4), for variable steps. The step ratio is
 * w = dt / dt_before. Then
 *
 *   x = [ (1 + w)^2 x_n - w^2 x_{n-1} ] / (1 + 2 w) + dt (1 + w) / (1 + 2 w) v,
 *
 * and the same for v. For w = 1 these are the coefficients 4/3, -1/3 and 2/3 of Choi and Ko. */
#include "solve/implicit.h"
#include "solve/schemes.h"

/* The formula is stable for step ratios below 1 + sqrt(2). */
static const double LARGEST_RATIO = 2.4;

static weft_status step(const void *settings, const weft_system *system, double dt) {
    double w = system->dt_before > 0 ? dt / system->dt_before : 0;
    if (w > LARGEST_RATIO)
        w = 0; /* restart with implicit Euler */
    double all = 1 + 2 * w;
    weft_implicit_scheme scheme = {
        .h = dt * (1 + w) / all, .now = (1 + w) * (1 + w) / all, .before = -w * w / all, .two_steps = 1};
    return weft_implicit_step(settings, system, dt, &scheme);
}

static const weft_integrator_functions FUNCTIONS = {WEFT_IMPLICIT_FUNCTIONS, .step = step, .order = 2};

const weft_component weft_bdf2 = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "bdf2",
    .help = "second-order backward differentiation: stable at any step size, damps less than implicit-euler",
    .settings_size = sizeof(weft_implicit_settings),
    .params = WEFT_IMPLICIT_PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Choi & Ko 2002, Stable but responsive cloth",
};
