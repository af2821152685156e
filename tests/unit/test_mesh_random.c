/* Random polygons are either refused with a message or become a valid mesh. */
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

enum { VERTICES = 16, FACES = 24, CORNERS = 8 * FACES };

static uint64_t counter;

static int below(int count) { return (int)(weft_random(11, counter++) * count); }

/* Returns 1 if the polygons are accepted. */
static int survives(const weft_polygons *polygons) {
    weft_mesh *mesh, *cut;
    weft_result result = weft_mesh_create(polygons, &mesh);
    if (result.code != WEFT_OK) {
        assert_int_equal(result.code, WEFT_BAD_INPUT);
        assert_null(mesh);
        assert_int_equal(strncmp(result.message, "soup: ", 6), 0);
        return 0;
    }
    assert_null(weft_mesh_flaw(mesh));
    double area[CORNERS], sum = 0, total = weft_mesh_area(mesh, mesh->position);
    weft_vec3 normal[CORNERS];
    weft_mesh_vertex_areas(mesh, mesh->position, area);
    weft_mesh_vertex_normals(mesh, mesh->position, normal);
    for (int v = 0; v < mesh->vertex_count; v++) {
        assert_true(area[v] > 0 && weft_vec3_is_finite(normal[v]));
        sum += area[v];
    }
    assert_true(fabs(sum - total) <= 1e-12 * total);
    assert_int_equal(weft_mesh_triangulate(mesh, &cut).code, WEFT_OK);
    assert_null(weft_mesh_flaw(cut));
    assert_int_equal(cut->vertex_count, mesh->vertex_count);
    assert_int_equal(cut->boundary_count, mesh->boundary_count);
    assert_int_equal(cut->vertex_count - cut->edge_count + cut->face_count,
                     mesh->vertex_count - mesh->edge_count + mesh->face_count);
    weft_mesh_destroy(cut);
    weft_mesh_destroy(mesh);
    return 1;
}

/* Positions on a coarse lattice, so that corners can be collinear or coincide. */
static void scatter(weft_vec3 *x, int steps) {
    for (int v = 0; v < VERTICES; v++)
        x[v] = weft_vec3_make(below(steps), below(steps), below(3) ? 0 : below(steps));
}

/* Removes the vertices that no face uses. */
static int compact(weft_vec3 *x, int32_t *corner, int corners) {
    int32_t number[VERTICES];
    int used = 0;
    memset(number, 0xff, sizeof number);
    weft_vec3 kept[VERTICES];
    for (int c = 0; c < corners; c++) {
        int32_t *place = &number[corner[c]];
        if (*place < 0) {
            kept[used] = x[corner[c]];
            *place = used++;
        }
        corner[c] = *place;
    }
    memcpy(x, kept, (size_t)used * sizeof *x);
    return used;
}

static void random_polygons_are_refused_or_valid(void **state) {
    (void)state;
    int accepted = 0;
    for (int round = 0; round < 30000; round++) {
        weft_vec3 x[VERTICES];
        int32_t corner[CORNERS], size[FACES];
        int faces = 1 + below(round % 2 ? 3 : 6), corners = 0, most = 3 + below(6);
        scatter(x, round % 3 ? 1000000 : 6);
        for (int f = 0; f < faces; f++) {
            size[f] = 3 + below(most - 2);
            /* distinct corners: the first of a shuffle */
            int32_t order[VERTICES];
            for (int v = 0; v < VERTICES; v++)
                order[v] = v;
            for (int k = 0; k < size[f]; k++) {
                int other = k + below(VERTICES - k);
                int32_t v = order[k];
                corner[corners++] = order[other];
                order[k] = order[other];
                order[other] = v;
            }
        }
        int vertices = compact(x, corner, corners);
        weft_polygons polygons = {"soup", x, vertices, corner, corners, size, faces, NULL, NULL, NULL, 0};
        accepted += survives(&polygons);
    }
    assert_in_range(accepted, 1000, 29000);
}

/* Faces of a random closed or open surface, joined by vertex index, which gives all kinds of fans. */
static void pinched_grids_are_valid(void **state) {
    (void)state;
    int accepted = 0;
    for (int round = 0; round < 5000; round++) {
        weft_vec3 x[VERTICES];
        int32_t corner[CORNERS], size[FACES];
        int faces = 0;
        for (int v = 0; v < VERTICES; v++)
            x[v] = weft_vec3_make(v % 4, (double)(v / 4), weft_random(12, counter++));
        for (int cell = 0; cell < 16; cell++) { /* a torus of 4 x 4 quads with holes */
            int i = cell % 4, j = cell / 4, i1 = (i + 1) % 4, j1 = (j + 1) % 4;
            if (below(3) == 0)
                continue;
            memcpy(corner + 4 * (ptrdiff_t)faces, (int32_t[]){4 * j + i, 4 * j + i1, 4 * j1 + i1, 4 * j1 + i},
                   4 * sizeof *corner);
            size[faces++] = 4;
        }
        if (faces == 0)
            continue;
        int vertices = compact(x, corner, 4 * faces);
        weft_polygons polygons = {"soup", x, vertices, corner, 4 * (int64_t)faces, size, faces, NULL, NULL, NULL, 0};
        accepted += survives(&polygons);
    }
    assert_in_range(accepted, 4900, 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_polygons_are_refused_or_valid),
                                       cmocka_unit_test(pinched_grids_are_valid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
