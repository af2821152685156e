/* Fits of synthetic truths, what is reported of them, and the laws that stand for virtual instruments. */
#include "io_support.h"

#include <math.h>

#include "lab/fit/drape_shadow.h"
#include "lab/fit/fit.h"
#include "lab/textile/bending_length.h"
#include "lab/textile/kes_tests.h"
#include "lab/textile/workers.h"
#include "weft-io/yaml.h"
#include "weft/weft.h"

static void assert_near(double value, double expected, double relative) {
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.9g is not %.9g within %g", value, expected, relative);
}

/* -- the laws that a fit uses for homogeneous tests -- */

static void virtual_instruments_follow_the_laws(void **state) {
    (void)state;
    const weft_fabric *f = &weft_fabric_preset_find("wool-suiting")->fabric;
    weft_kes_curve c;
    weft_cantilever strip;
    for (int turned = 0; turned < 2; turned++) {
        assert_ok(weft_kes_tensile(f, turned, 0.05, &c));
        for (int i = 1; i < c.count; i++)
            assert_near(c.y[i], (turned ? f->stretch_warp : f->stretch_weft) * c.x[i], 1e-6);
        assert_ok(weft_kes_bending(f, turned, &c));
        for (int i = 0; i < c.count; i++)
            assert_near(c.y[i] + 1, (turned ? f->bend_warp : f->bend_weft) * c.x[i] + 1, 1e-4);
        assert_near(weft_kes_slope(c.x, c.y, c.count), turned ? f->bend_warp : f->bend_weft, 5e-3);
        assert_ok(weft_cantilever_test(f, turned, &strip));
        assert_near(strip.bending_length, weft_bending_length(turned ? f->bend_warp : f->bend_weft, f->density), 5e-3);
    }
    assert_ok(weft_kes_shear(f, &c));
    for (int i = 1; i < c.count; i++)
        assert_near(c.y[i], f->shear * c.x[i], 1e-6);
}

/* -- synthetic truths -- */

static const double TRUTH[5] = {7350, 3210, 41.02, 8.04e-6, 5.0e-6};

/* Normal random numbers: Box and Muller (1958). */
static double noise_at(int index) {
    double u = weft_random(7, (uint64_t)(2 * index)), v = weft_random(7, (uint64_t)(2 * index + 1));
    return sqrt(-2 * log(u + 1e-300)) * cos(2 * acos(-1) * v);
}

static void write_curve(const char *name, const char *header, double modulus, double most, double noise, int seed) {
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fprintf(file, "%s\n", header);
    for (int i = 0; i <= 40; i++) {
        double x = most * i / 40;
        fprintf(file, "%.9g,%.9g\n", x, modulus * (x + noise * most * noise_at(100 * seed + i)));
    }
    fclose(file);
}

static void write_curves(double noise) {
    write_curve("tw.csv", "strain,tension (N/m)", TRUTH[0], 0.05, noise, 0);
    write_curve("ta.csv", "strain,tension (N/m)", TRUTH[1], 0.05, noise, 1);
    write_curve("s.csv", "shear (rad),stress (N/m)", TRUTH[2], 0.14, noise, 2);
    write_curve("bw.csv", "curvature (1/m),moment (N)", TRUTH[3], 250, noise, 3);
    write_curve("ba.csv", "curvature (1/m),moment (N)", TRUTH[4], 250, noise, 4);
}

static const char CURVES[] = "fabric: wool\n"
                             "parameters:\n"
                             "  stretch_weft: {low: 100, high: 50000}\n"
                             "  stretch_warp: {low: 100, high: 50000}\n"
                             "  shear: {low: 0.5, high: 500}\n"
                             "  bend_weft: {low: 1e-7, high: 1e-4}\n"
                             "  bend_warp: {low: 1e-7, high: 1e-4}\n"
                             "  damping: {low: 1e-5, high: 1e-2}\n"
                             "observations:\n"
                             "  - {kind: tensile, along: weft, file: tw.csv, sigma: 2 %}\n"
                             "  - {kind: tensile, along: warp, file: ta.csv, sigma: 2 %}\n"
                             "  - {kind: shear, file: s.csv, sigma: 2 %}\n"
                             "  - {kind: bending, along: weft, file: bw.csv, sigma: 2 %}\n"
                             "  - {kind: bending, along: warp, file: ba.csv, sigma: 2 %}\n"
                             "starts: 2\nevaluations: 3000\n";

static weft_fit fit;
static weft_fit_result result;

static void fit_curves(const char *more) {
    FILE *file = fopen(in_folder("fit.yaml"), "w");
    assert_non_null(file);
    fprintf(file, "%s%s", CURVES, more);
    fclose(file);
    assert_ok(weft_fit_read(in_folder("fit.yaml"), &fit));
    assert_ok(weft_fit_solve(&fit, 2, &result));
}

static void clear(void) {
    weft_fit_result_clear(&result);
    weft_fit_clear(&fit);
}

static void clean_curves_give_the_truth(void **state) {
    (void)state;
    write_curves(0);
    fit_curves("");
    for (int i = 0; i < 5; i++) {
        assert_near(result.value[i], TRUTH[i], 0.01);
        assert_true(result.is_identified[i]);
    }
    assert_near(result.fabric.shear, TRUTH[2], 0.01);
    clear();
}

/* With every method, within 5 % and within four of its own standard deviations. */
static void noisy_curves_give_the_truth(void **state) {
    (void)state;
    write_curves(0.02);
    for (int m = 0; m < WEFT_FIT_METHODS; m++) {
        char more[64];
        snprintf(more, sizeof more, "method: %s\n", WEFT_FIT_METHOD_NAMES[m]);
        fit_curves(more);
        for (int i = 0; i < 5; i++) {
            assert_near(result.value[i], TRUTH[i], 0.05);
            assert_true(fabs(log(result.value[i] / TRUTH[i])) < 4 * result.deviation[i]);
        }
        assert_true(result.misfit > 0.8 && result.misfit < 1.2);
        clear();
    }
}

static void what_nothing_depends_on_is_reported(void **state) {
    (void)state;
    write_curves(0);
    fit_curves("");
    assert_false(result.is_identified[5]);
    assert_true(isinf(result.deviation[5]));
    assert_near(result.value[5], 2e-4, 1e-12); /* keeps its start */
    assert_near(result.fabric.damping, 2e-4, 1e-12);
    assert_int_equal(result.warning_count, 1);
    assert_non_null(strstr(result.warning[0], "damping is not determined"));
    clear();
}

/* The bending length depends on the ratio of bending and density alone. */
static void what_cannot_be_told_apart_is_reported(void **state) {
    (void)state;
    FILE *file = fopen(in_folder("ratio.yaml"), "w");
    assert_non_null(file);
    fprintf(file, "fabric: wool\nparameters: {bend_weft: {low: 1e-7, high: 1e-4}, density: {low: 0.01, high: 1}}\n"
                  "observations: [{kind: bending-length, along: weft, value: 20 mm},\n"
                  "               {kind: bending-length, along: weft, value: 20.1 mm}]\nstarts: 1\n");
    fclose(file);
    assert_ok(weft_fit_read(in_folder("ratio.yaml"), &fit));
    assert_ok(weft_fit_solve(&fit, 1, &result));
    assert_false(result.is_identified[0] || result.is_identified[1]);
    assert_near(weft_bending_length(result.fabric.bend_weft, result.fabric.density), 0.02, 0.2);
    clear();
}

static void results_are_written(void **state) {
    (void)state;
    weft_fabric_file *file;
    write_curves(0);
    fit_curves("");
    assert_ok(weft_fit_write(&fit, &result, in_folder("out")));
    assert_ok(weft_fabric_file_read(in_folder("out/wool-fitted.yaml"), &file));
    assert_near(file->fabric.shear, TRUTH[2], 0.01);
    assert_true(file->fabric.density == 0.26 && file->provenance_count > 10);
    weft_fabric_file_destroy(file);
    char *page;
    size_t size;
    assert_ok(weft_file_read(in_folder("out/index.html"), &page, &size));
    assert_non_null(strstr(page, "damping is not determined"));
    assert_non_null(strstr(page, "<svg"));
    free(page);
    clear();
}

/* -- mistakes -- */

static weft_result read_fit(const char *text) {
    weft_tree *tree;
    weft_result read = weft_yaml_read_memory(text, strlen(text), "f.yaml", &tree);
    if (read.code == WEFT_OK) {
        read = weft_fit_read_tree(weft_tree_root(tree), "f.yaml", &fit);
        weft_fit_clear(&fit);
        weft_tree_destroy(tree);
    }
    return read;
}

static void mistakes_are_named(void **state) {
    (void)state;
    static const char *const BAD[][2] = {
        {"fabrik: wool", "unknown key 'fabrik'; did you mean 'fabric'"},
        {"fabric: wool", "parameters: needs a map"},
        {"parameters: {bent: {low: 1, high: 2}}", "a fabric has no 'bent'"},
        {"parameters: {shear: {low: 2, high: 1}}", "shear: needs bounds"},
        {"parameters: {shear: {low: 0, high: 1}}", "low: 0 is not from"},
        {"parameters: {shear: {low: 1 s, high: 2}}", "1 s"},
        {"parameters: {b: {of: [shear, bend_weft], low: 1, high: 2}}", "has another unit"},
        {"parameters: {shear: {low: 1, high: 2}}", "observations: needs a list"},
        {"parameters: {shear: {low: 1, high: 2}}\nobservations: [{file: a.csv}]", "needs the key 'kind'"},
        {"parameters: {shear: {low: 1, high: 2}}\nobservations: [{kind: sheer}]",
         "kind: 'sheer' is not one of tensile, shear, bending, bending-length, drape, shadow, markers, points; did you "
         "mean 'shear'?"},
        {"parameters: {shear: {low: 1, high: 2}}\nobservations: [{kind: shear}]", "needs the key 'file'"},
        {"parameters: {shear: {low: 1, high: 2}}\nobservations: [{kind: shear, file: a, along: weft}]",
         "unknown key 'along"},
        {"parameters: {shear: {low: 1, high: 2}}\nobservations: [{kind: shear, file: a, sigma: 0}]", "is not above 0"},
        {"parameters: {shear: {low: 1, high: 2}}\nobservations: [{kind: markers, file: a}]", "needs the key 'scene'"},
        {"parameters: {shear: {low: 1, high: 2}}\nmethod: magic\nobservations: [{kind: drape, value: 3}]",
         "method: 'magic' is not one of bobyqa"},
        {"parameters: {shear: {low: 1, high: 2}}\nstarts: 1.5\nobservations: [{kind: drape, value: 3}]",
         "starts: needs a whole number"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_refused(read_fit(BAD[i][0]), WEFT_BAD_INPUT, BAD[i][1]);
}

/* -- shadows and workers -- */

static void shadows_do_not_depend_on_where_folds_are(void **state) {
    (void)state;
    weft_shadow a = {.area = 0.05}, b = {.area = 0.05};
    double fa[WEFT_FIT_FEATURES], fb[WEFT_FIT_FEATURES];
    for (int i = 0; i < WEFT_OUTLINE; i++)
        a.outline[i] = b.outline[(i + 77) % WEFT_OUTLINE] = 0.12 + 0.02 * sin(7 * 6.283185307 * i / WEFT_OUTLINE);
    weft_fit_shadow_features(&a, fa);
    weft_fit_shadow_features(&b, fb);
    for (int i = 0; i < WEFT_FIT_FEATURES; i++)
        assert_near(fa[i], fb[i], 1e-12);
    assert_true(fa[0] < fa[5] && fa[5] < fa[10]);
}

static void work(void *context, int index, double *out) {
    (void)context;
    if (index == 3)
        abort(); /* a crash loses one result only */
    for (int i = 0; i < 20000; i++)
        out[i] = index + i;
}

static void workers_return_their_numbers(void **state) {
    (void)state;
    enum { TASKS = 7, SIZE = 20000 };
    double *out = calloc((size_t)TASKS * SIZE, sizeof *out);
    int done[TASKS];
    assert_non_null(out);
    weft_workers workers = {NULL, TASKS, SIZE, work, out, done};
    assert_ok(weft_workers_run(&workers, 3));
    for (int i = 0; i < TASKS; i++) {
        assert_int_equal(done[i], i != 3);
        assert_true(i == 3 || (out[(size_t)i * SIZE] == i && out[((size_t)i + 1) * SIZE - 1] == i + SIZE - 1));
    }
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(virtual_instruments_follow_the_laws),
        cmocka_unit_test(clean_curves_give_the_truth),
        cmocka_unit_test(noisy_curves_give_the_truth),
        cmocka_unit_test(what_nothing_depends_on_is_reported),
        cmocka_unit_test(what_cannot_be_told_apart_is_reported),
        cmocka_unit_test(results_are_written),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(shadows_do_not_depend_on_where_folds_are),
        cmocka_unit_test(workers_return_their_numbers),
    };
    return cmocka_run_group_tests_name("fit", tests, NULL, remove_folder);
}
