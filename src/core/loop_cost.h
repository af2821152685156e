/* How long loops take, measured while they run. The number of threads follows from it, and nothing else does. */
#ifndef WEFT_CORE_LOOP_COST_H
#define WEFT_CORE_LOOP_COST_H

#include <stdbool.h>
#include <stdint.h>

/* The function of a loop. */
typedef void (*weft_loop_key)(void);

/* What is known of one loop; shared by all threads. */
typedef struct weft_loop_cost weft_loop_cost;

/* A new loop begins with `first_guess` nanoseconds per item. */
weft_loop_cost *weft_loop_cost_of(weft_loop_key key, double first_guess);
/* Nanoseconds per item on one thread. */
double weft_loop_cost_ns(const weft_loop_cost *cost);

/* One measurement. */
typedef struct weft_loop_timing {
    weft_loop_cost *cost; /* null when this run is not measured */
    int64_t start;        /* ns */
    bool is_first;        /* of this loop */
} weft_loop_timing;

/* `expected_ns`: of the whole loop. Short loops are measured from time to time. */
weft_loop_timing weft_loop_timing_begin(weft_loop_cost *cost, double expected_ns);
/* `items`: what this thread did of the loop. */
void weft_loop_timing_end(const weft_loop_timing *timing, int64_t items);

#endif
