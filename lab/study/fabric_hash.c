#include "lab/study/fabric_hash.h"

#include <string.h>

#include "io/fabric_file.h"
#include "lab/study/value_text.h"
#include "weft-io/checkpoint.h"
#include "weft-io/yaml.h"

/* Hashes the fabric of a name, if it comes from a file. */
static weft_result hash_name(const weft_value *name, uint64_t *hash) {
    char path[1024], unit[24];
    double number;
    weft_fabric_file *file;
    if (!name->text[0] || weft_number_split(name->text, &number, unit) ||
        weft_fabric_file_find(name->text, name->file, path, sizeof path) == WEFT_FABRIC_NOWHERE)
        return weft_ok();
    WEFT_TRY(weft_fabric_file_read(path, &file));
    *hash = weft_hash_bytes(*hash, name->text, strlen(name->text) + 1);
    *hash = weft_hash_bytes(*hash, &file->fabric, sizeof file->fabric);
    weft_fabric_file_destroy(file);
    return weft_ok();
}

/* A name of a fabric is the value of a path with "fabric", such as cloth.fabric.preset, or is below such a key. */
static int is_of_fabric(const char *path) { return strstr(path, "fabric") != NULL; }

static weft_result hash_names(const weft_value *value, int of_fabric, uint64_t *hash) {
    of_fabric = of_fabric || is_of_fabric(value->key);
    if (of_fabric && value->kind == WEFT_VALUE_TEXT)
        return hash_name(value, hash);
    for (const weft_value *child = value->first; child; child = child->next)
        WEFT_TRY(hash_names(child, of_fabric, hash));
    return weft_ok();
}

static weft_result hash_parameter(const weft_parameter *parameter, uint64_t *hash) {
    int of_fabric = 0;
    for (int i = 0; i < parameter->path_count; i++)
        of_fabric |= is_of_fabric(parameter->path[i]);
    for (int i = 0; i < WEFT_MOST_LINKED && parameter->list[i]; i++)
        WEFT_TRY(hash_names(parameter->list[i], of_fabric, hash));
    return weft_ok();
}

weft_result weft_study_fabric_hash(const weft_study *study, uint64_t *hash) {
    weft_tree *scene;
    *hash = WEFT_HASH_START;
    const weft_value *set = weft_value_find(weft_tree_root(study->tree), "set");
    if (set)
        WEFT_TRY(hash_names(set, 0, hash));
    for (int i = 0; i < study->parameter_count; i++)
        WEFT_TRY(hash_parameter(&study->parameter[i], hash));
    WEFT_TRY(weft_yaml_read(study->scene, &scene));
    const weft_value *root = weft_tree_root(scene);
    weft_result result = root ? hash_names(root, 0, hash) : weft_ok();
    weft_tree_destroy(scene);
    return result;
}
