#include "tests/stress/stress_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "weft/text.h"

static int is_work_stall(const stress_result *result) {
    return result->worst_newton > 100 * (result->median_newton > 1 ? result->median_newton : 1);
}

void stress_summary_add(stress_summary *sum, uint64_t seed, const char *name, const stress_result *result) {
    sum->scenes++;
    sum->steps += result->steps;
    sum->newton += result->newton;
    sum->seconds += result->seconds;
    sum->energy_scenes += result->has_energy != 0;
    for (int i = 0; i < STRESS_CLASSES; i++)
        if (result->finding[i].count > 0) {
            if (sum->failures[i] < STRESS_LISTED)
                sum->listed[i][sum->failures[i]] = seed;
            sum->failures[i]++;
        }
    if (result->worst_ratio > sum->worst_ratio) {
        sum->worst_ratio = result->worst_ratio;
        weft_format(sum->slowest, sizeof sum->slowest, "%s", name);
    }
    sum->work_stalls += is_work_stall(result) != 0;
    sum->worst_newton = result->worst_newton > sum->worst_newton ? result->worst_newton : sum->worst_newton;
    sum->longest = fmax(sum->longest, result->longest);
}

void stress_summary_print(const stress_summary *sum) {
    if (!sum->by_seed)
        printf("scenes         %" PRIu64 "\n", sum->scenes);
    else
        printf("seeds          %" PRIu64 ", from %" PRIu64 "\n", sum->scenes, sum->first);
    printf("audited steps  %" PRId64 "\n", sum->steps);
    printf("energy checked %" PRIu64 " scenes\n", sum->energy_scenes);
    printf("failures      ");
    for (int i = 0; i < STRESS_CLASSES; i++)
        printf("%s %s %" PRIu64, i ? "," : "", stress_class_name((stress_class)i), sum->failures[i]);
    for (int i = 0; i < STRESS_CLASSES && sum->by_seed; i++) {
        if (sum->failures[i] > 0)
            printf("\n  %-12s %6" PRIu64 " ", stress_class_name((stress_class)i), sum->failures[i]);
        for (uint64_t k = 0; k < sum->failures[i] && k < STRESS_LISTED; k++)
            printf(" %" PRIu64, sum->listed[i][k]);
    }
    printf("\nworst step     %.1f times the median (%s); the longest takes %.2f s\n", sum->worst_ratio, sum->slowest,
           sum->longest);
    printf("Newton updates %" PRId64 ", at most %" PRId64 " in a step; over 100 times the median in %" PRIu64
           " scenes\n",
           sum->newton, sum->worst_newton, sum->work_stalls);
    printf("time           %.1f s, %.1f s in steps\n", sum->wall_seconds, sum->seconds);
}

static void write_failures(const stress_summary *sum, FILE *file) {
    for (int i = 0; i < STRESS_CLASSES; i++) {
        fprintf(file, "%s\"%s\": {\"count\": %" PRIu64 ", \"seeds\": [", i ? ", " : "",
                stress_class_name((stress_class)i), sum->failures[i]);
        for (uint64_t k = 0; k < sum->failures[i] && k < STRESS_LISTED && sum->by_seed; k++)
            fprintf(file, "%s%" PRIu64, k ? ", " : "", sum->listed[i][k]);
        fputs("]}", file);
    }
}

weft_result stress_summary_write(const stress_summary *sum, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "--json '%.200s': cannot be written", path);
    fprintf(file,
            "{\"first\": %" PRIu64 ", \"scenes\": %" PRIu64 ", \"steps\": %" PRId64 ", \"newton\": %" PRId64
            ", \"energy_scenes\": %" PRIu64 ", \"seconds\": %.3f, \"wall_seconds\": %.3f, \"worst_ratio\": %.3f"
            ", \"longest\": %.4f, \"worst_newton\": %" PRId64 ", \"work_stalls\": %" PRIu64 ",\n \"failures\": {",
            sum->first, sum->scenes, sum->steps, sum->newton, sum->energy_scenes, sum->seconds, sum->wall_seconds,
            sum->worst_ratio, sum->longest, sum->worst_newton, sum->work_stalls);
    write_failures(sum, file);
    fputs("}}\n", file);
    int failed = ferror(file);
    return fclose(file) == 0 && !failed ? weft_ok()
                                        : weft_fail(WEFT_BAD_FILE, "--json '%.200s': cannot be written", path);
}
