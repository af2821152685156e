#include "lab/study/case_slurm.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/file.h"
#include "lab/study/case_message.h"
#include "lab/study/case_plan.h"
#include "lab/study/journal.h"
#include "lab/study/slurm_queue.h"
#include "lab/study/study_folder.h"

/* FOLDER/jobs has a line "ROUND FIRST TASKS JOB" for each submitted array. FOLDER/round-001/ has plan, cases-00000,
 * journal-00000 and log files. */
enum { MOST_ARRAY = 1000, MOST_JOBS = 4096, PATIENCE = 100 };

typedef struct array_job {
    int round, first, tasks;
    int64_t id;
    int left; /* 1: no task of it is in the queue any more */
} array_job;

typedef struct cluster {
    const weft_case_setup *setups;
    int setup_count;
    const weft_case_list *list;
    const weft_case_settings *settings;
    const weft_slurm_job *job;
    array_job jobs[MOST_JOBS];
    int job_count, old_jobs, round; /* `old_jobs`: those of earlier calls; `round`: the last one */
    int64_t *read;                  /* bytes read of each journal of the rounds since this start (journals) */
    int journals;
    uint8_t *attempts; /* of each case, in this start */
} cluster;

static weft_result round_folder(const cluster *c, int round, char *path, size_t size) {
    char name[32];
    snprintf(name, sizeof name, "round-%03d", round);
    return weft_study_folder_file(c->job->folder, name, path, size);
}

static weft_result task_file(const char *folder, const char *kind, int task, char *path, size_t size) {
    char name[48];
    snprintf(name, sizeof name, "%s-%05d", kind, task);
    return weft_study_folder_file(folder, name, path, size);
}

/* -- collecting -- */

static weft_result collect_one(void *context, int64_t index, const weft_case_outcome *outcome, int64_t offset,
                               int64_t size) {
    (void)offset, (void)size;
    const cluster *c = context;
    if (index < 0 || index >= c->list->count)
        return weft_fail(WEFT_BAD_INPUT, "%.300s: has a case of another study", c->job->folder);
    if (c->list->wanted && !c->list->wanted(c->list->context, index))
        return weft_ok();
    return c->list->done(c->list->context, index, outcome);
}

/* Failures of earlier calls are to run again. */
static weft_result collect_good(void *context, int64_t index, const weft_case_outcome *outcome, int64_t offset,
                                int64_t size) {
    return outcome->status == WEFT_CASE_OK ? collect_one(context, index, outcome, offset, size) : weft_ok();
}

/* Reads what the tasks of one array have written since the last look. */
static weft_result collect_job(cluster *c, const array_job *job, weft_journal_visit visit, int64_t *read) {
    char folder[1024], path[1100];
    WEFT_TRY(round_folder(c, job->round, folder, sizeof folder));
    for (int i = 0; i < job->tasks; i++) {
        WEFT_TRY(task_file(folder, "journal", job->first + i, path, sizeof path));
        WEFT_TRY(weft_journal_scan(path, c, visit, &read[i]));
    }
    return weft_ok();
}

static weft_result collect(cluster *c) {
    int at = 0;
    for (int i = 0; i < c->job_count; i++) {
        weft_journal_visit visit = c->job->retry && i < c->old_jobs ? collect_good : collect_one;
        WEFT_TRY(collect_job(c, &c->jobs[i], visit, c->read + at));
        at += c->jobs[i].tasks;
    }
    return weft_ok();
}

/* -- the list of jobs -- */

static weft_result note_job(cluster *c, array_job job) {
    if (c->job_count == MOST_JOBS)
        return weft_fail(WEFT_UNSUPPORTED, "more than %d job arrays; raise slurm.batch", MOST_JOBS);
    int64_t *grown = realloc(c->read, ((size_t)c->journals + (size_t)job.tasks + 1) * sizeof *grown);
    if (!grown)
        return weft_fail_memory("journals", (size_t)job.tasks * sizeof *grown);
    c->read = grown;
    memset(grown + c->journals, 0, (size_t)job.tasks * sizeof *grown);
    c->journals += job.tasks;
    c->jobs[c->job_count++] = job;
    c->round = job.round > c->round ? job.round : c->round;
    return weft_ok();
}

static weft_result read_jobs(cluster *c) {
    char path[1024];
    WEFT_TRY(weft_study_folder_file(c->job->folder, "jobs", path, sizeof path));
    FILE *file = fopen(path, "r");
    weft_result result = weft_ok();
    array_job job = {0};
    while (file && result.code == WEFT_OK &&
           fscanf(file, "%d %d %d %" SCNd64, &job.round, &job.first, &job.tasks, &job.id) == 4)
        if (job.tasks > 0 && job.tasks <= MOST_ARRAY && job.round > 0)
            result = note_job(c, job);
    if (file)
        fclose(file);
    return result;
}

static weft_result write_job(cluster *c, const array_job *job) {
    char path[1024];
    WEFT_TRY(weft_study_folder_file(c->job->folder, "jobs", path, sizeof path));
    FILE *file = fopen(path, "a");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    fprintf(file, "%d %d %d %" PRId64 "\n", job->round, job->first, job->tasks, job->id);
    return fclose(file) == 0 ? weft_ok() : weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
}

/* -- submitting -- */

/* Writes the files of one task. Returns the number of its cases in `count` and moves `*next`. */
static weft_result write_task(cluster *c, const char *folder, int task, int64_t *next, int *count) {
    char path[1100];
    weft_output output;
    weft_result result = weft_ok();
    WEFT_TRY(task_file(folder, "cases", task, path, sizeof path));
    WEFT_TRY(weft_output_open(&output, path));
    for (*count = 0; *next < c->list->count && *count < c->job->settings->batch && result.code == WEFT_OK; (*next)++) {
        weft_case one;
        char *bytes = NULL;
        size_t size = 0;
        if (c->list->wanted && !c->list->wanted(c->list->context, *next))
            continue;
        result = c->list->get(c->list->context, *next, &one);
        if (result.code == WEFT_OK)
            result = weft_case_pack(*next, &one, &bytes, &size);
        if (result.code == WEFT_OK)
            weft_output_write(&output, bytes, size);
        free(bytes);
        c->attempts[*next]++;
        (*count)++;
    }
    if (result.code == WEFT_OK && *count > 0)
        return weft_output_commit(&output);
    weft_output_discard(&output);
    return result;
}

static weft_result submit_round(cluster *c) {
    char folder[1024], path[1100];
    int tasks = 0;
    WEFT_TRY(round_folder(c, ++c->round, folder, sizeof folder));
    WEFT_TRY(weft_directory_make(folder));
    WEFT_TRY(weft_study_folder_file(folder, "plan", path, sizeof path));
    weft_case_settings settings = *c->settings;
    settings.jobs = c->job->settings->cpus > settings.threads
                        ? c->job->settings->cpus / (settings.threads > 0 ? settings.threads : 1)
                        : 1;
    WEFT_TRY(weft_case_plan_write(path, c->setups, c->setup_count, &settings));
    for (int64_t next = 0; next < c->list->count;) {
        int count;
        WEFT_TRY(write_task(c, folder, tasks, &next, &count));
        tasks += count > 0;
    }
    for (int first = 0; first < tasks; first += MOST_ARRAY) {
        array_job job = {
            .round = c->round, .first = first, .tasks = tasks - first < MOST_ARRAY ? tasks - first : MOST_ARRAY};
        WEFT_TRY(weft_slurm_submit(c->job, folder, first, job.tasks, &job.id));
        WEFT_TRY(write_job(c, &job));
        WEFT_TRY(note_job(c, job));
    }
    return weft_ok();
}

/* -- waiting -- */

static int wants_stop(const cluster *c) { return c->list->stop && c->list->stop(c->list->context); }

/* Waits for the next look at the queue, but notices a stop at once. */
static void pause_for(const cluster *c, double seconds) {
    for (double waited = 0; waited < seconds && !wants_stop(c); waited += 0.1) {
        struct timespec tenth = {0, 100000000};
        nanosleep(&tenth, NULL);
    }
}

/* Waits until no job is in the queue. A controller that does not answer is asked again: it may be restarting. */
static weft_result wait_for_jobs(cluster *c) {
    int unreachable = 0;
    for (;;) {
        int waiting = 0, answered = 1;
        for (int i = 0; i < c->job_count && answered; i++) {
            int of_job = 0;
            if (c->jobs[i].left)
                continue;
            answered = weft_slurm_ask(c->jobs[i].id, &of_job) == WEFT_QUEUE_KNOWN;
            c->jobs[i].left = answered && of_job == 0;
            waiting += of_job;
        }
        unreachable = answered ? 0 : unreachable + 1;
        if (unreachable > PATIENCE)
            return weft_fail(WEFT_BAD_FILE, "squeue does not answer; start the same command again to go on");
        WEFT_TRY(collect(c));
        if (answered && c->job->queue)
            c->job->queue(c->list->context, waiting);
        if ((answered && waiting == 0) || wants_stop(c))
            return weft_ok();
        pause_for(c, c->job->settings->poll);
    }
}

static weft_result give_up(cluster *c, int64_t index) {
    weft_case_outcome lost = {.status = WEFT_CASE_LOST};
    snprintf(lost.reason, sizeof lost.reason, "not finished in %d submissions; the logs are in slurm/round-%03d",
             c->attempts[index], c->round);
    gethostname(lost.host, sizeof lost.host - 1);
    return c->list->done(c->list->context, index, &lost);
}

/* Returns the number of cases that are to be submitted; those that failed too often become lost. */
static weft_result count_missing(cluster *c, int64_t *missing) {
    *missing = 0;
    for (int64_t i = 0; i < c->list->count; i++) {
        if (c->list->wanted && !c->list->wanted(c->list->context, i))
            continue;
        if (c->attempts[i] >= c->job->settings->attempts)
            WEFT_TRY(give_up(c, i));
        else
            (*missing)++;
    }
    return weft_ok();
}

static weft_result run_rounds(cluster *c) {
    int64_t missing;
    WEFT_TRY(weft_slurm_check());
    WEFT_TRY(weft_directory_make(c->job->folder));
    WEFT_TRY(read_jobs(c));
    c->old_jobs = c->job_count;
    WEFT_TRY(wait_for_jobs(c));
    for (;;) {
        if (wants_stop(c))
            return weft_ok();
        WEFT_TRY(count_missing(c, &missing));
        if (missing == 0)
            return weft_ok();
        WEFT_TRY(submit_round(c));
        WEFT_TRY(wait_for_jobs(c));
    }
}

weft_result weft_cases_run_slurm(const weft_case_setup *setups, int setup_count, const weft_case_list *list,
                                 const weft_case_settings *settings, const weft_slurm_job *job) {
    cluster *c = calloc(1, sizeof *c);
    uint8_t *attempts = calloc((size_t)list->count + 1, 1);
    weft_result result = weft_fail_memory("a cluster", sizeof *c);
    if (c && attempts) {
        c->setups = setups;
        c->setup_count = setup_count;
        c->list = list;
        c->settings = settings;
        c->job = job;
        c->attempts = attempts;
        result = run_rounds(c);
        free(c->read);
    }
    free(attempts);
    free(c);
    return result;
}

/* -- a task -- */

typedef struct task_run {
    weft_case_room *room; /* the cases (count) */
    weft_case *one;
    int64_t *index;
    uint8_t *done;
    int count;
    weft_journal journal;
    int (*stop)(void);
} task_run;

static int task_wanted(void *context, int64_t place) { return !((const task_run *)context)->done[place]; }

static weft_result task_get(void *context, int64_t place, weft_case *one) {
    *one = ((const task_run *)context)->one[place];
    return weft_ok();
}

static weft_result task_done(void *context, int64_t place, const weft_case_outcome *outcome) {
    task_run *t = context;
    t->done[place] = 1;
    return weft_journal_add(&t->journal, t->index[place], outcome, NULL, NULL);
}

static int task_stop(void *context) {
    const task_run *t = context;
    return t->stop && t->stop();
}

/* A task that was requeued has done a part before. */
static weft_result task_seen(void *context, int64_t index, const weft_case_outcome *outcome, int64_t offset,
                             int64_t size) {
    (void)outcome, (void)offset, (void)size;
    task_run *t = context;
    for (int i = 0; i < t->count; i++)
        t->done[i] |= t->index[i] == index;
    return weft_ok();
}

static weft_result read_cases(const char *path, task_run *t) {
    FILE *file = fopen(path, "r");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    for (int room = 0;; t->count++) {
        if (t->count == room) {
            room = room > 0 ? 2 * room : 64;
            weft_case_room *rooms = realloc(t->room, (size_t)room * sizeof *rooms);
            t->room = rooms ? rooms : t->room;
            weft_case *ones = realloc(t->one, (size_t)room * sizeof *ones);
            t->one = ones ? ones : t->one;
            int64_t *indices = realloc(t->index, (size_t)room * sizeof *indices);
            t->index = indices ? indices : t->index;
            if (!rooms || !ones || !indices) {
                fclose(file);
                return weft_fail_memory(path, (size_t)room * sizeof *rooms);
            }
        }
        t->room[t->count] = (weft_case_room){0};
        if (!weft_case_receive(fileno(file), &t->room[t->count], &t->index[t->count], &t->one[t->count]))
            break;
    }
    fclose(file);
    t->done = calloc((size_t)t->count + 1, 1);
    return t->done ? weft_ok() : weft_fail_memory(path, (size_t)t->count);
}

static weft_result run_task(const char *folder, int task, task_run *t, weft_case_plan *plan,
                            weft_case_loader load_device) {
    char path[1100];
    WEFT_TRY(weft_study_folder_file(folder, "plan", path, sizeof path));
    WEFT_TRY(weft_case_plan_read(path, plan));
    for (int i = 0; i < plan->setup_count; i++)
        plan->setup[i].load_device = load_device;
    WEFT_TRY(task_file(folder, "cases", task, path, sizeof path));
    WEFT_TRY(read_cases(path, t));
    WEFT_TRY(task_file(folder, "journal", task, path, sizeof path));
    WEFT_TRY(weft_journal_open(&t->journal, path, t, task_seen));
    weft_case_list list = {
        .context = t, .count = t->count, .wanted = task_wanted, .get = task_get, .done = task_done, .stop = task_stop};
    return weft_cases_run(plan->setup, plan->setup_count, &list, &plan->settings);
}

weft_result weft_cases_task(const char *folder, int task, int (*stop)(void), weft_case_loader load_device) {
    task_run t = {.journal = {.file = -1}, .stop = stop};
    weft_case_plan plan = {0};
    weft_result result = run_task(folder, task, &t, &plan, load_device);
    weft_result closed = weft_journal_close(&t.journal);
    for (int i = 0; i < t.count; i++)
        weft_case_room_free(&t.room[i]);
    free(t.room);
    free(t.one);
    free(t.index);
    free(t.done);
    weft_case_plan_free(&plan);
    return result.code == WEFT_OK ? closed : result;
}
