/* Fuzzes studio messages, one per line, on a small cloth. Nothing is exported. The scene folder contains only one
 * scene.
 *
 * Building a session takes longer than most messages. An input of which no message is accepted leaves the session as
 * it was, so the next input uses it too. Every finding therefore reproduces alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int accepted; /* messages of this input */

static void drop_text(void *context, uint64_t viewer, char *text, unsigned flags) {
    (void)context, (void)viewer, (void)flags;
    accepted += strstr(text, "\"ok\":true") != NULL;
    free(text);
}

/* Encodes the frame in both forms, as if it were sent. */
static void send_frame(void *context, studio_frame *frame) {
    (void)context;
    for (int quantised = 0; quantised < 2; quantised++)
        if (studio_frame_message(frame, quantised, 1) == NULL)
            abort();
    studio_frame_drop(frame);
}

static const char SCENE[] = "time: {step: 5 ms, frames: 4, rate: 50}\n"
                            "cloth: {name: c, grid: {cells: [1, 2]}, pins: [{corner: top-left}]}\n"
                            "forces: [gravity]\n"
                            "bodies: [{plane: {at: [0, -3, 0]}}]\n";

static studio_session *make_session(void) {
    static char folder[] = "/tmp/weft-fuzz-studio-XXXXXX";
    static weft_registry *registry;
    static studio_host host;
    studio_session *session;
    if (!registry) {
        if (weft_registry_create(&registry).code != WEFT_OK || !mkdtemp(folder))
            abort();
        char path[64];
        snprintf(path, sizeof path, "%s/scene.yaml", folder);
        FILE *file = fopen(path, "w");
        if (!file || fputs(SCENE, file) < 0 || fclose(file) != 0)
            abort();
        host = (studio_host){.registry = registry, .threads = 1, .post = drop_text, .show = send_frame};
        if (studio_folder_open(folder, &host.folder).code != WEFT_OK)
            abort();
    }
    return studio_session_create(&host, "scene.yaml", &session).code == WEFT_OK ? session : NULL;
}

/* Skips messages that would create large grids or write files: valid but too slow here. */
static int is_left_out(const char *bytes, size_t size) {
    static const char *const WORDS[] = {"target", "record", "\\u"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        size_t length = strlen(WORDS[i]);
        for (size_t k = 0; k + length <= size; k++)
            if (memcmp(bytes + k, WORDS[i], length) == 0)
                return 1;
    }
    return 0;
}

enum { MOST_MESSAGES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static studio_session *session;
    static double now;
    if (size > 1024)
        return 0;
    if (!session)
        session = make_session();
    accepted = 0;
    const char *at = (const char *)bytes, *end = at + size;
    for (int i = 0; session && at < end && i < MOST_MESSAGES; i++) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line ? line : end) - at);
        if (!is_left_out(at, length))
            studio_session_execute(session, 1, at, length);
        /* Skips clock settings that would need too many steps. */
        const weft_clock *clock = weft_sim_clock(session->pane[0].sim);
        if (clock->step > 1e-5 && clock->rate < 1e6)
            studio_session_go_on(session, 1 + (now += 0.02));
        at += length + 1;
    }
    if (accepted > 0) { /* here and not at the next input: a run that frees less than it allocates looks like a leak */
        studio_session_destroy(session);
        session = make_session();
        now = 0;
    }
    return 0;
}
