/* The shapes that a viewer has received. A shape is sent once, before the first frame that needs it. */
#ifndef WEFT_STUDIO_KNOWN_SHAPES_H
#define WEFT_STUDIO_KNOWN_SHAPES_H

#include "apps/studio/server/frame.h"

typedef struct studio_known {
    int pane, kind, index;
    uint32_t version;
} studio_known;

typedef struct studio_known_shapes {
    studio_known *known; /* (count) */
    int count, room;
} studio_known_shapes;

/* Returns a shape of the frame that the viewer does not have, or null if it has all. */
studio_shape *studio_known_missing(const studio_known_shapes *shapes, const studio_frame *frame);
/* Notes that the viewer has the shape. Returns 0 if memory is out. */
int studio_known_add(studio_known_shapes *shapes, const studio_shape *shape);
void studio_known_free(studio_known_shapes *shapes);

#endif
