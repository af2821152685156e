/* What the fuzz targets of pattern importers share. */
#ifndef WEFT_FUZZ_PATTERN_H
#define WEFT_FUZZ_PATTERN_H

#include <stdlib.h>
#include <string.h>

#include "wear/garment/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static inline int fuzz_pattern(weft_result (*import)(const char *, size_t, const char *, garment_pattern *),
                               const uint8_t *bytes, size_t size) {
    garment_pattern pattern, read;
    char *text;
    if (import((const char *)bytes, size, "fuzz", &pattern).code == WEFT_OK &&
        garment_pattern_text(&pattern, NULL, &text).code == WEFT_OK) {
        (void)garment_pattern_read_memory(text, strlen(text), "fuzz", &read);
        garment_pattern_free(&read);
        free(text);
    }
    garment_pattern_free(&pattern);
    return 0;
}

#endif
