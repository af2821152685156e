/* Values as they are written in one line: a list [a, b], a map {key: a, other: [b]}, or anything else as it is. */
#ifndef WEFT_CORE_FLOW_H
#define WEFT_CORE_FLOW_H

#include "weft/value.h"

/* `file` is that of the values, and before `path` in messages. */
weft_result weft_flow_read(weft_tree *tree, const char *text, const char *file, const char *path, weft_value **made);

#endif
