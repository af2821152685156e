/* Reads a scene: the top-level keys, component names and settings. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/require.h"
#include "sim/scene_reader.h"
#include "sim/state.h"
#include "weft/text.h"

weft_result scene_fail(const weft_value *value, const char *format, ...) {
    char place[320], message[400];
    weft_value_place(value, place, sizeof place);
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(message, sizeof message, format, arguments);
    va_end(arguments);
    return weft_fail(WEFT_BAD_INPUT, "%s%s", place, message);
}

weft_result scene_at(const weft_value *value, weft_result result) {
    if (result.code == WEFT_OK)
        return result;
    char place[320];
    weft_value_place(value, place, sizeof place);
    if (strncmp(result.message, place, strlen(place)) == 0)
        return result;
    return weft_fail(result.code, "%s%.400s", place, result.message);
}

weft_result scene_check_keys(const weft_value *map, const char *what, const char *const *known) {
    static const weft_param NONE[] = {{0}};
    return weft_params_read(NONE, map, what, known, NULL);
}

weft_result scene_read_numbers(const weft_value *list, const char *what, const char *unit, int count, double *numbers) {
    if (list->kind != WEFT_VALUE_LIST || list->count != count)
        return scene_fail(list, "%s: needs a list of %d numbers", what, count);
    int i = 0;
    for (const weft_value *item = list->first; item; item = item->next, i++) {
        if (item->kind != WEFT_VALUE_TEXT)
            return scene_fail(item, "%s: entry %d is not a number", what, i);
        weft_result result = weft_number_read(item->text, unit, &numbers[i]);
        if (result.code != WEFT_OK)
            return scene_fail(item, "%s: %s", what, result.message);
    }
    return weft_ok();
}

weft_result scene_read_vector(const weft_value *list, const char *what, const char *unit, weft_vec3 *vector) {
    double number[3];
    WEFT_TRY(scene_read_numbers(list, what, unit, 3, number));
    *vector = weft_vec3_make(number[0], number[1], number[2]);
    return weft_ok();
}

weft_result scene_component_name(const weft_value *value, const char *what, const char *fallback, const char **name) {
    *name = fallback;
    if (!value)
        return weft_ok();
    const weft_value *text = value->kind == WEFT_VALUE_MAP ? weft_value_find(value, "name") : value;
    if (!text)
        return weft_ok();
    if (text->kind != WEFT_VALUE_TEXT || !text->text[0])
        return scene_fail(text, "%s: needs a name, as in %s: %s", what, what, fallback);
    *name = text->text;
    return weft_ok();
}

static int is_listed(const char *const *names, const char *name) {
    for (int i = 0; names && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return 1;
    return 0;
}

/* Writes lists as "[1, 0, 0]", which is how parameters read them. */
static weft_result flat_text(const weft_value *value, char *buffer, size_t size) {
    if (value->kind == WEFT_VALUE_TEXT) {
        if ((size_t)snprintf(buffer, size, "%s", value->text) >= size)
            return scene_fail(value, "%s: the text is too long", value->key);
        return weft_ok();
    }
    if (value->kind == WEFT_VALUE_MAP)
        return scene_fail(value, "%s: a map, but a single value is needed", value->key);
    size_t used = (size_t)snprintf(buffer, size, "[");
    for (const weft_value *item = value->first; item; item = item->next) {
        if (item->kind != WEFT_VALUE_TEXT)
            return scene_fail(item, "%s: needs plain numbers", value->key);
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", item->text, item->next ? ", " : "]");
        if (used + 2 >= size)
            return scene_fail(value, "%s: the list is too long", value->key);
    }
    return weft_ok();
}

weft_result scene_apply_value(scene_reader *reader, const weft_value *value, const char *path) {
    char text[300], whole[200];
    WEFT_TRY(flat_text(value, text, sizeof text));
    snprintf(whole, sizeof whole, "%.120s.%.64s", path, value->key);
    return scene_at(value, weft_sim_set(reader->sim, whole, text));
}

weft_result scene_apply(scene_reader *reader, const weft_value *map, const char *path, const char *const *except) {
    if (!map || (map->kind == WEFT_VALUE_TEXT && !map->text[0]))
        return weft_ok();
    if (map->kind != WEFT_VALUE_MAP)
        return scene_fail(map, "%s: needs named values, as in {key: value}", path);
    for (const weft_value *value = map->first; value; value = value->next) {
        if (is_listed(except, value->key))
            continue;
        WEFT_TRY(scene_apply_value(reader, value, path));
    }
    return weft_ok();
}

int scene_is_set(const weft_value *value) { return strcmp(value->file, "--set") == 0; }

/* Whether --set named another component, and the scene file's `value` belongs only to other components of that kind. */
static int is_of_another(const scene_reader *reader, weft_kind kind, const weft_value *name, const weft_value *value) {
    if (!name || !scene_is_set(name) || scene_is_set(value))
        return 0;
    const weft_component *named = weft_registry_find(reader->registry, kind, name->text);
    if (!named || weft_params_find(named->params, value->key))
        return 0;
    for (int i = 0; i < weft_registry_count(reader->registry); i++) {
        const weft_component *other = weft_registry_at(reader->registry, i);
        if (other->kind == kind && weft_params_find(other->params, value->key))
            return 1;
    }
    return 0;
}

weft_result scene_apply_component(scene_reader *reader, const weft_value *map, const char *path, weft_kind kind) {
    const weft_value *name = weft_value_find(map, "name");
    if (!map || map->kind != WEFT_VALUE_MAP)
        return weft_ok();
    for (const weft_value *value = map->first; value; value = value->next)
        if (value != name && !is_of_another(reader, kind, name, value))
            WEFT_TRY(scene_apply_value(reader, value, path));
    return weft_ok();
}

static const char *const NAME_ONLY[] = {"name", NULL};

static weft_result read_integrator(scene_reader *reader, const weft_value *value) {
    const char *name;
    WEFT_TRY(scene_component_name(value, "integrator", WEFT_DEFAULT_INTEGRATOR, &name));
    if (!value)
        return weft_ok();
    WEFT_TRY(scene_at(value, weft_sim_set_integrator(reader->sim, name)));
    return scene_apply_component(reader, value, "integrator", WEFT_INTEGRATOR);
}

/* `cuda` or `{name: cuda, number: 1}`. */
static weft_result read_device(scene_reader *reader, const weft_value *value) {
    if (!value || value->kind == WEFT_VALUE_MAP)
        return scene_apply(reader, value, "device", NULL);
    if (value->kind != WEFT_VALUE_TEXT)
        return scene_fail(value, "device: needs a name, as in device: cuda");
    return scene_at(value, weft_sim_set(reader->sim, "device.name", value->text));
}

/* Whether the key names an adaptation: it has settings of its own, or the registry knows it. Otherwise it is a
 * setting. */
static int names_adaptation(const scene_reader *reader, const weft_value *entry) {
    return entry->kind == WEFT_VALUE_MAP || weft_registry_find(reader->registry, WEFT_ADAPT, entry->key) != NULL;
}

/* `sqrt3`, `{name: sqrt3, every: 4}` or `{sqrt3: {every: 4}}`. */
static weft_result read_adapt(scene_reader *reader, const weft_value *value) {
    if (!value)
        return weft_ok();
    const char *name;
    const weft_value *settings = value->kind == WEFT_VALUE_MAP ? value : NULL;
    if (settings && settings->count == 1 && names_adaptation(reader, settings->first)) {
        name = settings->first->key;
        settings = settings->first;
    } else {
        WEFT_TRY(scene_component_name(value, "adapt", "sqrt3", &name));
    }
    WEFT_TRY(scene_at(value, weft_sim_set_adapt(reader->sim, name)));
    return scene_apply(reader, settings, "adapt", NAME_ONLY);
}

/* An entry is `gravity` or `wind: {speed: 6}`. */
static weft_result read_force(scene_reader *reader, const weft_value *entry) {
    const char *name = entry->text;
    const weft_value *settings = NULL;
    if (entry->kind == WEFT_VALUE_MAP && entry->count == 1) {
        name = entry->first->key;
        settings = entry->first;
    } else if (entry->kind != WEFT_VALUE_TEXT) {
        return scene_fail(entry, "forces: an entry is a name, or one name with its values, as in wind: {speed: 6}");
    }
    int32_t index;
    WEFT_TRY(scene_at(entry, weft_sim_add_force(reader->sim, name, &index)));
    char path[32];
    snprintf(path, sizeof path, "forces.%d", index);
    return scene_apply(reader, settings, path, NULL);
}

/* Without `forces` there is gravity. A list replaces it; an empty one means no forces. */
static weft_result read_forces(scene_reader *reader, const weft_value *list) {
    if (!list)
        return weft_sim_add_force(reader->sim, "gravity", NULL);
    if (list->kind != WEFT_VALUE_LIST)
        return scene_fail(list, "forces: needs a list, as in [gravity, wind: {speed: 6}]");
    WEFT_TRY(weft_sim_remove_force(reader->sim, 0)); /* the gravity of a new simulation */
    for (const weft_value *entry = list->first; entry; entry = entry->next)
        WEFT_TRY(read_force(reader, entry));
    return weft_ok();
}

static weft_result read_cloths(scene_reader *reader, const weft_value *value, const weft_value *root) {
    if (!value)
        return scene_fail(root, "the scene has no `cloth`");
    if (value->kind == WEFT_VALUE_MAP)
        return scene_read_cloth(reader, value, 0);
    if (value->kind != WEFT_VALUE_LIST || value->count == 0)
        return scene_fail(value, "cloth: needs one cloth or a list of them, each with `grid`, `mesh` or `garment`");
    int index = 0;
    for (const weft_value *entry = value->first; entry; entry = entry->next)
        WEFT_TRY(scene_read_cloth(reader, entry, index++));
    return weft_ok();
}

static weft_result read_pins_and_cuts(scene_reader *reader, const weft_value *entry, int32_t cloth) {
    WEFT_TRY(scene_read_pins(reader, entry, cloth));
    return scene_read_cuts(reader, weft_value_find(entry, "cuts"), cloth);
}

/* Pins and cuts need a prepared simulation, so they are read last. */
static weft_result read_all_pins_and_cuts(scene_reader *reader, const weft_value *value) {
    if (value->kind == WEFT_VALUE_MAP)
        return read_pins_and_cuts(reader, value, 0);
    int32_t cloth = 0;
    for (const weft_value *entry = value->first; entry; entry = entry->next)
        WEFT_TRY(read_pins_and_cuts(reader, entry, cloth++));
    return weft_ok();
}

/* Separates touching layers first, because repair is not meant for them. */
static weft_result separate_and_repair(scene_reader *reader) {
    char wanted[16];
    weft_repair done;
    weft_separation separation;
    WEFT_TRY(weft_sim_separate_layers(reader->sim, &separation));
    WEFT_TRY(weft_sim_get(reader->sim, "contact.repair", wanted, sizeof wanted));
    return strcmp(wanted, "true") == 0 ? weft_sim_repair(reader->sim, &done) : weft_ok();
}

static weft_result read_time(scene_reader *reader, const weft_value *value) {
    WEFT_TRY(scene_apply(reader, value, "time", NULL));
    const weft_value *step = value ? weft_value_find(value, "step") : NULL;
    weft_result result = weft_clock_check(weft_sim_clock(reader->sim));
    return value ? scene_at(step ? step : value, result) : result;
}

/* The value of a fabric or model that a message names, as in "cloth 'sheet': fabric.tear_weft: ...", or null. */
static const weft_value *find_cloth_setting(const weft_value *cloth, const char *message) {
    static const char *const SECTIONS[][2] = {{": fabric.", "fabric"}, {": model.", "model"}};
    const weft_value *name = weft_value_find(cloth, "name");
    if (name && !strstr(message, name->text))
        return NULL;
    for (int i = 0; i < 2; i++) {
        const char *named = strstr(message, SECTIONS[i][0]);
        char key[64];
        if (!named)
            continue;
        named += strlen(SECTIONS[i][0]);
        snprintf(key, sizeof key, "%.*s", (int)strcspn(named, ": "), named);
        return weft_value_find(weft_value_find(cloth, SECTIONS[i][1]), key);
    }
    return NULL;
}

/* The value of some cloth that a message names, or all cloths. */
static const weft_value *find_cloth(const weft_value *cloths, const char *message) {
    const weft_value *found = cloths->kind == WEFT_VALUE_MAP ? find_cloth_setting(cloths, message) : NULL;
    for (const weft_value *entry = cloths->first; entry && cloths->kind == WEFT_VALUE_LIST && !found;
         entry = entry->next)
        found = find_cloth_setting(entry, message);
    return found ? found : cloths;
}

/* The value of the adapt setting that a message names, or `adapt` itself. Returns `other` for any other message. */
static const weft_value *find_named_setting(const weft_value *root, const char *message, const weft_value *other) {
    const char *named = strstr(message, "adapt.");
    const weft_value *adapt = named ? weft_value_find(root, "adapt") : NULL;
    if (!adapt || adapt->kind != WEFT_VALUE_MAP)
        return adapt ? adapt : other;
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(named + 6, ": "), named + 6);
    const weft_value *settings = adapt->count == 1 && adapt->first->kind == WEFT_VALUE_MAP ? adapt->first : adapt;
    const weft_value *setting = weft_value_find(settings, key);
    return setting ? setting : adapt;
}

static weft_result read_root(scene_reader *reader, const weft_value *root) {
    static const char *const KEYS[] = {"description", "time",  "integrator", "air",  "cloth",  "forces", "bodies",
                                       "contact",     "adapt", "output",     "view", "inputs", "device", NULL};
    WEFT_TRY(scene_check_keys(root, "scene", KEYS));
    WEFT_TRY(read_time(reader, weft_value_find(root, "time")));
    WEFT_TRY(scene_apply(reader, weft_value_find(root, "air"), "air", NULL));
    const weft_value *integrator = weft_value_find(root, "integrator");
    WEFT_TRY(read_integrator(reader, integrator));
    WEFT_TRY(read_device(reader, weft_value_find(root, "device")));
    const weft_value *cloth = weft_value_find(root, "cloth");
    reader->bodies = weft_value_find(root, "bodies");
    WEFT_TRY(read_cloths(reader, cloth, root));
    WEFT_TRY(read_forces(reader, weft_value_find(root, "forces")));
    WEFT_TRY(scene_add_settling(reader));
    WEFT_TRY(scene_read_bodies(reader, reader->bodies));
    WEFT_TRY(scene_read_contact(reader, weft_value_find(root, "contact")));
    WEFT_TRY(read_adapt(reader, weft_value_find(root, "adapt")));
    weft_result prepared = weft_sim_prepare(reader->sim);
    const weft_value *device = weft_value_find(root, "device");
    if (device && strncmp(prepared.message, "device ", 7) == 0)
        return scene_at(device, prepared);
    WEFT_TRY(scene_at(find_named_setting(root, prepared.message, find_cloth(cloth, prepared.message)), prepared));
    WEFT_TRY(read_all_pins_and_cuts(reader, cloth));
    WEFT_TRY(scene_attach_garments(reader));
    WEFT_TRY(separate_and_repair(reader));
    return scene_check_garments(reader, cloth);
}

weft_result weft_scene_locate(const weft_tree *tree, weft_result result) {
    const weft_value *setting = find_named_setting(weft_tree_root((weft_tree *)tree), result.message, NULL);
    return setting ? scene_at(setting, result) : result;
}

weft_result weft_scene_read(const weft_registry *registry, const weft_tree *tree, const weft_scene_files *files,
                            weft_sim **sim) {
    WEFT_REQUIRE(sim);
    *sim = NULL;
    WEFT_REQUIRE(tree);
    const weft_value *root = weft_tree_root((weft_tree *)tree);
    if (!root || root->kind != WEFT_VALUE_MAP)
        return scene_fail(root, "a scene is a map with at least `cloth`");
    scene_reader reader = {.files = files};
    WEFT_TRY(weft_sim_create(registry, &reader.sim));
    reader.registry = reader.sim->registry;
    weft_result result = read_root(&reader, root);
    scene_free_attachments(&reader);
    if (result.code == WEFT_OK)
        *sim = reader.sim;
    else
        weft_sim_destroy(reader.sim);
    return result;
}
