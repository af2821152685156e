/* The benchmarks behind `weft bench`. */
#ifndef WEFT_BENCH_BENCH_H
#define WEFT_BENCH_BENCH_H

#include <stdio.h>

#include "weft/base.h"

/* Nanoseconds and bytes per spring and step beside the machine's streaming bandwidth, as a table on `out`. */
weft_result weft_bench_springs(FILE *out);

#endif
