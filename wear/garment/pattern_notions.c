/* What is added to a garment besides panels and seams: elastic bands, buttons, attachments to the body. Sewers call
 * such things notions. */
#include <stdlib.h>
#include <string.h>

#include "wear/garment/reading.h"

/* One side, or a list of them. */
static weft_result read_sides(const garment_pattern *pattern, const weft_value *value, garment_elastic *elastic) {
    if (value->kind != WEFT_VALUE_LIST) {
        elastic->sides = 1;
        return garment_read_side(pattern, value, "elastic", &elastic->side[0]);
    }
    if (value->count < 1)
        return garment_bad(value, "elastic: along: must name at least one edge");
    WEFT_TRY(garment_check_list(value, "elastic: along", GARMENT_MOST_SIDES));
    for (const weft_value *v = value->first; v; v = v->next)
        WEFT_TRY(garment_read_side(pattern, v, "elastic", &elastic->side[elastic->sides++]));
    return weft_ok();
}

static weft_result read_elastic(const garment_pattern *pattern, const weft_value *value, garment_elastic *elastic) {
    static const char *const KEYS[] = {"along", "ratio", "length", "stiffness", NULL};
    const weft_value *along = weft_value_find(value, "along"), *ratio = weft_value_find(value, "ratio"),
                     *length = weft_value_find(value, "length");
    double fabric = 0, band = 0;
    elastic->value = value;
    elastic->stiffness = 50; /* a soft waistband of 25 mm */
    WEFT_TRY(garment_check_keys(value, "elastic", KEYS));
    if (!along || !ratio == !length)
        return garment_bad(value, "elastic: needs 'along' and either 'ratio' or 'length'");
    WEFT_TRY(read_sides(pattern, along, elastic));
    for (int32_t i = 0; i < elastic->sides; i++)
        fabric += garment_side_length(pattern, &elastic->side[i]);
    WEFT_TRY(garment_read_number(ratio, "elastic: ratio", "", 0.1, 1, &elastic->ratio));
    WEFT_TRY(garment_read_length(length, "elastic: length", &band));
    if (length) {
        elastic->ratio = band / fabric;
        if (!(elastic->ratio >= 0.1 && elastic->ratio <= 1))
            return garment_bad(length, "elastic: length: %s on %.1f cm of fabric; 0.1 to 1 times that are allowed",
                               length->text, fabric / GARMENT_CM);
    }
    return garment_read_number(weft_value_find(value, "stiffness"), "elastic: stiffness", "N", 1e-3, 1e5,
                               &elastic->stiffness);
}

/* {panel: NAME, at: [X, Y]}; `what` is "button" or "attach", for messages. */
static weft_result read_point(const garment_pattern *pattern, const weft_value *value, const char *what,
                              garment_point *point) {
    static const char *const KEYS[] = {"panel", "at", NULL};
    const weft_value *panel = weft_value_find(value, "panel"), *at = weft_value_find(value, "at");
    WEFT_TRY(garment_check_keys(value, what, KEYS));
    if (!panel || !at)
        return garment_bad(value, "%s: a point is {panel: NAME, at: [X, Y]}", what);
    point->panel = -1;
    for (int32_t p = 0; p < pattern->panels; p++)
        point->panel = strcmp(pattern->panel[p].name, panel->text) == 0 ? p : point->panel;
    if (point->panel < 0)
        return garment_bad(panel, "%s: there is no panel '%.40s'", what, panel->text);
    WEFT_TRY(garment_read_point(at, what, &point->at));
    if (!garment_panel_holds(&pattern->panel[point->panel], point->at))
        return garment_bad(at, "%s: [%g, %g] cm is outside of panel %s", what, point->at.x / GARMENT_CM,
                           point->at.y / GARMENT_CM, panel->text);
    return weft_ok();
}

static weft_result read_button(const garment_pattern *pattern, const weft_value *value, garment_button *button) {
    static const char *const KEYS[] = {"from", "to", NULL};
    const weft_value *from = weft_value_find(value, "from"), *to = weft_value_find(value, "to");
    button->value = value;
    WEFT_TRY(garment_check_keys(value, "button", KEYS));
    if (!from || !to)
        return garment_bad(value, "button: '%s' is missing", from ? "to" : "from");
    WEFT_TRY(read_point(pattern, from, "button", &button->end[0]));
    return read_point(pattern, to, "button", &button->end[1]);
}

/* Checks a list and makes room for its entries. A missing list has none. */
static weft_result take_list(const weft_value *list, const char *what, size_t size, void **room) {
    if (!list)
        return weft_ok();
    WEFT_TRY(garment_check_list(list, what, GARMENT_MOST_MARKS));
    *room = calloc((size_t)list->count + 1, size);
    return *room ? weft_ok() : weft_fail_memory(what, (size_t)list->count * size);
}

weft_result garment_read_notions(const weft_value *root, garment_pattern *pattern) {
    const weft_value *elastics = weft_value_find(root, "elastics"), *buttons = weft_value_find(root, "buttons"),
                     *attach = weft_value_find(root, "attach");
    WEFT_TRY(take_list(elastics, "elastics", sizeof *pattern->elastic, (void **)&pattern->elastic));
    WEFT_TRY(take_list(buttons, "buttons", sizeof *pattern->button, (void **)&pattern->button));
    WEFT_TRY(take_list(attach, "attach", sizeof *pattern->attachment, (void **)&pattern->attachment));
    for (const weft_value *v = elastics ? elastics->first : NULL; v; v = v->next)
        WEFT_TRY(read_elastic(pattern, v, &pattern->elastic[pattern->elastics++]));
    for (const weft_value *v = buttons ? buttons->first : NULL; v; v = v->next)
        WEFT_TRY(read_button(pattern, v, &pattern->button[pattern->buttons++]));
    for (const weft_value *v = attach ? attach->first : NULL; v; v = v->next) {
        garment_attachment *made = &pattern->attachment[pattern->attachments++];
        made->value = v;
        made->is_point = v->kind == WEFT_VALUE_MAP;
        WEFT_TRY(made->is_point ? read_point(pattern, v, "attach", &made->point)
                                : garment_read_side(pattern, v, "attach", &made->side));
    }
    return weft_ok();
}
