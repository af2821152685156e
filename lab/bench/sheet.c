#include "lab/bench/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "weft/sort.h"

static const double PI = 3.14159265358979323846;

static double ripple(double x, double y) { return 1e-3 * sin(6 * PI * x + 0.5) * sin(4 * PI * y + 0.3); }

static weft_fabric fabric_for(int n) {
    weft_fabric fabric;
    weft_params_default(weft_fabric_params(), &fabric);
    fabric.density = 0.2;
    fabric.stretch_weft = fabric.stretch_warp = 50.0 * n;
    fabric.shear = 400;
    fabric.poisson_weft = fabric.poisson_warp = 0;
    return fabric;
}

static weft_result add_sheet(weft_sim *sim, const weft_grid *grid, int n) {
    weft_mesh *mesh;
    weft_fabric fabric = fabric_for(n);
    WEFT_TRY(weft_mesh_create_grid(grid, &mesh));
    WEFT_TRY(weft_sim_add_cloth(sim, "sheet", mesh, &fabric, "springs", NULL));
    WEFT_TRY(weft_sim_set(sim, "cloth.model.stiffness", "fabric"));
    WEFT_TRY(weft_sim_set(sim, "cloth.model.flexion", "false")); /* Bullet's sheet has none either */
    WEFT_TRY(weft_sim_set(sim, "cloth.model.damping", "0"));
    WEFT_TRY(weft_sim_set(sim, "cloth.model.damping_time", "0.0002"));
    weft_sim_set_threads(sim, 1);
    return weft_sim_add_force(sim, "gravity", NULL);
}

static weft_result set_method(weft_sim *sim, const weft_sheet_method *method) {
    WEFT_TRY(weft_sim_set_integrator(sim, method->integrator));
    for (int i = 0; method->set[i]; i++) {
        char path[80];
        snprintf(path, sizeof path, "%s", method->set[i]);
        char *value = strchr(path, '=');
        *value = '\0';
        WEFT_TRY(weft_sim_set(sim, path, value + 1));
    }
    return weft_ok();
}

weft_result weft_sheet_hang(const weft_registry *registry, int n, const weft_sheet_method *method, weft_sim **sim) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = n - 1;
    WEFT_TRY(weft_sim_create(registry, sim));
    WEFT_TRY(add_sheet(*sim, &grid, n));
    WEFT_TRY(set_method(*sim, method));
    WEFT_TRY(weft_sim_prepare(*sim));
    weft_pin pin = weft_pin_default();
    int32_t corners[2] = {0, n - 1};
    WEFT_TRY(weft_sim_add_pin(*sim, 0, &pin, corners, 2));
    for (int32_t i = 0; i < n * n; i++) {
        weft_vec3 x = weft_sim_positions(*sim, 0)[i], still = {0, 0, 0};
        x.z += i == corners[0] || i == corners[1] ? 0 : ripple(x.x, x.y);
        WEFT_TRY(weft_sim_place(*sim, 0, i, x, still));
    }
    return weft_ok();
}

weft_result weft_sheet_drop(const weft_registry *registry, int n, int self, const weft_sheet_method *method,
                            weft_sim **sim) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = n - 1;
    grid.origin = weft_vec3_make(-0.5, 0.3, -0.5);
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    WEFT_TRY(weft_sim_create(registry, sim));
    WEFT_TRY(add_sheet(*sim, &grid, n));
    WEFT_TRY(weft_sim_set(*sim, "cloth.fabric.friction", "0.5"));
    WEFT_TRY(weft_sim_add_body(*sim, "sphere", NULL, NULL));
    WEFT_TRY(weft_sim_set(*sim, "bodies.sphere.radius", "0.25"));
    WEFT_TRY(weft_sim_set(*sim, "bodies.sphere.friction", "0.5"));
    WEFT_TRY(weft_sim_set(*sim, "contact.self", self ? "true" : "false"));
    WEFT_TRY(weft_sim_set(*sim, "contact.thickness", "2 mm"));
    return set_method(*sim, method);
}

weft_result weft_sheet_free(const weft_registry *registry, int64_t n, const char *model, int threads,
                            const weft_sheet_method *method, weft_sim **sim) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = n - 1;
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    weft_mesh *mesh;
    WEFT_TRY(weft_sim_create(registry, sim));
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
    WEFT_TRY(weft_sim_add_cloth(*sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, model, NULL));
    WEFT_TRY(weft_sim_add_force(*sim, "gravity", NULL));
    WEFT_TRY(set_method(*sim, method));
    weft_sim_set_threads(*sim, threads);
    return weft_ok();
}

weft_result weft_sheet_flat(const weft_registry *registry, int64_t n, const char *model, int threads,
                            const weft_sheet_method *method, weft_sim **sim) {
    WEFT_TRY(weft_sheet_free(registry, n, model, threads, method, sim));
    WEFT_TRY(weft_sim_prepare(*sim));
    weft_pin pin = weft_pin_default();
    int32_t corners[2] = {0, (int32_t)n - 1};
    return weft_sim_add_pin(*sim, 0, &pin, corners, 2);
}

weft_result weft_sheet_add_wind(weft_sim *sim) {
    WEFT_TRY(weft_sim_set(sim, "cloth.fabric.drag", "0.4"));
    WEFT_TRY(weft_sim_set(sim, "cloth.fabric.lift", "0.15"));
    WEFT_TRY(weft_sim_add_force(sim, "wind", NULL));
    WEFT_TRY(weft_sim_set(sim, "forces.wind.speed", "7"));
    WEFT_TRY(weft_sim_set(sim, "forces.wind.direction", "[0.1, 0.05, 1]"));
    return weft_sim_set(sim, "forces.wind.randomness", "0.6");
}

static int ascending(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static weft_result measure_stretch(weft_sim *sim, weft_sheet_run *run) {
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    const weft_vec3 *x = weft_sim_positions(sim, 0);
    size_t count = (size_t)mesh->edge_count;
    double *stretch = malloc(count * sizeof *stretch), sum = 0;
    if (!stretch)
        return weft_fail_memory("stretch of edges", count * sizeof *stretch);
    for (size_t e = 0; e < count; e++) {
        int32_t a = mesh->origin[mesh->edge_halfedge[e]], b = mesh->origin[mesh->twin[mesh->edge_halfedge[e]]];
        double rest = weft_distance(mesh->position[a], mesh->position[b]);
        stretch[e] = fmax(0, weft_distance(x[a], x[b]) / rest - 1);
        sum += stretch[e];
    }
    weft_sort(stretch, count, sizeof *stretch, ascending);
    run->stretch_max = stretch[count - 1];
    run->stretch_p99 = stretch[count * 99 / 100];
    run->stretch_mean = sum / (double)count;
    free(stretch);
    return weft_ok();
}

static weft_result note(weft_sim *sim, weft_sheet_run *run, int frame) {
    weft_measures measures;
    WEFT_TRY(weft_sim_measure(sim, &measures));
    const weft_vec3 *x = weft_sim_positions(sim, 0);
    run->centre[frame] = measures.centre.y;
    run->lowest[frame] = INFINITY;
    for (int32_t i = 0; i < weft_sim_cloth(sim, 0)->mesh->vertex_count; i++)
        run->lowest[frame] = fmin(run->lowest[frame], x[i].y);
    return weft_ok();
}

static weft_result audit(weft_sim *sim, weft_sheet_run *run) {
    weft_intersections found;
    WEFT_TRY(weft_sim_intersections(sim, &found));
    run->crossings.bodies = found.bodies > run->crossings.bodies ? found.bodies : run->crossings.bodies;
    run->crossings.self = found.self > run->crossings.self ? found.self : run->crossings.self;
    return weft_ok();
}

weft_result weft_sheet_go(weft_sim *sim, const weft_sheet_method *method, int frames, weft_sheet_run *run) {
    int substeps = method->substeps;
    if (substeps == 0)
        substeps = (int)ceil(1.0 / WEFT_SHEET_RATE / (0.9 * weft_sim_stable_step(sim)));
    *run = (weft_sheet_run){.least = INFINITY, .frames = frames};
    double sum = 0;
    WEFT_TRY(note(sim, run, 0));
    for (int frame = 1; frame <= frames; frame++) {
        double start = weft_bench_now();
        for (int i = 0; i < substeps; i++) {
            weft_report report;
            WEFT_TRY(weft_sim_step(sim, 1.0 / WEFT_SHEET_RATE / substeps, &report));
        }
        double took = 1e3 * (weft_bench_now() - start);
        run->least = fmin(run->least, took);
        sum += took;
        WEFT_TRY(note(sim, run, frame));
        if (weft_sim_body_count(sim) > 0) /* not part of the measured time */
            WEFT_TRY(audit(sim, run));
    }
    run->mean = sum / frames;
    return measure_stretch(sim, run);
}

double weft_sheet_period(const weft_sheet_run *run) {
    double level = 0, first = 0;
    for (int i = 1; i <= WEFT_SHEET_RATE; i++)
        level += run->centre[i] / WEFT_SHEET_RATE;
    for (int i = 1, crossings = 0; i <= run->frames; i++) {
        double above = run->centre[i - 1] - level, below = level - run->centre[i];
        if (!(above > 0) || below < 0)
            continue;
        double time = (i - 1 + above / (above + below)) / WEFT_SHEET_RATE;
        if (crossings++ == 1)
            return time - first;
        first = time;
    }
    return 0;
}

#ifdef WEFT_PEER_BULLET
static int read_run(FILE *pipe, int n, int frames, weft_sheet_run *run, weft_vec3 *end) {
    int got = fscanf(pipe, "%lf %lf %lf %lf %lf %lf %lf", &run->least, &run->mean, &run->stretch_max,
                     &run->stretch_mean, &run->stretch_p99, &run->centre[frames], &run->lowest[frames]);
    for (int i = 0; got > 0 && i < n * n; i++) {
        weft_vec3 x;
        if (fscanf(pipe, "%lf %lf %lf", &x.x, &x.y, &x.z) != 3)
            return 0;
        if (end)
            end[i] = x;
    }
    return got == 7;
}
#endif

weft_result weft_sheet_bullet(const char *scene, int n, int substeps, int iterations, int frames, weft_sheet_run *run,
                              weft_vec3 *end) {
    *run = (weft_sheet_run){.frames = frames};
#ifdef WEFT_PEER_BULLET
    char command[600];
    snprintf(command, sizeof command, "'%s' %s %d %d %d %d", WEFT_PEER_BULLET, scene, n, substeps, iterations, frames);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return weft_fail(WEFT_BAD_FILE, "%.400s: cannot be run", command);
    int whole = read_run(pipe, n, frames, run, end);
    if (pclose(pipe) != 0 || !whole)
        return weft_fail(WEFT_BAD_FILE, "%.400s: failed", command);
#else
    (void)scene;
    (void)n;
    (void)substeps;
    (void)iterations;
    (void)end;
#endif
    return weft_ok();
}
