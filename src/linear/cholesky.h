/* Sparse Cholesky factorisation in float for solves that are repeated many times: the matrices are factored rarely, and
 * a solve is all dense products over supernodes.
 *
 * With `block` unknowns per vertex the structure is that of the vertices and every entry a dense block. Three
 * right-hand sides are solved side by side: a solve reads each value once for all of them. Values are float, so a
 * solution is good to some 1e-5 of its size: solve for increments, with residuals in double. The same bits for any
 * number of threads and any instruction set.
 *
 * Supernodes whose values are the same bit for bit share them. On a grid of one fabric, whose parts are cut alike,
 * a quarter of the values is left with 256 x 256 vertices, and of those of the many small supernodes next to none: a
 * solve streams that much less. On other meshes nothing is shared. */
#ifndef WEFT_LINEAR_CHOLESKY_H
#define WEFT_LINEAR_CHOLESKY_H

#include "weft/work.h"

/* Columns of the factor that are kept as one dense block: a leaf of the dissection or one of its separators. */
typedef struct weft_supernode {
    int32_t parent;       /* -1 at a root */
    int32_t first, width; /* unknowns in the order of elimination */
    int32_t rows;         /* unknowns further up that its subtree touches */
    int64_t row;          /* where they are in weft_cholesky.row and .target, ascending (rows) */
    int32_t stride;       /* of a column of `below`: rows, padded to lanes */
    int32_t pivot_stride; /* of a column of `pivot`: width, padded */
    int32_t shares;       /* whether its values are also those of a node before it */
    int64_t pivot;        /* offset of the inverse of the pivot block, full (width x pivot_stride) */
    int64_t below;        /* behind it: the block below times that inverse (width x stride) */
} weft_supernode;

/* Floats of its values. */
static inline int64_t weft_supernode_size(const weft_supernode *s) {
    return (int64_t)s->width * (s->pivot_stride + s->stride);
}

typedef struct weft_cholesky {
    int32_t vertices, block;
    int32_t count;           /* unknowns: vertices x block */
    int32_t *place;          /* of each vertex in the order of elimination (vertices) */
    int32_t *vertex;         /* its inverse (vertices) */
    int32_t node_count;      /* supernodes in the order of elimination */
    weft_supernode *node;    /* (node_count) */
    int32_t *row;            /* unknowns in the order of elimination */
    int32_t *target;         /* where a forward sweep adds for them: an unknown, or the border of its task */
    int64_t row_count;       /* of both */
    int32_t task_count;      /* subtrees that can be swept at the same time; the other supernodes come after them */
    int32_t *task_start;     /* nodes of task t are [task_start[2 t], task_start[2 t + 1]) (2 task_count) */
    int32_t *border_start;   /* borders lie behind the unknowns, from count on (task_count + 1) */
    int32_t *border;         /* unknowns that they stand for (border_start[task_count]) */
    int32_t clump_count;     /* of all tasks: the largest subtrees that the nearest caches hold */
    int32_t *clump_start;    /* those of task t are [clump_start[t], clump_start[t + 1]) (task_count + 1) */
    int32_t *clump;          /* nodes of clump k are [clump[2 k], clump[2 k + 1]) (2 clump_count) */
    int32_t widest, tallest; /* largest pivot_stride and stride */
    int64_t value_count;     /* of all supernodes */
    int64_t stored_count;    /* of those that do not share; 0 before the first factor */
    float *value;            /* 64-byte aligned (stored_count) */
    void *memory;
    int portable; /* for tests: leave the vector unit's instructions alone */
} weft_cholesky;

/* Order and structure for the graph start, column (without the diagonal, both triangles) of vertices at `position`,
 * which is cut into halves again and again. */
weft_result weft_cholesky_create(int32_t vertices, const int32_t *start, const int32_t *column,
                                 const weft_vec3 *position, int32_t block, weft_cholesky **made);
void weft_cholesky_destroy(weft_cholesky *cholesky);

/* `diagonal` has block x block numbers per vertex, `value` as many per entry of column, row-major. WEFT_BAD_INPUT when
 * a pivot is not positive: the factor is then unusable. */
weft_result weft_cholesky_factor(weft_cholesky *cholesky, const int32_t *start, const int32_t *column,
                                 const double *diagonal, const double *value);

/* Numbers of a right-hand side, and floats of the scratch that a solve needs. */
static inline int64_t weft_cholesky_length(const weft_cholesky *cholesky) {
    return cholesky->count + cholesky->border_start[cholesky->task_count];
}
int64_t weft_cholesky_scratch(const weft_cholesky *cholesky);

/* b becomes the solution: unknown k of vertex v is at place[v] x block + k; what lies behind the unknowns is
 * overwritten. */
void weft_cholesky_solve(const weft_cholesky *cholesky, const weft_work *work, float *b, float *scratch);

/* Where three right-hand sides come from and their solution goes to, by ranges of unknowns in the order of elimination,
 * each once. `b` is the whole array, four floats for an unknown, of which the last means nothing. Ranges are loaded
 * just before they are swept up and stored just after they are swept down, so that what is theirs is in the cache once.
 */
typedef struct weft_cholesky_ends {
    void *context;
    void (*load)(void *context, int64_t begin, int64_t end, float *b);
    /* Tasks run at the same time, each stores its ranges in the same order every time; `task` is task_count for what is
     * above them all. */
    void (*store)(void *context, int32_t task, int64_t begin, int64_t end, const float *b);
    /* A hint that these unknowns will be loaded or stored before long; null is allowed. */
    void (*expect)(void *context, int64_t begin, int64_t end, int up);
} weft_cholesky_ends;
/* b has room for 4 x weft_cholesky_length floats. */
void weft_cholesky_solve_three(const weft_cholesky *cholesky, const weft_work *work, const weft_cholesky_ends *ends,
                               float *b, float *scratch);

#endif
