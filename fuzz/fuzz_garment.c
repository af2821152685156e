/* Fuzzes garment files: reads a pattern and sews it. */
#include "garment/sew.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    garment_pattern pattern;
    garment_sewn sewn = {0};
    if (garment_pattern_read_memory((const char *)bytes, size, "fuzz", &pattern).code == WEFT_OK) {
        pattern.edge_length = pattern.edge_length < 0.1 ? 0.1 : pattern.edge_length; /* fine meshes are slow */
        (void)garment_sew(&pattern, &sewn);
    }
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
    return 0;
}
