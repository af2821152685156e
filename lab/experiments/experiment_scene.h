/* Scenes of the scenes folder, for experiments based on scenes. */
#ifndef WEFT_LAB_EXPERIMENTS_EXPERIMENT_SCENE_H
#define WEFT_LAB_EXPERIMENTS_EXPERIMENT_SCENE_H

#include "lab/experiments/record.h"
#include "render/render.h"
#include "weft/component.h"
#include "weft/sim.h"

/* Loads the named scene on one thread, with `change` (null: none) and the user's changes. `view` receives the scene's
 * view; may be null. */
weft_result weft_record_scene(const weft_record *record, const weft_registry *registry, const char *name,
                              const weft_change *change, weft_sim **sim, weft_view *view);

/* Fails if the scene at `path` cannot be read with the changes. */
weft_result weft_scene_try_changes(const char *path, const weft_change *changes);

/* Renders all cloths and bodies in their current state with the given view. */
weft_result weft_record_shoot(weft_sim *sim, const weft_view *view, weft_picture *picture);

#endif
