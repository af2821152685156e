/* Shortens file names in messages to viewers: relative to the studio's folder instead of absolute. */
#include <stdio.h>
#include <string.h>

#include "apps/studio/server/session.h"

static int is_in_name(char letter) { return letter != '\0' && !strchr(" :'\"(", letter); }

/* Removes `folder` (length bytes, with its last slash) from the start of each file name in the text. */
static void strip(char *text, const char *folder, size_t length) {
    char *found = text;
    while (length > 1 && (found = strstr(found, folder)) != NULL) {
        if (found > text && is_in_name(found[-1]))
            found += length;
        else
            memmove(found, found + length, strlen(found + length) + 1);
    }
}

void studio_shorten_names(const studio_host *host, char *text) {
    char folder[STUDIO_PATH_SIZE + 1];
    size_t length = strlen(host->folder.path);
    memcpy(folder, host->folder.path, length);
    memcpy(folder + length, "/", 2);
    strip(text, folder, length + 1);
    for (int i = 0; i < host->scene_count; i++) {
        const char *slash = strrchr(host->scene[i].path, '/');
        size_t above = slash ? (size_t)(slash - host->scene[i].path) + 1 : 0;
        if (above == 0 || above >= sizeof folder)
            continue;
        memcpy(folder, host->scene[i].path, above);
        folder[above] = '\0';
        strip(text, folder, above);
    }
}

void studio_session_tell_failed(studio_session *session, int pane, const char *message, json_t *remedies) {
    char text[512];
    snprintf(text, sizeof text, "%s", message);
    studio_shorten_names(&session->host, text);
    studio_session_event(
        session, 0, "failed",
        json_pack("{s:i, s:s, s:o}", "pane", pane, "message", text, "remedies", remedies ? remedies : json_array()), 0);
}
