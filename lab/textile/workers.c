#include "lab/textile/workers.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/study/case_runner.h"

enum { MOST_JOBS = 256 };

typedef struct worker {
    pid_t pid;
    int pipe, task;
    size_t got; /* bytes */
} worker;

static void send(int pipe, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = write(pipe, bytes, size);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

static weft_result start(const weft_workers *w, int task, worker *made) {
    int ends[2];
    if (pipe(ends) != 0)
        return weft_fail(WEFT_BAD_FILE, "a worker could not be started: %s", strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        double *out = w->out + (size_t)task * w->size;
        w->run(w->context, task, out);
        send(ends[1], (const char *)out, w->size * sizeof *out);
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return weft_fail(WEFT_BAD_FILE, "a worker could not be started: %s", strerror(errno));
    }
    *made = (worker){pid, ends[0], task, 0};
    return weft_ok();
}

/* Returns 1 if the worker has ended. */
static int receive(const weft_workers *w, worker *from) {
    char *out = (char *)(w->out + (size_t)from->task * w->size);
    size_t whole = w->size * sizeof *w->out;
    char rest[64];
    ssize_t got = read(from->pipe, from->got < whole ? out + from->got : rest,
                       from->got < whole ? whole - from->got : sizeof rest);
    if (got < 0 && errno == EINTR)
        return 0;
    if (got > 0) {
        from->got += (size_t)got;
        return 0;
    }
    int status;
    close(from->pipe);
    waitpid(from->pid, &status, 0);
    w->done[from->task] = from->got == whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return 1;
}

static void wait_for_any(worker *worker_list, int count) {
    struct pollfd fds[MOST_JOBS];
    for (int i = 0; i < count; i++)
        fds[i] = (struct pollfd){.fd = worker_list[i].pipe, .events = POLLIN};
    while (poll(fds, (nfds_t)count, -1) < 0 && errno == EINTR) {
    }
}

weft_result weft_workers_run(const weft_workers *w, int jobs) {
    worker running[MOST_JOBS];
    int count = 0, next = 0;
    weft_result result = weft_ok();
    jobs = jobs > 0 ? jobs : weft_case_processors();
    jobs = jobs < MOST_JOBS ? jobs : MOST_JOBS;
    memset(w->done, 0, (size_t)w->count * sizeof *w->done);
    while (count > 0 || (next < w->count && result.code == WEFT_OK)) {
        if (count < jobs && next < w->count && result.code == WEFT_OK) {
            result = start(w, next++, &running[count]);
            count += result.code == WEFT_OK;
            continue;
        }
        wait_for_any(running, count);
        struct pollfd ready;
        for (int i = 0; i < count; i++) {
            ready = (struct pollfd){.fd = running[i].pipe, .events = POLLIN};
            if (poll(&ready, 1, 0) > 0 && receive(w, &running[i]))
                running[i--] = running[--count];
        }
    }
    return result;
}
