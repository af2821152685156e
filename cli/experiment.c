#include "experiments/experiment.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "io/file.h"

static int unknown(const char *name) {
    const char *names[32];
    int count = 0;
    while (WEFT_EXPERIMENTS[count] && count < 32) {
        names[count] = WEFT_EXPERIMENTS[count]->name;
        count++;
    }
    const char *nearest = weft_nearest(name, names, count);
    if (nearest)
        fprintf(stderr, "weft: experiment: there is no experiment '%.60s'; did you mean '%s'?\n", name, nearest);
    else
        fprintf(stderr, "weft: experiment: there is no experiment '%.60s' (weft list experiments)\n", name);
    return WEFT_EXIT_USAGE;
}

static const weft_experiment *find(const char *name) {
    for (const weft_experiment *const *e = WEFT_EXPERIMENTS; *e; e++)
        if (strcmp((*e)->name, name) == 0)
            return *e;
    return NULL;
}

static weft_result run(const weft_experiment *experiment, const char *out, int *missed) {
    char directory[1024];
    WEFT_TRY(weft_experiment_path(out, experiment->name, directory));
    WEFT_TRY(weft_directory_make(directory));
    printf("%s: %s\n", experiment->name, experiment->help);
    WEFT_TRY(experiment->run(directory, stdout, missed));
    printf("files in %s\n", directory);
    fflush(stdout);
    return weft_ok();
}

int weft_command_experiment(int argc, char **argv) {
    const char *out = "out/experiments";
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &out, "DIR", "where the files go, into DIR/NAME (out/experiments)", 0},
        {NULL, WEFT_OPTION_FLAG, NULL, NULL, NULL, 0},
    };
    weft_usage usage = {
        "experiment",
        "[NAME]",
        0,
        1,
        "Does the documents' experiments again: all of them, or one.",
        "Prints each figure beside what is expected; the exit status is 1 when one is beyond its bound.\n"
        "'weft list experiments' names them.",
        table};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    const weft_experiment *one = words.count > 0 ? find(words.word[0]) : NULL;
    if (words.count > 0 && !one)
        return unknown(words.word[0]);
    int missed = 0;
    for (const weft_experiment *const *e = WEFT_EXPERIMENTS; *e; e++) {
        if (one && *e != one)
            continue;
        weft_result result = run(*e, out, &missed);
        if (result.code != WEFT_OK)
            return weft_command_failed(&result);
    }
    if (missed > 0) {
        fprintf(stderr, "weft: experiment: %d %s beyond the bound\n", missed,
                missed == 1 ? "figure is" : "figures are");
        return WEFT_EXIT_FAILED;
    }
    return WEFT_EXIT_OK;
}
