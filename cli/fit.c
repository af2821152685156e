#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/table.h"
#include "lab/fit.h"
#include "weft/text.h"

static weft_result print_result(const weft_fit *fit, const weft_fit_result *r) {
    weft_table *table = weft_table_create(4);
    if (!table)
        return weft_fail_memory("a table", sizeof *table);
    weft_table_add(table, (const char *const[]){"parameter", "fitted", "unit", "standard deviation"});
    for (int i = 0; i < fit->parameter_count; i++) {
        char value[32], deviation[48];
        weft_format(value, sizeof value, "%.5g", r->value[i]);
        if (isinf(r->deviation[i]))
            strcpy(deviation, "not determined");
        else
            weft_format(deviation, sizeof deviation, "%.2g %%%s", 100 * r->deviation[i],
                        r->is_identified[i] ? "" : ", not determined");
        weft_table_add(table, (const char *const[]){fit->parameter[i].name, value, fit->parameter[i].unit, deviation});
    }
    weft_table_print(table, 0);
    free(table);
    printf("misfit: %.3g standard deviations (root mean square)\n", r->misfit);
    for (int i = 0; i < r->warning_count; i++)
        fprintf(stderr, "weft: warning: %s\n", r->warning[i]);
    return weft_ok();
}

/* "fits/cotton.yaml" -> "out/fit-cotton" */
static void name_folder(const char *file, char folder[1024]) {
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    snprintf(folder, 1024, "out/fit-%.*s", dot && dot != base ? (int)(dot - base) : (int)strlen(base), base);
}

static weft_result run(const char *file, const char *out, int jobs) {
    weft_fit *fit = calloc(1, sizeof *fit);
    weft_fit_result *r = calloc(1, sizeof *r);
    weft_result result = fit && r ? weft_fit_read(file, fit) : weft_fail_memory("a fit", sizeof *fit);
    if (result.code == WEFT_OK) {
        printf("%s: %d parameters, %lld observed values, %d starts\n", file, fit->parameter_count,
               (long long)fit->residual_count, fit->starts);
        result = weft_fit_solve(fit, jobs, r);
    }
    if (result.code == WEFT_OK)
        result = print_result(fit, r);
    if (result.code == WEFT_OK)
        result = weft_fit_write(fit, r, out);
    if (result.code == WEFT_OK)
        printf("page: %s/index.html\n", out);
    if (r)
        weft_fit_result_clear(r);
    if (fit)
        weft_fit_clear(fit);
    free(r);
    free(fit);
    return result;
}

int weft_command_fit(int argc, char **argv) {
    const char *out = NULL;
    int jobs = 0;
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &out, "DIR", "write the results to DIR (default: out/fit-NAME)", 0},
        {"--jobs", WEFT_OPTION_COUNT, &jobs, "N", "run N simulations at a time (default: one per processor)", 256},
        {0},
    };
    weft_usage usage = {"fit",
                        "FILE",
                        1,
                        1,
                        "Identifies the parameters of a fabric from observations.",
                        "FILE names a fabric to start from, parameters with bounds, and observations: curves of\n"
                        "Kawabata's instruments, bending lengths, drape coefficients, shadows of drape tests, markers\n"
                        "or point clouds. Writes the fitted fabric file, a table and a page (docs/fitting.md).",
                        table};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    char folder[1024];
    name_folder(words.word[0], folder);
    if (out && !out[0]) {
        fprintf(stderr, "weft: fit: --out '' names no folder\n");
        return WEFT_EXIT_USAGE;
    }
    weft_result result = run(words.word[0], out ? out : folder, jobs);
    return result.code == WEFT_OK ? WEFT_EXIT_OK : weft_command_failed(&result);
}
