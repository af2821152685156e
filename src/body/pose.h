/* The pose of a body, and its interpolation in time. */
#ifndef WEFT_BODY_POSE_H
#define WEFT_BODY_POSE_H

#include "weft/body.h"
#include "weft/vec.h"

/* Maps p in the body's own coordinates to at + turn (scale p) in world coordinates. */
typedef struct weft_pose {
    weft_vec3 at;
    weft_vec3 turn[3]; /* rows of the rotation matrix */
    double scale;
} weft_pose;

/* Rotates p about x, then y, then z; angles in rad. */
weft_vec3 weft_turn(weft_vec3 p, weft_vec3 angle);
weft_pose weft_body_pose(const weft_body_place *place, const weft_body_key *key, int32_t key_count, double time);
weft_vec3 weft_pose_out(const weft_pose *pose, weft_vec3 p);  /* own coordinates -> world */
weft_vec3 weft_pose_in(const weft_pose *pose, weft_vec3 p);   /* world -> own coordinates */
weft_vec3 weft_pose_turn(const weft_pose *pose, weft_vec3 d); /* a direction, own coordinates -> world */
/* Interpolates from a (share 0) to b (share 1): along a straight line, with rotation about one axis. */
weft_pose weft_pose_between(const weft_pose *a, const weft_pose *b, double share);
int weft_pose_same(const weft_pose *a, const weft_pose *b);

#endif
