/* Data that the integrator `projective` keeps between steps: its matrix, its secant pairs and its last force
 * evaluation. */
#ifndef WEFT_SOLVE_PROJECTIVE_DATA_H
#define WEFT_SOLVE_PROJECTIVE_DATA_H

#include "solve/projective.h"

typedef struct weft_projective_data {
    weft_projective_matrix *matrix;
    weft_secants *secants;
    weft_vec3 *x;           /* where the internal forces were last evaluated (count) */
    float *f;               /* internal forces there, 0 where held (count x 3) */
    int evaluated;          /* 1: x and f are set */
    double restored_h;      /* s, h of the secant pairs of a snapshot just loaded; otherwise 0 */
    uint32_t restored_held; /* hash of the held vertices of that snapshot; 0: unknown */
    int stale;              /* 1: the models changed since the matrix was built or compared */
    weft_renewal *renewal;  /* the next matrix, being factored in the background; may be null */
    int32_t wait;           /* steps until it takes over */
    int changed_again;      /* 1: the models changed again since the renewal began */
    double excess;          /* divides increments while the models are stiffer than the matrix; at least 1 */
    int differs;            /* 1: the matrix may differ from what create would make of the models as they are now */
    int renewal_differs;    /* 1: the matrix of the renewal may differ from that, too */
    int loaded;             /* 1: the matrix was loaded from a snapshot, and is not to be compared with the models */
} weft_projective_data;

/* Entries of the integrator's function table. */
weft_result weft_projective_create(const void *settings, const weft_system *system, void **self);
void weft_projective_destroy(void *self);
void weft_projective_retuned(void *self);
void weft_projective_torn(void *self);
size_t weft_projective_state_size(const void *self);
void weft_projective_state_save(const void *self, void *buffer);
weft_result weft_projective_state_load(void *self, const void *buffer, size_t size);
weft_result weft_projective_restored(void *self, const void *settings, const weft_system *system);

/* Follows live changes of the models and factors the matrix for the step length h and the held vertices. Discards the
 * secant pairs if they no longer apply. */
weft_status weft_projective_prepare(const weft_projective_settings *settings, const weft_system *system, double h);

/* Discards the secant pairs and the last force evaluation. */
void weft_projective_forget(weft_projective_data *p);

#endif
