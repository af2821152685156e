/* Reversible refinement: a hundred thousand random operations, with all invariants checked after each, and coarsening
 * back to the start bit for bit. */
#include "mesh/refined.h"

#include "support.h"
#include "weft/vec.h"

static uint64_t counter;

static double uniform(void) { return weft_random(23, counter++); }
static int32_t below(int32_t count) { return (int32_t)(uniform() * count); }

typedef enum shape { SHEET, HOLED, FOLDED, SEAMED, CLOSED, SHAPES } shape;

/* A jittered grid of n x n cells with random diagonals. Folded: by a right angle along the middle. Seamed: rest
 * coordinates jump there. Holed: without some cells. */
static weft_mesh *make_grid(shape kind, int n) {
    enum { MOST = 8 };
    weft_vec3 position[(MOST + 1) * (MOST + 1)];
    int32_t corner[6 * MOST * MOST], size[2 * MOST * MOST], faces = 0;
    weft_vec2 uv[6 * MOST * MOST];
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            int inner = i > 0 && j > 0 && i < n && j < n && i != n / 2;
            double x = i + (inner ? 0.3 * (uniform() - 0.5) : 0), y = j + (inner ? 0.3 * (uniform() - 0.5) : 0);
            int beyond = kind == FOLDED && x > n / 2;
            position[j * (n + 1) + i] =
                weft_vec3_make(0.1 * (beyond ? n / 2 : x), 0.1 * y, beyond ? 0.1 * (x - n / 2) : 0);
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            if (kind == HOLED && i % 3 == 1 && j % 3 == 1)
                continue;
            int32_t v[4] = {j * (n + 1) + i, j * (n + 1) + i + 1, (j + 1) * (n + 1) + i + 1, (j + 1) * (n + 1) + i};
            int from = below(2);
            for (int half = 0; half < 2; half++, faces++) {
                size[faces] = 3;
                for (int k = 0; k < 3; k++) {
                    int32_t vertex = v[(from + 2 * half + k) % 4];
                    corner[3 * faces + k] = vertex;
                    uv[3 * faces + k] = (weft_vec2){position[vertex].x + (i >= n / 2 ? 5 : 0), position[vertex].y};
                }
            }
        }
    weft_polygons polygons = {.name = "random",
                              .position = position,
                              .vertex_count = (n + 1) * (n + 1),
                              .corner = corner,
                              .corner_count = 3 * faces,
                              .face_size = size,
                              .face_count = faces,
                              .corner_uv = kind == SEAMED ? uv : NULL};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static weft_mesh *make_octahedron(void) {
    weft_vec3 position[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    int32_t corner[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    int32_t size[8] = {3, 3, 3, 3, 3, 3, 3, 3};
    weft_polygons polygons = {.name = "octahedron",
                              .position = position,
                              .vertex_count = 6,
                              .corner = corner,
                              .corner_count = 24,
                              .face_size = size,
                              .face_count = 8};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static weft_mesh *make_shape(shape kind) { return kind == CLOSED ? make_octahedron() : make_grid(kind, 2 + below(3)); }

static double triangle_area(const weft_refined *r, const int32_t *v) {
    weft_vec3 a = r->position[v[0]];
    return 0.5 * weft_length(weft_cross(weft_sub(r->position[v[1]], a), weft_sub(r->position[v[2]], a)));
}

static double area_of(const weft_refined *r) {
    double sum = 0;
    for (int32_t t = 0; t < r->triangle_count; t++) {
        double area = triangle_area(r, r->origin + 3 * t);
        assert_true(area > 0);
        sum += area;
    }
    return sum;
}

static int32_t boundary_of(const weft_refined *r, double *length) {
    int32_t count = 0;
    *length = 0;
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        if (r->twin[h] == WEFT_NONE) {
            count++;
            *length += weft_distance(r->position[r->origin[h]], r->position[r->origin[weft_next(h)]]);
        }
    return count;
}

/* Checks every link of the public mesh, and the areas of its vertices. */
static void check_mesh(const weft_refined *r, const weft_mesh *base, double area) {
    weft_mesh *mesh;
    must(weft_refined_mesh(r, base, &mesh));
    const char *flaw = weft_mesh_flaw(mesh);
    if (flaw)
        fail_msg("%s", flaw);
    double *share = malloc((size_t)mesh->vertex_count * sizeof *share), sum = 0;
    weft_mesh_vertex_areas(mesh, mesh->position, share);
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        assert_true(share[v] > 0);
        sum += share[v];
    }
    assert_near(sum, area, 1e-12 * area);
    free(share);
    weft_mesh_destroy(mesh);
}

/* Like the masses of a simulation: each vertex gets a third of each of its triangles. */
static void check_masses(const weft_refined *r, double area) {
    static double share[40000];
    double sum = 0;
    assert_true(r->vertex_count <= (int32_t)(sizeof share / sizeof share[0]));
    memset(share, 0, (size_t)r->vertex_count * sizeof share[0]);
    for (int32_t h = 0; h < 3 * r->triangle_count; h++)
        share[r->origin[h]] += triangle_area(r, r->origin + h / 3 * 3) / 3;
    for (int32_t v = 0; v < r->vertex_count; v++) {
        assert_true(share[v] > 0);
        sum += share[v];
    }
    assert_near(sum, area, 1e-12 * area);
}

static void check(const weft_refined *r, double area) {
    const char *flaw = weft_refined_flaw(r);
    if (flaw)
        fail_msg("%s", flaw);
    check_masses(r, area);
    assert_near(area_of(r), area, 1e-12 * area);
    assert_int_equal(r->failed, 0);
}

/* Replaying the vertex log on a copy of the positions reproduces the positions. */
static void check_log(weft_refined *r, weft_vec3 *x, int32_t *count) {
    for (int32_t i = 0; i < r->change_count; i++) {
        const weft_vertex_change *c = &r->change[i];
        if (c->weight[0] > 0) {
            assert_int_equal(c->vertex, *count);
            weft_vec3 sum = weft_vec3_make(0, 0, 0);
            for (int k = 0; k < 3; k++)
                sum = weft_add_scaled(sum, c->weight[k], x[c->from[k]]);
            x[(*count)++] = sum;
        } else {
            assert_int_equal(c->from[0], --*count);
            x[c->vertex] = x[c->from[0]];
        }
    }
    r->change_count = 0;
    assert_int_equal(*count, r->vertex_count);
    for (int32_t v = 0; v < *count; v++)
        assert_true(weft_distance(x[v], r->position[v]) < 1e-14);
}

/* The reported change matches the surface. At rest the changed region is flat, or a sheet with corners on a crease. */
static int sometimes(const void *context, const weft_flip_volume *sweep) {
    const weft_refined *r = context;
    double before = 0, after = 0;
    for (int k = 0; k < sweep->before_count; k++)
        before += triangle_area(r, sweep->before[k]);
    for (int k = 0; k < sweep->after_count; k++)
        after += triangle_area(r, sweep->after[k]);
    assert_near(before, after, 1e-12 * before);
    for (int k = 0; k < sweep->volume_count; k++) {
        const weft_vec3 *x = r->position;
        const int32_t *v = sweep->volume[k];
        weft_vec3 area = weft_cross(weft_sub(x[v[1]], x[v[0]]), weft_sub(x[v[2]], x[v[0]]));
        assert_near(weft_dot(area, weft_sub(x[v[3]], x[v[0]])), 0, 1e-14);
    }
    return uniform() < 0.9;
}

static void coarsen_all(weft_refined *r) {
    for (int progress = 1; progress;) {
        progress = 0;
        for (int32_t v = r->vertex_count - 1; v >= r->base_vertices; v--)
            if (v < r->vertex_count)
                progress |= weft_refined_join(r, v);
    }
}

static void assert_same(const weft_refined *r, const weft_refined *base) {
    size_t n = (size_t)base->vertex_count, t = (size_t)base->triangle_count;
    assert_int_equal(r->vertex_count, base->vertex_count);
    assert_int_equal(r->triangle_count, base->triangle_count);
    assert_memory_equal(r->position, base->position, n * sizeof *r->position);
    assert_memory_equal(r->origin, base->origin, 3 * t * sizeof *r->origin);
    assert_memory_equal(r->twin, base->twin, 3 * t * sizeof *r->twin);
    assert_memory_equal(r->lineage, base->lineage, t * sizeof *r->lineage);
    if (r->uv)
        assert_memory_equal(r->uv, base->uv, 3 * t * sizeof *r->uv);
}

/* Does one random operation. Returns whether it changed anything. */
static int operate(weft_refined *r, int tears, int32_t most) {
    double what = uniform();
    int32_t t = below(r->triangle_count);
    if (tears && what < 0.02)
        return weft_refined_open(r, 3 * t + below(3));
    if (what < 0.05)
        return weft_refined_flip_remaining(r) > 0;
    if (what < 0.5 && r->triangle_count < most && weft_refined_level(r, t) < 8)
        return weft_refined_split(r, t);
    return r->vertex_count > r->base_vertices &&
           weft_refined_join(r, r->base_vertices + below(r->vertex_count - r->base_vertices));
}

static void random_operations_are_reversible(void **state) {
    (void)state;
    enum { OPERATIONS = 100000, ROUND = 1250, ROOM = 40000 };
    weft_vec3 *x = malloc(ROOM * sizeof *x);
    int done = 0, attempted = 0, finest = 0;
    for (int round = 0; done < OPERATIONS; round++) {
        shape kind = (shape)(round % SHAPES);
        int tears = round % 2;
        weft_mesh *mesh = make_shape(kind);
        weft_refined *r, *base;
        must(weft_refined_create(mesh, &r));
        must(weft_refined_create(mesh, &base));
        r->allows = round % 4 < 2 ? NULL : sometimes;
        r->context = r;
        double area = area_of(r), length, open;
        int32_t count = r->vertex_count;
        boundary_of(r, &length);
        memcpy(x, r->position, (size_t)count * sizeof *x);
        for (int i = 0; i < ROUND; attempted++) {
            if (!operate(r, tears, 400))
                continue;
            i++;
            check(r, area);
            check_log(r, x, &count);
            boundary_of(r, &open);
            if (!tears)
                assert_near(open, length, 1e-12 * length);
            for (int32_t t = 0; t < r->triangle_count; t++)
                finest = r->lineage[t].generation > finest ? r->lineage[t].generation : finest;
            if (i % 10 == 0)
                check_mesh(r, mesh, area);
        }
        done += ROUND;
        r->allows = NULL;
        coarsen_all(r);
        check(r, area);
        if (!tears)
            assert_same(r, base);
        weft_refined_destroy(base);
        weft_refined_destroy(r);
        weft_mesh_destroy(mesh);
    }
    assert_true(finest >= 8);
    free(x);
}

/* Raising the level by two triples the number of triangles. */
static void uniform_refinement_triples_triangles_every_two_levels(void **state) {
    (void)state;
    for (shape kind = SHEET; kind < SHAPES; kind++) {
        weft_mesh *mesh = make_shape(kind);
        weft_refined *r, *base;
        must(weft_refined_create(mesh, &r));
        must(weft_refined_create(mesh, &base));
        int32_t expected = r->triangle_count;
        double area = area_of(r);
        for (int32_t level = 2; level <= 8; level += 2) {
            for (int32_t t = 0; t < r->triangle_count; t++)
                while (weft_refined_level(r, t) < level)
                    assert_true(weft_refined_split(r, t));
            expected *= 3;
            assert_int_equal(r->triangle_count, expected);
            for (int32_t t = 0; t < r->triangle_count; t++)
                assert_int_equal(weft_refined_level(r, t), level);
            check(r, area);
        }
        check_mesh(r, mesh, area);
        coarsen_all(r);
        assert_same(r, base);
        weft_refined_destroy(base);
        weft_refined_destroy(r);
        weft_mesh_destroy(mesh);
    }
}

/* A line of opened edges across a sheet splits it in two. Only the vertices on the line are duplicated. */
static void opening_a_line_of_edges_splits_sheet(void **state) {
    (void)state;
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = 6;
    weft_mesh *quads, *mesh, *after;
    must(weft_mesh_create_grid(&grid, &quads));
    must(weft_mesh_triangulate(quads, &mesh));
    weft_refined *r;
    must(weft_refined_create(mesh, &r));
    double area = area_of(r);
    for (int j = 0; j < 6; j++) {
        int32_t a = j * 7 + 3, b = (j + 1) * 7 + 3, opened = 0;
        for (int32_t h = 0; h < 3 * r->triangle_count && !opened; h++)
            if (r->twin[h] != WEFT_NONE && weft_distance(r->position[r->origin[h]], mesh->position[a]) == 0 &&
                weft_distance(r->position[r->origin[weft_next(h)]], mesh->position[b]) == 0)
                opened = weft_refined_open(r, h);
        assert_true(opened);
        check(r, area);
    }
    assert_int_equal(r->vertex_count, 49 + 7);
    must(weft_refined_mesh(r, mesh, &after));
    const char *flaw = weft_mesh_flaw(after);
    if (flaw)
        fail_msg("%s", flaw);
    assert_int_equal(after->boundary_count, 2);
    weft_mesh_destroy(after);
    weft_refined_destroy(r);
    weft_mesh_destroy(mesh);
    weft_mesh_destroy(quads);
}

static void saved_surface_loads_unchanged(void **state) {
    (void)state;
    weft_mesh *mesh = make_shape(SEAMED);
    weft_refined *r, *base, *again;
    must(weft_refined_create(mesh, &r));
    must(weft_refined_create(mesh, &base));
    for (int i = 0; i < 60; i++)
        weft_refined_split(r, below(r->triangle_count));
    size_t size = weft_refined_size(r);
    unsigned char *bytes = malloc(size);
    weft_refined_save(r, bytes);
    must(weft_refined_load(base, bytes, size, &again));
    assert_same(again, r);
    coarsen_all(again);
    assert_same(again, base);
    weft_refined_destroy(again);
    assert_says(weft_refined_load(base, bytes, size - 1, &again), "bytes");
    assert_says(weft_refined_load(base, bytes, 3, &again), "at least");
    /* A damaged surface is refused, or it is valid. */
    for (int i = 0; i < 3000; i++) {
        size_t at = (size_t)below((int32_t)size);
        unsigned char kept = bytes[at];
        bytes[at] = (unsigned char)below(256);
        if (weft_refined_load(base, bytes, size, &again).code == WEFT_OK) {
            assert_null(weft_refined_flaw(again));
            weft_refined_destroy(again);
        }
        bytes[at] = kept;
    }
    free(bytes);
    weft_refined_destroy(base);
    weft_refined_destroy(r);
    weft_mesh_destroy(mesh);
}

/* Coarsens as far as possible. The counter ends the loop if vertices reappear forever. */
static void coarsen_damaged(weft_refined *r) {
    for (int32_t v = r->vertex_count - 1, left = 8 * r->vertex_count; v >= r->base_vertices; v--) {
        if (v < r->vertex_count && weft_refined_join(r, v))
            v = r->vertex_count;
        assert_true(left-- > 0 && r->vertex_count >= r->base_vertices && r->triangle_count >= r->base_triangles);
    }
}

/* The lineage of triangles decides which of three keeps its place. In a damaged surface none may do so, and coarsening
 * would search forever. Such a surface is refused, or it cannot be coarsened there. */
static void damaged_lineage_never_loops_forever(void **state) {
    (void)state;
    weft_mesh *mesh = make_shape(SEAMED);
    weft_refined *r, *base, *again;
    must(weft_refined_create(mesh, &base));
    must(weft_refined_create(mesh, &r));
    for (int i = 0; i < 60; i++)
        weft_refined_split(r, below(r->triangle_count));
    size_t size = weft_refined_size(r);
    unsigned char *bytes = malloc(size);
    int refused = 0, taken = 0;
    for (int i = 0; i < 4000; i++) {
        weft_refined *damaged;
        must(weft_refined_copy(r, &damaged));
        weft_lineage *l = &damaged->lineage[below(damaged->triangle_count)];
        int32_t v = damaged->base_vertices + below(damaged->vertex_count - damaged->base_vertices);
        switch (i % 4) {
        case 0:
            l->first ^= 1U << below(4);
            break;
        case 1:
            l->middle ^= 1U << below(4);
            break;
        case 2:
            l->generation += below(2) ? 1 : -1;
            break;
        default:
            damaged->birth[v] = (uint8_t)below(8);
        }
        weft_refined_save(damaged, bytes);
        weft_refined_destroy(damaged);
        if (weft_refined_load(base, bytes, size, &again).code != WEFT_OK) {
            refused++;
            continue;
        }
        taken++;
        coarsen_damaged(again);
        weft_refined_destroy(again);
    }
    print_message("%d refused, %d accepted\n", refused, taken);
    assert_true(refused > 2000 && taken > 100);
    free(bytes);
    weft_refined_destroy(base);
    weft_refined_destroy(r);
    weft_mesh_destroy(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_refinement_triples_triangles_every_two_levels),
        cmocka_unit_test(random_operations_are_reversible), cmocka_unit_test(opening_a_line_of_edges_splits_sheet),
        cmocka_unit_test(saved_surface_loads_unchanged), cmocka_unit_test(damaged_lineage_never_loops_forever)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
