/* Checks the GPU against the same kernels as loops on the CPU, and against the engine. Needs a GPU.
 * usage: gpu_check [--short] [--sanitize] [--host] [--contact]
 *   --contact   scenes with contact only
 *   --sanitize  tiny meshes and two steps, so that every kernel runs a few times: for compute-sanitizer
 *   --short    small meshes, one frame and few iterations, for compute-sanitizer; not compared with the engine
 *   --host     the loops take the place of the GPU, to test this program */
#include "execute.h"
#include "gpu_scenes.h"
/* after `must` */
#include "contact_scenes.h"
#include "gpu_stills.h"

#define TIGHT  "integrator.tolerance", "1e-10", "integrator.iterations", "3000", "integrator.precondition", "block"
#define LEVELS "integrator.tolerance", "1e-10", "integrator.iterations", "3000", "integrator.precondition", "cholesky"

static const gpu_scene SCENES[] = {
    {"yarns, implicit-euler", "corotational", "implicit-euler", {20, 12}, 0.004, {TIGHT}},
    {"yarns, bdf2", "corotational", "bdf2", {20, 12}, 0.004, {TIGHT}},
    {"turned weft", "corotational", "bdf2", {20, 12}, 0.004, {TIGHT, "cloth.model.angle", "0.4"}},
    {"no damping", "corotational", "bdf2", {20, 12}, 0.004, {TIGHT, "cloth.fabric.damping", "0"}},
    {"corotated, edges",
     "corotational",
     "bdf2",
     {20, 12},
     0.004,
     {TIGHT, "cloth.model.strain", "corotated", "cloth.model.bending", "edges"}},
    {"green, hinge",
     "corotational",
     "bdf2",
     {20, 12},
     0.004,
     {TIGHT, "cloth.model.strain", "green", "cloth.model.bending", "hinge"}},
    {"springs, bdf2", "springs", "bdf2", {20, 12}, 0.004, {TIGHT}},
    {"springs, symplectic-euler", "springs", "symplectic-euler", {20, 12}, 0.00005, {NULL}},
    {"corotational, verlet", "corotational", "verlet", {20, 12}, 0.0001, {NULL}},
    {"levels", "corotational", "bdf2", {20, 12}, 0.004, {LEVELS}},
    {"defaults", "corotational", "bdf2", {72, 48}, 0.004, {NULL}},
    {"many rows, queued kernels", "corotational", "bdf2", {450, 300}, 0.004, {NULL}},
};

static const contact_scene CONTACTS[] = {
    {"sheet on a ball", CONTACT_SPHERE, "springs", "implicit-euler", 16, 1, 0.02, 0.004, {NULL}},
    {"finite elements, bdf2", CONTACT_SPHERE, "corotational", "bdf2", 16, 1, 0.01, 0.004, {NULL}},
    {"three sheets", CONTACT_SPHERE, "springs", "implicit-euler", 12, 3, 0.02, 0.004, {NULL}},
    {"folding strip", CONTACT_STRIP, "springs", "implicit-euler", 8, 1, 0.01, 0.004, {NULL}},
    {"moving ball", CONTACT_PUSHED, "corotational", "bdf2", 12, 1, 0.01, 0.004, {NULL}},
    {"stack", CONTACT_STACK, "springs", "implicit-euler", 12, 4, 0.02, 0.02, {NULL}},
    {"stack, levels",
     CONTACT_STACK,
     "corotational",
     "implicit-euler",
     12,
     4,
     0.02,
     0.02,
     {"integrator.precondition", "cholesky"}},
};

static int failures, quick;
static const char *device = "cuda";

static void check(int good, const char *scene, const char *what) {
    failures += !good;
    if (!good)
        printf("FAILED: %s: %s\n", scene, what);
}

static double distance(const weft_sim *a, const weft_sim *b) {
    const weft_vec3 *x = weft_sim_positions(a, 0), *y = weft_sim_positions(b, 0);
    double most = 0;
    for (int32_t i = 0; i < weft_sim_cloth(a, 0)->mesh->vertex_count; i++)
        most = fmax(most, weft_distance(x[i], y[i]));
    return most;
}

/* Returns null, with a line, if a step fails. */
static weft_sim *run(const weft_registry *registry, const gpu_scene *scene, const char *where, int frames) {
    weft_sim *sim = gpu_flag(registry, scene, where, 0);
    if (quick && scene->set[0])
        must(weft_sim_set(sim, "integrator.iterations", "25"));
    if (!scene->set[0] && strcmp(scene->integrator, "bdf2") == 0 && strcmp(where, "cpu") == 0) {
        /* What the defaults mean on a GPU. The engine has another preconditioner and stops by the energy of the error:
         * its own defaults are 5 mm from the converged solution here, these 2 mm. */
        must(weft_sim_set(sim, "integrator.precondition", "block"));
        must(weft_sim_set(sim, "integrator.tolerance", "1e-3"));
    }
    for (int i = 0; i < frames; i++) {
        weft_result result = weft_sim_advance_frame(sim, NULL, NULL);
        if (result.code == WEFT_OK)
            continue;
        printf("%s on %s: %s\n", scene->name, where, result.message);
        weft_sim_destroy(sim);
        return NULL;
    }
    return sim;
}

static void check_scene(const weft_registry *registry, const gpu_scene *scene, int frames) {
    weft_sim *gpu = run(registry, scene, device, frames), *again = run(registry, scene, device, frames);
    weft_sim *loops = run(registry, scene, "cuda-host", frames), *cpu = run(registry, scene, "cpu", frames);
    check(gpu && again && loops && cpu, scene->name, "a run failed");
    if (gpu && again && loops && cpu) {
        int same = weft_sim_hash(gpu) == weft_sim_hash(loops);
        double from_loops = distance(gpu, loops), from_cpu = distance(gpu, cpu);
        int tight = scene->set[0] != NULL || strcmp(scene->integrator, "bdf2") != 0;
        printf("%-28s hash %016llx, loops %s (%.3g m), engine %.3g m\n", scene->name,
               (unsigned long long)weft_sim_hash(gpu), same ? "equal" : "differ", from_loops, from_cpu);
        check(weft_sim_hash(gpu) == weft_sim_hash(again), scene->name, "two runs differ");
        check(from_loops < 1e-7, scene->name, "far from the loops on the CPU");
        /* Loose solves differ in their rounding. In the engine itself tolerances of 1e-7 and 1e-10 come to differ by
         * 0.07 mm within one step; why has not been measured. */
        check(quick || from_cpu < (tight ? 1e-5 : 5e-3), scene->name, "far from the engine");
    }
    weft_sim_destroy(cpu);
    weft_sim_destroy(loops);
    weft_sim_destroy(again);
    weft_sim_destroy(gpu);
}

/* -- two steps of tiny scenes, with every kernel -- */

#define FEW "integrator.iterations", "6", "integrator.tolerance", "1e-12"

static const gpu_scene TINY[] = {
    {"tiny, yarns", "corotational", "bdf2", {6, 4}, 0.004, {FEW, "integrator.precondition", "block"}},
    {"tiny, levels", "corotational", "bdf2", {9, 6}, 0.004, {FEW, "integrator.precondition", "cholesky"}},
    {"tiny, Newton", "corotational", "implicit-euler", {4, 3}, 0.02, {FEW, "integrator.newton", "3"}},
    {"tiny, turned", "corotational", "bdf2", {6, 4}, 0.004, {FEW, "cloth.model.angle", "0.4"}},
    {"tiny, undamped", "corotational", "bdf2", {6, 4}, 0.004, {FEW, "cloth.fabric.damping", "0"}},
    {"tiny, green", "corotational", "bdf2", {4, 3}, 0.004, {FEW, "cloth.model.strain", "green"}},
    {"tiny, bending springs", "corotational", "bdf2", {4, 3}, 0.004, {FEW, "cloth.model.bending", "springs"}},
    {"tiny, springs", "springs", "bdf2", {6, 4}, 0.004, {FEW}},
    {"tiny, buckling", "buckling", "bdf2", {4, 3}, 0.004, {FEW}},
    {"tiny, symplectic-euler", "springs", "symplectic-euler", {4, 3}, 0.00005, {NULL}},
    {"tiny, verlet", "corotational", "verlet", {4, 3}, 0.0001, {NULL}},
};

static const contact_scene TINY_CONTACTS[] = {
    {"tiny stack", CONTACT_STACK, "springs", "implicit-euler", 2, 2, 0.01, 0.02, {FEW}},
    {"tiny stack, levels",
     CONTACT_STACK,
     "corotational",
     "bdf2",
     2,
     2,
     0.01,
     0.02,
     {FEW, "integrator.precondition", "cholesky"}},
};

/* Two steps; the last report goes to `report`. */
static int advance_twice(weft_sim *sim, const char *name, const char *where, double step, weft_report *report) {
    for (int i = 0; i < 2; i++) {
        weft_result result = weft_sim_step(sim, step, report);
        if (result.code == WEFT_OK)
            continue;
        printf("%s on %s: %s\n", name, where, result.message);
        return 0;
    }
    return 1;
}

/* The GPU against the loops, both ways of solving. */
static void check_tiny(const weft_registry *registry, const gpu_scene *scene) {
    uint64_t hash[3] = {0};
    for (int k = 0; k < 3; k++) {
        const char *where = k == 0 ? "cuda-host" : device;
        weft_report report;
        gpu_cuda_separate_kernels = k == 2;
        weft_sim *sim = gpu_flag(registry, scene, where, 0);
        check(advance_twice(sim, scene->name, where, scene->step, &report), scene->name, "a step failed");
        hash[k] = weft_sim_hash(sim);
        weft_sim_destroy(sim);
    }
    gpu_cuda_separate_kernels = 0;
    printf("%-28s hash %016llx\n", scene->name, (unsigned long long)hash[0]);
    check(hash[0] == hash[1], scene->name, "not the bits of the loops on the CPU");
    check(hash[0] == hash[2], scene->name, "separate kernels: not the bits of the loops on the CPU");
}

/* As many blocks per processor as there may be, and too many: both ways of solving have the same bits. */
static void check_resident(const weft_registry *registry) {
    static const int32_t CELLS[][2] = {{150, 100}, {210, 140}, {260, 180}, {300, 215}, {340, 230}, {400, 260}};
    for (size_t i = 0; i < sizeof CELLS / sizeof CELLS[0]; i++) {
        gpu_scene scene = {
            "", "corotational", "bdf2", {CELLS[i][0], CELLS[i][1]}, 0.004, {FEW, "integrator.precondition", "block"}};
        char name[40];
        snprintf(name, sizeof name, "%d rows", (CELLS[i][0] + 1) * (CELLS[i][1] + 1));
        scene.name = name;
        uint64_t hash[2];
        for (int k = 0; k < 2; k++) {
            weft_report report;
            gpu_cuda_separate_kernels = k;
            weft_sim *sim = gpu_flag(registry, &scene, device, 0);
            check(advance_twice(sim, name, device, scene.step, &report), name, "a step failed");
            hash[k] = weft_sim_hash(sim);
            weft_sim_destroy(sim);
        }
        gpu_cuda_separate_kernels = 0;
        printf("%-28s hash %016llx\n", name, (unsigned long long)hash[0]);
        check(hash[0] == hash[1], name, "separate kernels have other bits");
    }
}

static void check_tiny_contact(const weft_registry *registry, const contact_scene *scene) {
    uint64_t hash[2] = {0};
    for (int k = 0; k < 2; k++) {
        const char *where = k == 0 ? "cuda-host" : device;
        weft_report report = {0};
        weft_sim *sim = contact_scene_create(registry, scene, where, 0);
        must(weft_sim_set(sim, "contact.audit", "true"));
        check(advance_twice(sim, scene->name, where, scene->step, &report), scene->name, "a step failed");
        check(report.contact.contacts > 0, scene->name, "nothing touches");
        check(report.contact.intersections == 0, scene->name, "intersections");
        hash[k] = weft_sim_hash(sim);
        weft_sim_destroy(sim);
    }
    printf("%-28s hash %016llx\n", scene->name, (unsigned long long)hash[0]);
    check(hash[0] == hash[1], scene->name, "not the bits of the loops on the CPU");
}

static void check_all_tiny(const weft_registry *registry, int only_contact) {
    for (size_t i = 0; i < sizeof TINY / sizeof TINY[0] && !only_contact; i++)
        check_tiny(registry, &TINY[i]);
    for (size_t i = 0; i < sizeof TINY_CONTACTS / sizeof TINY_CONTACTS[0]; i++)
        check_tiny_contact(registry, &TINY_CONTACTS[i]);
}

static weft_sim *run_contact(const weft_registry *registry, const contact_scene *scene, const char *where, int frames,
                             int64_t *contacts) {
    weft_sim *sim = contact_scene_create(registry, scene, where, 0);
    must(weft_sim_set(sim, "contact.audit", "true"));
    int64_t crossings = 0;
    *contacts = 0;
    for (int i = 0; i < frames; i++) {
        weft_report report;
        weft_result result = weft_sim_advance_frame(sim, &report, NULL);
        crossings += report.contact.intersections;
        *contacts += report.contact.contacts;
        if (result.code == WEFT_OK)
            continue;
        printf("%s on %s: %s\n", scene->name, where, result.message);
        weft_sim_destroy(sim);
        return NULL;
    }
    weft_intersections found;
    must(weft_sim_intersections(sim, &found)); /* by the engine, on the CPU */
    crossings += found.self + found.cloths + found.bodies;
    check(crossings == 0, scene->name, "intersections");
    return sim;
}

/* Contact: the GPU gives the bits of the loops, twice, without intersections. */
static void check_contact(const weft_registry *registry, const contact_scene *scene, int frames) {
    int64_t contacts, other;
    weft_sim *gpu = run_contact(registry, scene, device, frames, &contacts);
    weft_sim *again = run_contact(registry, scene, device, frames, &other);
    weft_sim *loops = run_contact(registry, scene, "cuda-host", frames, &other);
    check(gpu && again && loops, scene->name, "a run failed");
    if (gpu && again && loops) {
        int same = weft_sim_hash(gpu) == weft_sim_hash(loops);
        printf("%-28s hash %016llx, loops %s (%.3g m), %lld contacts\n", scene->name,
               (unsigned long long)weft_sim_hash(gpu), same ? "equal" : "differ", distance(gpu, loops),
               (long long)contacts);
        check(weft_sim_hash(gpu) == weft_sim_hash(again), scene->name, "two runs differ");
        check(same, scene->name, "not the bits of the loops on the CPU");
    }
    weft_sim_destroy(loops);
    weft_sim_destroy(again);
    weft_sim_destroy(gpu);
}

/* Values that change between frames reach the GPU, and a snapshot continues with the same bits. */
static void check_changes(const weft_registry *registry) {
    const gpu_scene *scene = &SCENES[1];
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        weft_sim *sim = run(registry, scene, device, 2);
        if (!sim) {
            check(0, scene->name, "a run failed");
            return;
        }
        if (k == 1) {
            size_t size = weft_sim_snapshot_size(sim);
            void *snapshot = malloc(size);
            if (!snapshot)
                must(weft_fail_memory("a snapshot", size));
            weft_sim_snapshot(sim, snapshot);
            must(weft_sim_advance_frame(sim, NULL, NULL));
            must(weft_sim_restore(sim, snapshot, size));
            free(snapshot);
        }
        must(weft_sim_set(sim, "cloth.fabric.density", "0.3"));
        must(weft_sim_drag(sim, 0, 20, (weft_vec3){1, 0.2, 0.3}));
        must(weft_sim_advance_frame(sim, NULL, NULL));
        hash[k] = weft_sim_hash(sim);
        weft_sim_destroy(sim);
    }
    check(hash[0] == hash[1], scene->name, "a restored snapshot goes on differently");
}

static void check_stills(const weft_registry *registry, const gpu_scene *scene) {
    int same = stills_agree(registry, scene, device);
    printf("%-28s %d frames read beside steps: %s\n", scene->name, STILLS, same ? "equal" : "differ");
    check(same, scene->name, "frames read beside steps are others");
}

/* A GPU that does not exist is one line. */
static void check_errors(const weft_registry *registry) {
    weft_sim *sim;
    must(weft_sim_create(registry, &sim));
    weft_mesh *mesh;
    weft_grid grid = weft_grid_default();
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_set(sim, "device.name", "cuda"));
    must(weft_sim_set(sim, "device.number", "99"));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, NULL, NULL));
    weft_result result = weft_sim_prepare(sim);
    check(result.code != WEFT_OK && strstr(result.message, "device.number: 99"), "device 99", result.message);
    weft_sim_destroy(sim);
}

int main(int argc, char **argv) {
    int only_contact = 0, tiny = 0;
    for (int i = 1; i < argc; i++) {
        quick |= strcmp(argv[i], "--short") == 0;
        tiny |= strcmp(argv[i], "--sanitize") == 0;
        only_contact |= strcmp(argv[i], "--contact") == 0;
        if (strcmp(argv[i], "--host") == 0)
            device = "cuda-host";
    }
    size_t all = sizeof SCENES / sizeof SCENES[0], count = all - (quick ? 2 : 0);
    weft_registry *registry = gpu_registry();
    check_all_tiny(registry, only_contact);
    for (size_t i = 0; i < count && !only_contact && !tiny; i++)
        check_scene(registry, &SCENES[i], quick || i + 1 == all ? 1 : 4);
    if (!only_contact && !tiny && !quick)
        check_resident(registry);
    if (!only_contact && !tiny)
        check_changes(registry);
    if (!only_contact)
        check_stills(registry, tiny ? &TINY[0] : quick ? &SCENES[1] : &SCENES[all - 2]);
    for (size_t i = 0; i < sizeof CONTACTS / sizeof CONTACTS[0] && !tiny; i++)
        check_contact(registry, &CONTACTS[i], quick ? 10 : 30);
    if (strcmp(device, "cuda") == 0 && !tiny)
        check_errors(registry);
    weft_registry_destroy(registry);
    printf(failures ? "%d checks failed\n" : "all checks passed\n", failures);
    return failures > 0;
}
