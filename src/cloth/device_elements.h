/* Elements of the built-in models as plain data, for a device that computes steps itself (sim/device_backend.h). The
 * fields are those of the models; corotational.h, bending.h, springs.h and buckling.h explain them. */
#ifndef WEFT_CLOTH_DEVICE_ELEMENTS_H
#define WEFT_CLOTH_DEVICE_ELEMENTS_H

#include <stdint.h>

#include "weft/base.h"

/* Strain of triangles, in the order of weft_strain_kind. */
typedef enum weft_device_strain { WEFT_DEVICE_YARNS, WEFT_DEVICE_COROTATED, WEFT_DEVICE_GREEN } weft_device_strain;

/* What a bending element measures: a weighted sum of positions, the dihedral angle, or a distance. */
typedef enum weft_device_bend_kind {
    WEFT_DEVICE_BEND_LINEAR,
    WEFT_DEVICE_BEND_HINGE,
    WEFT_DEVICE_BEND_SPRING
} weft_device_bend_kind;

enum { WEFT_DEVICE_BEND_VERTICES = 5, WEFT_DEVICE_SINC_TERMS = 28 };

/* What all elements of a cloth share. */
typedef struct weft_device_material {
    double xx, xy, yy, ss; /* elasticity, N/m */
    double beta;           /* damping time of triangles and bending, s */
    double alpha;          /* mass-proportional damping, 1/s */
    double drag, lift;     /* coefficients */
    int32_t strain;        /* weft_device_strain */
    int32_t force_frozen;  /* forces with fixed rotations */
    int32_t hessian_frozen;
    int32_t bending;   /* weft_device_bend_kind */
    int32_t isotropic; /* damping of pairs acts in all directions */
    int32_t reserved;
} weft_device_material;

typedef struct weft_device_triangle {
    int32_t vertex[3], material;
    double inverse[4]; /* 1/m */
    double area;       /* m2 times the stretch map */
} weft_device_triangle;

typedef struct weft_device_bend {
    int32_t vertex[WEFT_DEVICE_BEND_VERTICES]; /* unused ones repeat vertex 0 and have weight 0 */
    int32_t material, arity;
    int32_t idle; /* the vertex that takes no part in the forces, or -1 */
    double k[WEFT_DEVICE_BEND_VERTICES];
    double stiffness, rest, least[2];
} weft_device_bend;

/* A spring, or an interaction of `buckling`: see weft_pair_law. */
typedef struct weft_device_pair {
    int32_t vertex[2], material;
    int32_t beams;    /* whether it follows the laws of `buckling` */
    double rest;      /* m */
    double stiffness; /* N/m; negative for a beam */
    double critical;  /* N */
    double damping;   /* kg/s */
    double curve[2];  /* range of l / L in which a beam bends */
} weft_device_pair;

/* The elements of all cloths. While an array is null, a model only counts. */
typedef struct weft_device_lists {
    weft_device_triangle *triangle;
    weft_device_bend *bend;
    weft_device_pair *pair;
    int32_t triangle_count, bend_count, pair_count;
    double sinc[3][WEFT_DEVICE_SINC_TERMS]; /* q, q' and q'' of buckling/sinc_fit.h */
} weft_device_lists;

#endif
