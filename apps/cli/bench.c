#include "lab/bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"

typedef struct benchmark {
    const char *name;
    weft_result (*function)(FILE *out);
    int asked; /* run only when named explicitly */
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
    {"scale-accurate", weft_bench_scale_accurate, 1},
    {"iterations", weft_bench_iterations, 1},
    {"pool", weft_bench_pool, 1},
    {"plots", weft_bench_plots, 0},
};
enum { BENCHMARK_COUNT = sizeof BENCHMARKS / sizeof BENCHMARKS[0] };

static const char NOTES[] =
    "springs   explicit spring step: nanoseconds and bytes per spring\n"
    "implicit  implicit step and linear solver: milliseconds per step and per iteration\n"
    "fem       finite elements: nanoseconds of assembly per triangle, milliseconds per step\n"
    "assembly  matrix assembly of an implicit step: nanoseconds and bytes per vertex\n"
    "contact   collision detection and response: nanoseconds per triangle, compared with the solve\n"
    "contact-sphere, contact-pile\n"
    "          one scene of contact; runs only when named\n"
    "contact-fixed\n"
    "          both scenes with the same thickness at every size; runs only when named\n"
    "render    seconds for a 1280 x 720 picture of 100,000 triangles\n"
    "hang      a hanging sheet: milliseconds per frame for Weft and Bullet, and the error of the motion\n"
    "sphere    a sheet falling onto a sphere: milliseconds per frame for Weft and Bullet\n"
    "scale     50,000 vertices in wind, and the step of four methods from 10^3 to 10^6 vertices\n"
    "scale-accurate\n"
    "          its part for bdf2 with finite elements; runs only when named\n"
    "iterations\n"
    "          iterations of PCG from 10^4 to 10^6 unknowns; runs only when named\n"
    "pool      fork and join of threads, speed-up of loops, and their cost on a busy machine; runs only when named\n"
    "plots     draws the stored results of hang and scale (lab/bench/results) into docs/pictures\n"
    "hang-reference\n"
    "          computes the reference motion for hang; takes hours; runs only when named";

static int unknown(const char *name) {
    char all[300];
    size_t used = 0;
    for (int i = 0; i < BENCHMARK_COUNT && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s '%s'", i > 0 ? "," : "", BENCHMARKS[i].name);
    weft_complain("bench: there is no benchmark '%.60s'; there is%s", name, all);
    return WEFT_EXIT_USAGE;
}

int weft_command_bench(int argc, char **argv) {
    weft_usage usage = {"bench", "[NAME]", 0, 1, "Runs all benchmarks, or the one named.", NOTES, NULL};
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
