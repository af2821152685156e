#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/scene_file.h"
#include "io/file.h"

static const char ENDING[] = ".yaml";

/* Relative to the installed program: PREFIX/bin/weft and PREFIX/share/weft/scenes. */
static int installed_folder(char *path, size_t size) {
    char program[1024];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return 0;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return 0;
    *slash = '\0';
    return snprintf(path, size, "%s/../share/weft/scenes", program) < (int)size;
}

int weft_scene_folder(int index, char *path, size_t size) {
    int installed = installed_folder(path, size);
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
    for (int i = 0; names && i < count; i++)
        free(names[i]);
    free(names);
}

static int known(char *const *names, int count, const char *name, size_t length) {
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return 1;
    return 0;
}

/* Returns 0 if memory is exhausted. */
static int add_name(char ***names, int *count, const char *file) {
    size_t length = strlen(file), ending = sizeof ENDING - 1;
    if (length <= ending || strcmp(file + length - ending, ENDING) != 0)
        return 1;
    length -= ending;
    if (known(*names, *count, file, length))
        return 1;
    char **grown = realloc(*names, ((size_t)*count + 1) * sizeof **names);
    if (!grown)
        return 0;
    *names = grown;
    char *name = malloc(length + 1);
    if (!name)
        return 0;
    memcpy(name, file, length);
    name[length] = '\0';
    grown[(*count)++] = name;
    return 1;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

char **weft_scene_names(int *count) {
    char folder[1024];
    char **names = calloc(1, sizeof *names);
    int complete = names != NULL;
    *count = 0;
    for (int i = 0; complete && weft_scene_folder(i, folder, sizeof folder); i++) {
        DIR *directory = opendir(folder);
        const struct dirent *entry;
        while (complete && directory && (entry = readdir(directory)))
            complete = add_name(&names, count, entry->d_name);
        if (directory)
            closedir(directory);
    }
    if (!complete) {
        weft_scene_names_free(names, *count);
        return NULL;
    }
    qsort(names, (size_t)*count, sizeof *names, by_name);
    return names;
}

void weft_scene_summary(const char *path, char *text, size_t size) {
    text[0] = '\0';
    FILE *file = weft_file_check(path).code == WEFT_OK ? fopen(path, "r") : NULL;
    if (!file)
        return;
    char line[256];
    if (fgets(line, sizeof line, file) && line[0] == '#') {
        line[strcspn(line, "\r\n")] = '\0';
        snprintf(text, size, "%s", line + 1 + strspn(line + 1, " "));
    }
    fclose(file);
}
