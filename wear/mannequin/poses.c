/* The poses, and motions between them. */
#include "wear/mannequin/poses.h"

#include <string.h>

#include "wear/mannequin/turn.h"
#include "weft/portable_math.h"

const char *const MANNEQUIN_POSES[] = {"standing", "relaxed", "t-pose", "arms-raised", "sitting", NULL};
const char *const MANNEQUIN_MOTIONS[] = {"none",   "walk",        "standing", "relaxed",
                                         "t-pose", "arms-raised", "sitting",  NULL};

enum { STANDING, RELAXED, T_POSE, ARMS_RAISED, SITTING };
enum { NONE, WALK, FIRST_POSE };

static const double DEGREE = 0.017453292519943295;

weft_vec3 poses_mirror(weft_vec3 axis_angle) { return weft_vec3_make(axis_angle.x, -axis_angle.y, -axis_angle.z); }

void poses_set_pair(mannequin_pose *pose, int32_t left, weft_vec3 axis_angle) {
    pose->turn[left] = axis_angle;
    pose->turn[left + 1] = poses_mirror(axis_angle);
}

/* The angle between the upper arm and the vertical at which arms and chest, and hands and hips, are this far apart. */
static double hanging_angle(const mannequin *m) {
    static const double CHEST = 0.015, HIPS = 0.05; /* m: cloth must have room there */
    weft_vec3 shoulder = m->joint[MANNEQUIN_LEFT_SHOULDER].at;
    double length = weft_distance(shoulder, m->joint[MANNEQUIN_LEFT_WRIST].at), hand = 0.02 * m->measures.height / 1.70;
    double hips = mannequin_part_find(m, "hips")->width / 2 + HIPS + hand - shoulder.x;
    double chest =
        mannequin_part_find(m, "torso")->width / 2 + CHEST + mannequin_part_find(m, "left_arm")->radius - shoulder.x;
    double angle = fmax(weft_asin(fmin(fmax(hips / length, 0), 0.9)),
                        weft_atan2(chest, shoulder.y - mannequin_girth_find(m, "chest")->at.y));
    return fmin(fmax(angle, 11 * DEGREE), 44 * DEGREE);
}

/* Rotation of the left shoulder by which the arm points `angle` away from straight down. */
static weft_vec3 lift_arm(double angle) { return weft_vec3_make(0, 0, angle - 45 * DEGREE); }

weft_vec3 poses_hanging_arm(const mannequin *m) { return lift_arm(hanging_angle(m)); }

weft_vec3 poses_bent_elbow(double angle) {
    double c = weft_cos(45 * DEGREE);
    return weft_scale(angle, weft_vec3_make(-c, -c, 0));
}

static mannequin_pose sit(const mannequin *m) {
    static const double THIGH = 86, KNEE = 86; /* degrees */
    mannequin_pose pose = {0};
    turn lift = turn_of(weft_vec3_make(-THIGH * DEGREE, 0, 0)), apart = turn_of(weft_vec3_make(0, 7 * DEGREE, 0));
    poses_set_pair(&pose, MANNEQUIN_LEFT_HIP, turn_axis_angle(turn_both(apart, lift)));
    poses_set_pair(&pose, MANNEQUIN_LEFT_KNEE, weft_vec3_make(KNEE * DEGREE, 0, 0));
    turn hang = turn_of(poses_hanging_arm(m)), ahead = turn_of(weft_vec3_make(-12 * DEGREE, 0, 0));
    poses_set_pair(&pose, MANNEQUIN_LEFT_SHOULDER, turn_axis_angle(turn_both(ahead, hang)));
    poses_set_pair(&pose, MANNEQUIN_LEFT_ELBOW, poses_bent_elbow(55 * DEGREE));
    weft_vec3 at[MANNEQUIN_JOINTS];
    mannequin_pose_joints(m, &pose, at);
    pose.offset.y = m->joint[MANNEQUIN_LEFT_ANKLE].at.y - at[MANNEQUIN_LEFT_ANKLE].y;
    return pose;
}

mannequin_pose mannequin_pose_make(const mannequin *m, int32_t index) {
    mannequin_pose pose = {0};
    if (index == RELAXED) {
        poses_set_pair(&pose, MANNEQUIN_LEFT_SHOULDER, poses_hanging_arm(m));
        poses_set_pair(&pose, MANNEQUIN_LEFT_ELBOW, poses_bent_elbow(12 * DEGREE));
    } else if (index == T_POSE) {
        poses_set_pair(&pose, MANNEQUIN_LEFT_SHOULDER, lift_arm(90 * DEGREE));
    } else if (index == ARMS_RAISED) {
        poses_set_pair(&pose, MANNEQUIN_LEFT_SHOULDER, lift_arm(150 * DEGREE));
    } else if (index == SITTING) {
        pose = sit(m);
    }
    return pose;
}

mannequin_pose mannequin_pose_between(const mannequin_pose *a, const mannequin_pose *b, double share) {
    mannequin_pose pose = {.offset = weft_add_scaled(a->offset, share, weft_sub(b->offset, a->offset))};
    for (int i = 0; i < MANNEQUIN_JOINTS; i++) {
        turn from = turn_of(a->turn[i]);
        weft_vec3 way = turn_axis_angle(turn_both(turn_of(b->turn[i]), turn_back(from)));
        pose.turn[i] = turn_axis_angle(turn_both(turn_of(weft_scale(share, way)), from));
    }
    return pose;
}

/* From 0 to 1 with accelerations that begin and end at 0. */
static double ease(double t) {
    t = fmin(fmax(t, 0), 1);
    return t * t * t * (10 - 15 * t + 6 * t * t);
}

/* The integral of ease. */
static double eased_time(double t) {
    double u = fmin(fmax(t, 0), 1), u4 = u * u * u * u;
    return u4 * (2.5 - 3 * u + u * u) + fmax(t - 1, 0);
}

mannequin_pose mannequin_motion_at(const mannequin *m, const mannequin_motion *motion, double time) {
    mannequin_pose first = mannequin_pose_make(m, motion->pose);
    double since = time - motion->start, blend = fmax(motion->blend, 1e-6);
    if (motion->motion == NONE || since <= 0)
        return first;
    double share = ease(since / blend);
    if (motion->motion != WALK) {
        mannequin_pose last = mannequin_pose_make(m, motion->motion - FIRST_POSE);
        return mannequin_pose_between(&first, &last, share);
    }
    /* The speed grows with the share of the walk, and so does the rate of the steps. */
    double walked = blend * eased_time(since / blend), period = mannequin_walk_period(m, motion->speed);
    mannequin_pose walk = mannequin_walk_pose(m, motion->speed, walked / period);
    mannequin_pose pose = mannequin_pose_between(&first, &walk, share);
    if (motion->travels)
        pose.offset.z += motion->speed * walked;
    return pose;
}
