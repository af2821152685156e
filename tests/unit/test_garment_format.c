/* Garment files: mirrored and unfolded panels, marks, fabrics, notions, places; and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "wear/garment/import.h"
#include "wear/garment/place_point.h"
#include "wear/garment/sew.h"

static const double PI = 3.14159265358979323846;

#define HALF                                                                                                           \
    "  front:\n    start: [0, 60]\n    edges:\n      - centre: [0, 0]\n      - lower: {to: [25, 0], hem: 2}\n"         \
    "      - side: [24, 40]\n"                                                                                         \
    "      - armhole: {path: [{curve: [[20, 41], [18, 45]], to: [17, 50]}, [17, 62]]}\n"                               \
    "      - shoulder: [8, 65]\n      - neck: {curve: [[8, 62], [4, 60]], to: [0, 60]}\n    unfold: centre\n"
#define MARKS                                                                                                          \
    "    grain: 10 deg\n    notches: [side_right 0.25, side_left 0.75]\n"                                              \
    "    folds: [{from: [0, 0], to: [0, 20], angle: 170 deg, yield: 40 deg}]\n"                                        \
    "    fabric: {preset: wool, density: 0.3}\n    fused: {bend: 5, density: 1.3}\n    shrink: [3 %, 0.01]\n"          \
    "    layer: 2\n    padding: 0.2 kPa\n    place: {around: torso, drop: 2, gap: 3}\n"
#define SLEEVE                                                                                                         \
    "  sleeve_left:\n    start: [-20, 0]\n    edges: [{lower: [18, 0]}, {seam_right: [20, 20]}, "                      \
    "{cap: {curve: [[10, 35], [-10, 35]], to: [-20, 20]}}, {seam_left: [-20, 0]}]\n"                                   \
    "    notches: [cap 0.4]\n    grain: 5 deg\n    folds: [{from: [5, 0], to: [5, 20], angle: 90 deg}]\n"              \
    "    place: {around: left_arm, angle: 80 deg, drop: 2}\n"                                                          \
    "  sleeve_right: {mirror: sleeve_left, layer: 1, padding: -50}\n"
#define HEAD "garment: all\nfabric: cotton\npanels:\n"
#define SEAMS                                                                                                          \
    "seams:\n  - {join: [sleeve_left.seam_right, sleeve_left.seam_left], bend: 3}\n"                                   \
    "  - {join: [sleeve_right.seam_right, sleeve_right.seam_left], zip: open}\n"                                       \
    "  - {join: [sleeve_left.cap, [front.side_right 0..0.4, front.armhole_right]], gathered: true}\n"
#define NOTIONS                                                                                                        \
    "elastics: [{along: [sleeve_left.lower, front.lower], length: 70.4, stiffness: 40 N}, "                            \
    "{along: sleeve_right.lower 0.2..0.8, ratio: 0.8}]\n"                                                              \
    "buttons: [{from: {panel: front, at: [10, 20]}, to: {panel: sleeve_right, at: [-10, 10]}}]\n"                      \
    "attach: [front.lower 0..0.5, {panel: front, at: [10, 20]}]\n"
#define ALL HEAD HALF MARKS SLEEVE SEAMS NOTIONS

static weft_result read_text(const char *text, garment_pattern *pattern) {
    return garment_pattern_read_memory(text, strlen(text), "all.yaml", pattern);
}

static int32_t edge_of(const garment_panel *panel, const char *name) {
    for (int32_t e = 0; e < panel->edges; e++)
        if (strcmp(panel->edge[e].name, name) == 0)
            return e;
    fail_msg("panel %s has no edge '%s'", panel->name, name);
    return -1;
}

/* The half has 24.5 x 40 cm below the armhole; whatever is above is the same on both sides. */
static void halves_are_unfolded(void **state) {
    (void)state;
    garment_pattern pattern;
    must(read_text(ALL, &pattern));
    const garment_panel *front = &pattern.panel[0];
    assert_int_equal(front->edges, 8); /* two sides, armholes, shoulders; hem and neck in one piece */
    assert_near(front->low.x, -0.25, 1e-12);
    assert_near(front->high.x, 0.25, 1e-12);
    const garment_edge *lower = &front->edge[edge_of(front, "lower")];
    assert_near(lower->length, 0.5, 1e-12);
    assert_int_equal(lower->straight, 1);
    assert_near(lower->hem, 0.02, 1e-12);
    assert_near(front->edge[edge_of(front, "side_left")].length, hypot(0.01, 0.4), 1e-12);
    assert_int_equal(front->edge[edge_of(front, "armhole_right")].curves, 2);
    for (int32_t e = 0; e < front->edges; e++) { /* closed, and the mirror image of itself */
        weft_vec2 end = garment_edge_end(&front->edge[e]),
                  next = garment_edge_start(&front->edge[(e + 1) % front->edges]);
        assert_true(end.x == next.x && end.y == next.y);
    }
    weft_vec2 a = garment_edge_along(&front->edge[edge_of(front, "armhole_right")], 0.3),
              b = garment_edge_along(&front->edge[edge_of(front, "armhole_left")], 0.7);
    assert_near(a.x, -b.x, 1e-9);
    assert_near(a.y, b.y, 1e-9);
    assert_true(a.x > 0);
    garment_pattern_free(&pattern);
}

static void panels_are_mirrored(void **state) {
    (void)state;
    garment_pattern pattern;
    must(read_text(ALL, &pattern));
    const garment_panel *left = &pattern.panel[1], *right = &pattern.panel[2];
    assert_string_equal(right->name, "sleeve_right");
    assert_near(left->area, right->area, 1e-12);
    assert_near(right->high.x, -left->low.x, 1e-12);
    assert_string_equal(right->place.around, "right_arm");
    assert_near(right->place.angle, -80 * PI / 180, 1e-12);
    assert_near(right->grain, -5 * PI / 180, 1e-12);
    assert_near(right->fold[0].from.x, -0.05, 1e-12);
    assert_int_equal(right->layer, 1);
    /* the right seam of the left sleeve is slanted, and so is the left one of the right sleeve */
    assert_near(right->edge[edge_of(right, "seam_left")].length, hypot(0.02, 0.2), 1e-12);
    assert_near(right->edge[edge_of(right, "seam_right")].length, 0.2, 1e-12);
    weft_vec2 a = garment_edge_along(&left->edge[left->notch[0].edge], left->notch[0].at),
              b = garment_edge_along(&right->edge[right->notch[0].edge], right->notch[0].at);
    assert_near(a.x, -b.x, 1e-9);
    assert_near(a.y, b.y, 1e-9);
    garment_pattern_free(&pattern);
}

static void materials_and_notions_are_read(void **state) {
    (void)state;
    garment_pattern pattern;
    must(read_text(ALL, &pattern));
    const garment_panel *front = &pattern.panel[0];
    assert_string_equal(pattern.fabric->text, "cotton");
    assert_non_null(weft_value_find(front->fabric, "density"));
    assert_null(pattern.panel[1].fabric);
    assert_near(front->changes.bend, 5, 0);
    assert_near(front->changes.stretch, 1, 0);
    assert_near(front->changes.shrink_warp, 0.03, 1e-12);
    assert_int_equal(front->layer, 2);
    assert_near(front->padding, 200, 1e-12);
    assert_near(pattern.panel[2].padding, -50, 0);
    assert_near(front->grain, PI / 18, 1e-12);
    assert_near(front->fold[0].angle, 170 * PI / 180, 1e-12);
    assert_near(front->fold[0].yield, 40 * PI / 180, 1e-12);
    assert_near(front->notch[1].at, 0.75, 0);
    assert_near(front->place.radius, 0.171 + 0.03, 1e-12);
    assert_int_equal(pattern.seams, 4); /* the last one is two */
    assert_near(pattern.seam[0].bend, 3, 0);
    assert_int_equal(pattern.seam[1].open, 1);
    assert_near(pattern.seam[2].side[0].to, pattern.seam[3].side[0].from, 0);
    assert_near(pattern.elastic[0].ratio, 0.704 / 0.88, 1e-12);
    assert_near(pattern.elastic[0].stiffness, 40, 0);
    assert_int_equal(pattern.elastic[0].sides, 2);
    assert_near(pattern.elastic[1].side[0].to, 0.8, 0);
    assert_int_equal(pattern.button[0].end[1].panel, 2);
    assert_near(pattern.attachment[0].side.to, 0.5, 0);
    garment_pattern_free(&pattern);
}

/* An open zip does not join its sides: the sleeve has one border, not two. */
static void open_zips_stay_open(void **state) {
    (void)state;
    garment_pattern pattern;
    garment_sewn sewn;
    must(read_text("garment: z\nedge: 4\npanels:\n" SLEEVE
                   "seams: [{join: [sleeve_left.seam_right, sleeve_left.seam_left], zip: closed}, "
                   "{join: [sleeve_right.seam_right, sleeve_right.seam_left], zip: open}]\n",
                   &pattern));
    must(garment_sew(&pattern, &sewn));
    assert_int_equal(sewn.mesh->boundary_count, 2 + 1);
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

#define LEG                                                                                                            \
    "  leg_right:\n    start: [0, 0]\n    edges: [{out: [4, -100]}, {lower: [24, -100]}, {in: [34, -30]}, "            \
    "{crotch: [22, 2]}, {waist: [0, 0]}]\n    place: {around: right_leg, drop: -18, gap: 2, "                          \
    "wrap: {out: -90 deg, in: 90 deg, crotch: 90 deg}}\n  leg_left: {mirror: leg_right}\n"

/* The corners of wrapped panels lie at their angles: around the leg below the crotch, around the hips above it. */
static void panels_wrap_around_legs_and_hips(void **state) {
    (void)state;
    garment_pattern pattern;
    must(read_text(HEAD LEG, &pattern));
    for (int side = 0; side < 2; side++) {
        const garment_panel *leg = &pattern.panel[side];
        double sign = side ? -1 : 1;
        weft_vec3 outer = garment_place_point(leg, (weft_vec2){0.04 * sign, -1}),
                  inner = garment_place_point(leg, (weft_vec2){0.24 * sign, -1}),
                  middle = garment_place_point(leg, (weft_vec2){0.22 * sign, 0.02}),
                  hip = garment_place_point(leg, (weft_vec2){0, 0});
        assert_near(outer.x, sign * -(0.108 + 0.116), 2e-3);
        assert_near(inner.x, sign * -0.01, 2e-3); /* not beyond the middle between the legs */
        assert_near(middle.x, 0, 1e-12);          /* the crotch seam */
        assert_near(middle.z, 0.184 + 0.02, 1e-12);
        assert_near(hip.x, sign * -(0.184 + 0.02), 1e-12);
        assert_near(hip.z, 0, 1e-12);
        assert_near(middle.y - hip.y, 0.02, 2e-3); /* the axis of the leg leans a little */
    }
    garment_pattern_free(&pattern);
    assert_bad(HEAD "  a:\n    start: [0, 0]\n    edges: [{l: [5, 0]}, {r: [5, 5]}, {t: [0, 5]}, {s: [0, 0]}]\n"
                    "    place: {around: torso, wrap: {r: 90 deg}}\n",
               "all.yaml:7: panel a: place.wrap: needs an edge on the left and one on the right");
    assert_bad(HEAD "  a:\n    start: [0, 0]\n    edges: [{l: [5, 0]}, {r: [5, 5]}, {t: [0, 5]}, {s: [0, 0]}]\n"
                    "    place: {around: torso, wrap: {q: 90 deg}}\n",
               "panel a: place.wrap: it has no edge 'q'");
}

static void places_follow_another_body(void **state) {
    (void)state;
    const garment_part parts[] = {{"torso", {0, 1.6, 0}, {0, 1, 0}, {0, 0, 1}, 0.25},
                                  {"left_arm", {0.5, 1, 0}, {0.2, 1.4, 0}, {0, 0, 1}, 0.08},
                                  {"right_arm", {-0.5, 1, 0}, {-0.2, 1.4, 0}, {0, 0, 1}, 0.08}};
    garment_pattern pattern;
    must(read_text(ALL, &pattern));
    assert_says(garment_pattern_place(&pattern, parts, 2), "panel sleeve_right: the body has no part 'right_arm'");
    must(garment_pattern_place(&pattern, parts, 3));
    const garment_place *place = &pattern.panel[0].place;
    assert_near(place->radius, 0.28, 1e-12);
    assert_near(place->height + 0.65, 0.6 - 0.02, 1e-12); /* its top is 2 cm below the end of the torso */
    garment_pattern_free(&pattern);
}

/* All that has a key is written and read back. */
static void files_are_written_as_they_are_read(void **state) {
    (void)state;
    garment_pattern pattern, again;
    char *text, *twice;
    must(read_text(ALL, &pattern));
    must(garment_pattern_text(&pattern, NULL, &text));
    must(read_text(text, &again));
    must(garment_pattern_text(&again, NULL, &twice));
    assert_string_equal(text, twice);
    assert_near(again.panel[0].padding, 200, 1e-9);
    assert_string_equal(weft_value_find(again.panel[0].fabric, "preset")->text, "wool");
    assert_string_equal(weft_value_find(again.panel[0].fabric, "density")->text, "0.3");
    assert_int_equal(again.elastics, 2);
    assert_int_equal(again.buttons, 1);
    assert_int_equal(again.attachments, 2);
    assert_near(again.attachment[1].point.at.y, 0.2, 1e-12);
    assert_int_equal(again.seam[1].open, 1);
    garment_pattern_free(&pattern);
    garment_pattern_free(&again);
    free(text);
    free(twice);
}

/* The mesh of each shipped garment has the areas and outlines of its pattern within 0.1 %. */
static void meshes_have_the_measures_of_patterns(void **state) {
    (void)state;
    static const char *const NAMES[] = {"tshirt", "skirt", "trousers", "dress", "tank-top", "cushion"};
    for (size_t n = 0; n < sizeof NAMES / sizeof NAMES[0]; n++) {
        char path[1024];
        garment_pattern pattern;
        garment_sewn sewn;
        snprintf(path, sizeof path, "%s/examples/garments/%s.yaml", WEFT_SOURCE_DIR, NAMES[n]);
        must(garment_pattern_read(path, &pattern));
        must(garment_sew(&pattern, &sewn));
        for (int32_t p = 0; p < pattern.panels; p++) {
            const garment_panel *panel = &pattern.panel[p];
            const garment_fill *fill = &sewn.fill[p];
            double area = 0, outline = 0, wanted = 0;
            for (int32_t t = 0; t < fill->triangles; t++) {
                const weft_vec2 a = fill->point[fill->triangle[t][0]], b = fill->point[fill->triangle[t][1]],
                                c = fill->point[fill->triangle[t][2]];
                area += 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
            }
            for (int32_t i = 0; i < sewn.border[p]; i++) {
                const weft_vec2 a = fill->point[i], b = fill->point[(i + 1) % sewn.border[p]];
                outline += hypot(b.x - a.x, b.y - a.y);
            }
            for (int32_t e = 0; e < panel->edges; e++)
                wanted += panel->edge[e].length;
            assert_near(area, panel->area, 1e-3 * panel->area);
            assert_near(outline, wanted, 1e-3 * wanted);
        }
        garment_sewn_free(&sewn, pattern.panels);
        garment_pattern_free(&pattern);
    }
}

#define PLACED     "    place: {around: torso}\n"
#define WITH(line) HEAD HALF PLACED line

static void bad_values_name_the_place(void **state) {
    (void)state;
    assert_bad(WITH("    grain: 90\n"), "all.yaml:15: grain: 90 is more than one turn; a plain number is in rad");
    assert_bad(WITH("    layer: 1.5\n"), "layer: 1.5 is not a whole number");
    assert_bad(WITH("    layer: -1\n"), "layer: -1 is not between 0 and 100");
    assert_bad(WITH("    padding: 30 kPa\n"), "all.yaml:15: padding: 30 kPa is not between -20000 and 20000");
    assert_bad(WITH("    padding: nan\n"), "padding: 'nan' is not a finite number");
    assert_bad(WITH("    padding: 3 N\n"), "padding: ");
    assert_bad(WITH("    padding: [1, 2]\n"), "padding: ");
    assert_bad(WITH("    fused: {bond: 2}\n"), "fused: unknown key 'bond'; did you mean 'bend'?");
    assert_bad(WITH("    fused: {bend: -2}\n"), "fused.bend: -2 is not between");
    assert_bad(WITH("    shrink: 0.1\n"), "shrink: must be a list of two fractions");
    assert_bad(WITH("    fabric: [cotton]\n"), "fabric: must be the name of a fabric or a map");
    assert_bad(WITH("    notches: [cuff 0.5]\n"), "does not begin with the name of an edge of panel front");
    assert_bad(WITH("    notches: [neck 1.5]\n"), "'neck 1.5' is not EDGE FRACTION");
    assert_bad(WITH("    folds: [{from: [0, 0], to: [0, 90], angle: 1}]\n"),
               "fold: [0, 90] cm is outside of panel front");
    assert_bad(WITH("    folds: [{from: [0, 0], to: [0, 9]}]\n"), "fold: 'angle' is missing");
    assert_bad(WITH("    folds: [{from: [0, 0], to: [0, 9], angle: 200 deg}]\n"), "between -180 and 180 deg");
    assert_bad(WITH("    color: red\n"), "front: unknown key 'color'");
    assert_bad(WITH("elastics: [{along: front.lower}]\n"), "needs 'along' and either 'ratio' or 'length'");
    assert_bad(WITH("elastics: [{along: front.lower, length: 90}]\n"), "elastic: length: 90 on 50.0 cm of fabric");
    assert_bad(WITH("elastics: [{along: front.lower, ratio: 0.8, stiffness: 4 kg}]\n"), "elastic: stiffness");
    assert_bad(WITH("buttons: [{from: {panel: front, at: [90, 0]}, to: {panel: front, at: [0, 0]}}]\n"),
               "button: [90, 0] cm is outside of panel front");
    assert_bad(WITH("buttons: [{from: {panel: back, at: [0, 0]}, to: {panel: front, at: [0, 0]}}]\n"),
               "no panel 'back'");
    assert_bad(WITH("attach: [front.collar]\n"), "attach: panel front has no edge 'collar'");
    assert_bad(WITH("attach: front.lower\n"), "attach: must be a list");
    assert_bad(WITH("attach: [{panel: front}]\n"), "attach: a point is {panel: NAME, at: [X, Y]}");
    assert_bad(WITH("attach: [{panel: frnt, at: [0, 1]}]\n"), "attach: there is no panel 'frnt'");
    assert_bad(WITH("attach: [{panel: front, at: [0, 900]}]\n"), "attach: [0, 900] cm is outside of panel front");
    assert_bad(WITH("attach: [{panel: front, at: [0, nan]}]\n"), "attach");
    assert_bad(WITH("attach: [{panel: front, at: [0, 1], to: 3}]\n"), "attach");
    assert_bad(WITH("  back: {mirror: rear}\n"), "mirror: 'rear' is not the name of a panel with edges");
    assert_bad(WITH("  back: {mirror: front, edges: []}\n"), "back: unknown key 'edges'");
    assert_bad(WITH("seams: [{join: [front.side_left, front.side_right], zip: half}]\n"), "neither open nor closed");
    assert_bad(WITH("seams: [[front.side_left, []]]\n"), "a list of sides must have at least one");
    assert_bad(HEAD HALF "    place: {around: torso, drop: 1, height: 1}\n", "either 'height' or 'drop'");
    assert_bad(HEAD HALF "    place: {around: torso, gap: -30}\n", "the radius must be above 0");
    assert_bad(HEAD "  a:\n    start: [0, 0]\n    edges: [[9, 0], {to: [0, 9], path: [[0, 9]]}, [0, 0]]\n" PLACED,
               "either 'path', or 'to' with 'curve'");
    assert_bad(HEAD "  a:\n    start: [0, 0]\n    edges: [[9, 0], {to: [0, 9], hem: 90}, [0, 0]]\n" PLACED,
               "hem: 90 is not between 0 and 50 cm");
    assert_bad(HEAD
               "  a:\n    start: [0, 0]\n    edges: [{x: [9, 0]}, {y: {curve: [[9, 9]], to: [0, 9]}}, {z: [0, 0]}]\n"
               "    unfold: y\n" PLACED,
               "unfold: 'y' is not the name of a straight edge");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_are_unfolded),
        cmocka_unit_test(panels_are_mirrored),
        cmocka_unit_test(materials_and_notions_are_read),
        cmocka_unit_test(open_zips_stay_open),
        cmocka_unit_test(places_follow_another_body),
        cmocka_unit_test(panels_wrap_around_legs_and_hips),
        cmocka_unit_test(files_are_written_as_they_are_read),
        cmocka_unit_test(bad_values_name_the_place),
        cmocka_unit_test(meshes_have_the_measures_of_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
