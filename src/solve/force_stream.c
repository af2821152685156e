/* Forces handed to a consumer block by block, while vertices and forces are in the cache. */
#include <string.h>

#include "solve/equations.h"

typedef struct stream_context {
    weft_external_context external; /* f: all external forces if some act on triangles; else null */
    int internal;                   /* leaves out the external forces */
    weft_prefetch prefetch;         /* arrays that `sink` will read (system->count) */
    int32_t first, block;           /* first vertex and first block of the cloth */
    weft_place_source place;
    weft_force_sink sink;
    void *context;
    weft_vec3 *sum;   /* forces on the cloth, for models without stream_force */
    weft_vec3 *at[2]; /* likewise positions and velocities */
} stream_context;

static void begin_vertices(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f) {
    const stream_context *c = context;
    (void)block;
    if (c->internal)
        memset(f, 0, (size_t)count * sizeof *f);
    else if (c->external.f)
        memcpy(f, c->external.f + c->first + first, (size_t)count * sizeof *f);
    else
        weft_system_external_block(&c->external, c->first + first, count, f);
}

static void end_vertices(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f) {
    const stream_context *c = context;
    c->sink(c->context, c->block + block, c->first + first, count, f);
}

static void place_vertices(void *context, int32_t first, int32_t count, weft_vec3 *x, weft_vec3 *v) {
    const stream_context *c = context;
    c->place(c->context, c->first + first, count, x, v);
}

static void begin_block(void *context, int64_t begin, int64_t end) {
    const stream_context *c = context;
    if (c->place)
        place_vertices(context, (int32_t)begin, (int32_t)(end - begin), c->at[0] + begin, c->at[1] + begin);
    begin_vertices(context, 0, (int32_t)begin, (int32_t)(end - begin), c->sum + begin);
}

static void end_block(void *context, int64_t begin, int64_t end) {
    const stream_context *c = context;
    end_vertices(context, (int32_t)(begin / WEFT_STREAM_BLOCK), (int32_t)begin, (int32_t)(end - begin), c->sum + begin);
}

static void external_only(void *context, int64_t begin, int64_t end) {
    weft_vec3 f[WEFT_STREAM_BLOCK];
    begin_vertices(context, 0, (int32_t)begin, (int32_t)(end - begin), f);
    end_vertices(context, (int32_t)(begin / WEFT_STREAM_BLOCK), (int32_t)begin, (int32_t)(end - begin), f);
}

static int prepare_stream(stream_context *c) {
    const weft_system *system = c->external.system;
    if (!weft_system_loads_triangles(system->equations))
        return 1;
    weft_vec3 *f = weft_arena_take(system->work->arena, (size_t)system->count * sizeof *f, "external forces");
    if (!f)
        return 0;
    weft_system_external_force(system, c->external.x, c->external.v, f);
    c->external.f = f;
    return 1;
}

static weft_prefetch from_vertex(const weft_prefetch *all, int32_t first) {
    weft_prefetch some = {.vector = {NULL}};
    for (int i = 0; i < 3; i++)
        some.vector[i] = all->vector[i] ? all->vector[i] + first : NULL;
    for (int i = 0; i < 6; i++)
        some.triple[i] = all->triple[i] ? all->triple[i] + 3 * (int64_t)first : NULL;
    for (int i = 0; i < 2; i++)
        some.number[i] = all->number[i] ? all->number[i] + first : NULL;
    return some;
}

static weft_vec3 *take_vectors(const stream_context *c, int32_t count) {
    return weft_arena_take(c->external.system->work->arena, (size_t)count * sizeof(weft_vec3), "forces");
}

static int stream_cloth(stream_context *c, const weft_equations_cloth *cloth) {
    const weft_work *work = c->external.system->work;
    const weft_vec3 *x = c->external.x + cloth->first, *v = c->external.v + cloth->first;
    const weft_model_kernels *kernels = cloth->model->kernels;
    int32_t count = cloth->mesh->vertex_count;
    c->first = cloth->first;
    weft_force_stream stream = {begin_vertices, end_vertices, c->place ? place_vertices : NULL, c,
                                from_vertex(&c->prefetch, c->first)};
    if (kernels && kernels->stream_force && kernels->stream_force(cloth->self, work, x, v, &stream))
        return 1;
    c->sum = take_vectors(c, count);
    c->at[0] = c->place ? take_vectors(c, count) : NULL;
    c->at[1] = c->place ? take_vectors(c, count) : NULL;
    if (!c->sum || (c->place && !(c->at[0] && c->at[1])))
        return 0;
    weft_parallel_for(work, count, WEFT_STREAM_BLOCK, begin_block, c);
    cloth->model->force(cloth->self, work, c->place ? c->at[0] : x, c->place ? c->at[1] : v, c->sum);
    weft_parallel_for(work, count, WEFT_STREAM_BLOCK, end_block, c);
    return 1;
}

static int64_t blocks_of(const weft_equations_cloth *cloth) {
    return ((int64_t)cloth->mesh->vertex_count + WEFT_STREAM_BLOCK - 1) / WEFT_STREAM_BLOCK;
}

int64_t weft_system_block_count(const weft_system *system) {
    const weft_equations *e = system->equations;
    int64_t count = 0, blocks = ((int64_t)system->count + WEFT_STREAM_BLOCK - 1) / WEFT_STREAM_BLOCK;
    for (int32_t i = 0; i < e->cloth_count; i++)
        count += blocks_of(&e->cloth[i]);
    return count > blocks ? count : blocks;
}

static int stream_all(stream_context *c) {
    const weft_equations *e = c->external.system->equations;
    int fine = 1;
    for (int32_t i = 0; i < e->cloth_count && fine; i++) {
        fine = stream_cloth(c, &e->cloth[i]);
        c->block += (int32_t)blocks_of(&e->cloth[i]);
    }
    return fine;
}

int weft_system_stream_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_force_sink sink,
                             void *context) {
    stream_context c = {.external = {system, x, v, NULL},
                        .prefetch = {.vector = {system->v, system->x_next, system->v_next},
                                     .number = {system->mass, system->inverse_mass}},
                        .sink = sink,
                        .context = context};
    return prepare_stream(&c) && stream_all(&c);
}

int weft_system_stream_internal(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v,
                                weft_place_source place, const weft_prefetch *prefetch, weft_force_sink sink,
                                void *context) {
    stream_context c = {.external = {system, x, v, NULL},
                        .internal = 1,
                        .prefetch = *prefetch,
                        .place = place,
                        .sink = sink,
                        .context = context};
    return stream_all(&c);
}

int weft_system_stream_external(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_force_sink sink,
                                void *context) {
    stream_context c = {.external = {system, x, v, NULL}, .sink = sink, .context = context};
    if (!prepare_stream(&c))
        return 0;
    weft_parallel_for(system->work, system->count, WEFT_STREAM_BLOCK, external_only, &c);
    return 1;
}
