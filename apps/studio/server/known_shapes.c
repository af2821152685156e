#include "apps/studio/server/known_shapes.h"

#include <stdlib.h>

static studio_known *find(const studio_known_shapes *shapes, const studio_shape *shape) {
    for (int i = 0; i < shapes->count; i++) {
        studio_known *known = &shapes->known[i];
        if (known->pane == shape->pane && known->kind == shape->kind && known->index == shape->index)
            return known;
    }
    return NULL;
}

studio_shape *studio_known_missing(const studio_known_shapes *shapes, const studio_frame *frame) {
    for (int i = 0; i < frame->section_count; i++) {
        studio_shape *shape = frame->section[i].shape;
        const studio_known *known = find(shapes, shape);
        if (!known || known->version != shape->version)
            return shape;
    }
    return NULL;
}

int studio_known_add(studio_known_shapes *shapes, const studio_shape *shape) {
    studio_known *known = find(shapes, shape);
    if (!known && shapes->count == shapes->room) {
        int room = shapes->room > 0 ? 2 * shapes->room : 8;
        studio_known *grown = realloc(shapes->known, (size_t)room * sizeof *grown);
        if (!grown)
            return 0;
        shapes->known = grown;
        shapes->room = room;
    }
    if (!known)
        known = &shapes->known[shapes->count++];
    *known = (studio_known){shape->pane, shape->kind, shape->index, shape->version};
    return 1;
}

void studio_known_free(studio_known_shapes *shapes) {
    free(shapes->known);
    *shapes = (studio_known_shapes){0};
}
