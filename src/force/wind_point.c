/* Wind that blows radially from a point, or towards it. */
#include "force/builtin_forces.h"
#include "force/wind_field.h"
#include "weft/vec.h"

enum { FALLOFF_SMOOTH, FALLOFF_NONE };

typedef struct point {
    weft_vec3 centre;
    double speed;
    double radius;
    int32_t falloff;
} point;

static const char *const FALLOFF[] = {"smooth", "none", NULL};

static const weft_param PARAMS[] = {
    {.name = "centre",
     .type = WEFT_VECTOR,
     .offset = offsetof(point, centre),
     .fallback = "[0, 0, 0]",
     .unit = "m",
     .help = "origin of the wind"},
    {.name = "speed",
     .type = WEFT_REAL,
     .offset = offsetof(point, speed),
     .low = -1000,
     .high = 1000,
     .fallback = "5",
     .unit = "m/s",
     .help = "outward speed of the air near the centre; negative values blow inwards"},
    {.name = "radius",
     .type = WEFT_REAL,
     .offset = offsetof(point, radius),
     .high = 1e6,
     .fallback = "1",
     .unit = "m",
     .help = "distance at which the speed has halved",
     .flags = WEFT_OPEN_LOW},
    {.name = "falloff",
     .type = WEFT_CHOICE,
     .offset = offsetof(point, falloff),
     .fallback = "smooth",
     .unit = "",
     .help = "smooth: divides the speed by 1 + (distance / radius)^2; none: the same speed at every distance",
     .choices = FALLOFF},
    {0},
};

static weft_vec3 at(const void *data, weft_vec3 position) {
    const point *settings = data;
    weft_vec3 arm = weft_sub(position, settings->centre);
    double r = weft_length(arm) / settings->radius;
    double speed = settings->falloff == FALLOFF_SMOOTH ? settings->speed / (1 + r * r) : settings->speed;
    return weft_scale(speed, weft_normalize(arm));
}

static void blow(const void *settings, const weft_work *work, double time, uint64_t seed, int32_t count,
                 const weft_vec3 *where, weft_vec3 *velocity) {
    (void)time;
    (void)seed;
    weft_wind_add_field(work, count, settings, at, where, velocity);
}

static const weft_force_functions FUNCTIONS = {.wind = blow};

const weft_component weft_wind_point_force = {
    .abi = WEFT_ABI,
    .kind = WEFT_FORCE,
    .name = "wind-point",
    .help = "wind that blows out of a point, or into it",
    .settings_size = sizeof(point),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "",
};
