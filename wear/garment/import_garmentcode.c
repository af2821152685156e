/* Pattern specifications of GarmentCode (M. Korosteleva and O. Sorkine-Hornung, "GarmentCode: Programming Parametric
 * Sewing Patterns", ACM Transactions on Graphics 2023): JSON with panels, edges by their vertices, and stitches. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "wear/garment/build.h"
#include "wear/garment/curve.h"
#include "wear/garment/import.h"
#include "wear/garment/reading.h"
#include "weft-io/yaml.h"
#include "weft/vec.h"

static const double PI = 3.14159265358979323846;

typedef struct source {
    double metre;                       /* of one unit of the file, m */
    int absolute;                       /* control points are in the panel's coordinates, else in those of the edge */
    double height[GARMENT_MOST_PANELS]; /* of the highest point of each panel above the origin, along its part, m */
    garment_pattern *to;                /* what is built */
} source;

static weft_result read_numbers(const weft_value *list, const char *what, int count, double *number) {
    if (!list || list->kind != WEFT_VALUE_LIST || list->count != count)
        return garment_bad(list, "%s: must be a list of %d numbers", what, count);
    const weft_value *v = list->first;
    for (int i = 0; i < count; i++, v = v->next)
        WEFT_TRY(garment_read_number(v, what, "", -1e6, 1e6, &number[i]));
    return weft_ok();
}

static weft_result read_index(const weft_value *value, const char *what, int count, int *index) {
    double number = -1;
    if (!value)
        return garment_bad(value, "%s is missing", what);
    WEFT_TRY(garment_read_number(value, what, "", 0, count - 1, &number));
    *index = (int)number;
    return *index == number ? weft_ok() : garment_bad(value, "%s: %s is not a whole number", what, value->text);
}

static weft_result read_vertex(const source *s, const weft_value *vertices, const weft_value *index, weft_vec2 *point) {
    int i;
    double at[2];
    WEFT_TRY(read_index(index, "endpoints", vertices->count, &i));
    WEFT_TRY(read_numbers(weft_value_at(vertices, i), "vertices", 2, at));
    *point = (weft_vec2){at[0] * s->metre, at[1] * s->metre};
    return weft_ok();
}

/* Relative control points have the edge as x axis and its length as unit. */
static weft_result read_control(const source *s, const weft_value *value, weft_vec2 a, weft_vec2 b, weft_vec2 *point) {
    double at[2];
    WEFT_TRY(read_numbers(value, "curvature", 2, at));
    *point = s->absolute ? (weft_vec2){at[0] * s->metre, at[1] * s->metre}
                         : (weft_vec2){a.x + at[0] * (b.x - a.x) - at[1] * (b.y - a.y),
                                       a.y + at[0] * (b.y - a.y) + at[1] * (b.x - a.x)};
    return weft_ok();
}

/* Adds the place to what is wrong with a curve. */
static weft_result at_place(const weft_value *value, weft_result result) {
    return result.code == WEFT_BAD_INPUT ? garment_bad(value, "edge: %s", result.message) : result;
}

static weft_result add_quadratic(garment_chain *chain, weft_vec2 c, weft_vec2 to) {
    weft_vec2 inner[2];
    garment_curve_raise(chain->at, c, to, inner);
    return garment_chain_curve(chain, inner[0], inner[1], to);
}

/* `curvature` is a control point, or {type: quadratic | cubic | circle, params: [...]}. */
static weft_result add_edge(const source *s, const weft_value *edge, garment_chain *chain, weft_vec2 to) {
    const weft_value *curvature = weft_value_find(edge, "curvature");
    const weft_vec2 from = chain->at;
    weft_vec2 c[2];
    if (!curvature)
        return at_place(edge, garment_chain_line(chain, to));
    if (curvature->kind == WEFT_VALUE_LIST) {
        WEFT_TRY(read_control(s, curvature, from, to, &c[0]));
        return at_place(edge, add_quadratic(chain, c[0], to));
    }
    const weft_value *type = weft_value_find(curvature, "type"), *params = weft_value_find(curvature, "params");
    const char *kind = type ? type->text : "";
    if (strcmp(kind, "circle") == 0) {
        double n[3];
        WEFT_TRY(read_numbers(params, "curvature of a circle: radius, large arc, to the right", 3, n));
        if (!(n[0] > 0))
            return garment_bad(params, "curvature: a radius of %g is not above 0", n[0]);
        /* an arc that bulges to the right of its chord turns to the left */
        return at_place(edge, garment_chain_arc(chain, n[0] * s->metre, n[1] != 0, n[2] != 0, to));
    }
    int wanted = strcmp(kind, "quadratic") == 0 ? 1 : strcmp(kind, "cubic") == 0 ? 2 : 0;
    if (wanted == 0)
        return garment_bad(curvature, "curvature: '%.40s' is not quadratic, cubic or circle", kind);
    if (!params || params->kind != WEFT_VALUE_LIST || params->count != wanted)
        return garment_bad(curvature, "curvature: %s needs %d control point%s", kind, wanted, wanted > 1 ? "s" : "");
    for (int i = 0; i < wanted; i++)
        WEFT_TRY(read_control(s, weft_value_at(params, i), from, to, &c[i]));
    return at_place(edge, wanted == 1 ? add_quadratic(chain, c[0], to) : garment_chain_curve(chain, c[0], c[1], to));
}

/* Rotation about the fixed axes x, then y, then z, by degrees. */
static weft_vec3 rotate(const double degrees[3], weft_vec3 p) {
    double a[3], s[3], c[3];
    for (int i = 0; i < 3; i++)
        a[i] = degrees[i] * PI / 180, s[i] = sin(a[i]), c[i] = cos(a[i]);
    p = (weft_vec3){p.x, c[0] * p.y - s[0] * p.z, s[0] * p.y + c[0] * p.z};
    p = (weft_vec3){c[1] * p.x + s[1] * p.z, p.y, -s[1] * p.x + c[1] * p.z};
    return (weft_vec3){c[2] * p.x - s[2] * p.y, s[2] * p.x + c[2] * p.y, p.z};
}

/* Where a panel lies: flat, in a T pose. */
typedef struct flat_place {
    double at[3], turn[3]; /* translation, rotation */
    int flipped;           /* seen from behind in the file, and mirrored since */
    weft_vec3 axis, front; /* of its part in a T pose: as in garment_part */
} flat_place;

static void choose_part(const garment_panel *panel, const weft_value *label, flat_place *flat,
                        char part[GARMENT_NAME]) {
    char words[2 * GARMENT_NAME + 8];
    snprintf(words, sizeof words, "%s %.40s", panel->name, label ? label->text : "");
    weft_vec3 middle = rotate(flat->turn, (weft_vec3){0.5 * (panel->low.x + panel->high.x), 0, 0});
    garment_part_by_name(words, flat->at[0] + 100 * middle.x, part);
    flat->axis = (weft_vec3){0, 1, 0};
    flat->front = (weft_vec3){0, 0, 1};
    if (strstr(part, "_arm"))
        flat->axis = (weft_vec3){part[0] == 'l' ? -1 : 1, 0, 0};
}

/* Turns the panel so that its y axis lies along the part. */
static void turn_panel(const flat_place *flat, garment_panel *panel) {
    weft_vec3 x = rotate(flat->turn, (weft_vec3){flat->flipped ? -1 : 1, 0, 0}),
              y = rotate(flat->turn, (weft_vec3){0, 1, 0});
    weft_vec2 up = {weft_dot(x, flat->axis), weft_dot(y, flat->axis)};
    double length = hypot(up.x, up.y);
    up = length > 0.1 ? (weft_vec2){up.x / length, up.y / length} : (weft_vec2){0, 1};
    for (int32_t e = 0; e < panel->edges; e++)
        for (int32_t c = 0; c < panel->edge[e].curves; c++)
            for (int k = 0; k < 4; k++) {
                weft_vec2 *p = &panel->edge[e].curve[c].control[k];
                *p = (weft_vec2){p->x * up.y - p->y * up.x, p->x * up.x + p->y * up.y};
            }
}

static weft_result place_panel(source *s, const weft_value *value, int32_t index, int flipped) {
    garment_panel *panel = &s->to->panel[index];
    flat_place flat = {.flipped = flipped};
    if (weft_value_find(value, "translation"))
        WEFT_TRY(read_numbers(weft_value_find(value, "translation"), "translation", 3, flat.at));
    if (weft_value_find(value, "rotation"))
        WEFT_TRY(read_numbers(weft_value_find(value, "rotation"), "rotation", 3, flat.turn));
    choose_part(panel, weft_value_find(value, "label"), &flat, panel->place.around);
    turn_panel(&flat, panel);
    WEFT_TRY(garment_measure(panel));
    weft_vec3 out = rotate(flat.turn, (weft_vec3){0, 0, flipped ? -1 : 1}), right = weft_cross(flat.axis, flat.front);
    panel->place.angle = atan2(weft_dot(out, right), weft_dot(out, flat.front));
    panel->place.gap = 0.03;
    weft_vec3 at = {flat.at[0] * s->metre, flat.at[1] * s->metre, flat.at[2] * s->metre};
    s->height[index] = weft_dot(at, flat.axis) + panel->high.y;
    return weft_ok();
}

static weft_result read_edges(const source *s, const weft_value *value, const garment_panel *panel,
                              garment_chain *chain) {
    const weft_value *vertices = weft_value_find(value, "vertices"), *edges = weft_value_find(value, "edges");
    weft_vec2 start, end;
    if (!vertices || vertices->kind != WEFT_VALUE_LIST || !edges || edges->kind != WEFT_VALUE_LIST || edges->count < 2)
        return garment_bad(value, "panel %s: 'vertices' and at least two 'edges' are needed", panel->name);
    for (const weft_value *v = edges->first; v; v = v->next) {
        const weft_value *ends = weft_value_find(v, "endpoints");
        if (!ends || ends->kind != WEFT_VALUE_LIST || ends->count != 2)
            return garment_bad(v, "panel %s: endpoints: must be a list of two vertices", panel->name);
        WEFT_TRY(read_vertex(s, vertices, ends->first, &start));
        WEFT_TRY(read_vertex(s, vertices, ends->last, &end));
        if (v == edges->first)
            garment_chain_start(chain, start);
        else if (hypot(start.x - chain->at.x, start.y - chain->at.y) > 1e-5)
            return garment_bad(v,
                               "panel %s: the outline is open: an edge starts at [%g, %g], but the one before ends "
                               "at [%g, %g]",
                               panel->name, start.x / s->metre, start.y / s->metre, chain->at.x / s->metre,
                               chain->at.y / s->metre);
        int32_t first = chain->curves;
        weft_result result = add_edge(s, v, chain, end);
        if (result.code != WEFT_OK)
            return result;
        if (chain->curves == first)
            return garment_bad(v, "panel %s: an edge has no length", panel->name);
        chain->corner[first] = 1;
    }
    return garment_chain_closes(chain) ? weft_ok()
                                       : garment_bad(edges,
                                                     "panel %s: the outline is open: its last edge does not end "
                                                     "where the first one starts",
                                                     panel->name);
}

/* Labels of edges become their names, if they are different. */
static void name_edges(const weft_value *edges, garment_panel *panel) {
    int32_t e = 0;
    for (const weft_value *v = edges->first; v; v = v->next, e++) {
        const weft_value *label = weft_value_find(v, "label");
        char name[GARMENT_NAME];
        int taken = !label || !label->text[0];
        if (!taken)
            garment_make_name(label->text, name);
        for (int32_t i = 0; i < panel->edges && !taken; i++)
            taken = strcmp(panel->edge[i].name, name) == 0;
        if (!taken)
            memcpy(panel->edge[e].name, name, sizeof name);
        else
            snprintf(panel->edge[e].name, sizeof panel->edge[e].name, "e%d", e);
    }
}

static weft_result read_panel(source *s, const weft_value *value) {
    weft_result result;
    garment_chain chain = {0};
    garment_panel *panel = garment_add_panel(s->to, value->key, &result);
    if (!panel)
        return garment_bad(value, "%s", result.message);
    if (strcmp(panel->name, value->key) != 0 && strlen(value->key) >= GARMENT_NAME)
        return garment_bad(value, "panel '%.60s': names have at most %d characters", value->key, GARMENT_NAME - 1);
    result = read_edges(s, value, panel, &chain);
    /* A panel that faces away from the viewer runs clockwise. Mirrored, its edges keep their order and directions. */
    int flipped = result.code == WEFT_OK && garment_chain_area(&chain) < 0;
    for (int32_t i = 0; flipped && i < chain.curves; i++)
        for (int k = 0; k < 4; k++)
            chain.curve[i].control[k].x = -chain.curve[i].control[k].x;
    if (result.code == WEFT_OK) {
        result = garment_chain_to_panel(&chain, panel);
        if (result.code != WEFT_OK)
            result = garment_bad(value, "panel %s: %s", panel->name, result.message);
    }
    garment_chain_free(&chain);
    WEFT_TRY(result);
    name_edges(weft_value_find(value, "edges"), panel);
    return place_panel(s, value, s->to->panels - 1, flipped);
}

static weft_result read_stitch_side(const source *s, const weft_value *panels, const weft_value *value,
                                    garment_side *side) {
    const weft_value *panel = weft_value_find(value, "panel"), *edge = weft_value_find(value, "edge");
    int32_t p = 0;
    int e;
    if (!panel || !edge)
        return garment_bad(value, "stitch: each side is {panel: NAME, edge: NUMBER}");
    const weft_value *v = panels->first;
    while (v && strcmp(v->key, panel->text) != 0)
        v = v->next, p++;
    if (!v)
        return garment_bad(panel, "stitch: there is no panel '%.40s'", panel->text);
    WEFT_TRY(read_index(edge, "stitch: edge", s->to->panel[p].edges, &e));
    *side = (garment_side){p, e, 0, 1};
    return weft_ok();
}

static weft_result read_stitches(source *s, const weft_value *panels, const weft_value *stitches) {
    if (!stitches)
        return weft_ok();
    if (stitches->kind != WEFT_VALUE_LIST)
        return garment_bad(stitches, "stitches: must be a list");
    for (const weft_value *v = stitches->first; v; v = v->next) {
        garment_side side[2];
        if (v->kind != WEFT_VALUE_LIST || v->count < 2)
            return garment_bad(v, "stitch: must be a list of two sides");
        if (v->count > 2)
            return garment_bad(v,
                               "stitch: '%.40s': the wrong side of one panel on the right side of another is not "
                               "supported",
                               v->last->text);
        WEFT_TRY(read_stitch_side(s, panels, v->first, &side[0]));
        WEFT_TRY(read_stitch_side(s, panels, v->last, &side[1]));
        weft_result result = garment_add_seam(s->to, side[0], side[1]);
        if (result.code != WEFT_OK)
            return garment_bad(v, "%s", result.message);
        double a = garment_side_length(s->to, &side[0]), b = garment_side_length(s->to, &side[1]);
        s->to->seam[s->to->seams - 1].gathered = fabs(a - b) > 0.1 * fmax(a, b); /* GarmentCode gathers freely */
    }
    return weft_ok();
}

/* Parts that hang together: panels on them keep their distances. */
static int same_region(const char *a, const char *b) {
    int a_trunk = strcmp(a, "torso") == 0 || strcmp(a, "hips") == 0;
    int b_trunk = strcmp(b, "torso") == 0 || strcmp(b, "hips") == 0;
    return (a_trunk && b_trunk) || strcmp(a, b) == 0;
}

/* The highest panel of a region begins at the neck, the waist or the end of the arm, and others keep their distance
 * from it. The torso ends below the neck; hips and legs end below the waist. */
static void set_drops(source *s) {
    static const double WAIST_ABOVE_HIPS = 0.08, WAIST_ABOVE_LEGS = 0.18, TORSO_ABOVE_HIPS = 0.395, NECK = 0.09;
    garment_pattern *p = s->to;
    for (int32_t i = 0; i < p->panels; i++) {
        garment_place *place = &p->panel[i].place;
        double highest = s->height[i], shift = strstr(place->around, "_leg")         ? WAIST_ABOVE_LEGS
                                               : strcmp(place->around, "hips") == 0  ? WAIST_ABOVE_HIPS
                                               : strcmp(place->around, "torso") == 0 ? NECK
                                                                                     : 0;
        for (int32_t k = 0; k < p->panels; k++)
            if (same_region(p->panel[k].place.around, place->around)) {
                highest = fmax(highest, s->height[k]);
                if (strcmp(place->around, "hips") == 0 && strcmp(p->panel[k].place.around, "torso") == 0)
                    shift = TORSO_ABOVE_HIPS + NECK;
            }
        place->drop = highest - s->height[i] - shift;
    }
}

static weft_result read_properties(const weft_value *properties, source *s) {
    const weft_value *units = weft_value_find(properties, "units_in_meter"),
                     *coords = weft_value_find(properties, "curvature_coords");
    double per_metre = 100;
    WEFT_TRY(garment_read_number(units, "units_in_meter", "", 1e-3, 1e5, &per_metre));
    s->metre = 1 / per_metre;
    s->absolute = coords && strcmp(coords->text, "absolute") == 0;
    if (coords && !s->absolute && strcmp(coords->text, "relative") != 0)
        return garment_bad(coords, "curvature_coords: '%.40s' is neither relative nor absolute", coords->text);
    return weft_ok();
}

static weft_result read_specification(const weft_value *root, garment_pattern *pattern) {
    source s = {.to = pattern};
    const weft_value *body = weft_value_find(root, "pattern"), *panels = weft_value_find(body, "panels");
    if (!panels || panels->kind != WEFT_VALUE_MAP || panels->count < 1)
        return garment_bad(root, "no GarmentCode specification: 'pattern.panels' is missing");
    WEFT_TRY(read_properties(weft_value_find(root, "properties"), &s));
    for (const weft_value *v = panels->first; v; v = v->next)
        WEFT_TRY(read_panel(&s, v));
    set_drops(&s);
    garment_make_room(pattern);
    return read_stitches(&s, panels, weft_value_find(body, "stitches"));
}

weft_result garment_import_garmentcode(const char *bytes, size_t size, const char *name, garment_pattern *pattern) {
    weft_tree *tree;
    *pattern = (garment_pattern){.edge_length = 0.02};
    garment_name_of_file(name, pattern->name);
    char *ending = strstr(pattern->name, "_specification");
    if (ending && ending != pattern->name)
        *ending = 0;
    WEFT_TRY(weft_yaml_read_memory(bytes, size, name, &tree));
    weft_result result = read_specification(weft_tree_root(tree), pattern);
    weft_tree_destroy(tree);
    return result;
}
