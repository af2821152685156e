/** @file
 * Writers: components that write frames to files. weft-io/recorder.h uses them for a simulation. */
#ifndef WEFT_IO_WRITER_H
#define WEFT_IO_WRITER_H

#include "weft/component.h"
#include "weft/mesh.h"
#include "weft/model.h"

WEFT_BEGIN

/** One cloth in one frame. All pointers are views, valid during the call. */
typedef struct weft_frame_cloth {
    const char *name;          /**< of the cloth */
    const weft_mesh *mesh;     /**< its present mesh */
    const weft_vec3 *position; /**< m (mesh->vertex_count) */
    const uint8_t *open_face;  /**< 1: torn open, not written (mesh->face_count); may be null */
    const weft_strain *strain; /**< of each triangle (mesh->triangle_count); null if not requested */
    const double *pressure;    /**< of bodies on each vertex, Pa (mesh->vertex_count); null if not requested */
    /** Refinement level of each triangle (mesh->triangle_count). Null unless the mesh may change from frame to frame;
     * such a mesh has triangles only. */
    const int32_t *generation;
} weft_frame_cloth;

/** One body in one frame. */
typedef struct weft_frame_body {
    const char *name;             /**< of its component */
    const weft_vec3 *position;    /**< m (vertex_count) */
    int32_t vertex_count;         /**< number of vertices */
    const int32_t (*triangle)[3]; /**< counter-clockwise from outside (triangle_count) */
    int32_t triangle_count;       /**< number of triangles */
    int32_t moves;                /**< 0: its position is the same in all frames */
} weft_frame_body;

/** All that is written of one frame. */
typedef struct weft_frame {
    int64_t index;                 /**< 0 is the start */
    double time;                   /**< s */
    int32_t cloth_count;           /**< number of cloths */
    const weft_frame_cloth *cloth; /**< (cloth_count) */
    int32_t body_count;            /**< used by takes; the writers ignore bodies */
    const weft_frame_body *body;   /**< (body_count); null if there are none */
} weft_frame;

/** Data that is the same for all frames of a run. */
typedef struct weft_take {
    const char *directory; /**< must exist */
    const char *name;      /**< scene name, such as "flag" */
    double rate;           /**< frames per second */
    int64_t frame_count;   /**< including frame 0 */
    int64_t first_frame;   /**< 0, or the first frame of a resumed run; earlier frames are already written */
} weft_take;

/** The functions of a writer. `settings` is the component's settings struct. */
typedef struct weft_writer_functions {
    /** Begins to write. `first` gives the meshes and the positions of the first frame. */
    weft_result (*open)(const void *settings, const weft_take *take, const weft_frame *first, void **self);
    /** Writes a frame. */
    weft_result (*frame)(void *self, const weft_frame *frame);
    /** On return, everything written so far survives a killed process. Called before a checkpoint is renamed into
     * place. May be null. */
    weft_result (*sync)(void *self);
    /** Completes the files if `finished` is not 0; otherwise leaves them for a later resume. Always frees `self`. */
    weft_result (*close)(void *self, int finished);
    /** Refuses what `open` would refuse, without access to any file, so that a refused run changes no folder. The
     * folder need not exist. May be null. */
    weft_result (*check)(const void *settings, const weft_take *take, const weft_frame *first);
} weft_writer_functions;

/** Registers the writers obj, ply, pc2, mdd, glb and usda. They write these files:
 *
 *     obj          DIR/obj/NAME_0000.obj, with all cloths as objects of one file
 *     ply          DIR/ply/CLOTH_0000.ply
 *     pc2, mdd     DIR/CLOTH.pc2 or DIR/CLOTH.mdd, with the base mesh DIR/CLOTH.obj
 *     glb, usda    DIR/NAME.glb or DIR/NAME.usda, made at the end of the run from DIR/NAME.glb.frames.part etc.
 *
 * The vertex order is that of the mesh in every file and frame. GLB appends copies of the vertices on uv seams. */
WEFT_API weft_result weft_writers_register(weft_registry *registry);

WEFT_END
#endif
