#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/manual.h"
#include "apps/cli/say.h"
#include "weft/weft.h"

const weft_command WEFT_COMMANDS[] = {
    {"run", "simulate a scene and write its frames to files", weft_command_run},
    {"render", "make pictures or a video from a run", weft_command_render},
    {"studio", "simulate live in a browser", weft_command_studio},
    {"check", "check a scene, and report sizes and warnings", weft_command_check},
    {"study", "run many cases of a scene, on this machine or a cluster", weft_command_study},
    {"list", "list models, integrators, forces, fabrics, writers, scenes and experiments", weft_command_list},
    {"help", "explain a command, a component or a part of a scene", weft_command_help},
    {"bench", "run benchmarks", weft_command_bench},
    {"experiment", "run experiments and compare them with published and exact results", weft_command_experiment},
    {"garment", "check and sew garments from flat patterns", weft_command_garment},
    {"mannequin", "make a body from measurements", weft_command_mannequin},
    {"fabric", "list, show, test and import fabrics", weft_command_fabric},
    {"fit", "identify the parameters of a fabric from observations", weft_command_fit},
    {NULL, NULL, NULL},
};

const weft_command *weft_command_find(const char *name) {
    for (const weft_command *command = WEFT_COMMANDS; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

int weft_command_failed(const weft_result *result) {
    weft_complain("%s", result->message);
    return WEFT_EXIT_FAILED;
}

int weft_command_overview(void) {
    printf("usage: weft COMMAND [ARGUMENT]...\n\nSimulates cloth.\n\n");
    for (const weft_command *command = WEFT_COMMANDS; command->name; command++)
        printf("  %-10s %s\n", command->name, command->help);
    printf(
        "\n'weft COMMAND --help' shows the options of a command. 'weft help scene' explains how to write a scene.\n");
    weft_manual_print_sections();
    return WEFT_EXIT_OK;
}

static int unknown_command(const char *name) {
    const char *names[16];
    int count = 0;
    for (const weft_command *command = WEFT_COMMANDS; command->name; command++)
        names[count++] = command->name;
    const char *nearest = weft_nearest(name, names, count);
    if (nearest)
        weft_complain("unknown command '%.60s'; did you mean '%s'?", name, nearest);
    else
        weft_complain("unknown command '%.60s' (weft --help)", name);
    return WEFT_EXIT_USAGE;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        weft_complain("a command is missing (weft --help)");
        return WEFT_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return weft_command_overview();
    if (strcmp(argv[1], "--version") == 0) {
        printf("weft %s\n", weft_version());
        return WEFT_EXIT_OK;
    }
    const weft_command *command = weft_command_find(argv[1]);
    return command ? command->function(argc - 2, argv + 2) : unknown_command(argv[1]);
}

int main(int argc, char **argv) {
    signal(SIGXFSZ,
           SIG_IGN); /* a write beyond a file-size limit then fails with a message instead of ending the program */
    int status = dispatch(argc, argv);
    /* A list truncated by a full disk must not count as success. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        weft_complain("the output could not be written");
        return status == WEFT_EXIT_OK ? WEFT_EXIT_FAILED : status;
    }
    return status;
}
