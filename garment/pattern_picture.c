#include "garment/curve.h"
#include "garment/garment_files.h"
#include "io/file.h"

/* The drawing is in centimetres, with y downwards. */
static const double CM = 100, GAP = 8, MARGIN = 5, TEXT = 1.6;
enum { COLOURS = 8 };
static const char *const COLOUR[COLOURS] = {"#c0392b", "#2471a3", "#1e8449", "#b9770e",
                                            "#7d3c98", "#117a65", "#a04000", "#2c3e50"};

/* Where a panel lies in the drawing: its point (x, y) in m is drawn at (left + 100 x, base - 100 y). */
typedef struct sheet {
    double left, base;
} sheet;

static void print_point(weft_output *out, const char *command, sheet at, weft_vec2 p) {
    weft_output_print(out, "%s%.3f %.3f", command, at.left + CM * p.x, at.base - CM * p.y);
}

static void draw_panel(weft_output *out, sheet at, const garment_panel *panel) {
    weft_output_print(out, "<path fill=\"#f4efe6\" stroke=\"#555\" stroke-width=\".2\" d=\"");
    print_point(out, "M", at, panel->edge[0].control[0]);
    for (int32_t e = 0; e < panel->edges; e++)
        for (int i = 1; i < 4; i++)
            print_point(out, i == 1 ? " C" : " ", at, panel->edge[e].control[i]);
    weft_output_print(out, " Z\"/>\n");
    weft_vec2 middle = {0.5 * (panel->low.x + panel->high.x), 0.5 * (panel->low.y + panel->high.y)};
    weft_output_print(out, "<text x=\"%.3f\" y=\"%.3f\" font-size=\"3\" text-anchor=\"middle\">%s</text>\n",
                      at.left + CM * middle.x, at.base - CM * middle.y, panel->name);
    for (int32_t e = 0; e < panel->edges; e++) {
        weft_vec2 p = garment_curve_at(panel->edge[e].control, 0.5);
        weft_output_print(out, "<text x=\"%.3f\" y=\"%.3f\" fill=\"#777\" text-anchor=\"middle\">%s</text>\n",
                          at.left + CM * (0.86 * p.x + 0.14 * middle.x), at.base - CM * (0.86 * p.y + 0.14 * middle.y),
                          panel->edge[e].name);
    }
}

static void draw_side(weft_output *out, sheet at, const garment_panel *panel, const garment_side *side, int32_t seam) {
    enum { PIECES = 24 };
    const weft_vec2 *control = panel->edge[side->edge].control;
    weft_output_print(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\".7\" d=\"", COLOUR[seam % COLOURS]);
    for (int i = 0; i <= PIECES; i++)
        print_point(out, i ? " L" : "M", at,
                    garment_curve_along(control, side->from + (side->to - side->from) * i / PIECES));
    weft_vec2 p = garment_curve_along(control, 0.5 * (side->from + side->to));
    weft_output_print(out, "\"/>\n<circle cx=\"%.3f\" cy=\"%.3f\" r=\"1.4\" fill=\"%s\"/>", at.left + CM * p.x,
                      at.base - CM * p.y, COLOUR[seam % COLOURS]);
    weft_output_print(out, "<text x=\"%.3f\" y=\"%.3f\" fill=\"#fff\" text-anchor=\"middle\">%d</text>\n",
                      at.left + CM * p.x, at.base - CM * p.y + 0.35 * TEXT, seam + 1);
}

/* Panels stand on one line, beside each other. */
static sheet sheet_of(const garment_pattern *pattern, int32_t p, double height) {
    double left = MARGIN;
    for (int32_t i = 0; i < p; i++)
        left += CM * (pattern->panel[i].high.x - pattern->panel[i].low.x) + GAP;
    return (sheet){left - CM * pattern->panel[p].low.x, height - MARGIN + CM * pattern->panel[p].low.y};
}

weft_result garment_picture_write(const garment_pattern *pattern, const char *path) {
    weft_output out;
    double width = 2 * MARGIN - GAP, height = 0;
    for (int32_t p = 0; p < pattern->panels; p++) {
        const garment_panel *panel = &pattern->panel[p];
        width += CM * (panel->high.x - panel->low.x) + GAP;
        height = CM * (panel->high.y - panel->low.y) > height ? CM * (panel->high.y - panel->low.y) : height;
    }
    height += 2 * MARGIN;
    WEFT_TRY(weft_output_open(&out, path));
    weft_output_print(&out,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.3f %.3f\" font-family=\"sans-serif\" "
                      "font-size=\"%.1f\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                      width, height, TEXT);
    for (int32_t p = 0; p < pattern->panels; p++)
        draw_panel(&out, sheet_of(pattern, p, height), &pattern->panel[p]);
    for (int32_t s = 0; s < 2 * pattern->seams; s++) {
        const garment_side *side = &pattern->seam[s / 2].side[s % 2];
        draw_side(&out, sheet_of(pattern, side->panel, height), &pattern->panel[side->panel], side, s / 2);
    }
    weft_output_print(&out, "</svg>\n");
    return weft_output_commit(&out);
}
