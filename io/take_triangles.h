/* Cloths of changing meshes, whose frames hold triangles only. */
#ifndef WEFT_IO_TAKE_TRIANGLES_H
#define WEFT_IO_TAKE_TRIANGLES_H

#include "weft-io/writer.h"

typedef struct weft_take_triangles {
    weft_frame_cloth *cloth; /* (cloth_count) */
    weft_mesh **mesh;        /* made for this; null where the cloth has its own (cloth_count) */
    uint8_t **open;          /* likewise (cloth_count) */
    int32_t cloth_count;
} weft_take_triangles;

/* Replaces the cloths of `frame` that change and have larger faces. The frame is valid until the triangles are freed,
 * which is needed also after a failure. */
weft_result weft_take_triangles_make(weft_take_triangles *triangles, weft_frame *frame);
void weft_take_triangles_free(weft_take_triangles *triangles);

#endif
