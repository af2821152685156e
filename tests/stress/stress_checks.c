/* The checks after each step, and those of the whole run. */
#include "tests/stress/stress_checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/stress/stress_energy.h"
#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"
#include "weft/text.h"
#include "weft/vec.h"
#include "weft/weft.h"

typedef struct scene_run {
    weft_sim *sim;
    stress_result *result;
    stress_energy energy;
    double *seconds;       /* of each step */
    int64_t *frame;        /* of each step */
    int64_t *newton;       /* updates of each step */
    int64_t newton_before; /* in the steps of the frame so far */
    int64_t capacity;
    int is_explicit;
    int details;
} scene_run;

static double clock_seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct moment {
    double wall, cpu; /* s */
} moment;

static moment moment_now(void) {
    return (moment){clock_seconds(CLOCK_MONOTONIC), clock_seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

/* Wall time includes the work of other programs. CPU time does not, but has ticks of up to 10 ms on some systems. */
static double seconds_since(moment start) {
    moment now = moment_now();
    return fmin(now.wall - start.wall, now.cpu - start.cpu + 0.01);
}

/* -- state -- */

static int count_inside(const weft_sim *sim) {
    int inside = 0;
    for (int32_t k = 0; k < weft_sim_cloth_count(sim); k++)
        for (int32_t i = 0; i < weft_sim_body_count(sim); i++)
            inside += weft_sim_inside(sim, k, i);
    return inside;
}

/* Counts anew, besides the audit of the step. Returns 0 if anything intersects. */
static int is_free_of_intersections(scene_run *run, stress_class kind, int64_t reported) {
    weft_intersections now;
    weft_result result = weft_sim_intersections(run->sim, &now);
    if (result.code != WEFT_OK) {
        stress_found(run->result, STRESS_CRASH, "%s", result.message);
        return 0;
    }
    if (reported + now.self + now.cloths + now.bodies > 0) {
        stress_found(run->result, kind,
                     "%" PRId64 " edges through triangles in the audit; now %" PRId64 " self, %" PRId64
                     " of cloths, %" PRId64 " with bodies",
                     reported, now.self, now.cloths, now.bodies);
        return 0;
    }
    int inside = count_inside(run->sim);
    if (inside > 0)
        stress_found(run->result, kind, "%d cloths lie inside of a body", inside);
    return inside == 0;
}

/* -- one step -- */

static int keep_cost(scene_run *run, double seconds, int64_t newton) {
    int64_t index = run->result->steps - 1;
    if (index >= run->capacity) {
        run->capacity = 2 * run->capacity + 256;
        run->seconds = realloc(run->seconds, (size_t)run->capacity * sizeof *run->seconds);
        run->frame = realloc(run->frame, (size_t)run->capacity * sizeof *run->frame);
        run->newton = realloc(run->newton, (size_t)run->capacity * sizeof *run->newton);
    }
    if (!run->seconds || !run->frame || !run->newton) {
        stress_found(run->result, STRESS_CRASH, "out of memory");
        return 0;
    }
    run->seconds[index] = seconds;
    run->frame[index] = run->result->frame;
    run->newton[index] = newton;
    run->result->seconds += seconds;
    run->result->newton += newton;
    return 1;
}

/* Checks that need the energies. Explicit steps are cheap, so those scenes measure once per frame. */
static int check_measures(scene_run *run, double fastest) {
    weft_measures now;
    weft_result result = weft_sim_measure(run->sim, &now);
    if (result.code != WEFT_OK) {
        stress_found(run->result, STRESS_CRASH, "%s", result.message);
        return 0;
    }
    if (!run->is_explicit) /* explicit scenes have softer springs than their fabric */
        stress_judge_stretch(run->result, run->sim, now.stretch_max, fastest);
    run->result->stretch = fmax(run->result->stretch, now.stretch_max);
    stress_energy_add(&run->energy, run->sim, &now, run->result->frame, run->result->steps);
    return 1;
}

/* Whether the scheme promises no convergence, and the last step was an explosion. */
static int may_explode(const weft_sim *sim) {
    const char *name = weft_sim_integrator_name(sim);
    return weft_sim_reason(sim) && strcmp(name, "implicit-euler") != 0 && strcmp(name, "bdf2") != 0;
}

/* Returns 0 if the scene must end. */
static int make_step(scene_run *run, weft_report *report, int32_t *done) {
    stress_result *out = run->result;
    double fastest = 0;
    moment before = moment_now();
    weft_result result = weft_sim_advance_step(run->sim, report, done);
    double seconds = seconds_since(before);
    if (result.code != WEFT_OK) {
        stress_judge_failure(out, result, run->is_explicit || may_explode(run->sim));
        return 0;
    }
    out->steps++;
    if (report->worst.seconds > out->worst.seconds)
        out->worst = report->worst;
    int64_t newton = report->solve.newton - run->newton_before; /* the report sums a frame */
    run->newton_before = *done ? 0 : report->solve.newton;
    if (!keep_cost(run, seconds, newton))
        return 0;
    if (!stress_judge_state(out, run->sim, &fastest))
        return 0;
    if (report->contact.unresolved > 0)
        stress_found(run->result, STRESS_UNRESOLVED, "%d collisions left", report->contact.unresolved);
    if (report->contact.intersections > 0 || *done || !run->is_explicit)
        if (!is_free_of_intersections(run, STRESS_INTERSECTION, report->contact.intersections))
            return 0;
    return (run->is_explicit && !*done) || check_measures(run, fastest);
}

static int make_frame(scene_run *run) {
    int32_t done = 0;
    weft_report report;
    run->result->frame++;
    double before = run->result->seconds;
    while (!done)
        if (!make_step(run, &report, &done))
            return 0;
    if (run->details)
        printf("frame %3" PRId64 "  steps %5" PRId64 "  contacts %6d  impulses %6d  zones %4d  halvings %3d  "
               "energy %10.4g J  stretch %6.3f  %.4f s\n",
               run->result->frame, run->result->steps, report.contact.contacts, report.contact.impulses,
               report.contact.zones, report.halvings, run->energy.last, run->result->stretch,
               run->result->seconds - before);
    return 1;
}

/* -- the whole run -- */

static void check_energy(scene_run *run) {
    const stress_energy *energy = &run->energy;
    run->result->has_energy = stress_energy_counts(energy);
    if (!run->result->has_energy)
        return;
    run->result->energy_rise = stress_energy_rise(energy);
    if (run->result->energy_rise > 0.01) {
        stress_found(run->result, STRESS_ENERGY, "rises by %.3g J, %.1f %% of the %.3g J at the start", energy->rise,
                     100 * run->result->energy_rise, stress_energy_reference(energy));
        run->result->finding[STRESS_ENERGY].frame = energy->rise_frame;
        run->result->finding[STRESS_ENERGY].step = energy->rise_step;
    }
}

static void run_frames(scene_run *run) {
    int64_t frames = weft_sim_clock(run->sim)->frames;
    for (int32_t k = 0; k < weft_sim_cloth_count(run->sim); k++)
        run->result->vertices += weft_sim_cloth(run->sim, k)->mesh->vertex_count;
    run->is_explicit = isfinite(weft_sim_stable_step(run->sim));
    stress_energy_start(&run->energy, run->sim);
    if (!is_free_of_intersections(run, STRESS_BAD_START, 0) || !check_measures(run, 0))
        return;
    while (run->result->frame < frames)
        if (!make_frame(run))
            break;
    stress_judge_times(run->result, run->seconds, run->frame);
    stress_judge_work(run->result, run->newton);
    check_energy(run);
}

/* Reads the scene as `weft run` does. */
static weft_result open_scene(const weft_registry *registry, const char *path, weft_sim **sim) {
    weft_tree *tree;
    WEFT_TRY(weft_yaml_read(path, &tree));
    weft_scene_files files = weft_scene_files_make(NULL);
    weft_result result = weft_scene_read(registry, tree, &files, sim);
    weft_tree_destroy(tree);
    return result;
}

void stress_check_scene(const char *path, int details, stress_result *result) {
    weft_registry *registry = NULL;
    *result = (stress_result){0};
    scene_run run = {.result = result, .details = details};
    weft_result opened = weft_registry_create(&registry);
    if (opened.code == WEFT_OK)
        opened = open_scene(registry, path, &run.sim);
    if (opened.code != WEFT_OK) {
        stress_found(result, STRESS_BAD_START, "%s", opened.message);
    } else {
        weft_sim_set_threads(run.sim, 1);
        run_frames(&run);
    }
    free(run.seconds);
    free(run.frame);
    free(run.newton);
    weft_sim_destroy(run.sim);
    weft_registry_destroy(registry);
}
