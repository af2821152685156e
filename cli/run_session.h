/* The components a command works with: the built-ins, the writers, and those of --plugin. */
#ifndef WEFT_CLI_RUN_SESSION_H
#define WEFT_CLI_RUN_SESSION_H

#include "cli/options.h"
#include "weft/component.h"

enum { WEFT_MOST_PLUGINS = 16 };

typedef struct weft_session {
    weft_registry *registry;
    void *plugin[WEFT_MOST_PLUGINS]; /* handles of dlopen: their components live in them */
    int plugin_count;
} weft_session;

/* Close it also when this fails. */
weft_result weft_session_open(weft_session *session, const weft_words *plugins);
void weft_session_close(weft_session *session);

/* Loads a shared object and calls its `weft_plugin`. */
weft_result weft_plugin_load(weft_registry *registry, const char *path, void **handle);
void weft_plugin_unload(void *handle);

#endif
