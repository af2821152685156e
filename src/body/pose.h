/* Where a body is: poses, and the pose at a time. */
#ifndef WEFT_BODY_POSE_H
#define WEFT_BODY_POSE_H

#include "weft/body.h"
#include "weft/vec.h"

/* Where a body is: p -> at + turn (scale p), turn a rotation. */
typedef struct weft_pose {
    weft_vec3 at;
    weft_vec3 turn[3]; /* rows */
    double scale;
} weft_pose;

/* p turned about x, then y, then z, rad. */
weft_vec3 weft_turn(weft_vec3 p, weft_vec3 angle);
weft_pose weft_body_pose(const weft_body_place *place, const weft_body_key *key, int32_t key_count, double time);
weft_vec3 weft_pose_out(const weft_pose *pose, weft_vec3 p);  /* own frame -> world */
weft_vec3 weft_pose_in(const weft_pose *pose, weft_vec3 p);   /* world -> own frame */
weft_vec3 weft_pose_turn(const weft_pose *pose, weft_vec3 d); /* a direction, own frame -> world */
/* `share` of the way from a to b: straight, turning about one axis. */
weft_pose weft_pose_between(const weft_pose *a, const weft_pose *b, double share);
int weft_pose_same(const weft_pose *a, const weft_pose *b);

#endif
