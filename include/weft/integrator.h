/** @file
 * Integrators: an integrator component provides a weft_integrator_functions table that advances a weft_system. */
#ifndef WEFT_INTEGRATOR_H
#define WEFT_INTEGRATOR_H

#include "weft/base.h"
#include "weft/component.h"
#include "weft/system.h"

WEFT_BEGIN

/** Numerical outcome of a step. */
typedef enum weft_status {
    WEFT_STATUS_OK = 0,      /**< the step was made */
    WEFT_STATUS_DIVERGED,    /**< non-finite or runaway state or a failed solve, even at the smallest dt allowed */
    WEFT_STATUS_NO_MEMORY,   /**< the scratch memory of the step could not grow */
    WEFT_STATUS_INTERRUPTED, /**< used by programs, never by the step */
    WEFT_STATUS_INTERSECTS   /**< surfaces began to intersect, and contact.on_intersection is stop */
} weft_status;

/** Name of a status, such as "diverged". Static text. */
WEFT_API const char *weft_status_name(weft_status status);

/** The functions of an integrator. */
typedef struct weft_integrator_functions {
    unsigned needs; /**< what the models must offer: WEFT_FORCES, ... (weft/model.h) */
    int looks_back; /**< whether x_before and v_before are used; without it the step keeps fewer arrays in the cache */
    int checks;     /**< whether step itself reports a state that is not finite or diverges */
    /** Makes what lasts between steps, before the first one. May be null. */
    weft_result (*create)(const void *settings, const weft_system *system, void **self);
    /** Frees what create made. May be null if create is. */
    void (*destroy)(void *self);
    /** Fills x_next and v_next. The caller undoes a failed step by dropping them. */
    weft_status (*step)(const void *settings, const weft_system *system, double dt);
    /** Models, fabrics or masses changed. May be null. */
    void (*retuned)(void *self);
    /** Bytes of `self` that later steps depend on, for snapshots. They may differ from step to step. Null when there
     * are none. */
    size_t (*state_size)(const void *self);
    /** Writes state_size bytes. */
    void (*state_save)(const void *self, void *buffer);
    /** Reads what state_save wrote; refuses anything else. */
    weft_result (*state_load)(void *self, const void *buffer, size_t size);
    /** Meshes changed: vertex i was from[i] before, or WEFT_NONE where the elements at it changed (system->count).
     * Afterwards `self` equals what create would make. After a failure it is only destroyed. Null: it is created again.
     */
    weft_result (*reshape)(void *self, const void *settings, const weft_system *system, const int32_t *from);
    /** Links of a model broke or were cut, so its stiffness differs from what `self` saw. May be null. */
    void (*torn)(void *self);
    /** A snapshot was restored: state_load if there is a state, then models and meshes. May be null. */
    weft_result (*restored)(void *self, const void *settings, const weft_system *system);
    /** Why the integrator does not use a value of a cloth, such as "fabric.damping" or "model.damping_time": one static
     * line. Null if it uses it. The function may be null: uses all. */
    const char *(*unused)(const void *settings, const char *value);
    /** Order of accuracy of smooth motion, for time.mode adaptive. 0 counts as 1. */
    int order;
} weft_integrator_functions;

WEFT_END
#endif
