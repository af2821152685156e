/* Scenes by file or by name, with changes from the command line. */
#ifndef WEFT_APPS_CLI_SCENE_FILE_H
#define WEFT_APPS_CLI_SCENE_FILE_H

#include "apps/cli/options.h"
#include "io/inputs.h"
#include "weft/component.h"
#include "weft/sim.h"
#include "weft/value.h"

enum { WEFT_MOST_NOTICES = 64 };

typedef struct weft_scene_file {
    char path[1024];
    char name[128]; /* "flag" of "data/scenes/flag.yaml" */
    weft_tree *tree;
    weft_sim *sim;                   /* prepared; null until weft_scene_file_prepare */
    char *notice[WEFT_MOST_NOTICES]; /* notices about input that was interpreted or changed; owned */
    int notice_count;
} weft_scene_file;

/* Finds and parses a scene. `name` is a file, or the name of a scene in the scenes folder. Close it even if this fails.
 */
weft_result weft_scene_file_open(weft_scene_file *scene, const char *name);
/* Splits "PATH=VALUE". `value` points into `assignment`. */
weft_result weft_scene_split_set(const char *assignment, char path[256], const char **value);
/* Applies "PATH=VALUE" of --set. */
weft_result weft_scene_file_set(weft_scene_file *scene, const char *assignment);
/* Sets one value in a section on behalf of an option, for example ("time", "frames", "20", "--frames"). Error messages
 * name the option. */
weft_result weft_scene_file_put(weft_scene_file *scene, const char *section, const char *key, const char *text,
                                const char *option);
weft_result weft_scene_file_prepare(weft_scene_file *scene, const weft_registry *registry, int threads);
/* The entry of a cloth in the scene, or null. */
const weft_value *weft_scene_file_cloth(const weft_scene_file *scene, int32_t index);
/* Adds a notice. Drops it if the list is full or memory is exhausted, because a notice reports no error. */
void weft_scene_file_note(weft_scene_file *scene, const char *text);
/* Prints one line per notice to stderr. */
void weft_scene_file_print_notices(const weft_scene_file *scene);
/* Hashes the values that affect the motion, except those of the next function, and the shapes read from files. */
uint64_t weft_scene_file_hash(const weft_scene_file *scene);
/* Hashes the integrator and the length of steps. A run may continue with others. */
uint64_t weft_scene_file_step_hash(const weft_scene_file *scene);
/* Reads the file that `inputs:` names; empty if the scene has none. Free the inputs even if this fails. */
weft_result weft_scene_file_inputs(const weft_scene_file *scene, weft_inputs *inputs);
/* Refuses inputs that the scene cannot take. Tries them on another simulation of the same scene. */
weft_result weft_scene_file_check_inputs(const weft_scene_file *scene, const weft_registry *registry,
                                         const weft_inputs *inputs);
void weft_scene_file_close(weft_scene_file *scene);

/* The folders searched for scene names, by index from 0, the installed one first. Returns 0 past the end. A folder may
 * not exist. */
int weft_scene_folder(int index, char *path, size_t size);
/* Returns the sorted names in the scenes folders; null if memory is exhausted. */
char **weft_scene_names(int *count);
void weft_scene_names_free(char **names, int count);
/* Finds the path of a named scene; returns 0 if there is none. */
int weft_scene_find(const char *name, char *path, size_t size);

#endif
