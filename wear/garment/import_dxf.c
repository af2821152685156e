/* DXF with the pieces of ASTM D6673 (AAMA): one block per piece, in which the layer says what a line means. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "wear/garment/build.h"
#include "wear/garment/dxf_groups.h"
#include "wear/garment/import.h"
#include "wear/garment/reading.h"

/* Layers of ASTM D6673-10. */
enum {
    BOUNDARY = 1,
    TURN_POINTS = 2,
    NOTCHES = 4,
    MIRROR_LINE = 6,
    GRAIN_LINE = 7,
    INTERNAL_LINES = 8,
    SEW_LINES = 14,
    OTHER_NOTCHES = 80 /* to 83: other shapes */
};

/* Turn points lie on the outline within this, m. */
static const double ON_LINE = 1e-3;

/* A polyline, line or point of a piece. */
typedef struct shape {
    int layer, closed, line; /* line of the file */
    int32_t first, points;
} shape;

enum { MOST_SHAPES = 10000, MOST_POINTS = 200000 };

/* A block while it is read. */
typedef struct piece {
    char name[GARMENT_NAME];
    int line;
    shape *shape;
    int shapes;
    weft_vec2 *point; /* in units of the file */
    int32_t points, room;
} piece;

static weft_result dxf_bad(const dxf_groups *g, int line, const char *what, const char *name) {
    return weft_fail(WEFT_BAD_INPUT, "%.280s:%d: %s%s%s%s", g->name, line, name && name[0] ? "piece " : "",
                     name ? name : "", name && name[0] ? ": " : "", what);
}

static weft_result add_point(const dxf_groups *g, piece *p, weft_vec2 at) {
    if (p->points == MOST_POINTS)
        return dxf_bad(g, g->line, "more than 200000 points", p->name);
    if (p->points == p->room) {
        int32_t room = 2 * p->room + 256;
        weft_vec2 *point = realloc(p->point, (size_t)room * sizeof *point);
        if (!point)
            return weft_fail_memory("points", (size_t)room * sizeof *point);
        p->point = point;
        p->room = room;
    }
    p->point[p->points++] = at;
    p->shape[p->shapes - 1].points++;
    return weft_ok();
}

static weft_result add_shape(const dxf_groups *g, piece *p, int layer) {
    if (p->shapes == MOST_SHAPES)
        return dxf_bad(g, g->line, "more than 10000 lines and points", p->name);
    if (!p->shape)
        p->shape = malloc(MOST_SHAPES * sizeof *p->shape);
    if (!p->shape)
        return weft_fail_memory("piece", MOST_SHAPES * sizeof *p->shape);
    p->shape[p->shapes++] = (shape){.layer = layer, .line = g->line, .first = p->points};
    return weft_ok();
}

/* The groups of one entity up to the next one. */
typedef struct entity {
    int layer, flags, line;
    weft_vec2 at[2]; /* groups 10, 20 and 11, 21 */
    int has;         /* bit 0: the first point, bit 1: the second */
    char text[128];
} entity;

static weft_result read_entity(dxf_groups *g, entity *e) {
    *e = (entity){.line = g->line};
    while (dxf_next(g) && g->code != 0) {
        double number = 0;
        int coordinate = g->code == 10 || g->code == 20 || g->code == 11 || g->code == 21;
        if (coordinate)
            WEFT_TRY(dxf_number(g, &number));
        if (g->code == 8)
            e->layer = atoi(g->value);
        else if (g->code == 70)
            e->flags = atoi(g->value);
        else if (g->code == 1)
            snprintf(e->text, sizeof e->text, "%.120s", g->value);
        else if (g->code == 10)
            e->at[0].x = number, e->has |= 1;
        else if (g->code == 20)
            e->at[0].y = number;
        else if (g->code == 11)
            e->at[1].x = number, e->has |= 2;
        else if (g->code == 21)
            e->at[1].y = number;
    }
    return g->failed;
}

/* POLYLINE with VERTEX entities up to SEQEND. */
static weft_result read_polyline(dxf_groups *g, piece *p) {
    entity head, vertex;
    WEFT_TRY(read_entity(g, &head));
    WEFT_TRY(add_shape(g, p, head.layer));
    p->shape[p->shapes - 1].line = head.line;
    p->shape[p->shapes - 1].closed = head.flags & 1;
    while (g->code == 0 && strcmp(g->value, "VERTEX") == 0) {
        WEFT_TRY(read_entity(g, &vertex));
        WEFT_TRY(add_point(g, p, vertex.at[0]));
    }
    if (g->code == 0 && strcmp(g->value, "SEQEND") == 0)
        WEFT_TRY(read_entity(g, &vertex));
    return weft_ok();
}

/* LWPOLYLINE has its points in repeated groups. */
static weft_result read_light_polyline(dxf_groups *g, piece *p) {
    weft_vec2 at = {0, 0};
    int any = 0;
    WEFT_TRY(add_shape(g, p, 0));
    shape *s = &p->shape[p->shapes - 1];
    while (dxf_next(g) && g->code != 0) {
        double number = 0;
        if (g->code == 10 || g->code == 20)
            WEFT_TRY(dxf_number(g, &number));
        if (g->code == 8)
            s->layer = atoi(g->value);
        else if (g->code == 70)
            s->closed = atoi(g->value) & 1;
        else if (g->code == 10)
            at.x = number, any = 1;
        else if (g->code == 20 && any) {
            at.y = number;
            WEFT_TRY(add_point(g, p, at));
        }
    }
    return g->failed;
}

static weft_result read_line(dxf_groups *g, piece *p, int points) {
    entity e;
    WEFT_TRY(read_entity(g, &e));
    WEFT_TRY(add_shape(g, p, e.layer));
    p->shape[p->shapes - 1].line = e.line;
    for (int i = 0; i < points; i++)
        WEFT_TRY(add_point(g, p, e.at[i]));
    return weft_ok();
}

/* Whether a text is "KEY: VALUE"; `*value` is then the value. */
static int has_key(const char *text, const char *key, const char **value) {
    size_t length = strlen(key);
    if (strncasecmp(text, key, length) != 0)
        return 0;
    *value = text + length;
    *value += strspn(*value, " \t:");
    return 1;
}

static weft_result read_text(dxf_groups *g, piece *p, double *unit) {
    entity e;
    const char *value;
    WEFT_TRY(read_entity(g, &e));
    if (p && has_key(e.text, "Piece Name", &value) && *value)
        garment_make_name(value, p->name);
    if (has_key(e.text, "Units", &value))
        *unit = strncasecmp(value, "ENGLISH", 7) == 0 ? 0.0254 : 1e-3;
    return weft_ok();
}

/* -- from a piece to a panel -- */

static weft_result draw(const dxf_groups *g, const piece *p, const shape *s, double unit, garment_chain *chain) {
    for (int32_t i = 0; i < s->points; i++) {
        weft_vec2 at = {p->point[s->first + i].x * unit, p->point[s->first + i].y * unit};
        if (i == 0)
            garment_chain_start(chain, at);
        else {
            weft_result result = garment_chain_line(chain, at);
            if (result.code != WEFT_OK)
                return result.code == WEFT_BAD_INPUT ? dxf_bad(g, s->line, result.message, p->name) : result;
        }
    }
    if (s->closed && s->points > 1)
        return garment_chain_line(chain, chain->start);
    return weft_ok();
}

/* The sewing line, if one is closed, because the boundary has the seam allowance; else the boundary. */
static const shape *find_outline(const piece *p) {
    const shape *found = NULL;
    for (int i = 0; i < p->shapes; i++) {
        const shape *s = &p->shape[i];
        if (s->points < 2)
            continue;
        weft_vec2 a = p->point[s->first], b = p->point[s->first + s->points - 1];
        int closed = s->points > 2 && (s->closed || hypot(a.x - b.x, a.y - b.y) < 1e-6 * (fabs(a.x) + fabs(a.y) + 1));
        if (s->layer == BOUNDARY && !found)
            found = s;
        if (closed && s->layer == SEW_LINES && (!found || found->layer == BOUNDARY))
            found = s;
    }
    return found;
}

/* Turn points are corners; without any, sharp turns are. */
static void set_corners(const piece *p, double unit, garment_chain *chain) {
    int any = 0;
    for (int i = 0; i < p->shapes; i++)
        for (int32_t c = 0; p->shape[i].layer == TURN_POINTS && p->shape[i].points == 1 && c < chain->curves; c++) {
            weft_vec2 at = p->point[p->shape[i].first], from = chain->curve[c].control[0];
            if (hypot(at.x * unit - from.x, at.y * unit - from.y) < ON_LINE)
                chain->corner[c] = 1, any++;
        }
    if (any < 2)
        garment_chain_find_corners(chain);
}

static weft_result add_marks(const piece *p, double unit, garment_panel *panel) {
    static const double RIGHT_ANGLE = 1.57079632679489661923;
    for (int i = 0; i < p->shapes; i++) {
        const shape *s = &p->shape[i];
        if (s->points < 1)
            continue;
        weft_vec2 a = p->point[s->first], b = p->point[s->first + s->points - 1];
        a = (weft_vec2){a.x * unit, a.y * unit};
        b = (weft_vec2){b.x * unit, b.y * unit};
        int32_t edge = 0;
        double at = 0;
        if ((s->layer == NOTCHES || (s->layer >= OTHER_NOTCHES && s->layer <= OTHER_NOTCHES + 3)) &&
            garment_nearest(panel, a, &edge, &at) < 0.03)
            WEFT_TRY(garment_add_notch(panel, edge, at));
        else if (s->layer == GRAIN_LINE && s->points > 1)
            panel->grain = remainder(atan2(b.y - a.y, b.x - a.x) - RIGHT_ANGLE, 2 * RIGHT_ANGLE);
        else if (s->layer == INTERNAL_LINES && s->points == 2 && hypot(b.x - a.x, b.y - a.y) > 0.001 &&
                 garment_panel_holds(panel, a) && garment_panel_holds(panel, b))
            WEFT_TRY(garment_add_fold(panel, a, b, 0));
    }
    return weft_ok();
}

/* A piece with a mirror line is a half: the edge on that line is where it is unfolded. */
static weft_result unfold(const dxf_groups *g, const piece *p, double unit, garment_panel *panel) {
    for (int i = 0; i < p->shapes; i++) {
        const shape *s = &p->shape[i];
        if (s->layer != MIRROR_LINE || s->points < 2)
            continue;
        weft_vec2 a = p->point[s->first], b = p->point[s->first + s->points - 1];
        int32_t edge = 0;
        double at = 0;
        double off =
            garment_nearest(panel, (weft_vec2){0.5 * (a.x + b.x) * unit, 0.5 * (a.y + b.y) * unit}, &edge, &at);
        weft_value name = {.kind = WEFT_VALUE_TEXT, .file = "", .key = "", .text = panel->edge[edge].name};
        if (off > ON_LINE || !panel->edge[edge].straight || panel->edges < 3)
            return dxf_bad(g, s->line, "the mirror line is not a straight edge of the outline", p->name);
        WEFT_TRY(garment_unfold(&name, panel));
        return garment_measure(panel);
    }
    return weft_ok();
}

static weft_result finish_piece(const dxf_groups *g, const piece *p, double unit, garment_pattern *pattern) {
    const shape *outline = p->shapes > 0 && p->points > 0 ? find_outline(p) : NULL;
    garment_chain chain = {0};
    weft_result result;
    if (!outline)
        return weft_ok(); /* a block of something else, such as a dimension */
    result = draw(g, p, outline, unit, &chain);
    if (result.code == WEFT_OK && !garment_chain_closes(&chain))
        result = dxf_bad(g, outline->line, "the outline is open: its ends differ", p->name);
    if (result.code == WEFT_OK) {
        set_corners(p, unit, &chain);
        garment_panel *panel = garment_add_panel(pattern, p->name, &result);
        if (panel) {
            result = garment_chain_to_panel(&chain, panel);
            result = result.code == WEFT_OK ? unfold(g, p, unit, panel) : result;
            result = result.code == WEFT_OK ? add_marks(p, unit, panel) : result;
        }
        if (result.code == WEFT_BAD_INPUT && !strstr(result.message, g->name))
            result = dxf_bad(g, outline->line, result.message, p->name);
    }
    garment_chain_free(&chain);
    return result;
}

/* Reads the entity that the current group begins. */
static weft_result read_part(dxf_groups *g, piece *p, double *unit) {
    entity skipped;
    if (strcmp(g->value, "POLYLINE") == 0)
        return read_polyline(g, p);
    if (strcmp(g->value, "LWPOLYLINE") == 0)
        return read_light_polyline(g, p);
    if (strcmp(g->value, "LINE") == 0 || strcmp(g->value, "POINT") == 0)
        return read_line(g, p, g->value[0] == 'L' ? 2 : 1);
    if (strcmp(g->value, "TEXT") == 0)
        return read_text(g, p, unit);
    return read_entity(g, &skipped);
}

/* A BLOCK up to its ENDBLK. The unit may be given after the blocks, so panels are scaled at the end. */
static weft_result read_block(dxf_groups *g, double *unit, garment_pattern *pattern) {
    piece p = {.line = g->line};
    weft_result result = weft_ok();
    while (dxf_next(g) && g->code != 0)
        if (g->code == 2)
            garment_make_name(g->value, p.name);
    while (result.code == WEFT_OK && g->failed.code == WEFT_OK && !g->ended && strcmp(g->value, "ENDBLK") != 0)
        result = read_part(g, &p, unit);
    if (result.code == WEFT_OK)
        result = g->failed;
    if (result.code == WEFT_OK && g->ended)
        result = dxf_bad(g, p.line, "the block does not end", p.name);
    if (result.code == WEFT_OK)
        result = finish_piece(g, &p, *unit, pattern);
    free(p.shape);
    free(p.point);
    return result;
}

/* The unit stands in the entities, after the blocks, so it is looked for first. */
static weft_result find_unit(const char *bytes, size_t size, const char *name, double *unit) {
    dxf_groups g;
    entity e;
    *unit = 1e-3;
    dxf_start(&g, bytes, size, name);
    dxf_next(&g);
    while (!g.ended && g.failed.code == WEFT_OK) {
        if (g.code == 0 && strcmp(g.value, "TEXT") == 0)
            WEFT_TRY(read_text(&g, NULL, unit));
        else if (g.code == 0)
            WEFT_TRY(read_entity(&g, &e));
        else
            dxf_next(&g);
    }
    return g.failed;
}

weft_result garment_import_dxf(const char *bytes, size_t size, const char *name, garment_pattern *pattern) {
    dxf_groups g;
    entity skipped;
    double unit;
    *pattern = (garment_pattern){.edge_length = 0.02};
    garment_name_of_file(name, pattern->name);
    WEFT_TRY(find_unit(bytes, size, name, &unit));
    dxf_start(&g, bytes, size, name);
    dxf_next(&g);
    while (!g.ended && g.failed.code == WEFT_OK) {
        if (g.code == 0 && strcmp(g.value, "BLOCK") == 0)
            WEFT_TRY(read_block(&g, &unit, pattern));
        else if (g.code == 0)
            WEFT_TRY(read_entity(&g, &skipped));
        else
            dxf_next(&g);
    }
    WEFT_TRY(g.failed);
    if (pattern->panels == 0)
        return weft_fail(WEFT_BAD_INPUT, "%.280s: no block with an outline on layer 1 or 14", name);
    garment_place_by_name(pattern);
    return weft_ok();
}
