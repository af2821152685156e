/* The scene of a case: parsed once, then copied and changed for each case. */
#ifndef WEFT_LAB_STUDY_CASE_SCENE_H
#define WEFT_LAB_STUDY_CASE_SCENE_H

#include "weft/component.h"
#include "weft/sim.h"
#include "weft/value.h"

/* Copies a tree and applies "PATH=VALUE" (count). Messages name the file `base`, and relative names of files are looked
 * for beside it; null: as for --set. The caller destroys `copy`. */
weft_result weft_case_scene_change(const weft_tree *tree, const char *const *set, int count, const char *base,
                                   weft_tree **copy);
/* Builds and prepares the simulation. Refuses recorded inputs, which belong to one run. */
weft_result weft_case_scene_build(const weft_registry *registry, weft_tree *tree, int threads, weft_sim **sim);

#endif
