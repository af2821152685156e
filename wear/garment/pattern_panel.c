/* Panels: measures, folds, notches, and the mirror images of other panels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wear/garment/curve.h"
#include "wear/garment/outline.h"
#include "wear/garment/reading.h"
#include "weft/portable_math.h"
#include "weft/text.h"

static const double PI = 3.14159265358979323846;
/* Points of panels in files may be off by this much, m: they are rounded to a tenth of a millimetre or so. */
static const double TOLERANCE = 1e-3;
/* Inflated life jackets have half of this pressure, quilted jackets a hundredth, Pa. */
static const double MOST_PADDING = 20e3;
/* Curves are looked at in this many straight pieces where points are compared with them. */
enum { PIECES = 16 };

weft_result garment_measure(garment_panel *panel) {
    panel->area = 0;
    panel->low = panel->high = garment_edge_start(&panel->edge[0]);
    for (int32_t i = 0; i < panel->edges; i++)
        for (int32_t c = 0; c < panel->edge[i].curves; c++) {
            const weft_vec2 *control = panel->edge[i].curve[c].control;
            panel->area += garment_curve_area(control);
            for (int k = 0; k <= PIECES; k++) {
                weft_vec2 p = garment_curve_at(control, (double)k / PIECES);
                panel->low = (weft_vec2){fmin(panel->low.x, p.x), fmin(panel->low.y, p.y)};
                panel->high = (weft_vec2){fmax(panel->high.x, p.x), fmax(panel->high.y, p.y)};
            }
        }
    if (!(panel->area > 1e-6))
        return garment_bad(panel->value,
                           "panel %s: its area is %g cm2; outlines run counter-clockwise, as seen from outside",
                           panel->name, panel->area / (GARMENT_CM * GARMENT_CM));
    return weft_ok();
}

/* Square of the distance from p to the line between a and b. */
static double to_piece(weft_vec2 a, weft_vec2 b, weft_vec2 p) {
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double along = length > 0 ? fmin(fmax(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0), 1) : 0;
    double x = a.x + along * dx - p.x, y = a.y + along * dy - p.y;
    return x * x + y * y;
}

int garment_panel_holds(const garment_panel *panel, weft_vec2 p) {
    int inside = 0, near = 0;
    for (int32_t e = 0; e < panel->edges; e++)
        for (int32_t c = 0; c < panel->edge[e].curves; c++)
            for (int k = 0; k < PIECES; k++) {
                const weft_vec2 *control = panel->edge[e].curve[c].control;
                weft_vec2 a = garment_curve_at(control, (double)k / PIECES),
                          b = garment_curve_at(control, (double)(k + 1) / PIECES);
                near |= to_piece(a, b, p) < TOLERANCE * TOLERANCE;
                if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
                    inside = !inside;
            }
    return inside || near;
}

static weft_result read_fold(const weft_value *value, const garment_panel *panel, garment_fold *fold) {
    static const char *const KEYS[] = {"from", "to", "angle", "yield", NULL};
    const weft_value *from = weft_value_find(value, "from"), *to = weft_value_find(value, "to"),
                     *angle = weft_value_find(value, "angle"), *yield = weft_value_find(value, "yield");
    fold->value = value;
    WEFT_TRY(garment_check_keys(value, "fold", KEYS));
    if (!from || !to || !angle)
        return garment_bad(value, "fold: '%s' is missing", !from ? "from" : !to ? "to" : "angle");
    WEFT_TRY(garment_read_point(from, "fold: from", &fold->from));
    WEFT_TRY(garment_read_point(to, "fold: to", &fold->to));
    WEFT_TRY(garment_read_angle(angle, "fold: angle", &fold->angle));
    WEFT_TRY(garment_read_angle(yield, "fold: yield", &fold->yield));
    if (fabs(fold->angle) > PI * (1 + 1e-9) || fold->yield < 0)
        return garment_bad(value, "fold: angle is between -180 and 180 deg, and yield is not below 0");
    if (weft_hypot(fold->to.x - fold->from.x, fold->to.y - fold->from.y) < TOLERANCE)
        return garment_bad(value, "fold: it has no length");
    for (int k = 0; k < 2; k++) {
        weft_vec2 p = k ? fold->to : fold->from;
        if (!garment_panel_holds(panel, p))
            return garment_bad(k ? to : from, "fold: [%g, %g] cm is outside of panel %s", p.x / GARMENT_CM,
                               p.y / GARMENT_CM, panel->name);
    }
    return weft_ok();
}

static weft_result read_folds(const weft_value *list, garment_panel *panel) {
    if (!list)
        return weft_ok();
    WEFT_TRY(garment_check_list(list, "folds", GARMENT_MOST_MARKS));
    panel->fold = calloc((size_t)list->count + 1, sizeof *panel->fold);
    if (!panel->fold)
        return weft_fail_memory("folds", (size_t)list->count * sizeof *panel->fold);
    for (const weft_value *v = list->first; v; v = v->next)
        WEFT_TRY(read_fold(v, panel, &panel->fold[panel->folds++]));
    return weft_ok();
}

/* EDGE FRACTION */
static weft_result read_notch(const weft_value *value, const garment_panel *panel, garment_notch *notch) {
    const char *text = value->kind == WEFT_VALUE_TEXT ? value->text : "", *end = "";
    size_t length = strcspn(text, " ");
    notch->edge = -1;
    for (int32_t e = 0; e < panel->edges; e++)
        if (length > 0 && strlen(panel->edge[e].name) == length && strncmp(panel->edge[e].name, text, length) == 0)
            notch->edge = e;
    if (notch->edge < 0)
        return garment_bad(value, "notch: '%.60s' does not begin with the name of an edge of panel %s", text,
                           panel->name);
    notch->at = text[length] ? weft_real_parse(text + length, &end) : NAN;
    if (!(notch->at >= 0 && notch->at <= 1) || *end != 0)
        return garment_bad(value, "notch: '%.60s' is not EDGE FRACTION, with a fraction from 0 to 1", text);
    return weft_ok();
}

static weft_result read_notches(const weft_value *list, garment_panel *panel) {
    if (!list)
        return weft_ok();
    WEFT_TRY(garment_check_list(list, "notches", GARMENT_MOST_MARKS));
    panel->notch = calloc((size_t)list->count + 1, sizeof *panel->notch);
    if (!panel->notch)
        return weft_fail_memory("notches", (size_t)list->count * sizeof *panel->notch);
    for (const weft_value *v = list->first; v; v = v->next)
        WEFT_TRY(read_notch(v, panel, &panel->notch[panel->notches++]));
    return weft_ok();
}

/* `fused: {stretch: 2, bend: 5, density: 1.3}` and `shrink: [0.03, 0.01]`. */
static weft_result read_changes(const weft_value *value, garment_changes *changes) {
    static const char *const KEYS[] = {"stretch", "bend", "density", NULL};
    const weft_value *fused = weft_value_find(value, "fused"), *shrink = weft_value_find(value, "shrink");
    if (fused) {
        WEFT_TRY(garment_check_keys(fused, "fused", KEYS));
        WEFT_TRY(
            garment_read_number(weft_value_find(fused, "stretch"), "fused.stretch", "", 1e-3, 1e3, &changes->stretch));
        WEFT_TRY(garment_read_number(weft_value_find(fused, "bend"), "fused.bend", "", 1e-3, 1e3, &changes->bend));
        WEFT_TRY(
            garment_read_number(weft_value_find(fused, "density"), "fused.density", "", 1e-3, 1e3, &changes->density));
    }
    if (!shrink)
        return weft_ok();
    if (shrink->kind != WEFT_VALUE_LIST || shrink->count != 2)
        return garment_bad(shrink, "shrink: must be a list of two fractions, along warp and weft");
    WEFT_TRY(garment_read_number(shrink->first, "shrink", "", -0.5, 0.5, &changes->shrink_warp));
    return garment_read_number(shrink->last, "shrink", "", -0.5, 0.5, &changes->shrink_weft);
}

/* What a mirrored panel may have of its own. */
static weft_result read_material(const weft_value *value, garment_panel *panel) {
    const weft_value *fabric = weft_value_find(value, "fabric");
    double layer = panel->layer;
    if (fabric && (fabric->kind == WEFT_VALUE_LIST || (fabric->kind == WEFT_VALUE_TEXT && !fabric->text[0])))
        return garment_bad(fabric, "fabric: must be the name of a fabric or a map");
    panel->fabric = fabric ? fabric : panel->fabric;
    WEFT_TRY(garment_read_number(weft_value_find(value, "padding"), "padding", "Pa", -MOST_PADDING, MOST_PADDING,
                                 &panel->padding));
    WEFT_TRY(garment_read_number(weft_value_find(value, "layer"), "layer", "", 0, 100, &layer));
    panel->layer = (int32_t)layer;
    if (panel->layer != layer)
        return garment_bad(weft_value_find(value, "layer"), "layer: %g is not a whole number", layer);
    return read_changes(value, &panel->changes);
}

weft_result garment_read_panel(const weft_value *value, const weft_value *parts, garment_panel *panel) {
    static const char *const KEYS[] = {"start", "edges", "unfold", "place",   "fabric",  "fused", "shrink",
                                       "layer", "grain", "folds",  "notches", "padding", NULL};
    const weft_value *start = weft_value_find(value, "start"), *edges = weft_value_find(value, "edges"),
                     *place = weft_value_find(value, "place"), *unfold = weft_value_find(value, "unfold");
    weft_vec2 at;
    WEFT_TRY(garment_check_keys(value, panel->name, KEYS));
    if (!start || !edges || !place)
        return garment_bad(value, "panel %s: '%s' is missing", panel->name,
                           !start   ? "start"
                           : !edges ? "edges"
                                    : "place");
    WEFT_TRY(garment_read_point(start, "start", &at));
    WEFT_TRY(garment_read_edges(edges, at, panel));
    if (unfold)
        WEFT_TRY(garment_unfold(unfold, panel));
    WEFT_TRY(garment_measure(panel));
    WEFT_TRY(garment_read_angle(weft_value_find(value, "grain"), "grain", &panel->grain));
    WEFT_TRY(read_folds(weft_value_find(value, "folds"), panel));
    WEFT_TRY(read_notches(weft_value_find(value, "notches"), panel));
    WEFT_TRY(read_material(value, panel));
    return garment_read_place(place, parts, panel);
}

/* Folds and notches of a panel, seen in the mirror. */
static weft_result reflect_marks(const garment_panel *from, garment_line line, garment_panel *panel) {
    panel->fold = calloc((size_t)from->folds + 1, sizeof *panel->fold);
    panel->notch = calloc((size_t)from->notches + 1, sizeof *panel->notch);
    if (!panel->fold || !panel->notch)
        return weft_fail_memory("marks", (size_t)from->folds * sizeof *panel->fold);
    for (int32_t i = 0; i < from->folds; i++) {
        panel->fold[i] = from->fold[i];
        panel->fold[i].from = garment_reflect(line, from->fold[i].from);
        panel->fold[i].to = garment_reflect(line, from->fold[i].to);
    }
    for (int32_t i = 0; i < from->notches; i++)
        panel->notch[i] = (garment_notch){from->edges - 1 - from->notch[i].edge, 1 - from->notch[i].at};
    panel->folds = from->folds;
    panel->notches = from->notches;
    return weft_ok();
}

weft_result garment_read_mirrored(const garment_pattern *pattern, const weft_value *value, const weft_value *parts,
                                  garment_panel *panel) {
    static const char *const KEYS[] = {"mirror", "place", "fabric", "fused", "shrink", "layer", "padding", NULL};
    const weft_value *mirror = weft_value_find(value, "mirror");
    const garment_panel *from = NULL;
    WEFT_TRY(garment_check_keys(value, panel->name, KEYS));
    for (int32_t p = 0; p < pattern->panels; p++)
        if (strcmp(pattern->panel[p].name, mirror->text) == 0)
            from = &pattern->panel[p];
    if (!from || weft_value_find(from->value, "mirror"))
        return garment_bad(mirror, "panel %s: mirror: '%.40s' is not the name of a panel with edges", panel->name,
                           mirror->text);
    const garment_line axis = {{0, 0}, {0, 1}};
    WEFT_TRY(garment_reflect_edges(from, axis, panel));
    WEFT_TRY(garment_measure(panel));
    WEFT_TRY(reflect_marks(from, axis, panel));
    panel->fabric = from->fabric;
    panel->changes = from->changes;
    panel->layer = from->layer;
    panel->padding = from->padding;
    panel->grain = -from->grain;
    panel->place = from->place;
    garment_swap_sides(from->place.around, panel->place.around);
    panel->place.angle = -from->place.angle;
    for (int32_t e = 0; e < panel->edges; e++)
        panel->edge[e].wrap = -panel->edge[e].wrap;
    WEFT_TRY(read_material(value, panel));
    return garment_read_place(weft_value_find(value, "place"), parts, panel);
}

void garment_panel_free(garment_panel *panel) {
    for (int32_t e = 0; panel->edge && e < panel->edges; e++)
        free(panel->edge[e].curve);
    free(panel->edge);
    free(panel->fold);
    free(panel->notch);
}
