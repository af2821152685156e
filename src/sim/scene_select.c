/* Selections of cloth vertices by side, box, group and so on, for pins and maps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scene_reader.h"

static const char *const SELECTORS[] = {"vertices", "side", "corner", "box", "sphere", "nearest", "group", "all", NULL};

static weft_result read_name(const weft_value *value, const char *what, const char *const *names, const char **name) {
    for (int i = 0; names[i]; i++)
        if (value->kind == WEFT_VALUE_TEXT && strcmp(value->text, names[i]) == 0) {
            *name = value->text;
            return weft_ok();
        }
    return scene_fail(value, "%s: '%.32s' is not one of %s, %s, %s, %s", what, value->text, names[0], names[1],
                      names[2], names[3]);
}

static weft_result read_vertices(const weft_value *list, const char *what, weft_select *select) {
    if (list->kind != WEFT_VALUE_LIST || list->count == 0)
        return scene_fail(list, "%s: needs a list of vertex numbers", what);
    int32_t *vertices = malloc((size_t)list->count * sizeof *vertices);
    if (!vertices)
        return weft_fail_memory("a selection", (size_t)list->count * sizeof *vertices);
    select->vertices = vertices;
    for (const weft_value *item = list->first; item; item = item->next) {
        char *end;
        long number = item->kind == WEFT_VALUE_TEXT ? strtol(item->text, &end, 10) : -1;
        if (item->kind != WEFT_VALUE_TEXT || end == item->text || *end || number < 0 || number > WEFT_MESH_LIMIT)
            return scene_fail(item, "%s: '%.32s' is not a vertex number", what, item->text);
        vertices[select->vertex_count++] = (int32_t)number;
    }
    return weft_ok();
}

static weft_result read_box(const weft_value *list, const char *what, weft_select *select) {
    if (list->kind != WEFT_VALUE_LIST || list->count != 2)
        return scene_fail(list, "%s: needs two corners, as in [[0, 0, 0], [1, 1, 1]]", what);
    WEFT_TRY(scene_read_vector(list->first, what, "m", &select->a));
    return scene_read_vector(list->first->next, what, "m", &select->b);
}

static weft_result read_sphere(const weft_value *map, const char *what, weft_select *select) {
    static const char *const KEYS[] = {"centre", "radius", NULL};
    char inner[96];
    WEFT_TRY(scene_check_keys(map, what, KEYS));
    const weft_value *centre = weft_value_find(map, "centre"), *radius = weft_value_find(map, "radius");
    if (!centre || !radius || radius->kind != WEFT_VALUE_TEXT)
        return scene_fail(map, "%s: needs {centre: [x, y, z], radius: r}", what);
    snprintf(inner, sizeof inner, "%.80s.centre", what);
    WEFT_TRY(scene_read_vector(centre, inner, "m", &select->a));
    weft_result result = weft_number_read(radius->text, "m", &select->radius);
    if (result.code != WEFT_OK || select->radius <= 0)
        return scene_fail(radius, "%s.radius: '%.32s' is not a length above 0 (m)", what, radius->text);
    return weft_ok();
}

weft_result scene_check_select(const weft_value *entry, const char *owner, const char *const *others) {
    const char *known[32];
    int count = 0;
    for (int i = 0; SELECTORS[i]; i++)
        known[count++] = SELECTORS[i];
    for (int i = 0; others[i]; i++)
        known[count++] = others[i];
    known[count] = NULL;
    return scene_check_keys(entry, owner, known);
}

weft_result scene_read_select(const weft_value *entry, const char *owner, weft_select *select) {
    const weft_value *chosen = NULL;
    for (int i = 0; SELECTORS[i]; i++) {
        const weft_value *value = weft_value_find(entry, SELECTORS[i]);
        if (value && chosen)
            return scene_fail(value, "%s: '%s' and '%s' at once; give one", owner, chosen->key, value->key);
        if (value) {
            chosen = value;
            select->kind = (weft_select_kind)i;
        }
    }
    if (!chosen)
        return scene_fail(entry, "%s: needs one of side, corner, vertices, box, sphere, nearest, group, all", owner);
    char what[80];
    snprintf(what, sizeof what, "%.40s.%s", owner, chosen->key);
    switch (select->kind) {
    case WEFT_SELECT_VERTICES:
        return read_vertices(chosen, what, select);
    case WEFT_SELECT_SIDE:
    case WEFT_SELECT_CORNER:
        return read_name(chosen, what, weft_select_names(select->kind), &select->name);
    case WEFT_SELECT_BOX:
        return read_box(chosen, what, select);
    case WEFT_SELECT_SPHERE:
        return read_sphere(chosen, what, select);
    case WEFT_SELECT_NEAREST:
        return scene_read_vector(chosen, what, "m", &select->a);
    case WEFT_SELECT_GROUP:
        select->name = chosen->text;
        return weft_ok();
    case WEFT_SELECT_ALL:
        if (chosen->kind == WEFT_VALUE_TEXT && strcmp(chosen->text, "true") == 0)
            return weft_ok();
        return scene_fail(chosen, "%s: '%.32s' is not true; leave it out", what, chosen->text);
    }
    return weft_ok();
}
