/* Bodies from the inside: where they are at a time, and the built-in shapes. */
#ifndef WEFT_CONTACT_BODY_H
#define WEFT_CONTACT_BODY_H

#include "weft/body.h"
#include "weft/vec.h"

extern const weft_component weft_plane_body, weft_sphere_body, weft_box_body, weft_capsule_body, weft_cylinder_body,
    weft_mesh_body;

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

/* The surface of revolution about y of a curve from the lower to the upper pole: radius and height (count). The first
 * and last radius are 0. */
weft_result weft_surface_revolve(const double (*curve)[2], int32_t count, int32_t segments, weft_body_surface *surface);

#endif
