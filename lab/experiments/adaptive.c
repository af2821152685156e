/* Bender and Deul (2013), section 7: cloth with small triangles only where it is curved, compared with the finest
 * triangles everywhere. Both run in one process, frame by frame. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "io/closest.h"
#include "lab/experiments/energy_jump.h"
#include "lab/experiments/experiment.h"
#include "lab/experiments/experiment_scene.h"

enum { MOST_FRAMES = 1000, SHOTS = 3, RATE = 50 };

/* One scene of Bender and Deul (2013). */
typedef struct trial {
    const char *name, *scene;
    double seconds, quick_seconds;         /* quick_seconds: duration of a quick run; 0: skipped */
    double full, triangles, factor, share; /* published by Bender and Deul (2013) */
    double first;                          /* fraction of the time at which the first picture is taken */
} trial;

static const trial TRIALS[] = {
    {"curtain", "adaptive-curtain", 20, 0, 22140, 5158, 5.3, 0.05, 0.4},
    {"sheet", "adaptive-sheet", 3, 0.6, 22140, 8962, 2.4, 0.06, 0.3},
    {"dress", "adaptive-dress", 0.8, 0, 66636, 37392, 3.13, 0.017, 0.3},
};

typedef struct cloth {
    weft_sim *sim;
    double seconds; /* CPU time of its steps */
    double adaptation,
        undisturbed; /* the part spent on adaptation, and the total, in frames without long waits of the process */
    double triangles[MOST_FRAMES];
    double triangle_sum;
    int64_t steps, skipped;
} cloth;

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Phases are measured in wall time. A frame in which the process had to wait for long is ignored. */
static void note_share(cloth *c, const weft_report *report, double seconds) {
    double wall = 0;
    for (int k = 0; k < WEFT_PHASES; k++)
        wall += report->seconds[k];
    if (wall > 10 * seconds)
        return;
    c->adaptation += report->seconds[WEFT_PHASE_ADAPT] / wall * seconds;
    c->undisturbed += seconds;
}

/* A halved step is not compared, because its twin would have to be halved at the same time. */
static weft_result take_step(cloth *c, weft_energy_jump *jump, weft_report *report, double *seconds, int32_t *done) {
    int32_t halvings = report->halvings;
    if (jump)
        WEFT_TRY(weft_energy_jump_before(jump, c->sim));
    double since = processor_seconds();
    WEFT_TRY(weft_sim_advance_step(c->sim, report, done));
    *seconds += processor_seconds() - since;
    if (jump && report->halvings == halvings)
        WEFT_TRY(weft_energy_jump_after(jump, c->sim, report->dt));
    return weft_ok();
}

/* `jump` is null for a cloth that is not watched. Its work is not part of the measured time. */
static weft_result advance(cloth *c, weft_energy_jump *jump, int frame) {
    weft_report report = {0};
    int32_t steps = 0, done = 0;
    double seconds = 0;
    for (; !done; steps++) {
        WEFT_TRY(take_step(c, jump, &report, &seconds, &done));
    }
    c->seconds += seconds;
    note_share(c, &report, seconds);
    c->triangles[frame] = weft_sim_cloth(c->sim, 0)->mesh->triangle_count;
    c->triangle_sum += steps * c->triangles[frame];
    c->steps += steps;
    c->skipped += report.adapt.skipped;
    return weft_ok();
}

/* Distance from every vertex of a to the surface of b. */
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
    snprintf(caption, sizeof caption, "The %s: adaptive on the left, the finest triangles everywhere on the right.",
             t->name);
    weft_result result = weft_record_picture(record, name, &whole, caption);
    weft_picture_destroy(&whole);
    return result;
}

static weft_result show_curve(weft_record *record, const trial *t, const cloth *pair, int frames) {
    static double time[MOST_FRAMES];
    char name[64], title[96];
    for (int i = 0; i < frames; i++)
        time[i] = (i + 1.0) / RATE;
    const weft_series series[2] = {{"adaptive", time, pair[0].triangles, frames, 0, 0},
                                   {"full", time, pair[1].triangles, frames, 1, 0}};
    snprintf(name, sizeof name, "%s.svg", t->name);
    snprintf(title, sizeof title, "Triangles of the %s", t->name);
    weft_plot plot = {title, "time, s", "triangles", series, 2, 0};
    return weft_record_plot(record, name, &plot);
}

static void report_value(weft_record *record, const trial *t, const char *what, double ours) {
    char line[160];
    snprintf(line, sizeof line, "%s: %s", t->name, what);
    weft_record_value(record, line, ours);
}

/* The bounds: one thousandth of the kinetic and potential energy, and no vertex moves. */
static void report_jump(weft_record *record, const trial *t, const weft_energy_jump *jump) {
    char what[160];
    snprintf(what, sizeof what, "%s: largest change of energy by one of %d adaptations, %%", t->name, (int)jump->steps);
    weft_record_range(record, what, 0, 0.1, 100 * jump->largest);
    snprintf(what, sizeof what, "%s: largest displacement of a vertex by adaptation, mm", t->name);
    weft_record_range(record, what, 0, 0, 1000 * jump->moved);
}

static void report_times(weft_record *record, const trial *t, const cloth *pair) {
    char what[160];
    snprintf(what, sizeof what, "%s: speed-up over full (Bender and Deul: %.2f)", t->name, t->factor);
    weft_record_range(record, what, t->factor, 1e3, pair[1].seconds / pair[0].seconds);
    snprintf(what, sizeof what, "%s: share of adaptation, %% (Bender and Deul: %.1f)", t->name, 100 * t->share);
    weft_record_range(record, what, 0, 100 * t->share, 100 * pair[0].adaptation / pair[0].undisturbed);
}

static void report(weft_record *record, const trial *t, const cloth *pair, const double *gap, int samples) {
    char what[160];
    double full = pair[1].triangle_sum / (double)pair[1].steps, mean = pair[0].triangle_sum / (double)pair[0].steps;
    snprintf(what, sizeof what, "%s: mean triangles of %.0f (Bender and Deul: %.0f of %.0f)", t->name, full,
             t->triangles, t->full);
    weft_record_range(record, what, 0, t->triangles / t->full * full, mean);
    if (!weft_record_is_quick(record)) /* small meshes, too short for timing */
        report_times(record, t, pair);
    report_value(record, t, "CPU time per step, ms: adaptive", 1000 * pair[0].seconds / (double)pair[0].steps);
    report_value(record, t, "CPU time per step, ms: full", 1000 * pair[1].seconds / (double)pair[1].steps);
    report_value(record, t, "changes skipped because they would cause intersections", (double)pair[0].skipped);
    report_value(record, t, "distance of the two shapes, mm: Hausdorff, largest of ten frames", 1000 * gap[0]);
    report_value(record, t, "distance of the two shapes, mm: mean", 1000 * gap[1] / (2 * samples));
}

static weft_result run_frames(weft_record *record, const trial *t, cloth pair[2], weft_energy_jump *jump,
                              const weft_view *view, weft_picture *picture) {
    double seconds = weft_record_is_quick(record) ? t->quick_seconds : t->seconds;
    int frames = (int)lround(seconds * RATE), samples = 0, tenth = frames / 10 > 0 ? frames / 10 : 1;
    double gap[2] = {0, 0}, at[SHOTS];
    for (int i = 0; i < frames; i++) {
        for (int k = 0; k < 2; k++)
            WEFT_TRY(advance(&pair[k], k == 0 ? jump : NULL, i));
        if (i == 0) /* everything that can be refined has been refined */
            WEFT_TRY(weft_sim_set(pair[1].sim, "adapt.every", "1000000"));
        if ((i + 1) % tenth == 0) {
            WEFT_TRY(measure_gap(&pair[0], &pair[1], &gap[0], &gap[1]));
            WEFT_TRY(measure_gap(&pair[1], &pair[0], &gap[0], &gap[1]));
            samples++;
        }
        for (int s = 0; s < SHOTS; s++)
            if (i + 1 == (int)((t->first + (1 - t->first) * s / SHOTS) * frames)) {
                at[s] = (i + 1.0) / RATE;
                for (int k = 0; k < 2; k++)
                    WEFT_TRY(weft_record_shoot(pair[k].sim, view, &picture[2 * s + k]));
            }
    }
    report(record, t, pair, gap, samples);
    report_jump(record, t, jump);
    WEFT_TRY(show_curve(record, t, pair, frames));
    return show_sheet(record, t, picture, at);
}

/* A quick run uses a third of the triangles. */
static weft_result create(const weft_record *record, const weft_registry *registry, const trial *t, cloth pair[2],
                          weft_energy_jump *jump, weft_view *view) {
    const char *generations = weft_record_is_quick(record) ? "4" : "6";
    const weft_change adaptive[] = {{"adapt.max_generation", generations, 0}, {NULL, NULL, 0}};
    const weft_change full[] = {{"adapt.max_generation", generations, 0},
                                {"adapt.refine", "[0, 0]", 1},
                                {"adapt.coarsen", "0", 1},
                                {NULL, NULL, 0}};
    WEFT_TRY(weft_record_scene(record, registry, t->scene, adaptive, &pair[0].sim, view));
    WEFT_TRY(weft_record_scene(record, registry, t->scene, full, &pair[1].sim, NULL));
    WEFT_TRY(weft_record_scene(record, registry, t->scene, adaptive, &jump->twin, NULL));
    WEFT_TRY(weft_energy_jump_start(jump, jump->twin));
    view->width = 640;
    view->height = 480;
    view->samples = 4;
    view->wireframe = 1;
    view->line_width = 0.6;
    return weft_ok();
}

static weft_result run_trial(weft_record *record, const weft_registry *registry, const trial *t) {
    cloth *pair = calloc(2, sizeof *pair);
    weft_picture picture[2 * SHOTS] = {{0}};
    weft_energy_jump jump = {0};
    weft_view view;
    if (!pair)
        return weft_fail_memory("an experiment", 2 * sizeof *pair);
    weft_result result = create(record, registry, t, pair, &jump, &view);
    if (result.code == WEFT_OK)
        result = run_frames(record, t, pair, &jump, &view, picture);
    for (int i = 0; i < 2 * SHOTS; i++)
        weft_picture_destroy(&picture[i]);
    weft_energy_jump_end(&jump);
    for (int k = 0; k < 2; k++)
        weft_sim_destroy(pair[k].sim);
    free(pair);
    return result;
}

static weft_result run(weft_record *record) {
    weft_registry *registry;
    WEFT_TRY(weft_registry_create(&registry));
    weft_result result = weft_ok();
    for (size_t i = 0; i < sizeof TRIALS / sizeof TRIALS[0] && result.code == WEFT_OK; i++)
        if (!weft_record_is_quick(record) || TRIALS[i].quick_seconds > 0)
            result = run_trial(record, registry, &TRIALS[i]);
    weft_registry_destroy(registry);
    WEFT_TRY(result);
    weft_record_note(record,
                     "The scenes are adaptive-curtain, adaptive-sheet and adaptive-dress. Bender and Deul (2013) do "
                     "not give the sizes, the bending rigidities, the curvature limits, or the duration of the sheet "
                     "and dress; these values are ours. Both runs use one thread and alternate frame by frame. Times "
                     "are CPU times. Energies are kinetic, elastic and gravitational, relative to the lowest point of "
                     "the cloth. Each step that ends with adaptation is repeated without it.");
    return weft_ok();
}

static const char *const SCENES[] = {"adaptive-curtain", "adaptive-sheet", "adaptive-dress", NULL};

const weft_experiment WEFT_ADAPTIVE = {
    .name = "adaptive",
    .help = "small triangles only where the cloth is curved, compared with small triangles everywhere",
    .source = "Bender, Deul, Adaptive cloth simulation using corotational finite elements, Computers &amp; Graphics "
              "2013, section 7",
    .quick = 1,
    .run = run,
    .scenes = SCENES,
};
