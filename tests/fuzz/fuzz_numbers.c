/* Fuzzes the parser of number files. */
#include <stdint.h>
#include <stdlib.h>

#include "io/numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    double *number;
    int64_t count;
    weft_result result = weft_numbers_parse("fuzz.txt", (const char *)bytes, size, &number, &count);
    if ((result.code == WEFT_OK) != (count > 0 && number))
        abort();
    free(number);
    return 0;
}
