/* Bytes as a checkpoint. The hash at the end would keep nearly every change out, so that each input is tried as it is
 * and once more with a fitting hash. */
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void try_bytes(const void *bytes, size_t size) {
    weft_checkpoint c;
    weft_result result = weft_checkpoint_read_memory(bytes, size, "fuzz", &c);
    if ((result.code == WEFT_OK) != (c.snapshot != NULL) || c.frame < 0 || c.csv_size < 0 || c.size > size)
        abort();
    free(c.snapshot);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    try_bytes(bytes, size);
    uint8_t *copy = size >= 8 ? malloc(size) : NULL;
    if (!copy)
        return 0;
    memcpy(copy, bytes, size - 8);
    weft_bytes_put(copy + size - 8, weft_hash_bytes(WEFT_HASH_START, copy, size - 8), 8, 0);
    try_bytes(copy, size);
    free(copy);
    return 0;
}
