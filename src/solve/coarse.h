/* Coarse level of a preconditioner: the nodes of a coarse space (coarse_space.h) with a matrix of their own. */
#ifndef WEFT_SOLVE_COARSE_H
#define WEFT_SOLVE_COARSE_H

#include "solve/cholesky.h"
#include "solve/coarse_space.h"
#include "solve/filter.h"
#include "solve/restriction.h"

/* Doubles per block of a group: nine entries, row-major, and three that are ignored. Most nodes that the rows of a
 * group may touch. */
enum { WEFT_COARSE_BLOCK = 12, WEFT_COARSE_COLOURS = 128 };

/* The coarse matrix is summed in two passes. Each bundle of consecutive groups, which are neighbours, sums the entries
 * that its vertices touch. Then each entry is the sum over bundles. So threads need no order, and sums of a bundle stay
 * in the cache of a core. An entry is a block of the coarse matrix. The entries of node i have the numbers
 * start[i] + i, the diagonal block, to start[i + 1] + i. */
typedef struct weft_coarse_parts {
    int32_t bundles;
    int64_t *place_start; /* first place of each group (nodes + 1) */
    int32_t *place;       /* where a bundle sums the entry of own x listed nodes of its groups, row-major */
    int64_t *start;       /* first sum of each bundle (bundles + 1) */
    double *sum;          /* (start[bundles] x 12) */
    int64_t *from_start;  /* (entries + 1) */
    int64_t *from;        /* the sums of each entry, ascending (start[bundles]) */
} weft_coarse_parts;

enum { WEFT_COARSE_BUNDLE = 4 }; /* groups */

struct weft_precond;

typedef struct weft_coarse {
    weft_coarse_space space;
    weft_restriction restriction;   /* its transpose */
    int32_t *member, *member_start; /* vertices sorted by group (rows, nodes + 1) */
    int32_t *list, *list_start;     /* nodes that a group's matrix rows touch; its own nodes first (nodes + 1) */
    int32_t *own;                   /* how many of them are the group's own (nodes) */
    uint8_t *local;                 /* index of each entry of `space.node` in its group's list (rows x 4) */
    uint8_t *colour;                /* differs between the nodes of a list (nodes) */
    uint8_t *listed_at;             /* index in a group's list by colour (nodes x 128) */
    uint64_t *colours;              /* bits of the colours of each vertex's nodes (rows x 2) */
    uint8_t *colour_at;             /* of each entry of `space.node` (rows x 4) */
    weft_coarse_parts parts;        /* of the sums of the coarse matrix */
    int32_t *touch;                 /* where the rows of a node are: group and local index (2 x touch_start[nodes]) */
    int32_t *touch_start;           /* (nodes + 1) */
    int32_t *start, *column;        /* adjacency of the nodes, as in weft_bsr */
    double *diagonal, *value;       /* the coarse matrix (nodes x 9, start[nodes] x 9) */
    weft_cholesky *factor;          /* null: `inner` solves, or there is no usable coarse level */
    weft_bsr *matrix;               /* the coarse matrix in the form of the fine one, for `inner`; may be null */
    struct weft_precond *inner;     /* solves a large coarse system approximately; may be null */
    weft_vec3 *residual;            /* summed over the vertices of each node (nodes) */
    int usable;                     /* 0: the last factorisation failed, so the coarse correction is skipped */
    float *right, *scratch;         /* of a solve */
    float *shift;                   /* coarse solution (nodes x 4) */
    weft_isa isa;                   /* all give the same bits */
} weft_coarse;

/* `rest` (rows) holds rest positions. */
weft_result weft_coarse_create(const weft_bsr *matrix, const weft_vec3 *rest, weft_coarse **made);
void weft_coarse_destroy(weft_coarse *coarse);

/* Computes the coarse matrix from `matrix` and `filter` (may be null) and factors it. */
void weft_coarse_update(weft_coarse *coarse, const weft_bsr *matrix, const weft_filter *filter, const weft_work *work);

/* Computes `shift` for the filtered fine residual r (rows). */
void weft_coarse_solve(weft_coarse *coarse, const weft_work *work, const weft_vec3 *r);

/* The same for r - alpha q, where r is the residual of the last call of either function. The loop that computes the
 * filtered q has called weft_coarse_restrict for each block of WEFT_BLOCK rows. */
void weft_coarse_restrict(const weft_coarse *coarse, const weft_vec3 *q, int64_t begin, int64_t end);
void weft_coarse_follow(weft_coarse *coarse, const weft_work *work, double alpha);

/* coarse_inner.c: a further level for many nodes. `centre` (nodes) holds their rest positions. */
weft_result weft_coarse_inner_create(weft_coarse *coarse, const weft_vec3 *centre);
void weft_coarse_inner_destroy(weft_coarse *coarse);
void weft_coarse_inner_update(weft_coarse *coarse, const weft_work *work);
/* Computes `shift` from `residual`. */
void weft_coarse_inner_solve(weft_coarse *coarse, const weft_work *work);

/* coarse_parts.c: made from the lists and the adjacency of the nodes. */
weft_result weft_coarse_parts_create(struct weft_coarse *coarse);
void weft_coarse_parts_free(weft_coarse_parts *parts);

/* The index of block (i, j) in `column`; -1 if there is none or i = j. */
int32_t weft_coarse_slot(const weft_coarse *coarse, int32_t i, int32_t j);

/* The coarse correction of vertex i. Written with differences: a common translation of all nodes gives exactly the same
 * at every vertex. A rounding error that differs between vertices would be multiplied by the stiffness. */
static inline weft_vec3 weft_coarse_at(const weft_coarse *coarse, int64_t i) {
    const int32_t *node = coarse->space.node + WEFT_COARSE_WIDTH * i;
    const float *weight = coarse->space.weight + WEFT_COARSE_WIDTH * i;
    const weft_f32x4 first = WEFT_AT_F32X4(coarse->shift + 4 * (int64_t)node[0]);
    weft_f32x4 sum = weight[1] * (WEFT_AT_F32X4(coarse->shift + 4 * (int64_t)node[1]) - first);
    for (int32_t k = 2; k < WEFT_COARSE_WIDTH; k++)
        sum += weight[k] * (WEFT_AT_F32X4(coarse->shift + 4 * (int64_t)node[k]) - first);
    sum += first;
    return weft_vec3_make((double)sum[0], (double)sum[1], (double)sum[2]);
}

#endif
