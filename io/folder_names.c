#include "io/folder_names.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "weft/sort.h"

static int known(const weft_names *names, const char *name, size_t length) {
    for (int i = 0; i < names->count; i++)
        if (strlen(names->name[i]) == length && strncmp(names->name[i], name, length) == 0)
            return 1;
    return 0;
}

/* Returns 0 if memory is exhausted. */
static int add_file(weft_names *names, const char *file, const char *ending) {
    size_t length = strlen(file), size = strlen(ending);
    if (length <= size || strcmp(file + length - size, ending) != 0)
        return 1;
    length -= size;
    if (known(names, file, length))
        return 1;
    char **grown = realloc(names->name, ((size_t)names->count + 1) * sizeof *grown);
    if (!grown)
        return 0;
    names->name = grown;
    char *name = malloc(length + 1);
    if (!name)
        return 0;
    memcpy(name, file, length);
    name[length] = '\0';
    grown[names->count++] = name;
    return 1;
}

int weft_names_add(weft_names *names, const char *folder, const char *ending) {
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    int complete = 1;
    while (complete && directory && (entry = readdir(directory)))
        complete = add_file(names, entry->d_name, ending);
    if (directory)
        closedir(directory);
    return complete;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void weft_names_sort(weft_names *names) {
    if (names->count > 0)
        weft_sort(names->name, (size_t)names->count, sizeof *names->name, by_name);
}

void weft_names_free(weft_names *names) {
    for (int i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    *names = (weft_names){0};
}

void weft_file_summary(const char *path, char *text, size_t size) {
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
