/* The square sheet of springs of the experiments from the source papers: it runs for a while and is measured. */
#ifndef WEFT_LAB_EXPERIMENTS_SPRING_SHEET_H
#define WEFT_LAB_EXPERIMENTS_SPRING_SHEET_H

#include "lab/experiments/shots.h"
#include "weft/weft.h"

enum { WEFT_SHEET_SETTINGS = 12 };

/* Held at the upper side: both corners, the left corner, or three vertices at each end. */
typedef enum weft_sheet_hold { WEFT_HOLD_CORNERS, WEFT_HOLD_LEFT, WEFT_HOLD_THREES } weft_sheet_hold;

typedef struct weft_sheet_case {
    int32_t side_vertices;
    double side; /* m */
    int hangs;   /* starts hanging below its upper side; otherwise flat */
    weft_sheet_hold hold;
    double density;   /* kg/m2 */
    double stiffness; /* N/m, all springs */
    const char *integrator;
    double step;    /* s; the cap in variable mode */
    double seconds; /* duration */
    /* Pairs of a path and a value, set after the forces gravity and air-damping exist; ends with null. */
    const char *setting[WEFT_SHEET_SETTINGS][2];
    const char *wind; /* a force to add, or null */
    double pinch; /* m: from 1 s to 1.5 s the middle of the lower side is pulled up and forward by this distance, then
                     released */
    weft_shots *shots; /* receives a labelled picture of the end; may be null */
    const char *label;
} weft_sheet_case;

typedef struct weft_sheet_outcome {
    double diverged;                  /* s: time of divergence; infinite if none */
    double lowest;                    /* m: lowest vertex below the pins, mean over the last second */
    weft_vec3 centre;                 /* centre of mass, mean over the last second, m, from the upper left corner */
    double speed;                     /* m/s: root mean square over vertices and the last second */
    double stretch_mean, stretch_max; /* edges at the end */
    int64_t links_broken;
    double energy_most; /* J: greatest kinetic energy of a frame */
    double stable_step; /* s: the model's bound at the start */
    double fallen;      /* m: descent of the centre of mass in the first second */
} weft_sheet_outcome;

weft_result weft_sheet_run(const weft_sheet_case *which, weft_sheet_outcome *outcome);

#endif
