/* The parts of a scene that `weft help` explains. */
#ifndef WEFT_CLI_HELP_TOPICS_H
#define WEFT_CLI_HELP_TOPICS_H

#include "weft/base.h"

typedef struct weft_topic {
    const char *name;
    const char *help; /* one line */
    weft_result (*print)(void);
} weft_topic;

/* Ends with a row whose name is null. */
extern const weft_topic WEFT_TOPICS[];

#endif
