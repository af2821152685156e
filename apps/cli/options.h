/* Command lines. One table per command defines the parsing, the messages and the --help text. */
#ifndef WEFT_APPS_CLI_OPTIONS_H
#define WEFT_APPS_CLI_OPTIONS_H

#include "weft/base.h"

enum { WEFT_MOST_WORDS = 128 };

typedef struct weft_words {
    const char *word[WEFT_MOST_WORDS];
    int count;
} weft_words;

typedef enum weft_option_type {
    WEFT_OPTION_FLAG,  /* int */
    WEFT_OPTION_TEXT,  /* const char * */
    WEFT_OPTION_COUNT, /* int, 0 to `most` */
    WEFT_OPTION_WORDS  /* weft_words: may be repeated */
} weft_option_type;

typedef struct weft_option {
    const char *name; /* "--out" */
    weft_option_type type;
    void *target;
    const char *argument; /* "DIR"; null for a flag */
    const char *help;     /* one line */
    int most;             /* largest count; 0: no limit */
} weft_option;

typedef struct weft_usage {
    const char *command;
    const char *arguments;      /* "SCENE", "[NAME]", "" */
    int least, most;            /* number of arguments */
    const char *help;           /* one line */
    const char *notes;          /* printed below the options; "" for none */
    const weft_option *options; /* ends with a row whose name is null; may be null */
} weft_usage;

/* Reads the options into their targets and all other arguments into `words`. Returns -1 to continue. Otherwise returns
 * the exit status, after printing the help or one line with the error. */
int weft_usage_read(const weft_usage *usage, int argc, char **argv, weft_words *words);

/* Replaces the function that prints --help, for the man page. Null restores the plain text. Not thread-safe. */
void weft_usage_print_with(void (*print)(const weft_usage *usage));

#endif
