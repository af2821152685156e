/* The components available to a command: built-ins, writers, and plugins from --plugin. */
#ifndef WEFT_APPS_CLI_RUN_SESSION_H
#define WEFT_APPS_CLI_RUN_SESSION_H

#include "apps/cli/options.h"
#include "weft/component.h"

enum { WEFT_MOST_PLUGINS = 16 };

typedef struct weft_session {
    weft_registry *registry;
    void *plugin[WEFT_MOST_PLUGINS]; /* dlopen handles; they must stay open while their components are in use */
    int plugin_count;
} weft_session;

/* Close the session even if this fails. */
weft_result weft_session_open(weft_session *session, const weft_words *plugins);
void weft_session_close(weft_session *session);

/* Loads a shared object and calls its function `weft_plugin`. */
weft_result weft_plugin_load(weft_registry *registry, const char *path, void **handle);
void weft_plugin_unload(void *handle);
/* Calls `weft_plugin` of a shared object that is open. `path` begins messages. */
weft_result weft_plugin_enter(weft_registry *registry, void *handle, const char *path);

#endif
