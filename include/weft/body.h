/** @file
 * Bodies: solid objects that cloth collides with. Their motion is prescribed; cloth does not push them. A body
 * component provides a weft_body_functions table. */
#ifndef WEFT_BODY_H
#define WEFT_BODY_H

#include "weft/base.h"
#include "weft/component.h"
#include "weft/mesh.h"

WEFT_BEGIN

/** Pose and surface of a body. The settings of every body start with this struct.
 *
 * Keys add an offset, an angle and a further scale factor. A point p in the body's own coordinates is at
 *
 *     at + offset + turn(axis, angle) turn(rotate) (scale p) */
typedef struct weft_body_place {
    weft_vec3 at;     /**< position of the body's origin, m */
    weft_vec3 rotate; /**< rotation about x, then y, then z, rad */
    weft_vec3 axis;   /**< axis of the keys' angle, through the body's origin; not zero */
    double scale;     /**< factor on all lengths, above 0 */
    double friction;  /**< Coulomb coefficient of cloth on this body */
    double thickness; /**< distance in front of the surface at which the body already acts, m */
    double appears;   /**< the body is present in steps that begin at or after this time, s */
    double vanishes;  /**< the body is present in steps that begin before this time, s; above `appears` */
} weft_body_place;

/** The rows of weft_body_place. The parameter table of a body starts with them. They use designated initialisers, which
 * C++ has only since C++20. */
#define WEFT_BODY_ROWS                                                                                                 \
    {.name = "at",                                                                                                     \
     .type = WEFT_VECTOR,                                                                                              \
     .offset = offsetof(weft_body_place, at),                                                                          \
     .fallback = "[0, 0, 0]",                                                                                          \
     .unit = "m",                                                                                                      \
     .help = "position of the body's origin"},                                                                         \
        {.name = "rotate",                                                                                             \
         .type = WEFT_VECTOR,                                                                                          \
         .offset = offsetof(weft_body_place, rotate),                                                                  \
         .fallback = "[0, 0, 0]",                                                                                      \
         .unit = "rad",                                                                                                \
         .help = "rotation about x, then y, then z"},                                                                  \
        {.name = "axis",                                                                                               \
         .type = WEFT_VECTOR,                                                                                          \
         .offset = offsetof(weft_body_place, axis),                                                                    \
         .fallback = "[0, 1, 0]",                                                                                      \
         .unit = "",                                                                                                   \
         .help = "axis of the keys' angle, through the body's origin"},                                                \
        {.name = "scale",                                                                                              \
         .type = WEFT_REAL,                                                                                            \
         .offset = offsetof(weft_body_place, scale),                                                                   \
         .high = 1e6,                                                                                                  \
         .fallback = "1",                                                                                              \
         .unit = "",                                                                                                   \
         .help = "factor on all lengths",                                                                              \
         .flags = WEFT_OPEN_LOW},                                                                                      \
        {.name = "friction",                                                                                           \
         .type = WEFT_REAL,                                                                                            \
         .offset = offsetof(weft_body_place, friction),                                                                \
         .high = 100,                                                                                                  \
         .fallback = "0.3",                                                                                            \
         .unit = "",                                                                                                   \
         .help = "Coulomb friction coefficient of cloth on the body, whatever its fabric"},                            \
        {.name = "thickness",                                                                                          \
         .type = WEFT_REAL,                                                                                            \
         .offset = offsetof(weft_body_place, thickness),                                                               \
         .high = 1000,                                                                                                 \
         .fallback = "0",                                                                                              \
         .unit = "m",                                                                                                  \
         .help = "distance in front of the surface at which the body already acts"},                                   \
        {.name = "appears",                                                                                            \
         .type = WEFT_REAL,                                                                                            \
         .offset = offsetof(weft_body_place, appears),                                                                 \
         .low = -1e9,                                                                                                  \
         .high = 1e9,                                                                                                  \
         .fallback = "0",                                                                                              \
         .unit = "s",                                                                                                  \
         .help = "time from which the body is present"},                                                               \
    {                                                                                                                  \
        .name = "vanishes", .type = WEFT_REAL, .offset = offsetof(weft_body_place, vanishes), .low = -1e9,             \
        .high = 1e9, .fallback = "1e9", .unit = "s", .help = "time from which the body is no longer present"           \
    }

/** A key of a body's motion. Between keys the motion is linear. Before the first and after the last key the body rests.
 */
typedef struct weft_body_key {
    double time;      /**< s */
    weft_vec3 offset; /**< m */
    double angle;     /**< about weft_body_place::axis, rad */
    double scale;     /**< factor, above 0 */
} weft_body_key;

/** Animation of a mesh body, such as a character. Frame i is its shape, in its own coordinates, at time
 * start + i / rate. Between frames the shape is interpolated linearly. Before the first and after the last frame it
 * does not change. */
typedef struct weft_body_frames {
    const weft_vec3 *position; /**< m (frame_count x vertex_count) */
    int32_t vertex_count;      /**< that of the body's mesh */
    int32_t frame_count;       /**< at least 1 */
    double rate;               /**< frames per second, above 0 */
    double start;              /**< time of frame 0, s */
} weft_body_frames;

/** Triangles of a body. The caller frees both arrays with weft_memory_free(), or with free() if no allocator is set
 * (weft/hooks.h). */
typedef struct weft_body_surface {
    weft_vec3 *position;    /**< m (vertex_count) */
    int32_t vertex_count;   /**< number of vertices */
    int32_t (*triangle)[3]; /**< vertices, counter-clockwise from outside (triangle_count) */
    int32_t triangle_count; /**< number of triangles */
} weft_body_surface;

/** What a simulation asks of a body that generates its mesh. */
typedef struct weft_body_wish {
    double rate;   /**< steps per second: a motion should have a sample for each */
    double length; /**< duration of the scene, s */
} weft_body_wish;

/** The functions of a body. `settings` is the component's settings struct. They may be called from several threads at
 * once. */
typedef struct weft_body_functions {
    /** Signed distance of p in the body's own coordinates, m, negative inside. Stores the outward unit normal there.
     * Null for a body that has only triangles. */
    double (*distance)(const void *settings, weft_vec3 p, weft_vec3 *normal);
    /** The surface as triangles in the body's own coordinates. It must not extend beyond the exact surface. Null for a
     * body that is a mesh. */
    weft_result (*surface)(const void *settings, weft_body_surface *surface);
    int unbounded; /**< 1: the body extends beyond its triangles, like the half-space behind a plane */
    /** Makes the mesh of a body from its settings, and its motion, once: when the simulation is prepared. The
     * simulation owns the mesh and `frames->position`, which comes from weft_memory_allocate(). A frame_count of 0
     * means that it keeps still. Null for other bodies. If it is set, `distance` and `surface` are null. */
    weft_result (*generate)(const void *settings, const weft_body_wish *wish, weft_mesh **mesh,
                            weft_body_frames *frames);
} weft_body_functions;

WEFT_END
#endif
