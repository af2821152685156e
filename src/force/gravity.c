/* Uniform gravity. */
#include "force/builtin_forces.h"
#include "weft/vec.h"

typedef struct gravity {
    weft_vec3 acceleration;
} gravity;

static const weft_param PARAMS[] = {
    {.name = "acceleration",
     .type = WEFT_VECTOR,
     .offset = offsetof(gravity, acceleration),
     .fallback = "[0, -9.81, 0]",
     .unit = "m/s2",
     .help = "acceleration in free fall"},
    {0},
};

typedef struct context {
    weft_vec3 acceleration;
    const weft_force_input *input;
    weft_vec3 *f;
} context;

static void apply_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    for (int64_t i = begin; i < end; i++)
        c->f[i] = weft_add_scaled(c->f[i], c->input->mass[i], c->acceleration);
}

static void apply(const void *settings, const weft_work *work, const weft_force_input *input, weft_vec3 *f) {
    context c = {((const gravity *)settings)->acceleration, input, f};
    weft_parallel_for(work, input->count, WEFT_BLOCK, apply_block, &c);
}

static double energy_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    double sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum -= c->input->mass[i] * weft_dot(c->acceleration, c->input->x[i]);
    return sum;
}

static double energy(const void *settings, const weft_work *work, const weft_force_input *input) {
    context c = {((const gravity *)settings)->acceleration, input, NULL};
    return weft_parallel_sum(work, input->count, WEFT_BLOCK, energy_block, &c);
}

static weft_vec3 acceleration(const void *settings) { return ((const gravity *)settings)->acceleration; }

static const weft_force_functions FUNCTIONS = {.apply = apply, .energy = energy, .acceleration = acceleration};

const weft_component weft_gravity_force = {
    .abi = WEFT_ABI,
    .kind = WEFT_FORCE,
    .name = "gravity",
    .help = "uniform acceleration",
    .settings_size = sizeof(gravity),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "",
};
