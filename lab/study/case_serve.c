#include "lab/study/case_serve.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lab/study/case_message.h"
#include "lab/study/case_worker.h"

enum { HIGHEST_FILE = 1024 };

/* What the lanes of a process share. */
typedef struct lanes {
    const weft_case_service *service;
    atomic_int busy; /* lanes that simulate a case */
} lanes;

typedef struct lane {
    lanes *all;
    const weft_case_lane *pipes;
    pthread_t thread;
} lane;

/* A file that a worker keeps open would keep locks of the caller, and would hide the end of other pipes. */
static void close_others(const weft_case_service *service) {
    for (int file = 3; file < HIGHEST_FILE; file++) {
        int used = 0;
        for (int i = 0; i < service->lanes; i++)
            used |= file == service->lane[i].requests || file == service->lane[i].replies;
        if (!used)
            close(file);
    }
}

/* Returns whether the lane can go on. */
static int answer(const lane *l, weft_case_worker *worker, int64_t index, const weft_case *one) {
    weft_case_outcome outcome;
    char *bytes = NULL;
    size_t size;
    atomic_fetch_add(&l->all->busy, 1);
    weft_case_worker_run(worker, one, &outcome);
    if (outcome.status == WEFT_CASE_NO_MEMORY && atomic_load(&l->all->busy) > 1)
        _exit(1);
    int works = weft_outcome_pack(index, &outcome, &bytes, &size).code == WEFT_OK &&
                weft_write_all(l->pipes->replies, bytes, size).code == WEFT_OK;
    atomic_fetch_sub(&l->all->busy, 1);
    free(bytes);
    weft_case_outcome_free(&outcome);
    return works;
}

static void *serve_lane(void *context) {
    const lane *l = context;
    const weft_case_service *service = l->all->service;
    weft_case_worker worker;
    weft_case_room room = {0};
    weft_case one;
    int64_t index;
    int works = weft_case_worker_open(&worker, service->setups, service->setup_count, service->threads).code == WEFT_OK;
    while (works && weft_case_receive(l->pipes->requests, &room, &index, &one))
        works = answer(l, &worker, index, &one);
    weft_case_room_free(&room);
    weft_case_worker_close(&worker);
    return NULL;
}

/* This thread serves the first lane. Without a thread for another one the process ends, so that cases are run again. */
static void serve_all(const weft_case_service *service) {
    lanes all = {.service = service};
    lane first = {.all = &all, .pipes = &service->lane[0]}, *other = calloc((size_t)service->lanes, sizeof *other);
    if (!other)
        return;
    for (int i = 1; i < service->lanes; i++) {
        other[i] = (lane){.all = &all, .pipes = &service->lane[i]};
        if (pthread_create(&other[i].thread, NULL, serve_lane, &other[i]) != 0)
            _exit(1);
    }
    serve_lane(&first);
    for (int i = 1; i < service->lanes; i++)
        pthread_join(other[i].thread, NULL);
    free(other);
}

/* Ctrl-C reaches all processes of a terminal, and a cluster ends all processes of a task; only the caller decides what
 * to do. */
_Noreturn void weft_case_serve(const weft_case_service *service) {
    struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != service->parent) /* it ended before the line above */
        _exit(0);
    close_others(service);
    serve_all(service);
    fflush(NULL);
    _exit(0);
}
