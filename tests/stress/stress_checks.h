/* Runs a scene file and checks it after each step. */
#ifndef WEFT_STRESS_CHECKS_H
#define WEFT_STRESS_CHECKS_H

#include <stdint.h>

#include "weft/base.h"

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
    STRESS_UNSTABLE,             /* a step of an explicit scheme failed */
    STRESS_CLASSES
} stress_class;

const char *stress_class_name(stress_class kind);

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
    int32_t has_energy;  /* 1: nothing drives the scene, so the energy counts */
    double seconds;      /* time of all steps, s */
    double median;       /* time of a step, s */
    double worst_ratio;  /* slowest step over the median */
    int64_t worst_frame; /* of that step */
    double energy_rise;  /* largest rise over the lowest value before, relative to the reference */
    double stretch;      /* largest */
    stress_finding finding[STRESS_CLASSES];
} stress_result;

/* Stops at the first failure that makes the state useless. With `details`, prints a line per frame. */
void stress_check_scene(const char *path, int details, stress_result *result);

#endif
