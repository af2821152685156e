/* From a tree of named values to a simulation. */
#ifndef WEFT_SCENE_H
#define WEFT_SCENE_H

#include "weft/base.h"
#include "weft/mesh.h"
#include "weft/sim.h"
#include "weft/value.h"

WEFT_BEGIN

/** The animation of a file that a body asks for. */
typedef struct weft_animation_wish {
    const char *name; /**< "": the first */
    double rate;      /**< samples per second */
    double length;    /**< what the scene needs of it, s */
    int is_exact;     /**< 1: sample at this rate and no other */
} weft_animation_wish;

/* How the scene gets files: the engine itself opens none. `path` is as written in the scene, `from` the scene file
 * that names it. */
typedef struct weft_scene_files {
    void *context;
    weft_result (*load_mesh)(void *context, const char *from, const char *path, weft_mesh **mesh);
    /* Of a body, which need not be a surface, or the first of a sequence of files; null: load_mesh. */
    weft_result (*load_body)(void *context, const char *from, const char *path, weft_mesh **mesh);
    /* The shapes of a sequence or cache for a body of that mesh; its positions are freed by the reader. Null: bodies
     * of one shape alone. */
    weft_result (*load_frames)(void *context, const char *from, const char *path, const weft_mesh *mesh,
                               weft_body_frames *frames);
    /** Samples the skeletal or morph animation of the file of a body; frame_count is 0 if it has none. Sets `rate`.
     * The caller frees frames->position. Null: such bodies keep still. */
    weft_result (*load_animation)(void *context, const char *from, const char *path, const weft_animation_wish *wish,
                                  const weft_mesh *mesh, weft_body_frames *frames);
    /* Numbers of a text file, for maps; to be freed by the reader. Null: maps from files are refused. */
    weft_result (*load_numbers)(void *context, const char *from, const char *path, double **number, int64_t *count);
} weft_scene_files;

/* Builds and prepares. `files` may be null: `mesh:` is then refused. Parts of the scene that belong to programs
 * (`output`, `view`, `inputs`, `proxy` of a cloth) are left to them. */
WEFT_API weft_result weft_scene_read(const weft_registry *registry, const weft_tree *tree,
                                     const weft_scene_files *files, weft_sim **sim);

/* A failure of the simulation that names a setting of the adaption, with the place in front where that was written. */
WEFT_API weft_result weft_scene_locate(const weft_tree *tree, weft_result result);

/* Scales, turns and moves a mesh as the entry of `cloth:` says, as is done with the cloth itself: for meshes that
 * belong to it. */
WEFT_API weft_result weft_scene_place(const weft_value *cloth, weft_mesh *mesh);

/* Rows of `grid:` (besides axes and origin) and of a cloth's place, for help and reference. */
WEFT_API const weft_param *weft_grid_params(void);
WEFT_API const weft_param *weft_place_params(void);

WEFT_END
#endif
