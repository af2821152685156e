/* Runs the Node program that drafts FreeSewing designs. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/installed.h"
#include "wear/garment/draft.h"

extern char **environ;

enum { MOST_REPLY = 16 << 20 };

static const char *find_program(char *path, size_t size) {
    if (weft_installed_folder("draft/draft.mjs", path, size) && access(path, R_OK) == 0)
        return path;
    return WEFT_DRAFT_PROGRAM;
}

/* Standard input, output and error are the three files. */
static int spawn(const char *program, FILE *const file[3], pid_t *process) {
    posix_spawn_file_actions_t actions;
    char name[] = "node", path[1100];
    char *const arguments[] = {name, path, NULL};
    snprintf(path, sizeof path, "%s", program);
    int cause = posix_spawn_file_actions_init(&actions);
    if (cause)
        return cause;
    for (int i = 0; i < 3 && !cause; i++)
        cause = posix_spawn_file_actions_adddup2(&actions, fileno(file[i]), i);
    if (!cause)
        cause = posix_spawnp(process, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return cause;
}

static weft_result read_reply(FILE *file, char **reply, size_t *size) {
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end < 0 || end > MOST_REPLY)
        return weft_fail(WEFT_BAD_FILE, "node: its output cannot be read");
    rewind(file);
    *reply = malloc((size_t)end + 1);
    if (!*reply)
        return weft_fail_memory("draft", (size_t)end);
    *size = fread(*reply, 1, (size_t)end, file);
    (*reply)[*size] = 0;
    return weft_ok();
}

/* Does the line begin as "TypeError: ..." and "Error [ERR_...]: ..." do? */
static int names_error(const char *line) {
    const char *end = line + strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    return end - line >= 5 && strncmp(end - 5, "Error", 5) == 0 && (*end == ':' || *end == ' ');
}

/* The line of an error that says what is wrong: the one that names it, or the first. */
static weft_result fail_node(FILE *errors) {
    char line[300], found[300] = "";
    int named = 0;
    rewind(errors);
    while (!named && fgets(line, sizeof line, errors)) {
        line[strcspn(line, "\n")] = 0;
        named = names_error(line);
        if (!found[0] || named)
            memcpy(found, line, sizeof found);
    }
    return weft_fail(WEFT_BAD_FILE, "node, which drafts designs, failed: %.250s", found);
}

static weft_result run(const char *request, FILE *const file[3], char **reply, size_t *size) {
    char path[1024];
    pid_t process;
    int status;
    const char *program = find_program(path, sizeof path);
    if (fputs(request, file[0]) < 0 || fflush(file[0]) != 0)
        return weft_fail(WEFT_BAD_FILE, "node: its input cannot be written: %s", strerror(errno));
    rewind(file[0]);
    int cause = spawn(program, file, &process);
    if (cause)
        return weft_fail(WEFT_BAD_FILE, "node (Node.js 18 or newer), which drafts designs, cannot be started: %s",
                         strerror(cause));
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return weft_fail(WEFT_BAD_FILE, "node: %s", strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail_node(file[2]);
    return read_reply(file[1], reply, size);
}

weft_result garment_draft_run(const char *request, char **reply, size_t *size) {
    FILE *file[3] = {tmpfile(), tmpfile(), tmpfile()};
    *reply = NULL;
    weft_result result = file[0] && file[1] && file[2]
                             ? run(request, file, reply, size)
                             : weft_fail(WEFT_BAD_FILE, "files for node: %s", strerror(errno));
    for (int i = 0; i < 3; i++)
        if (file[i])
            fclose(file[i]);
    return result;
}
