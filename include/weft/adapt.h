/* Adaption: where a cloth's mesh is made finer or coarser while it moves. What an adaption component provides. */
#ifndef WEFT_ADAPT_H
#define WEFT_ADAPT_H

#include "weft/base.h"
#include "weft/component.h"
#include "weft/mesh.h"
#include "weft/model.h"
#include "weft/work.h"

WEFT_BEGIN

/* What a measure may want to see beyond the shape. */
enum { WEFT_SEES_STRAIN = 1, WEFT_SEES_CONTACT = 2 };

/* One cloth at the end of a step. */
typedef struct weft_adapt_input {
    const weft_mesh *mesh;     /* of triangles */
    const weft_vec3 *x;        /* m (mesh->vertex_count) */
    const weft_strain *strain; /* (mesh->triangle_count); null when not asked for, or the model has none */
    const uint8_t *touched;    /* by contact in the last step (mesh->vertex_count); null when not asked for */
} weft_adapt_input;

/* How often an adaption looks, and what for. */
typedef struct weft_adapt_plan {
    int32_t every;  /* steps */
    int32_t levels; /* the finest: each second one has three times as many triangles */
    unsigned sees;  /* WEFT_SEES_... */
    int32_t avoids; /* whether changes that pass through other cloth or a body are left out */
    double jump;    /* strain that turning an edge or joining triangles may bring in; more of it waits */
    double energy;  /* part of a cloth's energy by which one adaption may change it; what is left waits */
    int32_t most;   /* triangles of a cloth; refining stops there, and a start that asks for more is refused */
} weft_adapt_plan;

typedef struct weft_adapt_functions {
    weft_adapt_plan (*plan)(const void *settings);
    /* How much each vertex asks for small triangles (mesh->vertex_count), in a unit of its own. */
    void (*measure)(const void *settings, const weft_work *work, const weft_adapt_input *input, double *need);
    /* A triangle of that level is refined when a corner's need is not below `refine`, an inserted vertex taken out when
     * all needs around it are below `coarsen`. */
    void (*limits)(const void *settings, int32_t level, double *refine, double *coarsen);
    /* Settings that contradict each other; null when there can be none. */
    weft_result (*check)(const void *settings);
} weft_adapt_functions;

/* What adaption did in a step. */
typedef struct weft_adapt_report {
    int32_t inserted, removed; /* vertices */
    int32_t turned;            /* edges, with those that split and joined triangles bring */
    int32_t skipped;           /* changes that would have passed through something */
} weft_adapt_report;

WEFT_END
#endif
