/* Small scenes for tests, built through the public API. */
#ifndef WEFT_TESTS_SUPPORT_H
#define WEFT_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "weft/weft.h"

/* Sanitizers make programs five to ten times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Whether tests run at full size: make test-all sets WEFT_TEST_FULL=1. */
static inline int test_is_full(void) {
    const char *asked = getenv("WEFT_TEST_FULL");
    return asked && strcmp(asked, "1") == 0;
}

/* Of many like cases run each `usual`, and under the sanitizers each `sanitized`; in a full test run all. */
static inline int test_every(int usual, int sanitized) {
    if (test_is_full())
        return 1;
    return SANITIZED ? sanitized : usual;
}

static inline void must(weft_result result) {
    if (result.code != WEFT_OK)
        fail_msg("%s", result.message);
}

/* Returns the message of a failure. Fails the test if the result is a success. */
static inline const char *refusal(weft_result result) {
    static char message[508];
    if (result.code == WEFT_OK)
        fail_msg("expected a failure, but the call succeeded");
    snprintf(message, sizeof message, "%s", result.message);
    return message;
}

#define assert_says(result, excerpt)                                                                                   \
    do {                                                                                                               \
        const char *said = refusal(result);                                                                            \
        if (!strstr(said, excerpt))                                                                                    \
            fail_msg("'%s' does not contain '%s'", said, excerpt);                                                     \
    } while (0)

/* With WEFT_FIGURES=1 in the environment, tests print the values they compare, so that they can be checked against
 * theory. */
static inline int figures_are_asked_for(void) {
    static int asked = -1;
    return asked = asked < 0 ? getenv("WEFT_FIGURES") != NULL : asked;
}

#define assert_near(a, b, tolerance)                                                                                   \
    do {                                                                                                               \
        double near_a = (a), near_b = (b);                                                                             \
        if (figures_are_asked_for())                                                                                   \
            print_message("%s: %.9g, expected %.9g within %.2g\n", #a, near_a, near_b, (double)(tolerance));           \
        if (!(fabs(near_a - near_b) <= (tolerance)))                                                                   \
            fail_msg("%s: %.17g is not %.17g within %g", #a, near_a, near_b, (double)(tolerance));                     \
    } while (0)

#define assert_below(a, bound)                                                                                         \
    do {                                                                                                               \
        double below_a = (a), below_bound = (bound);                                                                   \
        if (figures_are_asked_for())                                                                                   \
            print_message("%s: %.9g, expected below %.9g\n", #a, below_a, below_bound);                                \
        if (!(below_a < below_bound))                                                                                  \
            fail_msg("%s: %.17g is not below %.17g", #a, below_a, below_bound);                                        \
    } while (0)

static inline weft_mesh *make_tetrahedron(const weft_vec3 position[4]) {
    static const int32_t CORNER[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0}, SIZE[] = {3, 3, 3, 3};
    weft_mesh *mesh;
    weft_polygons polygons = {.position = position,
                              .vertex_count = 4,
                              .corner = CORNER,
                              .corner_count = 12,
                              .face_size = SIZE,
                              .face_count = 4};
    must(weft_mesh_create(&polygons, &mesh));
    return mesh;
}

typedef struct test_sim {
    weft_registry *registry;
    weft_sim *sim;
} test_sim;

/* Settings for tests of single parts, which need no fabric: symplectic Euler, contact at 2 mm without self-collision,
 * no forces. */
static inline void plain_sim(weft_sim *sim) {
    must(weft_sim_remove_force(sim, 0));
    must(weft_sim_set_integrator(sim, "symplectic-euler"));
    must(weft_sim_set(sim, "contact.self", "false"));
    must(weft_sim_set(sim, "contact.thickness", "2 mm"));
}

/* Gives the last cloth the same simple stiffnesses whatever its fabric, if its model has such settings. */
static inline void plain_model(weft_sim *sim) {
    static const char *const SETTINGS[][3] = {
        {"springs", "stiffness", "given"},
        {"springs", "structural_stiffness", "100"},
        {"springs", "shear_stiffness", "50"},
        {"springs", "flexion_stiffness", "10"},
        {"buckling", "stiffness", "given"},
        {"buckling", "stretch", "100"},
        {"buckling", "shear", "50"},
        {"buckling", "flexion", "1e-7"},
        {"buckling", "flexion_triangles", "5e-6"},
    };
    int32_t cloth = weft_sim_cloth_count(sim) - 1;
    for (size_t i = 0; i < sizeof SETTINGS / sizeof SETTINGS[0]; i++) {
        char path[96];
        snprintf(path, sizeof path, "cloth.%d.model.%s", cloth, SETTINGS[i][1]);
        if (strcmp(weft_sim_model_name(sim, cloth), SETTINGS[i][0]) == 0)
            must(weft_sim_set(sim, path, SETTINGS[i][2]));
    }
}

/* A grid of springs in the plane z = 0, hanging from y = 0, without forces. */
static inline test_sim make_sheet(int64_t columns, int64_t rows, double width, double height, const char *integrator) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = columns;
    grid.cells[1] = rows;
    grid.size[0] = width;
    grid.size[1] = height;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric;
    weft_params_default(weft_fabric_params(), &fabric);
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &fabric, "springs", NULL));
    plain_model(made.sim);
    must(weft_sim_set_integrator(made.sim, integrator));
    must(weft_sim_set(made.sim, "cloth.model.damping", "0"));
    weft_sim_set_threads(made.sim, 1);
    return made;
}

static inline void set(test_sim made, const char *path, const char *value) {
    must(weft_sim_set(made.sim, path, value));
}

static inline void pin(test_sim made, const weft_select *select) {
    int32_t count, vertices[4096];
    weft_pin still = weft_pin_default();
    must(weft_sim_prepare(made.sim));
    must(weft_sim_select(made.sim, 0, select, vertices, &count));
    must(weft_sim_add_pin(made.sim, 0, &still, vertices, count));
}

/* An empty simulation with one thread. */
static inline test_sim start_with(const char *integrator) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    must(weft_sim_set_integrator(made.sim, integrator));
    weft_sim_set_threads(made.sim, 1);
    return made;
}

static inline void step(test_sim made, double dt) {
    weft_report report;
    must(weft_sim_step(made.sim, dt, &report));
    assert_int_equal(report.status, WEFT_STATUS_OK);
}

/* A step that may fail numerically. */
static inline void try_step(test_sim made, double dt, weft_report *report) {
    weft_result result = weft_sim_step(made.sim, dt, report);
    if (result.code != WEFT_DIVERGED && result.code != WEFT_INTERSECTS)
        must(result);
    assert_int_equal(result.code == WEFT_OK, report->status == WEFT_STATUS_OK);
}

static inline weft_measures measure(test_sim made) {
    weft_measures measures;
    must(weft_sim_measure(made.sim, &measures));
    return measures;
}

static inline void destroy(test_sim made) {
    weft_sim_destroy(made.sim);
    weft_registry_destroy(made.registry);
}

#endif
