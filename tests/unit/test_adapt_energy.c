/* Adaptation keeps the energy of a cloth within its bound, also if the fabric varies over the cloth. */
#include "support.h"
#include "weft/vec.h"

enum { CELLS = 12, VERTICES = (CELLS + 1) * (CELLS + 1), EVERY = 2 };

typedef struct fabric_case {
    const char *model, *stiffness;
    int map; /* WEFT_MAP_COUNT: none */
    double factor;
    const char *angle;
    int steps;
} fabric_case;

/* A sheet held at two corners that a wind folds over a ball. The map is 1 on one side and rises linearly to `factor` on
 * the other. */
static test_sim make(const fabric_case *c) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_sim *sim = made.sim;
    weft_sim_set_threads(sim, 1);
    weft_grid grid = weft_grid_default();
    grid.cells[0] = grid.cells[1] = CELLS;
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    must(weft_sim_add_cloth(sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, c->model, NULL));
    plain_model(sim);
    if (c->stiffness)
        must(weft_sim_set(sim, "cloth.model.stiffness", c->stiffness));
    if (c->angle)
        must(weft_sim_set(sim, "cloth.model.angle", c->angle));
    if (c->map < WEFT_MAP_COUNT) {
        double value[VERTICES];
        for (int32_t v = 0; v < VERTICES; v++)
            value[v] = 1 + (c->factor - 1) * (v % (CELLS + 1)) / CELLS;
        must(weft_sim_set_map(sim, 0, (weft_map)c->map, value, VERTICES));
    }
    must(weft_sim_add_force(sim, "gravity", NULL));
    must(weft_sim_add_force(sim, "wind", NULL));
    must(weft_sim_set(sim, "forces.wind.speed", "3"));
    must(weft_sim_set(sim, "forces.wind.direction", "[0.3, 1, 0.2]"));
    must(weft_sim_set(sim, "forces.wind.randomness", "1"));
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    must(weft_sim_add_body(sim, "sphere", NULL, NULL));
    must(weft_sim_set(sim, "bodies.sphere.segments", "24"));
    must(weft_sim_set(sim, "bodies.sphere.radius", "0.2"));
    must(weft_sim_set(sim, "bodies.sphere.at", "[0.5, -0.25, 0.5]"));
    must(weft_sim_set_adapt(sim, "sqrt3"));
    must(weft_sim_set(sim, "adapt.refine", "[0.5, 4]"));
    must(weft_sim_set(sim, "adapt.max_generation", "4"));
    must(weft_sim_set(sim, "adapt.every", "1000000"));
    weft_pin pin = weft_pin_default();
    must(weft_sim_add_pin(sim, 0, &pin, (int32_t[]){0, CELLS}, 2));
    return made;
}

/* Kinetic and elastic energy as reported by the model, and potential energy above the lowest point. */
static double energy(weft_sim *sim) {
    weft_measures m;
    must(weft_sim_measure(sim, &m));
    double lowest = HUGE_VAL;
    for (int32_t v = 0; v < weft_sim_cloth(sim, 0)->mesh->vertex_count; v++)
        lowest = fmin(lowest, weft_sim_positions(sim, 0)[v].y);
    return m.kinetic + m.elastic + m.potential - 9.81 * m.mass * lowest;
}

static double take_step(weft_sim *sim, weft_adapt_report *sum) {
    weft_report report;
    int32_t count = weft_sim_cloth(sim, 0)->mesh->vertex_count;
    must(weft_sim_step(sim, 0.005, &report));
    assert_int_equal(report.status, WEFT_STATUS_OK);
    assert_int_equal(weft_sim_cloth(sim, 0)->mesh->vertex_count, count + report.adapt.inserted - report.adapt.removed);
    sum->inserted += report.adapt.inserted;
    sum->removed += report.adapt.removed;
    return energy(sim);
}

/* Takes every second step twice: without adaptation, then with it. */
static double largest_jump(const fabric_case *c, weft_adapt_report *sum) {
    test_sim made = make(c);
    double worst = 0;
    for (int i = 0; i < c->steps; i += EVERY) {
        weft_adapt_report none = {0};
        take_step(made.sim, &none);
        size_t size = weft_sim_snapshot_size(made.sim);
        char *bytes = malloc(size);
        weft_sim_snapshot(made.sim, bytes);
        double without = take_step(made.sim, &none);
        must(weft_sim_restore(made.sim, bytes, size));
        must(weft_sim_set(made.sim, "adapt.every", "2"));
        double with = take_step(made.sim, sum);
        must(weft_sim_set(made.sim, "adapt.every", "1000000"));
        worst = fmax(worst, fabs(with - without) / without);
        free(bytes);
    }
    print_message("%s%s%s %s %g%s%s: %d inserted, %d removed, %d triangles, largest jump %.3g %%\n", c->model,
                  c->stiffness ? " by " : "", c->stiffness ? c->stiffness : "",
                  c->map < WEFT_MAP_COUNT ? weft_map_params()[c->map].name : "no map", c->factor,
                  c->angle ? ", angle " : "", c->angle ? c->angle : "", sum->inserted, sum->removed,
                  weft_sim_cloth(made.sim, 0)->mesh->triangle_count, 100 * worst);
    destroy(made);
    return worst;
}

static void adaptation_changes_energy_by_less_than_one_thousandth(void **state) {
    (void)state;
    static const struct {
        int map;
        double factor;
    } MAPS[] = {{WEFT_MAP_COUNT, 1}, {WEFT_MAP_BEND, 20}, {WEFT_MAP_DENSITY, 5}, {WEFT_MAP_STRETCH, 10}};
    static const struct {
        const char *model, *stiffness, *angle;
        int steps; /* until the sheet lies on the ball or has been refined */
    } MODELS[] = {{"corotational", NULL, NULL, 56},
                  {"corotational", NULL, "45 deg", 56},
                  {"buckling", "fabric", NULL, 80},
                  {"buckling", "given", NULL, 56}};
    int one = SANITIZED && !test_is_full(); /* one map per model covers every code path */
    for (int k = 0; k < 4; k++)
        for (int m = one ? k : 0; m < (one ? k + 1 : 4); m++) {
            fabric_case c = {MODELS[k].model, MODELS[k].stiffness, MAPS[m].map,
                             MAPS[m].factor,  MODELS[k].angle,     MODELS[k].steps};
            weft_adapt_report sum = {0};
            double worst = largest_jump(&c, &sum);
            assert_true(sum.inserted > 20);
            assert_true(worst < 1e-3);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(adaptation_changes_energy_by_less_than_one_thousandth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
