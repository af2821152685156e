/** @file
 * Reads scene files: YAML 1.1 (including JSON) with libyaml, into a value tree with line numbers (weft/value.h).
 *
 * All functions are thread-safe, as long as no two threads use the same tree. */
#ifndef WEFT_IO_YAML_H
#define WEFT_IO_YAML_H

#include "weft/value.h"

WEFT_BEGIN

/** Reads a file; the caller destroys the tree. `*tree` is null on failure.
 *
 * Resolves `include: FILE` (or a list of files) at the top level. Keys of the including file take precedence; lists and
 * maps are not merged. Includes nest to a depth of 8. Cycles are refused. */
WEFT_API weft_result weft_yaml_read(const char *path, weft_tree **tree);
/** As weft_yaml_read, from standard input. `name` is the file name for messages; other files are looked for beside it.
 */
WEFT_API weft_result weft_yaml_read_stdin(const char *name, weft_tree **tree);
/** As weft_yaml_read, from memory and without includes. `name` is the file name for messages. Limits: 16 MiB, depth 64,
 * 100,000 nodes. Duplicate keys are refused. Aliases are refused, because a small file could expand without limit. */
WEFT_API weft_result weft_yaml_read_memory(const char *bytes, size_t size, const char *name, weft_tree **tree);

/** As weft_tree_set, but lists and maps in `text` may nest: "[{at: 1 s, path: [[0, 0, 0], [1, 0, 0]]}]". */
WEFT_API weft_result weft_yaml_set(weft_tree *tree, const char *path, const char *text);

WEFT_END
#endif
