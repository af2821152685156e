/* The tensile, shear and bending tests of Kawabata (lab/textile/kes_tests.h) on virtual swatches of all presets. The
 * measured moduli must equal the input. KES pulls to 490 N/m; here all fabrics are pulled to the same strain. */
#include <math.h>
#include <stdlib.h>

#include "io/file.h"
#include "io/plot.h"
#include "lab/experiments/experiment.h"
#include "lab/textile/kes_tests.h"

enum { POINTS = WEFT_KES_POINTS, FABRICS = 24 };
/* Fabrics per plot. Those of table 3.1 are soft and light; those of table 3.2 and the typical ones need other scales.
 */
enum { TABLE = 4 };
static const double MOST_STRAIN = 0.05;

typedef weft_kes_curve curve;

typedef struct findings {
    const char *name;
    curve tensile[2], shear, bending[2]; /* weft and warp */
    double clamped[2];                   /* N/m */
} findings;

/* -- the report -- */

static weft_result test_fabric(const weft_fabric_preset *preset, findings *f) {
    f->name = preset->name;
    for (int turned = 0; turned < 2; turned++) {
        WEFT_TRY(weft_kes_tensile(&preset->fabric, turned, MOST_STRAIN, &f->tensile[turned]));
        WEFT_TRY(weft_kes_clamped(&preset->fabric, turned, MOST_STRAIN / 10, &f->clamped[turned]));
        WEFT_TRY(weft_kes_bending(&preset->fabric, turned, &f->bending[turned]));
    }
    return weft_kes_shear(&preset->fabric, &f->shear);
}

static void figure(weft_record *record, const char *fabric, const char *what, double expected, double ours,
                   double bound) {
    char text[64];
    snprintf(text, sizeof text, "%-16s %s", fabric, what);
    weft_record_figure(record, text, expected, ours, bound);
}

static void report(weft_record *record, const weft_fabric *p, const findings *f) {
    const curve *weft = &f->tensile[0], *warp = &f->tensile[1], *bent = f->bending;
    /* If the printed digits make the two products differ, the model uses their mean. */
    double product = 0.5 * (p->poisson_warp * p->stretch_weft + p->poisson_weft * p->stretch_warp);
    double c = 1 / (1 - p->poisson_weft * p->poisson_warp);
    figure(record, f->name, "E_x (N/m)", p->stretch_weft, weft_kes_slope(weft->x, weft->y, POINTS), 0.01);
    figure(record, f->name, "E_y (N/m)", p->stretch_warp, weft_kes_slope(warp->x, warp->y, POINTS), 0.01);
    figure(record, f->name, "nu_xy", p->poisson_weft, -weft_kes_slope(weft->x, weft->side, POINTS), 0.01);
    figure(record, f->name, "nu_yx", p->poisson_warp, -weft_kes_slope(warp->x, warp->side, POINTS), 0.01);
    figure(record, f->name, "E_s (N/m)", p->shear, weft_kes_slope(f->shear.x, f->shear.y, POINTS), 0.01);
    for (int turned = 0; turned < 2; turned++) {
        double across = turned ? p->stretch_weft : p->stretch_warp, along = turned ? p->stretch_warp : p->stretch_weft;
        char text[64];
        snprintf(text, sizeof text, "%-16s clamped, %s (N/m)", f->name, turned ? "warp" : "weft");
        /* The range between free and fully hindered contraction, with a margin for rounding. */
        weft_record_range(record, text, c * (along - product * product / across) * (1 - 1e-6), c * along * (1 + 1e-6),
                          f->clamped[turned]);
    }
    figure(record, f->name, "B_weft (N m)", p->bend_weft, weft_kes_slope(bent[0].x, bent[0].y, bent[0].count), 0.02);
    figure(record, f->name, "B_warp (N m)", p->bend_warp, weft_kes_slope(bent[1].x, bent[1].y, bent[1].count), 0.02);
}

static void put_curve(weft_output *file, const char *fabric, const char *test, const curve *c) {
    for (int i = 0; i < c->count; i++)
        weft_output_print(file, "%s,%s,%.9g,%.9g\n", fabric, test, c->x[i], c->y[i]);
}

static weft_result write_curves(const weft_record *record, const findings *f, int count) {
    char path[1024];
    weft_output file;
    WEFT_TRY(weft_record_path(record, "curves.csv", path));
    WEFT_TRY(weft_output_open(&file, path));
    weft_output_print(&file, "fabric,test,strain or curvature (1/m),tension (N/m) or moment (N)\n");
    for (int k = 0; k < count; k++) {
        put_curve(&file, f[k].name, "tensile weft", &f[k].tensile[0]);
        put_curve(&file, f[k].name, "tensile warp", &f[k].tensile[1]);
        put_curve(&file, f[k].name, "shear", &f[k].shear);
        put_curve(&file, f[k].name, "bending weft", &f[k].bending[0]);
        put_curve(&file, f[k].name, "bending warp", &f[k].bending[1]);
    }
    return weft_output_commit(&file);
}

/* Weft solid, warp dashed. `weft` and `warp` are offsets of the curves in the findings; `warp` is 0 for shear. */
static weft_result draw(weft_record *record, const char *name, const weft_plot *labels, const findings *f, int count,
                        size_t weft, size_t warp) {
    weft_series series[2 * FABRICS];
    weft_plot plot = *labels;
    plot.series = series;
    plot.count = 0;
    for (int k = 0; k < count; k++)
        for (int turned = 0; turned < (warp ? 2 : 1); turned++) {
            const curve *c = (const curve *)((const char *)&f[k] + (turned ? warp : weft));
            series[plot.count++] = (weft_series){f[k].name, c->x, c->y, c->count, k, turned};
        }
    return weft_record_plot(record, name, &plot);
}

static weft_result draw_all(weft_record *record, const findings *f, int count) {
    static const weft_plot TENSILE = {"Tensile test (weft solid, warp dashed)", "strain", "tension (N/m)", NULL, 0, 0};
    static const weft_plot SHEAR = {"Shear test", "shear (rad)", "shear stress (N/m)", NULL, 0, 0};
    static const weft_plot BENDING = {
        "Pure bending (weft solid, warp dashed)", "curvature (1/m)", "moment per width (N)", NULL, 0, 0};
    for (int first = 0; first < count; first += TABLE) {
        const findings *part = f + first;
        int left = count - first < TABLE ? count - first : TABLE;
        char name[3][32];
        snprintf(name[0], sizeof name[0], "tensile-%d.svg", first / TABLE + 1);
        snprintf(name[1], sizeof name[1], "shear-%d.svg", first / TABLE + 1);
        snprintf(name[2], sizeof name[2], "bending-%d.svg", first / TABLE + 1);
        WEFT_TRY(draw(record, name[0], &TENSILE, part, left, offsetof(findings, tensile[0]),
                      offsetof(findings, tensile[1])));
        WEFT_TRY(draw(record, name[1], &SHEAR, part, left, offsetof(findings, shear), 0));
        WEFT_TRY(draw(record, name[2], &BENDING, part, left, offsetof(findings, bending[0]),
                      offsetof(findings, bending[1])));
    }
    return weft_ok();
}

/* The quick subset has every fourth fabric. */
static weft_result run_all(weft_record *record, findings *f) {
    int count = 0;
    for (int k = 0; k < weft_fabric_preset_count() && count < FABRICS; k += weft_record_is_quick(record) ? 4 : 1) {
        const weft_fabric_preset *preset = weft_fabric_preset_at(k);
        WEFT_TRY(test_fabric(preset, &f[count]));
        report(record, &preset->fabric, &f[count++]);
    }
    WEFT_TRY(write_curves(record, f, count));
    return draw_all(record, f, count);
}

static weft_result run(weft_record *record) {
    findings *f = calloc(FABRICS, sizeof *f);
    if (!f)
        return weft_fail_memory("curves of fabrics", FABRICS * sizeof *f);
    weft_result result = run_all(record, f);
    free(f);
    return result;
}

const weft_experiment WEFT_KAWABATA = {
    "kawabata",
    "virtual tensile, shear and bending tests of all fabrics recover the given moduli",
    "Kawabata, The standardization and analysis of hand evaluation, 1980; Trendafilov (2021), appendix D",
    1,
    run,
    NULL};
