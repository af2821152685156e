/* Validates a list of polygons before it becomes a mesh. */
#include <stdarg.h>

#include "core/memory.h"
#include "mesh/stages.h"
#include "weft/text.h"
#include "weft/vec.h"

weft_result weft_mesh_refuse(const char *name, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    return weft_fail(WEFT_BAD_INPUT, "%.200s: %s (counting from 0)", name, text);
}

static weft_result check_counts(const weft_polygons *p) {
    if (p->vertex_count < 1 || p->face_count < 1)
        return weft_fail(WEFT_BAD_INPUT,
                         "%.200s: the mesh is empty: %lld vertices, %lld faces, at least 3 and 1 needed", p->name,
                         (long long)p->vertex_count, (long long)p->face_count);
    if (p->vertex_count > WEFT_MESH_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "%.200s: %lld vertices, at most %d are allowed", p->name,
                         (long long)p->vertex_count, WEFT_MESH_LIMIT);
    if (p->corner_count > WEFT_MESH_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "%.200s: %lld corners of faces, at most %d are allowed", p->name,
                         (long long)p->corner_count, WEFT_MESH_LIMIT);
    return weft_ok();
}

static weft_result check_sizes(const weft_polygons *p) {
    int64_t total = 0;
    for (int64_t f = 0; f < p->face_count; f++) {
        if (p->face_size[f] < 3 || p->face_size[f] > WEFT_FACE_SIZE_LIMIT)
            return weft_mesh_refuse(p->name, "face %lld has %d corners, 3 to %d are allowed", (long long)f,
                                    (int)p->face_size[f], WEFT_FACE_SIZE_LIMIT);
        total += p->face_size[f];
        if (total > p->corner_count)
            break; /* prevents overflow of the sum */
    }
    if (total != p->corner_count)
        return weft_fail(WEFT_BAD_INPUT, "%.200s: the faces have %s corners than the %lld given", p->name,
                         total < p->corner_count ? "fewer" : "more", (long long)p->corner_count);
    return weft_ok();
}

static weft_result check_positions(const weft_polygons *p) {
    for (int64_t v = 0; v < p->vertex_count; v++) {
        weft_vec3 x = p->position[v];
        if (!weft_vec3_is_finite(x))
            return weft_mesh_refuse(p->name, "vertex %lld: position (%g, %g, %g) is not finite", (long long)v, x.x, x.y,
                                    x.z);
    }
    return weft_ok();
}

/* `seen` holds the last face at each vertex, initially WEFT_NONE. */
static weft_result check_corners(const weft_polygons *p, int32_t *seen) {
    int64_t c = 0;
    for (int32_t f = 0; f < p->face_count; f++)
        for (int32_t k = 0; k < p->face_size[f]; k++, c++) {
            int32_t v = p->corner[c];
            if (v < 0 || v >= p->vertex_count)
                return weft_mesh_refuse(p->name, "face %d: corner %d refers to vertex %d, but there are %lld vertices",
                                        (int)f, (int)k, (int)v, (long long)p->vertex_count);
            if (seen[v] == f)
                return weft_mesh_refuse(p->name, "face %d: corner %d repeats vertex %d of the same face", (int)f,
                                        (int)k, (int)v);
            seen[v] = f;
            if (p->corner_uv && !(isfinite(p->corner_uv[c].x) && isfinite(p->corner_uv[c].y)))
                return weft_mesh_refuse(p->name, "face %d: corner %d: texture coordinates (%g, %g) are not finite",
                                        (int)f, (int)k, p->corner_uv[c].x, p->corner_uv[c].y);
        }
    return weft_ok();
}

int weft_area_vanishes(weft_vec3 area, double longest) {
    return !(weft_length(area) > 1e-14 * longest) || !isfinite(longest);
}

/* A triangle may be collapsed in space if it has an area in rest coordinates. */
static int has_rest_area(const weft_polygons *p, const int32_t *corner) {
    if (!p->corner_uv)
        return 0;
    const weft_vec2 *uv = p->corner_uv + (corner - p->corner);
    weft_vec3 e = {uv[1].x - uv[0].x, uv[1].y - uv[0].y, 0}, f = {uv[2].x - uv[0].x, uv[2].y - uv[0].y, 0};
    weft_vec3 area = weft_scale(0.5, weft_cross(e, f)), g = weft_sub(f, e);
    return !weft_area_vanishes(area, fmax(weft_dot(e, e), fmax(weft_dot(f, f), weft_dot(g, g))));
}

/* Area vector of a face; *longest is the square of its longest edge. */
static weft_vec3 face_area(const weft_polygons *p, const int32_t *corner, int32_t size, double *longest) {
    weft_vec3 start = p->position[corner[0]], area = weft_vec3_make(0, 0, 0);
    weft_vec3 before = weft_vec3_make(0, 0, 0); /* relative to the first corner, for precision far from the origin */
    *longest = 0;
    for (int32_t k = 1; k <= size; k++) {
        weft_vec3 here = weft_sub(p->position[corner[k < size ? k : 0]], start), side = weft_sub(here, before);
        *longest = fmax(*longest, weft_dot(side, side));
        area = weft_add_scaled(area, 0.5, weft_cross(before, here));
        before = here;
    }
    return area;
}

int weft_face_is_sound(const weft_polygons *p, const int32_t *corner, int32_t size) {
    double longest;
    weft_vec3 area = face_area(p, corner, size, &longest);
    for (int32_t i = 1; i < size; i++)
        for (int32_t k = 0; k < i; k++)
            if (corner[i] == corner[k])
                return 0;
    return !weft_area_vanishes(area, longest);
}

static weft_result check_areas(const weft_polygons *p) {
    const int32_t *corner = p->corner;
    for (int32_t f = 0; f < p->face_count; f++) {
        int32_t size = p->face_size[f];
        double longest;
        weft_vec3 area = face_area(p, corner, size, &longest);
        if (!isfinite(longest) || !weft_vec3_is_finite(area))
            return weft_mesh_refuse(p->name, "face %d: its size is beyond the range of numbers", (int)f);
        if (weft_area_vanishes(area, longest) && !(size == 3 && has_rest_area(p, corner)))
            return weft_mesh_refuse(p->name, "face %d: no area: %g m2 with a longest edge of %g m", (int)f,
                                    weft_length(area), sqrt(longest));
        corner += size;
    }
    return weft_ok();
}

static weft_result check_groups(const weft_polygons *p) {
    if (!p->face_group)
        return weft_ok();
    for (int32_t f = 0; f < p->face_count; f++)
        if (p->face_group[f] < WEFT_NONE || p->face_group[f] >= p->group_count)
            return weft_mesh_refuse(p->name, "face %d: refers to group %d, but there are %d groups", (int)f,
                                    (int)p->face_group[f], (int)p->group_count);
    return weft_ok();
}

weft_result weft_polygons_check(const weft_polygons *polygons) {
    WEFT_TRY(check_counts(polygons));
    WEFT_TRY(check_sizes(polygons));
    WEFT_TRY(check_positions(polygons));
    size_t bytes = (size_t)polygons->vertex_count * sizeof(int32_t);
    int32_t *seen = malloc(bytes);
    if (!seen)
        return weft_fail_memory("check of a mesh", bytes);
    memset(seen, 0xff, bytes); /* WEFT_NONE */
    weft_result result = check_corners(polygons, seen);
    free(seen);
    WEFT_TRY(result);
    WEFT_TRY(check_areas(polygons));
    return check_groups(polygons);
}
