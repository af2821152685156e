/* Bodies: what cloth falls on, drapes over and is pushed by. They move as they are told and feel nothing. */
#ifndef WEFT_BODY_H
#define WEFT_BODY_H

#include "weft/base.h"
#include "weft/component.h"

WEFT_BEGIN

/* The settings of every body begin with this. A point p of its own frame is at
 *   at + offset + turn(axis, angle) turn(rotate) (scale p)
 * where offset, angle and further factors come from the keys. */
typedef struct weft_body_place {
    weft_vec3 at;     /* m */
    weft_vec3 rotate; /* about x, then y, then z, rad */
    weft_vec3 axis;   /* of the keys' angle, through the body's origin */
    double scale;
    double friction;          /* Coulomb coefficient, cloth on this body */
    double thickness;         /* how far in front of its surface the body already begins, m */
    double appears, vanishes; /* it is there in steps that begin in between, s */
} weft_body_place;

/* The rows of weft_body_place, for the table of a body. */
#define WEFT_BODY_ROWS                                                                                                 \
    {"at", WEFT_VECTOR, offsetof(weft_body_place, at), 0, 0, "[0, 0, 0]", "m", "where its origin is", NULL, 0},        \
        {"rotate",    WEFT_VECTOR, offsetof(weft_body_place, rotate),  0,    0,                                        \
         "[0, 0, 0]", "rad",       "turns it about x, then y, then z", NULL, 0},                                       \
        {"axis",      WEFT_VECTOR, offsetof(weft_body_place, axis),        0,    0,                                    \
         "[0, 1, 0]", "",          "about which the keys' angle turns it", NULL, 0},                                   \
        {"scale", WEFT_REAL,    offsetof(weft_body_place, scale), 0, 1e6, "1", "", "of all its lengths",               \
         NULL,    WEFT_OPEN_LOW},                                                                                      \
        {"friction", WEFT_REAL, offsetof(weft_body_place, friction),  0,    100,                                       \
         "0.3",      "",        "Coulomb coefficient of cloth on it", NULL, 0},                                        \
        {"thickness",                                                                                                  \
         WEFT_REAL,                                                                                                    \
         offsetof(weft_body_place, thickness),                                                                         \
         0,                                                                                                            \
         1000,                                                                                                         \
         "0",                                                                                                          \
         "m",                                                                                                          \
         "how far in front of its surface the body already begins",                                                    \
         NULL,                                                                                                         \
         0},                                                                                                           \
        {"appears", WEFT_REAL, offsetof(weft_body_place, appears), -1e9, 1e9,                                          \
         "0",       "s",       "when it begins to be there",       NULL, 0},                                           \
    {                                                                                                                  \
        "vanishes", WEFT_REAL, offsetof(weft_body_place, vanishes), -1e9, 1e9, "1e9", "s", "when it is there no more", \
            NULL, 0                                                                                                    \
    }

/* Motion: linear from key to key, still before the first and after the last. */
typedef struct weft_body_key {
    double time;      /* s */
    weft_vec3 offset; /* m */
    double angle;     /* rad, about `axis` */
    double scale;     /* factor, > 0 */
} weft_body_key;

/* Motion of a mesh body by shapes in turn, as of an animated character: frame i is its shape, in its own frame, at
 * start + i / rate; linear in between, still before the first and after the last. */
typedef struct weft_body_frames {
    const weft_vec3 *position; /* m (frame_count x vertex_count) */
    int32_t vertex_count, frame_count;
    double rate;  /* frames per second, > 0 */
    double start; /* s */
} weft_body_frames;

/* Triangles in the body's own frame, allocated by malloc and owned by whoever asked for them. */
typedef struct weft_body_surface {
    weft_vec3 *position; /* (vertex_count) */
    int32_t vertex_count;
    int32_t (*triangle)[3]; /* counter-clockwise from outside (triangle_count) */
    int32_t triangle_count;
} weft_body_surface;

/* What a body component provides. */
typedef struct weft_body_functions {
    /* Signed distance of p, negative inside, and the outward unit normal there; in the body's own frame, m. Null for a
     * body that is its surface. */
    double (*distance)(const void *settings, weft_vec3 p, weft_vec3 *normal);
    /* The surface in triangles, nowhere outside of the exact one. Null for a body made from a mesh file. */
    weft_result (*surface)(const void *settings, weft_body_surface *surface);
    int unbounded; /* goes on beyond its surface, as what is behind a plane */
} weft_body_functions;

WEFT_END
#endif
