/* A tree of named values with the place each came from: what a scene file is after parsing and before checking. */
#ifndef WEFT_VALUE_H
#define WEFT_VALUE_H

#include "weft/base.h"

WEFT_BEGIN

typedef enum weft_value_kind { WEFT_VALUE_TEXT, WEFT_VALUE_LIST, WEFT_VALUE_MAP } weft_value_kind;

/* One node. All nodes and texts of a tree are owned by it and live until weft_tree_destroy. */
typedef struct weft_value {
    weft_value_kind kind;
    const char *file; /* where it was written; "" when built in code */
    int line;         /* from 1; 0 when built in code */
    const char *key;  /* name inside a map, else "" */
    const char *text; /* scalars, as written; "" otherwise */
    int count;        /* children of a list or map */
    struct weft_value *first, *last, *next;
} weft_value;

typedef struct weft_tree weft_tree;

WEFT_API weft_result weft_tree_create(weft_tree **tree);
WEFT_API void weft_tree_destroy(weft_tree *tree); /* null is allowed */
WEFT_API weft_value *weft_tree_root(weft_tree *tree);
WEFT_API void weft_tree_set_root(weft_tree *tree, weft_value *root);

/* New nodes; null when memory is out. Texts are copied. `file` is interned. */
WEFT_API weft_value *weft_tree_text(weft_tree *tree, const char *text, const char *file, int line);
WEFT_API weft_value *weft_tree_list(weft_tree *tree, const char *file, int line);
WEFT_API weft_value *weft_tree_map(weft_tree *tree, const char *file, int line);
WEFT_API void weft_value_append(weft_value *list, weft_value *child);
WEFT_API weft_result weft_value_put(weft_tree *tree, weft_value *map, const char *key, weft_value *child);

/* The child of a map with that name, or null. */
WEFT_API weft_value *weft_value_find(const weft_value *map, const char *key);
WEFT_API weft_value *weft_value_at(const weft_value *list, int index);

/* A copy of a value and its children that `tree` owns; null when memory is out. `from` may belong to another tree. */
WEFT_API weft_value *weft_value_copy(weft_tree *tree, const weft_value *from);

/* Sets the value at a path such as "cloth.fabric.density", "forces.wind.speed", "cloth.0.pins.1.release". Names of
 * missing maps are created. In a list a part is an index, a `name:`, or the one key of an entry (`wind`); without a
 * match it applies to every entry. `text` is a scalar or a list of scalars: "[1, 0, 0]". Messages name `--set`. */
WEFT_API weft_result weft_tree_set(weft_tree *tree, const char *path, const char *text);
/* The same with a copy of any value. `value` may belong to another tree. */
WEFT_API weft_result weft_tree_put(weft_tree *tree, const char *path, const weft_value *value);

/* "file:line: " or "" */
WEFT_API void weft_value_place(const weft_value *value, char *buffer, size_t size);

WEFT_END
#endif
