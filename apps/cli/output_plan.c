#include "apps/cli/output_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft-io/checkpoint.h"

static const char OPTION[] = "--write";
static const char NOTHING[] = "none";
static const char FALLBACK[] = "obj";

static const weft_param PARAMS[] = {
    {.name = "checkpoint",
     .type = WEFT_INT,
     .offset = offsetof(weft_output_plan, checkpoint),
     .high = 1e6,
     .fallback = "10",
     .unit = "",
     .help = "frames between checkpoints; 0: only when the run stops"},
    {.name = "keep",
     .type = WEFT_BOOL,
     .offset = offsetof(weft_output_plan, keep),
     .high = 1,
     .fallback = "false",
     .unit = "",
     .help = "keep all checkpoints, so that weft run --from N can compute the frames after N again"},
    {.name = "take",
     .type = WEFT_BOOL,
     .offset = offsetof(weft_output_plan, take),
     .high = 1,
     .fallback = "true",
     .unit = "",
     .help = "store all frames in frames.weft for weft render (12 bytes per vertex and frame)"},
    {.name = "strain",
     .type = WEFT_BOOL,
     .offset = offsetof(weft_output_plan, strain),
     .high = 1,
     .fallback = "false",
     .unit = "",
     .help = "store strain and stress of each triangle in frames.weft and PLY files (24 bytes per triangle and frame)"},
    {.name = "pressure",
     .type = WEFT_BOOL,
     .offset = offsetof(weft_output_plan, pressure),
     .high = 1,
     .fallback = "false",
     .unit = "",
     .help = "store the contact pressure of bodies in frames.weft and PLY files (4 bytes per vertex and frame)"},
    {0},
};

const weft_param *weft_output_params(void) { return PARAMS; }

/* -- copies --write into the scene -- */

/* Copies the text up to one of `stops` or to the end. Returns where it stopped. */
static const char *take(const char *text, const char *stops, char *part, size_t size) {
    size_t length = strcspn(text, stops);
    snprintf(part, size, "%.*s", (int)length, text);
    return text + length;
}

/* Puts ":up=z:scale=100" into the map of the writer. */
static weft_result put_settings(weft_scene_file *scene, const char *writer, const char *text, size_t length) {
    char all[512];
    snprintf(all, sizeof all, "%.*s", (int)length, text);
    weft_value *output = weft_value_find(weft_tree_root(scene->tree), "output");
    weft_value *map = weft_value_find(output, writer);
    if (!map || map->kind != WEFT_VALUE_MAP) {
        map = weft_tree_map(scene->tree, OPTION, 0);
        if (!map)
            return weft_fail_memory(OPTION, sizeof *map);
        WEFT_TRY(weft_value_put(scene->tree, output, writer, map));
        map = weft_value_find(output, writer);
    }
    for (const char *at = all; *at == ':';) {
        char key[64], value[128] = "";
        at = take(at + 1, "=:", key, sizeof key);
        if (*at != '=')
            return weft_fail(WEFT_BAD_INPUT, "%s %s: '%s' is not of the form KEY=VALUE", OPTION, writer, key);
        at = take(at + 1, ":", value, sizeof value);
        weft_value *node = weft_tree_text(scene->tree, value, OPTION, 0);
        if (!node)
            return weft_fail_memory(OPTION, sizeof *node);
        WEFT_TRY(weft_value_put(scene->tree, map, key, node));
    }
    return weft_ok();
}

weft_result weft_output_plan_put(weft_scene_file *scene, const char *write) {
    WEFT_TRY(weft_scene_file_put(scene, "output", "write", "", OPTION)); /* creates the map */
    weft_value *output = weft_value_find(weft_tree_root(scene->tree), "output");
    weft_value *list = weft_tree_list(scene->tree, OPTION, 0);
    if (!list)
        return weft_fail_memory(OPTION, sizeof *list);
    if (!output || output->kind != WEFT_VALUE_MAP)
        return weft_ok(); /* the reader reports the error */
    for (const char *at = write;; at++) {
        char name[64];
        const char *settings = take(at, ",:", name, sizeof name);
        at = settings + strcspn(settings, ",");
        weft_value *node = weft_tree_text(scene->tree, name, OPTION, 0);
        if (!node)
            return weft_fail_memory(OPTION, sizeof *node);
        weft_value_append(list, node);
        if (*settings == ':')
            WEFT_TRY(put_settings(scene, name, settings, (size_t)(at - settings)));
        if (*at == '\0')
            break;
    }
    return weft_value_put(scene->tree, output, "write", list);
}

/* -- reading -- */

static weft_result make_settings(const weft_component *component, const weft_value *output, void **settings) {
    char what[96];
    snprintf(what, sizeof what, "output.%s", component->name);
    *settings = calloc(1, component->settings_size > 0 ? component->settings_size : 1);
    if (!*settings)
        return weft_fail_memory(what, component->settings_size);
    weft_params_default(component->params, *settings);
    return weft_params_read(component->params, weft_value_find(output, component->name), what, NULL, *settings);
}

static weft_result add_writer(weft_output_plan *plan, const weft_registry *registry, const weft_value *output,
                              const char *name, const char *place) {
    const weft_component *component;
    WEFT_TRY(weft_registry_require(registry, WEFT_WRITER, name, place, &component));
    for (int i = 0; i < plan->count; i++)
        if (plan->writer[i].component == component)
            return weft_fail(WEFT_BAD_INPUT, "%soutput.write: '%s' is named twice", place, name);
    if (plan->count == WEFT_MOST_WRITERS)
        return weft_fail(WEFT_BAD_INPUT, "%soutput.write: more than %d writers", place, WEFT_MOST_WRITERS);
    weft_planned_writer *writer = &plan->writer[plan->count++];
    writer->component = component;
    return make_settings(component, output, &writer->settings);
}

/* Handles `write: none`: no shapes at all, unless the scene asks for frames.weft. */
static weft_result add_none(weft_output_plan *plan, const weft_value *output) {
    if (!weft_value_find(output, "take"))
        plan->take = 0;
    return weft_ok();
}

static weft_result add_listed(weft_output_plan *plan, const weft_registry *registry, const weft_value *output,
                              const weft_value *write) {
    char place[320];
    for (const weft_value *item = write->first; item; item = item->next) {
        weft_value_place(item, place, sizeof place);
        if (write->kind != WEFT_VALUE_LIST || item->kind != WEFT_VALUE_TEXT)
            return weft_fail(WEFT_BAD_INPUT, "%soutput.write: needs a list of names, as in [obj, pc2]", place);
        if (write->count == 1 && strcmp(item->text, NOTHING) == 0)
            return add_none(plan, output);
        WEFT_TRY(add_writer(plan, registry, output, item->text, place));
    }
    return weft_ok();
}

/* Settings of unused writers are checked too. */
static weft_result check_unused(const weft_registry *registry, const weft_value *output) {
    for (int i = 0; i < weft_registry_count(registry); i++) {
        const weft_component *component = weft_registry_at(registry, i);
        if (component->kind != WEFT_WRITER || !weft_value_find(output, component->name))
            continue;
        void *settings;
        weft_result result = make_settings(component, output, &settings);
        free(settings);
        WEFT_TRY(result);
    }
    return weft_ok();
}

static weft_result add_writers(weft_output_plan *plan, const weft_registry *registry, const weft_value *output) {
    const weft_value *write = weft_value_find(output, "write");
    if (!write)
        return add_writer(plan, registry, output, FALLBACK, "");
    if (write->kind != WEFT_VALUE_TEXT)
        return add_listed(plan, registry, output, write);
    char place[320];
    weft_value_place(write, place, sizeof place);
    return strcmp(write->text, NOTHING) == 0 ? add_none(plan, output)
                                             : add_writer(plan, registry, output, write->text, place);
}

/* Whether a cloth of the scene is a garment. `weft garment fit` needs its strains and pressures. */
static int has_garment(const weft_scene_file *scene) {
    const weft_value *cloths = weft_value_find(weft_tree_root(scene->tree), "cloth");
    int found = weft_value_find(cloths, "garment") != NULL;
    for (const weft_value *cloth = cloths ? cloths->first : NULL; cloth; cloth = cloth->next)
        found |= weft_value_find(cloth, "garment") != NULL;
    return found;
}

weft_result weft_output_plan_read(weft_output_plan *plan, const weft_scene_file *scene, const weft_registry *registry) {
    *plan = (weft_output_plan){0};
    const weft_value *output = weft_value_find(weft_tree_root(scene->tree), "output");
    enum { MOST = 62 };
    const char *others[MOST + 2] = {"write"};
    int count = 1;
    for (int i = 0; i < weft_registry_count(registry) && count < MOST; i++)
        if (weft_registry_at(registry, i)->kind == WEFT_WRITER)
            others[count++] = weft_registry_at(registry, i)->name;
    weft_params_default(PARAMS, plan);
    plan->strain = plan->pressure = has_garment(scene);
    WEFT_TRY(weft_params_read(PARAMS, output, "output", others, plan));
    WEFT_TRY(check_unused(registry, output));
    WEFT_TRY(add_writers(plan, registry, output));
    if (!plan->take && (weft_output_plan_find(plan, "png") || weft_output_plan_find(plan, "mp4")))
        return weft_fail(WEFT_UNSUPPORTED, "output.take: must be true for png and mp4, which are made from it");
    return weft_ok();
}

const void *weft_output_plan_find(const weft_output_plan *plan, const char *name) {
    for (int i = 0; i < plan->count; i++)
        if (strcmp(plan->writer[i].component->name, name) == 0)
            return plan->writer[i].settings;
    return NULL;
}

uint64_t weft_output_plan_hash(const weft_output_plan *plan, uint64_t hash) {
    hash = weft_hash_bytes(hash, &plan->take, sizeof plan->take);
    if (plan->strain)
        hash = weft_hash_bytes(hash, &plan->strain, sizeof plan->strain);
    if (plan->pressure)
        hash = weft_hash_bytes(hash, "pressure", sizeof "pressure");
    for (int i = 0; i < plan->count; i++) {
        const weft_planned_writer *writer = &plan->writer[i];
        hash = weft_hash_bytes(hash, writer->component->name, strlen(writer->component->name) + 1);
        for (const weft_param *row = writer->component->params; row && row->name; row++) {
            char value[WEFT_STRING_SIZE];
            weft_param_write(row, writer->settings, value, sizeof value);
            hash = weft_hash_bytes(hash, value, strlen(value) + 1);
        }
    }
    return hash;
}

void weft_output_plan_destroy(weft_output_plan *plan) {
    for (int i = 0; i < plan->count; i++)
        free(plan->writer[i].settings);
    *plan = (weft_output_plan){0};
}
