/* The surface of the mannequin as the zero level of a function: a smooth union of lofts. */
#ifndef WEAR_MANNEQUIN_FLESH_H
#define WEAR_MANNEQUIN_FLESH_H

#include "wear/mannequin/mannequin.h"

/* The cross-section of a loft at a place of its axis: half of an ellipse towards the front, half of one towards the
 * back. m */
typedef struct flesh_section {
    double side, front, back; /* half axes */
    double shift;             /* of the centre towards the front */
} flesh_section;

typedef struct flesh_station {
    double at; /* place on the axis, from 0 to 1 */
    flesh_section section;
} flesh_station;

enum { FLESH_TABLE = 128, FLESH_LOFTS = 16 };

/* Groups of lofts, as bits: a section for a girth sees only some of them. */
enum { FLESH_TRUNK = 1, FLESH_ARM = 2, FLESH_LEG = 4, FLESH_HEAD = 8, FLESH_FOOT = 16, FLESH_ALL = 31 };

/* Sections along an axis, with rounded ends. */
typedef struct flesh_loft {
    weft_vec3 from, along, side, front; /* start of the axis, m, and three orthogonal unit vectors */
    double length;                      /* of the axis, m */
    double cap[2];                      /* lengths of the two rounded ends, m */
    double exponent;                    /* of the superellipse: 2 is an ellipse, more is boxier */
    double blend;                       /* radius of the fillet to what comes before it, m */
    double pair_blend;                  /* radius of the fillet to its mirror image, m */
    int32_t group;
    int32_t mirrored; /* whether there is a second one, mirrored at x = 0 */
    flesh_section section[FLESH_TABLE + 1];
} flesh_loft;

typedef struct flesh {
    flesh_loft loft[FLESH_LOFTS];
    int32_t count;
} flesh;

/* Fills the table of a loft from stations in ascending order, by monotone cubic interpolation. */
void flesh_loft_fill(flesh_loft *loft, const flesh_station *station, int32_t count);
/* About the distance of p from the surface of the lofts of the groups, m, negative inside. */
double flesh_distance(const flesh *f, weft_vec3 p, int32_t groups);
/* As flesh_distance; also its gradient, by central differences. */
double flesh_gradient(const flesh *f, weft_vec3 p, weft_vec3 *gradient);
/* Moves p to the surface along the gradient. */
weft_vec3 flesh_project(const flesh *f, weft_vec3 p);

#endif
