/* The scene `rip` with coarse and with fine cells, with both models whose mesh can change. The sides of a sheet are
 * pulled apart. It must tear at the same load for any mesh, along the yarns that hold, into parts that fall
 * independently. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/experiments/experiment.h"
#include "lab/experiments/experiment_scene.h"
#include "weft/vec.h"

enum { FRAMES = 130, RATE = 50, MOST_CELLS = 80, SHOTS = 2, MODELS = 2, SHEETS = 2 * MODELS };

static const int SHOWN[SHOTS] = {70, 122}; /* frames: torn, and falling */
/* Values of the scene: N/m, 1, m/s, s, and the air drag on 1 kg, 1/s. */
static const double STIFFNESS = 1000, STRAIN = 0.1, SPEED = 0.1, RELEASED = 2.0, AIR = 0.05 / 0.15, GRAVITY = 9.81;

static const char *const MODEL[MODELS] = {"corotational", "buckling"};
/* Yarns and diagonals that are slack under compression let a sheet contract sideways regardless of the fabric's Poisson
 * ratio. Stiffer diagonals increase this effect. The grips hinder it, and the strain is higher near them. With soft
 * diagonals the strain of the buckling sheet is nearly uniform. */
static const char *const SHEAR[MODELS] = {"200", "20"};

typedef struct sheet {
    weft_sim *sim;
    const char *model;
    char name[48];
    int32_t cells, pieces, large; /* large: pieces of more than a hundredth of the sheet */
    int32_t given;                /* vertices before tearing */
    double load[FRAMES], time[FRAMES];
    double highest; /* load, N */
    double mass[2], area[2];
    double height[2], speed; /* of the centre of mass, when released and at the end, m; upwards when released, m/s */
} sheet;

/* Reaction force at the right side, N. */
static weft_result measure_load(sheet *s, double *load) {
    const weft_mesh *mesh = weft_sim_cloth(s->sim, 0)->mesh;
    weft_vec3 *force = malloc((size_t)mesh->vertex_count * sizeof *force);
    if (!force)
        return weft_fail_memory("reactions", (size_t)mesh->vertex_count * sizeof *force);
    weft_result result = weft_sim_reactions(s->sim, 0, force);
    *load = 0;
    for (int32_t v = 0; v < mesh->vertex_count && result.code == WEFT_OK; v++)
        *load += mesh->position[v].x > 0 ? force[v].x : 0;
    free(force);
    return result;
}

static weft_result weigh(const sheet *s, double *mass, double *area) {
    weft_measures m;
    const weft_mesh *mesh = weft_sim_cloth(s->sim, 0)->mesh;
    WEFT_TRY(weft_sim_measure(s->sim, &m));
    *mass = m.mass;
    *area = weft_mesh_area(mesh, mesh->position);
    return weft_ok();
}

/* Heights of the sides that were held, m. They belong to different parts. */
/* The parts still swing when they are released. */
static weft_result measure_height(sheet *s, int when) {
    weft_measures now;
    WEFT_TRY(weft_sim_measure(s->sim, &now));
    s->height[when] = now.centre.y;
    if (when == 0)
        s->speed = now.momentum.y / now.mass;
    return weft_ok();
}

static int32_t root_of(int32_t *parent, int32_t v) {
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* Counts parts larger than a hundredth of the sheet, and the smaller ones, which come off a crack. */
static weft_result count_parts(sheet *s) {
    const weft_mesh *mesh = weft_sim_cloth(s->sim, 0)->mesh;
    int32_t count = mesh->vertex_count;
    int32_t *parent = malloc((size_t)count * sizeof *parent);
    double *share = calloc((size_t)count, sizeof *share);
    for (int32_t v = 0; parent && v < count; v++)
        parent[v] = v;
    for (int32_t t = 0; parent && t < mesh->triangle_count; t++)
        for (int k = 0; k < 2; k++)
            parent[root_of(parent, mesh->triangle[t][k])] = root_of(parent, mesh->triangle[t][2]);
    for (int32_t t = 0; parent && share && t < mesh->triangle_count; t++)
        share[root_of(parent, mesh->triangle[t][0])] += 1.0 / mesh->triangle_count;
    for (int32_t v = 0; share && v < count; v++)
        s->large += share[v] > 0.01;
    weft_result result = parent && share ? weft_ok() : weft_fail_memory("parts", (size_t)count * sizeof *share);
    free(share);
    free(parent);
    return result;
}

static weft_result pull(sheet *s, const weft_view *view, weft_picture *picture) {
    WEFT_TRY(weigh(s, &s->mass[0], &s->area[0]));
    s->given = weft_sim_cloth(s->sim, 0)->mesh->vertex_count;
    for (int i = 0; i < FRAMES; i++) {
        weft_report report = {0};
        int32_t steps;
        WEFT_TRY(weft_sim_advance_frame(s->sim, &report, &steps));
        s->time[i] = (i + 1.0) / RATE;
        if (s->time[i] < RELEASED)
            WEFT_TRY(measure_load(s, &s->load[i]));
        if (i + 1 == (int)lround(RELEASED * RATE))
            WEFT_TRY(measure_height(s, 0));
        s->highest = fmax(s->highest, s->load[i]);
        for (int k = 0; k < SHOTS; k++)
            if (i == SHOWN[k])
                WEFT_TRY(weft_record_shoot(s->sim, view, &picture[k]));
    }
    WEFT_TRY(measure_height(s, 1));
    WEFT_TRY(weft_sim_pieces(s->sim, 0, &s->pieces));
    WEFT_TRY(count_parts(s));
    return weigh(s, &s->mass[1], &s->area[1]);
}

/* The extent of the crack: the vertices that it added, at rest, m. Weft is x, warp y. */
static void find_crack(const sheet *s, double *wide, double *high) {
    const weft_mesh *mesh = weft_sim_cloth(s->sim, 0)->mesh;
    double low[2] = {HUGE_VAL, HUGE_VAL}, top[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int32_t v = s->given; v < mesh->vertex_count; v++) {
        low[0] = fmin(low[0], mesh->position[v].x), top[0] = fmax(top[0], mesh->position[v].x);
        low[1] = fmin(low[1], mesh->position[v].y), top[1] = fmax(top[1], mesh->position[v].y);
    }
    *wide = top[0] - low[0];
    *high = top[1] - low[1];
}

static void report(weft_record *record, const sheet *s) {
    char what[160];
    double wide, high;
    find_crack(s, &wide, &high);
    snprintf(what, sizeof what, "%s: parts into which the sheet tears", s->name);
    weft_record_figure(record, what, 2, s->large, 0);
    snprintf(what, sizeof what, "%s: additional fragments below a hundredth of the sheet", s->name);
    weft_record_value(record, what, s->pieces - s->large);
    snprintf(what, sizeof what, "%s: height of the crack, along the warp, m", s->name);
    weft_record_figure(record, what, 1, high, 1e-12);
    snprintf(what, sizeof what, "%s: width of the crack, along the weft, m", s->name);
    weft_record_range(record, what, 0, 0.15, wide);
    snprintf(what, sizeof what, "%s: mass after tearing, kg", s->name);
    weft_record_figure(record, what, s->mass[0], s->mass[1], 1e-12);
    snprintf(what, sizeof what, "%s: area at rest after tearing, m2", s->name);
    weft_record_figure(record, what, s->area[0], s->area[1], 1e-12);
    double t = (double)FRAMES / RATE - RELEASED, slowed = (1 - exp(-AIR * t)) / AIR;
    double fall = GRAVITY / AIR * (t - slowed) - s->speed * slowed;
    snprintf(what, sizeof what, "%s: descent of the centre of mass of the released parts, m", s->name);
    weft_record_figure(record, what, fall, s->height[0] - s->height[1], 0.01);
}

static weft_result run_sheet(weft_record *record, const weft_registry *registry, sheet *s, weft_picture *picture) {
    char cells[32];
    weft_view view;
    snprintf(cells, sizeof cells, "[%d, %d]", (int)s->cells, (int)s->cells);
    const weft_change change[] = {{"cloth.grid.cells", cells, 0},
                                  {"cloth.model", s->model, 0},
                                  {"cloth.fabric.shear", SHEAR[s->model == MODEL[1]], 0},
                                  {s->model == MODEL[0] ? NULL : "cloth.model.stiffness", "fabric", 0},
                                  {NULL, NULL, 0}};
    WEFT_TRY(weft_record_scene(record, registry, "rip", change, &s->sim, &view));
    view.width = 640;
    view.height = 480;
    view.samples = 4;
    view.wireframe = s->cells <= 40; /* lines of finer meshes would be black */
    view.camera = WEFT_CAMERA_GIVEN;
    view.position = weft_vec3_make(1.4, 1.5, 3.9);
    view.target = weft_vec3_make(0, 1.1, 0);
    view.ground_auto = 0;
    view.ground_height = -0.6;
    WEFT_TRY(pull(s, &view, picture));
    report(record, s);
    return weft_ok();
}

static weft_result show(weft_record *record, const sheet *sheets, const weft_picture *picture) {
    char text[SHEETS * SHOTS][80];
    const char *label[SHEETS * SHOTS];
    weft_series series[SHEETS];
    for (int i = 0; i < SHEETS * SHOTS; i++) {
        snprintf(text[i], sizeof text[i], "%s, %.2f s", sheets[i / SHOTS].name, (SHOWN[i % SHOTS] + 1.0) / RATE);
        label[i] = text[i];
    }
    for (int k = 0; k < SHEETS; k++)
        series[k] =
            (weft_series){sheets[k].name, sheets[k].time, sheets[k].load, (int)(RELEASED * RATE) - 1, k, k >= 2};
    weft_plot plot = {"Force that pulls 1 m of fabric apart", "time, s", "force, N", series, SHEETS, 0};
    WEFT_TRY(weft_record_plot(record, "load.svg", &plot));
    weft_picture whole = {0};
    WEFT_TRY(weft_picture_tile(picture, label, SHEETS * SHOTS, SHOTS, weft_view_default().background, &whole));
    weft_result result =
        weft_record_picture(record, "tearing.png", &whole, "The sheets after tearing, and after release.");
    weft_picture_destroy(&whole);
    return result;
}

/* The load at half the breaking strain of the yarns. */
static double load_before(const sheet *s) {
    double strain = 0.5 * STRAIN;
    return s->load[(int)lround(strain / SPEED * RATE) - 1];
}

static weft_result compare(weft_record *record, const weft_registry *registry, sheet *sheets, weft_picture *picture) {
    char what[160];
    for (int k = 0; k < SHEETS; k++) {
        WEFT_TRY(run_sheet(record, registry, &sheets[k], picture + SHOTS * k));
        snprintf(what, sizeof what, "%s: load at strain 0.05, N: stiffness times strain", sheets[k].name);
        weft_record_figure(record, what, STIFFNESS * 0.5 * STRAIN, load_before(&sheets[k]), 0.05);
    }
    for (int m = 0; m < MODELS; m++) {
        const sheet *coarse = &sheets[2 * m], *fine = &sheets[2 * m + 1];
        snprintf(what, sizeof what, "%s: load at which 1 m of fabric tears, coarse cells, N: stiffness times strain",
                 MODEL[m]);
        weft_record_figure(record, what, STIFFNESS * STRAIN, coarse->highest, 0.05);
        snprintf(what, sizeof what, "%s: the same, fine cells, N: as with coarse cells", MODEL[m]);
        weft_record_figure(record, what, coarse->highest, fine->highest, 0.03);
    }
    return show(record, sheets, picture);
}

static weft_result run(weft_record *record) {
    sheet *sheets = calloc(SHEETS, sizeof *sheets);
    weft_picture picture[SHEETS * SHOTS] = {{0}};
    weft_registry *registry;
    if (!sheets)
        return weft_fail_memory("an experiment", SHEETS * sizeof *sheets);
    for (int k = 0; k < SHEETS; k++) {
        sheet *s = &sheets[k];
        s->model = MODEL[k / 2];
        s->cells = k % 2 == 0 ? 20 : weft_record_is_quick(record) ? 40 : MOST_CELLS;
        snprintf(s->name, sizeof s->name, "%s, %d x %d cells", s->model, s->cells, s->cells);
    }
    weft_result result = weft_registry_create(&registry);
    if (result.code == WEFT_OK) {
        result = compare(record, registry, sheets, picture);
        for (int k = 0; k < SHEETS; k++)
            weft_sim_destroy(sheets[k].sim);
        weft_registry_destroy(registry);
    }
    for (int i = 0; i < SHEETS * SHOTS; i++)
        weft_picture_destroy(&picture[i]);
    free(sheets);
    return result;
}

static const char *const SCENES[] = {"rip", NULL};

const weft_experiment WEFT_TEARING = {
    .name = "tearing",
    .help = "a sheet pulled apart: the same load for coarse and fine cells, a crack along the yarns, two falling parts",
    .source = "1000 N/m at a strain of 0.1, as given in the scene",
    .quick = 1,
    .run = run,
    .scenes = SCENES,
};
