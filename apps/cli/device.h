/* Devices that compute steps: shared objects that are loaded when a scene names them. */
#ifndef WEFT_APPS_CLI_DEVICE_H
#define WEFT_APPS_CLI_DEVICE_H

#include "weft/component.h"
#include "weft/value.h"

/* Sets `device` of a scene, as `option` asks for. Keeps its other values. */
weft_result weft_device_put(weft_tree *tree, const char *name, const char *option);

/* Adds the device that the scene names to the registry. The device "cuda", or "cuda-ANYTHING", is in libweft_cuda.so,
 * which is looked for where the command and its libraries are. It stays loaded until the program ends. */
weft_result weft_device_load(weft_registry *registry, const weft_tree *tree);

#endif
