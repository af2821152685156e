/* The pool of worker processes. Each worker has a pipe for cases and one for outcomes. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "study/case_message.h"
#include "study/case_worker.h"
#include "study/wall_clock.h"

enum { TICK_MS = 250, HIGHEST_FILE = 1024 };

typedef struct slot {
    pid_t process; /* 0: none */
    int requests, replies;
    int64_t index; /* the case that it runs; -1: none */
    double deadline;
    int overdue; /* killed because of the time limit */
    char *reply;
    size_t got, room;
} slot;

typedef struct pool {
    const weft_case_setup *setups;
    int setup_count, jobs;
    const weft_case_list *list;
    weft_case_settings settings;
    slot *slots; /* (jobs) */
    int64_t next;
    int running, stopped;
} pool;

/* -- in the worker -- */

/* A file that a worker keeps open would keep locks of the caller, and would hide the end of other pipes. */
static void close_others(int requests, int replies) {
    for (int file = 3; file < HIGHEST_FILE; file++)
        if (file != requests && file != replies)
            close(file);
}

static void serve(const pool *p, int requests, int replies) {
    weft_case_worker worker;
    weft_case_room room = {0};
    weft_case one;
    int64_t index;
    int works = weft_case_worker_open(&worker, p->setups, p->setup_count, p->settings.threads).code == WEFT_OK;
    while (works && weft_case_receive(requests, &room, &index, &one)) {
        weft_case_outcome outcome;
        char *bytes = NULL;
        size_t size;
        weft_case_worker_run(&worker, &one, &outcome);
        works = weft_outcome_pack(index, &outcome, &bytes, &size).code == WEFT_OK &&
                weft_write_all(replies, bytes, size).code == WEFT_OK;
        free(bytes);
        weft_case_outcome_free(&outcome);
    }
    weft_case_room_free(&room);
    weft_case_worker_close(&worker);
}

/* Ctrl-C reaches all processes of a terminal, and a cluster ends all processes of a task; only the caller decides what
 * to do. */
static void live_as_worker(const pool *p, pid_t parent, int requests, int replies) {
    struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before the line above */
        _exit(0);
    close_others(requests, replies);
    serve(p, requests, replies);
    fflush(NULL);
    _exit(0);
}

/* -- in the caller -- */

static weft_result start_worker(pool *p, slot *s) {
    int request[2], reply[2];
    if (pipe(request) != 0)
        return weft_fail(WEFT_NO_MEMORY, "no pipe for a worker: %s", strerror(errno));
    if (pipe(reply) != 0) {
        close(request[0]);
        close(request[1]);
        return weft_fail(WEFT_NO_MEMORY, "no pipe for a worker: %s", strerror(errno));
    }
    fflush(NULL); /* or the worker prints it again */
    pid_t parent = getpid();
    s->process = fork();
    if (s->process == 0)
        live_as_worker(p, parent, request[0], reply[1]);
    close(request[0]);
    close(reply[1]);
    s->requests = request[1];
    s->replies = reply[0];
    if (s->process < 0) {
        s->process = 0;
        close(s->requests);
        close(s->replies);
        return weft_fail(WEFT_NO_MEMORY, "no process for a worker: %s", strerror(errno));
    }
    fcntl(s->requests, F_SETFD, FD_CLOEXEC);
    fcntl(s->replies, F_SETFD, FD_CLOEXEC);
    fcntl(s->replies, F_SETFL, O_NONBLOCK);
    s->got = 0;
    return weft_ok();
}

/* Returns the wait status. */
static int end_worker(slot *s, int force) {
    int status = 0;
    close(s->requests);
    close(s->replies);
    if (force)
        kill(s->process, SIGKILL);
    while (waitpid(s->process, &status, 0) < 0 && errno == EINTR)
        ;
    s->process = 0;
    return status;
}

static weft_result give_case(pool *p, slot *s) {
    weft_case one;
    char *bytes;
    size_t size;
    int64_t index = p->next;
    WEFT_TRY(p->list->get(p->list->context, index, &one));
    WEFT_TRY(weft_case_pack(index, &one, &bytes, &size));
    if (s->process == 0) {
        weft_result started = start_worker(p, s);
        if (started.code != WEFT_OK) {
            free(bytes);
            return started;
        }
    }
    p->next++;
    s->index = index;
    s->overdue = 0;
    s->deadline = p->settings.seconds > 0 ? weft_seconds(CLOCK_MONOTONIC) + p->settings.seconds : INFINITY;
    p->running++;
    (void)weft_write_all(s->requests, bytes, size); /* a dead worker is noticed by the end of its replies */
    free(bytes);
    return weft_ok();
}

static weft_result finish_case(pool *p, slot *s, weft_case_outcome *outcome) {
    int64_t index = s->index;
    s->index = -1;
    p->running--;
    weft_result result = p->list->done(p->list->context, index, outcome);
    weft_case_outcome_free(outcome);
    return result;
}

/* Whether the worker ended because the whole run is being ended. A cluster kills all processes of a task one by one, so
 * this process may be the next: a case must not count as crashed then. */
static int is_ending(pool *p, int signal_number) {
    if (signal_number == SIGKILL)
        nanosleep(&(struct timespec){0, 500000000}, NULL);
    p->stopped |= p->list->stop && p->list->stop(p->list->context);
    return p->stopped && (signal_number == SIGKILL || signal_number == SIGTERM);
}

/* The worker ended without an answer. */
static weft_result bury(pool *p, slot *s) {
    int late = s->overdue;
    int status = end_worker(s, 0), signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (s->index >= 0 && !late && is_ending(p, signal_number)) {
        s->index = -1;
        p->running--;
        return weft_ok();
    }
    weft_case_outcome outcome = {.status = late ? WEFT_CASE_TIME_LIMIT : WEFT_CASE_CRASHED};
    if (s->index < 0)
        return weft_ok();
    gethostname(outcome.host, sizeof outcome.host - 1);
    if (late)
        snprintf(outcome.reason, sizeof outcome.reason, "longer than the limit of %g s", p->settings.seconds);
    else if (signal_number > 0)
        snprintf(outcome.reason, sizeof outcome.reason, "its process ended by signal %d (%s)", signal_number,
                 strsignal(signal_number));
    else
        snprintf(outcome.reason, sizeof outcome.reason, "its process ended with status %d", WEXITSTATUS(status));
    return finish_case(p, s, &outcome);
}

static weft_result make_reply_room(slot *s) {
    size_t need = s->got >= WEFT_MESSAGE_HEAD ? weft_message_size(s->reply) : 0;
    need = need > s->got ? need : s->got + 65536;
    if (need <= s->room)
        return weft_ok();
    char *grown = realloc(s->reply, need);
    if (!grown)
        return weft_fail_memory("the result of a case", need);
    s->reply = grown;
    s->room = need;
    return weft_ok();
}

static weft_result hear(pool *p, slot *s) {
    for (;;) {
        WEFT_TRY(make_reply_room(s));
        ssize_t got = read(s->replies, s->reply + s->got, s->room - s->got);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return weft_ok();
        if (got <= 0)
            return bury(p, s);
        s->got += (size_t)got;
        if (s->got < WEFT_MESSAGE_HEAD || s->got < weft_message_size(s->reply))
            continue;
        weft_case_outcome outcome;
        int64_t index;
        if (!weft_outcome_unpack(s->reply, s->got, &index, &outcome) || index != s->index)
            return weft_fail(WEFT_BAD_INPUT, "a worker gave a damaged answer");
        s->got = 0;
        return finish_case(p, s, &outcome);
    }
}

static void kill_overdue(pool *p) {
    double time = weft_seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < p->jobs; i++)
        if (p->slots[i].index >= 0 && !p->slots[i].overdue && time > p->slots[i].deadline) {
            p->slots[i].overdue = 1;
            kill(p->slots[i].process, SIGKILL);
        }
}

static weft_result wait_for_answers(pool *p, struct pollfd *waits) {
    for (int i = 0; i < p->jobs; i++)
        waits[i] = (struct pollfd){.fd = p->slots[i].index >= 0 ? p->slots[i].replies : -1, .events = POLLIN};
    int ready = poll(waits, (nfds_t)p->jobs, TICK_MS);
    for (int i = 0; i < p->jobs && ready > 0; i++)
        if (waits[i].fd >= 0 && waits[i].revents)
            WEFT_TRY(hear(p, &p->slots[i]));
    kill_overdue(p);
    return weft_ok();
}

/* Moves to the next case that is wanted. Returns 0 if there is none or if the run was stopped. */
static int has_next(pool *p) {
    while (p->list->wanted && p->next < p->list->count && !p->list->wanted(p->list->context, p->next))
        p->next++;
    return !p->stopped && p->next < p->list->count;
}

static weft_result run_all(pool *p, struct pollfd *waits) {
    while (p->running > 0 || has_next(p)) {
        p->stopped |= p->list->stop && p->list->stop(p->list->context);
        for (int i = 0; i < p->jobs && has_next(p); i++)
            if (p->slots[i].index < 0)
                WEFT_TRY(give_case(p, &p->slots[i]));
        if (p->running > 0)
            WEFT_TRY(wait_for_answers(p, waits));
    }
    return weft_ok();
}

weft_result weft_cases_run(const weft_case_setup *setups, int setup_count, const weft_case_list *list,
                           const weft_case_settings *settings) {
    pool p = {.setups = setups, .setup_count = setup_count, .list = list, .settings = *settings};
    p.jobs = settings->jobs > 0 ? settings->jobs : weft_case_processors();
    p.jobs = list->count < p.jobs ? (int)list->count : p.jobs;
    size_t count = (size_t)p.jobs + 1;
    p.slots = calloc(count, sizeof *p.slots);
    struct pollfd *waits = calloc(count, sizeof *waits);
    weft_result result = p.slots && waits ? weft_ok() : weft_fail_memory("workers", count * sizeof *p.slots);
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before); /* a write to a dead worker must not end the caller */
    for (int i = 0; p.slots && i < p.jobs; i++)
        p.slots[i].index = -1;
    if (result.code == WEFT_OK)
        result = run_all(&p, waits);
    for (int i = 0; p.slots && i < p.jobs; i++) {
        if (p.slots[i].process > 0)
            end_worker(&p.slots[i], p.slots[i].index >= 0);
        free(p.slots[i].reply);
    }
    sigaction(SIGPIPE, &before, NULL);
    free(waits);
    free(p.slots);
    return result;
}

/* -- arrays of cases -- */

typedef struct batch {
    const weft_case *cases;
    weft_case_outcome *outcomes;
} batch;

static weft_result get_from_batch(void *context, int64_t index, weft_case *one) {
    *one = ((const batch *)context)->cases[index];
    return weft_ok();
}

static weft_result keep_in_batch(void *context, int64_t index, const weft_case_outcome *outcome) {
    char *bytes;
    size_t size;
    int64_t same;
    WEFT_TRY(weft_outcome_pack(index, outcome, &bytes, &size));
    size_t used = weft_outcome_unpack(bytes, size, &same, &((batch *)context)->outcomes[index]);
    free(bytes);
    return used > 0 ? weft_ok() : weft_fail_memory("the result of a case", size);
}

weft_result weft_cases_evaluate(const weft_case_setup *setups, int setup_count, const weft_case *cases, int count,
                                const weft_case_settings *settings, weft_case_outcome *outcomes) {
    batch b = {cases, outcomes};
    weft_case_list list = {.context = &b, .count = count, .get = get_from_batch, .done = keep_in_batch};
    for (int i = 0; i < count; i++)
        outcomes[i] = (weft_case_outcome){0};
    return weft_cases_run(setups, setup_count, &list, settings);
}
