#include "apps/cli/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/say.h"
#include "weft/param.h"

static void print_help(const weft_usage *usage) {
    printf("usage: weft %s%s%s%s\n\n%s\n", usage->command, usage->options ? " [OPTION]..." : "",
           usage->arguments[0] ? " " : "", usage->arguments, usage->help);
    if (usage->options)
        printf("\n");
    for (const weft_option *option = usage->options; option && option->name; option++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", option->name, option->argument ? option->argument : "");
        printf("  %-22s %s\n", left, option->help);
    }
    if (usage->notes[0])
        printf("\n%s\n", usage->notes);
}

static void (*print_usage)(const weft_usage *usage) = print_help;

void weft_usage_print_with(void (*print)(const weft_usage *usage)) { print_usage = print ? print : print_help; }

/* Only the part before '=' is compared. */
static const weft_option *find_option(const weft_usage *usage, const char *text, size_t length) {
    for (const weft_option *option = usage->options; option && option->name; option++)
        if (strlen(option->name) == length && strncmp(option->name, text, length) == 0)
            return option;
    return NULL;
}

static weft_result unknown_option(const weft_usage *usage, const char *text, size_t length) {
    enum { MOST = 32 };
    const char *names[MOST];
    int count = 0;
    for (const weft_option *option = usage->options; option && option->name && count < MOST - 1; option++)
        names[count++] = option->name;
    names[count++] = "--help";
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), text);
    const char *nearest = weft_nearest(name, names, count);
    return weft_fail(WEFT_BAD_INPUT, "unknown option '%s'%s%s%s", name, nearest ? "; did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

static weft_result read_count(const weft_option *option, const char *text) {
    char *end;
    long number = strtol(text, &end, 10);
    int most = option->most > 0 ? option->most : INT_MAX;
    if (end == text || *end || number < 0)
        return weft_fail(WEFT_BAD_INPUT, "%s: '%.60s' is not a whole number from 0 on", option->name, text);
    if (number > most)
        return weft_fail(WEFT_BAD_INPUT, "%s: %.60s is above %d", option->name, text, most);
    *(int *)option->target = (int)number;
    return weft_ok();
}

static weft_result add_word(weft_words *words, const char *word) {
    if (words->count == WEFT_MOST_WORDS)
        return weft_fail(WEFT_BAD_INPUT, "more than %d arguments", WEFT_MOST_WORDS);
    words->word[words->count++] = word;
    return weft_ok();
}

static weft_result read_argument(const weft_option *option, const char *text) {
    switch (option->type) {
    case WEFT_OPTION_COUNT:
        return read_count(option, text);
    case WEFT_OPTION_WORDS:
        return add_word(option->target, text);
    default:
        *(const char **)option->target = text;
        return weft_ok();
    }
}

/* Reads the option at argv[*at] and moves *at to its last word. */
static weft_result read_option(const weft_usage *usage, int argc, char **argv, int *at) {
    const char *text = argv[*at], *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const weft_option *option = find_option(usage, text, length);
    if (!option)
        return unknown_option(usage, text, length);
    if (option->type == WEFT_OPTION_FLAG) {
        if (equals)
            return weft_fail(WEFT_BAD_INPUT, "%s takes no value", option->name);
        *(int *)option->target = 1;
        return weft_ok();
    }
    if (equals)
        return read_argument(option, equals + 1);
    if (*at + 1 == argc)
        return weft_fail(WEFT_BAD_INPUT, "%s needs a value: %s %s", option->name, option->name, option->argument);
    return read_argument(option, argv[++*at]);
}

static weft_result read_all(const weft_usage *usage, int argc, char **argv, weft_words *words) {
    int plain = 0;
    for (int i = 0; i < argc; i++) {
        if (!plain && strcmp(argv[i], "--") == 0)
            plain = 1;
        else if (!plain && argv[i][0] == '-' && argv[i][1])
            WEFT_TRY(read_option(usage, argc, argv, &i));
        else
            WEFT_TRY(add_word(words, argv[i]));
    }
    if (words->count < usage->least)
        return weft_fail(WEFT_BAD_INPUT, "%s is missing", usage->arguments);
    if (words->count > usage->most)
        return weft_fail(WEFT_BAD_INPUT, "one argument too many: '%.60s'", words->word[usage->most]);
    return weft_ok();
}

static int wants_help(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

int weft_usage_read(const weft_usage *usage, int argc, char **argv, weft_words *words) {
    words->count = 0;
    if (wants_help(argc, argv)) {
        print_usage(usage);
        return WEFT_EXIT_OK;
    }
    weft_result result = read_all(usage, argc, argv, words);
    if (result.code == WEFT_OK)
        return -1;
    weft_complain("%s: %s (weft %s --help)", usage->command, result.message, usage->command);
    return WEFT_EXIT_USAGE;
}
