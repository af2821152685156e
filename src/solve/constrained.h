/* Contacts in a linear solve: a vertex on a body as a forbidden direction, the others as stiff low-rank terms. */
#ifndef WEFT_SOLVE_CONSTRAINED_H
#define WEFT_SOLVE_CONSTRAINED_H

#include "solve/coupling.h"
#include "solve/filter.h"
#include "weft/integrator.h"

typedef struct weft_constrained {
    const weft_system *system;
    weft_bsr *matrix;
    weft_filter *filter;
    double h, dt;
    const weft_vec3 *X, *v; /* x = X + h (v + dv) at the end of the step */
    const double *air;      /* damping by external forces; null: none (rows x 6) */
    weft_constraint *list;
    int32_t count;

    weft_vec3 *free_b;    /* right-hand side without contact (rows) */
    float *free_diagonal; /* matrix diagonal without contact (rows x 9) */
    weft_vec3 *product;   /* scratch (rows) */
    uint8_t *joined;      /* 1: the vertex has a contact term (rows) */
    weft_coupling coupling;
    weft_term *term;   /* (count) */
    uint8_t *filtered; /* 1: the constraint is in the filter (count) */
} weft_constrained;

/* Copies b and the matrix diagonal. Functions that return int return 0 if memory is exhausted. */
int weft_constrained_create(weft_constrained *c, const weft_vec3 *b);
/* Before a solve, releases the constraints that the forces would separate. Sets friction from an estimated contact
 * force and slip. The force is the one that keeps the gap constant if its vertices were otherwise free. The slip is
 * that of the previous solve, or for the `first` solve extrapolated from the last step. */
void weft_constrained_predict(weft_constrained *c, int first);
/* Adds the constraints to the filter, to the matrix terms and to b. Held vertices must already be in the filter. `dv`:
 * of the previous solve, or null. */
int weft_constrained_apply(weft_constrained *c, const weft_vec3 *dv, weft_vec3 *b);
/* Computes the constraint forces for the solution dv, N (count), and the positions at the end of the step. */
void weft_constrained_forces(const weft_constrained *c, const weft_vec3 *b, const weft_vec3 *dv, weft_vec3 *x_end,
                             weft_vec3 *force);

#endif
