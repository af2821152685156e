/** @file
 * Adaptation: refines and coarsens the mesh of a cloth while it moves. An adaptation component provides a
 * weft_adapt_functions table. */
#ifndef WEFT_ADAPT_H
#define WEFT_ADAPT_H

#include "weft/base.h"
#include "weft/component.h"
#include "weft/mesh.h"
#include "weft/model.h"
#include "weft/work.h"

WEFT_BEGIN

/** What a refinement criterion uses besides the shape, as bits. */
enum {
    WEFT_SEES_STRAIN = 1, /**< weft_adapt_input::strain */
    WEFT_SEES_CONTACT = 2 /**< weft_adapt_input::touched */
};

/** One cloth at the end of a step. The pointers are views, valid during the call. */
typedef struct weft_adapt_input {
    const weft_mesh *mesh;     /**< has triangles only */
    const weft_vec3 *x;        /**< positions, m (mesh->vertex_count) */
    const weft_strain *strain; /**< (mesh->triangle_count); null if not requested or the model has none */
    const uint8_t *touched;    /**< 1: in contact in the last step (mesh->vertex_count); null if not requested or there
                                  is no contact */
} weft_adapt_input;

/** When adaptation runs, and its limits. */
typedef struct weft_adapt_plan {
    int32_t every;  /**< steps between adaptations, at least 1 */
    int32_t levels; /**< level of the finest triangles; two levels split a triangle into three */
    unsigned sees;  /**< WEFT_SEES_STRAIN, ... */
    int32_t avoids; /**< 1: skip changes that would pass through other cloth or a body */
    double jump;    /**< an edge flip or a coarsening may change the energy by at most that of this strain; others are
                       postponed */
    double energy;  /**< fraction of a cloth's energy by which one adaptation may change it; the rest is postponed */
    int32_t most;   /**< maximum number of triangles of a cloth. Refinement stops there. A start that needs more
                       fails */
} weft_adapt_plan;

/** The functions of an adaptation. `settings` is the component's settings struct. */
typedef struct weft_adapt_functions {
    /** The plan. It may be called often and must be cheap. */
    weft_adapt_plan (*plan)(const void *settings);
    /** Computes the refinement criterion of each vertex (mesh->vertex_count), in a unit of the component's choice. */
    void (*measure)(const void *settings, const weft_work *work, const weft_adapt_input *input, double *need);
    /** Limits of the criterion for triangles of a level. A triangle is refined if a corner is at or above `refine`. An
     * inserted vertex is removed if it and all its neighbours are below `coarsen`. */
    void (*limits)(const void *settings, int32_t level, double *refine, double *coarsen);
    /** Fails for settings that contradict each other. Null if none can. */
    weft_result (*check)(const void *settings);
} weft_adapt_functions;

/** What adaptation did in a step. */
typedef struct weft_adapt_report {
    int32_t inserted; /**< vertices inserted */
    int32_t removed;  /**< vertices removed */
    int32_t turned;   /**< edge flips, including those that splits and joins cause */
    int32_t skipped;  /**< changes skipped, because they would have passed through something */
} weft_adapt_report;

WEFT_END
#endif
