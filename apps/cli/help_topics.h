/* The parts of a scene that `weft help` explains. */
#ifndef WEFT_APPS_CLI_HELP_TOPICS_H
#define WEFT_APPS_CLI_HELP_TOPICS_H

#include "apps/cli/table.h"
#include "weft/base.h"

typedef struct weft_topic {
    const char *name;
    const char *help;                  /* one line */
    const char *text;                  /* several lines, for a terminal */
    const weft_param *(*params)(void); /* may be null */
    int has_presets;                   /* print all fabric presets after the parameters */
} weft_topic;

/* Ends with a row whose name is null. */
extern const weft_topic WEFT_TOPICS[];

weft_result weft_topic_print(const weft_topic *topic);

/* Prints all fabrics side by side, in as many tables as needed. */
weft_result weft_presets_print(void (*print)(const weft_table *table));
/* Prints the sources of the fabrics, one line per source. */
void weft_presets_print_sources(const char *indent);

#endif
