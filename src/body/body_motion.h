/* Where a body is at a time: by its keys, its frames and moves by hand. */
#ifndef WEFT_BODY_BODY_MOTION_H
#define WEFT_BODY_BODY_MOTION_H

#include "body/pose.h"
#include "weft/body.h"
#include "weft/mesh.h"

/* How a body is moved by hand, and whether it is there: inputs of a step. Within [begin, end] it goes the rest of the
 * way from the pose by `from` to the one by its settings; `share` of it was gone before. */
typedef struct weft_body_motion {
    weft_body_place from;
    double begin, end, share;
    int32_t moving; /* else it is where its settings say */
    int32_t away;
} weft_body_motion;

typedef struct weft_body_view {
    const weft_component *component;
    const void *settings;
    const weft_mesh *mesh; /* null for a shape */
    const weft_body_key *key;
    int32_t key_count;
    const weft_body_frames *frames; /* null without any */
    const weft_body_motion *motion;
} weft_body_view;

weft_pose weft_body_view_pose(const weft_body_view *body, double time);
/* The frame at a time, with a fraction; 0 without frames. */
double weft_body_view_frame(const weft_body_view *body, double time);
/* Vertex i at that frame, in the body's own frame of reference; `position` is used without frames. */
weft_vec3 weft_body_view_point(const weft_body_view *body, const weft_vec3 *position, double frame, int32_t i);
/* The triangles of a body in its own frame; position and triangle are to be freed by the caller. */
weft_result weft_body_view_shape(const weft_body_view *body, weft_body_surface *surface);
/* The triangles of a body where it is at a time; position is to be freed by the caller. */
weft_result weft_body_view_surface(const weft_body_view *body, double time, weft_body_surface *surface);

#endif
