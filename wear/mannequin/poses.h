/* What poses and the walk share. */
#ifndef WEAR_MANNEQUIN_POSES_H
#define WEAR_MANNEQUIN_POSES_H

#include "wear/mannequin/mannequin.h"

/* The rotation that mirrors another one at x = 0. */
weft_vec3 poses_mirror(weft_vec3 axis_angle);
/* Turns a left joint, and the right one as its mirror image. */
void poses_set_pair(mannequin_pose *pose, int32_t left, weft_vec3 axis_angle);
/* Rotation of the left shoulder by which the arm hangs as close to the body as hands and hips allow. */
weft_vec3 poses_hanging_arm(const mannequin *m);
/* Rotation of the left elbow that takes the forearm forwards. */
weft_vec3 poses_bent_elbow(double angle);

#endif
