/* Choice of the linear solver and its preconditioner by `auto`, from the size of the system and the iterations of past
 * solves. It never depends on measured time, so runs are reproducible. */
#ifndef WEFT_SOLVE_SOLVER_CHOICE_H
#define WEFT_SOLVE_SOLVER_CHOICE_H

#include "solve/bsr.h"
#include "solve/implicit.h"
#include "solve/precond.h"

/* What the choice depends on besides the settings. Snapshots store it. */
typedef struct weft_solver_memory {
    int32_t two_level;        /* 1: solves use the two-level preconditioner, 0: block-Jacobi */
    int32_t block_iterations; /* of the last solve with block-Jacobi */
    int32_t wait;             /* solves with block-Jacobi before the other may be tried */
    int32_t pause;            /* the next `wait` */
    int32_t direct_wait;      /* direct solves before PCG is tried again; 0: PCG is in use */
    int32_t direct_pause;     /* the next `direct_wait` */
} weft_solver_memory;

/* The memory before the first solve of a system of `rows` vertices. */
weft_solver_memory weft_solver_memory_new(int32_t rows);
/* Whether the numbers are ones that solves can leave behind. */
int weft_solver_memory_is_valid(const weft_solver_memory *memory);

/* The preconditioner of the next solve. */
weft_precond_kind weft_solver_precond(const weft_solver_memory *memory, const weft_implicit_settings *settings);
/* Records a solve by PCG. */
void weft_solver_record(weft_solver_memory *memory, const weft_bsr *matrix, weft_precond_kind kind, int32_t iterations);

/* Iterations of PCG that cost as much as a direct solve; INT32_MAX if the system is too large for one. */
int32_t weft_solver_direct_cost(const weft_bsr *matrix);
/* Records a direct solve. `gave_up`: PCG was tried first and took too long. */
void weft_solver_record_direct(weft_solver_memory *memory, int gave_up);

#endif
