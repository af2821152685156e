#include "bench/bench.h"
#include "bench/inside/bench_linear.h"

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    weft_bench_machine(stdout);
    weft_result result = weft_bench_linear(stdout);
    if (result.code != WEFT_OK)
        fprintf(stderr, "bench_inside: %s\n", result.message);
    return result.code == WEFT_OK ? 0 : 1;
}
