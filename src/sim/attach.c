/* Pins that a body carries: each vertex keeps its place against the nearest triangle of the body, or against the body
 * as a whole if it is a shape. */
#include <math.h>

#include "contact/distance.h"
#include "sim/state.h"

/* The corners of a triangle of a body at a time, in world coordinates. */
static void corners_at(const weft_body_view *body, const weft_pose *pose, double frame, int32_t triangle,
                       weft_vec3 x[3]) {
    const int32_t *corner = body->mesh->triangle[triangle];
    for (int k = 0; k < 3; k++)
        x[k] = weft_pose_out(pose, weft_body_view_point(body, body->mesh->position, frame, corner[k]));
}

/* Axes of a triangle: along its first edge, across it, and along its normal. */
static void axes_of(const weft_vec3 x[3], weft_vec3 axis[3]) {
    axis[0] = weft_normalize(weft_sub(x[1], x[0]));
    axis[2] = weft_normalize(weft_cross(weft_sub(x[1], x[0]), weft_sub(x[2], x[0])));
    axis[1] = weft_cross(axis[2], axis[0]);
}

static sim_attachment nearest(const weft_body_view *body, const weft_pose *pose, double frame, weft_vec3 p) {
    sim_attachment found = {.triangle = WEFT_NONE};
    double least = INFINITY;
    for (int32_t t = 0; t < body->mesh->triangle_count; t++) {
        weft_vec3 x[4] = {p}, axis[3];
        double weight[4];
        corners_at(body, pose, frame, t, x + 1);
        double squared = weft_closest(WEFT_VERTEX_TRIANGLE, x, weight);
        if (!(squared < least))
            continue;
        least = squared;
        weft_vec3 apart = p;
        for (int k = 0; k < 3; k++) {
            found.weight[k] = -weight[k + 1];
            apart = weft_add_scaled(apart, -found.weight[k], x[k + 1]);
        }
        axes_of(x + 1, axis);
        found.triangle = t;
        found.apart = weft_vec3_make(weft_dot(apart, axis[0]), weft_dot(apart, axis[1]), weft_dot(apart, axis[2]));
    }
    return found;
}

sim_attachment sim_attachment_at(const weft_sim *sim, int32_t index, weft_vec3 point) {
    weft_body_view body = sim_body_view(&sim->body[index]);
    weft_pose pose = weft_body_view_pose(&body, sim->time);
    if (!body.mesh)
        return (sim_attachment){WEFT_NONE, {0, 0, 0}, weft_pose_in(&pose, point)};
    return nearest(&body, &pose, weft_body_view_frame(&body, sim->time), point);
}

weft_result sim_attach(const weft_sim *sim, sim_pin *pin) {
    WEFT_TRY(sim_require_body(sim, pin->pin.body));
    if (pin->pin.key_count > 0 || pin->pin.path)
        return weft_fail(WEFT_BAD_INPUT, "pin: follows a body, and has keys or a path too; one of them is allowed");
    pin->attachment = weft_allocate((size_t)pin->count, sizeof *pin->attachment);
    pin->row = weft_allocate((size_t)pin->count, sizeof *pin->row);
    if (!pin->attachment || !pin->row)
        return weft_fail_memory("a pin", (size_t)pin->count * sizeof *pin->attachment);
    for (int32_t i = 0; i < pin->count; i++) {
        pin->row[i] = i;
        if (!pin->late)
            pin->attachment[i] = sim_attachment_at(sim, pin->pin.body, pin->start[i]);
    }
    return weft_ok();
}

weft_vec3 sim_attached_place(const weft_body_view *body, const weft_pose *pose, double frame, const sim_attachment *a) {
    weft_vec3 x[3], axis[3], p = {0, 0, 0};
    if (a->triangle == WEFT_NONE)
        return weft_pose_out(pose, a->apart);
    corners_at(body, pose, frame, a->triangle, x);
    axes_of(x, axis);
    for (int k = 0; k < 3; k++)
        p = weft_add_scaled(p, a->weight[k], x[k]);
    p = weft_add_scaled(p, a->apart.x, axis[0]);
    p = weft_add_scaled(p, a->apart.y, axis[1]);
    return weft_add_scaled(p, a->apart.z, axis[2]);
}

/* The vertices of a body that is removed stay where they are. */
void sim_detach(weft_sim *sim, int32_t body) {
    sim_fetch_quietly(sim);
    for (int32_t i = 0; i < sim->pin_count; i++) {
        sim_pin *pin = &sim->pin[i];
        if (!pin->attachment || pin->pin.body < body)
            continue;
        if (pin->pin.body > body) {
            pin->pin.body--;
            continue;
        }
        for (int32_t k = 0; k < pin->count; k++)
            pin->start[k] = sim->x[pin->vertex[k]];
        free(pin->attachment);
        free(pin->row);
        pin->attachment = NULL;
        pin->row = NULL;
        pin->pin.attached = 0;
    }
}
