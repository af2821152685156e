/* Fabrics against the tables of Trendafilov (2021), their symmetry, and messages for bad input. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "weft/fabric.h"

static void assert_near(double value, double expected, double relative) {
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.17g is not %.17g within %g", value, expected, relative);
}

static void assert_in(const char *text, const char *excerpt) {
    if (!strstr(text, excerpt))
        fail_msg("'%s' does not contain '%s'", text, excerpt);
}

/* -- a map built in code, one line of the file per key -- */

typedef struct scene {
    weft_tree *tree;
    weft_value *map;
} scene;

static scene scene_make(const char *const pairs[][2], int count) {
    scene made;
    assert_int_equal(weft_tree_create(&made.tree).code, WEFT_OK);
    made.map = weft_tree_map(made.tree, "flag.yaml", 7);
    assert_non_null(made.map);
    for (int i = 0; i < count; i++) {
        weft_value *text = weft_tree_text(made.tree, pairs[i][1], "flag.yaml", 8 + i);
        assert_non_null(text);
        assert_int_equal(weft_value_put(made.tree, made.map, pairs[i][0], text).code, WEFT_OK);
    }
    return made;
}

static weft_result read_pairs(const char *const pairs[][2], int count, weft_fabric *fabric) {
    scene made = scene_make(pairs, count);
    weft_result result = weft_fabric_read(made.map, "cloth.fabric", fabric);
    weft_tree_destroy(made.tree);
    return result;
}

#define READ(fabric, ...)                                                                                              \
    read_pairs((const char *const[][2]){__VA_ARGS__},                                                                  \
               sizeof((const char *const[][2]){__VA_ARGS__}) / (2 * sizeof(char *)), fabric)

/* -- presets -- */

/* An independent copy of tables 3.1 and 3.2, by columns as printed; e45 is 0 for table 3.1. */
typedef struct printed {
    const char *name;
    double density, ex, ey, nu_xy, nu_yx, es, e45, nu45, thickness;
} printed;

static const printed TABLES[] = {
    {"viscose", 0.23, 245, 366, 0.249, 0.167, 0.38, 0, 0, 0},
    {"wool", 0.26, 866, 1391, 0.261, 0.162, 0.51, 0, 0, 0},
    {"polyacrylics", 0.17, 3057, 1534, 0.150, 0.299, 1.22, 0, 0, 0},
    {"polyester", 0.26, 2400, 3600, 0.250, 0.167, 5.23, 0, 0, 0},
    {"cotton", 0.1503, 32.559, 12.436, 0.566, 0.216, 0, 0.821, 1.136, 0.35},
    {"wool-plain", 0.2348, 21.860, 8.149, 0.705, 0.263, 0, 0.170, 1.377, 0.5},
    {"wool-lycra", 0.1782, 0.250, 0.851, 0.071, 0.244, 0, 0.076, 0.599, 0.45},
    {"polyester-plain", 0.1646, 5.152, 11.674, 0.381, 0.864, 0, 0.478, 1.366, 0.3},
};
enum { TABLE_ROWS = sizeof TABLES / sizeof TABLES[0] };

/* In g/m2 and Kawabata's units, gf cm2/cm and gf/(cm degree); 1 gf = 0.00980665 N. */
static const struct typical {
    const char *name;
    double weight, bend_weft, bend_warp, shear;
} TYPICAL[] = {{"silk", 75, 0.008, 0.012, 0.2},
               {"chiffon", 40, 0.004, 0.006, 0.12},
               {"cotton-sheeting", 125, 0.078, 0.119, 1},
               {"wool-suiting", 210, 0.09, 0.13, 0.6},
               {"jersey", 160, 0.02, 0.035, 0.5},
               {"denim", 400, 0.55, 0.95, 2.5},
               {"canvas", 340, 0.9, 1.3, 4}};
enum { TYPICAL_ROWS = sizeof TYPICAL / sizeof TYPICAL[0] };

static void typical_presets_convert_from_kawabatas_units(void **state) {
    (void)state;
    for (int i = 0; i < TYPICAL_ROWS; i++) {
        const struct typical *row = &TYPICAL[i];
        assert_non_null(weft_fabric_preset_find(row->name));
        const weft_fabric *fabric = &weft_fabric_preset_find(row->name)->fabric;
        assert_near(fabric->density, row->weight / 1000, 1e-12);
        assert_near(fabric->bend_weft, row->bend_weft * 0.00980665 * 0.01, 1e-12);
        assert_near(fabric->bend_warp, row->bend_warp * 0.00980665 * 0.01, 1e-12);
        assert_near(fabric->shear, row->shear * 0.00980665 / 0.01 * 180 / acos(-1), 1e-12);
    }
}

static void presets_match_published_tables(void **state) {
    (void)state;
    assert_int_equal(weft_fabric_preset_count(), TABLE_ROWS + TYPICAL_ROWS);
    for (int i = 0; i < TABLE_ROWS; i++) {
        const printed *row = &TABLES[i];
        const weft_fabric_preset *preset = weft_fabric_preset_find(row->name);
        assert_non_null(preset);
        const weft_fabric *fabric = &preset->fabric;
        assert_near(fabric->density, row->density, 1e-15);
        if (row->e45 == 0) { /* N/m, with swapped ratios */
            assert_near(fabric->stretch_weft, row->ex, 1e-15);
            assert_near(fabric->stretch_warp, row->ey, 1e-15);
            assert_near(fabric->shear, row->es, 1e-15);
            assert_near(fabric->poisson_weft, row->nu_yx, 1e-15);
            assert_near(fabric->poisson_warp, row->nu_xy, 1e-15);
        } else { /* MPa x mm = 1000 N/m */
            assert_near(fabric->thickness, row->thickness / 1000, 1e-15);
            assert_near(fabric->stretch_weft, 1000 * row->ex * row->thickness, 1e-14);
            assert_near(fabric->stretch_warp, 1000 * row->ey * row->thickness, 1e-14);
            assert_near(fabric->shear, 500 * row->e45 * row->thickness / (1 + row->nu45), 1e-14);
            assert_near(fabric->poisson_weft, row->nu_xy, 1e-15);
            assert_near(fabric->poisson_warp, row->nu_yx, 1e-15);
        }
    }
}

/* By hand: 32.559 MPa x 0.35 mm = 11395.65 N/m; 12.436 x 0.35 = 4352.6 N/m; 0.821 / 4.272 = 0.192182 MPa -> 67.2636
 * N/m. */
static void cotton_matches_hand_calculation(void **state) {
    (void)state;
    const weft_fabric *cotton = &weft_fabric_preset_find("cotton")->fabric;
    assert_near(cotton->stretch_weft, 11395.65, 1e-12);
    assert_near(cotton->stretch_warp, 4352.6, 1e-12);
    assert_near(cotton->shear, 67.2636, 1e-5);
}

static void presets_are_valid_and_symmetric(void **state) {
    (void)state;
    for (int i = 0; i < weft_fabric_preset_count(); i++) {
        const weft_fabric_preset *preset = weft_fabric_preset_at(i);
        weft_result result = weft_fabric_check(&preset->fabric, preset->name);
        assert_string_equal(result.message, "");
        const weft_fabric *fabric = &preset->fabric;
        /* Published digits allow 1.2 % for wool-lycra and less than 0.4 % for the others. */
        assert_near(fabric->poisson_warp * fabric->stretch_weft, fabric->poisson_weft * fabric->stretch_warp, 0.012);
        assert_in(preset->source, "Assumed: thickness");
        assert_in(preset->source, i < 4            ? "Etzmuss et al. 2003"
                                  : i < TABLE_ROWS ? "Penava et al. 2014"
                                                   : "Kawabata 1980");
        assert_true(strlen(preset->help) > 5);
        assert_ptr_equal(weft_fabric_preset_find(preset->name), preset);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(weft_fabric_preset_at(j)->name, preset->name);
    }
    assert_null(weft_fabric_preset_at(-1));
    assert_null(weft_fabric_preset_at(weft_fabric_preset_count()));
    assert_null(weft_fabric_preset_find("velvet"));
}

/* Table 3.1 as printed must be refused, otherwise the swap above would prove nothing. */
static void table_with_printed_ratios_is_refused(void **state) {
    (void)state;
    weft_fabric fabric = weft_fabric_preset_find("viscose")->fabric;
    fabric.poisson_weft = 0.249;
    fabric.poisson_warp = 0.167;
    weft_result result = weft_fabric_check(&fabric, "viscose");
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_in(result.message, "viscose: poisson_warp x stretch_weft = 0.167 x 245 = 40.915 N/m");
    assert_in(result.message, "poisson_weft x stretch_warp = 0.249 x 366 = 91.134 N/m");
    assert_in(result.message, "at most 2 %");
}

static void symmetry_tolerance_is_two_percent(void **state) {
    (void)state;
    weft_fabric fabric = weft_fabric_preset_find("wool")->fabric;
    fabric.stretch_weft = fabric.stretch_warp = 1000;
    fabric.poisson_weft = 0.2;
    fabric.poisson_warp = 0.2 * 0.981;
    assert_int_equal(weft_fabric_check(&fabric, "").code, WEFT_OK);
    fabric.poisson_warp = 0.2 * 0.979;
    assert_int_equal(weft_fabric_check(&fabric, "").code, WEFT_BAD_INPUT);
    fabric.poisson_weft = fabric.poisson_warp = 0;
    assert_int_equal(weft_fabric_check(&fabric, "").code, WEFT_OK);
}

static void indefinite_fabric_is_refused(void **state) {
    (void)state;
    weft_fabric fabric = weft_fabric_preset_find("wool")->fabric;
    fabric.stretch_weft = fabric.stretch_warp = 1000;
    fabric.poisson_weft = fabric.poisson_warp = 0.999;
    assert_int_equal(weft_fabric_check(&fabric, "f").code, WEFT_OK);
    fabric.poisson_weft = fabric.poisson_warp = 1.25;
    weft_result result = weft_fabric_check(&fabric, "f");
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_in(result.message, "f: poisson_weft x poisson_warp = 1.25 x 1.25 = 1.5625");
}

static void check_covers_every_field(void **state) {
    (void)state;
    for (const weft_param *row = weft_fabric_params(); row->name; row++) {
        weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
        *(double *)((char *)&fabric + row->offset) = NAN;
        weft_result result = weft_fabric_check(&fabric, "f");
        assert_int_equal(result.code, WEFT_BAD_INPUT);
        assert_in(result.message, row->name);
    }
    weft_fabric empty;
    memset(&empty, 0, sizeof empty);
    assert_string_equal(weft_fabric_check(&empty, "f").message, "f.density: 0 is not above 0 (kg/m2)");
}

/* -- the parameter table -- */

static void table_covers_every_field(void **state) {
    (void)state;
    const weft_param *table = weft_fabric_params();
    size_t rows = 0;
    char seen[sizeof(weft_fabric)] = {0};
    for (const weft_param *row = table; row->name; row++, rows++) {
        weft_fabric fabric;
        assert_int_equal(row->type, WEFT_REAL);
        assert_true(row->offset + sizeof(double) <= sizeof fabric);
        assert_int_equal(seen[row->offset]++, 0);
        assert_string_equal(weft_param_read_text(row, row->fallback, "fabric", &fabric).message, "");
        assert_true(row->help[0] && row->low < row->high);
    }
    assert_int_equal(rows * sizeof(double), sizeof(weft_fabric));
}

static void defaults_are_wool(void **state) {
    (void)state;
    weft_fabric fabric;
    assert_string_equal(weft_fabric_read(NULL, "fabric", &fabric).message, "");
    const weft_fabric *wool = &weft_fabric_preset_find("wool")->fabric;
    for (const weft_param *row = weft_fabric_params(); row->name; row++)
        assert_near(*(double *)((char *)&fabric + row->offset), *(const double *)((const char *)wool + row->offset),
                    1e-15);
}

/* -- reading -- */

static void preset_accepts_overrides(void **state) {
    (void)state;
    weft_fabric fabric, expected = weft_fabric_preset_find("polyester-plain")->fabric;
    assert_string_equal(READ(&fabric, {"density", "300 g/m2"}, {"preset", "polyester-plain"}).message, "");
    expected.density = 0.3;
    assert_near(fabric.density, 0.3, 1e-15);
    fabric.density = expected.density;
    assert_memory_equal(&fabric, &expected, sizeof fabric);
    assert_string_equal(READ(&fabric, {"name", "polyester-plain"}, {"density", "0.3"}).message, "");
    assert_memory_equal(&fabric, &expected, sizeof fabric);
    assert_in(READ(&fabric, {"name", "wool"}, {"preset", "wool"}).message, "preset and name are the same");
}

static void preset_can_be_a_single_word(void **state) {
    (void)state;
    weft_tree *tree;
    assert_int_equal(weft_tree_create(&tree).code, WEFT_OK);
    weft_fabric fabric;
    assert_string_equal(weft_fabric_read(weft_tree_text(tree, "viscose", "a", 1), "fabric", &fabric).message, "");
    assert_near(fabric.stretch_weft, 245, 1e-15);
    assert_string_equal(weft_fabric_read(weft_tree_text(tree, "viscos", "a", 3), "fabric", &fabric).message,
                        "a:3: fabric: unknown preset 'viscos'; did you mean 'viscose'?");
    assert_string_equal(weft_fabric_read(weft_tree_text(tree, "", "a", 1), "fabric", &fabric).message, "");
    assert_int_equal(weft_fabric_read(weft_tree_list(tree, "a", 4), "fabric", &fabric).code, WEFT_BAD_INPUT);
    weft_tree_destroy(tree);
}

static void one_poisson_ratio_determines_the_other(void **state) {
    (void)state;
    weft_fabric fabric;
    assert_string_equal(
        READ(&fabric, {"stretch_weft", "100"}, {"stretch_warp", "400"}, {"poisson_weft", "0.1"}).message, "");
    assert_near(fabric.poisson_warp, 0.4, 1e-14);
    assert_string_equal(
        READ(&fabric, {"stretch_weft", "100"}, {"stretch_warp", "400"}, {"poisson_warp", "0.1"}).message, "");
    assert_near(fabric.poisson_weft, 0.025, 1e-14);
    assert_string_equal(READ(&fabric, {"poisson_weft", "0"}).message, "");
    assert_true(fabric.poisson_warp == 0);
}

/* poisson_weft stays and poisson_warp follows. Any moduli are accepted, however different: where no fabric can have
 * this poisson_weft, the product of the ratios stays. */
static void changing_one_modulus_keeps_symmetry(void **state) {
    (void)state;
    static const char *const POSSIBLE[] = {"1500", "8000", "1e6"}, *const IMPOSSIBLE[] = {"1", "866"};
    const weft_fabric *cotton = &weft_fabric_preset_find("cotton")->fabric;
    for (int i = 0; i < 3; i++) {
        weft_fabric fabric, set = *cotton;
        assert_string_equal(READ(&fabric, {"preset", "cotton"}, {"stretch_weft", POSSIBLE[i]}).message, "");
        assert_near(fabric.poisson_warp * fabric.stretch_weft, fabric.poisson_weft * fabric.stretch_warp, 1e-14);
        assert_true(fabric.poisson_weft == cotton->poisson_weft);
        assert_string_equal(weft_fabric_set(&set, "stretch_weft", POSSIBLE[i], "f").message, "");
        assert_memory_equal(&set, &fabric, sizeof set);
    }
    for (int i = 0; i < 2; i++) {
        weft_fabric fabric;
        assert_string_equal(READ(&fabric, {"preset", "cotton"}, {"stretch_weft", IMPOSSIBLE[i]}).message, "");
        assert_near(fabric.poisson_warp * fabric.stretch_weft, fabric.poisson_weft * fabric.stretch_warp, 1e-14);
        assert_near(fabric.poisson_warp * fabric.poisson_weft, cotton->poisson_warp * cotton->poisson_weft, 1e-14);
    }
}

static void messages_name_line_and_value(void **state) {
    (void)state;
    weft_fabric fabric;
    assert_string_equal(READ(&fabric, {"preset", "coton"}).message,
                        "flag.yaml:8: cloth.fabric: unknown preset 'coton'; did you mean 'cotton'?");
    weft_result none = READ(&fabric, {"preset", "chain mail of steel"});
    assert_in(none.message,
              "flag.yaml:8: cloth.fabric: unknown preset 'chain mail of steel'; there are viscose, wool, ");
    assert_in(none.message, "polyester-plain");
    assert_string_equal(READ(&fabric, {"preset", "wool"}, {"density", "-3"}).message,
                        "flag.yaml:9: cloth.fabric.density: -3 is below 0 (kg/m2)");
    assert_string_equal(READ(&fabric, {"densty", "1"}).message,
                        "flag.yaml:8: cloth.fabric: unknown key 'densty'; did you mean 'density'?");
    assert_string_equal(READ(&fabric, {"shear", "0"}).message,
                        "flag.yaml:8: cloth.fabric.shear: 0 is not above 0 (N/(m rad))");
    weft_result result = READ(&fabric, {"preset", "wool"}, {"poisson_weft", "0.3"}, {"poisson_warp", "0.1"});
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_in(result.message, "flag.yaml:10: cloth.fabric: poisson_warp x stretch_weft = 0.1 x 866 = 86.6 N/m");
    assert_in(result.message, "poisson_weft x stretch_warp = 0.3 x 1391 = 417.3 N/m");
    result = READ(&fabric, {"stretch_weft", "1"}, {"stretch_warp", "100"}, {"poisson_weft", "0.2"});
    assert_in(result.message, "flag.yaml:10: cloth.fabric: poisson_weft x poisson_warp = 0.2 x 20 = 4");
}

static void set_keeps_symmetry_or_changes_nothing(void **state) {
    (void)state;
    weft_fabric fabric = weft_fabric_preset_find("wool")->fabric, before;
    assert_string_equal(weft_fabric_set(&fabric, "stretch_weft", "2 N/mm", "cloth.a.fabric").message, "");
    assert_near(fabric.stretch_weft, 2000, 1e-15);
    assert_near(fabric.poisson_warp * 2000, fabric.poisson_weft * 1391, 1e-14);
    assert_string_equal(weft_fabric_set(&fabric, "poisson_warp", "0.1", "f").message, "");
    assert_near(fabric.poisson_weft, 0.1 * 2000 / 1391, 1e-14);
    before = fabric;
    assert_in(weft_fabric_set(&fabric, "poisson_warp", "3", "f").message, "must be below 1");
    assert_in(weft_fabric_set(&fabric, "density", "-1", "f").message, "f.density: -1 is below 0");
    assert_in(weft_fabric_set(&fabric, "colour", "red", "f").message, "no 'colour'");
    assert_memory_equal(&fabric, &before, sizeof fabric);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_match_published_tables),
        cmocka_unit_test(typical_presets_convert_from_kawabatas_units),
        cmocka_unit_test(cotton_matches_hand_calculation),
        cmocka_unit_test(presets_are_valid_and_symmetric),
        cmocka_unit_test(table_with_printed_ratios_is_refused),
        cmocka_unit_test(symmetry_tolerance_is_two_percent),
        cmocka_unit_test(indefinite_fabric_is_refused),
        cmocka_unit_test(check_covers_every_field),
        cmocka_unit_test(table_covers_every_field),
        cmocka_unit_test(defaults_are_wool),
        cmocka_unit_test(preset_accepts_overrides),
        cmocka_unit_test(preset_can_be_a_single_word),
        cmocka_unit_test(one_poisson_ratio_determines_the_other),
        cmocka_unit_test(changing_one_modulus_keeps_symmetry),
        cmocka_unit_test(messages_name_line_and_value),
        cmocka_unit_test(set_keeps_symmetry_or_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
