/* Fuzzes patterns in SVG: imports one, writes its garment file and reads that back. */
#include "tests/fuzz/fuzz_pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) { return fuzz_pattern(garment_import_svg, bytes, size); }
