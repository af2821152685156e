/* Saves a recording: a scene and its inputs, which `weft run` replays to the same state. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/server/fields.h"
#include "apps/studio/server/session.h"
#include "apps/studio/server/tree.h"
#include "io/file.h"
#include "weft/sort.h"

static weft_result write_tree(const weft_tree *tree, const char *path) {
    char folder[STUDIO_PATH_SIZE];
    weft_output output;
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    WEFT_TRY(weft_output_open(&output, path));
    weft_output_print(&output, "# Recorded by weft studio; run it with: weft run FILE\n");
    weft_result result = studio_tree_write(tree, folder, &output);
    if (result.code != WEFT_OK) {
        weft_output_discard(&output);
        return result;
    }
    return weft_output_commit(&output);
}

static int has_cut(const weft_inputs *log, int64_t step) {
    for (int32_t i = 0; i < log->count && log->input[i].step < step; i++)
        if (log->input[i].kind == WEFT_INPUT_CUT)
            return 1;
    return 0;
}

/* Formats with one mesh for all frames would refuse the cuts of a recording. Then the scene's formats are left out. */
static void drop_formats(weft_value *root) {
    for (weft_value *child = root->first; child; child = child->next)
        if (strcmp(child->key, "output") == 0 && child->kind == WEFT_VALUE_MAP)
            studio_tree_remove(child, "write");
}

/* Writes the scene with the given inputs file and number of frames. */
static weft_result write_scene(const weft_tree *tree, const char *path, const char *inputs, int64_t frames, int cuts) {
    weft_tree *copy;
    char number[32];
    WEFT_TRY(studio_tree_copy(tree, &copy));
    weft_value *root = weft_tree_root(copy);
    studio_tree_remove(root, "inputs");
    if (cuts)
        drop_formats(root);
    snprintf(number, sizeof number, "%" PRId64, frames);
    weft_result result = weft_tree_set(copy, "time.frames", number);
    if (result.code == WEFT_OK)
        result = studio_tree_put_text(copy, root, "inputs", inputs);
    if (result.code == WEFT_OK)
        result = write_tree(copy, path);
    weft_tree_destroy(copy);
    return result;
}

/* The files of a recording, named relative to the studio's folder. */
typedef struct recording_files {
    char scene[160], inputs[160];
} recording_files;

/* Chooses files that do not exist yet, so that an earlier recording is never lost. */
static weft_result name_files(const studio_session *session, const char *wanted, recording_files *files) {
    static const char *const ENDINGS[] = {".yaml", ".inputs", NULL};
    char name[STUDIO_NAME_SIZE];
    WEFT_TRY(studio_folder_free_name(&session->host.folder, "recordings", wanted, ENDINGS, name));
    snprintf(files->scene, sizeof files->scene, "recordings/%s.yaml", name);
    snprintf(files->inputs, sizeof files->inputs, "recordings/%s.inputs", name);
    return weft_ok();
}

static weft_result write_files(const studio_session *session, const recording_files *files, const studio_moment *last) {
    static const size_t FOLDER = sizeof "recordings/" - 1;
    char scene[STUDIO_PATH_SIZE], inputs[STUDIO_PATH_SIZE];
    WEFT_TRY(studio_folder_place(&session->host.folder, "recordings", files->scene + FOLDER, scene));
    WEFT_TRY(studio_folder_place(&session->host.folder, "recordings", files->inputs + FOLDER, inputs));
    WEFT_TRY(weft_inputs_write(&session->log, last->step, inputs));
    return write_scene(session->pane[0].tree, scene, files->inputs + FOLDER, last->frame,
                       has_cut(&session->log, last->step));
}

static void put_path(json_t *reply, const char *path_key, const char *url_key, const char *path) {
    char url[200];
    snprintf(url, sizeof url, "/%s", path);
    json_object_set_new(reply, path_key, json_string(path));
    json_object_set_new(reply, url_key, json_string(url));
}

static weft_result save(studio_session *session, studio_request *request) {
    const char *name = session->name;
    recording_files files;
    char hash[17];
    WEFT_TRY(studio_field_text(request->message, "name", &name));
    WEFT_TRY(name_files(session, name, &files));
    const studio_history *history = &session->history;
    const studio_moment *last = history->moment[session->scrubbed ? session->shown : history->count - 1];
    WEFT_TRY(write_files(session, &files, last));
    put_path(request->reply, "path", "url", files.scene);
    put_path(request->reply, "inputs", "inputs_url", files.inputs);
    snprintf(hash, sizeof hash, "%016" PRIx64, last->hash);
    json_object_set_new(request->reply, "frames", json_integer(last->frame));
    json_object_set_new(request->reply, "steps", json_integer(last->step));
    json_object_set_new(request->reply, "state_hash", json_string(hash));
    return weft_ok();
}

weft_result studio_do_record(studio_session *session, studio_request *request) {
    const char *action = "";
    WEFT_TRY(studio_field_require(request->message, "action"));
    WEFT_TRY(studio_field_text(request->message, "action", &action));
    if (strcmp(action, "start") == 0) {
        WEFT_TRY(studio_session_restart(session, 1));
    } else if (strcmp(action, "save") == 0) {
        WEFT_TRY(save(session, request));
    } else {
        return weft_fail(WEFT_BAD_INPUT, "'action' is 'start' or 'save', not '%.40s'", action);
    }
    session->recording = strcmp(action, "start") == 0;
    studio_session_tell_time(session, 0);
    return weft_ok();
}

/* -- the list of recordings -- */

static int is_scene(const char *name) {
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".yaml") == 0 && studio_is_file_name(name);
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

weft_result studio_do_recordings(studio_session *session, studio_request *request) {
    enum { MOST = 500 };
    char folder[STUDIO_PATH_SIZE + 16], *name[MOST];
    size_t count = 0;
    snprintf(folder, sizeof folder, "%s/recordings", session->host.folder.path);
    DIR *opened = opendir(folder);
    const struct dirent *entry;
    while (opened && count < MOST && (entry = readdir(opened)))
        if (is_scene(entry->d_name) && (name[count] = strdup(entry->d_name)))
            name[count++][strlen(entry->d_name) - 5] = '\0'; /* without ".yaml", so that "four" precedes "four-2" */
    if (opened)
        closedir(opened);
    weft_sort(name, count, sizeof name[0], by_name);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        char path[300];
        snprintf(path, sizeof path, "recordings/%.255s.yaml", name[i]);
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", name[i], "path", path));
        free(name[i]);
    }
    json_object_set_new(request->reply, "recordings", list);
    return weft_ok();
}
