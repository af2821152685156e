/* Surfaces that tear and are cut. */
#include "contact/internal.h"
#include "sim/internal.h"
#include "support.h"
#include "weft/vec.h"

/* The triangles of a grid, without rest coordinates. */
static weft_mesh *without_coordinates(weft_mesh *grid) {
    weft_mesh *triangles, *plain;
    must(weft_mesh_triangulate(grid, &triangles));
    int32_t *size = malloc((size_t)triangles->face_count * sizeof *size);
    for (int32_t f = 0; f < triangles->face_count; f++)
        size[f] = 3;
    weft_polygons polygons = {.name = "sheet",
                              .position = triangles->position,
                              .vertex_count = triangles->vertex_count,
                              .corner = triangles->triangle[0],
                              .corner_count = 3 * (int64_t)triangles->triangle_count,
                              .face_size = size,
                              .face_count = triangles->face_count};
    must(weft_mesh_create(&polygons, &plain));
    free(size);
    weft_mesh_destroy(triangles);
    weft_mesh_destroy(grid);
    return plain;
}

typedef struct sheet {
    int64_t cells;
    const char *model;
    double tear_weft, tear_warp;
    int plain;         /* without rest coordinates */
    int one_way;       /* direction of the diagonals */
    weft_vec3 axis[2]; /* zero: x, -y */
} sheet;

/* A square of side 1 m. The sides at both ends of its first axis are pulled apart at 0.1 m/s each. */
static test_sim make_sheet_of(const sheet *s) {
    static const char *const GIVEN[] = {"cloth.model.structural_stiffness", "cloth.model.shear_stiffness",
                                        "cloth.model.flexion_stiffness"};
    test_sim made = {NULL, NULL};
    must(weft_registry_create(&made.registry));
    must(weft_sim_create(made.registry, &made.sim));
    plain_sim(made.sim);
    weft_sim *sim = made.sim;
    weft_grid grid = weft_grid_default();
    int64_t cells = grid.cells[0] = grid.cells[1] = s->cells;
    grid.diagonals = s->one_way ? WEFT_ONE_WAY : grid.diagonals;
    for (int k = 0; k < 2; k++)
        grid.axis[k] = weft_length(s->axis[k]) > 0 ? s->axis[k] : grid.axis[k];
    weft_mesh *mesh;
    must(weft_mesh_create_grid(&grid, &mesh));
    mesh = s->plain ? without_coordinates(mesh) : mesh;
    weft_fabric fabric = weft_fabric_preset_find("wool")->fabric;
    fabric.density = 0.15;
    fabric.stretch_weft = fabric.stretch_warp = 1000;
    fabric.shear = 300;
    fabric.poisson_weft = fabric.poisson_warp = 0.1;
    fabric.damping = 5e-3;
    fabric.tear_weft = s->tear_weft;
    fabric.tear_warp = s->tear_warp;
    fabric.tear_zone = 0.06;
    must(weft_sim_add_cloth(sim, "sheet", mesh, &fabric, s->model, NULL));
    plain_model(sim);
    if (strcmp(s->model, "corotational") != 0)
        must(weft_sim_set(sim, "cloth.model.stiffness", "fabric"));
    if (strcmp(s->model, "springs") == 0)
        for (int k = 0; k < 3; k++)
            must(weft_sim_set(sim, GIVEN[k], "0"));
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    int32_t *side = malloc((size_t)(cells + 1) * sizeof *side);
    for (int k = 0; k < 2; k++) {
        weft_key keys[2] = {{0, {0, 0, 0}, 0}, {4, weft_scale(k ? 0.4 : -0.4, weft_normalize(grid.axis[0])), 0}};
        weft_pin pin = weft_pin_default();
        pin.key = keys;
        pin.key_count = 2;
        for (int32_t j = 0; j <= cells; j++)
            side[j] = (int32_t)(j * (cells + 1) + k * cells);
        must(weft_sim_add_pin(sim, 0, &pin, side, (int32_t)cells + 1));
    }
    free(side);
    return made;
}

/* A sheet in the plane z = 0. */
static test_sim make(int64_t cells, const char *model, double tear_weft, double tear_warp) {
    sheet s = {.cells = cells, .model = model, .tear_weft = tear_weft, .tear_warp = tear_warp};
    test_sim made = make_sheet_of(&s);
    must(weft_sim_prepare(made.sim));
    return made;
}

/* The force that holds the right side, N. */
static double load(weft_sim *sim) {
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    weft_vec3 *reaction = malloc((size_t)mesh->vertex_count * sizeof *reaction);
    must(weft_sim_reactions(sim, 0, reaction));
    double sum = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        sum += mesh->position[v].x > 0.5 ? reaction[v].x : 0;
    free(reaction);
    return sum;
}

/* Pulls until almost nothing holds any more. Returns the highest load. */
static double pull(weft_sim *sim, int most) {
    double highest = 0, now = 0;
    for (int i = 0; i < most && now >= 0.1 * highest; i++) {
        weft_report report;
        must(weft_sim_step(sim, 0.01, &report));
        assert_int_equal(report.status, WEFT_STATUS_OK);
        now = load(sim);
        highest = fmax(highest, now);
    }
    assert_true(now < 0.1 * highest);
    return highest;
}

/* Pulls on, until the last edges break too. Returns the number of pieces. */
static int32_t tear_through(weft_sim *sim) {
    int32_t pieces = 1;
    for (int i = 0; i < 60 && pieces < 2; i++) {
        must(weft_sim_step(sim, 0.01, NULL));
        must(weft_sim_pieces(sim, 0, &pieces));
    }
    return pieces;
}

/* For any mesh, weft yarns of 1000 N/m break at a strain of 0.1. */
static void sheet_tears_at_strength_of_yarns(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        test_sim made = make(i ? 24 : 8, "corotational", 0.1, 0);
        double mass = measure(made).mass;
        double highest = pull(made.sim, 120);
        print_message("%d cells: %.1f N\n", i ? 24 : 8, highest);
        assert_near(highest, 100, 5);
        int32_t pieces;
        must(weft_sim_pieces(made.sim, 0, &pieces));
        assert_true(pieces >= 2);
        assert_near(measure(made).mass, mass, 1e-12);
        assert_true(measure(made).links_broken >= 8);
        const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
        assert_null(weft_mesh_flaw(mesh));
        assert_near(weft_mesh_area(mesh, mesh->position), 1, 1e-12);
        destroy(made);
    }
}

/* Models of links also tear into two pieces, along a line, at the load that their yarns bear. Their diagonals are soft:
 * stiff ones would make the sheet contract sideways, which the grips prevent, so the strain near them would be
 * higher. */
static void sheet_of_links_tears_at_strength_of_yarns(void **state) {
    (void)state;
    for (int n = 0; n < 4; n++) {
        int i = n % 2;
        test_sim made = make(i ? 24 : 12, n < 2 ? "buckling" : "springs", 0.1, 0.1);
        set(made, "cloth.fabric.shear", "20");
        for (int k = 0; k < 25; k++)
            step(made, 0.01);
        double half = load(made.sim), highest = pull(made.sim, 120);
        int32_t pieces = tear_through(made.sim);
        print_message("%d cells: %.1f N, %.1f N at half the strain, %d pieces, %d edges\n", i ? 24 : 12, highest, half,
                      pieces, (int)measure(made).links_broken);
        assert_near(half, 50, 2.5); /* the grips are 0.05 m further apart */
        assert_near(highest, 100, 7);
        assert_int_equal(pieces, 2);
        assert_true(measure(made).links_broken <= (i ? 36 : 18));
        assert_near(measure(made).mass, 0.15, 1e-12);
        destroy(made);
    }
}

/* In the same shape, all models have the same yarn strains. They tear if it is stretched beyond the limit, but not
 * before. */
static void models_tear_at_same_strain(void **state) {
    (void)state;
    static const char *const MODELS[] = {"corotational", "buckling", "springs"};
    for (int i = 0; i < 12; i++) {
        int warp = i & 1, above = i & 2;
        test_sim made = make(8, MODELS[i / 4], warp ? 10 : 0.1, warp ? 0.1 : 10);
        double stretch = above ? 1.105 : 1.095; /* the strength of yarns varies by +- 2 % */
        for (int32_t v = 0; v < made.sim->count; v++) {
            weft_vec3 *x = &made.sim->x[v];
            *x = weft_vec3_make(x->x * (warp ? 1 : stretch), x->y * (warp ? stretch : 1), 0);
        }
        int32_t opened = 0;
        must(sim_tear(made.sim, &opened));
        assert_int_equal(opened > 0, above != 0);
        destroy(made);
    }
}

/* Triangles with one side along x and two at 45 degrees that keep their length. If the side is compressed, the cloth is
 * slack and does not tear, however high the triangles become. If it is extended, the cloth tears. */
static void slack_cloth_does_not_tear(void **state) {
    (void)state;
    int torn = 0;
    for (int i = 0; i < 2; i++) {
        sheet s = {.cells = 8,
                   .model = "buckling",
                   .tear_weft = 0.1,
                   .tear_warp = 0.1,
                   .plain = 1,
                   .one_way = 1,
                   .axis = {{1, 1, 0}, {1, -1, 0}}};
        test_sim made = make_sheet_of(&s);
        must(weft_sim_prepare(made.sim));
        for (int32_t v = 0; v < made.sim->count; v++) {
            made.sim->x[v].x *= i ? 0.8 : sqrt(2 - 0.64);
            made.sim->x[v].y *= i ? sqrt(2 - 0.64) : 0.8;
        }
        int32_t opened = 0;
        must(sim_tear(made.sim, &opened));
        torn += opened > 0;
        destroy(made);
    }
    assert_int_equal(torn, 1);
}

/* The crack runs along the yarns that hold. It is vertical if weft yarns break. The new vertices lie on it. */
static void crack_runs_along_unbroken_yarns(void **state) {
    (void)state;
    test_sim made = make(16, "corotational", 0.1, 0.5);
    pull(made.sim, 120);
    const weft_mesh *mesh = weft_sim_cloth(made.sim, 0)->mesh;
    double low = 1, high = 0, top = -1, bottom = 0;
    for (int32_t v = 17 * 17; v < mesh->vertex_count; v++) {
        low = fmin(low, mesh->position[v].x);
        high = fmax(high, mesh->position[v].x);
        top = fmax(top, mesh->position[v].y);
        bottom = fmin(bottom, mesh->position[v].y);
    }
    assert_near(top, 0, 1e-12);
    assert_near(bottom, -1, 1e-12);
    assert_true(high - low <= 0.2);
    destroy(made);
}

/* The extent of the crack along x, y and z at rest, from the vertices that it added. */
static weft_vec3 crack_of(const test_sim *made, int32_t given) {
    const weft_mesh *mesh = weft_sim_cloth(made->sim, 0)->mesh;
    weft_vec3 low = mesh->position[given], high = low;
    assert_true(mesh->vertex_count > given);
    for (int32_t v = given; v < mesh->vertex_count; v++) {
        weft_vec3 at = mesh->position[v];
        low = weft_vec3_make(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
        high = weft_vec3_make(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
    }
    return weft_sub(high, low);
}

/* A sheet in the y-z plane without rest coordinates. model.weft sets its weft along the pull or across it. The pulled
 * yarns break in either case, and the crack runs along the others, in z. */
static void crack_follows_given_weft_direction(void **state) {
    (void)state;
    static const char *const WEFT[] = {"[0, 1, 0]", "[0, 0, 1]"};
    for (int i = 0; i < 2; i++) {
        sheet s = {.cells = 12,
                   .model = "corotational",
                   .tear_weft = i ? 0.5 : 0.1,
                   .tear_warp = i ? 0.1 : 0.5,
                   .plain = 1,
                   .axis = {{0, 1, 0}, {0, 0, 1}}};
        test_sim made = make_sheet_of(&s);
        set(made, "cloth.model.weft", WEFT[i]);
        int32_t pieces = 1;
        for (int k = 0; k < 150 && pieces < 2; k++) {
            step(made, 0.01);
            must(weft_sim_pieces(made.sim, 0, &pieces));
        }
        assert_true(pieces >= 2);
        weft_vec3 crack = crack_of(&made, 13 * 13);
        print_message("weft %s: crack %.2f x %.2f m\n", WEFT[i], crack.y, crack.z);
        assert_near(crack.z, 1, 1e-12);
        assert_true(crack.y <= 0.25);
        destroy(made);
    }
}

/* An angle of 90 degrees exchanges weft and warp. The pulled yarns are those that bear 0.1 or 0.5. */
static void rotated_weft_exchanges_tear_limits(void **state) {
    (void)state;
    for (int weak = 0; weak < 2; weak++) {
        sheet s = {.cells = 12, .model = "corotational", .tear_weft = weak ? 0.5 : 0.1, .tear_warp = weak ? 0.1 : 0.5};
        test_sim made = make_sheet_of(&s);
        set(made, "cloth.model.angle", "90 deg");
        int32_t pieces = 1;
        for (int k = 0; k < 80 && pieces < 2; k++) { /* a strain of 0.16 */
            step(made, 0.01);
            must(weft_sim_pieces(made.sim, 0, &pieces));
        }
        assert_int_equal(pieces >= 2, weak);
        if (weak) {
            weft_vec3 crack = crack_of(&made, 13 * 13);
            assert_near(crack.y, 1, 1e-12);
            assert_true(crack.x <= 0.25);
        }
        destroy(made);
    }
}

/* Opening edges moves nothing and changes no energy, mass or momentum. The same step is taken with and without it. */
static void tearing_conserves_energy_mass_and_momentum(void **state) {
    (void)state;
    test_sim made = make(8, "corotational", 0.1, 0.1);
    weft_report report = {0};
    size_t size = weft_sim_snapshot_size(made.sim);
    char *bytes = malloc(size);
    for (int i = 0; i < 120 && report.torn == 0; i++) {
        assert_int_equal(weft_sim_snapshot_size(made.sim), size);
        weft_sim_snapshot(made.sim, bytes);
        must(weft_sim_step(made.sim, 0.01, &report));
    }
    assert_true(report.torn > 0);
    weft_measures with = measure(made);
    must(weft_sim_restore(made.sim, bytes, size));
    set(made, "cloth.fabric.tear_weft", "0");
    set(made, "cloth.fabric.tear_warp", "0");
    must(weft_sim_step(made.sim, 0.01, &report));
    assert_int_equal(report.torn, 0);
    weft_measures without = measure(made);
    assert_near(with.mass, without.mass, 1e-14);
    assert_near(weft_distance(with.momentum, without.momentum), 0, 1e-12);
    assert_near(weft_distance(with.centre, without.centre), 0, 1e-12);
    assert_near(with.kinetic, without.kinetic, 1e-12 * without.kinetic + 1e-15);
    assert_true(with.elastic <= without.elastic * (1 + 1e-12)); /* less by the bending across the opened edges */
    assert_near(with.elastic, without.elastic, 1e-6 * without.elastic);
    free(bytes);
    destroy(made);
}

/* The pieces of a torn sheet do not pass through each other. */
static void torn_pieces_do_not_intersect(void **state) {
    (void)state;
    test_sim made = make(10, "corotational", 0.1, 0.1);
    set(made, "contact.self", "true");
    set(made, "contact.thickness", "2 mm");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    pull(made.sim, 150);
    for (int i = 0; i < 30; i++)
        step(made, 0.01);
    weft_intersections found;
    must(weft_sim_intersections(made.sim, &found));
    assert_int_equal(found.self, 0);
    assert_true(measure(made).kinetic < 5);
    destroy(made);
}

static int32_t inner_edges(const weft_mesh *mesh) {
    int32_t count = 0;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        count += mesh->face[mesh->edge_halfedge[e]] != WEFT_NONE &&
                 mesh->face[mesh->twin[mesh->edge_halfedge[e]]] != WEFT_NONE;
    return count;
}

/* At the end of the step in which an edge opens, contact uses the mesh with the new boundary. */
static void contact_uses_torn_mesh_in_same_step(void **state) {
    (void)state;
    test_sim made = make(10, "corotational", 0.1, 0.1);
    set(made, "contact.self", "true");
    int seen = 0;
    int32_t before = inner_edges(made.sim->cloth[0].mesh);
    for (int i = 0; i < 120 && seen < 3; i++) {
        weft_report report;
        must(weft_sim_step(made.sim, 0.01, &report));
        const weft_mesh *known = made.sim->contact->object[0].cloth->mesh;
        assert_ptr_equal(known, weft_sim_cloth(made.sim, 0)->mesh);
        assert_int_equal(made.sim->contact->object[0].vertex_count, known->vertex_count);
        assert_int_equal(inner_edges(known), before - report.torn);
        before -= report.torn;
        seen += report.torn > 0;
    }
    assert_int_equal(seen, 3);
    destroy(made);
}

/* A hand pulls one vertex. No edge can open directly beside it, where the load is highest, but the fabric still gives
 * way. */
static void pulled_vertex_tears_fabric(void **state) {
    (void)state;
    test_sim made = make(24, "corotational", 0.2, 0.2);
    const int32_t middle = 12 * 25 + 12;
    weft_vec3 at = weft_sim_positions(made.sim, 0)[middle];
    int torn = 0;
    for (int i = 0; i < 60; i++) {
        weft_report report;
        at = weft_add(at, weft_vec3_make(0.0044, 0.0019, 0.0031));
        must(weft_sim_drag(made.sim, 0, middle, at));
        must(weft_sim_step(made.sim, 5e-3, &report));
        torn += report.torn;
    }
    assert_true(torn > 3);
    assert_true(measure(made).stretch_max < 4 * 0.2); /* a ring of triangles bears three times the limit */
    destroy(made);
}

/* A stroke across the sheet separates it, with any model, whether or not the fabric can tear. */
static void cut_across_sheet_separates_it(void **state) {
    (void)state;
    static const char *const MODELS[] = {"corotational", "buckling", "springs"};
    for (int i = 0; i < 6; i++) {
        test_sim made = make(10, MODELS[i % 3], i < 3 ? 0 : 10, 0);
        step(made, 0.01);
        weft_vec3 rays[2] = {{-0.06, 0.8, -1}, {0.05, -0.8, -1}};
        int32_t cut, pieces;
        must(weft_sim_cut(made.sim, 0, weft_vec3_make(0.5, -0.5, 1), rays, 2, &cut));
        assert_true(cut >= 10);
        must(weft_sim_pieces(made.sim, 0, &pieces));
        assert_int_equal(pieces, 2);
        for (int k = 0; k < 20; k++)
            step(made, 0.01);
        assert_near(load(made.sim), 0, 1);
        assert_near(measure(made).mass, 0.15, 1e-12);
        /* Another stroke that meets nothing. */
        weft_vec3 away[2] = {{5, 0, 1}, {5, 1, 1}};
        must(weft_sim_cut(made.sim, 0, weft_vec3_make(0, 0, 1), away, 2, &cut));
        assert_int_equal(cut, 0);
        destroy(made);
    }
}

/* A scheduled cut along a path in rest coordinates is made after the step that reaches its time, also in a simulation
 * resumed from a snapshot. The pieces are listed and have the whole mass. */
static void scheduled_cut_is_made_in_time(void **state) {
    (void)state;
    static const char *const MODELS[] = {"corotational", "buckling", "springs"};
    const weft_vec3 path[3] = {{0.44, 0.1, 0}, {0.64, -0.5, 0}, {0.44, -1.1, 0}};
    for (int i = 0; i < 3; i++) {
        test_sim made[2];
        for (int k = 0; k < 2; k++) {
            sheet s = {.cells = 10, .model = MODELS[i]};
            made[k] = make_sheet_of(&s);
            must(weft_sim_add_cut(made[k].sim, 0, &(weft_cut){.at = 0.05, .path = path, .path_count = 3}));
        }
        weft_piece piece[4];
        int32_t count;
        for (int k = 0; k < 10; k++) {
            weft_report report;
            must(weft_sim_list_pieces(made[0].sim, 0, piece, 4, &count));
            assert_int_equal(count, k < 5 ? 1 : 2);
            must(weft_sim_step(made[0].sim, 0.01, &report));
            assert_int_equal(report.torn > 0, k == 4);
            if (k != 2 && k != 6)
                continue;
            size_t size = weft_sim_snapshot_size(made[0].sim);
            char *bytes = malloc(size);
            weft_sim_snapshot(made[0].sim, bytes);
            must(weft_sim_restore(made[1].sim, bytes, size));
            free(bytes);
        }
        for (int k = 0; k < 3; k++)
            step(made[1], 0.01);
        assert_true(weft_sim_hash(made[1].sim) == weft_sim_hash(made[0].sim));
        must(weft_sim_list_pieces(made[0].sim, 0, piece, 4, &count));
        assert_int_equal(piece[0].triangles + piece[1].triangles, 200);
        assert_near(piece[0].mass + piece[1].mass, 0.15, 1e-12);
        assert_near(piece[0].area + piece[1].area, 1, 1e-12);
        assert_true(piece[0].centre.x < 0.4 && piece[1].centre.x > 0.6);
        for (int k = 0; k < 2; k++)
            destroy(made[k]);
    }
    test_sim made = make(4, "corotational", 0, 0);
    weft_cut cut = {.at = 0, .path = path, .path_count = 1};
    assert_says(weft_sim_add_cut(made.sim, 0, &cut), "cuts.path: 1 points, at least 2 are needed");
    const weft_vec3 far[2] = {{0, 0, 0}, {1e300, 1, 0}};
    assert_says(weft_sim_add_cut(made.sim, 0, &(weft_cut){.path = far, .path_count = 2}),
                "cuts.path: point 1, [1e+300, 1, 0], is not within 1e+06 m of the origin");
    cut = (weft_cut){.at = -1, .path = path, .path_count = 3};
    assert_says(weft_sim_add_cut(made.sim, 0, &cut), "cuts.at: -1 s");
    cut = (weft_cut){.along = {0, 0, 1}, .path = path, .path_count = 3};
    must(weft_sim_add_cut(made.sim, 0, &cut));
    int32_t count;
    step(made, 0.01);
    must(weft_sim_pieces(made.sim, 0, &count));
    assert_int_equal(count, 2);
    destroy(made);
}

static void reload(test_sim made) {
    size_t size = weft_sim_snapshot_size(made.sim);
    void *snapshot = malloc(size);
    weft_sim_snapshot(made.sim, snapshot);
    must(weft_sim_restore(made.sim, snapshot, size));
    free(snapshot);
}

/* Triangle models cut the faces of a mesh that may tear. The diagonals do not count as edges. Springs keep the faces.
 */
static void tearing_does_not_change_measured_stretch(void **state) {
    (void)state;
    static const char *const MODELS[] = {"corotational", "springs"};
    weft_measures measured[3];
    for (int n = 0; n < 6; n++) {
        int i = n % 3;
        test_sim made = make(6, MODELS[n / 3], i ? 0.9 : 0, i ? 0.9 : 0);
        for (int k = 0; k < 20; k++)
            must(weft_sim_step(made.sim, 0.01, NULL));
        if (i == 2)
            reload(made);
        measured[i] = measure(made);
        destroy(made);
        assert_true(measured[0].stretch_mean > 0.01);
        assert_near(measured[i].stretch_mean, measured[0].stretch_mean, 1e-6);
        assert_near(measured[i].stretch_max, measured[0].stretch_max, 1e-6);
    }
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    test_sim made = make_sheet(4, 4, 1, 1, "implicit-euler");
    assert_says(weft_sim_set(made.sim, "cloth.fabric.tear_weft", "-1"), "below 0");
    must(weft_sim_set_adapt(made.sim, "sqrt3"));
    assert_says(weft_sim_prepare(made.sim), "corotational and buckling allow");
    destroy(made);
    sheet s = {.cells = 4, .model = "corotational", .tear_weft = 0.2, .tear_warp = 1e-4};
    made = make_sheet_of(&s);
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    assert_says(weft_sim_prepare(made.sim), "cloth 'sheet': fabric.tear_warp: yarns that break at a strain of 0.0001");
    destroy(made);
    s = (sheet){.cells = 4, .model = "corotational", .tear_weft = 0.2};
    made = make_sheet_of(&s);
    set(made, "cloth.fabric.tear_zone", "1");
    assert_says(weft_sim_prepare(made.sim), "cloth 'sheet': fabric.tear_zone: 1 m around a place is all of a cloth 1 m "
                                            "wide; at most half of that is allowed");
    set(made, "cloth.fabric.tear_zone", "0.5");
    must(weft_sim_prepare(made.sim));
    destroy(made);
}

/* 1.47 N strain the yarns of the fabric by 0.0015. With given stiffness, links of 100 N/m and 1/4 m, four in each of
 * five rows, and the 16 diagonals bear 125 + 50 N/m, which gives 0.0084. A thousand times the stiffness gives a
 * thousandth of it. */
static void yarns_too_weak_for_weight_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *stiffness, *stretch, *tear, *message;
    } CASES[] = {{"fabric", "100", "0.005", NULL},
                 {"fabric", "100", "0.001", "break at a strain of 0.001"},
                 {"given", "100", "0.005", "which strains them by 0.0084"},
                 {"given", "100", "0.01", NULL},
                 {"given", "100000", "0.001", NULL}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        sheet s = {.cells = 4, .model = "buckling"};
        test_sim made = make_sheet_of(&s);
        set(made, "cloth.model.stiffness", CASES[i].stiffness);
        set(made, "cloth.model.stretch", CASES[i].stretch);
        set(made, "cloth.fabric.tear_warp", CASES[i].tear);
        must(weft_sim_add_force(made.sim, "gravity", NULL));
        if (CASES[i].message)
            assert_says(weft_sim_prepare(made.sim), CASES[i].message);
        else
            must(weft_sim_prepare(made.sim));
        destroy(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sheet_tears_at_strength_of_yarns),
                                       cmocka_unit_test(sheet_of_links_tears_at_strength_of_yarns),
                                       cmocka_unit_test(models_tear_at_same_strain),
                                       cmocka_unit_test(slack_cloth_does_not_tear),
                                       cmocka_unit_test(crack_runs_along_unbroken_yarns),
                                       cmocka_unit_test(crack_follows_given_weft_direction),
                                       cmocka_unit_test(rotated_weft_exchanges_tear_limits),
                                       cmocka_unit_test(tearing_conserves_energy_mass_and_momentum),
                                       cmocka_unit_test(torn_pieces_do_not_intersect),
                                       cmocka_unit_test(contact_uses_torn_mesh_in_same_step),
                                       cmocka_unit_test(pulled_vertex_tears_fabric),
                                       cmocka_unit_test(cut_across_sheet_separates_it),
                                       cmocka_unit_test(scheduled_cut_is_made_in_time),
                                       cmocka_unit_test(tearing_does_not_change_measured_stretch),
                                       cmocka_unit_test(bad_settings_are_refused),
                                       cmocka_unit_test(yarns_too_weak_for_weight_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
