#include "wear/garment/import.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/file.h"

/* Larger files are no patterns. */
enum { MOST_BYTES = 64 << 20 };

typedef weft_result (*importer)(const char *bytes, size_t size, const char *name, garment_pattern *pattern);

/* The first character tells: XML begins with <, JSON with {, DXF with a number. */
static importer importer_of(const char *path, const char *bytes, size_t size) {
    const char *end = strrchr(path, '.');
    if (end && strcasecmp(end, ".svg") == 0)
        return garment_import_svg;
    if (end && strcasecmp(end, ".dxf") == 0)
        return garment_import_dxf;
    if (end && strcasecmp(end, ".json") == 0)
        return garment_import_garmentcode;
    size_t first = strspn(bytes, " \t\r\n");
    if (first >= size)
        return NULL;
    return bytes[first] == '<'                          ? garment_import_svg
           : bytes[first] == '{'                        ? garment_import_garmentcode
           : bytes[first] >= '0' && bytes[first] <= '9' ? garment_import_dxf
                                                        : NULL;
}

weft_result garment_import(const char *path, garment_pattern *pattern) {
    char *bytes;
    size_t size;
    *pattern = (garment_pattern){0};
    WEFT_TRY(weft_file_read_most(path, MOST_BYTES, &bytes, &size));
    importer read = importer_of(path, bytes, size);
    weft_result result = read ? read(bytes, size, path, pattern)
                              : weft_fail(WEFT_BAD_INPUT, "%.280s: neither SVG, nor DXF, nor JSON", path);
    free(bytes);
    return result;
}
