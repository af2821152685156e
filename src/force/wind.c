/* Uniform wind with seeded gusts. It uses only +, -, x, / and square roots, so that all machines compute the same
 * bits. */
#include "force/builtin_forces.h"
#include "force/wind_field.h"
#include "weft/vec.h"

typedef struct wind {
    double speed;
    weft_vec3 direction;
    double randomness;
    double gust_frequency;
} wind;

static const weft_param PARAMS[] = {
    {.name = "speed",
     .type = WEFT_REAL,
     .offset = offsetof(wind, speed),
     .high = 1000,
     .fallback = "5",
     .unit = "m/s",
     .help = "mean speed of the air"},
    {.name = "direction",
     .type = WEFT_VECTOR,
     .offset = offsetof(wind, direction),
     .fallback = "[1, 0, 0]",
     .unit = "",
     .help = "direction in which the wind blows; any length",
     .flags = WEFT_NONZERO},
    {.name = "randomness",
     .type = WEFT_REAL,
     .offset = offsetof(wind, randomness),
     .high = 1,
     .fallback = "0",
     .unit = "",
     .help =
         "gusts: 0 is steady; with 1 the speed varies from 0 to twice the mean and the direction by up to 35 degrees"},
    {.name = "gust_frequency",
     .type = WEFT_REAL,
     .offset = offsetof(wind, gust_frequency),
     .high = 1000,
     .fallback = "0.5",
     .unit = "1/s",
     .help = "gusts per second"},
    {0},
};

enum { GUST_SPEED, GUST_SIDE, GUST_RISE };

/* A slow gust plus a faster one, in [-1, 1] with mean 0. */
static double gust(uint64_t seed, int channel, double t) {
    uint64_t slow = weft_random_bits(seed, 2 * (uint64_t)channel);
    uint64_t fast = weft_random_bits(seed, 2 * (uint64_t)channel + 1);
    return (2 * weft_random_smooth(slow, t) + weft_random_smooth(fast, 3 * t)) / 3;
}

/* A unit vector perpendicular to `d`, made from the axis least aligned with `d`. */
static weft_vec3 across(weft_vec3 d) {
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    weft_vec3 axis = y <= x && y <= z   ? weft_vec3_make(0, 1, 0)
                     : z <= x && z <= y ? weft_vec3_make(0, 0, 1)
                                        : weft_vec3_make(1, 0, 0);
    return weft_normalize(weft_cross(axis, d));
}

static weft_vec3 velocity_at(const wind *settings, double time, uint64_t seed) {
    weft_vec3 direction = weft_normalize(settings->direction);
    double randomness = settings->randomness;
    if (!(randomness > 0))
        return weft_scale(settings->speed, direction);
    double t = time * settings->gust_frequency;
    weft_vec3 side = across(direction), rise = weft_cross(direction, side);
    double speed = settings->speed * (1 + randomness * gust(seed, GUST_SPEED, t));
    /* Tangents of the angles: at most 0.5 each, together atan(0.5 sqrt(2)) = 35 degrees. */
    direction = weft_add_scaled(direction, 0.5 * randomness * gust(seed, GUST_SIDE, t), side);
    direction = weft_add_scaled(direction, 0.5 * randomness * gust(seed, GUST_RISE, t), rise);
    return weft_scale(speed, weft_normalize(direction));
}

static void blow(const void *settings, const weft_work *work, double time, uint64_t seed, int32_t count,
                 const weft_vec3 *where, weft_vec3 *velocity) {
    (void)where;
    weft_wind_add_uniform(work, count, velocity_at(settings, time, seed), velocity);
}

static const weft_force_functions FUNCTIONS = {.wind = blow};

const weft_component weft_wind_force = {
    .abi = WEFT_ABI,
    .kind = WEFT_FORCE,
    .name = "wind",
    .help = "uniform wind, steady or with seeded gusts",
    .settings_size = sizeof(wind),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "",
};
