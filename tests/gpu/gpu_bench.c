/* Times the scenes of docs/gpu.md on the GPU and on the CPU with one and 16 threads. Prints a table in Markdown.
 * usage: gpu_bench [--gpu-only] [NAME]... */
#include <pthread.h>

#include "gpu_scenes.h"

typedef struct timing {
    const gpu_scene scene;
    int by_step;           /* times are per step, otherwise per frame */
    int warm_up, measured; /* frames or steps on the GPU */
    int cpu;               /* frames or steps on the CPU; 0: not timed there */
} timing;

#define HUNDRED "integrator.iterations", "100", "integrator.tolerance", "1e-12", "integrator.precondition", "block"

static const timing TIMINGS[] = {
    {{"flag", "corotational", "bdf2", {72, 48}, 0.004, {NULL}}, 0, 20, 60, 4},
    {{"flag-55k", "corotational", "bdf2", {288, 192}, 0.004, {NULL}}, 0, 5, 20, 1},
    {{"million-100", "corotational", "bdf2", {866, 577}, 0.004, {HUNDRED}}, 1, 3, 10, 1},
    {{"million-100-undamped", "corotational", "bdf2", {866, 577}, 0.004, {HUNDRED, "cloth.fabric.damping", "0"}},
     1,
     3,
     10,
     0},
    {{"million-converged",
      "corotational",
      "bdf2",
      {866, 577},
      0.004,
      {"integrator.tolerance", "1e-4", "integrator.iterations", "20000"}},
     1,
     2,
     4,
     0},
    {{"springs-55k", "springs", "bdf2", {288, 192}, 0.004, {NULL}}, 0, 5, 20, 1},
    {{"four-million", "corotational", "bdf2", {2449, 1632}, 0.004, {HUNDRED}}, 1, 1, 2, 0},
};

/* What a run measured, per frame or step. */
typedef struct figures {
    double wall, device; /* s */
    double iterations;   /* per step */
    int32_t vertices;
    int good;
} figures;

/* One frame, or one step. Steps within a frame leave the state on the GPU; their reports are sums over the frame, so
 * `before` keeps what was reported last. */
static weft_result advance(weft_sim *sim, int by_step, weft_solve *before, weft_report *report, int32_t *made) {
    if (!by_step)
        return weft_sim_advance_frame(sim, report, made);
    int32_t done;
    weft_result result = weft_sim_advance_step(sim, report, &done);
    weft_solve sum = report->solve;
    report->solve.solve_seconds -= before->solve_seconds;
    report->solve.iterations -= before->iterations;
    *before = done ? (weft_solve){0} : sum;
    return result;
}

static figures measure(const weft_registry *registry, const timing *t, const char *device, int threads, int warm_up,
                       int measured) {
    figures sum = {.good = 1};
    weft_sim *sim = gpu_flag(registry, &t->scene, device, threads);
    int64_t steps = 0;
    double begin = 0;
    weft_solve before = {0};
    for (int i = 0; i < warm_up + measured && sum.good; i++) {
        weft_report report;
        int32_t made = 1;
        if (i == warm_up)
            begin = gpu_now();
        weft_result result = advance(sim, t->by_step, &before, &report, &made);
        sum.good = result.code == WEFT_OK;
        if (!sum.good)
            fprintf(stderr, "%s on %s: %s\n", t->scene.name, device, result.message);
        if (i < warm_up || !sum.good)
            continue;
        sum.device += report.solve.solve_seconds;
        sum.iterations += report.solve.iterations;
        steps += made;
    }
    sum.wall = (gpu_now() - begin) / measured;
    sum.device /= measured;
    sum.iterations /= steps > 0 ? (double)steps : 1;
    sum.vertices = sum.good ? weft_sim_cloth(sim, 0)->mesh->vertex_count : 0;
    weft_sim_destroy(sim);
    return sum;
}

static void print_time(const figures *f) {
    if (f->good && f->wall > 0)
        printf(" %.4g |", 1e3 * f->wall);
    else
        printf(" - |");
}

static void print_ratio(const figures *cpu, const figures *gpu) {
    if (cpu->good && gpu->good && cpu->wall > 0)
        printf(" %.1f |", cpu->wall / gpu->wall);
    else
        printf(" - |");
}

static void time_scene(const weft_registry *registry, const timing *t, int gpu_only) {
    figures gpu = measure(registry, t, "cuda", 0, t->warm_up, t->measured), one = {0}, many = {0};
    if (t->cpu > 0 && !gpu_only) {
        one = measure(registry, t, "cpu", 1, 1, t->cpu);
        many = measure(registry, t, "cpu", 16, 1, t->cpu);
    }
    printf("| %s | %d | %s |", t->scene.name, gpu.vertices, t->by_step ? "step" : "frame");
    print_time(&one);
    print_time(&many);
    print_time(&gpu);
    printf(" %.4g | %.0f |", 1e3 * gpu.device, gpu.iterations);
    print_ratio(&one, &gpu);
    print_ratio(&many, &gpu);
    printf("\n");
    fflush(stdout);
}

/* Several simulations at once, each advanced by a thread of its own. */
typedef struct batch_member {
    weft_sim *sim;
    int frames, good;
} batch_member;

static void *advance_member(void *argument) {
    batch_member *m = argument;
    for (int i = 0; i < m->frames && m->good; i++)
        m->good = weft_sim_advance_frame(m->sim, NULL, NULL).code == WEFT_OK;
    return NULL;
}

/* Seconds for `frames` frames of `count` simulations; negative after a failure. */
static double advance_batch(batch_member *member, int count, int frames) {
    pthread_t thread[32];
    double begin = gpu_now();
    int good = 1;
    for (int k = 0; k < count; k++) {
        member[k].frames = frames;
        if (pthread_create(&thread[k], NULL, advance_member, &member[k]) != 0)
            exit(1);
    }
    for (int k = 0; k < count; k++) {
        pthread_join(thread[k], NULL);
        good &= member[k].good;
    }
    return good ? gpu_now() - begin : -1;
}

/* The same scene 1, 4 and 16 times on one GPU: milliseconds for one frame of one of them. */
static void time_batches(const weft_registry *registry) {
    printf("\n| flags at once | ms per frame of one | frames per second, all |\n| --- | --- | --- |\n");
    for (int count = 1; count <= 16; count *= 4) {
        batch_member member[16];
        for (int k = 0; k < count; k++)
            member[k] = (batch_member){gpu_flag(registry, &TIMINGS[0].scene, "cuda", 1), 0, 1};
        double seconds = advance_batch(member, count, 10) < 0 ? -1 : advance_batch(member, count, 40);
        printf("| %d | %.3g | %.0f |\n", count, 1e3 * seconds / 40 / count, 40 * count / seconds);
        for (int k = 0; k < count; k++)
            weft_sim_destroy(member[k].sim);
    }
}

static int is_asked_for(const char *name, int argc, char **argv) {
    int named = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], name) == 0)
            return 1;
        named |= argv[i][0] != '-';
    }
    return !named;
}

int main(int argc, char **argv) {
    int gpu_only = argc > 1 && strcmp(argv[1], "--gpu-only") == 0;
    weft_registry *registry = gpu_registry();
    printf(
        "| scene | vertices | times in ms per | CPU, 1 thread | CPU, 16 threads | GPU | by its clock | iterations per "
        "step | CPU 1 / GPU | CPU 16 / GPU |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof TIMINGS / sizeof TIMINGS[0]; i++)
        if (is_asked_for(TIMINGS[i].scene.name, argc, argv))
            time_scene(registry, &TIMINGS[i], gpu_only);
    if (is_asked_for("batches", argc, argv))
        time_batches(registry);
    weft_registry_destroy(registry);
    return 0;
}
