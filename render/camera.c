/* The pinhole camera and its automatic placement.
 *
 * With a fixed view direction, a point p is inside a side plane of the frustum if (p - c) . n <= 0, where n is the
 * normal of that side. The largest p . n of each side therefore determines the nearest camera position c that sees
 * every point. These four maxima are updated as points are added. */
#include <float.h>

#include "render/render.h"
#include "weft/vec.h"

static const double PI = 3.14159265358979323846;

static weft_vec3 around_vertical(weft_vec3 a, double angle) {
    double c = cos(angle), s = sin(angle);
    return weft_vec3_make(c * a.x + s * a.z, a.y, -s * a.x + c * a.z);
}

static void orient(weft_camera *camera, weft_vec3 forward, weft_vec3 up) {
    camera->forward = weft_normalize(forward);
    weft_vec3 right = weft_cross(camera->forward, up);
    if (weft_length(right) < 1e-9 * weft_length(up)) /* looking along the up direction */
        right =
            weft_cross(camera->forward, fabs(up.z) > fabs(up.x) ? weft_vec3_make(1, 0, 0) : weft_vec3_make(0, 0, -1));
    camera->right = weft_normalize(right);
    camera->up = weft_cross(camera->right, camera->forward);
}

/* The automatic camera at time 0: directions and field of view. */
static weft_camera automatic(const weft_view *view) {
    weft_camera camera = {0};
    double e = view->elevation, a = view->azimuth;
    orient(&camera, weft_vec3_make(-cos(e) * sin(a), -sin(e), -cos(e) * cos(a)), view->up);
    camera.tan_y = tan(view->field_of_view / 2);
    camera.tan_x = camera.tan_y * view->width / view->height;
    return camera;
}

weft_framing weft_framing_start(const weft_view *view) {
    weft_framing f;
    weft_camera camera = automatic(view);
    double x = camera.tan_x * (1 - view->margin), y = camera.tan_y * (1 - view->margin);
    f.low = weft_vec3_make(DBL_MAX, DBL_MAX, DBL_MAX);
    f.high = weft_scale(-1, f.low);
    f.side[0] = weft_add_scaled(camera.right, -x, camera.forward);
    f.side[1] = weft_add_scaled(weft_scale(-1, camera.right), -x, camera.forward);
    f.side[2] = weft_add_scaled(camera.up, -y, camera.forward);
    f.side[3] = weft_add_scaled(weft_scale(-1, camera.up), -y, camera.forward);
    for (int i = 0; i < 4; i++)
        f.support[i] = -DBL_MAX;
    return f;
}

void weft_framing_add(weft_framing *f, const weft_vec3 *position, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        weft_vec3 p = position[i];
        if (!weft_vec3_is_finite(p))
            continue;
        f->low = weft_vec3_make(fmin(f->low.x, p.x), fmin(f->low.y, p.y), fmin(f->low.z, p.z));
        f->high = weft_vec3_make(fmax(f->high.x, p.x), fmax(f->high.y, p.y), fmax(f->high.z, p.z));
        for (int k = 0; k < 4; k++)
            f->support[k] = fmax(f->support[k], weft_dot(p, f->side[k]));
    }
}

/* Adds the ring that the bounding box sweeps on a turntable. */
static void add_swept(weft_framing *f, weft_vec3 low, weft_vec3 high) {
    double radius = 0.5 * hypot(high.x - low.x, high.z - low.z);
    for (int i = 0; i < 32; i++) {
        double angle = 2 * PI * i / 32;
        weft_vec3 ring[2] = {
            {(low.x + high.x) / 2 + radius * cos(angle), low.y, (low.z + high.z) / 2 + radius * sin(angle)}};
        ring[1] = ring[0];
        ring[1].y = high.y;
        weft_framing_add(f, ring, 2);
    }
}

static weft_vec3 place(const weft_camera *camera, const weft_view *view, const weft_framing *f) {
    double x = camera->tan_x * (1 - view->margin), y = camera->tan_y * (1 - view->margin);
    /* Sides 0 and 1 bound the position by two lines that meet at a certain depth; so do sides 2 and 3. The farther
     * depth is used. */
    double depth = fmin(-(f->support[0] + f->support[1]) / (2 * x), -(f->support[2] + f->support[3]) / (2 * y));
    double size = fmax(weft_distance(f->low, f->high), 1e-6);
    weft_vec3 middle = weft_scale(0.5, weft_add(f->low, f->high));
    /* A single point gives no depth. */
    depth = fmin(depth, weft_dot(middle, camera->forward) - 0.05 * size);
    weft_vec3 p = weft_scale((f->support[0] - f->support[1]) / 2, camera->right);
    p = weft_add_scaled(p, (f->support[2] - f->support[3]) / 2, camera->up);
    return weft_add_scaled(p, depth, camera->forward);
}

weft_camera weft_framing_camera(const weft_framing *framing, const weft_view *view, double time) {
    weft_framing f = *framing;
    if (f.low.x > f.high.x) {
        static const weft_vec3 CUBE[2] = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
        weft_framing_add(&f, CUBE, 2);
    }
    weft_camera camera = automatic(view);
    weft_vec3 pivot = weft_scale(0.5, weft_add(f.low, f.high));
    if (view->camera == WEFT_CAMERA_GIVEN) {
        camera.position = view->position;
        orient(&camera, weft_sub(view->target, view->position), view->up);
        pivot = view->target;
    } else {
        if (view->turntable != 0)
            add_swept(&f, f.low, f.high);
        camera.position = place(&camera, view, &f);
    }
    double angle = view->turntable * time * PI / 180;
    if (angle != 0) {
        camera.position = weft_add(pivot, around_vertical(weft_sub(camera.position, pivot), angle));
        camera.right = around_vertical(camera.right, angle);
        camera.up = around_vertical(camera.up, angle);
        camera.forward = around_vertical(camera.forward, angle);
    }
    return camera;
}

weft_vec3 weft_camera_project(const weft_camera *camera, const weft_view *view, weft_vec3 p) {
    weft_vec3 d = weft_sub(p, camera->position);
    double z = weft_dot(d, camera->forward);
    double x = weft_dot(d, camera->right) / (z * camera->tan_x), y = weft_dot(d, camera->up) / (z * camera->tan_y);
    return weft_vec3_make(0.5 * (1 + x) * view->width, 0.5 * (1 - y) * view->height, z);
}
