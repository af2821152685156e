#include <math.h>

#include "experiments/experiment.h"

const weft_experiment *const WEFT_EXPERIMENTS[] = {&WEFT_KAWABATA, &WEFT_FIGURE34, NULL};

const char *weft_experiment_verdict(double expected, double ours, double bound, int *missed) {
    if (fabs(ours - expected) <= bound * fabs(expected))
        return "ok";
    ++*missed;
    return "MISSED";
}

weft_result weft_experiment_path(const char *directory, const char *name, char path[1024]) {
    if (snprintf(path, 1024, "%s/%s", directory, name) >= 1024)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", directory);
    return weft_ok();
}
