/* Areas, normals and triangulation. */
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
#include "weft/work.h"

#define LENGTH(array)                           ((int32_t)(sizeof(array) / sizeof *(array)))
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

static const double PI = 3.14159265358979323846;

static weft_mesh *mesh_of(const weft_vec3 *position, int32_t vertices, const int32_t *corner, const int32_t *size,
                          int32_t faces) {
    int64_t corners = 0;
    for (int32_t f = 0; f < faces; f++)
        corners += size[f];
    weft_polygons polygons = {"test", position, vertices, corner, corners, size, faces, NULL, NULL, NULL, 0};
    weft_mesh *mesh;
    weft_result result = weft_mesh_create(&polygons, &mesh);
    assert_string_equal(result.message, "");
    assert_null(weft_mesh_flaw(mesh));
    return mesh;
}

/* One face with the positions as corners, in order. */
static weft_mesh *face_of(const weft_vec3 *position, int32_t count) {
    int32_t *corner = calloc((size_t)count, sizeof *corner);
    assert_non_null(corner);
    for (int32_t k = 0; k < count; k++)
        corner[k] = k;
    weft_mesh *mesh = mesh_of(position, count, corner, &count, 1);
    free(corner);
    return mesh;
}

/* The vector area of a closed outline. */
static weft_vec3 outline_area(const weft_vec3 *x, int32_t count) {
    weft_vec3 sum = weft_vec3_make(0, 0, 0);
    for (int32_t k = 0; k < count; k++)
        sum = weft_add_scaled(sum, 0.5, weft_cross(x[k], x[(k + 1) % count]));
    return sum;
}

/* All triangles face the same way as the outline and their areas add up to its area, so they tile it. */
static void tiles(const weft_mesh *mesh, weft_vec3 area) {
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *v = mesh->triangle[t];
        weft_vec3 *x = mesh->position;
        assert_true(weft_dot(area, weft_cross(weft_sub(x[v[1]], x[v[0]]), weft_sub(x[v[2]], x[v[0]]))) > 0);
    }
    assert_near(weft_mesh_area(mesh, mesh->position), weft_length(area), 1e-12 * weft_length(area));
}

static void vertex_areas(const weft_vec3 *x, const double *expected) {
    weft_mesh *mesh = face_of(x, 3);
    double area[3];
    weft_mesh_vertex_areas(mesh, mesh->position, area);
    for (int v = 0; v < 3; v++)
        assert_near(area[v], expected[v], 4e-15);
    weft_mesh_destroy(mesh);
}

static void vertex_areas_match_hand_calculation(void **state) {
    (void)state;
    /* Right-angled: the circumcentre bisects the hypotenuse, and the rectangle at the right angle is half of the
     * triangle. */
    vertex_areas((weft_vec3[]){{0, 0, 0}, {3, 0, 0}, {0, 4, 0}}, (double[]){3, 1.5, 1.5});
    /* Equilateral with side 2, area sqrt(3). */
    double third = sqrt(3) / 3;
    vertex_areas((weft_vec3[]){{0, 0, 0}, {2, 0, 0}, {1, sqrt(3), 0}}, (double[]){third, third, third});
    /* Obtuse at the second corner: area 0.5 x 1 x 1. */
    vertex_areas((weft_vec3[]){{0, 0, 0}, {1, 0, 0}, {3, 0, 1}}, (double[]){0.125, 0.25, 0.125});
    /* Acute: corners (0, 0), (4, 0), (1, 3), circumcentre (2, 1) from the bisectors x = 2 and x + 3 y = 5. */
    vertex_areas((weft_vec3[]){{0, 0, 0}, {4, 0, 0}, {1, 3, 0}}, (double[]){2.25, 1.75, 2});
}

/* The region of points nearest to a corner is the quadrilateral of corner, midpoint, circumcentre and midpoint. */
static void vertex_areas_are_voronoi_regions(void **state) {
    (void)state;
    uint64_t counter = 0;
    int acute = 0;
    for (int round = 0; round < 2000; round++) {
        double p[6];
        for (int k = 0; k < 6; k++)
            p[k] = weft_random(7, counter++);
        double ax = p[0], ay = p[1], bx = p[2], by = p[3], cx = p[4], cy = p[5];
        double twice = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
        if (twice < 0.01)
            continue;
        double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
        double ox = (a2 * (by - cy) + b2 * (cy - ay) + c2 * (ay - by)) / (2 * twice);
        double oy = (a2 * (cx - bx) + b2 * (ax - cx) + c2 * (bx - ax)) / (2 * twice);
        weft_vec3 x[3] = {{ax, ay, 0}, {bx, by, 0}, {cx, cy, 0}};
        double expected[3];
        int obtuse = -1;
        for (int k = 0; k < 3; k++) {
            weft_vec3 here = x[k], next = x[(k + 1) % 3], last = x[(k + 2) % 3];
            if (weft_dot(weft_sub(next, here), weft_sub(last, here)) < 0)
                obtuse = k;
            weft_vec3 region[4] = {
                here, weft_scale(0.5, weft_add(here, next)), {ox, oy, 0}, weft_scale(0.5, weft_add(here, last))};
            expected[k] = outline_area(region, 4).z;
        }
        acute += obtuse < 0;
        for (int k = 0; obtuse >= 0 && k < 3; k++)
            expected[k] = twice / (k == obtuse ? 4 : 8);
        weft_mesh *mesh = face_of(x, 3);
        double area[3];
        weft_mesh_vertex_areas(mesh, x, area);
        for (int k = 0; k < 3; k++)
            assert_near(area[k], expected[k], 1e-12);
        weft_mesh_destroy(mesh);
    }
    assert_true(acute > 100);
}

/* Bends, stretches and perturbs a grid. */
static void deform(weft_mesh *mesh, uint64_t seed) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        weft_vec3 *x = &mesh->position[v];
        *x = weft_vec3_make(1e-3 * x->x + 1e-4 * weft_random(seed, 3 * (uint64_t)v), x->y,
                            sin(9 * x->x) + 0.3 * weft_random(seed, 3 * (uint64_t)v + 1));
    }
}

static void vertex_areas_add_up_to_total(void **state) {
    (void)state;
    for (int d = WEFT_ALTERNATING; d <= WEFT_CRISS_CROSS; d++) {
        weft_grid grid = weft_grid_default();
        grid.cells[0] = 60;
        grid.cells[1] = 40;
        grid.diagonals = (weft_diagonals)d;
        weft_mesh *mesh;
        assert_int_equal(weft_mesh_create_grid(&grid, &mesh).code, WEFT_OK);
        double *area = calloc((size_t)mesh->vertex_count, sizeof *area);
        assert_non_null(area);
        for (uint64_t seed = 0; seed < 4; seed++) {
            weft_mesh_vertex_areas(mesh, mesh->position, area);
            double sum = 0, total = weft_mesh_area(mesh, mesh->position);
            for (int32_t v = 0; v < mesh->vertex_count; v++) {
                assert_true(area[v] > 0);
                sum += area[v];
            }
            assert_near(sum, total, 1e-12 * total);
            if (seed == 0)
                assert_near(total, 1, 1e-14);
            deform(mesh, seed + 1);
        }
        free(area);
        weft_mesh_destroy(mesh);
    }
}

static void collapsed_triangles_have_no_area_or_normal(void **state) {
    (void)state;
    weft_vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    weft_mesh *mesh = face_of(x, 3);
    const weft_vec3 collapsed[][3] = {
        {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}};
    for (int c = 0; c < LENGTH(collapsed); c++) {
        double area[3];
        weft_vec3 normal[3];
        weft_mesh_vertex_areas(mesh, collapsed[c], area);
        weft_mesh_vertex_normals(mesh, collapsed[c], normal);
        for (int v = 0; v < 3; v++) {
            assert_true(area[v] == 0);
            assert_true(weft_length(normal[v]) == 0);
        }
    }
    weft_mesh_destroy(mesh);
}

static void plane_has_exact_normals(void **state) {
    (void)state;
    weft_grid grid = weft_grid_default();
    grid.axis[0] = weft_vec3_make(1, 2, 2);
    grid.axis[1] = weft_vec3_make(2, 1, -2);
    weft_vec3 expected = weft_scale(1.0 / 9, weft_cross(grid.axis[0], grid.axis[1]));
    weft_mesh *mesh;
    assert_int_equal(weft_mesh_create_grid(&grid, &mesh).code, WEFT_OK);
    weft_vec3 normal[121];
    weft_mesh_vertex_normals(mesh, mesh->position, normal);
    for (int v = 0; v < 121; v++)
        assert_true(weft_distance(normal[v], expected) < 1e-14);
    weft_mesh_destroy(mesh);
}

/* Circles of latitude with quads between them and a fan of triangles at each pole. */
static weft_mesh *sphere_of(int around, int down) {
    int vertices = around * (down - 1) + 2, faces = around * down, f = 0, c = 0;
    weft_vec3 *x = calloc((size_t)vertices, sizeof *x);
    int32_t *corner = calloc((size_t)(4 * faces), sizeof *corner), *size = calloc((size_t)faces, sizeof *size);
    assert_true(x && corner && size);
    for (int j = 1; j < down; j++)
        for (int i = 0; i < around; i++) {
            double a = 2 * PI * i / around, b = PI * j / down;
            x[(j - 1) * around + i] = weft_vec3_make(sin(b) * cos(a), cos(b), -sin(b) * sin(a));
        }
    x[vertices - 2] = weft_vec3_make(0, 1, 0);
    x[vertices - 1] = weft_vec3_make(0, -1, 0);
    for (int j = 0; j < down; j++)
        for (int i = 0; i < around; i++) {
            int i1 = (i + 1) % around, above = (j - 1) * around, below = j * around;
            int32_t quad[4] = {above + i, below + i, below + i1, above + i1};
            if (j == 0)
                memcpy(quad, (int32_t[]){vertices - 2, i, i1}, 3 * sizeof *quad);
            if (j == down - 1)
                memcpy(quad, (int32_t[]){vertices - 1, above + i1, above + i}, 3 * sizeof *quad);
            size[f] = j == 0 || j == down - 1 ? 3 : 4;
            memcpy(corner + c, quad, (size_t)size[f] * sizeof *quad);
            c += size[f++];
        }
    weft_mesh *mesh = mesh_of(x, vertices, corner, size, faces);
    free(size);
    free(corner);
    free(x);
    return mesh;
}

static void sphere_has_radial_normals(void **state) {
    (void)state;
    weft_mesh *mesh = sphere_of(64, 32);
    assert_int_equal(mesh->vertex_count - mesh->edge_count + mesh->face_count, 2);
    weft_vec3 *normal = calloc((size_t)mesh->vertex_count, sizeof *normal);
    double *area = calloc((size_t)mesh->vertex_count, sizeof *area);
    assert_true(normal && area);
    weft_mesh_vertex_normals(mesh, mesh->position, normal);
    weft_mesh_vertex_areas(mesh, mesh->position, area);
    double total = weft_mesh_area(mesh, mesh->position), sum = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        assert_near(weft_length(normal[v]), 1, 1e-14);
        /* first order in the edge length of about 0.1 */
        assert_true(weft_distance(normal[v], mesh->position[v]) < 0.1);
        sum += area[v];
    }
    assert_near(sum, total, 1e-12 * total);
    assert_near(total, 4 * PI, 0.01 * 4 * PI);
    assert_true(weft_distance(normal[mesh->vertex_count - 1], weft_vec3_make(0, -1, 0)) < 1e-12);
    free(area);
    free(normal);
    weft_mesh_destroy(mesh);
}

static void outline_tiles(const weft_vec3 *x, int32_t count) {
    weft_mesh *mesh = face_of(x, count);
    assert_int_equal(mesh->triangle_count, count - 2);
    tiles(mesh, outline_area(x, count));
    weft_mesh_destroy(mesh);
}

static void difficult_outlines_are_tiled(void **state) {
    (void)state;
    const weft_vec3 dart[] = {{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {0.5, 1, 0}};
    const weft_vec3 arrow[] = {{0.1, 0, 0}, {0, 10, 0}, {-0.1, 0, 0}, {0, 1, 0}}; /* only the long diagonal is inside */
    const weft_vec3 in_line[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0.1, 0}};
    const weft_vec3 ell[] = {{0, 0, 0}, {0, 0, 2}, {0, 1, 2}, {0, 1, 1}, {0, 3, 1}, {0, 3, 0}};
    const weft_vec3 midpoints[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0},
                                   {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
    const weft_vec3 side[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {2, 1, 0}};
    /* The shortest diagonal passes through two corners. */
    const weft_vec3 needle[] = {{0, 0, 0}, {0.4, 0, 0}, {0.6, 0, 0}, {1, 0, 0}, {0.5, 10, 0}};
    const weft_vec3 comb[] = {{0, 0, 0}, {7, 0, 0}, {7, 3, 0}, {6, 3, 0}, {6, 1, 0}, {5, 1, 0},
                              {5, 3, 0}, {4, 3, 0}, {4, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
    outline_tiles(ell, 6);
    outline_tiles(midpoints, 8);
    outline_tiles(side, 6);
    outline_tiles(needle, 5);
    outline_tiles(comb, 12);
    const weft_vec3 *quads[] = {dart, arrow, in_line};
    for (int q = 0; q < LENGTH(quads); q++)
        for (int start = 0; start < 4; start++) {
            weft_vec3 turned[4];
            for (int k = 0; k < 4; k++)
                turned[k] = quads[q][(start + k) % 4];
            outline_tiles(turned, 4);
        }
}

static void quads_are_split_at_shorter_diagonal(void **state) {
    (void)state;
    const weft_vec3 square[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const weft_vec3 leaning[] = {{0, 0, 0}, {1, 0, 0}, {1.5, 1, 0}, {0.5, 1, 0}};
    const weft_vec3 nearly[] = {{0, 0, 0}, {1, 0, 0}, {1.0000003, 1, 0}, {0, 1, 0}};
    const struct {
        const weft_vec3 *x;
        int32_t expected[2][3];
    } cases[] = {{square, {{0, 1, 2}, {2, 3, 0}}}, {leaning, {{1, 2, 3}, {3, 0, 1}}}, {nearly, {{0, 1, 2}, {2, 3, 0}}}};
    for (int c = 0; c < LENGTH(cases); c++) {
        weft_mesh *mesh = face_of(cases[c].x, 4);
        assert_memory_equal(mesh->triangle, cases[c].expected, sizeof cases[c].expected);
        weft_mesh_destroy(mesh);
    }
}

/* Star-shaped outlines of random radius in a random plane do not intersect themselves. Many corners are reflex. */
static void random_outlines_are_tiled(void **state) {
    (void)state;
    enum { MOST = 200 };
    weft_vec3 x[MOST];
    uint64_t counter = 0;
    for (int round = 0; round < 300; round++) {
        int count = 4 + (int)(weft_random(1, counter++) * (round % 20 == 0 ? MOST - 4 : 12));
        weft_vec3 a = {weft_random(1, counter) - 0.5, weft_random(1, counter + 1) - 0.5, weft_random(1, counter + 2)};
        weft_vec3 b = weft_normalize(weft_cross(a, weft_vec3_make(0.3, 0.9, -0.2)));
        counter += 3;
        a = weft_normalize(a);
        for (int k = 0; k < count; k++) {
            double angle = 2 * PI * k / count, radius = 0.2 + weft_random(1, counter++);
            x[k] = weft_add(weft_scale(radius * cos(angle), a), weft_scale(radius * sin(angle), b));
        }
        outline_tiles(x, count);
    }
}

static void spiral_is_tiled(void **state) {
    (void)state;
    enum { TURN = 150, COUNT = 2 * TURN };
    weft_vec3 x[COUNT];
    for (int k = 0; k < TURN; k++) {
        double angle = 0.12 * k;
        x[k] = weft_vec3_make((1 + 0.1 * angle) * cos(angle), (1 + 0.1 * angle) * sin(angle), 0);
        x[COUNT - 1 - k] = weft_scale((0.8 + 0.1 * angle) / (1 + 0.1 * angle), x[k]);
    }
    outline_tiles(x, COUNT);
}

/* A circle with the maximum number of corners, triangulated in reasonable time and without a flat triangle. */
static void largest_face_is_tiled(void **state) {
    (void)state;
    enum { COUNT = 10000 };
    static weft_vec3 x[COUNT];
    for (int k = 0; k < COUNT; k++)
        x[k] = weft_vec3_make(cos(2 * PI * k / COUNT), sin(2 * PI * k / COUNT), 0);
    int32_t size = COUNT;
    static int32_t corner[COUNT];
    for (int k = 0; k < COUNT; k++)
        corner[k] = k;
    weft_polygons polygons = {"test", x, COUNT, corner, COUNT, &size, 1, NULL, NULL, NULL, 0};
    weft_mesh *mesh;
    assert_string_equal(weft_mesh_create(&polygons, &mesh).message, "");
    assert_int_equal(mesh->triangle_count, COUNT - 2);
    assert_near(weft_mesh_area(mesh, x), COUNT / 2.0 * sin(2 * PI / COUNT), 1e-11);
    weft_mesh_destroy(mesh);
}

/* A grid whose cells are randomly joined to rectangles within a row, or cut into triangles. Faces have 3 to 10
 * corners. */
static weft_mesh *patchwork(int n, int m, uint64_t seed) {
    weft_vec3 *x = calloc((size_t)((n + 1) * (m + 1)), sizeof *x);
    int32_t *corner = calloc((size_t)(6 * n * m), sizeof *corner), *size = calloc((size_t)(2 * n * m), sizeof *size);
    assert_true(x && corner && size);
    uint64_t counter = 0;
    for (int v = 0; v < (n + 1) * (m + 1); v++) {
        int i = v % (n + 1), j = v / (n + 1);
        x[v] = weft_vec3_make(i + 0.2 * weft_random(seed, counter), j + 0.2 * weft_random(seed, counter + 1), 0);
        counter += 2;
    }
    int32_t *at = corner, faces = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0, wide; i < n; i += wide) {
            wide = 1 + (int)(4 * weft_random(seed, counter++));
            wide = i + wide > n ? n - i : wide;
            int32_t low = j * (n + 1) + i, high = low + n + 1;
            if (wide == 1 && weft_random(seed, counter++) < 0.5) {
                memcpy(at, (int32_t[]){low, low + 1, high, low + 1, high + 1, high}, 6 * sizeof *at);
                at += 6;
                size[faces++] = 3;
                size[faces++] = 3;
                continue;
            }
            for (int k = 0; k <= wide; k++)
                *at++ = low + k;
            for (int k = wide; k >= 0; k--)
                *at++ = high + k;
            size[faces++] = 2 * wide + 2;
        }
    weft_mesh *mesh = mesh_of(x, (n + 1) * (m + 1), corner, size, faces);
    assert_int_equal(mesh->vertex_count - mesh->edge_count + mesh->face_count, 1);
    free(size);
    free(corner);
    free(x);
    return mesh;
}

/* The vector area of the boundary, as an outline. */
static weft_vec3 boundary_area(const weft_mesh *mesh) {
    weft_vec3 sum = weft_vec3_make(0, 0, 0);
    int32_t start = mesh->boundary_halfedge[0], h = start;
    do { /* negative, because the boundary runs against the faces */
        sum = weft_add_scaled(sum, -0.5,
                              weft_cross(mesh->position[mesh->origin[h]], mesh->position[mesh->origin[mesh->next[h]]]));
        h = mesh->next[h];
    } while (h != start);
    return sum;
}

static void random_meshes_are_tiled(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        weft_mesh *mesh = patchwork(3 + (int)seed % 9, 2 + (int)seed % 5, seed);
        tiles(mesh, boundary_area(mesh));
        weft_mesh *cut;
        assert_string_equal(weft_mesh_triangulate(mesh, &cut).message, "");
        assert_null(weft_mesh_flaw(cut));
        assert_int_equal(cut->face_count, mesh->triangle_count);
        assert_int_equal(cut->edge_count, mesh->edge_count + mesh->triangle_count - mesh->face_count);
        assert_memory_equal(cut->triangle, mesh->triangle, (size_t)mesh->triangle_count * sizeof *mesh->triangle);
        weft_mesh_destroy(cut);
        weft_mesh_destroy(mesh);
    }
}

static void triangulation_keeps_attributes(void **state) {
    (void)state;
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh, *cut;
    assert_int_equal(weft_mesh_create_grid(&grid, &mesh).code, WEFT_OK);
    assert_string_equal(weft_mesh_triangulate(mesh, &cut).message, "");
    assert_null(weft_mesh_flaw(cut));
    assert_int_equal(cut->grid_cells[0], 10);
    assert_true(cut->grid_size[1] == 1);
    assert_int_equal(cut->edge_count, 220 + 100);
    assert_memory_equal(cut->position, mesh->position, 121 * sizeof *mesh->position);
    assert_memory_equal(cut->uv, mesh->uv, 121 * sizeof *mesh->uv);
    weft_mesh_destroy(cut);
    weft_mesh_destroy(mesh);

    /* Two quads that touch in vertex 2, with a texture seam there and a group for one of them. */
    const weft_vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}};
    const int32_t corner[] = {0, 1, 2, 3, 2, 4, 5, 6}, size[] = {4, 4}, group[] = {WEFT_NONE, 0};
    const weft_vec2 uv[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {7, 7}, {8, 7}, {8, 8}, {7, 8}};
    const char *const names[] = {"patch"};
    weft_polygons polygons = {"test", x, 7, corner, 8, size, 2, uv, group, names, 1};
    assert_string_equal(weft_mesh_create(&polygons, &mesh).message, "");
    assert_string_equal(weft_mesh_triangulate(mesh, &cut).message, "");
    weft_mesh_destroy(mesh); /* nothing is shared with the original */
    assert_null(weft_mesh_flaw(cut));
    assert_int_equal(cut->vertex_count, 8);
    assert_int_equal(cut->input_vertex_count, 7);
    assert_int_equal(cut->source_vertex[7], 2);
    const int32_t groups[] = {WEFT_NONE, WEFT_NONE, 0, 0};
    assert_memory_equal(cut->face_group, groups, sizeof groups);
    assert_string_equal(cut->group_name[0], "patch");
    for (int h = 0; h < cut->halfedge_count; h++) {
        int32_t v = cut->origin[h], source = cut->source_vertex[v];
        int corner_of = v == 7 ? 4 : source < 4 ? source : source + 1;
        assert_memory_equal(&cut->halfedge_uv[h], &uv[corner_of], sizeof *uv);
        assert_memory_equal(&cut->uv[v], &uv[corner_of], sizeof *uv);
    }
    weft_mesh_destroy(cut);
}

/* A pillow of two quads on the same four vertices. Both diagonals join the same two vertices, but are separate
 * edges. */
static void parallel_diagonals_are_separate_edges(void **state) {
    (void)state;
    const weft_vec3 x[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const int32_t corner[] = {0, 1, 2, 3, 0, 3, 2, 1}, size[] = {4, 4};
    weft_mesh *mesh = mesh_of(x, 4, corner, size, 2), *cut;
    assert_int_equal(mesh->boundary_count, 0);
    assert_string_equal(weft_mesh_triangulate(mesh, &cut).message, "");
    assert_null(weft_mesh_flaw(cut));
    assert_int_equal(cut->edge_count, 6);
    assert_int_equal(cut->vertex_count - cut->edge_count + cut->face_count, 2);
    weft_mesh_destroy(cut);
    weft_mesh_destroy(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_areas_match_hand_calculation),
        cmocka_unit_test(vertex_areas_are_voronoi_regions),
        cmocka_unit_test(vertex_areas_add_up_to_total),
        cmocka_unit_test(collapsed_triangles_have_no_area_or_normal),
        cmocka_unit_test(plane_has_exact_normals),
        cmocka_unit_test(sphere_has_radial_normals),
        cmocka_unit_test(difficult_outlines_are_tiled),
        cmocka_unit_test(quads_are_split_at_shorter_diagonal),
        cmocka_unit_test(random_outlines_are_tiled),
        cmocka_unit_test(spiral_is_tiled),
        cmocka_unit_test(largest_face_is_tiled),
        cmocka_unit_test(random_meshes_are_tiled),
        cmocka_unit_test(triangulation_keeps_attributes),
        cmocka_unit_test(parallel_diagonals_are_separate_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
