/* `weft run`: simulates a scene and writes frames. A checkpoint lets the run continue after any interruption. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/device.h"
#include "apps/cli/garment_fit.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/output_plan.h"
#include "apps/cli/picture_writers.h"
#include "apps/cli/pictures.h"
#include "apps/cli/progress.h"
#include "apps/cli/proxies.h"
#include "apps/cli/run_checkpoints.h"
#include "apps/cli/run_difference.h"
#include "apps/cli/run_folder.h"
#include "apps/cli/run_output.h"
#include "apps/cli/run_recorder.h"
#include "apps/cli/run_session.h"
#include "apps/cli/say.h"
#include "apps/cli/scene_file.h"
#include "apps/cli/view_file.h"
#include "io/notices.h"
#include "io/run_log.h"
#include "io/run_report.h"
#include "weft-io/checkpoint.h"
#include "weft/scene.h"
#include "weft/text.h"

typedef struct weft_run_options {
    const char *scene, *out, *write, *device;
    int frames, threads, checkpoint, from; /* frames, checkpoint and from: -1 if not given */
    int resume, quiet;
    weft_words sets, plugins;
} weft_run_options;

/* Everything that a run owns; closed in reverse order. */
typedef struct weft_run {
    const weft_run_options *options;
    weft_session session;
    weft_scene_file scene;
    weft_inputs inputs;
    weft_output_plan plan;
    weft_view view;
    weft_proxies proxies;
    weft_run_output output;
    weft_run_log log;
    weft_yarn_watch yarns;
    weft_run_recorder recorder;
    weft_progress progress;
    char directory[768];
    char checkpoint_path[1024];
    int lock; /* lock on the folder; -1 if none */
    uint64_t scene_hash, step_hash;
    void *snapshot;
    size_t snapshot_size, snapshot_room;
    int64_t events_told; /* number of reported events */
    int64_t saved_frame; /* frame of the last checkpoint; -1 if none */
    double frame_begin;  /* wall clock */
} weft_run;

/* -- before the first frame: nothing is written until all input has been checked -- */

static weft_result read_scene(weft_run *run) {
    const weft_run_options *options = run->options;
    weft_scene_file *scene = &run->scene;
    char number[16];
    WEFT_TRY(weft_scene_file_open(scene, options->scene));
    for (int i = 0; i < options->sets.count; i++)
        WEFT_TRY(weft_scene_file_set(scene, options->sets.word[i]));
    if (options->frames >= 0) {
        snprintf(number, sizeof number, "%d", options->frames);
        WEFT_TRY(weft_scene_file_put(scene, "time", "frames", number, "--frames"));
    }
    if (options->checkpoint >= 0) {
        snprintf(number, sizeof number, "%d", options->checkpoint);
        WEFT_TRY(weft_scene_file_put(scene, "output", "checkpoint", number, "--checkpoint"));
    }
    if (options->device)
        WEFT_TRY(weft_device_put(scene->tree, options->device, "--device"));
    if (options->write)
        WEFT_TRY(weft_output_plan_put(scene, options->write));
    WEFT_TRY(weft_output_plan_read(&run->plan, scene, run->session.registry));
    WEFT_TRY(weft_view_of_scene(scene, &run->view));
    WEFT_TRY(weft_picture_writers_check(&run->plan));
    WEFT_TRY(weft_scene_file_inputs(scene, &run->inputs));
    WEFT_TRY(weft_scene_file_prepare(scene, run->session.registry, options->threads));
    WEFT_TRY(weft_scene_file_check_inputs(scene, run->session.registry, &run->inputs));
    WEFT_TRY(weft_inputs_allow_cuts(&run->inputs, scene->sim));
    WEFT_TRY(weft_proxies_read(&run->proxies, scene));
    char done[400];
    weft_separation_write(scene->sim, done, sizeof done);
    if (done[0])
        weft_scene_file_note(scene, done);
    weft_repair_write(scene->sim, done, sizeof done);
    if (done[0])
        weft_scene_file_note(scene, done);
    weft_long_step_write(scene->sim, done, sizeof done);
    if (done[0])
        weft_scene_file_note(scene, done);
    if (!options->quiet)
        weft_scene_file_print_notices(scene);
    run->scene_hash = weft_output_plan_hash(&run->plan, weft_scene_file_hash(scene));
    run->scene_hash = weft_proxies_hash(&run->proxies, run->scene_hash);
    run->scene_hash = weft_inputs_hash(&run->inputs, run->scene_hash);
    run->step_hash = weft_scene_file_step_hash(scene);
    return weft_ok();
}

static weft_result name_files(weft_run *run) {
    int length = run->options->out ? snprintf(run->directory, sizeof run->directory, "%s", run->options->out)
                                   : snprintf(run->directory, sizeof run->directory, "out/%s", run->scene.name);
    if (length == 0 || length >= (int)sizeof run->directory)
        return weft_fail(WEFT_BAD_INPUT, "--out: the folder's name is empty or too long");
    return weft_run_folder_path(run->directory, "checkpoint", run->checkpoint_path, sizeof run->checkpoint_path);
}

/* The snapshot grows with mesh refinement and with replayed drags. */
static weft_result take_snapshot_memory(weft_run *run) {
    size_t size = weft_sim_snapshot_size(run->scene.sim);
    if (!run->snapshot || size > run->snapshot_room) {
        void *grown = realloc(run->snapshot, size);
        if (!grown)
            return weft_fail_memory("the checkpoint", size);
        run->snapshot = grown;
        run->snapshot_room = size;
    }
    run->snapshot_size = size;
    return weft_ok();
}

static weft_take describe_take(const weft_run *run, int64_t first_frame) {
    const weft_clock *clock = weft_sim_clock(run->scene.sim);
    return (weft_take){.directory = run->directory,
                       .name = run->scene.name,
                       .rate = clock->rate,
                       .frame_count = (int64_t)clock->frames + 1,
                       .first_frame = first_frame};
}

static weft_result check_output(weft_run *run) {
    weft_take take = describe_take(run, 0);
    return weft_run_output_check(&run->plan, &run->proxies, run->scene.sim, &take);
}

static weft_result open_output(weft_run *run, int64_t first_frame) {
    weft_take take = describe_take(run, first_frame);
    run->recorder = weft_run_recorder_make(run->scene.sim, &run->output, &run->log, &run->yarns);
    WEFT_TRY(weft_yarn_watch_open(&run->yarns, run->scene.sim));
    WEFT_TRY(weft_run_output_open(&run->output, &run->plan, &run->proxies, run->scene.sim, &take));
    return run->plan.take ? weft_view_file_write(run->directory, &run->view) : weft_ok();
}

/* -- during the run -- */

/* Each frame goes to the writers first, then to the log, then to the checkpoint. All files that a checkpoint relies on
 * therefore exist. */
static weft_result save_checkpoint(weft_run *run) {
    WEFT_TRY(weft_run_recorder_wait(&run->recorder));
    WEFT_TRY(take_snapshot_memory(run));
    weft_checkpoint checkpoint = {.scene = run->scene_hash,
                                  .steps = run->step_hash,
                                  .frame = weft_sim_frame(run->scene.sim),
                                  .size = run->snapshot_size,
                                  .snapshot = run->snapshot};
    WEFT_TRY(weft_run_output_sync(&run->output));
    WEFT_TRY(weft_run_log_sync(&run->log, &checkpoint.csv_size));
    weft_sim_snapshot(run->scene.sim, run->snapshot);
    WEFT_TRY(weft_checkpoint_write(run->checkpoint_path, &checkpoint));
    if (run->plan.keep)
        WEFT_TRY(weft_run_checkpoints_keep(run->directory, &checkpoint));
    run->saved_frame = checkpoint.frame;
    return weft_ok();
}

static weft_result record_frame(weft_run *run, const weft_report *report, int32_t steps) {
    return weft_run_recorder_frame(&run->recorder, report, steps, weft_wall_clock() - run->frame_begin);
}

static weft_result record_start(weft_run *run) {
    weft_report nothing = {0};
    run->frame_begin = weft_wall_clock();
    WEFT_TRY(record_frame(run, &nothing, 0));
    return save_checkpoint(run);
}

/* Reports intersections that began since the last frame. */
static void tell_events(weft_run *run) {
    char text[400];
    for (; weft_event_notice(run->scene.sim, run->events_told, text, sizeof text); run->events_told++)
        if (!run->options->quiet)
            weft_progress_end(&run->progress), weft_complain("notice: %s", text);
}

/* Warns of panels that were drawn tight. */
static void tell_yarns(weft_run *run) {
    char text[500];
    for (int32_t p = 0; p < run->yarns.panels; p++) {
        weft_yarn_watch_write(&run->yarns, run->scene.sim, p, text, sizeof text);
        if (!text[0])
            continue;
        weft_scene_file_note(&run->scene, text);
        if (!run->options->quiet)
            fprintf(stderr, "weft: warning: %s\n", text);
    }
}

static double seconds_of(const weft_report *report) {
    double sum = 0;
    for (int i = 0; i < WEFT_PHASES; i++)
        sum += report->seconds[i];
    return sum;
}

static weft_result advance_frame(weft_run *run, weft_report *report, int32_t *steps) {
    weft_result result = weft_ok();
    int32_t done = 0;
    while (result.code == WEFT_OK && !done) {
        WEFT_TRY(weft_inputs_apply(&run->inputs, run->scene.sim));
        double before = seconds_of(report);
        result = weft_scene_locate(run->scene.tree, weft_sim_advance_step(run->scene.sim, report, &done));
        weft_run_log_step(&run->log, seconds_of(report) - before);
        *steps += 1;
    }
    /* The end of the run reports these, after it has saved what there is. */
    return result.code == WEFT_DIVERGED || result.code == WEFT_INTERSECTS ? weft_ok() : result;
}

static weft_result next_frame(weft_run *run, weft_status *status) {
    weft_report report = {0};
    int32_t steps = 0;
    run->frame_begin = weft_wall_clock();
    WEFT_TRY(advance_frame(run, &report, &steps));
    tell_events(run);
    *status = report.status;
    if (report.status != WEFT_STATUS_OK) {
        WEFT_TRY(weft_run_recorder_wait(&run->recorder));
        weft_frame_log broken = weft_frame_log_of(run->scene.sim, &report, steps, weft_wall_clock() - run->frame_begin);
        weft_run_log_count(&run->log, &broken);
        return weft_ok();
    }
    WEFT_TRY(record_frame(run, &report, steps));
    int64_t frame = weft_sim_frame(run->scene.sim);
    if (run->plan.checkpoint > 0 && frame % run->plan.checkpoint == 0)
        WEFT_TRY(save_checkpoint(run));
    weft_progress_show(&run->progress, frame);
    return weft_ok();
}

static weft_result simulate(weft_run *run, weft_status *status) {
    const weft_clock *clock = weft_sim_clock(run->scene.sim);
    weft_progress_begin(&run->progress, run->scene.name, run->options->quiet, weft_sim_frame(run->scene.sim),
                        clock->frames, clock->rate);
    weft_result result = run->inputs.count == 0 ? weft_run_recorder_overlap(&run->recorder) : weft_ok();
    while (*status == WEFT_STATUS_OK && weft_sim_frame(run->scene.sim) < clock->frames && result.code == WEFT_OK) {
        if (weft_interrupt_signal())
            *status = WEFT_STATUS_INTERRUPTED;
        else
            result = next_frame(run, status);
    }
    weft_progress_end(&run->progress);
    return result;
}

/* The state of a diverged run is seldom of use, because it exploded over several steps. Its last checkpoint stays. */
static int needs_checkpoint(const weft_run *run, weft_status status) {
    if (status == WEFT_STATUS_DIVERGED)
        return run->plan.checkpoint == 0;
    return status != WEFT_STATUS_OK || run->saved_frame != weft_sim_frame(run->scene.sim);
}

/* Closes all files. The rows in frames.csv are complete even if frames are missing. The report is written last. */
static weft_result finish(weft_run *run, weft_status status) {
    WEFT_TRY(weft_run_recorder_wait(&run->recorder));
    if (needs_checkpoint(run, status))
        WEFT_TRY(save_checkpoint(run));
    WEFT_TRY(weft_run_output_close(&run->output, status == WEFT_STATUS_OK));
    WEFT_TRY(weft_run_log_close(&run->log, 1));
    tell_yarns(run);
    return weft_run_report_write(run->directory, &(weft_run_account){.scene = run->scene.path,
                                                                     .status = weft_status_name(status),
                                                                     .sim = run->scene.sim,
                                                                     .log = &run->log,
                                                                     .yarns = &run->yarns,
                                                                     .notice = run->scene.notice,
                                                                     .notice_count = run->scene.notice_count});
}

/* A device that fails takes the simulation back to the last frame that arrived. If that is recorded, the run can go on
 * from there. The failure of the device is the one to report. */
static void save_last_frame(weft_run *run) {
    if (strcmp(weft_sim_device_name(run->scene.sim), "cpu") == 0 ||
        weft_run_recorder_wait(&run->recorder).code != WEFT_OK)
        return;
    int64_t frame = weft_sim_frame(run->scene.sim);
    if (run->log.count > 0 && run->log.last.frame == frame && frame > run->saved_frame)
        (void)save_checkpoint(run);
}

/* -- starting and resuming -- */

static weft_result start_over(weft_run *run) {
    WEFT_TRY(weft_run_folder_make(run->directory));
    WEFT_TRY(weft_run_folder_lock(run->directory, &run->lock));
    WEFT_TRY(weft_run_folder_clear(run->directory));
    WEFT_TRY(weft_picture_writers_clear(&run->plan, run->directory, run->scene.name));
    WEFT_TRY(weft_run_keep_garments(&run->scene, run->directory));
    WEFT_TRY(weft_run_log_open(&run->log, run->directory));
    WEFT_TRY(open_output(run, 0));
    return record_start(run);
}

/* Names what differs, if it is a setting. Recorded inputs change settings, so that the report has others. Writers give
 * their files a fixed number of frames, which a resumed run cannot change. */
static weft_result refuse_other_scene(const weft_run *run) {
    char what[256] = "";
    if (run->inputs.count == 0)
        weft_run_difference(run->directory, run->scene.sim, what, sizeof what);
    if (strncmp(what, "time.frames ", 12) == 0)
        return weft_fail(WEFT_BAD_INPUT,
                         "%.200s: %s; a run cannot be made longer or shorter: start it anew, without --resume",
                         run->checkpoint_path, what);
    return weft_fail(
        WEFT_BAD_INPUT,
        "%.200s: belongs to another scene, or to other values of %s%s; only the integrator, the device and "
        "time.step, mode, jitter, halvings and accuracy may change",
        run->checkpoint_path, what[0] ? "--set: " : "--set, --frames or --write", what);
}

/* Recorded inputs are numbered by steps, so they fit no others. With --from the scene may have changed; the snapshot
 * itself tells whether it fits the cloths. */
static weft_result check_checkpoint(const weft_run *run, const weft_checkpoint *checkpoint) {
    if (checkpoint->scene != run->scene_hash && run->options->from < 0)
        return refuse_other_scene(run);
    if (checkpoint->steps != run->step_hash && run->inputs.count > 0)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: was made with other steps, which the recorded inputs do not fit",
                         run->checkpoint_path);
    return weft_ok();
}

/* Goes on with other values than before: `what` names them. */
static void change_steps(weft_run *run, const char *what) {
    char text[200];
    weft_format(text, sizeof text, "from %.6g s on with %s than before", weft_sim_time(run->scene.sim), what);
    weft_sim_forget_steps(run->scene.sim);
    weft_scene_file_note(&run->scene, text);
    if (!run->options->quiet)
        weft_complain("notice: %s", text);
}

static weft_result restore_state(weft_run *run, const weft_checkpoint *checkpoint) {
    weft_result restored = weft_sim_restore(run->scene.sim, checkpoint->snapshot, checkpoint->size);
    if (restored.code != WEFT_OK)
        return weft_fail(restored.code, "%.300s: %.300s", run->checkpoint_path, restored.message);
    return weft_ok();
}

static weft_result restore(weft_run *run, const weft_checkpoint *checkpoint) {
    const weft_clock *clock = weft_sim_clock(run->scene.sim);
    WEFT_TRY(check_checkpoint(run, checkpoint));
    if (checkpoint->frame < 0 || checkpoint->frame > clock->frames)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: frame %" PRId64 " is not in 0 to %d", run->checkpoint_path,
                         checkpoint->frame, clock->frames);
    WEFT_TRY(weft_run_log_reopen(&run->log, run->directory, checkpoint->csv_size));
    WEFT_TRY(open_output(run, checkpoint->frame + 1));
    int64_t steps;
    WEFT_TRY(weft_snapshot_step_count(checkpoint->snapshot, checkpoint->size, &steps));
    WEFT_TRY(weft_inputs_catch_up(&run->inputs, run->scene.sim, steps));
    WEFT_TRY(restore_state(run, checkpoint));
    run->saved_frame = checkpoint->frame;
    if (checkpoint->scene != run->scene_hash)
        change_steps(run, "other values of the scene");
    else if (checkpoint->steps != run->step_hash)
        change_steps(run, "another time step, integrator or device");
    return weft_ok();
}

/* --from: computes the frames after a kept checkpoint again. */
static weft_result start_from(weft_run *run) {
    weft_checkpoint checkpoint = {0};
    WEFT_TRY(weft_run_checkpoints_find(run->directory, run->options->from, run->checkpoint_path,
                                       sizeof run->checkpoint_path));
    WEFT_TRY(weft_run_folder_lock(run->directory, &run->lock));
    WEFT_TRY(weft_checkpoint_read(run->checkpoint_path, &checkpoint));
    weft_result result = weft_ok();
    if (checkpoint.scene != run->scene_hash) /* does it fit the cloths? restore() truncates the files first */
        result = restore_state(run, &checkpoint);
    if (result.code == WEFT_OK)
        result = restore(run, &checkpoint);
    free(checkpoint.snapshot);
    WEFT_TRY(result);
    WEFT_TRY(weft_run_checkpoints_forget(run->directory, run->saved_frame));
    WEFT_TRY(name_files(run)); /* later checkpoints are saved as always */
    return save_checkpoint(run);
}

static weft_result resume(weft_run *run, int *finished) {
    if (!weft_run_folder_has(run->directory, "checkpoint")) {
        WEFT_TRY(start_over(run));
        weft_complain("%s: no checkpoint yet; starting anew", run->directory);
        return weft_ok();
    }
    WEFT_TRY(weft_run_folder_lock(run->directory, &run->lock));
    weft_checkpoint checkpoint = {0};
    WEFT_TRY(weft_checkpoint_read(run->checkpoint_path, &checkpoint));
    weft_result result = weft_ok();
    *finished = checkpoint.scene == run->scene_hash && checkpoint.frame == weft_sim_clock(run->scene.sim)->frames &&
                weft_run_folder_is_finished(run->directory);
    if (!*finished)
        result = restore(run, &checkpoint);
    else if (checkpoint.steps != run->step_hash)
        result = weft_fail(WEFT_BAD_INPUT, "%.300s: all frames are there, made with another time step or integrator",
                           run->directory);
    free(checkpoint.snapshot);
    return result;
}

/* -- pictures, after all frames -- */

static weft_result make_pictures(weft_run *run, int *exit_status) {
    if (!weft_picture_writers_wanted(&run->plan))
        return weft_ok();
    weft_pictures pictures;
    WEFT_TRY(weft_pictures_open(&pictures, run->directory));
    pictures.view = run->view;
    pictures.threads = run->options->threads;
    pictures.quiet = run->options->quiet;
    pictures.resume = run->options->resume;
    weft_result result = weft_picture_writers_run(&run->plan, &pictures, run->directory);
    if (result.code == WEFT_OK && weft_interrupt_signal())
        *exit_status = weft_pictures_stopped(&pictures);
    weft_pictures_close(&pictures);
    return result;
}

/* -- final messages -- */

/* Names the longest step where it stands out, as in an animation that stutters. */
static void print_worst(const weft_run_log *log) {
    static const double NOTABLE = 20; /* times the median */
    weft_step_times times = weft_run_log_times(log);
    if (times.max > NOTABLE * times.median && log->worst.parts > 0 && times.max > 100)
        printf("the longest step, at %.4g s, took %.3g ms, %.0f times the median, in %d part%s: %s\n", log->worst.time,
               times.max, times.max / times.median, log->worst.parts, log->worst.parts == 1 ? "" : "s",
               weft_step_cost_reason(&log->worst));
}

static void print_summary(const weft_run *run) {
    const weft_run_log *log = &run->log;
    const weft_sim *sim = run->scene.sim;
    char wall[32];
    weft_duration_write(log->step_seconds + log->write_seconds, wall, sizeof wall);
    weft_say("%s: %" PRId64 " frames, %" PRId64 " steps, %.3g ms/step, %s; files in %s; state_hash %016" PRIx64 "\n",
             run->scene.name, weft_sim_frame(sim), weft_sim_step_count(sim),
             log->steps > 0 ? 1000 * log->step_seconds / (double)log->steps : 0, wall, run->directory,
             weft_sim_hash(sim));
    print_worst(log);
    if (log->not_converged > 0)
        printf("%" PRId64 " of %" PRId64 " linear solves reached the iteration limit: raise "
               "integrator.iterations, or use integrator.precondition: two-level\n",
               log->not_converged, log->solves);
    if (log->newton_not_converged > 0)
        printf("%" PRId64 " steps ended above integrator.newton_tolerance: raise integrator.newton, or shorten "
               "time.step\n",
               log->newton_not_converged);
}

static int report_divergence(weft_run *run) {
    weft_sim *sim = run->scene.sim;
    double stable = weft_sim_stable_step(sim), step = weft_sim_clock(sim)->step, shorter = step / 2;
    const char *advice = weft_sim_advice(sim), *reason = weft_sim_reason(sim);
    char hint[128] = "", change[64];
    if (advice) {
        weft_complain("%s: failed in frame %" PRId64 " at %.6g s: %s; --resume goes on from frame %" PRId64 ", %s",
                      run->scene.path, weft_sim_frame(sim) + 1, weft_sim_time(sim), advice, run->saved_frame,
                      run->checkpoint_path);
        return WEFT_EXIT_FAILED;
    }
    if (isfinite(stable)) {
        snprintf(hint, sizeof hint, "; time.step is %g s, the largest stable step about %.3g s", step, stable);
        shorter = stable > 0 ? fmin(shorter, 0.9 * stable) : shorter;
    }
    snprintf(change, sizeof change, "time.step=%.2g", shorter);
    const char *scheme = weft_sim_integrator_name(sim);
    int is_implicit = strcmp(scheme, "bdf2") == 0 || strcmp(scheme, "implicit-euler") == 0;
    if (reason && !isfinite(stable) && !is_implicit) /* such a scheme has no stable step that is known */
        snprintf(change, sizeof change, "integrator=bdf2");
    weft_complain("%s: diverged in frame %" PRId64 " at %.6g s%s%s%s; --resume --set %s goes on from frame %" PRId64
                  ", %s",
                  run->scene.path, weft_sim_frame(sim) + 1, weft_sim_time(sim), reason ? ": " : "",
                  reason ? reason : "", hint, change, run->saved_frame, run->checkpoint_path);
    return WEFT_EXIT_FAILED;
}

static int report_intersection(const weft_run *run) {
    const weft_sim *sim = run->scene.sim;
    const weft_sim_event *last = weft_sim_event_at(sim, weft_sim_event_count(sim) - 1);
    char text[400] = "more surfaces intersect"; /* the list is full */
    if (last)
        weft_event_write(sim, last, text, sizeof text);
    weft_complain("%s: stopped in frame %" PRId64 ": %s; contact.on_intersection: go-on, or --resume, goes on",
                  run->scene.path, weft_sim_frame(sim) + 1, text);
    return WEFT_EXIT_FAILED;
}

static int report_end(weft_run *run, weft_status status) {
    if (status == WEFT_STATUS_INTERSECTS)
        return report_intersection(run);
    if (status == WEFT_STATUS_DIVERGED)
        return report_divergence(run);
    if (status == WEFT_STATUS_NO_MEMORY) {
        weft_complain("%s: out of memory in frame %" PRId64, run->scene.path, weft_sim_frame(run->scene.sim) + 1);
        return WEFT_EXIT_FAILED;
    }
    if (status == WEFT_STATUS_INTERRUPTED) {
        weft_complain("%s: stopped after frame %" PRId64 " of %d; --resume goes on from there", run->scene.path,
                      weft_sim_frame(run->scene.sim), weft_sim_clock(run->scene.sim)->frames);
        return 128 + weft_interrupt_signal();
    }
    if (!run->options->quiet)
        print_summary(run);
    return WEFT_EXIT_OK;
}

static weft_result run_scene(weft_run *run, int *exit_status) {
    weft_status status = WEFT_STATUS_OK;
    int finished = 0;
    WEFT_TRY(weft_session_open(&run->session, &run->options->plugins));
    WEFT_TRY(read_scene(run));
    WEFT_TRY(name_files(run));
    WEFT_TRY(check_output(run));
    WEFT_TRY(take_snapshot_memory(run));
    weft_interrupt_catch();
    WEFT_TRY(run->options->from >= 0 ? start_from(run)
             : run->options->resume  ? resume(run, &finished)
                                     : start_over(run));
    if (finished) {
        if (!run->options->quiet)
            weft_say("%s: all %d frames are already in %s\n", run->scene.name, weft_sim_clock(run->scene.sim)->frames,
                     run->directory);
        return make_pictures(run, exit_status);
    }
    weft_result simulated = simulate(run, &status);
    if (simulated.code != WEFT_OK)
        save_last_frame(run);
    WEFT_TRY(simulated);
    WEFT_TRY(finish(run, status));
    *exit_status = report_end(run, status);
    return status == WEFT_STATUS_OK ? make_pictures(run, exit_status) : weft_ok();
}

static void close_run(weft_run *run) {
    weft_run_recorder_close(&run->recorder);
    if (run->output.plan)
        weft_run_output_close(&run->output, 0);
    weft_run_log_close(&run->log, 0);
    weft_run_folder_unlock(run->lock);
    free(run->snapshot);
    weft_yarn_watch_close(&run->yarns);
    weft_proxies_destroy(&run->proxies);
    weft_output_plan_destroy(&run->plan);
    weft_inputs_free(&run->inputs);
    weft_scene_file_close(&run->scene);
    weft_session_close(&run->session);
}

static const char NOTES[] =
    "SCENE is a file, the name of a scene in the scenes folder (weft list scenes), or - for standard input.\n"
    "DIR is out/NAME unless --out is given. It gets report.json, frames.csv, checkpoint, frames.weft with all frames\n"
    "for 'weft render', and the files of the writers. png and mp4 files are made after the run. An earlier run in\n"
    "DIR is replaced. A folder with other files in it is refused.\n"
    "To continue a run that was stopped or killed, add --resume to the same options. The result has the same files.\n"
    "With --resume, --set may change the length of steps and the integrator, so that a diverged run can continue.\n"
    "With --from, every value may change, but not the meshes of the cloths. The run in DIR must have been made with\n"
    "--set output.keep=true, which keeps all checkpoints.\n"
    "Ctrl-C stops the run after the current frame. A second Ctrl-C stops it at once.\n"
    "Writers take settings: --write obj:up=z:scale=100,pc2. --write none writes neither shapes nor\n"
    "frames.weft; with output.take: true it writes frames.weft. To omit only that, use --set output.take=false.";

int weft_command_run(int argc, char **argv) {
    weft_run_options options = {.frames = -1, .checkpoint = -1, .from = -1};
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &options.out, "DIR", "write files to DIR (default: out/NAME)", 0},
        {"--frames", WEFT_OPTION_COUNT, &options.frames, "N", "number of frames after the first (default: time.frames)",
         0},
        {"--set", WEFT_OPTION_WORDS, &options.sets, "PATH=VALUE",
         "change a value of the scene, for example cloth.fabric.density=0.3", 0},
        {"--threads", WEFT_OPTION_COUNT, &options.threads, "N", "number of threads; 0: one per processor (default)",
         1024},
        {"--device", WEFT_OPTION_TEXT, &options.device, "NAME",
         "processor that computes the steps: cpu or cuda (default: device)", 0},
        {"--write", WEFT_OPTION_TEXT, &options.write, "NAMES",
         "use these writers, for example pc2,glb,mp4 (weft list writers)", 0},
        {"--resume", WEFT_OPTION_FLAG, &options.resume, NULL, "continue from DIR/checkpoint, or start if there is none",
         0},
        {"--from", WEFT_OPTION_COUNT, &options.from, "N",
         "compute DIR again from frame N on, or from the last kept checkpoint before it", 0},
        {"--checkpoint", WEFT_OPTION_COUNT, &options.checkpoint, "N",
         "save a checkpoint every N frames (default 10); 0: only at the end", 0},
        {"--plugin", WEFT_OPTION_WORDS, &options.plugins, "FILE", "load components from a shared object", 0},
        {"--quiet", WEFT_OPTION_FLAG, &options.quiet, NULL, "print errors only", 0},
        {0},
    };
    weft_usage usage = {"run", "SCENE", 1, 1, "Simulates a scene and writes its frames to files.", NOTES, table};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    options.scene = words.word[0];

    weft_run run = {.options = &options, .saved_frame = -1, .lock = -1};
    status = WEFT_EXIT_OK;
    weft_result result = run_scene(&run, &status);
    if (result.code != WEFT_OK)
        status = weft_command_failed(&result);
    close_run(&run);
    return status;
}
