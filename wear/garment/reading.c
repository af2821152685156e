/* Values of garment files: names, lengths, angles, points, sides of seams. */
#include "wear/garment/reading.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "weft/param.h"
#include "weft/text.h"

/* A panel larger than this is a mistake in the unit, m. */
static const double LARGEST = 20;
static const double TURN = 2 * 3.14159265358979323846;

weft_result garment_bad(const weft_value *value, const char *format, ...) {
    char place[320], text[400];
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    weft_value_place(value, place, sizeof place);
    return weft_fail(WEFT_BAD_INPUT, "%s%s", place, text);
}

weft_result garment_check_keys(const weft_value *map, const char *what, const char *const *keys) {
    int count = 0;
    while (keys[count])
        count++;
    if (map->kind != WEFT_VALUE_MAP)
        return garment_bad(map, "%s: must be a map", what);
    for (const weft_value *v = map->first; v; v = v->next) {
        int known = 0;
        for (int i = 0; i < count; i++)
            known |= strcmp(v->key, keys[i]) == 0;
        if (!known)
            return weft_unknown_key(v, what, keys, count);
    }
    return weft_ok();
}

weft_result garment_check_list(const weft_value *list, const char *what, int most) {
    if (list->kind != WEFT_VALUE_LIST || list->count > most)
        return garment_bad(list, "%s: must be a list of at most %d entries", what, most);
    return weft_ok();
}

static int has_control(const char *text) {
    char copy[GARMENT_NAME];
    snprintf(copy, sizeof copy, "%s", text);
    return weft_printable(copy, "") > 0;
}

weft_result garment_read_name(const weft_value *value, const char *text, char name[GARMENT_NAME]) {
    size_t length = strlen(text);
    if (length == 0 || length >= GARMENT_NAME || strcspn(text, ". \t\n") != length || has_control(text))
        return garment_bad(value, "name '%.60s': 1 to %d characters without dots and spaces", text, GARMENT_NAME - 1);
    memcpy(name, text, length + 1);
    return weft_ok();
}

weft_result garment_read_length(const weft_value *value, const char *what, double *metres) {
    const char *end;
    if (!value)
        return weft_ok();
    if (value->kind != WEFT_VALUE_TEXT)
        return garment_bad(value, "%s: must be a number", what);
    double plain = weft_real_parse(value->text, &end);
    if (end != value->text && *end == 0 && isfinite(plain))
        *metres = plain * GARMENT_CM;
    else {
        weft_result result = weft_number_read(value->text, "m", metres);
        if (result.code != WEFT_OK)
            return garment_bad(value, "%s: %s", what, result.message);
    }
    return weft_ok();
}

weft_result garment_read_number(const weft_value *value, const char *what, const char *unit, double low, double high,
                                double *number) {
    double read;
    if (!value)
        return weft_ok();
    if (value->kind != WEFT_VALUE_TEXT)
        return garment_bad(value, "%s: must be a number", what);
    weft_result result = weft_number_read(value->text, unit, &read);
    if (result.code != WEFT_OK)
        return garment_bad(value, "%s: %s", what, result.message);
    if (!(read >= low && read <= high))
        return garment_bad(value, "%s: %.40s is not between %g and %g%s%s", what, value->text, low, high,
                           unit[0] ? " " : "", unit);
    *number = read;
    return weft_ok();
}

weft_result garment_read_angle(const weft_value *value, const char *what, double *radians) {
    double read = 0;
    WEFT_TRY(garment_read_number(value, what, "rad", -1e9, 1e9, &read));
    if (fabs(read) > TURN * (1 + 1e-9))
        return garment_bad(value, "%s: %.40s is more than one turn; a plain number is in rad: write 90 deg", what,
                           value->text);
    if (value)
        *radians = read;
    return weft_ok();
}

weft_result garment_read_flag(const weft_value *value, const char *what, int32_t *flag) {
    if (!value)
        return weft_ok();
    *flag = strcmp(value->text, "true") == 0;
    if (!*flag && strcmp(value->text, "false") != 0)
        return garment_bad(value, "%s: '%.40s' is neither true nor false", what, value->text);
    return weft_ok();
}

weft_result garment_read_lengths(const weft_value *list, const char *what, int count, double *metres) {
    if (list->kind != WEFT_VALUE_LIST || list->count != count)
        return garment_bad(list, "%s: must be a list of %d lengths, in cm", what, count);
    const weft_value *v = list->first;
    for (int i = 0; i < count; i++, v = v->next)
        WEFT_TRY(garment_read_length(v, what, &metres[i]));
    return weft_ok();
}

weft_result garment_read_point(const weft_value *list, const char *what, weft_vec2 *point) {
    double m[2];
    WEFT_TRY(garment_read_lengths(list, what, 2, m));
    *point = (weft_vec2){m[0], m[1]};
    if (!(fabs(point->x) <= LARGEST && fabs(point->y) <= LARGEST))
        return garment_bad(list, "%s: [%g, %g] cm is more than %g m from the origin", what, m[0] / GARMENT_CM,
                           m[1] / GARMENT_CM, LARGEST);
    return weft_ok();
}

static weft_result find_edge(const garment_pattern *pattern, const weft_value *value, const char *what,
                             const char *text, garment_side *side, int *read) {
    char panel[GARMENT_NAME], edge[GARMENT_NAME];
    if (sscanf(text, "%47[^. ].%47[^. ]%n", panel, edge, read) != 2)
        return garment_bad(value, "%s: '%.60s' is not PANEL.EDGE", what, text);
    for (int32_t p = 0; p < pattern->panels; p++)
        side->panel = strcmp(pattern->panel[p].name, panel) == 0 ? p : side->panel;
    if (side->panel < 0)
        return garment_bad(value, "%s: there is no panel '%s'", what, panel);
    const garment_panel *found = &pattern->panel[side->panel];
    for (int32_t e = 0; e < found->edges; e++)
        side->edge = strcmp(found->edge[e].name, edge) == 0 ? e : side->edge;
    return side->edge >= 0 ? weft_ok() : garment_bad(value, "%s: panel %s has no edge '%s'", what, panel, edge);
}

weft_result garment_read_side(const garment_pattern *pattern, const weft_value *value, const char *what,
                              garment_side *side) {
    const char *text = value->kind == WEFT_VALUE_TEXT ? value->text : "";
    int read = 0;
    *side = (garment_side){.panel = -1, .edge = -1, .from = 0, .to = 1};
    WEFT_TRY(find_edge(pattern, value, what, text, side, &read));
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
        return garment_bad(value, "%s: '%.60s': a part of an edge is FROM..TO, with 0 <= FROM < TO <= 1", what, text);
    return weft_ok();
}
