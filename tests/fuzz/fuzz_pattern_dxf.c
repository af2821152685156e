/* Fuzzes patterns in DXF: imports one, writes its garment file and reads that back. */
#include "tests/fuzz/fuzz_pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) { return fuzz_pattern(garment_import_dxf, bytes, size); }
