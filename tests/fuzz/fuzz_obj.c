/* Fuzzes the OBJ reader. */
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    weft_mesh *mesh;
    weft_result result = weft_obj_read_memory((const char *)bytes, size, "fuzz.obj", &mesh);
    check_mesh(result, mesh);
    return 0;
}
