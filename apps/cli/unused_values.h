/* Notices about values of a scene that have no effect. */
#ifndef WEFT_APPS_CLI_UNUSED_VALUES_H
#define WEFT_APPS_CLI_UNUSED_VALUES_H

#include "apps/cli/scene_file.h"

/* Adds a notice for each value that the scene gives and that its model, integrator, contact, forces or adaptation does
 * not use. The scene must be prepared. */
void weft_unused_values_note(weft_scene_file *scene);

#endif
