/* Cloth with self-collision that is cut or torn while it moves, and the times of cuts. */
#include "sim/internal.h"
#include "support.h"
#include "weft/vec.h"

static const char *const MODELS[] = {"corotational", "buckling"};
static const char *const INTEGRATORS[] = {"implicit-euler", "bdf2"};

typedef struct sheet {
    int64_t cells;
    const char *model, *integrator;
    double tear;
    int pulled; /* at both sides; otherwise held at the top */
    int adapts;
} sheet;

/* A square of side 1 m in the plane z = 0, from (0, 0) to (1, -1), in wind. */
static test_sim make(const sheet *s) {
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_grid grid = weft_grid_default();
    int64_t cells = grid.cells[0] = grid.cells[1] = s->cells;
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    fabric.stretch_weft = fabric.stretch_warp = 1000;
    fabric.shear = 200;
    fabric.poisson_weft = fabric.poisson_warp = 0;
    fabric.bend_weft = fabric.bend_warp = 2e-6;
    fabric.damping = 2e-3;
    fabric.tear_weft = fabric.tear_warp = s->tear;
    fabric.tear_zone = 0.05;
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &fabric, s->model, NULL));
    plain_model(made.sim);
    if (strcmp(s->model, "buckling") == 0)
        must(weft_sim_set(made.sim, "cloth.model.stiffness", "fabric"));
    must(weft_sim_set_integrator(made.sim, s->integrator));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "wind", NULL));
    set(made, "forces.wind.direction", "[0.2, 0.1, 1]");
    set(made, "contact.self", "true");
    if (s->adapts) {
        must(weft_sim_set_adapt(made.sim, "sqrt3"));
        set(made, "adapt.max_generation", "2");
        set(made, "adapt.refine", "[2, 15]");
        set(made, "adapt.strain", "60");
        set(made, "adapt.contact", "10");
    }
    int32_t *side = malloc((size_t)(cells + 1) * sizeof *side);
    for (int k = 0; k < (s->pulled ? 2 : 1); k++) {
        weft_key keys[2] = {{0, {0, 0, 0}, 0}, {2, {k ? 0.1 : -0.1, 0, 0}, 0}};
        weft_pin pin = weft_pin_default();
        pin.release = s->pulled ? 1.4 : HUGE_VAL;
        pin.key = keys;
        pin.key_count = s->pulled ? 2 : 0;
        for (int32_t j = 0; j <= cells; j++)
            side[j] = s->pulled ? (int32_t)(j * (cells + 1) + k * cells) : j;
        must(weft_sim_add_pin(made.sim, 0, &pin, side, (int32_t)cells + 1));
    }
    free(side);
    return made;
}

/* Returns the number of edges opened in these steps. An intersection persists, so checking every fourth step is
 * enough. */
static int32_t run(test_sim made, int steps, double dt) {
    int32_t torn = 0;
    for (int i = 0; i < steps; i++) {
        weft_report report;
        weft_intersections found;
        must(weft_sim_step(made.sim, dt, &report));
        assert_int_equal(report.status, WEFT_STATUS_OK);
        if (i % 4 == 3) {
            must(weft_sim_intersections(made.sim, &found));
            assert_int_equal(found.self, 0);
        }
        torn += report.torn;
    }
    return torn;
}

/* A cut across, a flap, and a cut through a pinned vertex, in flying cloth. */
static void cutting_moving_cloth_never_intersects(void **state) {
    (void)state;
    const weft_vec3 across[2] = {{-0.1, -0.71, 0}, {1.1, -0.76, 0}};
    const weft_vec3 flap[3] = {{0.2, -0.3, 0}, {0.5, -0.65, 0}, {0.81, -0.3, 0}};
    const weft_vec3 held[2] = {{0.52, 0.1, 0}, {0.5, -0.3, 0}};
    const weft_cut cuts[] = {{.at = 0.3, .path = across, .path_count = 2},
                             {.at = 0.3, .path = flap, .path_count = 3},
                             {.at = 0.4, .path = held, .path_count = 2}};
    for (int i = 0; i < 4; i++) {
        test_sim made = make(&(sheet){.cells = 16, .model = MODELS[i % 2], .integrator = INTEGRATORS[i / 2]});
        for (int k = 0; k < 3; k++)
            must(weft_sim_add_cut(made.sim, 0, &cuts[k]));
        assert_true(run(made, 160, 5e-3) > 30);
        destroy(made);
    }
}

/* The sheet is pulled apart, released, and blown about. */
static void tearing_moving_cloth_never_intersects(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        sheet s = {.cells = 12,
                   .model = MODELS[i % 2],
                   .integrator = INTEGRATORS[i / 2 % 2],
                   .tear = 0.1,
                   .pulled = 1,
                   .adapts = i >= 4};
        test_sim made = make(&s);
        int32_t torn = run(made, 160, 1e-2), pieces;
        must(weft_sim_pieces(made.sim, 0, &pieces));
        print_message("%s %s%s: %d edges, %d pieces, %d triangles\n", s.model, s.integrator, s.adapts ? " sqrt3" : "",
                      torn, pieces, made.sim->cloth[0].mesh->triangle_count);
        assert_true(torn >= 10 && pieces >= 2);
        assert_int_equal(made.sim->cloth[0].mesh->triangle_count > 288, s.adapts);
        destroy(made);
    }
}

/* Opening the gap moves no centre of mass and adds no momentum. */
static void opening_gap_conserves_mass_centre_and_momentum(void **state) {
    (void)state;
    const weft_vec3 path[3] = {{0.2, -0.3, 0}, {0.5, -0.65, 0}, {0.81, -0.3, 0}};
    weft_measures measures[2];
    for (int k = 0; k < 2; k++) {
        test_sim made = make(&(sheet){.cells = 12, .model = MODELS[0], .integrator = INTEGRATORS[1]});
        weft_cut cut = {.at = k ? 0.1 : 1, .path = path, .path_count = 3};
        must(weft_sim_add_cut(made.sim, 0, &cut));
        for (int i = 0; i < 20; i++)
            step(made, 5e-3);
        measures[k] = measure(made);
        assert_int_equal(made.sim->count > 169, k);
        /* Copies of a vertex are a hundredth of the thickness apart, except at the tips. */
        const weft_vec3 *x = weft_sim_positions(made.sim, 0), *rest = made.sim->cloth[0].mesh->position;
        for (int32_t v = 169; v < made.sim->count; v++)
            for (int32_t u = 0; u < 169; u++)
                if (weft_distance(rest[u], rest[v]) == 0)
                    assert_near(weft_distance(x[u], x[v]), 1e-2 * made.sim->contact_settings.thickness, 1e-12);
        destroy(made);
    }
    assert_near(measures[1].mass, measures[0].mass, 1e-14);
    assert_near(weft_distance(measures[1].centre, measures[0].centre), 0, 1e-12);
    assert_near(weft_distance(measures[1].momentum, measures[0].momentum), 0, 1e-12);
}

/* Steps of more than 1.5 ms fail and are halved. The sum of the halves differs from the step by rounding. */
static int halve;
static weft_status (*whole_step)(const void *settings, const weft_system *system, double dt);
static weft_status step_of_halves(const void *settings, const weft_system *system, double dt) {
    return halve && dt > 1.5e-3 ? WEFT_STATUS_DIVERGED : whole_step(settings, system, dt);
}

/* Cuts at the end of a frame in which all steps are halved. No cut is lost or made twice. */
static void cut_at_frame_end_is_made_once(void **state) {
    (void)state;
    weft_component integrator = {0};
    weft_integrator_functions functions = {0};
    const weft_vec3 path[2] = {{-0.1, -0.51, 0}, {1.1, -0.56, 0}};
    for (int frame = 1; frame <= 16; frame++) {
        test_sim made = make(&(sheet){.cells = 4, .model = MODELS[0], .integrator = INTEGRATORS[0]});
        set(made, "contact.self", "false");
        set(made, "time.rate", "50");
        set(made, "time.step", "20 ms");
        must(weft_sim_add_cut(made.sim, 0, &(weft_cut){.at = frame / 50.0, .path = path, .path_count = 2}));
        must(weft_sim_prepare(made.sim));
        integrator = *made.sim->integrator;
        functions = *(const weft_integrator_functions *)integrator.functions;
        whole_step = functions.step;
        functions.step = step_of_halves;
        integrator.functions = &functions;
        made.sim->integrator = &integrator;
        halve = 1;
        int32_t torn = 0;
        for (int i = 0; i <= frame; i++) {
            weft_report report;
            must(weft_sim_advance_frame(made.sim, &report, NULL));
            assert_int_equal(report.status, WEFT_STATUS_OK);
            assert_true(i > 0 || report.halvings > 0); /* later steps begin with the length that worked */
            torn += report.torn;
            assert_int_equal(torn > 0, i + 1 >= frame);
        }
        assert_int_equal(measure(made).links_broken, torn);
        destroy(made);
    }
    halve = 0;
}

/* A simulation resumed before or after a cut ends like one that was not interrupted. */
static void resumed_cut_is_bit_identical(void **state) {
    (void)state;
    const weft_vec3 path[2] = {{-0.1, -0.51, 0}, {1.1, -0.56, 0}};
    for (int stop = 12; stop <= 14; stop++) {
        test_sim made[2];
        for (int k = 0; k < 2; k++) {
            made[k] = make(&(sheet){.cells = 8, .model = MODELS[0], .integrator = INTEGRATORS[1]});
            set(made[k], "time.rate", "50");
            must(weft_sim_add_cut(made[k].sim, 0, &(weft_cut){.at = 0.26, .path = path, .path_count = 2}));
        }
        for (int i = 0; i < 18; i++) {
            must(weft_sim_advance_frame(made[0].sim, NULL, NULL));
            if (i + 1 != stop)
                continue;
            size_t size = weft_sim_snapshot_size(made[0].sim);
            char *bytes = malloc(size);
            weft_sim_snapshot(made[0].sim, bytes);
            must(weft_sim_restore(made[1].sim, bytes, size));
            free(bytes);
        }
        for (int i = stop; i < 18; i++)
            must(weft_sim_advance_frame(made[1].sim, NULL, NULL));
        assert_true(measure(made[0]).links_broken > 0);
        assert_int_equal(measure(made[0]).links_broken, measure(made[1]).links_broken);
        assert_true(weft_sim_hash(made[0].sim) == weft_sim_hash(made[1].sim));
        for (int k = 0; k < 2; k++)
            destroy(made[k]);
    }
}

/* Edges opened by a cut before the first step are counted once. */
static void cut_at_start_is_counted_once(void **state) {
    (void)state;
    const weft_vec3 path[2] = {{-0.1, -0.51, 0}, {1.1, -0.56, 0}};
    test_sim made = make(&(sheet){.cells = 8, .model = MODELS[0], .integrator = INTEGRATORS[0]});
    must(weft_sim_add_cut(made.sim, 0, &(weft_cut){.path = path, .path_count = 2}));
    int32_t met = weft_sim_cut_at(made.sim, 0).links;
    weft_report report;
    must(weft_sim_step(made.sim, 5e-3, &report));
    assert_true(report.torn > 0);
    assert_int_equal(report.torn, met);
    assert_int_equal(measure(made).links_broken, met);
    destroy(made);
}

/* A few triangles of crumpled cloth. */
typedef struct patch {
    int32_t vertex_count;
    const weft_vec3 *rest, *folded;
    int32_t corner_count;
    const int32_t *corner;
    const char *thickness;
} patch;

static test_sim make_patch(const patch *p) {
    enum { MOST = 32 };
    int32_t size[MOST];
    assert_true(p->corner_count <= 3 * MOST);
    for (int t = 0; t < MOST; t++)
        size[t] = 3;
    weft_mesh *mesh;
    weft_polygons polygons = {.name = "fold",
                              .position = p->rest,
                              .vertex_count = p->vertex_count,
                              .corner = p->corner,
                              .corner_count = p->corner_count,
                              .face_size = size,
                              .face_count = p->corner_count / 3};
    must(weft_mesh_create(&polygons, &mesh));
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    must(weft_sim_add_cloth(made.sim, "sheet", mesh, &weft_fabric_preset_find("cotton")->fabric, MODELS[0], NULL));
    plain_model(made.sim);
    set(made, "contact.self", "true");
    set(made, "contact.thickness", p->thickness);
    must(weft_sim_prepare(made.sim));
    must(sim_allow_changes(made.sim, &made.sim->cloth[0]));
    must(weft_sim_prepare(made.sim));
    memcpy(made.sim->x, p->folded, (size_t)p->vertex_count * sizeof *p->folded);
    return made;
}

/* Opens two edges. Returns how many stay open. The cloth must not intersect itself before or after. */
static int32_t open_two(test_sim made, int32_t first, int32_t second) {
    sim_cloth *cloth = &made.sim->cloth[0];
    int64_t crossings;
    must(sim_count_crossings(made.sim, &crossings));
    assert_int_equal(crossings, 0);
    must(sim_reshape_begin(made.sim, cloth));
    assert_true(sim_open_edge(cloth, first) && sim_open_edge(cloth, second));
    must(sim_part_crack_sides(made.sim, cloth));
    int32_t opened = cloth->opened_count;
    must(sim_commit_cracks(made.sim, cloth));
    must(weft_sim_prepare(made.sim));
    assert_null(weft_refined_flaw(cloth->refined));
    must(sim_count_crossings(made.sim, &crossings));
    assert_int_equal(crossings, 0);
    return opened;
}

/* A triangle comes off in a fold. One of its corners must move into its fan, the others must not. */
static void corners_of_triangle_part_in_different_ways(void **state) {
    (void)state;
    enum { VERTICES = 9 };
    static const weft_vec3 rest[VERTICES] = {
        {-0.13646, 0.02473, 0.04812},    {-0.13646, 0.02473, 0.06439},  {-0.141883, 0.02473, 0.0589667},
        {-0.147307, 0.02473, 0.06981},   {-0.141883, 0.02473, 0.07523}, {-0.15273, 0.02473, 0.08065},
        {-0.141883, 0.02473, 0.0589667}, {-0.15273, 0.02473, 0.06439},  {-0.147307, 0.02473, 0.0860733}};
    static const weft_vec3 folded[VERTICES] = {
        {-0.02488961953, 0.216730971, -0.06011313088},  {-0.014670015, 0.2182645433, -0.04753886046},
        {-0.03017614105, 0.2069320983, -0.05527856785}, {-0.03105420477, 0.2011738803, -0.04464091687},
        {-0.02567049329, 0.2200592902, -0.0427547187},  {-0.03898137466, 0.196624593, -0.03689631637},
        {-0.02614419834, 0.2091872165, -0.05231375904}, {-0.02495989133, 0.1892104565, -0.04055735065},
        {-0.03764805823, 0.2201612381, -0.04074039208}};
    static const int32_t corner[] = {0, 1, 2, 3, 4, 5, 6, 3, 7, 4, 8, 5, 4, 3, 1, 5, 7, 3, 3, 2, 1};
    test_sim made = make_patch(&(patch){VERTICES, rest, folded, sizeof corner / sizeof corner[0], corner, "1.82 mm"});
    assert_int_equal(open_two(made, 12, 13), 2);
    assert_true(made.sim->count > VERTICES);
    destroy(made);
}

/* A crack runs through a crumple whose sides are wound around each other. No displacement parts them, so the edges stay
 * closed. */
static void crack_through_crumple_stays_closed(void **state) {
    (void)state;
    enum { VERTICES = 18 };
    static const weft_vec3 rest[VERTICES] = {
        {0.0878821, 0.472571, -0.104415}, {0.0909741, 0.457745, -0.077338}, {0.0828101, 0.468881, -0.0821573},
        {0.066482, 0.491154, -0.0917959}, {0.0725847, 0.489902, -0.105028}, {0.109282, 0.453988, -0.117034},
        {0.103179, 0.45524, -0.103802},   {0.0847901, 0.487397, -0.131492}, {0.0929541, 0.476261, -0.126673},
        {0.069574, 0.476328, -0.0647187}, {0.074646, 0.480018, -0.0869766}, {0.0786874, 0.48865, -0.11826},
        {0.0633901, 0.505981, -0.118873}, {0.112374, 0.439161, -0.0899572}, {0.0970767, 0.456492, -0.0905701},
        {0.10619, 0.468814, -0.144111},   {0.101118, 0.465124, -0.121854},  {0.10619, 0.468814, -0.144111}};
    static const weft_vec3 folded[VERTICES] = {
        {0.05187484401, 0.5420305621, 2.525699819}, {0.04373667108, 0.5290375438, 2.502600334},
        {0.05734882276, 0.5363923249, 2.496361053}, {0.05267036049, 0.5430738947, 2.495148665},
        {0.0441511731, 0.5346587591, 2.526235013},  {0.0521474503, 0.5556821585, 2.49784017},
        {0.06191128617, 0.5423461652, 2.519301291}, {0.005427087595, 0.5300733699, 2.52593113},
        {0.01070120359, 0.5335683156, 2.552112452}, {0.0705285511, 0.5180246566, 2.491479946},
        {0.06358041083, 0.5312794303, 2.508932551}, {0.0250343926, 0.5335598551, 2.541439363},
        {0.03357545886, 0.5357455942, 2.537119518}, {0.06370589806, 0.5330832269, 2.525998709},
        {0.054300945, 0.5383227602, 2.53112172},    {0.009371138369, 0.552803431, 2.546861752},
        {0.03388350643, 0.5481732556, 2.533358057}, {0.008604190951, 0.552987284, 2.547283026}};
    static const int32_t corner[] = {0, 1,  2, 0,  3,  4,  0,  5,  6, 0,  7,  8,  9,  0, 2,  3,
                                     0, 10, 0, 9,  10, 7,  0,  11, 0, 12, 11, 12, 0,  4, 13, 0,
                                     6, 1,  0, 14, 0,  13, 14, 15, 0, 8,  5,  0,  16, 0, 17, 16};
    test_sim made = make_patch(&(patch){VERTICES, rest, folded, sizeof corner / sizeof corner[0], corner, "0.36 mm"});
    assert_int_equal(open_two(made, 11, 0), 0);
    assert_int_equal(made.sim->count, VERTICES);
    assert_memory_equal(made.sim->x, folded, sizeof folded);
    destroy(made);
}

/* A triangle comes off beside the tip of a slit, in a fold. Moving it away from its other neighbours leads through the
 * far side of the slit, however small the gap is. */
static void triangle_detached_in_fold_does_not_intersect(void **state) {
    (void)state;
    enum { A, B, T, C, D, E, F, G, H, I, J, K, L, VERTICES };
    static const double rest[VERTICES][2] = {
        {0, 0.125},       {0.02083, 0.14583}, {0.02083, 0.16667}, {0.04167, 0.14583}, {0.04167, 0.16667},
        {0.0625, 0.1875}, {0.03472, 0.1875},  {0.02083, 0.20833}, {0.01389, 0.1875},  {0, 0.1875},
        {0, 0.16667},     {0, 0.14583},       {0, 0.125}};
    static const weft_vec3 folded[VERTICES] = {
        {-0.5055407, 0.4165915, -0.1660538}, {-0.4864420, 0.3946663, -0.1505402}, {-0.4691713, 0.4002253, -0.1400618},
        {-0.4719434, 0.3813329, -0.1572756}, {-0.4579188, 0.3966267, -0.1573771}, {-0.4293639, 0.3986794, -0.1643241},
        {-0.4465754, 0.4096256, -0.1454133}, {-0.4402044, 0.4286721, -0.1304318}, {-0.4589142, 0.4171262, -0.1304164},
        {-0.4677031, 0.4230313, -0.1213818}, {-0.4831177, 0.4128807, -0.1310787}, {-0.4960425, 0.4099860, -0.1472257},
        {-0.5051101, 0.4164953, -0.1662376}};
    static const int32_t corner[] = {A, B, T, A, C, B, B, C, D, B, D, T, T, D, E, T, E, F,
                                     T, F, G, T, G, H, T, H, I, T, I, J, T, J, K, T, K, L};
    weft_vec3 position[VERTICES];
    for (int v = 0; v < VERTICES; v++)
        position[v] = weft_vec3_make(rest[v][0], 1, rest[v][1]);
    test_sim made = make_patch(&(patch){VERTICES, position, folded, sizeof corner / sizeof corner[0], corner, "3 mm"});
    weft_sim *sim = made.sim;
    sim_cloth *cloth = &sim->cloth[0];
    must(sim_reshape_begin(sim, cloth));
    assert_true(sim_open_edge(cloth, 0) && sim_open_edge(cloth, 1));
    must(sim_part_crack_sides(sim, cloth));
    weft_vec3 shut[VERTICES + 3];
    memcpy(shut, sim->x, VERTICES * sizeof *shut);
    for (int i = 0; i < cloth->refined->change_count; i++)
        shut[cloth->refined->change[i].vertex] = shut[cloth->refined->change[i].from[0]];
    must(sim_commit_cracks(sim, cloth));
    must(weft_sim_prepare(sim));
    assert_int_equal(sim->count, VERTICES + 3);
    int64_t crossings;
    must(sim_count_crossings(sim, &crossings));
    assert_int_equal(crossings, 0);
    for (int k = 0; k < 3; k++) {
        int32_t v = cloth->refined->origin[k], moved = 0;
        for (int32_t u = 0; u < sim->count; u++)
            if (u != v && weft_distance(shut[u], shut[v]) == 0) {
                double gap = weft_distance(sim->x[u], sim->x[v]);
                assert_true(gap > 3e-6 && gap < 3.1e-5); /* above the collision margin */
                moved++;
            }
        assert_int_equal(moved, 1);
    }
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cutting_moving_cloth_never_intersects),
                                       cmocka_unit_test(tearing_moving_cloth_never_intersects),
                                       cmocka_unit_test(opening_gap_conserves_mass_centre_and_momentum),
                                       cmocka_unit_test(cut_at_frame_end_is_made_once),
                                       cmocka_unit_test(resumed_cut_is_bit_identical),
                                       cmocka_unit_test(cut_at_start_is_counted_once),
                                       cmocka_unit_test(corners_of_triangle_part_in_different_ways),
                                       cmocka_unit_test(crack_through_crumple_stays_closed),
                                       cmocka_unit_test(triangle_detached_in_fold_does_not_intersect)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
