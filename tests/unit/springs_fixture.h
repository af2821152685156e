/* A cloth of the `springs` model for tests. */
#ifndef WEFT_TESTS_SPRINGS_FIXTURE_H
#define WEFT_TESTS_SPRINGS_FIXTURE_H

#include "cloth/springs/springs.h"
#include "core/memory.h"
#include "support.h"
#include "weft/vec.h"

typedef struct fixture {
    weft_mesh *mesh;
    weft_fabric fabric;
    double *mass, *area;
    weft_cloth cloth;
    weft_springs_settings settings;
    void *self;
    weft_springs *springs; /* the same pointer as `self` */
    weft_work work;
    weft_vec3 *x, *v, *f;
} fixture;

static inline const weft_model_functions *model(void) { return weft_springs_model.functions; }

static inline void ok(weft_result result) {
    if (result.code != WEFT_OK)
        fail_msg("%s", result.message);
}

/* Takes ownership of the mesh. Settings have default values, except that the stiffnesses are given. */
static inline fixture on_mesh(weft_mesh *mesh) {
    fixture s = {.mesh = mesh};
    size_t count = (size_t)mesh->vertex_count;
    weft_params_default(weft_springs_model.params, &s.settings);
    s.settings.source = WEFT_SPRINGS_GIVEN;
    s.settings.stiffness[WEFT_STRUCTURAL] = 100;
    s.settings.stiffness[WEFT_SHEAR] = 50;
    s.settings.stiffness[WEFT_FLEXION] = 10;
    s.fabric = (weft_fabric){
        .density = 0.2, .stretch_weft = 300, .stretch_warp = 200, .shear = 40, .bend_weft = 1e-6, .bend_warp = 2e-6};
    s.mass = calloc(count, sizeof *s.mass);
    s.area = calloc(count, sizeof *s.area);
    s.x = calloc(count, sizeof *s.x);
    s.v = calloc(count, sizeof *s.v);
    s.f = calloc(count, sizeof *s.f);
    weft_mesh_vertex_areas(mesh, mesh->position, s.area);
    for (size_t i = 0; i < count; i++)
        s.mass[i] = s.fabric.density * s.area[i];
    memcpy(s.x, mesh->position, count * sizeof *s.x);
    s.work = (weft_work){1, weft_arena_create()};
    return s;
}

static inline fixture on_grid(int64_t cells_x, int64_t cells_y, double spacing) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = cells_x;
    grid.cells[1] = cells_y;
    grid.size[0] = (double)cells_x * spacing;
    grid.size[1] = (double)cells_y * spacing;
    ok(weft_mesh_create_grid(&grid, &mesh));
    return on_mesh(mesh);
}

static inline void start(fixture *s) {
    s->cloth = (weft_cloth){.name = "test", .mesh = s->mesh, .fabric = &s->fabric, .mass = s->mass, .area = s->area};
    ok(model()->create(&s->settings, &s->cloth, &s->self));
    s->springs = s->self;
}

static inline void stop(fixture *s) {
    model()->destroy(s->self);
    weft_arena_destroy(s->work.arena);
    free(s->f);
    free(s->v);
    free(s->x);
    free(s->area);
    free(s->mass);
    weft_mesh_destroy(s->mesh);
}

/* Zeroed memory for `count` doubles. */
static inline double *doubles(int32_t count) { return calloc(count > 0 ? (size_t)count : 1, sizeof(double)); }

static inline double random_in(double low, double high, uint64_t counter) {
    return low + (high - low) * weft_random(7, counter);
}

/* Moves every vertex by up to `by` and gives it a velocity of up to 1 m/s. */
static inline void shake(fixture *s, double by) {
    for (int32_t i = 0; i < s->mesh->vertex_count; i++) {
        uint64_t n = 6 * (uint64_t)i;
        weft_vec3 d = {random_in(-by, by, n), random_in(-by, by, n + 1), random_in(-by, by, n + 2)};
        s->x[i] = weft_add(s->x[i], d);
        s->v[i] = (weft_vec3){random_in(-1, 1, n + 3), random_in(-1, 1, n + 4), random_in(-1, 1, n + 5)};
    }
}

static inline void forces(fixture *s) {
    memset(s->f, 0, (size_t)s->mesh->vertex_count * sizeof *s->f);
    model()->force(s->self, &s->work, s->x, s->v, s->f);
}

static inline double energy(fixture *s) { return model()->energy(s->self, &s->work, s->x); }

static inline int count_links(const fixture *s, int type, int broken) {
    int count = 0;
    for (int32_t i = 0; i < model()->link_count(s->self); i++) {
        weft_link link = model()->link_at(s->self, i);
        count += link.type == type && (link.stiffness > 0) != broken;
    }
    return count;
}

/* A vertex surrounded by a ring of `count` others. */
static inline weft_mesh *make_fan(int32_t count) {
    weft_vec3 *position = calloc((size_t)count + 1, sizeof *position);
    int32_t *corner = calloc(3 * (size_t)count, sizeof *corner), *size = calloc((size_t)count, sizeof *size);
    for (int32_t i = 0; i < count; i++) {
        double angle = 2 * 3.14159265358979323846 * i / count;
        position[i + 1] = (weft_vec3){cos(angle), sin(angle), 0};
        corner[3 * i + 1] = i + 1;
        corner[3 * i + 2] = (i + 1) % count + 1;
        size[i] = 3;
    }
    weft_polygons polygons = {.name = "fan",
                              .position = position,
                              .vertex_count = count + 1,
                              .corner = corner,
                              .corner_count = 3 * (int64_t)count,
                              .face_size = size,
                              .face_count = count};
    weft_mesh *mesh;
    ok(weft_mesh_create(&polygons, &mesh));
    free(size);
    free(corner);
    free(position);
    return mesh;
}

#endif
