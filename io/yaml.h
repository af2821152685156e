/* Scene files: YAML 1.1 (so JSON too) by libyaml, into a tree of values with lines. */
#ifndef WEFT_IO_YAML_H
#define WEFT_IO_YAML_H

#include "weft/value.h"

/* Resolves `include: FILE` (or a list of files) at the top level: keys of the including file win; lists and maps are
 * not merged. Includes nest to a depth of 8; a cycle is refused. */
weft_result weft_yaml_read(const char *path, weft_tree **tree);
/* The same from memory, without includes; `name` is the file in messages. Limits: 16 MiB, depth 64, 100,000 nodes;
 * duplicate keys are refused; aliases are refused (a small file can expand without end). */
weft_result weft_yaml_read_memory(const char *bytes, size_t size, const char *name, weft_tree **tree);

#endif
