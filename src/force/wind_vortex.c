/* Air that circulates around an axis.
 *
 * The speed at distance r follows M. P. Scully, "Computation of helicopter rotor wake geometry and its influence on
 * rotor harmonic airloads", MIT 1975 (n = 1 of Vatistas' family). It is Rankine's vortex with a smooth core: solid
 * rotation inside, 1/r outside. */
#include "force/builtin_forces.h"
#include "force/wind_field.h"
#include "weft/vec.h"

typedef struct vortex {
    weft_vec3 centre;
    weft_vec3 axis;
    double speed;
    double radius;
    double updraft;
} vortex;

static const weft_param PARAMS[] = {
    {.name = "centre",
     .type = WEFT_VECTOR,
     .offset = offsetof(vortex, centre),
     .fallback = "[0, 0, 0]",
     .unit = "m",
     .help = "a point on the axis"},
    {.name = "axis",
     .type = WEFT_VECTOR,
     .offset = offsetof(vortex, axis),
     .fallback = "[0, 1, 0]",
     .unit = "",
     .help = "direction of the axis, any length; the air turns by the right-hand rule",
     .flags = WEFT_NONZERO},
    {.name = "speed",
     .type = WEFT_REAL,
     .offset = offsetof(vortex, speed),
     .low = -1000,
     .high = 1000,
     .fallback = "5",
     .unit = "m/s",
     .help = "maximum speed, reached at `radius`; negative values reverse the rotation"},
    {.name = "radius",
     .type = WEFT_REAL,
     .offset = offsetof(vortex, radius),
     .high = 1e6,
     .fallback = "1",
     .unit = "m",
     .help = "radius of the core",
     .flags = WEFT_OPEN_LOW},
    {.name = "updraft",
     .type = WEFT_REAL,
     .offset = offsetof(vortex, updraft),
     .low = -1000,
     .high = 1000,
     .fallback = "0",
     .unit = "m/s",
     .help = "speed along the axis in the middle; half of it at `radius`"},
    {0},
};

static weft_vec3 at(const void *data, weft_vec3 position) {
    const vortex *settings = data;
    weft_vec3 axis = weft_normalize(settings->axis);
    weft_vec3 arm = weft_sub(position, settings->centre);
    arm = weft_scale(1 / settings->radius, weft_add_scaled(arm, -weft_dot(arm, axis), axis));
    double shape = 1 / (1 + weft_dot(arm, arm));
    weft_vec3 around = weft_scale(2 * settings->speed * shape, weft_cross(axis, arm));
    return weft_add_scaled(around, settings->updraft * shape, axis);
}

static void blow(const void *settings, const weft_work *work, double time, uint64_t seed, int32_t count,
                 const weft_vec3 *where, weft_vec3 *velocity) {
    (void)time;
    (void)seed;
    weft_wind_add_field(work, count, settings, at, where, velocity);
}

static const weft_force_functions FUNCTIONS = {.wind = blow};

const weft_component weft_wind_vortex_force = {
    .abi = WEFT_ABI,
    .kind = WEFT_FORCE,
    .name = "wind-vortex",
    .help = "wind that circulates around an axis",
    .settings_size = sizeof(vortex),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Scully, Computation of helicopter rotor wake geometry, MIT 1975",
};
