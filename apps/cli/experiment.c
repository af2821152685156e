#include <stdio.h>
#include <string.h>
#include <time.h>

#include "apps/cli/command.h"
#include "apps/cli/options.h"
#include "apps/cli/say.h"
#include "apps/cli/scene_file.h"
#include "io/file.h"
#include "lab/experiments/experiment_scene.h"
#include "lab/experiments/experiments_page.h"

/* CPU time, because it does not depend on other load on the machine. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
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
        weft_complain("experiment: there is no experiment '%.60s'; did you mean '%s'?", name, nearest);
    else
        weft_complain("experiment: there is no experiment '%.60s' (weft list experiments)", name);
    return WEFT_EXIT_USAGE;
}

static const weft_experiment *find(const char *name) {
    for (const weft_experiment *const *e = WEFT_EXPERIMENTS; *e; e++)
        if (strcmp((*e)->name, name) == 0)
            return *e;
    return NULL;
}

/* -- changes of scenes -- */

typedef struct change_list {
    char path[WEFT_MOST_WORDS][256];
    weft_change list[WEFT_MOST_WORDS + 1];
} change_list;

/* Experiments run for a time and at a rate of their own, and write files of their own. */
static int is_fixed(const char *path) {
    static const char *const FIXED[] = {"time.frames", "time.rate", "output"};
    for (size_t i = 0; i < sizeof FIXED / sizeof FIXED[0]; i++) {
        size_t length = strlen(FIXED[i]);
        if (strncmp(path, FIXED[i], length) == 0 && (path[length] == 0 || path[length] == '.'))
            return 1;
    }
    return 0;
}

static weft_result split(const weft_words *sets, change_list *changes) {
    for (int i = 0; i < sets->count; i++) {
        const char *value;
        WEFT_TRY(weft_scene_split_set(sets->word[i], changes->path[i], &value));
        if (is_fixed(changes->path[i]))
            return weft_fail(WEFT_BAD_INPUT, "--set %.200s: the experiments decide this themselves", changes->path[i]);
        changes->list[i] = (weft_change){changes->path[i], value, 0};
    }
    return weft_ok();
}

/* Fails before anything runs if an experiment has no scene, or a scene does not accept the changes. */
static weft_result try_changes(const weft_experiment *experiment, const weft_change *list) {
    char path[1024];
    if (!experiment->scenes)
        return weft_fail(WEFT_BAD_INPUT,
                         "--set changes scenes, but the experiment '%s' runs none (adaptive and tearing do)",
                         experiment->name);
    for (const char *const *scene = experiment->scenes; *scene; scene++) {
        if (!weft_scene_find(*scene, path, sizeof path))
            return weft_fail(WEFT_BAD_FILE, "there is no scene '%.60s' (weft list scenes)", *scene);
        WEFT_TRY(weft_scene_try_changes(path, list));
    }
    return weft_ok();
}

static weft_result read_changes(const weft_words *sets, const weft_words *names, change_list *changes) {
    WEFT_TRY(split(sets, changes));
    if (sets->count > 0 && names->count == 0)
        return weft_fail(WEFT_BAD_INPUT, "--set needs the names of the experiments to change (adaptive, tearing)");
    for (int i = 0; sets->count > 0 && i < names->count; i++)
        WEFT_TRY(try_changes(find(names->word[i]), changes->list));
    return weft_ok();
}

/* -- */

enum { MOST_CHAPTERS = 64 };

typedef struct order {
    const char *out;
    int quick;
    const weft_change *changes; /* null: none */
} order;

static weft_result write_page(const char *out, const char *name, const weft_chapter *chapter, int count) {
    char path[1024];
    int length = name ? snprintf(path, sizeof path, "%s/%s/index.html", out, name)
                      : snprintf(path, sizeof path, "%s/index.html", out);
    if (length >= (int)sizeof path)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", out);
    WEFT_TRY(weft_page_write(chapter, count, path));
    if (!name)
        printf("page: %s\n", path);
    return weft_ok();
}

/* Runs the experiment and stores its chapter. Adds the number of failed figures to `missed`. */
static weft_result run(const weft_experiment *experiment, const order *o, int *missed) {
    const char *out = o->out;
    char directory[1024];
    weft_record *record;
    weft_chapter chapter = {0};
    if (snprintf(directory, sizeof directory, "%s/%s", out, experiment->name) >= (int)sizeof directory)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", out);
    WEFT_TRY(weft_directory_make(directory));
    WEFT_TRY(weft_chapter_remove(experiment, out));
    WEFT_TRY(weft_record_create(directory, o->quick, stdout, weft_scene_find, &record));
    printf("%s: %s\n", experiment->name, experiment->help);
    weft_record_set_changes(record, o->changes);
    fflush(stdout);
    double start = now();
    weft_result result = experiment->run(record);
    if (result.code == WEFT_OK)
        result = weft_chapter_take(experiment, record, now() - start, &chapter);
    if (result.code == WEFT_OK)
        result = weft_chapter_save(&chapter, out);
    if (result.code == WEFT_OK)
        result = write_page(out, experiment->name, &chapter, 1);
    *missed += weft_record_verdicts(record).missed;
    weft_chapter_clear(&chapter);
    weft_record_destroy(record);
    return result;
}

/* Writes the page of all experiments stored in `out`, in the order of the list. */
static weft_result gather(const char *out) {
    weft_chapter chapter[MOST_CHAPTERS];
    weft_result result = weft_ok();
    int count = 0;
    for (const weft_experiment *const *e = WEFT_EXPERIMENTS; *e && result.code == WEFT_OK && count < MOST_CHAPTERS;
         e++) {
        result = weft_chapter_load(*e, out, &chapter[count]);
        count += chapter[count].html != NULL;
    }
    if (result.code == WEFT_OK && count == 0)
        result = weft_fail(WEFT_BAD_FILE, "%.900s: holds no finished experiment", out);
    if (result.code == WEFT_OK)
        result = write_page(out, NULL, chapter, count);
    while (count > 0)
        weft_chapter_clear(&chapter[--count]);
    return result;
}

static weft_result run_all(const weft_words *names, const order *o, int *missed) {
    for (int i = 0; i < names->count; i++)
        WEFT_TRY(run(find(names->word[i]), o, missed));
    for (const weft_experiment *const *e = WEFT_EXPERIMENTS; *e && names->count == 0; e++)
        if (!o->quick || (*e)->quick)
            WEFT_TRY(run(*e, o, missed));
    return gather(o->out);
}

int weft_command_experiment(int argc, char **argv) {
    static change_list changes;
    weft_words sets = {0};
    order o = {.out = "out/experiments"};
    int page = 0, missed = 0;
    const weft_option table[] = {
        {"--out", WEFT_OPTION_TEXT, &o.out, "DIR", "write files to DIR/NAME (default: out/experiments)", 0},
        {"--quick", WEFT_OPTION_FLAG, &o.quick, NULL, "run only the short experiments, some with fewer cases", 0},
        {"--set", WEFT_OPTION_WORDS, &sets, "PATH=VALUE",
         "change a value of the scenes of the named experiments, for example adapt.max_generation=4", 0},
        {"--page", WEFT_OPTION_FLAG, &page, NULL, "run nothing; write the page from the results in DIR", 0},
        {0},
    };
    weft_usage usage = {
        "experiment",
        "[NAME]...",
        0,
        WEFT_MOST_WORDS,
        "Runs experiments from the source papers and standard tests of the field: all, or those named.",
        "Prints each figure with its expected value. Writes a page for each experiment, DIR/NAME/index.html, and\n"
        "DIR/index.html for all results in DIR, including those of earlier runs. The exit status is 1 if a figure is\n"
        "outside its bound. 'weft list experiments' lists the names.",
        table};
    weft_words names;
    int status = weft_usage_read(&usage, argc, argv, &names);
    if (status >= 0)
        return status;
    for (int i = 0; i < names.count; i++)
        if (!find(names.word[i]))
            return unknown(names.word[i]);
    if (!o.out[0]) {
        weft_complain("experiment: --out '' names no folder");
        return WEFT_EXIT_USAGE;
    }
    if (page && names.count > 0) {
        weft_complain("experiment: --page runs nothing, so it takes no name: '%.60s'", names.word[0]);
        return WEFT_EXIT_USAGE;
    }
    weft_result result = read_changes(&sets, &names, &changes);
    o.changes = sets.count > 0 ? changes.list : NULL;
    if (result.code == WEFT_OK)
        result = page ? gather(o.out) : run_all(&names, &o, &missed);
    if (result.code != WEFT_OK)
        return weft_command_failed(&result);
    if (missed > 0) {
        weft_complain("experiment: %d %s outside the bound", missed, missed == 1 ? "figure is" : "figures are");
        return WEFT_EXIT_FAILED;
    }
    return WEFT_EXIT_OK;
}
