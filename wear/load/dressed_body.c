#include "wear/load/dressed_body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/vec.h"

static weft_result refuse(const weft_value *value, const char *message) {
    char place[320];
    weft_value_place(value, place, sizeof place);
    return weft_fail(WEFT_BAD_INPUT, "%s%s", place, message);
}

/* The settings of an entry `mannequin` or `mannequin: {...}`; null if it is another body. */
static int is_mannequin(const weft_value *entry, const weft_value **settings) {
    *settings = entry->kind == WEFT_VALUE_MAP && entry->count == 1 ? entry->first : NULL;
    return strcmp(*settings ? (*settings)->key : entry->text, mannequin_body.name) == 0;
}

static const char *name_of(const weft_value *entry) {
    return entry->kind == WEFT_VALUE_MAP && entry->first ? entry->first->key : entry->text;
}

/* The entry that `on` names, or null. Without `on` it is the first mannequin. */
static const weft_value *find_entry(const weft_value *on, const weft_value *bodies) {
    char *end;
    const char *name = on ? on->text : mannequin_body.name;
    long index = strtol(name, &end, 10);
    int numbered = name[0] && *end == '\0', i = 0;
    for (const weft_value *entry = bodies ? bodies->first : NULL; entry; entry = entry->next, i++)
        if (numbered ? i == index : strcmp(name_of(entry), name) == 0)
            return entry;
    return NULL;
}

/* `on` with a name must mean one body. */
static weft_result check_only(const weft_value *on, const weft_value *bodies) {
    int first = -1, i = 0;
    for (const weft_value *entry = bodies ? bodies->first : NULL; entry; entry = entry->next, i++) {
        if (strcmp(name_of(entry), on->text) != 0)
            continue;
        if (first >= 0) {
            char place[320];
            weft_value_place(on, place, sizeof place);
            return weft_fail(WEFT_BAD_INPUT,
                             "%scloth.on: body %d and body %d both are '%.64s'; give a number instead, as in on: %d",
                             place, first, i, on->text, first);
        }
        first = i;
    }
    return weft_ok();
}

weft_result weft_dressed_body_find(const weft_value *cloth, const weft_value *bodies, mannequin_settings *settings,
                                   int *found) {
    static const char *const EXCEPT[] = {"keys", NULL};
    const weft_value *on = cloth ? weft_value_find(cloth, "on") : NULL, *values;
    const weft_value *entry = find_entry(on, bodies);
    *found = 0;
    if (on)
        WEFT_TRY(check_only(on, bodies));
    if (on && !entry)
        return refuse(on, "cloth.on: no body of the scene has this name or number");
    if (!entry || !is_mannequin(entry, &values))
        return weft_ok();
    *found = 1;
    weft_params_default(mannequin_body.params, settings);
    return values ? weft_params_read(mannequin_body.params, values, "mannequin", EXCEPT, settings) : weft_ok();
}

/* Garment files give limbs from their far end to the trunk, a mannequin the other way round. */
static garment_part part_of(const mannequin_part *from, weft_vec3 at) {
    int limb = strstr(from->name, "arm") != NULL || strstr(from->name, "leg") != NULL;
    garment_part part = {.front = from->front, .radius = from->radius};
    snprintf(part.name, sizeof part.name, "%s", from->name);
    part.from = weft_add(limb ? from->to : from->from, at);
    part.to = weft_add(limb ? from->from : from->to, at);
    return part;
}

weft_result weft_dressed_body_make(const weft_value *cloth, const weft_value *bodies, mannequin **made, weft_vec3 *at) {
    mannequin_settings settings;
    int found;
    *made = NULL;
    WEFT_TRY(weft_dressed_body_find(cloth, bodies, &settings, &found));
    if (!found)
        return weft_ok();
    const weft_value *entry = weft_value_find(cloth, "garment");
    if (strcmp(MANNEQUIN_POSES[settings.motion.pose], "standing") != 0)
        return refuse(entry, "cloth.garment: is sewn on a mannequin that is standing; use its `motion` to change the "
                             "pose");
    if (weft_length(settings.place.rotate) != 0 || settings.place.scale != 1)
        return refuse(entry, "cloth.garment: is sewn on a mannequin without `rotate` and `scale`");
    *at = settings.place.at;
    return mannequin_obtain(&settings.measures, made);
}

weft_result weft_dressed_body_place(const mannequin *m, weft_vec3 at, garment_pattern *pattern) {
    garment_part part[MANNEQUIN_PARTS];
    for (int i = 0; i < MANNEQUIN_PARTS; i++)
        part[i] = part_of(&m->part[i], at);
    return garment_pattern_place(pattern, part, MANNEQUIN_PARTS);
}
