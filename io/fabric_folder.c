/* Where fabric files are looked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/fabric_file.h"
#include "io/installed.h"

static int user_folder(char *path, size_t size) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/')
        return snprintf(path, size, "%s/weft/fabrics", data) < (int)size;
    return home && home[0] == '/' && snprintf(path, size, "%s/.local/share/weft/fabrics", home) < (int)size;
}

static int is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int weft_fabric_folder(int index, char *path, size_t size) {
    int user = user_folder(path, size);
    if (user && index == 0)
        return 1;
    index -= user;
    int installed = weft_installed_folder("fabrics", path, size) && is_folder(path);
    if (installed && index == 0)
        return 1;
#ifdef WEFT_FABRICS_FOLDER
    if (!installed && index == 0)
        return snprintf(path, size, "%s", WEFT_FABRICS_FOLDER) < (int)size;
#endif
    return 0;
}

static int is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static int ends_as_file(const char *name) {
    size_t length = strlen(name), ending = strlen(WEFT_FABRIC_ENDING);
    return length > ending && strcmp(name + length - ending, WEFT_FABRIC_ENDING) == 0;
}

/* A scene or another file may have the name of a fabric. It counts only if it starts like a fabric: a line that gives
 * one of these keys at the top level. */
static int looks_like_fabric(const char *path) {
    static const char *const KEYS[] = {"density:", "stretch_weft:", "bend_weft:", "source:", "preset:"};
    char line[256];
    int found = 0;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file))
        for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
            found |= strncmp(line, KEYS[i], strlen(KEYS[i])) == 0;
    if (file)
        fclose(file);
    return found;
}

weft_fabric_place weft_fabric_file_find(const char *name, const char *from, char *path, size_t size) {
    char folder[1024], file[256];
    if (strchr(name, '/') || ends_as_file(name))
        return weft_path_beside(from, name, path, size).code == WEFT_OK ? WEFT_FABRIC_BESIDE : WEFT_FABRIC_NOWHERE;
    if (!name[0] || name[0] == '.' || snprintf(file, sizeof file, "%s%s", name, WEFT_FABRIC_ENDING) >= (int)sizeof file)
        return WEFT_FABRIC_NOWHERE;
    if (weft_path_beside(from, file, path, size).code == WEFT_OK && is_file(path) && looks_like_fabric(path))
        return WEFT_FABRIC_BESIDE;
    for (int i = 0; weft_fabric_folder(i, folder, sizeof folder); i++)
        if (snprintf(path, size, "%s/%s", folder, file) < (int)size && is_file(path))
            return WEFT_FABRIC_FOLDER;
    return WEFT_FABRIC_NOWHERE;
}

static weft_result from_preset(const char *name, weft_fabric_file **file) {
    const weft_fabric_preset *preset = weft_fabric_preset_find(name);
    if (!preset) {
        const char *names[128];
        int count = 0;
        for (; count < weft_fabric_preset_count() && count < 128; count++)
            names[count] = weft_fabric_preset_at(count)->name;
        const char *nearest = weft_nearest(name, names, count);
        return nearest ? weft_fail(WEFT_BAD_INPUT, "%.200s: no such fabric; did you mean '%s'?", name, nearest)
                       : weft_fail(WEFT_BAD_INPUT, "%.200s: no such fabric (weft fabric list)", name);
    }
    *file = calloc(1, sizeof **file);
    if (!*file)
        return weft_fail_memory("a fabric", sizeof **file);
    snprintf((*file)->name, sizeof(*file)->name, "%s", preset->name);
    snprintf((*file)->help, sizeof(*file)->help, "%s", preset->help);
    snprintf((*file)->source, sizeof(*file)->source, "%s", preset->source);
    (*file)->fabric = preset->fabric;
    return weft_ok();
}

weft_result weft_fabric_find(const char *name, const char *from, weft_fabric_file **file) {
    char path[1024];
    *file = NULL;
    if (weft_fabric_file_find(name, from, path, sizeof path) == WEFT_FABRIC_NOWHERE)
        return from_preset(name, file);
    return weft_fabric_file_read(path, file);
}
