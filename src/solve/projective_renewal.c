/* Rebuilds the matrix of the integrator `projective` after a live change. Ordering and factoring take as long as many
 * steps, so a background thread does it. The new matrix takes over after a fixed number of steps, never by wall-clock
 * time. Equal changes at equal steps therefore give identical motion. Where no thread can be started, as in a browser,
 * the matrix is made at once. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "solve/projective.h"

struct weft_renewal {
    pthread_t thread;
    bool has_thread;
    weft_projective_matrix *matrix;
    uint8_t *held; /* when the renewal began (count) */
    double h;      /* s */
    weft_code code;
    char message[508]; /* that of a result would end with the thread */
};

static void *work(void *context) {
    weft_renewal *r = context;
    int changed;
    weft_result result = weft_projective_matrix_order(r->matrix);
    if (result.code == WEFT_OK)
        result = weft_projective_matrix_prepare(r->matrix, r->held, r->h, &changed);
    r->code = result.code;
    snprintf(r->message, sizeof r->message, "%s", result.message);
    return NULL;
}

static void release(weft_renewal *renewal) {
    weft_projective_matrix_destroy(renewal->matrix);
    free(renewal->held);
    free(renewal);
}

weft_result weft_renewal_begin(weft_projective_matrix *matrix, const uint8_t *held, double h, weft_renewal **begun) {
    size_t bytes = (size_t)matrix->count;
    *begun = weft_allocate(1, sizeof **begun);
    uint8_t *copy = weft_allocate(bytes, 1);
    if (!*begun || !copy) {
        free(copy);
        free(*begun);
        *begun = NULL;
        weft_projective_matrix_destroy(matrix);
        return weft_fail_memory("a projective step", bytes);
    }
    memcpy(copy, held, bytes);
    **begun = (weft_renewal){.matrix = matrix, .held = copy, .h = h};
    (*begun)->has_thread = pthread_create(&(*begun)->thread, NULL, work, *begun) == 0;
    if (!(*begun)->has_thread)
        (void)work(*begun);
    return weft_ok();
}

const weft_projective_matrix *weft_renewal_matrix(const weft_renewal *renewal, const uint8_t **held, double *h) {
    *held = renewal->held;
    *h = renewal->h;
    return renewal->matrix;
}

static void wait_for(const weft_renewal *renewal) {
    if (renewal->has_thread)
        pthread_join(renewal->thread, NULL);
}

weft_result weft_renewal_end(weft_renewal *renewal, weft_projective_matrix **made) {
    wait_for(renewal);
    weft_result result = renewal->code == WEFT_OK ? weft_ok() : weft_fail(renewal->code, "%s", renewal->message);
    *made = NULL;
    if (result.code == WEFT_OK) {
        *made = renewal->matrix;
        renewal->matrix = NULL;
    }
    release(renewal);
    return result;
}

void weft_renewal_destroy(weft_renewal *renewal) {
    if (!renewal)
        return;
    wait_for(renewal);
    release(renewal);
}
