/* The output of a run: its writers with their settings, and the checkpoint interval. It comes from `output:` of the
 * scene and from --write. */
#ifndef WEFT_APPS_CLI_OUTPUT_PLAN_H
#define WEFT_APPS_CLI_OUTPUT_PLAN_H

#include "apps/cli/scene_file.h"
#include "weft/param.h"

enum { WEFT_MOST_WRITERS = 16 };

typedef struct weft_planned_writer {
    const weft_component *component;
    void *settings;
} weft_planned_writer;

typedef struct weft_output_plan {
    int32_t checkpoint; /* frames between checkpoints; 0: only when the run stops */
    int32_t keep;       /* keep all checkpoints, for --from */
    int32_t take;       /* keep all frames for pictures, in frames.weft */
    int32_t strain;     /* strain and stress of triangles in frames.weft and PLY files */
    int32_t pressure;   /* contact pressure of vertices in frames.weft and PLY files */
    weft_planned_writer writer[WEFT_MOST_WRITERS];
    int count;
} weft_output_plan;

/* Parameters of `output:`, except `write` and the sections of the writers. */
const weft_param *weft_output_params(void);

/* Puts "obj:up=z:scale=100,pc2" into the scene's `output:`. */
weft_result weft_output_plan_put(weft_scene_file *scene, const char *write);
/* Destroy the plan even if this fails. */
weft_result weft_output_plan_read(weft_output_plan *plan, const weft_scene_file *scene, const weft_registry *registry);
/* Returns the settings of the named writer, or null if the plan does not use it. */
const void *weft_output_plan_find(const weft_output_plan *plan, const char *name);
/* Continues `hash` with the names and settings of the writers. */
uint64_t weft_output_plan_hash(const weft_output_plan *plan, uint64_t hash);
void weft_output_plan_destroy(weft_output_plan *plan);

#endif
