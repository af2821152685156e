/* Writers: components that turn frames into files. */
#ifndef WEFT_IO_WRITER_H
#define WEFT_IO_WRITER_H

#include "weft/component.h"
#include "weft/mesh.h"
#include "weft/model.h"

/* One cloth at one moment. Views, valid during the call. */
typedef struct weft_frame_cloth {
    const char *name;
    const weft_mesh *mesh;
    const weft_vec3 *position; /* m (mesh->vertex_count) */
    const uint8_t *open_face;  /* 1: torn open, not written (mesh->face_count); may be null */
    const weft_strain *strain; /* of each triangle (mesh->triangle_count); null when not asked for */
    /* How often each triangle was refined (mesh->triangle_count). Null unless the mesh may be another one in each
     * frame, which has triangles only. */
    const int32_t *generation;
} weft_frame_cloth;

/* A body at one moment. */
typedef struct weft_frame_body {
    const char *name;
    const weft_vec3 *position; /* m (vertex_count) */
    int32_t vertex_count;
    const int32_t (*triangle)[3]; /* counter-clockwise from outside (triangle_count) */
    int32_t triangle_count;
    int32_t moves; /* 0: it is in all frames where it is in the first */
} weft_frame_body;

typedef struct weft_frame {
    int64_t index; /* from 0: the start */
    double time;   /* s */
    int32_t cloth_count;
    const weft_frame_cloth *cloth;
    int32_t body_count; /* for takes; the writers leave bodies out */
    const weft_frame_body *body;
} weft_frame;

/* What is the same for all frames of a run. */
typedef struct weft_take {
    const char *directory; /* exists */
    const char *name;      /* of the scene: "flag" */
    double rate;           /* frames per second */
    int64_t frame_count;   /* including frame 0 */
    int64_t first_frame;   /* 0, or where a resumed run goes on: frames before it are already written */
} weft_take;

/* Settings that every writer starts its settings struct and its table with. */
typedef struct weft_writer_options {
    int32_t up;   /* 0: y, 1: z */
    double scale; /* file units per metre */
} weft_writer_options;
extern const char *const WEFT_UP_CHOICES[];
#define WEFT_WRITER_ROWS                                                                                               \
    {"up",                                                                                                             \
     WEFT_CHOICE,                                                                                                      \
     offsetof(weft_writer_options, up),                                                                                \
     0,                                                                                                                \
     0,                                                                                                                \
     "y",                                                                                                              \
     "",                                                                                                               \
     "axis that points up in the file",                                                                                \
     WEFT_UP_CHOICES,                                                                                                  \
     0},                                                                                                               \
    {                                                                                                                  \
        "scale", WEFT_REAL, offsetof(weft_writer_options, scale), 1e-6, 1e6, "1", "",                                  \
            "file units per metre (100: centimetres)", NULL, 0                                                         \
    }
/* A position or direction in the file's axes and units. */
weft_vec3 weft_writer_point(const weft_writer_options *options, weft_vec3 p);
weft_vec3 weft_writer_direction(const weft_writer_options *options, weft_vec3 d);

typedef struct weft_writer_functions {
    /* `cloth` tells the meshes; positions are those of the first frame. */
    weft_result (*open)(const void *settings, const weft_take *take, const weft_frame *first, void **self);
    weft_result (*frame)(void *self, const weft_frame *frame);
    /* Everything written so far survives a kill once this returns: called before a checkpoint is renamed into place. */
    weft_result (*sync)(void *self);
    /* Completes the files (finished != 0) or leaves them for a later resume. Frees self in any case. */
    weft_result (*close)(void *self, int finished);
} weft_writer_functions;

/* Registers obj, ply, pc2, mdd, glb, usda. Files: DIR/obj/NAME_0000.obj (all cloths as objects of one file),
 * DIR/ply/CLOTH_0000.ply and DIR/CLOTH.pc2, DIR/CLOTH.mdd (one per cloth), with the base mesh for PC2 and MDD as
 * DIR/CLOTH.obj; DIR/NAME.glb and DIR/NAME.usda, made at the end of the run from DIR/NAME.glb.frames.part and the like.
 * Vertex order is that of the mesh, in every file and frame; GLB has copies of vertices on uv seams after them. */
weft_result weft_writers_register(weft_registry *registry);

#endif
