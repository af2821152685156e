/* Sheets, inclines and checked steps for the tests of contact. */
#ifndef WEFT_TESTS_CONTACT_SUPPORT_H
#define WEFT_TESTS_CONTACT_SUPPORT_H

#include "support.h"

static const weft_vec3 X = {1, 0, 0}, Z = {0, 0, 1};

/* A square grid with sides along u and v. */
static inline weft_mesh *make_square(int cells, double size, weft_vec3 origin, weft_vec3 u, weft_vec3 v) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = grid.cells[1] = cells;
    grid.size[0] = grid.size[1] = size;
    grid.origin = origin;
    grid.axis[0] = u;
    grid.axis[1] = v;
    must(weft_mesh_create_grid(&grid, &mesh));
    return mesh;
}

static inline int64_t crossings(test_sim made) {
    weft_intersections found;
    must(weft_sim_intersections(made.sim, &found));
    return found.self + found.cloths + found.bodies;
}

/* Takes a step that must end without intersections. */
static inline weft_report checked_step(test_sim made, double dt) {
    weft_report report;
    must(weft_sim_step(made.sim, dt, &report));
    assert_int_equal(report.status, WEFT_STATUS_OK);
    assert_int_equal(report.contact.unresolved, 0);
    assert_int_equal(crossings(made), 0);
    return report;
}

/* Where a patch lies on an incline, 2 mm above it, and the direction up the slope. */
static inline weft_vec3 on_incline(double angle, weft_vec3 *along) {
    *along = weft_vec3_make(cos(angle), sin(angle), 0);
    return weft_scale(0.002, weft_vec3_make(-sin(angle), cos(angle), 0));
}

static inline void add_incline(test_sim made, double angle, double mu) {
    char text[64];
    must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
    snprintf(text, sizeof text, "[0, 0, %.17g]", angle);
    set(made, "bodies.plane.rotate", text);
    must(weft_sim_set_real(made.sim, "bodies.plane.friction", mu));
}

static inline void run_for(test_sim made, double time, double dt) {
    for (int k = 0; k < (int)(time / dt + 0.5); k++)
        step(made, dt);
}

/* A patch that slides down for `time` seconds gains the speed g (sin angle - mu cos angle) time. */
static inline void assert_slides_by_coulombs_law(test_sim made, double mu, double angle, double time, double dt) {
    weft_vec3 before = measure(made).momentum;
    run_for(made, time, dt);
    weft_measures after = measure(made);
    double expected = 9.81 * (sin(angle) - mu * cos(angle)) * time;
    assert_near(weft_length(weft_sub(after.momentum, before)) / after.mass, expected, 0.02 * expected);
}

#endif
