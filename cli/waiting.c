/* How idle threads wait. By default libgomp lets them spin for milliseconds. On a busy machine, spinning threads
 * displace the threads that a loop waits for: steps were 10 to 20 times slower. Libgomp reads its settings before main.
 * The command therefore re-executes itself with a short spin, unless the user has set one. */
#include "cli/waiting.h"

#include <stdlib.h>
#include <unistd.h>

void weft_wait_briefly(char **argv) {
    static const char *const CHOICES[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"};
    for (int i = 0; i < 2; i++)
        if (getenv(CHOICES[i]))
            return;
    /* a few microseconds: long enough for the loops of one step, short enough to yield the processor */
    if (setenv("GOMP_SPINCOUNT", "10000", 1) == 0)
        execv("/proc/self/exe", argv); /* returns only on failure; then threads spin with the default */
}
