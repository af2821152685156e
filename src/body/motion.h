/* The pose and shape of a body at a given time, from its keys, its animation frames and interactive moves. */
#ifndef WEFT_BODY_MOTION_H
#define WEFT_BODY_MOTION_H

#include "body/pose.h"
#include "weft/body.h"
#include "weft/mesh.h"

/* An interactive move of a body, and whether the body is present. These are inputs of a step. The move goes from the
 * pose of `from` to the pose of the body's settings. Before `begin`, the fraction `share` of the move is done. Within
 * [begin, end] (s) the body does the rest. */
typedef struct weft_body_motion {
    weft_body_place from;
    double begin, end, share;
    int32_t moving; /* 0: the body is where its settings place it */
    int32_t away;   /* 1: the body is not there */
} weft_body_motion;

typedef struct weft_body_view {
    const weft_component *component;
    const void *settings;
    const weft_mesh *mesh; /* null for a shape */
    const weft_body_key *key;
    int32_t key_count;
    const weft_body_frames *frames; /* null if there are none */
    const weft_body_motion *motion;
} weft_body_view;

weft_pose weft_body_view_pose(const weft_body_view *body, double time);
/* The animation frame at a time (s), with a fraction; 0 without frames. */
double weft_body_view_frame(const weft_body_view *body, double time);
/* Vertex i at an animation frame, in the body's own coordinates, m. Without frames it is position[i]. */
weft_vec3 weft_body_view_point(const weft_body_view *body, const weft_vec3 *position, double frame, int32_t i);
/* The triangles of a body in its own coordinates. The caller frees position and triangle. */
weft_result weft_body_view_shape(const weft_body_view *body, weft_body_surface *surface);
/* The triangles of a body at a time (s), in world coordinates. The caller frees position and triangle. */
weft_result weft_body_view_surface(const weft_body_view *body, double time, weft_body_surface *surface);

#endif
