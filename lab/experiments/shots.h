/* Contact sheets: small pictures of the cloth of an experiment, all from the same viewpoint. */
#ifndef WEFT_LAB_EXPERIMENTS_SHOTS_H
#define WEFT_LAB_EXPERIMENTS_SHOTS_H

#include "lab/experiments/record.h"
#include "weft/weft.h"

enum { WEFT_MOST_SHOTS = 24 };

typedef struct weft_shots {
    double azimuth, elevation; /* rad */
    weft_vec3 low, high;       /* m: the box that must be visible */
    weft_picture picture[WEFT_MOST_SHOTS];
    char label[WEFT_MOST_SHOTS][64];
    int count;
} weft_shots;

/* Adds the first cloth of the simulation. Pictures beyond the limit are dropped. A diverged cloth gets only its label.
 */
weft_result weft_shots_add(weft_shots *shots, const weft_sim *sim, const char *label);
/* Tiles the pictures in rows of `columns` as "NAME.png" of the record, with the caption, and clears the list. */
weft_result weft_shots_show(weft_shots *shots, weft_record *record, const char *name, int columns, const char *caption);
void weft_shots_clear(weft_shots *shots);

#endif
