/* Rest shapes: a flat pattern (texture coordinates in metres, with seams), or the plane of each triangle in the initial
 * mesh. In both cases the corners are given in coordinates with the weft along x. */
#include <math.h>
#include <string.h>

#include "cloth/corotational/corotational.h"
#include "core/elementary.h"
#include "weft/vec.h"

/* The largest mean relative difference between the sides of a pattern and of the mesh for which `auto` takes texture
 * coordinates as a pattern in metres. */
static const double PATTERN_TOLERANCE = 0.01;
/* A triangle is degenerate if twice its area is below this fraction of its squared longest side. */
static const double DEGENERATE = 1e-9;
/* The largest allowed ratio of the longest side to its height. The blocks of the linear solve are in single precision:
 * at 10^4 it begins to fail, at 10^5 a sheet no longer moves. */
static const double MOST_ASPECT = 5000;

/* The corners follow the half-edges of a mesh of triangles, but a triangle may begin with another corner. */
static void pattern_of(const weft_mesh *mesh, int32_t t, weft_vec2 corner[3]) {
    int32_t h = mesh->face_halfedge[t];
    for (int k = 0; k < 3; k++, h = mesh->next[h])
        for (int c = 0; c < 3; c++)
            if (mesh->triangle[t][c] == mesh->origin[h])
                corner[c] = mesh->halfedge_uv[h];
}

static double side_length(weft_vec2 a, weft_vec2 b) {
    double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

static double twice_area(const weft_vec2 p[3]) {
    return (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
}

/* The longest side over its height. Infinite if the triangle has no area. */
static double aspect_of(const weft_vec2 p[3]) {
    double longest = fmax(side_length(p[0], p[1]), fmax(side_length(p[1], p[2]), side_length(p[2], p[0])));
    double height = fabs(twice_area(p)) / longest;
    return height > DEGENERATE * longest ? longest / height : INFINITY;
}

static int is_degenerate(const weft_vec2 p[3]) { return isinf(aspect_of(p)); }

static int has_degenerate(const weft_mesh *mesh) {
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        weft_vec2 corner[3];
        pattern_of(mesh, t, corner);
        if (is_degenerate(corner))
            return 1;
    }
    return 0;
}

static int is_like_shape(const weft_mesh *mesh, double scale) {
    double off = 0, sum = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        weft_vec2 corner[3];
        pattern_of(mesh, t, corner);
        for (int k = 0; k < 3; k++) {
            int m = (k + 1) % 3;
            double length = weft_distance(mesh->position[mesh->triangle[t][k]], mesh->position[mesh->triangle[t][m]]);
            off += fabs(scale * side_length(corner[k], corner[m]) - length);
            sum += length;
        }
    }
    return off <= PATTERN_TOLERANCE * sum;
}

static weft_rest_kind choose(const weft_corotational_settings *settings, const weft_mesh *mesh) {
    if (settings->rest != WEFT_REST_AUTO)
        return (weft_rest_kind)settings->rest;
    int alike = mesh->halfedge_uv && !has_degenerate(mesh) && is_like_shape(mesh, settings->pattern_scale);
    return alike ? WEFT_REST_PATTERN : WEFT_REST_SHAPE;
}

weft_result weft_rest_check(const weft_corotational_settings *settings, const weft_mesh *mesh, const char *name) {
    if (settings->rest != WEFT_REST_PATTERN || mesh->halfedge_uv)
        return weft_ok();
    if (mesh->partial_uv > 0)
        return weft_fail(WEFT_BAD_INPUT,
                         "cloth %s: model.rest: pattern needs rest (texture) coordinates on all faces; only %d of the "
                         "%d faces of the mesh have them",
                         name, mesh->partial_uv, mesh->face_count);
    return weft_fail(WEFT_BAD_INPUT,
                     "cloth %s: model.rest: pattern needs rest (texture) coordinates, and the mesh has none", name);
}

/* The direction of u of the pattern in space, 0 if the pattern has no area. */
static weft_vec3 weft_of_pattern(const weft_vec2 uv[3], weft_vec3 e, weft_vec3 f, double *handed) {
    if (is_degenerate(uv))
        return weft_vec3_make(0, 0, 0);
    weft_triangle inverse = weft_triangle_make(uv);
    *handed = twice_area(uv) > 0 ? 1 : -1;
    return weft_normalize(weft_add(weft_scale(inverse.inverse[0], e), weft_scale(inverse.inverse[2], f)));
}

/* Projects the weft into the plane with this unit normal. If the weft is normal to the plane, its axes are permuted. */
static weft_vec3 weft_in_plane(weft_vec3 weft, weft_vec3 normal) {
    for (int turn = 0; turn < 3; turn++) {
        weft_vec3 in_plane = weft_add_scaled(weft, -weft_dot(weft, normal), normal);
        if (weft_length(in_plane) > 1e-6 * weft_length(weft))
            return weft_normalize(in_plane);
        weft = weft_vec3_make(weft.z, weft.x, weft.y);
    }
    return weft_vec3_make(0, 0, 0);
}

static void shape_of(const weft_corotational_settings *settings, const weft_facet *facet, weft_vec2 corner[3]) {
    const weft_vec3 *p = facet->rest;
    weft_vec3 x = {0, 0, 0};
    weft_vec3 e = weft_sub(p[1], p[0]), f = weft_sub(p[2], p[0]), normal = weft_normalize(weft_cross(e, f));
    double handed = 1;
    if (facet->has_uv)
        x = weft_of_pattern(facet->uv, e, f, &handed);
    if (weft_dot(x, x) == 0)
        x = weft_in_plane(settings->weft, normal);
    if (weft_dot(x, x) == 0) /* the weft and the normal are both parallel to (1, 1, 1) */
        x = weft_normalize(e);
    weft_vec3 y = weft_scale(handed, weft_cross(normal, x));
    corner[0] = (weft_vec2){0, 0};
    corner[1] = (weft_vec2){weft_dot(e, x), weft_dot(e, y)};
    corner[2] = (weft_vec2){weft_dot(f, x), weft_dot(f, y)};
}

static weft_result check_aspect(const weft_mesh *mesh, const char *name, weft_rest_kind kind, int32_t t,
                                const weft_vec2 corner[3]) {
    double aspect = aspect_of(corner);
    const int32_t *v = mesh->triangle[t];
    if (aspect <= MOST_ASPECT)
        return weft_ok();
    const char *rest = kind == WEFT_REST_PATTERN ? "pattern" : "shape";
    if (isinf(aspect))
        return weft_fail(WEFT_BAD_INPUT,
                         "cloth %s: model.rest: %s: triangle %d (vertices %d, %d, %d) has no area in %s", name, rest, t,
                         v[0], v[1], v[2],
                         kind == WEFT_REST_PATTERN ? "rest coordinates"
                                                   : "the shape; rest: pattern would take its rest coordinates");
    return weft_fail(
        WEFT_BAD_INPUT,
        "cloth %s: model.rest: %s: triangle %d (vertices %d, %d, %d) is a needle: its longest side is %.3g "
        "times its height, at most %g can be computed",
        name, rest, t, v[0], v[1], v[2], aspect, MOST_ASPECT);
}

static weft_vec2 rotate_to_weft(weft_vec2 p, double c, double s) {
    return (weft_vec2){c * p.x + s * p.y, c * p.y - s * p.x};
}

void weft_rest_of_facet(const weft_corotational_settings *settings, const double turn[2], weft_rest_kind kind,
                        const weft_facet *facet, weft_vec2 corner[3]) {
    if (kind == WEFT_REST_PATTERN)
        for (int k = 0; k < 3; k++)
            corner[k] = (weft_vec2){settings->pattern_scale * facet->uv[k].x, settings->pattern_scale * facet->uv[k].y};
    else
        shape_of(settings, facet, corner);
    for (int k = 0; k < 3; k++)
        corner[k] = rotate_to_weft(corner[k], turn[0], turn[1]);
}

weft_result weft_rest_of(const weft_corotational_settings *settings, const weft_mesh *triangles, const char *name,
                         weft_rest_kind kind, int32_t t, weft_vec2 corner[3]) {
    weft_facet facet = {.has_uv = triangles->halfedge_uv != NULL};
    double turn[2] = {weft_cos(settings->angle), weft_sin(settings->angle)};
    for (int k = 0; k < 3; k++)
        facet.rest[k] = triangles->position[triangles->triangle[t][k]];
    if (facet.has_uv)
        pattern_of(triangles, t, facet.uv);
    weft_rest_of_facet(settings, turn, kind, &facet, corner);
    return check_aspect(triangles, name, kind, t, corner);
}

double weft_rest_area(const void *settings, const weft_mesh *mesh, int32_t triangle) {
    const weft_corotational_settings *s = settings;
    weft_vec2 corner[3] = {{0, 0}, {0, 0}, {0, 0}};
    if (s->rest != WEFT_REST_PATTERN || !mesh->halfedge_uv)
        return -1;
    int32_t first = mesh->face_halfedge[mesh->triangle_face[triangle]], h = first;
    do {
        for (int c = 0; c < 3; c++)
            if (mesh->triangle[triangle][c] == mesh->origin[h])
                corner[c] = mesh->halfedge_uv[h];
        h = mesh->next[h];
    } while (h != first);
    return fabs(twice_area(corner)) / 2 * s->pattern_scale * s->pattern_scale;
}

weft_result weft_rest_find(const weft_corotational_settings *settings, const weft_mesh *triangles, const char *name,
                           weft_vec2 (*corner)[3], weft_rest_kind *kind) {
    if (!(weft_dot(settings->weft, settings->weft) > 0))
        return weft_fail(WEFT_BAD_INPUT, "cloth %s: model.weft: [0, 0, 0] is not a direction", name);
    *kind = choose(settings, triangles);
    for (int32_t t = 0; t < triangles->triangle_count; t++)
        WEFT_TRY(weft_rest_of(settings, triangles, name, *kind, t, corner[t]));
    return weft_ok();
}
