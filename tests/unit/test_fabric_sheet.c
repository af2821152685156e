/* Data sheets of KES-F and FAST, and tables of numbers. */
#include "io_support.h"

#include <math.h>

#include "io/columns.h"
#include "io/fabric_sheet.h"

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-6 * fabs(expected)))
        fail_msg("%.9g is not %.9g", value, expected);
}

static weft_result parse(const char *text, weft_fabric_file **file) {
    return weft_fabric_sheet_parse(text, strlen(text), "lab/suit.csv", file);
}

static void kes_sheets_are_read(void **state) {
    (void)state;
    weft_fabric_file *file;
    assert_ok(parse("KES-FB results\nSample,worsted suiting\nDate,2024-05-02\n\n"
                    "Property,Unit,Warp,Weft,Mean\n"
                    "EMT,%,4.0,5.0,4.5\nLT,-,0.61,0.58,0.6\nRT,%,64,60,62\n"
                    "G,gf/cm.deg,0.70,0.60,0.65\n2HG,gf/cm,0.8,0.9,0.85\n"
                    "B,gf.cm2/cm,0.12,0.08,0.1\n2HB,gf.cm/cm,0.04,0.03,0.035\n"
                    "T,mm,0.55,,\nW,mg/cm2,21.5,,\n",
                    &file));
    assert_string_equal(file->name, "suit");
    assert_string_equal(file->help, "worsted suiting");
    assert_near(file->fabric.density, 0.215);
    assert_near(file->fabric.thickness, 0.55e-3);
    assert_near(file->fabric.stretch_warp, 490.3325 / 0.04);
    assert_near(file->fabric.stretch_weft, 490.3325 / 0.05);
    assert_near(file->fabric.shear, 0.65 * 0.980665 * 57.29577951308232);
    assert_near(file->fabric.bend_warp, 0.12 * 9.80665e-5);
    assert_near(file->fabric.bend_weft, 0.08 * 9.80665e-5);
    assert_string_equal(file->measured[file->measured_count - 4].key, "2hb_warp");
    assert_string_equal(file->measured[file->measured_count - 4].text, "0.04 gf.cm/cm");
    assert_non_null(strstr(file->source, "KES-F sheet lab/suit.csv"));
    assert_non_null(strstr(file->source, "Assumed: Poisson ratios"));
    weft_fabric_file_destroy(file);
}

/* Semicolons with decimal commas, and one line per direction. */
static void fast_sheets_are_read(void **state) {
    (void)state;
    weft_fabric_file *file;
    assert_ok(parse("SiroFAST control chart\nE5-1;0,2\nE5-2;0,4\nE20-1;0,7\nE20-2;1,1\nE100-1;2,0\nE100-2;4,0\n"
                    "EB5;2,5\nC-1;20,0\nC-2;16,0\nT2;0,62\nT100;0,44\nW;180\n",
                    &file));
    assert_near(file->fabric.density, 0.18);
    assert_near(file->fabric.thickness, 0.62e-3);
    assert_near(file->fabric.stretch_warp, 98.0665 / 0.02);
    assert_near(file->fabric.stretch_weft, 98.0665 / 0.04);
    assert_near(file->fabric.shear, 123 / 2.5);
    assert_near(file->fabric.bend_warp, 0.18 * 9.81 * 8e-6);
    assert_near(file->fabric.bend_weft, 0.18 * 9.81 * 4.096e-6);
    weft_fabric_file_destroy(file);
    assert_ok(parse("E100,2.0,4.0\nB,9.5,6.1\nG,41\nW,0.2,kg/m2\n", &file)); /* warp first; other units */
    assert_near(file->fabric.density, 0.2);
    assert_near(file->fabric.bend_warp, 9.5e-6);
    assert_near(file->fabric.bend_weft, 6.1e-6);
    assert_near(file->fabric.shear, 41);
    assert_non_null(strstr(file->source, "Assumed: thickness"));
    weft_fabric_file_destroy(file);
}

static void bad_sheets_are_refused(void **state) {
    (void)state;
    weft_fabric_file *file;
    assert_refused(parse("hello\n", &file), WEFT_BAD_INPUT, "neither a KES-F sheet");
    assert_refused(parse("EMT,4\nB,0.1\n", &file), WEFT_BAD_INPUT, "has no weight");
    assert_refused(parse("EMT,4\nW,20\nQQ,3\n", &file), WEFT_BAD_INPUT, "suit.csv:3: QQ: unknown property");
    assert_refused(parse("EMT,4\nE100,3\n", &file), WEFT_BAD_INPUT, "suit.csv:2: e100: is of FAST");
    assert_refused(parse("EMT,-4\nW,20\n", &file), WEFT_BAD_INPUT, "suit.csv:1: emt: -4 is not a positive");
    assert_refused(parse("EMT,4,mm\nW,20\n", &file), WEFT_BAD_INPUT, "'mm' is not a unit of this kind; needs %");
    assert_refused(parse("EMT,4\nW,abc\n", &file), WEFT_BAD_INPUT, "suit.csv:2: w: has no value");
    assert_refused(parse("EMT,%,nan,5\nW,20\n", &file), WEFT_BAD_INPUT, "suit.csv:1: EMT: 'nan' is not a number");
    assert_refused(parse("EMT,4..2,5\nW,20\n", &file), WEFT_BAD_INPUT, "suit.csv:1: EMT: '4..2' is not a number");
    assert_refused(parse("p,unit,warp,weft\nEMT,%,4,5\nG,gf/cm.deg,0.7,abc\n", &file), WEFT_BAD_INPUT,
                   "suit.csv:3: G: 'abc' is not a number");
    assert_refused(parse("EMT,4\nW,20\n\nW,21\n", &file), WEFT_BAD_INPUT, "suit.csv:4: w: was given before");
    assert_refused(parse("EMT,4\nT,0.5\nT0,0.5\n", &file), WEFT_BAD_INPUT, "suit.csv:3: t0: was given before");
    assert_refused(parse("B-1,0.1\nB-2,0.1\nLT,0.6\nLT,0.7\n", &file), WEFT_BAD_INPUT,
                   "suit.csv:4: lt: was given before");
    assert_refused(parse("EMT,4,5\nEMT-2,0.1\n", &file), WEFT_BAD_INPUT, "suit.csv:2: emt: was given before");
    assert_null(file);
}

static void tables_have_units(void **state) {
    (void)state;
    static const char TEXT[] = "# a curve\nStrain [%];Tension (gf/cm)\n0;0\n1,5;30\n";
    static const char BARE[] = "# a curve\nstrain,tension\n0,1\n";
    static const char *const X[] = {"extension", "strain", NULL}, *const Y[] = {"tension", NULL},
                             *const Z[] = {"z", NULL};
    weft_columns c;
    int column;
    double factor;
    assert_ok(weft_columns_parse(TEXT, sizeof TEXT - 1, "a.csv", &c));
    assert_int_equal(c.rows, 2);
    assert_ok(weft_columns_find(&c, X, "", &column, &factor));
    assert_near(factor * c.value[c.count + column], 0.015);
    assert_ok(weft_columns_find(&c, Y, "N/m", &column, &factor));
    assert_near(factor * c.value[c.count + column], 30 * 0.980665);
    assert_refused(weft_columns_find(&c, Y, "m", &column, &factor), WEFT_BAD_INPUT,
                   "'gf/cm' is not a unit of this kind");
    assert_refused(weft_columns_find(&c, Z, "m", &column, &factor), WEFT_BAD_INPUT, "a.csv: has no column 'z'");
    weft_columns_clear(&c);
    assert_ok(weft_columns_parse(BARE, sizeof BARE - 1, "a.csv", &c));
    assert_ok(weft_columns_find(&c, X, "", &column, &factor)); /* plain numbers */
    assert_refused(weft_columns_find(&c, Y, "N/m", &column, &factor), WEFT_BAD_INPUT,
                   "a.csv:2: column 'tension' has no unit; the header needs one, such as tension (gf/cm)");
    weft_columns_clear(&c);
}

static void bad_tables_are_refused(void **state) {
    (void)state;
    static const char *const TEXT[][2] = {{"a,b\n1,2,3\n", "t.csv:2: has 3 cells"},
                                          {"a,b\n1,x\n", "t.csv:2: b: 'x' is not a number"},
                                          {"1,2\n3,4\n", "t.csv:1: '1' is not the name of a column"},
                                          {"a,b\n", "has no numbers"},
                                          {"", "has no numbers"},
                                          {"a,b\n1,nan\n", "is not a number"}};
    weft_columns c;
    for (size_t i = 0; i < sizeof TEXT / sizeof TEXT[0]; i++)
        assert_refused(weft_columns_parse(TEXT[i][0], strlen(TEXT[i][0]), "t.csv", &c), WEFT_BAD_INPUT, TEXT[i][1]);
    assert_null(c.value);
}

static void instrument_units_convert(void **state) {
    (void)state;
    static const struct {
        const char *unit, *si;
        double factor;
    } UNITS[] = {{"gf·cm²/cm", "N m", 9.80665e-5},
                 {"gf.cm2/cm", "N m", 9.80665e-5},
                 {"µN·m", "N m", 1e-6},
                 {"cN/cm", "N/m", 1},
                 {"1/cm", "1/m", 100},
                 {"degree", "rad", 0.017453292519943295},
                 {"gf.cm/cm", "N", 9.80665e-3},
                 {"mm", "m", 1e-3},
                 {"%", "", 0.01}};
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        double factor = 0;
        assert_true(weft_unit_factor(UNITS[i].unit, UNITS[i].si, &factor));
        assert_near(factor, UNITS[i].factor);
    }
    double factor;
    assert_false(weft_unit_factor("kg", "m", &factor));
    assert_false(weft_unit_factor("", "m", &factor));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kes_sheets_are_read),    cmocka_unit_test(fast_sheets_are_read),
        cmocka_unit_test(bad_sheets_are_refused), cmocka_unit_test(tables_have_units),
        cmocka_unit_test(bad_tables_are_refused), cmocka_unit_test(instrument_units_convert),
    };
    return cmocka_run_group_tests_name("fabric_sheet", tests, NULL, NULL);
}
