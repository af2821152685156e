/** @file
 * Settings and reports of contact: between cloth and bodies, between cloths, and self-collision. */
#ifndef WEFT_CONTACT_H
#define WEFT_CONTACT_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/** What a step does when surfaces begin to intersect. It is reported in either case. */
typedef enum weft_on_intersection {
    WEFT_GO_ON, /**< continue */
    WEFT_STOP   /**< return WEFT_STATUS_INTERSECTS */
} weft_on_intersection;

/** How implicit integrators with solver pcg treat contact. Other integrators use impulses. */
typedef enum weft_contact_method {
    WEFT_CONTACT_CONSTRAINTS, /**< constraints of the solve, and impulses for what remains after it */
    WEFT_CONTACT_BARRIER,     /**< a barrier on the distance, inside the minimisation of the step; constraints and
                                 impulses where it fails */
    WEFT_CONTACT_IMPULSES     /**< impulses after the solve */
} weft_contact_method;

/** Broad phases. Both find the same pairs. */
typedef enum weft_contact_search {
    WEFT_SEARCH_TREE, /**< bounding-volume tree */
    WEFT_SEARCH_HASH  /**< spatial hash */
} weft_contact_search;

/** Accuracy of the search for contacts. */
typedef enum weft_contact_mode {
    WEFT_CONTACT_EXACT, /**< all candidate pairs, and collisions with the triangles of shapes */
    WEFT_CONTACT_FAST   /**< for real time: round shapes act by their distance function only, not by their triangles */
} weft_contact_mode;

/** When self-collision and collisions between cloths are on. */
typedef enum weft_contact_self {
    WEFT_SELF_OFF, /**< never */
    WEFT_SELF_ON,  /**< always */
    WEFT_SELF_AUTO /**< if the simulation has bodies or more than one cloth */
} weft_contact_self;

/** Settings of contact. weft_contact_params has the range and default of each field. */
typedef struct weft_contact_settings {
    int32_t mode;        /**< weft_contact_mode */
    int32_t method;      /**< weft_contact_method */
    double margin;       /**< distance beyond the thickness within which candidate pairs are cached, m; 0: chosen
                            from the edge length */
    int32_t self;        /**< weft_contact_self: self-collision, and collision with other cloths; bodies always
                            collide */
    double thickness;    /**< distance that contact keeps between two layers, or a layer and a body, m. By default it
                            is that of the thickest fabric plus 1/60 of the mean edge length, at most 2 mm */
    double friction;     /**< factor on all friction coefficients */
    double strain_limit; /**< maximum elongation of edges, as a fraction of their length; 0: no limit */
    int32_t bodies;      /**< constraints: 1: for cloth on bodies; 0: impulses there */
    int32_t layers;      /**< constraints: 1: for cloth on cloth; 0: impulses there */
    int32_t solves;      /**< constraints: maximum number of solves per linear system until they are consistent */
    int32_t sweeps;      /**< impulses: maximum sweeps over the contacts at the start of a step */
    int32_t iterations;  /**< impulses: maximum rounds of collision impulses before impact zones are used */
    int32_t zones;       /**< impulses: maximum rounds of rigid impact zones */
    int32_t halvings;    /**< impulses: how often the step is halved before impact zones are used */
    double stretch;      /**< impulses: the step is also halved if it stretches an edge by more than this fraction of
                            its length; 0: never */
    int32_t search;      /**< weft_contact_search */
    double sleep;        /**< barrier: cloth that is slower than this for half a second falls asleep, m/s; 0: never */
    int32_t on_intersection; /**< weft_on_intersection */
    int32_t repair;          /**< 1: weft_scene_read untangles an initial state with intersections */
    int32_t audit;           /**< 1: count intersections after every step; slow */
} weft_contact_settings;
/** Rows of weft_contact_settings. Static; thread-safe. */
WEFT_API const weft_param *weft_contact_params(void);

/** What contact did in a step. */
typedef struct weft_contact_report {
    int32_t contacts;         /**< touching pairs and vertices that were pushed apart */
    int32_t impulses;         /**< collisions within the step that were stopped */
    int32_t zones;            /**< impact zones: groups of vertices that moved rigidly */
    int32_t unresolved;       /**< collisions that remain, because bodies or pins leave no room */
    int32_t between[2];       /**< objects of the first unresolved collision: a cloth, and a cloth or body; bodies are
                                 numbered after the cloths */
    int32_t rounds;           /**< of collision detection */
    int64_t intersections;    /**< edges through triangles at the end of a step; the maximum over all steps. Counted
                                 at the start, when a body appears or changes, after unresolved collisions, while there
                                 are any, and with `audit` */
    double detection_seconds; /**< wall time of the search for pairs and collisions, s */
} weft_contact_report;

WEFT_END
#endif
