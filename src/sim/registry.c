/* The registry of components, built-in and from plug-ins. */
#include <stdio.h>

#include "core/require.h"
#include "sim/internal.h"
#include "weft/text.h"

struct weft_registry {
    const weft_component **component;
    int count, capacity;
    weft_log log; /* null: none */
    void *log_context;
};

void weft_registry_set_log(weft_registry *registry, weft_log log, void *context) {
    registry->log = log;
    registry->log_context = context;
}

void sim_log(const weft_sim *sim, weft_log_level level, const char *format, ...) {
    const weft_registry *registry = sim->registry;
    char text[600];
    if (!registry->log)
        return;
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    registry->log(registry->log_context, level, text);
}

weft_result weft_registry_create(weft_registry **registry) {
    WEFT_REQUIRE(registry);
    *registry = weft_allocate(1, sizeof **registry);
    if (!*registry)
        return weft_fail_memory("a registry", sizeof **registry);
    weft_result result = weft_register_builtins(*registry);
    if (result.code != WEFT_OK) {
        weft_registry_destroy(*registry);
        *registry = NULL;
    }
    return result;
}

void weft_registry_destroy(weft_registry *registry) {
    if (!registry)
        return;
    free(registry->component);
    free(registry);
}

/* Bytes of a setting. */
static size_t size_of(weft_param_type type) {
    switch (type) {
    case WEFT_INT:
    case WEFT_BOOL:
    case WEFT_CHOICE:
        return sizeof(int32_t);
    case WEFT_PAIR:
        return sizeof(weft_vec2);
    case WEFT_VECTOR:
        return sizeof(weft_vec3);
    case WEFT_STRING:
        return WEFT_STRING_SIZE;
    case WEFT_REAL:
    case WEFT_MAP:
        break;
    }
    return sizeof(double);
}

/* Every default must be a value that its own row accepts. */
static weft_result check_table(const weft_component *component) {
    if (!component->params)
        return weft_ok();
    void *settings = weft_allocate(1, component->settings_size);
    if (!settings)
        return weft_fail_memory(component->name, component->settings_size);
    weft_result result = weft_ok();
    for (const weft_param *row = component->params; row->name && result.code == WEFT_OK; row++) {
        if (!row->fallback || !row->unit || !row->help)
            result = weft_fail(WEFT_BAD_INPUT, "%s.%s: a parameter needs a default, a unit and help", component->name,
                               row->name);
        else if (row->offset + size_of(row->type) > component->settings_size)
            result = weft_fail(WEFT_BAD_INPUT, "%s.%s: offset %zu lies outside the settings", component->name,
                               row->name, row->offset);
        else
            result = weft_param_read_text(row, row->fallback, component->name, settings);
    }
    free(settings);
    return result;
}

/* The functions that the bits of `gives` promise (weft/model.h). */
static weft_result check_model(const weft_component *component) {
    const weft_model_functions *f = component->functions;
    const char *missing = NULL;
    if (!f->create || !f->destroy)
        missing = "create and destroy";
    else if ((f->gives & WEFT_FORCES) && !f->force)
        missing = "force";
    else if ((f->gives & WEFT_CONSTRAINTS) && !f->relax)
        missing = "relax";
    else if ((f->gives & WEFT_HESSIANS) && !(f->element_lists && f->element_blocks))
        missing = "element_lists and element_blocks";
    else if ((f->gives & WEFT_LINKS) && !(f->link_count && f->link_at))
        missing = "link_count and link_at";
    if (!missing)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "model '%s' lacks the functions %s", component->name, missing);
}

weft_result weft_registry_add(weft_registry *registry, const weft_component *component) {
    WEFT_REQUIRE(registry);
    WEFT_REQUIRE(component);
    if (component->abi != WEFT_ABI)
        return weft_fail(WEFT_UNSUPPORTED, "component '%s' was built for ABI %u, this is ABI %d",
                         component->name ? component->name : "?", component->abi, WEFT_ABI);
    if (!component->name || !component->name[0] || !component->functions || !component->help)
        return weft_fail(WEFT_BAD_INPUT, "a component needs a name, one line of help and functions");
    if (weft_registry_find(registry, component->kind, component->name))
        return weft_fail(WEFT_BAD_INPUT, "there is already a %s '%s'", weft_kind_name(component->kind),
                         component->name);
    WEFT_TRY(check_table(component));
    if (component->kind == WEFT_MODEL)
        WEFT_TRY(check_model(component));
    if (registry->count == registry->capacity) {
        int capacity = registry->capacity ? 2 * registry->capacity : 32;
        const weft_component **grown =
            (const weft_component **)realloc(registry->component, (size_t)capacity * sizeof *grown);
        if (!grown)
            return weft_fail_memory("the registry", (size_t)capacity * sizeof *grown);
        registry->component = grown;
        registry->capacity = capacity;
    }
    registry->component[registry->count++] = component;
    return weft_ok();
}

int weft_registry_count(const weft_registry *registry) { return registry->count; }

const weft_component *weft_registry_at(const weft_registry *registry, int index) {
    return index >= 0 && index < registry->count ? registry->component[index] : NULL;
}

const weft_component *weft_registry_find(const weft_registry *registry, weft_kind kind, const char *name) {
    for (int i = 0; i < registry->count; i++)
        if (registry->component[i]->kind == kind && strcmp(registry->component[i]->name, name) == 0)
            return registry->component[i];
    return NULL;
}

weft_result weft_registry_require(const weft_registry *registry, weft_kind kind, const char *name, const char *place,
                                  const weft_component **component) {
    WEFT_REQUIRE(registry);
    WEFT_REQUIRE(name);
    WEFT_REQUIRE(place);
    WEFT_REQUIRE(component);
    *component = weft_registry_find(registry, kind, name);
    if (*component)
        return weft_ok();
    enum { MOST = 128 };
    const char *names[MOST];
    int count = 0;
    for (int i = 0; i < registry->count && count < MOST; i++)
        if (registry->component[i]->kind == kind)
            names[count++] = registry->component[i]->name;
    const char *nearest = weft_nearest(name, names, count);
    if (nearest)
        return weft_fail(WEFT_BAD_INPUT, "%sunknown %s '%.64s'; did you mean '%s'?", place, weft_kind_name(kind), name,
                         nearest);
    char all[240] = "none";
    for (int i = 0, used = 0; i < count && used < (int)sizeof all; i++)
        used += snprintf(all + used, sizeof all - (size_t)used, "%s%s", i > 0 ? ", " : "", names[i]);
    return weft_fail(WEFT_BAD_INPUT, "%sunknown %s '%.64s'; known: %s", place, weft_kind_name(kind), name, all);
}

const char *weft_kind_name(weft_kind kind) {
    switch (kind) {
    case WEFT_MODEL:
        return "model";
    case WEFT_INTEGRATOR:
        return "integrator";
    case WEFT_FORCE:
        return "force";
    case WEFT_WRITER:
        return "writer";
    case WEFT_BODY:
        return "body";
    case WEFT_ADAPT:
        return "adaptation";
    case WEFT_DEVICE:
        return "device";
    }
    return "component";
}
