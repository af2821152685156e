/* Scenes of the scenes folder, for experiments that are also scenes. */
#ifndef WEFT_EXPERIMENTS_EXPERIMENT_SCENE_H
#define WEFT_EXPERIMENTS_EXPERIMENT_SCENE_H

#include "experiments/record.h"
#include "render/render.h"
#include "weft/component.h"
#include "weft/sim.h"

typedef struct weft_change {
    const char *path, *value; /* as of --set; a path of null ends a list */
} weft_change;

/* The scene of that name with changes (null: none), of one thread. `view` is the scene's; may be null. */
weft_result weft_record_scene(const weft_record *record, const weft_registry *registry, const char *name,
                              const weft_change *change, weft_sim **sim, weft_view *view);

/* All cloths and bodies as they are now, from where the view says. */
weft_result weft_record_shoot(weft_sim *sim, const weft_view *view, weft_picture *picture);

#endif
