#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lab/bench/bench.h"

enum { ROUNDS = 9, TRIAD_BLOCK = 1 << 16 };
#define TRIAD_BYTES ((size_t)256 << 20)
#define ROUND_TIME  0.05 /* s */

double weft_bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void processor(char *model, size_t size) {
    char line[256];
    snprintf(model, size, "unknown processor");
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && fgets(line, sizeof line, info))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            snprintf(model, size, "%s", strchr(line, ':') + 2);
            model[strcspn(model, "\n")] = '\0';
            break;
        }
    if (info)
        fclose(info);
}

void weft_bench_machine(FILE *out) {
    char model[200];
    processor(model, sizeof model);
    fprintf(out, "weft %s, %s, gcc %s\n", weft_version(), model, __VERSION__);
}

weft_result weft_bench_print(FILE *out, weft_result (*print)(FILE *out, const weft_registry *registry)) {
    weft_registry *registry;
    WEFT_TRY(weft_registry_create(&registry));
    weft_bench_machine(out);
    weft_result result = print(out, registry);
    weft_registry_destroy(registry);
    return result;
}

static void commit(char *name, size_t size) {
    /* changes to the benchmarks' own output do not make the tree dirty */
    FILE *pipe =
        popen("cd '" WEFT_BENCH_RESULTS "/../..' && printf %s \"$(git rev-parse --short HEAD 2>/dev/null)\" && "
              "(git diff --quiet HEAD -- . ':!lab/bench/results' ':!docs/pictures' 2>/dev/null || printf %s -dirty)",
              "r");
    if (!pipe || !fgets(name, (int)size, pipe))
        snprintf(name, size, "unknown");
    name[strcspn(name, "\n")] = '\0';
    if (pipe)
        pclose(pipe);
}

/* Returns whether the file is new or has these columns. */
static int has_columns(FILE *file, const char *header) {
    char first[600];
    rewind(file);
    if (!fgets(first, sizeof first, file))
        return 1;
    first[strcspn(first, "\n")] = '\0';
    return strcmp(first, header) == 0;
}

void weft_bench_record(const char *name, const char *columns, const char *format, ...) {
    char path[600], header[600], model[200], version[80], date[40];
    snprintf(path, sizeof path, "%s/%s.csv", WEFT_BENCH_RESULTS, name);
    snprintf(header, sizeof header, "time,machine,compiler,commit,%s", columns);
    FILE *file = fopen(path, "a+");
    if (!file)
        return;
    if (!has_columns(file, header)) {
        fprintf(stderr, "weft: bench: %s has other columns than '%s'; nothing is added to it\n", path, header);
        fclose(file);
        return;
    }
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%MZ", gmtime_r(&now, &utc));
    processor(model, sizeof model);
    commit(version, sizeof version);
    fseek(file, 0, SEEK_END);
    if (ftell(file) == 0)
        fprintf(file, "%s\n", header);
    fprintf(file, "%s,%s,gcc %s,%s,", date, model, __VERSION__, version);
    va_list values;
    va_start(values, format);
    vfprintf(file, format, values);
    va_end(values);
    fputc('\n', file);
    fclose(file);
}

typedef struct triad {
    double *a, *b, *c;
} triad;

static void triad_block(void *context, int64_t begin, int64_t end) {
    const triad *t = context;
    double *restrict a = t->a;
    const double *restrict b = t->b, *restrict c = t->c;
    for (int64_t i = begin; i < end; i++)
        a[i] = b[i] + 3.0 * c[i];
}

double weft_bench_bandwidth(int threads) {
    weft_work work = {threads, NULL};
    size_t count = TRIAD_BYTES / (3 * sizeof(double));
    double *memory = malloc(TRIAD_BYTES), best = 0;
    if (!memory)
        return 0;
    triad t = {memory, memory + count, memory + 2 * count};
    for (size_t i = 0; i < 3 * count; i++)
        memory[i] = (double)(i & 7);
    for (int round = 0; round < ROUNDS; round++) {
        double start = weft_bench_now();
        weft_parallel_for(&work, (int64_t)count, TRIAD_BLOCK, triad_block, &t);
        double rate = (double)(3 * count * sizeof(double)) / (weft_bench_now() - start);
        best = rate > best ? rate : best;
    }
    free(memory);
    return best;
}

double weft_bench_time(void (*call)(void *context), void *context) {
    double best = INFINITY, start = weft_bench_now();
    call(context);
    call(context);
    int calls = (int)(ROUND_TIME / (0.5 * (weft_bench_now() - start))) + 1;
    for (int round = 0; round < ROUNDS; round++) {
        start = weft_bench_now();
        for (int i = 0; i < calls; i++)
            call(context);
        double seconds = (weft_bench_now() - start) / calls;
        best = seconds < best ? seconds : best;
    }
    return best;
}
