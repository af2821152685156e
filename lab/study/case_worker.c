#include "lab/study/case_worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/run_report.h"
#include "lab/study/case_picture.h"
#include "lab/study/case_scene.h"
#include "lab/study/positions.h"
#include "lab/study/tracker.h"
#include "lab/study/wall_clock.h"
#include "wear/mannequin/mannequin_body.h"
#include "weft-io/yaml.h"

static const char *const NAMES[WEFT_CASE_STATUSES] = {"ok",     "diverged",   "intersects", "bad-input", "no-memory",
                                                      "failed", "time-limit", "crashed",    "lost"};

const char *weft_case_status_name(weft_case_status status) {
    return status < WEFT_CASE_STATUSES ? NAMES[status] : "unknown";
}

void weft_case_outcome_free(weft_case_outcome *outcome) {
    free(outcome->value);
    free(outcome->block);
    *outcome = (weft_case_outcome){0};
}

int weft_case_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

/* -- the scenes -- */

weft_result weft_case_worker_open(weft_case_worker *worker, const weft_case_setup *setups, int setup_count,
                                  int threads) {
    *worker = (weft_case_worker){.setups = setups, .setup_count = setup_count, .threads = threads > 0 ? threads : 1};
    worker->tree = calloc((size_t)setup_count + 1, sizeof *worker->tree);
    if (!worker->tree)
        return weft_fail_memory("scenes", (size_t)setup_count * sizeof *worker->tree);
    WEFT_TRY(weft_registry_create(&worker->registry));
    return mannequin_register(worker->registry);
}

void weft_case_worker_close(weft_case_worker *worker) {
    for (int i = 0; worker->tree && i < worker->setup_count; i++)
        weft_tree_destroy(worker->tree[i]);
    free(worker->tree);
    weft_registry_destroy(worker->registry);
    *worker = (weft_case_worker){0};
}

/* Reads a scene once and applies the changes that all its cases share. */
static weft_result scene_of(weft_case_worker *worker, int index) {
    const weft_case_setup *setup = &worker->setups[index];
    weft_tree *plain;
    if (worker->tree[index])
        return weft_ok();
    WEFT_TRY(weft_yaml_read(setup->scene, &plain));
    weft_result result = weft_case_scene_change(plain, setup->set, setup->set_count, setup->base, &worker->tree[index]);
    weft_tree_destroy(plain);
    return result;
}

static int is_on_device(const weft_case_setup *setup) {
    weft_case_worker one = {.setups = setup, .setup_count = 1, .tree = &(weft_tree *){NULL}};
    int found = 0;
    if (scene_of(&one, 0).code == WEFT_OK) {
        const weft_value *device = weft_value_find(weft_tree_root(one.tree[0]), "device");
        if (device && device->kind == WEFT_VALUE_MAP)
            device = weft_value_find(device, "name");
        found = device && device->kind == WEFT_VALUE_TEXT && strcmp(device->text, "cpu") != 0;
    }
    weft_tree_destroy(one.tree[0]);
    return found;
}

int weft_case_setups_on_device(const weft_case_setup *setups, int count) {
    int all = count > 0;
    for (int i = 0; i < count && all; i++)
        all = is_on_device(&setups[i]);
    return all;
}

/* -- one case -- */

typedef struct case_run {
    weft_case_worker *worker;
    const weft_recording *recording;
    const weft_case *one;
    weft_tree *tree;
    weft_sim *sim;
    weft_tracker tracker;
    weft_positions_block block;
    weft_run_log log;
    weft_status status;
} case_run;

static weft_result prepare(case_run *run) {
    if (run->one->setup < 0 || run->one->setup >= run->worker->setup_count)
        return weft_fail(WEFT_BAD_INPUT, "case of setup %d, but there are %d", run->one->setup,
                         run->worker->setup_count);
    WEFT_TRY(scene_of(run->worker, run->one->setup));
    run->recording = &run->worker->setups[run->one->setup].recording;
    WEFT_TRY(weft_case_scene_change(run->worker->tree[run->one->setup], run->one->set, run->one->set_count,
                                    run->worker->setups[run->one->setup].base, &run->tree));
    if (run->worker->setups[run->one->setup].load_device)
        WEFT_TRY(run->worker->setups[run->one->setup].load_device(run->worker->registry, run->tree));
    WEFT_TRY(weft_case_scene_build(run->worker->registry, run->tree, run->worker->threads, &run->sim));
    return weft_tracker_open(&run->tracker, run->recording, run->sim);
}

static weft_result keep_positions(case_run *run) {
    int64_t frame = weft_sim_frame(run->sim), last = weft_sim_clock(run->sim)->frames;
    int wanted = run->recording->positions == WEFT_KEEP_LAST  ? frame == last
                 : run->recording->positions == WEFT_KEEP_ALL ? frame % run->recording->every == 0
                                                              : 0;
    return wanted ? weft_positions_add(&run->block, run->sim) : weft_ok();
}

static weft_result record(case_run *run, const weft_report *report, int32_t steps, double seconds) {
    weft_frame_log row = weft_frame_log_of(run->sim, report, steps, seconds);
    if (run->tracker.measures)
        WEFT_TRY(weft_sim_measure(run->sim, &row.measures));
    weft_run_log_count(&run->log, &row);
    WEFT_TRY(weft_tracker_frame(&run->tracker, run->sim, &row));
    return keep_positions(run);
}

static weft_result simulate(case_run *run) {
    weft_report report = {0};
    WEFT_TRY(record(run, &report, 0, 0));
    while (weft_sim_frame(run->sim) < weft_sim_clock(run->sim)->frames) {
        int32_t steps = 0;
        double begin = weft_seconds(CLOCK_MONOTONIC);
        weft_result result = weft_sim_advance_frame(run->sim, &report, &steps);
        run->status = report.status;
        WEFT_TRY(result);
        WEFT_TRY(record(run, &report, steps, weft_seconds(CLOCK_MONOTONIC) - begin));
    }
    return weft_ok();
}

/* The text of report.json. The caller frees it. */
static weft_result print_report(case_run *run, char **text) {
    size_t size = 0;
    weft_output output = {0};
    weft_run_account account = {.scene = run->worker->setups[run->one->setup].scene,
                                .status = weft_status_name(run->status),
                                .sim = run->sim,
                                .log = &run->log};
    output.file = open_memstream(text, &size);
    if (!output.file)
        return weft_fail_memory("a report", 1 << 16);
    weft_result result = weft_run_report_print(&output, &account);
    if (fclose(output.file) != 0 && result.code == WEFT_OK)
        result = weft_fail_memory("a report", size);
    return result;
}

static weft_result evaluate(case_run *run, weft_case_outcome *outcome) {
    char *report = NULL;
    weft_result result = run->tracker.report ? print_report(run, &report) : weft_ok();
    if (result.code == WEFT_OK)
        result = weft_tracker_values(&run->tracker, report, 0, outcome->value);
    free(report);
    if (result.code == WEFT_OK && run->one->picture)
        result = weft_case_picture_write(run->sim, run->tree, run->recording->picture_width,
                                         run->recording->picture_height, run->one->picture);
    return result;
}

static weft_case_status status_of(weft_code code) {
    switch (code) {
    case WEFT_OK:
        return WEFT_CASE_OK;
    case WEFT_DIVERGED:
        return WEFT_CASE_DIVERGED;
    case WEFT_INTERSECTS:
        return WEFT_CASE_INTERSECTS;
    case WEFT_NO_MEMORY:
        return WEFT_CASE_NO_MEMORY;
    case WEFT_BAD_INPUT:
    case WEFT_UNSUPPORTED:
        return WEFT_CASE_BAD_INPUT;
    default:
        return WEFT_CASE_FAILED;
    }
}

static void finish(case_run *run, weft_result result, weft_case_outcome *outcome) {
    outcome->status = status_of(result.code);
    snprintf(outcome->reason, sizeof outcome->reason, "%.255s", result.message);
    if (run->sim) {
        outcome->state_hash = weft_sim_hash(run->sim);
        outcome->frames = weft_sim_frame(run->sim);
    }
    outcome->block = run->block.bytes;
    outcome->block_size = run->block.size;
    weft_tracker_close(&run->tracker);
    weft_sim_destroy(run->sim);
    weft_tree_destroy(run->tree);
}

static weft_result make_values(const weft_recording *recording, weft_case_outcome *outcome) {
    size_t count = (size_t)recording->figure_count;
    outcome->value = malloc((count + 1) * sizeof *outcome->value);
    if (!outcome->value)
        return weft_fail_memory("figures", count * sizeof *outcome->value);
    outcome->value_count = recording->figure_count;
    for (size_t i = 0; i < count; i++)
        outcome->value[i] = NAN;
    return weft_ok();
}

/* A case that stops early has no figures, because they would belong to another time. */
void weft_case_worker_run(weft_case_worker *worker, const weft_case *one, weft_case_outcome *outcome) {
    case_run run = {.worker = worker, .one = one};
    clockid_t used = worker->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID; /* not other cases' */
    double wall = weft_seconds(CLOCK_MONOTONIC), cpu = weft_seconds(used);
    *outcome = (weft_case_outcome){0};
    weft_result result = prepare(&run);
    if (run.recording && make_values(run.recording, outcome).code != WEFT_OK)
        result = weft_fail_memory("figures", (size_t)run.recording->figure_count);
    if (result.code == WEFT_OK)
        result = simulate(&run);
    if (result.code == WEFT_OK)
        result = evaluate(&run, outcome);
    finish(&run, result, outcome);
    gethostname(outcome->host, sizeof outcome->host - 1);
    outcome->wall_seconds = weft_seconds(CLOCK_MONOTONIC) - wall;
    outcome->cpu_seconds = weft_seconds(used) - cpu;
}

/* A report after one frame has all its parts. A case that fails there is an outcome of the study, not a mistake. */
static weft_result check_report(case_run *run) {
    weft_case_outcome outcome = {0};
    weft_report report = {0};
    char *text = NULL;
    int32_t steps;
    if (weft_sim_advance_frame(run->sim, &report, &steps).code != WEFT_OK)
        return weft_ok();
    weft_frame_log row = weft_frame_log_of(run->sim, &report, steps, 0);
    weft_run_log_count(&run->log, &row);
    weft_result result = make_values(run->recording, &outcome);
    if (result.code == WEFT_OK)
        result = print_report(run, &text);
    if (result.code == WEFT_OK)
        result = weft_tracker_values(&run->tracker, text, 1, outcome.value);
    free(text);
    weft_case_outcome_free(&outcome);
    return result;
}

weft_result weft_case_worker_check(weft_case_worker *worker, const weft_case *one, int try_report) {
    case_run run = {.worker = worker, .one = one};
    weft_result result = prepare(&run);
    if (result.code == WEFT_OK && try_report && run.tracker.report)
        result = check_report(&run);
    weft_tracker_close(&run.tracker);
    weft_sim_destroy(run.sim);
    weft_tree_destroy(run.tree);
    return result;
}

void weft_case_simulate(const weft_case_setup *setups, const weft_case *one, int threads, weft_case_outcome *outcome) {
    weft_case_worker worker;
    weft_result result = weft_case_worker_open(&worker, setups, one->setup + 1, threads);
    if (result.code == WEFT_OK)
        weft_case_worker_run(&worker, one, outcome);
    else
        *outcome = (weft_case_outcome){.status = WEFT_CASE_NO_MEMORY};
    weft_case_worker_close(&worker);
}
