/* The monotonic clock. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "core/seconds.h"

#include <time.h>

double weft_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
