/* How idle threads wait. libgomp lets them spin for milliseconds, which on a machine with other work keeps exactly
 * those threads from running that a loop waits for (measured: 10 to 20 times slower steps). It reads its settings
 * before main, so the command starts itself anew with a short spin unless the user has chosen. */
#include "cli/waiting.h"

#include <stdlib.h>
#include <unistd.h>

void weft_wait_briefly(char **argv) {
    static const char *const CHOICES[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"};
    for (int i = 0; i < 2; i++)
        if (getenv(CHOICES[i]))
            return;
    /* some microseconds: long enough for the loops of one step, short enough to make way */
    if (setenv("GOMP_SPINCOUNT", "10000", 1) == 0)
        execv("/proc/self/exe", argv); /* returns only when it cannot; then threads spin as they did */
}
