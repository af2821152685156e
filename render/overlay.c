/* Overlays: particles, springs and mesh edges.
 *
 * Lines have a constant width in pixels, so their radius grows with the distance from the camera. They are moved
 * slightly towards the camera so that they lie on top of the cloth. */
#include <stdlib.h>

#include "render/color.h"
#include "render/stage.h"
#include "weft/vec.h"

typedef struct line_pen {
    float (*point)[4]; /* x, y, z, radius; two entries per line */
    vecf *color;
    int32_t count;
    weft_vec3 eye;
    double radius; /* m at distance 1 */
    double lift;   /* m */
} line_pen;

static const weft_vec3 TYPE_COLOR[3] = {{0.10, 0.62, 0.22}, {0.85, 0.16, 0.12}, {0.95, 0.78, 0.10}};
static const weft_vec3 WIRE_COLOR = {0.12, 0.13, 0.15}, PARTICLE_COLOR = {0.16, 0.36, 0.70};

/* Layer 0 lies on the cloth. Each further layer lies above the previous one. */
static void put(line_pen *pen, int end, weft_vec3 p, double width, double layer) {
    weft_vec3 to_eye = weft_sub(pen->eye, p);
    double distance = weft_length(to_eye), radius = pen->radius * distance;
    if (distance > 0)
        p = weft_add_scaled(p, fmin(((3 + 0.5 * layer) * radius + pen->lift) / distance, 0.5), to_eye);
    radius *= width;
    float *at = pen->point[2 * (size_t)pen->count + (size_t)end];
    at[0] = (float)p.x, at[1] = (float)p.y, at[2] = (float)p.z, at[3] = (float)radius;
}

static void draw(line_pen *pen, weft_vec3 a, weft_vec3 b, vecf color, double width, double layer) {
    put(pen, 0, a, width, layer);
    put(pen, 1, b, width, layer);
    pen->color[pen->count++] = color;
}

static int line_kind(const weft_shot_cloth *cloth, int32_t line) {
    int kind = cloth->line_kind ? cloth->line_kind[line] : WEFT_LINE_STRUCTURAL;
    return kind <= WEFT_LINE_FLEXION ? kind : WEFT_LINE_STRUCTURAL;
}

static vecf spring_color(const weft_view *view, const weft_shot_cloth *cloth, int32_t line, float exposure) {
    if (view->springs == WEFT_SPRINGS_TENSION) {
        double strain = cloth->line_strain ? cloth->line_strain[line] : 0;
        vecf c = weft_colormap_signed((float)(strain / view->tension_limit));
        return vf_scale(1 / exposure, vf(weft_tone_inverse(c.x), weft_tone_inverse(c.y), weft_tone_inverse(c.z)));
    }
    return weft_color_radiance(TYPE_COLOR[line_kind(cloth, line)], exposure);
}

static int64_t wires(const weft_shot_cloth *cloth) {
    return cloth->edge ? cloth->edge_count : 3 * (int64_t)cloth->triangle_count;
}

static void draw_cloth(line_pen *pen, const weft_view *view, const weft_shot_cloth *cloth) {
    float exposure = exp2f((float)view->exposure);
    vecf wire = weft_color_radiance(WIRE_COLOR, exposure);
    for (int64_t i = 0; view->wireframe && i < wires(cloth); i++) {
        int32_t a, b;
        if (cloth->edge) {
            a = cloth->edge[2 * i];
            b = cloth->edge[2 * i + 1];
        } else {
            a = cloth->triangle[i];
            b = cloth->triangle[i % 3 == 2 ? i - 2 : i + 1];
        }
        draw(pen, cloth->position[a], cloth->position[b], wire, 1, 0);
    }
    /* Flexion springs coincide with two structural springs, so they are drawn wider and below them. */
    static const double WIDTH[3] = {1, 1, 2}, LAYER[3] = {3, 2, 1};
    for (int32_t i = 0; view->springs && i < (cloth->line ? cloth->line_count : 0); i++) {
        int kind = line_kind(cloth, i);
        draw(pen, cloth->position[cloth->line[2 * (size_t)i]], cloth->position[cloth->line[2 * (size_t)i + 1]],
             spring_color(view, cloth, i, exposure), view->springs == WEFT_SPRINGS_TYPE ? WIDTH[kind] : 1, LAYER[kind]);
    }
}

static weft_result add_lines(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                             const weft_camera *camera, int64_t count) {
    stage->line_color = malloc((size_t)count * sizeof *stage->line_color);
    if (!stage->line_color)
        return weft_fail_memory("lines", (size_t)count * sizeof *stage->line_color);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_FLAT_LINEAR_CURVE);
    if (!geometry)
        return weft_stage_device_result(device, "lines");
    line_pen pen = {.color = stage->line_color, .eye = camera->position, .lift = 2e-4 * stage->size};
    pen.radius = view->line_width * camera->tan_y / view->height;
    pen.point = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 4 * sizeof(float),
                                        2 * (size_t)count);
    uint32_t *index =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, sizeof(uint32_t), (size_t)count);
    if (pen.point && index) {
        for (int32_t i = 0; i < shot->cloth_count; i++)
            draw_cloth(&pen, view, &shot->cloth[i]);
        for (int64_t i = 0; i < count; i++)
            index[i] = (uint32_t)(2 * i);
        stage->line_count = pen.count;
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(stage->overlay, geometry, 0);
    }
    rtcReleaseGeometry(geometry);
    WEFT_TRY(weft_stage_device_result(device, "lines"));
    return pen.point && index ? weft_ok() : weft_fail(WEFT_NO_MEMORY, "out of memory: lines for ray tracing");
}

static weft_result add_particles(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                                 const weft_camera *camera, int64_t count) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    if (!geometry)
        return weft_stage_device_result(device, "particles");
    float(*point)[4] = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                               4 * sizeof(float), (size_t)count);
    double pixel = 2 * camera->tan_y / view->height;
    for (int32_t i = 0; point && i < shot->cloth_count; i++)
        for (int32_t v = 0; v < shot->cloth[i].vertex_count; v++, point++) {
            weft_vec3 p = shot->cloth[i].position[v];
            double radius = view->particle_radius, distance = weft_distance(p, camera->position);
            if (radius <= 0)
                radius = 3 * pixel * distance;
            if (stage->line_count > 0 && distance > 0) /* above the lines */
                p = weft_add_scaled(p, fmin(2.5 * pixel * view->line_width, 0.5), weft_sub(camera->position, p));
            (*point)[0] = (float)p.x, (*point)[1] = (float)p.y, (*point)[2] = (float)p.z, (*point)[3] = (float)radius;
        }
    if (point) {
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(stage->overlay, geometry, 1);
    }
    stage->particle_color = weft_color_radiance(PARTICLE_COLOR, exp2f((float)view->exposure));
    rtcReleaseGeometry(geometry);
    WEFT_TRY(weft_stage_device_result(device, "particles"));
    return point ? weft_ok() : weft_fail(WEFT_NO_MEMORY, "out of memory: particles for ray tracing");
}

static weft_result check_lines(const weft_shot_cloth *cloth, int32_t number, const int32_t *index, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (index[i] < 0 || index[i] >= cloth->vertex_count)
            return weft_fail(WEFT_BAD_INPUT, "cloth %d of the picture: line %lld ends at vertex %d of %d", number,
                             (long long)i / 2, index[i], cloth->vertex_count);
    return weft_ok();
}

weft_result weft_stage_overlay(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                               const weft_camera *camera) {
    int64_t lines = 0, particles = 0;
    for (int32_t i = 0; i < shot->cloth_count; i++) {
        const weft_shot_cloth *cloth = &shot->cloth[i];
        if (view->springs && cloth->line) {
            WEFT_TRY(check_lines(cloth, i, cloth->line, 2 * (int64_t)cloth->line_count));
            lines += cloth->line_count;
        }
        if (view->wireframe) {
            WEFT_TRY(check_lines(cloth, i, cloth->edge, cloth->edge ? 2 * (int64_t)cloth->edge_count : 0));
            lines += wires(cloth);
        }
        particles += view->particles ? cloth->vertex_count : 0;
    }
    if (lines == 0 && particles == 0)
        return weft_ok();
    if (lines > INT32_MAX / 2)
        return weft_fail(WEFT_BAD_INPUT, "%lld lines in one picture: at most %d are allowed", (long long)lines,
                         INT32_MAX / 2);
    stage->overlay = rtcNewScene(device);
    if (!stage->overlay)
        return weft_stage_device_result(device, "lines and particles");
    if (lines > 0)
        WEFT_TRY(add_lines(stage, device, view, shot, camera, lines));
    if (particles > 0)
        WEFT_TRY(add_particles(stage, device, view, shot, camera, particles));
    rtcCommitScene(stage->overlay);
    return weft_stage_device_result(device, "lines and particles");
}
