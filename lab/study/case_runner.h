/* Runs cases: simulations of a scene with changed values, each in a worker process. Cases on a device (a GPU) share a
 * process, with a thread for each.
 *
 * A case that crashes, hangs or diverges is an outcome like others. The workers are forked from the caller, which must
 * not have started threads or OpenMP loops before. Each worker simulates many cases, so that a case costs no process
 * start. A worker that ends early is replaced. */
#ifndef WEFT_LAB_STUDY_CASE_RUNNER_H
#define WEFT_LAB_STUDY_CASE_RUNNER_H

#include "lab/study/figure.h"
#include "weft/component.h"
#include "weft/value.h"

/* Adds the device that a scene names to the registry. */
typedef weft_result (*weft_case_loader)(weft_registry *registry, const weft_tree *scene);

/* A scene and what its cases record. */
typedef struct weft_case_setup {
    const char *scene;      /* path of the file */
    const char *const *set; /* "PATH=VALUE" as for --set, applied before those of a case (set_count) */
    int set_count;
    const char *base; /* file beside which assignments look for meshes and other files; null: the current folder */
    weft_recording recording;
    weft_case_loader load_device; /* null: only the CPU */
} weft_case_setup;

typedef struct weft_case {
    int setup;              /* index of the setup */
    const char *const *set; /* "PATH=VALUE" (set_count) */
    int set_count;
    const char *picture; /* path of the PNG file of the last frame; null: none */
} weft_case;

typedef enum weft_case_status {
    WEFT_CASE_OK,
    WEFT_CASE_DIVERGED,
    WEFT_CASE_INTERSECTS, /* stopped by contact.on_intersection */
    WEFT_CASE_BAD_INPUT,  /* the scene or a value was refused */
    WEFT_CASE_NO_MEMORY,
    WEFT_CASE_FAILED, /* another error, such as a picture that could not be written */
    WEFT_CASE_TIME_LIMIT,
    WEFT_CASE_CRASHED, /* the worker ended by a signal */
    WEFT_CASE_LOST,    /* the cluster ended it several times */
    WEFT_CASE_STATUSES
} weft_case_status;
/* "ok", "time-limit", ...; static text. */
const char *weft_case_status_name(weft_case_status status);

/* The result of a case. */
typedef struct weft_case_outcome {
    weft_case_status status;
    char reason[256];    /* one line; "" if ok */
    uint64_t state_hash; /* of the last state; 0 if there is none */
    int64_t frames;      /* complete frames */
    double cpu_seconds, wall_seconds;
    char host[64];
    int value_count;
    double *value;     /* one per figure; not a number where there is none (value_count) */
    size_t block_size; /* bytes */
    void *block;       /* positions, as positions.h reads them; null if none are kept */
} weft_case_outcome;
/* Frees the arrays. A zeroed outcome is allowed. */
void weft_case_outcome_free(weft_case_outcome *outcome);

/* The cases to run. */
typedef struct weft_case_list {
    void *context; /* passed to all functions */
    int64_t count;
    /* Returns 0 for a case that is done already. Null: all are wanted. */
    int (*wanted)(void *context, int64_t index);
    /* Describes case `index`. The texts must stay valid until the next call. */
    weft_result (*get)(void *context, int64_t index, weft_case *one);
    /* Receives each outcome once, in any order. The caller of this function frees the outcome. A failure ends the
     * run. */
    weft_result (*done)(void *context, int64_t index, const weft_case_outcome *outcome);
    /* Returns 1 to start no more cases; those that run are waited for. May be null. Called several times a second. */
    int (*stop)(void *context);
} weft_case_list;

typedef struct weft_case_settings {
    int jobs;       /* cases at a time; 0: one per processor */
    int threads;    /* CPU threads of a case; 0: 1 */
    double seconds; /* wall time of a case; 0: no limit */
} weft_case_settings;

/* Number of processors that this process may use. */
int weft_case_processors(void);

/* Whether a device computes the cases of all setups. What cannot be read is on none. */
int weft_case_setups_on_device(const weft_case_setup *setups, int count);

/* Simulates one case in this process. Starts threads if `threads` is not 1. Failures are in the outcome. */
void weft_case_simulate(const weft_case_setup *setups, const weft_case *one, int threads, weft_case_outcome *outcome);

/* Runs all cases in worker processes on this machine. */
weft_result weft_cases_run(const weft_case_setup *setups, int setup_count, const weft_case_list *list,
                           const weft_case_settings *settings);

/* Runs an array of cases and keeps the outcomes, in their order. Free each outcome, also after a failure. */
weft_result weft_cases_evaluate(const weft_case_setup *setups, int setup_count, const weft_case *cases, int count,
                                const weft_case_settings *settings, weft_case_outcome *outcomes);

#endif
