/* Linear damping by still air, per vertex or per area. */
#include "force/builtin_forces.h"
#include "weft/vec.h"

enum { PER_VERTEX, PER_AREA };

typedef struct air_damping {
    double coefficient;
    int32_t per;
} air_damping;

static const char *const PER[] = {"vertex", "area", NULL};

static const weft_param PARAMS[] = {
    {.name = "coefficient",
     .type = WEFT_REAL,
     .offset = offsetof(air_damping, coefficient),
     .high = 1e6,
     .fallback = "0.01",
     .unit = "kg/s",
     .help = "force per velocity of a vertex; with `per: area` per square metre, kg/(m2 s)"},
    {.name = "per",
     .type = WEFT_CHOICE,
     .offset = offsetof(air_damping, per),
     .fallback = "vertex",
     .unit = "",
     .help = "what the coefficient refers to; only `area` is independent of the mesh",
     .choices = PER},
    {0},
};

typedef struct context {
    const air_damping *settings;
    const weft_force_input *input;
    weft_vec3 *f;
} context;

static void apply_block(void *data, int64_t begin, int64_t end) {
    const context *c = data;
    double coefficient = c->settings->coefficient;
    if (c->settings->per == PER_VERTEX)
        for (int64_t i = begin; i < end; i++)
            c->f[i] = weft_add_scaled(c->f[i], -coefficient, c->input->v[i]);
    else
        for (int64_t i = begin; i < end; i++)
            c->f[i] = weft_add_scaled(c->f[i], -coefficient * c->input->area[i], c->input->v[i]);
}

static void apply(const void *settings, const weft_work *work, const weft_force_input *input, weft_vec3 *f) {
    context c = {settings, input, f};
    weft_parallel_for(work, input->count, WEFT_BLOCK, apply_block, &c);
}

static void damping(const void *settings, const weft_work *work, const weft_force_input *input, double *block) {
    (void)work;
    const air_damping *set = settings;
    for (int32_t i = 0; i < input->count; i++) {
        double c = set->per == PER_VERTEX ? set->coefficient : set->coefficient * input->area[i];
        block[6 * (size_t)i] += c;
        block[6 * (size_t)i + 3] += c;
        block[6 * (size_t)i + 5] += c;
    }
}

static const weft_force_functions FUNCTIONS = {.apply = apply, .damping = damping};

const weft_component weft_air_damping_force = {
    .abi = WEFT_ABI,
    .kind = WEFT_FORCE,
    .name = "air-damping",
    .help = "damping by still air in proportion to velocity, -C v",
    .settings_size = sizeof(air_damping),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "",
};
