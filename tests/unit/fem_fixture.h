/* Triangles, sheets and random states for the tests of the corotational model. */
#ifndef WEFT_TESTS_FEM_FIXTURE_H
#define WEFT_TESTS_FEM_FIXTURE_H

#include "cloth/corotational/corotational.h"
#include "core/memory.h"
#include "support.h"
#include "weft/vec.h"

typedef struct cloth_test {
    weft_mesh *mesh;
    weft_fabric fabric;
    double *mass, *area;
    weft_cloth cloth;
    weft_corotational_settings settings;
    void *self;
    weft_corotational *c; /* the same pointer as `self` */
    weft_work work;
    weft_vec3 *x, *v, *f;
} cloth_test;

static inline const weft_model_functions *fem(void) { return weft_corotational_model.functions; }

/* Strongly orthotropic, without damping. */
static inline weft_fabric woven(void) {
    return (weft_fabric){.density = 0.2,
                         .thickness = 1e-3,
                         .stretch_weft = 300,
                         .stretch_warp = 900,
                         .shear = 40,
                         .poisson_weft = 0.1,
                         .poisson_warp = 0.3,
                         .bend_weft = 1e-4,
                         .bend_warp = 3e-4};
}

static inline double random_in(double low, double high, uint64_t counter) {
    return low + (high - low) * weft_random(11, counter);
}

static inline weft_vec3 random_vector(double by, uint64_t counter) {
    return (weft_vec3){random_in(-by, by, 3 * counter), random_in(-by, by, 3 * counter + 1),
                       random_in(-by, by, 3 * counter + 2)};
}

static inline weft_vec3 *vectors(int32_t count) { return calloc(count > 0 ? (size_t)count : 1, sizeof(weft_vec3)); }

/* Takes ownership of the mesh. Settings have default values and may be changed before start(). */
static inline cloth_test on_mesh(weft_mesh *mesh) {
    cloth_test s = {.mesh = mesh, .fabric = woven()};
    size_t count = (size_t)mesh->vertex_count;
    weft_params_default(weft_corotational_model.params, &s.settings);
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

static inline weft_mesh *grid_mesh(int64_t across, int64_t down, double width, double height,
                                   weft_diagonals diagonals) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = across;
    grid.cells[1] = down;
    grid.size[0] = width;
    grid.size[1] = height;
    grid.diagonals = diagonals;
    must(weft_mesh_create_grid(&grid, &mesh));
    return mesh;
}

/* A rectangle of triangles with random diagonals. Inner vertices are moved by up to `jitter` cells. With `pattern`, the
 * mesh keeps rest coordinates. i runs along x, j along y. */
static inline weft_mesh *random_mesh(int32_t across, int32_t down, double width, double height, double jitter,
                                     int pattern) {
    int32_t row = across + 1, vertices = row * (down + 1), faces = 2 * across * down;
    weft_vec3 *position = calloc((size_t)vertices, sizeof *position);
    int32_t *corner = calloc(3 * (size_t)faces, sizeof *corner), *size = calloc((size_t)faces, sizeof *size);
    weft_vec2 *uv = calloc(3 * (size_t)faces, sizeof *uv);
    for (int32_t j = 0; j <= down; j++)
        for (int32_t i = 0; i <= across; i++) {
            int inner = i > 0 && j > 0 && i < across && j < down;
            uint64_t n = (uint64_t)(j * row + i);
            double dx = inner ? random_in(-jitter, jitter, 2 * n + 100000) : 0;
            double dy = inner ? random_in(-jitter, jitter, 2 * n + 100001) : 0;
            position[j * row + i] = (weft_vec3){(i + dx) * width / across, (j + dy) * height / down, 0};
        }
    for (int32_t cell = 0; cell < across * down; cell++) {
        int32_t a = cell / across * row + cell % across, q[4] = {a, a + 1, a + row + 1, a + row};
        int from = weft_random(5, (uint64_t)cell) < 0.5;
        for (int half = 0; half < 2; half++)
            for (int k = 0; k < 3; k++)
                corner[6 * cell + 3 * half + k] = q[(from + 2 * half + k) % 4];
    }
    for (int32_t k = 0; k < 3 * faces; k++) {
        size[k / 3] = 3;
        uv[k] = (weft_vec2){position[corner[k]].x, position[corner[k]].y};
    }
    weft_polygons polygons = {.name = "random",
                              .position = position,
                              .vertex_count = vertices,
                              .corner = corner,
                              .corner_count = 3 * (int64_t)faces,
                              .face_size = size,
                              .face_count = faces,
                              .corner_uv = pattern ? uv : NULL};
    weft_mesh *mesh;
    must(weft_mesh_create(&polygons, &mesh));
    free(uv);
    free(size);
    free(corner);
    free(position);
    return mesh;
}

static inline void start(cloth_test *s) {
    s->cloth = (weft_cloth){.name = "test", .mesh = s->mesh, .fabric = &s->fabric, .mass = s->mass, .area = s->area};
    must(fem()->create(&s->settings, &s->cloth, &s->self));
    s->c = s->self;
}

static inline void stop(cloth_test *s) {
    fem()->destroy(s->self);
    weft_arena_destroy(s->work.arena);
    free(s->f);
    free(s->v);
    free(s->x);
    free(s->area);
    free(s->mass);
    weft_mesh_destroy(s->mesh);
}

static inline void shake(cloth_test *s, double by) {
    for (int32_t i = 0; i < s->mesh->vertex_count; i++)
        s->x[i] = weft_add(s->x[i], random_vector(by, (uint64_t)i));
}

static inline void forces(cloth_test *s) {
    memset(s->f, 0, (size_t)s->mesh->vertex_count * sizeof *s->f);
    fem()->force(s->self, &s->work, s->x, s->v, s->f);
}

static inline double energy(cloth_test *s) { return fem()->energy(s->self, &s->work, s->x); }

static inline double largest(const weft_vec3 *f, int32_t count) {
    double most = 0;
    for (int32_t i = 0; i < count; i++)
        most = fmax(most, weft_length(f[i]));
    return most;
}

/* Rotates about an axis that is not aligned with any coordinate axis. */
static inline weft_vec3 turned(weft_vec3 p, double angle) {
    weft_vec3 k = weft_normalize((weft_vec3){1, -2, 0.5});
    weft_vec3 c = weft_cross(k, p);
    return weft_add(weft_add_scaled(weft_scale(cos(angle), p), sin(angle), c),
                    weft_scale((1 - cos(angle)) * weft_dot(k, p), k));
}

static const weft_vec2 CORNER[3] = {{0.1, 0.2}, {1.3, 0.4}, {0.5, 1.1}};

/* A triangle with the rest corners CORNER, moved by up to `by` and rotated. */
static inline void random_triangle(uint64_t seed, double by, weft_vec3 p[3]) {
    for (int k = 0; k < 3; k++) {
        weft_vec3 rest = {CORNER[k].x, CORNER[k].y, 0};
        p[k] = turned(weft_add(rest, random_vector(by, 100 * seed + (uint64_t)k)), (double)seed);
    }
}

/* The largest difference between the forces and central differences of the energy, relative to the largest force. */
static inline double force_error(cloth_test *s, double h) {
    double worst = 0;
    forces(s);
    double scale = largest(s->f, s->mesh->vertex_count);
    for (int32_t i = 0; i < s->mesh->vertex_count; i++) {
        double *at = &s->x[i].x, difference[3];
        for (int k = 0; k < 3; k++) {
            double x = at[k];
            at[k] = x + h;
            double up = energy(s);
            at[k] = x - h;
            difference[k] = (energy(s) - up) / (2 * h);
            at[k] = x;
        }
        weft_vec3 d = {difference[0], difference[1], difference[2]};
        worst = fmax(worst, weft_distance(d, s->f[i]) / scale);
    }
    return worst;
}

/* Builds a symmetric element matrix (3 x arity rows) from its off-diagonal blocks. The diagonal blocks follow from
 * translation invariance. */
static inline void whole_matrix(int arity, const double *blocks, double *m) {
    int n = 3 * arity, pair = 0;
    memset(m, 0, sizeof(double) * (size_t)(n * n));
    for (int a = 0; a < arity; a++)
        for (int b = a + 1; b < arity; b++, pair++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) {
                    double value = blocks[9 * pair + 3 * r + c];
                    m[(3 * a + r) * n + 3 * b + c] += value;
                    m[(3 * b + c) * n + 3 * a + r] += value;
                    m[(3 * a + r) * n + 3 * a + c] -= value;
                    m[(3 * b + c) * n + 3 * b + r] -= value;
                }
}

/* Returns the smallest eigenvalue divided by the largest in magnitude, by Jacobi's method. Symmetrises the matrix
 * first. */
static inline double least_eigenvalue(int n, double *m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            m[i * n + j] = m[j * n + i] = 0.5 * (m[i * n + j] + m[j * n + i]);
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (fabs(m[p * n + q]) < 1e-300)
                    continue;
                double angle = 0.5 * atan2(2 * m[p * n + q], m[q * n + q] - m[p * n + p]), c = cos(angle),
                       s = sin(angle);
                for (int k = 0; k < n; k++) {
                    double u = m[k * n + p], w = m[k * n + q];
                    m[k * n + p] = c * u - s * w;
                    m[k * n + q] = s * u + c * w;
                }
                for (int k = 0; k < n; k++) {
                    double u = m[p * n + k], w = m[q * n + k];
                    m[p * n + k] = c * u - s * w;
                    m[q * n + k] = s * u + c * w;
                }
            }
    double low = m[0], high = fabs(m[0]);
    for (int i = 1; i < n; i++) {
        low = fmin(low, m[i * n + i]);
        high = fmax(high, fabs(m[i * n + i]));
    }
    return high > 0 ? low / high : 0;
}

#endif
