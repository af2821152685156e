/* From a garment file to a checked pattern. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "garment/curve.h"
#include "garment/pattern.h"
#include "weft-io/yaml.h"
#include "weft/param.h"
#include "weft/text.h"
#include "weft/vec.h"

/* Coordinates are in cm, as on paper. */
static const double CM = 0.01;
/* A panel larger than this is a mistake in the unit, m. */
static const double LARGEST = 20;

WEFT_PRINTF(2, 3)
static weft_result bad(const weft_value *value, const char *format, ...) {
    char place[320], text[400];
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    weft_value_place(value, place, sizeof place);
    return weft_fail(WEFT_BAD_INPUT, "%s%s", place, text);
}

/* Refuses keys that are not in the list. */
static weft_result check_keys(const weft_value *map, const char *what, const char *const *keys, int count) {
    if (map->kind != WEFT_VALUE_MAP)
        return bad(map, "%s: must be a map", what);
    for (const weft_value *v = map->first; v; v = v->next) {
        int known = 0;
        for (int i = 0; i < count; i++)
            known |= strcmp(v->key, keys[i]) == 0;
        const char *nearest = known ? NULL : weft_nearest(v->key, keys, count);
        if (!known)
            return bad(v, "%s: unknown key '%.40s'%s%s%s", what, v->key, nearest ? "; did you mean '" : "",
                       nearest ? nearest : "", nearest ? "'?" : "");
    }
    return weft_ok();
}

static weft_result read_name(const weft_value *value, const char *text, char name[GARMENT_NAME]) {
    size_t length = strlen(text);
    if (length == 0 || length >= GARMENT_NAME || strcspn(text, ". \t\n") != length)
        return bad(value, "name '%.60s': 1 to %d characters without dots and spaces", text, GARMENT_NAME - 1);
    memcpy(name, text, length + 1);
    return weft_ok();
}

/* A plain number in cm, or a length with its unit. */
static weft_result read_length(const weft_value *value, const char *what, double *metres) {
    const char *end;
    if (value->kind != WEFT_VALUE_TEXT)
        return bad(value, "%s: must be a number", what);
    double plain = weft_real_parse(value->text, &end);
    if (end != value->text && *end == 0 && isfinite(plain))
        *metres = plain * CM;
    else {
        weft_result result = weft_number_read(value->text, "m", metres);
        if (result.code != WEFT_OK)
            return bad(value, "%s: %s", what, result.message);
    }
    return weft_ok();
}

static weft_result read_lengths(const weft_value *list, const char *what, int count, double *metres) {
    if (list->kind != WEFT_VALUE_LIST || list->count != count)
        return bad(list, "%s: must be a list of %d lengths, in cm", what, count);
    const weft_value *v = list->first;
    for (int i = 0; i < count; i++, v = v->next)
        WEFT_TRY(read_length(v, what, &metres[i]));
    return weft_ok();
}

static weft_result read_point(const weft_value *list, const char *what, weft_vec2 *point) {
    double m[2];
    WEFT_TRY(read_lengths(list, what, 2, m));
    *point = (weft_vec2){m[0], m[1]};
    if (!(fabs(point->x) <= LARGEST && fabs(point->y) <= LARGEST))
        return bad(list, "%s: [%g, %g] cm is more than %g m from the origin", what, m[0] / CM, m[1] / CM, LARGEST);
    return weft_ok();
}

static weft_result read_place_point(const weft_value *map, const char *key, const char *what, weft_vec3 *point) {
    const weft_value *v = weft_value_find(map, key);
    double m[3];
    if (!v)
        return bad(map, "%s: '%s' is missing", what, key);
    WEFT_TRY(read_lengths(v, what, 3, m));
    *point = (weft_vec3){m[0], m[1], m[2]};
    return weft_ok();
}

/* The end of an edge, or {to: POINT, curve: [POINT, POINT]}; one control makes a quadratic curve. */
static weft_result read_edge(const weft_value *value, weft_vec2 start, garment_edge *edge) {
    static const char *const KEYS[] = {"to", "curve"};
    const weft_value *to = value, *curve = NULL;
    edge->value = value;
    if (value->kind == WEFT_VALUE_MAP) {
        WEFT_TRY(check_keys(value, "edge", KEYS, 2));
        to = weft_value_find(value, "to");
        curve = weft_value_find(value, "curve");
        if (!to)
            return bad(value, "edge: 'to' is missing");
    }
    weft_vec2 end, c[2];
    WEFT_TRY(read_point(to, "to", &end));
    edge->straight = !curve;
    if (curve) {
        if (curve->kind != WEFT_VALUE_LIST || curve->count < 1 || curve->count > 2)
            return bad(curve, "curve: must be a list of one or two points");
        WEFT_TRY(read_point(curve->first, "curve", &c[0]));
        c[1] = c[0];
        if (curve->count == 2)
            WEFT_TRY(read_point(curve->last, "curve", &c[1]));
    } else
        c[0] = (weft_vec2){0.5 * (start.x + end.x), 0.5 * (start.y + end.y)}, c[1] = c[0];
    if (!curve || curve->count == 1) { /* a quadratic curve as a cubic one */
        weft_vec2 middle = c[0];
        c[0] = (weft_vec2){(start.x + 2 * middle.x) / 3, (start.y + 2 * middle.y) / 3};
        c[1] = (weft_vec2){(end.x + 2 * middle.x) / 3, (end.y + 2 * middle.y) / 3};
    }
    memcpy(edge->control, (weft_vec2[4]){start, c[0], c[1], end}, sizeof edge->control);
    edge->length = garment_curve_length(edge->control);
    return edge->length > 1e-5 ? weft_ok() : bad(value, "edge: it has no length");
}

/* Edges are a list of points, {to:, curve:}, or one of these under the name of the edge. */
static weft_result read_edges(const weft_value *list, weft_vec2 start, garment_panel *panel) {
    weft_vec2 at = start;
    if (list->kind != WEFT_VALUE_LIST || list->count < 2 || list->count > GARMENT_MOST_EDGES)
        return bad(list, "panel %s: edges: must be a list of 2 to %d edges", panel->name, GARMENT_MOST_EDGES);
    panel->edge = calloc((size_t)list->count + 1, sizeof *panel->edge);
    if (!panel->edge)
        return weft_fail_memory("edges", (size_t)list->count * sizeof *panel->edge);
    for (const weft_value *v = list->first; v; v = v->next) {
        garment_edge *edge = &panel->edge[panel->edges++];
        const weft_value *inner = v;
        if (v->kind == WEFT_VALUE_MAP && !weft_value_find(v, "to") && v->count == 1) {
            WEFT_TRY(read_name(v, v->first->key, edge->name));
            inner = v->first;
            for (int32_t i = 0; i + 1 < panel->edges; i++)
                if (strcmp(panel->edge[i].name, edge->name) == 0)
                    return bad(v, "panel %s: two edges are named '%s'", panel->name, edge->name);
        }
        WEFT_TRY(read_edge(inner, at, edge));
        at = edge->control[3];
    }
    if (hypot(at.x - start.x, at.y - start.y) > 1e-5)
        return bad(list, "panel %s: the outline is open: it starts at [%g, %g] and ends at [%g, %g] cm", panel->name,
                   start.x / CM, start.y / CM, at.x / CM, at.y / CM);
    panel->edge[panel->edges - 1].control[3] = start;
    return weft_ok();
}

static weft_result measure_panel(garment_panel *panel) {
    panel->area = 0;
    panel->low = panel->high = panel->edge[0].control[0];
    for (int32_t i = 0; i < panel->edges; i++) {
        panel->area += garment_curve_area(panel->edge[i].control);
        for (int k = 0; k <= 16; k++) {
            weft_vec2 p = garment_curve_at(panel->edge[i].control, k / 16.0);
            panel->low = (weft_vec2){fmin(panel->low.x, p.x), fmin(panel->low.y, p.y)};
            panel->high = (weft_vec2){fmax(panel->high.x, p.x), fmax(panel->high.y, p.y)};
        }
    }
    if (!(panel->area > 1e-6))
        return bad(panel->value, "panel %s: its area is %g cm2; outlines run counter-clockwise, as seen from outside",
                   panel->name, panel->area / (CM * CM));
    return weft_ok();
}

static weft_result read_axis(const weft_value *part, const char *name, garment_place *place) {
    static const char *const KEYS[] = {"from", "to", "radius", "front"};
    const weft_value *radius = weft_value_find(part, "radius");
    WEFT_TRY(check_keys(part, name, KEYS, 4));
    WEFT_TRY(read_place_point(part, "from", name, &place->from));
    WEFT_TRY(read_place_point(part, "to", name, &place->to));
    WEFT_TRY(read_place_point(part, "front", name, &place->front));
    if (!radius)
        return bad(part, "%s: 'radius' is missing", name);
    WEFT_TRY(read_length(radius, "radius", &place->radius));
    if (!(place->radius > 0))
        return bad(radius, "radius: %s is not above 0", radius->text);
    weft_vec3 axis = weft_normalize(weft_sub(place->to, place->from));
    weft_vec3 front = weft_add_scaled(place->front, -weft_dot(place->front, axis), axis);
    if (!(weft_length(axis) > 0 && weft_length(front) > 1e-9))
        return bad(part, "%s: 'from' and 'to' must differ, and 'front' must not lie along them", name);
    place->front = weft_normalize(front);
    return weft_ok();
}

static weft_result read_place(const weft_value *value, const weft_value *parts, garment_panel *panel) {
    static const char *const KEYS[] = {"around", "angle", "height", "radius"};
    WEFT_TRY(check_keys(value, "place", KEYS, 4));
    const weft_value *around = weft_value_find(value, "around"), *angle = weft_value_find(value, "angle"),
                     *height = weft_value_find(value, "height"), *radius = weft_value_find(value, "radius");
    const weft_value *part = around && around->kind == WEFT_VALUE_TEXT ? weft_value_find(parts, around->text) : NULL;
    if (!part)
        return bad(around ? around : value, "panel %s: place.around: '%.40s' is no part of the body: see 'body:'",
                   panel->name, around ? around->text : "");
    WEFT_TRY(read_axis(part, part->key, &panel->place));
    if (radius)
        WEFT_TRY(read_length(radius, "radius", &panel->place.radius));
    if (height)
        WEFT_TRY(read_length(height, "height", &panel->place.height));
    if (angle) {
        weft_result result = weft_number_read(angle->text, "rad", &panel->place.angle);
        if (result.code != WEFT_OK)
            return bad(angle, "angle: %s", result.message);
    }
    return panel->place.radius > 0 ? weft_ok() : bad(value, "place.radius: must be above 0");
}

static weft_result read_panel(const weft_value *value, const weft_value *parts, garment_panel *panel) {
    static const char *const KEYS[] = {"start", "edges", "place"};
    panel->value = value;
    WEFT_TRY(read_name(value, value->key, panel->name));
    WEFT_TRY(check_keys(value, panel->name, KEYS, 3));
    const weft_value *start = weft_value_find(value, "start"), *edges = weft_value_find(value, "edges"),
                     *place = weft_value_find(value, "place");
    weft_vec2 at;
    if (!start || !edges || !place)
        return bad(value, "panel %s: '%s' is missing", panel->name, !start ? "start" : !edges ? "edges" : "place");
    WEFT_TRY(read_point(start, "start", &at));
    WEFT_TRY(read_edges(edges, at, panel));
    WEFT_TRY(measure_panel(panel));
    return read_place(place, parts, panel);
}

/* A side as text: PANEL.EDGE, or PANEL.EDGE FROM..TO with fractions of its length. */
static weft_result read_side(const garment_pattern *pattern, const weft_value *value, garment_side *side) {
    char panel[GARMENT_NAME], edge[GARMENT_NAME];
    *side = (garment_side){.panel = -1, .edge = -1, .from = 0, .to = 1};
    const char *text = value->kind == WEFT_VALUE_TEXT ? value->text : "";
    int read = 0;
    if (sscanf(text, "%47[^. ].%47[^. ]%n", panel, edge, &read) != 2)
        return bad(value, "seam: '%.60s' is not PANEL.EDGE", text);
    for (int32_t p = 0; p < pattern->panels; p++)
        side->panel = strcmp(pattern->panel[p].name, panel) == 0 ? p : side->panel;
    if (side->panel < 0)
        return bad(value, "seam: there is no panel '%s'", panel);
    const garment_panel *found = &pattern->panel[side->panel];
    for (int32_t e = 0; e < found->edges; e++)
        side->edge = strcmp(found->edge[e].name, edge) == 0 ? e : side->edge;
    if (side->edge < 0)
        return bad(value, "seam: panel %s has no edge '%s'", panel, edge);
    if (text[read] == 0)
        return weft_ok();
    const char *dots = strstr(text + read, ".."), *end; /* of 0..0.5 strtod would take "0." */
    char from[32] = "";
    if (dots && (size_t)(dots - text - read) < sizeof from)
        memcpy(from, text + read, (size_t)(dots - text - read));
    side->from = weft_real_parse(from, &end);
    int whole = from[0] && *end == 0;
    side->to = dots ? weft_real_parse(dots + 2, &end) : NAN;
    if (!whole || *end != 0 || !(side->from >= 0 && side->from < side->to && side->to <= 1))
        return bad(value, "seam: '%.60s': a part of an edge is FROM..TO, with 0 <= FROM < TO <= 1", text);
    return weft_ok();
}

double garment_side_length(const garment_pattern *pattern, const garment_side *side) {
    return (side->to - side->from) * pattern->panel[side->panel].edge[side->edge].length;
}

/* Lengths of a seam's sides may differ by this much without `gathered`; sewers ease in a few per cent. */
static const double MOST_EASE = 0.1;

static weft_result read_seam(const garment_pattern *pattern, const weft_value *value, garment_seam *seam) {
    static const char *const KEYS[] = {"join", "gathered"};
    const weft_value *join = value, *gathered = NULL;
    seam->value = value;
    if (value->kind == WEFT_VALUE_MAP) {
        WEFT_TRY(check_keys(value, "seam", KEYS, 2));
        join = weft_value_find(value, "join");
        gathered = weft_value_find(value, "gathered");
    }
    if (!join || join->kind != WEFT_VALUE_LIST || join->count != 2)
        return bad(value, "seam: must be a list of two sides, PANEL.EDGE");
    seam->gathered = gathered && strcmp(gathered->text, "true") == 0;
    if (gathered && !seam->gathered && strcmp(gathered->text, "false") != 0)
        return bad(gathered, "gathered: '%.40s' is neither true nor false", gathered->text);
    WEFT_TRY(read_side(pattern, join->first, &seam->side[0]));
    WEFT_TRY(read_side(pattern, join->last, &seam->side[1]));
    double a = garment_side_length(pattern, &seam->side[0]), b = garment_side_length(pattern, &seam->side[1]);
    if (!seam->gathered && fabs(a - b) > MOST_EASE * fmax(a, b))
        return bad(value, "seam: %.60s is %.1f cm long and %.60s %.1f cm; give gathered: true if this is meant",
                   join->first->text, a / CM, join->last->text, b / CM);
    return weft_ok();
}

/* An edge or a part of it may be sewn once. */
static weft_result check_overlaps(const garment_pattern *pattern) {
    for (int32_t i = 0; i < 2 * pattern->seams; i++)
        for (int32_t j = 0; j < i; j++) {
            const garment_side *a = &pattern->seam[i / 2].side[i % 2], *b = &pattern->seam[j / 2].side[j % 2];
            const weft_value *earlier = pattern->seam[j / 2].value;
            if (earlier && a->panel == b->panel && a->edge == b->edge && a->from < b->to - 1e-9 &&
                b->from < a->to - 1e-9)
                return bad(pattern->seam[i / 2].value, "seam: %s.%s is sewn already, in line %d",
                           pattern->panel[a->panel].name, pattern->panel[a->panel].edge[a->edge].name, earlier->line);
        }
    return weft_ok();
}

static weft_result read_seams(const weft_value *list, garment_pattern *pattern) {
    if (!list)
        return weft_ok();
    if (list->kind != WEFT_VALUE_LIST || list->count > GARMENT_MOST_SEAMS)
        return bad(list, "seams: must be a list of at most %d seams", GARMENT_MOST_SEAMS);
    pattern->seam = calloc((size_t)list->count + 1, sizeof *pattern->seam);
    if (!pattern->seam)
        return weft_fail_memory("seams", (size_t)list->count * sizeof *pattern->seam);
    for (const weft_value *v = list->first; v; v = v->next)
        WEFT_TRY(read_seam(pattern, v, &pattern->seam[pattern->seams++]));
    return check_overlaps(pattern);
}

static weft_result read_root(const weft_value *root, garment_pattern *pattern) {
    static const char *const KEYS[] = {"garment", "edge", "body", "panels", "seams"};
    WEFT_TRY(check_keys(root, "garment", KEYS, 5));
    const weft_value *name = weft_value_find(root, "garment"), *edge = weft_value_find(root, "edge"),
                     *panels = weft_value_find(root, "panels");
    if (!name)
        return bad(root, "garment: the name of the garment is missing");
    WEFT_TRY(read_name(name, name->text, pattern->name));
    pattern->edge_length = 0.02;
    if (edge)
        WEFT_TRY(read_length(edge, "edge", &pattern->edge_length));
    if (!(pattern->edge_length >= 1e-4 && pattern->edge_length <= 1))
        return bad(edge, "edge: %g cm is not between 0.01 and 100 cm", pattern->edge_length / CM);
    if (!panels || panels->kind != WEFT_VALUE_MAP || panels->count < 1 || panels->count > GARMENT_MOST_PANELS)
        return bad(panels ? panels : root, "panels: must be a map of 1 to %d panels", GARMENT_MOST_PANELS);
    pattern->panel = calloc((size_t)panels->count, sizeof *pattern->panel);
    if (!pattern->panel)
        return weft_fail_memory("panels", (size_t)panels->count * sizeof *pattern->panel);
    for (const weft_value *v = panels->first; v; v = v->next)
        WEFT_TRY(read_panel(v, weft_value_find(root, "body"), &pattern->panel[pattern->panels++]));
    return read_seams(weft_value_find(root, "seams"), pattern);
}

weft_result garment_pattern_read(const char *path, garment_pattern *pattern) {
    *pattern = (garment_pattern){0};
    WEFT_TRY(weft_yaml_read(path, &pattern->tree));
    return read_root(weft_tree_root(pattern->tree), pattern);
}

weft_result garment_pattern_read_memory(const char *bytes, size_t size, const char *name, garment_pattern *pattern) {
    *pattern = (garment_pattern){0};
    WEFT_TRY(weft_yaml_read_memory(bytes, size, name, &pattern->tree));
    return read_root(weft_tree_root(pattern->tree), pattern);
}

void garment_pattern_free(garment_pattern *pattern) {
    for (int32_t i = 0; i < pattern->panels; i++)
        free(pattern->panel[i].edge);
    free(pattern->panel);
    free(pattern->seam);
    weft_tree_destroy(pattern->tree);
    *pattern = (garment_pattern){0};
}
