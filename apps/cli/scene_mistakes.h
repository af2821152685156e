/* Further mistakes of a scene that could not be read. */
#ifndef WEFT_APPS_CLI_SCENE_MISTAKES_H
#define WEFT_APPS_CLI_SCENE_MISTAKES_H

#include "weft/value.h"

/* Removes from the tree the value that a message of the scene reader complains about: an unknown key, a bad value of a
 * parameter, or an unknown name of a component. Reading the scene again then finds the next mistake. Returns 0 if the
 * message is of another kind, or if no value fits it. */
int weft_scene_mistake_remove(weft_tree *tree, const char *message);
/* Whether the message complains about a single key, value or name, and not about something that is missing. */
int weft_scene_mistake_is_local(const char *message);

#endif
