#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/fabric_table.h"
#include "apps/cli/help_topics.h"
#include "apps/cli/manual.h"
#include "apps/cli/options.h"
#include "apps/cli/reference.h"
#include "apps/cli/run_session.h"
#include "apps/cli/say.h"
#include "apps/cli/table.h"

static weft_result print_component(const weft_component *component) {
    printf("%s %s: %s\n", weft_kind_name(component->kind), component->name, component->help);
    if (component->paper && component->paper[0])
        printf("%s\n", component->paper);
    return weft_table_print_params(component->params, "\n");
}

/* Components of different kinds can share a name. */
static weft_result print_components(const weft_registry *registry, const char *name, int *found) {
    for (int i = 0; i < weft_registry_count(registry); i++) {
        const weft_component *component = weft_registry_at(registry, i);
        if (strcmp(component->name, name) != 0)
            continue;
        printf("%s", *found ? "\n" : "");
        *found = 1;
        WEFT_TRY(print_component(component));
    }
    return weft_ok();
}

/* -- suggestions -- */

typedef struct names {
    const char *name[256];
    int count;
} names;

static void add(names *all, const char *name) {
    if (all->count < (int)(sizeof all->name / sizeof all->name[0]))
        all->name[all->count++] = name;
}

static int unknown(const weft_registry *registry, const char *name) {
    names all = {.count = 0};
    for (int i = 0; i < weft_registry_count(registry); i++)
        add(&all, weft_registry_at(registry, i)->name);
    for (int i = 0; i < weft_fabric_preset_count(); i++)
        add(&all, weft_fabric_preset_at(i)->name);
    for (const weft_topic *topic = WEFT_TOPICS; topic->name; topic++)
        add(&all, topic->name);
    for (const weft_command *command = WEFT_COMMANDS; command->name; command++)
        add(&all, command->name);
    const char *nearest = weft_nearest(name, all.name, all.count);
    if (nearest)
        weft_complain("help: nothing is called '%.60s'; did you mean '%s'?", name, nearest);
    else
        weft_complain("help: nothing is called '%.60s' (weft help)", name);
    return WEFT_EXIT_USAGE;
}

static weft_result print_named(const weft_registry *registry, const char *name, int *found) {
    for (const weft_topic *topic = WEFT_TOPICS; topic->name; topic++)
        if (strcmp(topic->name, name) == 0) {
            *found = 1;
            return weft_topic_print(topic);
        }
    weft_fabric_file *fabric;
    char path[1024];
    if (weft_fabric_preset_find(name) || weft_fabric_file_find(name, "", path, sizeof path) != WEFT_FABRIC_NOWHERE) {
        *found = 1;
        WEFT_TRY(weft_fabric_find(name, "", &fabric));
        weft_result result = weft_fabric_print(fabric);
        weft_fabric_file_destroy(fabric);
        return result;
    }
    return print_components(registry, name, found);
}

static int print_start(void) {
    weft_command_overview();
    printf("\nweft help NAME explains a command, a part of a scene, or anything that 'weft list' shows:\n");
    for (const weft_topic *topic = WEFT_TOPICS; topic->name; topic++)
        printf("  %-8s %s\n", topic->name, topic->help);
    return WEFT_EXIT_OK;
}

/* Explains `name`. Without a name, prints the whole reference: as JSON, or as Markdown. */
static int answer(const weft_words *plugins, const char *name, int json) {
    weft_session session;
    int found = !name, status;
    weft_result result = weft_session_open(&session, plugins);
    if (result.code == WEFT_OK)
        result = name   ? print_named(session.registry, name, &found)
                 : json ? weft_reference_print_json(session.registry)
                        : weft_reference_print(session.registry);
    status = result.code != WEFT_OK ? weft_command_failed(&result)
             : found                ? WEFT_EXIT_OK
                                    : unknown(session.registry, name);
    weft_session_close(&session);
    return status;
}

/* A part of a scene may have the name of a command. */
static int is_topic(const char *name) {
    for (const weft_topic *topic = WEFT_TOPICS; topic->name; topic++)
        if (strcmp(topic->name, name) == 0)
            return 1;
    return 0;
}

int weft_command_help(int argc, char **argv) {
    weft_words plugins = {0}, words;
    int markdown = 0, json = 0, man = 0;
    const weft_option table[] = {
        {"--plugin", WEFT_OPTION_WORDS, &plugins, "FILE", "load components from a shared object", 0},
        {"--markdown", WEFT_OPTION_FLAG, &markdown, NULL, "print the whole scene reference (docs/scene-reference.md)",
         0},
        {"--json", WEFT_OPTION_FLAG, &json, NULL, "print all parameters and fabrics as JSON, for programs", 0},
        {"--man", WEFT_OPTION_FLAG, &man, NULL, "print the man page (weft.1)", 0},
        {0},
    };
    weft_usage usage = {"help", "[NAME]", 0, 1, "Explains a command, a component, a fabric or a part of a scene.",
                        "",     table};
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    if ((markdown || json || man) && (words.count > 0 || markdown + json + man > 1)) {
        weft_complain("help: %s prints everything and takes no name or other option", man    ? "--man"
                                                                                      : json ? "--json"
                                                                                             : "--markdown");
        return WEFT_EXIT_USAGE;
    }
    if (man)
        return weft_manual_print();
    if (words.count == 0)
        return markdown || json ? answer(&plugins, NULL, json) : print_start();
    const weft_command *command = weft_command_find(words.word[0]);
    if (command && !is_topic(words.word[0])) {
        char option[] = "--help";
        char *arguments[] = {option};
        return command->function(1, arguments);
    }
    status = answer(&plugins, words.word[0], 0);
    if (command && status == WEFT_EXIT_OK)
        printf("\n'weft %s --help' shows the options of the command.\n", command->name);
    return status;
}
