/* Contact sheets: small pictures of what an experiment's cloth looks like, all seen from the same place. */
#ifndef WEFT_EXPERIMENTS_SHOTS_H
#define WEFT_EXPERIMENTS_SHOTS_H

#include "experiments/record.h"
#include "weft/weft.h"

enum { WEFT_MOST_SHOTS = 24 };

typedef struct weft_shots {
    double azimuth, elevation; /* rad */
    weft_vec3 low, high;       /* m: what must be seen */
    weft_picture picture[WEFT_MOST_SHOTS];
    char label[WEFT_MOST_SHOTS][64];
    int count;
} weft_shots;

/* The simulation's first cloth as it is. More than fit are left out; so is a cloth that ran away, but for its label. */
weft_result weft_shots_add(weft_shots *shots, const weft_sim *sim, const char *label);
/* Tiles them in rows of `columns` as "NAME.png" of the record, with the caption, and forgets them. */
weft_result weft_shots_show(weft_shots *shots, weft_record *record, const char *name, int columns, const char *caption);
void weft_shots_clear(weft_shots *shots);

#endif
