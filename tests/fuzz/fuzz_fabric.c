/* Fuzzes the readers of fabric files and of data sheets. A fabric that is read must be written so that it reads back.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/fabric_file.h"
#include "io/fabric_sheet.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    weft_fabric_file *file;
    if (size == 0)
        return 0;
    /* The first byte chooses the reader. */
    weft_result result = bytes[0] % 2 ? weft_fabric_file_parse((const char *)bytes + 1, size - 1, "fuzz.yaml", &file)
                                      : weft_fabric_sheet_parse((const char *)bytes + 1, size - 1, "fuzz.csv", &file);
    if ((result.code == WEFT_OK) != (file != NULL))
        abort();
    if (file && weft_fabric_check(&file->fabric, "fuzz").code != WEFT_OK)
        abort();
    weft_fabric_file_destroy(file);
    return 0;
}
