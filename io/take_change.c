/* Reads meshes that change from frame to frame (takes of version 3). */
#include <math.h>
#include <stdlib.h>

#include "io/bytes.h"
#include "io/take_format.h"
#include "weft-io/take.h"

/* Size in bytes, without the counts. */
static uint64_t mesh_size(uint64_t vertices, uint64_t triangles, int has_uv) {
    return 12 * vertices + triangles * (12 + (has_uv ? 24 : 0) + 1);
}

static int get_counts(const weft_take_cloth *cloth, const unsigned char **at, const unsigned char *end,
                      int32_t counts[2]) {
    if (end - *at < 8)
        return 0;
    uint64_t vertices = weft_bytes_get(*at, 4, 0), triangles = weft_bytes_get(*at + 4, 4, 0);
    if (vertices == 0 || triangles == 0 || vertices > WEFT_MESH_LIMIT || triangles > WEFT_MESH_LIMIT / 3 ||
        mesh_size(vertices, triangles, cloth->corner_uv != NULL) > (uint64_t)(end - *at - 8))
        return 0;
    counts[0] = (int32_t)vertices;
    counts[1] = (int32_t)triangles;
    *at += 8;
    return 1;
}

int weft_take_mesh_skip(const weft_take_cloth *cloth, const unsigned char **at, const unsigned char *end) {
    int32_t counts[2];
    if (!get_counts(cloth, at, end, counts) || counts[0] != cloth->vertex_count || counts[1] != cloth->triangle_count)
        return 0;
    *at += mesh_size((uint64_t)counts[0], (uint64_t)counts[1], cloth->corner_uv != NULL);
    return 1;
}

static int resize(void **array, int32_t count, size_t size) {
    void *grown = realloc(*array, (size_t)count * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

static int make_room(weft_take_cloth *cloth, const int32_t counts[2]) {
    int32_t triangles = counts[1], corners = 3 * triangles;
    return resize((void **)&cloth->rest, counts[0], sizeof *cloth->rest) &&
           resize((void **)&cloth->face_size, triangles, sizeof *cloth->face_size) &&
           resize((void **)&cloth->corner, corners, sizeof *cloth->corner) &&
           (!cloth->corner_uv || resize((void **)&cloth->corner_uv, corners, sizeof *cloth->corner_uv)) &&
           resize((void **)&cloth->triangle, corners, sizeof *cloth->triangle) &&
           resize((void **)&cloth->triangle_face, triangles, sizeof *cloth->triangle_face) &&
           resize((void **)&cloth->generation, triangles, sizeof *cloth->generation);
}

static double get_float(const unsigned char **at) {
    *at += 4;
    return weft_bytes_get_float(*at - 4, 0);
}

static weft_result fail_damaged(const char *name, const char *what) {
    return weft_fail(WEFT_BAD_INPUT, "%.360s: a damaged take: %s", name, what);
}

static weft_result get_corners(weft_take_cloth *cloth, const unsigned char **at, const char *name) {
    int32_t corners = 3 * cloth->triangle_count;
    for (int32_t c = 0; c < corners; c++, *at += 4) {
        uint64_t vertex = weft_bytes_get(*at, 4, 0);
        if (vertex >= (uint64_t)cloth->vertex_count)
            return fail_damaged(name, "an index out of range");
        cloth->corner[c] = cloth->triangle[c] = (int32_t)vertex;
    }
    for (int32_t c = 0; cloth->corner_uv && c < corners; c++) {
        double u = get_float(at), v = get_float(at);
        if (!isfinite(u) || !isfinite(v))
            return fail_damaged(name, "rest coordinates that are not finite");
        cloth->corner_uv[c] = (weft_vec2){u, v};
    }
    return weft_ok();
}

weft_result weft_take_mesh_read(weft_take_cloth *cloth, const unsigned char **at, const unsigned char *end,
                                const char *name) {
    int32_t counts[2];
    if (!get_counts(cloth, at, end, counts))
        return fail_damaged(name, "a mesh that does not fit its frame");
    /* Until all arrays are resized, the counts must not exceed the smaller size. */
    cloth->vertex_count = counts[0] < cloth->vertex_count ? counts[0] : cloth->vertex_count;
    cloth->triangle_count = counts[1] < cloth->triangle_count ? counts[1] : cloth->triangle_count;
    if (!make_room(cloth, counts))
        return weft_fail_memory(name, (size_t)counts[1] * 64);
    cloth->vertex_count = counts[0];
    cloth->triangle_count = cloth->face_count = counts[1];
    cloth->corner_count = 3 * counts[1];
    cloth->link_count = 0;
    for (int32_t v = 0; v < cloth->vertex_count; v++) {
        double x = get_float(at), y = get_float(at), z = get_float(at);
        if (!isfinite(x) || !isfinite(y) || !isfinite(z))
            return fail_damaged(name, "a rest position that is not finite");
        cloth->rest[v] = (weft_vec3){x, y, z};
    }
    WEFT_TRY(get_corners(cloth, at, name));
    for (int32_t t = 0; t < cloth->triangle_count; t++) {
        cloth->face_size[t] = 3;
        cloth->triangle_face[t] = t;
        cloth->generation[t] = *(*at)++;
    }
    return weft_ok();
}
