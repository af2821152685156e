/* Data sheets of KES-F (Kawabata) and FAST (CSIRO) as text, and the fabrics that follow from them (docs/fabrics.md). */
#ifndef WEFT_IO_FABRIC_SHEET_H
#define WEFT_IO_FABRIC_SHEET_H

#include "io/fabric_file.h"

/* Reads a sheet. `file->source` says what comes from the sheet and what is assumed. The caller destroys `file`. */
weft_result weft_fabric_sheet_read(const char *path, weft_fabric_file **file);
/* The same from memory. `path` is used for the name and in messages. */
weft_result weft_fabric_sheet_parse(const char *bytes, size_t size, const char *path, weft_fabric_file **file);

#endif
