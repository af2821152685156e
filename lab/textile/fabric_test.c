#include "lab/textile/fabric_test.h"

#include <math.h>
#include <stdlib.h>

#include "weft/text.h"

static const double GF_CM = 0.980665, KES_B = 9.80665e-5, KES_G = 0.980665 * 57.29577951308232; /* to SI */
static const double MOST_STRAIN = 0.2;
static const double BIAS = 123; /* FAST: G (N/m) = 123 / EB5 (%) */

/* -- the tests -- */

/* KES pulls to 500 gf/cm. For extensible fabrics its high-sensitivity condition is 50 gf/cm. What would stretch by more
 * than MOST_STRAIN even so is pulled to that strain. */
static double choose_load(const weft_fabric *f) {
    double softest = fmin(f->stretch_weft, f->stretch_warp);
    const double load[] = {WEFT_KES_TENSION, 0.1 * WEFT_KES_TENSION, MOST_STRAIN * softest};
    for (int k = 0; k < 2; k++)
        if (load[k] <= MOST_STRAIN * softest)
            return load[k];
    return load[2];
}

static weft_result test_sheet(weft_fabric_test *t) {
    const weft_fabric *f = &t->fabric->fabric;
    t->load = choose_load(f);
    for (int turned = 0; turned < 2; turned++) {
        double strain = t->load / (turned ? f->stretch_warp : f->stretch_weft);
        WEFT_TRY(weft_kes_tensile(f, turned, strain, &t->tensile[turned]));
        WEFT_TRY(weft_kes_clamped(f, turned, 0.1 * strain, &t->clamped[turned]));
        WEFT_TRY(weft_kes_bending(f, turned, &t->bending[turned]));
        WEFT_TRY(weft_cantilever_test(f, turned, &t->cantilever[turned]));
    }
    return weft_kes_shear(f, &t->shear);
}

static weft_result test_drape(weft_fabric_test *t, int grid, int starts) {
    t->specimen = weft_drape_specimen(weft_drape_row(&t->fabric->fabric), grid);
    for (int k = 0; k < starts; k++) {
        weft_shadow shadow;
        WEFT_TRY(weft_drape_test(&t->fabric->fabric, t->specimen, (uint64_t)k + 1, &shadow, k == 0 ? &t->x : NULL));
        t->drape[t->starts++] = weft_drape_coefficient(shadow.area);
        if (k == 0)
            t->shadow = shadow;
    }
    return weft_ok();
}

/* -- the report -- */

static void add(weft_fabric_test *t, const char *test, const char *quantity, double weft, double warp, const char *unit,
                double factor, const char *si) {
    if (t->row_count < WEFT_LAB_ROWS)
        t->row[t->row_count++] = (weft_lab_row){
            test, quantity, weft, warp, unit, factor > 0 ? factor * weft : NAN, factor > 0 ? factor * warp : NAN, si};
}

void weft_lab_row_write(const weft_lab_row *row, char text[4][32]) {
    const double value[4] = {row->weft, row->warp, row->si_weft, row->si_warp};
    for (int k = 0; k < 4; k++) {
        text[k][0] = '\0';
        if (!isnan(value[k]))
            weft_format(text[k], 32, "%.4g", value[k]);
    }
}

static double modulus(const weft_kes_curve *c) { return weft_kes_slope(c->x, c->y, c->count); }

static double energy(const weft_kes_curve *c) {
    double sum = 0;
    for (int i = 1; i < c->count; i++)
        sum += 0.5 * (c->y[i] + c->y[i - 1]) * (c->x[i] - c->x[i - 1]);
    return sum; /* J/m2 */
}

static void report_kes(weft_fabric_test *t) {
    static const char TENSILE[] = "KES-FB1 tensile", SHEAR[] = "KES-FB1 shear", BENDING[] = "KES-FB2 bending";
    const weft_kes_curve *weft = &t->tensile[0], *warp = &t->tensile[1];
    int last = WEFT_KES_POINTS - 1;
    double area[2] = {energy(weft), energy(warp)};
    const weft_fabric *f = &t->fabric->fabric;
    add(t, TENSILE, "largest load", t->load / GF_CM, t->load / GF_CM, "gf/cm", GF_CM, "N/m");
    add(t, TENSILE, "EMT, extension", 100 * weft->x[last], 100 * warp->x[last], "%", 0.01, "");
    add(t, TENSILE, "LT, linearity", 2 * area[0] / (weft->x[last] * weft->y[last]),
        2 * area[1] / (warp->x[last] * warp->y[last]), "", 0, "");
    add(t, TENSILE, "WT, energy", area[0] / GF_CM, area[1] / GF_CM, "gf cm/cm2", GF_CM, "J/m2");
    add(t, TENSILE, "RT, resilience", 100, 100, "%", 0, "");
    add(t, TENSILE, "modulus, free sides", modulus(weft) / GF_CM, modulus(warp) / GF_CM, "gf/cm", GF_CM, "N/m");
    add(t, TENSILE, "modulus, clamped", t->clamped[0] / GF_CM, t->clamped[1] / GF_CM, "gf/cm", GF_CM, "N/m");
    add(t, TENSILE, "Poisson ratio", -weft_kes_slope(weft->x, weft->side, weft->count),
        -weft_kes_slope(warp->x, warp->side, warp->count), "", 0, "");
    add(t, SHEAR, "G, rigidity", modulus(&t->shear) / KES_G, NAN, "gf/(cm degree)", KES_G, "N/m");
    add(t, SHEAR, "2HG, 2HG5, hysteresis", 0, NAN, "gf/cm", GF_CM, "N/m");
    add(t, BENDING, "B, rigidity", modulus(&t->bending[0]) / KES_B, modulus(&t->bending[1]) / KES_B, "gf cm2/cm", KES_B,
        "N m");
    add(t, BENDING, "2HB, hysteresis", 0, 0, "gf cm/cm", GF_CM * 0.01, "N");
    add(t, "weight, thickness", "W, weight", f->density * 100, NAN, "mg/cm2", 0.01, "kg/m2");
    add(t, "weight, thickness", "T, thickness", f->thickness * 1000, NAN, "mm", 1e-3, "m");
}

/* FAST reads extensions at 5, 20 and 100 gf/cm. They follow from the tested modulus. */
static void report_fast(weft_fabric_test *t) {
    static const char NAME[] = "FAST";
    double weft = modulus(&t->tensile[0]) / GF_CM / 100, warp = modulus(&t->tensile[1]) / GF_CM / 100; /* gf/cm per % */
    const weft_cantilever *c = t->cantilever;
    double form[2];
    for (int k = 0; k < 2; k++) /* F = B (E20 - E5) / 14.7 with B in uN m and E in % gives mm2 */
        form[k] = 1e6 * c[k].rigidity * 15 / (k ? warp : weft) / 14.7;
    add(t, NAME, "E5, extension", 5 / weft, 5 / warp, "%", 0, "");
    add(t, NAME, "E20, extension", 20 / weft, 20 / warp, "%", 0, "");
    add(t, NAME, "E100, extension", 100 / weft, 100 / warp, "%", 0, "");
    add(t, NAME, "EB5, bias extension", BIAS / modulus(&t->shear), NAN, "%", 0, "");
    add(t, NAME, "F, formability", form[0], form[1], "mm2", 1e-6, "m2");
    add(t, "cantilever, ASTM D1388", "c, bending length", 100 * c[0].bending_length, 100 * c[1].bending_length, "cm",
        0.01, "m");
    add(t, "cantilever, ASTM D1388", "flexural rigidity", 1e6 * c[0].rigidity, 1e6 * c[1].rigidity, "uN m", 1e-6,
        "N m");
}

static void report_drape(weft_fabric_test *t) {
    static const char NAME[] = "Cusick drape";
    double sum = 0, low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < t->starts; i++) {
        sum += t->drape[i];
        low = fmin(low, t->drape[i]);
        high = fmax(high, t->drape[i]);
    }
    add(t, NAME, "DC, drape coefficient", sum / t->starts, NAN, "%", 0, "");
    add(t, NAME, "spread of the starts", high - low, NAN, "%", 0, "");
    add(t, NAME, "nodes", t->shadow.folds, NAN, "", 0, "");
    double measured = weft_fabric_file_figure(t->fabric, "drape_coefficient", "", NAN);
    if (!isnan(measured))
        add(t, NAME, "DC that the source measured", measured, NAN, "%", 0, "");
}

weft_result weft_fabric_test_run(const weft_fabric_file *fabric, int grid, int starts, weft_fabric_test *test) {
    *test = (weft_fabric_test){.fabric = fabric};
    WEFT_TRY(test_sheet(test));
    WEFT_TRY(test_drape(test, grid, starts));
    report_kes(test);
    report_fast(test);
    report_drape(test);
    return weft_ok();
}

void weft_fabric_test_clear(weft_fabric_test *test) {
    free(test->x);
    *test = (weft_fabric_test){0};
}
