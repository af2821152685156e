/* The task pool: loops on several threads, of several callers, after fork, without memory, and on a host's threads. */
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/pool.h"
#include "support.h"

enum { ITEMS = 4000, BLOCK = 10, MOST = 16 };

/* About a microsecond of arithmetic. */
static double heavy_item(int64_t i) {
    double x = 1 + (double)i;
    for (int k = 0; k < 200; k++)
        x = x * 0.999 + 1.0 / (double)(k + 1);
    return x;
}

static double heavy_sum(void *context, int64_t begin, int64_t end) {
    double sum = 0;
    (void)context;
    for (int64_t i = begin; i < end; i++)
        sum += heavy_item(i);
    return sum;
}

static void heavy_count(void *context, int64_t begin, int64_t end) {
    uint8_t *seen = context;
    for (int64_t i = begin; i < end; i++)
        seen[i] = (uint8_t)(seen[i] + (heavy_item(i) > 0));
}

static void assert_each_once(int threads) {
    static uint8_t seen[ITEMS];
    weft_work work = {threads, NULL};
    memset(seen, 0, sizeof seen);
    weft_parallel_for(&work, ITEMS, BLOCK, heavy_count, seen);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(seen[i], 1);
}

static void sums_are_the_same_bits_for_1_to_16_threads(void **state) {
    (void)state;
    weft_work work = {1, weft_arena_create()};
    double one = weft_parallel_sum(&work, ITEMS, BLOCK, heavy_sum, NULL);
    for (int round = 0; round < 20; round++)
        for (work.threads = 1; work.threads <= MOST; work.threads++) {
            double many = weft_parallel_sum(&work, ITEMS, BLOCK, heavy_sum, NULL);
            assert_memory_equal(&one, &many, sizeof one);
        }
    weft_arena_destroy(work.arena);
}

typedef struct attendance {
    pthread_mutex_t mutex;
    pthread_t thread[MOST];
    int count;
} attendance;

/* Blocks that sleep let other threads come, however busy the machine is. */
static void sign_and_sleep(void *context, int64_t begin, int64_t end) {
    attendance *a = context;
    int known = 0;
    (void)begin, (void)end;
    pthread_mutex_lock(&a->mutex);
    for (int i = 0; i < a->count; i++)
        known |= pthread_equal(a->thread[i], pthread_self());
    if (!known && a->count < MOST)
        a->thread[a->count++] = pthread_self();
    pthread_mutex_unlock(&a->mutex);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static int threads_that_come(int threads) {
    attendance a = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    weft_work work = {threads, NULL};
    weft_parallel_heavy(&work, 60, 1, 1000000, sign_and_sleep, &a);
    return a.count;
}

static void long_loops_use_the_threads(void **state) {
    (void)state;
    assert_int_equal(threads_that_come(1), 1);
    int most = 0;
    for (int i = 0; i < 20 && most < 4; i++) { /* a worker that came late is left out for a while */
        int came = threads_that_come(4);
        assert_true(came <= 4);
        most = came > most ? came : most;
    }
    assert_int_equal(most, 4);
}

static void empty(void *context, int64_t begin, int64_t end) { (void)context, (void)begin, (void)end; }

/* Loops of a few nanoseconds never leave the calling thread: a second one would cost more than it gives. */
static void short_loops_use_one_thread(void **state) {
    (void)state;
    attendance a = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    weft_work work = {8, NULL};
    for (int i = 0; i < 100; i++)
        weft_parallel_for(&work, 100, 10, empty, &a);
    assert_false(weft_pool_is_inside());
    weft_parallel_for(&work, 0, 10, sign_and_sleep, &a); /* no block */
    assert_int_equal(a.count, 0);
}

static void outer(void *context, int64_t begin, int64_t end) {
    double *result = context;
    weft_work work = {8, NULL};
    assert_true(weft_pool_is_inside());
    for (int64_t i = begin; i < end; i++)
        result[i] = weft_parallel_sum(&work, 200, BLOCK, heavy_sum, NULL);
}

static void nested_loops_are_serial(void **state) {
    (void)state;
    double result[100], expected;
    weft_work work = {8, NULL}, alone = {1, NULL};
    expected = weft_parallel_sum(&alone, 200, BLOCK, heavy_sum, NULL);
    weft_parallel_heavy(&work, 100, 1, 200000, outer, result);
    for (int i = 0; i < 100; i++)
        assert_memory_equal(&result[i], &expected, sizeof expected);
    assert_false(weft_pool_is_inside());
}

static void *call_often(void *context) {
    double *expected = context;
    weft_work work = {MOST, NULL};
    for (int i = 0; i < 100; i++) {
        double sum = weft_parallel_sum(&work, 1000, BLOCK, heavy_sum, NULL);
        if (memcmp(&sum, expected, sizeof sum) != 0)
            return context;
    }
    return NULL;
}

static void callers_share_the_pool(void **state) {
    (void)state;
    pthread_t caller[6];
    weft_work alone = {1, NULL};
    double expected = weft_parallel_sum(&alone, 1000, BLOCK, heavy_sum, NULL);
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&caller[i], NULL, call_often, &expected), 0);
    for (int i = 0; i < 6; i++) {
        void *failed;
        assert_int_equal(pthread_join(caller[i], &failed), 0);
        assert_null(failed);
    }
}

static void more_threads_than_processors_work(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++)
        assert_each_once(60);
    assert_each_once(WEFT_POOL_MOST_THREADS + 100);
}

/* Runs `check` in a child process and returns its exit status. */
static int in_child(int (*check)(void)) {
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(check());
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static int loops_work(void) {
    static uint8_t seen[ITEMS];
    weft_work work = {MOST, NULL};
    memset(seen, 0, sizeof seen);
    weft_parallel_for(&work, ITEMS, BLOCK, heavy_count, seen);
    for (int i = 0; i < ITEMS; i++)
        if (seen[i] != 1)
            return 1;
    return threads_that_come(3) < 1;
}

static void forked_processes_have_a_pool_of_their_own(void **state) {
    (void)state;
    assert_each_once(4);
    assert_int_equal(in_child(loops_work), 0);
    assert_each_once(4);
}

#if !SANITIZED /* the sanitizers need address space themselves */
static int loops_work_without_memory(void) {
    struct rlimit none = {1 << 20, 1 << 20}; /* far below what the process has already */
    if (setrlimit(RLIMIT_AS, &none) != 0)
        return 2;
    return loops_work();
}

static void loops_need_no_memory_for_threads(void **state) {
    (void)state;
    assert_int_equal(in_child(loops_work_without_memory), 0);
}
#endif

/* Host task systems: one with a thread per task, one that runs all tasks at the end, one that runs them at once. */

typedef struct hosted {
    weft_task task;
    void *context;
    int count, next;
    pthread_t thread[MOST];
    pthread_mutex_t mutex;
} hosted;

static int hosted_tasks;

static void *run_one(void *context) {
    hosted *h = context;
    pthread_mutex_lock(&h->mutex);
    int index = h->next++;
    pthread_mutex_unlock(&h->mutex);
    h->task(h->context, index);
    return NULL;
}

static void *start_threads(void *context, weft_task task, void *task_context, int count) {
    hosted *h = calloc(1, sizeof *h);
    assert_non_null(h);
    assert_ptr_equal(context, &hosted_tasks);
    assert_in_range(count, 1, 3);
    hosted_tasks += count;
    *h = (hosted){.task = task, .context = task_context, .count = count, .mutex = PTHREAD_MUTEX_INITIALIZER};
    for (int i = 0; i < count; i++)
        assert_int_equal(pthread_create(&h->thread[i], NULL, run_one, h), 0);
    return h;
}

static void join_threads(void *context, void *handle) {
    hosted *h = handle;
    (void)context;
    for (int i = 0; i < h->count; i++)
        pthread_join(h->thread[i], NULL);
    free(h);
}

static void *note_tasks(void *context, weft_task task, void *task_context, int count) {
    hosted *h = calloc(1, sizeof *h);
    (void)context;
    assert_non_null(h);
    *h = (hosted){.task = task, .context = task_context, .count = count};
    return h;
}

static void run_noted(void *context, void *handle) {
    hosted *h = handle;
    (void)context;
    for (int i = h->count - 1; i >= 0; i--)
        h->task(h->context, i);
    free(h);
}

static void *run_at_once(void *context, weft_task task, void *task_context, int count) {
    (void)context;
    for (int i = 0; i < count; i++)
        task(task_context, i);
    return NULL;
}

static void nothing_to_wait_for(void *context, void *handle) { (void)context, (void)handle; }

static uint64_t hash_of_a_sheet(int threads, int frames) {
    weft_registry *registry;
    weft_sim *sim;
    weft_mesh *mesh;
    int32_t sheet, gravity;
    weft_pin pin = weft_pin_default();
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 40;
    must(weft_registry_create(&registry));
    must(weft_sim_create(registry, &sim));
    weft_sim_set_threads(sim, threads);
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, NULL, &sheet));
    must(weft_sim_add_force(sim, "gravity", &gravity));
    must(weft_sim_add_pin(sim, sheet, &pin, (int32_t[]){0, 40}, 2));
    for (int i = 0; i < frames; i++)
        must(weft_sim_advance_frame(sim, NULL, NULL));
    uint64_t hash = weft_sim_hash(sim);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
    return hash;
}

static void a_simulation_has_the_same_hash_on_any_threads(void **state) {
    (void)state;
    uint64_t expected = hash_of_a_sheet(1, 2);
    for (int threads = 2; threads <= MOST; threads++)
        assert_int_equal(hash_of_a_sheet(threads, 2), expected);
    assert_int_equal(hash_of_a_sheet(0, 2), expected);
}

static void a_simulation_runs_on_the_hosts_threads(void **state) {
    (void)state;
    static const weft_task_system HOSTS[] = {
        {&hosted_tasks, 4, start_threads, join_threads},
        {NULL, 4, note_tasks, run_noted},
        {NULL, 4, run_at_once, nothing_to_wait_for},
        {NULL, 1, run_at_once, nothing_to_wait_for},
    };
    uint64_t expected = hash_of_a_sheet(1, 1);
    for (size_t i = 0; i < sizeof HOSTS / sizeof HOSTS[0]; i++) {
        weft_task_system_set(&HOSTS[i]);
        assert_int_equal(weft_pool_processors(), HOSTS[i].threads);
        assert_int_equal(hash_of_a_sheet(0, 1), expected);
        assert_each_once(8); /* more than the host has */
    }
    weft_task_system_set(NULL);
    assert_true(hosted_tasks > 0);
    assert_int_equal(hash_of_a_sheet(0, 1), expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#if !SANITIZED
        cmocka_unit_test(loops_need_no_memory_for_threads), /* before the parent has threads */
#endif
        cmocka_unit_test(sums_are_the_same_bits_for_1_to_16_threads),
        cmocka_unit_test(long_loops_use_the_threads),
        cmocka_unit_test(short_loops_use_one_thread),
        cmocka_unit_test(nested_loops_are_serial),
        cmocka_unit_test(callers_share_the_pool),
        cmocka_unit_test(more_threads_than_processors_work),
        cmocka_unit_test(forked_processes_have_a_pool_of_their_own),
        cmocka_unit_test(a_simulation_has_the_same_hash_on_any_threads),
        cmocka_unit_test(a_simulation_runs_on_the_hosts_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
