/* Fuzzes PATH=VALUE of --set, on a tree with a map, a list and a plain value. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "weft-io/yaml.h"
#include "weft/weft.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    weft_tree *tree;
    char *path = calloc(size + 2, 1), *equals;
    if (!path || weft_tree_create(&tree).code != WEFT_OK) {
        free(path);
        return 0;
    }
    memcpy(path, bytes, size);
    equals = strchr(path, '=');
    if (equals)
        *equals = '\0';
    (void)weft_yaml_set(tree, "cloth", "[{name: sheet, model: springs, cuts: [{at: 1 s}]}, wind]");
    (void)weft_tree_set(tree, "time.step", "1 ms");
    weft_result result = weft_yaml_set(tree, path, equals ? equals + 1 : path + strlen(path) + 1);
    if (result.code == WEFT_OK && weft_tree_root(tree)->kind != WEFT_VALUE_MAP)
        abort();
    weft_tree_destroy(tree);
    free(path);
    return 0;
}
