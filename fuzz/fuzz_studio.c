/* Fuzzes studio messages, one per line, on a small cloth. Nothing is exported. The scene folder contains only one
 * scene. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studio/server/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void drop_text(void *context, uint64_t viewer, char *text, unsigned flags) {
    (void)context, (void)viewer, (void)flags;
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
                            "cloth: {name: c, grid: {cells: [2, 2]}, pins: [{corner: top-left}]}\n"
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size > 4096)
        return 0;
    studio_session *session = make_session();
    const char *at = (const char *)bytes, *end = at + size;
    double now = 1;
    for (int i = 0; session && at < end && i < 16; i++) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line ? line : end) - at);
        if (!is_left_out(at, length))
            studio_session_execute(session, 1, at, length);
        /* Skips clock settings that would need too many steps. */
        const weft_clock *clock = weft_sim_clock(session->pane[0].sim);
        if (clock->step > 1e-5 && clock->rate < 1e6)
            studio_session_go_on(session, now += 0.02);
        at += length + 1;
    }
    studio_session_destroy(session);
    return 0;
}
