#include "tests/stress/stress_pool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct slot {
    pid_t process; /* 0: free */
    stress_task task;
    stress_result *result; /* shared with the process */
} slot;

/* CPU time, because other programs share the machine. */
static void limit_process(int seconds) {
    struct rlimit none = {0, 0}, time = {(rlim_t)seconds, (rlim_t)seconds + 5};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)setrlimit(RLIMIT_CPU, &time);
}

static weft_result start(const stress_pool *pool, slot *own) {
    memset(own->result, 0, sizeof *own->result);
    fflush(NULL); /* or the child prints it again */
    own->process = fork();
    if (own->process < 0)
        return weft_fail(WEFT_NO_MEMORY, "no process for %.300s: %s", own->task.path, strerror(errno));
    if (own->process == 0) {
        limit_process(pool->limit);
        stress_check_scene(own->task.path, 0, own->result);
        exit(0);
    }
    return weft_ok();
}

/* The step in progress stalls if it took 100 times the mean of those before. */
static void judge_limit(const stress_pool *pool, stress_result *result) {
    double mean = result->steps > 0 ? result->seconds / (double)result->steps : 0;
    double last = pool->limit - result->seconds;
    stress_finding *finding = &result->finding[last > 100 * mean ? STRESS_STALL : STRESS_SLOW];
    finding->count++;
    finding->frame = result->frame;
    finding->step = result->steps + 1;
    snprintf(finding->text, sizeof finding->text, "not done after %d s, with %.3g s in the steps before", pool->limit,
             result->seconds);
}

/* Adds what only the process's end tells. */
static void judge_end(const stress_pool *pool, stress_result *result, int status) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        judge_limit(pool, result);
        return;
    }
    stress_finding *finding = &result->finding[STRESS_CRASH];
    finding->count++;
    finding->frame = result->frame;
    finding->step = result->steps + 1;
    if (WIFSIGNALED(status))
        snprintf(finding->text, sizeof finding->text, "the process ended by signal %d", WTERMSIG(status));
    else
        snprintf(finding->text, sizeof finding->text, "the process ended with status %d", WEXITSTATUS(status));
}

/* Waits for one process. */
static void finish_one(const stress_pool *pool, slot *slots) {
    int status;
    pid_t process = waitpid(-1, &status, 0);
    for (int i = 0; i < pool->jobs && process > 0; i++)
        if (slots[i].process == process) {
            judge_end(pool, slots[i].result, status);
            pool->done(pool->context, &slots[i].task, slots[i].result);
            slots[i].process = 0;
        }
}

static weft_result run_all(const stress_pool *pool, slot *slots) {
    int running = 0, more = 1;
    while (more || running > 0) {
        for (int i = 0; i < pool->jobs && more; i++) {
            if (slots[i].process != 0)
                continue;
            more = pool->next(pool->context, &slots[i].task);
            if (!more)
                break;
            WEFT_TRY(start(pool, &slots[i]));
            running++;
        }
        if (running > 0) {
            finish_one(pool, slots);
            running--;
        }
    }
    return weft_ok();
}

weft_result stress_pool_run(const stress_pool *pool) {
    size_t bytes = (size_t)pool->jobs * sizeof(stress_result);
    slot *slots = calloc((size_t)pool->jobs, sizeof *slots);
    stress_result *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!slots || shared == MAP_FAILED) {
        free(slots);
        return weft_fail_memory("the results", bytes);
    }
    for (int i = 0; i < pool->jobs; i++)
        slots[i].result = &shared[i];
    weft_result result = run_all(pool, slots);
    munmap(shared, bytes);
    free(slots);
    return result;
}
