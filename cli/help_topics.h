/* The parts of a scene that `weft help` explains. */
#ifndef WEFT_CLI_HELP_TOPICS_H
#define WEFT_CLI_HELP_TOPICS_H

#include "cli/table.h"
#include "weft/base.h"

typedef struct weft_topic {
    const char *name;
    const char *help;                  /* one line */
    const char *text;                  /* some, for a terminal */
    const weft_param *(*params)(void); /* may be null */
    int has_presets;                   /* all fabrics follow */
} weft_topic;

/* Ends with a row whose name is null. */
extern const weft_topic WEFT_TOPICS[];

weft_result weft_topic_print(const weft_topic *topic);

/* All fabrics side by side, in as many tables as it takes; and where they come from, a line for each source. */
weft_result weft_presets_print(void (*print)(const weft_table *table));
void weft_presets_print_sources(const char *indent);

#endif
