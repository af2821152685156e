/* Shared by the mesh targets: an accepted file must give a valid mesh. */
#ifndef WEFT_FUZZ_MESH_H
#define WEFT_FUZZ_MESH_H

#include <stdlib.h>

#include "weft-io/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline void check_mesh(weft_result result, weft_mesh *mesh) {
    if ((result.code == WEFT_OK) != (mesh != NULL) || (mesh && weft_mesh_flaw(mesh)))
        abort();
    weft_mesh_destroy(mesh);
}

#endif
