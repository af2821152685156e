/* From drafted paths and the description of a design to a pattern. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "wear/garment/build.h"
#include "wear/garment/curve.h"
#include "wear/garment/draft.h"
#include "wear/garment/reading.h"
#include "weft/text.h"

/* FreeSewing drafts in mm with y downwards. */
static const double MM = 1e-3;
/* Points of a path are those of its part within this distance, m. */
static const double SAME = 2e-5;

/* What a garment file is built from. */
typedef struct build {
    const weft_value *parts;
    weft_tree *tree;
    weft_vec2 up; /* direction of a part, in its own coordinates, that becomes +y: length 1 */
} build;

static weft_result read_real(const weft_value *value, double *number) {
    const char *end = "";
    *number = value && value->kind == WEFT_VALUE_TEXT ? weft_real_parse(value->text, &end) : NAN;
    return isfinite(*number) && *end == 0 ? weft_ok() : garment_bad(value, "a coordinate is not a number");
}

static weft_result read_point(const build *b, const weft_value *list, int first, weft_vec2 *point) {
    double x, y;
    WEFT_TRY(read_real(weft_value_at(list, first), &x));
    WEFT_TRY(read_real(weft_value_at(list, first + 1), &y));
    *point = (weft_vec2){(x * b->up.y + y * b->up.x) * MM, (x * b->up.x - y * b->up.y) * MM};
    return weft_ok();
}

/* Draws a path into a chain. */
static weft_result read_path(const build *b, const weft_value *path, garment_chain *chain) {
    weft_vec2 p[3] = {{0, 0}};
    for (const weft_value *op = path->first; op; op = op->next) {
        const char *type = op->first ? op->first->text : "";
        int points = strcmp(type, "curve") == 0 ? 3 : strcmp(type, "line") == 0 || strcmp(type, "move") == 0;
        for (int i = 0; i < points; i++)
            WEFT_TRY(read_point(b, op, 1 + 2 * i, &p[i]));
        if (strcmp(type, "move") == 0)
            garment_chain_start(chain, p[0]);
        else if (points == 3)
            WEFT_TRY(garment_chain_curve(chain, p[0], p[1], p[2]));
        else
            WEFT_TRY(garment_chain_line(chain, points ? p[0] : chain->start)); /* a line, or `close` */
    }
    if (!garment_chain_closes(chain))
        return garment_bad(path, "the drafted path '%s' is open", path->key);
    if (garment_chain_area(chain) < 0)
        garment_chain_reverse(chain);
    return weft_ok();
}

/* The point of a part that `name` names. */
static weft_result find_point(const build *b, const weft_value *part, const weft_value *name, weft_vec2 *point) {
    const weft_value *found = weft_value_find(weft_value_find(part, "points"), name->text);
    if (!found)
        return garment_bad(name, "part %s has no point '%.40s'", part->key, name->text);
    return read_point(b, found, 0, point);
}

/* Number of the curve that starts at a point, or -1. */
static int32_t curve_at(const garment_chain *chain, weft_vec2 p) {
    for (int32_t i = 0; i < chain->curves; i++)
        if (hypot(chain->curve[i].control[0].x - p.x, chain->curve[i].control[0].y - p.y) < SAME)
            return i;
    return -1;
}

static weft_value *new_number(build *b, double metres) {
    char text[40];
    weft_format(text, sizeof text, "%.9g", metres / GARMENT_CM);
    return weft_tree_text(b->tree, text, "", 0);
}

static weft_value *new_point(build *b, weft_vec2 p) {
    weft_value *list = weft_tree_list(b->tree, "", 0), *x = new_number(b, p.x), *y = new_number(b, p.y);
    if (!list || !x || !y)
        return NULL;
    weft_value_append(list, x);
    weft_value_append(list, y);
    return list;
}

/* {curve: [..], to: [..]} */
static weft_value *new_curve(build *b, const garment_curve *c) {
    weft_value *map = weft_tree_map(b->tree, "", 0), *controls = weft_tree_list(b->tree, "", 0),
               *first = new_point(b, c->control[1]), *second = new_point(b, c->control[2]),
               *to = new_point(b, c->control[3]);
    if (!map || !controls || !first || !second || !to)
        return NULL;
    weft_value_append(controls, first);
    weft_value_append(controls, second);
    int straight = garment_curve_is_line(c->control, c->length);
    if (!straight && weft_value_put(b->tree, map, "curve", controls).code != WEFT_OK)
        return NULL;
    return weft_value_put(b->tree, map, "to", to).code == WEFT_OK ? map : NULL;
}

/* Appends {NAME: {path: [..], hem: ..}} to the edges of a panel. */
static weft_result add_edge(build *b, weft_value *edges, const char *name, const weft_value *hem,
                            const garment_chain *chain, int32_t first, int32_t count) {
    const weft_result no_memory = weft_fail_memory("draft", 256);
    weft_value *path = weft_tree_list(b->tree, "", 0), *body = weft_tree_map(b->tree, "", 0),
               *named = weft_tree_map(b->tree, "", 0);
    if (!path || !body || !named)
        return no_memory;
    for (int32_t i = 0; i < count; i++) {
        weft_value *curve = new_curve(b, &chain->curve[(first + i) % chain->curves]);
        if (!curve)
            return no_memory;
        weft_value_append(path, curve);
    }
    if (count == 1)
        body = path->first;
    else
        WEFT_TRY(weft_value_put(b->tree, body, "path", path));
    weft_value *copy = hem ? weft_value_copy(b->tree, hem) : NULL;
    if (copy)
        WEFT_TRY(weft_value_put(b->tree, body, "hem", copy));
    WEFT_TRY(weft_value_put(b->tree, named, name, body));
    weft_value_append(edges, named);
    return weft_ok();
}

/* Each edge of the description is {NAME: POINT}, with `hem` beside it where it has one. */
static weft_result add_edges(build *b, const weft_value *part, const weft_value *given, const garment_chain *chain,
                             weft_value *edges) {
    const weft_value *start = given->first ? weft_value_find(given->first, "start") : NULL;
    weft_vec2 p;
    if (!start)
        return garment_bad(given, "edges: the first entry is start: POINT");
    WEFT_TRY(find_point(b, part, start, &p));
    int32_t at = curve_at(chain, p), walked = 0;
    if (at < 0)
        return garment_bad(start, "the outline of %s does not pass through '%s'", part->key, start->text);
    for (const weft_value *v = given->first->next; v; v = v->next) {
        if (v->kind != WEFT_VALUE_MAP || v->count < 1)
            return garment_bad(v, "edges: each entry is NAME: POINT");
        const weft_value *name = v->first, *hem = weft_value_find(v, "hem");
        WEFT_TRY(find_point(b, part, name, &p));
        int32_t end = curve_at(chain, p), count = 0;
        if (end < 0)
            return garment_bad(name, "the outline of %s does not pass through '%s'", part->key, name->text);
        do
            count++;
        while ((at + count) % chain->curves != end && count < chain->curves);
        walked += count;
        if (walked > chain->curves)
            return garment_bad(name, "point '%s' lies before the one above; edges run counter-clockwise", name->text);
        WEFT_TRY(add_edge(b, edges, name->key, hem == name ? NULL : hem, chain, at, count));
        at = end;
    }
    return walked == chain->curves ? weft_ok() : garment_bad(given, "edges: the outline goes on after the last one");
}

/* `up: [LOWER, UPPER]`: the direction between two points becomes upwards. */
static weft_result read_up(build *b, const weft_value *part, const weft_value *up) {
    weft_vec2 from, to;
    b->up = (weft_vec2){0, 1};
    if (!up)
        return weft_ok();
    if (up->kind != WEFT_VALUE_LIST || up->count != 2)
        return garment_bad(up, "up: must be a list of two points");
    WEFT_TRY(find_point(b, part, up->first, &from));
    WEFT_TRY(find_point(b, part, up->last, &to));
    double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    if (!(length > 0))
        return garment_bad(up, "up: the points coincide");
    b->up = (weft_vec2){x / length, y / length};
    return weft_ok();
}

static weft_result copy_keys(build *b, const weft_value *from, const char *const *except, weft_value *to) {
    for (const weft_value *v = from->first; v; v = v->next) {
        int skipped = 0;
        for (int i = 0; except[i]; i++)
            skipped |= strcmp(v->key, except[i]) == 0;
        if (skipped)
            continue;
        weft_value *copy = weft_value_copy(b->tree, v);
        if (!copy)
            return weft_fail_memory("draft", 256);
        WEFT_TRY(weft_value_put(b->tree, to, v->key, copy));
    }
    return weft_ok();
}

/* A panel with `part` gets its outline from the draft. */
static weft_result add_outline(build *b, const weft_value *given, garment_chain *chain, weft_value *panel) {
    const weft_value *name = weft_value_find(given, "part"), *path = weft_value_find(given, "path"),
                     *edges = weft_value_find(given, "edges");
    const weft_value *part = weft_value_find(b->parts, name->text);
    const weft_value *drawn = weft_value_find(weft_value_find(part, "paths"), path ? path->text : "seam");
    if (!part || !drawn)
        return garment_bad(name, "panel %s: the design drafted no part '%.60s'", given->key, name->text);
    if (!edges || edges->kind != WEFT_VALUE_LIST)
        return garment_bad(given, "panel %s: 'edges' is missing", given->key);
    WEFT_TRY(read_up(b, part, weft_value_find(given, "up")));
    WEFT_TRY(read_path(b, drawn, chain));
    weft_value *made = weft_tree_list(b->tree, given->file, given->line);
    if (!made)
        return weft_fail_memory("draft", 256);
    WEFT_TRY(add_edges(b, part, edges, chain, made));
    weft_vec2 start;
    WEFT_TRY(find_point(b, part, weft_value_find(edges->first, "start"), &start));
    weft_value *point = new_point(b, start);
    if (!point)
        return weft_fail_memory("draft", 256);
    WEFT_TRY(weft_value_put(b->tree, panel, "start", point));
    return weft_value_put(b->tree, panel, "edges", made);
}

static weft_result add_panel(build *b, const weft_value *given, weft_value *panels) {
    static const char *const EXCEPT[] = {"part", "path", "edges", "up", NULL};
    garment_chain chain = {0};
    weft_value *panel = weft_tree_map(b->tree, given->file, given->line);
    if (!panel)
        return weft_fail_memory("draft", 256);
    weft_result result = weft_ok();
    if (weft_value_find(given, "part"))
        result = add_outline(b, given, &chain, panel);
    garment_chain_free(&chain);
    WEFT_TRY(result);
    WEFT_TRY(copy_keys(b, given, EXCEPT, panel));
    return weft_value_put(b->tree, panels, given->key, panel);
}

static weft_result build_root(build *b, const weft_value *design) {
    static const char *const EXCEPT[] = {"design", "help", "options", "panels", NULL};
    const weft_value *given = weft_value_find(design, "panels");
    weft_value *root = weft_tree_map(b->tree, design->file, design->line),
               *panels = weft_tree_map(b->tree, design->file, design->line);
    if (!root || !panels)
        return weft_fail_memory("draft", 256);
    weft_tree_set_root(b->tree, root);
    WEFT_TRY(copy_keys(b, design, EXCEPT, root));
    if (!given || given->kind != WEFT_VALUE_MAP)
        return garment_bad(design, "panels: must be a map");
    for (const weft_value *v = given->first; v; v = v->next)
        WEFT_TRY(add_panel(b, v, panels));
    return weft_value_put(b->tree, root, "panels", panels);
}

weft_result garment_draft_build(const weft_value *design, const weft_value *drafted, garment_pattern *pattern) {
    build b = {.parts = weft_value_find(drafted, "parts")};
    *pattern = (garment_pattern){0};
    if (!b.parts)
        return garment_bad(drafted, "the draft has no parts");
    WEFT_TRY(weft_tree_create(&b.tree));
    weft_result result = build_root(&b, design);
    if (result.code != WEFT_OK) {
        weft_tree_destroy(b.tree);
        return result;
    }
    return garment_pattern_read_tree(b.tree, pattern);
}
