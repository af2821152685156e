/* Bender & Deul 2013, section 7: cloth whose triangles are small only where it is curved, against the same cloth with
 * the finest triangles everywhere, step by step in one process. And sheets that tear at the same load whatever their
 * mesh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "experiments/experiment.h"
#include "io/closest.h"

enum { MOST_FRAMES = 1000, SHOTS = 3 };

/* One of the document's scenes. */
typedef struct trial {
    const char *name;
    int32_t cells[2];
    double size[2], seconds;
    const char *refine;              /* 1/m */
    double triangles, factor, share; /* of the document */
    weft_result (*furnish)(weft_sim *sim, const struct trial *trial);
} trial;

typedef struct cloth {
    weft_registry *registry;
    weft_sim *sim;
    double seconds, adaption; /* processor time of its steps; share of adaption in wall time, s */
    double wall;
    double triangles[MOST_FRAMES];
    double triangle_sum;
    int64_t steps;
} cloth;

static void destroy(cloth *c) {
    weft_sim_destroy(c->sim);
    weft_registry_destroy(c->registry);
}

/* The document's fabric: 1000 N/m, Poisson ratios 0.33, 0.1 kg/m2. */
static weft_result create(cloth *c, const trial *t, const char *refine, const char *coarsen) {
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    fabric.density = 0.1;
    fabric.stretch_weft = fabric.stretch_warp = fabric.shear = 1000;
    fabric.poisson_weft = fabric.poisson_warp = 0.33;
    fabric.bend_weft = fabric.bend_warp = 2e-5;
    fabric.damping = 1e-3;
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    for (int k = 0; k < 2; k++) {
        grid.cells[k] = t->cells[k];
        grid.size[k] = t->size[k];
    }
    if (t->size[0] == t->size[1])
        grid.axis[1] = weft_vec3_make(0, 0, 1);
    WEFT_TRY(weft_registry_create(&c->registry));
    WEFT_TRY(weft_sim_create(c->registry, &c->sim));
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
    WEFT_TRY(weft_sim_add_cloth(c->sim, t->name, mesh, &fabric, "corotational", NULL));
    WEFT_TRY(weft_sim_set_integrator(c->sim, "implicit-euler"));
    WEFT_TRY(weft_sim_set(c->sim, "integrator.tolerance", "1e-3"));
    WEFT_TRY(weft_sim_set(c->sim, "time.step", "0.005"));
    WEFT_TRY(weft_sim_set(c->sim, "time.rate", "50"));
    WEFT_TRY(weft_sim_add_force(c->sim, "gravity", NULL));
    WEFT_TRY(weft_sim_set_adapt(c->sim, "sqrt3"));
    WEFT_TRY(weft_sim_set(c->sim, "adapt.refine", refine));
    WEFT_TRY(weft_sim_set(c->sim, "adapt.coarsen", coarsen));
    weft_sim_set_threads(c->sim, 1);
    return t->furnish(c->sim, t);
}

/* Eleven rings that are drawn together to half the width, from a quarter of the time on, and back. */
static weft_result furnish_curtain(weft_sim *sim, const trial *t) {
    WEFT_TRY(weft_sim_add_force(sim, "air-damping", NULL));
    WEFT_TRY(weft_sim_set(sim, "forces.air-damping.per", "area"));
    WEFT_TRY(weft_sim_set(sim, "forces.air-damping.coefficient", "0.2"));
    WEFT_TRY(weft_sim_add_force(sim, "wind", NULL));
    WEFT_TRY(weft_sim_set(sim, "forces.wind.speed", "0.5"));
    WEFT_TRY(weft_sim_set(sim, "forces.wind.direction", "[0, 0, 1]"));
    WEFT_TRY(weft_sim_set(sim, "forces.wind.randomness", "1"));
    for (int k = 0; k <= 10; k++) {
        int32_t vertex = (int32_t)lround(0.1 * k * t->cells[0]);
        double way = -0.5 * vertex * t->size[0] / t->cells[0];
        weft_key keys[3] = {
            {0.25 * t->seconds, {0, 0, 0}, 0}, {0.55 * t->seconds, {way, 0, 0}, 0}, {0.85 * t->seconds, {0, 0, 0}, 0}};
        weft_pin pin = weft_pin_default();
        pin.key = keys;
        pin.key_count = 3;
        WEFT_TRY(weft_sim_add_pin(sim, 0, &pin, &vertex, 1));
    }
    return weft_ok();
}

/* Held at two corners, above a ball. */
static weft_result furnish_sheet(weft_sim *sim, const trial *t) {
    WEFT_TRY(weft_sim_add_force(sim, "air-damping", NULL));
    WEFT_TRY(weft_sim_set(sim, "forces.air-damping.per", "area"));
    WEFT_TRY(weft_sim_set(sim, "forces.air-damping.coefficient", "0.1"));
    WEFT_TRY(weft_sim_add_body(sim, "sphere", NULL, NULL));
    WEFT_TRY(weft_sim_set(sim, "bodies.sphere.radius", "0.35"));
    WEFT_TRY(weft_sim_set(sim, "bodies.sphere.at", "[1, -0.55, 1.1]"));
    WEFT_TRY(weft_sim_set(sim, "bodies.sphere.friction", "0.3"));
    WEFT_TRY(weft_sim_set(sim, "contact.self", "false"));
    WEFT_TRY(weft_sim_set(sim, "contact.thickness", "4 mm"));
    weft_pin pin = weft_pin_default();
    int32_t corners[2] = {0, t->cells[0]};
    return weft_sim_add_pin(sim, 0, &pin, corners, 2);
}

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static weft_result advance(cloth *c, int frame) {
    weft_report report = {0};
    int32_t steps = 0;
    double since = processor_seconds();
    WEFT_TRY(weft_sim_advance_frame(c->sim, &report, &steps));
    if (report.status != WEFT_STATUS_OK)
        return weft_fail(WEFT_BAD_INPUT, "adaptive: %s in frame %d", weft_status_name(report.status), frame);
    c->seconds += processor_seconds() - since;
    for (int k = 0; k < WEFT_PHASES; k++)
        c->wall += report.seconds[k];
    c->adaption += report.seconds[WEFT_PHASE_ADAPT];
    c->triangles[frame] = weft_sim_cloth(c->sim, 0)->mesh->triangle_count;
    c->triangle_sum += steps * c->triangles[frame];
    c->steps += steps;
    return weft_ok();
}

/* From every vertex of a to the surface of b. */
static weft_result measure_gap(const cloth *a, const cloth *b, double *largest, double *mean) {
    const weft_mesh *from = weft_sim_cloth(a->sim, 0)->mesh, *to = weft_sim_cloth(b->sim, 0)->mesh;
    weft_closest *tree;
    WEFT_TRY(weft_closest_create(weft_sim_positions(b->sim, 0), (const int32_t(*)[3])to->triangle, to->triangle_count,
                                 &tree));
    double sum = 0;
    for (int32_t v = 0; v < from->vertex_count; v++) {
        double gap = sqrt(weft_closest_find(tree, weft_sim_positions(a->sim, 0)[v]).squared);
        sum += gap;
        *largest = fmax(*largest, gap);
    }
    *mean += sum / from->vertex_count;
    weft_closest_destroy(tree);
    return weft_ok();
}

static weft_result take_picture(const weft_sim *sim, weft_picture *picture) {
    weft_view view = weft_view_default();
    view.width = 640;
    view.height = 420;
    view.samples = 4;
    view.wireframe = 1;
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    weft_framing framing = weft_framing_start(&view);
    weft_framing_add(&framing, mesh->position, mesh->vertex_count);
    weft_framing_add(&framing, weft_sim_positions(sim, 0), mesh->vertex_count);
    weft_camera camera = weft_framing_camera(&framing, &view, 0);
    weft_shot_cloth shown = {.position = weft_sim_positions(sim, 0),
                             .vertex_count = mesh->vertex_count,
                             .triangle = mesh->triangle[0],
                             .triangle_count = mesh->triangle_count};
    weft_shot shot = {.cloth = &shown, .cloth_count = 1, .low = framing.low, .high = framing.high};
    weft_renderer *renderer;
    WEFT_TRY(weft_renderer_create(&view, 1, &renderer));
    weft_result result = weft_renderer_frame(renderer, &shot, &camera, picture);
    weft_renderer_destroy(renderer);
    return result;
}

static weft_result show_sheet(weft_record *record, const trial *t, const weft_picture *picture, const double *at) {
    char text[2 * SHOTS][48], name[64], caption[160];
    const char *label[2 * SHOTS];
    for (int i = 0; i < 2 * SHOTS; i++) {
        snprintf(text[i], sizeof text[i], "%s, %.1f s", i % 2 ? "full" : "adaptive", at[i / 2]);
        label[i] = text[i];
    }
    weft_picture whole = {0};
    WEFT_TRY(weft_picture_tile(picture, label, 2 * SHOTS, 2, weft_view_default().background, &whole));
    snprintf(name, sizeof name, "%s.png", t->name);
    snprintf(caption, sizeof caption,
             "The %s, adaptive on the left, with the finest triangles everywhere on the right.", t->name);
    weft_result result = weft_record_picture(record, name, &whole, caption);
    weft_picture_destroy(&whole);
    return result;
}

static weft_result show_curve(weft_record *record, const trial *t, const cloth *pair, int frames) {
    static double time[MOST_FRAMES];
    char name[64], title[96];
    for (int i = 0; i < frames; i++)
        time[i] = 0.02 * (i + 1);
    const weft_series series[2] = {{"adaptive", time, pair[0].triangles, frames, 0, 0},
                                   {"full", time, pair[1].triangles, frames, 1, 0}};
    snprintf(name, sizeof name, "%s.svg", t->name);
    snprintf(title, sizeof title, "Triangles of the %s", t->name);
    weft_plot plot = {title, "time, s", "triangles", series, 2};
    return weft_record_plot(record, name, &plot);
}

static void report(weft_record *record, const trial *t, const cloth *pair, const double *gap, int samples) {
    char what[160];
    double full = pair[1].triangle_sum / (double)pair[1].steps, mean = pair[0].triangle_sum / (double)pair[0].steps;
    snprintf(what, sizeof what, "%s: triangles in the mean, of %.0f (document: %.0f)", t->name, full, t->triangles);
    weft_record_range(record, what, 0, t->triangles, mean);
    snprintf(what, sizeof what, "%s: times faster than full (document: %.2f)", t->name, t->factor);
    weft_record_range(record, what, t->factor, 1e3, pair[1].seconds / pair[0].seconds);
    snprintf(what, sizeof what, "%s: share of adaption, %% (document: %.1f)", t->name, 100 * t->share);
    weft_record_range(record, what, 0, 100 * t->share, 100 * pair[0].adaption / pair[0].wall);
    snprintf(what, sizeof what, "%s: processor time of a step, ms: adaptive", t->name);
    weft_record_value(record, what, 1000 * pair[0].seconds / (double)pair[0].steps);
    snprintf(what, sizeof what, "%s: processor time of a step, ms: full", t->name);
    weft_record_value(record, what, 1000 * pair[1].seconds / (double)pair[1].steps);
    snprintf(what, sizeof what, "%s: distance of the two shapes, mm: Hausdorff, largest of %d frames", t->name,
             samples);
    weft_record_value(record, what, 1000 * gap[0]);
    snprintf(what, sizeof what, "%s: distance of the two shapes, mm: mean", t->name);
    weft_record_value(record, what, 1000 * gap[1] / (2 * samples));
}

static weft_result run_frames(weft_record *record, const trial *t, cloth pair[2], weft_picture *picture) {
    int frames = (int)lround(t->seconds * 50), samples = 0;
    double gap[2] = {0, 0}, at[SHOTS];
    for (int i = 0; i < frames; i++) {
        for (int k = 0; k < 2; k++)
            WEFT_TRY(advance(&pair[k], i));
        if ((i + 1) % (frames / 10) == 0) {
            WEFT_TRY(measure_gap(&pair[0], &pair[1], &gap[0], &gap[1]));
            WEFT_TRY(measure_gap(&pair[1], &pair[0], &gap[0], &gap[1]));
            samples++;
        }
        for (int s = 0; s < SHOTS; s++)
            if (i + 1 == (int)((0.35 + 0.25 * s) * frames)) {
                at[s] = 0.02 * (i + 1);
                WEFT_TRY(take_picture(pair[0].sim, &picture[2 * s]));
                WEFT_TRY(take_picture(pair[1].sim, &picture[2 * s + 1]));
            }
    }
    report(record, t, pair, gap, samples);
    WEFT_TRY(show_curve(record, t, pair, frames));
    return show_sheet(record, t, picture, at);
}

static weft_result run_trial(weft_record *record, const trial *t) {
    cloth *pair = calloc(2, sizeof *pair);
    weft_picture picture[2 * SHOTS] = {{0}};
    if (!pair)
        return weft_fail_memory("an experiment", 2 * sizeof *pair);
    weft_result result = create(&pair[0], t, t->refine, "0.5");
    if (result.code == WEFT_OK)
        result = create(&pair[1], t, "[0, 0]", "0");
    if (result.code == WEFT_OK)
        result = run_frames(record, t, pair, picture);
    for (int i = 0; i < 2 * SHOTS; i++)
        weft_picture_destroy(&picture[i]);
    for (int k = 0; k < 2; k++)
        destroy(&pair[k]);
    free(pair);
    return result;
}

/* -- tearing -- */

/* The force that pulls the sides of a sheet of 1 m apart when it tears, N. */
static weft_result pull_apart(int32_t cells, double *load) {
    cloth c = {0};
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    fabric.density = 0.15;
    fabric.stretch_weft = fabric.stretch_warp = 1000;
    fabric.shear = 200;
    fabric.poisson_weft = fabric.poisson_warp = 0;
    fabric.damping = 2e-3;
    fabric.tear_weft = fabric.tear_warp = 0.1;
    fabric.tear_zone = 0.05;
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = cells;
    weft_mesh *mesh;
    WEFT_TRY(weft_registry_create(&c.registry));
    weft_result result = weft_sim_create(c.registry, &c.sim);
    if (result.code == WEFT_OK)
        result = weft_mesh_create_grid(&grid, &mesh);
    if (result.code == WEFT_OK)
        result = weft_sim_add_cloth(c.sim, "sheet", mesh, &fabric, "corotational", NULL);
    if (result.code == WEFT_OK)
        result = weft_sim_set_integrator(c.sim, "implicit-euler");
    int32_t side[81];
    for (int k = 0; k < 2 && result.code == WEFT_OK; k++) {
        weft_key keys[2] = {{0, {0, 0, 0}, 0}, {2, {k ? 0.2 : -0.2, 0, 0}, 0}};
        weft_pin pin = weft_pin_default();
        pin.key = keys;
        pin.key_count = 2;
        for (int32_t j = 0; j <= cells; j++)
            side[j] = j * (cells + 1) + k * cells;
        result = weft_sim_add_pin(c.sim, 0, &pin, side, cells + 1);
    }
    double now = 0;
    for (int i = 0; i < 200 && result.code == WEFT_OK && now >= 0.5 * *load; i++) {
        weft_report ignored;
        result = weft_sim_step(c.sim, 0.01, &ignored);
        int32_t count = weft_sim_cloth(c.sim, 0)->mesh->vertex_count;
        weft_vec3 *force = malloc((size_t)count * sizeof *force);
        if (!force)
            result = weft_fail_memory("reactions", (size_t)count * sizeof *force);
        if (result.code == WEFT_OK)
            result = weft_sim_reactions(c.sim, 0, force);
        now = 0;
        for (int32_t v = 0; v < count && result.code == WEFT_OK; v++)
            now += weft_sim_cloth(c.sim, 0)->mesh->position[v].x > 0.5 ? force[v].x : 0;
        *load = fmax(*load, now);
        free(force);
    }
    destroy(&c);
    return result;
}

static weft_result run_tear(weft_record *record) {
    double load[2] = {0, 0};
    int32_t fine = weft_record_is_quick(record) ? 40 : 80;
    WEFT_TRY(pull_apart(20, &load[0]));
    WEFT_TRY(pull_apart(fine, &load[1]));
    weft_record_figure(record, "load at which 1 m of fabric tears, 20 x 20 cells, N (1000 N/m at a strain of 0.1)", 100,
                       load[0], 0.05);
    weft_record_figure(record, "the same with finer cells (80 x 80; 40 x 40 when quick), N", load[0], load[1], 0.03);
    return weft_ok();
}

static weft_result run(weft_record *record) {
    trial trials[] = {
        {"curtain", {41, 10}, {4.1, 2}, 20, "[4, 16]", 5158, 5.3, 0.05, furnish_curtain},
        {"sheet", {20, 20}, {2, 2}, 6, "[2, 10]", 8962, 2.4, 0.06, furnish_sheet},
    };
    WEFT_TRY(run_tear(record));
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        if (weft_record_is_quick(record)) {
            trials[i].cells[0] /= 2;
            trials[i].cells[1] /= 2;
            trials[i].seconds /= 5;
        }
        WEFT_TRY(run_trial(record, &trials[i]));
    }
    weft_record_note(record, "The document does not tell the size, the bending rigidity and the limits of curvature of "
                             "its scenes; those here are ours. Both runs are of one thread, taken in turn frame by "
                             "frame, and timed by the processor's clock.");
    return weft_ok();
}

const weft_experiment WEFT_ADAPTIVE = {
    .name = "adaptive",
    .help = "triangles that are small only where cloth is curved, against small ones everywhere; tearing at one load",
    .source = "Bender, Deul, Adaptive cloth simulation using corotational finite elements, Computers &amp; Graphics "
              "2013, section 7",
    .quick = 0,
    .run = run,
};
