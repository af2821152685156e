/* `weft studio`: live simulation in a browser. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "apps/studio/server/studio.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/cli/command.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/run_session.h"
#include "apps/cli/say.h"
#include "apps/cli/scene_file.h"
#include "io/folder_names.h"

typedef struct studio_run {
    int no_open;
} studio_run;

/* All scenes by name, plus the scene of the command line, which may be anywhere. */
typedef struct scene_list {
    weft_studio_scene *scene;
    int count;
    const char *start;
} scene_list;

static weft_result list_scenes(scene_list *list) {
    int count;
    char **names = weft_scene_names(&count);
    list->scene = calloc((size_t)(names ? count : 0) + 1, sizeof *list->scene);
    if (!names || !list->scene) {
        weft_scene_names_free(names, names ? count : 0);
        return weft_fail_memory("the list of scenes", sizeof *list->scene);
    }
    for (int i = 0; i < count; i++) {
        weft_studio_scene *scene = &list->scene[list->count];
        char path[sizeof scene->path], *full = NULL;
        if (strlen(names[i]) < sizeof scene->name && weft_scene_find(names[i], path, sizeof path))
            full = realpath(path, NULL);
        if (full && strlen(full) < sizeof scene->path) {
            strcpy(scene->name, names[i]);
            strcpy(scene->path, full);
            weft_file_summary(full, scene->summary, sizeof scene->summary);
            list->count++;
        }
        free(full);
    }
    weft_scene_names_free(names, count);
    return weft_ok();
}

static weft_result choose_start(scene_list *list, const char *wanted) {
    static const char *const FIRST = "hanging-sheet";
    weft_scene_file found;
    list->start = wanted ? wanted : list->count > 0 ? list->scene[0].name : FIRST;
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->scene[i].name, wanted ? wanted : FIRST) == 0) {
            list->start = list->scene[i].name;
            return weft_ok();
        }
    weft_result result = weft_scene_file_open(&found, list->start); /* reports the error */
    weft_studio_scene *own = &list->scene[list->count];
    char *full = result.code == WEFT_OK ? realpath(found.path, NULL) : NULL;
    if (result.code == WEFT_OK && (!full || strlen(full) >= sizeof own->path))
        result = weft_fail(WEFT_BAD_FILE, "%.300s: %s", found.path, full ? "the path is too long" : strerror(errno));
    if (result.code == WEFT_OK) {
        strcpy(own->name, found.name);
        strcpy(own->path, full);
        weft_file_summary(full, own->summary, sizeof own->summary);
        list->start = own->name;
        list->count++;
    }
    free(full);
    weft_scene_file_close(&found);
    return result;
}

static void open_browser(const char *url) {
    extern char **environ;
    char *words[] = {"xdg-open", (char *)url, NULL};
    pid_t child;
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return;
    if (posix_spawnp(&child, words[0], NULL, NULL, words, environ) != 0)
        weft_complain("studio: no xdg-open; open the address yourself");
}

static void ready(void *context, const char *url) {
    const studio_run *run = context;
    printf("%s\n", url);
    fflush(stdout);
    if (!run->no_open)
        open_browser(url);
}

static int stopped(void *context) {
    (void)context;
    return weft_interrupt_signal() != 0;
}

static weft_result run_studio(weft_studio_options *options, const char *scene, const weft_words *plugins) {
    weft_session session;
    scene_list list = {0};
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    weft_result result = weft_session_open(&session, plugins);
    if (result.code == WEFT_OK)
        result = list_scenes(&list);
    if (result.code == WEFT_OK)
        result = choose_start(&list, scene);
    if (result.code == WEFT_OK) {
        options->registry = session.registry;
        options->scene = list.scene;
        options->scene_count = list.count;
        options->start = list.start;
        options->program = length > 0 ? program : NULL;
        weft_interrupt_catch();
        result = weft_studio_run(options);
    }
    free(list.scene);
    weft_session_close(&session);
    return result;
}

static const char NOTES[] =
    "SCENE is a file, or the name of a scene in the scenes folder (weft list scenes). The default is hanging-sheet.\n"
    "The command prints an address that contains a secret token. Anyone who has it can control the simulation.\n"
    "The server accepts connections from this machine only. From another machine, use an SSH tunnel:\n"
    "ssh -L 8000:127.0.0.1:PORT HOST, then open http://127.0.0.1:8000/?token=... there.\n"
    "The studio reads and writes files only in its working folder: uploads/ holds meshes dropped onto the page,\n"
    "recordings/ holds sessions, which 'weft run' can replay.\n"
    "Press Ctrl-C to stop.";
static const char NO_PAGE[] =
    "This weft was built without the studio page, because npm was missing. Only other programs can use the studio.";

int weft_command_studio(int argc, char **argv) {
    weft_studio_options options = {.folder = ".", .ready = ready, .stopped = stopped};
    studio_run run = {0};
    weft_words plugins = {0}, words;
    const weft_option table[] = {
        {"--port", WEFT_OPTION_COUNT, &options.port, "N", "port on 127.0.0.1; 0: any free port (default)", 65535},
        {"--no-open", WEFT_OPTION_FLAG, &run.no_open, NULL, "do not open a browser", 0},
        {"--threads", WEFT_OPTION_COUNT, &options.threads, "N", "number of threads; 0: one per processor (default)",
         1024},
        {"--plugin", WEFT_OPTION_WORDS, &plugins, "FILE", "load components from a shared object", 0},
        {0},
    };
    weft_usage usage = {
        "studio", "[SCENE]", 0, 1, "Simulates a scene live in a browser.", weft_studio_has_page() ? NOTES : NO_PAGE,
        table};
    int status = weft_usage_read(&usage, argc, argv, &words);
    if (status >= 0)
        return status;
    options.context = &run;
    if (!weft_studio_has_page())
        weft_complain("studio: built without its page; only programs can use it");
    weft_result result = run_studio(&options, words.count > 0 ? words.word[0] : NULL, &plugins);
    return result.code == WEFT_OK ? WEFT_EXIT_OK : weft_command_failed(&result);
}
