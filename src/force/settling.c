/* Damping at the beginning: lets a sewn garment come to rest before its body moves. A lift keeps it from falling while
 * its seams close. */
#include "force/builtin_forces.h"
#include "weft/vec.h"

typedef struct settling {
    double rate, until;
    weft_vec3 lift;
    double lift_until;
} settling;

static const weft_param PARAMS[] = {
    {.name = "rate",
     .type = WEFT_REAL,
     .offset = offsetof(settling, rate),
     .high = 1e4,
     .fallback = "10",
     .unit = "1/s",
     .help = "damping force per momentum: a free vertex loses the its speed down to 1/e in 1 / rate"},
    {.name = "until",
     .type = WEFT_REAL,
     .offset = offsetof(settling, until),
     .high = 1e6,
     .fallback = "1",
     .unit = "s",
     .help = "time at which the damping ends"},
    {.name = "lift",
     .type = WEFT_VECTOR,
     .offset = offsetof(settling, lift),
     .fallback = "[0, 0, 0]",
     .unit = "m/s2",
     .help = "acceleration that is added at first; opposite to gravity, it holds a garment up while it is sewn"},
    {.name = "lift_until",
     .type = WEFT_REAL,
     .offset = offsetof(settling, lift_until),
     .high = 1e6,
     .fallback = "0",
     .unit = "s",
     .help = "time at which the lift ends"},
    {0},
};

typedef struct context {
    const weft_force_input *input;
    double rate;
    weft_vec3 lift;
    weft_vec3 *f;
} context;

static double rate_at(const settling *s, double time) { return time < s->until ? s->rate : 0; }

static void apply_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    for (int64_t i = begin; i < end; i++)
        c->f[i] = weft_add_scaled(c->f[i], c->input->mass[i], weft_add_scaled(c->lift, -c->rate, c->input->v[i]));
}

static void apply(const void *settings, const weft_work *work, const weft_force_input *input, weft_vec3 *f) {
    const settling *s = settings;
    int lifted = input->time < s->lift_until;
    context c = {input, rate_at(s, input->time), lifted ? s->lift : weft_vec3_make(0, 0, 0), f};
    if (c.rate > 0 || lifted)
        weft_parallel_for(work, input->count, WEFT_BLOCK, apply_block, &c);
}

static void damping(const void *settings, const weft_work *work, const weft_force_input *input, double *block) {
    (void)work;
    double rate = rate_at(settings, input->time);
    for (int32_t i = 0; rate > 0 && i < input->count; i++)
        for (int k = 0; k < 3; k++) /* xx, yy, zz */
            block[6 * (size_t)i + (size_t)(k == 0 ? 0 : 2 * k + 1)] += rate * input->mass[i];
}

static const weft_force_functions FUNCTIONS = {.apply = apply, .damping = damping};

const weft_component weft_settling_force = {
    .abi = WEFT_ABI,
    .kind = WEFT_FORCE,
    .name = "settling",
    .help =
        "damping in proportion to mass and velocity until a given time, so that a garment comes to rest; may lift it",
    .settings_size = sizeof(settling),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "",
};
