/* Fit of garments: girths, masses, seams. A tube is sewn from one panel and left alone without gravity or body. */
#include "support.h"

#include "lab/fit/ease.h"
#include "lab/textile/section.h"
#include "wear/garment/sew.h"
#include "wear/load/garment_cloth.h"
#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"

static const double PI = 3.14159265358979323846;

/* 60 cm around, 20 cm high, bent around a cylinder on which it is open by 10 cm. */
static const char TUBE[] = "garment: tube\n"
                           "edge: 2.5\n"
                           "fabric: {preset: cotton, density: 0.2}\n"
                           "body:\n"
                           "  axis: {from: [0, 0, 0], to: [0, 20, 0], radius: 11.14, front: [0, 0, 10]}\n"
                           "panels:\n"
                           "  wall:\n"
                           "    start: [0, 0]\n"
                           "    edges:\n"
                           "      - hem: [60, 0]\n"
                           "      - right: [60, 20]\n"
                           "      - top: [0, 20]\n"
                           "      - left: [0, 0]\n"
                           "    place: {around: axis, angle: 0 deg, height: 0}\n"
                           "seams:\n"
                           "  - [wall.right, wall.left]\n";

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static weft_result read_scene(const char *text, weft_sim **sim) {
    static weft_registry *registry;
    weft_tree *tree;
    if (!registry)
        must(weft_registry_create(&registry));
    weft_scene_files files = weft_scene_files_make(NULL);
    must(weft_yaml_read_memory(text, strlen(text), "scene.yaml", &tree));
    weft_result result = weft_scene_read(registry, tree, &files, sim);
    weft_tree_destroy(tree);
    return result;
}

static void tubes_have_the_girth_and_mass_of_their_pattern(void **state) {
    (void)state;
    write_text("tube.yaml", TUBE);
    weft_sim *sim;
    must(read_scene("cloth: {name: tube, garment: tube.yaml, settle: 1 s}\n"
                    "integrator: implicit-euler\nforces: []\n",
                    &sim));
    garment_pattern pattern;
    must(garment_pattern_read("tube.yaml", &pattern));
    for (int i = 0; i < 100; i++)
        must(weft_sim_step(sim, 0.01, NULL));
    const weft_mesh *mesh = weft_sim_cloth(sim, 0)->mesh;
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    double *density = malloc(m * sizeof *density), *pressure = calloc(n, sizeof *pressure);
    weft_strain *strain = malloc(m * sizeof *strain);
    assert_non_null(density);
    assert_non_null(pressure);
    assert_non_null(strain);
    for (size_t f = 0; f < m; f++)
        density[f] = 0.2;
    must(weft_sim_strains(sim, 0, strain));
    weft_fit_level level = {.name = "middle", .height = 0.1};
    weft_garment_fit fit = {.pattern = &pattern,
                            .mesh = mesh,
                            .density = density,
                            .x = weft_sim_positions(sim, 0),
                            .strain = strain,
                            .pressure = pressure,
                            .level = &level,
                            .levels = 1};
    must(weft_garment_fit_measure(&fit));
    weft_measures measures;
    must(weft_sim_measure(sim, &measures));
    assert_near(level.garment, 0.6, 0.006);
    assert_near(fit.mass, 0.2 * 0.6 * 0.2, 1e-12);
    assert_near(measures.mass, 0.2 * 0.6 * 0.2, 1e-12);
    assert_near(fit.seam[0].length, 0.2, 1e-9);
    assert_near(fit.high - fit.low, 0.2, 0.002);
    assert_true(fabs(fit.seam[0].pull_mean) < 1);
    assert_string_equal(fit.seam[0].name, "wall.right - wall.left");
    weft_garment_fit_free(&fit);
    free(strain);
    free(pressure);
    free(density);
    garment_pattern_free(&pattern);
    weft_sim_destroy(sim);
}

/* A band of 40 cm with a skirt of 52 cm on each side: the skirt is gathered, and the band keeps its length. */
static void gathered_seams_do_not_stretch_the_shorter_side(void **state) {
    (void)state;
    weft_sim *sim;
    weft_measures measures;
    write_text("gathered.yaml", "garment: gathered\n"
                                "edge: 2.5\n"
                                "fabric: cotton\n"
                                "body:\n"
                                "  axis: {from: [0, 0, 0], to: [0, 30, 0], radius: 16, front: [0, 0, 10]}\n"
                                "panels:\n"
                                "  band_front:\n"
                                "    start: [0, 0]\n"
                                "    edges: [{low: [40, 0]}, {right: [40, 10]}, {top: [0, 10]}, {left: [0, 0]}]\n"
                                "    place: {around: axis, drop: 0}\n"
                                "  skirt_front:\n"
                                "    start: [0, 0]\n"
                                "    edges: [{low: [52, 0]}, {right: [52, 30]}, {top: [0, 30]}, {left: [0, 0]}]\n"
                                "    place: {around: axis, drop: 11, gap: 4}\n"
                                "  band_back: {mirror: band_front, place: {around: axis, drop: 0, angle: 180 deg}}\n"
                                "  skirt_back: {mirror: skirt_front, place: {around: axis, drop: 11, gap: 4, "
                                "angle: 180 deg}}\n"
                                "seams:\n"
                                "  - [band_front.right, band_back.left]\n"
                                "  - [band_front.left, band_back.right]\n"
                                "  - [skirt_front.right, skirt_back.left]\n"
                                "  - [skirt_front.left, skirt_back.right]\n"
                                "  - {join: [band_front.low, skirt_front.top], gathered: true}\n"
                                "  - {join: [band_back.low, skirt_back.top], gathered: true}\n");
    must(read_scene("cloth: {garment: gathered.yaml, settle: 1 s}\nintegrator: implicit-euler\nforces: []\n", &sim));
    for (int i = 0; i < 50; i++)
        must(weft_sim_step(sim, 0.02, NULL));
    must(weft_sim_measure(sim, &measures));
    assert_true(measures.yarn_max < 0.03); /* 0.12 when both sides resist */
    weft_sim_destroy(sim);
}

static void garments_inside_of_bodies_are_refused_by_panel(void **state) {
    (void)state;
    weft_sim *sim;
    write_text("tube.yaml", TUBE);
    assert_says(read_scene("cloth: {garment: tube.yaml}\n"
                           "bodies: [sphere: {radius: 12 cm, at: [0, 0.1, 0]}]\n",
                           &sim),
                "scene.yaml:1: cloth.garment: panel wall begins inside of body 0 (sphere)");
    assert_says(read_scene("cloth: {garment: tube.yaml}\nbodies: [sphere: {radius: 1 m, at: [0, 0.1, 0]}]\n", &sim),
                "panel wall begins inside of body 0 (sphere)");
    assert_says(read_scene("cloth: {garment: tube.yaml, on: chair}\n", &sim), "cloth.on: no body of the scene");
    assert_says(read_scene("cloth: {garment: tube.yaml, on: plane}\nbodies: [plane, sphere, plane]\n", &sim),
                "scene.yaml:1: cloth.on: body 0 and body 2 both are 'plane'; give a number instead, as in on: 0");
    assert_says(read_scene("cloth: {garment: none.yaml}\n", &sim), "none.yaml");
    assert_says(read_scene("cloth: {garment: tube.yaml, settle: soon}\n", &sim), "cloth.settle");
    assert_says(read_scene("cloth: {grid: {}, settle: 1 s}\n", &sim), "cloth.settle: belongs to a `garment`");
    assert_says(read_scene("cloth: {garment: tube.yaml, grid: {}}\n", &sim), "needs one of");
    assert_says(read_scene("cloth: {garment: tube.yaml, model: springs}\n", &sim), "cannot be tailored");
}

static void panels_with_other_fabrics_are_factors_or_refused(void **state) {
    (void)state;
    char text[2000];
    weft_sim *sim;
    snprintf(text, sizeof text, "%s", TUBE);
    char *place = strstr(text, "    place:");
    assert_non_null(place);
    const char *rest = strstr(TUBE, "    place:");
    snprintf(place, sizeof text - (size_t)(place - text), "    fabric: {preset: cotton, density: 0.3}\n%s", rest);
    write_text("tube.yaml", text);
    must(read_scene("cloth: {garment: tube.yaml}\nforces: []\n", &sim));
    weft_measures measures;
    must(weft_sim_measure(sim, &measures));
    assert_near(measures.mass, 0.3 * 0.6 * 0.2, 1e-12);
    weft_sim_destroy(sim);
    snprintf(place, sizeof text - (size_t)(place - text), "    fabric: denim\n%s", rest);
    write_text("tube.yaml", text);
    assert_says(read_scene("cloth: {garment: tube.yaml}\n", &sim), "panel wall: its fabric is not as much stiffer");
}

static void sections_wrap_like_a_tape(void **state) {
    (void)state;
    weft_section section = {0};
    /* a star: only its five tips count */
    weft_vec3 x[10];
    for (int i = 0; i < 10; i++) {
        double r = i % 2 ? 0.4 : 1, angle = 2 * PI * i / 10;
        x[i] = (weft_vec3){r * cos(angle), 1, r * sin(angle)};
    }
    for (int i = 0; i < 10; i++) { /* vertical edges through the corners */
        weft_vec3 edge[3] = {x[i], x[i], x[i]};
        edge[1].y = edge[2].y = -1;
        must(weft_section_cut(&section, 0, edge, (const int32_t[][3]){{0, 1, 2}}, 1, NULL));
    }
    must(weft_section_wrap(&section));
    assert_near(weft_section_girth(&section), 5 * 2 * sin(PI / 5), 1e-12);
    weft_section_free(&section);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tubes_have_the_girth_and_mass_of_their_pattern),
        cmocka_unit_test(gathered_seams_do_not_stretch_the_shorter_side),
        cmocka_unit_test(garments_inside_of_bodies_are_refused_by_panel),
        cmocka_unit_test(panels_with_other_fabrics_are_factors_or_refused),
        cmocka_unit_test(sections_wrap_like_a_tape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
