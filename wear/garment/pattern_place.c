/* Where panels lie around the body before they are sewn. */
#include <math.h>
#include <string.h>

#include "wear/garment/reading.h"
#include "weft/vec.h"

/* The mannequin with a height of 168 cm, a chest of 92, a waist of 76 and a hip of 100 cm, m. Its waist is at 1.048. A
 * mannequin of a scene brings its own parts; these are for patterns without one. */
static const garment_part USUAL[] = {
    {"torso", {0, 0.969, 0}, {0, 1.364, 0}, {0, 0, 1}, 0.171},
    {"neck", {0, 1.413, -0.012}, {0, 1.473, -0.012}, {0, 0, 1}, 0.085},
    {"hips", {0, 0.771, 0}, {0, 0.969, 0}, {0, 0, 1}, 0.184},
    {"left_arm", {0.571, 0.942, 0.002}, {0.173, 1.339, -0.022}, {0, 0, 1}, 0.05},
    {"right_arm", {-0.571, 0.942, 0.002}, {-0.173, 1.339, -0.022}, {0, 0, 1}, 0.05},
    {"left_leg", {0.108, 0.084, -0.018}, {0.104, 0.870, 0.005}, {0, 0, 1}, 0.096},
    {"right_leg", {-0.108, 0.084, -0.018}, {-0.104, 0.870, 0.005}, {0, 0, 1}, 0.096},
};
enum { USUAL_PARTS = sizeof USUAL / sizeof USUAL[0] };

const garment_part *garment_usual_parts(int32_t *parts) {
    *parts = USUAL_PARTS;
    return USUAL;
}

/* Puts a panel around a part. `trunk` is the hips of the same body, or null. */
static weft_result set_place(const weft_value *value, const garment_part *part, const garment_part *trunk,
                             garment_panel *panel) {
    garment_place *place = &panel->place;
    place->trunk = (garment_part){.radius = 0};
    if (trunk && strstr(part->name, "_leg"))
        place->trunk = *trunk;
    place->from = part->from;
    place->to = part->to;
    weft_vec3 axis = weft_normalize(weft_sub(part->to, part->from));
    weft_vec3 front = weft_add_scaled(part->front, -weft_dot(part->front, axis), axis);
    if (!(weft_length(axis) > 0 && weft_length(front) > 1e-9))
        return garment_bad(value, "%s: 'from' and 'to' must differ, and 'front' must not lie along them", part->name);
    place->front = weft_normalize(front);
    place->radius = (place->own_radius > 0 ? place->own_radius : part->radius) + place->gap;
    if (!(place->radius > 0))
        return garment_bad(value, "panel %s: place: the radius must be above 0", panel->name);
    if (isfinite(place->drop))
        place->height = weft_distance(part->from, part->to) - place->drop - (panel->high.y - panel->low.y);
    return weft_ok();
}

static weft_result read_part_point(const weft_value *map, const char *key, const char *what, weft_vec3 *point) {
    const weft_value *v = weft_value_find(map, key);
    double m[3];
    if (!v)
        return garment_bad(map, "%s: '%s' is missing", what, key);
    WEFT_TRY(garment_read_lengths(v, what, 3, m));
    *point = (weft_vec3){m[0], m[1], m[2]};
    return weft_ok();
}

/* A part of the file's own body. */
static weft_result read_part(const weft_value *value, garment_part *part) {
    static const char *const KEYS[] = {"from", "to", "radius", "front", NULL};
    const weft_value *radius = weft_value_find(value, "radius");
    WEFT_TRY(garment_read_name(value, value->key, part->name));
    WEFT_TRY(garment_check_keys(value, part->name, KEYS));
    WEFT_TRY(read_part_point(value, "from", part->name, &part->from));
    WEFT_TRY(read_part_point(value, "to", part->name, &part->to));
    WEFT_TRY(read_part_point(value, "front", part->name, &part->front));
    if (!radius)
        return garment_bad(value, "%s: 'radius' is missing", part->name);
    WEFT_TRY(garment_read_length(radius, "radius", &part->radius));
    return part->radius > 0 ? weft_ok() : garment_bad(radius, "radius: %s is not above 0", radius->text);
}

static const garment_part *find_part(const garment_part *part, int32_t parts, const char *name) {
    for (int32_t i = 0; i < parts; i++)
        if (strcmp(part[i].name, name) == 0)
            return &part[i];
    return NULL;
}

/* `wrap: {side_left: -90 deg, side_right: 90 deg}` */
static weft_result read_wrap(const weft_value *wrap, garment_panel *panel) {
    int left = 0, right = 0;
    if (!wrap)
        return weft_ok();
    if (wrap->kind != WEFT_VALUE_MAP)
        return garment_bad(wrap, "panel %s: place.wrap: must be a map from edges to angles", panel->name);
    for (int32_t e = 0; e < panel->edges; e++)
        panel->edge[e].wrapped = 0;
    for (const weft_value *v = wrap->first; v; v = v->next) {
        garment_edge *edge = NULL;
        for (int32_t e = 0; e < panel->edges; e++)
            if (strcmp(panel->edge[e].name, v->key) == 0)
                edge = &panel->edge[e];
        if (!edge)
            return garment_bad(v, "panel %s: place.wrap: it has no edge '%.40s'", panel->name, v->key);
        WEFT_TRY(garment_read_angle(v, "wrap", &edge->wrap));
        edge->wrapped = 1;
        if (garment_edge_end(edge).y > garment_edge_start(edge).y)
            right = 1;
        else
            left = 1;
    }
    panel->place.wrapped = 1;
    return left && right
               ? weft_ok()
               : garment_bad(wrap, "panel %s: place.wrap: needs an edge on the left and one on the right", panel->name);
}

/* Reads what the file says about the place into `place`, besides the part. */
static weft_result read_keys(const weft_value *value, garment_panel *panel) {
    static const char *const KEYS[] = {"around", "angle", "height", "drop", "radius", "gap", "wrap", NULL};
    const weft_value *around = weft_value_find(value, "around"), *height = weft_value_find(value, "height"),
                     *drop = weft_value_find(value, "drop"), *radius = weft_value_find(value, "radius");
    garment_place *place = &panel->place;
    WEFT_TRY(garment_check_keys(value, "place", KEYS));
    *place = (garment_place){.drop = NAN};
    if (!around || around->kind != WEFT_VALUE_TEXT)
        return garment_bad(value, "panel %s: place.around: the name of a part of the body is missing", panel->name);
    WEFT_TRY(garment_read_name(around, around->text, place->around));
    if (height && drop)
        return garment_bad(value, "panel %s: place: either 'height' or 'drop'", panel->name);
    WEFT_TRY(garment_read_length(radius, "radius", &place->own_radius));
    if (radius && !(place->own_radius > 0))
        return garment_bad(radius, "radius: %s is not above 0", radius->text);
    WEFT_TRY(garment_read_length(weft_value_find(value, "gap"), "gap", &place->gap));
    WEFT_TRY(garment_read_length(height, "height", &place->height));
    WEFT_TRY(garment_read_length(drop, "drop", &place->drop));
    WEFT_TRY(garment_read_angle(weft_value_find(value, "angle"), "angle", &place->angle));
    return read_wrap(weft_value_find(value, "wrap"), panel);
}

weft_result garment_read_place(const weft_value *value, const weft_value *parts, garment_panel *panel) {
    if (value)
        WEFT_TRY(read_keys(value, panel));
    const weft_value *place = value ? value : panel->value, *given = weft_value_find(parts, panel->place.around);
    garment_part own = {.radius = 0};
    const garment_part *part = &own;
    panel->place.in_file = given != NULL;
    if (given)
        WEFT_TRY(read_part(given, &own));
    else
        part = find_part(USUAL, USUAL_PARTS, panel->place.around);
    if (!part)
        return garment_bad(
            place,
            "panel %s: place.around: '%s' is no part of the body: torso, neck, hips, left_arm, right_arm, "
            "left_leg, right_leg, or one of 'body:'",
            panel->name, panel->place.around);
    return set_place(place, part, given ? NULL : find_part(USUAL, USUAL_PARTS, "hips"), panel);
}

/* Of a standing body: limbs may be given from the trunk, too. */
static const garment_part *upright(const garment_part *part, garment_part *turned) {
    *turned = *part;
    if (part->to.y < part->from.y)
        turned->from = part->to, turned->to = part->from;
    return turned;
}

weft_result garment_pattern_place(garment_pattern *pattern, const garment_part *part, int32_t parts) {
    for (int32_t p = 0; p < pattern->panels; p++) {
        garment_panel *panel = &pattern->panel[p];
        const garment_part *found = find_part(part, parts, panel->place.around);
        if (panel->place.in_file)
            continue;
        if (!found)
            return garment_bad(panel->value, "panel %s: the body has no part '%s'", panel->name, panel->place.around);
        garment_part turned, turned_hips;
        const garment_part *hips = find_part(part, parts, "hips");
        WEFT_TRY(set_place(panel->value, upright(found, &turned), hips ? upright(hips, &turned_hips) : NULL, panel));
    }
    return weft_ok();
}
