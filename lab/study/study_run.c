#include "lab/study/study_run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "lab/study/case_slurm.h"
#include "lab/study/journal.h"
#include "lab/study/results.h"
#include "lab/study/study_folder.h"
#include "lab/study/wall_clock.h"

typedef struct study_run {
    const weft_study *study;
    const weft_study_options *options;
    weft_study_summary *summary;
    weft_study_folder folder;
    weft_results results;
    weft_journal journal;
    weft_study_room room;
    weft_study_progress progress;
    char picture[1100];
    double spent; /* wall time of the cases of this start, s */
} study_run;

weft_case_setup weft_study_setup(const weft_study *study) {
    return (weft_case_setup){.scene = study->scene,
                             .load_device = study->load_device,
                             .set = (const char *const *)study->set,
                             .set_count = study->set_count,
                             .base = study->path,
                             .recording = {.figure = study->figure,
                                           .figure_count = study->figure_count,
                                           .positions = study->positions,
                                           .every = study->positions_every,
                                           .picture_width = study->picture_width,
                                           .picture_height = study->picture_height}};
}

/* -- the list of cases -- */

static int is_wanted(void *context, int64_t index) {
    const study_run *run = context;
    const weft_row *row = &run->results.row[index];
    return !row->is_done;
}

static weft_result get_case(void *context, int64_t index, weft_case *one) {
    study_run *run = context;
    WEFT_TRY(weft_study_case(run->study, index, &run->room, one));
    if (!run->study->pictures)
        return weft_ok();
    snprintf(run->picture, sizeof run->picture, "%s/pictures/%06" PRId64 ".png", run->folder.path, index);
    one->picture = run->picture;
    return weft_ok();
}

static weft_result case_done(void *context, int64_t index, const weft_case_outcome *outcome) {
    study_run *run = context;
    int64_t offset, size;
    WEFT_TRY(weft_journal_add(&run->journal, index, outcome, &offset, &size));
    WEFT_TRY(weft_results_add(&run->results, index, outcome, offset, size));
    run->spent += outcome->wall_seconds;
    run->summary->run++;
    run->progress.done = run->results.done;
    run->progress.failed = run->results.done - run->results.ok;
    if (run->options->show)
        run->options->show(run->options->context, &run->progress);
    return weft_ok();
}

static int is_stopped(void *context) {
    study_run *run = context;
    int stopped = run->options->stop && run->options->stop(run->options->context);
    run->summary->stopped |= stopped;
    return stopped;
}

static void show_queue(void *context, int waiting) {
    study_run *run = context;
    run->progress.waiting = waiting;
    if (run->options->show)
        run->options->show(run->options->context, &run->progress);
}

/* -- the run -- */

/* Failed cases are forgotten, so that they are wanted again. Their records stay in the journal; later ones count. */
static void forget_failures(study_run *run) {
    for (int64_t i = 0; i < run->study->case_count; i++)
        if (run->results.row[i].is_done && run->results.row[i].status != WEFT_CASE_OK)
            weft_results_forget(&run->results, i);
}

static weft_result run_cases(study_run *run) {
    const weft_study_settings *settings = &run->study->settings;
    weft_case_setup setup = weft_study_setup(run->study);
    weft_case_list list = {.context = run,
                           .count = run->study->case_count,
                           .wanted = is_wanted,
                           .get = get_case,
                           .done = case_done,
                           .stop = is_stopped};
    weft_case_settings how = {.jobs = run->options->jobs > 0 ? run->options->jobs : settings->jobs,
                              .threads = settings->threads,
                              .seconds = settings->limit};
    int jobs = how.jobs > 0 ? how.jobs : weft_case_processors();
    double begin = weft_seconds(CLOCK_MONOTONIC);
    weft_result result;
    if (run->options->on_slurm) {
        char folder[1024];
        WEFT_TRY(weft_study_folder_file(run->folder.path, "slurm", folder, sizeof folder));
        weft_slurm_job job = {.settings = &settings->slurm,
                              .folder = folder,
                              .program = run->options->program,
                              .name = run->study->name,
                              .retry = run->options->retry,
                              .queue = show_queue};
        result = weft_cases_run_slurm(&setup, 1, &list, &how, &job);
    } else {
        result = weft_cases_run(&setup, 1, &list, &how);
    }
    run->summary->elapsed = weft_seconds(CLOCK_MONOTONIC) - begin;
    if (!run->options->on_slurm && run->summary->elapsed > 0)
        run->summary->busy = run->spent / (run->summary->elapsed * jobs);
    return result;
}

static weft_result write_tables(study_run *run) {
    char path[1024];
    const char *folder = run->folder.path;
    WEFT_TRY(weft_study_folder_file(folder, "columns.csv", path, sizeof path));
    WEFT_TRY(weft_results_write_columns(run->study, path));
    WEFT_TRY(weft_study_folder_file(folder, "timings.csv", path, sizeof path));
    WEFT_TRY(weft_results_write_timings(&run->results, path));
    WEFT_TRY(weft_study_folder_file(folder, "provenance.json", path, sizeof path));
    WEFT_TRY(weft_results_write_provenance(&run->results, path));
    WEFT_TRY(weft_study_folder_file(folder, "results.sqlite", path, sizeof path));
    WEFT_TRY(weft_results_write_sqlite(&run->results, path));
    if (run->study->positions != WEFT_KEEP_NONE && !run->summary->stopped) {
        WEFT_TRY(weft_study_folder_file(folder, "positions.h5", path, sizeof path));
        WEFT_TRY(weft_results_write_hdf5(&run->results, run->journal.path, path));
    }
    WEFT_TRY(weft_study_folder_file(folder, "results.csv", path, sizeof path));
    return weft_results_write_csv(&run->results, path);
}

/* Jobs of an earlier start may still run, or have outcomes that nobody collected. */
static void note_jobs(const study_run *run) {
    char path[1024];
    if (!run->options->on_slurm && run->options->notice &&
        weft_study_folder_file(run->folder.path, "slurm/jobs", path, sizeof path).code == WEFT_OK &&
        access(path, F_OK) == 0)
        run->options->notice(run->options->context,
                             "jobs of an earlier start are not collected here; --on slurm does that");
}

static weft_result open_run(study_run *run) {
    char path[1024], notice[400];
    WEFT_TRY(weft_study_folder_open(&run->folder, run->options->out, run->study, run->options->fresh, notice,
                                    sizeof notice));
    if (notice[0] && run->options->notice)
        run->options->notice(run->options->context, notice);
    if (run->study->pictures) {
        WEFT_TRY(weft_study_folder_file(run->folder.path, "pictures", path, sizeof path));
        WEFT_TRY(weft_directory_make(path));
    }
    WEFT_TRY(weft_results_create(&run->results, run->study));
    WEFT_TRY(weft_study_folder_file(run->folder.path, "journal", path, sizeof path));
    WEFT_TRY(weft_journal_open(&run->journal, path, &run->results, weft_results_add));
    if (run->options->retry)
        forget_failures(run);
    if (run->results.done < run->study->case_count)
        note_jobs(run);
    run->progress = (weft_study_progress){.done = run->results.done,
                                          .total = run->study->case_count,
                                          .failed = run->results.done - run->results.ok,
                                          .first = run->results.done,
                                          .waiting = -1};
    return weft_ok();
}

static weft_result run_study(study_run *run) {
    WEFT_TRY(open_run(run));
    WEFT_TRY(run_cases(run));
    run->summary->total = run->study->case_count;
    run->summary->done = run->results.done;
    run->summary->ok = run->results.ok;
    WEFT_TRY(weft_journal_close(&run->journal));
    return write_tables(run);
}

weft_result weft_study_run(const weft_study *study, const weft_study_options *options, weft_study_summary *summary) {
    study_run run = {.study = study, .options = options, .summary = summary, .folder = {.lock = -1}};
    run.journal.file = -1;
    *summary = (weft_study_summary){0};
    weft_result result = run_study(&run);
    (void)weft_journal_close(&run.journal);
    weft_study_room_free(&run.room);
    weft_results_free(&run.results);
    weft_study_folder_close(&run.folder);
    return result;
}

weft_result weft_study_print_cases(const weft_study *study, FILE *file) {
    char cell[4096];
    fprintf(file, "case,repeat");
    for (int p = 0; p < study->parameter_count; p++)
        for (int part = 0; part < weft_parameter_parts(&study->parameter[p]); part++)
            fprintf(file, ",%s", weft_parameter_column(&study->parameter[p], part));
    fprintf(file, "\n");
    for (int64_t i = 0; i < study->case_count; i++) {
        fprintf(file, "%" PRId64 ",%" PRId64, i, i % study->settings.repeats);
        for (int p = 0; p < study->parameter_count; p++)
            for (int part = 0; part < weft_parameter_parts(&study->parameter[p]); part++) {
                WEFT_TRY(weft_study_value(study, i, p, part, cell, sizeof cell));
                fprintf(file, strpbrk(cell, ",\"") ? ",\"%s\"" : ",%s", cell);
            }
        fprintf(file, "\n");
    }
    return weft_ok();
}
