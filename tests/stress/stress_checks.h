/* Runs a scene file and checks it after each step. */
#ifndef WEFT_STRESS_CHECKS_H
#define WEFT_STRESS_CHECKS_H

#include "tests/stress/stress_judge.h"

/* Stops at the first failure that makes the state useless. With `details`, prints a line per frame. */
void stress_check_scene(const char *path, int details, stress_result *result);

#endif
