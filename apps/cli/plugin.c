#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/cli/run_session.h"

/* dlopen puts the path in front of its message. Our message already contains it. */
static const char *dl_cause(const char *path) {
    const char *message = dlerror();
    if (!message)
        return "unknown cause";
    size_t length = strlen(path);
    if (strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0)
        return message + length + 2;
    return message;
}

weft_result weft_plugin_enter(weft_registry *registry, void *handle, const char *path) {
    void *symbol = dlsym(handle, "weft_plugin");
    if (!symbol)
        return weft_fail(WEFT_BAD_FILE, "%.200s: not a plugin: it has no function weft_plugin", path);
    weft_plugin_entry entry;
    memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from an object to a function pointer */
    weft_result result = entry(registry);
    if (result.code != WEFT_OK)
        return weft_fail(result.code, "%.200s: %.280s", path, result.message);
    return weft_ok();
}

weft_result weft_plugin_load(weft_registry *registry, const char *path, void **handle) {
    *handle = NULL;
    if (access(path, R_OK) != 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    char local[1024];
    /* Without a '/', dlopen would search the system's library folders. */
    if (snprintf(local, sizeof local, "%s%s", strchr(path, '/') ? "" : "./", path) >= (int)sizeof local)
        return weft_fail(WEFT_BAD_FILE, "%.300s: the path is too long", path);
    void *opened = dlopen(local, RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return weft_fail(WEFT_BAD_FILE, "%.200s: cannot be loaded as a plugin: %.240s", path, dl_cause(local));
    weft_result result = weft_plugin_enter(registry, opened, path);
    if (result.code == WEFT_OK)
        *handle = opened;
    else
        dlclose(opened);
    return result;
}

void weft_plugin_unload(void *handle) { dlclose(handle); }
