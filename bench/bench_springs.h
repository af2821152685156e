#ifndef WEFT_BENCH_SPRINGS_H
#define WEFT_BENCH_SPRINGS_H

#include <stdio.h>

#include "weft/base.h"

/* `weft bench springs`: a table of time and bytes per spring and step, and their ratio to the streaming bound. */
weft_result weft_bench_springs(FILE *out);

#endif
