/* Where a body is at a time: by its keys, its frames and the hand. */
#include "contact/internal.h"

weft_pose weft_contact_body_pose(const weft_contact_body *body, double time) {
    const weft_body_motion *motion = body->motion;
    weft_pose to = weft_body_pose(body->settings, body->key, body->key_count, time);
    if (!motion || !motion->moving)
        return to;
    double gone = motion->end > motion->begin ? (time - motion->begin) / (motion->end - motion->begin) : 0;
    double share = motion->share + (1 - motion->share) * fmin(fmax(gone, 0), 1);
    if (share >= 1)
        return to;
    weft_pose from = weft_body_pose(&motion->from, body->key, body->key_count, time);
    return weft_pose_between(&from, &to, share);
}

double contact_body_frame(const weft_contact_body *body, double time) {
    const weft_body_frames *frames = body->frames;
    if (!frames)
        return 0;
    return fmin(fmax((time - frames->start) * frames->rate, 0), frames->frame_count - 1);
}

weft_vec3 contact_body_point(const weft_contact_body *body, const weft_vec3 *position, double frame, int32_t i) {
    const weft_body_frames *frames = body->frames;
    if (!frames)
        return position[i];
    int64_t whole = (int64_t)frame, next = whole + 1 < frames->frame_count ? whole + 1 : whole;
    weft_vec3 a = frames->position[whole * frames->vertex_count + i];
    weft_vec3 b = frames->position[next * frames->vertex_count + i];
    return weft_add_scaled(a, frame - (double)whole, weft_sub(b, a));
}
