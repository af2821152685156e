/* The scene reference: as one page (docs/scene-reference.md), or for programs. */
#ifndef WEFT_APPS_CLI_REFERENCE_H
#define WEFT_APPS_CLI_REFERENCE_H

#include "weft/component.h"

weft_result weft_reference_print(const weft_registry *registry);
/* Prints the tables as JSON to stdout: the version, sections, components and fabrics. Values are in SI units. */
weft_result weft_reference_print_json(const weft_registry *registry);

#endif
