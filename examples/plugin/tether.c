/* A model of one's own, out of tree: every vertex is tied to where it was by a damped spring in proportion to its mass,
 * so that each swings with the same frequency. Built by the Makefile beside it, used by
 * weft run --plugin ./libtether.so tether.yaml */
#include <stdlib.h>

#include <weft/weft.h>

typedef struct settings {
    double frequency, damping_ratio;
} settings;

static const weft_param PARAMS[] = {
    {.name = "frequency",
     .type = WEFT_REAL,
     .offset = offsetof(settings, frequency),
     .high = 1000,
     .fallback = "1",
     .unit = "1/s",
     .help = "swings per second",
     .flags = WEFT_OPEN_LOW},
    {.name = "damping_ratio",
     .type = WEFT_REAL,
     .offset = offsetof(settings, damping_ratio),
     .high = 10,
     .fallback = "0",
     .unit = "",
     .help = "1 is critical"},
    {0},
};

typedef struct tether {
    const weft_cloth *cloth;
    double stiffness, damping; /* per mass: 1/s2 and 1/s */
} tether;

typedef struct loop {
    const tether *self;
    const weft_vec3 *x, *v; /* m, m/s (vertex_count) */
    weft_vec3 *f;           /* N (vertex_count) */
} loop;

static weft_result retune(void *self, const void *from, const weft_cloth *cloth) {
    const settings *set = from;
    double omega = 2 * 3.14159265358979323846 * set->frequency;
    *(tether *)self = (tether){cloth, omega * omega, 2 * set->damping_ratio * omega};
    return weft_ok();
}

static weft_result create(const void *from, const weft_cloth *cloth, void **self) {
    *self = malloc(sizeof(tether));
    return *self ? retune(*self, from, cloth) : weft_fail_memory("tether", sizeof(tether));
}

static double energy_block(void *context, int64_t begin, int64_t end) {
    const loop *l = context;
    const weft_cloth *cloth = l->self->cloth;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 d = weft_sub(l->x[i], cloth->mesh->position[i]);
        sum += 0.5 * l->self->stiffness * cloth->mass[i] * weft_dot(d, d);
    }
    return sum;
}

static void force_block(void *context, int64_t begin, int64_t end) {
    const loop *l = context;
    const weft_cloth *cloth = l->self->cloth;
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 d = weft_sub(l->x[i], cloth->mesh->position[i]);
        l->f[i] = weft_add_scaled(l->f[i], -l->self->stiffness * cloth->mass[i], d);
        l->f[i] = weft_add_scaled(l->f[i], -l->self->damping * cloth->mass[i], l->v[i]);
    }
}

static double energy(const void *self, const weft_work *work, const weft_vec3 *x) {
    const tether *t = self;
    return weft_parallel_sum(work, t->cloth->mesh->vertex_count, WEFT_BLOCK, energy_block, &(loop){t, x, NULL, NULL});
}

static void force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    const tether *t = self;
    weft_parallel_for(work, t->cloth->mesh->vertex_count, WEFT_BLOCK, force_block, &(loop){t, x, v, f});
}

static const weft_model_functions FUNCTIONS = {
    .gives = WEFT_FORCES, .create = create, .destroy = free, .retune = retune, .energy = energy, .force = force};

static const weft_component TETHER = {WEFT_ABI,         WEFT_MODEL, "tether",   "ties each vertex to its rest position",
                                      sizeof(settings), PARAMS,     &FUNCTIONS, ""};

WEFT_API weft_result weft_plugin(weft_registry *registry);
weft_result weft_plugin(weft_registry *registry) { return weft_registry_add(registry, &TETHER); }
