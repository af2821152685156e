/* Internals of the integrator `projective`: its constant matrix, and its memory of earlier steps. */
#ifndef WEFT_SOLVE_PROJECTIVE_H
#define WEFT_SOLVE_PROJECTIVE_H

#include "solve/cholesky.h"
#include "solve/equations.h"
#include "weft/integrator.h"

typedef struct weft_projective_settings {
    int32_t iterations;
    int32_t memory; /* pairs */
    double theta;
} weft_projective_settings;

enum {
    WEFT_SECANTS = 20,         /* pairs at most */
    WEFT_PROJECTIVE_GROUP = 32 /* unknowns whose vertices are prefetched together */
};

/* Two vertices of an element, and a bound of its blocks between them. */
typedef struct weft_projective_pair {
    int32_t a, b;    /* a < b */
    float stiffness; /* N/m */
    float damping;   /* kg/s */
} weft_projective_pair;

/* The matrix M / h^2 + W: W is a Laplacian with a weight for each pair of vertices that bounds the stiffness between
 * them in all directions. */
typedef struct weft_projective_matrix {
    int32_t count;
    weft_vec3 *origin;          /* m, the rest positions: for the models and for nested dissection (count) */
    double *mass;               /* kg (count) */
    weft_projective_pair *pair; /* of all elements in their order (pair_count) */
    int64_t pair_count;
    int32_t *start, *column; /* strong pairs, both triangles (count + 1, start[count]) */
    float *stiffness;        /* N/m (start[count]) */
    float *damping;          /* kg/s (start[count]) */
    double *diagonal, *value;
    uint8_t *held;   /* as factored (count) */
    double *inertia; /* N/m: mass / h^2 where free, 0 where held, as factored (count) */
    double h;        /* s, as factored; 0: not at all */
    weft_cholesky *cholesky;
    /* For prefetching: every fourth vertex in the order of elimination, whose cache lines also hold the others, and the
     * first of these of each WEFT_PROJECTIVE_GROUP unknowns. */
    int32_t *some, *some_start;
} weft_projective_matrix;

/* From the current parameters of the models, evaluated at the rest positions. The result is therefore the same at any
 * time, also after a snapshot is loaded. And no cloth is slack or crumpled there, where some models have no stiffness.
 */
weft_result weft_projective_matrix_create(const weft_system *system, weft_projective_matrix **made);
void weft_projective_matrix_destroy(weft_projective_matrix *matrix);
/* A copy with the same vertices, masses and pairs, as fresh from create. */
weft_result weft_projective_matrix_copy(const weft_projective_matrix *matrix, weft_projective_matrix **made);
/* Computes the structure of the factor. */
weft_result weft_projective_matrix_order(weft_projective_matrix *matrix);
/* Factors for the step h and the held vertices, if they differ from those of the last call. */
weft_result weft_projective_matrix_prepare(weft_projective_matrix *matrix, const uint8_t *held, double h, int *changed);
/* The smallest factor, at least 1, by which `matrix` must be multiplied to bound `next`, too. Infinity if there is
 * none. */
double weft_projective_matrix_excess(const weft_projective_matrix *matrix, const weft_projective_matrix *next);

/* A matrix that another thread orders and factors while steps go on (projective_renewal.c). */
typedef struct weft_renewal weft_renewal;
/* `matrix` is fresh from create. The renewal takes ownership, also after a failure. */
weft_result weft_renewal_begin(weft_projective_matrix *matrix, const uint8_t *held, double h, weft_renewal **begun);
/* Waits for the matrix and destroys the renewal. */
weft_result weft_renewal_end(weft_renewal *renewal, weft_projective_matrix **made);
void weft_renewal_destroy(weft_renewal *renewal); /* null is allowed */
/* What the renewal was begun with. The background thread only reads it. */
const weft_projective_matrix *weft_renewal_matrix(const weft_renewal *renewal, const uint8_t **held, double *h);

/* Pairs of a move s and the change y of the equations along it (projective_memory.c). Each is three floats per vertex,
 * padded to whole SIMD vectors. */
typedef struct weft_secants {
    int64_t length; /* floats of a vector, a multiple of 8 */
    int32_t most, used, next;
    float *memory;                              /* of all vectors */
    float *s[WEFT_SECANTS], *y[WEFT_SECANTS];   /* the pair `next` is scratch until it is accepted */
    double product[WEFT_SECANTS][WEFT_SECANTS]; /* s_i . y_j */
} weft_secants;

/* A linear combination of some of their vectors. */
typedef struct weft_secants_sum {
    int32_t count;
    const float *vector[WEFT_SECANTS];
    float factor[WEFT_SECANTS];
} weft_secants_sum;

/* Floats of a vector for `count` vertices: a multiple of eight, with at least one float behind the last vertex, so that
 * four floats can be read at each vertex. */
static inline int64_t weft_secants_length(int64_t count) { return (3 * count + 8) / 8 * 8; }

weft_result weft_secants_create(int64_t length, int32_t most, weft_secants **made);
void weft_secants_destroy(weft_secants *secants);
/* The number of slots in use, with that of the new pair. They come before all empty slots. */
static inline int32_t weft_secants_filled(const weft_secants *secants) {
    return secants->used < secants->most ? secants->used + 1 : secants->most;
}
/* Adds the products over the floats [begin, end) to `sum` (3 x weft_secants_filled). These are y . s and s . y of all
 * filled slots with the pair `next`, and s . r. */
void weft_secants_meet(const weft_secants *secants, const float *r, int64_t begin, int64_t end, double *sum);
/* The two loops of L-BFGS, before and after a solve. The right-hand side of the solve is r plus the sum `less`. The
 * step is its solution plus the sum `more`. `alpha` carries values from the first loop to the second (WEFT_SECANTS).
 * The first loop begins with accepting the pair `next` if its s . y is finite and above `least`. Otherwise the pair in
 * that slot is lost. A `least` of INFINITY drops all pairs. `met` is weft_secants_meet of the whole vectors; it may be
 * null if `least` is INFINITY. */
void weft_secants_before(weft_secants *secants, double least, const double *met, double *alpha, weft_secants_sum *less);
/* `product` holds the dot products of the solution with the vectors of weft_secants_changes. */
void weft_secants_after(const weft_secants *secants, const double *product, const double *alpha,
                        weft_secants_sum *more);
/* s and y of the youngest pair. There must be one. */
void weft_secants_last(const weft_secants *secants, const float *pair[2]);
/* The y of all pairs, in the order of the products that weft_secants_after expects (secants->used). */
void weft_secants_changes(const weft_secants *secants, const float **y);
/* to = from + the sum, over the floats [begin, end), whole SIMD vectors. `to` and `from` start at `begin`. */
void weft_secants_add(const weft_secants_sum *sum, const float *from, int64_t begin, int64_t end, float *to);

/* -- the passes of a step over the vertices (projective_passes.c) -- */

/* Sums over the vertices of a block. */
typedef struct weft_projective_sums {
    weft_vec3 force; /* external, on free vertices, N */
    double mass;     /* of free vertices, kg */
    double way;      /* inertia times the squared displacement since the start of the step, N m */
    double pair;     /* the same since the previous evaluation of forces */
    double peak;     /* the largest term of `way` */
    double squares;  /* of positions and velocities at the end, m2 and m2/s2 */
    int wild;        /* whether any vertex is not finite or diverges */
} weft_projective_sums;

/* A step is memory-bound and streams little more than the state. A pass recomputes values of an earlier pass where that
 * moves fewer bytes. x_next and v_next serve as scratch until the end. All arrays are in the order of the vertices;
 * only the solve has its own order. */
typedef struct weft_projective_step {
    const weft_system *system;
    const weft_projective_matrix *matrix;
    double dt, theta, h;
    weft_vec3 common;    /* acceleration of all vertices, m/s2 */
    int first;           /* whether the iterate is still the guess */
    weft_vec3 *x;        /* positions at the last evaluation of the internal forces (count) */
    float *f;            /* those forces, 0 where held (count x 3) */
    weft_vec3 *v;        /* velocities there, except at the guess, m/s, in v_next (count) */
    weft_vec3 *external; /* at the start of the step, N, in x_next (count); null: only the common acceleration */
    float *r;            /* the residual; f itself if `external` is null (count x 3) */
    float *s, *change;   /* the next pair; null if there is none (count x 3) */
    const weft_secants *secants;
    double *met;                 /* products with the next pair, per block of vertices (3 x weft_secants_filled each) */
    weft_secants_sum less, more; /* added to the residual before the solve, and to the increment after it */
    float part_of_b;             /* factor of the solution */
    float *z;                    /* the solution (count x 3); null: at the start of each block in x_next */
    double *product;            /* products of the solution with the pairs, per task of the solve (WEFT_SECANTS each) */
    weft_projective_sums *part; /* sums per block of vertices */
} weft_projective_step;

/* Callbacks for runs of vertices; the context is a weft_projective_step.
 * The first stores and sums the external forces. The second gives the guess or the iterate. The guess is the position
 * without internal forces; that of a held vertex is on the way to its target. The third computes the residual and the
 * next pair from the internal forces there. */
void weft_projective_take_external(void *step, int32_t part, int32_t first, int32_t count, weft_vec3 *f);
void weft_projective_place(void *step, int32_t first, int32_t count, weft_vec3 *x, weft_vec3 *v);
void weft_projective_take_internal(void *step, int32_t part, int32_t first, int32_t count, weft_vec3 *f);
/* Before and after the solve: gather the residual into the order of elimination, scatter the solution, prefetch. */
void weft_projective_load(void *step, int64_t begin, int64_t end, float *b);
void weft_projective_store(void *step, int32_t task, int64_t begin, int64_t end, const float *b);
void weft_projective_expect(void *step, int64_t begin, int64_t end, int up);
/* For blocks of vertices: move by the increment to the next iterate, or to the end of the step. */
void weft_projective_move(void *step, int64_t begin, int64_t end);
void weft_projective_end(void *step, int64_t begin, int64_t end);

/* projective_air.c: reduces external forces that wind makes too large for the step, and sums them anew. Returns 0 if
 * memory is exhausted. */
int weft_projective_limit_air(const weft_projective_step *step);

#endif
