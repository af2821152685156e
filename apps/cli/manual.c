#include "apps/cli/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/cli/help_topics.h"
#include "apps/cli/options.h"
#include "weft/weft.h"

typedef struct entry {
    const char *term, *text;
} entry;

static const entry EXAMPLES[] = {
    {"weft run flag", "simulate the scene flag; the files go to out/flag"},
    {"weft run flag --set forces.wind.speed=9 --write glb,mp4", "change a value; write other formats"},
    {"weft run flag --resume", "continue an interrupted run"},
    {"weft render out/flag --video flag.mp4", "make a video from a run"},
    {"weft check my.yaml", "check a scene before running it"},
    {"weft studio flag", "simulate live in a browser"},
    {"weft study bend.yaml --on slurm", "run many cases on a cluster"},
    {0},
};

static const entry EXIT_STATUS[] = {
    {"0", "success"},
    {"1", "failure: invalid input, a diverged simulation, a file error, or an experiment outside its bound"},
    {"2", "wrong command line"},
    {"130, 143", "stopped by SIGINT or SIGTERM; --resume continues"},
    {0},
};

static const entry FILES[] = {
    {"out/NAME/report.json", "summary of a run: settings, timings, state hash"},
    {"out/NAME/frames.csv", "measurements of each frame"},
    {"out/NAME/frames.weft", "all frames, for 'weft render'"},
    {"out/NAME/view.yaml", "the view that 'weft render' uses"},
    {"out/NAME/checkpoint", "the state from which --resume continues"},
    {"out/NAME/results.csv, results.sqlite", "the tables of 'weft study'"},
    {"out/experiments/index.html", "the results of 'weft experiment'"},
    {"PREFIX/share/weft/scenes", "the installed scenes"},
    {0},
};

static const entry ENVIRONMENT[] = {
    {"DISPLAY, WAYLAND_DISPLAY", "'weft studio' opens a browser only if one of them is set"},
    {0},
};

static const struct {
    const char *title;
    const entry *entries;
} SECTIONS[] = {
    {"Examples", EXAMPLES},
    {"Exit status", EXIT_STATUS},
    {"Files", FILES},
    {"Environment", ENVIRONMENT},
};
enum { SECTION_COUNT = sizeof SECTIONS / sizeof SECTIONS[0] };

void weft_manual_print_sections(void) {
    for (int i = 0; i < SECTION_COUNT; i++) {
        int width = 0;
        for (const entry *e = SECTIONS[i].entries; e->term; e++)
            width = (int)strlen(e->term) > width ? (int)strlen(e->term) : width;
        printf("\n%s:\n", SECTIONS[i].title);
        for (const entry *e = SECTIONS[i].entries; e->term; e++)
            printf("  %-*s  %s\n", width, e->term, e->text);
    }
}

/* -- roff -- */

/* Prints text without any roff markup. A line must not begin with a control character. */
static void print_text(const char *text) {
    static const struct {
        char plain;
        const char *roff;
    } SPECIAL[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    for (const char *at = text; *at; at++) {
        const char *roff = NULL;
        for (size_t i = 0; i < sizeof SPECIAL / sizeof SPECIAL[0]; i++)
            if (*at == SPECIAL[i].plain)
                roff = SPECIAL[i].roff;
        if (*at == '.' && (at == text || at[-1] == '\n'))
            printf("\\&");
        if (roff)
            printf("%s", roff);
        else
            putchar(*at);
    }
}

static void print_heading(const char *title) {
    printf(".SH ");
    for (; *title; title++)
        putchar(toupper((unsigned char)*title));
    printf("\n");
}

static void print_term(const char *term, const char *argument, const char *text) {
    printf(".TP\n.B ");
    print_text(term);
    if (argument) {
        printf(" \\fI");
        print_text(argument);
        printf("\\fR");
    }
    printf("\n");
    print_text(text);
    printf("\n");
}

static void print_usage(const weft_usage *usage) {
    printf(".SS ");
    print_text(usage->command);
    printf("\n.B weft %s\n", usage->command);
    if (usage->options)
        printf("[\\fIOPTION\\fR]...\n");
    if (usage->arguments[0]) {
        print_text(usage->arguments);
        printf("\n");
    }
    printf(".PP\n");
    print_text(usage->help);
    printf("\n");
    for (const weft_option *option = usage->options; option && option->name; option++)
        print_term(option->name, option->argument, option->help);
    if (!usage->notes[0])
        return;
    int columns = strstr(usage->notes, "  ") != NULL;
    printf(".PP\n%s", columns ? ".nf\n" : "");
    print_text(usage->notes);
    printf("\n%s", columns ? ".fi\n" : "");
}

static int print_commands(void) {
    char option[] = "--help";
    char *arguments[] = {option};
    int status = WEFT_EXIT_OK;
    weft_usage_print_with(print_usage);
    for (const weft_command *command = WEFT_COMMANDS; command->name && status == WEFT_EXIT_OK; command++)
        status = command->function(1, arguments);
    weft_usage_print_with(NULL);
    return status;
}

int weft_manual_print(void) {
    printf(".TH WEFT 1 \"\" \"weft %s\" \"Weft manual\"\n", weft_version());
    printf(".SH NAME\nweft \\- simulate cloth\n");
    printf(".SH SYNOPSIS\n.B weft\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR]...\n.br\n.B weft \\-\\-help\n.br\n"
           ".B weft \\-\\-version\n");
    printf(".SH DESCRIPTION\nWeft simulates cloth. It reads a scene file and writes frames in standard formats.\n"
           "Every command prints its options with\n.BR \\-\\-help .\n");
    printf(".SH COMMANDS\n");
    int status = print_commands();
    print_heading("Help topics");
    printf("Use them with\n.BR \"weft help\" :\n");
    for (const weft_topic *topic = WEFT_TOPICS; topic->name; topic++)
        print_term(topic->name, NULL, topic->help);
    for (int i = 0; i < SECTION_COUNT; i++) {
        print_heading(SECTIONS[i].title);
        for (const entry *e = SECTIONS[i].entries; e->term; e++)
            print_term(e->term, NULL, e->text);
    }
    return status;
}
