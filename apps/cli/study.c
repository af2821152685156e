/* `weft study`: many cases of a scene, on this machine or on a cluster. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/cli/command.h"
#include "apps/cli/device.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/say.h"
#include "apps/cli/scene_file.h"
#include "lab/study/case_slurm.h"
#include "lab/study/study_page.h"
#include "lab/study/study_run.h"

typedef struct study_command {
    const char *file, *out, *on;
    int jobs, retry, fresh, dry_run, quiet;
    const char *partition, *account, *time;
    int batch;
    weft_progress progress;
} study_command;

/* -- what the user sees -- */

static void show(void *context, const weft_study_progress *p) {
    study_command *command = context;
    char failed[32] = "", queued[32] = "";
    if (p->failed > 0)
        snprintf(failed, sizeof failed, ", %" PRId64 " failed", p->failed);
    if (p->waiting >= 0)
        snprintf(queued, sizeof queued, ", %d tasks queued", p->waiting);
    snprintf(command->progress.note, sizeof command->progress.note, "%s%s", failed, queued);
    command->progress.first = p->first;
    weft_progress_show(&command->progress, p->done);
}

static void notice(void *context, const char *text) {
    const study_command *command = context;
    if (!command->quiet)
        weft_complain("notice: %s", text);
}

static int stop(void *context) {
    (void)context;
    return weft_interrupt_signal() != 0;
}

static int stop_task(void) { return weft_interrupt_signal() != 0; }

static int report_end(const study_command *command, const weft_study *study, const weft_study_summary *s) {
    char elapsed[32], busy[48] = "";
    if (s->stopped && s->done < s->total) {
        weft_complain("%s: stopped after %" PRId64 " of %" PRId64 " cases; the same command goes on", study->path,
                      s->done, s->total);
        return 128 + weft_interrupt_signal();
    }
    weft_duration_write(s->elapsed, elapsed, sizeof elapsed);
    if (s->busy > 0)
        snprintf(busy, sizeof busy, ", workers %.1f %% busy", 100 * s->busy);
    if (!command->quiet && s->run == 0)
        weft_say("%s: all %" PRId64 " cases are already in %s\n", study->name, s->total, command->out);
    else if (!command->quiet)
        weft_say("%s: %" PRId64 " cases, %" PRId64 " ok, %" PRId64 " failed, %s%s; files in %s\n", study->name,
                 s->total, s->ok, s->total - s->ok, elapsed, busy, command->out);
    if (s->ok == 0 && s->total > 0) {
        weft_complain("%s: all %" PRId64 " cases failed; the reasons are in %s/results.csv", study->path, s->total,
                      command->out);
        return WEFT_EXIT_FAILED;
    }
    return WEFT_EXIT_OK;
}

/* -- running -- */

/* Options override the study file. */
static weft_result override(weft_study *study, const study_command *command, weft_study_options *options) {
    weft_slurm_settings *slurm = &study->settings.slurm;
    options->on_slurm = study->settings.on == 1;
    if (command->on && strcmp(command->on, "local") != 0 && strcmp(command->on, "slurm") != 0)
        return weft_fail(WEFT_BAD_INPUT, "--on: '%.40s' is neither local nor slurm", command->on);
    if (command->on)
        options->on_slurm = strcmp(command->on, "slurm") == 0;
    if (command->partition)
        snprintf(slurm->partition, sizeof slurm->partition, "%.255s", command->partition);
    if (command->account)
        snprintf(slurm->account, sizeof slurm->account, "%.255s", command->account);
    if (command->batch > 0)
        slurm->batch = command->batch;
    if (command->time) {
        weft_result read = weft_number_read(command->time, "s", &slurm->time);
        if (read.code != WEFT_OK)
            return weft_fail(WEFT_BAD_INPUT, "--time: %.200s", read.message);
    }
    return weft_ok();
}

static weft_result find_program(char path[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0)
        return weft_fail(WEFT_BAD_FILE, "/proc/self/exe: cannot be read");
    path[length] = '\0';
    return weft_ok();
}

static weft_result run(study_command *command, weft_study *study, int *status) {
    char folder[256], program[PATH_MAX];
    weft_study_summary summary;
    weft_study_options options = {.jobs = command->jobs,
                                  .retry = command->retry,
                                  .fresh = command->fresh,
                                  .program = program,
                                  .context = command,
                                  .stop = stop,
                                  .show = show,
                                  .notice = notice};
    WEFT_TRY(weft_study_read(command->file, weft_scene_find, study));
    study->load_device = weft_device_load;
    WEFT_TRY(override(study, command, &options));
    WEFT_TRY(find_program(program));
    WEFT_TRY(weft_study_check(study));
    if (command->dry_run)
        return weft_study_print_cases(study, stdout);
    snprintf(folder, sizeof folder, "out/%s", study->name);
    command->out = command->out ? command->out : folder;
    options.out = command->out;
    weft_interrupt_catch();
    weft_progress_begin(&command->progress, study->name, command->quiet, 0, study->case_count, 0);
    command->progress.unit = "case";
    weft_result result = weft_study_run(study, &options, &summary);
    weft_progress_end(&command->progress);
    WEFT_TRY(result);
    *status = report_end(command, study, &summary);
    return weft_ok();
}

static const char NOTES[] =
    "FILE is a study file in YAML. Each case runs in a process of its own, and a case that fails is a row. Cases with\n"
    "device: cuda share one process, so that the GPU computes several at a time.\n\n"
    "  scene: drape.yaml                                # a file beside the study, or the name of a scene\n"
    "  set: {time.frames: 60}                           # values for all cases, as for --set\n"
    "  vary:                                            # any path of --set\n"
    "    cloth.fabric.preset: [wool, silk, denim]       # a list: fabrics, meshes, numbers\n"
    "    contact.friction: {range: [0, 0.5], count: 3}  # also log: and whole: (count: only for a grid)\n"
    "    bend: {paths: [cloth.fabric.bend_weft, cloth.fabric.bend_warp], log: [1e-6, 1e-4], count: 5}\n"
    "    cell: {together: {time.step: [5 ms, 2 ms], cloth.grid.cells: [[20, 20], [40, 40]]}}\n"
    "  design: grid                                     # random, latin, sobol, saltelli, morris (samples: N)\n"
    "  seed: 1\n"
    "  repeats: 1                                       # with different air.seed\n"
    "  record:\n"
    "    sag: {point: [0, 0, 1], measure: y}            # or vertex: 12; x, y, z, speed, distance\n"
    "    stretch: {frames: stretch_max, reduce: max}    # frames.csv; last, max, mean, min, sum, or at: 0.5 s\n"
    "    iterations: {report: solver.iterations}        # a number of report.json\n"
    "    drape: {drape: {support: 9 cm, radius: 15 cm}} # the drape coefficient, %\n"
    "  positions: last                                  # or all, {every: 5}: positions.h5\n"
    "  pictures: {width: 320, height: 240}              # of the last frames\n"
    "  limits: {time: 10 min}                           # of a case\n"
    "  run: {jobs: 8, threads: 1, on: local}\n"
    "  slurm: {partition: long, account: me, time: 1 h, batch: 100, cpus: 1, attempts: 3}\n\n"
    "DIR is out/NAME unless --out is given. It gets results.csv, results.sqlite, columns.csv, timings.csv,\n"
    "provenance.json and, if asked for, positions.h5 and pictures/. To continue a study that was stopped or killed,\n"
    "type the same command again: finished cases are not repeated.\n"
    "'weft study report DIR' makes DIR/report.html: tables, plots, sensitivity and pictures.\n"
    "--on slurm submits job arrays and collects their results. Cases that a job did not finish are submitted again.\n"
    "Ctrl-C waits for the cases that run and stops. A second Ctrl-C stops at once.";

static int run_command(int argc, char **argv) {
    study_command command = {0};
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &command.out, "DIR", "write files to DIR (default: out/NAME)", 0},
        {"--jobs", WEFT_OPTION_COUNT, &command.jobs, "N", "cases at a time; 0: one per processor (default)", 4096},
        {"--on", WEFT_OPTION_TEXT, &command.on, "WHERE", "local (default) or slurm", 0},
        {"--partition", WEFT_OPTION_TEXT, &command.partition, "NAME", "partition of the cluster", 0},
        {"--account", WEFT_OPTION_TEXT, &command.account, "NAME", "account on the cluster", 0},
        {"--time", WEFT_OPTION_TEXT, &command.time, "TIME", "time limit of a task of the cluster, for example 30 min",
         0},
        {"--batch", WEFT_OPTION_COUNT, &command.batch, "N", "cases of a task of the cluster (default 100)", 1000000},
        {"--retry", WEFT_OPTION_FLAG, &command.retry, NULL, "run failed cases again", 0},
        {"--fresh", WEFT_OPTION_FLAG, &command.fresh, NULL, "remove earlier results in DIR and start over", 0},
        {"--dry-run", WEFT_OPTION_FLAG, &command.dry_run, NULL, "check the study and print its cases as CSV", 0},
        {"--quiet", WEFT_OPTION_FLAG, &command.quiet, NULL, "print errors only", 0},
        {0},
    };
    weft_usage usage = {"study", "FILE", 1, 1, "Runs many cases of a scene and tabulates their figures.", NOTES, table};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    command.file = words.word[0];
    weft_study study = {0};
    status = WEFT_EXIT_OK;
    weft_result result = run(&command, &study, &status);
    if (result.code != WEFT_OK)
        status = weft_command_failed(&result);
    weft_study_close(&study);
    return status;
}

static int report_command(int argc, char **argv) {
    const char *out = NULL;
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &out, "FILE", "write the page to FILE (default: DIR/report.html)", 0},
        {0},
    };
    weft_usage usage = {"study report",
                        "DIR",
                        1,
                        1,
                        "Makes a page with the results of a study.",
                        "The page holds everything itself and opens in any browser.",
                        table};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    char path[1024];
    weft_result result = weft_study_page_write(words.word[0], out, path);
    if (result.code != WEFT_OK)
        return weft_command_failed(&result);
    weft_say("%s\n", path);
    return WEFT_EXIT_OK;
}

/* A task of a job array. Not for users, so --help does not show it. */
static int task_command(int argc, char **argv) {
    char *end;
    long task = argc == 2 ? strtol(argv[1], &end, 10) : -1;
    if (argc != 2 || *end || task < 0 || task > INT_MAX) {
        weft_complain("study: usage: weft study task FOLDER NUMBER");
        return WEFT_EXIT_USAGE;
    }
    weft_interrupt_catch();
    weft_result result = weft_cases_task(argv[0], (int)task, stop_task, weft_device_load);
    if (result.code != WEFT_OK)
        return weft_command_failed(&result);
    return weft_interrupt_signal() ? 128 + weft_interrupt_signal() : WEFT_EXIT_OK;
}

int weft_command_study(int argc, char **argv) {
    if (argc > 0 && strcmp(argv[0], "report") == 0)
        return report_command(argc - 1, argv + 1);
    if (argc > 0 && strcmp(argv[0], "task") == 0)
        return task_command(argc - 1, argv + 1);
    return run_command(argc, argv);
}
