/* The built-in bodies: plane, sphere, box, capsule and cylinder with exact signed distance functions, and the body from
 * a mesh file. The triangle meshes of the shapes are inscribed. Thus cloth outside the exact surface is outside the
 * mesh too. Ericson (2005), Real-time collision detection, chapter 5, describes such distances. */
#include "body/shapes.h"
#include "body/pose.h"
#include "core/elementary.h"
#include "core/memory.h"

typedef struct plane {
    weft_body_place place;
    weft_vec3 normal;
    double size;
} plane;

typedef struct sphere {
    weft_body_place place;
    double radius;
    int32_t segments;
} sphere;

typedef struct box {
    weft_body_place place;
    weft_vec3 size;
} box;

typedef struct tube { /* capsule and cylinder */
    weft_body_place place;
    double radius, length;
    int32_t segments;
} tube;

typedef struct mesh_body {
    weft_body_place place;
    char file[WEFT_STRING_SIZE], cache[WEFT_STRING_SIZE], animation[WEFT_STRING_SIZE];
    double rate, start;
} mesh_body;

static weft_result allocate_surface(int32_t vertices, int32_t triangles, weft_body_surface *surface) {
    surface->vertex_count = vertices;
    surface->triangle_count = triangles;
    surface->position = weft_allocate((size_t)vertices, sizeof *surface->position);
    surface->triangle = weft_allocate((size_t)triangles, sizeof *surface->triangle);
    if (surface->position && surface->triangle)
        return weft_ok();
    free(surface->triangle);
    free(surface->position);
    *surface = (weft_body_surface){0};
    return weft_fail_memory("the surface of a body", (size_t)vertices * sizeof *surface->position);
}

static void set_triangle(weft_body_surface *surface, int32_t index, int32_t a, int32_t b, int32_t c) {
    surface->triangle[index][0] = a;
    surface->triangle[index][1] = b;
    surface->triangle[index][2] = c;
}

/* Order of the vertices: the lower pole, the rings from bottom to top, the upper pole. */
weft_result weft_surface_revolve(const double (*curve)[2], int32_t count, int32_t segments,
                                 weft_body_surface *surface) {
    const double turn = 6.283185307179586476925287;
    int32_t rings = count - 2, top = 1 + rings * segments, n = 0;
    WEFT_TRY(allocate_surface(top + 1, 2 * rings * segments, surface));
    surface->position[0] = weft_vec3_make(0, curve[0][1], 0);
    surface->position[top] = weft_vec3_make(0, curve[count - 1][1], 0);
    for (int32_t r = 0; r < rings; r++)
        for (int32_t s = 0; s < segments; s++) {
            double angle = turn * (s + 0.5 * (r % 2)) / segments;
            double radius = curve[r + 1][0], height = curve[r + 1][1];
            surface->position[1 + r * segments + s] =
                weft_vec3_make(radius * weft_sin(angle), height, radius * weft_cos(angle));
        }
    for (int32_t s = 0; s < segments; s++) {
        int32_t t = (s + 1) % segments, last = 1 + (rings - 1) * segments;
        set_triangle(surface, n++, 0, 1 + t, 1 + s);
        set_triangle(surface, n++, top, last + s, last + t);
        for (int32_t r = 0; r + 1 < rings; r++) { /* every other ring is rotated by half a segment */
            int32_t low = 1 + r * segments, high = low + segments, even = r % 2 == 0;
            set_triangle(surface, n++, low + s, low + t, high + (even ? s : t));
            set_triangle(surface, n++, high + s, low + (even ? t : s), high + t);
        }
    }
    return weft_ok();
}

static double plane_distance(const void *settings, weft_vec3 p, weft_vec3 *normal) {
    *normal = weft_normalize(((const plane *)settings)->normal);
    return weft_dot(p, *normal);
}

static weft_result plane_surface(const void *settings, weft_body_surface *surface) {
    const plane *shape = settings;
    if (weft_length(shape->normal) == 0)
        return weft_fail(WEFT_BAD_INPUT, "plane.normal: a direction of length 0");
    weft_vec3 n = weft_normalize(shape->normal), other = fabs(n.x) < 0.7 ? (weft_vec3){1, 0, 0} : (weft_vec3){0, 0, 1};
    weft_vec3 u = weft_normalize(weft_cross(other, n)), v = weft_cross(n, u);
    WEFT_TRY(allocate_surface(4, 2, surface));
    for (int i = 0; i < 4; i++) {
        double a = i == 0 || i == 3 ? -0.5 : 0.5, b = i < 2 ? -0.5 : 0.5;
        surface->position[i] = weft_add_scaled(weft_scale(a * shape->size, u), b * shape->size, v);
    }
    set_triangle(surface, 0, 0, 1, 2);
    set_triangle(surface, 1, 0, 2, 3);
    return weft_ok();
}

static double sphere_distance(const void *settings, weft_vec3 p, weft_vec3 *normal) {
    double length = weft_length(p);
    *normal = length > 0 ? weft_scale(1 / length, p) : weft_vec3_make(0, 1, 0);
    return length - ((const sphere *)settings)->radius;
}

enum { MAX_SEGMENTS = 1000, MAX_POINTS = MAX_SEGMENTS + 4 };

/* The profile of a sphere, a half circle, or of a capsule, two quarter circles `length` apart. Returns the number of
 * points. */
static int32_t round_curve(double radius, double length, int32_t segments, double (*curve)[2]) {
    const double half_turn = 3.141592653589793238462643;
    int32_t quarter = segments / 4 > 1 ? segments / 4 : 1, count = 0;
    for (int side = -1; side <= 1; side += 2)
        for (int32_t i = 0; i <= quarter; i++) {
            if (side > 0 && i == 0 && length == 0)
                continue;
            double angle = half_turn / 2 * (side < 0 ? i - quarter : i) / quarter;
            int pole = (side < 0 && i == 0) || (side > 0 && i == quarter);
            curve[count][0] = pole ? 0 : radius * weft_cos(angle);
            curve[count++][1] = radius * weft_sin(angle) + side * length / 2;
        }
    return count;
}

static weft_result sphere_surface(const void *settings, weft_body_surface *surface) {
    const sphere *shape = settings;
    double curve[MAX_POINTS][2];
    return weft_surface_revolve(curve, round_curve(shape->radius, 0, shape->segments, curve), shape->segments, surface);
}

static double box_distance(const void *settings, weft_vec3 p, weft_vec3 *normal) {
    weft_vec3 half = weft_scale(0.5, ((const box *)settings)->size);
    weft_vec3 sign = {p.x < 0 ? -1 : 1, p.y < 0 ? -1 : 1, p.z < 0 ? -1 : 1};
    weft_vec3 q = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
    weft_vec3 outside = {fmax(q.x, 0), fmax(q.y, 0), fmax(q.z, 0)};
    double length = weft_length(outside);
    if (length > 0) {
        *normal = weft_scale(1 / length, outside);
    } else if (q.x > q.y && q.x > q.z) {
        *normal = weft_vec3_make(1, 0, 0);
    } else {
        *normal = q.y > q.z ? weft_vec3_make(0, 1, 0) : weft_vec3_make(0, 0, 1);
    }
    *normal = weft_vec3_make(sign.x * normal->x, sign.y * normal->y, sign.z * normal->z);
    return length > 0 ? length : fmax(q.x, fmax(q.y, q.z));
}

static weft_result box_surface(const void *settings, weft_body_surface *surface) {
    static const int32_t FACES[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    const box *shape = settings;
    if (!(shape->size.x > 0 && shape->size.y > 0 && shape->size.z > 0))
        return weft_fail(WEFT_BAD_INPUT, "box.size: [%g, %g, %g] is not above 0 (m)", shape->size.x, shape->size.y,
                         shape->size.z);
    WEFT_TRY(allocate_surface(8, 12, surface));
    for (int i = 0; i < 8; i++)
        surface->position[i] =
            weft_vec3_make((i & 1 ? 0.5 : -0.5) * shape->size.x, (i & 2 ? 0.5 : -0.5) * shape->size.y,
                           (i & 4 ? 0.5 : -0.5) * shape->size.z);
    for (int i = 0; i < 6; i++) {
        set_triangle(surface, 2 * i, FACES[i][0], FACES[i][1], FACES[i][2]);
        set_triangle(surface, 2 * i + 1, FACES[i][0], FACES[i][2], FACES[i][3]);
    }
    return weft_ok();
}

static double capsule_distance(const void *settings, weft_vec3 p, weft_vec3 *normal) {
    const tube *shape = settings;
    double half = shape->length / 2, y = p.y > half ? p.y - half : p.y < -half ? p.y + half : 0;
    weft_vec3 apart = {p.x, y, p.z};
    double length = weft_length(apart);
    *normal = length > 0 ? weft_scale(1 / length, apart) : weft_vec3_make(1, 0, 0);
    return length - shape->radius;
}

static weft_result capsule_surface(const void *settings, weft_body_surface *surface) {
    const tube *shape = settings;
    double curve[MAX_POINTS][2];
    int32_t count = round_curve(shape->radius, shape->length, shape->segments, curve);
    return weft_surface_revolve(curve, count, shape->segments, surface);
}

static double cylinder_distance(const void *settings, weft_vec3 p, weft_vec3 *normal) {
    const tube *shape = settings;
    double r = sqrt(p.x * p.x + p.z * p.z), side = r - shape->radius, end = fabs(p.y) - shape->length / 2;
    weft_vec3 out = r > 0 ? weft_vec3_make(p.x / r, 0, p.z / r) : weft_vec3_make(1, 0, 0);
    weft_vec3 up = weft_vec3_make(0, p.y < 0 ? -1 : 1, 0);
    if (side > 0 && end > 0) {
        double length = sqrt(side * side + end * end);
        *normal = weft_add_scaled(weft_scale(side / length, out), end / length, up);
        return length;
    }
    *normal = side > end ? out : up;
    return side > end ? side : end;
}

static weft_result cylinder_surface(const void *settings, weft_body_surface *surface) {
    const tube *shape = settings;
    double half = shape->length / 2;
    const double curve[4][2] = {{0, -half}, {shape->radius, -half}, {shape->radius, half}, {0, half}};
    return weft_surface_revolve(curve, 4, shape->segments, surface);
}

static const weft_param PLANE[] = {
    WEFT_BODY_ROWS,
    {.name = "normal",
     .type = WEFT_VECTOR,
     .offset = offsetof(plane, normal),
     .fallback = "[0, 1, 0]",
     .unit = "",
     .help = "direction towards the free side"},
    {.name = "size",
     .type = WEFT_REAL,
     .offset = offsetof(plane, size),
     .high = 1e5,
     .fallback = "100",
     .unit = "m",
     .help = "side length of the square that represents its surface",
     .flags = WEFT_OPEN_LOW | WEFT_FIXED},
    {0},
};

#define LENGTH(of, member, value, text)                                                                                \
    {                                                                                                                  \
        .name = #member, .type = WEFT_REAL, .offset = offsetof(of, member), .high = 1e5, .fallback = value,            \
        .unit = "m", .help = text, .flags = WEFT_OPEN_LOW                                                              \
    }
#define SEGMENTS(of)                                                                                                   \
    {                                                                                                                  \
        .name = "segments", .type = WEFT_INT, .offset = offsetof(of, segments), .low = 4, .high = MAX_SEGMENTS,        \
        .fallback = "64", .unit = "",                                                                                  \
        .help = "edges around the axis of its triangle mesh, for collisions that the exact shape does not cover",      \
        .flags = WEFT_FIXED                                                                                            \
    }

static const weft_param SPHERE[] = {
    WEFT_BODY_ROWS,
    LENGTH(sphere, radius, "0.5", "radius of the sphere"),
    SEGMENTS(sphere),
    {0},
};

static const weft_param BOX[] = {
    WEFT_BODY_ROWS,
    {.name = "size",
     .type = WEFT_VECTOR,
     .offset = offsetof(box, size),
     .fallback = "[1, 1, 1]",
     .unit = "m",
     .help = "edge lengths along its axes"},
    {0},
};

static const weft_param TUBE[] = {
    WEFT_BODY_ROWS,
    LENGTH(tube, radius, "0.1", "radius of the cross-section"),
    LENGTH(tube, length, "1", "along its y axis; of a capsule without the round ends"),
    SEGMENTS(tube),
    {0},
};

static const weft_param MESH[] = {
    WEFT_BODY_ROWS,
    {.name = "file",
     .type = WEFT_STRING,
     .offset = offsetof(mesh_body, file),
     .fallback = "",
     .unit = "",
     .help = "the mesh: obj, ply, fbx, gltf, stl, dae; a sequence is written as walk_%04d.obj",
     .flags = WEFT_FIXED},
    {.name = "cache",
     .type = WEFT_STRING,
     .offset = offsetof(mesh_body, cache),
     .fallback = "",
     .unit = "",
     .help = "pc2 or mdd file with the animation of the mesh",
     .flags = WEFT_FIXED},
    {.name = "animation",
     .type = WEFT_STRING,
     .offset = offsetof(mesh_body, animation),
     .fallback = "",
     .unit = "",
     .help = "animation of an fbx, gltf or dae file by which the mesh moves; empty: the first; none: it keeps still",
     .flags = WEFT_FIXED},
    {.name = "rate",
     .type = WEFT_REAL,
     .offset = offsetof(mesh_body, rate),
     .high = 1e6,
     .fallback = "30",
     .unit = "1/s",
     .help = "frames per second of a sequence or cache; samples per second of an animation, which has one per step "
             "unless this is given",
     .flags = WEFT_OPEN_LOW | WEFT_FIXED},
    {.name = "start",
     .type = WEFT_REAL,
     .offset = offsetof(mesh_body, start),
     .low = -1e6,
     .high = 1e6,
     .fallback = "0",
     .unit = "s",
     .help = "time at which a sequence, cache or animation begins",
     .flags = WEFT_FIXED},
    {0},
};

static const weft_body_functions PLANE_FUNCTIONS = {
    .distance = plane_distance, .surface = plane_surface, .unbounded = 1};
static const weft_body_functions SPHERE_FUNCTIONS = {.distance = sphere_distance, .surface = sphere_surface};
static const weft_body_functions BOX_FUNCTIONS = {.distance = box_distance, .surface = box_surface};
static const weft_body_functions CAPSULE_FUNCTIONS = {.distance = capsule_distance, .surface = capsule_surface};
static const weft_body_functions CYLINDER_FUNCTIONS = {.distance = cylinder_distance, .surface = cylinder_surface};
static const weft_body_functions MESH_FUNCTIONS = {.distance = NULL};

#define BODY(word, line, type, table, functions_of)                                                                    \
    {                                                                                                                  \
        .abi = WEFT_ABI, .kind = WEFT_BODY, .name = word, .help = line, .settings_size = sizeof(type),                 \
        .params = table, .functions = &functions_of, .paper = ""                                                       \
    }

const weft_component weft_plane_body = BODY("plane", "the half-space behind a plane", plane, PLANE, PLANE_FUNCTIONS);
const weft_component weft_sphere_body = BODY("sphere", "a sphere", sphere, SPHERE, SPHERE_FUNCTIONS);
const weft_component weft_box_body = BODY("box", "a box with sharp edges", box, BOX, BOX_FUNCTIONS);
const weft_component weft_capsule_body =
    BODY("capsule", "a cylinder with hemispherical ends along y", tube, TUBE, CAPSULE_FUNCTIONS);
const weft_component weft_cylinder_body =
    BODY("cylinder", "a cylinder with flat ends along y", tube, TUBE, CYLINDER_FUNCTIONS);
const weft_component weft_mesh_body =
    BODY("mesh", "the triangles of a mesh file; collides from both sides", mesh_body, MESH, MESH_FUNCTIONS);
