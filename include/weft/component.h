/* A component: a named thing that a scene can choose. Adding one is one file and one line in the list of built-ins, or
 * a shared object that exports `weft_plugin`. */
#ifndef WEFT_COMPONENT_H
#define WEFT_COMPONENT_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

typedef enum weft_kind {
    WEFT_MODEL = 1,  /* functions: weft_model_functions, weft/model.h */
    WEFT_INTEGRATOR, /* functions: weft_integrator_functions, weft/integrator.h */
    WEFT_FORCE,      /* functions: weft_force_functions, weft/force.h */
    WEFT_WRITER,     /* functions: weft_writer_functions, io/writer.h */
    WEFT_BODY,       /* functions: weft_body_functions, weft/body.h */
    WEFT_ADAPT       /* functions: weft_adapt_functions, weft/adapt.h */
} weft_kind;

typedef struct weft_component {
    uint32_t abi; /* WEFT_ABI */
    weft_kind kind;
    const char *name; /* as in scene files: lower case, words joined by '-' */
    const char *help; /* one line */
    size_t settings_size;
    const weft_param *params; /* null when there are none */
    const void *functions;
    const char *paper; /* where the method is published, "" when nowhere */
} weft_component;

/* The components known to a program. Fixed once simulations use it; may be shared between simulations. */
typedef struct weft_registry weft_registry;

/* With the engine's built-ins. */
WEFT_API weft_result weft_registry_create(weft_registry **registry);
WEFT_API void weft_registry_destroy(weft_registry *registry); /* null is allowed */
/* `component` is not copied. Refused when the ABI differs, the name is taken or a table is inconsistent. */
WEFT_API weft_result weft_registry_add(weft_registry *registry, const weft_component *component);
WEFT_API int weft_registry_count(const weft_registry *registry);
WEFT_API const weft_component *weft_registry_at(const weft_registry *registry, int index);
/* null when there is none of that name */
WEFT_API const weft_component *weft_registry_find(const weft_registry *registry, weft_kind kind, const char *name);
/* The same, or a message that names the nearest one; `place` comes from weft_value_place. */
WEFT_API weft_result weft_registry_require(const weft_registry *registry, weft_kind kind, const char *name,
                                           const char *place, const weft_component **component);
/* "model", "integrator", ... */
WEFT_API const char *weft_kind_name(weft_kind kind);

/* What a plugin exports under the name "weft_plugin". */
typedef weft_result (*weft_plugin_entry)(weft_registry *registry);

WEFT_END
#endif
