/* The pose and shape of a body at a given time, from its keys, its animation frames and interactive moves. */
#include "body/motion.h"

#include <math.h>

#include "core/memory.h"

weft_pose weft_body_view_pose(const weft_body_view *body, double time) {
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

double weft_body_view_frame(const weft_body_view *body, double time) {
    const weft_body_frames *frames = body->frames;
    if (!frames)
        return 0;
    return fmin(fmax((time - frames->start) * frames->rate, 0), frames->frame_count - 1);
}

weft_vec3 weft_body_view_point(const weft_body_view *body, const weft_vec3 *position, double frame, int32_t i) {
    const weft_body_frames *frames = body->frames;
    if (!frames)
        return position[i];
    int64_t whole = (int64_t)frame, next = whole + 1 < frames->frame_count ? whole + 1 : whole;
    weft_vec3 a = frames->position[whole * frames->vertex_count + i];
    weft_vec3 b = frames->position[next * frames->vertex_count + i];
    return weft_add_scaled(a, frame - (double)whole, weft_sub(b, a));
}

weft_result weft_body_view_shape(const weft_body_view *body, weft_body_surface *surface) {
    const weft_body_functions *functions = body->component->functions;
    *surface = (weft_body_surface){0};
    if (functions->surface)
        return functions->surface(body->settings, surface);
    const weft_mesh *mesh = body->mesh;
    size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    surface->position = weft_allocate(vertices, sizeof *surface->position);
    surface->triangle = weft_allocate(triangles, sizeof *surface->triangle);
    if (!surface->position || !surface->triangle) {
        free(surface->triangle);
        free(surface->position);
        *surface = (weft_body_surface){0};
        return weft_fail_memory("the surface of a body", vertices * sizeof *surface->position);
    }
    memcpy(surface->position, mesh->position, vertices * sizeof *surface->position);
    memcpy(surface->triangle, mesh->triangle, triangles * sizeof *surface->triangle);
    surface->vertex_count = mesh->vertex_count;
    surface->triangle_count = mesh->triangle_count;
    return weft_ok();
}

weft_result weft_body_view_surface(const weft_body_view *body, double time, weft_body_surface *surface) {
    WEFT_TRY(weft_body_view_shape(body, surface));
    weft_pose pose = weft_body_view_pose(body, time);
    double frame = weft_body_view_frame(body, time);
    for (int32_t i = 0; i < surface->vertex_count; i++)
        surface->position[i] = weft_pose_out(&pose, weft_body_view_point(body, surface->position, frame, i));
    return weft_ok();
}
