#include <float.h>
#include <stdlib.h>

#include "render/color.h"
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

static weft_result add_geometry(weft_stage *stage, RTCDevice device, const weft_vec3 *position, int32_t vertex_count,
                                const int32_t *triangle, int32_t triangle_count) {
    weft_stage_mesh *mesh = &stage->mesh[stage->mesh_count];
    if (vertex_count == 0 || triangle_count == 0) { /* keeps its number, but there is nothing to hit */
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
        for (int32_t i = 0; i < vertex_count; i++)
            vertex[i] = vf_from(position[i]);
        for (size_t i = 0; i < 3 * (size_t)triangle_count; i++)
            index[i] = (uint32_t)triangle[i];
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

static weft_result copy_uv(weft_stage_mesh *mesh, const weft_shot_cloth *cloth) {
    size_t corners = 3 * (size_t)cloth->triangle_count;
    if ((!cloth->uv && !cloth->corner_uv) || corners == 0)
        return weft_ok();
    mesh->uv = malloc(corners * sizeof *mesh->uv);
    if (!mesh->uv)
        return weft_fail_memory("rest coordinates", corners * sizeof *mesh->uv);
    for (size_t c = 0; c < corners; c++) {
        weft_vec2 uv = cloth->corner_uv ? cloth->corner_uv[c] : cloth->uv[cloth->triangle[c]];
        mesh->uv[c] = (weft_stage_uv){(float)uv.x, (float)uv.y};
    }
    return weft_ok();
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

static weft_result copy_scalar(const weft_stage *stage, weft_stage_mesh *mesh, const weft_shot_cloth *cloth) {
    size_t count = cloth->vertex_count > 0 ? (size_t)cloth->vertex_count : 1;
    double span = stage->scalar_high - stage->scalar_low;
    mesh->scalar = calloc(count, sizeof *mesh->scalar);
    if (!mesh->scalar)
        return weft_fail_memory("false colours", count * sizeof *mesh->scalar);
    for (int32_t v = 0; v < cloth->vertex_count; v++) {
        double t = span != 0 ? (cloth->scalar[v] - stage->scalar_low) / span : 0.5;
        mesh->scalar[v] = t > 0 ? (t < 1 ? (float)t : 1) : 0; /* also for a NaN */
    }
    return weft_ok();
}

static weft_result add_cloth(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot_cloth *cloth,
                             int32_t number) {
    WEFT_TRY(check_indices("cloth", number, cloth->triangle, 3 * (int64_t)cloth->triangle_count, cloth->vertex_count));
    WEFT_TRY(add_geometry(stage, device, cloth->position, cloth->vertex_count, cloth->triangle, cloth->triangle_count));
    weft_stage_mesh *mesh = &stage->mesh[stage->mesh_count - 1];
    mesh->is_cloth = 1;
    mesh->front = weft_color_linear(cloth->own_colors ? cloth->front : view->cloth_front);
    mesh->back = weft_color_linear(cloth->own_colors ? cloth->back : view->cloth_back);
    if (view->springs) { /* coloured lines need a quiet ground */
        mesh->front = vf_mix(vf_all(0.62f), mesh->front, 0.12f);
        mesh->back = vf_mix(vf_all(0.50f), mesh->back, 0.12f);
    }
    WEFT_TRY(weft_stage_normals(mesh));
    WEFT_TRY(copy_uv(mesh, cloth));
    return cloth->scalar && view->color != WEFT_COLOR_CLOTH ? copy_scalar(stage, mesh, cloth) : weft_ok();
}

static weft_result add_body(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot_body *body,
                            int32_t number) {
    WEFT_TRY(check_indices("body", number, body->triangle, 3 * (int64_t)body->triangle_count, body->vertex_count));
    WEFT_TRY(add_geometry(stage, device, body->position, body->vertex_count, body->triangle, body->triangle_count));
    weft_stage_mesh *mesh = &stage->mesh[stage->mesh_count - 1];
    mesh->front = mesh->back = weft_color_linear(body->own_color ? body->color : view->body_color);
    return weft_stage_corner_normals(mesh);
}

static void set_bounds(weft_stage *stage, const weft_view *view, const weft_shot *shot) {
    weft_vec3 low = shot->low, high = shot->high;
    if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z))
        low = weft_vec3_make(-0.5, -0.5, -0.5), high = weft_vec3_make(0.5, 0.5, 0.5);
    stage->size = (float)fmax(weft_distance(low, high), 1e-6);
    stage->middle = vf_from(weft_scale(0.5, weft_add(low, high)));
    /* A hair below the lowest point, so that a cloth lying there is not cut by the ground. */
    stage->ground = view->ground_auto ? (float)low.y - 1e-3f * stage->size : (float)view->ground_height;
    stage->reach = stage->size;
}

static weft_result fill(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                        const weft_camera *camera) {
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
        WEFT_TRY(add_cloth(stage, device, view, &shot->cloth[i], i));
    for (int32_t i = 0; i < shot->body_count; i++)
        WEFT_TRY(add_body(stage, device, view, &shot->body[i], i));
    rtcCommitScene(stage->solid);
    WEFT_TRY(weft_stage_device_result(device, "the scene"));
    return weft_stage_overlay(stage, device, view, shot, camera);
}

weft_result weft_stage_build(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                             const weft_camera *camera) {
    *stage = (struct weft_stage){0};
    weft_result result = fill(stage, device, view, shot, camera);
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
