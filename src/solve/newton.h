/* State of Newton's method in one implicit step, shared by newton.c and newton_linear.c. */
#ifndef WEFT_SOLVE_NEWTON_H
#define WEFT_SOLVE_NEWTON_H

#include "solve/assemble.h"
#include "solve/equations.h"
#include "solve/filter.h"
#include "solve/implicit.h"
#include "solve/ldlt.h"
#include "solve/pcg.h"
#include "solve/precond.h"
#include "solve/solver_choice.h"

/* What an implicit integrator keeps between steps. */
typedef struct weft_implicit {
    weft_assembly_plan plan;
    weft_bsr *matrix; /* of the plan */
    weft_filter *filter;
    weft_precond *precond;
    weft_direct *direct; /* null until a direct solve needs it */
    weft_solver_memory memory;
} weft_implicit;

/* Solves x = X + h v, v = V + h f(x, v) / m for the iterate (x, v). */
typedef struct weft_newton {
    weft_implicit *self;
    weft_system at_end; /* the system with the time at the end of the step, for its forces */
    double dt, h;
    const weft_vec3 *X, *V;                /* fixed by the scheme (count) */
    weft_vec3 *x, *v;                      /* the iterate (count) */
    weft_vec3 *u, *f, *b, *dv;             /* u = X + h v - x, force, right-hand side, solution (count) */
    weft_vec3 *x_last;                     /* x before the line search (count) */
    weft_vec3 *external;                   /* external forces at the iterate (count) */
    double *air;                           /* damping by external forces (count x 6) */
    int has_air;                           /* whether air damping acts */
    const weft_vec3 *air_x;                /* where it acts (count); null: at the iterate */
    int air_is_frozen;                     /* 1: `air` holds for all further linearisations */
    const struct weft_newton_drag *frozen; /* external forces that are linearised for the whole step; may be null */
    void *scratch;                         /* of assembly by rows */
    int first;                             /* 1: first iteration, where u is nonzero */
    double least_scale;                    /* lower bound of the norm of b to which the tolerance is relative */
    double energy_tolerance;               /* of PCG, besides the other; 0: none */
    int has_guess;                         /* 1: dv already holds an initial guess */
    int two_steps;                         /* 1: later steps use this one */
    int extrapolates;                      /* 1: X and V extrapolate the previous step; 0: they are the present state */
    weft_constraint *constraint;
    int32_t constraint_count;
    const uint8_t *joined; /* 1: a constraint joins the vertex to others; may be null (count) */
} weft_newton;

/* newton.c: iterates until the residual is small enough or the iterations are used up. */
weft_status weft_newton_iterate(weft_newton *n, const weft_implicit_settings *settings, weft_solve *report);

/* newton_linear.c: linearises about the iterate and solves for dv. The forces n->f must be those of the iterate. */
weft_pcg_report weft_newton_solve(weft_newton *n, const weft_implicit_settings *settings, weft_solve *report);

/* The two halves of weft_newton_solve, without contact. */
void weft_newton_assemble(weft_newton *n, weft_solve *report);
weft_pcg_report weft_newton_solve_assembled(weft_newton *n, const weft_implicit_settings *settings, weft_solve *report);
/* The function that an implicit step minimises, without damping and contact, at n->x with the forces n->external, J. */
double weft_newton_potential(const weft_newton *n);

/* newton_momentum.c: the connected parts of the cloth, as a union-find from the arena (count); null without memory. */
int32_t *weft_newton_parts(const weft_newton *n);
/* Corrects n->dv so that every part that no pin or body holds keeps its momentum. Touches join parts. The forces n->f
 * must be those of the iterate. Returns 0 when memory is out. */
int weft_newton_keep_momentum(const weft_newton *n, const int32_t *part, const weft_touch *touch, int32_t count);

/* newton_drag.c: forces that depend on the velocity. */
typedef struct weft_newton_drag {
    weft_vec3 *elastic;   /* forces of the models at rest at the start of the step, N (count) */
    int is_frozen;        /* 1: air is linearised about the velocity v */
    weft_vec3 *force, *v; /* external forces there, N, and v (count) */
    double *damping;      /* -df/dv of the external forces there (count x 6) */
} weft_newton_drag;
/* From the arena. Returns 0 when memory is out. */
int weft_newton_drag_create(weft_newton *n, weft_newton_drag *drag);
/* At the start of each attempt. Overwrites n->dv. */
void weft_newton_drag_begin(weft_newton *n, weft_newton_drag *drag);
/* The forces of damping, air and gravity at the velocity v, N (count). */
void weft_newton_drag_force(const weft_newton *n, const weft_newton_drag *drag, const weft_vec3 *v, weft_vec3 *f);
/* Linearises the forces of wind about the iterate for the rest of the step. */
void weft_newton_drag_freeze(weft_newton *n, weft_newton_drag *drag);
/* A symmetric block (6), xx xy xz yy yz zz, times a vector. */
weft_vec3 weft_newton_times(const double *d, weft_vec3 v);
/* The external forces at the velocity v, N (count), where they are linearised. */
void weft_newton_frozen_force(const weft_newton *n, const weft_newton_drag *drag, const weft_vec3 *v, weft_vec3 *f);

/* newton_stop.c: whether the energy that is left is small. */
typedef struct weft_newton_stop {
    double promised, allowed; /* fall of the potential on the line by the linearisation; energy that may be left, J */
    int is_first;             /* 1: the first update of the step */
} weft_newton_stop;
/* At the start of a search line: n->f are the forces there, n->dv the velocity at its end. */
weft_newton_stop weft_newton_stop_begin(const weft_newton *n, int is_first);
/* After the whole line was taken. `fall`: of the potential, J. `was_shortened`: an earlier line was not. */
int weft_newton_is_done(const weft_newton_stop *stop, double fall, int was_shortened);

/* newton_energy.c: whether the step to the iterate has created energy: more than convergence explains. `stored`: by
 * which the energy in contact has grown, J. The forces n->external must be those of the iterate. */
int weft_newton_gains_energy(const weft_newton *n, double stored);

/* newton_longer.c: longer corrections where Newton's method converges slowly in one direction. */
typedef struct weft_newton_longer {
    weft_vec3 *last; /* the last correction, m/s (count) */
    double gone;     /* the multiple of it that was accepted; 0: there is none */
    double scale;    /* by which the present one was lengthened, at least 1 */
} weft_newton_longer;
void weft_newton_lengthen(const weft_newton *n, weft_newton_longer *longer);

/* newton_barrier.c: the whole step as one minimisation with the contact's barrier. */
weft_status weft_newton_minimise(weft_newton *n, const weft_implicit_settings *settings, weft_solve *report);

#endif
