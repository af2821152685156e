#include "apps/cli/scene_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/cli/device.h"
#include "apps/cli/say.h"
#include "apps/cli/unused_values.h"
#include "io/file.h"
#include "io/notices.h"
#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"
#include "weft/param.h"
#include "weft/scene.h"
#include "weft/text.h"

static weft_result not_found(const char *name, int cause) {
    int count;
    char **names = weft_scene_names(&count);
    const char *nearest = names && !strchr(name, '/') ? weft_nearest(name, (const char *const *)names, count) : NULL;
    weft_result result =
        nearest ? weft_fail(WEFT_BAD_FILE, "%.300s: no such file or scene; did you mean '%.60s'?", name, nearest)
                : weft_fail(WEFT_BAD_FILE, "%.300s: %s (weft list scenes)", name,
                            cause == ENOENT ? "no such file or scene" : strerror(cause));
    weft_scene_names_free(names, count);
    return result;
}

static weft_result find_scene(weft_scene_file *scene, const char *name) {
    struct stat info;
    int cause = stat(name, &info) == 0 ? 0 : errno;
    if (cause == 0 && !S_ISDIR(info.st_mode)) {
        if (snprintf(scene->path, sizeof scene->path, "%s", name) >= (int)sizeof scene->path)
            return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", name);
        return weft_ok();
    }
    if (weft_scene_find(name, scene->path, sizeof scene->path))
        return weft_ok();
    return not_found(name, cause == 0 ? EISDIR : cause);
}

/* "data/scenes/flag.yaml" -> "flag" */
static void name_scene(weft_scene_file *scene) {
    const char *slash = strrchr(scene->path, '/');
    const char *base = slash ? slash + 1 : scene->path;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    length = length < sizeof scene->name ? length : sizeof scene->name - 1;
    memcpy(scene->name, base, length);
    scene->name[length] = '\0';
}

weft_result weft_scene_file_open(weft_scene_file *scene, const char *name) {
    *scene = (weft_scene_file){0};
    if (strcmp(name, "-") == 0) { /* files that the scene names are looked for in the current folder */
        strcpy(scene->path, "stdin");
        strcpy(scene->name, "stdin");
        return weft_yaml_read_stdin(scene->path, &scene->tree);
    }
    WEFT_TRY(find_scene(scene, name));
    name_scene(scene);
    return weft_yaml_read(scene->path, &scene->tree);
}

weft_result weft_scene_split_set(const char *assignment, char path[256], const char **value) {
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment || equals - assignment >= 256)
        return weft_fail(WEFT_BAD_INPUT, "--set %.200s: not of the form PATH=VALUE", assignment);
    memcpy(path, assignment, (size_t)(equals - assignment));
    path[equals - assignment] = '\0';
    *value = equals + 1;
    return weft_ok();
}

/* Refuses "forces.wind.speed" in a scene without forces: an entry of a missing list cannot be changed. */
static weft_result check_entry(const weft_scene_file *scene, const char *path) {
    static const char *const LISTS[][2] = {{"forces", "force"}, {"bodies", "body"}};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(LISTS[i][0]);
        if (strncmp(path, LISTS[i][0], length) != 0 || path[length] != '.' ||
            weft_value_find(weft_tree_root(scene->tree), LISTS[i][0]))
            continue;
        const char *name = path + length + 1;
        int shown = (int)strcspn(name, ".");
        int more = i == 0 && strncmp(name, "gravity", 7) != 0; /* without forces a scene has gravity */
        return weft_fail(WEFT_BAD_INPUT,
                         "--set %.200s: the scene names no %s '%.*s'; --set '%s=[%s%.*s]' before adds it", path,
                         LISTS[i][1], shown, name, LISTS[i][0], more ? "gravity, " : "", shown, name);
    }
    return weft_ok();
}

weft_result weft_scene_file_set(weft_scene_file *scene, const char *assignment) {
    char path[256];
    const char *value;
    WEFT_TRY(weft_scene_split_set(assignment, path, &value));
    WEFT_TRY(check_entry(scene, path));
    return weft_yaml_set(scene->tree, path, value);
}

weft_result weft_scene_file_put(weft_scene_file *scene, const char *section, const char *key, const char *text,
                                const char *option) {
    weft_tree *tree = scene->tree;
    weft_value *root = weft_tree_root(tree), *map = weft_value_find(root, section);
    if (!root || root->kind != WEFT_VALUE_MAP)
        return weft_ok(); /* not a scene; the reader reports it */
    if (!map) {
        map = weft_tree_map(tree, option, 0);
        if (!map)
            return weft_fail_memory(option, sizeof *map);
        WEFT_TRY(weft_value_put(tree, root, section, map));
    }
    if (map->kind != WEFT_VALUE_MAP)
        return weft_ok();
    weft_value *value = weft_tree_text(tree, text, option, 0);
    if (!value)
        return weft_fail_memory(option, strlen(text));
    return weft_value_put(tree, map, key, value);
}

void weft_scene_file_note(weft_scene_file *scene, const char *text) {
    char *copy = scene->notice_count < WEFT_MOST_NOTICES ? malloc(strlen(text) + 1) : NULL;
    if (!copy)
        return;
    strcpy(copy, text);
    scene->notice[scene->notice_count++] = copy;
}

void weft_scene_file_print_notices(const weft_scene_file *scene) {
    for (int i = 0; i < scene->notice_count; i++)
        weft_complain("notice: %s", scene->notice[i]);
}

static void take_note(void *scene, const char *text) { weft_scene_file_note(scene, text); }

/* Adds a notice for cuts that have no effect. */
static void note_cuts(weft_scene_file *scene) {
    const weft_clock *clock = weft_sim_clock(scene->sim);
    double end = clock->frames / clock->rate;
    char text[240];
    for (int32_t i = 0; i < weft_sim_cut_count(scene->sim); i++) {
        weft_cut_plan plan = weft_sim_cut_at(scene->sim, i);
        const char *name = weft_sim_cloth(scene->sim, plan.cloth)->name;
        weft_format(text, sizeof text, "cloth '%.64s': the cut at %g s meets nothing of it", name, plan.at);
        if (plan.links == 0)
            weft_scene_file_note(scene, text);
        weft_format(text, sizeof text, "cloth '%.64s': the cut at %g s comes after the end of the scene, at %g s", name,
                    plan.at, end);
        if (plan.at > end)
            weft_scene_file_note(scene, text);
    }
}

const weft_value *weft_scene_file_cloth(const weft_scene_file *scene, int32_t index) {
    const weft_value *cloths = weft_value_find(weft_tree_root(scene->tree), "cloth");
    if (!cloths || cloths->kind != WEFT_VALUE_LIST)
        return cloths;
    const weft_value *value = cloths->first;
    while (value && index-- > 0)
        value = value->next;
    return value;
}

weft_result weft_scene_file_prepare(weft_scene_file *scene, const weft_registry *registry, int threads) {
    const weft_scene_source source = {.context = scene, .note = take_note};
    weft_scene_files files = weft_scene_files_make(&source);
    WEFT_TRY(weft_device_load((weft_registry *)registry, scene->tree));
    WEFT_TRY(weft_scene_read(registry, scene->tree, &files, &scene->sim));
    weft_sim_set_threads(scene->sim, threads);
    WEFT_TRY(weft_sim_prepare(scene->sim));
    note_cuts(scene);
    for (int32_t i = 0; i < weft_sim_cloth_count(scene->sim); i++) {
        char text[400];
        double scale;
        if (weft_pattern_notice(scene->sim, i, text, sizeof text))
            weft_scene_file_note(scene, text);
        if (weft_size_notice(scene->sim, i, text, sizeof text, &scale))
            weft_scene_file_note(scene, text);
    }
    weft_unused_values_note(scene);
    return weft_ok();
}

weft_result weft_scene_file_inputs(const weft_scene_file *scene, weft_inputs *inputs) {
    *inputs = (weft_inputs){0};
    const weft_value *value = weft_value_find(weft_tree_root(scene->tree), "inputs");
    if (!value)
        return weft_ok();
    char place[320], joined[1024];
    weft_value_place(value, place, sizeof place);
    if (value->kind != WEFT_VALUE_TEXT || !value->text[0])
        return weft_fail(WEFT_BAD_INPUT, "%sinputs: needs the name of a file", place);
    WEFT_TRY(weft_path_beside(value->file, value->text, joined, sizeof joined));
    weft_result result = weft_inputs_read(joined, inputs);
    if (result.code == WEFT_BAD_FILE) /* others name a line of the inputs */
        return weft_fail(result.code, "%sinputs: %.400s", place, result.message);
    return result;
}

weft_result weft_scene_file_check_inputs(const weft_scene_file *scene, const weft_registry *registry,
                                         const weft_inputs *inputs) {
    if (inputs->count == 0)
        return weft_ok();
    weft_scene_files files = weft_scene_files_make(NULL);
    weft_sim *trial = NULL;
    weft_result result = weft_scene_read(registry, scene->tree, &files, &trial);
    if (result.code == WEFT_OK)
        result = weft_sim_prepare(trial);
    if (result.code == WEFT_OK)
        result = weft_inputs_check(inputs, trial);
    weft_sim_destroy(trial);
    return result;
}

void weft_scene_file_close(weft_scene_file *scene) {
    for (int i = 0; i < scene->notice_count; i++)
        free(scene->notice[i]);
    weft_sim_destroy(scene->sim);
    weft_tree_destroy(scene->tree);
    *scene = (weft_scene_file){0};
}
