/* The pool of worker processes. Each lane of a worker has a pipe for cases and one for outcomes.
 *
 * A worker has one lane, and a case that crashes takes no other with it. Cases on a device share one worker with a lane
 * for each, because a GPU serves the threads of a process at the same time, but processes in turn. When such a worker
 * ends, the cases that were running are run again, one at a time: only a case that was alone counts as crashed. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lab/study/case_message.h"
#include "lab/study/case_serve.h"
#include "lab/study/case_worker.h"
#include "lab/study/wall_clock.h"

enum { TICK_MS = 250 };

typedef struct slot {
    pid_t process; /* 0: none */
    int requests, replies;
    int64_t index; /* the case that it runs; -1: none */
    int alone;     /* the case must be the only one */
    double deadline;
    int overdue; /* killed because of the time limit */
    char *reply;
    size_t got, room;
} slot;

/* A case that is run again. */
typedef struct repeat {
    int64_t index;
    int alone;
} repeat;

typedef struct pool {
    const weft_case_setup *setups;
    int setup_count, jobs;
    int shared; /* 1: all slots are lanes of one worker */
    const weft_case_list *list;
    weft_case_settings settings;
    slot *slots;          /* (jobs) */
    weft_case_lane *lane; /* the worker's ends of the pipes (jobs) */
    repeat *again;        /* (jobs) */
    int again_count;
    int64_t next;
    int running, stopped;
} pool;

/* The slots that share the process of a slot: itself, or all. */
static slot *first_of(const pool *p, slot *s) { return p->shared ? p->slots : s; }

static int lanes_of(const pool *p) { return p->shared ? p->jobs : 1; }

/* -- workers -- */

static weft_result open_pipes(pool *p, slot *s) {
    int request[2], reply[2];
    if (pipe(request) != 0)
        return weft_fail(WEFT_NO_MEMORY, "no pipe for a worker: %s", strerror(errno));
    if (pipe(reply) != 0) {
        close(request[0]);
        close(request[1]);
        return weft_fail(WEFT_NO_MEMORY, "no pipe for a worker: %s", strerror(errno));
    }
    s->requests = request[1];
    s->replies = reply[0];
    s->got = 0;
    fcntl(s->requests, F_SETFD, FD_CLOEXEC);
    fcntl(s->replies, F_SETFD, FD_CLOEXEC);
    fcntl(s->replies, F_SETFL, O_NONBLOCK);
    p->lane[s - p->slots] = (weft_case_lane){request[0], reply[1]};
    return weft_ok();
}

static void close_pipes(slot *s) {
    close(s->requests);
    close(s->replies);
}

/* Starts the process of a slot and of those that share it. */
static weft_result start_worker(pool *p, slot *s) {
    slot *first = first_of(p, s);
    const weft_case_lane *lane = &p->lane[first - p->slots];
    int count = lanes_of(p), opened = 0;
    weft_result result = weft_ok();
    while (opened < count && result.code == WEFT_OK) {
        result = open_pipes(p, &first[opened]);
        opened += result.code == WEFT_OK;
    }
    fflush(NULL); /* or the worker prints it again */
    weft_case_service service = {p->setups, p->setup_count, p->settings.threads, lane, count, getpid()};
    pid_t process = result.code == WEFT_OK ? fork() : -1;
    if (process == 0)
        weft_case_serve(&service);
    if (process < 0 && result.code == WEFT_OK)
        result = weft_fail(WEFT_NO_MEMORY, "no process for a worker: %s", strerror(errno));
    for (int i = 0; i < opened; i++) {
        close(lane[i].requests);
        close(lane[i].replies);
        first[i].process = process > 0 ? process : 0;
        if (process < 0)
            close_pipes(&first[i]);
    }
    return result;
}

/* Ends the process of a slot. Returns its wait status. */
static int end_worker(pool *p, slot *s, int force) {
    slot *first = first_of(p, s);
    pid_t process = s->process;
    int status = 0;
    for (int i = 0; i < lanes_of(p); i++) {
        close_pipes(&first[i]);
        first[i].process = 0;
    }
    if (force)
        kill(process, SIGKILL);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* -- cases -- */

/* The cases of a worker that has ended are run again. */
static void run_again(pool *p, slot *s, int alone) {
    slot *first = first_of(p, s);
    for (int i = 0; i < lanes_of(p); i++) {
        if (first[i].index < 0)
            continue;
        p->again[p->again_count++] = (repeat){first[i].index, alone};
        first[i].index = -1;
        p->running--;
    }
}

/* Moves to the next case that is wanted. Returns 0 if there is none or if the run was stopped. */
static int has_next(pool *p) {
    while (p->list->wanted && p->next < p->list->count && !p->list->wanted(p->list->context, p->next))
        p->next++;
    return !p->stopped && (p->again_count > 0 || p->next < p->list->count);
}

/* Whether the next case may begin beside those that run. */
static int may_begin(const pool *p) {
    int alone = p->again_count > 0 && p->again[p->again_count - 1].alone;
    for (int i = 0; i < p->jobs; i++)
        alone |= p->slots[i].index >= 0 && p->slots[i].alone;
    return !alone || p->running == 0;
}

static weft_result give_case(pool *p, slot *s) {
    weft_case one;
    char *bytes;
    size_t size;
    repeat next = p->again_count > 0 ? p->again[p->again_count - 1] : (repeat){.index = p->next};
    int64_t index = next.index;
    WEFT_TRY(p->list->get(p->list->context, index, &one));
    WEFT_TRY(weft_case_pack(index, &one, &bytes, &size));
    if (s->process == 0) {
        weft_result started = start_worker(p, s);
        if (started.code != WEFT_OK) {
            free(bytes);
            return started;
        }
    }
    if (p->again_count > 0)
        p->again_count--;
    else
        p->next++;
    s->index = index;
    s->alone = next.alone;
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

/* The outcome of a case that has none of its own. */
static weft_result finish_without(pool *p, slot *s, weft_case_status status, const char *reason) {
    weft_case_outcome outcome = {.status = status};
    gethostname(outcome.host, sizeof outcome.host - 1);
    snprintf(outcome.reason, sizeof outcome.reason, "%s", reason);
    return finish_case(p, s, &outcome);
}

/* Cases beside one that was too slow have ended with it. Returns how many were too slow. */
static weft_result finish_overdue(pool *p, slot *s, int *count) {
    slot *first = first_of(p, s);
    char reason[80];
    snprintf(reason, sizeof reason, "longer than the limit of %g s", p->settings.seconds);
    *count = 0;
    for (int i = 0; i < lanes_of(p); i++) {
        if (first[i].index < 0 || !first[i].overdue)
            continue;
        *count += 1;
        WEFT_TRY(finish_without(p, &first[i], WEFT_CASE_TIME_LIMIT, reason));
    }
    return weft_ok();
}

static weft_result finish_crashed(pool *p, slot *s, int status) {
    char reason[200];
    if (WIFSIGNALED(status))
        snprintf(reason, sizeof reason, "its process ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(reason, sizeof reason, "its process ended with status %d", WEXITSTATUS(status));
    return finish_without(p, s, WEFT_CASE_CRASHED, reason);
}

/* The worker ended without an answer. */
static weft_result bury(pool *p, slot *s) {
    int status = end_worker(p, s, 0), late;
    WEFT_TRY(finish_overdue(p, s, &late));
    if (late > 0 || s->index < 0) {
        run_again(p, s, 0);
        return weft_ok();
    }
    int ending = is_ending(p, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    if (!ending && (!p->shared || s->alone))
        return finish_crashed(p, s, status);
    run_again(p, s, !ending);
    return weft_ok();
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
        int broken = p->shared && outcome.status == WEFT_CASE_NO_MEMORY; /* perhaps the device of all lanes */
        weft_result result = finish_case(p, s, &outcome);
        if (broken) {
            end_worker(p, s, 1);
            run_again(p, s, 0);
        }
        return result;
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
        if (waits[i].fd >= 0 && waits[i].revents && p->slots[i].index >= 0) /* it may have ended with another lane */
            WEFT_TRY(hear(p, &p->slots[i]));
    kill_overdue(p);
    return weft_ok();
}

static weft_result run_all(pool *p, struct pollfd *waits) {
    while (p->running > 0 || has_next(p)) {
        p->stopped |= p->list->stop && p->list->stop(p->list->context);
        for (int i = 0; i < p->jobs && has_next(p); i++)
            if (p->slots[i].index < 0 && may_begin(p))
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
    p.shared = p.jobs > 1 && weft_case_setups_on_device(setups, setup_count);
    p.slots = calloc(count, sizeof *p.slots);
    p.lane = calloc(count, sizeof *p.lane);
    p.again = calloc(count, sizeof *p.again);
    struct pollfd *waits = calloc(count, sizeof *waits);
    weft_result result =
        p.slots && p.lane && p.again && waits ? weft_ok() : weft_fail_memory("workers", count * sizeof *p.slots);
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before); /* a write to a dead worker must not end the caller */
    for (int i = 0; p.slots && i < p.jobs; i++)
        p.slots[i].index = -1;
    if (result.code == WEFT_OK)
        result = run_all(&p, waits);
    for (int i = 0; p.slots && i < p.jobs; i++) {
        if (p.slots[i].process > 0)
            end_worker(&p, &p.slots[i], p.shared ? p.running > 0 : p.slots[i].index >= 0);
        free(p.slots[i].reply);
    }
    sigaction(SIGPIPE, &before, NULL);
    free(waits);
    free(p.again);
    free(p.lane);
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
