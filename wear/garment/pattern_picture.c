/* Patterns as SVG drawings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "wear/garment/garment_files.h"

/* The drawing is in centimetres, with y downwards. */
static const double CM = 100, GAP = 8, MARGIN = 5, TEXT = 1.6;
/* Rows of panels are filled up to this width, or to that of the widest panel. */
static const double WIDTH = 240;
/* Lengths of a grain line relative to its panel, and of a notch, cm. */
static const double GRAIN = 0.45, NOTCH = 1;
/* Distance of an edge's name from the edge, cm. */
static const double NAME_OFF = 2.6;
static const double PI = 3.14159265358979323846;
enum { COLOURS = 8 };
static const char *const COLOUR[COLOURS] = {"#c0392b", "#2471a3", "#1e8449", "#b9770e",
                                            "#7d3c98", "#117a65", "#a04000", "#2c3e50"};

/* Where a panel lies in the drawing: its point (x, y) in m is drawn at (left + 100 x, base - 100 y). */
typedef struct sheet {
    double left, base;
} sheet;

static double x_of(sheet at, weft_vec2 p) { return at.left + CM * p.x; }
static double y_of(sheet at, weft_vec2 p) { return at.base - CM * p.y; }

static void print_point(weft_output *out, const char *command, sheet at, weft_vec2 p) {
    weft_output_print(out, "%s%.3f %.3f", command, x_of(at, p), y_of(at, p));
}

static void draw_line(weft_output *out, sheet at, weft_vec2 from, weft_vec2 to, const char *look) {
    weft_output_print(out, "<path fill=\"none\" %s d=\"", look);
    print_point(out, "M", at, from);
    print_point(out, " L", at, to);
    weft_output_print(out, "\"/>\n");
}

/* A double arrow along the warp through the middle. */
static void draw_grain(weft_output *out, sheet at, const garment_panel *panel, weft_vec2 middle) {
    static const char LOOK[] = "stroke=\"#999\" stroke-width=\".2\" marker-start=\"url(#arrow)\" "
                               "marker-end=\"url(#arrow)\"";
    double half = 0.5 * GRAIN * fmin(panel->high.y - panel->low.y, 2 * (panel->high.x - panel->low.x));
    double side = 0.28 * (panel->high.x - panel->low.x), x = -sin(panel->grain), y = cos(panel->grain);
    weft_vec2 c = {middle.x + side, middle.y};
    draw_line(out, at, (weft_vec2){c.x - half * x, c.y - half * y}, (weft_vec2){c.x + half * x, c.y + half * y}, LOOK);
}

/* A tick across the outline, inwards. */
static void draw_notch(weft_output *out, sheet at, const garment_edge *edge, double fraction) {
    weft_vec2 p = garment_edge_along(edge, fraction), a = garment_edge_along(edge, fmax(fraction - 0.01, 0)),
              b = garment_edge_along(edge, fmin(fraction + 0.01, 1));
    double length = hypot(b.x - a.x, b.y - a.y), scale = length > 0 ? NOTCH / CM / length : 0;
    draw_line(out, at, p, (weft_vec2){p.x - scale * (b.y - a.y), p.y + scale * (b.x - a.x)},
              "stroke=\"#222\" stroke-width=\".3\"");
}

/* The outline between two fractions of an edge. */
static void draw_along(weft_output *out, sheet at, const garment_edge *edge, double from, double to, const char *look) {
    enum { PIECES = 24 };
    weft_output_print(out, "<path fill=\"none\" %s d=\"", look);
    for (int i = 0; i <= PIECES; i++)
        print_point(out, i ? " L" : "M", at, garment_edge_along(edge, from + (to - from) * i / PIECES));
    weft_output_print(out, "\"/>\n");
}

static void draw_marks(weft_output *out, sheet at, const garment_panel *panel) {
    for (int32_t i = 0; i < panel->folds; i++)
        draw_line(out, at, panel->fold[i].from, panel->fold[i].to,
                  "stroke=\"#555\" stroke-width=\".25\" stroke-dasharray=\"2 1 .5 1\"");
    for (int32_t i = 0; i < panel->notches; i++)
        draw_notch(out, at, &panel->edge[panel->notch[i].edge], panel->notch[i].at);
    for (int32_t e = 0; e < panel->edges; e++)
        if (panel->edge[e].hem > 0)
            draw_along(out, at, &panel->edge[e], 0, 1, "stroke=\"#333\" stroke-width=\".9\" stroke-dasharray=\"1 .6\"");
}

/* The name of an edge, along it on the inner side, small enough to fit. */
static void draw_name(weft_output *out, sheet at, const garment_edge *edge) {
    weft_vec2 p = garment_edge_along(edge, 0.5), a = garment_edge_along(edge, 0.48), b = garment_edge_along(edge, 0.52);
    double angle = atan2(b.y - a.y, b.x - a.x), off = NAME_OFF / CM;
    double size = fmin(TEXT, 1.5 * CM * edge->length / fmax((double)strlen(edge->name), 1));
    p = (weft_vec2){p.x - off * sin(angle), p.y + off * cos(angle)};
    double turn = -angle * 180 / PI; /* downwards is positive in the drawing */
    turn = turn > 91 ? turn - 180 : turn < -89 ? turn + 180 : turn;
    weft_output_print(
        out,
        "<text transform=\"translate(%.3f %.3f) rotate(%.1f)\" y=\"%.2f\" font-size=\"%.2f\" fill=\"#777\" "
        "text-anchor=\"middle\">%s</text>\n",
        x_of(at, p), y_of(at, p), turn, 0.35 * size, size, edge->name);
}

static void draw_panel(weft_output *out, sheet at, const garment_panel *panel) {
    weft_output_print(out, "<path fill=\"#f4efe6\" stroke=\"#555\" stroke-width=\".2\" d=\"");
    print_point(out, "M", at, garment_edge_start(&panel->edge[0]));
    for (int32_t e = 0; e < panel->edges; e++)
        for (int32_t c = 0; c < panel->edge[e].curves; c++)
            for (int i = 1; i < 4; i++)
                print_point(out, i == 1 ? " C" : " ", at, panel->edge[e].curve[c].control[i]);
    weft_output_print(out, " Z\"/>\n");
    weft_vec2 middle = {0.5 * (panel->low.x + panel->high.x), 0.5 * (panel->low.y + panel->high.y)};
    draw_grain(out, at, panel, middle);
    draw_marks(out, at, panel);
    weft_output_print(out, "<text x=\"%.3f\" y=\"%.3f\" font-size=\"3\" text-anchor=\"middle\">%s</text>\n",
                      x_of(at, middle), y_of(at, middle), panel->name);
    for (int32_t e = 0; e < panel->edges; e++)
        draw_name(out, at, &panel->edge[e]);
}

static void draw_side(weft_output *out, sheet at, const garment_panel *panel, const garment_side *side, int32_t seam) {
    const garment_edge *edge = &panel->edge[side->edge];
    char look[80];
    snprintf(look, sizeof look, "stroke=\"%s\" stroke-width=\".7\"", COLOUR[seam % COLOURS]);
    draw_along(out, at, edge, side->from, side->to, look);
    weft_vec2 p = garment_edge_along(edge, 0.5 * (side->from + side->to));
    weft_output_print(out, "<circle cx=\"%.3f\" cy=\"%.3f\" r=\"1.4\" fill=\"%s\"/>", x_of(at, p), y_of(at, p),
                      COLOUR[seam % COLOURS]);
    weft_output_print(out, "<text x=\"%.3f\" y=\"%.3f\" fill=\"#fff\" text-anchor=\"middle\">%d</text>\n", x_of(at, p),
                      y_of(at, p) + 0.35 * TEXT, seam + 1);
}

/* Elastic bands are wavy in pattern drawings; here they are dotted lines. Buttons are rings. */
static void draw_notions(weft_output *out, const sheet *at, const garment_pattern *pattern) {
    for (int32_t i = 0; i < pattern->elastics; i++)
        for (int32_t k = 0; k < pattern->elastic[i].sides; k++) {
            const garment_side *s = &pattern->elastic[i].side[k];
            draw_along(out, at[s->panel], &pattern->panel[s->panel].edge[s->edge], s->from, s->to,
                       "stroke=\"#d35400\" stroke-width=\".9\" stroke-linecap=\"round\" stroke-dasharray=\"0 1.5\"");
        }
    for (int32_t i = 0; i < 2 * pattern->buttons; i++) {
        const garment_point *p = &pattern->button[i / 2].end[i % 2];
        weft_output_print(out,
                          "<circle cx=\"%.3f\" cy=\"%.3f\" r=\".8\" fill=\"none\" stroke=\"#222\" "
                          "stroke-width=\".3\"/>\n",
                          x_of(at[p->panel], p->at), y_of(at[p->panel], p->at));
    }
}

/* Puts panels into rows. */
static void lay_out(const garment_pattern *pattern, sheet *at, double *width, double *height) {
    double x = MARGIN, y = MARGIN, row = 0;
    *width = 0;
    for (int32_t p = 0; p < pattern->panels; p++) {
        const garment_panel *panel = &pattern->panel[p];
        double w = CM * (panel->high.x - panel->low.x), h = CM * (panel->high.y - panel->low.y);
        if (x > MARGIN && x + w > WIDTH) {
            x = MARGIN;
            y += row + GAP;
            row = 0;
        }
        at[p] = (sheet){x - CM * panel->low.x, y + CM * panel->high.y};
        x += w + GAP;
        row = fmax(row, h);
        *width = fmax(*width, x - GAP + MARGIN);
    }
    *height = y + row + MARGIN;
}

weft_result garment_picture_write(const garment_pattern *pattern, const char *path) {
    weft_output out;
    double width, height;
    sheet *at = malloc((size_t)pattern->panels * sizeof *at);
    if (!at)
        return weft_fail_memory("picture", (size_t)pattern->panels * sizeof *at);
    lay_out(pattern, at, &width, &height);
    weft_result result = weft_output_open(&out, path);
    if (result.code != WEFT_OK) {
        free(at);
        return result;
    }
    weft_output_print(&out,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.3f %.3f\" font-family=\"sans-serif\" "
                      "font-size=\"%.1f\">\n<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
                      "markerWidth=\"9\" markerHeight=\"9\" orient=\"auto-start-reverse\"><path d=\"M0 1L9 5L0 9\" "
                      "fill=\"none\" stroke=\"#999\"/></marker></defs>\n"
                      "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                      width, height, TEXT);
    for (int32_t p = 0; p < pattern->panels; p++)
        draw_panel(&out, at[p], &pattern->panel[p]);
    for (int32_t s = 0; s < 2 * pattern->seams; s++) {
        const garment_side *side = &pattern->seam[s / 2].side[s % 2];
        draw_side(&out, at[side->panel], &pattern->panel[side->panel], side, s / 2);
    }
    draw_notions(&out, at, pattern);
    weft_output_print(&out, "</svg>\n");
    free(at);
    return weft_output_commit(&out);
}
