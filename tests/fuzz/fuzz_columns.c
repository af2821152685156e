/* Fuzzes the reader of tables: curves, markers and point clouds of observations. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "io/columns.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const NAMES[] = {"time", "strain", "x", NULL};
    weft_columns columns;
    weft_result result = weft_columns_parse((const char *)bytes, size, "fuzz.csv", &columns);
    if ((result.code == WEFT_OK) != (columns.rows > 0))
        abort();
    for (int64_t i = 0; i < columns.rows * columns.count; i++)
        if (!isfinite(columns.value[i]))
            abort();
    int column;
    double factor;
    if (result.code == WEFT_OK && weft_columns_find(&columns, NAMES, "m", &column, &factor).code == WEFT_OK &&
        (column < 0 || column >= columns.count))
        abort();
    weft_columns_clear(&columns);
    return 0;
}
