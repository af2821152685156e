/* Decides which failures a run shows: by the state after a step, the times of all steps, and the end of the process. */
#ifndef WEFT_STRESS_JUDGE_H
#define WEFT_STRESS_JUDGE_H

#include <stdint.h>

#include "weft/sim.h"

/* Classes of failures. Those before STRESS_FATAL make the run fail; the others only with --strict. */
typedef enum stress_class {
    STRESS_INTERSECTION, /* edges through triangles, or cloth inside of a body */
    STRESS_UNRESOLVED,   /* collisions that a step left: cloth may have passed through */
    STRESS_NOT_FINITE,   /* a position or velocity is not finite */
    STRESS_DIVERGED,     /* a step of a scheme without a stability limit failed */
    STRESS_CRASH,        /* the process ended, or a call failed that should not */
    STRESS_BAD_START,    /* the scene is refused, or intersects at the start */
    STRESS_FATAL,
    STRESS_STALL = STRESS_FATAL, /* a step takes more than 100 times the median */
    STRESS_SLOW,                 /* the scene is not done in time, but no single step is to blame */
    STRESS_ENERGY,               /* energy rises in a scene that nothing drives */
    STRESS_STRETCH,              /* edges stretch more than the impact explains */
    STRESS_UNSTABLE, /* a step of an explicit scheme failed, or another one exploded that need not converge */
    STRESS_CLASSES
} stress_class;

/* The first failure of a class. */
typedef struct stress_finding {
    int64_t count; /* steps that failed so; 0: none */
    int64_t frame, step;
    char text[200];
} stress_finding;

/* Filled in while the scene runs, so that another process can read how far it came. */
typedef struct stress_result {
    int64_t steps; /* made and audited */
    int64_t frame; /* in progress, from 1 */
    int32_t vertices;
    int32_t has_energy;                  /* 1: nothing drives the scene, so the energy counts */
    int64_t newton;                      /* Newton updates of all steps: unlike the time, the same on every machine */
    int64_t worst_newton, median_newton; /* of a step */
    double seconds;                      /* time of all steps, s */
    double median;                       /* time of a step, s */
    double longest;                      /* the same of the slowest step, s */
    double worst_ratio;                  /* slowest step over the median */
    int64_t worst_frame;                 /* of that step */
    weft_step_cost worst;                /* that step by its own report */
    double energy_rise;                  /* largest rise over the lowest value before, relative to the reference */
    double stretch;                      /* largest */
    stress_finding finding[STRESS_CLASSES];
} stress_result;

const char *stress_class_name(stress_class kind);

/* Counts a failure. The first of a class keeps its frame, step and text. */
void stress_found(stress_result *result, stress_class kind, const char *format, ...) WEFT_PRINTF(3, 4);

/* A call failed: by divergence, or in a way that should not happen. */
void stress_judge_failure(stress_result *result, weft_result failure, int is_explicit);
/* Returns 0 if a position or velocity is not finite. `fastest` receives the highest speed, m/s. */
int stress_judge_state(stress_result *result, const weft_sim *sim, double *fastest);
/* `stretch` is the largest elongation of an edge, as a fraction of its length. */
void stress_judge_stretch(stress_result *result, const weft_sim *sim, double stretch, double fastest);
/* `seconds` and `frame` have an entry per step. Sorts the seconds. */
void stress_judge_times(stress_result *result, double *seconds, const int64_t *frame);
/* `newton` has the updates of each step. Sorts them. */
void stress_judge_work(stress_result *result, int64_t *newton);
/* Adds what only the end of the process tells: `status` as of waitpid, `limit` in seconds of CPU time. */
void stress_judge_end(stress_result *result, int status, int limit);

#endif
