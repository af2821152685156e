/* Impacts of cloth on cloth are inelastic. Layers that meet stay together and keep their common motion. */
#include "support.h"

static const weft_vec3 X = {1, 0, 0}, Z = {0, 0, 1};

enum { CELLS = 8, VERTICES = (CELLS + 1) * (CELLS + 1) };

static test_sim start(const char *integrator) {
    test_sim made = start_with(integrator);
    set(made, "contact.self", "true");
    return made;
}

static void add_sheet(test_sim made, const char *name, weft_vec3 origin, weft_vec3 velocity) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = CELLS;
    grid.size[0] = grid.size[1] = 0.4;
    grid.origin = origin;
    grid.axis[0] = X;
    grid.axis[1] = Z;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    int32_t index;
    must(weft_sim_add_cloth(made.sim, name, mesh, &fabric, "springs", &index));
    plain_model(made.sim);
    must(weft_sim_set_velocity(made.sim, index, velocity));
}

/* Velocity of the centre of mass. A boundary vertex has half the mass of an inner vertex, a corner a quarter. */
static weft_vec3 velocity_of(test_sim made, int32_t cloth) {
    weft_vec3 sum = {0, 0, 0};
    double mass = 0;
    for (int32_t i = 0; i < VERTICES; i++) {
        int32_t column = i % (CELLS + 1), row = i / (CELLS + 1);
        double share = (column % CELLS == 0 ? 0.5 : 1) * (row % CELLS == 0 ? 0.5 : 1);
        sum = weft_add_scaled(sum, share, weft_sim_velocities(made.sim, cloth)[i]);
        mass += share;
    }
    return weft_scale(1 / mass, sum);
}

/* Two equal sheets approach at `speed` each and meet after some steps, on top of a common motion. */
static void meet(const char *integrator, const char *method, double speed, double steps, weft_vec3 shift) {
    const weft_vec3 common = {0.3, 0.5, -0.2};
    test_sim made = start(integrator);
    set(made, "contact.method", "constraints"); /* in such short steps the barrier is elastic */
    set(made, "contact.layers", method);
    int exact = strcmp(integrator, "projective") != 0; /* the iterations of `projective` also damp the common motion */
    if (exact)
        set(made, "integrator.tolerance", "1e-8");
    add_sheet(made, "lower", weft_vec3_make(0, 0, 0), weft_add(common, weft_vec3_make(0, speed, 0)));
    add_sheet(made, "upper", shift, weft_add(common, weft_vec3_make(0, -speed, 0)));
    weft_measures before = measure(made);
    int32_t touched = 0;
    double dt = shift.y / (2 * speed) / steps; /* s */
    for (int i = 0; i < 40; i++) {
        weft_report report;
        must(weft_sim_step(made.sim, dt, &report));
        assert_int_equal(report.status, WEFT_STATUS_OK);
        touched += report.contact.impulses + report.contact.contacts;
        if (i < 13)
            continue;
        /* the relative motion, with half the mass of one sheet */
        weft_vec3 apart = weft_sub(velocity_of(made, 0), velocity_of(made, 1));
        assert_true(weft_dot(apart, apart) < 0.01 * 4 * speed * speed);
        /* all motion except the common one: two sides of each sheet, 1/8 of it, extend beyond the other */
        double shared = 0.5 * before.mass * weft_dot(common, common);
        assert_true(measure(made).kinetic - shared < 0.125 * (before.kinetic - shared));
        weft_vec3 mean = weft_scale(1 / before.mass, measure(made).momentum);
        assert_near(weft_distance(mean, common), 0, (exact ? 1e-6 : 0.01) * speed);
    }
    assert_true(touched > 0);
    destroy(made);
}

static void meeting_layers_stay_together(void **state) {
    (void)state;
    static const char *const INTEGRATORS[] = {"implicit-euler", "implicit-euler", "bdf2", "projective"};
    static const weft_vec3 SHIFTS[] = {{0.01, 0.05, 0.02}, {0.02, 0.05, 0.02}, {0, 0.05, 0.01}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 12; k++) {
            /* within the thickness at the start of that step, or not */
            double speed = k % 2 ? 30 : 3, steps = k / 2 % 2 ? 12.2 : 12.8;
            meet(INTEGRATORS[i], i == 0 ? "impulse" : "constraint", speed, steps, SHIFTS[k / 4]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meeting_layers_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
