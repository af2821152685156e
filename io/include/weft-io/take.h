/** @file
 * A take: all frames of a run in one file, for rendering. DIR/frames.weft, little-endian:
 *
 *     "WEFTTAKE", u32 version, u32 cloths, u64 header bytes, u64 frames planned, f64 frames per second, text scene name
 *     for each cloth
 *       text name, u32 contents (sum of 1: uv, 2: strains, 4: changing mesh, 8: pressures), u32 vertices, faces,
 *       corners, triangles, links
 *       f32 rest (vertices x 3), u32 face size (faces), u32 corner (corners), f32 uv (corners x 2) if present,
 *       u32 triangle (triangles x 3), u32 face of triangle (triangles),
 *       u32 link ends (links x 2), u32 link type (links), f32 link rest length (links)
 *     u32 bodies, and for each body (since version 2)
 *       text name, u32 moves, u32 vertices, triangles
 *       f32 position (vertices x 3) if it does not move, u32 triangle (triangles x 3)
 *     for each frame
 *       u64 bytes of the frame, excluding these 8 (version 3 only)
 *       for each cloth
 *         if its mesh changes, the mesh (triangles only, no links):
 *           u32 vertices, triangles, f32 rest (vertices x 3), u32 triangle (triangles x 3),
 *           f32 uv (triangles x 6) if present, u8 generation (triangles)
 *         f32 position (vertices x 3), one bit per face: torn open, one bit per link: broken,
 *         f32 strain and stress in weft, warp and shear (triangles x 6) if present,
 *         f32 contact pressure in Pa (vertices) if present
 *       for each body that moves f32 position (vertices x 3)
 *
 * A text is a u32 length and its bytes. A take has version 3 if a mesh changes; otherwise all frames have the same
 * size. Each frame can be read on its own. In a truncated file, all frames before the cut can be read. */
#ifndef WEFT_IO_TAKE_H
#define WEFT_IO_TAKE_H

#include "weft-io/writer.h"
#include "weft/model.h"

WEFT_BEGIN

/** Name of the file of a take. */
#define WEFT_TAKE_FILE "frames.weft"

/** @name Writing
 * @{ */

/** Writes a take. Opaque. */
typedef struct weft_take_writer weft_take_writer;

/** The links of one cloth in one frame, for overlays in pictures. */
typedef struct weft_take_links {
    const weft_link *link; /**< stiffness 0: broken; type and rest length are constant (count) */
    int32_t count;         /**< number of links */
} weft_take_links;

/** Creates DIR/frames.weft.part, or continues it if take->first_frame > 0. `links` has cloth_count entries. */
WEFT_API weft_result weft_take_writer_open(const weft_take *take, const weft_frame *first, const weft_take_links *links,
                                           weft_take_writer **writer);
/** Writes a frame. `links` has cloth_count entries. */
WEFT_API weft_result weft_take_writer_write_frame(weft_take_writer *writer, const weft_frame *frame,
                                                  const weft_take_links *links);
/** As weft_writer_functions::sync. */
WEFT_API weft_result weft_take_writer_sync(weft_take_writer *writer);
/** As weft_writer_functions::close. */
WEFT_API weft_result weft_take_writer_close(weft_take_writer *writer, int finished);

/** @} */

/** @name Reading
 * @{ */

/** Data of a cloth that is the same in all frames. If the mesh changes, it is the mesh of the frame last requested. The
 * arrays are valid until the reader is closed or another mesh is requested. All indices are in range. */
typedef struct weft_take_cloth {
    const char *name;       /**< of the cloth */
    int32_t vertex_count;   /**< number of vertices */
    int32_t face_count;     /**< number of polygons */
    int32_t corner_count;   /**< sum of all face sizes */
    int32_t triangle_count; /**< number of triangles */
    int32_t link_count;     /**< number of links, broken ones included */
    weft_vec3 *rest;        /**< m (vertex_count) */
    int32_t *face_size;     /**< >= 3, sum is corner_count (face_count) */
    int32_t *corner;        /**< vertices (corner_count) */
    weft_vec2 *corner_uv;   /**< (corner_count) or null */
    int32_t *triangle;      /**< (triangle_count x 3) */
    int32_t *triangle_face; /**< (triangle_count) */
    weft_link *link;        /**< stiffness is 0: it is not stored (link_count) */
    int32_t has_strain;     /**< 1: frames have strains and stresses */
    int32_t has_pressure;   /**< 1: frames have contact pressures */
    int32_t changes;        /**< 1: the mesh is that of the frame last requested */
    int32_t *generation;    /**< (triangle_count); null unless the mesh changes */
} weft_take_cloth;

/** A body. Counts may be 0. */
typedef struct weft_take_body {
    const char *name;       /**< of its component */
    int32_t vertex_count;   /**< number of vertices */
    int32_t triangle_count; /**< number of triangles */
    int32_t moves;          /**< 0: it has one position for all frames */
    int32_t *triangle;      /**< (triangle_count x 3) */
    weft_vec3 *position;    /**< m (vertex_count); null if it moves */
} weft_take_body;

/** An open take. Users only read the fields. */
typedef struct weft_take_reader {
    char name[256];         /**< scene name */
    double rate;            /**< frames per second */
    int64_t frame_count;    /**< complete frames in the file */
    int64_t frame_wanted;   /**< frames that were planned */
    int32_t cloth_count;    /**< number of cloths */
    weft_take_cloth *cloth; /**< (cloth_count) */
    int32_t body_count;     /**< number of bodies */
    weft_take_body *body;   /**< (body_count) */
    void *self;             /**< of the library */
} weft_take_reader;

/** The state of one cloth in one frame. The caller owns the arrays. */
typedef struct weft_take_state {
    weft_vec3 *position; /**< m (vertex_count) */
    uint8_t *open_face;  /**< 1: torn open (face_count) */
    uint8_t *broken;     /**< 1: broken (link_count) */
    weft_strain *strain; /**< (triangle_count); not filled if the cloth has no strains; may be null */
    double *pressure;    /**< Pa (vertex_count); not filled if the cloth has no pressures; may be null */
} weft_take_state;

/** Opens a file. With `unfinished`, a file with at least one frame is accepted even if later frames are missing. */
WEFT_API weft_result weft_take_reader_open(const char *path, int unfinished, weft_take_reader *reader);
/** As weft_take_reader_open. `bytes` must stay valid until the reader is closed. */
WEFT_API weft_result weft_take_reader_open_memory(const void *bytes, size_t size, const char *name, int unfinished,
                                                  weft_take_reader *reader);
/** Closes a reader. A zeroed reader may be closed. */
WEFT_API void weft_take_reader_close(weft_take_reader *reader);
/** Reads the changing meshes of a frame into reader->cloth. Call this before allocating the state of the frame. */
WEFT_API weft_result weft_take_reader_read_mesh(weft_take_reader *reader, int64_t frame);
/** Reads a frame, in any order. If meshes change, weft_take_reader_read_mesh must have read this frame before. `state`
 * has cloth_count entries. Refuses positions that are not finite. */
WEFT_API weft_result weft_take_reader_read_frame(weft_take_reader *reader, int64_t frame, const weft_take_state *state);
/** Reads the position of a body (vertex_count). */
WEFT_API weft_result weft_take_reader_read_body(weft_take_reader *reader, int64_t frame, int32_t body,
                                                weft_vec3 *position);

/** @} */

WEFT_END
#endif
