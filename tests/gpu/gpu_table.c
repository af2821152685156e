/* One table for docs/gpu.md: each scene on the CPU with one thread, with 16, and on the GPU, from the same state over
 * the same steps, with the intersections that the audit counts in the whole run on the GPU.
 * usage: gpu_table [--host] [--gpu-only] [--verbose] [--frames COUNT] [--each LIMIT] [--seconds LIMIT] [NAME]...
 *   --host  the loops on the CPU take the place of the GPU, to test this program
 *   --gpu-only  without times on the CPU
 *   --verbose  a line per frame on the standard error output
 *   --frames  at most so many frames, the last of them timed; also for tests
 *   --each  begins no further frame of a scene on the GPU after so many seconds (default: 15)
 *   --seconds  begins no further scene after so many seconds (default: 390) */
#include "gpu_scenes.h"
/* after `must` */
#include "contact_scenes.h"
#include "stress_scenes.h"

static const char *device_name = "cuda";
static int most_frames = 1000, gpu_only, verbose;
static double on_gpu = 15; /* seconds that a scene may take */

/* Seconds for the timed steps on one thread and on 16. */
static const double ON_ONE = 5, ON_MANY = 2.5;

/* A scene of one of three kinds; the others are null. */
typedef struct row {
    const gpu_scene *flag;
    const contact_scene *contact;
    const stress_scene *stress;
    int frames, busy; /* frames of the run, and the frame from which steps are timed */
    int cpu;          /* 0: takes too long on the CPU */
} row;

static const gpu_scene FLAGS[] = {
    {"flag", "corotational", "bdf2", {72, 48}, 0.004, {NULL}},
    {"flag-55k", "corotational", "bdf2", {288, 192}, 0.004, {NULL}},
};

static const contact_scene CONTACTS[] = {
    {"sheet-on-sphere-10x", CONTACT_SPHERE, "springs", "implicit-euler", 154, 1, 0.02, 0.004, {NULL}},
    {"ten-sheets-10x", CONTACT_SPHERE, "springs", "implicit-euler", 66, 10, 0.02, 0.004, {NULL}},
    {"folding-pile-10x", CONTACT_STRIP, "springs", "implicit-euler", 52, 1, 0.01, 0.004, {NULL}},
    {"pile-of-a-million", CONTACT_STACK, "springs", "implicit-euler", 159, 20, 0.02, 0.012, {NULL}},
};

static const row ROWS[] = {
    {.flag = &FLAGS[0], .frames = 60, .busy = 20, .cpu = 1},
    {.flag = &FLAGS[1], .frames = 30, .busy = 10, .cpu = 1},
    {.contact = &CONTACTS[0], .frames = 60, .busy = 15, .cpu = 1},
    {.contact = &CONTACTS[1], .frames = 50, .busy = 10, .cpu = 1},
    {.contact = &CONTACTS[2], .frames = 75, .busy = 25, .cpu = 1},
    {.contact = &CONTACTS[3], .frames = 8, .busy = 2},
    {.stress = &STRESS[0], .cpu = 1},
    {.stress = &STRESS[1], .cpu = 1},
    {.stress = &STRESS[2], .cpu = 1},
    {.stress = &STRESS[3], .cpu = 1},
    {.stress = &STRESS[4], .cpu = 1},
    {.stress = &STRESS[5], .cpu = 1},
    {.stress = &STRESS[6], .cpu = 1},
    {.stress = &STRESS[7], .cpu = 1},
};

static const char *name_of(const row *r) {
    return r->flag ? r->flag->name : r->contact ? r->contact->name : r->stress->name;
}

static weft_sim *create(const weft_registry *registry, const row *r, const char *device, int threads) {
    weft_sim *sim = NULL;
    if (r->flag)
        sim = gpu_flag(registry, r->flag, device, threads);
    else if (r->contact)
        sim = contact_scene_create(registry, r->contact, device, threads);
    else
        return stress_scene_create(registry, r->stress, device, threads);
    must(weft_sim_set(sim, "contact.audit", r->contact ? "true" : "false"));
    return sim;
}

enum { MOST_STEPS = 200 };

/* The timed steps of a run, and what the run met. */
typedef struct run {
    double until[MOST_STEPS]; /* seconds from the first timed step to the end of each */
    int steps;
    int64_t vertices, triangles, most_contacts, crossings, frames;
    int32_t halvings;
    char failure[300];
    void *snapshot; /* the state before the first timed step */
    size_t size;
} run;

static void take_snapshot(weft_sim *sim, run *to) {
    to->size = weft_sim_snapshot_size(sim);
    to->snapshot = malloc(to->size);
    if (!to->snapshot)
        must(weft_fail_memory("a snapshot", to->size));
    weft_sim_snapshot(sim, to->snapshot);
}

static void count_sizes(const weft_sim *sim, run *to) {
    for (int32_t k = 0; k < weft_sim_cloth_count(sim); k++) {
        to->vertices += weft_sim_cloth(sim, k)->mesh->vertex_count;
        to->triangles += weft_sim_cloth(sim, k)->mesh->triangle_count;
    }
}

static void tell_frame(const weft_sim *sim, const weft_report *report) {
    if (verbose)
        fprintf(stderr,
                "frame %lld, %.6g s: %d halvings, shortest step %.3g s, %d Newton steps, %d unconverged, "
                "%d PCG iterations, %d contacts, %lld intersections\n",
                (long long)weft_sim_frame(sim), weft_sim_time(sim), report->halvings, report->dt, report->solve.newton,
                report->solve.newton_not_converged, report->solve.iterations, report->contact.contacts,
                (long long)report->contact.intersections);
}

/* One frame; its steps are timed while there is room and `timed`. Returns 0 after a failure. */
static int advance(weft_sim *sim, int timed, double begin, run *to) {
    weft_report report = {0};
    for (int32_t done = 0; !done;) {
        weft_result result = weft_sim_advance_step(sim, &report, &done);
        if (result.code != WEFT_OK) {
            tell_frame(sim, &report);
            snprintf(to->failure, sizeof to->failure, "%.280s", result.message);
            return 0;
        }
        if (timed && to->steps < MOST_STEPS)
            to->until[to->steps++] = gpu_now() - begin;
    }
    tell_frame(sim, &report);
    to->frames++;
    to->crossings += report.contact.intersections;
    to->halvings += report.halvings;
    if (report.contact.contacts > to->most_contacts)
        to->most_contacts = report.contact.contacts;
    return 1;
}

/* The whole scene on the GPU, or as much of it as the limit allows. */
static run run_on_gpu(const weft_registry *registry, const row *r) {
    run made = {0};
    int frames = r->stress ? r->stress->frames : r->frames, busy = r->stress ? r->stress->busy : r->busy;
    frames = frames < most_frames ? frames : most_frames;
    busy = busy < frames ? busy : frames - 1;
    weft_sim *sim = create(registry, r, device_name, 0);
    double start = gpu_now(), begin = 0;
    must(weft_sim_prepare(sim));
    count_sizes(sim, &made);
    for (int i = 0; i < frames && gpu_now() - start < on_gpu; i++) {
        if (i == busy) {
            take_snapshot(sim, &made);
            begin = gpu_now();
        }
        if (!advance(sim, i >= busy, begin, &made))
            break;
    }
    weft_intersections found = {0};
    if (!r->flag && made.vertices < 100000) { /* by the engine, on the CPU; after a failure of the last good state */
        must(weft_sim_intersections(sim, &found));
        made.crossings += found.self + found.cloths + found.bodies;
    }
    weft_sim_destroy(sim);
    return made;
}

/* Timed steps on the CPU from the state of `gpu`. The first one is repeated where that is cheap: it warms up. */
static run run_on_cpu(const weft_registry *registry, const row *r, const run *gpu, int threads, double limit) {
    run made = {0};
    if (!r->cpu || !gpu->snapshot || gpu_only)
        return made;
    weft_sim *sim = create(registry, r, "cpu", threads);
    must(weft_sim_prepare(sim));
    for (int warm = 0; warm < 2; warm++) {
        must(weft_sim_restore(sim, gpu->snapshot, gpu->size));
        made = (run){0};
        double begin = gpu_now();
        while (!made.failure[0] && made.steps < gpu->steps && (made.steps == 0 || gpu_now() - begin < limit)) {
            weft_report report;
            int32_t done;
            weft_result result = weft_sim_advance_step(sim, &report, &done);
            if (result.code != WEFT_OK)
                snprintf(made.failure, sizeof made.failure, "%.280s", result.message);
            else
                made.until[made.steps++] = gpu_now() - begin;
            if (!warm && gpu_now() - begin < 0.1 * limit)
                break;
        }
        if (!warm && made.steps > 0 && made.until[0] >= 0.1 * limit)
            break;
    }
    weft_sim_destroy(sim);
    return made;
}

static void print_mean(const run *r) {
    if (r->steps > 0)
        printf(" %.4g |", 1e3 * r->until[r->steps - 1] / r->steps);
    else
        printf(" - |");
}

/* Over the steps that both made. */
static void print_ratio(const run *cpu, const run *gpu) {
    int steps = cpu->steps < gpu->steps ? cpu->steps : gpu->steps;
    if (steps > 0)
        printf(" %.1f |", cpu->until[steps - 1] / gpu->until[steps - 1]);
    else
        printf(" - |");
}

static void print_row(const weft_registry *registry, const row *r) {
    run gpu = run_on_gpu(registry, r);
    run one = run_on_cpu(registry, r, &gpu, 1, ON_ONE), many = run_on_cpu(registry, r, &gpu, 16, ON_MANY);
    printf("| %s | %lld | %lld |", name_of(r), (long long)gpu.vertices, (long long)gpu.triangles);
    print_mean(&one);
    print_mean(&many);
    print_mean(&gpu);
    print_ratio(&one, &gpu);
    print_ratio(&many, &gpu);
    printf(" %d, %d, %d | %lld | %lld of %d | %d | %lld |\n", one.steps, many.steps, gpu.steps,
           (long long)gpu.most_contacts, (long long)gpu.frames, r->stress ? r->stress->frames : r->frames, gpu.halvings,
           (long long)gpu.crossings);
    for (int k = 0; k < 3; k++) {
        const run *failed = k == 0 ? &gpu : k == 1 ? &one : &many;
        if (failed->failure[0])
            printf("%s: %s\n", name_of(r), failed->failure);
    }
    fflush(stdout);
    free(gpu.snapshot);
}

int main(int argc, char **argv) {
    double limit = 390, start = gpu_now();
    int named = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--host") == 0)
            device_name = "cuda-host";
        else if (strcmp(argv[i], "--gpu-only") == 0)
            gpu_only = 1;
        else if (strcmp(argv[i], "--verbose") == 0)
            verbose = 1;
        else if (strcmp(argv[i], "--each") == 0 && i + 1 < argc)
            on_gpu = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            limit = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--frames") == 0 && i + 1 < argc)
            most_frames = (int)strtol(argv[++i], NULL, 10);
        else
            named = 1;
    }
    weft_registry *registry = gpu_registry();
    printf("| scene | vertices | triangles | CPU, 1 thread, ms per step | CPU, 16 threads | GPU | CPU 1 / GPU | CPU 16 "
           "/ GPU | steps timed on each | most contacts in a frame | frames run | halvings | intersections |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        int asked = !named;
        for (int k = 1; k < argc; k++)
            asked |= strcmp(argv[k], name_of(&ROWS[i])) == 0;
        if (asked && gpu_now() - start < limit)
            print_row(registry, &ROWS[i]);
        else if (asked)
            printf("%s: not begun within %g s\n", name_of(&ROWS[i]), limit);
    }
    weft_registry_destroy(registry);
    return 0;
}
