/* Checks the names of uploads, and moves received files to uploads/ or recordings/. */
#include "apps/studio/server/store_upload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io/file.h"
#include "weft-io/yaml.h"

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

weft_result studio_upload_check_name(const char *name) {
    if (studio_is_file_name(name) && is_allowed(name))
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT,
                     "the name must end in .obj, .ply, .stl, .fbx, .gltf, .glb, .dae, .yaml or .inputs and "
                     "contain only letters, digits, '-', '_', '.' and ' '");
}

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
static weft_result move_file(const studio_folder *at, const char *received, const char *name, const char *bytes,
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

weft_result studio_upload_store(const studio_folder *at, const char *received, const char *name,
                                char path[STUDIO_PATH_SIZE]) {
    char *bytes = NULL;
    size_t size = 0;
    WEFT_TRY(weft_file_read(received, &bytes, &size));
    weft_result result = move_file(at, received, name, bytes, size, path);
    free(bytes);
    return result;
}
