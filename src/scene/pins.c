/* Pins of a scene: a selector, and optionally keys and a release. */
#include <stdlib.h>
#include <string.h>

#include "scene/internal.h"

static const char *const SELECTORS[] = {"vertices", "side", "corner", "box", "sphere", "nearest", "group", "all", NULL};

static const char *const SIDES[] = {"left", "right", "top", "bottom"};
static const char *const CORNERS[] = {"top-left", "top-right", "bottom-left", "bottom-right"};

static weft_result read_name(const weft_value *value, const char *what, const char *const *names, const char **name) {
    for (int i = 0; i < 4; i++)
        if (value->kind == WEFT_VALUE_TEXT && strcmp(value->text, names[i]) == 0) {
            *name = value->text;
            return weft_ok();
        }
    return scene_fail(value, "pins.%s: '%.32s' is not one of %s, %s, %s, %s", what, value->text, names[0], names[1],
                      names[2], names[3]);
}

static weft_result read_vertices(const weft_value *list, weft_select *select) {
    if (list->kind != WEFT_VALUE_LIST || list->count == 0)
        return scene_fail(list, "pins.vertices: needs a list of vertex numbers");
    int32_t *vertices = malloc((size_t)list->count * sizeof *vertices);
    if (!vertices)
        return weft_fail_memory("pins", (size_t)list->count * sizeof *vertices);
    select->vertices = vertices;
    for (const weft_value *item = list->first; item; item = item->next) {
        char *end;
        long number = item->kind == WEFT_VALUE_TEXT ? strtol(item->text, &end, 10) : -1;
        if (item->kind != WEFT_VALUE_TEXT || end == item->text || *end || number < 0 || number > WEFT_MESH_LIMIT)
            return scene_fail(item, "pins.vertices: '%.32s' is not a vertex number", item->text);
        vertices[select->vertex_count++] = (int32_t)number;
    }
    return weft_ok();
}

static weft_result read_box(const weft_value *list, weft_select *select) {
    if (list->kind != WEFT_VALUE_LIST || list->count != 2)
        return scene_fail(list, "pins.box: needs two corners, as in [[0, 0, 0], [1, 1, 1]]");
    WEFT_TRY(scene_read_vector(list->first, "pins.box", "m", &select->a));
    return scene_read_vector(list->first->next, "pins.box", "m", &select->b);
}

static weft_result read_sphere(const weft_value *map, weft_select *select) {
    static const char *const KEYS[] = {"centre", "radius", NULL};
    WEFT_TRY(scene_check_keys(map, "pins.sphere", KEYS));
    const weft_value *centre = weft_value_find(map, "centre"), *radius = weft_value_find(map, "radius");
    if (!centre || !radius || radius->kind != WEFT_VALUE_TEXT)
        return scene_fail(map, "pins.sphere: needs {centre: [x, y, z], radius: r}");
    WEFT_TRY(scene_read_vector(centre, "pins.sphere.centre", "m", &select->a));
    weft_result result = weft_number_read(radius->text, "m", &select->radius);
    if (result.code != WEFT_OK || select->radius <= 0)
        return scene_fail(radius, "pins.sphere.radius: '%.32s' is not a length above 0 (m)", radius->text);
    return weft_ok();
}

/* Fills `select`; its `vertices` are to be freed by the caller. */
static weft_result read_select(const weft_value *pin, weft_select *select) {
    const weft_value *chosen = NULL;
    for (int i = 0; SELECTORS[i]; i++) {
        const weft_value *value = weft_value_find(pin, SELECTORS[i]);
        if (value && chosen)
            return scene_fail(value, "pins: '%s' and '%s' in one pin; give one", chosen->key, value->key);
        if (value) {
            chosen = value;
            select->kind = (weft_select_kind)i;
        }
    }
    if (!chosen)
        return scene_fail(pin, "pins: needs one of side, corner, vertices, box, sphere, nearest, group, all");
    switch (select->kind) {
    case WEFT_SELECT_VERTICES:
        return read_vertices(chosen, select);
    case WEFT_SELECT_SIDE:
        return read_name(chosen, "side", SIDES, &select->name);
    case WEFT_SELECT_CORNER:
        return read_name(chosen, "corner", CORNERS, &select->name);
    case WEFT_SELECT_BOX:
        return read_box(chosen, select);
    case WEFT_SELECT_SPHERE:
        return read_sphere(chosen, select);
    case WEFT_SELECT_NEAREST:
        return scene_read_vector(chosen, "pins.nearest", "m", &select->a);
    case WEFT_SELECT_GROUP:
        select->name = chosen->text;
        return weft_ok();
    case WEFT_SELECT_ALL:
        if (chosen->kind == WEFT_VALUE_TEXT && strcmp(chosen->text, "true") == 0)
            return weft_ok();
        return scene_fail(chosen, "pins.all: '%.32s' is not true; leave it out to pin nothing", chosen->text);
    }
    return weft_ok();
}

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

/* The keys are to be freed by the caller. */
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
    static const char *const KEYS[] = {"vertices", "side", "corner",  "box",  "sphere", "nearest", "group",
                                       "all",      "keys", "release", "axis", "centre", NULL};
    WEFT_TRY(scene_check_keys(value, "pins", KEYS));
    weft_select select = {0};
    weft_pin pin = weft_pin_default();
    weft_result result = read_select(value, &select);
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
