/* Fuzzes the reader of fit files, without the data that they name. */
#include <stdint.h>
#include <stdlib.h>

#include "lab/fit/fit.h"
#include "weft-io/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static weft_fit fit;
    weft_tree *tree;
    if (weft_yaml_read_memory((const char *)bytes, size, "fuzz.yaml", &tree).code != WEFT_OK)
        return 0;
    weft_result result = weft_fit_read_tree(weft_tree_root(tree), "fuzz.yaml", &fit);
    for (int i = 0; result.code == WEFT_OK && i < fit.parameter_count; i++)
        if (!(fit.parameter[i].low > 0 && fit.parameter[i].low < fit.parameter[i].high))
            abort();
    weft_fit_clear(&fit);
    weft_tree_destroy(tree);
    return 0;
}
