/* Cuts the faces of a mesh into triangles, and makes a triangle mesh from a polygon mesh. */
#include "core/memory.h"
#include "core/require.h"
#include "mesh/stages.h"
#include "weft/vec.h"

/* Relative tolerance for equal diagonals: files often carry six digits. */
static const double SAME_LENGTH = 1e-6;

static int32_t face_size(const weft_mesh *mesh, int32_t f) {
    int32_t size = 0, h = mesh->face_halfedge[f];
    do {
        size++;
        h = mesh->next[h];
    } while (h != mesh->face_halfedge[f]);
    return size;
}

static weft_vec3 triangle_vector(const weft_vec3 *x, int32_t a, int32_t b, int32_t c) {
    return weft_scale(0.5, weft_cross(weft_sub(x[b], x[a]), weft_sub(x[c], x[a])));
}

/* The corner where the diagonal starts, 0 or 1. Takes the shorter diagonal unless it would fold the quad over. */
static int choose_diagonal(const weft_vec3 *x, const int32_t *v) {
    weft_vec3 cross0 = weft_sub(x[v[2]], x[v[0]]), cross1 = weft_sub(x[v[3]], x[v[1]]);
    weft_vec3 normal = weft_cross(cross0, cross1);
    double least0 = fmin(weft_dot(normal, triangle_vector(x, v[0], v[1], v[2])),
                         weft_dot(normal, triangle_vector(x, v[0], v[2], v[3])));
    double least1 = fmin(weft_dot(normal, triangle_vector(x, v[1], v[2], v[3])),
                         weft_dot(normal, triangle_vector(x, v[1], v[3], v[0])));
    double flat = 1e-12 * weft_dot(normal, normal);
    if (least0 <= flat || least1 <= flat)
        return least1 > least0;
    return weft_length(cross1) < (1 - SAME_LENGTH) * weft_length(cross0);
}

static void cut_quad(const int32_t *v, int from, int32_t (*triangle)[3]) {
    for (int half = 0; half < 2; half++) {
        int first = from + 2 * half;
        for (int k = 0; k < 3; k++)
            triangle[half][k] = v[(first + k) % 4];
    }
}

/* Whether a triangle has no area, which means that the face folds onto itself. */
static int is_flat(const weft_vec3 *x, const int32_t *t) {
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        weft_vec3 side = weft_sub(x[t[(k + 1) % 3]], x[t[k]]);
        longest = fmax(longest, weft_dot(side, side));
    }
    return weft_area_vanishes(triangle_vector(x, t[0], t[1], t[2]), longest);
}

static void cut_polygon(const weft_vec3 *x, const int32_t *v, int32_t size, weft_ear *scratch, int32_t (*triangle)[3]) {
    weft_vec3 area = weft_vec3_make(0, 0, 0);
    for (int32_t k = 2; k < size; k++)
        area = weft_add(area, triangle_vector(x, v[0], v[k - 1], v[k]));
    weft_polygon_cut(x, v, size, area, scratch, triangle);
    for (int32_t k = 0; k < size - 2; k++)
        for (int c = 0; c < 3; c++)
            triangle[k][c] = v[triangle[k][c]];
}

static weft_result cut_faces(weft_mesh *mesh, const char *name, const unsigned char *diagonal, weft_ear *scratch) {
    int32_t t = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        /* The corners of a face are contiguous. */
        const int32_t *v = mesh->origin + mesh->face_halfedge[f];
        int32_t size = face_size(mesh, f), first = t;
        for (; t < first + size - 2; t++)
            mesh->triangle_face[t] = f;
        if (size == 3) {
            memcpy(mesh->triangle[first], v, sizeof *mesh->triangle);
            continue;
        }
        if (size == 4)
            cut_quad(v, diagonal ? diagonal[f] : choose_diagonal(mesh->position, v), mesh->triangle + first);
        else
            cut_polygon(mesh->position, v, size, scratch, mesh->triangle + first);
        for (int32_t k = first; k < t; k++)
            if (is_flat(mesh->position, mesh->triangle[k]))
                return weft_mesh_refuse(
                    name, "face %d: cannot be cut into triangles: vertices %d, %d and %d are in line", (int)f,
                    (int)mesh->triangle[k][0], (int)mesh->triangle[k][1], (int)mesh->triangle[k][2]);
    }
    return weft_ok();
}

static weft_result list_vertex_triangles(weft_mesh *mesh) {
    size_t vertices = (size_t)mesh->vertex_count, corners = 3 * (size_t)mesh->triangle_count;
    int32_t *start = mesh->vertex_triangle_start = weft_allocate(vertices + 1, sizeof *start);
    mesh->vertex_triangle = weft_allocate(corners, sizeof *mesh->vertex_triangle);
    if (!start || !mesh->vertex_triangle)
        return weft_fail_memory("triangles at vertices", (vertices + 1 + corners) * sizeof *start);
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            start[mesh->triangle[t][k] + 1]++;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        start[v + 1] += start[v];
    /* Filling from the back moves each start from the end of its list to the beginning. */
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        start[v] = start[v + 1];
    for (int32_t t = mesh->triangle_count - 1; t >= 0; t--)
        for (int k = 0; k < 3; k++)
            mesh->vertex_triangle[--start[mesh->triangle[t][k]]] = t;
    return weft_ok();
}

weft_result weft_mesh_cut(weft_mesh *mesh, const char *name, const unsigned char *diagonal) {
    int32_t largest = 3, corners = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t size = face_size(mesh, f);
        largest = size > largest ? size : largest;
        corners += size;
    }
    size_t count = (size_t)(corners - 2 * mesh->face_count);
    mesh->triangle = weft_allocate(count, sizeof *mesh->triangle);
    mesh->triangle_face = weft_allocate(count, sizeof *mesh->triangle_face);
    weft_ear *scratch = weft_allocate((size_t)largest, sizeof *scratch);
    if (!mesh->triangle || !mesh->triangle_face || !scratch) {
        free(scratch);
        return weft_fail_memory("triangles", count * 4 * sizeof(int32_t) + (size_t)largest * sizeof *scratch);
    }
    mesh->triangle_count = (int32_t)count;
    weft_result result = cut_faces(mesh, name, diagonal, scratch);
    free(scratch);
    WEFT_TRY(result);
    return list_vertex_triangles(mesh);
}

/* The half-edge of face f that starts at vertex v. */
static int32_t face_corner(const weft_mesh *mesh, int32_t f, int32_t v) {
    int32_t h = mesh->face_halfedge[f];
    while (mesh->origin[h] != v)
        h = mesh->next[h];
    return h;
}

/* The triangle side from a to b, among triangles [begin, end) of one face. */
static int32_t find_side(const weft_mesh *mesh, int32_t begin, int32_t end, int32_t a, int32_t b) {
    for (int32_t t = begin; t < end; t++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangle[t][k] == a && mesh->triangle[t][(k + 1) % 3] == b)
                return 3 * t + k;
    return WEFT_NONE;
}

typedef struct triangle_input {
    int32_t *size, *twin, *group;
    int32_t *side; /* triangle side that replaces each half-edge (halfedge_count) */
    weft_vec2 *uv;
} triangle_input;

static int allocate_input(const weft_mesh *mesh, triangle_input *input) {
    size_t count = (size_t)mesh->triangle_count;
    input->size = weft_allocate(count, sizeof *input->size);
    input->twin = weft_allocate(3 * count, sizeof *input->twin);
    input->side = weft_allocate((size_t)mesh->halfedge_count, sizeof *input->side);
    input->group = mesh->face_group ? weft_allocate(count, sizeof *input->group) : NULL;
    input->uv = mesh->halfedge_uv ? weft_allocate(3 * count, sizeof *input->uv) : NULL;
    return input->size && input->twin && input->side && (input->group || !mesh->face_group) &&
           (input->uv || !mesh->halfedge_uv);
}

/* Takes twins from the faces, not from vertex pairs: two faces may have diagonals between the same vertices. */
static void fill_input(const weft_mesh *mesh, triangle_input *input) {
    for (int32_t t = 0, begin = 0, end = 0; t < mesh->triangle_count; t++) {
        int32_t f = mesh->triangle_face[t];
        if (t == end) {
            begin = t;
            while (end < mesh->triangle_count && mesh->triangle_face[end] == f)
                end++;
        }
        input->size[t] = 3;
        if (input->group)
            input->group[t] = mesh->face_group[f];
        for (int k = 0; k < 3; k++) {
            int32_t a = mesh->triangle[t][k], b = mesh->triangle[t][(k + 1) % 3], h = face_corner(mesh, f, a);
            if (input->uv)
                input->uv[3 * t + k] = mesh->halfedge_uv[h];
            if (mesh->origin[mesh->next[h]] == b)
                input->side[h] = 3 * t + k;
            else
                input->twin[3 * t + k] = find_side(mesh, begin, end, b, a);
        }
    }
    for (int32_t h = 0; h < mesh->halfedge_count; h++)
        if (mesh->face[h] != WEFT_NONE)
            input->twin[input->side[h]] =
                mesh->face[mesh->twin[h]] == WEFT_NONE ? WEFT_NONE : input->side[mesh->twin[h]];
}

static void keep_origin(weft_mesh *made, const weft_mesh *mesh) {
    size_t vertices = (size_t)mesh->vertex_count;
    memcpy(made->source_vertex, mesh->source_vertex, vertices * sizeof *made->source_vertex);
    if (mesh->uv)
        memcpy(made->uv, mesh->uv, vertices * sizeof *made->uv);
    made->input_vertex_count = mesh->input_vertex_count;
    memcpy(made->grid_cells, mesh->grid_cells, sizeof made->grid_cells);
    memcpy(made->grid_size, mesh->grid_size, sizeof made->grid_size);
}

weft_result weft_mesh_triangulate(const weft_mesh *mesh, weft_mesh **triangles) {
    WEFT_REQUIRE(triangles);
    *triangles = NULL;
    WEFT_REQUIRE(mesh);
    triangle_input input = {NULL, NULL, NULL, NULL, NULL};
    weft_result result = weft_fail_memory("triangles", (size_t)mesh->triangle_count * 16 * sizeof(int32_t));
    if (allocate_input(mesh, &input)) {
        fill_input(mesh, &input);
        weft_polygons polygons = {.name = "triangulated mesh",
                                  .position = mesh->position,
                                  .vertex_count = mesh->vertex_count,
                                  .corner = (const int32_t *)mesh->triangle,
                                  .corner_count = 3 * (int64_t)mesh->triangle_count,
                                  .face_size = input.size,
                                  .face_count = mesh->triangle_count,
                                  .corner_uv = input.uv,
                                  .face_group = input.group,
                                  .group_name = (const char *const *)mesh->group_name,
                                  .group_count = mesh->group_count};
        weft_mesh_hint hint = {NULL, input.twin, NULL};
        result = weft_mesh_build(&polygons, &hint, triangles);
    }
    free(input.uv);
    free(input.group);
    free(input.side);
    free(input.twin);
    free(input.size);
    if (*triangles)
        keep_origin(*triangles, mesh);
    for (int32_t g = 0; result.code == WEFT_OK && g < mesh->vertex_group_count; g++) {
        const weft_vertex_group *group = &mesh->vertex_group[g];
        result = weft_mesh_add_vertex_group(*triangles, group->name, group->vertex, group->count);
    }
    if (result.code != WEFT_OK) {
        weft_mesh_destroy(*triangles);
        *triangles = NULL;
    }
    return result;
}
