/* Wind, drag and lift: the formulas of src/force/aero.c, aero_damping.c, wind_point.c and wind_vortex.c. */
#ifndef WEFT_GPU_AIR_H
#define WEFT_GPU_AIR_H

#include "host_device.h"
#include "sim/device_backend.h"

WEFT_HD weft_vec3 gpu_source_at(const weft_device_source *s, weft_vec3 x) {
    weft_vec3 arm = gpu_sub(x, s->centre);
    if (s->kind == WEFT_DEVICE_WIND_POINT) {
        double r = gpu_length(arm) / s->radius;
        return gpu_scale(s->falloff == 0 ? s->speed / (1 + r * r) : s->speed, gpu_unit(arm));
    }
    weft_vec3 axis = gpu_unit(s->axis);
    arm = gpu_scale(1 / s->radius, gpu_axpy(arm, -gpu_dot(arm, axis), axis));
    double shape = 1 / (1 + gpu_dot(arm, arm));
    return gpu_axpy(gpu_scale(2 * s->speed * shape, gpu_cross(axis, arm)), s->updraft * shape, axis);
}

/* Velocity of the air at x, m/s. */
WEFT_HD weft_vec3 gpu_wind_at(const weft_device_air *air, weft_vec3 x) {
    weft_vec3 sum = air->wind;
    for (int i = 0; i < air->source_count; i++)
        sum = gpu_add(sum, gpu_source_at(&air->source[i], x));
    return sum;
}

/* The wind on one triangle. p and v: positions and velocities of its corners. `force`: N; `block`: -df/dv without its
 * indefinite part, xx xy xz yy yz zz, kg/s. */
WEFT_HD void gpu_facet_air(const weft_device_air *air, const weft_device_material *c, const weft_vec3 *p,
                           const weft_vec3 *v, weft_vec3 *force, double *block) {
    weft_vec3 normal = gpu_cross(gpu_sub(p[1], p[0]), gpu_sub(p[2], p[0])), relative = gpu_vec(0, 0, 0);
    double twice_area = gpu_length(normal);
    for (int k = 0; k < 3; k++)
        relative = gpu_add(relative, gpu_sub(gpu_wind_at(air, p[k]), v[k]));
    relative = gpu_scale(1.0 / 3, relative);
    double through = gpu_dot(relative, normal);
    *force = gpu_vec(0, 0, 0);
    for (int k = 0; k < 6; k++)
        block[k] = 0;
    if (through == 0 || twice_area == 0)
        return;
    weft_vec3 e = gpu_scale((through > 0 ? 1 : -1) / twice_area, normal);
    through = gpu_dot(relative, e);
    double pressed = air->half_density * 0.5 * twice_area;
    weft_vec3 pressure =
        gpu_axpy(gpu_scale((c->drag - c->lift) * through, relative), c->lift * gpu_dot(relative, relative), e);
    *force = gpu_scale(pressed, pressure);
    double scale = pressed * through, across = scale * (c->drag + c->lift);
    double even = c->drag > c->lift ? scale * (c->drag - c->lift) : 0;
    block[0] = even + across * e.x * e.x;
    block[1] = across * e.x * e.y;
    block[2] = across * e.x * e.z;
    block[3] = even + across * e.y * e.y;
    block[4] = across * e.y * e.z;
    block[5] = even + across * e.z * e.z;
}

#endif
