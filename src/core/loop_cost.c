/* A table of the loops of the process. Two loops with the same place in it replace each other. Threads may lose each
 * other's updates: estimates need not be exact, and results do not depend on them. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "core/loop_cost.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

enum {
    BITS = 9,
    SHORT_NS = 20000,   /* reading the clock twice takes 50 ns, and some microseconds on a few virtual machines */
    SHORT_INTERVAL = 16 /* short loops are measured once in so many runs */
};

struct weft_loop_cost {
    _Atomic(weft_loop_key) key;
    _Atomic float ns; /* per item */
    _Atomic unsigned runs;
};

static weft_loop_cost table[1 << BITS];

weft_loop_cost *weft_loop_cost_of(weft_loop_key key, double first_guess) {
    uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    weft_loop_cost *cost = &table[hash >> (64 - BITS)];
    if (atomic_load_explicit(&cost->key, memory_order_relaxed) != key) {
        atomic_store_explicit(&cost->key, key, memory_order_relaxed);
        atomic_store_explicit(&cost->ns, (float)first_guess, memory_order_relaxed);
        atomic_store_explicit(&cost->runs, 0, memory_order_relaxed);
    }
    return cost;
}

double weft_loop_cost_ns(const weft_loop_cost *cost) {
    return (double)atomic_load_explicit(&cost->ns, memory_order_relaxed);
}

static int64_t nanoseconds(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

weft_loop_timing weft_loop_timing_begin(weft_loop_cost *cost, double expected_ns) {
    unsigned runs = atomic_load_explicit(&cost->runs, memory_order_relaxed);
    atomic_store_explicit(&cost->runs, runs + 1, memory_order_relaxed);
    if (runs >= 4 && expected_ns < SHORT_NS && runs % SHORT_INTERVAL != 0)
        return (weft_loop_timing){NULL, 0, false};
    return (weft_loop_timing){cost, nanoseconds(), runs == 0};
}

/* The first measurement replaces the guess. Later a thread that was preempted measures too much, so the estimate at
 * most doubles. */
void weft_loop_timing_end(const weft_loop_timing *timing, int64_t items) {
    if (!timing->cost || items <= 0)
        return;
    double measured = (double)(nanoseconds() - timing->start) / (double)items;
    double before = weft_loop_cost_ns(timing->cost);
    if (!timing->is_first)
        measured = (before + (measured < 3 * before ? measured : 3 * before)) / 2;
    atomic_store_explicit(&timing->cost->ns, (float)measured, memory_order_relaxed);
}
