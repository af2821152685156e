/* Drape coefficients of ten published fabrics, predicted from their measured moduli without any fitting, beside the
 * measured coefficients. The fabrics are files in data/fabrics/, which name their sources.
 *
 * The models are elastic. Real fabrics have friction between yarns: hysteresis in bending and shear holds them up, so
 * stiff fabrics with much hysteresis drape less than their moduli say. */
#include <math.h>
#include <stdio.h>

#include "io/fabric_file.h"
#include "lab/experiments/experiment.h"
#include "lab/textile/drapemeter.h"

static const char *const NAMES[] = {
    "petrak-m1-polyester-twill",    "petrak-m2-polyester-plain",  "petrak-m3-wool-twill",
    "petrak-m4-viscose-twill",      "petrak-m5-elastane-plain",   "petrak-m6-cotton-twill",
    "matsudaira-a-cotton-broad",    "matsudaira-b-wool-tropical", "matsudaira-c-polyester-tropical",
    "matsudaira-f-polyester-faille"};
enum { COUNT = sizeof NAMES / sizeof NAMES[0], STARTS = 3 };

/* The shear of the six fabrics of Petrak et al. (2025) as their table converts it, N/m. The fabric files read the same
 * numbers as gf/(cm degree); see their sources. */
static const double CONVERTED_SHEAR[COUNT] = {41, 46, 50, 61, 57, 126};

/* The mean coefficient of several starts, on a mesh that is fine enough for thin, stiff-yarned fabrics. */
static weft_result predict(const weft_fabric *fabric, int grid, int starts, double *coefficient) {
    weft_specimen specimen = weft_drape_specimen(weft_drape_row(fabric), grid);
    *coefficient = 0;
    for (int k = 1; k <= starts; k++) {
        weft_shadow shadow;
        WEFT_TRY(weft_drape_test(fabric, specimen, (uint64_t)k, &shadow, NULL));
        *coefficient += weft_drape_coefficient(shadow.area) / starts;
    }
    return weft_ok();
}

typedef struct comparison {
    double measured[COUNT], predicted[COUNT];
    int count;
} comparison;

static weft_result compare(weft_record *record, const char *name, double converted, comparison *c) {
    weft_fabric_file *file;
    WEFT_TRY(weft_fabric_find(name, "/", &file));
    weft_fabric fabric = file->fabric;
    double measured = weft_fabric_file_figure(file, "drape_coefficient", "", NAN), predicted = 0, other = 0;
    weft_fabric_file_destroy(file);
    if (isnan(measured))
        return weft_fail(WEFT_BAD_INPUT, "%s: has no measured drape coefficient", name);
    int quick = weft_record_is_quick(record);
    WEFT_TRY(predict(&fabric, quick ? 0 : 1, quick ? 1 : STARTS, &predicted));
    char what[120];
    snprintf(what, sizeof what, "%-32s drape coefficient (%%); measured %.1f, error %+.1f", name, measured,
             predicted - measured);
    weft_record_value(record, what, predicted);
    if (converted > 0 && !quick) {
        fabric.shear = converted;
        WEFT_TRY(predict(&fabric, 1, 1, &other));
        snprintf(what, sizeof what, "%-32s the same with the shear as converted, %g N/m; error %+.1f", name, converted,
                 other - measured);
        weft_record_value(record, what, other);
    }
    c->measured[c->count] = measured;
    c->predicted[c->count++] = predicted;
    return weft_ok();
}

static void summarise(weft_record *record, const comparison *c) {
    double mean[2] = {0, 0}, cross = 0, square[2] = {0, 0}, bias = 0, absolute = 0, error = 0;
    for (int i = 0; i < c->count; i++) {
        mean[0] += c->measured[i] / c->count;
        mean[1] += c->predicted[i] / c->count;
    }
    for (int i = 0; i < c->count; i++) {
        double x = c->measured[i] - mean[0], y = c->predicted[i] - mean[1], e = c->predicted[i] - c->measured[i];
        cross += x * y;
        square[0] += x * x;
        square[1] += y * y;
        bias += e / c->count;
        absolute += fabs(e) / c->count;
        error += e * e / c->count;
    }
    weft_record_value(record, "mean error (%)", bias);
    weft_record_value(record, "mean absolute error (%)", absolute);
    weft_record_value(record, "root mean square error (%)", sqrt(error));
    weft_record_value(record, "correlation of predicted and measured coefficients",
                      cross / sqrt(square[0] * square[1]));
}

static weft_result draw(weft_record *record, const comparison *c) {
    static const double LINE[] = {0, 100};
    weft_series series[COUNT + 1] = {{"equal", LINE, LINE, 2, 7, 1}};
    double x[COUNT][5], y[COUNT][5]; /* a small cross for each fabric */
    for (int i = 0; i < c->count; i++) {
        const double dx[5] = {-1.2, 1.2, 0, 0, 0}, dy[5] = {0, 0, 0, 1.2, -1.2};
        for (int k = 0; k < 5; k++) {
            x[i][k] = c->measured[i] + dx[k];
            y[i][k] = c->predicted[i] + dy[k];
        }
        series[i + 1] = (weft_series){NAMES[i], x[i], y[i], 5, i, 0};
    }
    weft_plot plot = {
        "Drape coefficients of published fabrics", "measured (%)", "predicted (%)", series, c->count + 1, 0};
    return weft_record_plot(record, "published.svg", &plot);
}

static weft_result run(weft_record *record) {
    comparison c = {.count = 0};
    for (int i = 0; i < (weft_record_is_quick(record) ? 1 : COUNT); i++)
        WEFT_TRY(compare(record, NAMES[weft_record_is_quick(record) ? 3 : i],
                         CONVERTED_SHEAR[weft_record_is_quick(record) ? 3 : i], &c));
    if (weft_record_is_quick(record))
        return weft_ok();
    summarise(record, &c);
    weft_record_note(
        record,
        "Nothing is fitted. The six fabrics of Petrak et al. (2025) have measured weight, extension, shear and "
        "bending. "
        "The four of Matsudaira et al. (2015) have measured weight and bending; their stretch and shear are assumed. "
        "All specimens measure 30 cm on a support of 18 cm. The sources that we could read do not say whether those of "
        "Matsudaira did: the Japanese standard JIS L 1096 has 25.4 cm on 12.7 cm. Fabric A has the most hysteresis in "
        "bending (2HB), which the models do not have and which keeps a real fabric from draping.");
    return draw(record, &c);
}

const weft_experiment WEFT_PUBLISHED = {
    "published",
    "drape coefficients of ten published fabrics, predicted from their measured moduli",
    "Petrak et al., Sustainability 17(4), 1388, 2025; Matsudaira et al., Journal of Textile Engineering 61(6), 2015",
    1,
    run,
    NULL};
