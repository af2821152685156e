/* Cloths of the `buckling` model for its tests, without a simulation. */
#ifndef WEFT_TESTS_BUCKLING_SUPPORT_H
#define WEFT_TESTS_BUCKLING_SUPPORT_H

#include "cloth/buckling/buckling.h"
#include "support.h"
#include "weft/vec.h"

#define PI 3.14159265358979323846

enum { MOST = 2048 };

static inline const weft_model_functions *functions(void) { return weft_buckling_model.functions; }

typedef struct cloth_of {
    weft_mesh *mesh;
    weft_fabric fabric;
    weft_buckling_settings settings;
    weft_cloth cloth;
    void *self;
} cloth_of;

static inline weft_work one_thread(void) { return (weft_work){1, NULL}; }

static inline cloth_of make_cloth(weft_mesh *mesh) {
    cloth_of made = {.mesh = mesh};
    weft_params_default(weft_fabric_params(), &made.fabric);
    weft_params_default(weft_buckling_model.params, &made.settings);
    made.settings.source = WEFT_SPRINGS_GIVEN;
    made.settings.stretch = 100;
    made.settings.shear = 50;
    made.settings.flexion = 1e-7;
    made.settings.flexion_triangles = 5e-6;
    return made;
}

static inline void create(cloth_of *made) {
    made->cloth = (weft_cloth){.name = "sheet", .mesh = made->mesh, .fabric = &made->fabric};
    must(functions()->create(&made->settings, &made->cloth, &made->self));
}

static inline void destroy_cloth(cloth_of *made) {
    functions()->destroy(made->self);
    weft_mesh_destroy(made->mesh);
}

static inline weft_mesh *grid_mesh(int columns, int rows, double width, double height) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = columns;
    grid.cells[1] = rows;
    grid.size[0] = width;
    grid.size[1] = height;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    return mesh;
}

/* A mesh of equilateral triangles with `columns` x `rows` vertices. */
static inline weft_mesh *triangle_mesh(int columns, int rows, double side) {
    static weft_vec3 position[MOST];
    static int32_t corner[6 * MOST], size[2 * MOST];
    int32_t corners = 0, faces = 0;
    assert_true(columns * rows <= MOST);
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++)
            position[j * columns + i] = weft_vec3_make((i + 0.5 * (j & 1)) * side, j * side * sqrt(0.75), 0);
    for (int j = 0; j + 1 < rows; j++)
        for (int i = 0; i + 1 < columns; i++) {
            int32_t a = j * columns + i, b = a + 1, c = a + columns, d = c + 1;
            const int32_t even[6] = {a, b, c, b, d, c}, odd[6] = {a, b, d, a, d, c};
            memcpy(corner + corners, j & 1 ? odd : even, sizeof even);
            corners += 6;
            size[faces++] = 3;
            size[faces++] = 3;
        }
    weft_polygons polygons = {.name = "triangles",
                              .position = position,
                              .vertex_count = columns * rows,
                              .corner = corner,
                              .corner_count = corners,
                              .face_size = size,
                              .face_count = faces};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

/* A tube of four quads around and three along, with a cap of triangles, so that quads and triangles share edges. */
static inline weft_mesh *tube_mesh(double side) {
    weft_vec3 position[17];
    int32_t corner[4 * 12 + 3 * 4], size[16], *next = corner;
    for (int i = 0; i < 16; i++)
        position[i] =
            weft_vec3_make(side * cos(i * PI / 2) / sqrt(2), side * sin(i * PI / 2) / sqrt(2), side * (i / 4));
    position[16] = weft_vec3_make(0, 0, 3.5 * side);
    for (int i = 0; i < 16; i++) {
        int32_t a = i, b = i / 4 * 4 + (i + 1) % 4;
        *next++ = a;
        *next++ = b;
        *next++ = i < 12 ? b + 4 : 16;
        if (i < 12)
            *next++ = a + 4;
        size[i] = i < 12 ? 4 : 3;
    }
    weft_polygons polygons = {.name = "tube",
                              .position = position,
                              .vertex_count = 17,
                              .corner = corner,
                              .corner_count = next - corner,
                              .face_size = size,
                              .face_count = 16};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

static inline weft_vec3 random_vector(uint64_t seed, uint64_t counter, double size) {
    return weft_vec3_make(size * (2 * weft_random(seed, 3 * counter) - 1),
                          size * (2 * weft_random(seed, 3 * counter + 1) - 1),
                          size * (2 * weft_random(seed, 3 * counter + 2) - 1));
}

/* Scales the mesh by `scale`, then moves each vertex by up to `noise` m. */
static inline void crumple(const weft_mesh *mesh, uint64_t seed, double scale, double noise, weft_vec3 *x) {
    for (int32_t i = 0; i < mesh->vertex_count; i++)
        x[i] = weft_add(weft_scale(scale, mesh->position[i]), random_vector(seed, (uint64_t)i, noise));
}

static inline double energy(const cloth_of *c, const weft_vec3 *x) {
    weft_work work = one_thread();
    return functions()->energy(c->self, &work, x);
}

static inline void force(const cloth_of *c, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    weft_work work = one_thread();
    memset(f, 0, (size_t)c->mesh->vertex_count * sizeof *f);
    functions()->force(c->self, &work, x, v, f);
}

#endif
