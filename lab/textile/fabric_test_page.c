/* The page, pictures and files of a fabric test. */
#include <stdio.h>

#include "io/plot.h"
#include "lab/textile/fabric_test.h"
#include "lab/textile/test_page.h"

static weft_result write_report(const weft_fabric_test *t, const char *folder) {
    weft_output out;
    char path[1024];
    WEFT_TRY(weft_lab_path(folder, "report.csv", path));
    WEFT_TRY(weft_output_open(&out, path));
    weft_output_print(&out, "test,quantity,weft,warp,unit,SI weft,SI warp,SI unit\n");
    for (int i = 0; i < t->row_count; i++) {
        const weft_lab_row *r = &t->row[i];
        char number[4][32];
        weft_lab_row_write(r, number);
        weft_output_print(&out, "\"%s\",\"%s\",%s,%s,%s,%s,%s,%s\n", r->test, r->quantity, number[0], number[1],
                          r->unit, number[2], number[3], r->si_unit);
    }
    return weft_output_commit(&out);
}

/* Curves as `weft fit` reads them. */
static weft_result write_curve(const char *folder, const char *name, const char *header, const weft_kes_curve *c) {
    weft_output out;
    char path[1024];
    WEFT_TRY(weft_lab_path(folder, name, path));
    WEFT_TRY(weft_output_open(&out, path));
    weft_output_print(&out, "%s\n", header);
    for (int i = 0; i < c->count; i++)
        weft_output_print(&out, "%.9g,%.9g\n", c->x[i], c->y[i]);
    return weft_output_commit(&out);
}

static weft_result write_curves(const weft_fabric_test *t, const char *folder) {
    static const char TENSILE[] = "strain,tension (N/m)", BENDING[] = "curvature (1/m),moment (N)";
    WEFT_TRY(write_curve(folder, "tensile-weft.csv", TENSILE, &t->tensile[0]));
    WEFT_TRY(write_curve(folder, "tensile-warp.csv", TENSILE, &t->tensile[1]));
    WEFT_TRY(write_curve(folder, "shear.csv", "shear (rad),stress (N/m)", &t->shear));
    WEFT_TRY(write_curve(folder, "bending-weft.csv", BENDING, &t->bending[0]));
    return write_curve(folder, "bending-warp.csv", BENDING, &t->bending[1]);
}

static void put_table(weft_lab_page *page, const weft_fabric_test *t) {
    weft_lab_page_table(page, "test|quantity|weft|warp|unit|SI weft|SI warp|SI unit");
    for (int i = 0; i < t->row_count; i++) {
        const weft_lab_row *r = &t->row[i];
        char number[4][32];
        weft_lab_row_write(r, number);
        weft_lab_page_row(page, "%s|%s|%s|%s|%s|%s|%s|%s", i > 0 && r->test == t->row[i - 1].test ? "" : r->test,
                          r->quantity, number[0], number[1], r->unit, number[2], number[3], r->si_unit);
    }
    weft_lab_page_end_table(page);
}

static weft_result put_plots(weft_lab_page *page, const weft_fabric_test *t) {
    const weft_kes_curve *e = t->tensile, *b = t->bending;
    const weft_cantilever *c = t->cantilever;
    const weft_series tensile[] = {{"weft", e[0].x, e[0].y, e[0].count, 0, 0},
                                   {"warp", e[1].x, e[1].y, e[1].count, 1, 1}};
    const weft_series shear[] = {{"shear", t->shear.x, t->shear.y, t->shear.count, 0, 0}};
    const weft_series bending[] = {{"weft", b[0].x, b[0].y, b[0].count, 0, 0},
                                   {"warp", b[1].x, b[1].y, b[1].count, 1, 1}};
    const weft_series strip[] = {{"weft", c[0].x, c[0].y, c[0].count, 0, 0},
                                 {"warp", c[1].x, c[1].y, c[1].count, 1, 1}};
    const weft_plot plots[] = {{"Tensile test", "strain", "tension (N/m)", tensile, 2, 0},
                               {"Shear test", "shear (rad)", "shear stress (N/m)", shear, 1, 0},
                               {"Pure bending", "curvature (1/m)", "moment per width (N)", bending, 2, 0},
                               {"Cantilever at 41.5 degrees", "x (m)", "y (m)", strip, 2, 0}};
    static const char *const NAMES[] = {"tensile.svg", "shear.svg", "bending.svg", "cantilever.svg"};
    for (int i = 0; i < 4; i++)
        WEFT_TRY(weft_lab_page_plot(page, NAMES[i], &plots[i]));
    return weft_ok();
}

static weft_result put_drape(weft_lab_page *page, const weft_fabric_test *t) {
    enum { WIDTH = 480 };
    weft_picture picture[2] = {{0}}, sheet = {0}, shadow = {0};
    static const char *const LABELS[] = {"from above", "from the side"};
    weft_result result = weft_drape_draw(t->x, t->specimen, 1.55, WIDTH, &picture[0]);
    if (result.code == WEFT_OK)
        result = weft_drape_draw(t->x, t->specimen, 0.3, WIDTH, &picture[1]);
    if (result.code == WEFT_OK)
        result = weft_picture_tile(picture, LABELS, 2, 2, weft_view_default().background, &sheet);
    if (result.code == WEFT_OK)
        result = weft_lab_page_picture(page, "drape.png", &sheet, "The draped specimen of the first start");
    if (result.code == WEFT_OK)
        result = weft_drape_draw_shadow(t->x, t->specimen, 350, &shadow);
    if (result.code == WEFT_OK)
        result = weft_lab_page_picture(page, "shadow.png", &shadow,
                                       "Its shadow, 35 cm wide, as weft fit reads it (kind: shadow)");
    weft_picture_destroy(&shadow);
    weft_picture_destroy(&sheet);
    weft_picture_destroy(&picture[1]);
    weft_picture_destroy(&picture[0]);
    return result;
}

static weft_result fill(weft_lab_page *page, const weft_fabric_test *t) {
    weft_lab_page_text(page, "%s", t->fabric->help);
    weft_lab_page_text(page, "%s", t->fabric->source);
    put_table(page, t);
    weft_lab_page_text(page, "The models are elastic: RT is 100 %% and there is no hysteresis. Wrinkle recovery is not "
                             "tested, because no model has plasticity.");
    WEFT_TRY(put_plots(page, t));
    return put_drape(page, t);
}

weft_result weft_fabric_test_write(const weft_fabric_test *test, const char *folder) {
    weft_lab_page page;
    char title[128];
    WEFT_TRY(weft_directory_make(folder));
    WEFT_TRY(write_report(test, folder));
    WEFT_TRY(write_curves(test, folder));
    snprintf(title, sizeof title, "Fabric test: %s", test->fabric->name);
    WEFT_TRY(weft_lab_page_open(&page, folder, title));
    weft_result result = fill(&page, test);
    if (result.code == WEFT_OK)
        return weft_lab_page_close(&page);
    weft_lab_page_discard(&page);
    return result;
}
