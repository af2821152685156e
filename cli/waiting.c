/* How idle threads wait. By default libgomp lets them spin for milliseconds. On a busy machine, spinning threads
 * displace the threads that a loop waits for: steps were 10 to 20 times slower. Libgomp reads its settings before main.
 * The command therefore re-executes itself with a short spin, unless the user has set one. */
#include "cli/waiting.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

void weft_wait_briefly(char **argv) {
    static const char *const CHOICES[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"};
    char path[PATH_MAX];
    for (int i = 0; i < 2; i++)
        if (getenv(CHOICES[i]))
            return;
    /* The kernel names a process after the last part of the path it executes: "/proc/self/exe" would be shown as
     * "exe". */
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || length == (ssize_t)sizeof path - 1)
        return;
    path[length] = 0;
    /* a few microseconds: long enough for the loops of one step, short enough to yield the processor */
    if (setenv("GOMP_SPINCOUNT", "10000", 1) == 0)
        execv(path, argv); /* returns only on failure; then threads spin with the default */
}
