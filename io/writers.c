/* Registers all writers. */
#include "io/writer_parts.h"

weft_result weft_writers_register(weft_registry *registry) {
    WEFT_TRY(weft_registry_add(registry, &WEFT_OBJ_WRITER));
    WEFT_TRY(weft_registry_add(registry, &WEFT_PLY_WRITER));
    WEFT_TRY(weft_registry_add(registry, &WEFT_PC2_WRITER));
    WEFT_TRY(weft_registry_add(registry, &WEFT_MDD_WRITER));
    WEFT_TRY(weft_registry_add(registry, &WEFT_GLB_WRITER));
    return weft_registry_add(registry, &WEFT_USDA_WRITER);
}
