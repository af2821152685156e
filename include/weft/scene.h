/** @file
 * Scenes: builds a simulation from a tree of values.
 *
 * All functions are thread-safe, as long as no two threads use the same mesh and no thread changes a tree in use. */
#ifndef WEFT_SCENE_H
#define WEFT_SCENE_H

#include "weft/base.h"
#include "weft/fabric.h"
#include "weft/mesh.h"
#include "weft/sim.h"
#include "weft/tailoring.h"
#include "weft/value.h"

WEFT_BEGIN

/** The animation of a file that a body asks for. */
typedef struct weft_animation_wish {
    const char *name; /**< "": the first */
    double rate;      /**< samples per second */
    double length;    /**< what the scene needs of it, s */
    int is_exact;     /**< 1: sample at this rate and no other */
} weft_animation_wish;

/** The fabric of a panel, if it has one of its own. */
typedef struct weft_sewn_fabric {
    int32_t is_set;     /**< 0: the fabric of the garment */
    weft_fabric fabric; /**< used if is_set */
} weft_sewn_fabric;

/** A garment that a program sewed for a scene. Its arrays are freed with free(). */
typedef struct weft_sewn {
    weft_mesh *mesh;                /**< triangles; rest coordinates are the pattern, m; face groups are panels */
    weft_tailoring tailoring;       /**< what sewing added */
    weft_sewn_fabric fabric;        /**< of the garment, unless the scene names another */
    weft_sewn_fabric *panel_fabric; /**< of each panel (mesh->group_count); may be null */
    double *panel_padding;          /**< pressure behind each panel, Pa (mesh->group_count); may be null */
    int32_t *attached;              /**< vertices of the mesh's input that the body holds once it is sewn
                                       (attached_count); may be null */
    int32_t attached_count;         /**< number of `attached` */
} weft_sewn;
/** Frees mesh and arrays of a garment. A zeroed one is allowed. */
WEFT_API void weft_sewn_free(weft_sewn *sewn);

/** How a scene reads files: the engine itself opens none. In each function, `path` is as written in the scene, and
 * `from` is the scene file that names it. The caller owns the results. */
typedef struct weft_scene_files {
    void *context; /**< passed to all functions; may be null */
    /** Loads the mesh of a cloth. Null: meshes from files are refused. */
    weft_result (*load_mesh)(void *context, const char *from, const char *path, weft_mesh **mesh);
    /** Loads the mesh of a body, which need not be a manifold, or the first file of a sequence. Null: load_mesh is
     * used. */
    weft_result (*load_body)(void *context, const char *from, const char *path, weft_mesh **mesh);
    /** Loads the animation of a body from a sequence or cache that fits `mesh`. A null mesh asks for a cache of any
     * number of vertices in their order, for pins. On entry, `frames` has the rate and the start of the scene. The
     * caller frees `frames->position` with free(). Null: animations are refused. */
    weft_result (*load_frames)(void *context, const char *from, const char *path, const weft_mesh *mesh,
                               weft_body_frames *frames);
    /** Samples the skeletal or morph animation of the file of a body; frame_count is 0 if it has none. Sets `rate`.
     * The caller frees frames->position. Null: such bodies keep still. */
    weft_result (*load_animation)(void *context, const char *from, const char *path, const weft_animation_wish *wish,
                                  const weft_mesh *mesh, weft_body_frames *frames);
    /** Loads the numbers of a text file for a map. The caller frees `*number` with free(). Null: maps from files are
     * refused. */
    weft_result (*load_numbers)(void *context, const char *from, const char *path, double **number, int64_t *count);
    /** Looks up the fabric that a cloth names, before the presets. Sets `*found` to 0 if it knows none. Null: only
     * presets have names. */
    weft_result (*load_fabric)(void *context, const char *from, const char *name, weft_fabric *fabric, int *found);
    /** Sews the garment that `cloth`, an entry of the scene, names by `garment`, around the body that it names by `on`.
     * `bodies` is the scene's list of bodies or null. On entry `sewn` is zeroed; on failure the caller frees what is in
     * it. Null: garments are refused. */
    weft_result (*load_garment)(void *context, const weft_value *cloth, const weft_value *bodies, weft_sewn *sewn);
    /** Receives a notice on the scene, such as a key with a former name. `text` is valid during the call. Null: notices
     * are dropped. */
    void (*note)(void *context, const char *text);
} weft_scene_files;

/** Builds and prepares a simulation; the caller destroys it. `files` may be null: meshes from files are then refused.
 * `registry` must outlive the simulation; null: the built-in components. `tree` and `files` need not outlive it.
 * Programs read `output`, `view`, `inputs` and the `proxy` of a cloth themselves. `*sim` is null on failure. */
WEFT_API weft_result weft_scene_read(const weft_registry *registry, const weft_tree *tree,
                                     const weft_scene_files *files, weft_sim **sim);

/** If `result` is a failure whose message names a setting of the adaptation, adds the file and line of that setting.
 * Returns any other result unchanged. */
WEFT_API weft_result weft_scene_locate(const weft_tree *tree, weft_result result);

/** Scales, rotates and moves a mesh as an entry of `cloth:` says. For further meshes of the cloth, such as its proxy:
 * weft_scene_read has already placed the cloth itself. */
WEFT_API weft_result weft_scene_place(const weft_value *cloth, weft_mesh *mesh);

/** Reads a fabric as an entry of `cloth:` gives it: a name, or a map of values over a named fabric. `files` looks the
 * name up before the presets, and may be null. A null `value` is the default fabric. */
WEFT_API weft_result weft_scene_fabric_read(const weft_value *value, const weft_scene_files *files,
                                            weft_fabric *fabric);

/** Rows of `grid:`, without axes and origin, for help and reference. Static. */
WEFT_API const weft_param *weft_grid_params(void);
/** Rows of a cloth's placement, for help and reference. Static. */
WEFT_API const weft_param *weft_place_params(void);

WEFT_END
#endif
