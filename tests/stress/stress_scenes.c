/* Runs random scenes, or given ones, and checks every step. `make soak` runs it for long; see --help. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "io/file.h"
#include "tests/stress/stress_generate.h"
#include "tests/stress/stress_options.h"
#include "tests/stress/stress_pool.h"
#include "tests/stress/stress_summary.h"

typedef struct soak {
    const stress_options *options;
    uint64_t index; /* of the next task */
    double start;   /* s */
    stress_summary sum;
    weft_result trouble; /* a scene or the summary could not be written */
} soak;

static double wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* -- tasks -- */

static int next_task(void *context, stress_task *task) {
    soak *own = context;
    const stress_options *options = own->options;
    int is_file = options->file_count > 0;
    uint64_t count = is_file ? (uint64_t)options->file_count : options->seeds;
    if (own->index >= count || own->trouble.code != WEFT_OK)
        return 0;
    if (options->minutes > 0 && wall_seconds() - own->start > 60 * options->minutes)
        return 0;
    *task = (stress_task){.is_file = is_file, .seed = options->first + own->index};
    if (is_file) {
        snprintf(task->path, sizeof task->path, "%s", options->file[own->index]);
    } else {
        stress_scene_path(task->seed, options->out, task->path, sizeof task->path);
        own->trouble = stress_scene_write(task->seed, options->out);
    }
    own->index++;
    return own->trouble.code == WEFT_OK;
}

static void name_task(const stress_task *task, char *name, size_t size) {
    if (task->is_file)
        snprintf(name, size, "%s", task->path);
    else
        snprintf(name, size, "seed %" PRIu64, task->seed);
}

/* One line per class. Returns 1 if there is any. */
static int print_findings(const stress_task *task, const stress_result *result) {
    char name[1024];
    int any = 0;
    name_task(task, name, sizeof name);
    for (int i = 0; i < STRESS_CLASSES; i++) {
        const stress_finding *finding = &result->finding[i];
        if (finding->count == 0)
            continue;
        any = 1;
        printf("%s: %s at frame %" PRId64 ", step %" PRId64 ": %s; %s\n", name, stress_class_name((stress_class)i),
               finding->frame, finding->step, finding->text, task->path);
    }
    fflush(stdout);
    return any;
}

static void print_scene(const stress_task *task, const stress_result *result, int failed) {
    char name[1024];
    name_task(task, name, sizeof name);
    printf("%s: %" PRId64 " steps, %d vertices, %" PRId64 " Newton updates (at most %" PRId64
           " per step), %.2f s, slowest step %.0f times the median, stretch %.3f%s\n",
           name, result->steps, result->vertices, result->newton, result->worst_newton, result->seconds,
           result->worst_ratio, result->stretch, failed ? "" : ", no failure");
}

static void finish_task(void *context, const stress_task *task, const stress_result *result) {
    soak *own = context;
    char name[sizeof own->sum.slowest];
    name_task(task, name, sizeof name);
    stress_summary_add(&own->sum, task->seed, name, result);
    int failed = print_findings(task, result);
    if (!failed && !task->is_file)
        stress_scene_remove(task->seed, own->options->out);
    if (task->is_file || own->options->verbose)
        print_scene(task, result, failed);
}

/* -- results -- */

static int exit_status(const soak *own) {
    int last = own->options->strict ? STRESS_CLASSES : STRESS_FATAL;
    for (int i = 0; i < last; i++)
        if (own->sum.failures[i] > 0)
            return 1;
    return own->options->updates > 0 && own->sum.worst_newton > own->options->updates;
}

static int complain(weft_result result) {
    fprintf(stderr, "stress_scenes: %s\n", result.message);
    return 2;
}

static int end(soak *own) {
    const stress_options *options = own->options;
    own->sum.first = options->first;
    own->sum.by_seed = options->file_count == 0;
    own->sum.wall_seconds = wall_seconds() - own->start;
    stress_summary_print(&own->sum);
    weft_result written = options->json ? stress_summary_write(&own->sum, options->json) : weft_ok();
    return written.code == WEFT_OK ? exit_status(own) : complain(written);
}

/* -- ways to run -- */

static int write_only(const stress_options *options) {
    weft_result result = weft_directory_make(options->only);
    for (uint64_t i = 0; i < options->seeds && result.code == WEFT_OK; i++)
        result = stress_scene_write(options->first + i, options->only);
    return result.code == WEFT_OK ? 0 : complain(result);
}

/* In this process, so that a debugger can follow. */
static int run_single(soak *own) {
    stress_task task;
    stress_result result;
    if (!next_task(own, &task))
        return complain(own->trouble);
    printf("seed %" PRIu64 ": %s\n", task.seed, task.path);
    stress_check_scene(task.path, 1, &result);
    finish_task(own, &task, &result);
    return end(own);
}

static int run_all(soak *own) {
    stress_pool pool = {.jobs = own->options->jobs,
                        .limit = own->options->limit,
                        .context = own,
                        .next = next_task,
                        .done = finish_task};
    weft_result result = stress_pool_run(&pool);
    if (result.code == WEFT_OK)
        result = own->trouble;
    if (result.code != WEFT_OK)
        return complain(result);
    return end(own);
}

int main(int count, char **word) {
    stress_options options;
    weft_result result = stress_options_read(count - 1, word + 1, &options);
    if (result.code != WEFT_OK)
        return complain(result);
    if (options.help) {
        stress_options_help();
        return 0;
    }
    if (options.only)
        return write_only(&options);
    if (options.file_count == 0)
        result = weft_directory_make(options.out);
    if (result.code != WEFT_OK)
        return complain(result);
    soak own = {.options = &options, .start = wall_seconds(), .sum = {.slowest = "none"}, .trouble = weft_ok()};
    return options.single ? run_single(&own) : run_all(&own);
}
