/* Scenes as value trees: copying, editing and writing them. */
#ifndef WEFT_STUDIO_TREE_H
#define WEFT_STUDIO_TREE_H

#include "io/file.h"
#include "weft/value.h"

/* Makes an independent copy, which the caller destroys. */
weft_result studio_tree_copy(const weft_tree *from, weft_tree **copy);
/* Returns the entry of a cloth in the scene, or null. */
weft_value *studio_tree_cloth(weft_tree *tree, int cloth);
/* Removes a child from a map. The tree still owns its memory. */
void studio_tree_remove(weft_value *map, const char *key);
/* Sets the key of a map to a text. */
weft_result studio_tree_put_text(weft_tree *tree, weft_value *map, const char *key, const char *text);
/* Sets the key of a map to a list of numbers. */
weft_result studio_tree_put_numbers(weft_tree *tree, weft_value *map, const char *key, const double *number, int count);
/* Sets a parameter by its path in the simulation: "cloth.flag.model.bending". */
weft_result studio_tree_set(weft_tree *tree, const char *path, const char *value);

/* Writes the tree as a scene file. `folder` is where the file will be stored; file names in it are adjusted to that. */
weft_result studio_tree_write(const weft_tree *tree, const char *folder, weft_output *output);

#endif
