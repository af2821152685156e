/* Where the data of an installed program is. */
#ifndef WEFT_IO_INSTALLED_H
#define WEFT_IO_INSTALLED_H

#include <stddef.h>

/* "PREFIX/share/weft/NAME" of the running program PREFIX/bin/weft. The folder need not exist. Returns 0 if the path of
 * the program is unknown or too long. */
int weft_installed_folder(const char *name, char *path, size_t size);

#endif
