/* Time of an explicit step of springs beside the machine's streaming bandwidth.
 *
 * What must be streamed at least in a step, each array once: of a spring its rest length as double, its stiffness as
 * float and 2.5 bytes of vertex offsets (five of 16 bits for four springs that share a vertex), 14.5 bytes; of a vertex
 * its position and velocity in and out and its mass, 4 * 24 + 8 = 104 bytes. The force array, which a fused step could
 * keep in cache, is not counted, nor are springs that two blocks compute. The bound is these bytes at the bandwidth of
 * the triad a = b + s c on as many threads; sets that fit the last cache may be faster than it. */
#include "bench/bench_springs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"
#include "model/springs.h"
#include "weft/mesh.h"

enum { ROUNDS = 40, TRIAD_BLOCK = 1 << 16, VERTEX_BYTES = 104 };
#define TRIAD_BYTES  ((size_t)256 << 20)
#define ROUND_TIME   0.01 /* s */
#define SPRING_BYTES 14.5
#define SPACING      0.01 /* m between vertices */
#define VERTEX_MASS  2e-5 /* kg */

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct triad {
    double *a, *b, *c;
} triad;

static void triad_block(void *context, int64_t begin, int64_t end) {
    const triad *t = context;
    double *restrict a = t->a;
    const double *restrict b = t->b, *restrict c = t->c;
    for (int64_t i = begin; i < end; i++)
        a[i] = b[i] + 3.0 * c[i];
}

/* Bytes a second; 0 when memory is out. */
static double measure_bandwidth(const weft_work *work) {
    size_t count = TRIAD_BYTES / (3 * sizeof(double));
    double *memory = malloc(TRIAD_BYTES), best = 0;
    if (!memory)
        return 0;
    triad t = {memory, memory + count, memory + 2 * count};
    for (size_t i = 0; i < 3 * count; i++)
        memory[i] = (double)(i & 7);
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        weft_parallel_for(work, (int64_t)count, TRIAD_BLOCK, triad_block, &t);
        double rate = (double)(3 * count * sizeof(double)) / (now() - start);
        best = rate > best ? rate : best;
    }
    free(memory);
    return best;
}

typedef struct sheet {
    weft_mesh *mesh;
    void *model;
    double *mass;
    weft_vec3 *x, *v, *f;
} sheet;

static void sheet_destroy(sheet *s) {
    const weft_model_functions *functions = weft_springs_model.functions;
    free(s->f);
    free(s->v);
    free(s->x);
    free(s->mass);
    functions->destroy(s->model);
    weft_mesh_destroy(s->mesh);
}

/* A square sheet with about that many springs: 6 n^2 - 10 n + 2 for n x n vertices. */
static weft_result sheet_create(int64_t springs, sheet *s) {
    const weft_model_functions *functions = weft_springs_model.functions;
    int64_t side = (int64_t)ceil((10 + sqrt(100 - 24.0 * (2 - (double)springs))) / 12);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = side - 1;
    grid.size[0] = grid.size[1] = (double)(side - 1) * SPACING;
    WEFT_TRY(weft_mesh_create_grid(&grid, &s->mesh));
    size_t count = (size_t)s->mesh->vertex_count;
    s->mass = weft_allocate(count, sizeof *s->mass);
    s->x = weft_allocate(count, sizeof *s->x);
    s->v = weft_allocate(count, sizeof *s->v);
    s->f = weft_allocate(count, sizeof *s->f);
    if (!s->mass || !s->x || !s->v || !s->f)
        return weft_fail_memory("benchmark", count * 80);
    weft_springs_settings settings;
    weft_params_default(weft_springs_model.params, &settings);
    settings.damping = 0;
    weft_fabric fabric = {.density = 0.2};
    weft_cloth cloth = {"benchmark", s->mesh, &fabric, s->mass, s->mass};
    WEFT_TRY(functions->create(&settings, &cloth, &s->model));
    memcpy(s->x, s->mesh->position, count * sizeof *s->x);
    for (size_t i = 0; i < count; i++) {
        s->mass[i] = VERTEX_MASS;
        s->x[i].z = 1e-3 * weft_random(1, i);
    }
    return weft_ok();
}

static void weigh(void *context, int64_t begin, int64_t end) {
    const sheet *s = context;
    for (int64_t i = begin; i < end; i++)
        s->f[i] = (weft_vec3){0, -9.81 * s->mass[i], 0};
}

/* Symplectic Euler; the first row of the sheet falls with it. */
static void move(void *context, int64_t begin, int64_t end) {
    const sheet *s = context;
    const double dt = 1e-5;
    for (int64_t i = begin; i < end; i++) {
        double h = dt / s->mass[i];
        s->v[i] = (weft_vec3){s->v[i].x + h * s->f[i].x, s->v[i].y + h * s->f[i].y, s->v[i].z + h * s->f[i].z};
        s->x[i] = (weft_vec3){s->x[i].x + dt * s->v[i].x, s->x[i].y + dt * s->v[i].y, s->x[i].z + dt * s->v[i].z};
    }
}

static void step(sheet *s, const weft_work *work) {
    const weft_model_functions *functions = weft_springs_model.functions;
    weft_parallel_for(work, s->mesh->vertex_count, WEFT_BLOCK, weigh, s);
    functions->force(s->model, work, s->x, s->v, s->f);
    weft_parallel_for(work, s->mesh->vertex_count, WEFT_BLOCK, move, s);
}

/* Seconds a step: the least disturbed of some rounds. */
static double measure_step(sheet *s, const weft_work *work) {
    double best = INFINITY, start = now();
    step(s, work);
    step(s, work);
    int steps = (int)(ROUND_TIME / (0.5 * (now() - start))) + 1;
    for (int round = 0; round < ROUNDS; round++) {
        start = now();
        for (int i = 0; i < steps; i++)
            step(s, work);
        double seconds = (now() - start) / steps;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static weft_result report(FILE *out, int64_t springs, const weft_work *work, double bandwidth) {
    const weft_model_functions *functions = weft_springs_model.functions;
    sheet s = {0};
    weft_result result = sheet_create(springs, &s);
    if (result.code == WEFT_OK) {
        double count = functions->link_count(s.model), vertices = s.mesh->vertex_count;
        double bytes = SPRING_BYTES + VERTEX_BYTES * vertices / count;
        double time = measure_step(&s, work) / count * 1e9, bound = bytes / bandwidth * 1e9;
        fprintf(out, "%9.0f %8d %10.2f %10.1f %10.2f %8.2f\n", count, work->threads, time, bytes, bound, time / bound);
    }
    sheet_destroy(&s);
    return result;
}

weft_result weft_bench_springs(FILE *out) {
    static const int64_t SPRINGS[] = {10000, 100000, 1000000};
    weft_arena *arena = weft_arena_create();
    if (!arena)
        return weft_fail_memory("benchmark", sizeof(void *));
    weft_result result = weft_ok();
    for (int threads = 1; threads <= 2 && result.code == WEFT_OK; threads++) {
        weft_work work = {threads, arena};
        double bandwidth = measure_bandwidth(&work);
        if (!(bandwidth > 0)) {
            result = weft_fail_memory("benchmark", TRIAD_BYTES);
            break;
        }
        fprintf(out, "streaming bandwidth on %d thread%s: %.1f GB/s\n", threads, threads > 1 ? "s" : "",
                1e-9 * bandwidth);
        fprintf(out, "  springs  threads  ns/spring  B/spring   bound ns    ratio\n");
        for (int i = 0; i < 3 && result.code == WEFT_OK; i++)
            result = report(out, SPRINGS[i], &work, bandwidth);
    }
    weft_arena_destroy(arena);
    return result;
}
