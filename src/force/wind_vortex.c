/* Air that circulates about an axis. The speed at distance r is the one of M. P. Scully, "Computation of helicopter
 * rotor wake geometry and its influence on rotor harmonic airloads", MIT 1975 (n = 1 of Vatistas' family): Rankine's
 * vortex with a smooth core, solid rotation inside and 1/r outside. */
#include "force/forces.h"
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
    {"centre", WEFT_VECTOR, offsetof(vortex, centre), 0, 0, "[0, 0, 0]", "m", "a point of the axis", NULL, 0},
    {"axis", WEFT_VECTOR, offsetof(vortex, axis), 0, 0, "[0, 1, 0]", "",
     "direction of the axis, any length; the air turns about it as the fingers of a right hand", NULL, WEFT_NONZERO},
    {"speed", WEFT_REAL, offsetof(vortex, speed), -1000, 1000, "5", "m/s",
     "largest speed, reached at `radius`; a negative one turns the other way", NULL, 0},
    {"radius", WEFT_REAL, offsetof(vortex, radius), 0, 1e6, "1", "m", "of the core", NULL, WEFT_OPEN_LOW},
    {"updraft", WEFT_REAL, offsetof(vortex, updraft), -1000, 1000, "0", "m/s",
     "speed along the axis in the middle; half of it at `radius`", NULL, 0},
    WEFT_PARAMS_END,
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
    .help = "wind that circulates about an axis",
    .settings_size = sizeof(vortex),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Scully, Computation of helicopter rotor wake geometry, MIT 1975",
};
