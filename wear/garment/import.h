/* Patterns of other programs become garment patterns. docs/garments.md says what is taken from each kind of file. */
#ifndef WEFT_WEAR_GARMENT_IMPORT_H
#define WEFT_WEAR_GARMENT_IMPORT_H

#include "wear/garment/pattern.h"

/* Reads a file by its ending: .svg, .dxf or .json. A file without one of these is recognised by its first characters.
 * `pattern` needs garment_pattern_free, even after a failure. Values of the pattern are null: it has no garment file.
 */
weft_result garment_import(const char *path, garment_pattern *pattern);

/* The same from memory, one per kind. `name` is the file name for messages and for the name of the garment. */
weft_result garment_import_svg(const char *bytes, size_t size, const char *name, garment_pattern *pattern);
weft_result garment_import_dxf(const char *bytes, size_t size, const char *name, garment_pattern *pattern);
weft_result garment_import_garmentcode(const char *bytes, size_t size, const char *name, garment_pattern *pattern);

/* The garment file of a pattern, as text that the caller frees. The pattern read back from it is the same, within
 * 1e-7 m. Fabrics are written if they are names. `comment` is its first line, or null. */
weft_result garment_pattern_text(const garment_pattern *pattern, const char *comment, char **text);

#endif
