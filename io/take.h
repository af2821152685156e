/* A take: all frames of a run in one file, from which pictures are made. DIR/frames.weft, little-endian:
 *
 *   "WEFTTAKE", u32 version, u32 cloths, u64 header bytes, u64 frames wanted, f64 frames per second, text scene name
 *   for each cloth
 *     text name, u32 contents (1: uv, 2: strains, 4: its mesh changes, added), u32 vertices, faces, corners, triangles,
 *     links
 *     f32 rest (vertices x 3), u32 face size (faces), u32 corner (corners), f32 uv (corners x 2) when it has them,
 *     u32 triangle (triangles x 3), u32 face of triangle (triangles),
 *     u32 link ends (links x 2), u32 link type (links), f32 link rest length (links)
 *   u32 bodies, and for each of them (from version 2 on)
 *     text name, u32 moves, u32 vertices, triangles
 *     f32 position (vertices x 3) when it does not move, u32 triangle (triangles x 3)
 *   for each frame
 *     u64 bytes of the frame, without these (version 3 only)
 *     for each cloth
 *       its mesh when that changes, which is of triangles only and has no links:
 *         u32 vertices, triangles, f32 rest (vertices x 3), u32 triangle (triangles x 3),
 *         f32 uv (triangles x 6) when it has them, u8 generation (triangles)
 *       f32 position (vertices x 3), one bit per face: torn open, one bit per link: broken,
 *       f32 strain and stress in weft, warp and shear (triangles x 6) when it has them
 *     for each body that moves f32 position (vertices x 3)
 *
 * A text is a u32 length and its bytes. Takes are of version 3 when a mesh changes; in others every frame has the same
 * size. Any frame can be read alone, and a file that was cut ends with a whole number of frames and a rest. */
#ifndef WEFT_IO_TAKE_H
#define WEFT_IO_TAKE_H

#include "io/writer.h"
#include "weft/model.h"

#define WEFT_TAKE_FILE "frames.weft"

/* ---- writing ---- */

typedef struct weft_take_writer weft_take_writer;

/* The links of one cloth at one moment, for the overlays of pictures. */
typedef struct weft_take_links {
    const weft_link *link; /* stiffness 0: broken; type and rest length do not change (count) */
    int32_t count;
} weft_take_links;

/* DIR/frames.weft.part; goes on with it when take->first_frame > 0. `links` (cloth_count). */
weft_result weft_take_writer_open(const weft_take *take, const weft_frame *first, const weft_take_links *links,
                                  weft_take_writer **writer);
weft_result weft_take_writer_frame(weft_take_writer *writer, const weft_frame *frame, const weft_take_links *links);
/* As in weft_writer_functions. */
weft_result weft_take_writer_sync(weft_take_writer *writer);
weft_result weft_take_writer_close(weft_take_writer *writer, int finished);

/* ---- reading ---- */

/* What is the same for all frames, or of one where the mesh changes. Arrays live as long as the reader, or until it is
 * asked for another mesh; all indices are in range. */
typedef struct weft_take_cloth {
    const char *name;
    int32_t vertex_count, face_count, corner_count, triangle_count, link_count;
    weft_vec3 *rest;        /* m (vertex_count) */
    int32_t *face_size;     /* >= 3, sum is corner_count (face_count) */
    int32_t *corner;        /* vertices (corner_count) */
    weft_vec2 *corner_uv;   /* (corner_count) or null */
    int32_t *triangle;      /* (triangle_count x 3) */
    int32_t *triangle_face; /* (triangle_count) */
    weft_link *link;        /* stiffness 0: it is not kept (link_count) */
    int32_t has_strain;
    int32_t changes;     /* the mesh is that of the frame last asked for */
    int32_t *generation; /* (triangle_count); null unless it changes */
} weft_take_cloth;

/* Counts may be 0. */
typedef struct weft_take_body {
    const char *name;
    int32_t vertex_count, triangle_count;
    int32_t moves;
    int32_t *triangle;   /* (triangle_count x 3) */
    weft_vec3 *position; /* m; null when it moves (vertex_count) */
} weft_take_body;

typedef struct weft_take_reader {
    char name[256]; /* of the scene */
    double rate;
    int64_t frame_count; /* frames that are there and whole */
    int64_t frame_wanted;
    int32_t cloth_count;
    weft_take_cloth *cloth;
    int32_t body_count;
    weft_take_body *body;
    void *self;
} weft_take_reader;

/* The state of one cloth in one frame, in arrays of the caller. */
typedef struct weft_take_state {
    weft_vec3 *position; /* m (vertex_count) */
    uint8_t *open_face;  /* 1: torn open (face_count) */
    uint8_t *broken;     /* 1: broken (link_count) */
    weft_strain *strain; /* (triangle_count); not filled where the cloth has none; may be null */
} weft_take_state;

/* `unfinished`: fewer frames than wanted are no error, if there is at least one. A zeroed reader may be closed. */
weft_result weft_take_reader_open(const char *path, int unfinished, weft_take_reader *reader);
/* The bytes must stay until the reader is closed. */
weft_result weft_take_reader_open_memory(const void *bytes, size_t size, const char *name, int unfinished,
                                         weft_take_reader *reader);
void weft_take_reader_close(weft_take_reader *reader);
/* The meshes of that frame into reader->cloth, where they change: to be called before the room for its state is made.
 */
weft_result weft_take_reader_mesh(weft_take_reader *reader, int64_t frame);
/* Frames in any order, those whose meshes were asked for. `state` (cloth_count). Refuses positions that are not finite.
 */
weft_result weft_take_reader_frame(weft_take_reader *reader, int64_t frame, const weft_take_state *state);
/* `position` (vertex_count) */
weft_result weft_take_reader_body(weft_take_reader *reader, int64_t frame, int32_t body, weft_vec3 *position);

#endif
