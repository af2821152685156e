/* Uploads: a file is received whole, checked, and stored under a name that no other file has. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io/file.h"
#include "studio/server/server.h"
#include "weft-io/yaml.h"

static int refuse(struct lws *wsi, studio_connection *connection, unsigned status, const char *why) {
    char text[400];
    studio_http_close(connection);
    connection->upload_failed = 1;
    snprintf(text, sizeof text, "{\"error\":\"%.360s\"}\n", why);
    for (char *c = text + 10; *c && c[1] && c[2] && c[3]; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
            *c = '\'';
    return studio_http_say(wsi, connection, status, "application/json", text);
}

static int has_ending(const char *name, const char *ending) {
    const char *dot = strrchr(name, '.');
    return dot && strcasecmp(dot, ending) == 0;
}

static int is_scene(const char *name) { return has_ending(name, ".yaml"); }

static int is_allowed(const char *name) {
    static const char *const ENDINGS[] = {".obj", ".ply", ".stl", ".fbx", ".gltf", ".glb", ".dae", ".yaml", ".inputs"};
    for (size_t i = 0; i < sizeof ENDINGS / sizeof ENDINGS[0]; i++)
        if (has_ending(name, ENDINGS[i]))
            return 1;
    return 0;
}

int studio_upload_begin(studio_server *server, struct lws *wsi, studio_connection *connection, const char *name,
                        const char *length) {
    char full[STUDIO_PATH_SIZE];
    if (!length[0])
        return refuse(wsi, connection, 411, "the Content-Length header is missing");
    if (!name || !studio_is_file_name(name) || !is_allowed(name))
        return refuse(wsi, connection, 400,
                      "the name must end in .obj, .ply, .stl, .fbx, .gltf, .glb, .dae, .yaml or .inputs and "
                      "contain only letters, digits, '-', '_', '.' and ' '");
    if (strtoull(length, NULL, 10) > STUDIO_UPLOAD_LIMIT)
        return refuse(wsi, connection, 413, "the file is larger than 64 MiB");
    if (strtoull(length, NULL, 10) == 0)
        return refuse(wsi, connection, 400, "the file is empty");
    weft_result result = studio_folder_place(&server->folder, "uploads", name, full);
    if (result.code != WEFT_OK)
        return refuse(wsi, connection, 400, result.message);
    snprintf(connection->upload_name, sizeof connection->upload_name, "%s", name);
    snprintf(connection->upload_path, sizeof connection->upload_path, "%.900s.%d.part", full, lws_get_socket_fd(wsi));
    connection->upload = fopen(connection->upload_path, "wbx");
    if (!connection->upload)
        return refuse(wsi, connection, 500, strerror(errno));
    connection->upload_size = 0;
    return 0;
}

int studio_upload_add(studio_connection *connection, const void *bytes, size_t size) {
    if (!connection->upload)
        return connection->upload_failed ? 0 : -1;
    connection->upload_size += size;
    if (connection->upload_size > STUDIO_UPLOAD_LIMIT || fwrite(bytes, 1, size, connection->upload) != size)
        return -1;
    return 0;
}

/* -- storing -- */

/* A scene with inputs is a recording. Other scenes lie with the meshes that they may need. Fails if the file is not a
 * scene. */
static weft_result choose_folder(const char *name, const char *bytes, size_t size, const char **folder) {
    weft_tree *tree;
    *folder = has_ending(name, ".inputs") ? "recordings" : "uploads";
    if (!is_scene(name))
        return weft_ok();
    WEFT_TRY(weft_yaml_read_memory(bytes, size, name, &tree));
    const weft_value *root = weft_tree_root(tree);
    int is_map = root && root->kind == WEFT_VALUE_MAP;
    int fits = is_map && (weft_value_find(root, "cloth") || weft_value_find(root, "include"));
    if (is_map && weft_value_find(root, "inputs"))
        *folder = "recordings";
    weft_tree_destroy(tree);
    return fits ? weft_ok() : weft_fail(WEFT_BAD_FILE, "%.100s: not a scene: it has no 'cloth'", name);
}

/* Returns whether the file exists and has these bytes. The same file dropped again is not stored twice. */
static int has_bytes(const char *path, const char *bytes, size_t size) {
    char *own = NULL;
    size_t own_size = 0;
    if (access(path, F_OK) != 0 || weft_file_read(path, &own, &own_size).code != WEFT_OK)
        return 0;
    int same = own_size == size && memcmp(own, bytes, size) == 0;
    free(own);
    return same;
}

/* Moves the received file to its folder. `path` receives its name there, relative to the studio's folder. */
static weft_result store(const studio_folder *at, const char *received, const char *name, const char *bytes,
                         size_t size, char path[STUDIO_PATH_SIZE]) {
    const char *folder, *dot = strrchr(name, '.');
    char full[STUDIO_PATH_SIZE], stem[STUDIO_NAME_SIZE], free_name[STUDIO_NAME_SIZE], file[2 * STUDIO_NAME_SIZE];
    const char *const ending[] = {dot, NULL};
    WEFT_TRY(choose_folder(name, bytes, size, &folder));
    WEFT_TRY(studio_folder_place(at, folder, name, full));
    snprintf(path, STUDIO_PATH_SIZE, "%s/%s", folder, name);
    if (has_bytes(full, bytes, size))
        return weft_ok();
    snprintf(stem, sizeof stem, "%.*s", (int)(dot - name), name);
    WEFT_TRY(studio_folder_free_name(at, folder, stem, ending, free_name));
    snprintf(file, sizeof file, "%s%s", free_name, dot);
    WEFT_TRY(studio_folder_place(at, folder, file, full));
    /* a link never replaces a file; some file systems have none */
    if (link(received, full) != 0 && (errno == EEXIST || rename(received, full) != 0))
        return weft_fail(WEFT_BAD_FILE, "%.100s: %s", file, strerror(errno));
    snprintf(path, STUDIO_PATH_SIZE, "%s/%s", folder, file);
    return weft_ok();
}

int studio_upload_end(studio_server *server, struct lws *wsi, studio_connection *connection) {
    char path[STUDIO_PATH_SIZE], text[STUDIO_PATH_SIZE + 32], *bytes = NULL;
    size_t size = 0;
    if (!connection->upload)
        return 0;
    int failed = fclose(connection->upload) != 0;
    connection->upload = NULL;
    weft_result result = failed ? weft_fail(WEFT_BAD_FILE, "the file could not be stored")
                                : weft_file_read(connection->upload_path, &bytes, &size);
    if (result.code == WEFT_OK)
        result = store(&server->folder, connection->upload_path, connection->upload_name, bytes, size, path);
    free(bytes);
    unlink(connection->upload_path);
    if (result.code != WEFT_OK)
        return refuse(wsi, connection, failed ? 500 : 400, result.message);
    snprintf(text, sizeof text, "{\"path\":\"%s\"}\n", path);
    return studio_http_say(wsi, connection, 200, "application/json", text);
}
