#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/fabric_table.h"
#include "apps/cli/options.h"
#include "apps/cli/run_session.h"
#include "apps/cli/say.h"
#include "apps/cli/scene_file.h"
#include "apps/cli/table.h"
#include "io/folder_names.h"
#include "lab/experiments/experiment.h"
#include "weft/fabric.h"

static void fill_components(const weft_registry *registry, weft_kind kind, weft_table *table) {
    for (int i = 0; i < weft_registry_count(registry); i++) {
        const weft_component *component = weft_registry_at(registry, i);
        const char *cells[] = {component->name, component->help};
        if (component->kind == kind)
            weft_table_add(table, cells);
    }
}

static void fill_fabrics(weft_table *table) {
    for (int i = 0; i < weft_fabric_preset_count(); i++) {
        const weft_fabric_preset *preset = weft_fabric_preset_at(i);
        const char *cells[] = {preset->name, preset->help};
        weft_table_add(table, cells);
    }
    weft_fabric_files_fill(table);
}

static void fill_scenes(weft_table *table) {
    int count;
    char **names = weft_scene_names(&count);
    for (int i = 0; names && i < count; i++) {
        char path[1024], summary[WEFT_TABLE_CELL] = "";
        if (weft_scene_find(names[i], path, sizeof path))
            weft_file_summary(path, summary, sizeof summary);
        const char *cells[] = {names[i], summary};
        weft_table_add(table, cells);
    }
    weft_scene_names_free(names, count);
}

static void fill_experiments(weft_table *table) {
    for (const weft_experiment *const *experiment = WEFT_EXPERIMENTS; *experiment; experiment++) {
        const char *cells[] = {(*experiment)->name, (*experiment)->help};
        weft_table_add(table, cells);
    }
}

enum { FABRICS = 0, SCENES = -1, EXPERIMENTS = -2 };
typedef struct group {
    const char *name;
    int kind; /* weft_kind, FABRICS, SCENES or EXPERIMENTS */
} group;
static const group GROUPS[] = {
    {"models", WEFT_MODEL},       {"integrators", WEFT_INTEGRATOR},
    {"forces", WEFT_FORCE},       {"bodies", WEFT_BODY},
    {"adaptations", WEFT_ADAPT},  {"fabrics", FABRICS},
    {"writers", WEFT_WRITER},     {"scenes", SCENES},
    {"experiments", EXPERIMENTS},
};
enum { GROUP_COUNT = sizeof GROUPS / sizeof GROUPS[0] };

static weft_result print_group(const weft_registry *registry, const group *which, int indent) {
    weft_table *table = weft_table_create(2);
    if (!table)
        return weft_fail_memory("a table", sizeof *table);
    if (which->kind == FABRICS)
        fill_fabrics(table);
    else if (which->kind == SCENES)
        fill_scenes(table);
    else if (which->kind == EXPERIMENTS)
        fill_experiments(table);
    else
        fill_components(registry, (weft_kind)which->kind, table);
    weft_table_print(table, indent);
    free(table);
    return weft_ok();
}

static weft_result print_all(const weft_registry *registry) {
    for (int i = 0; i < GROUP_COUNT; i++) {
        printf("%s%s\n", i > 0 ? "\n" : "", GROUPS[i].name);
        WEFT_TRY(print_group(registry, &GROUPS[i], 2));
    }
    return weft_ok();
}

/* Returns -1 if the group exists, otherwise the exit status. */
static int find_group(const char *name, const group **found) {
    const char *names[GROUP_COUNT];
    for (int i = 0; i < GROUP_COUNT; i++) {
        names[i] = GROUPS[i].name;
        if (strcmp(GROUPS[i].name, name) == 0) {
            *found = &GROUPS[i];
            return -1;
        }
    }
    const char *nearest = weft_nearest(name, names, GROUP_COUNT);
    if (nearest)
        weft_complain("list: there are no '%.60s'; did you mean '%s'?", name, nearest);
    else
        weft_complain("list: there are no '%.60s' (weft list --help)", name);
    return WEFT_EXIT_USAGE;
}

int weft_command_list(int argc, char **argv) {
    weft_words plugins = {0}, words;
    const weft_option table[] = {
        {"--plugin", WEFT_OPTION_WORDS, &plugins, "FILE", "load components from a shared object", 0},
        {0},
    };
    weft_usage usage = {"list",
                        "[models|integrators|forces|bodies|adaptations|fabrics|writers|scenes|experiments]",
                        0,
                        1,
                        "Lists the components, fabrics, scenes and experiments: all, or one kind.",
                        "'weft help NAME' shows the parameters of a component or fabric.",
                        table};
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    const group *which = NULL;
    if (words.count > 0 && (status = find_group(words.word[0], &which)) >= 0)
        return status;
    weft_session session;
    weft_result result = weft_session_open(&session, &plugins);
    if (result.code == WEFT_OK)
        result = which ? print_group(session.registry, which, 0) : print_all(session.registry);
    weft_session_close(&session);
    return result.code == WEFT_OK ? WEFT_EXIT_OK : weft_command_failed(&result);
}
