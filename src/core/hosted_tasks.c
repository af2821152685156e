/* Loops on the task system of the host program. */
#include "core/pool.h"

static weft_task_system host; /* start is null when the host has set none */

void weft_task_system_set(const weft_task_system *tasks) { host = tasks ? *tasks : (weft_task_system){0}; }

int weft_hosted_tasks_threads(void) {
    if (!host.start)
        return 0;
    return host.threads > 1 ? host.threads : 1;
}

typedef struct hosted_job {
    weft_pool_function run;
    void *job;
} hosted_job;

/* A thread of the host may run a task while it waits inside another. */
static void run_member(void *context, int index) {
    const hosted_job *h = context;
    bool was_inside = weft_pool_set_inside(true);
    h->run(h->job, index + 1);
    weft_pool_set_inside(was_inside);
}

bool weft_hosted_tasks_run(int threads, weft_pool_function run, void *job) {
    hosted_job h = {run, job};
    if (!host.start)
        return false;
    if (threads > weft_hosted_tasks_threads())
        threads = weft_hosted_tasks_threads();
    void *handle = threads > 1 ? host.start(host.context, run_member, &h, threads - 1) : NULL;
    bool was_inside = weft_pool_set_inside(true);
    run(job, 0);
    weft_pool_set_inside(was_inside);
    if (threads > 1)
        host.wait(host.context, handle);
    return true;
}
