#include "lab/study/slurm_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/study/study_folder.h"

enum { MOST_WORDS = 32, WORD = 1200 };

/* A command line. No shell is involved, so names may hold any character. */
typedef struct command {
    char word[MOST_WORDS][WORD];
    char *argument[MOST_WORDS + 1];
    int count;
} command;

static void add(command *c, const char *prefix, const char *text) {
    if (c->count == MOST_WORDS)
        return;
    snprintf(c->word[c->count], WORD, "%s%.1000s", prefix, text);
    c->argument[c->count] = c->word[c->count];
    c->argument[++c->count] = NULL;
}

/* Runs a command. `output` receives the beginning of what it prints on both streams. Returns its exit status, or -1. */
static int run_command(command *c, char *output, size_t size) {
    int ends[2], status = 0;
    size_t used = 0;
    output[0] = '\0';
    if (pipe(ends) != 0)
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(c->argument[0], c->argument);
        _exit(127);
    }
    close(ends[1]);
    for (char buffer[4096];;) {
        ssize_t got = child > 0 ? read(ends[0], buffer, sizeof buffer) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        size_t room = size - 1 - used, kept = (size_t)got < room ? (size_t)got : room;
        memcpy(output + used, buffer, kept);
        used += kept;
        output[used] = '\0';
    }
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static command *make_command(const char *name) {
    command *c = calloc(1, sizeof *c);
    if (c)
        add(c, "", name);
    return c;
}

weft_result weft_slurm_check(void) {
    static const char *const NAMES[] = {"sbatch", "squeue"};
    char output[256];
    for (int i = 0; i < 2; i++) {
        command *c = make_command(NAMES[i]);
        if (!c)
            return weft_fail_memory("a command", sizeof *c);
        add(c, "", "--version");
        int status = run_command(c, output, sizeof output);
        free(c);
        if (status != 0)
            return weft_fail(WEFT_UNSUPPORTED, "--on slurm: cannot run %s; Slurm is not installed here", NAMES[i]);
    }
    return weft_ok();
}

static weft_result write_script(const weft_slurm_job *job, const char *folder, char *path, size_t size) {
    WEFT_TRY(weft_study_folder_file(folder, "task.sh", path, size));
    FILE *file = fopen(path, "w");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    fprintf(file, "#!/bin/sh\nexec '%s' study task '%s' $((SLURM_ARRAY_TASK_ID + WEFT_FIRST_TASK))\n", job->program,
            folder);
    return fclose(file) == 0 ? weft_ok() : weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
}

static void add_limits(command *c, const weft_slurm_settings *settings) {
    char number[32];
    if (settings->partition[0])
        add(c, "--partition=", settings->partition);
    if (settings->account[0])
        add(c, "--account=", settings->account);
    if (settings->qos[0])
        add(c, "--qos=", settings->qos);
    if (settings->memory[0])
        add(c, "--mem=", settings->memory);
    snprintf(number, sizeof number, "%d", settings->cpus);
    add(c, "--cpus-per-task=", number);
    snprintf(number, sizeof number, "%d", (int)ceil(settings->time / 60));
    if (settings->time > 0)
        add(c, "--time=", number);
}

weft_result weft_slurm_submit(const weft_slurm_job *job, const char *folder, int first, int count, int64_t *id) {
    char script[1024], output[1024], text[1100];
    if (strchr(job->program, '\'') || strchr(folder, '\''))
        return weft_fail(WEFT_BAD_INPUT, "--on slurm: the paths of weft and of the study must not have a quote (')");
    WEFT_TRY(write_script(job, folder, script, sizeof script));
    command *c = make_command("sbatch");
    if (!c)
        return weft_fail_memory("a command", sizeof *c);
    add(c, "", "--parsable");
    add(c, "--job-name=weft-", job->name);
    if (job->settings->tasks > 0)
        snprintf(text, sizeof text, "0-%d%%%d", count - 1, job->settings->tasks);
    else
        snprintf(text, sizeof text, "0-%d", count - 1);
    add(c, "--array=", text);
    snprintf(text, sizeof text, "ALL,WEFT_FIRST_TASK=%d", first);
    add(c, "--export=", text);
    snprintf(text, sizeof text, "%.1000s/log-%%A_%%a", folder);
    add(c, "--output=", text);
    add(c, "", "--open-mode=append");
    add_limits(c, job->settings);
    add(c, "", script);
    int status = run_command(c, output, sizeof output);
    free(c);
    char *end = output;
    *id = status == 0 ? strtoll(output, &end, 10) : 0;
    if (status == 0 && *id > 0 && end != output)
        return weft_ok();
    output[strcspn(output, "\n")] = '\0';
    return weft_fail(WEFT_BAD_FILE, "sbatch failed: %.300s", output[0] ? output : "no message");
}

weft_queue_answer weft_slurm_ask(int64_t id, int *waiting) {
    static const size_t SIZE = 1 << 20;
    char number[32], *output = malloc(SIZE);
    command *c = make_command("squeue");
    *waiting = 0;
    if (!c || !output) {
        free(c);
        free(output);
        return WEFT_QUEUE_UNREACHABLE;
    }
    snprintf(number, sizeof number, "%lld", (long long)id);
    add(c, "", "--noheader");
    add(c, "", "--array");
    add(c, "--jobs=", number);
    add(c, "--format=", "%T");
    int status = run_command(c, output, SIZE);
    weft_queue_answer answer = WEFT_QUEUE_KNOWN;
    if (status != 0 && !strstr(output, "Invalid job id"))
        answer = WEFT_QUEUE_UNREACHABLE;
    for (const char *at = output; status == 0 && *at; at++)
        *waiting += *at == '\n';
    free(c);
    free(output);
    return answer;
}
