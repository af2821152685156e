/* The framework's wind (its equation 3.2): A (1 - cos^2(pi f t)) along one direction. The framework adds it as a force
 * to each particle, so that a finer mesh feels more wind; here it is the air's speed unless `as: force` is asked for.
 */
#include "force/forces.h"
#include "force/wind_field.h"
#include "weft/vec.h"

enum { AS_SPEED, AS_FORCE };

typedef struct oscillating {
    double strength;
    double frequency;
    weft_vec3 direction;
    int32_t as;
} oscillating;

static const char *const AS[] = {"speed", "force", NULL};

static const weft_param PARAMS[] = {
    {"strength", WEFT_REAL, offsetof(oscillating, strength), 0, 1000, "5", "m/s",
     "largest speed of the air; with `as: force` the largest force on a vertex, N", NULL, 0},
    {"frequency", WEFT_REAL, offsetof(oscillating, frequency), 0, 1000, "0.5", "1/s", "maxima per second", NULL, 0},
    {"direction", WEFT_VECTOR, offsetof(oscillating, direction), 0, 0, "[1, 0, 0]", "",
     "where the wind blows to; any length", NULL, WEFT_NONZERO},
    {"as", WEFT_CHOICE, offsetof(oscillating, as), 0, 0, "speed", "",
     "what oscillates: the air's speed, or a force on each vertex as in the framework", AS, 0},
    WEFT_PARAMS_END,
};

/* sin(pi p) for p in [0, 1/2] by its Taylor series to the 21st power, whose rest is below 1e-17: libm's sine differs
 * between machines in the last bit. */
static double sin_pi(double p) {
    const double y = 3.14159265358979323846 * p, z = -y * y;
    double sum = 1;
    for (int k = 20; k >= 2; k -= 2)
        sum = 1 + sum * z / (k * (k + 1.0));
    return y * sum;
}

/* 1 - cos^2(pi t) = sin^2(pi t), of period 1 */
static double wave(double t) {
    double p = t - floor(t);
    double sine = sin_pi(p <= 0.5 ? p : 1 - p);
    return sine * sine;
}

static weft_vec3 now(const oscillating *settings, double time) {
    return weft_scale(settings->strength * wave(settings->frequency * time), weft_normalize(settings->direction));
}

static void apply(const void *settings, const weft_work *work, const weft_force_input *input, weft_vec3 *f) {
    if (((const oscillating *)settings)->as == AS_FORCE)
        weft_wind_add_uniform(work, input->count, now(settings, input->time), f);
}

static void blow(const void *settings, const weft_work *work, double time, uint64_t seed, int32_t count,
                 const weft_vec3 *where, weft_vec3 *velocity) {
    (void)seed;
    (void)where;
    if (((const oscillating *)settings)->as == AS_SPEED)
        weft_wind_add_uniform(work, count, now(settings, time), velocity);
}

static const weft_force_functions FUNCTIONS = {.apply = apply, .wind = blow};

const weft_component weft_wind_oscillating_force = {
    .abi = WEFT_ABI,
    .kind = WEFT_FORCE,
    .name = "wind-oscillating",
    .help = "wind that swells and ceases, A (1 - cos^2(pi f t))",
    .settings_size = sizeof(oscillating),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "",
};
