/* Times the scenes of docs/gpu.md on the GPU and on the CPU with one and 16 threads. Prints tables in Markdown:
 * cloth without contact, several simulations at once, and contact.
 * usage: gpu_bench [--gpu-only] [--cpu-only] [--frames] [--host] [NAME]...
 *   --cpu-only  contact on one thread of the CPU only
 *   --frames  one line per frame with contact, on stderr
 *   --host  the loops on the CPU take the place of the GPU, to test this program */
#include <pthread.h>

#include "gpu_scenes.h"
/* after `must` */
#include "contact_scenes.h"

static const char *device_name = "cuda";

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
    figures gpu = measure(registry, t, device_name, 0, t->warm_up, t->measured), one = {0}, many = {0};
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
            member[k] = (batch_member){gpu_flag(registry, &TIMINGS[0].scene, device_name, 1), 0, 1};
        double seconds = advance_batch(member, count, 10) < 0 ? -1 : advance_batch(member, count, 40);
        printf("| %d | %.3g | %.0f |\n", count, 1e3 * seconds / 40 / count, 40 * count / seconds);
        for (int k = 0; k < count; k++)
            weft_sim_destroy(member[k].sim);
    }
}

/* -- contact -- */

typedef struct contact_timing {
    contact_scene scene;
    int skipped, measured; /* frames */
    int cpu;               /* frames measured on the CPU; 0: none */
} contact_timing;

static int show_frames, cpu_only;

static const contact_timing CONTACTS[] = {
    {{"sheet-on-sphere", CONTACT_SPHERE, "springs", "implicit-euler", 48, 1, 0.02, 0.004, {NULL}}, 10, 30, 30},
    {{"sheet-on-sphere-10x", CONTACT_SPHERE, "springs", "implicit-euler", 154, 1, 0.02, 0.004, {NULL}}, 10, 30, 5},
    {{"ten-sheets-10x", CONTACT_SPHERE, "springs", "implicit-euler", 66, 10, 0.02, 0.004, {NULL}}, 5, 20, 3},
    {{"folding-pile-10x", CONTACT_STRIP, "springs", "implicit-euler", 52, 1, 0.01, 0.004, {NULL}}, 10, 20, 5},
    {{"fem-on-sphere-100k", CONTACT_SPHERE, "corotational", "implicit-euler", 316, 1, 0.01, 0.003, {NULL}}, 15, 10, 0},
    {{"pile-of-a-million", CONTACT_STACK, "springs", "implicit-euler", 159, 20, 0.02, 0.012, {NULL}}, 2, 6, 0},
};

typedef struct contact_figures {
    double wall;               /* s per frame */
    double newton, iterations; /* per frame */
    int64_t contacts, most_contacts, crossings, vertices, triangles;
    int halvings, good;
} contact_figures;

static void count_sizes(const weft_sim *sim, int sheets, contact_figures *to) {
    for (int k = 0; k < sheets; k++) {
        const weft_mesh *mesh = weft_sim_cloth(sim, k)->mesh;
        to->vertices += mesh->vertex_count;
        to->triangles += mesh->triangle_count;
    }
}

static contact_figures measure_contact(const weft_registry *registry, const contact_timing *t, const char *where,
                                       int threads, int measured) {
    contact_figures made = {.good = 1};
    double last = gpu_now();
    weft_sim *sim = contact_scene_create(registry, &t->scene, where, threads);
    double begin = 0;
    if (!t->cpu)
        must(weft_sim_set(sim, "contact.audit", "true"));
    for (int i = 0; i < t->skipped + measured && made.good; i++) {
        weft_report report;
        if (i == t->skipped)
            begin = gpu_now();
        weft_result result = weft_sim_advance_frame(sim, &report, NULL);
        made.good = result.code == WEFT_OK;
        if (!made.good)
            fprintf(stderr, "%s on %s: %s\n", t->scene.name, where, result.message);
        made.most_contacts =
            report.contact.contacts > made.most_contacts ? report.contact.contacts : made.most_contacts;
        made.contacts = report.contact.contacts;
        made.newton += i < t->skipped ? 0 : (double)report.solve.newton / measured;
        made.iterations += i < t->skipped ? 0 : (double)report.solve.iterations / measured;
        made.halvings += report.halvings;
        made.crossings += report.contact.intersections;
        if (show_frames)
            fprintf(stderr,
                    "%s on %s, frame %d: %.1f ms, by the device's clock %.1f ms, %d Newton, %d PCG, %d contacts\n",
                    t->scene.name, where, i, 1e3 * (gpu_now() - last), 1e3 * report.solve.solve_seconds,
                    report.solve.newton, report.solve.iterations, report.contact.contacts);
        last = gpu_now();
    }
    made.wall = (gpu_now() - begin) / measured;
    if (t->cpu && made.good) { /* by the engine, on the CPU; for larger scenes the audit of the GPU counts */
        weft_intersections found = {0};
        must(weft_sim_intersections(sim, &found));
        made.crossings += found.self + found.cloths + found.bodies;
    }
    count_sizes(sim, t->scene.sheets, &made);
    weft_sim_destroy(sim);
    return made;
}

static void print_seconds(const contact_figures *f) {
    if (f->good && f->wall > 0)
        printf(" %.4g |", 1e3 * f->wall);
    else
        printf(" - |");
}

static void time_contact(const weft_registry *registry, const contact_timing *t, int gpu_only) {
    contact_figures gpu = {0}, one = {0}, many = {0};
    if (!cpu_only)
        gpu = measure_contact(registry, t, device_name, 0, t->measured);
    if (t->cpu && !gpu_only)
        one = measure_contact(registry, t, "cpu", 1, t->cpu);
    if (t->cpu && !gpu_only && !cpu_only)
        many = measure_contact(registry, t, "cpu", 16, t->cpu);
    printf("| %s | %lld | %lld | %lld | %lld |", t->scene.name, (long long)gpu.vertices, (long long)gpu.triangles,
           (long long)gpu.contacts, (long long)gpu.most_contacts);
    print_seconds(&one);
    print_seconds(&many);
    print_seconds(&gpu);
    printf(" %.1f | %.0f | %d | %lld |\n", gpu.newton, gpu.iterations, gpu.halvings, (long long)gpu.crossings);
    fflush(stdout);
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
    int gpu_only = 0;
    for (int i = 1; i < argc; i++) {
        gpu_only |= strcmp(argv[i], "--gpu-only") == 0;
        cpu_only |= strcmp(argv[i], "--cpu-only") == 0;
        show_frames |= strcmp(argv[i], "--frames") == 0;
        if (strcmp(argv[i], "--host") == 0)
            device_name = "cuda-host";
    }
    weft_registry *registry = gpu_registry();
    printf(
        "| scene | vertices | times in ms per | CPU, 1 thread | CPU, 16 threads | GPU | by its clock | iterations per "
        "step | CPU 1 / GPU | CPU 16 / GPU |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof TIMINGS / sizeof TIMINGS[0]; i++)
        if (is_asked_for(TIMINGS[i].scene.name, argc, argv))
            time_scene(registry, &TIMINGS[i], gpu_only);
    if (is_asked_for("batches", argc, argv))
        time_batches(registry);
    printf("\n| scene | vertices | triangles | contacts at the end | most contacts in a frame | CPU, 1 thread, ms per "
           "frame | CPU, 16 threads | GPU | Newton steps per frame | PCG iterations per frame | halvings | "
           "intersections |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof CONTACTS / sizeof CONTACTS[0]; i++)
        if (is_asked_for(CONTACTS[i].scene.name, argc, argv))
            time_contact(registry, &CONTACTS[i], gpu_only);
    weft_registry_destroy(registry);
    return 0;
}
