/* Sparse Cholesky factorisation in float, for matrices that are factored rarely and solved often. A solve consists of
 * dense products over supernodes only.
 *
 * With `block` unknowns per vertex, the structure is that of the vertices and every entry is a dense block. Three
 * right-hand sides can be solved together, so that a solve reads each value once for all three. Values are float, so a
 * solution is accurate to about 1e-5 relative: solve for increments, with residuals in double. Results are
 * bit-identical for any number of threads and any instruction set.
 *
 * Supernodes with bit-identical values share their storage. A uniform grid of one fabric is dissected into congruent
 * pieces. At 256 x 256 vertices a quarter of the values remains; the many small supernodes need almost none. A solve
 * reads correspondingly less memory. On other meshes nothing is shared. */
#ifndef WEFT_SOLVE_CHOLESKY_H
#define WEFT_SOLVE_CHOLESKY_H

#include "core/simd.h"
#include "weft/work.h"

/* Columns of the factor stored as one dense block: a leaf of the dissection or a separator. */
typedef struct weft_supernode {
    int32_t parent;       /* in the elimination tree; -1 at a root */
    int32_t first, width; /* its columns, in elimination order */
    int32_t rows;         /* unknowns above it (eliminated later) that its subtree touches */
    int64_t row;          /* their offset in weft_cholesky.row and .target, ascending (rows) */
    int32_t stride;       /* of a column of `below`: `rows` padded to whole lanes */
    int32_t pivot_stride; /* of a column of `pivot`: `width` padded to whole lanes */
    int32_t shares;       /* 1: an earlier supernode stores the same values */
    int64_t pivot;        /* offset of the inverse of the pivot block, full (width x pivot_stride) */
    int64_t below;        /* offset of the block below times that inverse; follows `pivot` (width x stride) */
} weft_supernode;

/* Floats stored for a supernode. */
static inline int64_t weft_supernode_size(const weft_supernode *s) {
    return (int64_t)s->width * (s->pivot_stride + s->stride);
}

/* Memory of a factorisation (cholesky_factor.c). */
typedef struct weft_fronts weft_fronts;

typedef struct weft_cholesky {
    int32_t vertices, block;
    int32_t count;         /* unknowns: vertices x block */
    int32_t *place;        /* position of each vertex in the elimination order (vertices) */
    int32_t *vertex;       /* inverse of `place` (vertices) */
    int32_t node_count;    /* supernodes, in elimination order */
    weft_supernode *node;  /* (node_count) */
    int32_t *row;          /* row indices of all supernodes, in elimination order (row_count) */
    int32_t *target;       /* where the forward sweep adds them: an unknown or a border entry of its task (row_count) */
    int64_t row_count;     /* entries of `row` and `target` */
    int32_t task_count;    /* subtrees that threads sweep in parallel; the remaining supernodes follow */
    int32_t *task_start;   /* task t has the nodes [task_start[2 t], task_start[2 t + 1]) (2 task_count) */
    int32_t *border_start; /* borders are stored after the unknowns, from `count` on (task_count + 1) */
    int32_t *border;       /* the unknowns that border entries belong to (border_start[task_count]) */
    int32_t clump_count;   /* largest subtrees that fit in the nearest caches, over all tasks */
    int32_t *clump_start;  /* task t has the clumps [clump_start[t], clump_start[t + 1]) (task_count + 1) */
    int32_t *clump;        /* clump k has the nodes [clump[2 k], clump[2 k + 1]) (2 clump_count) */
    int32_t widest, tallest; /* largest pivot_stride and stride */
    int64_t value_count;     /* floats of all supernodes */
    int64_t stored_count;    /* floats without shared ones; 0 before the first factorisation */
    float *value;            /* 64-byte aligned (stored_count) */
    void *memory;
    weft_fronts *fronts; /* null: none are kept */
    weft_isa isa;        /* instruction set of the dense products; tests lower it */
} weft_cholesky;

/* Orders the unknowns and computes the structure of the factor. `start` and `column` are the graph without its
 * diagonal, both triangles. `position` (vertices) guides the nested dissection. */
weft_result weft_cholesky_create(int32_t vertices, const int32_t *start, const int32_t *column,
                                 const weft_vec3 *position, int32_t block, weft_cholesky **made);
void weft_cholesky_destroy(weft_cholesky *cholesky);

/* Factors the matrix. `diagonal` has block x block entries per vertex, `value` the same per entry of `column`,
 * row-major. Returns WEFT_BAD_INPUT if a pivot is not positive; the factor is then unusable. */
weft_result weft_cholesky_factor(weft_cholesky *cholesky, const int32_t *start, const int32_t *column,
                                 const double *diagonal, const double *value);
/* The same for a matrix that changes in every step. It works on several threads, keeps its memory for the next time,
 * and does not look for supernodes with equal values. The values are the same. */
weft_result weft_cholesky_refactor(weft_cholesky *cholesky, const weft_work *work, const int32_t *start,
                                   const int32_t *column, const double *diagonal, const double *value);
void weft_cholesky_free_fronts(weft_cholesky *cholesky);

/* The supernodes above the tasks lie between the ranges of the tasks and behind them: those behind task t. */
static inline int32_t weft_cholesky_top_from(const weft_cholesky *c, int32_t task) {
    return c->task_start[2 * task + 1];
}
static inline int32_t weft_cholesky_top_to(const weft_cholesky *c, int32_t task) {
    return task + 1 < c->task_count ? c->task_start[2 * task + 2] : c->node_count;
}

/* Entries of a right-hand side, and floats of scratch for a solve. */
static inline int64_t weft_cholesky_length(const weft_cholesky *cholesky) {
    return cholesky->count + cholesky->border_start[cholesky->task_count];
}
int64_t weft_cholesky_scratch(const weft_cholesky *cholesky);

/* Replaces b by the solution. Unknown k of vertex v is at place[v] x block + k. Entries after the unknowns are
 * overwritten. */
void weft_cholesky_solve(const weft_cholesky *cholesky, const weft_work *work, float *b, float *scratch);

/* Callbacks that load three right-hand sides and store their solution. Each is called once per range of unknowns in
 * elimination order. `b` is the whole array with four floats per unknown; the fourth is unused. A range is loaded just
 * before the forward sweep and stored just after the backward sweep, so that it passes through the cache once. */
typedef struct weft_cholesky_ends {
    void *context;
    void (*load)(void *context, int64_t begin, int64_t end, float *b);
    /* Tasks run in parallel. Each task stores its ranges in the same order every time. `task` is task_count for the
     * supernodes above all tasks. */
    void (*store)(void *context, int32_t task, int64_t begin, int64_t end, const float *b);
    /* Prefetch hint: these unknowns will be loaded (`up`) or stored soon. May be null. */
    void (*expect)(void *context, int64_t begin, int64_t end, int up);
} weft_cholesky_ends;
/* `b` has room for 4 x weft_cholesky_length floats. */
void weft_cholesky_solve_three(const weft_cholesky *cholesky, const weft_work *work, const weft_cholesky_ends *ends,
                               float *b, float *scratch);

#endif
