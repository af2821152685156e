/* The data that `projective` keeps between steps: creation, live changes and snapshots. After a live change the matrix
 * is renewed in the background (projective_renewal.c). Until it is ready, steps continue with the old matrix, scaled so
 * that it still bounds the stiffness of the changed models. */
#include "solve/projective_data.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/seconds.h"
#include "weft/vec.h"

/* Steps until the matrix of the changed models takes over. At frame rate it is ready by then: one thread needs about 2
 * us per vertex. */
static int32_t steps_to_renew(int32_t vertices) { return 4 + vertices / 4096; }
/* Beyond this excess the cloth would hang slack until then, so the step waits for the new matrix. */
static const double LARGEST_EXCESS = 16;

static void release(weft_projective_data *p) {
    weft_renewal_destroy(p->renewal);
    free(p->f);
    free(p->x);
    weft_secants_destroy(p->secants);
    weft_projective_matrix_destroy(p->matrix);
    *p = (weft_projective_data){0};
}

void weft_projective_destroy(void *self) {
    if (self)
        release(self);
    free(self);
}

/* Replaces the matrix by `matrix`, of which it takes ownership, and discards the secant pairs. */
static weft_result install(weft_projective_data *p, const weft_projective_settings *settings,
                           weft_projective_matrix *matrix) {
    weft_secants *secants;
    weft_result result = weft_secants_create(weft_secants_length(matrix->count), settings->memory, &secants);
    if (result.code != WEFT_OK) {
        weft_projective_matrix_destroy(matrix);
        return result;
    }
    weft_secants_destroy(p->secants);
    weft_projective_matrix_destroy(p->matrix);
    p->secants = secants;
    p->matrix = matrix;
    p->excess = 1;
    return weft_ok();
}

static weft_result order_and_install(weft_projective_data *p, const weft_projective_settings *settings,
                                     weft_projective_matrix *matrix) {
    weft_result result = weft_projective_matrix_order(matrix);
    if (result.code == WEFT_OK)
        return install(p, settings, matrix);
    weft_projective_matrix_destroy(matrix);
    return result;
}

static weft_result build(const weft_projective_settings *settings, const weft_system *system, weft_projective_data *p) {
    size_t places = (size_t)system->count, floats = (size_t)weft_secants_length(system->count);
    weft_projective_matrix *matrix;
    WEFT_TRY(weft_projective_matrix_create(system, &matrix));
    WEFT_TRY(order_and_install(p, settings, matrix));
    if (!(p->x = weft_allocate_large(places, sizeof *p->x)) || !(p->f = weft_allocate_large(floats, sizeof *p->f)))
        return weft_fail_memory("a projective step", places * sizeof *p->x + floats * sizeof *p->f);
    return weft_ok();
}

weft_result weft_projective_create(const void *settings, const weft_system *system, void **self) {
    *self = NULL;
    weft_projective_data *p = weft_allocate(1, sizeof *p);
    if (!p)
        return weft_fail_memory("a projective step", sizeof *p);
    weft_result result = build(settings, system, p);
    if (result.code == WEFT_OK)
        *self = p;
    else
        weft_projective_destroy(p);
    return result;
}

void weft_projective_forget(weft_projective_data *self) {
    self->evaluated = 0;
    self->secants->used = 0;
    self->secants->next = 0;
}

void weft_projective_torn(void *self) {
    weft_projective_data *p = self;
    p->differs = p->renewal_differs = 1;
}

void weft_projective_retuned(void *self) {
    weft_projective_torn(self);
    ((weft_projective_data *)self)->stale = 1;
}

/* The renewed matrix takes over. */
static weft_result take_over(weft_projective_data *self, const weft_projective_settings *settings) {
    weft_projective_matrix *matrix;
    weft_result result = weft_renewal_end(self->renewal, &matrix);
    self->renewal = NULL;
    self->stale |= self->changed_again;
    self->changed_again = 0;
    WEFT_TRY(result);
    WEFT_TRY(install(self, settings, matrix));
    self->differs = self->renewal_differs;
    weft_projective_forget(self);
    return weft_ok();
}

/* Compares the matrix of the changed models with the current one. If a multiple of the current matrix bounds it, steps
 * continue with that multiple until the new matrix is factored. Changes in the meantime are handled afterwards. */
static weft_result retune(weft_projective_data *self, const weft_projective_settings *settings,
                          const weft_system *system, double h) {
    weft_projective_matrix *next;
    self->stale = 0;
    WEFT_TRY(weft_projective_matrix_create(system, &next));
    double excess = weft_projective_matrix_excess(self->matrix, next);
    int same = excess == 1 && weft_projective_matrix_excess(next, self->matrix) == 1;
    int fresh = self->matrix->h == 0 && !(self->restored_h > 0);
    self->differs = !same;
    if (fresh && same) {
        weft_projective_matrix_destroy(next);
        return weft_ok();
    }
    if (fresh || !(excess <= LARGEST_EXCESS)) {
        weft_renewal_destroy(self->renewal);
        self->renewal = NULL;
        self->changed_again = self->differs = 0;
        weft_projective_forget(self);
        return order_and_install(self, settings, next);
    }
    if (!same)
        weft_projective_forget(self);
    self->excess = excess;
    self->changed_again = self->renewal != NULL;
    if (self->renewal || same) {
        weft_projective_matrix_destroy(next);
        return weft_ok();
    }
    self->wait = steps_to_renew(system->count);
    self->renewal_differs = 0;
    return weft_renewal_begin(next, system->held, h, &self->renewal);
}

static weft_result follow_changes(weft_projective_data *self, const weft_projective_settings *settings,
                                  const weft_system *system, double h) {
    if (self->renewal && self->wait-- == 0)
        WEFT_TRY(take_over(self, settings));
    return self->stale ? retune(self, settings, system, h) : weft_ok();
}

/* -- snapshots -- */

/* Start of a snapshot. The secant pairs and the last force evaluation follow. */
typedef struct state_header {
    int32_t used, next, evaluated;
    uint32_t held; /* see hash_held */
    double h;
    double product[WEFT_SECANTS][WEFT_SECANTS];
} state_header;

/* Follows only if the matrix is not the one that create would make of the models: after a live change, and after links
 * broke. Then come the weights of the matrix and, during a renewal, those of the next matrix and the held vertices. */
typedef struct matrix_header {
    int32_t stale, wait, changed_again, renewing, differs, renewal_differs;
    double excess, renewal_h;
    int64_t pair_count;
} matrix_header;

/* Nonzero hash of the held vertices (FNV-1a). */
static uint32_t hash_held(const weft_projective_matrix *matrix) {
    uint32_t mark = 2166136261U;
    for (int32_t i = 0; i < matrix->count; i++)
        mark = (mark ^ matrix->held[i]) * 16777619U;
    return mark > 0 ? mark : 1;
}

static size_t triple_bytes(const weft_projective_data *p) { return 3 * (size_t)p->matrix->count * sizeof(float); }
static size_t vector_bytes(const weft_projective_data *p) { return (size_t)p->matrix->count * sizeof(weft_vec3); }

static size_t weight_bytes(const weft_projective_matrix *m) {
    return (size_t)m->count * sizeof *m->mass + 2 * (size_t)m->pair_count * sizeof(float);
}

static int saves_matrix(const weft_projective_data *p) { return p->differs || p->stale || p->renewal; }

static size_t plain_size(const weft_projective_data *p) {
    return sizeof(state_header) + 2 * (size_t)p->secants->most * triple_bytes(p) + 2 * vector_bytes(p);
}

static size_t matrix_size(const weft_projective_data *p, int renewing) {
    size_t next = renewing ? weight_bytes(p->matrix) + (size_t)p->matrix->count : 0;
    return sizeof(matrix_header) + weight_bytes(p->matrix) + next;
}

size_t weft_projective_state_size(const void *self) {
    const weft_projective_data *p = self;
    return plain_size(p) + (saves_matrix(p) ? matrix_size(p, p->renewal != NULL) : 0);
}

static char *save_bytes(char *at, const void *bytes, size_t size) {
    memcpy(at, bytes, size);
    return at + size;
}

static const char *load_bytes(const char *at, void *bytes, size_t size) {
    memcpy(bytes, at, size);
    return at + size;
}

static char *save_weights(const weft_projective_matrix *m, char *at) {
    at = save_bytes(at, m->mass, (size_t)m->count * sizeof *m->mass);
    for (int64_t i = 0; i < m->pair_count; i++) {
        at = save_bytes(at, &m->pair[i].stiffness, sizeof(float));
        at = save_bytes(at, &m->pair[i].damping, sizeof(float));
    }
    return at;
}

static void save_matrix(const weft_projective_data *p, char *at) {
    matrix_header header = {.stale = p->stale,
                            .wait = p->renewal ? p->wait : 0,
                            .changed_again = p->changed_again,
                            .renewing = p->renewal != NULL,
                            .differs = p->differs,
                            .renewal_differs = p->renewal_differs,
                            .excess = p->excess,
                            .pair_count = p->matrix->pair_count};
    const uint8_t *held = NULL;
    const weft_projective_matrix *next = p->renewal ? weft_renewal_matrix(p->renewal, &held, &header.renewal_h) : NULL;
    at = save_bytes(at, &header, sizeof header);
    at = save_weights(p->matrix, at);
    if (next)
        save_bytes(save_weights(next, at), held, (size_t)next->count);
}

void weft_projective_state_save(const void *self, void *buffer) {
    const weft_projective_data *p = self;
    char *at = buffer;
    state_header header = {p->secants->used, p->secants->next, p->evaluated, hash_held(p->matrix), p->matrix->h, {{0}}};
    if (p->restored_h > 0) { /* no step since a snapshot was loaded */
        header.h = p->restored_h;
        header.held = p->restored_held;
    }
    memcpy(header.product, p->secants->product, sizeof header.product);
    at = save_bytes(at, &header, sizeof header);
    for (int32_t i = 0; i < p->secants->most; i++) {
        at = save_bytes(at, p->secants->s[i], triple_bytes(p));
        at = save_bytes(at, p->secants->y[i], triple_bytes(p));
    }
    at = save_bytes(at, p->x, vector_bytes(p));
    for (int64_t i = 0; i < 3 * (int64_t)p->matrix->count; i++) {
        double force = (double)p->f[i];
        at = save_bytes(at, &force, sizeof force);
    }
    if (saves_matrix(p))
        save_matrix(p, at);
}

static int all_finite(const char *bytes, size_t size) {
    for (size_t i = 0; i + sizeof(float) <= size; i += sizeof(float)) {
        float value;
        memcpy(&value, bytes + i, sizeof value);
        if (!isfinite(value))
            return 0;
    }
    return 1;
}

/* Whether entry i of the ring buffer holds a pair. Entries fill in order; then all are full, or all but the next. */
static int is_filled(const state_header *h, int32_t most, int32_t i) {
    return h->used == most || (h->used == most - 1 ? i != h->next : i < h->used);
}

static int header_fits(const weft_projective_data *p, const state_header *h) {
    int32_t most = p->secants->most;
    if (h->used < 0 || h->used > most || h->next < 0 || (h->next >= most && h->next > 0) || !isfinite(h->h) ||
        h->h < 0 || h->evaluated < 0 || h->evaluated > 1 || (h->used < most - 1 && h->next != h->used))
        return 0;
    for (int32_t i = 0; i < most; i++)
        for (int32_t j = 0; j < most; j++)
            if (is_filled(h, most, i) && is_filled(h, most, j) &&
                (!isfinite(h->product[i][j]) || (i == j && !(h->product[i][i] > 0))))
                return 0;
    return 1;
}

/* The matrices of a snapshot while it is being read. */
typedef struct loaded_matrices {
    matrix_header header;
    weft_projective_matrix *matrix;
    weft_renewal *renewal; /* null: none is under way */
} loaded_matrices;

static int is_flag(int32_t value) { return value == 0 || value == 1; }

static int matrix_fits(const weft_projective_data *p, const matrix_header *h, size_t size) {
    return is_flag(h->stale) && is_flag(h->changed_again) && is_flag(h->renewing) && is_flag(h->differs) &&
           is_flag(h->renewal_differs) && h->wait >= 0 && h->excess >= 1 && isfinite(h->excess) &&
           h->pair_count == p->matrix->pair_count && size == matrix_size(p, h->renewing) &&
           (!h->renewing || (isfinite(h->renewal_h) && h->renewal_h > 0));
}

/* Elements are those of the present meshes, so only masses and weights differ from the present matrix. */
static weft_result load_weights(const weft_projective_data *p, const char **at, weft_projective_matrix **made) {
    WEFT_TRY(weft_projective_matrix_copy(p->matrix, made));
    weft_projective_matrix *m = *made;
    int good = 1;
    *at = load_bytes(*at, m->mass, (size_t)m->count * sizeof *m->mass);
    for (int32_t i = 0; i < m->count; i++)
        good &= isfinite(m->mass[i]) && m->mass[i] > 0;
    for (int64_t i = 0; i < m->pair_count; i++) {
        *at = load_bytes(*at, &m->pair[i].stiffness, sizeof(float));
        *at = load_bytes(*at, &m->pair[i].damping, sizeof(float));
        good &= isfinite(m->pair[i].stiffness) && m->pair[i].stiffness >= 0 && isfinite(m->pair[i].damping) &&
                m->pair[i].damping >= 0;
    }
    return good ? weft_ok() : weft_fail(WEFT_BAD_INPUT, "state of 'projective': its matrix makes no sense");
}

static weft_result load_matrices(const weft_projective_data *p, const char *at, size_t size, loaded_matrices *l) {
    weft_projective_matrix *next = NULL;
    if (size < sizeof l->header)
        return weft_fail(WEFT_BAD_INPUT, "state of 'projective': its matrix ends early");
    at = load_bytes(at, &l->header, sizeof l->header);
    if (!matrix_fits(p, &l->header, size))
        return weft_fail(WEFT_BAD_INPUT, "state of 'projective': its matrix does not fit");
    WEFT_TRY(load_weights(p, &at, &l->matrix));
    WEFT_TRY(weft_projective_matrix_order(l->matrix));
    if (!l->header.renewing)
        return weft_ok();
    weft_result result = load_weights(p, &at, &next);
    for (int32_t i = 0; result.code == WEFT_OK && i < next->count; i++)
        if ((unsigned char)at[i] > 1)
            result = weft_fail(WEFT_BAD_INPUT, "state of 'projective': vertex %d is neither held nor free", i);
    if (result.code == WEFT_OK)
        return weft_renewal_begin(next, (const uint8_t *)at, l->header.renewal_h, &l->renewal);
    weft_projective_matrix_destroy(next);
    return result;
}

static weft_result check_state(const weft_projective_data *p, const char *buffer, size_t size, state_header *header) {
    const char *at = buffer + sizeof *header;
    size_t pairs = 2 * (size_t)p->secants->most * triple_bytes(p);
    if (size < plain_size(p))
        return weft_fail(WEFT_BAD_INPUT, "state of 'projective': %zu bytes, but %zu are needed", size, plain_size(p));
    memcpy(header, buffer, sizeof *header);
    if (!header_fits(p, header) || !all_finite(at, pairs))
        return weft_fail(WEFT_BAD_INPUT, "state of 'projective': its secants make no sense");
    for (int64_t i = 0; i < 2 * (int64_t)p->matrix->count; i++) {
        weft_vec3 value;
        memcpy(&value, at + pairs + (size_t)i * sizeof value, sizeof value);
        if (!weft_vec3_is_finite(value))
            return weft_fail(WEFT_BAD_INPUT, "state of 'projective': value %lld is not finite", (long long)i);
    }
    return weft_ok();
}

/* Without a matrix in the snapshot, weft_projective_restored makes that of the models. */
static void take_matrices(weft_projective_data *p, const loaded_matrices *l) {
    weft_renewal_destroy(p->renewal);
    if (l->matrix) {
        weft_projective_matrix_destroy(p->matrix);
        p->matrix = l->matrix;
    }
    p->loaded = l->matrix != NULL;
    p->renewal = l->renewal;
    p->stale = l->header.stale;
    p->wait = l->header.wait;
    p->changed_again = l->header.changed_again;
    p->excess = l->matrix ? l->header.excess : 1;
    p->differs = l->header.differs;
    p->renewal_differs = l->header.renewal_differs;
}

weft_result weft_projective_state_load(void *self, const void *buffer, size_t size) {
    weft_projective_data *p = self;
    const char *at = (const char *)buffer + sizeof(state_header);
    state_header header;
    loaded_matrices loaded = {.matrix = NULL};
    WEFT_TRY(check_state(p, buffer, size, &header));
    if (size > plain_size(p)) {
        weft_result result = load_matrices(p, (const char *)buffer + plain_size(p), size - plain_size(p), &loaded);
        if (result.code != WEFT_OK) {
            weft_projective_matrix_destroy(loaded.matrix);
            return result;
        }
    }
    take_matrices(p, &loaded);
    p->secants->used = header.used;
    p->secants->next = header.next;
    p->evaluated = header.evaluated;
    p->restored_h = header.h;
    p->restored_held = header.held;
    memcpy(p->secants->product, header.product, sizeof header.product);
    for (int32_t i = 0; i < p->secants->most; i++) {
        at = load_bytes(at, p->secants->s[i], triple_bytes(p));
        at = load_bytes(at, p->secants->y[i], triple_bytes(p));
    }
    at = load_bytes(at, p->x, vector_bytes(p));
    for (int64_t i = 0; i < 3 * (int64_t)p->matrix->count; i++) {
        double force;
        at = load_bytes(at, &force, sizeof force);
        p->f[i] = (float)force;
    }
    return weft_ok();
}

/* The matrix may be of other models: those of a state that the simulation went back from. */
weft_result weft_projective_restored(void *self, const void *settings, const weft_system *system) {
    (void)settings;
    weft_projective_data *p = self;
    weft_projective_matrix *next;
    if (p->loaded)
        return weft_ok();
    WEFT_TRY(weft_projective_matrix_create(system, &next));
    int same =
        weft_projective_matrix_excess(p->matrix, next) == 1 && weft_projective_matrix_excess(next, p->matrix) == 1;
    weft_result result = same ? weft_ok() : weft_projective_matrix_order(next);
    if (same || result.code != WEFT_OK) {
        weft_projective_matrix_destroy(next);
        return result;
    }
    weft_projective_matrix_destroy(p->matrix);
    p->matrix = next;
    return weft_ok();
}

weft_status weft_projective_prepare(const weft_projective_settings *settings, const weft_system *system, double h) {
    weft_projective_data *self = system->self;
    int changed = 0;
    /* Equal steps differ by rounding. The matrix is that of the first of them, also after a snapshot. */
    double factored = fabs(self->restored_h - h) <= 1e-9 * h ? self->restored_h : h, since = weft_seconds();
    weft_result result = follow_changes(self, settings, system, h);
    if (result.code == WEFT_OK)
        result = weft_projective_matrix_prepare(self->matrix, system->held, factored, &changed);
    if (result.code != WEFT_OK)
        return result.code == WEFT_NO_MEMORY ? WEFT_STATUS_NO_MEMORY : WEFT_STATUS_DIVERGED;
    if (self->restored_h > 0)
        changed =
            self->restored_h != factored || (self->restored_held > 0 && self->restored_held != hash_held(self->matrix));
    if (changed || !(system->dt_before > 0))
        weft_projective_forget(self);
    self->restored_h = 0;
    system->solve->assembly_seconds += weft_seconds() - since;
    return WEFT_STATUS_OK;
}
