/* The scene reference as one page: docs/scene-reference.md. */
#ifndef WEFT_CLI_REFERENCE_H
#define WEFT_CLI_REFERENCE_H

#include "weft/component.h"

weft_result weft_reference_print(const weft_registry *registry);

#endif
