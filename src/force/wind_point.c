#include "force/forces.h"
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
    {"centre", WEFT_VECTOR, offsetof(point, centre), 0, 0, "[0, 0, 0]", "m", "where the wind comes from", NULL, 0},
    {"speed", WEFT_REAL, offsetof(point, speed), -1000, 1000, "5", "m/s",
     "outward speed of the air near the centre; a negative one sucks", NULL, 0},
    {"radius", WEFT_REAL, offsetof(point, radius), 0, 1e6, "1", "m", "distance at which half of the speed is left",
     NULL, WEFT_OPEN_LOW},
    {"falloff", WEFT_CHOICE, offsetof(point, falloff), 0, 0, "smooth", "",
     "smooth: the speed is divided by 1 + (distance / radius)^2; none: the same speed at every distance", FALLOFF, 0},
    WEFT_PARAMS_END,
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
