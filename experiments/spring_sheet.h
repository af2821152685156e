/* The square sheet of springs that the documents' experiments use, run for a while and measured. */
#ifndef WEFT_EXPERIMENTS_SPRING_SHEET_H
#define WEFT_EXPERIMENTS_SPRING_SHEET_H

#include "experiments/shots.h"
#include "weft/weft.h"

enum { WEFT_SHEET_SETTINGS = 12 };

/* At the upper side: both corners, the left one, or three vertices at each end. */
typedef enum weft_sheet_hold { WEFT_HOLD_CORNERS, WEFT_HOLD_LEFT, WEFT_HOLD_THREES } weft_sheet_hold;

typedef struct weft_sheet_case {
    int32_t side_vertices;
    double side; /* m */
    int hangs;   /* begins hanging below its upper side, or lying flat */
    weft_sheet_hold hold;
    double density;   /* kg/m2 */
    double stiffness; /* N/m, of all springs */
    const char *integrator;
    double step;    /* s; in variable mode the cap */
    double seconds; /* to run */
    /* Pairs of a path and a value, set after the forces gravity and air-damping are there; ends with null. */
    const char *setting[WEFT_SHEET_SETTINGS][2];
    const char *wind; /* a force to add, or null */
    double pinch; /* m: the middle of the lower side is pulled up and forward by it from 1 s to 1.5 s, then let go */
    weft_shots *shots; /* a picture of the end is added, with the label; or null */
    const char *label;
} weft_sheet_case;

typedef struct weft_sheet_outcome {
    double diverged;                  /* s: when the state ran away; infinite when it did not */
    double lowest;                    /* m: of the lowest vertex below the pins, mean over the last second */
    weft_vec3 centre;                 /* of mass, mean over the last second, m, from the upper left corner */
    double speed;                     /* m/s: root mean square over vertices and the last second */
    double stretch_mean, stretch_max; /* of edges at the end */
    int64_t links_broken;
    double energy_most; /* J: greatest kinetic energy of a frame */
    double stable_step; /* s: by the model's bound at the start */
    double fallen;      /* m: of the centre of mass in the first second */
} weft_sheet_outcome;

weft_result weft_sheet_run(const weft_sheet_case *which, weft_sheet_outcome *outcome);

#endif
