/* The task pool: latency of fork and join, speed-up over the size of a loop, and the cost of several threads while all
 * processors are busy with other work. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "lab/bench/bench.h"
#include "weft/sort.h"

enum { BLOCK = 32, MOST_BUSY = 256, PAIRS = 5 };

static const int THREADS[] = {1, 2, 4, 8, 16, 32};
enum { THREAD_COUNTS = sizeof THREADS / sizeof THREADS[0] };

/* Arithmetic only, about 20 ns per item: neither caches nor memory limit the speed-up. */
static void spin_items(void *context, int64_t begin, int64_t end) {
    double *result = context;
    for (int64_t i = begin; i < end; i++) {
        double x = (double)i;
        for (int k = 0; k < 8; k++)
            x = x * 0.99 + 1;
        result[i] = x;
    }
}

typedef struct timed_loop {
    weft_work work;
    int64_t count;
    double *result;
} timed_loop;

static void run_loop(void *context) {
    timed_loop *t = context;
    weft_parallel_for(&t->work, t->count, BLOCK, spin_items, t->result);
}

static double seconds_of(int threads, int64_t count, double *result) {
    timed_loop t = {{threads, NULL}, count, result};
    return weft_bench_time(run_loop, &t);
}

static int processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count < MOST_BUSY ? (int)count : MOST_BUSY;
}

/* What a loop takes beyond its share of the work of one thread. */
static void print_sizes(FILE *out, double *result) {
    static const int64_t COUNTS[] = {300, 1000, 3000, 10000, 30000, 100000, 1000000};
    fprintf(out, "\nA loop: us, speed-up, and us beyond an equal share of the work (fork, join and idle threads)\n\n"
                 "| items | us on 1 thread |");
    for (int k = 1; k < THREAD_COUNTS && THREADS[k] <= processors(); k++)
        fprintf(out, " %d threads |", THREADS[k]);
    fprintf(out, "\n| --- | --- |");
    for (int k = 1; k < THREAD_COUNTS && THREADS[k] <= processors(); k++)
        fprintf(out, " --- |");
    for (size_t i = 0; i < sizeof COUNTS / sizeof COUNTS[0]; i++) {
        double one = seconds_of(1, COUNTS[i], result);
        fprintf(out, "\n| %lld | %.1f |", (long long)COUNTS[i], 1e6 * one);
        for (int k = 1; k < THREAD_COUNTS && THREADS[k] <= processors(); k++) {
            double many = seconds_of(THREADS[k], COUNTS[i], result);
            fprintf(out, " %.1f, %.2fx, +%.1f |", 1e6 * many, one / many, 1e6 * (many - one / THREADS[k]));
        }
        fflush(out);
    }
    fprintf(out, "\n");
}

static atomic_bool is_over;

static void *be_busy(void *context) {
    (void)context;
    while (!atomic_load_explicit(&is_over, memory_order_relaxed))
        continue;
    return NULL;
}

/* Wall-clock seconds of many short loops, as a step has them. */
static double seconds_of_many(int threads, int64_t count, double *result) {
    timed_loop t = {{threads, NULL}, count, result};
    double start = weft_bench_now();
    for (int i = 0; i < 200000000 / (20 * (int)count); i++)
        run_loop(&t);
    return weft_bench_now() - start;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Time with several threads over that of one. Runs alternate, so that changes of the load concern both. */
static double median_ratio(int threads, int64_t count, double *result) {
    double ratio[PAIRS];
    for (int pair = 0; pair < PAIRS; pair++) {
        double one = seconds_of_many(1, count, result);
        ratio[pair] = seconds_of_many(threads, count, result) / one;
    }
    weft_sort(ratio, PAIRS, sizeof ratio[0], compare);
    return ratio[PAIRS / 2];
}

static void print_loaded(FILE *out, double *result) {
    static const int64_t COUNTS[] = {2000, 20000, 200000};
    pthread_t busy[MOST_BUSY];
    int all = processors(), started = 0;
    atomic_store(&is_over, 0);
    while (started < all && pthread_create(&busy[started], NULL, be_busy, NULL) == 0)
        started++;
    fprintf(out, "\nWith %d other busy threads: time over that of one thread, median of %d pairs\n\n", started, PAIRS);
    fprintf(out, "| items | 2 threads | %d threads | %d threads |\n| --- | --- | --- | --- |\n", all, 4 * all);
    for (size_t i = 0; i < sizeof COUNTS / sizeof COUNTS[0]; i++) {
        fprintf(out, "| %lld |", (long long)COUNTS[i]);
        fprintf(out, " %.2f |", median_ratio(2, COUNTS[i], result));
        fprintf(out, " %.2f |", median_ratio(all, COUNTS[i], result));
        fprintf(out, " %.2f |\n", median_ratio(4 * all, COUNTS[i], result));
        fflush(out);
    }
    atomic_store(&is_over, 1);
    for (int i = 0; i < started; i++)
        pthread_join(busy[i], NULL);
}

weft_result weft_bench_pool(FILE *out) {
    double *result = malloc(1000000 * sizeof *result);
    if (!result)
        return weft_fail_memory("a loop", 1000000 * sizeof *result);
    weft_bench_machine(out);
    fprintf(out, "%d processors\n", processors());
    print_sizes(out, result);
    print_loaded(out, result);
    free(result);
    return weft_ok();
}
