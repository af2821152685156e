/* Pins of a scene: the vertices, and optional keys and release time. */
#include <stdlib.h>
#include <string.h>

#include "scene/internal.h"

static weft_result read_number(const weft_value *value, const char *what, const char *unit, double *number) {
    if (value->kind != WEFT_VALUE_TEXT)
        return scene_fail(value, "%s: needs a number", what);
    weft_result result = weft_number_read(value->text, unit, number);
    return result.code == WEFT_OK ? result : scene_fail(value, "%s: %s", what, result.message);
}

static weft_result read_key(const weft_value *map, weft_key *key) {
    static const char *const KEYS[] = {"time", "offset", "angle", NULL};
    WEFT_TRY(scene_check_keys(map, "pins.keys", KEYS));
    const weft_value *time = weft_value_find(map, "time"), *offset = weft_value_find(map, "offset");
    const weft_value *angle = weft_value_find(map, "angle");
    if (!time)
        return scene_fail(map, "pins.keys: a key needs a time");
    WEFT_TRY(read_number(time, "pins.keys.time", "s", &key->time));
    if (offset)
        WEFT_TRY(scene_read_vector(offset, "pins.keys.offset", "m", &key->offset));
    return angle ? read_number(angle, "pins.keys.angle", "rad", &key->angle) : weft_ok();
}

/* The caller frees the keys. */
static weft_result read_keys(const weft_value *list, weft_pin *pin) {
    if (!list)
        return weft_ok();
    if (list->kind != WEFT_VALUE_LIST)
        return scene_fail(list, "pins.keys: needs a list, as in [{time: 0, offset: [0, 0, 0]}]");
    weft_key *keys = calloc((size_t)list->count + 1, sizeof *keys);
    if (!keys)
        return weft_fail_memory("keys", (size_t)list->count * sizeof *keys);
    pin->key = keys;
    for (const weft_value *item = list->first; item; item = item->next)
        WEFT_TRY(read_key(item, &keys[pin->key_count++]));
    return weft_ok();
}

static weft_result read_motion(const weft_value *value, weft_pin *pin) {
    const weft_value *release = weft_value_find(value, "release"), *axis = weft_value_find(value, "axis");
    const weft_value *centre = weft_value_find(value, "centre");
    if (release)
        WEFT_TRY(read_number(release, "pins.release", "s", &pin->release));
    if (axis)
        WEFT_TRY(scene_read_vector(axis, "pins.axis", "", &pin->axis));
    if (centre)
        WEFT_TRY(scene_read_vector(centre, "pins.centre", "m", &pin->centre));
    return read_keys(weft_value_find(value, "keys"), pin);
}

static weft_result add_pin(scene_reader *reader, const weft_value *value, int32_t cloth, const weft_select *select,
                           const weft_pin *pin) {
    int32_t count, total = weft_sim_cloth(reader->sim, cloth)->mesh->vertex_count;
    int32_t *vertices = malloc((size_t)total * sizeof *vertices);
    if (!vertices)
        return weft_fail_memory("pins", (size_t)total * sizeof *vertices);
    weft_result result = weft_sim_select(reader->sim, cloth, select, vertices, &count);
    if (result.code == WEFT_OK)
        result = weft_sim_add_pin(reader->sim, cloth, pin, vertices, count);
    free(vertices);
    return scene_at(value, result);
}

static weft_result read_pin(scene_reader *reader, const weft_value *value, int32_t cloth) {
    static const char *const OTHERS[] = {"keys", "release", "axis", "centre", NULL};
    WEFT_TRY(scene_check_select(value, "pins", OTHERS));
    weft_select select = {0};
    weft_pin pin = weft_pin_default();
    weft_result result = scene_read_select(value, "pins", &select);
    if (result.code == WEFT_OK)
        result = read_motion(value, &pin);
    if (result.code == WEFT_OK)
        result = add_pin(reader, value, cloth, &select, &pin);
    free((void *)pin.key);
    free((void *)select.vertices);
    return result;
}

weft_result scene_read_pins(scene_reader *reader, const weft_value *list, int32_t cloth) {
    if (!list)
        return weft_ok();
    if (list->kind != WEFT_VALUE_LIST)
        return scene_fail(list, "pins: needs a list, as in [{side: left}]");
    for (const weft_value *entry = list->first; entry; entry = entry->next)
        WEFT_TRY(read_pin(reader, entry, cloth));
    return weft_ok();
}
