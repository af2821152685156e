#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/scene_file.h"
#include "experiments/page.h"
#include "io/file.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int unknown(const char *name) {
    const char *names[64];
    int count = 0;
    while (WEFT_EXPERIMENTS[count] && count < 64) {
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

enum { MOST_CHAPTERS = 64 };

static weft_result run(const weft_experiment *experiment, const char *out, int quick, weft_chapter *chapter) {
    char directory[1024];
    if (snprintf(directory, sizeof directory, "%s/%s", out, experiment->name) >= (int)sizeof directory)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", out);
    WEFT_TRY(weft_directory_make(directory));
    WEFT_TRY(weft_record_create(directory, quick, stdout, weft_scene_find, &chapter->record));
    chapter->experiment = experiment;
    printf("%s: %s\n", experiment->name, experiment->help);
    fflush(stdout);
    double start = now();
    weft_result result = experiment->run(chapter->record);
    chapter->seconds = now() - start;
    return result;
}

static weft_result run_all(const weft_experiment *one, const char *out, int quick, weft_chapter *chapter, int *count) {
    char path[1024];
    for (const weft_experiment *const *e = WEFT_EXPERIMENTS; *e && *count < MOST_CHAPTERS; e++)
        if (one ? *e == one : !quick || (*e)->quick)
            WEFT_TRY(run(*e, out, quick, &chapter[(*count)++]));
    if (snprintf(path, sizeof path, "%s/%s", out, one ? one->name : "index.html") >= (int)sizeof path - 12)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", out);
    if (one)
        strcat(path, "/index.html");
    WEFT_TRY(weft_page_write(chapter, *count, path));
    printf("the page: %s\n", path);
    return weft_ok();
}

static int finish(const weft_result *result, const weft_chapter *chapter, int count) {
    int missed = 0;
    for (int i = 0; i < count; i++)
        if (chapter[i].record)
            missed += weft_record_verdicts(chapter[i].record).missed;
    if (result->code != WEFT_OK)
        return weft_command_failed(result);
    if (missed > 0) {
        fprintf(stderr, "weft: experiment: %d %s beyond the bound\n", missed,
                missed == 1 ? "figure is" : "figures are");
        return WEFT_EXIT_FAILED;
    }
    return WEFT_EXIT_OK;
}

int weft_command_experiment(int argc, char **argv) {
    const char *out = "out/experiments";
    int quick = 0;
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &out, "DIR", "where the files go, into DIR/NAME (out/experiments)", 0},
        {"--quick", WEFT_OPTION_FLAG, &quick, NULL, "the short ones, some with fewer cases", 0},
        {NULL, WEFT_OPTION_FLAG, NULL, NULL, NULL, 0},
    };
    weft_usage usage = {
        "experiment",
        "[NAME]",
        0,
        1,
        "Does the documents' experiments and the field's yardsticks: all of them, or one.",
        "Prints each figure beside what is expected and writes a page, DIR/index.html (DIR/NAME/index.html for one);\n"
        "the exit status is 1 when a figure is beyond its bound. 'weft list experiments' names them.",
        table};
    weft_words words;
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    const weft_experiment *one = words.count > 0 ? find(words.word[0]) : NULL;
    if (words.count > 0 && !one)
        return unknown(words.word[0]);
    weft_chapter chapter[MOST_CHAPTERS] = {0};
    int count = 0;
    weft_result result = run_all(one, out, quick, chapter, &count);
    status = finish(&result, chapter, count);
    for (int i = 0; i < count; i++)
        weft_record_destroy(chapter[i].record);
    return status;
}
