/* Half-edge links, grids, boundaries, split vertices and refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "weft/mesh.h"
#include "weft/vec.h"

#define LENGTH(array)                           ((int64_t)(sizeof(array) / sizeof *(array)))
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

static weft_mesh *grid_of(int64_t across, int64_t down, weft_diagonals diagonals) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = across;
    grid.cells[1] = down;
    grid.size[0] = 2;
    grid.size[1] = 1.5;
    grid.diagonals = diagonals;
    weft_mesh *mesh;
    weft_result result = weft_mesh_create_grid(&grid, &mesh);
    assert_string_equal(result.message, "");
    assert_null(weft_mesh_flaw(mesh));
    return mesh;
}

static int euler(const weft_mesh *mesh) { return mesh->vertex_count - mesh->edge_count + mesh->face_count; }

static int loop_length(const weft_mesh *mesh, int32_t start) {
    int length = 0;
    int32_t h = start;
    do {
        h = mesh->next[h];
        length++;
    } while (h != start);
    return length;
}

static void grids_have_expected_counts(void **state) {
    (void)state;
    int64_t sizes[][2] = {{1, 1}, {1, 7}, {5, 1}, {4, 3}, {6, 9}};
    for (int64_t s = 0; s < LENGTH(sizes); s++)
        for (int d = WEFT_ALTERNATING; d <= WEFT_CRISS_CROSS; d++) {
            int n = (int)sizes[s][0], m = (int)sizes[s][1], crossed = d == WEFT_CRISS_CROSS;
            weft_mesh *mesh = grid_of(n, m, (weft_diagonals)d);
            assert_int_equal(mesh->vertex_count, (n + 1) * (m + 1) + (crossed ? n * m : 0));
            assert_int_equal(mesh->face_count, crossed ? 4 * n * m : n * m);
            assert_int_equal(mesh->triangle_count, crossed ? 4 * n * m : 2 * n * m);
            assert_int_equal(mesh->edge_count, n * (m + 1) + m * (n + 1) + (crossed ? 4 * n * m : 0));
            assert_int_equal(euler(mesh), 1);
            assert_int_equal(mesh->boundary_count, 1);
            assert_int_equal(loop_length(mesh, mesh->boundary_halfedge[0]), 2 * (n + m));
            assert_int_equal(mesh->grid_cells[0], n);
            assert_int_equal(mesh->grid_cells[1], m);
            weft_mesh_destroy(mesh);
        }
}

static void grid_vertices_have_expected_positions(void **state) {
    (void)state;
    weft_grid grid = weft_grid_default();
    grid.cells[0] = 3;
    grid.cells[1] = 7;
    grid.size[0] = 0.3;
    grid.size[1] = 0.7;
    grid.origin = weft_vec3_make(1, 2, 3);
    grid.axis[0] = weft_vec3_make(0, 0, 2); /* the length does not matter */
    grid.axis[1] = weft_vec3_make(0.6, 0.8, 0);
    grid.diagonals = WEFT_CRISS_CROSS;
    weft_mesh *mesh;
    assert_int_equal(weft_mesh_create_grid(&grid, &mesh).code, WEFT_OK);
    assert_null(weft_mesh_flaw(mesh));
    for (int j = 0; j <= 7; j++)
        for (int i = 0; i <= 3; i++) {
            int v = j * 4 + i;
            assert_near(mesh->uv[v].x, 0.1 * i, 1e-15);
            assert_near(mesh->uv[v].y, 0.1 * j, 1e-15);
            weft_vec3 expected = weft_vec3_make(1 + 0.06 * j, 2 + 0.08 * j, 3 + 0.1 * i);
            assert_true(weft_distance(mesh->position[v], expected) < 1e-14);
        }
    assert_true(mesh->uv[31].x == 0.3 && mesh->uv[31].y == 0.7);
    int middle = 32 + 2 * 3 + 1; /* centre of cell (1, 2) */
    assert_near(mesh->uv[middle].x, 0.15, 1e-15);
    assert_near(mesh->uv[middle].y, 0.25, 1e-15);
    for (int h = 0; h < mesh->halfedge_count; h++)
        assert_memory_equal(&mesh->halfedge_uv[h], &mesh->uv[mesh->origin[h]], sizeof(weft_vec2));
    weft_mesh_destroy(mesh);
}

/* Returns whether the triangles of quad f share the diagonal through vertices a and b. */
static int has_diagonal(const weft_mesh *mesh, int f, int32_t a, int32_t b) {
    int both = 0;
    for (int t = 2 * f; t < 2 * f + 2; t++) {
        assert_int_equal(mesh->triangle_face[t], f);
        int hits = 0;
        for (int k = 0; k < 3; k++)
            hits += mesh->triangle[t][k] == a || mesh->triangle[t][k] == b;
        both += hits == 2;
    }
    return both == 2;
}

static void grid_diagonals_follow_setting(void **state) {
    (void)state;
    weft_mesh *turns = grid_of(5, 4, WEFT_ALTERNATING), *one_way = grid_of(5, 4, WEFT_ONE_WAY);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 5; i++) {
            int f = j * 5 + i, v = j * 6 + i;
            assert_true(has_diagonal(one_way, f, v, v + 7));
            assert_int_equal(has_diagonal(turns, f, v, v + 7), (i + j) % 2 == 0);
            assert_int_equal(has_diagonal(turns, f, v + 1, v + 6), (i + j) % 2 == 1);
        }
    weft_mesh_destroy(one_way);
    weft_mesh_destroy(turns);
}

static void grid_triangles_face_front(void **state) {
    (void)state;
    for (int d = WEFT_ALTERNATING; d <= WEFT_CRISS_CROSS; d++) {
        weft_mesh *mesh = grid_of(3, 2, (weft_diagonals)d);
        for (int t = 0; t < mesh->triangle_count; t++) {
            const int32_t *v = mesh->triangle[t];
            weft_vec3 *x = mesh->position;
            assert_true(weft_cross(weft_sub(x[v[1]], x[v[0]]), weft_sub(x[v[2]], x[v[0]])).z < 0);
        }
        weft_mesh_destroy(mesh);
    }
}

static void grid_of_a_million_vertices_is_valid(void **state) {
    (void)state;
    weft_mesh *mesh = grid_of(999, 999, WEFT_ALTERNATING);
    assert_int_equal(mesh->vertex_count, 1000000);
    assert_int_equal(mesh->halfedge_count, 2 * 2 * 999 * 1000);
    assert_int_equal(euler(mesh), 1);
    assert_near(weft_mesh_area(mesh, mesh->position), 3, 3e-12);
    weft_mesh_destroy(mesh);
}

static void bad_grids_are_refused(void **state) {
    (void)state;
    struct {
        int64_t cells[2];
        double size[2];
        double axis[2][3];
        const char *message;
    } cases[] = {
        {{100000, 100000},
         {1, 1},
         {{1, 0, 0}, {0, 1, 0}},
         "grid: cells [100000, 100000] make 10000200001 vertices, at most 100000000 are allowed"},
        {{INT64_MAX, INT64_MAX},
         {1, 1},
         {{1, 0, 0}, {0, 1, 0}},
         "grid: cells [9223372036854775807, 9223372036854775807] make 8.507059173023462e+37 vertices, at most "
         "100000000 are allowed"},
        {{6000, 6000},
         {1, 1},
         {{1, 0, 0}, {0, 1, 0}},
         "grid: cells [6000, 6000] make 144000000 corners of faces, at most 100000000 are allowed"},
        {{0, 5}, {1, 1}, {{1, 0, 0}, {0, 1, 0}}, "grid: cells [0, 5]: each must be at least 1"},
        {{4, -2}, {1, 1}, {{1, 0, 0}, {0, 1, 0}}, "grid: cells [4, -2]: each must be at least 1"},
        {{4, 4}, {0, 1}, {{1, 0, 0}, {0, 1, 0}}, "grid: size [0, 1] m: each must be finite and above 0"},
        {{4, 4}, {1, -3}, {{1, 0, 0}, {0, 1, 0}}, "grid: size [1, -3] m: each must be finite and above 0"},
        {{4, 4}, {INFINITY, 1}, {{1, 0, 0}, {0, 1, 0}}, "grid: size [inf, 1] m: each must be finite and above 0"},
        {{4, 4}, {1, 1}, {{0, 0, 0}, {0, 1, 0}}, "grid: axis 0 is [0, 0, 0], it must be finite and not zero"},
        {{4, 4}, {1, 1}, {{1, 0, 0}, {0, INFINITY, 0}}, "grid: axis 1 is [0, inf, 0], it must be finite and not zero"},
        {{4, 4}, {1, 1}, {{1, 1, 0}, {-2, -2, 0}}, "grid: axes [1, 1, 0] and [-2, -2, 0] are parallel"},
    };
    for (int64_t c = 0; c < LENGTH(cases); c++) {
        weft_grid grid = weft_grid_default();
        memcpy(grid.cells, cases[c].cells, sizeof grid.cells);
        memcpy(grid.size, cases[c].size, sizeof grid.size);
        for (int k = 0; k < 2; k++)
            grid.axis[k] = weft_vec3_make(cases[c].axis[k][0], cases[c].axis[k][1], cases[c].axis[k][2]);
        weft_mesh *mesh = (weft_mesh *)&grid;
        weft_result result = weft_mesh_create_grid(&grid, &mesh);
        assert_int_equal(result.code, WEFT_BAD_INPUT);
        assert_string_equal(result.message, cases[c].message);
        assert_null(mesh);
    }
    weft_grid grid = weft_grid_default();
    grid.origin.y = NAN;
    weft_mesh *mesh;
    weft_result result = weft_mesh_create_grid(&grid, &mesh);
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_non_null(strstr(result.message, "origin"));
    grid = weft_grid_default();
    grid.origin.x = 1e18; /* all vertices round to the same position */
    result = weft_mesh_create_grid(&grid, &mesh);
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_non_null(strstr(result.message, "grid: face 0: no area"));
}

/* Quads of an n x m grid, closed in i and, if `torus`, also in j. */
static weft_mesh *ring_of(int n, int m, int torus) {
    int rows = torus ? m : m + 1;
    weft_vec3 *position = calloc((size_t)(n * rows), sizeof *position);
    int32_t *corner = calloc((size_t)(4 * n * m), sizeof *corner), *size = calloc((size_t)(n * m), sizeof *size);
    assert_true(position && corner && size);
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < n; i++) {
            double a = 2 * 3.14159265358979 * i / n, b = 2 * 3.14159265358979 * j / m;
            double r = torus ? 2 + cos(b) : 1;
            position[j * n + i] = weft_vec3_make(r * cos(a), torus ? sin(b) : j, r * sin(a));
        }
    for (int f = 0; f < n * m; f++) {
        int i = f % n, j = f / n, i1 = (i + 1) % n, j1 = (j + 1) % rows;
        int32_t quad[4] = {j * n + i, j * n + i1, j1 * n + i1, j1 * n + i};
        memcpy(corner + 4 * (ptrdiff_t)f, quad, sizeof quad);
        size[f] = 4;
    }
    weft_polygons polygons = {.name = "ring",
                              .position = position,
                              .vertex_count = n * rows,
                              .corner = corner,
                              .corner_count = 4 * n * m,
                              .face_size = size,
                              .face_count = n * m};
    weft_mesh *mesh;
    weft_result result = weft_mesh_create(&polygons, &mesh);
    assert_string_equal(result.message, "");
    assert_null(weft_mesh_flaw(mesh));
    free(size);
    free(corner);
    free(position);
    return mesh;
}

static void torus_and_cylinder_have_expected_boundaries(void **state) {
    (void)state;
    weft_mesh *torus = ring_of(9, 7, 1);
    assert_int_equal(euler(torus), 0);
    assert_int_equal(torus->boundary_count, 0);
    assert_int_equal(torus->halfedge_count, 4 * 63);
    assert_null(torus->uv);
    weft_mesh_destroy(torus);

    weft_mesh *cylinder = ring_of(9, 4, 0);
    assert_int_equal(euler(cylinder), 0);
    assert_int_equal(cylinder->boundary_count, 2);
    for (int b = 0; b < 2; b++)
        assert_int_equal(loop_length(cylinder, cylinder->boundary_halfedge[b]), 9);
    for (int v = 0; v < cylinder->vertex_count; v++) /* the first and the last row are on the boundary */
        assert_int_equal(cylinder->face[cylinder->vertex_halfedge[v]] == WEFT_NONE, v < 9 || v >= 36);
    weft_mesh_destroy(cylinder);
}

static const weft_vec3 flat[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {2, 0, 0}, {2, 1, 0}, {1, 2, 0}, {2, 2, 0}};

static void half_edges_are_linked_as_expected(void **state) {
    (void)state;
    /* A quad and a triangle to its right. */
    const int32_t corner[] = {0, 1, 2, 3, 1, 4, 2}, size[] = {4, 3}, group[] = {1, WEFT_NONE};
    const weft_vec2 uv[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {5, 5}, {6, 5}, {5, 6}};
    const char *const names[] = {"collar", "sleeve"};
    weft_polygons polygons = {"two", flat, 5, corner, 7, size, 2, uv, group, names, 2};
    weft_mesh *mesh;
    assert_string_equal(weft_mesh_create(&polygons, &mesh).message, "");
    assert_null(weft_mesh_flaw(mesh));
    assert_int_equal(mesh->halfedge_count, 12);
    assert_memory_equal(mesh->origin, corner, sizeof corner);
    assert_int_equal(mesh->twin[1], 6);
    const int32_t expected[] = {0, 1, 2, 3, 4, 5, 1};
    assert_memory_equal(mesh->edge, expected, sizeof expected);
    assert_memory_equal(mesh->halfedge_uv, uv, sizeof uv);
    assert_true(mesh->uv[1].x == 1 && mesh->uv[2].y == 1 && mesh->uv[4].x == 6);
    for (int h = 7; h < 12; h++) {
        assert_int_equal(mesh->face[h], WEFT_NONE);
        assert_int_equal(mesh->vertex_halfedge[mesh->origin[h]], h);
    }
    assert_int_equal(mesh->group_count, 2);
    assert_string_equal(mesh->group_name[1], "sleeve");
    assert_memory_equal(mesh->face_group, group, sizeof group);
    weft_mesh_destroy(mesh);
    weft_mesh_destroy(NULL);
}

static void vertices_with_two_fans_are_split(void **state) {
    (void)state;
    /* Two fans at vertex 2: a quad; and a quad and a triangle that share the edge 2-5. */
    const int32_t corner[] = {0, 1, 2, 3, 2, 5, 7, 6, 2, 4, 5, 2, 6, 8}, size[] = {4, 4, 3, 3};
    weft_vec3 position[9];
    memcpy(position, flat, sizeof flat);
    position[8] = weft_vec3_make(0, 2, 1);
    const int32_t apart[] = {0, 1, 2, 3, 2, 5, 7, 6, 2, 4, 5};
    weft_polygons polygons = {"tie", position, 8, apart, 11, size, 3, NULL, NULL, NULL, 0};
    weft_mesh *mesh;
    assert_string_equal(weft_mesh_create(&polygons, &mesh).message, "");
    assert_null(weft_mesh_flaw(mesh));
    assert_int_equal(mesh->vertex_count, 9);
    assert_int_equal(mesh->input_vertex_count, 8);
    assert_int_equal(mesh->source_vertex[8], 2);
    assert_int_equal(mesh->origin[2], 2);
    assert_int_equal(mesh->origin[4], 8);
    assert_int_equal(mesh->origin[8], 8);
    assert_memory_equal(&mesh->position[8], &position[2], sizeof *position);
    assert_int_equal(mesh->boundary_count, 2);
    assert_int_equal(euler(mesh), 2); /* two discs */
    weft_mesh_destroy(mesh);

    /* The last triangle shares the edge 2-6 with the second quad, so it joins that fan. */
    weft_polygons joined = {"tie", position, 9, corner, 14, size, 4, NULL, NULL, NULL, 0};
    assert_string_equal(weft_mesh_create(&joined, &mesh).message, "");
    assert_null(weft_mesh_flaw(mesh));
    assert_int_equal(mesh->vertex_count, 10);
    assert_int_equal(mesh->origin[11], 9);
    weft_mesh_destroy(mesh);
}

/* Two closed fans (tetrahedra) and an open one at vertex 0. */
static void vertices_with_closed_fans_are_split(void **state) {
    (void)state;
    const weft_vec3 position[] = {{0, 0, 0},  {1, 0, 0},  {0, 1, 0}, {0, 0, 1}, {-1, 0, 0},
                                  {0, -1, 0}, {0, 0, -1}, {5, 5, 0}, {5, 0, 5}};
    const int32_t corner[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 4, 5, 0, 5, 6, 0, 6, 4, 4, 6, 5, 0, 7, 8};
    const int32_t size[] = {3, 3, 3, 3, 3, 3, 3, 3, 3};
    weft_polygons polygons = {"tie", position, 9, corner, 27, size, 9, NULL, NULL, NULL, 0};
    weft_mesh *mesh;
    assert_string_equal(weft_mesh_create(&polygons, &mesh).message, "");
    assert_null(weft_mesh_flaw(mesh));
    assert_int_equal(mesh->vertex_count, 11);
    assert_int_equal(euler(mesh), 2 + 2 + 1);
    assert_int_equal(mesh->source_vertex[9], 0);
    assert_int_equal(mesh->source_vertex[10], 0);
    weft_mesh_destroy(mesh);
}

typedef struct refusal {
    const char *message;
    int64_t vertices, corners, faces;
    int32_t corner[12], size[4];
} refusal;

static void bad_polygons_are_refused(void **state) {
    (void)state;
    const refusal cases[] = {
        {"shirt.obj: the mesh is empty: 0 vertices, 0 faces, at least 3 and 1 needed", 0, 0, 0, {0}, {0}},
        {"shirt.obj: the mesh is empty: 4 vertices, 0 faces, at least 3 and 1 needed", 4, 0, 0, {0}, {0}},
        {"shirt.obj: 100000001 vertices, at most 100000000 are allowed", 100000001, 3, 1, {0, 1, 2}, {3}},
        {"shirt.obj: 100000002 corners of faces, at most 100000000 are allowed", 3, 100000002, 1, {0, 1, 2}, {3}},
        {"shirt.obj: face 1 has 2 corners, 3 to 10000 are allowed (counting from 0)", 3, 5, 2, {0, 1, 2, 0, 1}, {3, 2}},
        {"shirt.obj: the faces have fewer corners than the 5 given", 4, 5, 1, {0, 1, 2, 3, 0}, {4}},
        {"shirt.obj: the faces have more corners than the 5 given", 4, 5, 2, {0, 1, 2, 3, 0}, {3, 3}},
        {"shirt.obj: face 1: corner 2 refers to vertex 99, but there are 4 vertices (counting from 0)",
         4,
         6,
         2,
         {0, 1, 2, 0, 2, 99},
         {3, 3}},
        {"shirt.obj: face 0: corner 1 refers to vertex -1, but there are 4 vertices (counting from 0)",
         4,
         3,
         1,
         {0, -1, 2},
         {3}},
        {"shirt.obj: face 0: corner 3 repeats vertex 1 of the same face (counting from 0)", 4, 4, 1, {0, 1, 2, 1}, {4}},
        {"shirt.obj: face 1: no area: 0 m2 with a longest edge of 2 m (counting from 0)",
         5,
         7,
         2,
         {0, 1, 2, 3, 0, 1, 4},
         {4, 3}},
        {"shirt.obj: face 2: its edge from vertex 1 to 2 is already shared by faces 0 and 1 (counting from 0)",
         6,
         10,
         3,
         {0, 1, 2, 3, 2, 1, 4, 1, 2, 5},
         {4, 3, 3}},
        {"shirt.obj: face 1: wound against face 0: both run from vertex 1 to 2 (counting from 0)",
         5,
         7,
         2,
         {0, 1, 2, 3, 1, 2, 4},
         {4, 3}},
    };
    for (int64_t c = 0; c < LENGTH(cases); c++) {
        weft_polygons polygons = {.name = "shirt.obj",
                                  .position = flat,
                                  .vertex_count = cases[c].vertices,
                                  .corner = cases[c].corner,
                                  .corner_count = cases[c].corners,
                                  .face_size = cases[c].size,
                                  .face_count = cases[c].faces};
        weft_mesh *mesh = (weft_mesh *)&polygons;
        weft_result result = weft_mesh_create(&polygons, &mesh);
        assert_string_equal(result.message, cases[c].message);
        assert_int_equal(result.code, WEFT_BAD_INPUT);
        assert_null(mesh);
    }
}

static void refuses(const weft_polygons *polygons, const char *excerpt) {
    weft_mesh *mesh;
    weft_result result = weft_mesh_create(polygons, &mesh);
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_null(mesh);
    if (!strstr(result.message, excerpt))
        fail_msg("\"%s\" does not contain \"%s\"", result.message, excerpt);
}

static void bad_values_are_refused(void **state) {
    (void)state;
    const int32_t corner[] = {0, 1, 2, 3}, size[] = {4}, bad_group[] = {2};
    weft_vec3 position[4];
    memcpy(position, flat, sizeof position);
    weft_polygons polygons = {NULL, position, 4, corner, 4, size, 1, NULL, NULL, NULL, 0};
    position[2].y = NAN;
    refuses(&polygons, "mesh: vertex 2: position (1, ");
    position[2].y = INFINITY;
    refuses(&polygons, "vertex 2: position (1, inf, 0) is not finite");
    position[2].y = 1e200;
    refuses(&polygons, "face 0: its size is beyond the range");
    for (int v = 0; v < 4; v++)
        position[v] = weft_scale(1e-200, flat[v]);
    refuses(&polygons, "face 0: no area");
    memcpy(position, flat, sizeof position);
    weft_vec2 uv[4] = {{0, 0}, {1, 0}, {1, -INFINITY}, {0, 1}};
    polygons.corner_uv = uv;
    refuses(&polygons, "face 0: corner 2: texture coordinates (1, -inf) are not finite");
    const char *const names[] = {"a", "b"};
    polygons.corner_uv = NULL;
    polygons.face_group = bad_group;
    polygons.group_name = names;
    polygons.group_count = 2;
    refuses(&polygons, "face 0: refers to group 2, but there are 2 groups");
    /* Two crossing triangles of opposite sign, then a path that returns on itself. */
    polygons.face_group = NULL;
    const int32_t crossed[] = {0, 1, 3, 2};
    polygons.corner = crossed;
    refuses(&polygons, "face 0: no area");
    position[3] = position[1]; /* positions 0, 1, 2, 1 */
    polygons.corner = corner;
    refuses(&polygons, "face 0: no area");
}

/* Tests the check itself: it must detect each change. */
static void check_detects_every_damaged_link(void **state) {
    (void)state;
    weft_mesh *mesh = grid_of(4, 3, WEFT_ALTERNATING);
    int32_t *links[] = {
        &mesh->next[5],
        &mesh->twin[9],
        &mesh->origin[7],
        &mesh->face[3],
        &mesh->edge[11],
        &mesh->face[50],
        &mesh->next[50],
        &mesh->vertex_halfedge[6],
        &mesh->vertex_halfedge[0],
        &mesh->face_halfedge[2],
        &mesh->edge_halfedge[8],
        &mesh->boundary_halfedge[0],
        &mesh->triangle[4][1],
        &mesh->triangle_face[3],
        &mesh->vertex_triangle_start[5],
        &mesh->vertex_triangle[9],
        &mesh->boundary_count,
        &mesh->triangle_count,
        &mesh->edge_count,
        &mesh->grid_cells[0],
    };
    for (int64_t k = 0; k < LENGTH(links); k++)
        for (int step = -2; step <= 2; step++) {
            if (step == 0 || (links[k] == &mesh->boundary_count && step > 0))
                continue; /* a larger count would read past the array */
            int32_t kept = *links[k];
            *links[k] += step;
            /* Any half-edge of an inner vertex or of a face may represent it. */
            int same = (links[k] == &mesh->face_halfedge[2] && mesh->face[*links[k]] == 2) ||
                       (links[k] == &mesh->vertex_halfedge[6] && mesh->origin[*links[k]] == 6);
            if (!same && !weft_mesh_flaw(mesh))
                fail_msg("link %d changed by %d is not seen", (int)k, step);
            *links[k] = kept;
        }
    mesh->position[3].x = NAN;
    assert_non_null(weft_mesh_flaw(mesh));
    mesh->position[3].x = 0;
    assert_null(weft_mesh_flaw(mesh));
    weft_mesh_destroy(mesh);
}

static void unused_vertices_are_dropped(void **state) {
    (void)state;
    const weft_vec3 position[] = {{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {8, 8, 8}, {0, 1, 0}, {7, 7, 7}};
    const int32_t corner[] = {1, 2, 4}, size = 3;
    weft_polygons p = {.name = "torn.obj",
                       .position = position,
                       .vertex_count = 6,
                       .corner = corner,
                       .corner_count = 3,
                       .face_size = &size,
                       .face_count = 1};
    weft_mesh *mesh;
    assert_int_equal(weft_mesh_create(&p, &mesh).code, WEFT_OK);
    assert_null(weft_mesh_flaw(mesh));
    assert_int_equal(mesh->vertex_count, 3);
    assert_int_equal(mesh->input_vertex_count, 6);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(mesh->source_vertex[i], corner[i]);
        assert_memory_equal(&mesh->position[i], &position[corner[i]], sizeof position[0]);
    }
    weft_mesh_destroy(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_have_expected_counts),
        cmocka_unit_test(grid_vertices_have_expected_positions),
        cmocka_unit_test(grid_diagonals_follow_setting),
        cmocka_unit_test(grid_triangles_face_front),
        cmocka_unit_test(grid_of_a_million_vertices_is_valid),
        cmocka_unit_test(bad_grids_are_refused),
        cmocka_unit_test(torus_and_cylinder_have_expected_boundaries),
        cmocka_unit_test(half_edges_are_linked_as_expected),
        cmocka_unit_test(vertices_with_two_fans_are_split),
        cmocka_unit_test(vertices_with_closed_fans_are_split),
        cmocka_unit_test(unused_vertices_are_dropped),
        cmocka_unit_test(bad_polygons_are_refused),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(check_detects_every_damaged_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
