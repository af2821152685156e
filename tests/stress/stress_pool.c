#include "tests/stress/stress_pool.h"

#include <errno.h>
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

/* Waits for one process. */
static void finish_one(const stress_pool *pool, slot *slots) {
    int status;
    pid_t process = waitpid(-1, &status, 0);
    for (int i = 0; i < pool->jobs && process > 0; i++)
        if (slots[i].process == process) {
            stress_judge_end(slots[i].result, status, pool->limit);
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
