#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "apps/cli/table.h"
#include "lab/fit/fit.h"
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
        weft_complain("warning: %s", r->warning[i]);
    return weft_ok();
}

/* "fits/cotton.yaml" -> "out/fit-cotton" */
static void name_folder(const char *file, char folder[1024]) {
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    snprintf(folder, 1024, "out/fit-%.*s", dot && dot != base ? (int)(dot - base) : (int)strlen(base), base);
}

typedef struct order {
    const char *file, *out;
    int jobs, start, gather;
} order;

/* Solves one start and stores it. */
static weft_result solve_one(const weft_fit *fit, const order *o) {
    weft_fit_start start;
    if (o->start > fit->starts)
        return weft_fail(WEFT_BAD_INPUT, "--start %d: the fit has %d starts", o->start, fit->starts);
    WEFT_TRY(weft_fit_solve_start(fit, o->start - 1, &start));
    WEFT_TRY(weft_fit_start_write(fit, o->start - 1, &start, o->out));
    printf("start %d: %d evaluations, cost %g\n", o->start, start.evaluations, start.cost);
    return weft_ok();
}

static weft_result solve_all(const weft_fit *fit, const order *o, weft_fit_result *r) {
    if (o->gather) {
        WEFT_TRY(weft_fit_starts_read(fit, o->out, r));
        WEFT_TRY(weft_fit_conclude(fit, o->jobs, r));
    } else
        WEFT_TRY(weft_fit_solve(fit, o->jobs, r));
    WEFT_TRY(print_result(fit, r));
    WEFT_TRY(weft_fit_write(fit, r, o->out));
    weft_say("page: %s/index.html\n", o->out);
    return weft_ok();
}

static weft_result run(const order *o) {
    weft_fit *fit = calloc(1, sizeof *fit);
    weft_fit_result *r = calloc(1, sizeof *r);
    weft_result result = fit && r ? weft_fit_read(o->file, fit) : weft_fail_memory("a fit", sizeof *fit);
    if (result.code == WEFT_OK) {
        weft_say("%s: %d parameters, %lld observed values, %d starts\n", o->file, fit->parameter_count,
                 (long long)fit->residual_count, fit->starts);
        result = o->start > 0 ? solve_one(fit, o) : solve_all(fit, o, r);
    }
    if (r)
        weft_fit_result_clear(r);
    if (fit)
        weft_fit_clear(fit);
    free(r);
    free(fit);
    return result;
}

int weft_command_fit(int argc, char **argv) {
    order o = {0};
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &o.out, "DIR", "write the results to DIR (default: out/fit-NAME)", 0},
        {"--jobs", WEFT_OPTION_COUNT, &o.jobs, "N", "run N simulations at a time (default: one per processor)", 256},
        {"--start", WEFT_OPTION_COUNT, &o.start, "K", "solve only start K, from 1 on, and store it in DIR",
         WEFT_FIT_STARTS},
        {"--gather", WEFT_OPTION_FLAG, &o.gather, NULL, "use the starts that are stored in DIR", 0},
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
    o.file = words.word[0];
    if (o.start > 0 && o.gather) {
        weft_complain("fit: --start and --gather exclude each other");
        return WEFT_EXIT_USAGE;
    }
    if (o.out && !o.out[0]) {
        weft_complain("fit: --out '' names no folder");
        return WEFT_EXIT_USAGE;
    }
    o.out = o.out ? o.out : folder;
    weft_result result = run(&o);
    return result.code == WEFT_OK ? WEFT_EXIT_OK : weft_command_failed(&result);
}
