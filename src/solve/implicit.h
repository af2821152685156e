/* Shared step of the implicit schemes: Newton's method for x = X + h v, v = V + h f(x, v) / m. */
#ifndef WEFT_SOLVE_IMPLICIT_H
#define WEFT_SOLVE_IMPLICIT_H

#include "weft/integrator.h"
#include "weft/system.h"

typedef enum weft_implicit_solver { WEFT_SOLVER_AUTO, WEFT_SOLVER_PCG, WEFT_SOLVER_DIRECT } weft_implicit_solver;
enum { WEFT_PRECONDITION_AUTO = 0 };

typedef struct weft_implicit_settings {
    double tolerance;     /* relative, of the linear solve; 0: by the preconditioner */
    int32_t iterations;   /* limit of the linear solve */
    int32_t solver;       /* weft_implicit_solver */
    int32_t precondition; /* WEFT_PRECONDITION_AUTO, or 1 + weft_precond_kind */
    int32_t warm_start;
    int32_t newton; /* most Newton iterations; 1: a single linearisation about the current state */
    int32_t finish; /* most additional Newton iterations if the line search shortened the step */
    int32_t line_search;
    double newton_tolerance; /* 0: by energy */
} weft_implicit_settings;

extern const weft_param WEFT_IMPLICIT_PARAMS[];

/* Entries of an integrator's function table. */
weft_result weft_implicit_create(const void *settings, const weft_system *system, void **self);
void weft_implicit_destroy(void *self);
weft_result weft_implicit_reshape(void *self, const void *settings, const weft_system *system, const int32_t *from);
size_t weft_implicit_state_size(const void *self);
void weft_implicit_state_save(const void *self, void *buffer);
weft_result weft_implicit_state_load(void *self, const void *buffer, size_t size);
#define WEFT_IMPLICIT_FUNCTIONS                                                                                        \
    .needs = WEFT_FORCES | WEFT_HESSIANS, .looks_back = 1, .create = weft_implicit_create,                             \
    .destroy = weft_implicit_destroy, .reshape = weft_implicit_reshape, .state_size = weft_implicit_state_size,        \
    .state_save = weft_implicit_state_save, .state_load = weft_implicit_state_load

/* The scheme fixes X and V: x_n, v_n and h = dt for Euler; combinations of two steps for BDF2. */
typedef struct weft_implicit_scheme {
    double h;           /* s */
    double now, before; /* X = now x_n + before x_{n-1}, V likewise */
    int two_steps;      /* 1: later steps use this one */
} weft_implicit_scheme;

weft_status weft_implicit_step(const weft_implicit_settings *settings, const weft_system *system, double dt,
                               const weft_implicit_scheme *scheme);

#endif
