/* Patterns of other programs: SVG, DXF, GarmentCode, drafted designs; and garment files written and read back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "wear/garment/build.h"
#include "wear/garment/draft.h"
#include "wear/garment/import.h"
#include "weft-io/yaml.h"

static const double PI = 3.14159265358979323846;

static double outline_of(const garment_panel *panel) {
    double length = 0;
    for (int32_t e = 0; e < panel->edges; e++)
        length += panel->edge[e].length;
    return length;
}

static const garment_panel *find_panel(const garment_pattern *pattern, const char *name) {
    for (int32_t p = 0; p < pattern->panels; p++)
        if (strcmp(pattern->panel[p].name, name) == 0)
            return &pattern->panel[p];
    fail_msg("no panel '%s'", name);
    return NULL;
}

static const garment_edge *find_edge(const garment_panel *panel, const char *name) {
    for (int32_t e = 0; e < panel->edges; e++)
        if (strcmp(panel->edge[e].name, name) == 0)
            return &panel->edge[e];
    fail_msg("panel %s has no edge '%s'", panel->name, name);
    return NULL;
}

/* Writes a garment file and reads it back: all that can be measured is the same. */
static void assert_round_trip(const garment_pattern *pattern) {
    char *text;
    garment_pattern read;
    must(garment_pattern_text(pattern, "round trip", &text));
    must(garment_pattern_read_memory(text, strlen(text), "trip.yaml", &read));
    assert_int_equal(read.panels, pattern->panels);
    assert_int_equal(read.seams, pattern->seams);
    for (int32_t p = 0; p < read.panels; p++) {
        const garment_panel *a = &pattern->panel[p], *b = &read.panel[p];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->edges, b->edges);
        assert_int_equal(a->notches, b->notches);
        assert_int_equal(a->folds, b->folds);
        assert_near(a->area, b->area, 1e-6 * a->area);
        assert_near(a->grain, b->grain, 1e-5);
        assert_near(a->place.angle, b->place.angle, 1e-5);
        for (int32_t e = 0; e < a->edges; e++) {
            assert_string_equal(a->edge[e].name, b->edge[e].name);
            assert_near(a->edge[e].length, b->edge[e].length, 1e-6);
            assert_near(a->edge[e].hem, b->edge[e].hem, 1e-6);
        }
    }
    garment_pattern_free(&read);
    free(text);
}

typedef weft_result (*importer)(const char *bytes, size_t size, const char *name, garment_pattern *pattern);

static void assert_refused(importer read, const char *text, const char *name, const char *excerpt) {
    garment_pattern pattern;
    weft_result result = read(text, strlen(text), name, &pattern);
    assert_says(result, excerpt);
    assert_null(strchr(result.message, '\n'));
    garment_pattern_free(&pattern);
}

/* -- SVG -- */

#define SVG(body) "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400mm\" viewBox=\"0 0 800 600\">\n" body "</svg>\n"

/* Two units are a millimetre. A square of 200 mm with a half circle on top, in a group that is moved and turned. */
static void svg_paths_become_panels(void **state) {
    (void)state;
    const char *text = SVG(
        "<g transform=\"translate(10 20) rotate(90)\">\n"
        "<path id=\"front left\" d=\"M0,0 h400 v400 A200 200 0 1 1 0 400 z\"/>\n"
        "<path id=\"front left.grain\" d=\"M200 100 L200 300\"/><path id=\"front left.fold1\" d=\"M100 0v400\"/>\n"
        "<defs><path id=\"hidden\" d=\"M0 0h1v1z\"/></defs></g>\n"
        "<rect id=\"cuff\" x=\"1\" y=\"1\" width=\"40\" height=\"20\"/><polygon id=\"tri\" points=\"0,0 30,0 0,40\"/>\n"
        "<path d=\"M0 0L5 5\"/>\n");
    garment_pattern pattern;
    must(garment_import_svg(text, strlen(text), "dir/my shirt.svg", &pattern));
    assert_string_equal(pattern.name, "my_shirt");
    assert_int_equal(pattern.panels, 3);
    const garment_panel *front = find_panel(&pattern, "front_left");
    assert_near(front->area, 0.04 + PI * 0.01 / 2, 1e-3 * front->area);
    assert_near(outline_of(front), 0.6 + PI * 0.1, 1e-3 * outline_of(front));
    assert_int_equal(front->edges, 2); /* the arc meets the sides without a corner, so they are one edge with it */
    assert_int_equal(front->folds, 1);
    assert_near(fabs(front->grain), PI / 2, 1e-9); /* turned by the group */
    assert_near(find_panel(&pattern, "cuff")->area, 0.02 * 0.01, 1e-9);
    assert_near(outline_of(find_panel(&pattern, "tri")), 0.06, 1e-9);
    assert_round_trip(&pattern);
    garment_pattern_free(&pattern);
}

static void svg_curves_keep_their_shape(void **state) {
    (void)state;
    /* the same curve as cubic, smooth cubic, quadratic and smooth quadratic, absolute and relative */
    const char *text = SVG("<path id=\"a\" d=\"M0 0 Q100 200 200 0 T400 0 L400 -300 H0 Z\"/>\n"
                           "<path id=\"b\" d=\"m0 0 c66.6666667 133.3333333 133.3333333 133.3333333 200 0 "
                           "s133.3333333-133.3333333 200 0 v-300 h-400z\"/>\n");
    garment_pattern pattern;
    must(garment_import_svg(text, strlen(text), "c.svg", &pattern));
    assert_near(pattern.panel[0].area, pattern.panel[1].area, 1e-9);
    assert_near(pattern.panel[0].area, 0.2 * 0.15, 1e-9); /* the bumps cancel */
    assert_near(outline_of(&pattern.panel[0]), outline_of(&pattern.panel[1]), 1e-9);
    garment_pattern_free(&pattern);
}

static void bad_svg_names_the_place(void **state) {
    (void)state;
    assert_refused(garment_import_svg, SVG("<path id=\"front\" d=\"M0 0 H100 V100\"/>\n"), "a.svg",
                   "a.svg:2: path 'front': the outline is open");
    assert_refused(garment_import_svg, SVG("<path id=\"p\" d=\"M0 0 L nan 3 z\"/>\n"), "a.svg",
                   "a.svg:2: path 'p': path data: cannot read 'L nan 3 z'");
    assert_refused(garment_import_svg, SVG("<path id=\"p\" d=\"M0 0 1e9 0 0 1e9z\"/>\n"), "a.svg", "further than 1 km");
    assert_refused(garment_import_svg, SVG("<path id=\"p\" d=\"M0 0h9v9zM20 20h9v9z\"/>\n"), "a.svg",
                   "more than one outline");
    assert_refused(garment_import_svg, SVG("<path id=\"p\" d=\"L0 0h9v9z\"/>\n"), "a.svg", "must begin with M");
    assert_refused(garment_import_svg, SVG("<g transform=\"spin(3)\"/>\n"), "a.svg", "a.svg:2: transform: 'spin(3)'");
    assert_refused(garment_import_svg,
                   SVG("<path id=\"x.grain\" d=\"M0 0v9\"/><rect id=\"y\" width=\"9\" height=\"9\"/>\n"), "a.svg",
                   "a.svg:2: there is no panel 'x'");
    assert_refused(garment_import_svg, SVG(""), "a.svg", "a.svg: no closed path with an id");
    assert_refused(garment_import_svg, "<svg><path></svg>", "a.svg", "a.svg:1: mismatched tag");
    assert_refused(garment_import_svg, "<html></html>", "a.svg", "no SVG");
}

/* -- DXF -- */

#define VERTEX(layer, x, y)            "0\nVERTEX\n8\n" layer "\n10\n" x "\n20\n" y "\n"
#define POINT(layer, x, y)             "0\nPOINT\n8\n" layer "\n10\n" x "\n20\n" y "\n"
#define OUTLINE(layer, flag, vertices) "0\nPOLYLINE\n8\n" layer "\n66\n1\n70\n" flag "\n" vertices "0\nSEQEND\n"
#define BLOCK(name, body)              "0\nBLOCK\n8\n0\n2\n" name "\n70\n0\n10\n0\n20\n0\n" body "0\nENDBLK\n"
#define DXF(blocks, texts)                                                                                             \
    "0\nSECTION\n2\nBLOCKS\n" blocks "0\nENDSEC\n0\nSECTION\n2\nENTITIES\n" texts "0\nENDSEC\n0\nEOF\n"
#define TEXT(layer, text) "0\nTEXT\n8\n" layer "\n10\n0\n20\n0\n40\n5\n1\n" text "\n"

/* A half front of 200 x 500 mm with a seam allowance of 10 mm, cut on the fold at x = 0. */
#define HALF                                                                                                           \
    OUTLINE("1", "1",                                                                                                  \
            VERTEX("1", "0", "-10") VERTEX("1", "210", "-10") VERTEX("1", "210", "510") VERTEX("1", "0", "510"))       \
    OUTLINE("14", "1",                                                                                                 \
            VERTEX("14", "0", "0") VERTEX("14", "200", "0") VERTEX("14", "200", "300") VERTEX("14", "205", "310")      \
                VERTEX("14", "200", "500") VERTEX("14", "0", "500"))                                                   \
    POINT("2", "0", "0")                                                                                               \
    POINT("2", "200", "0")                                                                                             \
    POINT("2", "200", "500")                                                                                           \
    POINT("2", "0", "500")                                                                                             \
    POINT("4", "200", "150")                                                                                           \
    "0\nLINE\n8\n6\n10\n0\n20\n0\n11\n0\n21\n500\n"                                                                    \
    "0\nLINE\n8\n7\n10\n50\n20\n100\n11\n60\n21\n400\n"                                                                \
    "0\nLINE\n8\n8\n10\n50\n20\n100\n11\n150\n21\n100\n" TEXT("1", "Piece Name: FRONT") TEXT("1", "Size: 40")

static void dxf_pieces_become_panels(void **state) {
    (void)state;
    const char *text = DXF(BLOCK("P1", HALF), TEXT("1", "Style Name: TOP") TEXT("1", "Units: METRIC"));
    garment_pattern pattern;
    must(garment_import_dxf(text, strlen(text), "top.dxf", &pattern));
    assert_int_equal(pattern.panels, 1);
    const garment_panel *front = find_panel(&pattern, "FRONT");
    assert_int_equal(front->edges, 4); /* turn points are corners; the bend at y = 310 is none */
    assert_near(front->area, 2 * (0.2 * 0.5 + 0.5 * 0.005 * 0.2), 1e-9);
    assert_near(front->high.x - front->low.x, 0.41, 1e-9);
    assert_int_equal(front->notches, 1);
    assert_int_equal(front->folds, 1);
    assert_near(front->grain, -atan2(10, 300), 1e-9);
    assert_round_trip(&pattern);
    garment_pattern_free(&pattern);
}

static void dxf_units_may_be_inches(void **state) {
    (void)state;
    const char *text =
        DXF(BLOCK("A", "0\nLWPOLYLINE\n8\n1\n90\n3\n70\n1\n10\n0\n20\n0\n10\n10\n20\n0\n10\n0\n20\n10\n"),
            TEXT("1", "UNITS: ENGLISH"));
    garment_pattern pattern;
    must(garment_import_dxf(text, strlen(text), "tri.dxf", &pattern));
    assert_near(pattern.panel[0].area, 50 * 0.0254 * 0.0254, 1e-9);
    garment_pattern_free(&pattern);
}

static void bad_dxf_names_the_place(void **state) {
    (void)state;
    assert_refused(
        garment_import_dxf,
        DXF(BLOCK("A", OUTLINE("1", "0", VERTEX("1", "0", "0") VERTEX("1", "9", "0") VERTEX("1", "9", "9"))), ""),
        "a.dxf", "a.dxf:18: piece A: the outline is open");
    assert_refused(garment_import_dxf, DXF(BLOCK("A", OUTLINE("1", "1", VERTEX("1", "nan", "0"))), ""), "a.dxf",
                   "'nan' is not a coordinate");
    assert_refused(garment_import_dxf, DXF("", ""), "a.dxf", "no block with an outline");
    assert_refused(garment_import_dxf, "0\nSECTION\n2\nBLOCKS\nlayer\n1\n", "a.dxf",
                   "a.dxf:5: 'layer' is not a group code");
    assert_refused(garment_import_dxf, "0\nSECTION\n2\n", "a.dxf", "ends within a group");
    assert_refused(garment_import_dxf, "0\nBLOCK\n2\nA\n" POINT("1", "0", "0"), "a.dxf", "the block does not end");
}

/* -- GarmentCode -- */

/* A ring segment of 60 degrees, radii 30 and 90 cm, and the same from behind, clockwise. Stitched at both sides. */
#define RING(name, edges, place)                                                                                       \
    "\"" name "\": {\"vertices\": [[-45, -77.94228634], [45, -77.94228634], "                                          \
    "[15, -25.98076211], [-15, -25.98076211]], \"edges\": [" edges "], " place "}"
#define AHEAD                                                                                                          \
    "{\"endpoints\": [0, 1], \"curvature\": {\"type\": \"circle\", \"params\": [90, 0, 1]}, \"label\": \"hem\"}, "     \
    "{\"endpoints\": [1, 2]}, {\"endpoints\": [2, 3], \"curvature\": {\"type\": \"circle\", \"params\": [30, 0, "      \
    "0]}}, "                                                                                                           \
    "{\"endpoints\": [3, 0]}"
#define BEHIND                                                                                                         \
    "{\"endpoints\": [1, 0], \"curvature\": {\"type\": \"circle\", \"params\": [90, 0, 0]}}, "                         \
    "{\"endpoints\": [0, 3]}, {\"endpoints\": [3, 2], \"curvature\": {\"type\": \"circle\", \"params\": [30, 0, "      \
    "1]}}, "                                                                                                           \
    "{\"endpoints\": [2, 1]}"
#define SPEC(panels, stitches)                                                                                         \
    "{\"pattern\": {\"panels\": {" panels "}, \"stitches\": [" stitches "]}, "                                         \
    "\"properties\": {\"curvature_coords\": \"relative\", \"units_in_meter\": 100}}"
#define FRONT              RING("skirt_f", AHEAD, "\"translation\": [0, 100, 20], \"rotation\": [0, 0, 0]")
#define BACK               RING("skirt_b", BEHIND, "\"translation\": [0, 100, -20], \"rotation\": [0, 0, 0]")
#define STITCH(a, i, b, j) "[{\"panel\": \"" a "\", \"edge\": " i "}, {\"panel\": \"" b "\", \"edge\": " j "}]"

static void garmentcode_panels_are_exact(void **state) {
    (void)state;
    const char *text =
        SPEC(FRONT ", " BACK, STITCH("skirt_f", "1", "skirt_b", "1") ", " STITCH("skirt_f", "3", "skirt_b", "3"));
    garment_pattern pattern;
    must(garment_import_garmentcode(text, strlen(text), "ring_specification.json", &pattern));
    assert_string_equal(pattern.name, "ring");
    const double area = PI / 6 * (0.81 - 0.09), outline = PI / 3 * 1.2 + 1.2;
    for (int32_t p = 0; p < 2; p++) {
        assert_near(pattern.panel[p].area, area, 1e-3 * area);
        assert_near(outline_of(&pattern.panel[p]), outline, 1e-3 * outline);
        assert_near(find_edge(&pattern.panel[p], p ? "e0" : "hem")->length, PI / 3 * 0.9, 1e-3);
        assert_string_equal(pattern.panel[p].place.around, "hips");
    }
    assert_near(pattern.panel[0].place.angle, 0, 1e-9);
    assert_near(fabs(pattern.panel[1].place.angle), PI, 1e-9); /* faces backwards, because it runs clockwise */
    assert_int_equal(pattern.seams, 2);
    assert_round_trip(&pattern);
    garment_pattern_free(&pattern);
}

/* A sleeve that is drawn along x and turned into the arm of a T pose has its length along y afterwards. */
static void garmentcode_sleeves_lie_along_the_arm(void **state) {
    (void)state;
    const char *text = SPEC("\"left_sleeve_f\": {\"vertices\": [[0, 0], [40, 0], [40, 15], [0, 15]], \"edges\": "
                            "[{\"endpoints\": [0, 1]}, {\"endpoints\": [1, 2]}, {\"endpoints\": [2, 3]}, "
                            "{\"endpoints\": [3, 0]}], \"translation\": [20, 130, 10], \"rotation\": [0, 0, 0]}",
                            "");
    garment_pattern pattern;
    must(garment_import_garmentcode(text, strlen(text), "s.json", &pattern));
    const garment_panel *sleeve = &pattern.panel[0];
    assert_string_equal(sleeve->place.around, "left_arm");
    assert_near(sleeve->high.y - sleeve->low.y, 0.4, 1e-9);
    assert_near(sleeve->place.angle, 0, 1e-9); /* in front */
    garment_pattern_free(&pattern);
}

static void bad_garmentcode_names_the_place(void **state) {
    (void)state;
    assert_refused(garment_import_garmentcode, "{\"panels\": {}}", "a.json", "a.json:1: no GarmentCode specification");
    assert_refused(garment_import_garmentcode, SPEC(FRONT, STITCH("skirt_f", "1", "sleeve", "1")), "a.json",
                   "there is no panel 'sleeve'");
    assert_refused(garment_import_garmentcode, SPEC(FRONT, STITCH("skirt_f", "1", "skirt_f", "9")), "a.json",
                   "stitch: edge: 9 is not between 0 and 3");
    assert_refused(
        garment_import_garmentcode,
        SPEC(RING("p", "{\"endpoints\": [0, 1]}, {\"endpoints\": [2, 3]}, {\"endpoints\": [3, 0]}", "\"label\": \"\""),
             ""),
        "a.json", "panel p: the outline is open");
    assert_refused(
        garment_import_garmentcode,
        SPEC(RING("p", "{\"endpoints\": [0, 1]}, {\"endpoints\": [1, 2], \"curvature\": {\"type\": \"spline\"}}",
                  "\"label\": \"\""),
             ""),
        "a.json", "'spline' is not quadratic, cubic or circle");
    assert_refused(garment_import_garmentcode,
                   SPEC(RING("p", "{\"endpoints\": [0, 7]}, {\"endpoints\": [1, 2]}", "\"label\": \"\""), ""), "a.json",
                   "endpoints: 7 is not between 0 and 3");
    assert_refused(garment_import_garmentcode,
                   "{\"pattern\": {\"panels\": {\"p\": {\"vertices\": [[NaN, 0], [1, 0]], \"edges\": "
                   "[{\"endpoints\": [0, 1]}, {\"endpoints\": [1, 0]}]}}}}",
                   "a.json", "vertices");
}

/* -- drafted designs -- */

static const char DESIGN[] = "design: box\ngarment: box\npanels:\n"
                             "  front:\n    part: box.front\n"
                             "    edges: [start: a, {lower: b, hem: 2}, side: c, top: d, fold: a]\n"
                             "    unfold: fold\n    place: {around: torso}\n"
                             "  turned:\n    part: box.front\n    up: [b, a]\n"
                             "    edges: [start: a, hem: b, side: c, top: d, fold: a]\n    place: {around: torso}\n"
                             "seams: [[front.side_left, front.side_right]]\n";
/* In mm, y downwards: 100 wide, 200 high, as FreeSewing draws it. */
static const char DRAFTED[] =
    "{\"parts\": {\"box.front\": {\"points\": {\"a\": [0, 200], \"b\": [100, 200], \"c\": [100, 0], "
    "\"d\": [0, 0]}, \"paths\": {\"seam\": [[\"move\", 0, 200], [\"line\", 100, 200], "
    "[\"curve\", 100, 150, 100, 50, 100, 0], [\"line\", 0, 0], [\"close\"]]}}}}";

static weft_result build_draft(const char *design, garment_pattern *pattern) {
    weft_tree *described, *drafted;
    must(weft_yaml_read_memory(design, strlen(design), "box.yaml", &described));
    must(weft_yaml_read_memory(DRAFTED, sizeof DRAFTED - 1, "draft", &drafted));
    weft_result result = garment_draft_build(weft_tree_root(described), weft_tree_root(drafted), pattern);
    weft_tree_destroy(described);
    weft_tree_destroy(drafted);
    return result;
}

static void drafts_are_cut_into_edges(void **state) {
    (void)state;
    garment_pattern pattern;
    must(build_draft(DESIGN, &pattern));
    const garment_panel *front = find_panel(&pattern, "front"), *turned = find_panel(&pattern, "turned");
    assert_near(front->area, 0.2 * 0.2, 1e-9);
    assert_near(find_edge(front, "lower")->length, 0.2, 1e-9); /* both halves */
    assert_near(find_edge(front, "lower")->hem, 0.02, 1e-9);
    assert_near(find_edge(front, "side_right")->length, 0.2, 1e-9);
    assert_near(turned->high.x - turned->low.x, 0.2, 1e-9); /* `up` runs from b to a, along x */
    assert_near(turned->high.y - turned->low.y, 0.1, 1e-9);
    assert_int_equal(pattern.seams, 1);
    assert_round_trip(&pattern);
    garment_pattern_free(&pattern);
}

static void bad_designs_name_the_place(void **state) {
    (void)state;
    garment_pattern pattern;
    assert_says(
        build_draft("design: box\ngarment: b\npanels:\n  p:\n    part: box.back\n    edges: [start: a]\n", &pattern),
        "box.yaml:5: panel p: the design drafted no part 'box.back'");
    assert_says(
        build_draft("design: box\ngarment: b\npanels:\n  p:\n    part: box.front\n    edges: [start: z]\n", &pattern),
        "box.yaml:6: part box.front has no point 'z'");
    assert_says(
        build_draft("design: box\ngarment: b\npanels:\n  p:\n    part: box.front\n    edges: [start: a, x: c]\n",
                    &pattern),
        "the outline goes on after the last one");
    assert_says(build_draft("design: box\ngarment: b\npanels:\n  p:\n    part: box.front\n"
                            "    edges: [start: a, x: d, y: b, z: a]\n",
                            &pattern),
                "lies before the one above");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svg_paths_become_panels),         cmocka_unit_test(svg_curves_keep_their_shape),
        cmocka_unit_test(bad_svg_names_the_place),         cmocka_unit_test(dxf_pieces_become_panels),
        cmocka_unit_test(dxf_units_may_be_inches),         cmocka_unit_test(bad_dxf_names_the_place),
        cmocka_unit_test(garmentcode_panels_are_exact),    cmocka_unit_test(garmentcode_sleeves_lie_along_the_arm),
        cmocka_unit_test(bad_garmentcode_names_the_place), cmocka_unit_test(drafts_are_cut_into_edges),
        cmocka_unit_test(bad_designs_name_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
