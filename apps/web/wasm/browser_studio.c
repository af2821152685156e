/* The studio without a server: the session of apps/studio/server, driven by the calls of a web worker.
 *
 * The worker hands over each message of the page, and calls weft_browser_go_on when it is due. Messages to the page
 * leave through the two functions of the module, onText and onBytes. The page therefore speaks the protocol of
 * docs/studio-protocol.md to the worker as it does to a server. There is one viewer. */
#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/known_shapes.h"
#include "apps/studio/server/session.h"
#include "apps/studio/server/store_upload.h"
#include "apps/web/wasm/browser.h"
#include "io/file.h"
#include "io/folder_names.h"

/* Places in the module's file system, which lives in memory. */
static const char SCENES[] = "/weft/scenes", FOLDER[] = "/studio", WORK[] = "/studio/exports";
enum { VIEWER = 1 };

static struct {
    weft_registry *registry;
    weft_studio_scene *scene;
    int scene_count;
    studio_session *session;
    studio_known_shapes shapes;
    studio_frame *latest; /* the newest frame; null before the first */
    uint32_t sent;        /* sequence number of the last frame that was sent */
    int begun;            /* the page has said hello */
} studio;

/* Flags as in studio_host.post. */
EM_JS(void, send_text, (const char *text), { Module["onText"](UTF8ToString(text)); });
EM_JS(void, send_bytes, (const unsigned char *bytes, size_t size),
      { Module["onBytes"](HEAPU8.slice(bytes, bytes + size).buffer); });

static void post(void *context, uint64_t viewer, char *text, unsigned flags) {
    (void)context;
    if (flags & STUDIO_POST_BEGIN)
        studio.begun = 1;
    if (viewer != 0 || studio.begun)
        send_text(text);
    free(text);
}

static void show(void *context, studio_frame *frame) {
    (void)context;
    studio_frame_drop(studio.latest);
    studio.latest = frame;
}

static void send_message(const studio_bytes *message) { send_bytes(message->memory + STUDIO_FRONT, message->size); }

/* -- the scenes that the worker has put into SCENES -- */

static weft_result list_scenes(void) {
    weft_names names = {calloc(1, sizeof *names.name), 0};
    int complete = names.name && weft_names_add(&names, SCENES, ".yaml");
    weft_names_sort(&names);
    studio.scene = calloc((size_t)names.count + 1, sizeof *studio.scene);
    for (int i = 0; complete && studio.scene && i < names.count; i++) {
        weft_studio_scene *scene = &studio.scene[studio.scene_count++];
        snprintf(scene->name, sizeof scene->name, "%s", names.name[i]);
        snprintf(scene->path, sizeof scene->path, "%s/%.120s.yaml", SCENES, names.name[i]);
        weft_file_summary(scene->path, scene->summary, sizeof scene->summary);
    }
    weft_names_free(&names);
    return complete && studio.scene ? weft_ok() : weft_fail_memory("the list of scenes", sizeof *studio.scene);
}

static weft_result open_studio(const char *start, int threads) {
    studio_folder folder;
    WEFT_TRY(weft_directory_make(WORK));
    WEFT_TRY(studio_folder_open(FOLDER, &folder));
    WEFT_TRY(weft_browser_registry(&studio.registry));
    WEFT_TRY(list_scenes());
    studio_host host = {.registry = studio.registry,
                        .scene = studio.scene,
                        .scene_count = studio.scene_count,
                        .folder = folder,
                        .work = WORK,
                        .no_threads = 1,
                        .threads = threads,
                        .post = post,
                        .show = show};
    return studio_session_create(&host, start, &studio.session);
}

/* -- calls of the worker -- */

EMSCRIPTEN_KEEPALIVE int weft_browser_open(const char *start, int threads) {
    return weft_browser_keep(open_studio(start, threads));
}

EMSCRIPTEN_KEEPALIVE void weft_browser_execute(const char *text) {
    studio_session_execute(studio.session, VIEWER, text, strlen(text));
}

EMSCRIPTEN_KEEPALIVE double weft_browser_go_on(double now) { return studio_session_go_on(studio.session, now); }

EMSCRIPTEN_KEEPALIVE unsigned weft_browser_send_frame(void) {
    studio_frame *frame = studio.latest;
    studio_shape *shape;
    if (!frame || !studio.begun || frame->sequence == studio.sent)
        return 0;
    while ((shape = studio_known_missing(&studio.shapes, frame)) && studio_known_add(&studio.shapes, shape))
        send_message(&shape->message);
    const studio_bytes *message = shape ? NULL : studio_frame_message(frame, 0, VIEWER);
    if (!message) /* memory is out: the next frame may fit */
        return 0;
    send_message(message);
    studio.sent = frame->sequence;
    return studio.sent;
}

EMSCRIPTEN_KEEPALIVE const char *weft_browser_store(const char *received, const char *name) {
    static char path[STUDIO_PATH_SIZE];
    studio_folder folder;
    weft_result result = studio_folder_open(FOLDER, &folder);
    if (result.code == WEFT_OK)
        result = studio_upload_check_name(name);
    if (result.code == WEFT_OK) {
        char unused[STUDIO_PATH_SIZE];
        result = studio_folder_place(&folder, "uploads", name, unused); /* makes the folder */
    }
    if (result.code == WEFT_OK)
        result = studio_upload_store(&folder, received, name, path);
    return weft_browser_keep(result) ? NULL : path;
}
