/* Patterns: curves, triangulations, sewing, and what is refused. */
#include "support.h"
#include "wear/garment/curve.h"
#include "wear/garment/sew.h"

static const double PI = 3.14159265358979323846;

/* Fills a closed polyline; every corner is a given point. */
static weft_result fill(const weft_vec2 *corner, int32_t count, double edge, garment_fill *filled) {
    garment_segment *segment = malloc((size_t)count * sizeof *segment);
    for (int32_t i = 0; i < count; i++)
        segment[i] = (garment_segment){{i, (i + 1) % count}, 1};
    weft_result result = garment_fill_region(corner, count, segment, count, edge, filled, NULL);
    free(segment);
    return result;
}

static double area_of(const garment_fill *filled) {
    double area = 0;
    for (int32_t t = 0; t < filled->triangles; t++) {
        weft_vec2 a = filled->point[filled->triangle[t][0]], b = filled->point[filled->triangle[t][1]],
                  c = filled->point[filled->triangle[t][2]];
        double twice = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        assert_true(twice > 0);
        area += 0.5 * twice;
    }
    return area;
}

/* The curve that pattern programs draw for a quarter of a circle. Its radius is off by at most 0.027 %. */
static void curves_have_the_length_and_area_of_circles(void **state) {
    (void)state;
    const double k = 0.5522847498;
    const weft_vec2 quarter[4] = {{1, 0}, {1, k}, {k, 1}, {0, 1}};
    assert_near(garment_curve_length(quarter), PI / 2, 3e-4 * PI / 2);
    assert_near(garment_curve_area(quarter), PI / 4, 6e-4 * PI / 4);
    weft_vec2 middle = garment_curve_along(quarter, 0.5);
    assert_near(middle.x, sqrt(0.5), 3e-4);
    assert_near(middle.y, sqrt(0.5), 3e-4);
}

/* A star has sharp and concave corners. Its area is that of ten triangles. */
static void regions_are_filled_with_even_triangles(void **state) {
    (void)state;
    weft_vec2 corner[400];
    int32_t count = 0;
    for (int i = 0; i < 10; i++) {
        double r = i % 2 ? 0.5 : 1, next = i % 2 ? 1 : 0.5;
        for (int k = 0; k < 16; k++) { /* sides in 16 pieces */
            weft_vec2 a = {r * cos(PI * i / 5), r * sin(PI * i / 5)},
                      b = {next * cos(PI * (i + 1) / 5), next * sin(PI * (i + 1) / 5)};
            corner[count++] = (weft_vec2){a.x + (b.x - a.x) * k / 16, a.y + (b.y - a.y) * k / 16};
        }
    }
    garment_fill filled;
    must(fill(corner, count, 0.04, &filled));
    assert_near(area_of(&filled), 10 * 0.5 * 0.5 * sin(PI / 5), 1e-12);
    int32_t inner = 0;
    for (int32_t t = 0; t < filled.triangles; t++) {
        const int32_t *c = filled.triangle[t];
        if (c[0] >= count && c[1] >= count && c[2] >= count) {
            assert_true(garment_least_angle(filled.point, c) >= 20);
            inner++;
        }
    }
    assert_true(inner > 500);
    for (int32_t i = 0; i < count; i++) /* seams need the points of the outline */
        assert_true(filled.point[i].x == corner[i].x && filled.point[i].y == corner[i].y);
    garment_fill_free(&filled);
}

/* The outline of a rectangle with about `edge` between its points. */
static int32_t rectangle(weft_vec2 size, double edge, weft_vec2 *corner) {
    int32_t across = (int32_t)fmax(1, floor(size.x / edge + 0.5)), up = (int32_t)fmax(1, floor(size.y / edge + 0.5));
    int32_t count = 0;
    for (int32_t i = 0; i < across; i++)
        corner[count++] = (weft_vec2){size.x * i / across, 0};
    for (int32_t i = 0; i < up; i++)
        corner[count++] = (weft_vec2){size.x, size.y * i / up};
    for (int32_t i = 0; i < across; i++)
        corner[count++] = (weft_vec2){size.x * (across - i) / across, size.y};
    for (int32_t i = 0; i < up; i++)
        corner[count++] = (weft_vec2){0, size.y * (up - i) / up};
    return count;
}

static void assert_filled(weft_vec2 size, double edge, weft_vec2 at, double turn) {
    weft_vec2 corner[1200];
    garment_fill filled;
    const int32_t count = rectangle(size, edge, corner);
    for (int32_t i = 0; i < count; i++) {
        weft_vec2 p = corner[i];
        corner[i] = (weft_vec2){at.x + cos(turn) * p.x - sin(turn) * p.y, at.y + sin(turn) * p.x + cos(turn) * p.y};
    }
    weft_result result = fill(corner, count, edge, &filled);
    if (result.code != WEFT_OK)
        fail_msg("%g x %g m at %g, %g, edge %g m, turned by %g: %s", size.x, size.y, at.x, at.y, edge, turn,
                 result.message);
    assert_near(area_of(&filled), size.x * size.y, 1e-9 * size.x * size.y);
    garment_fill_free(&filled);
}

/* Triangles of the outline have upright edges, and lattice points lie on them: each belongs to one triangle. */
static void rectangles_of_all_sizes_are_filled(void **state) {
    (void)state;
    assert_filled((weft_vec2){0.64, 0.40}, 0.02, (weft_vec2){0, 0}, 0);
    for (int i = 0; i < 150; i++) {
        const double edge = 0.01 * (1 + i % 3), row = edge * sqrt(0.75);
        double r[5];
        for (int k = 0; k < 5; k++)
            r[k] = weft_random(1, (uint64_t)(5 * i + k));
        weft_vec2 size = {0.05 + 0.45 * r[0], 0.05 + 0.45 * r[1]}, at = {r[2] - 0.5, r[3] - 0.5};
        assert_filled(size, edge, at, 0);
        assert_filled(size, edge, at, 2 * PI * r[4]);
        /* corners and sides on rows and columns of the lattice */
        size = (weft_vec2){edge * (3 + floor(size.x / edge)), row * (3 + floor(size.y / row))};
        at = (weft_vec2){0.5 * edge * floor(2 * at.x / edge), row * floor(at.y / row)};
        assert_filled(size, edge, at, 0);
        assert_filled((weft_vec2){size.x, edge * (3 + i % 40)}, edge, at, 0);
        assert_filled((weft_vec2){size.x, size.x}, edge, at, PI / 4);
    }
}

static void impossible_regions_are_refused(void **state) {
    (void)state;
    const weft_vec2 bow[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}}, twice[] = {{0, 0}, {1, 0}, {1, 1}, {1, 0}, {0, 1}};
    garment_fill filled;
    assert_says(fill(bow, 4, 0.1, &filled), "crosses another or meets a point");
    assert_null(filled.point);
    assert_says(fill(twice, 5, 0.1, &filled), "coincide");
    assert_says(fill(bow, 2, 0.1, &filled), "at least 3");
}

/* Two rectangles of 30 x 40 cm, sewn to a tube. */
#define BODY "body: {torso: {from: [0, 0, 0], to: [0, 50, 0], radius: 14, front: [0, 0, 1]}}\n"
#define PANEL(name, angle)                                                                                             \
    "  " name ":\n    start: [0, 0]\n    edges: [{hem: [30, 0]}, {right: [30, 40]}, {top: [0, 40]}, {left: [0, 0]}]\n" \
    "    place: {around: torso, angle: " angle " deg}\n"
#define PANELS "panels:\n" PANEL("front", "0") PANEL("back", "180")
#define TUBE   "garment: tube\nedge: 3\n" BODY PANELS "seams: [[front.right, back.left], [front.left, back.right]]\n"

static weft_result read_text(const char *text, garment_pattern *pattern) {
    return garment_pattern_read_memory(text, strlen(text), "tube.yaml", pattern);
}

static void sew_text(const char *text, garment_pattern *pattern, garment_sewn *sewn) {
    must(read_text(text, pattern));
    must(garment_sew(pattern, sewn));
}

static void panels_become_one_surface(void **state) {
    (void)state;
    garment_pattern pattern;
    garment_sewn sewn;
    sew_text(TUBE, &pattern, &sewn);
    const weft_mesh *mesh = sewn.mesh;
    assert_null(weft_mesh_flaw(mesh));
    assert_int_equal(mesh->boundary_count, 2);
    assert_int_equal(mesh->vertex_count - mesh->edge_count + mesh->face_count, 0); /* Euler's number of a tube */
    double area = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t h = mesh->face_halfedge[f], i = mesh->next[h], j = mesh->next[i];
        weft_vec2 a = mesh->halfedge_uv[h], b = mesh->halfedge_uv[i], c = mesh->halfedge_uv[j];
        area += 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
    }
    assert_near(area, 2 * 0.3 * 0.4, 1e-12);
    assert_int_equal(mesh->vertex_group_count, 8);
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
}

/* The sides of a seam have as many points even where their lengths differ. */
static void gathered_seams_match(void **state) {
    (void)state;
    garment_pattern pattern;
    garment_sewn sewn;
    sew_text(
        "garment: gathered\nedge: 2\n" BODY "panels:\n" PANEL(
            "front",
            "0") "  back:\n    start: [0, 0]\n"
                 "    edges: [{hem: [30, 0]}, {right: [30, 80]}, {top: [0, 80]}, {left: [0, 0]}]\n"
                 "    place: {around: torso, angle: 180 deg}\n"
                 "seams: [{join: [front.right, back.left], gathered: true}, [front.left 0..0.5, back.right 0..0.25]]\n",
        &pattern, &sewn);
    assert_null(weft_mesh_flaw(sewn.mesh));
    assert_int_equal(sewn.mesh->boundary_count, 2); /* the slit above the second seam joins the upper border */
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
}

/* Without forces, a sewn tube takes the girth of its pattern: 60 cm. */
static void tubes_get_the_girth_of_their_pattern(void **state) {
    (void)state;
    garment_pattern pattern;
    garment_sewn sewn;
    weft_registry *registry;
    weft_sim *sim;
    int32_t cloth, steps;
    sew_text(TUBE, &pattern, &sewn);
    must(weft_registry_create(&registry));
    must(weft_sim_create(registry, &sim));
    must(weft_sim_remove_force(sim, 0));
    must(weft_sim_add_cloth(sim, "tube", sewn.mesh, &weft_fabric_preset_find("cotton")->fabric, NULL, &cloth));
    sewn.mesh = NULL; /* the simulation owns it now */
    must(weft_sim_set(sim, "cloth.model.rest", "pattern"));
    must(weft_sim_set(sim, "cloth.model.alpha", "20"));
    must(weft_sim_set_integrator(sim, "implicit-euler"));
    for (int frame = 0; frame < 40; frame++)
        must(weft_sim_advance_frame(sim, NULL, &steps));
    const weft_mesh *mesh = weft_sim_cloth(sim, cloth)->mesh;
    const weft_vec3 *x = weft_sim_positions(sim, cloth);
    for (int32_t b = 0; b < 2; b++) {
        double girth = 0;
        int32_t first = mesh->boundary_halfedge[b], h = first;
        do {
            weft_vec3 p = x[mesh->origin[h]], q = x[mesh->origin[mesh->next[h]]];
            girth += sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
            h = mesh->next[h];
        } while (h != first);
        assert_near(girth, 0.6, 0.006);
    }
    weft_measures measures;
    must(weft_sim_measure(sim, &measures));
    assert_below(measures.stretch_max, 0.02);
    weft_sim_destroy(sim);
    weft_registry_destroy(registry);
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
}

static void assert_bad(const char *text, const char *excerpt) {
    garment_pattern pattern;
    weft_result result = read_text(text, &pattern);
    assert_says(result, excerpt);
    assert_null(strchr(result.message, '\n'));
    garment_pattern_free(&pattern);
}

static void bad_patterns_name_the_place(void **state) {
    (void)state;
    const char *open = "garment: a\n" BODY "panels:\n  front:\n    start: [0, 0]\n    edges: [[30, 0], [30, 40]]\n"
                       "    place: {around: torso}\n";
    assert_bad(open, "tube.yaml:6: panel front: the outline is open");
    assert_bad("garment: a\n" BODY "panels:\n  front:\n    start: [0, 0]\n    edges: [[0, 40], [30, 40], [0, 0]]\n"
               "    place: {around: torso}\n",
               "counter-clockwise");
    assert_bad("garment: a\n" BODY "panels:\n  front:\n    start: [0, .nan]\n    edges: [[1, 0], [0, 1]]\n"
               "    place: {around: torso}\n",
               "tube.yaml:5: start");
    assert_bad("garment: a\n" BODY PANELS "seams: [[front.right, sleeve.left]]\n", "there is no panel 'sleeve'");
    assert_bad("garment: a\n" BODY PANELS "seams: [[front.right, back.collar]]\n", "panel back has no edge 'collar'");
    assert_bad("garment: a\n" BODY PANELS "seams: [[front.right, back.hem]]\n", "is 40.0 cm long");
    assert_bad("garment: a\n" BODY PANELS "seams: [[front.right, back.left], [front.right, back.right]]\n",
               "front.right is sewn already");
    assert_bad("garment: a\n" BODY PANELS "seems: []\n", "did you mean 'seams'?");
    assert_bad("garment: a\n" BODY PANELS "seams: [[front.right 0.5..0.2, back.left]]\n", "FROM < TO");
    assert_bad("garment: a\nedge: 0\n" BODY PANELS, "tube.yaml:2: edge: 0 cm is not between");
}

static void assert_not_sewn(const char *text, const char *excerpt) {
    garment_pattern pattern;
    garment_sewn sewn;
    must(read_text(text, &pattern));
    weft_result result = garment_sew(&pattern, &sewn);
    assert_says(result, excerpt);
    assert_null(strchr(result.message, '\n'));
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
}

/* Messages name what meets what, and where. */
static void panels_that_cannot_be_filled_say_why(void **state) {
    (void)state;
#define FRONT "garment: a\n" BODY "panels:\n  front:\n    start: [0, 0]\n    place: {around: torso}\n"
#define BLUNT "    edges: [{hem: [30, 0]}, {right: [30, 40]}, {top: [0, 40]}, {left: [0, 0]}]\n"
    assert_not_sewn(FRONT "    edges: [[30, 0], [30, 40], {top: [20, -10]}, [0, 40], [0, 0]]\n",
                    "tube.yaml:4: panel front: its outline crosses or touches itself at (22.0, 0.0) cm, where edge 1 "
                    "meets edge top");
    /* a slit that comes back to the edge it left */
    assert_not_sewn(FRONT
                    "    edges: [{hem: [30, 0]}, [30, 40], [16, 40], {in: [16, 0]}, {out: [14, 40]}, [0, 40], [0, "
                    "0]]\n",
                    "its outline crosses or touches itself at (16.0, 0.0) cm, where edge hem meets edge out");
    assert_not_sewn(FRONT BLUNT
                    "    folds: [{from: [10, 0], to: [10, 40], angle: 0}, {from: [0, 20], to: [30, 20], angle: 0}]\n",
                    "tube.yaml:4: panel front: fold 2 crosses or touches fold 1 at (10.0, 20.0) cm");
    assert_not_sewn(FRONT "    edges: [[30, 0], [30, 40], [16, 40], [15, 10], {out: [14, 40]}, [0, 40], [0, 0]]\n"
                          "    folds: [{from: [5, 30], to: [25, 30], angle: 0}]\n",
                    "panel front: fold 1 crosses or touches edge out at (14.3, 30.0) cm");
    assert_not_sewn(FRONT BLUNT "    folds: [{from: [0, 0], to: [30, 0], angle: 0}]\n",
                    "panel front: fold 1 crosses or touches edge hem at (");
    assert_not_sewn(
        "garment: a\nedge: 0.01\n" BODY PANELS,
        "tube.yaml:5: panel front cannot be filled with edges of 0.01 cm: more than 4000000 points are needed");
#undef FRONT
#undef BLUNT
}

/* A fold between two neighbours of the outline leaves the outline as it is. */
static void folds_may_lie_on_the_outline(void **state) {
    (void)state;
    garment_pattern pattern;
    garment_sewn sewn;
    sew_text(TUBE, &pattern, &sewn);
    const int32_t triangles = sewn.mesh->face_count;
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
    sew_text("garment: tube\nedge: 3\n" BODY PANELS "    folds: [{from: [3, 0], to: [6, 0], angle: 0}]\n"
             "seams: [[front.right, back.left], [front.left, back.right]]\n",
             &pattern, &sewn);
    assert_int_equal(sewn.mesh->face_count, triangles);
    garment_sewn_free(&sewn, pattern.panels);
    garment_pattern_free(&pattern);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_have_the_length_and_area_of_circles),
        cmocka_unit_test(regions_are_filled_with_even_triangles),
        cmocka_unit_test(rectangles_of_all_sizes_are_filled),
        cmocka_unit_test(impossible_regions_are_refused),
        cmocka_unit_test(panels_become_one_surface),
        cmocka_unit_test(gathered_seams_match),
        cmocka_unit_test(tubes_get_the_girth_of_their_pattern),
        cmocka_unit_test(bad_patterns_name_the_place),
        cmocka_unit_test(panels_that_cannot_be_filled_say_why),
        cmocka_unit_test(folds_may_lie_on_the_outline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
