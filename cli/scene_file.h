/* Scenes by file or by name, with what the command line changes in them. */
#ifndef WEFT_CLI_SCENE_FILE_H
#define WEFT_CLI_SCENE_FILE_H

#include "cli/options.h"
#include "io/inputs.h"
#include "weft/component.h"
#include "weft/sim.h"
#include "weft/value.h"

enum { WEFT_MOST_NOTICES = 16 };

typedef struct weft_scene_file {
    char path[1024];
    char name[128]; /* "flag" of "scenes/flag.yaml" */
    weft_tree *tree;
    weft_sim *sim;                   /* prepared; null until weft_scene_file_prepare */
    char *notice[WEFT_MOST_NOTICES]; /* about input that was taken otherwise than it is; owned */
    int notice_count;
} weft_scene_file;

/* Finds and parses. `scene` is a file, or the name of one in the scenes folder. Close it also when this fails. */
weft_result weft_scene_file_open(weft_scene_file *scene, const char *name);
/* "PATH=VALUE" of --set */
weft_result weft_scene_file_set(weft_scene_file *scene, const char *assignment);
/* Sets one value in a section of the scene on behalf of an option, which messages then name: ("time", "frames", "20",
 * "--frames"). */
weft_result weft_scene_file_put(weft_scene_file *scene, const char *section, const char *key, const char *text,
                                const char *option);
weft_result weft_scene_file_prepare(weft_scene_file *scene, const weft_registry *registry, int threads);
/* One that does not fit, or for which memory is out, is left out: it is about no fault. */
void weft_scene_file_note(weft_scene_file *scene, const char *text);
/* One line to stderr for each notice. */
void weft_scene_file_print_notices(const weft_scene_file *scene);
/* Of the values that the motion depends on and the shapes read from files. */
uint64_t weft_scene_file_hash(const weft_scene_file *scene);
/* What `inputs:` names; empty when the scene has none. Free it also when this fails. */
weft_result weft_scene_file_inputs(const weft_scene_file *scene, weft_inputs *inputs);
void weft_scene_file_close(weft_scene_file *scene);

/* The folders that names are looked up in, the installed one first, by index from 0; returns 0 past the end. A folder
 * need not exist. */
int weft_scene_folder(int index, char *path, size_t size);
/* The names in the scenes folders, sorted; null when memory is out. */
char **weft_scene_names(int *count);
void weft_scene_names_free(char **names, int count);
/* The first comment line of a scene, without '#'; "" when it has none. */
void weft_scene_summary(const char *path, char *text, size_t size);
/* "flag" -> the path of that scene; returns 0 when there is none. */
int weft_scene_find(const char *name, char *path, size_t size);

#endif
