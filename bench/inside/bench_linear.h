/* Benchmarks of what has no public interface; the program bench_inside runs them. */
#ifndef WEFT_BENCH_INSIDE_BENCH_LINEAR_H
#define WEFT_BENCH_INSIDE_BENCH_LINEAR_H

#include <stdio.h>

#include "weft/base.h"

/* Time and bytes of the matrix product and of a conjugate gradient iteration beside the streaming bandwidth, and each
 * preconditioner's iterations and total time, on hanging sheets of 10^4, 10^5 and 10^6 unknowns. Some two minutes. */
weft_result weft_bench_linear(FILE *out);

#endif
