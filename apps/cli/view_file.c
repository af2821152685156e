#define _XOPEN_SOURCE 700 /* realpath */
#include "apps/cli/view_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/run_folder.h"
#include "io/file.h"
#include "weft-io/yaml.h"
#include "weft/vec.h"

static const char NAME[] = "view.yaml";

/* An image path is relative to the file that names it. The absolute path is stored, so that it works from any folder.
 */
static weft_result find_image(const weft_value *map, weft_view *view) {
    const weft_value *value = map && map->kind == WEFT_VALUE_MAP ? weft_value_find(map, "texture_image") : NULL;
    if (!value || !view->texture_image[0])
        return weft_ok();
    char joined[1024], place[320];
    WEFT_TRY(weft_path_beside(value->file, view->texture_image, joined, sizeof joined));
    char *full = realpath(joined, NULL);
    weft_value_place(value, place, sizeof place);
    weft_result result = weft_ok();
    if (!full)
        result = weft_fail(WEFT_BAD_FILE, "%sview.texture_image: %.200s: no such file", place, joined);
    else if (snprintf(view->texture_image, sizeof view->texture_image, "%s", full) >= (int)sizeof view->texture_image)
        result = weft_fail(WEFT_BAD_FILE, "%sview.texture_image: %.200s: the path is too long", place, full);
    free(full);
    return result;
}

static weft_result read_view(const weft_value *root, weft_view *view) {
    const weft_value *map = root && root->kind == WEFT_VALUE_MAP ? weft_value_find(root, "view") : NULL;
    WEFT_TRY(weft_view_read(map, "view", view));
    return find_image(map, view);
}

weft_result weft_view_of_scene(const weft_scene_file *scene, weft_view *view) {
    return read_view(weft_tree_root(scene->tree), view);
}

/* -- the file -- */

static void write_text(weft_output *output, const char *text) {
    weft_output_print(output, "\"");
    for (; *text; text++)
        weft_output_print(output, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    weft_output_print(output, "\"\n");
}

weft_result weft_view_file_write(const char *directory, const weft_view *view) {
    char path[1024];
    weft_view usual = weft_view_default();
    weft_output output;
    WEFT_TRY(weft_run_folder_path(directory, NAME, path, sizeof path));
    WEFT_TRY(weft_output_open(&output, path));
    weft_output_print(&output, "# The view that 'weft render' uses for this run. 'weft help view' explains the keys.\n"
                               "view:\n");
    /* Omitted if possible: a position that the user adds later then selects the given camera automatically. */
    if (view->camera == WEFT_CAMERA_GIVEN || weft_distance(view->position, usual.position) > 0)
        weft_output_print(&output, "  camera: %s\n", view->camera == WEFT_CAMERA_GIVEN ? "given" : "auto");
    for (const weft_param *row = weft_view_params(); row->name; row++) {
        char value[WEFT_STRING_SIZE], other[WEFT_STRING_SIZE];
        weft_param_write(row, view, value, sizeof value);
        weft_param_write(row, &usual, other, sizeof other);
        if (strcmp(row->name, "camera") == 0 || strcmp(value, other) == 0)
            continue;
        weft_output_print(&output, "  %s: ", row->name);
        if (row->type == WEFT_STRING)
            write_text(&output, value);
        else
            weft_output_print(&output, "%s\n", value);
    }
    return weft_output_commit(&output);
}

static weft_result set_value(weft_tree *tree, const char *assignment) {
    const char *equals = strchr(assignment, '=');
    char path[256];
    if (!equals || strncmp(assignment, "view.", 5) != 0 || (size_t)(equals - assignment) >= sizeof path)
        return weft_fail(WEFT_BAD_INPUT, "--set %.200s: not of the form view.KEY=VALUE (weft help view)", assignment);
    memcpy(path, assignment, (size_t)(equals - assignment));
    path[equals - assignment] = '\0';
    return weft_tree_set(tree, path, equals + 1);
}

static weft_result open_tree(const char *directory, weft_tree **tree) {
    char path[1024];
    WEFT_TRY(weft_run_folder_path(directory, NAME, path, sizeof path));
    if (weft_run_folder_has(directory, NAME))
        return weft_yaml_read(path, tree);
    static const char NOTHING[] = "{}";
    return weft_yaml_read_memory(NOTHING, sizeof NOTHING - 1, "", tree);
}

/* The keys of the view belong under `view:`, as in a scene. */
static weft_result check_keys(const weft_value *root) {
    for (const weft_value *value = root ? root->first : NULL; value; value = value->next) {
        char place[320];
        int known = weft_params_find(weft_view_params(), value->key) != NULL;
        weft_value_place(value, place, sizeof place);
        if (strcmp(value->key, "view") != 0)
            return weft_fail(WEFT_BAD_INPUT, "%sunknown key '%.64s'; the only one is 'view'%s", place, value->key,
                             known ? ", and this key belongs under it" : " (weft help view)");
    }
    return weft_ok();
}

weft_result weft_view_file_read(const char *directory, const weft_words *sets, weft_view *view) {
    weft_tree *tree = NULL;
    weft_result result = open_tree(directory, &tree);
    if (result.code == WEFT_OK)
        result = check_keys(weft_tree_root(tree));
    for (int i = 0; result.code == WEFT_OK && sets && i < sets->count; i++)
        result = set_value(tree, sets->word[i]);
    if (result.code == WEFT_OK)
        result = read_view(weft_tree_root(tree), view);
    weft_tree_destroy(tree);
    return result;
}

weft_result weft_view_set_size(weft_view *view, const char *size) {
    char *end;
    long width = strtol(size, &end, 10), height = 0;
    int good = end != size && *end == 'x';
    if (good) {
        const char *second = end + 1;
        height = strtol(second, &end, 10);
        good = end != second && *end == '\0';
    }
    if (!good)
        return weft_fail(WEFT_BAD_INPUT, "--size: '%.60s' is not of the form 1280x720", size);
    if (width < 1 || height < 1 || width > WEFT_PICTURE_LIMIT || height > WEFT_PICTURE_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "--size: a picture of %ld x %ld pixels: each side must be 1 to %d", width,
                         height, WEFT_PICTURE_LIMIT);
    view->width = (int32_t)width;
    view->height = (int32_t)height;
    return weft_ok();
}
