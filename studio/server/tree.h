/* Scenes as values: copies of them, changed places in them, and their text. */
#ifndef WEFT_STUDIO_TREE_H
#define WEFT_STUDIO_TREE_H

#include "io/file.h"
#include "weft/value.h"

/* A tree of its own. */
weft_result studio_tree_copy(const weft_tree *from, weft_tree **copy);
/* The entry of a cloth in the scene, or null. */
weft_value *studio_tree_cloth(weft_tree *tree, int cloth);
/* Takes a child out of a map; it stays in the tree's memory. */
void studio_tree_remove(weft_value *map, const char *key);
/* Puts a text. */
weft_result studio_tree_put_text(weft_tree *tree, weft_value *map, const char *key, const char *text);
/* Sets a parameter by its path in the simulation: "cloth.flag.model.bending". */
weft_result studio_tree_set(weft_tree *tree, const char *path, const char *value);

/* The tree as a scene file. Files that it names are named from `folder`, where it will lie. */
weft_result studio_tree_write(const weft_tree *tree, const char *folder, weft_output *output);

#endif
