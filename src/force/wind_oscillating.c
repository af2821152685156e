/* The wind of Assunção (2020), equation 3.2: A (1 - cos^2(pi f t)) along one direction. Assunção adds it as a force to
 * each particle, so a finer mesh feels more wind. Here it is the speed of the air, unless the scene sets `as:
 * force`. */
#include "force/builtin_forces.h"
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
    {.name = "strength",
     .type = WEFT_REAL,
     .offset = offsetof(oscillating, strength),
     .high = 1000,
     .fallback = "5",
     .unit = "m/s",
     .help = "maximum speed of the air; with `as: force` the maximum force on a vertex, N"},
    {.name = "frequency",
     .type = WEFT_REAL,
     .offset = offsetof(oscillating, frequency),
     .high = 1000,
     .fallback = "0.5",
     .unit = "1/s",
     .help = "maxima per second"},
    {.name = "direction",
     .type = WEFT_VECTOR,
     .offset = offsetof(oscillating, direction),
     .fallback = "[1, 0, 0]",
     .unit = "",
     .help = "direction in which the wind blows; any length",
     .flags = WEFT_NONZERO},
    {.name = "as",
     .type = WEFT_CHOICE,
     .offset = offsetof(oscillating, as),
     .fallback = "speed",
     .unit = "",
     .help = "what oscillates: the speed of the air, or a force on each vertex as in Assuncao (2020)",
     .choices = AS},
    {0},
};

/* sin(pi p) for p in [0, 1/2] by its Taylor series to the 21st power, with a remainder below 1e-17. The sine of libm
 * differs between machines in the last bit. */
static double sin_pi(double p) {
    const double y = 3.14159265358979323846 * p, z = -y * y;
    double sum = 1;
    for (int k = 20; k >= 2; k -= 2)
        sum = 1 + sum * z / (k * (k + 1.0));
    return y * sum;
}

/* 1 - cos^2(pi t) = sin^2(pi t), with period 1 */
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
    .help = "wind that rises and falls periodically, A (1 - cos^2(pi f t))",
    .settings_size = sizeof(oscillating),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Assuncao 2020, Cloth Simulation Framework, eq. 3.2",
};
