/* The integrator `projective`, inside: its constant matrix, and what it remembers of earlier steps. */
#ifndef WEFT_INTEGRATE_PROJECTIVE_H
#define WEFT_INTEGRATE_PROJECTIVE_H

#include "linear/cholesky.h"
#include "weft/integrator.h"

typedef struct weft_projective_settings {
    int32_t iterations;
    int32_t memory; /* pairs */
    double theta;
} weft_projective_settings;

enum { WEFT_SECANTS = 20 }; /* pairs at most */

/* Two vertices of an element, and what bounds its blocks between them. */
typedef struct weft_projective_pair {
    int32_t a, b;    /* a < b */
    float stiffness; /* N/m */
    float damping;   /* kg/s */
} weft_projective_pair;

/* The matrix M / h^2 + W: W is a Laplacian with a weight for each pair of vertices that bounds the stiffness between
 * them in all directions. */
typedef struct weft_projective_matrix {
    int32_t count;
    weft_vec3 *origin;          /* m, where the models were asked and which is dissected (count) */
    double *mass;               /* kg (count) */
    weft_projective_pair *pair; /* of all elements in their order (pair_count) */
    int64_t pair_count;
    int32_t *start, *column; /* strong pairs, both triangles (count + 1, start[count]) */
    float *stiffness;        /* N/m (start[count]) */
    float *damping;          /* kg/s (start[count]) */
    double *diagonal, *value;
    uint8_t *held; /* as factored (count) */
    double h;      /* s, as factored; 0: not at all */
    weft_cholesky *cholesky;
} weft_projective_matrix;

/* What the models say now, as if the vertices were at `origin`. */
weft_result weft_projective_matrix_create(const weft_system *system, const weft_vec3 *origin,
                                          weft_projective_matrix **made);
void weft_projective_matrix_destroy(weft_projective_matrix *matrix);
/* Its structure. */
weft_result weft_projective_matrix_order(weft_projective_matrix *matrix);
/* Factors for the step h and the held vertices when they are not those of the last time. */
weft_result weft_projective_matrix_prepare(weft_projective_matrix *matrix, const double *inverse_mass, double h,
                                           int *changed);
/* The least number, at least 1, by which `matrix` must be multiplied to bound `next`, too; infinity when none would. */
double weft_projective_matrix_excess(const weft_projective_matrix *matrix, const weft_projective_matrix *next);

/* A matrix that another thread orders and factors while steps go on (projective_renewal.c). */
typedef struct weft_renewal weft_renewal;
/* `matrix` is fresh from create, and the renewal's from now on, also after a failure. */
weft_result weft_renewal_begin(weft_projective_matrix *matrix, const double *inverse_mass, double h,
                               weft_renewal **begun);
/* Waits for the matrix; the renewal is gone. */
weft_result weft_renewal_end(weft_renewal *renewal, weft_projective_matrix **made);
void weft_renewal_destroy(weft_renewal *renewal); /* null is allowed */

/* Pairs of a move s and the change y of the equations along it, as vectors of whole lanes (projective_memory.c). */
typedef struct weft_secants {
    int64_t length; /* floats of a vector, a multiple of 8 */
    int32_t most, used, next;
    float *memory;                              /* of all vectors */
    float *s[WEFT_SECANTS], *y[WEFT_SECANTS];   /* the pair `next` may be written at any time */
    double product[WEFT_SECANTS][WEFT_SECANTS]; /* s_i . y_j */
} weft_secants;

weft_result weft_secants_create(int64_t length, int32_t most, weft_secants **made);
void weft_secants_destroy(weft_secants *secants);
/* Keeps the pair `next` when its s . y is above `least` and finite. */
void weft_secants_keep(weft_secants *secants, const weft_work *work, double least);
/* The two loops of L-BFGS around a solve in between: first r becomes q, then z the step. `alpha` lasts from one to the
 * other (WEFT_SECANTS). */
void weft_secants_before(const weft_secants *secants, const weft_work *work, float *r, double *alpha);
void weft_secants_after(const weft_secants *secants, const weft_work *work, float *z, const double *alpha);

#endif
