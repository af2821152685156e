/* Contact for increasingly fine cloth: detection and response per triangle, compared with the solve, on one and two
 * threads. A scene runs at 10,000 triangles until there is contact. Its surface, with each triangle split into four, is
 * the start at 40,000 triangles, and again at 160,000. All sizes therefore have the same folds. Thickness and step are
 * halved each time, like the edges. A triangle then has equally many others within its thickness and along its path at
 * every size. With a fixed step of 4 ms, falling cloth would pass several edges per step, and steps would be halved.
 * contact-fixed keeps a thickness of 2 mm. With edges of 2.4 mm, neighbours in the same layer are then within the
 * thickness and must be told apart from contacts one by one. */
#include <inttypes.h>
#include <stdlib.h>

#include "lab/bench/bench.h"

enum { SIZES = 3, WARM_UP = 4, STEPS = 6, RUNS = 4 };
static const double STEP = 0.004, THICKNESS = 0.002; /* s and m, at the coarsest size */

typedef struct sheet {
    const char *name;
    int64_t cells[2]; /* at the coarsest size */
    double size[2];
    weft_vec3 origin, axis[2];
    const char *ball; /* position of the sphere, or null */
    double settle;    /* s until there is contact */
    int fixed;        /* 1: the thickness stays the same at all sizes */
} sheet;

static const sheet SCENES[] = {
    {"sheet on a sphere", {71, 71}, {1, 1}, {-0.5, 0.656, -0.5}, {{1, 0, 0}, {0, 0, 1}}, "[0, 0.4, 0]", 0.4, 0},
    {"folding pile", {32, 158}, {0.3, 1.5}, {-0.15, 1.51, 0}, {{1, 0, 0}, {0, -1, 0.07}}, NULL, 0.5, 0},
};

static weft_result make(const weft_registry *registry, const sheet *s, int64_t factor, weft_sim **sim) {
    weft_grid grid = weft_grid_default();
    grid.diagonals = WEFT_ONE_WAY; /* each is part of a coarser diagonal */
    grid.origin = s->origin;
    for (int i = 0; i < 2; i++) {
        grid.cells[i] = factor * s->cells[i];
        grid.size[i] = s->size[i];
        grid.axis[i] = s->axis[i];
    }
    weft_mesh *mesh;
    WEFT_TRY(weft_sim_create(registry, sim));
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
    WEFT_TRY(weft_sim_add_cloth(*sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, "springs", NULL));
    WEFT_TRY(weft_sim_set(*sim, "cloth.model.stiffness", "fabric"));
    WEFT_TRY(weft_sim_set_integrator(*sim, "implicit-euler"));
    WEFT_TRY(weft_sim_set(*sim, "integrator.tolerance", "1e-4"));
    WEFT_TRY(weft_sim_add_force(*sim, "gravity", NULL));
    WEFT_TRY(weft_sim_add_force(*sim, "air-damping", NULL));
    WEFT_TRY(weft_sim_set(*sim, "forces.air-damping.per", "area"));
    WEFT_TRY(weft_sim_set(*sim, "forces.air-damping.coefficient", "0.05"));
    WEFT_TRY(weft_sim_add_body(*sim, "plane", NULL, NULL));
    if (s->ball) {
        WEFT_TRY(weft_sim_add_body(*sim, "sphere", NULL, NULL));
        WEFT_TRY(weft_sim_set(*sim, "bodies.sphere.radius", "0.25"));
        WEFT_TRY(weft_sim_set(*sim, "bodies.sphere.at", s->ball));
    }
    WEFT_TRY(weft_sim_set(*sim, "contact.self", "true"));
    char thickness[32];
    snprintf(thickness, sizeof thickness, "%.17g", s->fixed ? THICKNESS : THICKNESS / (double)factor);
    WEFT_TRY(weft_sim_set(*sim, "contact.thickness", thickness));
    return weft_sim_prepare(*sim);
}

/* Transfers the state of a coarse sheet to one with twice the cells. New vertices lie at the midpoints of edges. */
static weft_result refine(const sheet *s, int64_t factor, weft_sim *coarse, weft_sim *fine) {
    const weft_vec3 *x = weft_sim_positions(coarse, 0), *v = weft_sim_velocities(coarse, 0);
    const weft_mesh *mesh = weft_sim_cloth(coarse, 0)->mesh;
    int64_t row = factor * s->cells[0] + 1, width = 2 * factor * s->cells[0] + 1;
    int64_t height = 2 * factor * s->cells[1] + 1;
    /* the diagonal direction of the first cell, which all cells share */
    int falling = mesh->triangle[0][0] + mesh->triangle[0][1] + mesh->triangle[0][2] != row + 1;
    for (int64_t j = 0; j < height; j++)
        for (int64_t i = 0; i < width; i++) {
            int64_t a = j / 2 * row + i / 2, b = (j + 1) / 2 * row + (i + 1) / 2;
            if (i % 2 == 1 && j % 2 == 1 && !falling) {
                a += 1;
                b -= 1;
            }
            weft_vec3 at = weft_scale(0.5, weft_add(x[a], x[b])), speed = weft_scale(0.5, weft_add(v[a], v[b]));
            WEFT_TRY(weft_sim_place(fine, 0, (int32_t)(j * width + i), at, speed));
        }
    return weft_ok();
}

static weft_result run(weft_sim *sim, int64_t factor, int steps, weft_report *sum) {
    *sum = (weft_report){0};
    for (int i = 0; i < steps; i++) {
        weft_report one;
        WEFT_TRY(weft_sim_step(sim, STEP / (double)factor, &one));
        sum->seconds[WEFT_PHASE_INTEGRATE] += one.seconds[WEFT_PHASE_INTEGRATE] / steps;
        sum->seconds[WEFT_PHASE_CONTACT] += one.seconds[WEFT_PHASE_CONTACT] / steps;
        sum->contact.detection_seconds += one.contact.detection_seconds / steps;
        sum->contact.contacts += one.contact.contacts;
        sum->contact.rounds += one.contact.rounds;
        sum->halvings += one.halvings;
        sum->contact.intersections = one.contact.intersections;
    }
    return weft_ok();
}

static const struct {
    int threads;
    const char *search;
} HOW[RUNS] = {{1, "tree"}, {2, "tree"}, {1, "hash"}, {2, "hash"}};

static weft_result run_again(weft_sim *sim, int how, int64_t factor, const void *state, size_t size, weft_report *sum) {
    weft_sim_set_threads(sim, HOW[how].threads);
    WEFT_TRY(weft_sim_set(sim, "contact.search", HOW[how].search));
    WEFT_TRY(weft_sim_restore(sim, state, size));
    WEFT_TRY(run(sim, factor, 1, sum)); /* allocates memory and searches for intersections */
    return run(sim, factor, STEPS, sum);
}

/* Runs from the same state on one and two threads, and with the other broad phase. `ns`: detection and response per
 * triangle. */
static weft_result measure(FILE *out, const char *name, weft_sim *sim, int64_t factor, double ns[RUNS][2]) {
    weft_report report;
    uint64_t first = 0;
    size_t size = weft_sim_snapshot_size(sim);
    void *state = malloc(size);
    if (!state)
        return weft_fail_memory("benchmark", size);
    weft_sim_snapshot(sim, state);
    weft_result result = weft_ok();
    double triangles = weft_sim_cloth(sim, 0)->mesh->triangle_count;
    for (int k = 0; k < RUNS && result.code == WEFT_OK; k++) {
        result = run_again(sim, k, factor, state, size, &report);
        uint64_t hash = weft_sim_hash(sim);
        first = k == 0 ? hash : first;
        double detection = report.contact.detection_seconds, contact = report.seconds[WEFT_PHASE_CONTACT];
        double solve = report.seconds[WEFT_PHASE_INTEGRATE];
        ns[k][0] = 1e9 * detection / triangles;
        ns[k][1] = 1e9 * (contact - detection) / triangles;
        fprintf(out, "%9.0f %8d %6s %9d %7.1f %8.1f %9.1f %9.1f %9.1f %10.0f %9.0f %8.2f  %016" PRIx64 "%s\n",
                triangles, HOW[k].threads, HOW[k].search, report.contact.contacts / STEPS,
                (double)report.halvings / STEPS, (double)report.contact.rounds / STEPS, 1e3 * solve, 1e3 * detection,
                1e3 * (contact - detection), ns[k][0], ns[k][1], contact / solve, hash,
                hash != first ? " DIFFERS" : "");
        fflush(out); /* the next size takes long */
        weft_bench_record("contact", "scene,triangles,threads,search,contacts,ms_solve,ms_detection,ms_response",
                          "%s,%.0f,%d,%s,%d,%.3f,%.3f,%.3f", name, triangles, HOW[k].threads, HOW[k].search,
                          report.contact.contacts / STEPS, 1e3 * solve, 1e3 * detection, 1e3 * (contact - detection));
    }
    weft_result back = weft_sim_set(sim, "contact.search", HOW[0].search);
    free(state);
    return result.code == WEFT_OK ? back : result;
}

/* Obtains the state of one size from the previous size. */
static weft_result prepare(const weft_registry *registry, const sheet *s, int64_t factor, weft_sim **sim) {
    weft_sim *coarse = *sim;
    weft_report ignored;
    *sim = NULL;
    weft_result result = make(registry, s, factor, sim);
    weft_sim_set_threads(*sim, 2);
    if (result.code == WEFT_OK && coarse)
        result = refine(s, factor / 2, coarse, *sim);
    if (result.code == WEFT_OK)
        result = run(*sim, factor, coarse ? WARM_UP : (int)(s->settle / STEP), &ignored);
    weft_sim_destroy(coarse);
    return result;
}

static weft_result print_scene(FILE *out, const weft_registry *registry, const sheet *s) {
    weft_sim *sim = NULL;
    weft_result result = weft_ok();
    double ns[SIZES][RUNS][2];
    fprintf(out, "%s%s: milliseconds per step, nanoseconds per triangle and step\n", s->name,
            s->fixed ? ", thickness 2 mm at every size" : "");
    fprintf(out, "triangles  threads search  contacts  halved   rounds     solve detection  response ns detect.  ns "
                 "resp.    ratio  "
                 "state_hash\n");
    for (int i = 0; i < SIZES && result.code == WEFT_OK; i++) {
        result = prepare(registry, s, (int64_t)1 << i, &sim);
        if (result.code == WEFT_OK)
            result = measure(out, s->name, sim, (int64_t)1 << i, ns[i]);
    }
    weft_sim_destroy(sim);
    for (int k = 0; k < RUNS && result.code == WEFT_OK; k++)
        fprintf(out,
                "growth from the first size to the last, %d thread%s, %s: detection %.2f, response %.2f, both %.2f\n",
                HOW[k].threads, HOW[k].threads > 1 ? "s" : "", HOW[k].search, ns[SIZES - 1][k][0] / ns[0][k][0],
                ns[SIZES - 1][k][1] / ns[0][k][1],
                (ns[SIZES - 1][k][0] + ns[SIZES - 1][k][1]) / (ns[0][k][0] + ns[0][k][1]));
    return result;
}

static weft_result print_scenes(FILE *out, const sheet *s, int count) {
    weft_registry *registry;
    WEFT_TRY(weft_registry_create(&registry));
    weft_bench_machine(out);
    weft_result result = weft_ok();
    for (int i = 0; i < count && result.code == WEFT_OK; i++)
        result = print_scene(out, registry, &s[i]);
    weft_registry_destroy(registry);
    return result;
}

weft_result weft_bench_contact(FILE *out) { return print_scenes(out, SCENES, 2); }
weft_result weft_bench_contact_sphere(FILE *out) { return print_scenes(out, SCENES, 1); }
weft_result weft_bench_contact_pile(FILE *out) { return print_scenes(out, SCENES + 1, 1); }
weft_result weft_bench_contact_fixed(FILE *out) {
    sheet scene[2] = {SCENES[0], SCENES[1]};
    scene[0].fixed = scene[1].fixed = 1;
    return print_scenes(out, scene, 2);
}
