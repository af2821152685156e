/* What viewers see of a moment, and how it becomes bytes: docs/studio-protocol.md, binary messages.
 *
 * Shapes and frames are made by the simulation's thread and then only read; they are shared by counting. */
#ifndef WEFT_STUDIO_FRAME_H
#define WEFT_STUDIO_FRAME_H

#include <stdatomic.h>

#include "weft/sim.h"

enum { STUDIO_MOST_PANES = 4, STUDIO_MOST_VIEWERS = 32, STUDIO_FRONT = 64 };

enum { STUDIO_KIND_CLOTH = 1, STUDIO_KIND_BODY = 2, STUDIO_KIND_FRAME = 3 };
enum { STUDIO_FRAME_SCRUBBED = 1, STUDIO_FRAME_PAUSED = 2 };

/* A finished message with STUDIO_FRONT free bytes before it, for the library that sends it. */
typedef struct studio_bytes {
    unsigned char *memory; /* the message begins at memory + STUDIO_FRONT */
    size_t size;           /* of the message */
} studio_bytes;

/* The message that tells a cloth's or body's shape. */
typedef struct studio_shape {
    atomic_int users;
    uint32_t version; /* unique within a session */
    int pane, kind, index;
    studio_bytes message;
} studio_shape;

/* A cloth or body in a frame. */
typedef struct studio_section {
    studio_shape *shape;
    int32_t count;   /* vertices; 0: as in the shape's message */
    float *position; /* m (3 count) */
    float low[3], high[3];
    uint8_t *scalar; /* (count) or null */
    float scalar_low, scalar_high;
    uint32_t *held; /* (held_count) */
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
    /* the last command of each viewer that acts in this frame */
    struct {
        uint64_t viewer;
        uint32_t id;
    } seen[STUDIO_MOST_VIEWERS];
    /* made when first asked for, by the one thread that sends: float, quantised */
    studio_bytes message[2];
} studio_frame;

studio_shape *studio_shape_hold(studio_shape *shape);
void studio_shape_drop(studio_shape *shape); /* null is allowed */
studio_frame *studio_frame_hold(studio_frame *frame);
void studio_frame_drop(studio_frame *frame); /* null is allowed */

/* Empty sections; null when memory is out. */
studio_frame *studio_frame_create(int section_count);
/* Copies positions and finds their box. Returns 0 when memory is out. */
int studio_section_place(studio_section *section, const weft_vec3 *position, int32_t count);
/* Values become bytes between their least and largest. Returns 0 when memory is out. */
int studio_section_color(studio_section *section, const double *value, int32_t count);

/* The message of a frame for a viewer; null when memory is out. Valid until the frame is dropped or asked for again;
 * the first STUDIO_FRONT bytes of its memory may be written on. */
const studio_bytes *studio_frame_message(studio_frame *frame, int quantised, uint64_t viewer);

/* Messages of shapes. `level` is null when nothing is refined. Return null when memory is out. */
studio_shape *studio_shape_of_cloth(const weft_sim *sim, int32_t cloth, int pane, uint32_t version);
studio_shape *studio_shape_of_body(const weft_body_surface *surface, int32_t body, int pane, uint32_t version);

#endif
