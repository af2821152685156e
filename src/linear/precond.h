/* Preconditioners of the conjugate gradient method. */
#ifndef WEFT_LINEAR_PRECOND_H
#define WEFT_LINEAR_PRECOND_H

#include "linear/bsr.h"
#include "linear/filter.h"

typedef enum weft_precond_kind {
    WEFT_PRECOND_NONE,
    WEFT_PRECOND_DIAGONAL,
    WEFT_PRECOND_BLOCK,     /* the inverse of each 3x3 block of the diagonal */
    WEFT_PRECOND_TWO_LEVEL, /* that, and a direct solve for the motion of clusters of vertices */
    WEFT_PRECOND_CHOLESKY   /* the factor of a matrix some steps old; like block when it cannot be factored */
} weft_precond_kind;

typedef struct weft_coarse weft_coarse;
typedef struct weft_factored weft_factored;

typedef struct weft_precond {
    weft_precond_kind kind;
    int32_t rows;
    float *inverse;          /* of the diagonal blocks: xx xy xz yy yz zz (rows x 6) */
    weft_coarse *coarse;     /* null for the other kinds */
    weft_factored *factored; /* likewise; with neither of them null are: */
    const int32_t *group;    /* the cluster of each vertex, for a factor itself (rows) */
    const weft_vec3 *shift;  /* the motion of each cluster, from the last weft_precond_prepare */
} weft_precond;

/* `position` of the vertices, for a factor's order; may be null for the other kinds. */
weft_result weft_precond_create(const weft_bsr *matrix, weft_precond_kind kind, const weft_vec3 *position,
                                weft_precond **made);
void weft_precond_destroy(weft_precond *precond);

/* Takes over the values of the matrix (finished) and of the filter (may be null). */
void weft_precond_update(weft_precond *precond, const weft_bsr *matrix, const weft_filter *filter,
                         const weft_work *work);

/* Iterations of a solve after which it is cheaper to break off, judge, update and go on. */
int32_t weft_precond_patience(const weft_precond *precond);

/* After a solve that took that many iterations. */
void weft_precond_judge(weft_precond *precond, int32_t iterations);

/* Whether weft_precond_local can be used without weft_precond_prepare. */
static inline int weft_precond_is_local(const weft_precond *precond) { return !precond->group; }

/* What the preconditioner needs to know of the whole of r (filtered). */
void weft_precond_prepare(const weft_precond *precond, const weft_work *work, const weft_vec3 *r);

/* M^-1 r at vertex i; not filtered. Symmetric and positive on filtered vectors. */
static inline weft_vec3 weft_precond_local(const weft_precond *precond, int64_t i, weft_vec3 r) {
    const float *m = precond->inverse + 6 * i;
    weft_vec3 z = weft_vec3_make((double)m[0] * r.x + (double)m[1] * r.y + (double)m[2] * r.z,
                                 (double)m[1] * r.x + (double)m[3] * r.y + (double)m[4] * r.z,
                                 (double)m[2] * r.x + (double)m[4] * r.y + (double)m[5] * r.z);
    return precond->group ? weft_add(z, precond->shift[precond->group[i]]) : z;
}

#endif
