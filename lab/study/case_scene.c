#include "lab/study/case_scene.h"

#include <stdio.h>
#include <string.h>

#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"
#include "weft/scene.h"

static void relabel(weft_value *value, const char *file) {
    value->file = file;
    for (weft_value *child = value->first; child; child = child->next)
        relabel(child, file);
}

/* Parses the value in a tree of its own, so that it can be labelled with its file. */
static weft_result put_labelled(weft_tree *tree, const char *path, const char *text, const char *base) {
    weft_tree *scratch;
    WEFT_TRY(weft_tree_create(&scratch));
    weft_value *root = weft_tree_map(scratch, base, 0);
    weft_result result = root ? weft_ok() : weft_fail_memory("a value", sizeof *root);
    if (root)
        weft_tree_set_root(scratch, root);
    if (result.code == WEFT_OK)
        result = weft_yaml_set(scratch, "value", text);
    weft_value *value = result.code == WEFT_OK ? weft_value_find(root, "value") : NULL;
    if (value) {
        relabel(value, base);
        result = weft_tree_put(tree, path, value);
    }
    weft_tree_destroy(scratch);
    return result;
}

static weft_result apply(weft_tree *tree, const char *assignment, const char *base) {
    char path[256];
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment || equals - assignment >= (int)sizeof path)
        return weft_fail(WEFT_BAD_INPUT, "'%.200s' is not PATH=VALUE", assignment);
    snprintf(path, sizeof path, "%.*s", (int)(equals - assignment), assignment);
    return base ? put_labelled(tree, path, equals + 1, base) : weft_yaml_set(tree, path, equals + 1);
}

weft_result weft_case_scene_change(const weft_tree *tree, const char *const *set, int count, const char *base,
                                   weft_tree **copy) {
    WEFT_TRY(weft_tree_create(copy));
    const weft_value *from = weft_tree_root((weft_tree *)tree);
    weft_value *root = weft_value_copy(*copy, from);
    weft_result result = root ? weft_ok() : weft_fail_memory("the scene of a case", sizeof *root);
    if (root)
        weft_tree_set_root(*copy, root);
    for (int i = 0; i < count && result.code == WEFT_OK; i++)
        result = apply(*copy, set[i], base);
    if (result.code != WEFT_OK) {
        weft_tree_destroy(*copy);
        *copy = NULL;
    }
    return result;
}

weft_result weft_case_scene_build(const weft_registry *registry, weft_tree *tree, int threads, weft_sim **sim) {
    weft_scene_files files = weft_scene_files_make(NULL);
    const weft_value *inputs = weft_value_find(weft_tree_root(tree), "inputs");
    *sim = NULL;
    if (inputs) {
        char place[320];
        weft_value_place(inputs, place, sizeof place);
        return weft_fail(WEFT_UNSUPPORTED, "%sinputs: recorded inputs belong to one run; a study cannot use them",
                         place);
    }
    WEFT_TRY(weft_scene_read(registry, tree, &files, sim));
    weft_sim_set_threads(*sim, threads);
    weft_result result = weft_sim_prepare(*sim);
    if (result.code != WEFT_OK) {
        weft_sim_destroy(*sim);
        *sim = NULL;
    }
    return result;
}
