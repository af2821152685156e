/* Fuzzes garment files: reads a pattern, sews it, and adds what belongs to it: hems, elastics, buttons, attachments. */
#include "wear/garment/sew.h"
#include "wear/garment/tailor.h"
#include "weft/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    garment_pattern pattern;
    garment_sewn sewn = {0};
    weft_sewn made = {0};
    if (garment_pattern_read_memory((const char *)bytes, size, "fuzz", &pattern).code == WEFT_OK) {
        pattern.edge_length = pattern.edge_length < 0.1 ? 0.1 : pattern.edge_length; /* fine meshes are slow */
        if (garment_sew(&pattern, &sewn).code == WEFT_OK &&
            garment_tailor(&pattern, &sewn, &made.tailoring).code == WEFT_OK)
            (void)garment_attached(&pattern, &sewn, &made.attached, &made.attached_count);
    }
    weft_sewn_free(&made);
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
    return 0;
}
