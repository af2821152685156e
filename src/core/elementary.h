/* The engine's elementary functions are public, for components and clients that are to give the same bits too.
 * The engine must not call the functions of <math.h> that they replace (tests/checks/symbols). */
#ifndef WEFT_CORE_ELEMENTARY_H
#define WEFT_CORE_ELEMENTARY_H

#include "weft/portable_math.h"

#endif
