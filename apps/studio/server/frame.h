/* Frames and shapes that viewers receive, and their encoding (docs/studio-protocol.md, "Binary messages").
 *
 * The simulation thread makes shapes and frames; afterwards they are only read. They are reference-counted. */
#ifndef WEFT_STUDIO_FRAME_H
#define WEFT_STUDIO_FRAME_H

#include <stdatomic.h>

#include "weft/sim.h"

enum { STUDIO_MOST_PANES = 4, STUDIO_MOST_VIEWERS = 32, STUDIO_FRONT = 64 };

enum { STUDIO_KIND_CLOTH = 1, STUDIO_KIND_BODY = 2, STUDIO_KIND_FRAME = 3 };
enum { STUDIO_FRAME_SCRUBBED = 1, STUDIO_FRAME_PAUSED = 2 };

/* A finished message, preceded by STUDIO_FRONT free bytes for the headers of libwebsockets. */
typedef struct studio_bytes {
    unsigned char *memory; /* the message begins at memory + STUDIO_FRONT */
    size_t size;           /* of the message */
} studio_bytes;

/* The message that describes the shape of a cloth or body. */
typedef struct studio_shape {
    atomic_int users;
    uint32_t version; /* unique within a session */
    int pane, kind, index;
    studio_bytes message;
} studio_shape;

/* A cloth or body in a frame. */
typedef struct studio_section {
    studio_shape *shape;
    int32_t count;   /* vertices; 0: positions as in the shape's message */
    float *position; /* m (3 count) */
    float low[3], high[3];
    uint8_t *scalar; /* colours between scalar_low and scalar_high (count), or null */
    float scalar_low, scalar_high;
    uint32_t *held; /* held vertices (held_count) */
    int32_t held_count;
} studio_section;

typedef struct studio_frame {
    atomic_int users;
    uint32_t sequence;
    uint16_t flags;
    int pane_count;
    uint32_t frame, step;
    double time;
    int section_count;
    studio_section *section;
    /* the last command of each viewer that this frame shows */
    struct {
        uint64_t viewer;
        uint32_t id;
    } seen[STUDIO_MOST_VIEWERS];
    /* encoded on first use by the sending thread: [0] float, [1] quantised */
    studio_bytes message[2];
} studio_frame;

studio_shape *studio_shape_hold(studio_shape *shape);
void studio_shape_drop(studio_shape *shape); /* null is allowed */
studio_frame *studio_frame_hold(studio_frame *frame);
void studio_frame_drop(studio_frame *frame); /* null is allowed */

/* Makes a frame with empty sections. Returns null if memory is out. */
studio_frame *studio_frame_create(int section_count);
/* Copies positions and computes their bounding box. Returns 0 if memory is out. */
int studio_section_place(studio_section *section, const weft_vec3 *position, int32_t count);
/* Quantises values to bytes between their minimum and maximum. Returns 0 if memory is out. */
int studio_section_color(studio_section *section, const double *value, int32_t count);

/* Returns the message of a frame for a viewer, or null if memory is out. It is valid until the frame is dropped or this
 * is called again for the frame. The caller may overwrite the first STUDIO_FRONT bytes of its memory. */
const studio_bytes *studio_frame_message(studio_frame *frame, int quantised, uint64_t viewer);

/* Make the message of a shape. Return null if memory is out. */
studio_shape *studio_shape_of_cloth(const weft_sim *sim, int32_t cloth, int pane, uint32_t version);
studio_shape *studio_shape_of_body(const weft_body_surface *surface, int32_t body, int pane, uint32_t version);

#endif
