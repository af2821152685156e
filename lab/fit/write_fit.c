/* The results of a fit: the fabric file, a table, and a page with observed beside simulated values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lab/fit/drape_shadow.h"
#include "lab/fit/fit.h"
#include "lab/textile/drapemeter.h"
#include "lab/textile/test_page.h"
#include "weft/text.h"

static void print_deviation(const weft_fit_result *r, int i, char text[48]) {
    if (isinf(r->deviation[i]))
        strcpy(text, "not determined");
    else
        weft_format(text, 48, "%.2g %%%s", 100 * r->deviation[i], r->is_identified[i] ? "" : ", not determined");
}

/* -- the fabric file -- */

static void print_today(char text[32]) {
    time_t now = time(NULL);
    struct tm day;
    text[0] = '\0';
    if (gmtime_r(&now, &day))
        strftime(text, 32, "%Y-%m-%d", &day);
}

static weft_result write_fabric(const weft_fit *fit, const weft_fit_result *r, const char *folder) {
    weft_fabric_file *f = malloc(sizeof *f);
    char path[1024], name[128], today[32], deviation[48];
    if (!f)
        return weft_fail_memory("a fabric", sizeof *f);
    *f = *fit->fabric;
    f->fabric = r->fabric;
    f->provenance_count = 0;
    snprintf(f->help, sizeof f->help, "%.200s, fitted", fit->fabric->help);
    snprintf(f->source, sizeof f->source,
             "Fitted by weft fit to the observations of %.300s, from %s. Values that were "
             "not fitted are those of %s: %.1200s",
             fit->path, fit->fabric->name, fit->fabric->name, fit->fabric->source);
    print_today(today);
    weft_fabric_note *notes = f->provenance;
    int *count = &f->provenance_count;
    weft_fabric_file_note(notes, count, "fit_file", "%s", fit->path);
    weft_fabric_file_note(notes, count, "program", "weft %s", weft_version());
    weft_fabric_file_note(notes, count, "date", "%s", today);
    weft_fabric_file_note(notes, count, "start", "%s", fit->fabric->name);
    weft_fabric_file_note(notes, count, "method", "%s, %d starts, seed %llu", WEFT_FIT_METHOD_NAMES[fit->method],
                          fit->starts, (unsigned long long)fit->seed);
    weft_fabric_file_note(notes, count, "misfit", "%.4g standard deviations (root mean square)", r->misfit);
    for (int i = 0; i < fit->parameter_count; i++) {
        print_deviation(r, i, deviation);
        char key[64];
        snprintf(key, sizeof key, "fitted_%.50s", fit->parameter[i].name);
        weft_fabric_file_note(notes, count, key, "%.6g %s, standard deviation %s", r->value[i], fit->parameter[i].unit,
                              deviation);
    }
    for (int i = 0; i < fit->observation_count; i++) {
        const weft_fit_observation *o = &fit->observation[i];
        char key[64];
        snprintf(key, sizeof key, "observation_%d", i + 1);
        weft_fabric_file_note(notes, count, key, "%s%s%s", o->name, o->file[0] ? ", " : "", o->file);
    }
    snprintf(name, sizeof name, "%.60s-fitted%s", fit->fabric->name, WEFT_FABRIC_ENDING);
    weft_result result = weft_lab_path(folder, name, path);
    if (result.code == WEFT_OK)
        result = weft_fabric_file_write(f, path);
    free(f);
    return result;
}

static weft_result write_table(const weft_fit *fit, const weft_fit_result *r, const char *folder) {
    weft_output out;
    char path[1024];
    WEFT_TRY(weft_lab_path(folder, "fit.csv", path));
    WEFT_TRY(weft_output_open(&out, path));
    weft_output_print(&out, "parameter,unit,start,low,high,value,relative deviation,identified");
    for (int j = 0; j < fit->parameter_count; j++)
        weft_output_print(&out, ",correlation with %s", fit->parameter[j].name);
    weft_output_print(&out, "\n");
    for (int i = 0; i < fit->parameter_count; i++) {
        const weft_fit_parameter *p = &fit->parameter[i];
        weft_output_print(&out, "%s,%s,%.9g,%.9g,%.9g,%.9g,%.4g,%d", p->name, p->unit, p->start, p->low, p->high,
                          r->value[i], r->deviation[i], r->is_identified[i]);
        for (int j = 0; j < fit->parameter_count; j++)
            weft_output_print(&out, ",%.4f", r->correlation[i][j]);
        weft_output_print(&out, "\n");
    }
    return weft_output_commit(&out);
}

/* -- the page -- */

static void put_parameters(weft_lab_page *page, const weft_fit *fit, const weft_fit_result *r) {
    weft_lab_page_table(page, "parameter|start|bounds|fitted|unit|standard deviation");
    for (int i = 0; i < fit->parameter_count; i++) {
        const weft_fit_parameter *p = &fit->parameter[i];
        char deviation[48];
        print_deviation(r, i, deviation);
        weft_lab_page_row(page, "%s|%.4g|%.4g to %.4g|%.5g|%s|%s", p->name, p->start, p->low, p->high, r->value[i],
                          p->unit, deviation);
    }
    weft_lab_page_end_table(page);
    for (int i = 0; i < r->warning_count; i++)
        weft_lab_page_warning(page, "%s", r->warning[i]);
    if (fit->parameter_count < 2)
        return;
    weft_lab_page_heading(page, "Correlation");
    char row[1024] = "";
    for (int j = 0; j < fit->parameter_count; j++)
        snprintf(row + strlen(row), sizeof row - strlen(row), "|%s", fit->parameter[j].name);
    weft_lab_page_table(page, row);
    for (int i = 0; i < fit->parameter_count; i++) {
        snprintf(row, sizeof row, "%s", fit->parameter[i].name);
        for (int j = 0; j < fit->parameter_count; j++)
            weft_format(row + strlen(row), sizeof row - strlen(row), isfinite(r->correlation[i][j]) ? "|%.3f" : "|",
                        r->correlation[i][j]);
        weft_lab_page_row(page, "%s", row);
    }
    weft_lab_page_end_table(page);
}

static void put_starts(weft_lab_page *page, const weft_fit *fit, const weft_fit_result *r) {
    char row[1024] = "start|evaluations|misfit";
    weft_lab_page_heading(page, "Starts");
    for (int i = 0; i < fit->parameter_count; i++)
        snprintf(row + strlen(row), sizeof row - strlen(row), "|%s", fit->parameter[i].name);
    weft_lab_page_table(page, row);
    for (int k = 0; k < fit->starts; k++) {
        const weft_fit_start *s = &r->start[k];
        if (!s->done) {
            weft_lab_page_row(page, "%d|%d|could not be simulated", k + 1, s->evaluations);
            continue;
        }
        weft_format(row, sizeof row, "%d%s|%d|%.4g", k + 1, k == r->best ? " (best)" : "", s->evaluations,
                    sqrt(2 * s->cost / (double)fit->residual_count));
        for (int i = 0; i < fit->parameter_count; i++)
            weft_format(row + strlen(row), sizeof row - strlen(row), "|%.5g", exp(s->z[i]));
        weft_lab_page_row(page, "%s", row);
    }
    weft_lab_page_end_table(page);
}

static weft_result put_curve(weft_lab_page *page, const weft_fit_observation *o, const double *start,
                             const double *fitted, const char *file) {
    static const char *const X[] = {"strain", "shear (rad)", "curvature (1/m)"};
    static const char *const Y[] = {"tension (N/m)", "shear stress (N/m)", "moment per width (N)"};
    const weft_series series[] = {{"observed", o->x, o->y, (int)o->count, 6, WEFT_PLOT_DOTS},
                                  {"start", o->x, start, (int)o->count, 7, WEFT_PLOT_DASHED},
                                  {"fitted", o->x, fitted, (int)o->count, 1, WEFT_PLOT_LINE}};
    weft_plot plot = {o->name, X[o->kind], Y[o->kind], series, 3, 0};
    return weft_lab_page_plot(page, file, &plot);
}

/* The coordinate that moves most, of up to three markers. */
static weft_result put_markers(weft_lab_page *page, const weft_fit_observation *o, const double *start,
                               const double *fitted, const char *file) {
    enum { SHOWN = 3 };
    int64_t rows = o->count / 3;
    int32_t shown[SHOWN];
    int count = 0;
    weft_series series[3 * SHOWN];
    char title[160] = "Markers";
    double *room = calloc((size_t)rows * 4 * SHOWN, sizeof *room);
    if (!room)
        return weft_fail_memory("a plot", sizeof *room);
    for (int64_t i = 0; i < rows && count < SHOWN; i++) {
        int known = 0;
        for (int k = 0; k < count; k++)
            known |= shown[k] == o->vertex[i];
        if (!known)
            shown[count++] = o->vertex[i];
    }
    for (int k = 0; k < count; k++) {
        double *t = room + (size_t)(4 * k) * (size_t)rows, *y[3] = {t + rows, t + 2 * rows, t + 3 * rows};
        const double *from[3] = {o->y, start, fitted};
        double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        int used = 0, axis = 0;
        for (int64_t i = 0; i < rows; i++)
            for (int c = 0; c < 3 && o->vertex[i] == shown[k]; c++) {
                low[c] = fmin(low[c], o->y[3 * i + c]);
                high[c] = fmax(high[c], o->y[3 * i + c]);
            }
        for (int c = 1; c < 3; c++)
            axis = high[c] - low[c] > high[axis] - low[axis] ? c : axis;
        for (int64_t i = 0; i < rows; i++)
            if (o->vertex[i] == shown[k]) {
                t[used] = o->x[3 * i];
                for (int q = 0; q < 3; q++)
                    y[q][used] = from[q][3 * i + axis];
                used++;
            }
        snprintf(title + strlen(title), sizeof title - strlen(title), "%s %c of vertex %d", k > 0 ? "," : ":",
                 'x' + axis, shown[k]);
        series[k] = (weft_series){"observed", t, y[0], used, 6, WEFT_PLOT_DOTS};
        series[count + k] = (weft_series){"start", t, y[1], used, 7, WEFT_PLOT_DASHED};
        series[2 * count + k] = (weft_series){"fitted", t, y[2], used, 1, WEFT_PLOT_LINE};
    }
    weft_plot plot = {title, "time (s)", "position (m)", series, 3 * count, 0};
    weft_result result = weft_lab_page_plot(page, file, &plot);
    free(room);
    return result;
}

/* Root mean square of the distances of each time. */
static weft_result put_points(weft_lab_page *page, const weft_fit_observation *o, const double *start,
                              const double *fitted, const char *file) {
    double *room = calloc(3 * (size_t)o->count, sizeof *room);
    if (!room)
        return weft_fail_memory("a plot", sizeof *room);
    double *t = room, *y[2] = {room + o->count, room + 2 * o->count};
    const double *from[2] = {start, fitted};
    int used = 0;
    for (int64_t i = 0; i < o->count;) {
        int64_t end = i;
        double sum[2] = {0, 0};
        for (; end < o->count && o->x[end] == o->x[i]; end++)
            for (int k = 0; k < 2; k++)
                sum[k] += from[k][end] * from[k][end];
        t[used] = o->x[i];
        for (int k = 0; k < 2; k++)
            y[k][used] = 1000 * sqrt(sum[k] / (double)(end - i));
        used++;
        i = end;
    }
    const weft_series series[] = {{"start", t, y[0], used, 7, WEFT_PLOT_DASHED},
                                  {"fitted", t, y[1], used, 1, WEFT_PLOT_LINE}};
    weft_plot plot = {o->name, "time (s)", "distance of the points (mm)", series, 2, 0};
    weft_result result = weft_lab_page_plot(page, file, &plot);
    free(room);
    return result;
}

/* The observed picture beside the simulated shadow. */
static weft_result put_shadow(weft_lab_page *page, const weft_fit_observation *o, const weft_fabric *fabric,
                              const char *file) {
    static const char *const LABELS[] = {"observed", "fitted"};
    weft_picture picture[2] = {{0}}, sheet = {0}, full = {0};
    weft_specimen specimen = weft_drape_specimen(weft_drape_row(fabric), o->grid);
    weft_shadow shadow;
    weft_vec3 *x = NULL;
    weft_result result = weft_picture_read_png(&full, o->file);
    int32_t width = full.width < 350 ? full.width : 350;
    if (result.code == WEFT_OK)
        result = weft_picture_shrink(&full, width, &picture[0]);
    if (result.code == WEFT_OK)
        result = weft_drape_test(fabric, specimen, (uint64_t)o->first_start, &shadow, &x);
    if (result.code == WEFT_OK)
        result = weft_drape_draw_shadow(x, specimen, width, &picture[1]);
    if (result.code == WEFT_OK)
        result = weft_picture_tile(picture, LABELS, 2, 2, weft_view_default().background, &sheet);
    if (result.code == WEFT_OK)
        result = weft_lab_page_picture(page, file, &sheet, "The shadow of the specimen");
    free(x);
    weft_picture_destroy(&full);
    weft_picture_destroy(&sheet);
    weft_picture_destroy(&picture[0]);
    weft_picture_destroy(&picture[1]);
    return result;
}

static void put_values(weft_lab_page *page, const weft_fit_observation *o, const double *start, const double *fitted) {
    weft_lab_page_table(page, "|observed|standard deviation|start|fitted");
    for (int64_t i = 0; i < o->count; i++)
        weft_lab_page_row(page, "%s|%.5g|%.2g|%.5g|%.5g",
                          o->kind == WEFT_FIT_DRAPE    ? "drape coefficient, %"
                          : o->kind == WEFT_FIT_LENGTH ? "bending length, m"
                          : i == o->count - 1          ? "mean radius of the area, m"
                                                       : "radius of the outline, m",
                          o->y[i], o->sigma, start[i], fitted[i]);
    weft_lab_page_end_table(page);
}

static weft_result put_observation(weft_lab_page *page, const weft_fit_observation *o, const weft_fit_result *r,
                                   const double *start, const double *fitted, int index) {
    char heading[160], file[32];
    double sum = 0;
    for (int64_t i = 0; i < o->count; i++)
        sum += pow((fitted[i] - o->y[i]) / o->sigma, 2);
    snprintf(heading, sizeof heading, "Observation %d: %s", index + 1, o->name);
    weft_lab_page_heading(page, heading);
    weft_lab_page_text(page, "%lld values%s%s. Misfit %.3g standard deviations%s.", (long long)o->count,
                       o->file[0] ? " of " : "", o->file, sqrt(sum / (double)o->count),
                       o->sigma_is_given ? "" : " (assumed)");
    snprintf(file, sizeof file, "observation-%d.svg", index + 1);
    if (o->kind <= WEFT_FIT_BENDING)
        return put_curve(page, o, start, fitted, file);
    if (o->kind == WEFT_FIT_MARKERS)
        return put_markers(page, o, start, fitted, file);
    if (o->kind == WEFT_FIT_POINTS)
        return put_points(page, o, start, fitted, file);
    put_values(page, o, start, fitted);
    snprintf(file, sizeof file, "observation-%d.png", index + 1);
    return o->kind == WEFT_FIT_SHADOW ? put_shadow(page, o, &r->fabric, file) : weft_ok();
}

static weft_result fill(weft_lab_page *page, const weft_fit *fit, const weft_fit_result *r) {
    const double *start = r->at_start, *fitted = r->simulated;
    weft_lab_page_text(page,
                       "Parameters of the fabric %s from %lld observed values, by %s from %d starts. The misfit is "
                       "the root mean square of the differences, in standard deviations of the observations: %.3g.",
                       fit->fabric->name, (long long)fit->residual_count, WEFT_FIT_METHOD_NAMES[fit->method],
                       fit->starts, r->misfit);
    put_parameters(page, fit, r);
    for (int i = 0; i < fit->observation_count; i++) {
        WEFT_TRY(put_observation(page, &fit->observation[i], r, start, fitted, i));
        start += fit->observation[i].count;
        fitted += fit->observation[i].count;
    }
    put_starts(page, fit, r);
    return weft_ok();
}

weft_result weft_fit_write(const weft_fit *fit, const weft_fit_result *result, const char *folder) {
    weft_lab_page page;
    char title[160];
    WEFT_TRY(weft_directory_make(folder));
    WEFT_TRY(write_fabric(fit, result, folder));
    WEFT_TRY(write_table(fit, result, folder));
    snprintf(title, sizeof title, "Fit of the fabric %s", fit->fabric->name);
    WEFT_TRY(weft_lab_page_open(&page, folder, title));
    weft_result done = fill(&page, fit, result);
    if (done.code == WEFT_OK)
        return weft_lab_page_close(&page);
    weft_lab_page_discard(&page);
    return done;
}
