/* Implicit Euler (Baraff and Witkin 1998): x = x_n + dt v, v = v_n + dt f(x, v) / m. */
#include "solve/implicit.h"
#include "solve/schemes.h"

static weft_status step(const void *settings, const weft_system *system, double dt) {
    weft_implicit_scheme scheme = {.h = dt, .now = 1, .before = 0};
    return weft_implicit_step(settings, system, dt, &scheme);
}

static const weft_integrator_functions FUNCTIONS = {WEFT_IMPLICIT_FUNCTIONS, .step = step};

const weft_component weft_implicit_euler = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "implicit-euler",
    .help = "backward Euler: stable at any step size, first order, damps fast motion",
    .settings_size = sizeof(weft_implicit_settings),
    .params = WEFT_IMPLICIT_PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Baraff & Witkin 1998, Large steps in cloth simulation",
};
