/* The page and the tables of a garment's fit. */
#include <stdio.h>
#include <stdlib.h>

#include "lab/fit/ease.h"
#include "lab/textile/test_page.h"

static weft_result open_table(const char *folder, const char *name, const char *header, weft_output *out) {
    char path[1024];
    WEFT_TRY(weft_lab_path(folder, name, path));
    WEFT_TRY(weft_output_open(out, path));
    weft_output_print(out, "%s\n", header);
    return weft_ok();
}

static weft_result write_summary(const weft_garment_fit *fit, const char *folder) {
    weft_output out;
    WEFT_TRY(open_table(folder, "fit.csv", "quantity,value,unit", &out));
    for (int32_t i = 0; i < fit->levels; i++) {
        const weft_fit_level *l = &fit->level[i];
        weft_output_print(&out, "height of %s,%.9g,m\n", l->name, l->height);
        if (l->garment > 0)
            weft_output_print(&out, "garment girth at %s,%.9g,m\nbody girth at %s,%.9g,m\nease at %s,%.9g,m\n", l->name,
                              l->garment, l->name, l->body, l->name, l->garment - l->body);
        else /* the garment does not reach this level */
            weft_output_print(&out, "garment girth at %s,,m\nbody girth at %s,,m\nease at %s,,m\n", l->name, l->name,
                              l->name);
    }
    weft_output_print(&out, "length,%.9g,m\nfabric area,%.9g,m2\nfabric mass,%.9g,kg\n", fit->high - fit->low,
                      fit->area, fit->mass);
    return weft_output_commit(&out);
}

static weft_result write_panels(const weft_garment_fit *fit, const char *folder) {
    weft_output out;
    WEFT_TRY(
        open_table(folder, "panels.csv",
                   "panel,area m2,mass kg,mean weft strain,mean warp strain,mean shear,most weft strain,most warp "
                   "strain,most shear,most strain,mean tension N/m,most tension N/m,mean pressure Pa,most pressure "
                   "Pa,touching",
                   &out));
    for (int32_t p = 0; p < fit->pattern->panels; p++) {
        const weft_fit_panel *f = &fit->panel[p];
        weft_output_print(&out, "%s,%.9g,%.9g", fit->pattern->panel[p].name, f->area, f->mass);
        for (int k = 0; k < 3; k++)
            weft_output_print(&out, ",%.6g", f->strain_mean[k]);
        for (int k = 0; k < 3; k++)
            weft_output_print(&out, ",%.6g", f->strain_most[k]);
        weft_output_print(&out, ",%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n", f->stretch_most, f->tension_mean, f->tension_most,
                          f->pressure_mean, f->pressure_most, f->touching);
    }
    return weft_output_commit(&out);
}

static weft_result write_seams(const weft_garment_fit *fit, const char *folder) {
    weft_output out;
    WEFT_TRY(open_table(folder, "seams.csv", "seam,length m,mean pull N/m,most pull N/m,most shear N/m,force N,gap m",
                        &out));
    for (int32_t s = 0; s < fit->pattern->seams; s++) {
        const weft_fit_seam *f = &fit->seam[s];
        weft_output_print(&out, "\"%s\",%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n", f->name, f->length, f->pull_mean,
                          f->pull_most, f->shear_most, f->force, f->gap);
    }
    return weft_output_commit(&out);
}

static weft_result write_girths(const weft_garment_fit *fit, const char *folder) {
    weft_output out;
    WEFT_TRY(open_table(folder, "girths.csv", "height m,garment m,body m,ease m", &out));
    for (int32_t i = 0; i < fit->profiles; i++) {
        const weft_fit_level *l = &fit->profile[i];
        weft_output_print(&out, "%.4f,%.6g,%.6g,%.6g\n", l->height, l->garment, l->body,
                          l->body > 0 ? l->garment - l->body : 0);
    }
    return weft_output_commit(&out);
}

static void put_summary(weft_lab_page *page, const weft_garment_fit *fit) {
    weft_lab_page_heading(page, "Ease and size");
    weft_lab_page_table(page, "level|height|garment girth|body girth|ease");
    for (int32_t i = 0; i < fit->levels; i++) {
        const weft_fit_level *l = &fit->level[i];
        if (l->garment > 0)
            weft_lab_page_row(page, "%s|%.1f cm|%.1f cm|%.1f cm|%+.1f cm", l->name, 100 * l->height, 100 * l->garment,
                              100 * l->body, 100 * (l->garment - l->body));
        else
            weft_lab_page_row(page, "%s|%.1f cm|not reached||", l->name, 100 * l->height);
    }
    weft_lab_page_end_table(page);
    weft_lab_page_text(page, "Girths are those of the convex hull in a horizontal cut, as a tape measure reads them. "
                             "Sleeves are left out.");
    weft_lab_page_text(page, "Length from the highest to the lowest point: %.1f cm. Fabric: %.3f m2, %.1f g.",
                       100 * (fit->high - fit->low), fit->area, 1000 * fit->mass);
}

static void put_panels(weft_lab_page *page, const weft_garment_fit *fit) {
    weft_lab_page_heading(page, "Panels");
    weft_lab_page_table(page, "panel|area|mass|weft strain|warp strain|largest strain|tension|largest tension|pressure|"
                              "largest pressure|touching");
    for (int32_t p = 0; p < fit->pattern->panels; p++) {
        const weft_fit_panel *f = &fit->panel[p];
        weft_lab_page_row(page,
                          "%s|%.0f cm2|%.1f g|%.2f %%|%.2f %%|%.1f %%|%.2f N/m|%.1f N/m|%.3f kPa|%.2f kPa|%.0f %%",
                          fit->pattern->panel[p].name, 1e4 * f->area, 1000 * f->mass, 100 * f->strain_mean[0],
                          100 * f->strain_mean[1], 100 * f->stretch_most, f->tension_mean, f->tension_most,
                          f->pressure_mean / 1000, f->pressure_most / 1000, 100 * f->touching);
    }
    weft_lab_page_end_table(page);
    weft_lab_page_text(page,
                       "Strains and tension are means by area. The pressure is the mean where the panel touches.");
}

static void put_seams(weft_lab_page *page, const weft_garment_fit *fit) {
    weft_lab_page_heading(page, "Seams");
    weft_lab_page_table(page, "seam|length|pull|largest pull|largest shear|force");
    for (int32_t s = 0; s < fit->pattern->seams; s++) {
        const weft_fit_seam *f = &fit->seam[s];
        weft_lab_page_row(page, "%s|%.1f cm|%.2f N/m|%.1f N/m|%.1f N/m|%.3f N", f->name, 100 * f->length, f->pull_mean,
                          f->pull_most, f->shear_most, f->force);
    }
    weft_lab_page_end_table(page);
    weft_lab_page_text(page, "Both sides of a seam share their vertices, so no seam is open.");
}

static weft_result put_girths(weft_lab_page *page, const weft_garment_fit *fit) {
    size_t count = (size_t)fit->profiles + 1;
    double *height = malloc(count * sizeof *height), *garment = malloc(count * sizeof *garment),
           *body = malloc(count * sizeof *body);
    weft_result result = height && garment && body ? weft_ok() : weft_fail_memory("girths", count * sizeof *height);
    for (int32_t i = 0; i < fit->profiles && result.code == WEFT_OK; i++) {
        height[i] = 100 * fit->profile[i].height;
        garment[i] = 100 * fit->profile[i].garment;
        body[i] = 100 * fit->profile[i].body;
    }
    if (result.code == WEFT_OK) {
        const weft_series series[] = {{"garment", height, garment, fit->profiles, 0, 0},
                                      {"body", height, body, fit->profiles, 1, 0}};
        const weft_plot plot = {"Girths", "height (cm)", "girth (cm)", series, 2, 0};
        result = weft_lab_page_plot(page, "girths.svg", &plot);
    }
    free(body);
    free(garment);
    free(height);
    return result;
}

static weft_result fill(weft_lab_page *page, const weft_garment_fit *fit) {
    put_summary(page, fit);
    WEFT_TRY(put_girths(page, fit));
    weft_lab_page_heading(page, "Maps");
    WEFT_TRY(weft_garment_fit_pictures(fit, page));
    put_panels(page, fit);
    put_seams(page, fit);
    return weft_ok();
}

weft_result weft_garment_fit_write(const weft_garment_fit *fit, const char *folder) {
    weft_lab_page page;
    char title[128];
    WEFT_TRY(weft_directory_make(folder));
    WEFT_TRY(write_summary(fit, folder));
    WEFT_TRY(write_panels(fit, folder));
    WEFT_TRY(write_seams(fit, folder));
    WEFT_TRY(write_girths(fit, folder));
    snprintf(title, sizeof title, "Fit: %s", fit->pattern->name);
    WEFT_TRY(weft_lab_page_open(&page, folder, title));
    weft_result result = fill(&page, fit);
    if (result.code == WEFT_OK)
        return weft_lab_page_close(&page);
    weft_lab_page_discard(&page);
    return result;
}
