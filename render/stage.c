/* Builds the geometry of a frame for ray tracing with Embree. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "render/color.h"
#include "render/restrain.h"
#include "render/stage.h"
#include "weft/vec.h"

weft_result weft_stage_device_result(RTCDevice device, const char *what) {
    enum RTCError error = rtcGetDeviceError(device);
    if (error == RTC_ERROR_NONE)
        return weft_ok();
    if (error == RTC_ERROR_OUT_OF_MEMORY)
        return weft_fail(WEFT_NO_MEMORY, "out of memory: %s for ray tracing", what);
    return weft_fail(WEFT_UNSUPPORTED, "ray tracing of %s failed: Embree error %d", what, (int)error);
}

static weft_result check_indices(const char *what, int32_t owner, const int32_t *index, int64_t count,
                                 int32_t vertex_count) {
    for (int64_t i = 0; i < count; i++)
        if (index[i] < 0 || index[i] >= vertex_count)
            return weft_fail(WEFT_BAD_INPUT, "%s %d of the picture: corner %lld is vertex %d of %d", what, owner,
                             (long long)i, index[i], vertex_count);
    return weft_ok();
}

static weft_result add_geometry(weft_stage *stage, RTCDevice device, const weft_smooth *from) {
    int32_t vertex_count = from->vertex_count, triangle_count = from->triangle_count;
    weft_stage_mesh *mesh = &stage->mesh[stage->mesh_count];
    if (vertex_count == 0 || triangle_count == 0) { /* keeps its index, but rays never hit it */
        stage->mesh_count++;
        return weft_ok();
    }
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!geometry)
        return weft_stage_device_result(device, "a mesh");
    vecf *vertex = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(vecf),
                                           (size_t)vertex_count);
    uint32_t *index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              3 * sizeof(uint32_t), (size_t)triangle_count);
    if (vertex && index) {
        memcpy(vertex, from->position, (size_t)vertex_count * sizeof *vertex);
        memcpy(index, from->triangle, 3 * (size_t)triangle_count * sizeof *index);
        mesh->vertex = vertex;
        mesh->triangle = index;
        mesh->vertex_count = vertex_count;
        mesh->triangle_count = triangle_count;
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(stage->solid, geometry, (unsigned)stage->mesh_count);
        stage->mesh_count++;
    }
    rtcReleaseGeometry(geometry);
    WEFT_TRY(weft_stage_device_result(device, "a mesh"));
    return vertex && index ? weft_ok() : weft_fail(WEFT_NO_MEMORY, "out of memory: a mesh for ray tracing");
}

static void find_range(weft_stage *stage, const weft_view *view, const weft_shot *shot) {
    double low = DBL_MAX, high = -DBL_MAX;
    for (int32_t i = 0; i < shot->cloth_count; i++)
        for (int32_t v = 0; shot->cloth[i].scalar && v < shot->cloth[i].vertex_count; v++) {
            double s = shot->cloth[i].scalar[v];
            low = isfinite(s) && s < low ? s : low;
            high = isfinite(s) && s > high ? s : high;
        }
    if (view->color_high != view->color_low || low > high) {
        low = view->color_low;
        high = view->color_high;
    }
    stage->scalar_low = low;
    stage->scalar_high = high;
}

/* Data shared by all cloths of a frame. */
typedef struct cloth_plan {
    weft_stage *stage;
    RTCDevice device;
    const weft_view *view;
    const weft_work *work;
    double pixel;   /* size of a pixel at the centre of the bounds, m */
    int32_t levels; /* maximum number of subdivision levels */
} cloth_plan;

static weft_result scale_scalar(const weft_stage *stage, const weft_shot_cloth *cloth, float **scaled) {
    size_t count = cloth->vertex_count > 0 ? (size_t)cloth->vertex_count : 1;
    double span = stage->scalar_high - stage->scalar_low;
    float *scalar = *scaled = calloc(count, sizeof *scalar);
    if (!scalar)
        return weft_fail_memory("false colours", count * sizeof *scalar);
    for (int32_t v = 0; v < cloth->vertex_count; v++) {
        double t = span != 0 ? (cloth->scalar[v] - stage->scalar_low) / span : 0.5;
        scalar[v] = t > 0 ? (t < 1 ? (float)t : 1) : 0; /* also for NaN */
    }
    return weft_ok();
}

static weft_result make_surface(const cloth_plan *plan, const weft_shot_cloth *cloth, weft_smooth *surface) {
    float *scalar = NULL;
    int32_t levels = 0;
    if (plan->levels > 0) {
        levels = weft_smooth_level(cloth, plan->pixel);
        levels = levels < plan->levels ? levels : plan->levels;
    }
    weft_result result = weft_ok();
    if (cloth->scalar && plan->view->color != WEFT_COLOR_CLOTH)
        result = scale_scalar(plan->stage, cloth, &scalar);
    if (result.code == WEFT_OK)
        result = weft_smooth_build(surface, cloth, scalar, levels, plan->work);
    free(scalar);
    return result;
}

/* Takes texture coordinates and scalars from the surface. */
static weft_result add_cloth(const cloth_plan *plan, const weft_shot_cloth *cloth, weft_smooth *surface) {
    const weft_view *view = plan->view;
    WEFT_TRY(add_geometry(plan->stage, plan->device, surface));
    weft_stage_mesh *mesh = &plan->stage->mesh[plan->stage->mesh_count - 1];
    mesh->uv = surface->uv;
    mesh->scalar = surface->scalar;
    surface->uv = NULL;
    surface->scalar = NULL;
    mesh->is_cloth = 1;
    mesh->front = weft_color_linear(cloth->own_colors ? cloth->front : view->cloth_front);
    mesh->back = weft_color_linear(cloth->own_colors ? cloth->back : view->cloth_back);
    if (view->springs) { /* coloured lines need a neutral background */
        mesh->front = vf_mix(vf_all(0.62f), mesh->front, 0.12f);
        mesh->back = vf_mix(vf_all(0.50f), mesh->back, 0.12f);
    }
    return weft_stage_normals(mesh, view->smooth ? WEFT_NORMAL_ANGLE : WEFT_NORMAL_AREA, plan->work);
}

/* `surface` is zeroed (cloth_count); the caller frees it. */
static weft_result add_surfaces(const cloth_plan *plan, const weft_shot *shot, weft_smooth *surface) {
    for (int32_t i = 0; i < shot->cloth_count; i++)
        WEFT_TRY(make_surface(plan, &shot->cloth[i], &surface[i]));
    WEFT_TRY(weft_restrain(surface, shot, plan->device, plan->work));
    for (int32_t i = 0; i < shot->cloth_count; i++)
        WEFT_TRY(add_cloth(plan, &shot->cloth[i], &surface[i]));
    return weft_ok();
}

static weft_result add_cloths(const cloth_plan *plan, const weft_shot *shot) {
    size_t count = (size_t)shot->cloth_count;
    weft_smooth *surface = calloc(count > 0 ? count : 1, sizeof *surface);
    if (!surface)
        return weft_fail_memory("smooth cloth", count * sizeof *surface);
    weft_result result = add_surfaces(plan, shot, surface);
    for (size_t i = 0; i < count; i++)
        weft_smooth_free(&surface[i]);
    free(surface);
    return result;
}

static weft_result add_body(const cloth_plan *plan, const weft_shot_body *body) {
    weft_shot_cloth flat = {.position = body->position,
                            .vertex_count = body->vertex_count,
                            .triangle = body->triangle,
                            .triangle_count = body->triangle_count};
    weft_smooth surface;
    WEFT_TRY(weft_smooth_build(&surface, &flat, NULL, 0, plan->work));
    weft_result result = add_geometry(plan->stage, plan->device, &surface);
    weft_smooth_free(&surface);
    WEFT_TRY(result);
    weft_stage_mesh *mesh = &plan->stage->mesh[plan->stage->mesh_count - 1];
    mesh->front = mesh->back = weft_color_linear(body->own_color ? body->color : plan->view->body_color);
    return weft_stage_corner_normals(mesh);
}

/* The largest number of levels for which the subdivided cloths together stay within WEFT_SMOOTH_TRIANGLES. */
static int32_t find_levels(const weft_shot *shot, double pixel) {
    for (int32_t most = WEFT_SMOOTH_LEVELS; most > 0; most--) {
        int64_t triangles = 0;
        for (int32_t i = 0; i < shot->cloth_count; i++) {
            int32_t level = weft_smooth_level(&shot->cloth[i], pixel);
            if (level > 0)
                triangles += (int64_t)shot->cloth[i].triangle_count << 2 * (level < most ? level : most);
        }
        if (triangles <= WEFT_SMOOTH_TRIANGLES)
            return most;
    }
    return 0;
}

static cloth_plan make_plan(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                            const weft_camera *camera, const weft_work *work) {
    cloth_plan plan = {stage, device, view, work, 0, 0};
    /* Uses the bounds of all frames, so that the level does not change between frames. */
    float distance = vf_length(vf_sub(stage->middle, vf_from(camera->position)));
    plan.pixel = 2 * camera->tan_y / view->height * fmax(distance, 0.1 * stage->size);
    plan.levels = view->smooth ? find_levels(shot, plan.pixel) : 0;
    return plan;
}

static void set_bounds(weft_stage *stage, const weft_view *view, const weft_shot *shot) {
    weft_vec3 low = shot->low, high = shot->high;
    if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z))
        low = weft_vec3_make(-0.5, -0.5, -0.5), high = weft_vec3_make(0.5, 0.5, 0.5);
    stage->size = (float)fmax(weft_distance(low, high), 1e-6);
    stage->middle = vf_from(weft_scale(0.5, weft_add(low, high)));
    /* Slightly below the lowest point, so that the ground does not cut a cloth that lies there. */
    stage->ground = view->ground_auto ? (float)low.y - 1e-3f * stage->size : (float)view->ground_height;
    stage->reach = stage->size;
}

static weft_result fill(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                        const weft_camera *camera, const weft_work *work) {
    size_t meshes = (size_t)shot->cloth_count + (size_t)shot->body_count;
    stage->mesh = calloc(meshes > 0 ? meshes : 1, sizeof *stage->mesh);
    if (!stage->mesh)
        return weft_fail_memory("meshes of the picture", meshes * sizeof *stage->mesh);
    stage->solid = rtcNewScene(device);
    if (!stage->solid)
        return weft_stage_device_result(device, "the scene");
    rtcSetSceneFlags(stage->solid, RTC_SCENE_FLAG_ROBUST);
    set_bounds(stage, view, shot);
    find_range(stage, view, shot);
    for (int32_t i = 0; i < shot->cloth_count; i++)
        WEFT_TRY(check_indices("cloth", i, shot->cloth[i].triangle, 3 * (int64_t)shot->cloth[i].triangle_count,
                               shot->cloth[i].vertex_count));
    for (int32_t i = 0; i < shot->body_count; i++)
        WEFT_TRY(check_indices("body", i, shot->body[i].triangle, 3 * (int64_t)shot->body[i].triangle_count,
                               shot->body[i].vertex_count));
    cloth_plan plan = make_plan(stage, device, view, shot, camera, work);
    WEFT_TRY(add_cloths(&plan, shot));
    for (int32_t i = 0; i < shot->body_count; i++)
        WEFT_TRY(add_body(&plan, &shot->body[i]));
    rtcCommitScene(stage->solid);
    WEFT_TRY(weft_stage_device_result(device, "the scene"));
    return weft_stage_overlay(stage, device, view, shot, camera);
}

weft_result weft_stage_build(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                             const weft_camera *camera, const weft_work *work) {
    *stage = (struct weft_stage){0};
    weft_result result = fill(stage, device, view, shot, camera, work);
    if (result.code != WEFT_OK)
        weft_stage_free(stage);
    return result;
}

void weft_stage_free(weft_stage *stage) {
    for (int32_t i = stage->mesh_count - 1; i >= 0; i--) {
        free(stage->mesh[i].scalar);
        free(stage->mesh[i].uv);
        free(stage->mesh[i].normal);
    }
    free(stage->line_color);
    if (stage->overlay)
        rtcReleaseScene(stage->overlay);
    if (stage->solid)
        rtcReleaseScene(stage->solid);
    free(stage->mesh);
    *stage = (struct weft_stage){0};
}
