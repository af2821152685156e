/* Outlines: edges in files, points along them, mirrored and doubled ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wear/garment/curve.h"
#include "wear/garment/outline.h"
#include "wear/garment/reading.h"
#include "weft/portable_math.h"

/* Ends that are nearer than this are the same point, m. */
static const double SAME = 1e-5;

weft_vec2 garment_edge_start(const garment_edge *edge) { return edge->curve[0].control[0]; }
weft_vec2 garment_edge_end(const garment_edge *edge) { return edge->curve[edge->curves - 1].control[3]; }

weft_vec2 garment_edge_along(const garment_edge *edge, double fraction) {
    double wanted = fraction * edge->length;
    int32_t i = 0;
    if (fraction <= 0 || fraction >= 1)
        return fraction <= 0 ? garment_edge_start(edge) : garment_edge_end(edge);
    while (i + 1 < edge->curves && wanted > edge->curve[i].length)
        wanted -= edge->curve[i++].length;
    return garment_curve_along(edge->curve[i].control, wanted / edge->curve[i].length);
}

/* Two chords of length h on a circle of radius R lie within h2/(2 R) of their middle point. Each cuts off a segment of
 * height h2/(8 R) and two thirds of the area of its box. Moving all corners out by a sixth of the former makes up for
 * this. */
weft_vec2 garment_edge_sample(const garment_edge *edge, double at, double step) {
    weft_vec2 p = garment_edge_along(edge, at);
    if (edge->straight || at <= 0 || at >= 1)
        return p;
    weft_vec2 a = garment_edge_along(edge, at - step), b = garment_edge_along(edge, at + step);
    return (weft_vec2){p.x + (p.x - 0.5 * (a.x + b.x)) / 6, p.y + (p.y - 0.5 * (a.y + b.y)) / 6};
}

/* The end of a curve, or {to: POINT, curve: [POINT, POINT]}; one control makes a quadratic curve. */
static weft_result read_curve(const weft_value *value, weft_vec2 start, garment_curve *curve, int *straight) {
    const weft_value *to = value, *controls = NULL;
    if (value->kind == WEFT_VALUE_MAP) {
        to = weft_value_find(value, "to");
        controls = weft_value_find(value, "curve");
        if (!to)
            return garment_bad(value, "edge: 'to' is missing");
    }
    weft_vec2 end, c[2];
    WEFT_TRY(garment_read_point(to, "to", &end));
    *straight = !controls;
    if (controls) {
        if (controls->kind != WEFT_VALUE_LIST || controls->count < 1 || controls->count > 2)
            return garment_bad(controls, "curve: must be a list of one or two points");
        WEFT_TRY(garment_read_point(controls->first, "curve", &c[0]));
        c[1] = c[0];
        if (controls->count == 2)
            WEFT_TRY(garment_read_point(controls->last, "curve", &c[1]));
    } else
        c[0] = (weft_vec2){0.5 * (start.x + end.x), 0.5 * (start.y + end.y)}, c[1] = c[0];
    if (!controls || controls->count == 1)
        garment_curve_raise(start, c[0], end, c);
    memcpy(curve->control, (weft_vec2[4]){start, c[0], c[1], end}, sizeof curve->control);
    curve->length = garment_curve_length(curve->control);
    return curve->length > SAME ? weft_ok() : garment_bad(value, "edge: it has no length");
}

static weft_result take_curves(garment_edge *edge, int32_t count) {
    edge->curve = calloc((size_t)count, sizeof *edge->curve);
    if (!edge->curve)
        return weft_fail_memory("curves", (size_t)count * sizeof *edge->curve);
    edge->curves = count;
    return weft_ok();
}

/* A curve, or {path: [CURVE, ...]}; both with `hem`. */
static weft_result read_edge(const weft_value *value, weft_vec2 start, garment_edge *edge) {
    static const char *const KEYS[] = {"to", "curve", "path", "hem", NULL};
    const weft_value *path = weft_value_find(value, "path"), *hem = weft_value_find(value, "hem");
    int straight = 0;
    edge->value = value;
    if (value->kind == WEFT_VALUE_MAP)
        WEFT_TRY(garment_check_keys(value, "edge", KEYS));
    if (path && (path->kind != WEFT_VALUE_LIST || path->count < 1 || path->count > GARMENT_MOST_CURVES))
        return garment_bad(path, "path: must be a list of 1 to %d points and curves", GARMENT_MOST_CURVES);
    if (path && (weft_value_find(value, "to") || weft_value_find(value, "curve")))
        return garment_bad(value, "edge: either 'path', or 'to' with 'curve'");
    WEFT_TRY(take_curves(edge, path ? path->count : 1));
    const weft_value *v = path ? path->first : value;
    for (int32_t i = 0; i < edge->curves; i++, v = v->next) {
        static const char *const CURVE_KEYS[] = {"to", "curve", NULL};
        if (path && v->kind == WEFT_VALUE_MAP)
            WEFT_TRY(garment_check_keys(v, "path", CURVE_KEYS));
        WEFT_TRY(read_curve(v, start, &edge->curve[i], &straight));
        start = edge->curve[i].control[3];
        edge->length += edge->curve[i].length;
    }
    edge->straight = straight && edge->curves == 1;
    WEFT_TRY(garment_read_length(hem, "hem", &edge->hem));
    return edge->hem >= 0 && edge->hem <= 0.5 ? weft_ok()
                                              : garment_bad(hem, "hem: %s is not between 0 and 50 cm", hem->text);
}

weft_result garment_read_edges(const weft_value *list, weft_vec2 start, garment_panel *panel) {
    weft_vec2 at = start;
    if (list->kind != WEFT_VALUE_LIST || list->count < 2 || list->count > GARMENT_MOST_EDGES)
        return garment_bad(list, "panel %s: edges: must be a list of 2 to %d edges", panel->name, GARMENT_MOST_EDGES);
    panel->edge = calloc((size_t)list->count + 1, sizeof *panel->edge);
    if (!panel->edge)
        return weft_fail_memory("edges", (size_t)list->count * sizeof *panel->edge);
    for (const weft_value *v = list->first; v; v = v->next) {
        garment_edge *edge = &panel->edge[panel->edges++];
        const weft_value *inner = v;
        if (v->kind == WEFT_VALUE_MAP && !weft_value_find(v, "to") && !weft_value_find(v, "path") && v->count == 1) {
            WEFT_TRY(garment_read_name(v, v->first->key, edge->name));
            inner = v->first;
            for (int32_t i = 0; i + 1 < panel->edges; i++)
                if (strcmp(panel->edge[i].name, edge->name) == 0)
                    return garment_bad(v, "panel %s: two edges are named '%s'", panel->name, edge->name);
        }
        WEFT_TRY(read_edge(inner, at, edge));
        at = garment_edge_end(edge);
    }
    if (weft_hypot(at.x - start.x, at.y - start.y) > SAME)
        return garment_bad(list, "panel %s: the outline is open: it starts at [%g, %g] and ends at [%g, %g] cm",
                           panel->name, start.x / GARMENT_CM, start.y / GARMENT_CM, at.x / GARMENT_CM,
                           at.y / GARMENT_CM);
    garment_edge *last = &panel->edge[panel->edges - 1];
    if (last->curve)
        last->curve[last->curves - 1].control[3] = start;
    return weft_ok();
}

void garment_swap_sides(const char *name, char swapped[GARMENT_NAME]) {
    const char *found = strstr(name, "left"), *to = "right";
    size_t length = 4;
    if (!found && (found = strstr(name, "right")))
        to = "left", length = 5;
    if (!found || strlen(name) - length + strlen(to) >= GARMENT_NAME) {
        snprintf(swapped, GARMENT_NAME, "%s", name);
        return;
    }
    snprintf(swapped, GARMENT_NAME, "%.*s%s%s", (int)(found - name), name, to, found + length);
}

weft_vec2 garment_reflect(garment_line line, weft_vec2 p) {
    weft_vec2 d = {line.to.x - line.from.x, line.to.y - line.from.y}, q = {p.x - line.from.x, p.y - line.from.y};
    double along = (q.x * d.x + q.y * d.y) / (d.x * d.x + d.y * d.y);
    return (weft_vec2){line.from.x + 2 * along * d.x - q.x, line.from.y + 2 * along * d.y - q.y};
}

/* Appends the curves of an edge, or those of its mirror image in opposite order. */
static void append_curves(const garment_edge *from, const garment_line *line, garment_edge *to) {
    for (int32_t i = 0; i < from->curves; i++) {
        const garment_curve *c = &from->curve[line ? from->curves - 1 - i : i];
        garment_curve *made = &to->curve[to->curves++];
        for (int k = 0; k < 4; k++)
            made->control[k] = line ? garment_reflect(*line, c->control[3 - k]) : c->control[k];
        made->length = c->length;
    }
    to->length += from->length;
}

/* A new edge of one or two others, each as it is or seen in the mirror (line not null). */
static weft_result join_edges(const garment_edge *a, const garment_line *a_line, const garment_edge *b,
                              const garment_line *b_line, garment_edge *made) {
    *made = *a;
    made->curve = NULL;
    WEFT_TRY(take_curves(made, a->curves + (b ? b->curves : 0)));
    made->curves = 0;
    made->length = 0;
    append_curves(a, a_line, made);
    if (b) {
        append_curves(b, b_line, made);
        made->straight = 0;
    }
    return weft_ok();
}

weft_result garment_reflect_edges(const garment_panel *from, garment_line line, garment_panel *panel) {
    panel->edge = calloc((size_t)from->edges + 1, sizeof *panel->edge);
    if (!panel->edge)
        return weft_fail_memory("edges", (size_t)from->edges * sizeof *panel->edge);
    for (int32_t i = 0; i < from->edges; i++) {
        const garment_edge *edge = &from->edge[from->edges - 1 - i];
        panel->edges++;
        WEFT_TRY(join_edges(edge, &line, NULL, NULL, &panel->edge[i]));
        garment_swap_sides(edge->name, panel->edge[i].name);
    }
    return weft_ok();
}

static weft_result name_half(const weft_value *value, garment_edge *edge, int right) {
    size_t length = strlen(edge->name);
    if (length == 0)
        return weft_ok();
    if (length + strlen("_right") >= GARMENT_NAME)
        return garment_bad(value, "unfold: the name '%s' is too long for '_left' or '_right'", edge->name);
    strcpy(edge->name + length, right ? "_right" : "_left");
    return weft_ok();
}

/* The halves of an edge that ends at the fold are one edge. Straight ones in line are one line. */
static weft_result join_halves(const garment_edge *a, const garment_line *a_line, const garment_edge *b,
                               const garment_line *b_line, garment_edge *made) {
    WEFT_TRY(join_edges(a, a_line, b, b_line, made));
    weft_vec2 p = garment_edge_start(made), q = garment_edge_end(made);
    if (a->straight && weft_hypot(q.x - p.x, q.y - p.y) > made->length * (1 - 1e-9)) {
        for (int k = 0; k < 4; k++)
            made->curve[0].control[k] = (weft_vec2){p.x + k * (q.x - p.x) / 3, p.y + k * (q.y - p.y) / 3};
        made->curve[0].length = made->length;
        made->curves = made->straight = 1;
    }
    return weft_ok();
}

weft_result garment_unfold(const weft_value *value, garment_panel *panel) {
    int32_t fold = -1, n = panel->edges;
    for (int32_t e = 0; e < n; e++)
        fold = strcmp(panel->edge[e].name, value->text) == 0 ? e : fold;
    if (value->kind != WEFT_VALUE_TEXT || fold < 0 || !panel->edge[fold].straight || n < 3)
        return garment_bad(value, "panel %s: unfold: '%.40s' is not the name of a straight edge beside two others",
                           panel->name, value->text);
    garment_edge *half = panel->edge, *made = calloc(2 * (size_t)n, sizeof *made);
    if (!made)
        return weft_fail_memory("edges", 2 * (size_t)n * sizeof *made);
    const garment_line line = {garment_edge_start(&half[fold]), garment_edge_end(&half[fold])};
    /* the outline runs counter-clockwise, so the half lies to the left of its fold: to the right of a fold downwards */
    const int right = line.to.y < line.from.y;
    const garment_edge *after = &half[(fold + 1) % n], *before = &half[(fold + n - 1) % n];
    int32_t count = 0;
    weft_result result = join_halves(after, &line, after, NULL, &made[count++]);
    for (int32_t i = 2; i < n - 1 && result.code == WEFT_OK; i++) {
        result = join_edges(&half[(fold + i) % n], NULL, NULL, NULL, &made[count++]);
        if (result.code == WEFT_OK)
            result = name_half(value, &made[count - 1], right);
    }
    if (result.code == WEFT_OK)
        result = join_halves(before, NULL, before, &line, &made[count++]);
    for (int32_t i = n - 2; i >= 2 && result.code == WEFT_OK; i--) {
        result = join_edges(&half[(fold + i) % n], &line, NULL, NULL, &made[count++]);
        if (result.code == WEFT_OK)
            result = name_half(value, &made[count - 1], !right);
    }
    for (int32_t e = 0; e < n; e++)
        free(half[e].curve);
    free(half);
    panel->edge = made;
    panel->edges = count;
    return result;
}
