/* Low-rank terms that join up to four arbitrary vertices, beyond the structure of the matrix: contacts inside the
 * linear solve. A term adds J^T P J, where J x = w0 x0 + .. + w3 x3 and P = s n n^T + a (1 - n n^T - t t^T). */
#ifndef WEFT_SOLVE_COUPLING_H
#define WEFT_SOLVE_COUPLING_H

#include "solve/bsr.h"
#include "weft/vec.h"

typedef struct weft_term {
    int32_t vertex[4];
    double weight[4]; /* 0: unused entry */
    weft_vec3 normal; /* unit */
    double stiffness; /* s, along the normal */
    double across;    /* a, tangential */
    weft_vec3 slide;  /* t, a unit tangent in which the contact slides freely, or zero */
} weft_term;

/* A term as products read it, in two cache lines. Unused entries are vertex 0 with weight 0. */
typedef struct weft_packed_term {
    double weight[4];
    double P[10]; /* row-major, and 0 */
    int32_t vertex[4];
} weft_packed_term;

typedef struct weft_coupling_entry {
    double weight;
    int64_t term;
} weft_coupling_entry;

typedef struct weft_coupling {
    int32_t count, rows;
    const weft_term *term;      /* (count) */
    weft_packed_term *packed;   /* (count) */
    int32_t *start;             /* first entry of each vertex (rows + 1) */
    weft_coupling_entry *entry; /* ascending terms within a vertex */
    double *load;               /* P J x of each term, set by weft_coupling_load; the fourth is ignored (count x 4) */
    weft_isa isa;               /* of products; all give the same bits */
} weft_coupling;

/* Allocates from the arena; returns 0 if memory is exhausted. The terms stay owned by the caller and must outlive this.
 */
int weft_coupling_create(weft_arena *arena, int32_t rows, const weft_term *term, int32_t count,
                         weft_coupling *coupling);

/* P a. */
weft_vec3 weft_term_load(const weft_term *term, weft_vec3 a);
/* Computes the loads P J x. `x4` has four floats per vertex. */
void weft_coupling_load(const weft_coupling *coupling, const weft_work *work, const weft_vec3 *x);
void weft_coupling_load_float(const weft_coupling *coupling, const weft_work *work, const float *x4);
/* y += J^T load for rows [begin, end). */
void weft_coupling_add(const weft_coupling *coupling, weft_vec3 *y, int64_t begin, int64_t end);
/* Adds the terms' diagonal blocks to the diagonal that preconditioners use. */
void weft_coupling_add_diagonal(const weft_coupling *coupling, weft_bsr *matrix);

#endif
