/** @file
 * Value trees: a parsed scene file before its values are checked. Each value knows its file and line.
 *
 * A tree owns all its nodes and texts. They live until weft_tree_destroy. Different trees are independent. Several
 * threads may read a tree at once if none changes it. */
#ifndef WEFT_VALUE_H
#define WEFT_VALUE_H

#include "weft/base.h"

WEFT_BEGIN

/** Kinds of values. */
typedef enum weft_value_kind {
    WEFT_VALUE_TEXT, /**< a scalar */
    WEFT_VALUE_LIST, /**< values in order */
    WEFT_VALUE_MAP   /**< values with names */
} weft_value_kind;

/** A node of a tree. No text is null. */
typedef struct weft_value {
    weft_value_kind kind;     /**< scalar, list or map */
    const char *file;         /**< the file it comes from; "" if built in code */
    int line;                 /**< from 1 on; 0 if built in code */
    const char *key;          /**< name inside a map, else "" */
    const char *text;         /**< a scalar as written, else "" */
    int count;                /**< children of a list or map */
    struct weft_value *first; /**< first child, or null */
    struct weft_value *last;  /**< last child, or null */
    struct weft_value *next;  /**< next child of the same parent, or null */
} weft_value;

/** A tree of values. Opaque. */
typedef struct weft_tree weft_tree;

/** Creates a tree without a root. `*tree` is null on failure. */
WEFT_API weft_result weft_tree_create(weft_tree **tree);
/** Frees the tree with all its nodes and texts. Null is allowed. */
WEFT_API void weft_tree_destroy(weft_tree *tree);
/** The root, or null if it was not set. */
WEFT_API weft_value *weft_tree_root(weft_tree *tree);
/** Sets the root, a node of this tree. */
WEFT_API void weft_tree_set_root(weft_tree *tree, weft_value *root);

/** New scalar. Copies both texts. Returns null when out of memory. */
WEFT_API weft_value *weft_tree_text(weft_tree *tree, const char *text, const char *file, int line);
/** New empty list. Copies `file`. Returns null when out of memory. */
WEFT_API weft_value *weft_tree_list(weft_tree *tree, const char *file, int line);
/** New empty map. Copies `file`. Returns null when out of memory. */
WEFT_API weft_value *weft_tree_map(weft_tree *tree, const char *file, int line);
/** Appends a node to a list of the same tree. The node must not have a parent yet. */
WEFT_API void weft_value_append(weft_value *list, weft_value *child);
/** Puts a node into a map of the same tree under a name, which is copied. Replaces a value of that name in its place:
 * the contents of `child` are then copied into the old node. */
WEFT_API weft_result weft_value_put(weft_tree *tree, weft_value *map, const char *key, weft_value *child);

/** The child of that name. Null if there is none or `map` is null or not a map. */
WEFT_API weft_value *weft_value_find(const weft_value *map, const char *key);
/** Child `index` of a list or map, from 0 on. Null past the end. */
WEFT_API weft_value *weft_value_at(const weft_value *list, int index);

/** Copies a value with its children into `tree`. `from` may belong to another tree. Returns null when out of memory. */
WEFT_API weft_value *weft_value_copy(weft_tree *tree, const weft_value *from);

/** Sets the value at a path, such as "cloth.fabric.density", "forces.wind.speed" or "cloth.0.pins.1.release". Creates
 * missing maps. In a list, a path element is an index, the `name:` of an entry, or its only key (`wind`). In `forces`
 * and `bodies` an index stands for that key, too. If none matches, the path applies to every entry that is a map with a
 * `name` or several keys. `text` is a scalar or a list of scalars, such as "[1, 0, 0]". Messages name `--set`. A
 * failure may leave missing maps created. */
WEFT_API weft_result weft_tree_set(weft_tree *tree, const char *path, const char *text);
/** As weft_tree_set, with a copy of any value. `value` may belong to another tree. */
WEFT_API weft_result weft_tree_put(weft_tree *tree, const char *path, const weft_value *value);

/** Writes where a value comes from, as "file:line: ", or "" if it was built in code. `value` may be null. The text is
 * cut off at `size` bytes. */
WEFT_API void weft_value_place(const weft_value *value, char *buffer, size_t size);

WEFT_END
#endif
