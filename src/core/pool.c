/* A pool of worker threads. A caller takes free workers, mails each the same job, and works on the job itself.
 *
 * - A worker takes its mail with an atomic exchange. A caller that has nothing left to do takes back the mail of
 * workers that did not come in time. So it never waits for a worker that has not started.
 * - An idle worker spins for some tens of microseconds, then sleeps. A worker that starts wakes two others, so the
 *   caller does not pay for all.
 * - A worker that was preempted while the caller waited for it is left out for a multiple of the lost time, unless it
 *   has worked much longer since its last loss. On a loaded machine the loss is therefore bounded, and callers soon
 * work alone. A program that needs a processor now and then, as a browser that draws, does not end the help.
 * - A thread inside a job never takes workers: nested loops are serial. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "core/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#if defined(__EMSCRIPTEN__)
#include <emscripten/threading.h>
#endif

enum {
    LINE = 128, /* bytes; many processors fetch two cache lines at once */
    MOST_WORKERS = WEFT_POOL_MOST_THREADS - 1,
    SPIN_NS = 20000,          /* an idle worker looks for mail without a pause */
    LINGER_NS = 60000,        /* then it yields the processor between looks, until it sleeps */
    LOOKS_PER_CLOCK = 64,     /* reading the clock takes as long as a few looks */
    PATIENT_LOOKS = 2000,     /* of a caller for a worker that is still busy, before it reads clocks */
    SMALLEST_LOSS_NS = 20000, /* a shorter loss is an interrupt */
    LOSS_MULTIPLE = 10,       /* a preempted worker is left out for so many times the lost time, and the team's size */
    MOST_LOSS_DOUBLINGS = 4,  /* doubled with each loss in sequence */
    EARNED_MULTIPLE = 4,      /* a worker that ran for so many times the lost time since its last loss stays */
    LONGEST_NS = 1000000000,  /* but for no longer than this, so that it is used again once the machine is idle */
    JOBS_WITHOUT_LOSS = 256,  /* that end a sequence of losses */
    MISSES_ALLOWED = 16,      /* jobs in sequence for which a worker came too late */
    MISS_NS = 200000,         /* it is then left out for so long, doubled with each miss */
    MOST_MISS_DOUBLINGS = 8,
    CLOCK_READS = 1000,
    FINE_NS = 5000 /* steps of a clock that is good enough */
};

typedef struct team team;

typedef struct worker {
    /* of the callers */
    alignas(LINE) atomic_bool is_taken;
    unsigned posted; /* jobs mailed and not taken back; of the caller that has taken the worker, as the next six */
    unsigned missed; /* jobs in sequence that were taken back */
    unsigned losses; /* times in sequence that it was preempted */
    unsigned smooth; /* jobs since the last of them */
    int64_t left_out_until; /* ns */
    int64_t ran_at_loss;    /* ns that it had run when it was preempted last */
    /* from callers to the worker */
    alignas(LINE) _Atomic(const team *) mail;
    int member;
    atomic_bool is_asleep;
    /* from the worker to callers */
    alignas(LINE) atomic_uint finished; /* jobs */
    atomic_bool has_fine_clock;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
} worker;

/* The workers that help with one job. Lives on the caller's stack. */
struct team {
    weft_pool_function run;
    void *job;
    int workers;
    worker *worker[MOST_WORKERS];
};

static struct {
    worker worker[MOST_WORKERS];
    atomic_int count;   /* of workers that run */
    atomic_int callers; /* threads inside weft_pool_run */
    atomic_bool is_closed;
    pthread_mutex_t growth; /* guards `wanted` and the creation of workers */
    int wanted;             /* workers that were asked for; creating some may have failed */
    bool handles_fork;
} pool = {.growth = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local bool is_inside;

bool weft_pool_is_inside(void) { return is_inside; }

bool weft_pool_set_inside(bool now) {
    bool before = is_inside;
    is_inside = now;
    return before;
}

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Workers */

static const team *take_mail(worker *w) {
    if (!atomic_load_explicit(&w->mail, memory_order_relaxed))
        return NULL;
    return atomic_exchange_explicit(&w->mail, NULL, memory_order_acquire);
}

/* Looks for mail until LINGER_NS have passed. */
static const team *spin_for_mail(worker *w) {
    int64_t start = 0;
    for (unsigned look = 1;; look++) {
        const team *t = take_mail(w);
        if (t)
            return t;
        relax();
        if (look % LOOKS_PER_CLOCK == 0) {
            int64_t now = nanoseconds(CLOCK_MONOTONIC);
            start = start ? start : now;
            if (now - start > LINGER_NS)
                return NULL;
            if (now - start > SPIN_NS)
                sched_yield();
        }
    }
}

/* Sleeps until somebody wakes the worker, unless there is mail. Either the worker sees the mail here, or whoever mailed
 * it sees that the worker is asleep. */
static void sleep_without_mail(worker *w) {
    pthread_mutex_lock(&w->mutex);
    atomic_store(&w->is_asleep, true);
    if (atomic_load(&w->mail) || atomic_load(&pool.is_closed))
        atomic_store(&w->is_asleep, false);
    while (atomic_load(&w->is_asleep))
        pthread_cond_wait(&w->wake, &w->mutex);
    pthread_mutex_unlock(&w->mutex);
}

static void wake(worker *w) {
    if (!atomic_load(&w->is_asleep) || !atomic_exchange(&w->is_asleep, false))
        return;
    pthread_mutex_lock(&w->mutex);
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->mutex);
}

/* Member m wakes members 2 m + 1 and 2 m + 2; member 0 is the caller, and worker i is member i + 1. */
static void wake_next(const team *t, int member) {
    for (int i = 2 * member; i < 2 * member + 2 && i < t->workers; i++)
        wake(t->worker[i]);
}

/* Whether the time that a thread runs is known to some microseconds. Some virtual machines count in ticks. */
static bool is_clock_fine(void) {
    int64_t before = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < CLOCK_READS; i++) {
        int64_t now = nanoseconds(CLOCK_THREAD_CPUTIME_ID), step = now - before;
        if (step > 0 && step < FINE_NS)
            return true;
        before = now;
    }
    return false;
}

static void *work(void *context) {
    worker *w = context;
    is_inside = true;
    atomic_store_explicit(&w->has_fine_clock, is_clock_fine(), memory_order_relaxed);
    while (!atomic_load_explicit(&pool.is_closed, memory_order_relaxed)) {
        const team *t = spin_for_mail(w);
        if (!t) {
            sleep_without_mail(w);
            continue;
        }
        wake_next(t, w->member);
        t->run(t->job, w->member);
        unsigned finished = atomic_load_explicit(&w->finished, memory_order_relaxed);
        atomic_store_explicit(&w->finished, finished + 1, memory_order_release);
    }
    return NULL;
}

/* Growing, fork and exit */

static bool start_worker(worker *w) {
    sigset_t all, before;
    if (pthread_mutex_init(&w->mutex, NULL) != 0)
        return false;
    if (pthread_cond_init(&w->wake, NULL) != 0) {
        pthread_mutex_destroy(&w->mutex);
        return false;
    }
    sigfillset(&all); /* signals are for the threads of the host */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&w->thread, NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!is_started) {
        pthread_cond_destroy(&w->wake);
        pthread_mutex_destroy(&w->mutex);
    }
    return is_started;
}

static void before_fork(void) { pthread_mutex_lock(&pool.growth); }

static void after_fork_in_parent(void) { pthread_mutex_unlock(&pool.growth); }

/* Only the forking thread lives on in the child. The pool grows again when it is needed. */
static void after_fork_in_child(void) {
    memset(pool.worker, 0, sizeof pool.worker);
    pthread_mutex_init(&pool.growth, NULL);
    pool.wanted = 0;
    atomic_store(&pool.count, 0);
    atomic_store(&pool.callers, 0);
}

/* Creates workers up to `wanted`, once for each larger number. Without memory for threads there are fewer. */
static void grow(int wanted) {
    pthread_mutex_lock(&pool.growth);
    if (!pool.handles_fork)
        pool.handles_fork = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
    if (wanted > pool.wanted && !atomic_load(&pool.is_closed)) {
        int count = atomic_load(&pool.count);
        while (count < wanted && start_worker(&pool.worker[count]))
            atomic_store(&pool.count, ++count);
        pool.wanted = wanted;
    }
    pthread_mutex_unlock(&pool.growth);
}

/* At exit, and when the library is unloaded. A program that ends inside a loop leaves the workers to the system. */
__attribute__((destructor)) static void close_pool(void) {
    if (is_inside)
        return;
    pthread_mutex_lock(&pool.growth);
    atomic_store(&pool.is_closed, true);
    int count = atomic_exchange(&pool.count, 0);
    pthread_mutex_unlock(&pool.growth);
    for (int i = 0; i < count; i++)
        wake(&pool.worker[i]);
    for (int i = 0; i < count; i++)
        pthread_join(pool.worker[i].thread, NULL);
}

/* Callers */

static bool try_to_take(worker *w, int64_t *now) {
    if (atomic_load_explicit(&w->is_taken, memory_order_relaxed) ||
        atomic_exchange_explicit(&w->is_taken, true, memory_order_acquire))
        return false;
    if (!w->left_out_until)
        return true;
    *now = *now ? *now : nanoseconds(CLOCK_MONOTONIC);
    if (*now >= w->left_out_until) {
        w->left_out_until = 0;
        return true;
    }
    atomic_store_explicit(&w->is_taken, false, memory_order_release);
    return false;
}

/* Takes up to `wanted` workers. Other callers run too and need a processor each, so so many workers stay idle. */
static void gather(team *t, int wanted) {
    int count = atomic_load_explicit(&pool.count, memory_order_acquire);
    int others = atomic_load_explicit(&pool.callers, memory_order_relaxed) - 1;
    int64_t now = 0;
    if (wanted > count - others)
        wanted = count - others;
    for (int i = 0; i < count && t->workers < wanted; i++)
        if (try_to_take(&pool.worker[i], &now))
            t->worker[t->workers++] = &pool.worker[i];
}

/* Last members first: a worker that starts finds the mail of those it wakes. */
static void send(team *t) {
    for (int i = t->workers - 1; i >= 0; i--) {
        worker *w = t->worker[i];
        w->posted++;
        w->member = i + 1;
        atomic_store_explicit(&w->mail, t, memory_order_release);
    }
    atomic_thread_fence(memory_order_seq_cst); /* the mail is visible before anyone looks who is asleep */
    wake_next(t, 0);
}

static void leave_out(worker *w, int64_t duration) { w->left_out_until = nanoseconds(CLOCK_MONOTONIC) + duration; }

static bool has_finished(worker *w) { return atomic_load_explicit(&w->finished, memory_order_acquire) == w->posted; }

/* Time that the worker did not run while it was waited for was taken by another process. The team loses at most a tenth
 * of its time to one such event. As long as the machine is busy, each attempt to use the worker again may cost as much,
 * so attempts become rare. */
static void count_loss(worker *w, int workers, int64_t earned, int64_t lost) {
    if (earned > EARNED_MULTIPLE * lost)
        return;
    unsigned doublings = w->losses < MOST_LOSS_DOUBLINGS ? w->losses : MOST_LOSS_DOUBLINGS;
    int64_t duration = lost * LOSS_MULTIPLE * (workers + 1) << doublings;
    leave_out(w, duration < LONGEST_NS ? duration : LONGEST_NS);
    w->losses++;
    w->smooth = 0;
}

static void count_smooth(worker *w) {
    if (w->losses > 0 && ++w->smooth > JOBS_WITHOUT_LOSS)
        w->losses = 0;
}

/* The worker has begun, so it must finish. */
static void wait_for(worker *w, int workers) {
    clockid_t of_worker;
    for (int look = 0; look < PATIENT_LOOKS; look++) {
        if (has_finished(w))
            return;
        relax();
    }
    bool has_clock = atomic_load_explicit(&w->has_fine_clock, memory_order_relaxed) &&
                     pthread_getcpuclockid(w->thread, &of_worker) == 0;
    int64_t start = nanoseconds(CLOCK_MONOTONIC), ran = has_clock ? nanoseconds(of_worker) : 0;
    while (!has_finished(w)) {
        for (int look = 0; look < LOOKS_PER_CLOCK && !has_finished(w); look++)
            relax();
        sched_yield();
    }
    int64_t waited = nanoseconds(CLOCK_MONOTONIC) - start;
    if (has_clock && waited > SMALLEST_LOSS_NS) {
        int64_t ran_now = nanoseconds(of_worker), lost = waited - (ran_now - ran);
        if (lost > SMALLEST_LOSS_NS) {
            count_loss(w, workers, ran - w->ran_at_loss, lost);
            w->ran_at_loss = ran_now;
        }
    }
}

static bool take_back(worker *w, const team *t) {
    const team *expected = t;
    return atomic_compare_exchange_strong_explicit(&w->mail, &expected, NULL, memory_order_relaxed,
                                                   memory_order_relaxed);
}

/* Waking a worker that always comes too late costs more than it helps. */
static void count_miss(worker *w) {
    w->posted--;
    w->missed++;
    if (w->missed > MISSES_ALLOWED) {
        unsigned doublings = w->missed - MISSES_ALLOWED - 1;
        leave_out(w, (int64_t)MISS_NS << (doublings < MOST_MISS_DOUBLINGS ? doublings : MOST_MISS_DOUBLINGS));
    }
}

static void dismiss(team *t) {
    for (int i = 0; i < t->workers; i++) {
        worker *w = t->worker[i];
        if (!has_finished(w) && take_back(w, t)) {
            count_miss(w);
        } else {
            w->missed = 0;
            count_smooth(w);
            wait_for(w, t->workers);
        }
    }
    for (int i = 0; i < t->workers; i++)
        atomic_store_explicit(&t->worker[i]->is_taken, false, memory_order_release);
}

void weft_pool_run(int threads, weft_pool_function run, void *job) {
    int wanted = threads - 1 < MOST_WORKERS ? threads - 1 : MOST_WORKERS;
    team t; /* its arrays are long and mostly unused */
    if (weft_hosted_tasks_run(threads, run, job))
        return;
    if (wanted > atomic_load_explicit(&pool.count, memory_order_relaxed))
        grow(wanted);
    atomic_fetch_add_explicit(&pool.callers, 1, memory_order_relaxed);
    is_inside = true;
    t.run = run;
    t.job = job;
    t.workers = 0;
    gather(&t, wanted);
    send(&t);
    run(job, 0);
    dismiss(&t);
    is_inside = false;
    atomic_fetch_sub_explicit(&pool.callers, 1, memory_order_relaxed);
}

static int available_processors(void) {
#if defined(__EMSCRIPTEN__)
    return emscripten_num_logical_cores(); /* 1 without threads */
#else
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
#endif
}

int weft_pool_processors(void) {
    int hosted = weft_hosted_tasks_threads();
    if (hosted > 0)
        return hosted;
    int count = available_processors();
    return count < WEFT_POOL_MOST_THREADS ? count : WEFT_POOL_MOST_THREADS;
}
