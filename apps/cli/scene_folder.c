#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/cli/scene_file.h"
#include "io/folder_names.h"
#include "io/installed.h"

static const char ENDING[] = ".yaml";

int weft_scene_folder(int index, char *path, size_t size) {
    int installed = weft_installed_folder("scenes", path, size);
    if (installed && index == 0)
        return 1;
#ifdef WEFT_SCENES_FOLDER
    if (index == installed)
        return snprintf(path, size, "%s", WEFT_SCENES_FOLDER) < (int)size;
#endif
    return 0;
}

int weft_scene_find(const char *name, char *path, size_t size) {
    char folder[1024];
    if (strchr(name, '/') || name[0] == '.' || name[0] == '\0')
        return 0;
    for (int i = 0; weft_scene_folder(i, folder, sizeof folder); i++) {
        struct stat info;
        if (snprintf(path, size, "%s/%s%s", folder, name, ENDING) < (int)size && stat(path, &info) == 0 &&
            S_ISREG(info.st_mode))
            return 1;
    }
    return 0;
}

void weft_scene_names_free(char **names, int count) {
    weft_names list = {names, names ? count : 0};
    weft_names_free(&list);
}

char **weft_scene_names(int *count) {
    char folder[1024];
    weft_names names = {calloc(1, sizeof *names.name), 0};
    int complete = names.name != NULL;
    for (int i = 0; complete && weft_scene_folder(i, folder, sizeof folder); i++)
        complete = weft_names_add(&names, folder, ENDING);
    if (!complete)
        weft_names_free(&names);
    weft_names_sort(&names);
    *count = names.count;
    return names.name;
}
