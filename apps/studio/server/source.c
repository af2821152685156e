/* The command `source`: the present scene, for links that others can open. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/session.h"
#include "apps/studio/server/tree.h"
#include "io/file.h"

static int is_of_gallery(const studio_session *session) {
    for (int i = 0; i < session->host.scene_count; i++)
        if (strcmp(session->host.scene[i].name, session->path) == 0)
            return 1;
    return 0;
}

/* Writes the scene as a file of uploads/ would name other files. The caller frees the text. */
static weft_result write_text(const studio_session *session, char **text) {
    char path[STUDIO_PATH_SIZE], folder[STUDIO_PATH_SIZE];
    weft_output output;
    size_t size;
    WEFT_TRY(weft_directory_make(session->host.work));
    snprintf(path, sizeof path, "%.900s/source.yaml", session->host.work);
    snprintf(folder, sizeof folder, "%.900s/uploads", session->host.folder.path);
    WEFT_TRY(weft_output_open(&output, path));
    weft_result result = studio_tree_write(session->base, folder, &output);
    if (result.code != WEFT_OK) {
        weft_output_discard(&output);
        return result;
    }
    WEFT_TRY(weft_output_commit(&output));
    return weft_file_read(path, text, &size);
}

weft_result studio_do_source(studio_session *session, studio_request *request) {
    char *text = NULL;
    json_object_set_new(request->reply, "scene", json_string(session->path));
    if (is_of_gallery(session) && !session->rebased)
        return weft_ok();
    if (session->script.count > 0)
        return weft_fail(WEFT_UNSUPPORTED, "the scene has recorded inputs, which are a file of their own");
    if (!session->host.work)
        return weft_fail(WEFT_UNSUPPORTED, "the scene cannot be written here");
    WEFT_TRY(write_text(session, &text));
    json_object_set_new(request->reply, "text", json_string(text));
    free(text);
    return weft_ok();
}
