/* Poses of rigid bodies: keyframe interpolation, rotations by Rodrigues' formula and interpolation between two poses.
 */
#include "body/pose.h"

#include "core/elementary.h"

static weft_vec3 mix(weft_vec3 a, weft_vec3 b, double s) { return weft_add_scaled(a, s, weft_sub(b, a)); }

static weft_body_key key_at(const weft_body_key *key, int32_t count, double time) {
    if (count == 0)
        return (weft_body_key){.time = time, .scale = 1};
    if (time <= key[0].time)
        return key[0];
    if (time >= key[count - 1].time)
        return key[count - 1];
    int32_t i = 0;
    while (key[i + 1].time < time)
        i++;
    const weft_body_key *a = &key[i], *b = &key[i + 1];
    double s = (time - a->time) / (b->time - a->time);
    return (weft_body_key){time, mix(a->offset, b->offset, s), a->angle + s * (b->angle - a->angle),
                           a->scale + s * (b->scale - a->scale)};
}

typedef struct columns {
    weft_vec3 column[3];
} columns;

/* Rotates about x, then y, then z (rad). */
weft_vec3 weft_turn(weft_vec3 p, weft_vec3 angle) {
    double c = weft_cos(angle.x), s = weft_sin(angle.x);
    p = weft_vec3_make(p.x, c * p.y - s * p.z, s * p.y + c * p.z);
    c = weft_cos(angle.y), s = weft_sin(angle.y);
    p = weft_vec3_make(c * p.x + s * p.z, p.y, -s * p.x + c * p.z);
    c = weft_cos(angle.z), s = weft_sin(angle.z);
    return weft_vec3_make(c * p.x - s * p.y, s * p.x + c * p.y, p.z);
}

/* Rodrigues' formula; the axis is a unit vector. */
static weft_vec3 turn_axis(weft_vec3 p, weft_vec3 axis, double angle) {
    double c = weft_cos(angle), s = weft_sin(angle);
    weft_vec3 turned = weft_add_scaled(weft_scale(c, p), s, weft_cross(axis, p));
    return weft_add_scaled(turned, (1 - c) * weft_dot(axis, p), axis);
}

weft_pose weft_body_pose(const weft_body_place *place, const weft_body_key *keys, int32_t key_count, double time) {
    weft_body_key key = key_at(keys, key_count, time);
    weft_vec3 axis = weft_normalize(place->axis);
    columns unit = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < 3; i++) {
        weft_vec3 turned = weft_turn(unit.column[i], place->rotate);
        unit.column[i] = key.angle != 0 ? turn_axis(turned, axis, key.angle) : turned;
    }
    const weft_vec3 *u = unit.column;
    weft_pose pose = {.at = weft_add(place->at, key.offset), .scale = place->scale * key.scale};
    pose.turn[0] = weft_vec3_make(u[0].x, u[1].x, u[2].x);
    pose.turn[1] = weft_vec3_make(u[0].y, u[1].y, u[2].y);
    pose.turn[2] = weft_vec3_make(u[0].z, u[1].z, u[2].z);
    return pose;
}

weft_vec3 weft_pose_turn(const weft_pose *pose, weft_vec3 d) {
    return weft_vec3_make(weft_dot(pose->turn[0], d), weft_dot(pose->turn[1], d), weft_dot(pose->turn[2], d));
}

weft_vec3 weft_pose_out(const weft_pose *pose, weft_vec3 p) {
    return weft_add(pose->at, weft_pose_turn(pose, weft_scale(pose->scale, p)));
}

weft_vec3 weft_pose_in(const weft_pose *pose, weft_vec3 p) {
    weft_vec3 d = weft_sub(p, pose->at), turned = weft_scale(d.x, pose->turn[0]);
    turned = weft_add_scaled(turned, d.y, pose->turn[1]);
    turned = weft_add_scaled(turned, d.z, pose->turn[2]);
    return weft_scale(1 / pose->scale, turned);
}

/* The rotation from a to b as axis and angle, from the skew-symmetric part and the trace of its matrix. For half a turn
 * the skew-symmetric part is 0, and the axis comes from the symmetric part. */
static double turn_between(const weft_pose *a, const weft_pose *b, weft_vec3 *axis) {
    double m[3][3]; /* b a^T */
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            m[i][k] = weft_dot(b->turn[i], a->turn[k]);
    weft_vec3 skew = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
    double sine = weft_length(skew) / 2, cosine = (m[0][0] + m[1][1] + m[2][2] - 1) / 2;
    *axis = weft_scale(sine > 0 ? 0.5 / sine : 0, skew);
    if (sine < 1e-6 && cosine < 0) {
        int k = m[0][0] > m[1][1] ? (m[0][0] > m[2][2] ? 0 : 2) : (m[1][1] > m[2][2] ? 1 : 2);
        *axis = weft_normalize(weft_vec3_make(m[0][k] + (k == 0), m[1][k] + (k == 1), m[2][k] + (k == 2)));
    }
    return weft_atan2(sine, cosine);
}

weft_pose weft_pose_between(const weft_pose *a, const weft_pose *b, double share) {
    weft_vec3 axis;
    double angle = share * turn_between(a, b, &axis);
    weft_pose pose = {.at = mix(a->at, b->at, share), .scale = a->scale + share * (b->scale - a->scale)};
    const weft_vec3 *t = a->turn;
    weft_vec3 column[3] = {{t[0].x, t[1].x, t[2].x}, {t[0].y, t[1].y, t[2].y}, {t[0].z, t[1].z, t[2].z}};
    for (int i = 0; i < 3 && angle != 0; i++)
        column[i] = turn_axis(column[i], axis, angle);
    pose.turn[0] = weft_vec3_make(column[0].x, column[1].x, column[2].x);
    pose.turn[1] = weft_vec3_make(column[0].y, column[1].y, column[2].y);
    pose.turn[2] = weft_vec3_make(column[0].z, column[1].z, column[2].z);
    return pose;
}

int weft_pose_same(const weft_pose *a, const weft_pose *b) {
    double apart = fabs(a->scale - b->scale) + weft_distance(a->at, b->at);
    for (int i = 0; i < 3; i++)
        apart += weft_distance(a->turn[i], b->turn[i]);
    return apart == 0;
}
