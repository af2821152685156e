/* Fabrics of files and presets in tables. */
#ifndef WEFT_APPS_CLI_FABRIC_TABLE_H
#define WEFT_APPS_CLI_FABRIC_TABLE_H

#include "apps/cli/table.h"
#include "io/fabric_file.h"

/* Adds the fabrics of the folders, with their help texts. */
void weft_fabric_files_fill(weft_table *table);
/* Prints the fabric with its source, values and measured figures. */
weft_result weft_fabric_print(const weft_fabric_file *fabric);

#endif
