/* The integrator `projective`, inside: its constant matrix, and what it remembers of earlier steps. */
#ifndef WEFT_INTEGRATE_PROJECTIVE_H
#define WEFT_INTEGRATE_PROJECTIVE_H

#include "linear/cholesky.h"
#include "system/equations.h"
#include "weft/integrator.h"

typedef struct weft_projective_settings {
    int32_t iterations;
    int32_t memory; /* pairs */
    double theta;
} weft_projective_settings;

/* Whether the wider of its kernels run here. */
static inline int weft_has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

enum {
    WEFT_SECANTS = 20,         /* pairs at most */
    WEFT_PROJECTIVE_GROUP = 32 /* unknowns whose vertices are fetched ahead together */
};

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
    weft_vec3 *origin;          /* m, at rest: where the models were asked and which is dissected (count) */
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
    /* To fetch ahead by: in the order of elimination every fourth vertex, whose lines of the cache are also the
     * others', and where each WEFT_PROJECTIVE_GROUP unknowns begin among them. */
    int32_t *some, *some_start;
} weft_projective_matrix;

/* What the models say now, as if the vertices were where they are at rest: the same at any time, after a snapshot too,
 * and of cloth that is nowhere slack or crumpled, where some models show no stiffness. */
weft_result weft_projective_matrix_create(const weft_system *system, weft_projective_matrix **made);
void weft_projective_matrix_destroy(weft_projective_matrix *matrix);
/* A copy with the same vertices, masses and pairs, as fresh from create. */
weft_result weft_projective_matrix_copy(const weft_projective_matrix *matrix, weft_projective_matrix **made);
/* Its structure. */
weft_result weft_projective_matrix_order(weft_projective_matrix *matrix);
/* Factors for the step h and the held vertices when they are not those of the last time. */
weft_result weft_projective_matrix_prepare(weft_projective_matrix *matrix, const uint8_t *held, double h, int *changed);
/* The least number, at least 1, by which `matrix` must be multiplied to bound `next`, too; infinity when none would. */
double weft_projective_matrix_excess(const weft_projective_matrix *matrix, const weft_projective_matrix *next);

/* A matrix that another thread orders and factors while steps go on (projective_renewal.c). */
typedef struct weft_renewal weft_renewal;
/* `matrix` is fresh from create, and the renewal's from now on, also after a failure. */
weft_result weft_renewal_begin(weft_projective_matrix *matrix, const uint8_t *held, double h, weft_renewal **begun);
/* Waits for the matrix; the renewal is gone. */
weft_result weft_renewal_end(weft_renewal *renewal, weft_projective_matrix **made);
void weft_renewal_destroy(weft_renewal *renewal); /* null is allowed */
/* What the renewal was begun with. The background thread only reads it. */
const weft_projective_matrix *weft_renewal_matrix(const weft_renewal *renewal, const uint8_t **held, double *h);

/* Pairs of a move s and the change y of the equations along it, by vertex, as vectors of whole lanes
 * (projective_memory.c). */
typedef struct weft_secants {
    int64_t length; /* floats of a vector, a multiple of 8 */
    int32_t most, used, next;
    float *memory;                              /* of all vectors */
    float *s[WEFT_SECANTS], *y[WEFT_SECANTS];   /* the pair `next` may be written at any time */
    double product[WEFT_SECANTS][WEFT_SECANTS]; /* s_i . y_j */
} weft_secants;

/* Some of their vectors, each times a number. */
typedef struct weft_secants_sum {
    int32_t count;
    const float *vector[WEFT_SECANTS];
    float factor[WEFT_SECANTS];
} weft_secants_sum;

/* Floats of a vector for `count` vertices: whole lanes, and one float at least behind the last vertex, so that four can
 * be read of each. */
static inline int64_t weft_secants_length(int64_t count) { return (3 * count + 8) / 8 * 8; }

weft_result weft_secants_create(int64_t length, int32_t most, weft_secants **made);
void weft_secants_destroy(weft_secants *secants);
/* Places of pairs with that of the new one, which come before all that are empty. */
static inline int32_t weft_secants_filled(const weft_secants *secants) {
    return secants->used < secants->most ? secants->used + 1 : secants->most;
}
/* Adds, from one float to another, the products of all filled pairs y . s and s . y with the pair `next`, and s . r
 * (3 x weft_secants_filled). */
void weft_secants_meet(const weft_secants *secants, const float *r, int64_t begin, int64_t end, double *sum);
/* The two loops of L-BFGS around a solve in between, which is of r plus the sum `less`; its solution plus the sum
 * `more` is the step. `alpha` lasts from one to the other (WEFT_SECANTS). Before the first one the pair `next` is kept
 * when its s . y is above `least` and finite; else, and when `least` is INFINITY, what was there is lost. `met` is
 * weft_secants_meet of the whole vectors; null is allowed with INFINITY. */
void weft_secants_before(weft_secants *secants, double least, const double *met, double *alpha, weft_secants_sum *less);
/* `product` is that of the solution with each of weft_secants_changes. */
void weft_secants_after(const weft_secants *secants, const double *product, const double *alpha,
                        weft_secants_sum *more);
/* The y of all pairs, in the order in which weft_secants_after wants their products with the solution
 * (secants->used). */
void weft_secants_last(const weft_secants *secants, const float *pair[2]); /* s and y, when one is used */
void weft_secants_changes(const weft_secants *secants, const float **y);
/* to = from + the sum from `begin` to `end`, whole lanes; both are given from there on. */
void weft_secants_add(const weft_secants_sum *sum, const float *from, int64_t begin, int64_t end, float *to);

/* -- the passes of a step over the vertices (projective_passes.c) -- */

/* Of the vertices of a part or a block. */
typedef struct weft_projective_cloth {
    weft_vec3 force; /* external, of those that are free, N */
    double mass;     /* of those, kg */
    double way;      /* inertia of the way from the start of the step, N m */
    double pair;     /* that of the way from where forces were evaluated before */
    double peak;     /* that of the fastest one's way from the start */
    double squares;  /* of positions and velocities at the end, m2 and m2/s2 */
    int wild;        /* whether any is not finite or runs away */
} weft_projective_cloth;

/* A step streams little more than the state: what a pass needs of an earlier one is computed anew where that takes
 * fewer bytes, and x_next and v_next serve as scratch until the end. All that is of vertices is in their order, which
 * is how it is streamed; only the solve has its own. */
typedef struct weft_projective_step {
    const weft_system *system;
    const weft_projective_matrix *matrix;
    double dt, theta, h;
    weft_vec3 common; /* acceleration of all vertices, m/s2 */
    int first;        /* whether the iterate is still the guess */
    weft_vec3 *x;     /* where the internal forces were last evaluated (count) */
    float *f;         /* and they, 0 where held (count x 3) */
    weft_vec3 *v;     /* the velocity there, but at the guess, m/s, in v_next (count) */
    weft_vec3
        *external;     /* at the start of the step, N, in x_next (count); null: no more than the common acceleration */
    float *r;          /* the residual, which is f when there are no more external forces (count x 3) */
    float *s, *change; /* the next pair, null when there is none (count x 3) */
    const weft_secants *secants;
    double *met; /* products of the next pair, of each part of the vertices (3 x weft_secants_filled for each) */
    weft_secants_sum less, more; /* to be added to the residual before the solve, and to the increment after it */
    float part_of_b;             /* by which the solution is to be multiplied */
    float *z;                    /* the solution (count x 3); null: of each block at its beginning in x_next */
    double *product;             /* of it with the pairs, of each task of the solve (WEFT_SECANTS for each) */
    weft_projective_cloth *part; /* of each part of the vertices */
} weft_projective_step;

/* With a weft_projective_step as context, for runs of vertices: keeps their external forces and sums them up; the guess
 * where they would be without internal forces, held ones on their way to the target, or the iterate; and from the
 * internal forces there the residual, and the next pair. */
void weft_projective_take_external(void *step, int32_t part, int32_t first, int32_t count, weft_vec3 *f);
void weft_projective_place(void *step, int32_t first, int32_t count, weft_vec3 *x, weft_vec3 *v);
void weft_projective_take_internal(void *step, int32_t part, int32_t first, int32_t count, weft_vec3 *f);
/* The ends of the solve: the residual into the order of elimination, and the solution back. */
void weft_projective_load(void *step, int64_t begin, int64_t end, float *b);
void weft_projective_store(void *step, int32_t task, int64_t begin, int64_t end, const float *b);
void weft_projective_expect(void *step, int64_t begin, int64_t end, int up);
/* For blocks of vertices: the move by the increment to the next iterate; and from there to the end of the step. */
void weft_projective_move(void *step, int64_t begin, int64_t end);
void weft_projective_end(void *step, int64_t begin, int64_t end);

#endif
