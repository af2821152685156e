/* How cloth meets bodies, other cloth and itself. */
#ifndef WEFT_CONTACT_H
#define WEFT_CONTACT_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/* What happens when surfaces begin to pass through each other. */
typedef enum weft_on_intersection { WEFT_GO_ON, WEFT_STOP } weft_on_intersection;

typedef enum weft_contact_method {
    WEFT_BY_IMPULSE,   /* by impulses after the solve */
    WEFT_BY_CONSTRAINT /* as constraints of the solve, and impulses for what is left */
} weft_contact_method;

/* How pairs that may meet are found; both find the same ones. */
typedef enum weft_contact_search { WEFT_SEARCH_TREE, WEFT_SEARCH_HASH } weft_contact_search;

/* How much is looked for in every step. */
typedef enum weft_contact_mode {
    WEFT_CONTACT_EXACT, /* all pairs that may meet, and collisions with the triangles of shapes */
    WEFT_CONTACT_FAST   /* pairs of what moved by half of `margin` alone; shapes hold vertices by their distance */
} weft_contact_mode;

typedef struct weft_contact_settings {
    int32_t mode;            /* weft_contact_mode */
    double margin;           /* of pairs that are kept, beyond the thickness, m; 0: by the edges */
    int32_t self;            /* cloth against cloth, its own and other; bodies always count */
    double thickness;        /* distance that two layers, or a layer and a body, keep, m */
    double friction;         /* factor on all coefficients of friction */
    double strain_limit;     /* of edges, as a part of their length; 0: none */
    int32_t bodies;          /* weft_contact_method, in implicit integrators: cloth on bodies */
    int32_t layers;          /* the same for cloth on cloth */
    int32_t solves;          /* per linear system at most, until the constraints are consistent */
    int32_t sweeps;          /* over the contacts that a step begins with */
    int32_t iterations;      /* rounds of collision impulses before groups of vertices are made rigid */
    int32_t zones;           /* rounds of that */
    int32_t halvings;        /* how often the step is halved first */
    double stretch;          /* of edges in a step, as a part of their length, that halves it too; 0: none */
    int32_t search;          /* weft_contact_search */
    int32_t on_intersection; /* weft_on_intersection */
    int32_t repair;          /* a start that intersects is untangled */
    int32_t audit;           /* intersections are counted after every step */
} weft_contact_settings;
WEFT_API const weft_param *weft_contact_params(void);

/* What contact did in a step. */
typedef struct weft_contact_report {
    int32_t contacts;   /* touching pairs and vertices that were pushed apart */
    int32_t impulses;   /* collisions within the step that were stopped */
    int32_t zones;      /* groups of vertices that were made to move rigidly */
    int32_t unresolved; /* collisions that were left, because their bodies or pins leave no room */
    int32_t between[2]; /* of the first of these: a cloth, and a cloth or, numbered after the cloths, a body */
    int32_t rounds;     /* of collision detection */
    int64_t
        intersections; /* edges through triangles that are left, the most of a step; counted when there is reason to */
    double detection_seconds; /* of the time of contact: to find pairs and collisions */
} weft_contact_report;

WEFT_END
#endif
