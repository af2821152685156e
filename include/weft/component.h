/** @file
 * Components: models, integrators, forces, bodies, adaptations and writers that a scene selects by name.
 *
 * A component is one file and one line in the list of built-ins, or a shared object that exports `weft_plugin`.
 *
 * A registry must not change while simulations use it. Several threads and simulations may then read it at once. */
#ifndef WEFT_COMPONENT_H
#define WEFT_COMPONENT_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/** Kinds of components. The kind determines the type of weft_component::functions. */
typedef enum weft_kind {
    WEFT_MODEL = 1,  /**< weft_model_functions, weft/model.h */
    WEFT_INTEGRATOR, /**< weft_integrator_functions, weft/integrator.h */
    WEFT_FORCE,      /**< weft_force_functions, weft/force.h */
    WEFT_WRITER,     /**< writers of the command (io/writer.h); plug-ins cannot add them */
    WEFT_BODY,       /**< weft_body_functions, weft/body.h */
    WEFT_ADAPT,      /**< weft_adapt_functions, weft/adapt.h */
    WEFT_DEVICE      /**< backends that compute steps on another processor; their functions are not public */
} weft_kind;

/** Description of a component. It is constant and must outlive every registry that holds it. */
typedef struct weft_component {
    uint32_t abi;             /**< WEFT_ABI */
    weft_kind kind;           /**< type of `functions` */
    const char *name;         /**< as in scene files: lower case, words joined by '-'; unique within its kind */
    const char *help;         /**< one line; never null */
    size_t settings_size;     /**< bytes of the settings struct */
    const weft_param *params; /**< rows of the settings struct; null if it has none */
    const void *functions;    /**< table of functions, as `kind` says; never null */
    const char *paper;        /**< publication of the method; "" if there is none */
} weft_component;

/** The components that a program knows. Opaque. */
typedef struct weft_registry weft_registry;

/** Creates a registry with the built-in components. `*registry` is null on failure. */
WEFT_API weft_result weft_registry_create(weft_registry **registry);
/** Frees the registry, but not the components. Null is allowed. No simulation may use it any more. */
WEFT_API void weft_registry_destroy(weft_registry *registry);
/** Adds a component, which is not copied. Fails if its ABI differs, its name is taken, or its name, help or functions
 * are missing. Also fails if a default of its table is invalid. */
WEFT_API weft_result weft_registry_add(weft_registry *registry, const weft_component *component);
/** Number of components. */
WEFT_API int weft_registry_count(const weft_registry *registry);
/** Component `index`, from 0 on. Null if out of range. */
WEFT_API const weft_component *weft_registry_at(const weft_registry *registry, int index);
/** The component of that kind and name, or null. */
WEFT_API const weft_component *weft_registry_find(const weft_registry *registry, weft_kind kind, const char *name);
/** As weft_registry_find, but fails if there is none, with the nearest name in the message. `place` starts the message;
 * it is "" or comes from weft_value_place. */
WEFT_API weft_result weft_registry_require(const weft_registry *registry, weft_kind kind, const char *name,
                                           const char *place, const weft_component **component);
/** Name of a kind, such as "model". Static text. */
WEFT_API const char *weft_kind_name(weft_kind kind);

/** Type of the function `weft_plugin` that a plugin exports. It adds the plugin's components to the registry. */
typedef weft_result (*weft_plugin_entry)(weft_registry *registry);

WEFT_END
#endif
