/* Contacts in a linear solve: those of a vertex on a body as forbidden directions, the others as stiff terms. */
#ifndef WEFT_INTEGRATE_CONSTRAINED_H
#define WEFT_INTEGRATE_CONSTRAINED_H

#include "linear/coupling.h"
#include "linear/filter.h"
#include "weft/integrator.h"

typedef struct weft_constrained {
    const weft_system *system;
    weft_bsr *matrix;
    weft_filter *filter;
    double h, dt;
    const weft_vec3 *X, *v; /* x = X + h (v + dv) at the end */
    const double *air;      /* damping by external forces, null: none (rows x 6) */
    weft_constraint *list;
    int32_t count;

    weft_vec3 *free_b;    /* the right-hand side without contact (rows) */
    float *free_diagonal; /* the matrix' diagonal without contact (rows x 9) */
    weft_vec3 *product;   /* scratch (rows) */
    uint8_t *joined;      /* 1: the vertex has a stiff term (rows) */
    weft_coupling coupling;
    weft_term *term;   /* (count) */
    uint8_t *filtered; /* 1: the constraint is in the filter (count) */
} weft_constrained;

/* Keeps copies of b and of the matrix' diagonal. All return 0 when memory is out. */
int weft_constrained_create(weft_constrained *c, const weft_vec3 *b);
/* Lets go before a solve what forces part, and sets friction from the force that would keep each gap from changing,
 * were its vertices alone, and the slip: that of the solve before, or, before the `first`, if all went on as in the
 * last step. */
void weft_constrained_expect(weft_constrained *c, int first);
/* Into the filter, whose held vertices are set, the terms of the matrix, and b. `dv`: of the solve before, or null. */
int weft_constrained_apply(weft_constrained *c, const weft_vec3 *dv, weft_vec3 *b);
/* The forces by which the solution dv keeps the constraints, N (count), and the end of the step. */
void weft_constrained_forces(const weft_constrained *c, const weft_vec3 *b, const weft_vec3 *dv, weft_vec3 *x_end,
                             weft_vec3 *force);

#endif
