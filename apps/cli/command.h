/* The subcommands of `weft` and their shared functions. */
#ifndef WEFT_APPS_CLI_COMMAND_H
#define WEFT_APPS_CLI_COMMAND_H

#include "weft/base.h"

enum {
    WEFT_EXIT_OK = 0,
    WEFT_EXIT_FAILED = 1, /* invalid input, an unwritable file, or a diverged simulation */
    WEFT_EXIT_USAGE = 2   /* wrong command line */
};

typedef struct weft_command {
    const char *name;
    const char *help; /* one line */
    /* `argv` excludes the names of the program and of the command. Returns the exit status. */
    int (*function)(int argc, char **argv);
} weft_command;

/* Ends with a row whose name is null. */
extern const weft_command WEFT_COMMANDS[];
/* Returns null if there is no such command. */
const weft_command *weft_command_find(const char *name);

int weft_command_run(int argc, char **argv);
int weft_command_render(int argc, char **argv);
int weft_command_studio(int argc, char **argv);
int weft_command_check(int argc, char **argv);
int weft_command_list(int argc, char **argv);
int weft_command_help(int argc, char **argv);
int weft_command_bench(int argc, char **argv);
int weft_command_experiment(int argc, char **argv);
int weft_command_garment(int argc, char **argv);
int weft_command_mannequin(int argc, char **argv);
int weft_command_study(int argc, char **argv);
int weft_command_fabric(int argc, char **argv);
int weft_command_fit(int argc, char **argv);

/* Prints the text of `weft --help`. */
int weft_command_overview(void);

/* Prints "weft: MESSAGE" to stderr and returns WEFT_EXIT_FAILED. */
int weft_command_failed(const weft_result *result);

#endif
