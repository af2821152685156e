#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"

typedef struct benchmark {
    const char *name;
    weft_result (*function)(FILE *out);
    int asked; /* runs only when it is named */
} benchmark;

static const benchmark BENCHMARKS[] = {
    {"springs", weft_bench_springs, 0},
    {"implicit", weft_bench_implicit, 0},
    {"fem", weft_bench_fem, 0},
    {"assembly", weft_bench_assembly, 0},
    {"contact", weft_bench_contact, 0},
    {"contact-sphere", weft_bench_contact_sphere, 1},
    {"contact-pile", weft_bench_contact_pile, 1},
    {"contact-fixed", weft_bench_contact_fixed, 1},
    {"render", weft_bench_render, 0},
    {"hang", weft_bench_hang, 0},
    {"hang-reference", weft_bench_hang_reference, 1},
    {"sphere", weft_bench_sphere, 0},
    {"scale", weft_bench_scale, 0},
    {"plots", weft_bench_plots, 0},
};
enum { BENCHMARK_COUNT = sizeof BENCHMARKS / sizeof BENCHMARKS[0] };

static const char NOTES[] =
    "springs   nanoseconds and bytes per spring and step\n"
    "implicit  milliseconds of an implicit step and of an iteration of its solver\n"
    "fem       nanoseconds of assembly per triangle and milliseconds of a step of finite elements\n"
    "assembly  nanoseconds per vertex to assemble the matrix of an implicit step, beside its bytes\n"
    "contact   nanoseconds of detection and response per triangle, beside the solve; contact-sphere and\n"
    "          contact-pile are its two scenes, contact-fixed both with one thickness for all sizes; these run\n"
    "          only when named\n"
    "render    seconds of a picture of 100,000 triangles, 1280 x 720\n"
    "hang      milliseconds of a frame of a hanging sheet, ours and Bullet's, and how true our motion is\n"
    "sphere    milliseconds of a frame of a sheet that falls onto a sphere, ours and Bullet's\n"
    "scale     50,000 vertices in wind, and a step of four methods from 10^3 to 10^6 vertices\n"
    "plots     draws what hang and scale left in bench/results into docs/pictures\n"
    "hang-reference  writes the finely stepped motion that hang reads; takes hours, and runs only when named";

static int unknown(const char *name) {
    fprintf(stderr, "weft: bench: there is no benchmark '%.60s'; there is", name);
    for (int i = 0; i < BENCHMARK_COUNT; i++)
        fprintf(stderr, "%s '%s'", i > 0 ? "," : "", BENCHMARKS[i].name);
    fprintf(stderr, "\n");
    return WEFT_EXIT_USAGE;
}

int weft_command_bench(int argc, char **argv) {
    weft_usage usage = {"bench", "[NAME]", 0, 1, "Measures this machine: all benchmarks, or one.", NOTES, NULL};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    int found = 0;
    for (int i = 0; i < BENCHMARK_COUNT; i++) {
        if (words.count == 1 ? strcmp(words.word[0], BENCHMARKS[i].name) != 0 : BENCHMARKS[i].asked)
            continue;
        printf("%s%s\n", found ? "\n" : "", BENCHMARKS[i].name);
        found = 1;
        weft_result result = BENCHMARKS[i].function(stdout);
        if (result.code != WEFT_OK)
            return weft_command_failed(&result);
    }
    return found ? WEFT_EXIT_OK : unknown(words.word[0]);
}
