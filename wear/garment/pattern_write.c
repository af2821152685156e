/* Patterns as garment files. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wear/garment/curve.h"
#include "wear/garment/import.h"
#include "wear/garment/reading.h"
#include "weft/text.h"

static const double DEGREE = 3.14159265358979323846 / 180;

typedef struct writer {
    char *text;
    size_t used, room;
    int failed;
} writer;

WEFT_PRINTF(2, 3)
static void put(writer *w, const char *format, ...) {
    char piece[512];
    va_list arguments;
    va_start(arguments, format);
    int length = weft_format_list(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof piece)
        w->failed = 1;
    if (!w->failed && w->used + (size_t)length + 1 > w->room) {
        size_t room = 2 * w->room + 4096;
        char *text = realloc(w->text, room);
        w->failed = !text;
        w->text = text ? text : w->text;
        w->room = text ? room : w->room;
    }
    if (w->failed)
        return;
    memcpy(w->text + w->used, piece, (size_t)length + 1);
    w->used += (size_t)length;
}

/* A length in cm, to 1e-7 m, without zeros at the end. */
static void put_length(writer *w, double metres) {
    char text[48];
    double cm = round(metres / GARMENT_CM * 1e5) / 1e5;
    weft_format(text, sizeof text, "%.5f", cm == 0 ? 0 : cm);
    char *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = 0;
    if (end[-1] == '.')
        *--end = 0;
    put(w, "%s", text);
}

static void put_point(writer *w, weft_vec2 p) {
    put(w, "[");
    put_length(w, p.x);
    put(w, ", ");
    put_length(w, p.y);
    put(w, "]");
}

static int is_line(const garment_curve *c) { return garment_curve_is_line(c->control, c->length); }

/* Inside of {} without braces of its own: `to: [..], curve: [..]`. */
static void put_curve(writer *w, const garment_curve *c) {
    if (!is_line(c)) {
        put(w, "curve: [");
        put_point(w, c->control[1]);
        put(w, ", ");
        put_point(w, c->control[2]);
        put(w, "], ");
    }
    put(w, "to: ");
    put_point(w, c->control[3]);
}

static void put_edge(writer *w, const garment_edge *edge) {
    put(w, "      - ");
    if (edge->name[0])
        put(w, "%s: ", edge->name);
    if (edge->curves == 1 && is_line(&edge->curve[0]) && edge->hem == 0) {
        put_point(w, edge->curve[0].control[3]);
        put(w, "\n");
        return;
    }
    put(w, "{");
    if (edge->curves == 1)
        put_curve(w, &edge->curve[0]);
    else {
        put(w, "path: [");
        for (int32_t c = 0; c < edge->curves; c++) {
            put(w, c ? ",\n               " : "");
            if (is_line(&edge->curve[c]))
                put_point(w, edge->curve[c].control[3]);
            else {
                put(w, "{");
                put_curve(w, &edge->curve[c]);
                put(w, "}");
            }
        }
        put(w, "]");
    }
    if (edge->hem > 0) {
        put(w, ", hem: ");
        put_length(w, edge->hem);
    }
    put(w, "}\n");
}

static void put_key_length(writer *w, const char *key, double metres) {
    put(w, ", %s: ", key);
    put_length(w, metres);
}

static void put_wrap(writer *w, const garment_panel *panel) {
    const char *before = ", wrap: {";
    for (int32_t e = 0; e < panel->edges; e++)
        if (panel->edge[e].wrapped) {
            put(w, "%s%s: %.6g deg", before, panel->edge[e].name, panel->edge[e].wrap / DEGREE);
            before = ", ";
        }
    put(w, "}");
}

static void put_place(writer *w, const garment_panel *panel) {
    const garment_place *place = &panel->place;
    put(w, "    place: {around: %s", place->around);
    if (place->angle != 0)
        put(w, ", angle: %.6g deg", place->angle / DEGREE);
    if (isfinite(place->drop))
        put_key_length(w, "drop", place->drop);
    else
        put_key_length(w, "height", place->height);
    if (place->own_radius > 0)
        put_key_length(w, "radius", place->own_radius);
    if (place->gap != 0)
        put_key_length(w, "gap", place->gap);
    if (place->wrapped)
        put_wrap(w, panel);
    put(w, "}\n");
}

static void put_marks(writer *w, const garment_panel *panel) {
    if (panel->folds)
        put(w, "    folds:\n");
    for (int32_t i = 0; i < panel->folds; i++) {
        put(w, "      - {from: ");
        put_point(w, panel->fold[i].from);
        put(w, ", to: ");
        put_point(w, panel->fold[i].to);
        put(w, ", angle: %.6g deg", panel->fold[i].angle / DEGREE);
        if (panel->fold[i].yield > 0)
            put(w, ", yield: %.6g deg", panel->fold[i].yield / DEGREE);
        put(w, "}\n");
    }
    const char *before = "    notches: [";
    for (int32_t i = 0; i < panel->notches; i++) {
        const char *name = panel->edge[panel->notch[i].edge].name;
        if (!name[0])
            continue;
        put(w, "%s%s %.6g", before, name, panel->notch[i].at);
        before = ", ";
    }
    put(w, before[0] == ',' ? "]\n" : "");
}

/* Quoted where a plain text would mean something else in YAML. */
static void put_text(writer *w, const char *text) {
    const char *quote = !text[0] || strpbrk(text, ",{}[]:#'\"&*!|>%@`\n") ? "'" : "";
    put(w, "%s", quote);
    for (; *text; text++)
        put(w, "%s%c", *text == '\'' ? "'" : "", *text);
    put(w, "%s", quote);
}

/* A name, or a map of names and values; null is left out. */
static void put_fabric(writer *w, const char *before, const weft_value *fabric) {
    if (!fabric)
        return;
    put(w, "%sfabric: ", before);
    if (fabric->kind == WEFT_VALUE_TEXT)
        put_text(w, fabric->text);
    const char *between = "{";
    for (const weft_value *v = fabric->first; v; v = v->next) {
        put(w, "%s", between);
        put_text(w, v->key);
        put(w, ": ");
        put_text(w, v->text);
        between = ", ";
    }
    put(w, "%s", fabric->kind == WEFT_VALUE_TEXT ? "\n" : fabric->first ? "}\n" : "{}\n");
}

static void put_panel(writer *w, const garment_panel *panel) {
    const garment_changes *c = &panel->changes;
    put(w, "  %s:\n    start: ", panel->name);
    put_point(w, garment_edge_start(&panel->edge[0]));
    put(w, "\n    edges:\n");
    for (int32_t e = 0; e < panel->edges; e++)
        put_edge(w, &panel->edge[e]);
    put_place(w, panel);
    if (panel->grain != 0)
        put(w, "    grain: %.6g deg\n", panel->grain / DEGREE);
    if (panel->layer)
        put(w, "    layer: %d\n", panel->layer);
    if (panel->padding != 0)
        put(w, "    padding: %.9g Pa\n", panel->padding);
    put_fabric(w, "    ", panel->fabric);
    if (c->stretch != 1 || c->bend != 1 || c->density != 1)
        put(w, "    fused: {stretch: %.9g, bend: %.9g, density: %.9g}\n", c->stretch, c->bend, c->density);
    if (c->shrink_warp != 0 || c->shrink_weft != 0)
        put(w, "    shrink: [%.9g, %.9g]\n", c->shrink_warp, c->shrink_weft);
    put_marks(w, panel);
}

static void put_side(writer *w, const garment_pattern *pattern, const garment_side *side) {
    const garment_panel *panel = &pattern->panel[side->panel];
    put(w, "%s.%s", panel->name, panel->edge[side->edge].name);
    if (side->from > 0 || side->to < 1)
        put(w, " %.9g..%.9g", side->from, side->to);
}

static void put_seams(writer *w, const garment_pattern *pattern) {
    put(w, pattern->seams ? "seams:\n" : "");
    for (int32_t s = 0; s < pattern->seams; s++) {
        const garment_seam *seam = &pattern->seam[s];
        int plain = !seam->gathered && !seam->open && seam->bend == 1;
        put(w, plain ? "  - [" : "  - {join: [");
        put_side(w, pattern, &seam->side[0]);
        put(w, ", ");
        put_side(w, pattern, &seam->side[1]);
        put(w, "]");
        if (seam->gathered)
            put(w, ", gathered: true");
        if (seam->open)
            put(w, ", zip: open");
        if (seam->bend != 1)
            put(w, ", bend: %.9g", seam->bend);
        put(w, plain ? "\n" : "}\n");
    }
}

static void put_button_end(writer *w, const garment_pattern *pattern, const garment_point *p) {
    put(w, "{panel: %s, at: ", pattern->panel[p->panel].name);
    put_point(w, p->at);
    put(w, "}");
}

static void put_notions(writer *w, const garment_pattern *pattern) {
    put(w, pattern->elastics ? "elastics:\n" : "");
    for (int32_t i = 0; i < pattern->elastics; i++) {
        const garment_elastic *elastic = &pattern->elastic[i];
        put(w, "  - {along: [");
        for (int32_t k = 0; k < elastic->sides; k++) {
            put(w, k ? ", " : "");
            put_side(w, pattern, &elastic->side[k]);
        }
        put(w, "], ratio: %.9g, stiffness: %.9g N}\n", elastic->ratio, elastic->stiffness);
    }
    put(w, pattern->buttons ? "buttons:\n" : "");
    for (int32_t i = 0; i < pattern->buttons; i++) {
        put(w, "  - {from: ");
        put_button_end(w, pattern, &pattern->button[i].end[0]);
        put(w, ", to: ");
        put_button_end(w, pattern, &pattern->button[i].end[1]);
        put(w, "}\n");
    }
    put(w, pattern->attachments ? "attach:\n" : "");
    for (int32_t i = 0; i < pattern->attachments; i++) {
        put(w, "  - ");
        if (pattern->attachment[i].is_point)
            put_button_end(w, pattern, &pattern->attachment[i].point);
        else
            put_side(w, pattern, &pattern->attachment[i].side);
        put(w, "\n");
    }
}

weft_result garment_pattern_text(const garment_pattern *pattern, const char *comment, char **text) {
    writer w = {0};
    if (comment)
        put(&w, "# %.400s\n", comment);
    put(&w, "garment: %s\nedge: ", pattern->name);
    put_length(&w, pattern->edge_length > 0 ? pattern->edge_length : 0.02);
    put(&w, "\n");
    put_fabric(&w, "", pattern->fabric);
    put(&w, "panels:\n");
    for (int32_t p = 0; p < pattern->panels; p++)
        put_panel(&w, &pattern->panel[p]);
    put_seams(&w, pattern);
    put_notions(&w, pattern);
    *text = w.failed ? NULL : w.text;
    if (w.failed)
        free(w.text);
    return w.failed ? weft_fail_memory("garment file", w.room) : weft_ok();
}
