/* What the command says to a person. File names and the like may hold escapes of the terminal, so that all text from
 * outside is printed through these functions: control characters become '?'. */
#ifndef WEFT_APPS_CLI_SAY_H
#define WEFT_APPS_CLI_SAY_H

#include "weft/base.h"

/* As printf; keeps tabs and line breaks. */
void weft_say(const char *format, ...) WEFT_PRINTF(1, 2);

/* Prints "weft: MESSAGE" and a line break to stderr. */
void weft_complain(const char *format, ...) WEFT_PRINTF(1, 2);

#endif
