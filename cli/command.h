/* The subcommands of `weft` and what they share. */
#ifndef WEFT_CLI_COMMAND_H
#define WEFT_CLI_COMMAND_H

#include "weft/base.h"

enum {
    WEFT_EXIT_OK = 0,
    WEFT_EXIT_FAILED = 1, /* bad input, a file that cannot be written, a simulation that diverged */
    WEFT_EXIT_USAGE = 2   /* the command line itself is wrong */
};

typedef struct weft_command {
    const char *name;
    const char *help; /* one line */
    /* `argv` without the program's and the command's name. Returns the exit status. */
    int (*function)(int argc, char **argv);
} weft_command;

/* Ends with a row whose name is null. */
extern const weft_command WEFT_COMMANDS[];
/* null when there is none of that name */
const weft_command *weft_command_find(const char *name);

int weft_command_run(int argc, char **argv);
int weft_command_render(int argc, char **argv);
int weft_command_studio(int argc, char **argv);
int weft_command_check(int argc, char **argv);
int weft_command_list(int argc, char **argv);
int weft_command_help(int argc, char **argv);
int weft_command_bench(int argc, char **argv);
int weft_command_experiment(int argc, char **argv);

/* What `weft --help` prints. */
int weft_command_overview(void);

/* "weft: MESSAGE" on stderr; returns WEFT_EXIT_FAILED. */
int weft_command_failed(const weft_result *result);

#endif
