#include "io/installed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int weft_installed_folder(const char *name, char *path, size_t size) {
    char program[1024];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return 0;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return 0;
    *slash = '\0';
    return snprintf(path, size, "%s/../share/weft/%s", program, name) < (int)size;
}
