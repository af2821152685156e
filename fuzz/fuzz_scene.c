/* Bytes as a scene file. */
#include "io/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    weft_tree *tree;
    weft_yaml_read_memory((const char *)bytes, size, "fuzz", &tree);
    weft_tree_destroy(tree);
    return 0;
}
