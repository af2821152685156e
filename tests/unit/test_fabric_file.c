/* Fabric files: reading, writing, where they are found, and the published fabrics of Weft. */
#include "io_support.h"

#include <math.h>

#include "io/fabric_file.h"
#include "io/folder_names.h"
#include "weft-io/scene_files.h"
#include "weft-io/yaml.h"
#include "weft/weft.h"

static weft_result parse(const char *text, weft_fabric_file **file) {
    return weft_fabric_file_parse(text, strlen(text), "cloths/my-wool.yaml", file);
}

static void values_start_from_the_preset(void **state) {
    (void)state;
    weft_fabric_file *file;
    assert_ok(parse("preset: denim\nhelp: mine\ndensity: 300 g/m2\nbend_weft: 0.1 gf cm2/cm\n"
                    "measured: {drape_coefficient: 61.5, EMT: 3 %}\n",
                    &file));
    const weft_fabric *denim = &weft_fabric_preset_find("denim")->fabric;
    assert_string_equal(file->name, "my-wool");
    assert_string_equal(file->help, "mine");
    assert_true(file->fabric.density == 0.3 && file->fabric.bend_warp == denim->bend_warp);
    assert_true(fabs(file->fabric.bend_weft - 9.80665e-6) < 1e-12);
    assert_true(weft_fabric_file_figure(file, "drape_coefficient", "", -1) == 61.5);
    assert_true(weft_fabric_file_figure(file, "nodes", "", -1) == -1);
    weft_fabric_file_destroy(file);
}

static void mistakes_are_named(void **state) {
    (void)state;
    weft_fabric_file *file;
    assert_refused(parse("density: 0\n", &file), WEFT_BAD_INPUT, "my-wool.yaml:1: fabric.density");
    assert_refused(parse("densty: 1\n", &file), WEFT_BAD_INPUT, "did you mean 'density'");
    assert_refused(parse("preset: woll\n", &file), WEFT_BAD_INPUT, "unknown preset 'woll'");
    assert_refused(parse("help: [1, 2]\n", &file), WEFT_BAD_INPUT, "help: needs a text");
    assert_refused(parse("measured: 3\n", &file), WEFT_BAD_INPUT, "measured: needs a map");
    assert_refused(parse("measured: {a: [1]}\n", &file), WEFT_BAD_INPUT, "measured.a: needs a text");
    assert_refused(parse("[1, 2]\n", &file), WEFT_BAD_INPUT, "needs named values");
    assert_refused(parse("poisson_weft: 0.9\npoisson_warp: 0.1\n", &file), WEFT_BAD_INPUT, "differ by");
    assert_null(file);
}

static void files_read_back_the_same(void **state) {
    (void)state;
    weft_fabric_file *file, *again;
    assert_ok(
        parse("help: \"a \\\"quoted\\\" text: with # signs\"\nsource: \"back\\\\slash\"\nshear: 0.3333333333333333\n"
              "measured: {x: \"1: 2\"}\nprovenance: {by: \"me\"}\n",
              &file));
    assert_ok(weft_fabric_file_write(file, in_folder("again.yaml")));
    assert_ok(weft_fabric_file_read(in_folder("again.yaml"), &again));
    assert_memory_equal(&file->fabric, &again->fabric, sizeof file->fabric);
    assert_string_equal(file->help, again->help);
    assert_string_equal(file->source, again->source);
    assert_string_equal(again->measured[0].text, "1: 2");
    assert_string_equal(again->provenance[0].text, "me");
    weft_fabric_file_destroy(again);
    weft_fabric_file_destroy(file);
}

static void write_fabric(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Beside the scene, then the user's folder, then Weft's own, then the presets. */
static void the_nearest_file_wins(void **state) {
    (void)state;
    char here[400], data[1000], folder[1100], path[1300], scene[1100];
    weft_fabric_file *file;
    assert_non_null(getcwd(here, sizeof here));
    snprintf(data, sizeof data, "%s/%s", here, in_folder(""));
    snprintf(folder, sizeof folder, "%s/weft/fabrics", data);
    assert_ok(weft_directory_make(folder));
    assert_int_equal(setenv("XDG_DATA_HOME", data, 1), 0);
    assert_true(weft_fabric_folder(0, path, sizeof path));
    assert_string_equal(path, folder);
    snprintf(scene, sizeof scene, "%s/scene.yaml", data);
    assert_ok(weft_fabric_find("wool", scene, &file)); /* the preset */
    assert_true(file->fabric.density == 0.26 && !file->path[0]);
    weft_fabric_file_destroy(file);
    snprintf(path, sizeof path, "%s/wool.yaml", folder);
    write_fabric(path, "density: 0.5\n");
    assert_ok(weft_fabric_find("wool", scene, &file));
    assert_true(file->fabric.density == 0.5);
    weft_fabric_file_destroy(file);
    snprintf(path, sizeof path, "%s/wool.yaml", data);
    write_fabric(path, "density: 0.6\n");
    assert_ok(weft_fabric_find("wool", scene, &file));
    assert_true(file->fabric.density == 0.6);
    weft_fabric_file_destroy(file);
    write_fabric(path, "cloth:\n  fabric: wool\n"); /* a scene of that name is no fabric */
    assert_ok(weft_fabric_find("wool", scene, &file));
    assert_true(file->fabric.density == 0.5);
    weft_fabric_file_destroy(file);
    assert_refused(weft_fabric_find("wol", scene, &file), WEFT_BAD_INPUT, "did you mean 'wool'");
    assert_refused(weft_fabric_find("no/such.yaml", scene, &file), WEFT_BAD_FILE, "no/such.yaml");
}

static weft_result density_of(const char *fabric, double *density) {
    char text[400];
    weft_registry *registry;
    weft_tree *tree;
    weft_sim *sim = NULL;
    weft_scene_files files = weft_scene_files_make(NULL);
    snprintf(text, sizeof text, "cloth:\n  grid: {cells: [2, 2]}\n  fabric: %s\n", fabric);
    assert_ok(weft_registry_create(&registry));
    char scene[600];
    snprintf(scene, sizeof scene, "%s", in_folder("scene.yaml"));
    assert_ok(weft_yaml_read_memory(text, strlen(text), scene, &tree));
    weft_result result = weft_scene_read(registry, tree, &files, &sim);
    if (result.code == WEFT_OK)
        *density = weft_sim_cloth(sim, 0)->fabric->density;
    weft_sim_destroy(sim);
    weft_tree_destroy(tree);
    weft_registry_destroy(registry);
    return result;
}

static void scenes_use_fabric_files(void **state) {
    (void)state;
    double density = 0;
    write_fabric(in_folder("felt.yaml"), "density: 0.7\nsource: here\n");
    assert_ok(density_of("felt", &density));
    assert_true(density == 0.7);
    assert_ok(density_of("{preset: felt, bend_weft: 1e-5}", &density));
    assert_true(density == 0.7);
    assert_ok(density_of("{name: felt.yaml, density: 0.8}", &density));
    assert_true(density == 0.8);
    assert_ok(density_of("{preset: wang-gray-interlock}", &density));
    assert_true(density == 0.187);
    assert_ok(density_of("denim", &density));
    assert_true(density == weft_fabric_preset_find("denim")->fabric.density);
    assert_refused(density_of("missing.yaml", &density), WEFT_BAD_FILE, "scene.yaml:3: ");
    assert_refused(density_of("{preset: felt, densty: 3}", &density), WEFT_BAD_INPUT, "densty");
}

/* Each published fabric is valid, and names author, year and page or article. */
static void published_fabrics_have_sources(void **state) {
    (void)state;
    weft_names names = {0};
    char path[1024];
    int measured = 0;
    assert_true(weft_names_add(&names, WEFT_SOURCE_DIR "/data/fabrics", WEFT_FABRIC_ENDING));
    assert_true(names.count >= 20);
    for (int i = 0; i < names.count; i++) {
        weft_fabric_file *file;
        snprintf(path, sizeof path, "%s/data/fabrics/%s.yaml", WEFT_SOURCE_DIR, names.name[i]);
        assert_ok(weft_fabric_file_read(path, &file));
        assert_true(file->help[0] && strstr(file->source, "(20"));
        assert_true(strstr(file->source, "page") || strstr(file->source, "article"));
        assert_non_null(strstr(file->source, "Assumed"));
        measured += weft_fabric_file_figure(file, "drape_coefficient", "", -1) > 0;
        weft_fabric_file_destroy(file);
    }
    assert_int_equal(measured, 10);
    weft_names_free(&names);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_start_from_the_preset), cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(files_read_back_the_same),     cmocka_unit_test(the_nearest_file_wins),
        cmocka_unit_test(scenes_use_fabric_files),      cmocka_unit_test(published_fabrics_have_sources),
    };
    return cmocka_run_group_tests_name("fabric_file", tests, NULL, remove_folder);
}
